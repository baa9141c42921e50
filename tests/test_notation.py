"""Actions, reveals and lines as text."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from recorded import positions

from engine.actions import Build, File, Pass, Pick, Reveal
from engine.errors import AmbiguousActionError, GizmosError, IllegalActionError, UnreadableError
from engine.marbles import COLORS, count
from engine.notation import action_text, awaited_text, line_text, parse_action, parse_awaited, parse_line
from engine.playout import play, random_chooser, replay
from engine.position import Awaited, Deck, Player, Position, Research, Turn
from engine.rules import legal_actions
from engine.setup import new_game

ME = Player(ring=count("YYU"), built=(106, 125, 222, 901), archive=(208,))
TABLE = Position(
    (ME, Player(built=(902,))),
    row=count("UY"),
    display=((118,), (203,), ()),
    decks=(Deck(20), Deck(20), Deck(0)),
)
RESEARCHING = replace(TABLE, turn=Turn(acted=True, research=Research(2, (211, 217, 236))))


def test_every_legal_action_of_the_recorded_games_reads_back() -> None:
    for position in islice(positions(), 0, None, 7):
        for action in legal_actions(position):
            assert parse_action(position, action_text(action)) == action


@pytest.mark.parametrize("seed", range(6))
def test_whole_games_are_lines_that_read_back(seed: int) -> None:
    start = new_game(2 + seed % 3, seed, preview=seed % 2)
    game = islice(play(start, random_chooser(Random(seed)), Random(seed)), 1500)
    moves, (*_, end) = zip(*game, strict=True)
    text = line_text(start, moves)
    assert parse_line(start, text) == moves
    assert replay(start, parse_line(start, text)) == end


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pick Y", Pick(COLORS[3])),
        ("  PICK   Yellow ", Pick(COLORS[3])),
        ("file 203", File(203)),
        ("file 203 from display", File(203)),
        ("build 208 with YY via 222", Build(208, "archive", count("YY"), (222,))),
        ("build 208 from archive with yellow, yellow via 222", Build(208, "archive", count("YY"), (222,))),
        ("build 118 with u", Build(118, "display", count("U"))),
        ("build 208 via 222", Build(208, "archive", count("YY"), (222,))),
        ("Build 118 with blue", Build(118, "display", count("U"))),
    ],
)
def test_what_only_one_action_fits_may_be_left_out(text: str, action: object) -> None:
    assert parse_action(TABLE, text) == action


def test_superfluous_converters_are_legal_if_said() -> None:
    position = replace(TABLE, players=(replace(ME, built=(103, 106), ring=count("Y")),))
    action = Build(118, "display", count("Y"), (103, 106))
    assert action not in legal_actions(position)
    assert parse_action(position, "build 118 with Y via 106 103") == action


def test_the_order_of_returned_cards_may_be_said() -> None:
    assert parse_action(RESEARCHING, "pass, bottom 236 211 217") == Pass((236, 211, 217))
    assert parse_action(RESEARCHING, "file 211 bottom 236, 217") == File(211, "research", order=(236, 217))
    assert parse_action(RESEARCHING, "pass") == Pass()


def test_several_payments_are_ambiguous_and_all_of_them_are_named() -> None:
    position = replace(TABLE, players=(replace(ME, ring=count("YU"), archive=(204, 118)),), display=((), (), ()))
    with pytest.raises(AmbiguousActionError) as caught:
        parse_action(position, "build 118")
    assert str(caught.value) == (
        "'build 118' could be any of: `build 118 from archive with Y via 106`, `build 118 from archive with U`"
    )


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("jump", UnreadableError, "'jump' is not an action: expected one of pick, file, build, "),
        ("", UnreadableError, "'' is not an action"),
        ("pick", UnreadableError, "'pick' can't be read: expected `pick COLOUR`"),
        ("pick B", UnreadableError, "'pick B': 'B' is ambiguous: write U for blue or K for black"),
        ("research IV", UnreadableError, "'research IV': 'IV' is not a deck level: expected I, II or III"),
        ("build 11", UnreadableError, "'build 11' can't be read: expected `build CARD "),
        ("build 118 from box", UnreadableError, "'build 118 from box' can't be read"),
        ("pick R", IllegalActionError, "'pick R' is not legal here: expected `pick U`, `pick Y`"),
        ("file 999", IllegalActionError, "'file 999' is not legal here: expected `file 118`"),
        ("build 203", IllegalActionError, "'build 203' is not legal here: expected `build 118 with Y via 106`, "),
        ("227: draw", IllegalActionError, "'227: draw' is not legal here: expected `pick U`"),
        ("pick U (Y", UnreadableError, "'pick U (Y' is not a step"),
        ("pick U (row 118)", UnreadableError, "'pick U (row 118)': '118' is not a marble colour"),
        (
            "pick U (next Y)",
            IllegalActionError,
            "'pick U (next Y)': 'Y' can't be revealed here: nature owes a reveal (row)",
        ),
        ("pick U (R, R)", IllegalActionError, "'pick U (R, R)': 'R' is one reveal too many"),
        ("pick U; pick Y", IllegalActionError, "'pick Y' is not legal here: nature owes a reveal (row)"),
        ("file 118 (refill 118)", IllegalActionError, "'118' can't be revealed here"),
    ],
)
def test_a_message_quotes_the_text_and_says_what_was_expected(
    text: str, error: type[GizmosError], message: str
) -> None:
    position = replace(TABLE, players=(replace(ME, archive=()), TABLE.players[1]))
    with pytest.raises(error) as caught:
        parse_line(position, text) if text else parse_action(position, text)
    assert message in str(caught.value)


def test_a_wrong_order_of_returned_cards_is_illegal() -> None:
    with pytest.raises(IllegalActionError, match="'pass, bottom 211' is not legal here"):
        parse_action(RESEARCHING, "pass, bottom 211")


def test_reveals_stand_alone_where_a_line_begins_with_one() -> None:
    position = replace(TABLE, row=count("U"), turn=Turn(acted=True, awaited=(Awaited("row"),)))
    moves = parse_line(position, "(row Red); pick R")
    assert moves == (Reveal("row", 0), Pick(COLORS[0]))
    assert line_text(position, moves) == "(row R); pick R"


def test_owed_reveals_are_named_and_read_back() -> None:
    for awaited in (Awaited("row"), Awaited("next"), Awaited("draw"), Awaited("refill", 3), Awaited("research", 1)):
        assert parse_awaited(awaited_text(awaited)) == awaited
    for text in ("", "row I", "refill", "refill IV", "marble"):
        with pytest.raises(UnreadableError):
            parse_awaited(text)


WORDS = st.sampled_from(
    ["pick", "Y", "file", "118", "build", "208", "with", "YY", "via", "222", "from", "archive", "(", ")", ";"]
)


@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)))
def test_any_text_is_a_line_or_one_of_our_errors(text: str) -> None:
    try:
        moves = parse_line(TABLE, text)
    except GizmosError:
        return
    assert parse_line(TABLE, line_text(TABLE, moves)) == moves
