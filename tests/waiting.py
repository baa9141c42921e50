"""Seeded positions in the middle of a turn in which picks and draws wait before a research."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.cards import CARDS, DECK_CARDS, DISPLAY_SIZE, LEVELS, STARTING_GIZMOS, dashboard
from engine.marbles import COLORS, MARBLES_PER_COLOR, Color, Marbles, count
from engine.position import ROW_SIZE, Deck, Player, Position, Turn, sorted_cards

MARBLE_CARDS: Final = (333, 334)
"""Marbles are worth points to their owner."""
RESEARCHERS: Final = (331, 332)
PICKERS: Final = tuple(card.id for card in CARDS.values() if card.effect == "pick" and card.trigger != "file")
DRAWERS: Final = (311, 312)
LISTENERS: Final = tuple(card.id for card in CARDS.values() if card.trigger == "pick")
HELPERS: Final = tuple(card.id for card in CARDS.values() if card.area in ("converter", "upgrade") and card.level < 3)


def picks_before_research(seed: int) -> Position:
    """Some picks, draws and at least one research wait; the ring is nearly full, and few cards and marbles are unseen.

    A second player, as no real game has one, owns the rest. Many have a marble card that is built, or may be found.
    """
    nature = Random(seed)
    waiting = [
        *nature.sample(RESEARCHERS, nature.choice([1, 1, 1, 2])),
        *nature.sample(PICKERS, nature.choice([1, 1, 2, 3])),
        *nature.sample(DRAWERS, nature.choice([0, 0, 0, 1])),
    ]
    idle = nature.sample([card for card in HELPERS if CARDS[card].special not in ("no-file", "no-research")], 2)
    idle += nature.sample(LISTENERS, nature.choice([0, 1, 2]))
    used = nature.sample([card for card in PICKERS if card not in waiting], nature.choice([0, 1]))
    marble_cards = nature.choice([(), (), ("built",), ("deck",), ("deck",), ("deck", "built")])
    mine = [STARTING_GIZMOS[0], *waiting, *idle, *used]
    if "built" in marble_cards:
        mine.append(MARBLE_CARDS[0])
    at_hand = [MARBLE_CARDS[1]] if "deck" in marble_cards else []
    left = {level: [card for card in DECK_CARDS[level] if card not in (*mine, *MARBLE_CARDS)] for level in LEVELS}
    for cards in left.values():
        nature.shuffle(cards)
    display = tuple(
        sorted_cards(left[level].pop() for _ in range(nature.randint(0, min(2, DISPLAY_SIZE[level]))))
        for level in LEVELS
    )
    decks = []
    for level in LEVELS:
        unseen = [left[level].pop() for _ in range(nature.randint(1, 3))] + (at_hand if level == LEVELS[-1] else [])
        decks.append(Deck(nature.randint(1, len(unseen))))
    board = dashboard(sorted_cards(mine))
    bag = [color for color in COLORS for _ in range(MARBLES_PER_COLOR)]
    nature.shuffle(bag)

    def marbles(number: int) -> Marbles:
        return count(tuple(bag.pop() for _ in range(number)))

    ring = marbles(max(0, board.ring_limit - nature.choice([1, 2, 2, 3, 4, 5])))
    row = marbles(ROW_SIZE)
    preview = nature.choice([0, 1])
    following: tuple[Color, ...] = tuple(bag.pop() for _ in range(preview))
    rest = marbles(len(bag) - nature.randint(0, 6))
    hoard = sorted_cards(
        [*(card for level in LEVELS for card in left[level]), *(set(MARBLE_CARDS) - {*mine, *at_hand})]
    )
    return Position(
        players=(Player(ring=ring, built=sorted_cards(mine)), Player(ring=rest, built=hoard)),
        first_player=1,
        row=row,
        next=following,
        preview=preview,
        display=display,
        decks=tuple(decks),
        turn=Turn(acted=True, triggered=sorted_cards(waiting), used=sorted_cards(used)),
    )
