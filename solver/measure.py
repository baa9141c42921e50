"""Measurements of the program: speed of games, counts and solvers, on seeded sets of positions.

A section is a function that measures; `SECTIONS` lists them. To add one: a function there. Times are processor time, so
that other work on the machine counts less; time limits are wall clock.
"""

from __future__ import annotations

import math
import platform
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from operator import truediv
from statistics import geometric_mean, median
from time import process_time
from typing import Final, Literal, TypeAlias

import msgspec

from engine import perft as engine_perft
from engine.actions import Reveal
from engine.position import Position
from engine.reveals import reveal_unchecked
from engine.rules import apply_unchecked, legal_actions
from engine.setup import new_game
from solver import perft as kernel_perft
from solver.front import solve
from solver.games import Policy, moves, playouts
from solver.native import Kernel, SolverName, kernel_version, which
from solver.objective import parse_objective
from solver.pareto import pareto_set
from solver.reference import Reference, Stopped
from solver.stored import engine_rich_turns, orders_known_turns, recorded_turns

FORMAT: Final = "gizmos-bench/1"
_ROUNDS: Final = 3


class Settings(msgspec.Struct, frozen=True):
    """How much to measure: `scale` multiplies how many positions and games, `time_limit` (seconds) is per solve."""

    scale: float = 1.0
    time_limit: float = 10.0

    def number(self, full: int) -> int:
        """So many positions or games, at least one."""
        return max(1, round(full * self.scale))


class Figure(msgspec.Struct, frozen=True):
    """One measured number. `better` says which way is good; "" for numbers that only inform."""

    name: str
    value: float
    unit: str
    better: Literal["more", "less", ""] = ""


