"""Fronts: sets of triples (points gained, marbles left, gizmos built) of which none is beaten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final, Generic, TypeAlias, TypeVar

Number = TypeVar("Number", float, Fraction)
Triple: TypeAlias = tuple[Number, Number, Number]
Front: TypeAlias = list[Triple[Fraction]]
EQUAL: Final = 1e-9
"""Numbers that come from rounded ones and are closer than this are equal."""


def exact(triple: Triple[float]) -> Triple[Fraction]:
    """A triple of floats as fractions."""
    return Fraction(triple[0]), Fraction(triple[1]), Fraction(triple[2])


def floats(triple: Triple[Fraction]) -> Triple[float]:
    """A triple of fractions as floats."""
    return float(triple[0]), float(triple[1]), float(triple[2])


def beats(left: Triple[Number], right: Triple[Number]) -> bool:
    """True if the left triple has as much of everything, and more of something.

    >>> beats((2.0, 1.0, 1.0), (2.0, 0.0, 1.0)), beats((2.0, 1.0, 1.0), (2.0, 1.0, 1.0))
    (True, False)
    """
    return left != right and reaches(left, right)


def reaches(left: Triple[Number], right: Triple[Number]) -> bool:
    """True if the left triple has as much of everything."""
    return left[0] >= right[0] and left[1] >= right[1] and left[2] >= right[2]


def unbeaten(triples: Iterable[Triple[Number]]) -> list[Triple[Number]]:
    """The triples that no other one beats, each once, the one with the most points first.

    >>> unbeaten([(0.0, 3.0, 0.0), (2.0, 1.0, 1.0), (2.0, 0.0, 1.0), (2.0, 1.0, 1.0)])
    [(2.0, 1.0, 1.0), (0.0, 3.0, 0.0)]
    """
    found: list[Triple[Number]] = []
    for each in sorted(set(triples), reverse=True):
        if not any(reaches(other, each) for other in found):
            found.append(each)
    return found


def guaranteed(fronts: Sequence[Sequence[Triple[Number]]], number: int) -> list[Triple[Number]]:
    """The greatest triples that at least `number` of the fronts reach, each by some triple of its own.

    >>> guaranteed([[(3.0, 0.0, 1.0), (0.0, 4.0, 0.0)], [(1.0, 1.0, 1.0), (0.0, 2.0, 0.0)]], 2)
    [(1.0, 0.0, 1.0), (0.0, 2.0, 0.0)]
    """
    marbles = {triple[1] for front in fronts for triple in front}
    gizmos = {triple[2] for front in fronts for triple in front}
    found: list[Triple[Number]] = []
    for least_marbles in marbles:
        for least_gizmos in gizmos:
            most = [
                max(points)
                for front in fronts
                if (points := [one[0] for one in front if one[1] >= least_marbles and one[2] >= least_gizmos])
            ]
            if len(most) >= number:
                found.append((sorted(most, reverse=True)[number - 1], least_marbles, least_gizmos))
    return unbeaten(found)


class Corners(Generic[Number]):
    """Finds the corners of a set of triples that can only be asked which of them is worth most at given weights.

    A corner is a triple that is worth more than all others at some weights of points, marbles and gizmos; mixtures of
    corners reach all the rest. Each corner known so far is the best at a cell of the triangle of all weights (three
    numbers from 0 that sum up to 1). The greatest worth is convex in the weights, and that of the known corners is
    linear in each cell: once nothing better is known to exist at any vertex of any cell, there is no further corner.

    `ask` gives such a vertex, `tell` takes the answer. Worths that differ by no more than `equal` are the same, so with
    Fractions and 0 the corners are exact. Of several triples that are worth the same an answer must be the greatest.
    """

    def __init__(self, one: Number, equal: Number) -> None:
        self._one: Number = one
        self._equal: Number = equal
        self._zero: Number = one - one
        self._triangle: list[Triple[Number]] = [
            (one, self._zero, self._zero),
            (self._zero, one, self._zero),
            (self._zero, self._zero, one),
        ]
        self._cells: dict[Triple[Number], list[Triple[Number]]] = {}
        self._told: set[Triple[Number]] = set()

    @property
    def found(self) -> list[Triple[Number]]:
        """The corners found so far."""
        return list(self._cells)

    def inside(self, corner: Triple[Number]) -> Triple[Number]:
        """Weights at which this corner is worth more than all others found so far."""
        cell = self._cells[corner]
        number = len(cell) * self._one
        return (
            sum((weights[0] for weights in cell), self._zero) / number,
            sum((weights[1] for weights in cell), self._zero) / number,
            sum((weights[2] for weights in cell), self._zero) / number,
        )

    def ask(self) -> Triple[Number] | None:
        """Weights at which the best triple is wanted; None if all corners are known."""
        if not self._cells:
            return self._triangle[0]
        open_ones = (
            weights for cell in self._cells.values() for weights in cell if self._key(weights) not in self._told
        )
        return next(open_ones, None)

    def tell(self, weights: Triple[Number], best: Triple[Number]) -> None:
        """Take the answer to `ask`."""
        self._told.add(self._key(weights))
        worth = dot(weights, best)
        if any(worth - dot(weights, corner) <= self._equal for corner in self._cells):
            return
        cell = self._triangle
        for corner in self._cells:
            cell = self._clipped(cell, best, corner)
            self._cells[corner] = self._clipped(self._cells[corner], corner, best)
        self._cells[best] = cell
        self._cells = {corner: left for corner, left in self._cells.items() if len(left) > 2}

    def _key(self, weights: Triple[Number]) -> Triple[Number]:
        return weights if not self._equal else (round(weights[0], 11), round(weights[1], 11), round(weights[2], 11))

    def _clipped(
        self, cell: list[Triple[Number]], corner: Triple[Number], other: Triple[Number]
    ) -> list[Triple[Number]]:
        """The part of a cell where a corner is worth more than another one."""
        normal = (corner[0] - other[0], corner[1] - other[1], corner[2] - other[2])
        sides = [dot(normal, weights) for weights in cell]
        left: list[Triple[Number]] = []
        for here, weights in enumerate(cell):
            side, before = sides[here], sides[here - 1]
            if abs(side) <= self._equal:
                left.append(weights)
                continue
            if abs(before) > self._equal and (side > 0) != (before > 0):
                last = cell[here - 1]
                part = before / (before - side)
                left.append(
                    (
                        last[0] + (weights[0] - last[0]) * part,
                        last[1] + (weights[1] - last[1]) * part,
                        last[2] + (weights[2] - last[2]) * part,
                    )
                )
            if side > 0:
                left.append(weights)
        return left


def dot(left: Triple[Number], right: Triple[Number]) -> Number:
    """A weighted sum."""
    return left[0] * right[0] + left[1] * right[1] + left[2] * right[2]


def corners(best: Callable[[Triple[Fraction]], Triple[Fraction]]) -> Front:
    """The corners of a set of which `best` gives the triple that is worth most at given weights, exactly."""
    search = Corners(Fraction(1), Fraction(0))
    while (weights := search.ask()) is not None:
        search.tell(weights, best(weights))
    return sorted(search.found, reverse=True)
