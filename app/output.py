"""Files that commands write."""

from __future__ import annotations

from pathlib import Path

import typer

from engine.errors import UnreadableError


def write_output(path: Path, text: str) -> None:
    """Write a file, or print the text for `-`.

    Raises UnreadableError that says why it can't be written.
    """
    if str(path) == "-":
        typer.echo(text, nl=False)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableError(f"{path}: the file can't be written ({reason})") from error
