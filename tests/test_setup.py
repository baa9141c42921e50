"""The first position of a game, and its last ranking."""

from __future__ import annotations

import pytest

from engine.cards import CARDS, DISPLAY_SIZE, LEVELS, STARTING_GIZMOS
from engine.errors import InvalidPositionError
from engine.marbles import count
from engine.position import Player, Position
from engine.setup import new_game, ranking
from engine.validation import faults


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("preview", [0, 1])
def test_a_new_game_is_dealt_by_the_rules(players: int, preview: int) -> None:
    position = new_game(players, seed=5, preview=preview)
    assert faults(position) == ()
    assert [player.built for player in position.players] == [(gizmo,) for gizmo in STARTING_GIZMOS[:players]]
    assert sum(position.row) == 6
    assert len(position.next) == preview
    assert sum(position.dispenser) == 52 - 6 - preview
    assert [len(cards) for cards in position.display] == [DISPLAY_SIZE[level] for level in LEVELS]
    assert [deck.size for deck in position.decks] == [32, 33, 14]


def test_the_same_seed_deals_the_same_and_another_one_differently() -> None:
    assert new_game(2, seed=1) == new_game(2, seed=1)
    assert len({new_game(2, seed=seed) for seed in range(20)}) == 20


def test_a_game_takes_one_to_four_players() -> None:
    for players, preview in ((0, 0), (5, 0), (2, 2)):
        with pytest.raises(InvalidPositionError, match="expected 1 to 4 and 0 or 1"):
            new_game(players, preview=preview)


ONE_POINT = [card.id for card in CARDS.values() if card.level == 1]
TWO_POINTS = next(card.id for card in CARDS.values() if card.points == 2)


def seats(first_player: int, *players: Player) -> list[int]:
    return [standing.seat for standing in ranking(Position(players, first_player=first_player))]


def test_the_higher_score_wins() -> None:
    assert seats(0, Player(tokens=1), Player(tokens=2)) == [1, 0]


def test_ties_go_to_more_gizmos_then_more_marbles_then_the_seat_furthest_from_the_first_player() -> None:
    two_cards, one_card = Player(built=tuple(ONE_POINT[:2])), Player(built=(TWO_POINTS,), ring=count("RRR"))
    assert two_cards.score == one_card.score == 2
    assert seats(0, two_cards, one_card) == [0, 1]
    assert seats(0, Player(ring=count("R")), Player()) == [0, 1]
    assert seats(0, Player(), Player(), Player()) == [2, 1, 0]
    assert seats(1, Player(), Player(), Player()) == [0, 2, 1]


def test_extra_awards_count() -> None:
    per_marble = next(card for card in CARDS.values() if card.special == "points-per-energy")
    standing = ranking(Position((Player(built=(per_marble.id,), ring=count("RUKY")),)))[0]
    assert (standing.place, standing.seat, standing.score) == (1, 0, per_marble.points + 4)
    assert (standing.gizmos, standing.marbles) == (1, 4)
