"""The kernel lists the same payments as the engine, in the same order."""

import random

import pytest

from engine.cards import CARDS, Card
from engine.marbles import Marbles
from engine.payments import payments
from solver.compiled import kernel

pytestmark = pytest.mark.skipif(kernel is None, reason="installed without a compiler")

CONVERTERS = [card.id for card in CARDS.values() if card.area == "converter"]
BUILDABLE = [card for card in CARDS.values() if card.cost]


def random_case(rng: random.Random) -> tuple[Card, int, Marbles, tuple[int, ...]]:
    card = rng.choice(BUILDABLE)
    ring = (rng.randint(0, 4), rng.randint(0, 4), rng.randint(0, 3), rng.randint(0, 2))
    converters = tuple(sorted(rng.sample(CONVERTERS, rng.randint(0, 6))))
    return card, rng.randint(0, card.cost), ring, converters


def test_payments_equal_the_engine_s() -> None:
    assert kernel is not None
    rng = random.Random(1)
    for _ in range(1500):
        card, low, ring, converters = random_case(rng)
        expected = [(each.spend, list(each.converters)) for each in payments(card, low, card.cost, ring, converters)]
        mask = sum(1 << color for color in card.colors)
        assert kernel.payments(mask, low, card.cost, ring, converters) == expected
