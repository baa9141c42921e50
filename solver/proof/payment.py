"""Paying for a card as constraints (rules: "Paying").

Converters work in layers: what a use takes in a layer must be there when the layer begins, so that nothing is made
from itself. As many layers as uses are enough for any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from engine.cards import CARDS
from engine.marbles import COLORS

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr

    Count: TypeAlias = LinearExpr | IntVar | int


class Payment(NamedTuple):
    """Variables of one payment: marbles spent and paid by colour, and whether each converter takes part."""

    spend: list[IntVar]
    paid: list[IntVar]
    used: dict[int, IntVar]


class _Use(NamedTuple):
    """One use of a converter: one marble in, what comes out chosen by its variable."""

    gizmo: int
    source: int
    result: tuple[int, ...]


def add_payment(model: CpModel, name: str, converters: tuple[int, ...], most: int) -> Payment:
    """Add a payment of at most `most` marbles by these converters, tied to nothing yet."""
    spend = [model.new_int_var(0, most, f"{name} spend {color.letter}") for color in COLORS]
    paid = [model.new_int_var(0, most, f"{name} paid {color.letter}") for color in COLORS]
    used = {gizmo: model.new_bool_var(f"{name} via {gizmo}") for gizmo in converters}
    have: list[Count] = list(spend)
    counts: dict[int, list[IntVar]] = {gizmo: [] for gizmo in converters}
    per_color: dict[tuple[int, int], list[IntVar]] = {}
    for layer in range(sum(_uses(gizmo) for gizmo in converters)):
        taken: list[list[IntVar]] = [[] for _ in COLORS]
        made: list[list[IntVar]] = [[] for _ in COLORS]
        for gizmo in converters:
            for use in _ways(gizmo):
                variable = model.new_int_var(0, _uses(gizmo), f"{name} {layer} {use}")
                counts[gizmo].append(variable)
                if CARDS[gizmo].convert_to == "double":
                    per_color.setdefault((gizmo, use.source), []).append(variable)
                taken[use.source].append(variable)
                for color in use.result:
                    made[color].append(variable)
        after = [model.new_int_var(0, 2 * most, f"{name} {layer} have {color.letter}") for color in COLORS]
        for color in COLORS:
            model.add(sum(taken[color]) <= have[color])
            model.add(after[color] == have[color] - sum(taken[color]) + sum(made[color]))
        have = list(after)
    for color in COLORS:
        model.add(paid[color] == have[color])
    for gizmo in converters:
        limit = _uses(gizmo)
        model.add(sum(counts[gizmo]) <= limit * used[gizmo])
        model.add(sum(counts[gizmo]) >= used[gizmo])
    for variables in per_color.values():
        model.add(sum(variables) <= 1)
    return Payment(spend, paid, used)


def _uses(gizmo: int) -> int:
    card = CARDS[gizmo]
    return len(card.convert_from) if card.convert_to == "double" else card.convert_uses


def _ways(gizmo: int) -> list[_Use]:
    card = CARDS[gizmo]
    if card.convert_to == "double":
        return [_Use(gizmo, color, (color, color)) for color in card.convert_from]
    return [_Use(gizmo, source, (result,)) for source in card.convert_from for result in COLORS if result != source]


def can_pay(target: tuple[int, ...], spend: tuple[int, ...], converters: frozenset[int]) -> bool:
    """True if these marbles can become exactly `target`, each converter being free to take part or not.

    A plain forward search, used to find converters that take part in vain.

    >>> (
    ...     can_pay((0, 2, 0, 0), (0, 0, 0, 1), frozenset({106, 216, 221})),
    ...     can_pay((0, 2, 0, 0), (0, 0, 0, 1), frozenset({106})),
    ... )
    (True, False)
    """
    uses = [(gizmo, way) for gizmo in sorted(converters) for way in _ways(gizmo)]
    start = (spend, frozenset[tuple[int, int, int]]())
    todo = [start]
    seen = {start}
    while todo:
        have, done = todo.pop()
        if have == target:
            return True
        for gizmo, way in uses:
            mine = [each for each in done if each[0] == gizmo]
            double = len(way.result) == 2
            spent_up = len(mine) >= _uses(gizmo) or (double and any(each[1] == way.source for each in mine))
            if have[way.source] == 0 or spent_up:
                continue
            after = list(have)
            after[way.source] -= 1
            for color in way.result:
                after[color] += 1
            if sum(after) > sum(target):
                continue
            state = (tuple(after), done | {(gizmo, way.source, len(mine))})
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return False
