"""Every way to pay for a card: marbles spent and converters used (rules: "Paying").

The search runs backwards, from what must be paid to what is spent: undoing `any` turns a paid marble into one of the
converter's colour, undoing `double` turns two marbles of a colour into one. Backwards, a payment is found once for
each (marbles, converters), however many orders of conversion lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeAlias

import msgspec

from engine.cards import CARDS, Card
from engine.marbles import COLORS, Color, Marbles, add, count, one, subtract


class Payment(msgspec.Struct, frozen=True, order=True):
    """Marbles spent, and the numbers of the converters used, ascending."""

    spend: Marbles
    converters: tuple[int, ...] = ()


class Conversion(msgspec.Struct, frozen=True):
    """One use of a converter in a payment: a marble of `source` counted as `result`."""

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
_Undo: TypeAlias = tuple[int, int, list[tuple[int, int, int]]]
"""The bit of a use, the bit that it needs, and the ways to undo it (`_packed_undos`)."""


def payments(card: Card, low: int, high: int, ring: Marbles, converters: tuple[int, ...]) -> tuple[Payment, ...]:
    """All payments of `low` to `high` marbles of the card's colour out of a ring, sorted.

    Listed are those without superfluous converters: no payment of the same marbles uses a strict subset. `converters`
    are the numbers of the unused built converters, ascending.

    >>> from engine.cards import CARDS
    >>> payments(CARDS[129], 1, 1, count("YR"), (105, 106))
    (Payment(spend=(0, 0, 0, 1), converters=(106,)), Payment(spend=(1, 0, 0, 0), converters=(105,)))
    """
    return _minimal_payments(card.colors, low, high, ring, converters)


def conversions(
    card: Card, low: int, high: int, payment: Payment, converters: tuple[int, ...]
) -> tuple[Conversion, ...] | None:
    """What the converters of a payment do, use by use in a possible order; None if this is no payment for the card.

    Superfluous converters are allowed, as long as each of them takes part.

    >>> from engine.cards import CARDS
    >>> [
    ...     step.gizmo
    ...     for step in conversions(CARDS[230], 2, 2, Payment(count("Y"), (106, 216, 221)), (106, 216, 221)) or ()
    ... ]
    [106, 221, 216, 216]
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
def _minimal_payments(
    colors: tuple[Color, ...], low: int, high: int, ring: Marbles, converters: tuple[int, ...]
) -> tuple[Payment, ...]:
    """`payments`, by a breadth-first search over (marbles packed in nibbles, bits of the uses undone).

    Two kinds of states are dropped. If the same marbles were reached with a subset of the uses, whatever this state
    leads to, the other leads to with fewer converters. And each undone use takes away one marble of a colour at most,
    so more marbles beyond the ring than uses left can never be paid. Their number lessens by doubling only.
    """
    uses, undos = _packed_uses(converters)
    if low > sum(ring) + sum(use.doubles for use in uses):
        return ()
    if len(colors) == 1 and low > ring[colors[0]] + len(uses):
        return ()
    beyond = _marbles_beyond(ring)
    reached: dict[int, list[int]] = {
        target: [0] for amount in range(low, high + 1) for target in _packed_targets(colors, amount)
    }
    layer = [(marbles, 0) for marbles in reached if beyond(marbles) <= len(uses)]
    left = len(uses)
    tried: set[tuple[int, int]] = set()
    while layer:
        left -= 1
        following: list[tuple[int, int]] = []
        for marbles, mask in layer:
            for bit, needed, steps in undos:
                if mask & bit or mask & needed != needed:
                    continue
                after = mask | bit
                for shift, least, change in steps:
                    if marbles >> shift & 15 < least:
                        continue
                    before = marbles + change
                    if (before, after) in tried:
                        continue
                    tried.add((before, after))
                    if beyond(before) > left:
                        continue
                    masks = reached.get(before)
                    if masks is None:
                        reached[before] = [after]
                    elif any(smaller & after == smaller for smaller in masks):
                        continue
                    else:
                        masks.append(after)
                    following.append((before, after))
        layer = following
    return tuple(
        sorted(
            Payment(_unpack(marbles), tuple(sorted(used)))
            for marbles, masks in reached.items()
            if not beyond(marbles)
            for used in _minimal({frozenset(use.gizmo for use in uses if use.bit & mask) for mask in masks})
        )
    )


def _pack(marbles: Marbles) -> int:
    return marbles[0] | marbles[1] << 4 | marbles[2] << 8 | marbles[3] << 12


def _unpack(packed: int) -> Marbles:
    return (packed & 15, packed >> 4 & 15, packed >> 8 & 15, packed >> 12)


@lru_cache(maxsize=1 << 8)
def _packed_targets(colors: tuple[Color, ...], amount: int) -> tuple[int, ...]:
    return tuple(map(_pack, _targets(colors, amount)))


@lru_cache(maxsize=1 << 10)
def _packed_uses(converters: tuple[int, ...]) -> tuple[tuple[_Use, ...], list[_Undo]]:
    uses = _uses(converters)
    return uses, [(use.bit, use.after, _packed_undos(use)) for use in uses]


def _packed_undos(use: _Use) -> list[tuple[int, int, int]]:
    """Ways to undo a use: where the count of the result lies, the least it must be, and what is added."""
    if use.doubles:
        color = use.sources[0]
        return [(4 * color, 2, -_pack(one(color)))]
    return [
        (4 * result, 1, _pack(one(source)) - _pack(one(result)))
        for result in COLORS
        for source in use.sources
        if source != result
    ]


def _marbles_beyond(ring: Marbles) -> Callable[[int], int]:
    """How many of some packed marbles the ring does not hold, as a function that remembers."""
    red, blue, black, yellow = ring
    known: dict[int, int] = {}

    def beyond(packed: int) -> int:
        excess = known.get(packed)
        if excess is None:
            known[packed] = excess = (
                max(0, (packed & 15) - red)
                + max(0, (packed >> 4 & 15) - blue)
                + max(0, (packed >> 8 & 15) - black)
                + max(0, (packed >> 12) - yellow)
            )
        return excess

    return beyond


def _minimal(sets: set[frozenset[int]]) -> list[frozenset[int]]:
    unique = sorted(sets, key=len)
    return [each for i, each in enumerate(unique) if not any(smaller < each for smaller in unique[:i])]
