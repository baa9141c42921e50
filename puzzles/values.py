"""The values that puzzles are judged by, from whichever solver is asked for."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.position import Position
from solver.native import Kernel, which
from solver.objective import Luck, Objective
from solver.reference import Reference

TurnValues: TypeAlias = Kernel | Reference
_SECONDS: Final = 60.0
"""After so long a search is too large in any case."""


def turn_values(position: Position, objective: Objective, luck: Luck, most_states: int = 0) -> TurnValues:
    """Values of the positions of a turn, counted from `position`, by the kernel if there is one, else by the reference.

    With `most_states` (0: no limit) they may raise `solver.reference.Stopped`: the reference once about so many
    positions were looked at, the kernel after a minute. Whoever needs the same outcome every time looks at `states`
    afterwards.
    """
    if which() == "kernel":
        try:
            return Kernel(position, objective, luck, time_limit=_SECONDS if most_states else None)
        except ValueError:
            pass
    return reference_values(position, objective, luck, most_states)


def reference_values(position: Position, objective: Objective, luck: Luck, most_states: int = 0) -> Reference:
    """`turn_values` by the reference."""
    values: Reference = Reference(
        objective, luck, position.player, position.to_move, lambda: 0 < most_states < values.states
    )
    return values
