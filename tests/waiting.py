"""Seeded positions in the middle of a turn in which picks and draws wait before a research.

A second player, as no real game has one, owns all cards and marbles that are not named.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from msgspec.structs import replace

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

    Many have a marble card that is built, or may be found.
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


def marble_card_in_reach(seed: int) -> Position:
    """A research waits that may find a marble card, and the ring can nearly pay for it; before it, picks and draws.

    Nothing but the marble card and at most three other cards of level III is unseen. Marbles are of few colours, and in
    many positions the dispenser and the row have none of one of them.
    """
    nature = Random(seed)
    waiting = [nature.choice(RESEARCHERS), *nature.sample(PICKERS, nature.choice([1, 2, 2, 3]))]
    waiting += nature.sample(DRAWERS, nature.choice([0, 0, 0, 1]))
    discounts = nature.choice([(329,), (329, 330), (329, 330)])
    storage = nature.sample([301, 302, 201, 202], nature.choice([1, 2, 3]))
    listeners = nature.sample(LISTENERS, nature.choice([0, 0, 1, 2]))
    pickers_after = nature.sample([card for card in PICKERS if card not in waiting], nature.choice([0, 0, 0, 1]))
    mine = sorted_cards([STARTING_GIZMOS[0], *waiting, *discounts, *storage, *listeners, *pickers_after])
    board = dashboard(mine)
    marble_card = nature.choice(MARBLE_CARDS)
    worse = [card for card in DECK_CARDS[3] if card not in (*mine, *MARBLE_CARDS)]
    pool = [marble_card, *nature.sample(worse, nature.choice([0, 1, 2, 3]))]
    scarce, *others = nature.sample(COLORS, nature.choice([3, 3, 4]))
    bag = [color for color in others for _ in range(MARBLES_PER_COLOR)]
    nature.shuffle(bag)

    def marbles(number: int, scarce_ones: int) -> list[Color]:
        return [scarce if i < scarce_ones else bag.pop() for i in range(number)]

    price = CARDS[marble_card].cost - len(discounts)
    room = nature.choice([1, 2, 3, 4, 6, 9])
    number = min(price + nature.choice([-2, -1, 0, 0, 1, 2]), board.ring_limit - room)
    ring = marbles(max(0, number), nature.choice([0, 2, 4]))
    row = marbles(ROW_SIZE, nature.choice([0, 0, 1]))
    preview = nature.choice([0, 1])
    following = marbles(preview, nature.choice([0, 0, preview]))
    dispenser = marbles(nature.choice([1, 2, 3, 6, 8]), nature.choice([0, 0, 1]))
    size = nature.randint(1, len(pool))
    return _before_research(
        mine, waiting, pool=pool, size=size, ring=ring, row=row, following=following, dispenser=dispenser
    )


def picks_best_left_for_later() -> Position:
    """Card 333 is found for sure, and paid by the five red marbles of the ring; three picks wait, and the row is blue.

    The dispenser is blue too, until red marbles are spent: then a pick may bring one into the row, and picking that one
    triggers a draw.
    """
    ring, row, dispenser = ([Color.RED] * 5, [Color.BLUE] * ROW_SIZE, [Color.BLUE] * 7)
    waiting = [129, 130, 131, 332]
    mine = sorted_cards([STARTING_GIZMOS[0], 110, 301, 302, 329, 330, *waiting])
    return _before_research(mine, waiting, pool=[333], size=1, ring=ring, row=row, following=[], dispenser=dispenser)


def doubler_on_top() -> Position:
    """Marbles are worth points, the ring is full, more picks wait than a payment makes room for; 218 lies on top."""
    ring, row, dispenser = ([Color.BLUE] * 5, [Color.RED] * ROW_SIZE, [Color.BLACK] * 9)
    waiting = [129, 130, 131, 132, 332]
    mine = sorted_cards([STARTING_GIZMOS[0], 333, *waiting])
    position = _before_research(
        mine, waiting, pool=[218], size=1, ring=ring, row=row, following=[], dispenser=dispenser
    )
    return replace(position, decks=(Deck(0), Deck(1, (218,)), Deck(0)))


def any_mixture_in_reach(seed: int) -> Position:
    """A research waits that finds cards which any mixture pays for; the ring is too small but for doublers.

    Often it lacks the colour that a doubler wants.
    """
    nature = Random(seed)
    doublers = [card.id for card in CARDS.values() if card.convert_to == "double"]
    changers = [card.id for card in CARDS.values() if card.convert_to == "any"]
    waiting = [nature.choice(RESEARCHERS)]
    helpers = [*nature.sample(doublers, nature.choice([1, 1, 2])), *nature.sample(changers, nature.choice([0, 0, 1]))]
    mine = sorted_cards([STARTING_GIZMOS[0], *waiting, *helpers, 301, 302])
    mixtures = [card.id for card in CARDS.values() if card.level == LEVELS[-1] and card.any_color]
    pool = nature.sample(mixtures, nature.choice([1, 2]))
    colors = nature.sample(COLORS, nature.choice([1, 2, 3]))
    ring = [nature.choice(colors) for _ in range(CARDS[pool[0]].cost - nature.choice([0, 1, 1, 2, 2, 3]))]
    row = [nature.choice(COLORS) for _ in range(ROW_SIZE)]
    size = nature.randint(1, len(pool))
    position = _before_research(mine, waiting, pool=pool, size=size, ring=ring, row=row, following=[], dispenser=[])
    # A card of them is worth as many points as its owner has tokens.
    return replace(position, players=(replace(position.player, tokens=3), position.players[1]))


def _before_research(
    mine: tuple[int, ...],
    waiting: list[int],
    *,
    pool: list[int],
    size: int,
    ring: list[Color],
    row: list[Color],
    following: list[Color],
    dispenser: list[Color],
) -> Position:
    """`pool` are the unseen cards, all of one level, whose deck has `size` of them."""
    known = Counter([*ring, *row, *following, *dispenser])
    rest = tuple(color for color in COLORS for _ in range(MARBLES_PER_COLOR - known[color]))
    hoard = sorted_cards(card for level in LEVELS for card in DECK_CARDS[level] if card not in (*mine, *pool))
    return Position(
        players=(Player(ring=count(tuple(ring)), built=mine), Player(ring=count(rest), built=hoard)),
        first_player=1,
        row=count(tuple(row)),
        next=tuple(following),
        preview=len(following),
        display=((), (), ()),
        decks=tuple(Deck(size if CARDS[pool[0]].level == level else 0) for level in LEVELS),
        turn=Turn(acted=True, triggered=sorted_cards(waiting)),
    )


def seen_in_part(seed: int) -> Position:
    """Two researches wait, and perhaps a pick; each sees only a part of the deck of level III.

    So the second does not find the cards that the first returned, but what the first saw is gone.
    """
    nature = Random(seed)
    waiting = [*RESEARCHERS, *nature.sample(PICKERS, nature.choice([0, 0, 1]))]
    triggered = [card.id for card in CARDS.values() if card.trigger == "build" and card.id not in waiting]
    others = {*nature.sample(triggered, nature.randint(1, 3)), *nature.sample(HELPERS, 1)}
    mine = sorted_cards({STARTING_GIZMOS[0], *waiting, *others})
    left = {level: [card for card in DECK_CARDS[level] if card not in mine] for level in LEVELS}
    for cards in left.values():
        nature.shuffle(cards)
    display_1, display_2, display_3 = (
        sorted_cards(left[level].pop() for _ in range(nature.randint(0, 2))) for level in LEVELS
    )
    seen = dashboard(mine).research_amount
    unseen = {level: nature.choice([0, 0, 1, 2]) for level in LEVELS} | {LEVELS[-1]: seen + nature.choice([1, 2, 3])}
    sizes = {level: nature.randint(min(number, seen + 1), number) for level, number in unseen.items()}
    for level, number in unseen.items():
        del left[level][:number]
    bag = [color for color in COLORS for _ in range(MARBLES_PER_COLOR)]
    nature.shuffle(bag)

    def marbles(number: int) -> Marbles:
        return count(tuple(bag.pop() for _ in range(number)))

    ring, row, rest = marbles(nature.randint(3, 8)), marbles(ROW_SIZE), marbles(len(bag) - ROW_SIZE - 11)
    return Position(
        players=(
            Player(ring=ring, built=mine),
            Player(ring=rest, built=sorted_cards(card for cards in left.values() for card in cards)),
        ),
        first_player=1,
        row=row,
        display=(display_1, display_2, display_3),
        decks=(Deck(sizes[1]), Deck(sizes[2]), Deck(sizes[3])),
        turn=Turn(acted=True, triggered=sorted_cards(waiting)),
    )


def seen_apart(seed: int) -> Position:
    """Two researches wait, and the deck of level II is so deep that the second finds no card that the first returned.

    But what the first saw is gone. The ring mostly pays for two cards, or for one of them dearly.
    """
    nature = Random(seed)
    colors = nature.sample(COLORS, 2)
    gizmos = [
        card.id for card in CARDS.values() if card.trigger == "build" and card.effect in ("points", "pick", "draw")
    ]
    mine = sorted_cards({STARTING_GIZMOS[0], *RESEARCHERS, *nature.sample(gizmos, 2), *nature.sample(HELPERS, 1)})
    left = [card for card in DECK_CARDS[2] if card not in mine]
    ring = [nature.choice([*colors, *COLORS]) for _ in range(nature.randint(3, 5))]
    size = 2 * dashboard(mine).research_amount + nature.choice([0, 0, 1])
    pool = nature.sample(left, size)
    return _before_research(
        mine, [*RESEARCHERS], pool=pool, size=size, ring=ring, row=[*COLORS], following=[], dispenser=[]
    )


def empty_row(seed: int) -> Position:
    """Picks wait, or may come, but nothing lies in the row; marbles are worth points, or the research may find that."""
    nature = Random(seed)
    waiting = [nature.choice(RESEARCHERS), *nature.sample(PICKERS, nature.choice([1, 2]))]
    idle = nature.sample([card for card in PICKERS if card not in waiting], 2)
    built = nature.choice([(), (333,)])
    mine = sorted_cards([STARTING_GIZMOS[0], 301, 302, *waiting, *idle, *built])
    worse = [card for card in DECK_CARDS[3] if card not in (*mine, *MARBLE_CARDS)]
    pool = [334, *nature.sample(worse, 2)]
    marbles = [nature.choice(COLORS) for _ in range(nature.randint(4, 8))]
    return _before_research(
        mine, waiting, pool=pool, size=2, ring=marbles, row=[], following=[], dispenser=[*COLORS, *COLORS, *COLORS]
    )


def token_card_found_again() -> Position:
    """A first research may return card 336, which is worth a point for each token; a second one finds it."""
    red, blue = Color.RED, Color.BLUE
    mine = sorted_cards([STARTING_GIZMOS[0], 301, 302, 331])
    position = _before_research(
        mine, [], pool=[310, 318, 336], size=2, ring=[red] * 5 + [blue] * 7, row=[blue], following=[], dispenser=[]
    )
    return replace(
        position, players=(replace(position.player, tokens=3), position.players[1]), turn=Turn(), first_player=1
    )


def returned_and_found(seed: int) -> Position:
    """A research of level III returns cards to a deck so short that a second one may find them; its sets are many.

    Few marbles are there, and little else is unseen. Often a file, and with it a refill, may come between the two, or
    the second research sees the deck in part.
    """
    nature = Random(seed)
    mine = [STARTING_GIZMOS[0], *nature.sample(RESEARCHERS, nature.choice([1, 1, 1, 2]))]
    mine += nature.sample([319, 320], nature.choice([0, 0, 1]))
    mine += nature.sample([325, 326], nature.choice([0, 0, 1]))
    mine += nature.sample([card for card in HELPERS if CARDS[card].area == "converter"], nature.choice([0, 1, 2]))
    mine += nature.sample([card for card in PICKERS if CARDS[card].trigger == "build"], nature.choice([0, 0, 1]))
    mine += [301, 302]
    board = dashboard(sorted_cards(mine))
    left = {level: [card for card in DECK_CARDS[level] if card not in mine] for level in LEVELS}
    display, decks = [], []
    for level, most in zip(LEVELS, (1, 1, 7), strict=True):
        nature.shuffle(left[level])
        display.append(sorted_cards(left[level].pop() for _ in range(nature.randint(0, 1))))
        unseen = nature.randint(most - 1 if most > 1 else 0, most)
        size = board.research_amount + nature.choice([0, 0, 0, 1]) if most > 1 else unseen
        decks.append(Deck(size))
        for _ in range(unseen):
            left[level].pop()
    bag = [color for color in COLORS for _ in range(MARBLES_PER_COLOR)]
    nature.shuffle(bag)
    ring = count(tuple(bag.pop() for _ in range(nature.randint(5, 9))))
    row = count(tuple(bag.pop() for _ in range(nature.choice([0, 0, 1, 2]))))
    rest = count(tuple(bag[nature.choice([0, 0, 1, 2]) :]))
    hoard = sorted_cards(card for level in LEVELS for card in left[level])
    tokens = nature.choice([0, 2])
    return Position(
        players=(Player(ring=ring, built=sorted_cards(mine), tokens=tokens), Player(ring=rest, built=hoard)),
        first_player=1,
        row=row,
        display=(display[0], display[1], display[2]),
        decks=(decks[0], decks[1], decks[2]),
    )
