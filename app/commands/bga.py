"""`gizmos import-bga`: positions and finished games from Board Game Arena's pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from app.commands.positions import Notation
from app.exits import BAD_INPUT, report_bad_input
from app.given import read_input
from engine.bga.game import read_game
from engine.bga.page import find_data, is_game
from engine.bga.state import read_state
from engine.document import to_json, to_toml
from engine.errors import GizmosError, UnreadableError
from engine.line import write_line
from engine.record import save_text, write_record

EXAMPLES = {
    "import-bga": (
        "gizmos import-bga state.json",
        "gizmos import-bga - --to toml < state.json",
        "gizmos import-bga game.json --output game.jsonl",
    )
}
_MOST_BYTES: Final = 100_000_000


def import_bga(
    file: Annotated[
        str, typer.Argument(metavar="FILE", show_default=False, help="What you copied or saved; - for standard input.")
    ],
    *,
    to: Annotated[Notation | None, typer.Option(help="Write the position in this notation.")] = None,
    player: Annotated[
        int | None, typer.Option(metavar="SEAT", help="Let this seat (from 1) take the next turn.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.", show_default=False)
    ] = None,
) -> None:
    """Read a position or a finished game from Board Game Arena.

    A page's state becomes a position; a first state with the notifications that followed becomes a game record. For
    analysis after the game; docs/bga.md says how to copy them. What can't be read is named, and the rest is kept.
    """
    where = "standard input" if file.strip() == "-" else file
    text = read_input(file, _MOST_BYTES)
    try:
        written, faults = _imported(text, to, player)
    except GizmosError as error:
        raise type(error)([f"{where}: {fault}" for fault in error.faults]) from error
    if output is None:
        typer.echo(written, nl=False)
    else:
        save_text(written, output)
    if faults:
        report_bad_input([f"{where}: {fault}" for fault in faults])
        raise typer.Exit(BAD_INPUT)


def _imported(text: str, to: Notation | None, player: int | None) -> tuple[str, tuple[str, ...]]:
    data = find_data(text)
    if is_game(data):
        if to is not None or player is not None:
            raise UnreadableError("this is a whole game, which becomes a record: expected no --to and no --player")
        record, faults = read_game(data)
        return write_record(record), faults
    position, _, faults = read_state(data, player=player)
    if to == Notation.toml:
        return to_toml(position), faults
    return to_json(position) if to == Notation.json else write_line(position) + "\n", faults
