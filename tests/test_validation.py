"""Every fault of an impossible position is found, and possible positions have none."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import InvalidPositionError
from engine.marbles import Color, count
from engine.position import Awaited, Deck, Pending, Player, Position, Research, Turn
from engine.validation import check, faults


def table(**changes: Any) -> Position:
    """A possible position in which the player to move has triggered 227 and owns a converter."""
    given: dict[str, Any] = {
        "players": (Player(built=(105, 208, 227, 901), ring=count("RU")), Player(built=(902,))),
        "row": count("UUUUYU"),
        "display": ((113, 117, 118, 124), (203, 211, 217), (316, 317)),
        "decks": (Deck(20), Deck(20), Deck(10)),
    }
    return Position(**(given | changes))


def in_turn(**changes: Any) -> Position:
    given: dict[str, Any] = {"acted": True, "triggered": (227,), "used": (105,)}
    return table(turn=Turn(**(given | changes)))


def test_possible_positions_have_no_fault() -> None:
    assert faults(table()) == ()
    assert faults(in_turn()) == ()
    assert faults(in_turn(used=(105, 208), pending=Pending(208, 1))) == ()


def test_a_puzzle_may_show_one_player_without_a_starting_gizmo_and_nothing_else() -> None:
    assert faults(Position((Player(),))) == ()


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        (table(players=()), "players: 0 of them, expected 1 to 4"),
        (table(players=(Player(),) * 5), "players: 5 of them, expected 1 to 4"),
        (table(to_move=2), "to_move: seat 3, expected 1 to 2"),
        (table(first_player=-1), "first_player: seat 0, expected 1 to 2"),
        (table(row=count("UUUUYUR")), "energy_row: 7 marbles, expected at most 6"),
        (table(row=(-1, 0, 0, 0)), "energy_row: a negative number of marbles"),
        (table(preview=2), "preview: 2, expected 0"),
        (table(next=(Color.BLUE,) * 8), "energy_row, next, players.ring: 14 blue marbles, expected at most 13"),
        (table(display=((101, 102, 103, 104, 106), (), ())), "display.I: 5 cards, expected at most 4"),
        (table(display=((), (101,), ())), "display.II: card 101 is of level I, expected cards of level II"),
        (table(display=((), (903,), ())), "display.II: card 903 is a starting gizmo"),
        (table(display=((137,), (), ())), "display.I: there is no card 137"),
        (table(display=((105,), (), ())), "display.I and players[1].built: card 105 lies there twice"),
        (table(decks=(Deck(34), Deck(0), Deck(0))), "decks.I.size: 34, expected at most 31 (5 cards"),
        (table(decks=(Deck(0), Deck(0), Deck(15))), "decks.III.size: 15, expected at most 14 (2 cards"),
        (table(decks=(Deck(1, (101,), (102,)), Deck(0), Deck(0))), "decks.I.size: 1, expected at least 2"),
        (table(decks=(Deck(9, (201,)), Deck(0), Deck(0))), "decks.I.top: card 201 is of level II"),
        (table(players=(Player(built=tuple(range(301, 316))),)), "display, players: 17 cards of level III"),
        (table(players=(Player(ring=count("RRRUUU")),)), "players[1].ring: 6 marbles, expected at most 5"),
        (table(players=(Player(ring=(0, -1, 0, 0)),)), "players[1].ring: a negative number of marbles"),
        (table(players=(Player(), Player(archive=(101, 102)))), "players[2].archive: 2 cards, expected at most 1"),
        (table(players=(Player(archive=(901,)),)), "players[1].archive: card 901 is a starting gizmo"),
        (table(players=(Player(built=(901, 902)),)), "players[1].built: starting gizmos 901, 902, expected one"),
        (table(players=(Player(tokens=-1),)), "players[1].tokens: -1, expected 0 to 999"),
        (in_turn(acted=False), "turn: something has happened in it"),
        (in_turn(triggered=(101,)), "turn.triggered: card 101, expected gizmos that the player to move has built"),
        (in_turn(triggered=(105,)), "turn.triggered: card 105 has no trigger"),
        (in_turn(used=(105, 227)), "turn.triggered: card 227 is used already"),
        (in_turn(used=(101,)), "turn.used: card 101, expected gizmos that the player to move has built"),
        (in_turn(pending=Pending(208)), "turn.pending.gizmo: card 208, expected one of turn.used"),
        (in_turn(pending=Pending(105)), "turn.pending.gizmo: card 105 has no effect"),
        (in_turn(used=(208,), pending=Pending(208, 2)), "turn.pending.done: 2, expected 0 to 1 for card 208"),
        (in_turn(research=Research(2)), "turn.research.seen: 0 cards, expected 1 to 3"),
        (in_turn(research=Research(2, (301,))), "turn.research.seen: card 301 is of level III"),
        (in_turn(research=Research(4, (201,))), "turn.research.level: 4, expected I, II or III"),
        (in_turn(awaited=(Awaited("row"),)), "turn.awaited: no row can be owed, since the row is full"),
        (in_turn(awaited=(Awaited("next"),)), "turn.awaited: no next can be owed, since none is missing"),
        (in_turn(awaited=(Awaited("refill", 1),)), "turn.awaited: no refill can be owed, since the display is full"),
        (in_turn(awaited=(Awaited("draw"), Awaited("row"))), "turn.awaited: several reveals, expected one"),
    ],
)
def test_each_impossibility_is_a_fault_that_names_its_place(position: Position, fault: str) -> None:
    assert any(each.startswith(fault) for each in faults(position)), faults(position)


def test_all_faults_are_reported_at_once() -> None:
    position = table(to_move=7, row=count("UUUUYUR"), display=((999,), (), ()))
    with pytest.raises(InvalidPositionError) as caught:
        check(position)
    assert [fault.split(":")[0] for fault in caught.value.faults] == ["to_move", "energy_row", "display.I"]


def test_a_forbidden_research_is_a_fault() -> None:
    position = table(players=(Player(built=(321,)),), turn=Turn(acted=True, research=Research(1, (101, 102, 103))))
    assert faults(position) == ("turn.research: card 321 forbids it",)


def test_checking_puts_cards_in_order() -> None:
    position = table(players=(Player(built=(901, 227, 105)),), display=((124, 113), (), ()))
    assert check(position).players[0].built == (105, 227, 901)
    assert check(position).display[0] == (113, 124)
