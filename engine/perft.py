"""Counts of action sequences: a sharp test that two implementations play the same game.

Each distinct outcome of a reveal is a branch of its own, whatever its probability; the cards of a research are revealed
one by one, so that each order counts. Reveals are no actions: `depth` counts decisions of players. What nature reveals
after the last of them does not count, nor do games that end sooner. Reveals that only one outcome fits, or none, are
not branched on, as everywhere in the engine.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Move
from engine.position import Position
from engine.reveals import reveal_unchecked, settle, weighted_reveals
from engine.rules import apply_unchecked, legal_actions


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` legal actions there are from a position.

    >>> from engine.marbles import count
    >>> from engine.position import Player
    >>> [perft(Position((Player(), Player()), row=count("RY")), depth) for depth in range(4)]
    [1, 2, 14, 98]

    Raises ValueError for a depth below 0.
    """
    if depth < 0:
        raise ValueError(f"a depth of {depth}: expected 0 or more")
    return _perft(settle(position), depth)


def divide(position: Position, depth: int) -> tuple[tuple[Move, int], ...]:
    """`perft` for each first move: the legal actions or, where nature moves first, the reveals.

    Raises ValueError for a depth below 1.
    """
    if depth < 1:
        raise ValueError(f"a depth of {depth}: expected 1 or more")
    return tuple((move, _perft(child, depth - used)) for move, child, used in _children(settle(position)))


def _perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1 and not position.is_chance:
        return len(legal_actions(position))
    return sum(_perft(child, depth - used) for _, child, used in _children(position))


def _children(position: Position) -> Iterator[tuple[Move, Position, int]]:
    """Each next move with the position it leads to, and how many actions it is."""
    for outcome, _ in weighted_reveals(position):
        yield outcome, reveal_unchecked(position, outcome), 0
    for action in legal_actions(position):
        yield action, apply_unchecked(position, action), 1
