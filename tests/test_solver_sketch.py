"""A stopped search shows the best line that it has found, and claims no more for it than is true."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Literal

import pytest

from engine.actions import Action, EndTurn
from engine.position import Position
from engine.reveals import outcomes, reveal
from engine.rules import apply, legal_actions
from solver.explain import line_value, numbers
from solver.front import solve
from solver.native import which
from solver.objective import LUCKS, Luck, parse_objective
from solver.reference import Reference, Stopped
from solver.result import Line, Numbers, Progress, Solution
from solver.samples import engine_rich, few_cards, random_play
from solver.sketch import at_once, is_whole

SOLVERS: tuple[Literal["kernel", "reference"], ...] = ("kernel", "reference") if which() == "kernel" else ("reference",)
OBJECTIVES = (
    "score",
    "activations",
    "marbles",
    "score,marbles",
    "marbles,score,activations",
    "goal: ring holds 2 R",
    "goal: score >= 3,score",
    "goal: card 118 built,marbles",
    "goal: card 203 archived",
)
STATES = 5000


def replayed(start: Position, line: Line) -> Position:
    """Where a line leads, every action and reveal of it being possible."""
    position = start
    for step in line.steps:
        position = apply(position, step.action)
        for each in step.reveals:
            assert each in [outcome.reveal for outcome in outcomes(position)]
            position = reveal(position, each)
        assert position == step.position
    return position


def stopped(position: Position, solver: Literal["kernel", "reference"], limit: float = 0) -> Solution:
    answer = solve(position, solver=solver, time_limit=limit)
    assert not answer.proved
    return answer


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(8))
def test_the_line_can_be_played_and_ends_with_the_turn_or_a_research(
    seed: int, solver: Literal["kernel", "reference"]
) -> None:
    position = engine_rich(seed)
    best = stopped(position, solver).best
    assert best is not None
    end = replayed(position, best)
    assert not end.turn.acted or end.turn.awaited[0].kind == "research"
    assert is_whole(best.steps) == (not end.turn.acted)
    assert best.chain


def cases(seeds: range) -> Iterator[tuple[int, Position, str, Luck]]:
    for seed in seeds:
        nature = Random(seed)
        position = few_cards(seed) if seed % 3 == 0 else random_play(seed)
        if not position.is_over and not position.is_chance:
            yield seed, position, nature.choice(OBJECTIVES), nature.choice(LUCKS)


def exact_values(position: Position, objective: str, luck: Luck) -> dict[Action, Numbers] | None:
    """What each first action is worth by the reference; None where that takes long."""
    start, seat = position.player, position.to_move
    reference = Reference(parse_objective(objective), luck, start, seat, lambda: reference.states > STATES)
    try:
        return dict(zip(legal_actions(position), map(numbers, reference.actions(position)), strict=True))
    except Stopped:
        return None


def compare(seeds: range) -> int:
    """Holds what stopped searches claim against the reference; gives how many could be compared."""
    compared = 0
    for seed, position, objective, luck in cases(seeds):
        exact = exact_values(position, objective, luck)
        if exact is None:
            continue
        compared += 1
        for solver in SOLVERS:
            answer = solve(position, objective=objective, luck=luck, solver=solver, time_limit=0, top=99)
            assert answer.lower <= max(exact.values()) <= answer.upper, seed
            assert {line.first for line in answer.lines} == set(exact)
            for line in answer.lines:
                assert line.lower <= exact[line.first] <= line.upper, (seed, line.first)
    return compared


def test_what_is_claimed_for_first_actions_is_true() -> None:
    assert compare(range(60)) > 15


@pytest.mark.slow
def test_what_is_claimed_for_first_actions_is_true_on_many_positions() -> None:
    assert compare(range(1000, 2000)) > 350


def test_an_action_is_worth_at_least_what_it_leaves_when_the_turn_then_ends() -> None:
    score = parse_objective("score,marbles,activations")
    position = random_play(6)
    for action in legal_actions(position):
        after = apply(position, action)
        least = at_once(score, position.player, position, action)
        while after.is_chance:
            after = reveal(after, outcomes(after)[0].reveal)
        if after.turn.acted and EndTurn() in legal_actions(after):
            after = apply(after, EndTurn())
            player = after.players[position.to_move]
            assert least[0] == player.score - position.player.score
            assert least[1] <= player.marbles


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_line_without_luck_is_worth_what_it_comes_to(solver: Literal["kernel", "reference"]) -> None:
    proved = 0
    for seed in range(60):
        position = random_play(seed)
        if position.is_over or position.is_chance:
            continue
        answer = solve(position, solver=solver, time_limit=0)
        best = answer.best
        if best is not None and is_whole(best.steps) and all(step.chance == 1 for step in best.steps):
            assert best.lower >= numbers(line_value(answer.objective, position, best.steps))
            proved += 1
    assert proved > 10


@pytest.mark.parametrize("solver", SOLVERS)
def test_progress_is_told_and_only_tightens(solver: Literal["kernel", "reference"]) -> None:
    told: list[Progress] = []

    def hear(progress: Progress) -> None:
        told.append(progress)
        if len(told) == 4:
            raise KeyboardInterrupt

    position = engine_rich(29)
    answer = solve(position, solver=solver, progress=hear)
    assert answer.status == "interrupted"
    assert all(each.actions == len(legal_actions(position)) for each in told)
    for before, after in pairwise(told):
        assert (before.states, before.bounded, before.lower) <= (after.states, after.bounded, after.lower)
        assert before.states < after.states
        assert before.upper >= after.upper
    assert told[-1].lower <= answer.lower
    assert told[-1].upper >= answer.upper


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_hears_of_progress_may_fail(solver: Literal["kernel", "reference"]) -> None:
    def fail(_: Progress) -> None:
        raise RuntimeError("the screen is gone")

    with pytest.raises(RuntimeError, match="the screen is gone"):
        solve(engine_rich(29), solver=solver, time_limit=60, threads=2, progress=fail)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interruption_whose_exception_is_lost_still_interrupts(solver: Literal["kernel", "reference"]) -> None:
    """Python drops an exception that comes while it closes a forgotten generator."""

    def closing() -> Iterator[None]:
        try:
            yield
        finally:
            signal.raise_signal(signal.SIGINT)

    def press(_: Progress) -> None:
        next(closing())

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        answer = solve(engine_rich(29), solver=solver, time_limit=60, progress=press)
    finally:
        signal.signal(signal.SIGINT, before)
    assert answer.status == "interrupted"
    assert answer.stats.seconds < 50
    assert signal.getsignal(signal.SIGINT) is before
