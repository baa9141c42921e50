"""Position lines: short, safe in addresses, and nothing is lost."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import positions

from engine.errors import GizmosError, InvalidPositionError, UnreadableError
from engine.line import read_line, write_line
from engine.marbles import Color, count
from engine.playout import play, random_chooser
from engine.position import Awaited, Deck, Pending, Player, Position, Research, Turn
from engine.setup import new_game

TYPICAL = 250
MOST = 260
ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/.,-_~"
MID_TURN = Position(
    (
        Player("Ann Lee", count("RRY"), (105, 112, 208, 901), (223,), 12),
        Player("Zoë_/?", built=(902,)),
    ),
    to_move=0,
    first_player=1,
    row=count("UUUUY"),
    next=(Color.RED, Color.YELLOW),
    preview=1,
    display=((101, 102), (), (301,)),
    decks=(Deck(7, (103,), (109, 104)), Deck(0), Deck(3)),
    turn=Turn(acted=True, triggered=(112,), used=(105, 208), pending=Pending(208, 1), awaited=(Awaited("row"),)),
)
RESEARCH = Position(
    (Player(), Player()),
    decks=(Deck(0), Deck(9), Deck(0)),
    turn=Turn(acted=True, research=Research(2, (203,), 1), awaited=(Awaited("research", 2),)),
)


def test_lines_of_all_recorded_positions_read_back_and_are_short() -> None:
    lengths = []
    for position in islice(positions(), 0, None, 3):
        line = write_line(position)
        assert set(line) <= set(ALPHABET)
        assert read_line(line) == position
        lengths.append(len(line))
    lengths.sort()
    assert lengths[len(lengths) * 99 // 100] < TYPICAL
    assert lengths[-1] < MOST


@pytest.mark.parametrize(
    "position", [MID_TURN, RESEARCH, Position((Player(),)), Position((Player(),), turn=Turn(acted=True))]
)
def test_any_moment_of_a_game_reads_back(position: Position) -> None:
    line = write_line(position)
    assert read_line(line) == position
    assert read_line(f"  {line}\n") == position
    assert set(line) <= set(ALPHABET)


@pytest.mark.parametrize("seed", range(3))
def test_every_position_of_a_game_reads_back_reveals_owed_included(seed: int) -> None:
    start = new_game(2 + seed, seed, preview=seed % 2)
    for _, position in islice(play(start, random_chooser(Random(seed)), Random(seed)), 400):
        assert read_line(write_line(position)) == position


def test_a_line_is_laid_out_as_documented() -> None:
    assert write_line(MID_TURN) == (
        "gizmos1/121/UUUUY.RY/a0102c01/7.03.0904,0,3/ta12.a05b08.b08x1..w"
        "/RRY.a0512b08s01.b23.12.Ann_Lee/.s02...Zo~C3~AB~5F~2F~3F"
    )
    assert write_line(RESEARCH) == "gizmos1/110/-/-/0,9,0/t...203x1.r2/-/-"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("gizmos1", "'gizmos1' is not a position line, expected gizmos1/SEATS/ROW/DISPLAY/DECKS/TURN/PLAYER..."),
        ("gizmos2/110/-/-/0,0,0/-/-", "is not a position line"),
        ("gizmos1/11/-/-/0,0,0/-/-", "seats: '11', expected three digits"),
        ("gizmos1/110/B/-/0,0,0/-/-", "row: 'B' is ambiguous: write U for blue or K for black"),
        ("gizmos1/110/U.R.Y/-/0,0,0/-/-", "row: 'U.R.Y', expected at most 2 parts"),
        ("gizmos1/110/-/x01/0,0,0/-/-", "display: 'x01', expected cards such as a1218b04"),
        ("gizmos1/110/-/s01/0,0,0/-/-", "display: 's01', expected cards of levels I to III only"),
        ("gizmos1/110/-/-/0,0/-/-", "decks: '0,0', expected three decks"),
        ("gizmos1/110/-/-/x,0,0/-/-", "decks: 'x', expected a number"),
        ("gizmos1/110/-/-/0,0,0/x/-", "turn: 'x', expected t at the beginning of a turn"),
        ("gizmos1/110/-/-/0,0,0/t..b08/-", "turn: 'b08', expected a gizmo and what it has done"),
        ("gizmos1/110/-/-/0,0,0/t...9/-", "turn: '9', expected a level and the cards seen"),
        ("gizmos1/110/-/-/0,0,0/t....q/-", "turn: 'q', expected reveals"),
        ("gizmos1/110/-/-/0,0,0/-/-/R.a1", "players[2]: 'a1', expected cards such as"),
        ("gizmos1/110/-/-/0,0,0/-/....%20", "players[1]: '%20', expected letters, digits"),
        ("gizmos1/110/-/-/0,0,0/-/....~FF", "players[1]: '~FF', expected a name in UTF-8"),
    ],
)
def test_a_fault_names_the_field_and_what_was_expected(line: str, fault: str) -> None:
    with pytest.raises(UnreadableError, match=re.escape(fault)):
        read_line(line)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(UnreadableError) as caught:
        read_line("gizmos1/1/B/z/0/x/Q")
    assert [fault.split(":")[0] for fault in caught.value.faults] == [
        "seats", "row", "display", "decks", "turn", "players[1]",
    ]  # fmt: skip


def test_an_impossible_position_is_refused() -> None:
    with pytest.raises(InvalidPositionError, match=r"players\[1\]\.ring: 6 marbles"):
        read_line("gizmos1/110/-/-/0,0,0/-/RRRRRR")


LINE = write_line(MID_TURN)


@given(st.integers(0, len(LINE)), st.integers(0, 4), st.text(ALPHABET, max_size=3) | st.text(max_size=2))
def test_a_garbled_line_is_a_position_or_one_of_our_errors(start: int, length: int, text: str) -> None:
    try:
        position = read_line(LINE[:start] + text + LINE[start + length :])
    except GizmosError:
        return
    assert read_line(write_line(position)) == position


@given(st.text())
def test_any_name_survives(name: str) -> None:
    position = Position((Player(name),))
    assert read_line(write_line(position)) == position
