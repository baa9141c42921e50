"""Random positions of turns without luck: known decks, known marbles to come, a dispenser of at most one colour."""

from __future__ import annotations

from random import Random
from typing import Final

from msgspec.structs import replace

from engine.cards import CARDS, LEVELS
from engine.marbles import COLORS, MARBLES_PER_COLOR, Color, Marbles, count
from engine.position import Deck, Player, Position
from engine.rules import apply, legal_actions

ENGINE_CARDS: Final = tuple(number for number, card in CARDS.items() if card.level and card.effect)
"""Cards with an effect; a random engine has more of them than a random handful of cards would."""


def random_position(seed: int) -> Position:
    """A position in which nature decides nothing, mid-turn in one case of four; the same for the same seed."""
    random = Random(seed)
    cards = list(ENGINE_CARDS) + [number for number, card in CARDS.items() if card.level and not card.effect]
    deal = random.sample(list(ENGINE_CARDS), 5) + random.sample(cards, 30)
    deal = list(dict.fromkeys(deal))

    def take(number: int) -> tuple[int, ...]:
        taken = [deal.pop(0) for _ in range(min(number, len(deal)))]
        return tuple(sorted(taken))

    built = take(random.randint(2, 7))
    no_file = any(CARDS[card].special == "no-file" for card in built)
    archive = () if no_file else take(random.randint(0, 2))
    display = tuple(tuple(sorted(c for c in deal[:12] if CARDS[c].level == level))[:3] for level in LEVELS)
    rest = [card for card in deal if all(card not in row for row in display)]
    decks = []
    for level in LEVELS:
        known = [card for card in rest if CARDS[card].level == level][: random.choice((0, 0, 1, 3, 5))]
        decks.append(Deck(len(known), top=tuple(known)))
    ring = _marbles(random, random.randint(0, 5))
    row = _marbles(random, random.randint(0, 6))
    coming = tuple(random.choice(COLORS) for _ in range(8))
    player = Player(ring=ring, built=tuple(sorted((*built, 901))), archive=archive, tokens=random.randint(0, 5))
    position = Position((player, Player()), row=row, next=coming, display=display, decks=tuple(decks))
    position = _one_color_left(position, random)
    for _ in range(random.choice((0, 0, 0, 1))):
        actions = legal_actions(position)
        after = apply(position, random.choice(actions)) if actions else position
        position = after if after.turn.acted and not after.is_chance else position
    return position


def _marbles(random: Random, number: int) -> Marbles:
    return count(tuple(random.choice(COLORS) for _ in range(number)))


def _one_color_left(position: Position, random: Random) -> Position:
    """The same position with an opponent who holds all other marbles, so that a draw is certain or impossible."""
    kept: Color = random.choice(COLORS)
    left = position.dispenser
    held = tuple(0 if color == kept and random.random() < 0.5 else max(0, left[color]) for color in COLORS)
    other = Player(name="holds the rest", ring=(held[0], held[1], held[2], held[3]))
    assert all(number <= MARBLES_PER_COLOR for number in held)
    return replace(position, players=(position.players[0], other))
