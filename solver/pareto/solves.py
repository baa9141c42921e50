"""Fronts by a sequence of searches for one number each, at which the compiled kernel is fast.

What a plan can guarantee of all three, or an outcome can bring, is found by asking for the most points with at least so
many marbles and gizmos. The corners of averages are found by asking for what is worth most at given weights.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from time import monotonic
from typing import TypeAlias

from engine.position import Position
from engine.rules import legal_actions
from solver.native import ALL, Kernel
from solver.objective import Aim, AmountGoal, Goal, Luck, Mix, Objective, Value
from solver.pareto.fronts import EQUAL, Corners, Front, Triple, beats, exact, reaches, unbeaten
from solver.reference import Stopped

_Points: TypeAlias = list[float | None]
"""The most points by first action; None where what is asked for besides can't be had."""


class Solves:
    """The fronts of the first actions of a position, by the kernel; see `solver.pareto.search.Source`.

    Raises ValueError for what the kernel has no room for, and if there is no kernel.
    """

    def __init__(
        self,
        position: Position,
        luck: Luck,
        *,
        threads: int = 1,
        memory_limit: int = 1 << 30,
        time_limit: float | None = None,
    ) -> None:
        self._position = position
        self._luck: Luck = luck
        self._threads = threads
        self._memory_limit = memory_limit
        self._deadline = None if time_limit is None else monotonic() + time_limit
        self._alike = _Alike()
        self._most: dict[tuple[Luck, int, int], _Points] = {}
        self._corners = [Corners(1.0, EQUAL) for _ in legal_actions(position) or (None,)]
        self._fronts: list[list[Triple[float]]] = [[] for _ in self._corners]
        self._upper: list[float | None] = [None, None, None]
        self.states = 0

    @property
    def fronts(self) -> list[Front]:
        """What has been found so far of each first action."""
        return [[exact(triple) for triple in front] for front in self._fronts]

    @property
    def upper(self) -> list[Fraction | None]:
        """The most points, marbles and gizmos that there can be, as far as known."""
        return [None if most is None else Fraction(most) for most in self._upper]

    def find(self) -> None:
        """Find all of the fronts."""
        self._upper[0] = self._bound(Objective(("score",)), self._luck)
        if self._luck == "average":
            self._find_corners()
            self._find_sure()
            return
        try:
            self._ask_greatest(self._luck)
        finally:
            self._fronts = self._greatest(self._luck)

    def values(self, aim: Aim, luck: Luck) -> Kernel:
        """A search in what is left of the time."""
        left = None if self._deadline is None else self._deadline - monotonic()
        return Kernel(
            self._position, aim, luck, threads=self._threads, memory_limit=self._memory_limit, time_limit=left
        )

    def _ask(self, aim: Aim, luck: Luck, tell: Callable[[int, Value], None]) -> None:
        """Tell the values of the first actions, those that were found before a limit stopped the search too."""
        kernel = self.values(aim, luck)
        try:
            if self._position.is_chance:
                tell(0, kernel.after(self._position))
                return
            for action, bounds in enumerate(kernel.bounds(self._position, ALL)):
                if bounds is not None and bounds[0] == bounds[1]:
                    tell(action, bounds[0])
            if kernel.status != "proved":
                raise Stopped(kernel.status)
        finally:
            self.states += kernel.states

    def _bound(self, aim: Aim, luck: Luck) -> float | None:
        """The greatest value of an aim, or an upper bound if the search is stopped; None if there is none yet."""
        kernel = self.values(aim, luck)
        if self._position.is_chance:
            return float(kernel.after(self._position)[0])
        found = kernel.bounds(self._position, 1)
        self.states += kernel.states
        return None if None in found else max(float(bounds[1][0]) for bounds in found if bounds is not None)

    # ------------------------------------------------------------------------------------------------ average: corners

    def _find_corners(self) -> None:
        """Ask for the most of each of the three, and on until no first action has an open question."""
        for which, alone in enumerate(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))):
            self._ask_at(alone)
            self._upper[which] = max(triple[which] for front in self._fronts for triple in front)
        while (weights := self._question()) is not None:
            self._ask_at(weights)

    def _ask_at(self, weights: Triple[float]) -> None:
        """Each answer is one for all first actions."""

        def tell(action: int, value: Value) -> None:
            points, marbles, gizmos = map(self._alike, map(float, value[1:]))
            self._corners[action].tell(weights, (points, marbles, gizmos))
            self._fronts[action] = unbeaten(self._corners[action].found)

        self._ask(Mix(*exact(weights)), "average", tell)

    def _question(self) -> Triple[float] | None:
        for action, search in enumerate(self._corners):
            weights = search.ask()
            if weights is not None and not self._is_beaten(action):
                return weights
        return None

    def _is_beaten(self, action: int) -> bool:
        """True if a single plan has as much of each as any that begin with this action, and more of something."""
        mine = self._fronts[action]
        most = (max(one[0] for one in mine), max(one[1] for one in mine), max(one[2] for one in mine))
        return any(triple != most and reaches(triple, most) for front in self._fronts for triple in front)

    def _find_sure(self) -> None:
        """Add the plans in which luck plays no part: nothing better than what they guarantee can happen after them."""
        self._ask_greatest("worst")
        corners = [triple for front in self._fronts for triple in front]
        for action, front in enumerate(self._greatest("worst")):
            own = self._fronts[action]
            new = [one for one in front if one not in own and not any(beats(corner, one) for corner in corners)]
            self._fronts[action] += [triple for triple in new if self._is_most_that_can_happen(action, triple)]

    def _is_most_that_can_happen(self, action: int, triple: Triple[float]) -> bool:
        points, marbles, gizmos = triple[0], int(triple[1]), int(triple[2])
        if self._most_points("best", marbles, gizmos)[action] != points:
            return False
        more = (self._most_points("best", *least)[action] for least in ((marbles + 1, gizmos), (marbles, gizmos + 1)))
        return all(each is None or each < points for each in more)

    # -------------------------------------------------------------------------------------- worst and best: thresholds

    def _ask_greatest(self, luck: Luck) -> None:
        """Ask for the most points with so many marbles and gizmos, wherever there may be a change."""
        points = max(each for each in self._most_points(luck, 0, 0) if each is not None)
        marbles = self._most_of(Objective(("marbles",)), luck)
        gizmos = self._most_of(Mix(Fraction(0), Fraction(0), Fraction(1)), luck)
        if luck == self._luck:
            self._upper = [points, marbles, gizmos]
        for least in range(gizmos + 1):
            self._ask_between(luck, least, 0, marbles)

    def _most_of(self, aim: Aim, luck: Luck) -> int:
        found: list[int] = []
        self._ask(aim, luck, lambda _, value: found.append(int(value[0])))
        return max(found)

    def _ask_between(self, luck: Luck, gizmos: int, low: int, high: int) -> None:
        if self._most_points(luck, low, gizmos) != self._most_points(luck, high, gizmos) and high - low > 1:
            middle = (low + high) // 2
            self._ask_between(luck, gizmos, low, middle)
            self._ask_between(luck, gizmos, middle, high)

    def _most_points(self, luck: Luck, marbles: int, gizmos: int) -> _Points:
        """What every first action has at most, with at least so many marbles and gizmos."""
        known = self._most.get((luck, marbles, gizmos))
        if known is None:
            known = self._most[luck, marbles, gizmos] = [None] * len(self._fronts)
            self._ask(at_least(self._position, marbles, gizmos), luck, partial(_note, known))
        return known

    def _greatest(self, luck: Luck) -> list[list[Triple[float]]]:
        fronts: list[list[Triple[float]]] = [[] for _ in self._corners]
        for (asked, marbles, gizmos), most in self._most.items():
            for front, points in zip(fronts, most, strict=True):
                if asked == luck and points is not None:
                    front.append((points, float(marbles), float(gizmos)))
        return [unbeaten(front) for front in fronts]


def at_least(position: Position, marbles: int, gizmos: int) -> Objective:
    """To have the most points, with so many marbles left and gizmos built in the turn at the least."""
    built = len(position.player.built)
    return Objective((Goal((AmountGoal("marbles", marbles), AmountGoal("gizmos", built + gizmos))), "score"))


def _note(points: _Points, action: int, value: Value) -> None:
    points[action] = float(value[1]) if value[0] else None


class _Alike:
    """Makes numbers equal that only differ by rounding: the first one met stands for all of them."""

    def __init__(self) -> None:
        self._known: list[float] = []

    def __call__(self, number: float) -> float:
        where = bisect_left(self._known, number - EQUAL)
        if where < len(self._known) and self._known[where] <= number + EQUAL:
            return self._known[where]
        insort(self._known, number)
        return number
