"""The order in which researched cards are returned is a decision wherever the cards can be reached again."""

import pytest

from engine.actions import Pass
from engine.marbles import count
from engine.playout import replay
from engine.position import Deck, Player, Position, Research, Turn
from solver.front import solve
from solver.native import which
from solver.reference import in_all_orders


def researching(size: int) -> Position:
    """A research of three cards of level I, with two more to come by gizmos that a build would trigger."""
    return Position(
        players=(Player(ring=count("RRUU"), built=(331, 332, 901)),),
        decks=(Deck(size), Deck(0), Deck(0)),
        turn=Turn(acted=True, triggered=(331, 332), research=Research(1, (101, 102, 103))),
    )


def test_orders_are_tried_where_returned_cards_can_be_reached() -> None:
    assert len(list(in_all_orders(researching(0), Pass()))) == 6
    assert list(in_all_orders(researching(30), Pass())) == [Pass()]


@pytest.mark.skipif(which() == "reference", reason="installed without a compiler")
@pytest.mark.parametrize("size", [0, 1])
def test_kernel_and_reference_choose_the_order_alike(size: int) -> None:
    position = researching(size)
    assert solve(position, solver="kernel").value == pytest.approx(solve(position, solver="reference").value)


def test_the_line_returns_the_cards_in_the_order_that_its_value_needs() -> None:
    """225, the only card that KK pays for, is filed past: it must be among the three that 331 shows again."""
    position = Position(
        players=(Player(ring=count("KK"), built=(331, 901)),),
        decks=(Deck(0), Deck(0), Deck(0)),
        turn=Turn(acted=True, triggered=(331,), research=Research(2, (201, 211, 216, 219, 225))),
    )
    answer = solve(position, luck="worst")
    assert answer.value == (2.0,)
    assert answer.best is not None
    moves = [move for step in answer.best.steps for move in (step.action, *step.reveals)]
    assert replay(position, moves).players[0].score - position.player.score == 2
