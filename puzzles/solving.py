"""Solve puzzles and compare what comes out with the stored answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isclose
from typing import Literal, TypeAlias

from engine.errors import GizmosError
from engine.notation import action_text, line_text
from engine.position import Position
from puzzles.checking import check_line
from puzzles.document import Puzzle
from puzzles.finding import Found
from puzzles.parallel import Backend, run
from puzzles.values import turn_values
from solver import Line, Solution, solve

Verdict: TypeAlias = Literal["right", "wrong", "new", "open", "bad"]
"""The stored answer is right, or wrong; there is none; the search was stopped before it could tell; bad input."""


@dataclass(frozen=True)
class Solved:
    """What came out for one puzzle. `complaints` say what is wrong with the stored answer, or with the input."""

    name: str
    verdict: Verdict
    title: str = ""
    objective: str = ""
    luck: str = ""
    value: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()
    stored: tuple[float, ...] | None = None
    line: str = ""
    ties: tuple[str, ...] = ()
    seconds: float = 0.0
    states: int = 0
    solver: str = ""
    complaints: tuple[str, ...] = field(default=())


def solve_found(found: Found, time_limit: float | None = None) -> Solved:
    """Read a puzzle, solve it, and judge its stored answer; faults of the input become the verdict `bad`."""
    try:
        puzzle = found.read()
    except GizmosError as error:
        return Solved(found.name, "bad", complaints=error.faults)
    return solve_puzzle(puzzle, found.name, time_limit)


def solve_puzzle(puzzle: Puzzle, name: str = "", time_limit: float | None = None) -> Solved:
    """Solve a puzzle and judge its stored answer."""
    solution = solve(puzzle.position, objective=puzzle.objective, luck=puzzle.luck, top=1, time_limit=time_limit)
    verdict, complaints = _judge(puzzle, solution)
    best = solution.best
    return Solved(
        name=name or puzzle.id,
        verdict=verdict,
        title=puzzle.title,
        objective=str(puzzle.objective),
        luck=puzzle.luck,
        value=solution.value,
        upper=solution.upper,
        stored=tuple(puzzle.answer.value) if puzzle.answer else None,
        line=written(puzzle.position, best) if best and solution.proved else "",
        ties=tuple(action_text(action) for action in solution.ties),
        seconds=solution.stats.seconds,
        states=solution.stats.states,
        solver=solution.stats.solver,
        complaints=complaints,
    )


def written(position: Position, line: Line) -> str:
    """A principal line as text that reads back."""
    return line_text(position, [move for step in line.steps for move in (step.action, *step.reveals)])


def same_value(left: Sequence[float], right: Sequence[float]) -> bool:
    """True if two values are equal but for the rounding of what is written."""
    return len(left) == len(right) and all(
        isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(left, right, strict=True)
    )


def value_text(value: Sequence[float]) -> str:
    """Write a value for people.

    >>> value_text((3.0, 0.5))
    '3, 0.5'
    """
    return ", ".join(f"{round(term, 3):g}" for term in value)


def _judge(puzzle: Puzzle, solution: Solution) -> tuple[Verdict, tuple[str, ...]]:
    stored = puzzle.answer
    if not solution.proved:
        within = f"between {value_text(solution.lower)} and {value_text(solution.upper)}"
        return "open", (f"stopped ({solution.status}) before the proof: the value lies {within}",)
    if stored is None:
        return "new", ()
    if not same_value(stored.value, solution.value):
        return "wrong", (f"answer.value: {value_text(stored.value)} is stored, {value_text(solution.value)} is right",)
    complaints = tuple(_line_faults(puzzle))
    return ("wrong", complaints) if complaints else ("right", ())


def _line_faults(puzzle: Puzzle) -> Iterator[str]:
    values = turn_values(puzzle.position, puzzle.objective, puzzle.luck)
    for number, line in enumerate(puzzle.answer.lines if puzzle.answer else (), 1):
        checked = check_line(puzzle, values, line)
        departure = checked.departure
        if departure is not None:
            loses = value_text([float(term) for term in departure.loss])
            yield f"answer.lines[{number}]: `{departure.text}` loses {loses} against `{action_text(departure.best[0])}`"
        elif checked.left:
            yield f"answer.lines[{number}]: it ends too early, before `{action_text(checked.left[0])}`"


def solve_all(
    puzzles: Sequence[Found],
    *,
    jobs: int = 1,
    backend: Backend = "loky",
    time_limit: float | None = None,
) -> Iterator[Solved]:
    """Solve many puzzles in parallel; the results come in the order of the puzzles, each as soon as it can."""
    yield from run(solve_found, [(found, time_limit) for found in puzzles], jobs=jobs, backend=backend)
