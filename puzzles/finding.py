"""Find puzzles: files, folders, the shipped collection, texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from engine.errors import GizmosError, UnreadableError, quoted
from puzzles.document import Puzzle, read_puzzle

SUFFIXES: Final = (".toml", ".json", ".jsonl")


@dataclass(frozen=True)
class Found:
    """The text of a puzzle that was asked for, and what to call it in messages."""

    name: str
    text: str

    def read(self) -> Puzzle:
        """Read the puzzle; every fault begins with its name.

        Raises UnreadableError or InvalidPositionError.
        """
        try:
            return read_puzzle(self.text)
        except GizmosError as error:
            raise type(error)([f"{self.name}: {fault}" for fault in error.faults]) from error


def find(wanted: str) -> list[Found]:
    """The puzzles that a word on the command line asks for.

    It may be a file (a `.jsonl` file holds one puzzle a line), a folder (all puzzle files in it, in order of name), the
    name of a shipped puzzle, or the name of a part of the shipped collection such as `hand`.

    Raises UnreadableError for what is none of these, or can't be read as text.
    """
    path = Path(wanted)
    if path.is_dir():
        inside = [each for each in sorted(path.rglob("*")) if each.suffix in SUFFIXES and each.is_file()]
        if not inside:
            raise UnreadableError(f"{quoted(wanted)}: no puzzle in this folder, expected files {', '.join(SUFFIXES)}")
        return [found for each in inside for found in _in_file(each)]
    if path.is_file():
        return _in_file(path)
    shipped = shipped_puzzles()
    if wanted in shipped:
        return [shipped[wanted]]
    parts = [found for key, found in shipped.items() if part_of(key) == wanted]
    if parts:
        return parts
    raise UnreadableError(
        f"{quoted(wanted)}: no such file, folder or shipped puzzle (`gizmos puzzles list` names those)"
    )


def _in_file(path: Path) -> list[Found]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path}: no text in UTF-8 ({error.reason} at byte {error.start})") from error
    except OSError as error:
        raise UnreadableError(f"{path}: can't be read ({error.strerror})") from error
    if path.suffix != ".jsonl":
        return [Found(str(path), text)]
    return [Found(f"{path}:{number}", line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


@cache
def shipped_puzzles() -> dict[str, Found]:
    """Every shipped puzzle by its name: those made by hand first, then the mined ones by difficulty."""
    collection = files("puzzles").joinpath("collection")
    found: dict[str, Found] = {}
    hand = collection.joinpath("hand")
    for entry in sorted(hand.iterdir(), key=lambda each: each.name):
        if entry.name.endswith(".toml"):
            name = entry.name.removesuffix(".toml")
            found[name] = Found(name, entry.read_text(encoding="utf-8"))
            _PARTS[name] = "hand"
    for step in (1, 2, 3, 4, 5):
        mined = collection.joinpath(f"mined-{step}.jsonl")
        if mined.is_file():
            for line in mined.read_text(encoding="utf-8").splitlines():
                name = str(json.loads(line)["id"])
                found[name] = Found(name, line)
                _PARTS[name] = f"mined-{step}"
    return found


_PARTS: Final[dict[str, str]] = {}


def part_of(name: str) -> str:
    """The part of the shipped collection that a shipped puzzle belongs to: `hand`, `mined-1` to `mined-5`."""
    return _PARTS.get(name, "")


def shipped() -> Iterator[Puzzle]:
    """Read every shipped puzzle."""
    for found in shipped_puzzles().values():
        yield found.read()
