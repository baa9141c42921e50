"""The game: cards, positions, rules, payments and notations. Knows nothing of search.

Everything in `__all__` is imported from here; the modules are how it is arranged, not where to find it.

>>> from engine import read_position
>>> position = read_position('{"format": "gizmos-position/1", "players": [{"ring": "K", "archive": [101]}]}')
>>> [action_text(action) for action in legal_actions(position)]
['build 101 from archive with K', 'research I', 'research II', 'research III']
>>> write_line(apply(position, parse_action(position, "build 101")))
'gizmos1/110/-/-/35,36,16/-/.a01s01'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine.actions import (
    Action,
    Build,
    Draw,
    EndTurn,
    File,
    Move,
    Pass,
    Pick,
    Points,
    ResearchDeck,
    Reveal,
    Skip,
    Source,
)
from engine.cards import CARDS, DECK_CARDS, DISPLAY_SIZE, LEVELS, NUMERALS, STARTING_GIZMOS, Card, Dashboard, Level
from engine.errors import AmbiguousActionError, GizmosError, IllegalActionError, InvalidPositionError, UnreadableError
from engine.line import read_line, write_line
from engine.marbles import COLORS, Color, Marbles, count, letters, parse_color, parse_marbles
from engine.notation import action_text, line_text, parse_action, parse_line, parse_reveal, reveal_text
from engine.payments import Conversion, Payment, conversions, payments
from engine.playout import Chooser, play, random_chooser, random_reveal, replay
from engine.position import Awaited, Deck, Pending, Player, Position, Research, Turn, deck_size
from engine.reveals import Outcome, outcomes, reveal
from engine.rules import apply, is_legal, legal_actions, price
from engine.setup import Standing, new_game, ranking
from engine.validation import check, faults

if TYPE_CHECKING:
    from engine.document import json_schema, position_of, read_as, read_document, read_position, to_json, to_toml
    from engine.record import Ply, Record, read_record, write_record
    from engine.schema import PositionDocument, TableDocument

_LATE = {
    "Ply": "engine.record",
    "PositionDocument": "engine.schema",
    "Record": "engine.record",
    "TableDocument": "engine.schema",
    "json_schema": "engine.document",
    "position_of": "engine.document",
    "read_as": "engine.document",
    "read_document": "engine.document",
    "read_position": "engine.document",
    "read_record": "engine.record",
    "to_json": "engine.document",
    "to_toml": "engine.document",
    "write_record": "engine.record",
}
"""Names whose modules take long to import (pydantic), each with its module; imported when first asked for."""

__all__ = [
    "CARDS",
    "COLORS",
    "DECK_CARDS",
    "DISPLAY_SIZE",
    "LEVELS",
    "NUMERALS",
    "STARTING_GIZMOS",
    "Action",
    "AmbiguousActionError",
    "Awaited",
    "Build",
    "Card",
    "Chooser",
    "Color",
    "Conversion",
    "Dashboard",
    "Deck",
    "Draw",
    "EndTurn",
    "File",
    "GizmosError",
    "IllegalActionError",
    "InvalidPositionError",
    "Level",
    "Marbles",
    "Move",
    "Outcome",
    "Pass",
    "Payment",
    "Pending",
    "Pick",
    "Player",
    "Ply",
    "Points",
    "Position",
    "PositionDocument",
    "Record",
    "Research",
    "ResearchDeck",
    "Reveal",
    "Skip",
    "Source",
    "Standing",
    "TableDocument",
    "Turn",
    "UnreadableError",
    "action_text",
    "apply",
    "check",
    "conversions",
    "count",
    "deck_size",
    "faults",
    "is_legal",
    "json_schema",
    "legal_actions",
    "letters",
    "line_text",
    "new_game",
    "outcomes",
    "parse_action",
    "parse_color",
    "parse_line",
    "parse_marbles",
    "parse_reveal",
    "payments",
    "play",
    "position_of",
    "price",
    "random_chooser",
    "random_reveal",
    "ranking",
    "read_as",
    "read_document",
    "read_line",
    "read_position",
    "read_record",
    "replay",
    "reveal",
    "reveal_text",
    "to_json",
    "to_toml",
    "write_line",
    "write_record",
]


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATE[name]), name)


def __dir__() -> list[str]:
    return __all__
