"""`gizmos cards`: the gizmo cards."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cards import CARDS

EXAMPLES = {"cards": ("gizmos cards 208",)}


def cards(numbers: Annotated[list[int] | None, typer.Argument(metavar="[ID]...", help="Card numbers.")] = None) -> None:
    """List gizmo cards, and what they do."""
    for number in numbers or CARDS:
        typer.echo(f"{number}")
