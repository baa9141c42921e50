"""Position documents: one schema, written in TOML by people and in JSON by programs (docs/notation.md).

What a document leaves out is unknown, or as it is when a game starts. Reading finds every fault, each with its place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, TypeVar

import tomlkit
from msgspec.structs import replace

from engine.cards import CARDS, DECK_CARDS, LEVELS, NUMERALS, STARTING_GIZMOS, Level, dashboard
from engine.errors import InvalidPositionError, UnreadableError
from engine.line import PREFIX, read_line
from engine.marbles import count, letters, parse_marbles
from engine.notation import awaited_text, parse_awaited
from engine.position import Awaited, Deck, Pending, Player, Position, Research, Turn, deck_size
from engine.reading import load, read_model
from engine.schema import FORMAT, DeckDocument, PlayerDocument, PositionDocument, TableDocument, TurnDocument
from engine.validation import check, faults

_SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"

Document = TypeVar("Document", bound=TableDocument)


def read_position(text: str) -> Position:
    """Read a position line, or a position document in TOML or JSON.

    >>> read_position('{"format": "gizmos-position/1", "players": [{"ring": "RRY"}]}').player.built
    (901,)

    Raises UnreadableError or InvalidPositionError, with every fault and its place.
    """
    text = text.removeprefix("\ufeff").strip()
    return read_line(text) if text.startswith(PREFIX) else position_of(read_document(text))


def read_document(text: str) -> PositionDocument:
    """Read a position document in TOML or JSON, and make sure that the position is possible.

    Raises UnreadableError or InvalidPositionError, with every fault and its place.
    """
    return read_as(PositionDocument, text)


def read_as(model: type[Document], text: str) -> Document:
    """`read_document` for any kind of document that describes a position."""
    data = load(text)
    document, unreadable = read_model(model, data)
    table = document or read_model(TableDocument, data)[0]
    impossible = faults(_described(table)) if table else ()
    if unreadable:
        whose_turn = any(path[0] in ("players", "to_move") for path in unreadable)
        certain = [fault for fault in impossible if not (whose_turn and fault.startswith("turn"))]
        raise UnreadableError([*unreadable.values(), *certain])
    if impossible or document is None:
        raise InvalidPositionError(impossible)
    return document


def position_of(document: TableDocument) -> Position:
    """The position that a document describes.

    Raises InvalidPositionError.
    """
    return check(_described(document))


def to_toml(position: Position, title: str = "") -> str:
    """Write a position as a TOML document that `read_position` reads back."""
    data = document_data(position, title)
    data["energy_row"] = tomlkit.item(data["energy_row"]).comment("R red, U blue, K black, Y yellow")
    for name in data.keys() & {"decks", "turn"}:
        data[name] = {key: _inline(value) for key, value in data[name].items()}
    return tomlkit.dumps(data)


def to_json(position: Position, title: str = "") -> str:
    """Write a position as a JSON document that `read_position` reads back, one key a line."""
    data = document_data(position, title)
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def document_data(position: Position, title: str = "") -> dict[str, Any]:
    """A position as the table that documents hold, in their order of keys."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "title": title,
        "to_move": position.to_move + 1,
        "first_player": position.first_player + 1,
        "energy_row": letters(position.row),
        "next": "".join(color.letter for color in position.next),
        "preview": position.preview,
        "display": {NUMERALS[level]: list(position.display[level - 1]) for level in LEVELS},
        "decks": {NUMERALS[level]: _deck_data(position.deck(level)) for level in LEVELS},
        "players": [_player_data(player) for player in position.players],
        "turn": _turn_data(position.turn),
    }
    left_out = [key for key in ("title", "next") if not data[key]]
    if position.preview == len(data["next"][:1]):
        left_out.append("preview")
    if position.turn == Turn():
        left_out.append("turn")
    return {key: value for key, value in data.items() if key not in left_out}


def json_schema() -> dict[str, Any]:
    """The JSON Schema of position documents, as published in docs/position.schema.json."""
    return {"$schema": _SCHEMA, **PositionDocument.model_json_schema()}


