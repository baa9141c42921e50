"""Counts of action sequences, by the kernel where there is one: `engine.perft` says what is counted."""

from __future__ import annotations

from typing import TypeAlias

from engine import perft as reference
from engine.actions import Move
from engine.position import Position
from engine.reveals import settle, weighted_reveals
from engine.rules import legal_actions
from solver.compiled import kernel
from solver.packed import pack

Divided: TypeAlias = tuple[tuple[Move, int], ...]
"""Each first move with its count."""


def perft(position: Position, depth: int) -> int:
    """`engine.perft.perft`.

    >>> from engine.setup import new_game
    >>> perft(new_game(2), 1)
    16

    Raises ValueError for a depth below 0. Ctrl-C ends the count.
    """
    if kernel is None or depth < 0:
        return reference.perft(position, depth)
    number: int = kernel.games_perft(pack(position), depth)
    return number


def divide(position: Position, depth: int) -> Divided:
    """`engine.perft.divide`.

    Raises ValueError for a depth below 1.
    """
    if kernel is None or depth < 1:
        return reference.divide(position, depth)
    settled = settle(position)
    moves: list[Move] = [each for each, _ in weighted_reveals(settled)] or list(legal_actions(settled))
    return tuple(zip(moves, kernel.games_perft_divide(pack(position), depth), strict=True))
