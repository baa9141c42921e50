"""The recorded games of tests/data, see SOURCE.txt there."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.marbles import count, parse_marbles
from engine.position import Deck, Pending, Player, Position, Research, Turn

DATA = Path(__file__).with_name("data") / "recorded_games.jsonl.xz"


class Step(NamedTuple):
    """One recorded decision; `position` is the server's, in our form, in which decks are known by their sizes."""

    position: Position
    scores: list[int]
    last_round: bool
    state: str
    legal: dict[str, Any]
    action: dict[str, Any]
    reveals: list[str | int | None]

    @property
    def gizmo(self) -> int:
        """The gizmo being carried out, or 0."""
        return self.position.turn.pending.gizmo if self.position.turn.pending else 0


class Game(NamedTuple):
    """A recorded game; `results` are [score, gizmos, level III gizmos, marbles, extra awards] per seat."""

    name: str
    steps: list[Step]
    end: Position
    results: list[list[int]]
    winner: int


@lru_cache(maxsize=1)
def games() -> tuple[Game, ...]:
    """All recorded games."""
    lines = lzma.decompress(DATA.read_bytes()).splitlines()
    return tuple(_game(json.loads(line)) for line in lines)


def positions() -> Iterator[Position]:
    """Every recorded position."""
    for game in games():
        yield from (step.position for step in game.steps)


def _game(record: dict[str, Any]) -> Game:
    table = record["position"]
    steps = []
    for step in record["steps"]:
        table = _patched(table, step["position"])
        position = position_of(table, step["player"] - 1, acted=step["state"] != "playerTurn")
        scores = [player["score"] for player in table["players"].values()]
        rest = (step[key] for key in ("state", "legal", "action", "reveals"))
        steps.append(Step(position, scores, table["last_round"], *rest))
    end = position_of(_patched(table, record["end"]), 0, acted=False)
    return Game(record["game"], steps, end, record["results"], record["winner"] - 1)


def _patched(table: Any, patch: Any) -> Any:
    if not isinstance(patch, dict) or not isinstance(table, dict):
        return patch
    return table | {key: _patched(table.get(key), value) for key, value in patch.items()}


def position_of(table: dict[str, Any], seat: int, *, acted: bool) -> Position:
    """A recorded position, `seat` (from 0) to move."""
    return Position(
        players=tuple(_player(player) for player in table["players"].values()),
        to_move=seat,
        row=count(table["row"]),
        next=parse_marbles(table["next"] or ""),
        preview=1,
        display=tuple(tuple(sorted(cards)) for cards in table["display"].values()),
        decks=tuple(Deck(size) for size in table["decks"].values()),
        turn=_turn(table, table["players"][str(seat + 1)], acted=acted),
    )


def _player(player: dict[str, Any]) -> Player:
    return Player(
        ring=count(player["ring"]),
        built=tuple(sorted(player["built"])),
        archive=tuple(sorted(player["archive"])),
        tokens=player["tokens"],
    )


def _turn(table: dict[str, Any], player: dict[str, Any], *, acted: bool) -> Turn:
    gizmo, research = table["triggering"], table["research"]
    used = {*player["used"], *([gizmo] if gizmo else [])}
    return Turn(
        acted=acted,
        triggered=tuple(sorted({*player["triggered"]} - used)),
        used=tuple(sorted(used)),
        pending=Pending(gizmo, table["done"]) if gizmo and not research else None,
        research=Research(research["level"], tuple(sorted(research["cards"]))) if research else None,
    )
