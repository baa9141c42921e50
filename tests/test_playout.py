"""What holds in every position of every game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action, EndTurn, Move, Reveal
from engine.cards import DECK_CARDS, LEVELS
from engine.errors import IllegalActionError
from engine.line import write_line
from engine.marbles import COLORS, MARBLES_PER_COLOR
from engine.playout import play, random_chooser, replay
from engine.position import Position
from engine.reveals import outcomes
from engine.rules import apply, is_legal, legal_actions
from engine.setup import new_game
from engine.validation import check, faults

MOST_MOVES = 1500


def game(players: int, seed: int, preview: int) -> Iterator[tuple[Move, Position]]:
    start = new_game(players, seed, preview)
    return islice(play(start, random_chooser(Random(seed)), Random(-seed)), MOST_MOVES)


GAMES = given(players=st.integers(1, 4), seed=st.integers(0, 10**6), preview=st.integers(0, 1))
FEW = settings(max_examples=12, deadline=None)


@FEW
@GAMES
def test_every_position_of_a_game_is_possible_and_in_order(players: int, seed: int, preview: int) -> None:
    for _, position in game(players, seed, preview):
        assert faults(position) == ()
        assert check(position) == position


@FEW
@GAMES
def test_marbles_are_conserved(players: int, seed: int, preview: int) -> None:
    for _, position in game(players, seed, preview):
        for color in COLORS:
            held = sum(player.ring[color] for player in position.players)
            coming = position.next.count(color)
            assert position.dispenser[color] >= 0
            assert position.row[color] + coming + held + position.dispenser[color] == MARBLES_PER_COLOR


@FEW
@GAMES
def test_cards_are_conserved(players: int, seed: int, preview: int) -> None:
    for _, position in game(players, seed, preview):
        for level in LEVELS:
            seen = len(DECK_CARDS[level]) - len(position.unseen(level))
            in_play = 36 if level < 3 else 16
            known_in_deck = len(position.deck(level).top) + len(position.deck(level).bottom)
            assert seen - known_in_deck + position.deck(level).size == in_play


@FEW
@GAMES
def test_moves_never_change_the_position_they_start_from(players: int, seed: int, preview: int) -> None:
    before = new_game(players, seed, preview)
    for _, after in game(players, seed, preview):
        line, value = write_line(before), hash(before)
        for action in legal_actions(before)[:3]:
            apply(before, action)
        assert (write_line(before), hash(before)) == (line, value)
        before = after


@FEW
@GAMES
def test_probabilities_add_up_to_one_and_every_outcome_can_happen(players: int, seed: int, preview: int) -> None:
    for _, position in game(players, seed, preview):
        possible = outcomes(position)
        assert bool(possible) == position.is_chance
        if possible:
            assert sum(outcome.probability for outcome in possible) == 1
            assert len(possible) > 1
            for outcome in (possible[0], possible[-1]):
                assert outcome.probability > 0
                assert faults(replay(position, [outcome.reveal])) == ()


@FEW
@GAMES
def test_there_is_always_something_to_decide_until_the_game_is_over(players: int, seed: int, preview: int) -> None:
    for _, position in game(players, seed, preview):
        legal = legal_actions(position)
        assert bool(legal) == (not position.is_chance and not position.is_over)
        assert len(set(legal)) == len(legal)
        assert all(is_legal(position, action) for action in legal[:5])


@FEW
@GAMES
def test_a_game_ends_with_the_round_in_which_someone_has_built_enough(players: int, seed: int, preview: int) -> None:
    turns = [0] * players
    before = new_game(players, seed, preview)
    for _, after in game(players, seed, preview):
        if after.to_move != before.to_move or (before.turn.acted and not after.turn.acted):
            turns[before.to_move] += 1
        before = after
    if before.is_over and players > 1:
        assert len(set(turns)) == 1
        assert any(len(player.built) >= 16 or player.dashboard.level_3 >= 4 for player in before.players)


def test_the_same_seeds_play_the_same_game() -> None:
    assert list(game(3, 8, 1)) == list(game(3, 8, 1))


def test_a_whole_game_can_be_replayed() -> None:
    moves, positions = zip(*game(2, 4, 0), strict=True)
    assert replay(new_game(2, 4), moves) == positions[-1]


def test_replaying_refuses_what_cannot_happen() -> None:
    wrong: list[Move] = [EndTurn(), Reveal("row", 0)]
    for move in wrong:
        with pytest.raises(IllegalActionError):
            replay(new_game(), [move])


def test_a_chooser_is_asked_for_each_decision_only() -> None:
    asked: list[Position] = []

    def first(position: Position, actions: tuple[Action, ...]) -> Action:
        asked.append(position)
        return actions[0]

    moves = list(islice(play(new_game(2, 1), first, Random(1)), 200))
    assert len(asked) == sum(1 for move, _ in moves if not isinstance(move, Reveal))
