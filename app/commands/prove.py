"""`gizmos prove`: the best turn proved by CP-SAT, for turns without luck."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer
from rich.console import RenderableType
from rich.text import Text

from app.console import print_json, show_parts
from app.examples import example_names
from app.exits import ANSWERED_NO
from app.given import parse_given, read_given, read_input
from app.options import AsJson
from app.progress import waiting
from engine.notation import line_text
from engine.position import Position
from puzzles.finding import Found, shipped_puzzles
from solver import Objective, parse_objective
from solver.objective import Goal
from solver.proof import Proof, prove

EXAMPLES: Final = {
    "prove": (
        "gizmos prove three-listeners --why --count 100",
        "gizmos prove chain --safe",
        "gizmos prove chain --safe --objective score,marbles --why",
    )
}

_PUZZLE: Final = "gizmos-puzzle/"
_HEAD: Final = 4000
"""What tells a puzzle from a position, and how far from its beginning it is looked for."""


class _Asked(NamedTuple):
    """What is to be proved."""

    position: Position
    objective: Objective
    title: str


def prove_turn(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION|PUZZLE", help="A position (file, line, example), or a puzzle (file, shipped name)."
        ),
    ],
    *,
    objective: Annotated[
        str | None, typer.Option(help="What is to be proved best; for a puzzle its own if not given.")
    ] = None,
    count: Annotated[int, typer.Option(min=0, help="Tell apart up to so many optimal turns, and count them.")] = 0,
    why: Annotated[bool, typer.Option("--why", help="Say what keeps every other turn from doing better.")] = False,
    safe: Annotated[
        bool, typer.Option("--safe", help="Where luck could play a part, prove the best turn that needs none.")
    ] = False,
    time_limit: Annotated[float, typer.Option(min=0, help="Seconds for everything.")] = 60.0,
    workers: Annotated[int, typer.Option(min=1, help="Threads of CP-SAT; the answer does not depend on them.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Prove the best turn of a position without luck, by CP-SAT.

    The proof shares no code with the search of `advise`. Exit code 1: not proved, since the turn can come to depend on
    an unknown card or marble, or since time ran out; or a goal can't be reached.
    """
    asked = _asked(position, objective)
    with waiting("Proving..."):
        proof = prove(
            asked.position,
            objective=asked.objective,
            count=count,
            why=why,
            safe=safe,
            time_limit=time_limit,
            workers=workers,
        )
    if as_json:
        print_json(_as_data(proof))
    else:
        show_parts(*_parts(asked, proof))
    if not proof.optimal or (isinstance(asked.objective.terms[0], Goal) and proof.value[0] == 0):
        raise typer.Exit(ANSWERED_NO)


def _asked(argument: str, objective: str | None) -> _Asked:
    """A position as for other commands, or a puzzle by its shipped name or as a document."""
    asked = _given(argument)
    return asked._replace(objective=parse_objective(objective)) if objective else asked


def _given(argument: str) -> _Asked:
    text = argument.strip()
    if text in shipped_puzzles() and text not in example_names():
        return _of_puzzle(shipped_puzzles()[text])
    if text == "-" or Path(text).is_file():
        document = read_input(text)
        if _PUZZLE in document[:_HEAD]:
            return _of_puzzle(Found("standard input" if text == "-" else text, document))
        given = parse_given(document, "standard input" if text == "-" else text)
    else:
        given = read_given(argument)
    return _Asked(given.position, parse_objective("score"), given.title)


def _of_puzzle(found: Found) -> _Asked:
    puzzle = found.read()
    return _Asked(puzzle.position, puzzle.objective, puzzle.title)


def _parts(asked: _Asked, proof: Proof) -> Iterator[RenderableType]:
    if asked.title:
        yield Text(asked.title, "bold")
    yield Text(_headline(proof), "bold")
    if proof.unknown:
        yield Text(f"Unknown, and possibly used in this turn: {'; '.join(proof.unknown)}.")
    if proof.status == "luck":
        yield Text("With --safe, the best turn is proved that uses nothing unknown; gizmos advise reckons with luck.")
    if proof.moves:
        yield Text()
        for number, step in enumerate(line_text(proof.position, proof.moves).split("; "), 1):
            yield Text(f"{number}. {step}")
    if proof.reasons:
        yield Text()
        yield Text("Why no turn does better", "bold")
        for reason in proof.reasons:
            yield Text(f"- {reason.words}")
    if proof.count is not None:
        yield Text()
        yield Text(_count(proof))
    if proof.steps:
        yield Text()
        size = f"{proof.steps} steps, {proof.variables:,} variables"
        yield Text(f"CP-SAT: {size}, {proof.seconds:.2f} seconds.", "dim")


def _headline(proof: Proof) -> str:
    objective = str(proof.objective)
    values = ", ".join(map(str, proof.value))
    if proof.status == "luck":
        return f"Not proved ({objective}): this turn can come to depend on luck."
    if proof.status == "time":
        bounds = f" At least {values}, at most {', '.join(map(str, proof.bound))}." if proof.value else ""
        return f"Not proved ({objective}): time ran out.{bounds}"
    if isinstance(proof.objective.terms[0], Goal):
        reached = "can be reached" if proof.value[0] else "can't be reached by any turn"
        return f"Proved: the goal {reached} ({objective}: {values}{', without luck' if proof.safe else ''})."
    which = "No turn that needs no luck does better" if proof.safe else "No turn does better"
    return f"Proved: {objective} {values}. {which}."


def _count(proof: Proof) -> str:
    count = proof.count
    if count is None:
        return ""
    least = "" if count.complete else "at least "
    turns = "1 turn reaches" if count.turns == 1 else f"{count.turns} turns reach"
    ways = "1 way" if count.payments == 1 else f"{count.payments} ways"
    return f"Whatever the order, {least}{turns} this value ({least}{ways} if what is spent counts too)."


def _as_data(proof: Proof) -> dict[str, Any]:
    return {
        "status": proof.status,
        "objective": str(proof.objective),
        "value": list(proof.value),
        "bound": list(proof.bound),
        "line": line_text(proof.position, proof.moves) if proof.moves else "",
        "safe": proof.safe,
        "unknown": list(proof.unknown),
        "reasons": [{"bound": reason.bound, "words": reason.words} for reason in proof.reasons],
        "count": None
        if proof.count is None
        else {"turns": proof.count.turns, "payments": proof.count.payments, "complete": proof.count.complete},
        "stats": {"steps": proof.steps, "variables": proof.variables, "seconds": proof.seconds},
    }
