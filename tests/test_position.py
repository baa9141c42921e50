"""Positions are values that say all there is to say."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.marbles import count
from engine.position import Deck, Player, Position, Research, Turn, deck_size

TABLE = Position(
    (Player(ring=count("RU"), built=(101, 901)), Player(ring=count("K"), built=(902,))), row=count("UUUUYU"), next=()
)


def test_positions_are_equal_if_the_rules_cannot_tell_them_apart() -> None:
    again = replace(TABLE, row=count("UYUUUU"))
    assert again == TABLE
    assert hash(again) == hash(TABLE)
    assert replace(TABLE, to_move=1) != TABLE


def test_positions_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        TABLE.to_move = 1  # type: ignore[misc]


def test_the_dispenser_holds_what_is_nowhere_else() -> None:
    assert TABLE.dispenser == (12, 7, 12, 12)


def test_cards_are_unseen_until_they_lie_somewhere() -> None:
    position = replace(
        TABLE,
        display=((102,), (), ()),
        decks=(Deck(9, (103,), (104,)), Deck(0), Deck(0)),
        turn=Turn(acted=True, research=Research(1, (105,))),
    )
    assert position.unseen(1)[:2] == (106, 107)
    assert len(position.unseen(1)) == 31
    assert len(position.unseen(3)) == 36


def test_a_full_deck_of_level_iii_lacks_the_twenty_cards_out_of_the_game() -> None:
    assert [deck_size(level, 0) for level in (1, 2, 3)] == [36, 36, 16]


@pytest.mark.parametrize(
    ("built", "ends"),
    [
        (tuple(range(101, 116)), False),
        (tuple(range(101, 117)), True),
        ((301, 302, 303), False),
        ((301, 302, 303, 304), True),
    ],
)
def test_the_sixteenth_gizmo_or_the_fourth_of_level_iii_brings_the_last_round(
    built: tuple[int, ...], *, ends: bool
) -> None:
    position = replace(TABLE, players=(TABLE.players[0], Player(built=built)), to_move=1)
    assert position.last_round == ends
    assert not position.is_over
    assert replace(position, to_move=0).is_over == ends
    assert not replace(position, to_move=0, turn=Turn(acted=True)).is_over
