"""A search keeps the limits that it is given."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from time import process_time
from typing import Literal

import pytest

from engine.rules import apply, legal_actions
from solver.front import solve
from solver.native import Kernel, which
from solver.objective import parse_objective
from solver.reference import Reference, Stopped
from solver.result import Solution
from solver.samples import engine_rich, few_cards, random_play

ROOT = Path(__file__).resolve().parent.parent
MEGABYTE = 1 << 20
HARD = 14
"""A seed of `engine_rich` that takes minutes, and needs the table and all that is remembered beside it."""

compiled = pytest.mark.skipif(which() == "reference", reason="installed without a compiler")

GROWTH = """
import pathlib, resource, sys
from solver import solve
from solver.samples import engine_rich

def peak():
    # Linux lets ru_maxrss survive an exec: it would be that of the process that runs the tests.
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        return 1024 * int(next(line.split()[1] for line in status.open() if line.startswith("VmHWM")))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

seed, solver, memory_limit, seconds, threads = sys.argv[1:]
solve(engine_rich(8), solver=solver, time_limit=0.1)
before = peak()
answer = solve(
    engine_rich(int(seed)),
    solver=solver,
    memory_limit=int(memory_limit),
    time_limit=float(seconds),
    threads=int(threads),
)
assert answer.status == "time", answer
print(peak() - before)
"""


def growth(solver: str, memory_limit: int, seconds: float, threads: int = 1) -> int:
    """By how many bytes a process grows that solves a hard turn, compared with one that has solved a simple one."""
    arguments = map(str, (HARD, solver, memory_limit, seconds, threads))
    run = [sys.executable, "-c", GROWTH, *arguments]
    return int(subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout)


@compiled
def test_a_process_grows_by_no_more_than_the_memory_limit_and_some_megabytes() -> None:
    assert growth("kernel", 4 * MEGABYTE, 1.0) < (4 + 4) * MEGABYTE


def test_a_process_with_the_reference_keeps_the_memory_limit_too() -> None:
    assert growth("reference", 4 * MEGABYTE, 2.0) < (4 + 4) * MEGABYTE


@compiled
@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_process_keeps_a_large_memory_limit_and_uses_it(threads: int) -> None:
    grown = growth("kernel", 64 * MEGABYTE, 6.0, threads)
    assert 16 * MEGABYTE < grown < (64 + 4 * threads) * MEGABYTE


@compiled
@pytest.mark.parametrize("memory_limit", [0, 20_000, MEGABYTE, 3 * MEGABYTE, 8 * MEGABYTE])
@pytest.mark.parametrize("threads", [1, 3])
def test_what_the_kernel_counts_as_remembered_stays_within_the_limit(memory_limit: int, threads: int) -> None:
    kernel = Kernel(
        engine_rich(HARD),
        parse_objective("score"),
        "average",
        memory_limit=memory_limit,
        threads=threads,
        time_limit=0.1,
    )
    kernel.bounds(engine_rich(HARD), 1)
    first_sizes = 40_000 * threads  # each place to remember things begins with room for some
    assert kernel.stats["table_bytes"] + kernel.stats["beside_table_bytes"] <= memory_limit + first_sizes
    assert kernel.stats["table_bytes"] <= memory_limit


def test_values_that_the_reference_forgot_are_found_again() -> None:
    position = random_play(6)
    score = parse_objective("score")
    small = Reference(score, "average", position.player, position.to_move, memory_limit=15_000)
    large = Reference(score, "average", position.player, position.to_move)
    assert small.actions(position) == large.actions(position)
    assert small.states > large.states


@pytest.mark.parametrize("numbers", [{"threads": 0}, {"threads": -1}, {"memory_limit": -1}])
def test_limits_out_of_range_are_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="expected at least"):
        solve(random_play(5), threads=numbers.get("threads", 1), memory_limit=numbers.get("memory_limit", 1 << 30))


# ---------------------------------------------------------------------------------------------------------------- time


@compiled
@pytest.mark.parametrize("seed", [5, 9, 14])
def test_the_kernel_looks_at_the_clock_again_before_it_has_looked_at_many_states(seed: int) -> None:
    kernel = Kernel(engine_rich(seed), parse_objective("score"), "average", time_limit=0.1)
    kernel.bounds(engine_rich(seed), 1)
    stats = kernel.stats
    assert stats["states"] > 1000
    assert stats["checks"] * 128 >= stats["states"] + stats["known"] + stats["sets"]


def test_the_reference_asks_for_every_value_whether_to_stop() -> None:
    position = random_play(6)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return False

    reference = Reference(parse_objective("score"), "average", position.player, position.to_move, stop)
    reference.actions(position)
    states = reference.states
    assert asked > states > 100
    reference.actions(position)  # all known by now
    assert reference.states == states
    assert asked > states + 1


@compiled
def test_without_any_time_the_kernel_searches_nothing() -> None:
    position = engine_rich(HARD)
    kernel = Kernel(position, parse_objective("score"), "average", time_limit=0)
    assert kernel.bounds(position, 1) == [None] * len(legal_actions(position))
    assert (kernel.status, kernel.states) == ("time", 0)
    with pytest.raises(Stopped, match="time"):
        kernel.after(apply(position, legal_actions(position)[0]))


@pytest.mark.parametrize("solver", ["auto", "reference"])
def test_without_any_time_there_is_an_answer_all_the_same(solver: Literal["auto", "reference"]) -> None:
    answer = solve(engine_rich(HARD), time_limit=0, solver=solver)
    assert answer.status == "time"
    assert answer.lower < answer.upper
    assert answer.best is not None
    assert answer.best.steps


def late_by(limit: float, run: Callable[[], Solution]) -> float:
    """How many seconds of processor time a run takes beyond its limit, so that other work on the machine counts less.

    The better of two, since it still counts a little.
    """

    def once() -> float:
        reached: list[float] = []
        timer = Timer(limit, lambda: reached.append(process_time()))
        timer.start()
        answer = run()
        ended = process_time()
        timer.join()
        return ended - reached[0] if answer.status != "proved" else 0.0

    return min(once(), once())


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.0, 0.02, 0.1, 0.4])
@pytest.mark.parametrize("seed", [0, 3, 5, 6, 14, 29, 34, 38])
def test_a_search_stops_within_50_milliseconds_of_its_time_limit(seed: int, limit: float) -> None:
    position = engine_rich(seed)
    assert late_by(limit, lambda: solve(position, time_limit=limit)) < 0.05
    assert late_by(limit, lambda: solve(position, time_limit=limit, threads=2, with_plan=True)) < 2 * 0.05
    assert late_by(limit, lambda: solve(position, time_limit=limit, solver="reference")) < 0.05
    short_decks = few_cards(seed)
    assert late_by(limit, lambda: solve(short_decks, time_limit=limit, with_plan=True)) < 0.05


def delay_of_interruption(after: float, run: Callable[[], Solution]) -> float:
    """How many seconds of processor time a run takes after Ctrl-C."""
    pressed = 0.0

    def press() -> None:
        nonlocal pressed
        pressed = process_time()
        os.kill(os.getpid(), signal.SIGINT)

    timer = Timer(after, press)
    timer.start()
    answer = run()
    ended = process_time()
    timer.join()
    assert answer.status == "interrupted"
    return ended - pressed


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["auto", "reference"])
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_a_search_within_50_milliseconds(threads: int, solver: Literal["auto", "reference"]) -> None:
    position = engine_rich(HARD)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        delays = [
            delay_of_interruption(after, lambda: solve(position, time_limit=20, solver=solver, threads=threads))
            for after in (0.1, 0.2, 0.4)
        ]
    finally:
        signal.signal(signal.SIGINT, before)
    assert max(delays) < 0.05 * threads
