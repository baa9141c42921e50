"""The command `gizmos`: the table of its commands, and what happens when one fails.

A command lies in a module of its own under `app/commands/`, which is only imported when the command runs, so that
`gizmos --help` answers at once and a module may import at its top whatever it needs.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from typing import Annotated, Any, Final, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from app.exits import BAD_INPUT, BUG, INTERRUPTED, report_bad_input, report_bug


class Entry(NamedTuple):
    """A command: its name, where its function lies (`module:function`), the group it is listed in, and one sentence.

    The module's `EXAMPLES[name]` are the example commands that the command's help shows; tests run them. In place of a
    function there may be a `typer.Typer` with commands of its own.
    """

    name: str
    where: str
    group: str
    summary: str


_TURN: Final = "Study a turn"
_POSITION: Final = "Look at positions and cards"
_PUZZLES: Final = "Puzzles"
_GAMES: Final = "Whole games"
_MEASURES: Final = "Measure the program itself"

COMMANDS: Final[tuple[Entry, ...]] = (
    Entry("advise", "app.commands.advise:advise", _TURN, "Find the best turn of a position."),
    Entry(
        "prove", "app.commands.prove:prove_turn", _TURN, "Prove the best turn of a position without luck, by CP-SAT."
    ),
    Entry("chain", "app.commands.chain:chain", _TURN, "Show which gizmos feed which, and what an action can set off."),
    Entry(
        "combos",
        "app.commands.combos:combos",
        _TURN,
        "Show what an engine brings, what to add to it, and how great engines and games can get.",
    ),
    Entry("show", "app.commands.positions:show", _POSITION, "Draw a position; without one, list the shipped examples."),
    Entry("legal", "app.commands.positions:legal", _POSITION, "List everything that the rules allow in a position."),
    Entry("apply", "app.commands.positions:apply", _POSITION, "Play actions from a position."),
    Entry("convert", "app.commands.positions:convert", _POSITION, "Write a position as a line, as TOML or as JSON."),
    Entry("cards", "app.commands.cards:cards", _POSITION, "List gizmo cards, and what they do."),
    Entry(
        "import-bga", "app.commands.bga:import_bga", _GAMES, "Read a position or a finished game from Board Game Arena."
    ),
    Entry("game", "app.commands.game:app", _GAMES, "Write a game down as it is played, and look at any moment of it."),
    Entry("review", "app.commands.review:review", _GAMES, "Compare every turn of a game with the best."),
    Entry("solve", "app.commands.solve:solve", _PUZZLES, "Solve puzzles, and compare with their stored answers."),
    Entry("puzzles", "app.commands.puzzles:puzzles", _PUZZLES, "List, show, play, mine and share puzzles."),
    Entry("check", "app.commands.solve:check", _PUZZLES, "Check your own line for a puzzle."),
    Entry("perft", "app.commands.perft:perft", _MEASURES, "Count action sequences from a position."),
    Entry("bench", "app.commands.bench:bench", _MEASURES, "Measure how fast games, counts and solvers are here."),
)
"""Every command of `gizmos`, as `gizmos --help` lists them. To add one: a line here, and its module."""


class _Command(TyperCommand):
    """A command whose help ends with examples."""

    examples: tuple[str, ...] = ()

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - given by typer
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"  {example}\n")


class _Commands(TyperGroup):
    """The commands of the table, each loaded when it runs."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for entry in COMMANDS:
            self.add_command(TyperCommand(entry.name, help=entry.summary))

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        width = max(len(entry.name) for entry in COMMANDS)
        for group in dict.fromkeys(entry.group for entry in COMMANDS):
            with formatter.section(group):
                formatter.write_dl(
                    [(entry.name.ljust(width), entry.summary) for entry in COMMANDS if entry.group == group]
                )

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, _, rest = super().resolve_command(ctx, args)
        entry = next(entry for entry in COMMANDS if entry.name == name)
        return name, load(entry), rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ValueError as error:
            from engine.errors import GizmosError  # noqa: PLC0415 - `--help` needs no engine

            if not isinstance(error, GizmosError):
                raise
            report_bad_input(error.faults)
            raise typer.Exit(BAD_INPUT) from error
        except KeyboardInterrupt as interrupt:
            raise typer.Exit(INTERRUPTED) from interrupt


def load(entry: Entry) -> Any:
    """The command of an entry, with its options and examples."""
    from importlib import import_module  # noqa: PLC0415

    module_name, _, attribute = entry.where.partition(":")
    module = import_module(module_name)
    found = getattr(module, attribute)
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    holder = typer.Typer(add_completion=False, rich_markup_mode=None)
    holder.command(entry.name, cls=_Command)(found)
    command = typer.main.get_command(holder)
    if isinstance(command, _Command):
        command.examples = module.EXAMPLES[entry.name]
    return command


cli = typer.Typer(
    name="gizmos", cls=_Commands, add_completion=False, invoke_without_command=True, rich_markup_mode=None
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from solver import which  # noqa: PLC0415 - `--help` needs no solver

        typer.echo(f"gizmos-solver {version('gizmos-solver')} ({which()})")
        raise typer.Exit


@cli.callback()
def _gizmos(
    context: typer.Context,
    *,
    show_version: Annotated[  # noqa: ARG001 - its callback does the work
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version, and which solver serves."
        ),
    ] = False,
) -> None:
    """Exact turn analysis for the board game Gizmos.

    For help on a command: gizmos COMMAND --help
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line; a fault of our own is reported as one, without a traceback unless GIZMOS_DEBUG is set."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        typer.main.get_command(cli)(prog_name="gizmos")
    except Exception as error:
        if os.environ.get("GIZMOS_DEBUG"):
            raise
        report_bug(error)
        sys.exit(BUG)
