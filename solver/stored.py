"""Sets of positions that lie in files, so that what is measured on them stays comparable."""

from __future__ import annotations

from importlib.resources import files

from engine.document import read_position
from engine.line import read_line
from engine.position import Position


def recorded_turns() -> tuple[Position, ...]:
    """Starts of turns of recorded games.

    >>> len(recorded_turns())
    200
    """
    return _lines("recorded_turns.txt")


def engine_rich_turns() -> tuple[Position, ...]:
    """Starts of late turns with a strong engine, decks and marbles to come unknown.

    `solver.samples.engine_rich` made them once.

    >>> len(engine_rich_turns())
    40
    """
    return _lines("engine_rich.txt")


def orders_known_turns() -> tuple[Position, ...]:
    """Starts of late turns with a strong engine, all orders known; `solver.samples.orders_known` made them once.

    >>> [turn.dispenser for turn in orders_known_turns()] == [(0, 0, 0, 0)] * 10
    True
    """
    folder = files("solver").joinpath("data/orders_known")
    return tuple(read_position(folder.joinpath(f"{number}.toml").read_text(encoding="utf-8")) for number in range(10))


def _lines(name: str) -> tuple[Position, ...]:
    text = files("solver").joinpath(f"data/{name}").read_text(encoding="utf-8")
    return tuple(read_line(line) for line in text.splitlines() if not line.startswith("#"))
