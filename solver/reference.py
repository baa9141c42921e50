"""The reference solver: an exhaustive search straight on the engine. It defines the right answer.

Two things are left out because they cannot change a value: reveals that can play no part any more are not branched on,
and the sets of a research are not enumerated where order statistics give the same (see `research_value`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import Final

from msgspec.structs import replace

from engine.actions import Action, Build, File, Pass, Reveal
from engine.cards import Level
from engine.position import Player, Position
from engine.reveals import reveal_unchecked, weighted_reveals
from engine.rules import apply_unchecked, legal_actions
from solver.objective import Aim, Luck, Value
from solver.reach import later_reveal_matters, reach, refill_matters

BYTES_A_STATE: Final = 1500
"""What a remembered position takes at most, the strongest engines included."""


class Stopped(Exception):  # noqa: N818 - control flow, no error
    """The search was told to stop before it had a value; the argument says why: time or interrupted."""


class Reference:
    """Values of positions of one turn, remembered.

    `start` is the player as the turn's points are counted from; `stop` is asked for every value and ends the search by
    raising Stopped when it returns True. Values are forgotten, and found again, when they take `memory_limit` bytes.
    """

    def __init__(
        self,
        objective: Aim,
        luck: Luck,
        start: Player,
        seat: int,
        stop: Callable[[], bool] = lambda: False,
        *,
        memory_limit: int = 1 << 30,
    ) -> None:
        self._objective = objective
        self._luck = luck
        self._start = start
        self._seat = seat
        self._stop = stop
        self._most_kept = memory_limit // BYTES_A_STATE
        self._values: dict[Position, Value] = {}
        self._states = 0

    @property
    def states(self) -> int:
        """How many positions have been valued."""
        return self._states

    def actions(self, position: Position, top: int = 0) -> list[Value]:  # noqa: ARG002 - all are exact
        """The values of `legal_actions`, in that order."""
        return [self.action_value(position, action) for action in legal_actions(position)]

    def lower_bounds(self, position: Position) -> list[Value | None]:
        """The values of `legal_actions`, in that order, for `solver.sketch`."""
        return list(self.actions(position))

    def outcomes(self, positions: Iterable[Position]) -> list[Value]:
        """`after` for several outcomes of a reveal."""
        return [self.after(position) for position in positions]

    def set_matters(self, position: Position) -> bool:
        """True if more than the best card of those seen in the research owed can matter."""
        return later_reveal_matters(position, position.turn.awaited[0].level)

    def reveal_matters(self, position: Position) -> bool:
        """True if the outcome of the reveal owed next can play a part in this turn."""
        return reveal_matters(position)

    def research_worths(self, position: Position) -> list[Value]:
        """What keeping each card that a research could draw is worth, by ascending number.

        Meant for researches whose set does not matter.
        """
        sure, drawn, pool = research_draw(position, position.turn.awaited[0].level)
        return [self.keep_value(see(position, (*sure, *draw_with(pool, drawn, card))), card) for card in pool]

    def action_value(self, position: Position, action: Action) -> Value:
        """The value of an action: what it adds by itself, and what follows."""
        gain = self._objective.on_action(position, action)
        return max(_plus(gain, self.after(apply_unchecked(position, each))) for each in in_all_orders(position, action))

    def after(self, position: Position) -> Value:
        """The value of a position reached in the turn: final if the turn has ended."""
        if not position.turn.acted:
            return self._objective.at_end(self._start, position.players[self._seat])
        return self.value(position)

    def value(self, position: Position) -> Value:
        """The value of a position of the turn, with the best play from there on."""
        if self._stop():
            raise Stopped("time")
        known = self._values.get(position)
        if known is None:
            known = self._chance(position) if position.is_chance else self._decision(position)
            self._states += 1
            if len(self._values) >= self._most_kept:
                self._values.clear()
            self._values[position] = known
        return known

    def _decision(self, position: Position) -> Value:
        return max(self.action_value(position, action) for action in legal_actions(position))

    def _chance(self, position: Position) -> Value:
        awaited = position.turn.awaited[0]
        if awaited.kind == "research" and not later_reveal_matters(position, awaited.level):
            return self._research(position, awaited.level)
        reveals = weighted_reveals(position)
        if not reveal_matters(position):
            return self.after(reveal_unchecked(position, reveals[0][0]))
        return fold(self._luck, [(self.after(reveal_unchecked(position, each)), weight) for each, weight in reveals])

    def _research(self, position: Position, level: Level) -> Value:
        """The cards still to be seen are drawn at once; each is worth what it is worth alone.

        No later reveal of the deck matters, so the value of keeping a card does not depend on the other cards drawn.
        """
        sure, drawn, pool = research_draw(position, level)
        whole = see(position, (*sure, *pool[:drawn]))
        floor = max(self.keep_value(whole, card) for card in (0, *seen(position), *sure))
        return research_value(self._luck, self.research_worths(position), drawn, floor)

    def keep_value(self, position: Position, card: int) -> Value:
        """The best value of keeping a card of a research in some way; of keeping none for card 0."""
        return max(
            (
                self.action_value(position, action)
                for action in legal_actions(position)
                if getattr(action, "card", 0) == card
            ),
            default=self.action_value(position, legal_actions(position)[-1]),
        )


def in_all_orders(position: Position, action: Action) -> Iterator[Action]:
    """The action with every order of the cards it returns to a deck, where that order can play a part; there are up to
    40,320.

    It can if so many cards of the deck may still be seen in this turn that those returned are reached.
    """
    research = position.turn.research
    if research is None or research.unknown or not isinstance(action, Pass | File | Build) or action.order:
        yield action
        return
    after = reach(position)
    builds = after.research + after.free_build
    seen = (after.research - 1) * (position.player.dashboard.research_amount + 2 * builds)
    seen += after.file + after.free_build
    if position.deck(research.level).unknown >= seen or not later_reveal_matters(position, research.level):
        yield action
        return
    kept = getattr(action, "card", 0)
    rest = [card for card in research.seen if card != kept]
    if len(rest) < 2:
        yield action
        return
    for order in permutations(rest):
        yield replace(action, order=order)


def reveal_matters(position: Position) -> bool:
    """True if the outcome of the reveal owed next can still play a part in this turn."""
    kind = position.turn.awaited[0].kind
    if kind == "refill":
        return refill_matters(position)
    if kind not in ("row", "next"):
        return True
    # Which marble goes into the row also says which ones draws can still find.
    after = reach(position)
    return after.pick > 0 or after.draw > 0


def research_draw(position: Position, level: Level) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """Split the cards still to be seen: those that are seen for sure, and how many are drawn from which pool."""
    owed = sum(1 for awaited in position.turn.awaited if awaited.kind == "research")
    deck = position.deck(level)
    drawn = min(owed, deck.unknown)
    return deck.bottom[: owed - drawn], drawn, position.unseen(level)


def see(position: Position, cards: Iterable[int]) -> Position:
    """The position in which a research has seen these cards in turn; those certain anyway may be among them."""
    left = list(cards)
    while position.is_chance and position.turn.awaited[0].kind == "research":
        possible = {each.value for each, _ in weighted_reveals(position)}
        card = next(card for card in left if card in possible)
        left.remove(card)
        position = reveal_unchecked(position, Reveal("research", card))
    return position


def seen(position: Position) -> tuple[int, ...]:
    """The cards that the research in progress has seen."""
    return position.turn.research.seen if position.turn.research is not None else ()


def draw_with(pool: tuple[int, ...], drawn: int, card: int) -> tuple[int, ...]:
    """A draw of so many cards of the pool with this one among them."""
    return (card, *(other for other in pool if other != card))[:drawn]


def research_value(luck: Luck, worths: list[Value], drawn: int, floor: Value) -> Value:
    """The value of the best of `drawn` cards out of a pool, each set equally likely, when `floor` can be had anyway.

    The i-th best of n cards is the best drawn in C(n - 1 - i, drawn - 1) of the C(n, drawn) sets. The worst set holds
    the lowest `drawn` cards, the best set the highest card.

    >>> research_value("average", [(Fraction(3),), (Fraction(0),), (Fraction(0),)], 1, (Fraction(0),))
    (Fraction(1, 1),)
    """
    ranked = sorted((max(worth, floor) for worth in worths), reverse=True)
    if luck == "best":
        return ranked[0]
    if luck == "worst":
        return ranked[len(ranked) - drawn]
    last = len(ranked) - 1
    weights = [comb(last - i, drawn - 1) for i in range(len(ranked))]
    return fold(luck, [(worth, weight) for worth, weight in zip(ranked, weights, strict=True) if weight])


def fold(luck: Luck, weighted: list[tuple[Value, int]]) -> Value:
    """One value for several outcomes: the least, the exact mean, or the greatest."""
    values = [value for value, _ in weighted]
    if luck == "worst":
        return min(values)
    if luck == "best":
        return max(values)
    total = sum(weight for _, weight in weighted)
    return tuple(
        sum((value[term] * weight for value, weight in weighted), Fraction(0)) / total for term in range(len(values[0]))
    )


def _plus(left: Value, right: Value) -> Value:
    return tuple(a + b for a, b in zip(left, right, strict=True))
