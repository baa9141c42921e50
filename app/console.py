"""Where answers are printed: terminals, pipes, with and without colours."""

from __future__ import annotations

import sys
from typing import Any, Final

import msgspec
import typer
from rich.console import Console, RenderableType

_MAX_WIDTH: Final = 100
"""Lines longer than this are hard to read."""


def answers() -> Console:
    """The console for answers: standard output, 80 columns when piped, never wider than is good to read."""
    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = 80
    console.width = min(console.width, _MAX_WIDTH)
    return console


def show_parts(*parts: RenderableType) -> None:
    """Print on standard output, without blanks at the ends of lines."""
    console = answers()
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    for line in captured.get().splitlines():
        typer.echo(line.rstrip(), color=True)


def remarks() -> Console:
    """The console for progress and remarks: standard error."""
    return Console(stderr=True, highlight=False)


def print_json(data: Any) -> None:
    """Print data as JSON, and nothing else, on standard output."""
    text = msgspec.json.format(msgspec.json.encode(data), indent=2).decode()
    sys.stdout.write(text + "\n")
