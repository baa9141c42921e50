"""Moves one after the other: given ones, or whole games in which players choose and nature reveals at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import TypeAlias

from engine.actions import Action, Move, Reveal
from engine.position import Position
from engine.reveals import reveal, reveal_unchecked, weighted_reveals
from engine.rules import apply, apply_unchecked, legal_actions

Chooser: TypeAlias = Callable[[Position, tuple[Action, ...]], Action]
"""A player: chooses one of the legal actions of a position."""


def replay(position: Position, moves: Iterable[Move]) -> Position:
    """The position after some moves.

    >>> from engine.notation import parse_line
    >>> from engine.setup import new_game
    >>> position = new_game(2, seed=4)
    >>> replay(position, parse_line(position, "pick U (row R)")).to_move
    1

    Raises IllegalActionError.
    """
    for move in moves:
        position = play_move(position, move)
    return position


def play_move(position: Position, move: Move) -> Position:
    """The position after one move, a player's or nature's.

    Raises IllegalActionError.
    """
    return reveal(position, move) if isinstance(move, Reveal) else apply(position, move)


def play(position: Position, choose: Chooser, nature: Random) -> Iterator[tuple[Move, Position]]:
    """Play to the end: each move with the position it leads to.

    Players who can do nothing but pass would play for ever; cut such games short (`itertools.islice`).

    >>> from engine.setup import new_game
    >>> *_, (move, position) = play(new_game(2, seed=1), random_chooser(Random(1)), Random(2))
    >>> position.is_over
    True
    """
    while not position.is_over:
        move: Move
        if position.is_chance:
            move = random_reveal(position, nature)
            position = reveal_unchecked(position, move)
        else:
            move = choose(position, legal_actions(position))
            position = apply_unchecked(position, move)
        yield move, position


def random_reveal(position: Position, nature: Random) -> Reveal:
    """What nature reveals next, each outcome as likely as it is."""
    weighted = weighted_reveals(position)
    return nature.choices([each for each, _ in weighted], [weight for _, weight in weighted])[0]


def random_chooser(source: Random) -> Chooser:
    """A player to whom all legal actions are alike."""
    return lambda _, actions: actions[source.randrange(len(actions))]