class Section(msgspec.Struct, frozen=True):
    """Figures that belong together."""

    name: str
    title: str
    figures: tuple[Figure, ...]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured, and where."""

    format: Literal["gizmos-bench/1"] = FORMAT
    version: str
    solver: SolverName
    kernel: str | None
    python: str
    machine: str
    settings: Settings
    sections: tuple[Section, ...]


Measurement: TypeAlias = Callable[[Settings], Section]


def measure(names: tuple[str, ...], settings: Settings, progress: Callable[[str], None] = lambda _: None) -> Report:
    """Measure some sections, each in a process of its own, so that its peak of memory is its own.

    Raises ValueError for a name that `SECTIONS` does not have.
    """
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        raise ValueError(f"{', '.join(unknown)}: no such section, expected {', '.join(SECTIONS)}")
    sections = []
    for name in names or tuple(SECTIONS):
        progress(name)
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            sections.append(pool.submit(_measured, name, settings).result())
    return Report(
        version=version("gizmos-solver"),
        solver=which(),
        kernel=kernel_version(),
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
        settings=settings,
        sections=tuple(sections),
    )


def _measured(name: str, settings: Settings) -> Section:
    section = SECTIONS[name](settings)
    peak = _peak_megabytes()
    memory = () if peak is None else (Figure("peak memory", peak, "MB", "less"),)
    return msgspec.structs.replace(section, figures=section.figures + memory)


def _peak_megabytes() -> float | None:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


# --------------------------------------------------------------------------------------------------------- whole games


def games(settings: Settings) -> Section:
    """Whole games from many starts. Counted are choices: decisions between at least two actions."""
    by_engine = _median_rate(lambda number: _engine_choices(range(number * 20, number * 20 + settings.number(20))))
    figures = [Figure("engine, 2 random players", by_engine, "choices/s", "more")]
    if which() == "kernel":
        by_kernel = _median_rate(lambda number: _kernel_choices(2, number, settings, "random"))
        four = _median_rate(lambda number: _kernel_choices(4, number, settings, "random"))
        greedy = _median_rate(lambda number: _kernel_choices(2, number, settings, "greedy"))
        figures[:0] = [
            Figure("kernel, 2 random players", by_kernel, "choices/s", "more"),
            Figure("kernel, 4 random players", four, "choices/s", "more"),
            Figure("kernel, 2 greedy players", greedy, "choices/s", "more"),
            Figure("kernel : engine", by_kernel / by_engine, "times"),
        ]
    return Section("games", "Whole games", tuple(figures))


def _kernel_choices(players: int, number: int, settings: Settings, player: Policy) -> int:
    starts = [new_game(players, 20 * number + seed, preview=1) for seed in range(20)]
    return sum(sum(playouts(start, range(settings.number(200)), player).choices) for start in starts)


def _engine_choices(seeds: range) -> int:
    games = (moves(new_game(2, seed, preview=1), seed, use_kernel=False)[0] for seed in seeds)
    return sum(sum(played.options > 1 for played in game) for game in games)


def _median_rate(run: Callable[[int], int]) -> float:
    """How much a run counts per second of processor time; the median of some runs, which are numbered from 0."""
    rates = []
    for number in range(_ROUNDS):
        started = process_time()
        counted = run(number)
        rates.append(counted / max(1e-9, process_time() - started))
    return median(rates)


def perft(settings: Settings) -> Section:
    """Counts of action sequences from new games, two actions deep."""

    def starts(number: int) -> list[Position]:
        return [new_game(2, 20 * number + seed) for seed in range(settings.number(20))]

    by_engine = _median_rate(lambda number: engine_perft.perft(starts(number)[0], 2))
    figures = [Figure("engine", by_engine, "sequences/s", "more")]
    if which() == "kernel":
        by_kernel = _median_rate(lambda number: sum(kernel_perft.perft(start, 2) for start in starts(number)))
        figures[:0] = [
            Figure("kernel", by_kernel, "sequences/s", "more"),
            Figure("kernel : engine", by_kernel / by_engine, "times"),
        ]
    return Section("perft", "Counts of action sequences", tuple(figures))


# ------------------------------------------------------------------------------------------------------ turns to solve


def late_turn(seed: int) -> Position:
    """The start of the last turn but a few of a game between greedy players.

    >>> late_turn(1).last_round
    False
    """
    position = new_game(2 + seed % 3, seed, preview=seed % 2)
    starts = []
    for played in moves(position, seed, "greedy")[0]:
        if not position.turn.acted and not position.last_round:
            starts.append(position)
        move = played.move
        position = reveal_unchecked(position, move) if isinstance(move, Reveal) else apply_unchecked(position, move)
    return starts[-1 - seed % 4]


def _recorded(settings: Settings) -> Section:
    turns = recorded_turns()
    step = max(1, round(1 / settings.scale))
    return _solved("recorded", "Recorded turns", list(turns[::step]), settings, compared=20)


def _late(settings: Settings) -> Section:
    turns = [late_turn(seed) for seed in range(settings.number(100))]
    return _solved("late", "Late turns", turns, settings, compared=10)


def _rich(settings: Settings) -> Section:
    turns = engine_rich_turns()[: settings.number(40)]
    return _solved("rich", "Strong engines, orders unknown", list(turns), settings)


def _known(settings: Settings) -> Section:
    turns = orders_known_turns()[: settings.number(10)]
    return _solved("known", "Strong engines, all orders known", list(turns), settings)


def _pareto(settings: Settings) -> Section:
    """Pareto sets of the recorded turns with their lines, average luck; a second at most for each."""
    turns = recorded_turns()[:: max(1, round(1 / settings.scale))]
    spent, sets = [], []
    for turn in turns:
        started = process_time()
        sets.append(pareto_set(turn, "average", time_limit=min(1.0, settings.time_limit)))
        spent.append(1000 * (process_time() - started))
    spent.sort()
    rows = sorted(float(len(each.trades)) for each in sets)
    figures = [
        Figure("turns", len(turns), ""),
        Figure("proved within 1 s", 100 * sum(each.proved for each in sets) / len(sets), "%", "more"),
        *_times("time", spent),
        Figure("rows, median", _quantile(rows, 0.5), ""),
        Figure("rows, most", rows[-1], ""),
    ]
    return Section("pareto", "Pareto sets of recorded turns", tuple(figures))


def _times(name: str, milliseconds: list[float]) -> list[Figure]:
    labels = (("median", 0.5), ("95 %", 0.95), ("99 %", 0.99), ("longest", 1.0))
    return [Figure(f"{name}, {label}", _quantile(milliseconds, share), "ms", "less") for label, share in labels]


class _Proof(msgspec.Struct, frozen=True):
    seconds: float
    states: int
    proved: bool


def _solved(name: str, title: str, turns: list[Position], settings: Settings, compared: int = 0) -> Section:
    """Prove every turn (score, average luck), and about `compared` of them, evenly spread, by the reference too.

    Turns that the time limit stops count with the time they had.
    """
    proofs = [_proof(turn, which(), settings.time_limit) for turn in turns]
    milliseconds = sorted(1000 * proof.seconds for proof in proofs)
    answers = [_answer(turn, which(), settings.time_limit) for turn in turns]
    spent = sum(proof.seconds for proof in proofs)
    figures = [
        Figure("turns", len(turns), ""),
        Figure("proved", 100 * sum(proof.proved for proof in proofs) / len(proofs), "%", "more"),
        *_times("time to proof", milliseconds),
        Figure("states", sum(proof.states for proof in proofs) / len(proofs), "a turn", "less"),
        Figure("pace", sum(proof.states for proof in proofs) / max(1e-9, spent), "states/s", "more"),
        *_times("answer with lines", sorted(1000 * seconds for seconds in answers)),
    ]
    if compared and which() == "kernel":
        some = slice(None, None, max(1, len(turns) // settings.number(compared)))
        slow_proofs = [_proof(turn, "reference", settings.time_limit).seconds for turn in turns[some]]
        # Both have met these turns before, so payments and the like are remembered on both sides.
        slow_answers = [_answer(turn, "reference", settings.time_limit) for turn in turns[some]]
        again = [_answer(turn, "kernel", settings.time_limit) for turn in turns[some]]
        values = _mean_ratio(slow_proofs, [proof.seconds for proof in proofs[some]])
        whole = _mean_ratio(slow_answers, again)
        figures += [
            Figure("reference : kernel", values, "times", "more"),
            Figure("the same, with lines", whole, "times", "more"),
        ]
    return Section(name, title, tuple(figures))


def _mean_ratio(slow: list[float], fast: list[float]) -> float:
    """The geometric mean of ratios; where the slow one was stopped, it counts with the time it had: a lower bound.

    >>> round(_mean_ratio([8.0, 1.0], [1.0, 2.0]), 9)
    2.0
    """
    return geometric_mean(map(truediv, slow, fast))


def _proof(turn: Position, solver: SolverName, time_limit: float) -> _Proof:
    """Prove the value of a turn and its best first action, without lines or explanations."""
    objective = parse_objective("score")
    started = process_time()
    if solver == "kernel":
        kernel = Kernel(turn, objective, "average", time_limit=time_limit)
        try:
            kernel.bounds(turn, 1)
        except ValueError:  # The kernel met a question that it has no room for, which `solve` gives to the reference.
            return _Proof(process_time() - started, kernel.states, proved=False)
        return _Proof(process_time() - started, kernel.states, kernel.status == "proved")
    stop = started + time_limit
    reference = Reference(objective, "average", turn.player, turn.to_move, lambda: process_time() > stop)
    try:
        for action in legal_actions(turn):
            reference.action_value(turn, action)
    except Stopped:
        return _Proof(process_time() - started, reference.states, proved=False)
    return _Proof(process_time() - started, reference.states, proved=True)


def _answer(turn: Position, solver: SolverName, time_limit: float) -> float:
    """The seconds that a whole answer takes: values, and the lines of the three best first actions."""
    started = process_time()
    solve(turn, solver=solver, time_limit=time_limit)
    return process_time() - started


def _quantile(ordered: list[float], share: float) -> float:
    """The smallest of ordered numbers that at least this share of them do not exceed.

    >>> _quantile([1.0, 2.0, 3.0, 4.0], 0.5), _quantile([1.0, 2.0, 3.0, 4.0], 0.95)
    (2.0, 4.0)
    """
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


SECTIONS: Final[dict[str, Measurement]] = {
    "games": games,
    "perft": perft,
    "recorded": _recorded,
    "late": _late,
    "rich": _rich,
    "known": _known,
    "pareto": _pareto,
}
"""All sections by name, in the order of the report."""
