"""The values that puzzles are judged by, from whichever solver is asked for."""

from __future__ import annotations

from collections.abc import Callable

from engine.position import Position
from solver.objective import Luck, Objective
from solver.reference import Reference


class OutOfReach(Exception):  # noqa: N818 - an outcome of a search, no error
    """A search would take more states than it was allowed."""


def turn_values(
    position: Position, objective: Objective, luck: Luck, stop: Callable[[], bool] = lambda: False
) -> Reference:
    """Values of the positions of a turn, counted from `position`."""
    return Reference(objective, luck, position.player, position.to_move, stop)
