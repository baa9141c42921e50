"""`gizmos show`, `legal`, `apply` and `convert`: positions, and what can be done in them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from app.board_text import Glyphs, board, player_name
from app.console import answers, print_json, show_parts
from app.examples import example_names
from app.given import POSITION_HELP, Given, PositionArgument, read_given
from app.options import AsJson, Language
from app.output import write_output
from app.pictures.board import board_svg
from app.words import Words, words_for
from engine.actions import Action
from engine.document import document_data, to_json, to_toml
from engine.line import write_line
from engine.notation import action_text, awaited_text, parse_line, reveal_text
from engine.playout import replay
from engine.position import Player, Position
from engine.reveals import outcomes
from engine.rules import legal_actions

EXAMPLES = {
    "show": ("gizmos show", "gizmos show turn17", "gizmos show chain --json", "gizmos show turn17 --svg turn17.svg"),
    "legal": ("gizmos legal chain", "gizmos legal chain --json"),
    "apply": (
        'gizmos apply chain "build 208 with YY via 217" "227: pick Y (row K)" "113: draw (R)"',
        'gizmos apply chain "build 208 with YY via 217; 227: pick Y" --to line',
    ),
    "convert": ("gizmos convert turn17 --to line", "gizmos convert chain --to json"),
}


class Notation(StrEnum):
    """The ways to write a position."""

    line = "line"
    toml = "toml"
    json = "json"


def show(
    position: Annotated[str | None, typer.Argument(metavar="[POSITION]", help=POSITION_HELP)] = None,
    *,
    picture: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw into this SVG file instead (- prints it).")
    ] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Draw a position; without one, list the shipped examples."""
    words = words_for(language)
    if position is None:
        _show_examples(words, as_json)
        return
    given = read_given(position)
    if picture is not None:
        write_output(picture, board_svg(given.position, title=given.title, words=words))
        return
    _print(words, given, as_json)


def legal(position: PositionArgument, *, as_json: AsJson = False, language: Language = None) -> None:
    """List everything that the rules allow in a position.

    Each action is written as `gizmos apply` reads it.
    """
    words = words_for(language)
    given = read_given(position).position
    if as_json:
        print_json(_legal_data(given))
        return
    name = player_name(words, given, given.to_move)
    if given.is_chance:
        typer.echo(words("legal.chance", awaited=", ".join(map(awaited_text, given.turn.awaited))))
        for outcome in outcomes(given):
            typer.echo(f"  ({reveal_text(outcome.reveal)})  {float(outcome.probability):.1%}")
        return
    actions = legal_actions(given)
    typer.echo(words("legal.actions", n=len(actions), player=name) if actions else words("board.over"))
    for action in actions:
        typer.echo(f"  {action_text(action)}")


def apply(
    position: PositionArgument,
    actions: Annotated[
        list[str],
        typer.Argument(
            metavar="ACTION...",
            help="What is done, in order; what is revealed follows in parentheses: 'pick Y (row K)'.",
            show_default=False,
        ),
    ],
    *,
    to: Annotated[Notation | None, typer.Option(help="Write the position in this notation.")] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Play actions from a position.

    The position they lead to is drawn, or written with --to.
    """
    words = words_for(language)
    given = read_given(position)
    moves = parse_line(given.position, ";".join(actions))
    after = Given(replay(given.position, moves), given.title)
    if to is not None:
        _write(after, to)
        return
    _print(words, after, as_json)
    if not as_json:
        typer.echo(write_line(after.position))


def convert(
    position: PositionArgument,
    *,
    to: Annotated[Notation, typer.Option(help="The notation to write.")] = Notation.line,
    as_json: AsJson = False,
) -> None:
    """Write a position as a line, as TOML or as JSON.

    A line for addresses and chats, TOML for people, JSON for programs.
    """
    _write(read_given(position), Notation.json if as_json else to)


def _write(given: Given, to: Notation) -> None:
    match to:
        case Notation.line:
            typer.echo(write_line(given.position))
        case Notation.toml:
            typer.echo(to_toml(given.position, given.title), nl=False)
        case Notation.json:
            typer.echo(to_json(given.position, given.title), nl=False)


def _print(words: Words, given: Given, as_json: bool) -> None:
    if as_json:
        print_json(_position_data(given))
    else:
        show_parts(board(words, Glyphs(answers()), given.position, given.title))


def _show_examples(words: Words, as_json: bool) -> None:
    examples = {name: read_given(name).title for name in example_names()}
    if as_json:
        print_json(examples)
        return
    table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
    for name, title in examples.items():
        table.add_row(name, title)
    show_parts(words("examples.head"), table, "", words("examples.try"))


def _position_data(given: Given) -> dict[str, Any]:
    position = given.position
    return {
        "format": "gizmos-show/1",
        "title": given.title,
        "line": write_line(position),
        "document": document_data(position, given.title),
        "players": [_player_data(player) for player in position.players],
        "last_round": position.last_round,
        "over": position.is_over,
    }


def _player_data(player: Player) -> dict[str, Any]:
    board_of = player.dashboard
    return {
        "name": player.name,
        "score": player.score,
        "gizmos": len(player.built),
        "marbles": player.marbles,
        "ring_limit": board_of.ring_limit,
        "archive_limit": board_of.archive_limit,
        "research_amount": board_of.research_amount,
        "can_file": board_of.can_file,
        "can_research": board_of.can_research,
    }


def _legal_data(position: Position) -> dict[str, Any]:
    return {
        "format": "gizmos-legal/1",
        "position": write_line(position),
        "to_move": position.to_move + 1,
        "actions": [_action_data(action) for action in legal_actions(position)],
        "reveals": [
            {"text": reveal_text(outcome.reveal), "probability": float(outcome.probability)}
            for outcome in outcomes(position)
        ],
    }


def _action_data(action: Action) -> dict[str, str]:
    text = action_text(action)
    return {"text": text, "kind": str(action.__struct_config__.tag)}
