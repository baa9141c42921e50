"""What the turn of a model is worth: the terms of an objective as expressions of its variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from engine.cards import CARDS
from solver.objective import AmountGoal, CardGoal, Condition, Goal, RingGoal, Term

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import IntVar

    from solver.proof.model import Count, TurnModel


def worth(turn: TurnModel, term: Term) -> Count:
    """A term of the objective as an expression."""
    if isinstance(term, Goal):
        return _goal(turn, term)
    if term == "score":
        return _score(turn)
    return _activations(turn) if term == "activations" else turn.marbles(turn.end)


def _points(turn: TurnModel) -> Count:
    """Points tokens gained."""
    return sum(
        (CARDS[g].amount * turn.triggered[g, turn.end] for g in turn.scope.reached if CARDS[g].effect == "points"),
        start=0,
    )


def _score(turn: TurnModel) -> Count:
    """Points gained, extra awards at their worth at the end of the turn."""
    player = turn.scope.player
    gained = _points(turn) + sum((CARDS[card].points * turn.built[card, turn.end] for card in turn.cards), start=0)
    tokens = player.tokens + _points(turn)
    for special, what, before in (
        ("points-per-energy", turn.marbles(turn.end), player.marbles),
        ("points-per-token", tokens, player.tokens),
    ):
        for card in (*player.built, *turn.cards):
            if CARDS[card].special != special:
                continue
            if card in player.built:
                gained += what - before
            else:
                extra = turn.model.new_int_var(0, 999, f"extra {card}")
                has = turn.built[card, turn.end]
                turn.model.add(extra == what).only_enforce_if(has)
                turn.model.add(extra == 0).only_enforce_if(~has)
                gained += extra
    return gained


def _activations(turn: TurnModel) -> Count:
    """Gizmos used: effects begun, points taken, converters that took part."""
    effects = [deed for deed in turn.scope.deeds if deed.gizmo and not deed.go_on]
    begun: Count = sum((turn.done(step, effects) for step in turn.steps), start=0)
    pending = turn.scope.position.turn.pending
    if pending is not None and not pending.done:
        begun -= int(any(deed.gizmo == pending.gizmo for deed in turn.scope.deeds))
    taken = sum((turn.triggered[g, turn.end] for g in turn.scope.reached if CARDS[g].effect == "points"), start=0)
    converters = sum((used for payment in turn.payment.values() for used in payment.used.values()), start=0)
    return begun + taken + converters


def _goal(turn: TurnModel, goal: Goal) -> Count:
    holds = [_holds(turn, condition) for condition in goal.conditions]
    every = turn.model.new_bool_var(f"goal {goal}")
    turn.model.add_min_equality(every, holds)
    return every


def _holds(turn: TurnModel, condition: Condition) -> IntVar:
    name = f"holds {condition}"
    match condition:
        case CardGoal():
            return _lies(turn, condition.card, condition.where)
        case RingGoal():
            return _at_least(turn, name, turn.ring[condition.color, turn.end], condition.least)
        case AmountGoal():
            return _at_least(turn, name, _amount(turn, condition), condition.least)


def _lies(turn: TurnModel, card: int, where: Literal["built", "archived"]) -> IntVar:
    player = turn.scope.player
    places = turn.built if where == "built" else turn.archived
    if (card, turn.end) in places and card not in player.built:
        return places[card, turn.end]
    return turn.model.new_constant(int(where == "built" and card in player.built))


def _amount(turn: TurnModel, condition: AmountGoal) -> Count:
    player = turn.scope.player
    built = sum((turn.built[card, turn.end] for card in turn.cards), start=0)
    match condition.what:
        case "score":
            return _score(turn)
        case "total":
            return player.score + _score(turn)
        case "marbles":
            return turn.marbles(turn.end)
        case "gizmos":
            return len(player.built) + built
        case "level III":
            threes = (turn.built[card, turn.end] for card in turn.cards if CARDS[card].level == 3)
            return turn.start_board.level_3 + sum(threes, start=0)


def _at_least(turn: TurnModel, name: str, what: Count, least: int) -> IntVar:
    holds = turn.model.new_bool_var(name)
    turn.model.add(what >= least).only_enforce_if(holds)
    turn.model.add(what <= least - 1).only_enforce_if(~holds)
    return holds
