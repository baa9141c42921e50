"""Where orders of decks and marbles are known, the kernel leaves much out: its values are the reference's."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace
from waiting import marble_card_in_reach, picks_before_research

from engine.position import Position
from solver.native import Kernel, which
from solver.objective import LUCKS, Objective, parse_objective
from solver.reference import Reference, Stopped
from solver.samples import few_cards, short_decks, with_orders_known

pytestmark = pytest.mark.skipif(which() == "reference", reason="installed without a compiler")

SCORE = parse_objective("score")
ROUNDING = 1e-9
GENERATORS = (picks_before_research, marble_card_in_reach, short_decks, few_cards)


def orders_known(generator: Callable[[int], Position], seed: int) -> Position:
    """A generator's position with all decks known, and all marbles to come or the first few of them."""
    nature = Random(seed)
    position = generator(seed)
    known = with_orders_known(position, nature)
    to_come = len(known.next) - len(position.next)
    kept = len(position.next) + min(to_come, nature.choice([0, 2, to_come, to_come]))
    return replace(known, next=known.next[:kept])


def faults(
    position: Position, objective: Objective, seed: int, states: int, counters: Counter[str]
) -> list[str] | None:
    """What the kernel says of the actions that the reference denies; None if the reference needs more states."""
    luck = LUCKS[seed % 3]
    reference = Reference(objective, luck, position.player, position.to_move, lambda: reference.states > states)
    try:
        expected = [tuple(map(float, value)) for value in reference.actions(position)]
    except Stopped:
        return None
    kernel = Kernel(position, objective, luck)
    found = [
        f"{mine} for {right}"
        for mine, right in zip(kernel.actions(position), expected, strict=True)
        if mine != pytest.approx(right, abs=ROUNDING)
    ]
    # Only when the few best are asked for, searches are told what they have to beat.
    kernel = Kernel(position, objective, luck)
    bounds = kernel.bounds(position, 1)
    counters.update(kernel.stats)
    best = max(expected)
    for pair, right in zip(bounds, expected, strict=True):
        assert pair is not None
        (lower, *_), (upper, *_) = pair
        if not lower - ROUNDING <= right[0] <= upper + ROUNDING:
            found.append(f"{lower} to {upper} for {right[0]}")
    if max(lower for lower, _ in filter(None, bounds)) != pytest.approx(best, abs=ROUNDING):
        found.append(f"the best is not {best}")
    return found


@pytest.mark.parametrize("generator", GENERATORS)
def test_known_orders_have_the_reference_s_values(generator: Callable[[int], Position]) -> None:
    counters: Counter[str] = Counter()
    seeds = range(60)
    found = {seed: faults(orders_known(generator, seed), SCORE, seed, 1500, counters) for seed in seeds}
    assert {seed: each for seed, each in found.items() if each} == {}
    assert sum(each is not None for each in found.values()) > len(seeds) // 10
    assert counters["refuted"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["score", "score,marbles", "marbles,score", "goal: gizmos >= 4,score"])
@pytest.mark.parametrize("generator", GENERATORS)
def test_known_orders_have_the_reference_s_values_in_hundreds_of_positions(
    generator: Callable[[int], Position], objective: str
) -> None:
    counters: Counter[str] = Counter()
    seeds = range(1000, 1200 if objective == "score" else 1040)
    aim = parse_objective(objective)
    found = {seed: faults(orders_known(generator, seed), aim, seed, 6000, counters) for seed in seeds}
    assert {seed: each for seed, each in found.items() if each} == {}
    assert sum(each is not None for each in found.values()) > len(seeds) // 10
