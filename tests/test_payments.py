"""Payments, against a forward simulation that tries every use of every converter in every order."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CARDS, Card
from engine.marbles import COLORS, Marbles, count, letters
from engine.payments import Payment, conversions, payments

CONVERTERS = tuple(card.id for card in CARDS.values() if card.area == "converter")
TO_PAY = tuple(card for card in CARDS.values() if 1 <= card.cost <= 4)
Uses = tuple[tuple[int, str], ...]
"""Uses left: the converter, and the colours it may take, as letters."""


def uses_of(converter: int) -> Uses:
    card = CARDS[converter]
    sources = "".join(color.letter for color in card.convert_from)
    if card.convert_to == "double":
        return tuple((converter, letter) for letter in sources)
    return ((converter, sources),) * card.convert_uses


def simulate(
    pool: Marbles, uses: Uses, used: frozenset[int], reached: set[tuple[Marbles, Uses, frozenset[int]]]
) -> None:
    """Collect what a pool of marbles can be counted as, and with which converters."""
    if (pool, uses, used) in reached:
        return
    reached.add((pool, uses, used))
    for index, (converter, sources) in enumerate(uses):
        rest = uses[:index] + uses[index + 1 :]
        for source in COLORS:
            if pool[source] and source.letter in sources:
                results = (
                    [(source, source)] if CARDS[converter].convert_to == "double" else [(each,) for each in COLORS]
                )
                for result in results:
                    after = list(pool)
                    after[source] -= 1
                    for color in result:
                        after[color] += 1
                    simulate((after[0], after[1], after[2], after[3]), rest, used | {converter}, reached)


def simulated_payments(card: Card, low: int, high: int, ring: Marbles, converters: tuple[int, ...]) -> set[Payment]:
    found: set[Payment] = set()
    for red, blue, black, yellow in product(*(range(number + 1) for number in ring)):
        spend = (red, blue, black, yellow)
        reached: set[tuple[Marbles, Uses, frozenset[int]]] = set()
        uses = tuple(use for converter in converters for use in uses_of(converter))
        simulate(spend, uses, frozenset(), reached)
        sets = {
            used
            for pool, _, used in reached
            if low <= sum(pool) <= high and all(color in card.colors for color in COLORS if pool[color])
        }
        found |= {Payment(spend, tuple(sorted(each))) for each in sets if not any(other < each for other in sets)}
    return found


@settings(max_examples=250, deadline=None)
@given(
    card=st.sampled_from(TO_PAY),
    discount=st.integers(0, 2),
    marbles=st.text("RUKY", max_size=5),
    converters=st.sets(st.sampled_from(CONVERTERS), max_size=4),
)
def test_payments_are_those_of_a_forward_simulation(
    card: Card, discount: int, marbles: str, converters: set[int]
) -> None:
    low, ring, owned = max(0, card.cost - discount), count(marbles), tuple(sorted(converters))
    found = payments(card, low, card.cost, ring, owned)
    assert set(found) == simulated_payments(card, low, card.cost, ring, owned)
    assert len(set(found)) == len(found)
    assert list(found) == sorted(found)


@settings(max_examples=100, deadline=None)
@given(
    card=st.sampled_from(TO_PAY),
    marbles=st.text("RUKY", min_size=1, max_size=6),
    converters=st.sets(st.sampled_from(CONVERTERS), max_size=5),
)
def test_every_payment_can_be_shown_use_by_use(card: Card, marbles: str, converters: set[int]) -> None:
    owned = tuple(sorted(converters))
    for payment in payments(card, card.cost, card.cost, count(marbles), owned):
        pool = list(payment.spend)
        steps = conversions(card, card.cost, card.cost, payment, owned)
        assert steps is not None
        for step in steps:
            pool[step.source] -= 1
            assert min(pool) >= 0
            for color in step.result:
                pool[color] += 1
        assert {step.gizmo for step in steps} == set(payment.converters)
        assert sum(pool) == card.cost
        assert all(color in card.colors for color in COLORS if pool[color])


def test_marbles_that_do_not_come_to_the_price_are_no_payment() -> None:
    assert conversions(CARDS[118], 1, 1, Payment(count("UU")), ()) is None
    assert conversions(CARDS[118], 1, 1, Payment(count("K")), (103,)) is None
    assert conversions(CARDS[118], 1, 1, Payment(count("K"), (103,)), ()) is None


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(2, 2, ["UU"]), (1, 2, ["U", "UU"]), (0, 2, ["", "U", "UU"]), (0, 0, [""])]
)
def test_a_discount_may_be_taken_in_part(low: int, high: int, expected: list[str]) -> None:
    card = next(card for card in CARDS.values() if (card.color_name, card.cost) == ("blue", 2))
    assert [letters(each.spend) for each in payments(card, low, high, count("UUU"), ())] == expected


def test_a_converter_is_listed_only_where_it_is_needed() -> None:
    assert payments(CARDS[118], 1, 1, count("U"), (103, 105)) == (Payment(count("U")),)
