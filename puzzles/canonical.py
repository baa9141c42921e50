"""One form for puzzles that differ only in the names of colours, or of cards that are alike."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Final, TypeAlias

from engine.cards import CARDS, Card
from engine.marbles import COLORS, Color, Marbles
from engine.position import Position
from solver.objective import Luck, Objective

Permutation: TypeAlias = tuple[Color, ...]
"""What each colour becomes, in the order red, blue, black, yellow."""

PERMUTATIONS: Final[tuple[Permutation, ...]] = tuple(permutations(COLORS))


@cache
def recoloured(number: int, permutation: Permutation) -> int | None:
    """The card that this one becomes when colours are renamed, the first if several are alike; None if there is none.

    >>> from engine.marbles import Color
    >>> swap = (Color.BLUE, Color.RED, Color.BLACK, Color.YELLOW)
    >>> recoloured(117, swap), recoloured(118, swap), recoloured(113, swap)
    (117, 119, 113)
    >>> recoloured(226, swap), recoloured(334, swap)
    (None, 333)
    """
    return _BY_KIND.get(_kind(CARDS[number], permutation))


def _kind(card: Card, permutation: Permutation) -> tuple[object, ...]:
    """Everything a card is but its number, colours renamed."""

    def renamed(colors: tuple[Color, ...]) -> tuple[Color, ...]:
        return tuple(sorted(permutation[color] for color in colors))

    return (
        card.level,
        renamed(card.colors),
        card.cost,
        card.points,
        card.trigger,
        renamed(card.trigger_colors),
        card.effect,
        card.amount,
        renamed(card.convert_from),
        card.convert_to,
        card.convert_uses,
        card.storage,
        card.archive,
        card.research,
        card.special,
    )


_BY_KIND: Final[dict[tuple[object, ...], int]] = {}
for _card in CARDS.values():
    _BY_KIND.setdefault(_kind(_card, COLORS), _card.id)


def canonical_form(position: Position, objective: Objective, luck: Luck) -> str:
    """A text that is equal for puzzles that are the same but for the names of colours and of cards that are alike.

    The least of all renamings for which every card of the position has its counterpart. Puzzles about particular cards
    or colours (goals) are not renamed.
    """
    question = f"{objective}|{luck}"
    fixed = "card" in question or "ring holds" in question
    forms = (_form(position, each) for each in (PERMUTATIONS[:1] if fixed else PERMUTATIONS))
    return f"{question}|{min(form for form in forms if form is not None)}"


def _form(position: Position, permutation: Permutation) -> str | None:
    missing = False

    def cards(numbers: tuple[int, ...]) -> list[int]:
        nonlocal missing
        found = [recoloured(number, permutation) for number in numbers]
        missing = missing or None in found
        return sorted(number for number in found if number is not None)

    def marbles(counts: Marbles) -> list[int]:
        renamed = [0, 0, 0, 0]
        for color in COLORS:
            renamed[permutation[color]] = counts[color]
        return renamed

    turn = position.turn
    form = (
        marbles(position.row),
        [permutation[color].value for color in position.next],
        [cards(row) for row in position.display],
        [(deck.size, _in_order(deck.top, permutation), _in_order(deck.bottom, permutation)) for deck in position.decks],
        [(marbles(each.ring), cards(each.built), cards(each.archive), each.tokens) for each in position.players],
        (turn.acted, cards(turn.triggered), cards(turn.used), turn.pending is not None, turn.research is not None),
    )
    return None if missing else repr(form)


def _in_order(numbers: tuple[int, ...], permutation: Permutation) -> list[int]:
    return [recoloured(number, permutation) or -number for number in numbers]
