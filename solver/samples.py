"""Seeded positions to test and measure the solvers on: random play, strong engines, known orders, short decks."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Final

from msgspec.structs import replace

from engine.cards import CARDS, DECK_CARDS, DISPLAY_SIZE, LEVELS, STARTING_GIZMOS, Effect, dashboard
from engine.marbles import COLORS, MARBLES_PER_COLOR, Color, Marbles, count, one, subtract
from engine.playout import play, random_chooser
from engine.position import ROW_SIZE, Deck, Player, Position, deck_size, sorted_cards
from engine.setup import new_game

STRONG: Final = (311, 312, 313, 314, 319, 320, 325, 326, 331, 332)
"""Gizmos that make long chains: they draw three, pick two, build for nothing, file and research."""
_LEVEL_3_BEFORE_THE_END: Final = 3


def random_play(seed: int, moves: int = 400) -> Position:
    """A position after fewer than `moves` random moves of a game, in the middle of a turn as likely as not.

    >>> random_play(1) == random_play(1)
    True
    """
    nature = Random(seed)
    position = new_game(nature.choice([1, 2, 3]), seed=seed, preview=nature.choice([0, 1]))
    for _, after in islice(play(position, random_chooser(nature), nature), nature.randrange(moves)):
        if after.is_over:
            break
        position = after
    return position


def engine_rich(seed: int, strong: int | None = None) -> Position:
    """The start of a late turn of a player with a strong engine: 13 to 15 gizmos, at least three of `STRONG`.

    The ring limit is at least 9, the archive limit 3, the research amount 5; display, decks and opponents are as in a
    real game. `strong` fixes how many of `STRONG` are built; by default three (a fourth gizmo of level III ends the
    game, so more are met only in a last round), seldom four or five.

    >>> len([card for card in engine_rich(5).player.built if card in STRONG]) >= 3
    True
    """
    nature = Random(seed)
    amount = strong or nature.choice([3, 3, 3, 3, 3, 3, 3, 4, 4, 5])
    seats = nature.choice([2, 2, 3, 4])
    mine = [STARTING_GIZMOS[0], *nature.sample(STRONG, amount)]
    unbuilt = [card for level in (1, 2) for card in DECK_CARDS[level]]
    nature.shuffle(unbuilt)
    upgrades = [card for card in unbuilt if CARDS[card].storage or CARDS[card].archive or CARDS[card].research]
    while not _is_strong(tuple(mine)):
        mine.append(upgrades.pop())
    others = [card for card in unbuilt if card not in mine and not CARDS[card].storage]
    size = nature.randint(max(13, len(mine)), 15) if len(mine) < 15 else len(mine)
    mine += [others.pop() for _ in range(size - len(mine))]
    board = dashboard(sorted_cards(mine))
    left = [[card for card in DECK_CARDS[level] if card not in mine] for level in range(4)]
    for cards in left:
        nature.shuffle(cards)
    # Of level III only so many cards are in the game at all.
    visible_3 = len(DECK_CARDS[3]) - 20 - len([card for card in mine if CARDS[card].level == 3]) - DISPLAY_SIZE[3]

    def some(level: int, number: int) -> list[int]:
        nonlocal visible_3
        if level == LEVELS[-1]:
            number = max(0, min(number, visible_3))
            visible_3 -= number
        return [left[level].pop() for _ in range(min(number, len(left[level])))]

    def archived(limit: int) -> tuple[int, ...]:
        levels = [nature.choice([1, 1, 2, 2, 3]) for _ in range(nature.randint(0, limit))]
        return sorted_cards(card for level in levels for card in some(level, 1))

    bag = [color for color in COLORS for _ in range(MARBLES_PER_COLOR)]
    nature.shuffle(bag)

    def marbles(number: int) -> Marbles:
        return count(tuple(bag.pop() for _ in range(number)))

    row = marbles(ROW_SIZE)
    preview = nature.choice([0, 1])
    following = tuple(bag.pop() for _ in range(preview))
    players = [
        Player(
            ring=marbles(nature.randint(board.ring_limit // 2, board.ring_limit)),
            built=sorted_cards(mine),
            archive=archived(board.archive_limit),
            tokens=nature.randint(0, 12),
        )
    ]
    display = tuple(sorted_cards(some(level, DISPLAY_SIZE[level])) for level in LEVELS)
    for seat in range(1, seats):
        built = [STARTING_GIZMOS[seat], *some(1, nature.randint(3, 7)), *some(2, nature.randint(2, 4))]
        built += some(3, nature.randint(0, _LEVEL_3_BEFORE_THE_END))
        theirs = dashboard(sorted_cards(built))
        room = min(theirs.ring_limit, len(bag) // 3)
        players.append(
            Player(
                ring=marbles(nature.randint(0, room)),
                built=sorted_cards(built),
                archive=archived(min(2, theirs.archive_limit)),
                tokens=nature.randint(0, 8),
            )
        )
    decks = []
    for level in LEVELS:
        known = sum(1 for player in players for card in (*player.built, *player.archive) if CARDS[card].level == level)
        decks.append(Deck(deck_size(level, known + len(display[level - 1]))))
    first = 0 if amount <= _LEVEL_3_BEFORE_THE_END else 1
    return Position(
        players=tuple(players),
        first_player=first,
        row=row,
        next=following,
        preview=preview,
        display=display,
        decks=tuple(decks),
    )


def _is_strong(built: tuple[int, ...]) -> bool:
    board = dashboard(sorted_cards(built))
    return board.ring_limit >= 9 and board.archive_limit >= 3 and board.research_amount >= 5


def orders_known(seed: int) -> Position:
    """A strong engine with all decks and all marbles to come known: no luck, but a long chain to find.

    The marbles left are all known to enter the row in their order, so nothing can be drawn.
    """
    return with_orders_known(engine_rich(seed), Random(seed))


def with_orders_known(position: Position, nature: Random) -> Position:
    """The position with its decks and all marbles still to come in an order that `nature` draws and everyone knows."""
    decks = []
    for level in LEVELS:
        unseen = list(position.unseen(level))
        nature.shuffle(unseen)
        decks.append(Deck(position.deck(level).size, tuple(unseen[: position.deck(level).size])))
    bag = [color for color in COLORS for _ in range(position.dispenser[color])]
    nature.shuffle(bag)
    following: tuple[Color, ...] = (*position.next, *bag)
    return replace(position, decks=tuple(decks), next=following)


def few_cards(seed: int) -> Position:
    """A strong engine at a table where nearly everything is visible, so that full enumeration is possible.

    A third player, as no real game has one, owns all but a few of the cards and marbles that are unseen in
    `engine_rich`; some of the decks are so short that researched cards come up again.
    """
    nature = Random(seed)
    position = engine_rich(seed)
    player = replace(position.player, archive=position.player.archive[: nature.randint(0, 2)])
    ring = player.ring
    while sum(ring) > nature.randint(3, 7):
        color = nature.choice([color for color in COLORS if ring[color]])
        ring = subtract(ring, one(color))
    players = [replace(player, ring=ring), position.players[1]]
    position = replace(position, players=tuple(players), first_player=min(position.first_player, 1))
    hoard: list[int] = []
    decks = []
    for level in LEVELS:
        unseen = list(position.unseen(level))
        nature.shuffle(unseen)
        left = nature.randint(0, 4)
        hoard += unseen[left:]
        size = nature.randint(0, left) if level == LEVELS[-1] else left
        decks.append(Deck(size))
    bag = position.dispenser
    kept = [nature.choice([0, 0, 1, 2]) for _ in COLORS]
    rest: Marbles = (
        max(0, bag[0] - kept[0]),
        max(0, bag[1] - kept[1]),
        max(0, bag[2] - kept[2]),
        max(0, bag[3] - kept[3]),
    )
    players.append(Player(ring=rest, built=sorted_cards(hoard)))
    # The hoard has brought about the last round, in which it is not the first player to move.
    return replace(position, players=tuple(players), first_player=1, decks=tuple(decks))


def short_decks(seed: int) -> Position:
    """Both research gizmos and a few that file or build for nothing, over decks that researches see to the bottom.

    A second player, as no real game has one, owns every other card and marble. The main action is still to be chosen.

    >>> max(deck.size for deck in short_decks(1).decks) <= 5
    True
    """
    nature = Random(seed)
    built = [STARTING_GIZMOS[0], *_with("research")]
    built += nature.sample(_with("free-build-level-1"), nature.randint(0, 2))
    built += nature.sample(_with("file"), nature.randint(0, 1))
    display, decks, hoard = [], [], []
    for level in LEVELS:
        unseen = [card for card in DECK_CARDS[level] if card not in built]
        nature.shuffle(unseen)
        shown = nature.randint(0, 2)
        size = nature.choice([0, 1, 2, 3, 4, 5])
        display.append(sorted_cards(unseen[:shown]))
        decks.append(Deck(size))
        hoard += unseen[shown + size :]
    bag = [color for color in COLORS for _ in range(MARBLES_PER_COLOR)]
    nature.shuffle(bag)
    ring = count(tuple(bag.pop() for _ in range(nature.randint(1, 5))))
    row = count(tuple(bag.pop() for _ in range(nature.randint(0, 1))))
    rest = Player(ring=count(tuple(bag)), built=sorted_cards(hoard))
    return Position(
        players=(Player(ring=ring, built=sorted_cards(built)), rest),
        first_player=1,
        row=row,
        display=(display[0], display[1], display[2]),
        decks=(decks[0], decks[1], decks[2]),
    )


def _with(effect: Effect) -> list[int]:
    """The gizmos that a build triggers to that effect."""
    return [card.id for card in CARDS.values() if card.trigger == "build" and card.effect == effect]
