"""Cards that a player saw in a research, but nobody wrote down, keep what is public about the position."""

import pytest
from msgspec.structs import replace

from engine.actions import Build, File, Pass, ResearchDeck, Reveal
from engine.document import read_position, to_json, to_toml
from engine.errors import IllegalActionError
from engine.line import read_line, write_line
from engine.marbles import count
from engine.notation import parse_reveal, reveal_text
from engine.position import Deck, Player, Position, Research
from engine.reveals import reveal, weighted_reveals
from engine.rules import apply, legal_actions
from engine.validation import faults

UNKNOWN = Reveal("research", 0)
START = Position(
    players=(Player(built=(901,)), Player(built=(902,))),
    row=count("RRUUKK"),
    display=((101, 102, 103, 104), (201, 202, 203), (301, 302)),
    decks=(Deck(32), Deck(33), Deck(14)),
)


def researched(level: int, *cards: int) -> Position:
    position = apply(START, ResearchDeck(level))
    for card in cards:
        position = reveal(position, Reveal("research", card))
    return position


def test_an_unknown_card_is_seen_but_not_named() -> None:
    position = researched(2, 210, 0, 0)
    assert position.turn.research == Research(2, (210,), 2)
    assert position.deck(2) == Deck(30)
    assert legal_actions(position) == (File(210, "research"), Pass())
    assert faults(position) == ()


def test_unknown_cards_go_back_without_a_trace() -> None:
    assert apply(researched(2, 0, 0, 0), Pass()).deck(2) == Deck(33)
    assert apply(researched(2, 0, 210, 0), File(210, "research")).deck(2) == Deck(32)


def test_unknown_cards_at_the_bottom_leave_nothing_known_about_the_bottom() -> None:
    known = replace(apply(researched(2, 210, 211, 212), Pass()), to_move=0)
    assert known.deck(2) == Deck(33, bottom=(210, 211, 212))
    again = apply(known, ResearchDeck(2))
    for _ in range(3):
        again = reveal(again, UNKNOWN)
    assert apply(again, Pass()).deck(2) == Deck(33)
    assert apply(researched(2, 0, 210, 0), Pass()).deck(2) == Deck(33)


def test_an_unknown_card_is_never_offered_by_nature() -> None:
    position = apply(START, ResearchDeck(2))
    assert UNKNOWN not in [each for each, _ in weighted_reveals(position)]
    assert parse_reveal(position, "research ?") == parse_reveal(position, "?") == UNKNOWN
    assert reveal_text(UNKNOWN) == "?"


def test_only_a_researched_card_can_stay_unknown() -> None:
    with pytest.raises(IllegalActionError):
        reveal(START, UNKNOWN)
    filed = apply(START, File(101))
    with pytest.raises(IllegalActionError):
        parse_reveal(filed, "?")
    with pytest.raises(IllegalActionError):
        reveal(filed, Reveal("refill", 0))


def test_it_survives_documents_and_lines() -> None:
    position = researched(3, 310, 0, 0)
    assert read_line(write_line(position)) == position
    assert read_position(to_json(position)) == position
    assert read_position(to_toml(position)) == position
    assert read_position(to_json(researched(3, 0, 0, 0))) == researched(3, 0, 0, 0)


def test_building_the_kept_card_leaves_a_deck_one_shorter() -> None:
    rich = Position(
        players=(Player(ring=count("UU"), built=(901,)), Player(built=(902,))), display=START.display, decks=START.decks
    )
    position = apply(rich, ResearchDeck(2))
    for card in (0, 210, 0):
        position = reveal(position, Reveal("research", card))
    assert apply(position, Build(210, "research", count("UU"))).deck(2) == Deck(32)
