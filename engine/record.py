"""Game records `gizmos-game/1`: a start position and all that followed, one action or reveal a line (JSON Lines).

```
{"format": "gizmos-game/1", "title": "Ann against Ben", "start": {"format": "gizmos-position/1", ...}}
{"action": "pick Y"}
{"reveal": "row R"}
{"action": "build 208 from archive with YY via 217"}
```

Actions and reveals are written as in lines (docs/notation.md); a researched card nobody wrote down is `research ?`.
Reveals that only one outcome fits are not written. Unknown keys are kept in the header and ignored elsewhere.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from engine.actions import File, Move, Pass, Pick, ResearchDeck, Reveal
from engine.document import document_data, read_position
from engine.errors import GizmosError, IllegalActionError, UnreadableError, quoted
from engine.notation import action_text, parse_action, parse_reveal, reveal_text
from engine.playout import play_move
from engine.position import Position
from engine.rules import apply_unchecked, legal_actions

FORMAT: Final = "gizmos-game/1"
BGA: Final = "bga"
"""The value of `rules` for games that were played by the rulings of Board Game Arena: see `may_pass`."""

_FAMILY: Final = "gizmos-game/"
_EXPECTED: Final = 'expected {"action": "..."} or {"reveal": "..."}'


class Ply(msgspec.Struct, frozen=True):
    """One decision of a player or of nature: `position` is the one before it."""

    position: Position
    move: Move


class Record(msgspec.Struct, frozen=True):
    """A game from its start position. `rules` is "" (as printed) or "bga"; `more` holds keys we do not know."""

    start: Position
    moves: tuple[Move, ...] = ()
    title: str = ""
    source: str = ""
    rules: str = ""
    more: dict[str, Any] = {}

    @property
    def final(self) -> Position:
        """The position after the last move."""
        position = self.start
        for ply in self.plies():
            position = play_recorded(ply.position, ply.move, self.rules)
        return position

    def plies(self) -> Iterator[Ply]:
        """Every move with the position before it.

        Raises IllegalActionError if a move can't be played.
        """
        position = self.start
        for move in self.moves:
            yield Ply(position, move)
            position = play_recorded(position, move, self.rules)

    def positions(self) -> list[Position]:
        """The position at every ply, the start first and the final one last."""
        positions = [self.start]
        for move in self.moves:
            positions.append(play_recorded(positions[-1], move, self.rules))
        return positions

    def with_moves(self, moves: Iterable[Move]) -> Record:
        """The record with these moves at its end."""
        return replace(self, moves=(*self.moves, *moves))


def play_recorded(position: Position, move: Move, rules: str = "") -> Position:
    """The position after a move of a record.

    Raises IllegalActionError.
    """
    if rules == BGA and move == Pass() and may_pass(position):
        return apply_unchecked(position, move)
    return play_move(position, move)


def may_pass(position: Position) -> bool:
    """True if Board Game Arena lets a player pass the main action: no pick, file or research is possible.

    The printed rules want a build, if one is possible.
    """
    if position.turn.acted or position.is_chance or position.is_over:
        return False
    return not any(isinstance(action, Pick | File | ResearchDeck) for action in legal_actions(position))


def parse_move(position: Position, text: str, rules: str = "") -> Move:
    """Read what comes next in a game: a reveal if nature owes one, else an action.

    Raises UnreadableError, IllegalActionError or AmbiguousActionError.
    """
    if position.is_chance:
        return parse_reveal(position, text)
    if rules == BGA and text.strip().lower() == "pass" and may_pass(position):
        return Pass()
    return parse_action(position, text)


def move_text(move: Move) -> str:
    """Write a move as records hold it.

    >>> move_text(Reveal("draw", 0)), move_text(Reveal("row", 3)), move_text(Reveal("research", 0))
    ('draw R', 'row Y', 'research ?')
    """
    if not isinstance(move, Reveal):
        return action_text(move)
    text = reveal_text(move)
    return text if text.startswith(move.kind) else f"{move.kind} {text}"


def write_record(record: Record) -> str:
    """A record as text that `read_record` reads back."""
    header: dict[str, Any] = {"format": FORMAT}
    header |= {key: value for key in ("title", "source", "rules") if (value := getattr(record, key))}
    header |= {"start": document_data(record.start), **record.more}
    lines = [header, *({_kind(move): move_text(move)} for move in record.moves)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def read_record(text: str) -> Record:
    """Read a record by playing it.

    Raises UnreadableError, InvalidPositionError, IllegalActionError or AmbiguousActionError that names the line.
    """
    lines = [(number, line) for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1) if line.strip()]
    if not lines:
        raise UnreadableError(f"the record is empty: expected a first line with the key 'format', such as {FORMAT!r}")
    record: Record = _at_line(lines[0][0], _read_header, lines[0][1])
    position = record.start
    moves: list[Move] = []
    for number, line in lines[1:]:
        move, position = _at_line(number, _read_move, line, position, record.rules)
        moves.append(move)
    return record.with_moves(moves)


def load_record(path: Path) -> Record:
    """Read a record from a file.

    Raises UnreadableError if there is no such file or it is no text, and what `read_record` raises.
    """
    try:
        return read_record(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path}: not text in UTF-8, expected a game record") from error
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror or error}") from error


def save_record(record: Record, path: Path) -> None:
    """Write a record to a file, completely or not at all: it is written beside it and then renamed."""
    save_text(write_record(record), path)


def save_text(text: str, path: Path) -> None:
    """Write a text file, completely or not at all.

    Raises UnreadableError if it can't be written.
    """
    name = ""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            name = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        Path(name).replace(path)
    except OSError as error:
        with suppress(OSError):
            if name:
                Path(name).unlink()
        raise UnreadableError(f"{path}: can't be written ({error.strerror or error})") from error


def _kind(move: Move) -> str:
    return "reveal" if isinstance(move, Reveal) else "action"


def _at_line(number: int, read: Any, *arguments: Any) -> Any:
    try:
        return read(*arguments)
    except GizmosError as error:
        raise type(error)([f"line {number}: {fault}" for fault in error.faults]) from error


def _object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except RecursionError as error:
        raise UnreadableError("it nests too deeply") from error
    except ValueError as error:
        raise UnreadableError(f"{quoted(line)} is no JSON object ({error})") from error
    if not isinstance(data, dict):
        raise UnreadableError(f"{quoted(line)} is no JSON object")
    return data


def _read_header(line: str) -> Record:
    data = _object(line)
    version = data.pop("format", None)
    if version != FORMAT:
        if isinstance(version, str) and version.startswith(_FAMILY):
            raise UnreadableError(f"format {quoted(version)} is newer than this program, expected {FORMAT!r}")
        raise UnreadableError(f"format {quoted(str(version))} is no game record, expected {FORMAT!r} in the first line")
    faults: list[str] = []
    texts: dict[str, str] = {}
    for key in ("title", "source", "rules"):
        value = data.pop(key, "")
        if not isinstance(value, str):
            faults.append(f"{key}: {quoted(str(value))}, expected text")
        elif key == "rules" and value not in ("", BGA):
            faults.append(f"rules: {quoted(value)}, expected {BGA!r}, or nothing for the printed rules")
        else:
            texts[key] = value
    start = data.pop("start", None)
    if not isinstance(start, dict | str):
        faults.append("start: missing, expected a position document or a position line")
    if faults:
        raise UnreadableError(faults)
    try:
        position = read_position(start if isinstance(start, str) else json.dumps(start))
    except GizmosError as error:
        raise type(error)([f"start: {fault}" for fault in error.faults]) from error
    return Record(position, (), texts["title"], texts["source"], texts["rules"], data)


def _read_move(line: str, position: Position, rules: str) -> tuple[Move, Position]:
    data = _object(line)
    given = [key for key in ("action", "reveal") if key in data]
    if len(given) != 1 or not isinstance(data[given[0]], str):
        raise UnreadableError(f"{quoted(line)}: {_EXPECTED}")
    text = data[given[0]]
    if given == ["action"] and position.is_chance:
        raise IllegalActionError(f"{quoted(text)} is not legal here: nature owes a reveal ({_owed(position)})")
    if given == ["reveal"] and not position.is_chance:
        raise IllegalActionError(f"{quoted(text)} is one reveal too many: nature owes nothing")
    move = parse_move(position, text, rules)
    return move, play_recorded(position, move, rules)


def _owed(position: Position) -> str:
    awaited = position.turn.awaited[0]
    return f"{awaited.kind} {awaited.level}" if awaited.level else awaited.kind
