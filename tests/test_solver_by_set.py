"""Ways to keep a card of a research are valued for many sets of returned cards at once, and have the right values."""

import pytest
from waiting import returned_and_found

from engine.actions import ResearchDeck
from engine.position import Position
from engine.rules import legal_actions
from solver.native import Kernel, which
from solver.objective import Value, parse_objective
from solver.reference import Reference, Stopped
from solver.samples import engine_rich

pytestmark = pytest.mark.skipif(which() == "reference", reason="installed without a compiler")

SCORE = parse_objective("score")
ROUNDING = 1e-9
RESEARCH = ResearchDeck(level=3)
# Positions in which sets are many, and the reference needs some thousand states.
SEEDS = (91, 93, 114, 130, 152, 153, 189, 202, 205, 217, 286)


def by_reference(position: Position, states: int) -> Value | None:
    """What the research of level III is worth; None where that takes long."""
    reference = Reference(SCORE, "average", position.player, position.to_move, lambda: reference.states > states)
    try:
        return reference.action_value(position, RESEARCH)
    except Stopped:
        return None


def by_kernel(position: Position, memory_limit: int = 1 << 28, threads: int = 1) -> tuple[float, int]:
    """The same, and how many researches were valued by set."""
    kernel = Kernel(position, SCORE, "average", threads=threads, memory_limit=memory_limit, time_limit=60)
    bounds = kernel.bounds(position, len(legal_actions(position)))[legal_actions(position).index(RESEARCH)]
    assert bounds is not None
    assert bounds[0] == bounds[1]
    return float(bounds[0][0]), kernel.stats["researches_by_set"]


@pytest.mark.parametrize("seed", SEEDS)
def test_values_by_set_are_the_reference_s(seed: int) -> None:
    position = returned_and_found(seed)
    right = by_reference(position, 30_000)
    assert right is not None
    value, researches = by_kernel(position)
    assert researches > 0
    assert value == pytest.approx(float(right[0]), abs=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS[:6])
def test_without_room_for_many_sets_each_is_searched_alone(seed: int) -> None:
    position = returned_and_found(seed)
    value, researches = by_kernel(position, memory_limit=20_000)
    assert researches == 0
    assert value == pytest.approx(by_kernel(position)[0], abs=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS[:6])
def test_threads_share_the_room_for_many_sets(seed: int) -> None:
    position = returned_and_found(seed)
    enough = next(1 << bits for bits in range(16, 28) if by_kernel(position, memory_limit=1 << bits)[1] > 0)
    value, researches = by_kernel(position, memory_limit=enough, threads=4)
    assert researches > 0
    assert value == pytest.approx(by_kernel(position)[0], abs=ROUNDING)


@pytest.mark.slow
def test_values_by_set_are_those_of_the_reference_or_of_sets_alone_in_many_positions() -> None:
    compared = 0
    for seed in range(1000, 2000):
        position = returned_and_found(seed)
        value, researches = by_kernel(position)
        if researches == 0:
            continue
        right = by_reference(position, 20_000)
        alone = by_kernel(position, memory_limit=20_000)[0] if right is None else float(right[0])
        assert value == pytest.approx(alone, abs=ROUNDING), seed
        compared += 1
    assert compared > 50


@pytest.mark.slow
def test_a_strong_engine_that_sees_its_own_cards_again_is_proved() -> None:
    kernel = Kernel(engine_rich(17), SCORE, "average", time_limit=120)
    bounds = [pair for pair in kernel.bounds(engine_rich(17), 1) if pair is not None]
    assert kernel.stats["researches_by_set"] > 0
    best = max(lower for lower, _ in bounds)
    assert len(bounds) == len(legal_actions(engine_rich(17)))
    assert all(upper[0] <= best[0] + ROUNDING for _, upper in bounds)
