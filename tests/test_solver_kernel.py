"""The kernel gives the values of the reference, whatever the luck, the objective, the threads and the table."""

from random import Random

import pytest

from engine.position import Position
from engine.rules import legal_actions
from solver.explain import ranked_actions
from solver.native import Kernel, which
from solver.objective import LUCKS, Luck, Objective, Value, parse_objective
from solver.reference import Reference, Stopped
from solver.samples import random_play

pytestmark = pytest.mark.skipif(which() == "reference", reason="installed without a compiler")

OBJECTIVES = (
    "score",
    "activations",
    "marbles",
    "score,marbles",
    "activations,score",
    "marbles,score,activations",
    "goal: ring holds 2 R",
    "goal: score >= 3",
    "goal: gizmos >= 3,score",
    "goal: total >= 5 and marbles >= 2",
    "goal: level III >= 1 and ring holds 1 U,marbles",
    "goal: card 118 built,score",
    "goal: card 203 archived",
)
STATES = 20_000
"""Positions that the reference needs more states for are left out."""


class Case:
    """A random position with an objective and a luck, and what the reference says."""

    def __init__(self, seed: int) -> None:
        nature = Random(seed)
        self.position = random_play(seed)
        self.objective: Objective = parse_objective(nature.choice(OBJECTIVES))
        self.luck: Luck = nature.choice(LUCKS)
        self.name = f"seed {seed}, {self.objective}, {self.luck}"

    def by_reference(self) -> list[Value] | None:
        start, seat = self.position.player, self.position.to_move
        reference = Reference(self.objective, self.luck, start, seat, lambda: reference.states > STATES)
        try:
            return values(reference, self.position)
        except Stopped:
            return None

    def by_kernel(self, threads: int = 1, memory_limit: int = 1 << 26) -> list[Value]:
        kernel = Kernel(self.position, self.objective, self.luck, threads=threads, memory_limit=memory_limit)
        return values(kernel, self.position)


def values(solver: Kernel | Reference, position: Position) -> list[Value]:
    return [solver.after(position)] if position.is_chance else solver.actions(position)


def assert_equal(case: Case, got: list[Value], expected: list[Value]) -> None:
    assert len(got) == len(expected), case.name
    for mine, right in zip(got, expected, strict=True):
        assert mine == pytest.approx(right, abs=1e-9), case.name
    best = [i for i, value in enumerate(got) if value == max(got)]
    assert best == [i for i, value in enumerate(expected) if value == max(expected)], case.name


def compare(seeds: range) -> int:
    compared = 0
    for seed in seeds:
        case = Case(seed)
        if case.position.is_over:
            continue
        expected = case.by_reference()
        if expected is not None:
            assert_equal(case, case.by_kernel(), expected)
            compared += 1
    return compared


def test_values_and_best_actions_equal_the_reference_s() -> None:
    assert compare(range(230)) >= 200


@pytest.mark.slow
def test_values_and_best_actions_equal_the_reference_s_on_thousands_of_positions() -> None:
    assert compare(range(10_000, 15_300)) >= 5000


@pytest.mark.parametrize("seed", range(20))
def test_threads_and_table_sizes_change_nothing(seed: int) -> None:
    case = Case(seed)
    once = case.by_kernel()
    assert case.by_kernel(threads=2) == once
    assert case.by_kernel(threads=4) == once
    assert case.by_kernel(memory_limit=20_000) == once


def test_the_ranking_of_actions_is_the_reference_s() -> None:
    for seed in range(40):
        case = Case(seed)
        if case.position.is_chance or case.by_reference() is None:
            continue
        reference = Reference(case.objective, case.luck, case.position.player, case.position.to_move)
        kernel = Kernel(case.position, case.objective, case.luck)
        expected = [action for _, action in ranked_actions(reference, case.position)]
        assert [action for _, action in ranked_actions(kernel, case.position)] == expected, case.name
        assert len(expected) == len(legal_actions(case.position))
