"""Every way to pay for a card: marbles spent and converters used (rules: "Paying").

The search runs backwards, from what must be paid to what is spent: undoing `any` turns a paid marble into one of the
converter's colour, undoing `double` turns two marbles of a colour into one. Backwards, a payment is found once for
each (marbles, converters), however many orders of conversion lead to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple, TypeAlias

import msgspec

from engine.cards import CARDS, Card
from engine.marbles import COLORS, NO_MARBLES, Color, Marbles, add, count, one, subtract


class Payment(msgspec.Struct, frozen=True, order=True):
    """Marbles spent, and the numbers of the converters used, ascending."""

    spend: Marbles
    converters: tuple[int, ...] = ()


class Conversion(msgspec.Struct, frozen=True):
    """What a converter did in a payment: `number` marbles of `source` counted as `result`."""

    gizmo: int
    source: Color
    result: tuple[Color, ...]


class _Use(NamedTuple):
    """One use of a converter: `any` if `doubles` is false. A second use of the same kind needs the bit `after`."""

    gizmo: int
    sources: tuple[Color, ...]
    doubles: bool
    bit: int
    after: int


_State: TypeAlias = tuple[Marbles, int]
_FREE: Final = (Payment(NO_MARBLES),)


def payments(card: Card, low: int, high: int, ring: Marbles, converters: tuple[int, ...]) -> tuple[Payment, ...]:
    """All payments of `low` to `high` marbles of the card's colour out of a ring, sorted.

    Listed are those without superfluous converters: no payment of the same marbles uses a strict subset. `converters`
    are the numbers of the unused built converters, ascending.

    >>> from engine.cards import CARDS
    >>> payments(CARDS[129], 1, 1, count("YR"), (105, 106))
    (Payment(spend=(0, 0, 0, 1), converters=(106,)), Payment(spend=(1, 0, 0, 0), converters=(105,)))
    """
    if high == 0:
        return _FREE
    colors = card.colors
    found: dict[Marbles, list[frozenset[int]]] = {}
    red, blue, black, yellow = ring
    for amount in range(low, high + 1):
        for spend, sets in _catalogue(colors, amount, converters):
            if spend[0] <= red and spend[1] <= blue and spend[2] <= black and spend[3] <= yellow:
                found.setdefault(spend, []).extend(sets)
    several = low < high
    return tuple(
        sorted(
            Payment(spend, tuple(sorted(used)))
            for spend, sets in found.items()
            for used in (_minimal(sets) if several else sets)
        )
    )


def conversions(
    card: Card, low: int, high: int, payment: Payment, converters: tuple[int, ...]
) -> tuple[Conversion, ...] | None:
    """What each converter of a payment does, in a possible order; None if this is no payment for the card.

    Superfluous converters are allowed, as long as each of them takes part.

    >>> from engine.cards import CARDS
    >>> [step.gizmo for step in conversions(CARDS[230], 2, 2, Payment(count("Y"), (106, 216, 221)), (106, 216, 221)) or ()]
    [106, 221, 216]
    """
    if not set(payment.converters) <= set(converters):
        return None
    uses = _uses(payment.converters)
    wanted = frozenset(payment.converters)
    bits = {use.bit: use.gizmo for use in uses}
    for amount in range(high, low - 1, -1):
        parents: dict[_State, tuple[_State, Conversion] | None] = {}
        stack: list[_State] = []
        for target in _targets(card.colors, amount):
            parents[target, 0] = None
            stack.append((target, 0))
        while stack:
            state = stack.pop()
            marbles, mask = state
            if marbles == payment.spend and wanted == {gizmo for bit, gizmo in bits.items() if mask & bit}:
                return _trail(parents, state)
            for use, before, conversion in _undo(marbles, mask, uses):
                child = (before, mask | use.bit)
                if child not in parents:
                    parents[child] = (state, conversion)
                    stack.append(child)
    return None


def _trail(parents: dict[_State, tuple[_State, Conversion] | None], state: _State) -> tuple[Conversion, ...]:
    steps: list[Conversion] = []
    while (entry := parents[state]) is not None:
        state, conversion = entry
        steps.append(conversion)
    return tuple(steps)


def _uses(converters: tuple[int, ...]) -> tuple[_Use, ...]:
    uses: list[_Use] = []
    for gizmo in converters:
        card = CARDS[gizmo]
        if card.convert_to == "double":
            for color in card.convert_from:
                uses.append(_Use(gizmo, (color,), True, 1 << len(uses), 0))
        else:
            after = 0
            for _ in range(card.convert_uses):
                use = _Use(gizmo, card.convert_from, False, 1 << len(uses), after)
                uses.append(use)
                after = use.bit
    return tuple(uses)


def _targets(colors: tuple[Color, ...], amount: int) -> list[Marbles]:
    return [count(paid) for paid in combinations_with_replacement(colors, amount)]


def _undo(marbles: Marbles, mask: int, uses: tuple[_Use, ...]) -> Iterator[tuple[_Use, Marbles, Conversion]]:
    for use in uses:
        if mask & use.bit or (use.after and not mask & use.after):
            continue
        if use.doubles:
            color = use.sources[0]
            if marbles[color] >= 2:
                yield use, subtract(marbles, one(color)), Conversion(use.gizmo, color, (color, color))
            continue
        for result in COLORS:
            if marbles[result]:
                for source in use.sources:
                    if source != result:
                        before = add(subtract(marbles, one(result)), one(source))
                        yield use, before, Conversion(use.gizmo, source, (result,))


@lru_cache(maxsize=1 << 14)
def _catalogue(
    colors: tuple[Color, ...], amount: int, converters: tuple[int, ...]
) -> tuple[tuple[Marbles, tuple[frozenset[int], ...]], ...]:
    """For each multiset of marbles that can pay, the minimal sets of converters, whatever the ring holds.

    A state is dropped when the same marbles were reached with a subset of its uses: whatever it could still lead to,
    the other leads to with fewer converters.
    """
    uses = _uses(converters)
    reached: dict[Marbles, list[int]] = {target: [0] for target in _targets(colors, amount)}
    layer: list[_State] = [(target, 0) for target in reached]
    while layer:
        following: list[_State] = []
        for marbles, mask in layer:
            for use, before, _ in _undo(marbles, mask, uses):
                after = mask | use.bit
                masks = reached.setdefault(before, [])
                if any(smaller & after == smaller for smaller in masks):
                    continue
                masks.append(after)
                following.append((before, after))
        layer = following
    return tuple(
        (marbles, tuple(_minimal([frozenset(use.gizmo for use in uses if use.bit & mask) for mask in masks])))
        for marbles, masks in reached.items()
    )


def _minimal(sets: list[frozenset[int]]) -> list[frozenset[int]]:
    unique = sorted(set(sets), key=len)
    return [each for i, each in enumerate(unique) if not any(smaller < each for smaller in unique[:i])]
