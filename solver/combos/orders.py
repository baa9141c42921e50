"""In which order to build a set of cards one after another, so that the builders among them score the most."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.cards import CARDS
from solver.chain.events import Event, listens


class Orders(msgspec.Struct, frozen=True):
    """The most tokens, how many orders reach it, and one of them, always the same."""

    tokens: int
    count: int
    order: tuple[int, ...]


def best_orders(cards: Sequence[int], *, archived: bool = False) -> Orders:
    """The best orders to build these cards in, each in a turn of its own; exact, over sets of cards.

    `archived`: every card is built out of the archive.

    >>> best_orders((133, 134, 135, 136, 233, 234, 235, 236))
    Orders(tokens=17, count=4, order=(235, 233, 136, 236, 134, 234, 133, 135))
    """
    numbers = sorted(cards)
    gains = [[_gain(owned, built, archived) for owned in numbers] for built in numbers]
    best: list[tuple[int, int]] = [(0, 1)] + [(-1, 0)] * ((1 << len(numbers)) - 1)
    for owned in range(1, 1 << len(numbers)):
        tokens, count = -1, 0
        for last in range(len(numbers)):
            if owned >> last & 1:
                before = owned & ~(1 << last)
                worth = best[before][0] + sum(gain for i, gain in enumerate(gains[last]) if before >> i & 1)
                if worth > tokens:
                    tokens, count = worth, 0
                if worth == tokens:
                    count += best[before][1]
        best[owned] = (tokens, count)
    return Orders(*best[-1], _one_order(numbers, gains, best))


def _gain(owned: int, built: int, archived: bool) -> int:
    """Tokens that an owned card brings when another is built."""
    card, event = CARDS[owned], Event("build", CARDS[built].colors, archived, CARDS[built].level)
    return card.amount if card.effect == "points" and owned != built and listens(card, event) else 0


def _one_order(numbers: list[int], gains: list[list[int]], best: list[tuple[int, int]]) -> tuple[int, ...]:
    order: list[int] = []
    owned = len(best) - 1
    while owned:
        for last in reversed(range(len(numbers))):
            before = owned & ~(1 << last)
            worth = best[before][0] + sum(gain for i, gain in enumerate(gains[last]) if before >> i & 1)
            if owned >> last & 1 and worth == best[owned][0]:
                order.append(numbers[last])
                owned = before
                break
    return tuple(reversed(order))
