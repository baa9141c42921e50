"""How a command ends: exit codes, and messages about what went wrong.

| code | meaning |
|---|---|
| 0 | answered |
| 1 | answered "no": the goal can't be reached, a puzzle fails |
| 2 | bad input; the message lists every fault |
| 70 | a fault of this program |
| 130 | interrupted without an answer |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import typer

ANSWERED_NO: Final = 1
BAD_INPUT: Final = 2
BUG: Final = 70
INTERRUPTED: Final = 130


def report_bad_input(faults: Iterable[str]) -> None:
    """Say on standard error what is wrong with the input, one fault a line."""
    first, *others = faults
    if not others:
        typer.echo(f"Error: {first}", err=True)
        return
    typer.echo(f"Error: {len(others) + 1} things are wrong:", err=True)
    for fault in (first, *others):
        typer.echo(f"- {fault}", err=True)


def report_bug(error: Exception) -> None:
    """Say on standard error that the program is at fault, and how to find out more."""
    text = " ".join(str(error).split())
    typer.echo(
        f"This is a fault of gizmos, not yours: {type(error).__name__}: {text[:200]}\n"
        "Please report it with the command you ran. With GIZMOS_DEBUG=1 set, the same command shows where it happened.",
        err=True,
    )
