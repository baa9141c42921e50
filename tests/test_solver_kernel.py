"""The kernel gives the values of the reference, whatever the luck, the objective, the threads and the table."""

import re
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from engine.marbles import count
from engine.position import Player, Position
from engine.rules import legal_actions
from engine.validation import check
from solver.explain import ranked_actions
from solver.front import solve
from solver.native import Kernel, which
from solver.objective import LUCKS, Luck, Objective, Value, parse_objective
from solver.reference import Reference, Stopped
from solver.samples import engine_rich, few_cards, random_play

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

    def __init__(self, seed: int, position: Position | None = None) -> None:
        nature = Random(seed)
        self.position = random_play(seed) if position is None else position
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


# Strong engines with few cards and marbles unseen, which the reference settles within some 20,000 states.
FEW_CARDS = (14, 17, 20, 25, 31, 36, 38, 39, 44, 62, 69, 78)


@pytest.mark.parametrize("seed", FEW_CARDS)
def test_strong_engines_and_short_decks_have_the_reference_s_values(seed: int) -> None:
    case = Case(seed, few_cards(seed))
    expected = case.by_reference()
    assert expected is not None
    assert_equal(case, case.by_kernel(), expected)


@pytest.mark.parametrize("seed", [13, 15, 16, 23, 28])
def test_a_stopped_search_states_bounds_that_hold(seed: int) -> None:
    position = engine_rich(seed)
    proved = solve(position, top=1, solver="kernel", time_limit=60)
    assert proved.proved
    for limit in (0.0, 0.01, 0.1):
        stopped = solve(position, top=1, solver="kernel", time_limit=limit)
        assert stopped.lower[0] - 1e-9 <= proved.value[0] <= stopped.upper[0] + 1e-9


def test_limits_are_kept() -> None:
    stopped = solve(engine_rich(14), solver="kernel", time_limit=0.2)
    assert stopped.status == "time"
    assert stopped.stats.seconds < 10  # on a busy machine


@pytest.mark.parametrize("seed", range(0, 30, 3))
def test_the_order_in_which_cards_are_listed_changes_nothing(seed: int) -> None:
    position = random_play(seed)
    if position.is_over:
        return
    answer = solve(position, top=5)
    first = solve(position, top=1)
    assert first.lines[:1] == answer.lines[:1]
    assert first.ties == answer.ties
    players = tuple(replace(each, built=each.built[::-1], archive=each.archive[::-1]) for each in position.players)
    shuffled = replace(position, players=players, display=tuple(cards[::-1] for cards in position.display))
    again = solve(check(shuffled), top=5)
    assert (again.value, again.lines, again.ties) == (answer.value, answer.lines, answer.ties)


def test_builders_that_can_fire_in_any_order_take_no_longer_than_one() -> None:
    builders = (133, 134, 135, 136, 233, 234, 235, 236, 317, 318)
    one = Position((Player(ring=count("RRR"), built=(133, 901), archive=(131,)),))
    ten = Position((Player(ring=count("RRR"), built=(*builders, 901), archive=(131,)),))
    assert solve(ten, solver="kernel").stats.states <= solve(one, solver="kernel").stats.states


def test_every_counter_is_documented_and_told() -> None:
    text = (Path(__file__).resolve().parent.parent / "docs/performance.md").read_text(encoding="utf-8")
    table = text.partition("## Counters")[2].partition("\n## ")[0]
    documented = [
        name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    ]
    told = solve(engine_rich(23), solver="kernel", top=1).stats.counters
    assert sorted(documented) == sorted(told)
    skipped = ("reveals_skipped", "points_taken", "marbles_dropped", "purses", "cards_dropped", "cards_alike", "checks")
    assert all(told[name] > 0 for name in skipped)
