"""The command `gizmos`.

Heavy libraries are imported inside the commands that use them, so that `gizmos --help` answers at once.
"""

from importlib.metadata import version
from typing import Annotated

import typer

cli = typer.Typer(name="gizmos", no_args_is_help=True)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gizmos-solver {version('gizmos-solver')}")
        raise typer.Exit


@cli.callback()
def _gizmos(
    *,
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Exact turn analysis for the board game Gizmos."""


def main() -> None:
    """Run the command line."""
    cli()
