"""Choose a collection out of what was mined: every difficulty, all themes, not the same thing over and over."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from puzzles.document import DIFFICULTIES

Table = dict[str, Any]

_MOST_GAMBLES: Final = 10
"""Puzzles of one difficulty in which luck counts on average."""

_MOST_PER_GAME: Final = 2


def select(mined: Iterable[Table], each: int) -> list[Table]:
    """At most so many puzzles of each difficulty.

    One after another the puzzle is taken whose rarest theme is the rarest among those taken so far; among equals one
    that CP-SAT proved, and then the first. At most two come out of one game, and at most ten of a difficulty are
    gambles.
    """
    chosen: list[Table] = []
    left = list(mined)
    for step in DIFFICULTIES:
        pool = [table for table in left if table["difficulty"] == step]
        taken: list[Table] = []
        while pool and len(taken) < each:
            themes = Counter(theme for table in (*chosen, *taken) for theme in table.get("themes", []))
            best = min(pool, key=lambda table: _familiar(themes, table))
            pool.remove(best)
            if _welcome(best, taken, chosen):
                taken.append(best)
        chosen += sorted(taken, key=lambda table: str(table["id"]))
    return chosen


def _familiar(themes: Counter[str], table: Table) -> tuple[list[int], bool]:
    """How often the themes were seen, the rarest first; then whether CP-SAT could not prove it."""
    seen = sorted(themes[theme] for theme in table.get("themes", [])) or [1_000_000]
    return (seen[:1], "cp-sat" not in table["answer"]["proof"]["by"])


def _welcome(table: Table, taken: list[Table], chosen: list[Table]) -> bool:
    game = table["provenance"]["game"]
    from_game = sum(other["provenance"]["game"] == game for other in (*chosen, *taken))
    gambles = sum(other["luck"] == "average" for other in taken)
    return bool(from_game < _MOST_PER_GAME and (table["luck"] != "average" or gambles < _MOST_GAMBLES))


def write_collection(tables: Iterable[Table], folder: Path) -> dict[int, int]:
    """Write puzzles to a folder as `mined-1.jsonl` to `mined-5.jsonl`; returns how many each difficulty has."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = list(tables)
    counts: dict[int, int] = {}
    for step in DIFFICULTIES:
        lines = [json.dumps(table, ensure_ascii=False) for table in chosen if table["difficulty"] == step]
        (folder / f"mined-{step}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        counts[step] = len(lines)
    return counts
