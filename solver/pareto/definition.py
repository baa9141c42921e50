"""What a Pareto set is: an exhaustive search of fronts straight on the engine, as `solver.reference` is for values.

It serves where the kernel does not, and the kernel has to equal it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from engine.actions import Action
from engine.cards import Level
from engine.position import Player, Position
from engine.reveals import reveal_unchecked, weighted_reveals
from engine.rules import apply_unchecked, legal_actions
from solver.objective import LUCKS, Aim, Luck
from solver.pareto.fronts import Front, Triple, corners, dot, guaranteed, unbeaten
from solver.reach import later_reveal_matters
from solver.reference import (
    BYTES_A_STATE,
    Reference,
    Stopped,
    draw_with,
    in_all_orders,
    research_draw,
    research_value,
    reveal_matters,
    see,
    seen,
)

_BYTES_A_TRIPLE: Final = 600
"""What a triple of fractions takes at most."""


class Fronts:
    """The fronts of the positions of one turn, remembered.

    A plan says what to do after every reveal. Under `average` luck it brings the exact mean of what its outcomes bring,
    and a front holds the corners of all plans: the triples that no mixture of other plans reaches. Under `worst` luck a
    front holds the greatest triples that a plan guarantees, each of the three numbers for itself, and under `best` luck
    the greatest that an outcome can bring.

    Corners and not all plans that none beats: any reveal, even one that plays no part, serves as a coin to mix two
    plans, so between two corners there are as many plans as ways to toss.

    `start` is the player as the turn's points and gizmos are counted from. `stop` is asked for every position, and ends
    the search by raising Stopped when it returns True. Fronts are forgotten, and found again, when they take
    `memory_limit` bytes.
    """

    def __init__(
        self, luck: Luck, start: Player, seat: int, stop: Callable[[], bool], *, memory_limit: int = 1 << 30
    ) -> None:
        self._luck = luck
        self._start = start
        self._seat = seat
        self._stop = stop
        self._room = self._memory_limit = memory_limit
        self._fronts: dict[Position, Front] = {}
        self.states = 0

    def action(self, position: Position, action: Action) -> Front:
        """The front of the plans that begin with an action."""
        return self._united([self.after(apply_unchecked(position, each)) for each in in_all_orders(position, action)])

    def after(self, position: Position) -> Front:
        """The front of a position reached in the turn: what the player has, if the turn has ended."""
        if position.turn.acted:
            return self.front(position)
        end = position.players[self._seat]
        gained, built = end.score - self._start.score, len(end.built) - len(self._start.built)
        return [(Fraction(gained), Fraction(end.marbles), Fraction(built))]

    def front(self, position: Position) -> Front:
        """The front of a position of the turn."""
        if self._stop():
            raise Stopped("time")
        known = self._fronts.get(position)
        if known is None:
            known = self._chance(position) if position.is_chance else self._decision(position)
            self.states += 1
            self._remember(position, known)
        return known

    def _remember(self, position: Position, front: Front) -> None:
        size = BYTES_A_STATE + len(front) * _BYTES_A_TRIPLE
        if size > self._room:
            self._fronts.clear()
            self._room = self._memory_limit
        self._room -= size
        self._fronts[position] = front

    def _decision(self, position: Position) -> Front:
        return self._united([self.action(position, action) for action in legal_actions(position)])

    def _united(self, fronts: list[Front]) -> Front:
        """Of plans one may choose from."""
        if len(fronts) == 1:
            return fronts[0]
        union = unbeaten(triple for front in fronts for triple in front)
        if len(union) == 1 or self._luck != "average":
            return union
        return corners(lambda weights: _best(union, weights))

    def _chance(self, position: Position) -> Front:
        awaited = position.turn.awaited[0]
        if awaited.kind == "research" and not later_reveal_matters(position, awaited.level):
            return self._research(position, awaited.level)
        reveals = weighted_reveals(position)
        if not reveal_matters(position):
            return self.after(reveal_unchecked(position, reveals[0][0]))
        fronts = [self.after(reveal_unchecked(position, each)) for each, _ in reveals]
        if self._luck == "worst":
            return guaranteed(fronts, len(fronts))
        if self._luck == "best":
            return self._united(fronts)
        total = sum(weight for _, weight in reveals)
        shares = [Fraction(weight, total) for _, weight in reveals]
        if all(len(front) == 1 for front in fronts):
            return [_mean([front[0] for front in fronts], shares)]
        return corners(lambda weights: _mean([_best(front, weights) for front in fronts], shares))

    def _research(self, position: Position, level: Level) -> Front:
        """No later reveal of the deck matters, so what keeping a card brings does not depend on the others drawn.

        A plan guarantees what it reaches with any of so many cards that every set drawn holds one of them.
        """
        sure, drawn, pool = research_draw(position, level)
        whole = see(position, (*sure, *pool[:drawn]))
        floor = self._united([self._keep(whole, card) for card in (0, *seen(position), *sure)])
        holding = {card: see(position, (*sure, *draw_with(pool, drawn, card))) for card in pool}
        fronts = [self._united([self._keep(after, card), floor]) for card, after in holding.items()]
        if self._luck == "worst":
            return guaranteed(fronts, len(pool) - drawn + 1)
        if self._luck == "best":
            return self._united(fronts)

        def best(weights: Triple[Fraction]) -> Triple[Fraction]:
            worths = [(dot(weights, triple), *triple) for triple in (_best(front, weights) for front in fronts)]
            _, *triple = research_value("average", list(worths), drawn, min(worths))
            return Fraction(triple[0]), Fraction(triple[1]), Fraction(triple[2])

        return corners(best)

    def _keep(self, position: Position, card: int) -> Front:
        """The front of the plans that keep a card of a research in some way; that keep none, for card 0."""
        actions = legal_actions(position)
        keeping = [action for action in actions if getattr(action, "card", 0) == card] or [actions[-1]]
        return self._united([self.action(position, action) for action in keeping])


def _best(front: Front, weights: Triple[Fraction]) -> Triple[Fraction]:
    """The triple that is worth most, the greatest one of several."""
    return max(front, key=lambda triple: (dot(weights, triple), triple))


def _mean(triples: list[Triple[Fraction]], shares: list[Fraction]) -> Triple[Fraction]:
    points, marbles, gizmos = (
        sum((share * triple[which] for triple, share in zip(triples, shares, strict=True)), Fraction(0))
        for which in range(3)
    )
    return points, marbles, gizmos


class Definition:
    """The fronts of the first actions of a position, from `Fronts`; see `solver.pareto.search.Source`.

    Under `average` luck the plans in which luck plays no part are added to the corners, even where mixtures of other
    plans reach them: what they guarantee is among the greatest that can happen at all.
    """

    def __init__(
        self, position: Position, luck: Luck, stop: Callable[[], bool], *, memory_limit: int = 1 << 30
    ) -> None:
        self._position = position
        self._luck: Luck = luck
        self._stop = stop
        self._memory_limit = memory_limit
        share = memory_limit // len(LUCKS)
        self._searches = {
            each: Fronts(each, position.player, position.to_move, stop, memory_limit=share) for each in LUCKS
        }
        self._actions: tuple[Action | None, ...] = legal_actions(position) or (None,)
        self.fronts: list[Front] = [[] for _ in self._actions]
        self.upper: list[Fraction | None] = [None, None, None]

    @property
    def states(self) -> int:
        """How many positions have been given a front."""
        return sum(search.states for search in self._searches.values())

    def find(self) -> None:
        """Find all of the fronts."""
        for which, action in enumerate(self._actions):
            self.fronts[which] = self._front(self._luck, action)
            if self._luck == "average":
                sure = set(self._front("worst", action)) & set(self._front("best", action))
                self.fronts[which] += sorted(sure - set(self.fronts[which]))
        self.upper = [max(triple[which] for front in self.fronts for triple in front) for which in range(3)]

    def _front(self, luck: Luck, action: Action | None) -> Front:
        search = self._searches[luck]
        return list(search.after(self._position) if action is None else search.action(self._position, action))

    def values(self, aim: Aim, luck: Luck) -> Reference:
        """The values by which a line is found."""
        start, seat = self._position.player, self._position.to_move
        return Reference(aim, luck, start, seat, self._stop, memory_limit=self._memory_limit)
