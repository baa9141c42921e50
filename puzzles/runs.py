"""Mining runs: many games on many processes, each written down when it is finished, resumed where they broke off."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from engine.errors import GizmosError, UnreadableError, quoted
from puzzles.document import DIFFICULTIES
from puzzles.mining import Settings, Yield, merge, mine_game
from puzzles.parallel import Backend, WorkerLostError, run

_RUN: Final = "run.json"
_GAMES: Final = "games"
_REPORT: Final = "report.json"
_LIVES: Final = 3
"""How often workers may be lost before a run is given up."""


@dataclass(frozen=True)
class Report:
    """What a run gave: how many puzzles of each difficulty, the fates of all turns, and processor seconds."""

    games: int
    puzzles: int
    by_difficulty: dict[str, int]
    fates: dict[str, int]
    seconds: float

    @property
    def seconds_per_puzzle(self) -> float:
        """Processor seconds for each kept puzzle."""
        return self.seconds / self.puzzles if self.puzzles else float("inf")


def mine(
    out: Path,
    games: int,
    settings: Settings | None = None,
    *,
    jobs: int = 1,
    backend: Backend = "loky",
    resume: bool = False,
    progress: Callable[[Yield], None] = lambda _: None,
) -> Report:
    """Mine games 0 to `games` - 1 and write the puzzles to a folder, one `.jsonl` file for each difficulty.

    Every finished game is written down at once; with `resume` a run that was broken off goes on where it was, and more
    games can be added. The puzzles depend on the settings and on `games` only.

    When workers are lost, the games that were not finished are mined again.

    Raises UnreadableError if the folder holds another run, WorkerLostError if workers are lost again and again.
    """
    settings = settings or Settings()
    _begin(out, settings, resume=resume)
    done = {game for game in range(games) if _game_file(out, game).is_file()}
    for each in (_read_game(out, game) for game in sorted(done)):
        progress(each)
    lives = _LIVES
    while len(done) < games:
        tasks = [(settings, game) for game in range(games) if game not in done]
        try:
            for found in run(mine_game, tasks, jobs=jobs, backend=backend, ordered=False):
                _write(_game_file(out, found.game), json.dumps(_table(found), ensure_ascii=False))
                done.add(found.game)
                progress(found)
        except WorkerLostError:
            lives -= 1
            if not lives:
                raise
    return _finish(out, games)


def _begin(out: Path, settings: Settings, *, resume: bool) -> None:
    about = {"settings": asdict(settings), "version": version("gizmos-solver")}
    (out / _GAMES).mkdir(parents=True, exist_ok=True)
    file = out / _RUN
    if not file.is_file():
        _write(file, json.dumps(about, indent=2))
        return
    if not resume:
        raise UnreadableError(f"{quoted(str(out))} holds a run already: add --resume to go on with it, or name another")
    try:
        before = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UnreadableError(f"{quoted(str(file))} can't be read: {error}") from error
    if before != about:
        raise UnreadableError(f"{quoted(str(out))} holds a run with other settings, {before}, expected {about}")


def _game_file(out: Path, game: int) -> Path:
    return out / _GAMES / f"{game:06}.json"


def _table(found: Yield) -> dict[str, Any]:
    return {"game": found.game, "puzzles": found.puzzles, "fates": dict(found.fates), "seconds": found.seconds}


def _read_game(out: Path, game: int) -> Yield:
    file = _game_file(out, game)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return Yield(data["game"], data["puzzles"], Counter(data["fates"]), data["seconds"])
    except (ValueError, KeyError) as error:
        raise GizmosError(f"{quoted(str(file))} is damaged ({error}): delete it to mine this game again") from error


def _finish(out: Path, games: int) -> Report:
    found = [_read_game(out, game) for game in range(games)]
    puzzles, fates = merge(found)
    for step in DIFFICULTIES:
        lines = [json.dumps(puzzle, ensure_ascii=False) for puzzle in puzzles if puzzle["difficulty"] == step]
        _write(out / f"mined-{step}.jsonl", "".join(f"{line}\n" for line in lines))
    report = Report(
        games=games,
        puzzles=len(puzzles),
        by_difficulty={str(step): sum(puzzle["difficulty"] == step for puzzle in puzzles) for step in DIFFICULTIES},
        fates=dict(fates),
        seconds=round(sum(each.seconds for each in found), 1),
    )
    _write(out / _REPORT, json.dumps(asdict(report), indent=2))
    return report


def _write(file: Path, text: str) -> None:
    """Write a file as a whole or not at all."""
    part = file.with_name(f"{file.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)


def read_run(out: Path) -> Iterator[dict[str, Any]]:
    """The puzzles of a finished run, easiest first.

    Raises UnreadableError if the folder holds none.
    """
    for step in DIFFICULTIES:
        file = out / f"mined-{step}.jsonl"
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise UnreadableError(f"{quoted(str(out))} holds no finished run: no {file.name}") from error
        for line in lines:
            yield json.loads(line)
