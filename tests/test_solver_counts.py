"""Researches of which it counts how many cards of each class are seen, as the next research finds what is left."""

import pytest
from waiting import seen_apart

from engine.position import Position
from engine.rules import legal_actions
from solver.native import Kernel, which
from solver.objective import LUCKS, Luck, Objective, parse_objective
from solver.reference import Reference, Stopped

pytestmark = pytest.mark.skipif(which() == "reference", reason="installed without a compiler")

OBJECTIVES = ("score", "score,marbles", "activations", "marbles,score")
ROUNDING = 1e-9
# Positions whose counts are many, and of which the reference needs at most 20,000 states. In the last three a choice is
# in a class with others that matter.
SEEDS = (0, 4, 12, 13, 19, 30, 34, 36, 37, 38, 45, 49, 50, 61, 65, 124, 142, 147, 1012, 1231, 1657)


def asked(seed: int) -> tuple[Position, Objective, Luck]:
    return seen_apart(seed), parse_objective(OBJECTIVES[seed // 3 % 4]), LUCKS[seed % 3]


def by_reference(seed: int, states: int) -> list[tuple[float, ...]] | None:
    """The values of all actions; None where that takes long."""
    position, objective, luck = asked(seed)
    reference = Reference(objective, luck, position.player, position.to_move, lambda: reference.states > states)
    try:
        return [tuple(map(float, reference.action_value(position, action))) for action in legal_actions(position)]
    except Stopped:
        return None


def by_kernel(seed: int) -> tuple[list[tuple[float, ...]], float]:
    """The same, and how many counts were looked at for each such research."""
    position, objective, luck = asked(seed)
    kernel = Kernel(position, objective, luck, memory_limit=1 << 26)
    values = [tuple(map(float, value)) for value in kernel.actions(position)]
    return values, kernel.stats["sets"] / max(1, kernel.stats["researches_counted"])


@pytest.mark.parametrize("seed", SEEDS)
def test_values_by_counts_are_the_reference_s(seed: int) -> None:
    right = by_reference(seed, 20_000)
    assert right is not None
    values, counts = by_kernel(seed)
    assert counts > 4
    assert [pytest.approx(value, abs=ROUNDING) for value in right] == values


@pytest.mark.slow
def test_values_by_counts_are_the_reference_s_in_many_positions() -> None:
    counted = 0
    for seed in range(1000, 1600):
        right = by_reference(seed, 10_000)
        if right is not None:
            values, counts = by_kernel(seed)
            assert [pytest.approx(value, abs=ROUNDING) for value in right] == values, seed
            counted += counts > 4
    assert counted > 50
