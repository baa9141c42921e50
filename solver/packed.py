"""Positions as bytes for the whole-game part of the kernel (solver/kernel/games_codec.cpp reads the same form).

Every number takes a byte, tokens two, the lower first. A card is its place among all card numbers in ascending order; a
set of cards is how many there are, and then the cards. In this order:

    players, to move, first player, preview; row (4 colours); how many next marbles, their colours; display (a set);
    for each deck its size, the known top cards (a set from top to bottom), the known bottom cards;
    acted, triggered, used, pending gizmo + 1 (0: none), its picks or draws done, research level (0: none), cards
    seen, how many more were seen that are not known;
    how many runs of equal awaited reveals, and for each its kind, level and length;
    for each player: ring (4 colours), tokens, built, archive.

Names are left out: no rule asks for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final, get_args

from engine.cards import CARDS
from engine.position import Position, RevealKind

CARD_NUMBERS: Final = tuple(sorted(CARDS))
KINDS: Final[tuple[RevealKind, ...]] = get_args(RevealKind)
_INDEX: Final = {number: index for index, number in enumerate(CARD_NUMBERS)}


def pack(position: Position) -> bytes:
    """The bytes of a position.

    >>> from engine.setup import new_game
    >>> len(pack(new_game(2)))
    55

    Raises ValueError for numbers that no byte holds, such as thousands of marbles.
    """
    turn = position.turn
    packed = bytearray((len(position.players), position.to_move, position.first_player, position.preview))
    packed += bytes(position.row)
    packed += bytes((len(position.next), *position.next))
    packed += _cards(number for row in position.display for number in row)
    for deck in position.decks:
        packed.append(deck.size)
        packed += _cards(deck.top) + _cards(deck.bottom)
    packed.append(turn.acted)
    packed += _cards(turn.triggered) + _cards(turn.used)
    packed += bytes((_INDEX[turn.pending.gizmo] + 1, turn.pending.done) if turn.pending else (0, 0))
    packed.append(turn.research.level if turn.research else 0)
    packed += _cards(turn.research.seen if turn.research else ())
    packed.append(turn.research.unknown if turn.research else 0)
    runs = [(awaited, sum(1 for _ in equal)) for awaited, equal in groupby(turn.awaited)]
    packed.append(len(runs))
    for awaited, length in runs:
        packed += bytes((KINDS.index(awaited.kind), awaited.level, length))
    for player in position.players:
        packed += bytes(player.ring) + player.tokens.to_bytes(2, "little")
        packed += _cards(player.built) + _cards(player.archive)
    return bytes(packed)


def _cards(numbers: Iterable[int]) -> bytes:
    cards = bytes(_INDEX[number] for number in numbers)
    return bytes((len(cards),)) + cards
