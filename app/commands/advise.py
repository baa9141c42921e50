"""`gizmos advise`: the best turn of a position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.answer_data import answer_data
from app.answer_text import answer, is_missed_goal, progress_text
from app.board_text import Glyphs, board
from app.console import answers, print_json, show_parts
from app.exits import ANSWERED_NO, INTERRUPTED
from app.given import PositionArgument, read_given
from app.options import AsJson, Language
from app.output import write_output
from app.pareto_text import pareto_parts
from app.pictures.board import board_svg, line_marks
from app.plan_text import plan_parts
from app.progress import waiting
from app.words import words_for
from engine.errors import GizmosError, UnreadableError
from solver import Luck, Solution, parse_objective, solve

EXAMPLES = {
    "advise": (
        "gizmos advise chain",
        "gizmos advise turn17 --objective score,marbles --luck worst",
        'gizmos advise chain --objective "goal: ring holds 2 yellow"',
        "gizmos advise chain --objective marbles --plan",
        "gizmos advise gamble --pareto",
        "gizmos convert chain | gizmos advise - --json",
    )
}


def advise(
    position: PositionArgument,
    *,
    objective: Annotated[
        str,
        typer.Option(
            metavar="OBJECTIVE",
            help="What counts at the end of the turn, most important first: score, activations, marbles, 'goal: ...'.",
        ),
    ] = "score",
    luck: Annotated[Luck, typer.Option(help="What counts where luck decides.")] = "average",
    top: Annotated[int, typer.Option(min=1, help="How many first steps to compare.")] = 3,
    plan: Annotated[bool, typer.Option("--plan", help="Show what to do whatever comes.")] = False,
    pareto: Annotated[
        bool, typer.Option("--pareto", help="Show how points, marbles left and gizmos built can be traded, too.")
    ] = False,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0, help="Stop then, and say what is proved so far.")
    ] = None,
    solver: Annotated[
        Literal["auto", "kernel", "reference"],
        typer.Option(help="The compiled search, the one in Python, or the first of them that can do it."),
    ] = "auto",
    threads: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Threads of the compiled search; the answer does not depend on them."),
    ] = 1,
    picture: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the best turn into this SVG file too.")
    ] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Find the best turn of a position.

    It says how sure that is: what is proved, and what is luck.
    """
    words = words_for(language)
    given = read_given(position)
    aim = parse_objective(objective)
    try:
        with waiting(words("answer.searching")) as show:
            solution = solve(
                given.position,
                objective=aim,
                luck=luck,
                top=top,
                time_limit=time_limit,
                with_plan=plan,
                solver=solver,
                threads=threads,
                progress=lambda progress: show(progress_text(words, aim, progress)),
                pareto=pareto,
            )
    except ValueError as error:
        if solver != "kernel" or isinstance(error, GizmosError):
            raise
        raise UnreadableError(f"--solver kernel: {error}; expected auto or reference") from error
    if picture is not None:
        marks = line_marks(solution.best) if solution.best is not None else {}
        write_output(picture, board_svg(given.position, highlight=marks, title=given.title, words=words))
    if as_json:
        print_json(answer_data(solution, given.title))
    else:
        glyphs = Glyphs(answers())
        parts = [board(words, glyphs, given.position, given.title), *answer(words, glyphs, solution)]
        show_parts(*parts, *pareto_parts(words, solution), *plan_parts(words, solution))
    code = exit_code(solution)
    if code:
        raise typer.Exit(code)


def exit_code(solution: Solution) -> int:
    """0 for an answer, 1 for the answer that a goal can't be reached, 130 for an interruption without any answer."""
    if solution.status == "interrupted" and not solution.lines:
        return INTERRUPTED
    return ANSWERED_NO if is_missed_goal(solution) else 0
