"""Position documents: what may be left out, what comes back, and how faults are told."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import positions

from engine.document import (
    document_data,
    json_schema,
    position_of,
    read_document,
    read_position,
    to_json,
    to_toml,
)
from engine.errors import GizmosError, InvalidPositionError, UnreadableError
from engine.marbles import Color, count
from engine.position import Awaited, Deck, Pending, Player, Position, Research, Turn

SCHEMA = Path(__file__).parents[1] / "docs" / "position.schema.json"
EXAMPLE = """
format = "gizmos-position/1"
title = "Turn 17"
to_move = 1                 # 1-based seat
first_player = 1
energy_row = "UUUUYU"       # R red, U blue, K black, Y yellow
next = "R"                  # marbles known to enter the row next, in order; leave out if hidden
[display]
I = [118, 117, 113, 124]
II = [203, 211, 217]
III = [317, 316]
[decks]                     # optional: sizes, known tops and bottoms
I = { size = 14, top = [], bottom = [] }
[[players]]
name = "me"
ring = "K"
built = [901, 112, 131, 105, 125, 209, 120, 102, 121, 133, 107, 111, 132, 128]
archive = [223]
tokens = 0
[[players]]
ring = "RRY"
built = [902, 204]
[turn]                      # only in the middle of a turn
triggered = [131]
used = [105]
"""
EXAMPLE_POSITION = Position(
    players=(
        Player(
            name="me",
            ring=(0, 0, 1, 0),
            built=(102, 105, 107, 111, 112, 120, 121, 125, 128, 131, 132, 133, 209, 901),
            archive=(223,),
        ),
        Player(ring=(2, 0, 0, 1), built=(204, 902)),
    ),
    row=(0, 5, 0, 1),
    next=(Color.RED,),
    preview=1,
    display=((113, 117, 118, 124), (203, 211, 217), (316, 317)),
    decks=(Deck(14), Deck(30), Deck(14)),
    turn=Turn(acted=True, triggered=(131,), used=(105,)),
)


def read(text: str) -> Position:
    """Read the rest of a TOML document."""
    return read_position(f'format = "gizmos-position/1"\n{text}')


def faults_of(text: str) -> tuple[str, ...]:
    with pytest.raises(GizmosError) as caught:
        read(text)
    return caught.value.faults


def test_the_published_example_is_accepted_as_it_stands() -> None:
    assert read_position(EXAMPLE) == EXAMPLE_POSITION
    assert read_document(EXAMPLE).title == "Turn 17"


def test_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    assert read_position("\ufeff" + EXAMPLE.replace("\n", "\r\n")) == EXAMPLE_POSITION


def test_documents_of_all_recorded_positions_read_back() -> None:
    for position in islice(positions(), 0, None, 23):
        assert read_position(to_toml(position)) == position
        assert read_position(to_json(position)) == position


@pytest.mark.parametrize(
    "position",
    [
        EXAMPLE_POSITION,
        Position((Player(name='Zoë "Z"\n\x7f', tokens=7),), preview=1),
        Position((Player(built=(208, 901)),), next=(Color.RED, Color.RED), turn=Turn(acted=True)),
        Position(
            (Player(built=(208, 901)),),
            row=count("UUUUU"),
            next=(Color.RED,),
            decks=(Deck(5, (101, 102), (104, 103)), Deck(0), Deck(0)),
            turn=Turn(acted=True, used=(208,), pending=Pending(208, 1), awaited=(Awaited("row"),)),
        ),
        Position(
            (Player(), Player()),
            to_move=1,
            first_player=1,
            decks=(Deck(0), Deck(9), Deck(0)),
            turn=Turn(acted=True, research=Research(2, (203,)), awaited=(Awaited("research", 2),) * 2),
        ),
    ],
)
def test_any_moment_of_a_game_can_be_written_and_read_back(position: Position) -> None:
    assert read_position(to_toml(position, title="A title")) == position
    assert read_position(to_json(position, title="A title")) == position
    assert read_document(to_toml(position, title="A title")).title == "A title"


def test_a_player_without_built_cards_has_a_starting_gizmo_that_nobody_else_has() -> None:
    position = read("players = [{}, { built = [901, 112] }, {}, { built = [] }]")
    assert [player.built for player in position.players] == [(902,), (112, 901), (903,), ()]


def test_decks_left_out_hold_every_card_not_seen_elsewhere() -> None:
    position = read("players = [{ built = [901, 301], archive = [101] }]\ndisplay = { I = [102], III = [302] }")
    assert position.decks == (Deck(34), Deck(36), Deck(14))


def test_levels_may_be_written_as_numbers() -> None:
    assert read("players = [{}]\n[display]\n1 = [101]\n[decks]\n2 = { size = 3 }").deck(2).size == 3


def test_next_says_whether_a_marble_is_face_up_by_rule() -> None:
    assert read("players = [{}]").preview == 0
    assert read("next = 'R'\nplayers = [{}]").preview == 1
    assert read("next = 'RU'\npreview = 0\nplayers = [{}]").next == (Color.RED, Color.BLUE)
    assert read("next = 'RU'\npreview = 0\nplayers = [{}]").preview == 0


def test_a_card_both_triggered_and_used_is_used() -> None:
    turn = read("players = [{ built = [129, 227] }]\n[turn]\ntriggered = [129, 227]\nused = [129]").turn
    assert (turn.triggered, turn.used) == ((227,), (129,))


def test_a_pending_gizmo_is_used() -> None:
    turn = read("players = [{ built = [208] }]\n[turn]\ntriggered = [208]\npending = { gizmo = 208 }").turn
    assert (turn.triggered, turn.used, turn.pending) == ((), (208,), Pending(208))


def test_a_research_without_cards_waits_for_them() -> None:
    turn = read("players = [{}]\ndecks = { II = { size = 2 } }\n[turn]\nresearch = { level = 2 }").turn
    assert turn.awaited == (Awaited("research", 2),) * 2


@pytest.mark.parametrize("ring", ['"Red"', '" r "', '"RED"'])
def test_colours_are_read_in_any_usual_way(ring: str) -> None:
    assert read(f"players = [{{ ring = {ring} }}]").player.ring == count("R")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("players = [{ ring = 'B' }]", "players[1].ring: 'B' is ambiguous: write U for blue or K for black"),
        ("players = [{ ring = 'X' }]", "players[1].ring: 'X' is not a marble colour: expected R (red), U (blue)"),
        ("players = [{}, { ring = 5 }]", "players[2].ring: 5, expected text in quotes"),
        ("players = [{ rng = '' }]", "players[1].rng: unknown key, did you mean ring?"),
        ("players = [{ zzz = '' }]", "players[1].zzz: unknown key, expected one of name, ring, built, archive, tokens"),
        ("players = [3]", "players[1]: 3, expected a table of keys and values"),
        ("players = 3", "players: 3, expected a list in square brackets"),
        ("", "players: missing, expected the players in the order of their seats"),
        ("players = []", "players: 0 of them, expected 1 to 4"),
        ("players = [{ built = ['x'] }]", "players[1].built[1]: 'x', expected a whole number"),
        ("players = [{ tokens = true }]", "players[1].tokens: True, expected a whole number"),
        ("players = [{}]\nplayer = 1", "player: unknown key, did you mean players?"),
        ("players = [{}]\ndisplay = { IV = [] }", "display.IV: 'IV' is not a deck level: expected I, II or III"),
        ("players = [{}]\ndisplay = { I = [], 1 = [] }", "display: I and 1 are the same level, expected one of them"),
        ("players = [{}]\ndecks = { I = { siez = 3 } }", "decks.I.siez: unknown key, did you mean size?"),
        ("players = [{}]\nturn = { awaited = ['x'] }", "turn.awaited[1]: 'x' is not a reveal that can be owed"),
        (
            "players = [{}]\nturn = { pending = {} }",
            "turn.pending.gizmo: missing, expected the gizmo whose effect it is",
        ),
        ("players = [{}]\nto_move = 0", "to_move: seat 0, expected 1"),
        ("players = [{ built = [112, 112] }]", "players[1].built: card 112 lies there twice"),
    ],
)
def test_a_fault_names_its_place_and_what_was_expected(text: str, fault: str) -> None:
    assert faults_of(text)[0].startswith(fault)


def test_all_faults_are_told_at_once_those_of_the_rules_too() -> None:
    text = "energy_row = 'RRRRRRR'\nto_mvoe = 2\nplayers = [{ ring = 'B', archive = [101, 102] }, { rng = '' }]"
    places = [fault.split(":")[0] for fault in faults_of(text)]
    assert places == ["players[1].ring", "players[2].rng", "to_mvoe", "energy_row", "players[1].archive"]


def test_the_format_must_be_named() -> None:
    with pytest.raises(UnreadableError, match="format: 'gizmos-position/9', expected 'gizmos-position/1'"):
        read_position('format = "gizmos-position/9"\nplayers = [{}]')
    with pytest.raises(UnreadableError, match='format: missing, expected "gizmos-position/1"'):
        read_position("players = [{}]")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "'hello'"),
        ("ring = ", r"\(at end of document\)"),
        ("a = 1\nring = UUU", r"\(at line 2, column 8\)"),
        ('{"players": [}', "line 1 column 14"),
        ('{"a": 1, "a": 2}', "key 'a' is given more than once"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a":' * 100_000, "nests too deeply for JSON"),
        ("a = " + "[" * 100_000, "nests too deeply for TOML"),
        ("a = " + "9" * 5000, "no TOML document"),
    ],
)
def test_text_that_is_no_document_is_told_from_where(text: str, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        read_position(text)


def test_an_impossible_position_is_another_error_than_an_unreadable_one() -> None:
    with pytest.raises(InvalidPositionError):
        read("energy_row = 'RRRRRRR'\nplayers = [{}]")


def test_the_published_schema_is_the_one_in_force() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == json.dumps(json_schema(), indent=2) + "\n"


def test_documents_hold_nothing_but_what_the_schema_names() -> None:
    properties = json_schema()["properties"]
    for position in islice(positions(), 0, None, 50):
        assert document_data(position, "t").keys() <= properties.keys()


MOMENTS = [*islice(positions(), 200, 5000, 1100)]
PIECES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 0, 7, 101, 901, 999, 10**30, 1.5, "", "R", "B", "row", [], [101], [[]], {}, {"I": [1]}]
)


def _mutated(value: Any, path: list[int], piece: Any) -> Any:
    """The value with a piece put somewhere inside, as a path of choices says."""
    if not path or not isinstance(value, dict | list) or not value:
        return piece
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[path[0] % len(keys)]
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = _mutated(value[key], path[1:], piece)
    return copy


@given(st.integers(0, 4), st.lists(st.integers(0, 20), max_size=4), PIECES)
def test_a_mutated_document_is_a_position_or_one_of_our_errors(which: int, path: list[int], piece: Any) -> None:
    base = document_data(MOMENTS[which])
    try:
        position = read_position(json.dumps(_mutated(base, path, piece)))
    except GizmosError as error:
        told = error.faults
        assert all(told)
        return
    assert read_position(to_toml(position)) == position


@given(st.text())
def test_any_text_is_a_position_or_one_of_our_errors(text: str) -> None:
    try:
        read_position(text)
    except GizmosError:
        return


@given(st.integers(0, len(EXAMPLE)), st.integers(0, 5), st.text(max_size=3))
def test_a_garbled_document_is_a_position_or_one_of_our_errors(start: int, length: int, text: str) -> None:
    try:
        position_of(read_document(EXAMPLE[:start] + text + EXAMPLE[start + length :]))
    except GizmosError:
        return
