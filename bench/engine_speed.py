"""How fast the readable engine plays and pays: `python bench/engine_speed.py [--json]`.

Whole two-player games of random legal play, every payment enumerated, on one core. Counted are decisions in which a
player had a choice; what nature reveals, and decisions with one legal action, are played but not counted. Payments are
measured cold: nothing remembered from a call before. Times are processor time, so that other work on the machine counts
less. Exits 1 if a target is missed.
"""

from __future__ import annotations

import json
import sys
from itertools import combinations_with_replacement
from random import Random
from statistics import median
from time import process_time
from typing import Final

from engine import CARDS, COLORS, Card, Marbles, count, legal_actions, new_game, payments
from engine.cards import dashboard
from engine.payments import _minimal_payments
from engine.playout import random_reveal
from engine.reveals import reveal_unchecked
from engine.rules import apply_unchecked

GAMES: Final = 40
ROUNDS: Final = 5
DECISIONS_A_SECOND: Final = 8_000
PAYING_MS: Final = 10.0
SEVEN: Final = (104, 106, 107, 213, 216, 219, 222)
MOST_MOVES: Final = 3_000


def decisions_a_second() -> float:
    """Random games from new seeds; the median of some rounds."""
    return median(_decisions_a_second(seeds) for seeds in (range(n * GAMES, (n + 1) * GAMES) for n in range(ROUNDS)))


def _decisions_a_second(seeds: range) -> float:
    _forget()
    decisions = 0
    start = process_time()
    for seed in seeds:
        nature, position = Random(seed), new_game(2, seed, preview=1)
        for _ in range(MOST_MOVES):
            if position.is_over:
                break
            if position.is_chance:
                position = reveal_unchecked(position, random_reveal(position, nature))
            else:
                legal = legal_actions(position)
                decisions += len(legal) > 1
                position = apply_unchecked(position, legal[nature.randrange(len(legal))])
    return decisions / (process_time() - start)


def _forget() -> None:
    dashboard.cache_clear()
    _minimal_payments.cache_clear()


def paying_ms(card: Card, low: int, ring: Marbles, converters: tuple[int, ...]) -> tuple[float, int]:
    """How long all payments take, and how many there are."""
    times = []
    found = 0
    for _ in range(3):
        _forget()
        start = process_time()
        found = len(payments(card, low, card.cost, ring, converters))
        times.append(1000 * (process_time() - start))
    return min(times), found


def rings_of_eight() -> list[Marbles]:
    """Every ring of eight marbles."""
    return [count(colors) for colors in combinations_with_replacement(COLORS, 8)]


def hardest(converters: int, marbles: int, tries: int) -> tuple[float, int]:
    """The slowest of some random cases with so many converters and marbles, two discounts, a card of cost 5 to 7."""
    dice = Random(converters)
    every = [card.id for card in CARDS.values() if card.area == "converter"]
    dear = [card for card in CARDS.values() if card.cost >= 5]
    cases = []
    for _ in range(tries):
        ring = count(tuple(dice.choices(COLORS, k=marbles)))
        owned = tuple(sorted(dice.sample(every, converters)))
        card = dice.choice(dear)
        cases.append(paying_ms(card, card.cost - 2, ring, owned))
    return max(cases)


def main() -> int:
    """Measure, print, compare with the targets."""
    dear = next(card for card in CARDS.values() if card.cost == 7 and card.any_color)
    speed = decisions_a_second()
    seven = [paying_ms(dear, 7, ring, SEVEN) for ring in rings_of_eight()]
    slowest, most = max(seven)[0], max(found for _, found in seven)
    hard = {number: hardest(number, 10, 30) for number in (7, 9, 11, 13)}
    if "--json" in sys.argv[1:]:
        print(json.dumps({"decisions_a_second": speed, "seven_converters_ms": slowest, "hardest_ms": hard}))
    else:
        print(f"decisions a second             {speed:8.0f}    target {DECISIONS_A_SECOND} or more")
        print(f"seven converters, ring of 8    {slowest:8.1f} ms target below {PAYING_MS} ({most} payments at most)")
        for number, (milliseconds, found) in hard.items():
            print(f"hardest met, {number:2} converters     {milliseconds:8.1f} ms ({found} payments, ring of 10)")
    return 0 if speed >= DECISIONS_A_SECOND and slowest < PAYING_MS else 1


if __name__ == "__main__":
    sys.exit(main())
