"""The definition of Pareto sets gives what the rules and plain enumeration of all plans give."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import prod
from random import Random
from typing import TypeAlias

import pytest
from mixtures import is_reached_by_mixtures
from msgspec.structs import replace

from engine.actions import Action, Build, File, Pass
from engine.cards import CARDS, DECK_CARDS, LEVELS
from engine.marbles import COLORS, count
from engine.position import Deck, Player, Position
from engine.reveals import outcomes, reveal
from engine.rules import apply, legal_actions
from solver.objective import LUCKS, Luck
from solver.pareto.definition import Definition
from solver.pareto.fronts import unbeaten

Triple: TypeAlias = tuple[Fraction, Fraction, Fraction]
PLANS = 1500
CHAINING = (111, 112, 117, 118, 119, 120, 125, 133, 206, 210, 229, 311, 319, 325, 331)


class TooManyPlans(Exception):  # noqa: N818 - no error
    """Enumeration would take too long for a test."""


def all_plans(position: Position, luck: Luck, start: Player, seat: int) -> set[Triple]:
    """What every plan brings: on average or for sure; under best luck, what every outcome of every plan brings."""
    if not position.turn.acted:
        end = position.players[seat]
        built = len(end.built) - len(start.built)
        return {(Fraction(end.score - start.score), Fraction(end.marbles), Fraction(built))}
    if position.is_chance:
        cases = outcomes(position)
        after = [all_plans(reveal(position, case.reveal), luck, start, seat) for case in cases]
        return folded(luck, after, [case.probability for case in cases])
    return {
        triple for action in legal_actions(position) for triple in plans_beginning(position, action, luck, start, seat)
    }


def folded(luck: Luck, after: list[set[Triple]], shares: list[Fraction]) -> set[Triple]:
    if luck == "best":
        return set().union(*after)
    if prod(map(len, after)) > PLANS:
        raise TooManyPlans
    fold = min if luck == "worst" else lambda numbers: sum(map(Fraction.__mul__, numbers, shares), Fraction(0))
    return {
        (fold([one[0] for one in case]), fold([one[1] for one in case]), fold([one[2] for one in case]))
        for case in product(*after)
    }


def plans_beginning(position: Position, action: Action, luck: Luck, start: Player, seat: int) -> set[Triple]:
    ways = [apply(position, each) for each in ordered(position, action)]
    return {triple for after in ways for triple in all_plans(after, luck, start, seat)}


def ordered(position: Position, action: Action) -> Iterator[Action]:
    """An action with every order of the cards that it returns to a deck."""
    research = position.turn.research
    if research is None or not isinstance(action, Pass | File | Build):
        yield action
        return
    for order in permutations(card for card in research.seen if card != getattr(action, "card", 0)):
        yield replace(action, order=order)


def tiny(seed: int) -> Position:
    """A position with hardly anything unknown: a third party has the other cards and marbles."""
    nature = Random(seed)
    mine = {901, *nature.sample([card for card in CARDS if card < 900], 2), *nature.sample(CHAINING, 4)}
    display, decks, away = [], [], list[int]()
    for level in LEVELS:
        cards = [card for card in DECK_CARDS[level] if card not in mine]
        nature.shuffle(cards)
        display.append(tuple(sorted(cards.pop() for _ in range(nature.randint(0, 1)))))
        unseen = nature.choice([0, 1, 2, 3])
        decks.append(Deck(nature.randint(unseen // 2, unseen)))
        away += cards[unseen:]
    # At most four marbles are in the dispenser.
    bag = [color for color in COLORS for _ in range(13)]
    nature.shuffle(bag)
    ring, row, left = (count(tuple(bag.pop() for _ in range(nature.randint(0, most)))) for most in (5, 3, 4))
    theirs = (
        13 - ring[0] - row[0] - left[0],
        13 - ring[1] - row[1] - left[1],
        13 - ring[2] - row[2] - left[2],
        13 - ring[3] - row[3] - left[3],
    )
    return Position(
        players=(Player(ring=ring, built=tuple(sorted(mine))), Player(ring=theirs, built=tuple(sorted(away)))),
        first_player=1,
        row=row,
        display=tuple(display),
        decks=tuple(decks),
    )


def compare(seeds: range) -> int:
    """How many positions could be compared; fails if one differs."""
    compared = 0
    for seed in seeds:
        position = tiny(seed)
        plans = partial(plans_beginning, position, start=position.player, seat=position.to_move)
        try:
            found = {luck: [plans(action, luck=luck) for action in legal_actions(position)] for luck in LUCKS}
        except TooManyPlans:
            continue
        for luck in LUCKS:
            definition = Definition(position, luck, lambda: False)
            definition.find()
            for action, front in enumerate(definition.fronts):
                if luck != "average":
                    assert sorted(front) == sorted(unbeaten(found[luck][action])), f"seed {seed}, {luck}"
                    continue
                sure = {*unbeaten(found["worst"][action])} & {*unbeaten(found["best"][action])}
                right = found["average"][action]
                assert set(front) <= right, f"seed {seed}"
                assert sure <= set(front), f"seed {seed}"
                for plan in right:
                    assert is_reached_by_mixtures(plan, front), f"seed {seed}"
                for corner in set(front) - sure:
                    assert not is_reached_by_mixtures(corner, right - {corner}), f"seed {seed}"
        compared += 1
    return compared


def test_all_plans_enumerated_give_the_same_sets() -> None:
    assert compare(range(30)) >= 20


@pytest.mark.slow
def test_all_plans_enumerated_give_the_same_sets_on_many_positions() -> None:
    assert compare(range(1000, 1400)) >= 200


def test_fronts_that_were_forgotten_are_found_again() -> None:
    position = tiny(3)
    small = Definition(position, "average", lambda: False, memory_limit=20_000)
    large = Definition(position, "average", lambda: False)
    small.find()
    large.find()
    assert small.fronts == large.fronts
    assert small.states > large.states
