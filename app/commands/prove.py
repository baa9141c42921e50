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
from app.options import AsJson, Language
from app.progress import waiting
from app.words import Words, words_for
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
    language: Language = None,
) -> None:
    """Prove the best turn of a position without luck, by CP-SAT.

    The proof shares no code with the search of `advise`. Exit code 1: not proved, since the turn can come to depend on
    an unknown card or marble, or since time ran out; or a goal can't be reached.
    """
    words = words_for(language)
    asked = _asked(position, objective)
    with waiting(words("prove.proving")):
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
        show_parts(*_parts(words, asked, proof))
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


def _parts(words: Words, asked: _Asked, proof: Proof) -> Iterator[RenderableType]:
    if asked.title:
        yield Text(asked.title, "bold")
    yield Text(_headline(words, proof), "bold")
    if proof.unknown:
        yield Text(words("prove.unknown", list="; ".join(proof.unknown)))
    if proof.status == "luck":
        yield Text(words("prove.luck_hint"))
    if proof.moves:
        yield Text()
        for number, step in enumerate(line_text(proof.position, proof.moves).split("; "), 1):
            yield Text(f"{number}. {step}")
    if proof.reasons:
        yield Text()
        yield Text(words("prove.why"), "bold")
        for reason in proof.reasons:
            yield Text(f"- {reason.words}")
    if proof.count is not None:
        yield Text()
        yield Text(_count(words, proof))
    if proof.steps:
        yield Text()
        variables, seconds = f"{proof.variables:,}", f"{proof.seconds:.2f}"
        yield Text(words("prove.size", steps=proof.steps, variables=variables, seconds=seconds), "dim")


def _headline(words: Words, proof: Proof) -> str:
    value = ", ".join(map(str, proof.value))
    if proof.status == "luck":
        return words("prove.luck", objective=proof.objective)
    if proof.status == "time":
        late = words("prove.time", objective=proof.objective)
        upper = ", ".join(map(str, proof.bound))
        return f"{late} {words('prove.bounds', lower=value, upper=upper)}" if proof.value else late
    goal = isinstance(proof.objective.terms[0], Goal)
    key = "best" if not goal else "goal" if proof.value[0] else "missed"
    return words(f"prove.{key}{'_safe' if proof.safe else ''}", objective=proof.objective, value=value)


def _count(words: Words, proof: Proof) -> str:
    count = proof.count
    if count is None:
        return ""
    least = "" if count.complete else words("prove.least")
    ways = words("prove.ways", n=count.payments, least=least)
    return words("prove.count", n=count.turns, least=least, ways=ways)


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
