"""Who says what a play is worth: the one interface that a review rests on, and the first judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from time import monotonic
from typing import Final, Literal, Protocol, TypeAlias

from engine.actions import Action
from engine.position import Player, Position
from engine.rules import legal_actions
from solver.explain import principal_line
from solver.objective import Value
from solver.result import Step
from solver.review.envelope import RATES, Envelope, Gain, Search

Worths: TypeAlias = tuple[float, ...]
"""Points that a player has at the end of the turn on average, at each rate of the judge; the first is points only."""

Mark: TypeAlias = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
MARKS: Final[tuple[Mark, ...]] = ("best", "good", "inaccuracy", "mistake", "blunder")

BANDS: Final[tuple[tuple[Mark, float], ...]] = (("best", 0.05), ("good", 0.5), ("inaccuracy", 1.5), ("mistake", 3.0))
"""Below how many lost points a mark is given; from 3 points on it is a blunder.

A level I gizmo is worth 1 point and a level II gizmo 2 or 3. So `best` lost nothing that shows, `good` less than half
the smallest gizmo, an inaccuracy about one of level I, a mistake about one of level II, a blunder more than that.
"""


class Judge(Protocol):
    """Values the positions of one turn for the player whose turn it is; raises Stopped if it was told to stop.

    `name` says which judge it is, its version included: remembered judgements are kept apart by it. A value counts what
    the player has already, at every rate the judge holds for possible; a choice is as good as the kindest rate says.
    """

    @property
    def name(self) -> str:
        """The judge and its version."""
        ...

    @property
    def exact(self) -> bool:
        """False if something was valued only nearly."""
        ...

    def position(self, position: Position) -> Worths:
        """What a position of the turn is worth with the best play from there on."""
        ...

    def action(self, position: Position, action: Action) -> Worths:
        """What it is worth to play an action, and the best play after it."""
        ...

    def front(self, position: Position) -> tuple[Gain, ...]:
        """The different kinds of best play from a position: what each still brings, the most points first."""
        ...

    def gain(self, position: Position, rate: int) -> Gain:
        """What the best play at a rate still brings on average."""
        ...

    def line(self, position: Position, rate: int) -> tuple[Step, ...]:
        """The best play at a rate, with the likeliest reveals."""
        ...


JudgeMaker: TypeAlias = Callable[[Position, Callable[[], bool], bool], Judge]
"""Makes a judge for the turn that begins at a position: what stops it, and whether to leave out the dearest part."""


def mark_of(loss: float) -> Mark:
    """The mark for points lost.

    >>> [mark_of(loss) for loss in (0.0, 0.3, 1.0, 2.0, 4.0)]
    ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
    """
    return next((mark for mark, below in BANDS if loss < below), "blunder")


def deadline(seconds: float) -> Callable[[], bool]:
    """True once so many seconds have passed."""
    end = monotonic() + seconds
    return lambda: monotonic() > end


class ParetoJudge:
    """Judges by the points, marbles and gizmos that a turn brings (`solver.review.envelope`).

    In the last round, after which marbles and gizmos are worth nothing, only points count.

    >>> from engine.marbles import count
    >>> start = Position((Player(ring=count("K"), built=(901,), archive=(101,)),))
    >>> judge = pareto_judge(start, lambda: False, False)
    >>> [round(worth, 1) for worth in judge.position(start)][:3]
    [1.0, 3.0, 5.0]
    """

    name = "pareto/2"

    def __init__(self, start: Position, search: Search) -> None:
        self._start = start
        self._rates = 1 if start.last_round else len(RATES)
        self._seat = start.to_move
        self._search = search

    @property
    def exact(self) -> bool:
        """False if later reveals of a deck researched before were valued only nearly."""
        return self._search.exact

    def position(self, position: Position) -> Worths:
        """What a position of the turn is worth."""
        begins = position == self._start
        envelope = self._search.value(position) if begins else self._search.after(position, self._seat)
        return _worths(position.players[self._seat], envelope[: self._rates])

    def action(self, position: Position, action: Action) -> Worths:
        """What it is worth to play an action."""
        return _worths(position.players[self._seat], self._search.action(position, action)[: self._rates])

    def front(self, position: Position) -> tuple[Gain, ...]:
        """The non-dominated ones among the gains at all rates."""
        gains = dict.fromkeys(
            Gain(*(round(amount, 6) + 0.0 for amount in gain)) for gain in self._search.value(position)[: self._rates]
        )
        kept = [gain for gain in gains if not any(_dominates(other, gain) for other in gains)]
        return tuple(sorted(kept, reverse=True))

    def gain(self, position: Position, rate: int) -> Gain:
        """What the best play at a rate still brings."""
        return Gain(*(round(amount, 6) + 0.0 for amount in self._search.value(position)[rate]))

    def line(self, position: Position, rate: int) -> tuple[Step, ...]:
        """The best play at a rate."""
        values = _AtRate(self._search, rate, self._seat)
        first = max(legal_actions(position), key=lambda action: values.action_value(position, action))
        return principal_line(values, "average", position, first)


def pareto_judge(start: Position, stop: Callable[[], bool], cheap: bool) -> ParetoJudge:
    """A judge for the turn that is about to begin."""
    return ParetoJudge(start, Search(stop, without_research=cheap))


class _AtRate:
    """The values of a search at one rate, as `solver.explain` wants them."""

    def __init__(self, search: Search, rate: int, seat: int) -> None:
        self._search = search
        self._rate = rate
        self._seat = seat

    def action_value(self, position: Position, action: Action) -> Value:
        return self._value(position, self._search.action(position, action))

    def actions(self, position: Position, top: int = 0) -> list[Value]:  # noqa: ARG002 - all are exact
        return [self.action_value(position, action) for action in legal_actions(position)]

    def after(self, position: Position) -> Value:
        return self._value(position, self._search.after(position, self._seat))

    def outcomes(self, positions: Iterable[Position]) -> list[Value]:
        return [self.after(position) for position in positions]

    def research_worths(self, position: Position) -> list[Value]:
        return [self._value(position, worth) for worth in self._search.research_worths(position)]

    def set_matters(self, position: Position) -> bool:  # noqa: ARG002 - valued card by card, see Search
        return False

    def reveal_matters(self, position: Position) -> bool:
        return self._search.reveal_matters(position)

    def _value(self, position: Position, envelope: Envelope) -> Value:
        standing = _standing(position.players[self._seat])
        gain = Gain(*(a + b for a, b in zip(standing, envelope[self._rate], strict=True)))
        return tuple(
            Fraction(round(amount * _ROUNDING), _ROUNDING)
            for amount in (RATES[self._rate].worth(gain), gain.gizmos, gain.marbles)
        )


_ROUNDING: Final = 10**9


def _standing(player: Player) -> Gain:
    return Gain(player.score, player.marbles, len(player.built))


def _worths(player: Player, envelope: Envelope) -> Worths:
    standing = _standing(player)
    return tuple(rate.worth(standing) + rate.worth(gain) for rate, gain in zip(RATES, envelope, strict=False))


def _dominates(better: Gain, gain: Gain) -> bool:
    return better != gain and all(a >= b for a, b in zip(better, gain, strict=True))
