"""What a POSITION argument stands for: a file, standard input, a position line, or a shipped example."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Final, NamedTuple, TypeAlias

import typer

from app.examples import example_names, example_text
from engine.document import position_of, read_document
from engine.errors import GizmosError, UnreadableError, quoted
from engine.line import PREFIX, read_line
from engine.position import Position

POSITION_HELP: Final = (
    "A position file (.toml or .json), - for standard input, a position line, or the name of an example."
)
PositionArgument: TypeAlias = Annotated[str, typer.Argument(metavar="POSITION", show_default=False, help=POSITION_HELP)]
_MOST_BYTES: Final = 1_000_000
_SUFFIXES: Final = (".toml", ".json")


class Given(NamedTuple):
    """A position, and the title that its document gives it."""

    position: Position
    title: str = ""


def read_given(argument: str) -> Given:
    """Read what a POSITION argument stands for.

    A shipped example is found by its name even if there is a file of that name; `./chain` is the file.

    >>> read_given("gizmos1/110/UUY/-/0,0,0/-/RRY.a12b04s01...Ann/-").position.player.name
    'Ann'

    Raises GizmosError; each fault names the file or the example it is about.
    """
    text = argument.strip()
    if text.startswith(PREFIX):
        return Given(read_line(text))
    if text in example_names():
        return parse_given(example_text(text), f"example {text}")
    return parse_given(read_input(argument), "standard input" if text == "-" else argument)


def parse_given(text: str, source: str) -> Given:
    """Read a position line or a document; faults begin with `source`, the place it comes from."""
    text = text.removeprefix("\ufeff").strip()
    try:
        if text.startswith(PREFIX):
            return Given(read_line(text))
        document = read_document(text)
        return Given(position_of(document), document.title)
    except GizmosError as error:
        raise type(error)([f"{source}: {fault}" for fault in error.faults]) from error


def read_input(argument: str, most: int = _MOST_BYTES) -> str:
    """The text of a file, or of standard input for `-`, of at most so many bytes.

    Raises UnreadableError that says why it can't be read.
    """
    if argument.strip() == "-":
        return _decoded(sys.stdin.buffer.read(most + 1), "standard input", most)
    if not argument.strip():
        raise UnreadableError(_nothing_of_that_name(argument))
    try:
        with Path(argument).open("rb") as file:
            return _decoded(file.read(most + 1), argument, most)
    except FileNotFoundError:
        raise UnreadableError(_nothing_of_that_name(argument)) from None
    except IsADirectoryError as error:
        raise UnreadableError(f"{argument}: a folder, expected a position file") from error
    except (OSError, ValueError) as error:
        if isinstance(error, GizmosError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableError(f"{quoted(argument)}: the file can't be read ({reason})") from error


def _decoded(data: bytes, source: str, most: int) -> str:
    if len(data) > most:
        raise UnreadableError(f"{source}: longer than {most} bytes, expected less")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{source}: byte {error.start + 1} is no UTF-8, expected text in UTF-8") from error


def _nothing_of_that_name(argument: str) -> str:
    names = example_names()
    if argument.lower().endswith(_SUFFIXES):
        return f"{quoted(argument)}: there is no such file"
    close = get_close_matches(argument.lower(), names, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return (
        f"{quoted(argument)} is no file, no position line ({PREFIX}...) and none of the examples "
        f"{', '.join(names)}.{hint}"
    )
