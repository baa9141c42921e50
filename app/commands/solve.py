"""`gizmos solve` and `gizmos check`: puzzles and their answers, and a player's own line."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, Any, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from app.console import answers, print_json, remarks
from app.exits import ANSWERED_NO, BAD_INPUT, report_bad_input
from app.options import Language
from app.progress import waiting
from app.words import Words, words_for
from engine.actions import Action
from engine.errors import GizmosError
from engine.notation import action_text
from puzzles.checking import CheckedLine, check_line
from puzzles.document import Puzzle
from puzzles.finding import Found, find
from puzzles.parallel import Backend
from puzzles.solving import Solved, solve_all, value_text
from puzzles.values import turn_values

EXAMPLES: Final = {
    "solve": (
        "gizmos solve sheet-worked-chain",
        "gizmos solve hand --jobs 2",
        "gizmos solve my-puzzles/ another.toml --json",
    ),
    "check": (
        'gizmos check three-listeners "build 201 with KKK; 134: points"',
        'gizmos check filing-pays "file 119; 309: points; 310: points"',
    ),
}

_STYLES: Final = {"right": "green", "wrong": "bold red", "new": "cyan", "open": "yellow", "bad": "bold red"}


def solve(
    puzzles: Annotated[
        list[str],
        typer.Argument(metavar="PUZZLE...", help="Files, folders, names of shipped puzzles, or - for standard input."),
    ],
    *,
    jobs: Annotated[int, typer.Option(help="Processes that work at once; -1: one for each core.")] = 1,
    backend: Annotated[Backend, typer.Option(help="Where they run: on this machine, or on a Ray or Dask cluster.")] = (
        "loky"
    ),
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds for each puzzle.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    language: Language = None,
) -> None:
    """Solve puzzles, and compare with their stored answers.

    Exit code 1: a stored answer is wrong, or could not be proved in time; 2: a puzzle can't be read.
    """
    words = words_for(language)
    found, faults = _wanted(puzzles)
    results: list[Solved] = []
    with _progress() as progress:
        task = progress.add_task(words("solve.solving"), total=len(found))
        for result in solve_all(found, jobs=jobs, backend=backend, time_limit=time_limit):
            results.append(result)
            progress.advance(task)
    if as_json:
        print_json({"format": "gizmos-solve/1", "puzzles": [_as_data(result) for result in results]})
    elif results:
        _show(words, results)
    bad = [*faults, *(fault for result in results if result.verdict == "bad" for fault in result.complaints)]
    if bad:
        report_bad_input(bad)
        raise typer.Exit(BAD_INPUT)
    if any(result.verdict in ("wrong", "open") for result in results):
        raise typer.Exit(ANSWERED_NO)


def check(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="A file, the name of a shipped puzzle, or -.")],
    line: Annotated[str, typer.Argument(metavar="LINE", help="Your line: steps separated by ; or line ends.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    language: Language = None,
) -> None:
    """Check your own line for a puzzle.

    Says where it departs from the best, and what that loses. Any best line is right, whatever line is stored. Reveals
    may be left out. Exit code 1: it is not a best line.
    """
    words = words_for(language)
    found = _one(puzzle)
    question = found.read()
    with waiting(words("solve.searching")):
        checked = check_line(question, turn_values(question.position, question.objective, question.luck), line)
    if as_json:
        print_json(_checked_data(checked))
    else:
        _show_check(words, question, checked)
    if not checked.right:
        raise typer.Exit(ANSWERED_NO)


def _wanted(puzzles: Iterable[str]) -> tuple[list[Found], list[str]]:
    found: list[Found] = []
    faults: list[str] = []
    for wanted in puzzles:
        try:
            found += _find(wanted)
        except GizmosError as error:
            faults += error.faults
    return found, faults


def _find(wanted: str) -> list[Found]:
    return [Found("standard input", sys.stdin.read())] if wanted == "-" else find(wanted)


def _one(wanted: str) -> Found:
    found = _find(wanted)
    if len(found) > 1:
        raise GizmosError(f"{wanted!r}: {len(found)} puzzles, expected one")
    return found[0]


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = remarks()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _show(words: Words, results: list[Solved]) -> None:
    console = answers()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("puzzle", "answer", "objective", "luck", "value", "stored"):
        table.add_column(words(f"solve.{heading}"), overflow="fold")
    table.add_column(words("solve.seconds"), justify="right")
    for result in results:
        table.add_row(
            result.name,
            Text(words(f"solve.{result.verdict}"), style=_STYLES[result.verdict]),
            result.objective,
            result.luck,
            value_text(result.value),
            "" if result.stored is None else value_text(result.stored),
            f"{result.seconds:.2f}" if result.verdict != "bad" else "",
        )
    console.print(table)
    for result in results:
        if result.verdict in ("wrong", "open"):
            console.print()
            for complaint in result.complaints:
                console.print(Text(f"{result.name}: {complaint}"))
        if result.line and (result.verdict in ("wrong", "new") or len(results) == 1):
            console.print()
            console.print(Text(words("solve.best_is", name=result.name, line=result.line)))
    if len(results) > 1:
        counts = {verdict: sum(result.verdict == verdict for result in results) for verdict in _STYLES}
        console.print()
        told = (f"{number} {words(f'solve.{verdict}')}" for verdict, number in counts.items() if number)
        console.print(Text(", ".join(told)))


def _as_data(result: Solved) -> dict[str, Any]:
    data: dict[str, Any] = {
        "puzzle": result.name,
        "verdict": result.verdict,
        "title": result.title,
        "objective": result.objective,
        "luck": result.luck,
        "value": list(result.value),
        "upper": list(result.upper),
        "stored": None if result.stored is None else list(result.stored),
        "line": result.line,
        "ties": list(result.ties),
        "stats": {"states": result.states, "seconds": result.seconds, "solver": result.solver},
        "complaints": list(result.complaints),
    }
    return data if result.verdict != "bad" else {key: data[key] for key in ("puzzle", "verdict", "complaints")}


def _show_check(words: Words, puzzle: Puzzle, checked: CheckedLine) -> None:
    console = answers()
    terms = [str(term) for term in puzzle.objective.terms]
    for number, step in enumerate(checked.steps, 1):
        verdict = f"  {words('solve.loses', loss=_loss_text(step.loss, terms))}" if any(step.loss) else ""
        console.print(Text(f"{number:>2}. {step.text}").append(verdict, style="bold red"))
        if any(step.loss):
            console.print(Text(f"    {_best_text(words, step.best)}"))
    if checked.left:
        console.print(Text(f"    {words('solve.too_early')}", style="bold red"))
        console.print(Text(f"    {_best_text(words, checked.left)}"))
    console.print()
    best = value_text([float(term) for term in checked.best])
    if checked.right:
        right = words("solve.is_right", objective=puzzle.objective, value=best, luck=puzzle.luck)
        console.print(Text(right, "green"))
    else:
        value = value_text(checked.value)
        console.print(Text(words("solve.not_best", value=value, best=best, objective=puzzle.objective)))


def _best_text(words: Words, actions: Iterable[Action]) -> str:
    return words("solve.best", list=words("solve.or").join(map(action_text, actions)))


def _loss_text(loss: Iterable[Any], terms: list[str]) -> str:
    return ", ".join(f"{value_text([float(lost)])} {term}" for lost, term in zip(loss, terms, strict=True) if lost)


def _checked_data(checked: CheckedLine) -> dict[str, Any]:
    return {
        "format": "gizmos-check/1",
        "right": checked.right,
        "value": list(checked.value),
        "best": [float(term) for term in checked.best],
        "loss": [float(term) for term in checked.loss],
        "ended": checked.ended,
        "left": [action_text(action) for action in checked.left],
        "steps": [
            {"step": step.text, "loss": [float(term) for term in step.loss], "best": [*map(action_text, step.best)]}
            for step in checked.steps
        ],
    }
