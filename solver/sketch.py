"""What a search that was stopped can show: a line that nobody proved to be the best, played on by what is known."""

from __future__ import annotations

from typing import Protocol

from engine.actions import Action, Reveal
from engine.position import Player, Position
from engine.reveals import weighted_reveals
from engine.rules import apply_unchecked, legal_actions
from solver.explain import Shown, in_order, play_step
from solver.objective import Objective, Value
from solver.reference import Stopped, reveal_matters
from solver.result import Step


class LowerBounds(Protocol):
    """What is known of the positions of a turn."""

    def lower_bounds(self, position: Position) -> list[Value | None]:
        """Proved lower bounds of `legal_actions`, in that order; None where nothing is known. May raise Stopped."""
        ...


def sketch(known: LowerBounds, objective: Objective, position: Position, first: Action) -> tuple[Step, ...]:
    """A line that begins with `first`, as far as it can be told.

    The player takes the action with the best lower bound, nature does what is likeliest. The line ends with the turn,
    or with a research: what is best then depends on the cards seen.
    """
    start = position.player
    steps: list[Step] = []
    action: Action | None = first
    while action is not None:
        step = play_step(position, action, _likeliest)
        steps.append(step)
        position = step.position
        going_on = position.turn.acted and not position.is_chance
        action = _next_action(known, objective, start, position) if going_on else None
    return tuple(steps)


def is_whole(steps: tuple[Step, ...]) -> bool:
    """True if a line ends with its turn."""
    return not steps[-1].position.turn.acted


def at_once(objective: Objective, start: Player, position: Position, action: Action) -> Value:
    """What an action is worth if nothing good follows: a lower bound, whatever luck brings.

    For whoever has acted may stop, and no reveal takes anything away. As elsewhere, points count from `start` on,
    gizmos used from this position on.
    """
    gain = objective.on_action(position, action)
    end = objective.at_end(start, apply_unchecked(position, action).players[position.to_move])
    return tuple(term + more for term, more in zip(end, gain, strict=True))


def _next_action(known: LowerBounds, objective: Objective, start: Player, position: Position) -> Action:
    actions = legal_actions(position)
    if len(actions) == 1:
        return actions[0]
    try:
        bounds = known.lower_bounds(position)
    except Stopped:
        bounds = [None] * len(actions)
    valued: list[tuple[Value, Action]] = []
    for action, bound in zip(actions, bounds, strict=True):
        least = at_once(objective, start, position, action)
        valued.append((least if bound is None else max(bound, least), action))
    return in_order(position, valued)[0][1]


def _likeliest(position: Position) -> Shown | None:
    if position.turn.awaited[0].kind == "research":
        return None
    weighted = weighted_reveals(position)
    reveal, weight = max(weighted, key=_weight)
    matters = reveal_matters(position)
    return (reveal,), weight / sum(map(_weight, weighted)) if matters else 1.0


def _weight(weighted: tuple[Reveal, int]) -> int:
    return weighted[1]
