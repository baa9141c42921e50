"""The compiled kernel, if this install has one: it is imported here only, and handed the cards."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from engine.cards import CARDS, Card
from engine.marbles import Color

kernel: ModuleType | None
try:
    import gizmos_kernel
except ImportError:
    kernel = None
else:
    kernel = gizmos_kernel


def _mask(colors: Iterable[Color]) -> int:
    return sum(1 << color for color in colors)


def _row(card: Card) -> tuple[object, ...]:
    return (
        card.id,
        card.level,
        _mask(card.colors),
        card.cost,
        card.points,
        card.trigger,
        _mask(card.trigger_colors),
        card.effect,
        card.amount,
        _mask(card.convert_from),
        card.convert_to,
        card.convert_uses,
        card.storage,
        card.archive,
        card.research,
        card.special,
    )


if kernel is not None:
    kernel.set_cards([_row(CARDS[number]) for number in sorted(CARDS)])
