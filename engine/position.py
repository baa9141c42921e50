"""Positions: the whole table at one moment, as immutable values.

Two positions that the rules cannot tell apart are equal: whatever has no order in the game (rings, the row, the
display, archives, built gizmos) is kept sorted, so the hash of a position is a transposition key.
Seats count from 0 here; documents and messages for people count from 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

import msgspec

from engine.cards import CARDS, DECK_CARDS, LEVELS, REMOVED_LEVEL_3, Dashboard, Level, dashboard
from engine.marbles import MARBLES_PER_COLOR, NO_MARBLES, Color, Marbles

RevealKind: TypeAlias = Literal["row", "next", "draw", "refill", "research"]
ROW_SIZE: Final = 6
END_GIZMOS: Final = 16
END_LEVEL_3: Final = 4


class Awaited(msgspec.Struct, frozen=True, order=True):
    """A reveal that nature owes: a marble into the `row`, as `next`, by a `draw`, or a card from deck `level`."""

    kind: RevealKind
    level: Level = 0


class Pending(msgspec.Struct, frozen=True):
    """The effect being carried out, and how many of its picks or draws are done."""

    gizmo: int
    done: int = 0


class Research(msgspec.Struct, frozen=True):
    """The cards seen so far of a research of deck `level`, ascending.

    `unknown` more were seen by the player, but are not known here: in the record of a game that others watched.
    """

    level: Level
    seen: tuple[int, ...] = ()
    unknown: int = 0


class Turn(msgspec.Struct, frozen=True, cache_hash=True):
    """What has happened in the turn of the player to move.

    `acted`: the main action is chosen. `triggered`: gizmos that wait to be used. `used`: gizmos and converters used,
    the pending one included. `awaited`: reveals still owed, the first one next.
    """

    acted: bool = False
    triggered: tuple[int, ...] = ()
    used: tuple[int, ...] = ()
    pending: Pending | None = None
    research: Research | None = None
    awaited: tuple[Awaited, ...] = ()


class Deck(msgspec.Struct, frozen=True, cache_hash=True):
    """A face-down deck: how many cards, and the known ones from the top and at the bottom, each from top to bottom."""

    size: int
    top: tuple[int, ...] = ()
    bottom: tuple[int, ...] = ()

    @property
    def unknown(self) -> int:
        """How many of its cards are not known."""
        return self.size - len(self.top) - len(self.bottom)


class Player(msgspec.Struct, frozen=True, cache_hash=True):
    """One player's table: marbles, built and archived cards (ascending), points in tokens."""

    name: str = ""
    ring: Marbles = NO_MARBLES
    built: tuple[int, ...] = ()
    archive: tuple[int, ...] = ()
    tokens: int = 0

    @property
    def dashboard(self) -> Dashboard:
        """What the built gizmos give."""
        return dashboard(self.built)

    @property
    def marbles(self) -> int:
        """How many marbles the ring holds."""
        return sum(self.ring)

    @property
    def room(self) -> int:
        """How many more marbles the ring takes."""
        return self.dashboard.ring_limit - sum(self.ring)

    @property
    def score(self) -> int:
        """Points if the game ended now: built gizmos, tokens and extra awards (rules: "Score and end")."""
        board = self.dashboard
        awards = board.points_per_energy * self.marbles + board.points_per_token * self.tokens
        return board.points + self.tokens + awards

    @property
    def points(self) -> int:
        """Points without extra awards: built gizmos and tokens."""
        return self.dashboard.points + self.tokens

    @property
    def ends_game(self) -> bool:
        """True once this player has brought about the last round."""
        return len(self.built) >= END_GIZMOS or [CARDS[gizmo].level for gizmo in self.built].count(3) >= END_LEVEL_3


class Position(msgspec.Struct, frozen=True, cache_hash=True):
    """The whole table at one moment, in the middle of a turn too.

    `row` are the marbles on offer; `next` those known to enter it, in order; `preview` how many of them are face up by
    rule (1 on Board Game Arena, 0 at the table). `display` holds the face-up cards of level I, II, III (ascending),
    `decks` the decks.
    """

    players: tuple[Player, ...]
    to_move: int = 0
    first_player: int = 0
    row: Marbles = NO_MARBLES
    next: tuple[Color, ...] = ()
    preview: int = 0
    display: tuple[tuple[int, ...], ...] = ((), (), ())
    decks: tuple[Deck, ...] = (Deck(0), Deck(0), Deck(0))
    turn: Turn = Turn()

    @property
    def player(self) -> Player:
        """The player to move."""
        return self.players[self.to_move]

    def deck(self, level: Level) -> Deck:
        """The deck of a level."""
        return self.decks[level - 1]

    @property
    def dispenser(self) -> Marbles:
        """Marbles not in the row, not known to come next and in nobody's ring (13 of each colour in all)."""
        red = blue = black = yellow = MARBLES_PER_COLOR
        for each in (self.row, *(player.ring for player in self.players)):
            red -= each[0]
            blue -= each[1]
            black -= each[2]
            yellow -= each[3]
        counts = [red, blue, black, yellow]
        for color in self.next:
            counts[color] -= 1
        return (counts[0], counts[1], counts[2], counts[3])

    def unseen(self, level: Level) -> tuple[int, ...]:
        """Cards of a level whose place nobody knows, ascending; each is equally likely to be drawn next."""
        deck = self.deck(level)
        seen = {*self.display[level - 1], *deck.top, *deck.bottom}
        for player in self.players:
            seen.update(player.built, player.archive)
        if self.turn.research is not None:
            seen.update(self.turn.research.seen)
        return tuple(number for number in DECK_CARDS[level] if number not in seen)

    @property
    def last_round(self) -> bool:
        """True when somebody has brought about the end: this round is the last."""
        return any(player.ends_game for player in self.players)

    @property
    def is_over(self) -> bool:
        """True when the last round is complete."""
        return not self.turn.acted and self.to_move == self.first_player and self.last_round

    @property
    def is_chance(self) -> bool:
        """True when nature moves next."""
        return bool(self.turn.awaited)


def deck_size(level: Level, known: int) -> int:
    """Cards in a deck when `known` cards of its level lie elsewhere, face up (20 of level III are out of the game).

    >>> deck_size(1, 4), deck_size(3, 2)
    (32, 14)
    """
    removed = REMOVED_LEVEL_3 if level == LEVELS[-1] else 0
    return max(0, len(DECK_CARDS[level]) - removed - known)


def with_card(cards: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Add a card, keeping the order."""
    return tuple(sorted((*cards, number)))


def without_card(cards: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Take one card out."""
    where = cards.index(number)
    return cards[:where] + cards[where + 1 :]


def level_of(number: int) -> Level:
    """The level of a card."""
    return CARDS[number].level


def sorted_cards(cards: Iterable[int]) -> tuple[int, ...]:
    """Cards in ascending order, each once."""
    return tuple(sorted(set(cards)))
