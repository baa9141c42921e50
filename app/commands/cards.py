"""`gizmos cards`: the gizmo cards."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.table import Table

from app.board_text import marbles
from app.card_text import color_text, cost_text, level_text, long_text, points_text
from app.console import print_json, show_parts
from app.options import AsJson, Language
from app.words import Words, words_for
from engine.cards import CARDS, NUMERALS, Card, parse_level
from engine.errors import UnreadableError, quoted
from engine.marbles import parse_color

EXAMPLES = {
    "cards": (
        "gizmos cards 208 217",
        "gizmos cards --level II --color red",
        "gizmos cards --effect draw --json",
    )
}


class Does(StrEnum):
    """What a card can do, as asked for on the command line."""

    pick = "pick"
    draw = "draw"
    file = "file"
    research = "research"
    points = "points"
    free_build = "free-build"
    convert = "convert"
    upgrade = "upgrade"


def cards(
    numbers: Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="Only these cards.")] = None,
    *,
    level: Annotated[str | None, typer.Option(metavar="LEVEL", help="Only cards of level I, II or III.")] = None,
    color: Annotated[str | None, typer.Option(metavar="COLOUR", help="Only red, blue, black or yellow cards.")] = None,
    effect: Annotated[Does | None, typer.Option(help="Only cards that do this.")] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """List gizmo cards, and what they do."""
    words = words_for(language)
    chosen = _chosen(numbers or [], level, color, effect)
    if as_json:
        print_json([_data(words, card) for card in chosen])
        return
    if not chosen:
        typer.echo(words("card.no_such"))
        return
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for card in chosen:
        points = points_text(words, card.points)
        table.add_row(
            str(card.id), level_text(words, card), marbles(cost_text(words, card)), points, long_text(words, card)
        )
    show_parts(table)


def _chosen(numbers: list[str], level: str | None, color: str | None, effect: Does | None) -> list[Card]:
    faults = [
        f"there is no card {quoted(number)}, expected 101 to 136, 201 to 236, 301 to 336 or 901 to 904"
        for number in numbers
        if not _exists(number)
    ]
    wanted_level = wanted_color = None
    try:
        wanted_level = parse_level(level) if level is not None else None
    except UnreadableError as error:
        faults += (f"--level: {fault}" for fault in error.faults)
    try:
        wanted_color = parse_color(color) if color is not None else None
    except UnreadableError as error:
        faults += (f"--color: {fault}" for fault in error.faults)
    if faults:
        raise UnreadableError(faults)
    named = [CARDS[int(number)] for number in dict.fromkeys(numbers)] if numbers else CARDS.values()
    return [
        card
        for card in named
        if wanted_level in (None, card.level)
        and (wanted_color is None or wanted_color in card.colors)
        and (effect is None or _does(card, effect))
    ]


def _exists(number: str) -> bool:
    return number in map(str, CARDS)


def _does(card: Card, effect: Does) -> bool:
    if effect is Does.convert:
        return card.area == "converter"
    if effect is Does.upgrade:
        return card.area == "upgrade"
    return card.effect == ("free-build-level-1" if effect is Does.free_build else effect.value)


def _data(words: Words, card: Card) -> dict[str, Any]:
    return {
        "id": card.id,
        "level": NUMERALS[card.level],
        "color": card.color_name,
        "cost": card.cost,
        "points": card.points,
        "area": card.area,
        "trigger": card.trigger,
        "trigger_colors": [each.name.lower() for each in card.trigger_colors],
        "effect": card.effect,
        "amount": card.amount,
        "convert_from": [each.name.lower() for each in card.convert_from],
        "convert_to": card.convert_to,
        "convert_uses": card.convert_uses,
        "storage": card.storage,
        "archive": card.archive,
        "research": card.research,
        "special": card.special,
        "text": long_text(words, card),
        "color_text": color_text(words, card),
    }