def _inline(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value not in ("", [], 0, None)}


def _deck_data(deck: Deck) -> dict[str, Any]:
    return {"size": deck.size, **_without_empty({"top": list(deck.top), "bottom": list(deck.bottom)})}


def _player_data(player: Player) -> dict[str, Any]:
    return {
        **_without_empty({"name": player.name}),
        "ring": letters(player.ring),
        "built": list(player.built),
        **_without_empty({"archive": list(player.archive), "tokens": player.tokens}),
    }


def _turn_data(turn: Turn) -> dict[str, Any]:
    pending, research = turn.pending, turn.research
    return _without_empty(
        {
            "triggered": list(turn.triggered),
            "used": list(turn.used),
            "awaited": [awaited_text(each) for each in turn.awaited],
            "pending": pending and {"gizmo": pending.gizmo, "done": pending.done},
            "research": research
            and {
                "level": NUMERALS[research.level],
                "seen": list(research.seen),
                **({"unknown": research.unknown} if research.unknown else {}),
            },
        }
    )


def _described(document: TableDocument) -> Position:
    """The position as the document gives it, possible or not."""
    preview = document.preview
    position = Position(
        players=tuple(_players(document.players)),
        to_move=document.to_move - 1,
        first_player=document.first_player - 1,
        row=count(document.energy_row),
        next=parse_marbles(document.next or ""),
        preview=int(document.next is not None) if preview is None else preview,
        display=tuple(_sorted(document.display.get(level, [])) for level in LEVELS),
        turn=_turn(document.turn) if document.turn else Turn(),
    )
    decks = [document.decks.get(level, DeckDocument()) for level in LEVELS]
    position = replace(
        position, decks=tuple(_deck(position, level, deck) for level, deck in zip(LEVELS, decks, strict=True))
    )
    research = document.turn and document.turn.research
    return _awaiting_research(position) if research and research.seen is None and not research.unknown else position


def _sorted(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(cards))


def _players(documents: list[PlayerDocument]) -> Iterator[Player]:
    """The players; one without `built` gets a starting gizmo that nobody has, in the order of seats."""
    given = {number for document in documents for number in document.built or ()}
    free = iter([number for number in STARTING_GIZMOS if number not in given])
    for document in documents:
        built = islice(free, 1) if document.built is None else document.built
        yield Player(document.name, count(document.ring), _sorted(built), _sorted(document.archive), document.tokens)


def _turn(document: TurnDocument) -> Turn:
    """The turn; a gizmo that is both triggered and used counts as used, and so does the one being carried out."""
    pending, research = document.pending, document.research
    used = [*document.used, pending.gizmo] if pending and pending.gizmo not in document.used else document.used
    return Turn(
        acted=True,
        triggered=_sorted(number for number in document.triggered if number not in used),
        used=_sorted(used),
        pending=Pending(pending.gizmo, pending.done) if pending else None,
        research=Research(research.level, _sorted(research.seen or ()), research.unknown) if research else None,
        awaited=tuple(parse_awaited(text) for text in document.awaited),
    )


def _deck(position: Position, level: Level, document: DeckDocument) -> Deck:
    """A deck; without a size it holds every card of its level that lies nowhere else."""
    elsewhere = len(DECK_CARDS[level]) - len(position.unseen(level))
    size = deck_size(level, elsewhere) if document.size is None else document.size
    return Deck(size, tuple(document.top), tuple(document.bottom))


def _awaiting_research(position: Position) -> Position:
    """The position with all cards of its research still to be seen, unless it says itself what is owed."""
    turn, research = position.turn, position.turn.research
    if research is None or turn.awaited or not 0 <= position.to_move < len(position.players):
        return position
    built = tuple(number for number in position.player.built if number in CARDS)
    amount = min(dashboard(built).research_amount, position.deck(research.level).size)
    return replace(position, turn=replace(turn, awaited=(Awaited("research", research.level),) * amount))
