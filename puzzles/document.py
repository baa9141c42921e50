"""Puzzle documents: a position, a question about it, and the stored answer with its proof (docs/puzzles.md).

A puzzle document is a position document with more keys, so whatever is true of that (TOML and JSON, what may be left
out, byte order marks, line ends) is true here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal

import tomlkit
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from engine.document import document_data, position_of, read_as
from engine.errors import GizmosError, InvalidPositionError
from engine.notation import parse_line
from engine.position import Position
from engine.schema import TableDocument
from solver import Luck, Objective, parse_objective

FORMAT: Final = "gizmos-puzzle/1"
DIFFICULTIES: Final = (1, 2, 3, 4, 5)
_SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"


def _objective(text: str) -> str:
    parse_objective(text)
    return text


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ProofDocument(_Table):
    """Who proved the answer."""

    by: list[str] = Field([], description="the solvers that agree: kernel, reference, cp-sat")
    version: str = Field("", description="the version of this program that proved it")
    unique: bool = Field(
        default=False, description="whether all best lines do the same, order, payment and idle deeds aside"
    )


class AnswerDocument(_Table):
    """The stored answer."""

    value: list[float] = Field(description="the proved value: one number for each term of the objective")
    lines: list[str] = Field([], description="best lines, each to be read as a line of moves from the position")
    proof: ProofDocument | None = Field(None, description="who proved it")


class ProvenanceDocument(_Table):
    """Where a mined puzzle comes from: enough to mine it again."""

    seed: int = Field(description="seed of the mining run")
    game: int = Field(description="number of the game in the run, counted from 0")
    turn: int = Field(description="number of the turn in the game, counted from 0")
    players: list[str] = Field([], description="the kinds of players, in the order of seats")
    version: str = Field("", description="the version of the miner")


class TraitsDocument(_Table):
    """What the difficulty is measured by."""

    decisions: int = Field(description="decisions in the best line")
    gizmos: int = Field(description="gizmos used in the best line, converters included")
    first_actions: int = Field(description="first actions to choose from")
    rank: int = Field(description="how many first actions look better at first sight than the right one")
    loss: float = Field(description="what a greedy player loses")


class PuzzleDocument(TableDocument):
    """A puzzle: a position of the board game Gizmos, and what is to be found."""

    format: Literal["gizmos-puzzle/1"] = Field(description=f'"{FORMAT}"')
    id: str = Field("", description="a name without blanks, unique in its collection", pattern=r"^[a-z0-9-]*$")
    text: str = Field("", description="the argument for the answer, or whatever else there is to say, shown with it")
    source: str = Field("", description="where the puzzle comes from")
    objective: Annotated[str, AfterValidator(_objective)] = Field(
        "score", description="what is to be maximised at the end of the turn"
    )
    luck: Literal["worst", "average", "best"] = Field(
        "worst", description="how reveals count: what can be guaranteed, the exact expectation, what could happen"
    )
    difficulty: int | None = Field(None, ge=1, le=5, description="1 (easy) to 5 (hard)")
    themes: list[str] = Field([], description="what the answer is about")
    hints: list[str] = Field([], description="hints of the author, shown one by one")
    answer: AnswerDocument | None = Field(None, description="the stored answer; left out: not known yet")
    traits: TraitsDocument | None = Field(None, description="what the difficulty is measured by")
    provenance: ProvenanceDocument | None = Field(None, description="where a mined puzzle comes from")


class Puzzle:
    """A puzzle document that has been read, with the values that its texts stand for."""

    __slots__ = ("document", "objective", "position")

    def __init__(self, document: PuzzleDocument) -> None:
        self.document: Final = document
        self.position: Final[Position] = position_of(document)
        self.objective: Final[Objective] = parse_objective(document.objective)

    @property
    def id(self) -> str:
        """The name of the puzzle in its collection."""
        return self.document.id

    @property
    def title(self) -> str:
        """What to call the puzzle."""
        return self.document.title or self.document.id or "untitled puzzle"

    @property
    def luck(self) -> Luck:
        """How reveals count."""
        return self.document.luck

    @property
    def answer(self) -> AnswerDocument | None:
        """The stored answer."""
        return self.document.answer


def read_puzzle(text: str) -> Puzzle:
    r"""Read a puzzle document in TOML or JSON.

    >>> read_puzzle('format = "gizmos-puzzle/1"\nplayers = [{ ring = "R" }]').objective.terms
    ('score',)

    Raises UnreadableError or InvalidPositionError with every fault and its place, those of the stored answer included.
    """
    return checked(read_as(PuzzleDocument, text))


def checked(document: PuzzleDocument) -> Puzzle:
    """The puzzle of a document whose stored answer fits its position.

    Raises InvalidPositionError for an answer that can't belong to this puzzle.
    """
    puzzle = Puzzle(document)
    faults = [*_answer_faults(puzzle)]
    if puzzle.position.is_over:
        faults.append("players: the game is over in this position, expected one with a turn to play")
    if faults:
        raise InvalidPositionError(faults)
    return puzzle


def _answer_faults(puzzle: Puzzle) -> Iterable[str]:
    answer = puzzle.answer
    if answer is None:
        return
    terms = len(puzzle.objective.terms)
    if len(answer.value) != terms:
        yield f"answer.value: {len(answer.value)} numbers, expected {terms} for the objective {puzzle.objective}"
    for number, line in enumerate(answer.lines, 1):
        try:
            parse_line(puzzle.position, line)
        except GizmosError as error:
            yield from (f"answer.lines[{number}]: {fault}" for fault in error.faults)


def puzzle_data(document: PuzzleDocument, position: Position | None = None) -> dict[str, Any]:
    """A puzzle as the table that documents hold: what is asked, the position, then the answer.

    The position is that of the document unless another one is given.
    """
    table = document_data(position or position_of(document))
    given = document.model_dump(exclude_defaults=True, exclude_none=True)
    head = {"format": FORMAT, **_picked(given, ("id", "title", "text", "source"))}
    question = {"objective": document.objective, "luck": document.luck}
    labels = _picked(given, ("difficulty", "themes", "hints"))
    place = {key: value for key, value in table.items() if key not in ("format", "title")}
    if "answer" in given:
        given["answer"]["value"] = [int(term) if term.is_integer() else term for term in given["answer"]["value"]]
    return {**head, **question, **labels, **place, **_picked(given, ("answer", "traits", "provenance"))}


def _picked(data: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    return {key: data[key] for key in keys if key in data}


def puzzle_to_toml(document: PuzzleDocument) -> str:
    """Write a puzzle as a TOML document that `read_puzzle` reads back."""
    data = puzzle_data(document)
    if "\n" in document.text:
        data["text"] = tomlkit.string(document.text, multiline=True)
    for name in ("decks", "turn", "answer"):
        data[name] = {key: _written(value) for key, value in data.get(name, {}).items()}
    return tomlkit.dumps({key: value for key, value in data.items() if value != {}})


def _written(value: Any) -> Any:
    """Tables inside tables on one line, lists of lines over several."""
    if isinstance(value, list) and any(isinstance(item, str) for item in value):
        lines = tomlkit.array()
        lines.extend(value)
        return lines.multiline(multiline=True)
    if not isinstance(value, dict):
        return value
    table = tomlkit.inline_table()
    table.update(value)
    return table


def puzzle_to_json(document: PuzzleDocument) -> str:
    """Write a puzzle as a JSON document on one line that `read_puzzle` reads back."""
    return json.dumps(puzzle_data(document), ensure_ascii=False)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of puzzle documents, as published in docs/puzzle.schema.json."""
    return {"$schema": _SCHEMA, **PuzzleDocument.model_json_schema()}


if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=2))  # noqa: T201 - its output is docs/puzzle.schema.json
