"""From values to words' raw material: principal lines, chains and plans.

Works with any solver that can value the positions of a turn (`Values`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import islice
from math import comb
from operator import itemgetter
from typing import Final, Protocol, TypeAlias

from engine.actions import Action, Build, File, Pick, Reveal
from engine.cards import CARDS
from engine.position import Position
from engine.reveals import reveal_unchecked, weighted_reveals
from engine.rules import apply_unchecked, legal_actions, listening_to_build
from solver.objective import Luck, Objective, Value
from solver.reference import in_all_orders, research_draw, see
from solver.result import Branch, Choice, Link, Numbers, Step


class Values(Protocol):
    """Exact values of the positions of a turn."""

    def action_value(self, position: Position, action: Action) -> Value:
        """The value of an action."""
        ...

    def actions(self, position: Position, top: int = ...) -> list[Value]:
        """The values of `legal_actions`, in that order; of those worse than the `top` best perhaps a lower bound."""
        ...

    def after(self, position: Position) -> Value:
        """The value of a position reached in the turn, a finished turn included."""
        ...

    def outcomes(self, positions: Iterable[Position]) -> list[Value]:
        """`after` for several outcomes of a reveal."""
        ...

    def research_worths(self, position: Position) -> list[Value]:
        """What keeping each card that a research could draw is worth, by ascending number.

        Meant for researches whose set does not matter.
        """
        ...

    def set_matters(self, position: Position) -> bool:
        """True if more than the best card of those seen in the research owed can matter."""
        ...

    def reveal_matters(self, position: Position) -> bool:
        """True if the outcome of the reveal owed next can play a part in this turn."""
        ...


Shown: TypeAlias = tuple[tuple[Reveal, ...], float]
"""Reveals that a line shows, and the probability of what they stand for."""
_DIGITS: Final = 12
"""Values of a plan that are equal so far lead to equal branches, which are merged."""


def numbers(value: Value) -> Numbers:
    """A value as floats."""
    return tuple(float(term) for term in value)


def best_action(values: Values, position: Position) -> tuple[Value, Action]:
    """The first of `ranked_actions`."""
    actions = legal_actions(position)
    worths = values.actions(position, 1)
    best = max(worths)
    ties = [(best, action) for action, worth in zip(actions, worths, strict=True) if worth == best]
    return ties[0] if len(ties) == 1 else in_order(position, ties)[0]


def ranked_actions(values: Values, position: Position) -> list[tuple[Value, Action]]:
    """All legal actions with their values, best first.

    Among equals those that set off the most gizmos come first, then those that spend the least, then the order of
    `legal_actions`.
    """
    return in_order(position, list(zip(values.actions(position), legal_actions(position), strict=True)))


def in_order(position: Position, valued: list[tuple[Value, Action]]) -> list[tuple[Value, Action]]:
    """Actions with their values as `ranked_actions` orders them."""
    pleasing = sorted(valued, key=lambda pair: (-_sets_off(position, pair[1]), _cost(pair[1])))
    return sorted(pleasing, key=lambda pair: pair[0], reverse=True)


def _cost(action: Action) -> tuple[int, int]:
    return (sum(action.spend), len(action.converters)) if isinstance(action, Build) else (0, 0)


def _sets_off(position: Position, action: Action) -> int:
    player, turn = position.player, position.turn
    match action:
        case Pick():
            listeners = player.dashboard.on_pick[action.color]
        case File():
            listeners = player.dashboard.on_file
        case Build():
            listeners = listening_to_build(player, CARDS[action.card], action.source)
        case _:
            return 0
    return sum(1 for gizmo in listeners if gizmo not in turn.used and gizmo not in turn.triggered)


def principal_line(values: Values, luck: Luck, position: Position, first: Action) -> tuple[Step, ...]:
    """The line that begins with `first` and then follows the best actions and the principal reveals.

    A principal reveal is the worst or the best one under that luck, and else the likeliest: of the values that the
    outcomes lead to the most probable one, the lowest of these if several are.
    """
    steps: list[Step] = []
    action: Action | None = first
    while action is not None:
        step = make_step(values, luck, position, action)
        steps.append(step)
        position = step.position
        going_on = position.turn.acted and not position.is_chance
        action = best_action(values, position)[1] if going_on else None
    return tuple(steps)


def in_best_order(values: Values, position: Position, action: Action) -> Action:
    """The action with the cards it returns to a deck in the best order, where that can matter in this turn."""
    if position.turn.research is None or len(list(islice(in_all_orders(position, action), 2))) == 1:
        return action
    worths = values.outcomes(apply_unchecked(position, each) for each in in_all_orders(position, action))
    return next(islice(in_all_orders(position, action), worths.index(max(worths)), None))


def make_step(values: Values, luck: Luck, position: Position, action: Action) -> Step:
    """Play one action and the principal reveals that follow it."""
    action = in_best_order(values, position, action)
    return play_step(position, action, lambda after: principal_reveals(values, luck, after))


def play_step(position: Position, action: Action, shown: Callable[[Position], Shown | None]) -> Step:
    """Play one action and the reveals that `shown` says for what is owed next; the step ends where it says None."""
    seat = position.to_move
    before = position.player
    pending = position.turn.pending
    by = getattr(action, "gizmo", 0) or (pending.gizmo if pending is not None else 0)
    after = apply_unchecked(position, action)
    reveals: list[Reveal] = []
    chance = 1.0
    while after.is_chance and (next_shown := shown(after)) is not None:
        chance *= next_shown[1]
        for each in next_shown[0]:
            reveals.append(each)
            after = reveal_unchecked(after, each)
    player = after.players[seat]
    score = player.score
    new = set(after.turn.triggered) - set(position.turn.triggered) if after.turn.acted else set[int]()
    return Step(
        action=action,
        reveals=tuple(reveals),
        by=by,
        triggered=tuple(sorted(new)),
        chance=chance,
        score=score,
        gained=score - before.score,
        ring=player.ring,
        position=after,
    )


def principal_reveals(values: Values, luck: Luck, position: Position) -> Shown:
    """The reveals that a principal line shows for what is owed next, and the probability of what they stand for.

    The cards of a research stand for "the best card seen is as good as this one".
    """
    awaited = position.turn.awaited[0]
    if awaited.kind == "research" and not values.set_matters(position):
        return _principal_research(values, luck, position)
    weighted = weighted_reveals(position)
    if not values.reveal_matters(position):
        return (_likeliest(weighted)[0],), 1.0
    worths = values.outcomes([reveal_unchecked(position, each) for each, _ in weighted])
    valued = [(worth, weight, each) for worth, (each, weight) in zip(worths, weighted, strict=True)]
    weights: dict[Value, int] = {}
    for value, weight, _ in valued:
        weights[value] = weights.get(value, 0) + weight
    if luck == "average":
        chosen = max(sorted(weights), key=lambda value: weights[value])
    else:
        chosen = min(weights) if luck == "worst" else max(weights)
    likeliest = max((entry for entry in valued if entry[0] == chosen), key=lambda entry: entry[1])
    return (likeliest[2],), weights[chosen] / sum(weights.values())


def _likeliest(weighted: list[tuple[Reveal, int]]) -> tuple[Reveal, int]:
    return max(weighted, key=lambda pair: pair[1])


def _principal_research(values: Values, luck: Luck, position: Position) -> Shown:
    ranking = research_ranking(values, position)
    _, drawn, pool = research_draw(position, position.turn.awaited[0].level)
    where = len(pool) - drawn if luck == "worst" else 0
    shown = sorted((ranking[where][1], *(card for _, card in ranking[len(ranking) - drawn + 1 :])))
    cards = shown[: len(pool) - 1]  # The last card of a pool is certain, and so makes no reveal.
    best = ranking[where][0]
    as_good = sum(1 for worth, _ in ranking if worth == best)
    better = sum(1 for worth, _ in ranking if worth > best)
    sets = comb(len(pool), drawn)
    chance = (comb(len(pool) - better, drawn) - comb(len(pool) - better - as_good, drawn)) / sets
    return tuple(Reveal("research", card) for card in cards), chance


def research_ranking(values: Values, position: Position) -> list[tuple[Value, int]]:
    """The cards that a research could draw, the most valuable to keep first, when each is worth what it is alone."""
    _, _, pool = research_draw(position, position.turn.awaited[0].level)
    return sorted(zip(values.research_worths(position), pool, strict=True), key=itemgetter(0), reverse=True)


def line_value(objective: Objective, position: Position, steps: tuple[Step, ...]) -> Value:
    """What a line from a position to the end of its turn comes to."""
    start, seat = position.player, position.to_move
    value = objective.at_end(start, steps[-1].position.players[seat])
    for step in steps:
        gain = objective.on_action(position, step.action)
        value = tuple(term + more for term, more in zip(value, gain, strict=True))
        position = step.position
    return value


def chain(steps: tuple[Step, ...]) -> tuple[Link, ...]:
    """The gizmos used in a line, in order, each with what triggered it."""
    causes: dict[int, int] = {}
    links: list[Link] = []
    for number, step in enumerate(steps):
        if isinstance(step.action, Build):
            links += [Link(gizmo, number, number) for gizmo in step.action.converters]
        if step.by and all(link.gizmo != step.by for link in links):
            links.append(Link(step.by, number, causes.get(step.by, -1)))
        for gizmo in step.triggered:
            causes.setdefault(gizmo, number)
    return tuple(links)


def plan(values: Values, position: Position, depth: int = 1 << 30) -> Choice:
    """The best action for every reveal that can happen, `depth` actions deep at most."""
    value, action = best_action(values, position)
    action = in_best_order(values, position, action)
    after = apply_unchecked(position, action)
    alike = tuple(round(number, _DIGITS) for number in numbers(value))
    return Choice(action, alike, tuple(_branches(values, after, depth - 1)))


def _branches(values: Values, position: Position, depth: int) -> Iterator[Branch]:
    merged: dict[tuple[Choice | None, int], list[tuple[tuple[Reveal, ...], Fraction]]] = {}
    for reveals, probability, keep, after in _endings(values, position):
        then = plan(values, after, depth) if depth > 0 and after.turn.acted else None
        merged.setdefault((then, keep), []).append((reveals, probability))
    for (then, keep), cases in merged.items():
        yield Branch(tuple(reveals for reveals, _ in cases), float(sum(p for _, p in cases)), then, keep)


def _endings(values: Values, position: Position) -> Iterator[tuple[tuple[Reveal, ...], Fraction, int, Position]]:
    """Runs of reveals until a player decides: reveals, probability, the card a research keeps, position."""
    if not position.is_chance:
        yield (), Fraction(1), 0, position
        return
    awaited = position.turn.awaited[0]
    if awaited.kind == "research" and not values.set_matters(position):
        yield from _research_endings(values, position)
        return
    weighted = weighted_reveals(position)
    total = sum(weight for _, weight in weighted)
    if not values.reveal_matters(position):
        weighted, total = weighted[:1], weighted[0][1]
    for each, weight in weighted:
        for reveals, probability, keep, after in _endings(values, reveal_unchecked(position, each)):
            yield (each, *reveals), probability * Fraction(weight, total), keep, after


def _research_endings(
    values: Values, position: Position
) -> Iterator[tuple[tuple[Reveal, ...], Fraction, int, Position]]:
    """One ending for each card that can be the best of those seen, the others drawn being the least valuable."""
    ranking = research_ranking(values, position)
    sure, drawn, pool = research_draw(position, position.turn.awaited[0].level)
    sets = comb(len(pool), drawn)
    for rank, (_, card) in enumerate(ranking[: len(ranking) - drawn + 1]):
        others = [other for _, other in ranking[len(ranking) - drawn + 1 :]]
        after = see(position, (*sure, card, *others))
        probability = Fraction(comb(len(pool) - 1 - rank, drawn - 1), sets)
        yield (Reveal("research", card),), probability, card, after
