"""The reference gives the values that rules and plain enumeration give."""

from random import Random
from typing import Literal, TypeAlias

import pytest

import solver.reference
from engine.actions import Action
from engine.cards import CARDS, DECK_CARDS, LEVELS
from engine.marbles import COLORS, Marbles, count, parse_marbles
from engine.position import Deck, Player, Position
from engine.rules import legal_actions
from solver import Luck, solve
from solver.objective import LUCKS, Objective, Value, parse_objective
from solver.reference import Reference

CHAINING = [309, 311, 312, 313, 314, 319, 320, 325, 326, 331, 332, 117, 118, 119, 120]
Chosen: TypeAlias = Literal["auto", "reference"]
OBJECTIVES = ["score", "score,marbles", "activations", "marbles", "goal: marbles >= 6 and score >= 2"]


def small(seed: int) -> Position:
    """A position with so few unknown cards that all their orders can be tried: a third party has the others."""
    nature = Random(seed)
    others = [card for card in CARDS if card < 900]
    mine = {901, *nature.sample(others, nature.randint(2, 5)), *nature.sample(CHAINING, nature.randint(1, 3))}
    display, decks, away, archive = [], [], list[int](), list[int]()
    for level in LEVELS:
        cards = [card for card in DECK_CARDS[level] if card not in mine]
        nature.shuffle(cards)
        shown = [cards.pop() for _ in range(nature.randint(0, 2))]
        if not archive and nature.random() < 0.5:
            archive.append(cards.pop())
        unseen = nature.randint(0, 3)
        display.append(tuple(sorted(shown)))
        decks.append(Deck(max(0, unseen - nature.randint(0, 1)) if level == LEVELS[-1] else unseen))
        away += cards[unseen:]
    ring, row = (_marbles(nature, nature.randint(*some)) for some in ((2, 6), (0, 4)))
    known = nature.choice(["", "", nature.choice("RUKY")])
    return Position(
        players=(
            Player(ring=ring, built=tuple(sorted(mine)), archive=tuple(archive)),
            Player(built=tuple(sorted(away))),
        ),
        first_player=1,
        row=row,
        next=parse_marbles(known),
        preview=nature.choice([0, 1]),
        display=tuple(display),
        decks=tuple(decks),
    )


def _marbles(nature: Random, number: int) -> Marbles:
    return count(tuple(nature.choice(COLORS) for _ in range(number)))


class GaveUp(Exception):  # noqa: N818 - no error
    """Enumeration would take too long for a test."""


def values(position: Position, objective: Objective, luck: Luck, most: int) -> dict[Action, Value]:
    search = Reference(objective, luck, position.player, position.to_move, stop=lambda: search.states > most)
    try:
        return {action: search.action_value(position, action) for action in legal_actions(position)}
    except solver.reference.Stopped:
        raise GaveUp from None


def compare(seeds: range, monkeypatch: pytest.MonkeyPatch, most: int) -> int:
    compared = 0
    for seed in seeds:
        position = small(seed)
        objective = parse_objective(OBJECTIVES[seed % len(OBJECTIVES)])
        luck = LUCKS[seed % len(LUCKS)]
        try:
            short = values(position, objective, luck, most)
            with monkeypatch.context() as patch:
                patch.setattr(solver.reference, "later_reveal_matters", lambda *_: True)
                patch.setattr(solver.reference, "reveal_matters", lambda *_: True)
                full = values(position, objective, luck, most)
        except GaveUp:
            continue
        assert short == full, f"seed {seed}"
        compared += 1
    return compared


def test_what_the_reference_leaves_out_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(range(40), monkeypatch, most=4_000) >= 20


@pytest.mark.slow
def test_what_the_reference_leaves_out_changes_no_value_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(range(40, 640), monkeypatch, most=60_000) >= 400


@pytest.mark.parametrize("chosen", ["reference", "auto"])
@pytest.mark.parametrize(("known", "promised"), [("Y", 1), ("", 0)])
def test_a_second_marble_is_promised_only_if_the_next_one_is_known(known: str, promised: int, chosen: Chosen) -> None:
    position = Position(
        players=(Player(ring=count("K"), built=(206, 901), archive=(101,)),),
        row=count("UYRRRR"),
        next=parse_marbles(known),
        preview=len(known),
    )
    answer = solve(position, objective="goal: ring holds 2 yellow", luck="worst", solver=chosen)
    assert answer.proved
    assert answer.value == (promised,)


@pytest.mark.parametrize("chosen", ["reference", "auto"])
@pytest.mark.parametrize(("luck", "value"), [("worst", 0), ("average", 0.5), ("best", 1)])
def test_a_marble_that_enters_the_row_is_out_of_reach_of_the_draw_that_follows(
    luck: Luck, value: float, chosen: Chosen
) -> None:
    """One red and one blue marble are in the dispenser: which is drawn depends on which went into the row before."""
    away = (12, 12, 13, 12)
    position = Position(
        players=(Player(built=(111, 901)), Player(ring=away, built=(902,))),
        row=count("Y"),
    )
    answer = solve(position, objective="goal: ring holds 1 red", luck=luck, solver=chosen)
    assert answer.value == (value,)
