"""Trim a puzzle to what matters: take away what changes neither the answer nor what tempts a player away from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from engine.actions import Build
from engine.cards import CARDS, LEVELS, Level
from engine.marbles import COLORS, Color, one, subtract
from engine.position import Deck, Player, Position, without_card
from engine.validation import faults
from puzzles.answers import Answers, options
from puzzles.study import Study, greedy_loss, study
from puzzles.values import turn_values
from solver.objective import Luck, Objective, Value
from solver.reference import Stopped

Temptations: TypeAlias = dict[tuple[str, int, str], Value]
"""What the first actions are worth: each card that could be built, and the best of every other kind."""

Drop: TypeAlias = Callable[[Position], Position | None]
"""Takes a piece away; None if it is not there."""


@dataclass(frozen=True)
class Outlook:
    """What a player sees and may fall for: the worth of the first actions, and what a greedy player loses."""

    temptations: Temptations
    loss: Value

    @property
    def value(self) -> Value:
        """What the best turn is worth."""
        return max(self.temptations.values())


def outlook(position: Position, objective: Objective, luck: Luck, most_states: int = 0) -> Outlook:
    """The outlook from a position.

    Raises Stopped if that takes more than `most_states` positions (0: no limit).
    """
    values = turn_values(position, objective, luck, most_states)
    worth: Temptations = {}
    for action, value in options(values, position):
        built = (action.card, action.source) if isinstance(action, Build) else (0, "")
        key = (type(action).__name__, *built)
        worth[key] = max(worth.get(key, value), value)
    seen = Outlook(worth, greedy_loss(values, Answers(values, luck), position))
    if 0 < most_states < values.states:
        raise Stopped
    return seen


def trimmed(position: Position, objective: Objective, luck: Luck, most_states: int = 0) -> Position:
    """A smaller version of a position, found by taking pieces away one by one, with the same outlook.

    Pieces are tokens, decks, built gizmos, cards of the display and the archive, and marbles of the row; the ring
    stays as it is. A piece goes if the position stays possible, every first action is worth what it was (so the best
    ones stay the best, and cards that tempt stay) and a greedy player loses what he lost.

    Raises Stopped.
    """
    before = outlook(position, objective, luck, most_states)
    for drop in _drops(position):
        smaller = _dropped(position, drop)
        if smaller is not None and _looks_like(smaller, before, objective, luck, most_states):
            position = smaller
    return position


def _looks_like(position: Position, before: Outlook, objective: Objective, luck: Luck, most_states: int) -> bool:
    try:
        return outlook(position, objective, luck, most_states) == before
    except Stopped:
        return False


def cleared(puzzle: Study, most_states: int = 0) -> Study:
    """A puzzle with fewer answers that only differ in which marble is picked or which card is filed.

    Pieces that make such a difference are taken away, as long as value and answer stay the same, that difference aside,
    and a greedy player still fails. With one answer it stays as it is.
    """
    for drop in _drops(puzzle.position):
        if puzzle.unique:
            break
        position = _dropped(puzzle.position, drop)
        if position is not None:
            try:
                candidate = study(position, puzzle.objective, puzzle.luck, most_states)
            except Stopped:
                continue
            same = candidate.value == puzzle.value and candidate.rough_answers == puzzle.rough_answers
            if same and candidate.greedy_fails and len(candidate.answers) < len(puzzle.answers):
                puzzle = candidate
    return puzzle


def _dropped(position: Position, drop: Drop) -> Position | None:
    """The position without a piece, if it is there and can be missed by the rules."""
    smaller = drop(position)
    return None if smaller is None or faults(smaller) or smaller.is_over else smaller


def _drops(position: Position) -> Iterator[Drop]:
    player = position.player
    yield _without_tokens
    for level in LEVELS:
        yield partial(_without_deck, level)
    for number in sorted(player.built, key=lambda number: (CARDS[number].level, number)):
        yield partial(_without_built, number)
    for row in position.display:
        for number in row:
            yield partial(_without_displayed, number)
    for number in player.archive:
        yield partial(_without_archived, number)
    for color in COLORS:
        for _ in range(position.row[color]):
            yield partial(_without_marble, color)


def _without_tokens(position: Position) -> Position | None:
    return _with_player(position, replace(position.player, tokens=0)) if position.player.tokens else None


def _without_deck(level: Level, position: Position) -> Position | None:
    if not position.deck(level).size:
        return None
    return replace(position, decks=(*position.decks[: level - 1], Deck(0), *position.decks[level:]))


def _without_built(number: int, position: Position) -> Position | None:
    player = position.player
    return _with_player(position, replace(player, built=without_card(player.built, number)))


def _without_archived(number: int, position: Position) -> Position | None:
    player = position.player
    return _with_player(position, replace(player, archive=without_card(player.archive, number)))


def _without_displayed(number: int, position: Position) -> Position | None:
    level = CARDS[number].level
    display = list(position.display)
    if number not in display[level - 1]:
        return None
    display[level - 1] = without_card(display[level - 1], number)
    return replace(position, display=tuple(display))


def _without_marble(color: Color, position: Position) -> Position | None:
    if not position.row[color]:
        return None
    return replace(position, row=subtract(position.row, one(color)))


def _with_player(position: Position, player: Player) -> Position:
    seat = position.to_move
    return replace(position, players=(*position.players[:seat], player, *position.players[seat + 1 :]))
