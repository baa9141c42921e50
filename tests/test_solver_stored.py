"""The stored sets of positions are what the measurements say that they are measured on."""

import pytest

from engine.cards import LEVELS
from engine.marbles import NO_MARBLES
from engine.position import Position
from engine.validation import check
from solver.samples import STRONG
from solver.stored import engine_rich_turns, orders_known_turns, recorded_turns

SETS = {"recorded": recorded_turns, "engine-rich": engine_rich_turns, "orders known": orders_known_turns}


def has_strong_engine(position: Position) -> bool:
    board = position.player.dashboard
    return (
        13 <= len(position.player.built) <= 15
        and len(set(position.player.built) & set(STRONG)) >= 3
        and board.ring_limit >= 9
        and board.archive_limit >= 3
        and board.research_amount >= 5
    )


@pytest.mark.parametrize("name", SETS)
def test_stored_positions_are_possible_and_starts_of_turns(name: str) -> None:
    turns = SETS[name]()
    assert len(set(turns)) == len(turns)
    for position in turns:
        assert check(position) == position
        assert not position.turn.acted
        assert not position.is_over


@pytest.mark.parametrize("name", ["engine-rich", "orders known"])
def test_strong_engines_are_strong(name: str) -> None:
    assert all(has_strong_engine(position) for position in SETS[name]())
    assert not any(has_strong_engine(position) for position in recorded_turns()[:20])


def test_in_the_engine_rich_set_nothing_is_known_beyond_what_any_player_sees() -> None:
    for position in engine_rich_turns():
        assert all(not position.deck(level).top and not position.deck(level).bottom for level in LEVELS)
        assert len(position.next) <= 1


def test_where_all_orders_are_known_nothing_is_left_to_luck() -> None:
    for position in orders_known_turns():
        assert all(position.deck(level).unknown == 0 for level in LEVELS)
        assert position.dispenser == NO_MARBLES
