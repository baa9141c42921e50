"""The first position of a game, and who has won the last (rules: "Parts", "Score and end")."""

from __future__ import annotations

from random import Random

import msgspec

from engine.cards import DECK_CARDS, DISPLAY_SIZE, LEVELS, STARTING_GIZMOS
from engine.errors import InvalidPositionError
from engine.marbles import COLORS, MARBLES_PER_COLOR, count
from engine.position import ROW_SIZE, Deck, Player, Position, deck_size, sorted_cards
from engine.validation import MAX_PLAYERS


class Standing(msgspec.Struct, frozen=True):
    """One player in the ranking: `place` counts from 1, `seat` from 0."""

    place: int
    seat: int
    score: int
    gizmos: int
    marbles: int


def new_game(players: int = 2, seed: int = 0, preview: int = 0) -> Position:
    """The first position of a game: what is dealt face up follows from the seed, the decks stay unknown.

    `preview` is 1 if a next marble lies face up, as on Board Game Arena. The first player has the first seat.

    >>> new_game(3, seed=7) == new_game(3, seed=7)
    True

    Raises InvalidPositionError unless there are 1 to 4 players and `preview` is 0 or 1.
    """
    if not 1 <= players <= MAX_PLAYERS or preview not in (0, 1):
        raise InvalidPositionError(
            f"{players} players and {preview} marbles face up as NEXT, expected 1 to {MAX_PLAYERS} and 0 or 1"
        )
    nature = Random(seed)
    marbles = nature.sample([color for color in COLORS for _ in range(MARBLES_PER_COLOR)], ROW_SIZE + preview)
    return Position(
        players=tuple(Player(built=(gizmo,)) for gizmo in STARTING_GIZMOS[:players]),
        row=count(tuple(marbles[:ROW_SIZE])),
        next=tuple(marbles[ROW_SIZE:]),
        preview=preview,
        display=tuple(sorted_cards(nature.sample(DECK_CARDS[level], DISPLAY_SIZE[level])) for level in LEVELS),
        decks=tuple(Deck(deck_size(level, DISPLAY_SIZE[level])) for level in LEVELS),
    )


def ranking(position: Position) -> tuple[Standing, ...]:
    """All players, best first, if the game ended now.

    Ties go to more built gizmos, then to more marbles in the ring, then to the seat furthest from the first player in
    turn order; so no two players share a place.

    >>> [standing.seat for standing in ranking(new_game(3))]
    [2, 1, 0]
    """
    seats = len(position.players)

    def merit(seat: int) -> tuple[int, int, int, int]:
        player = position.players[seat]
        return (player.score, len(player.built), player.marbles, (seat - position.first_player) % seats)

    order = sorted(range(seats), key=merit, reverse=True)
    return tuple(Standing(place, seat, *merit(seat)[:3]) for place, seat in enumerate(order, 1))
