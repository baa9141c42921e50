"""A whole puzzle in one address: a position line with a question behind it, alone or as the end of a web address.

    gizmos1/110/.../?objective=score&luck=worst&title=Three%20listeners

Whatever reads position lines reads the part before the question mark.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode

from engine.document import document_data
from engine.errors import UnreadableError, quoted
from engine.line import PREFIX, read_line, write_line
from puzzles.document import FORMAT, Puzzle, PuzzleDocument, checked

_ADDRESS: Final = re.compile(rf"{re.escape(PREFIX)}[A-Za-z0-9/.,_~%-]*(?:\?[A-Za-z0-9/.,_~%&=+;:-]*)?")
_TEXTS: Final = ("objective", "luck", "id", "title", "source")


def write_address(puzzle: Puzzle, base: str = "", *, answer: bool = False) -> str:
    """Write a puzzle as an address; with `base` (a web address without `#`) as the part behind its `#`.

    With `answer` it tells the answer too.
    """
    document = puzzle.document
    asked = {name: str(getattr(document, name)) for name in _TEXTS if getattr(document, name)}
    fields = [*asked.items()]
    if answer and document.answer is not None:
        fields += [("value", f"{term:g}" if term.is_integer() else repr(term)) for term in document.answer.value]
        fields += [("line", line) for line in document.answer.lines]
    line = f"{write_line(puzzle.position)}?{urlencode(fields, quote_via=quote, safe='/,:;')}"
    return f"{base}#{line}" if base else line


def read_address(text: str) -> Puzzle:
    """Read the puzzle whose address stands in a text: a forum post, a Markdown page, or the address alone.

    If several stand there, the one that tells most counts. Raises UnreadableError or InvalidPositionError.
    """
    found = sorted(_ADDRESS.findall(text), key=len)
    if not found:
        raise UnreadableError(
            f"{quoted(text.strip())}: no puzzle, expected an address such as {PREFIX}...?objective=score"
        )
    line, _, query = found[-1].partition("?")
    fields = parse_qsl(query, keep_blank_values=True)
    data: dict[str, Any] = {**document_data(read_line(line)), "format": FORMAT}
    value: list[float] = []
    lines: list[str] = []
    unknown: list[str] = []
    for name, content in fields:
        if name in _TEXTS:
            data[name] = content
        elif name == "value":
            value.append(_number(content))
        elif name == "line":
            lines.append(content)
        else:
            unknown.append(f"{name}: unknown part of an address, expected {', '.join(_TEXTS)}, value or line")
    if unknown:
        raise UnreadableError(unknown)
    if value:
        data["answer"] = {"value": value, "lines": lines}
    return checked(read_table(data))


def read_table(data: dict[str, Any]) -> PuzzleDocument:
    """A puzzle document from the table that it holds.

    Raises UnreadableError with every fault and its place.
    """
    from engine.reading import read_model  # noqa: PLC0415

    document, faults = read_model(PuzzleDocument, data)
    if faults or document is None:
        raise UnreadableError([*faults.values()])
    return document


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise UnreadableError(f"value: {quoted(text)}, expected a number") from error
