"""The compiled kernel as a source of values, and which solver serves here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any, Final, Literal, TypeAlias, TypeVar

from engine.actions import Action
from engine.position import Position
from engine.reveals import reveal_unchecked, weighted_reveals
from engine.rules import apply, legal_actions
from solver.compiled import kernel
from solver.objective import Aim, CardGoal, Condition, Goal, Luck, Mix, RingGoal, Value
from solver.reference import Stopped, reveal_matters
from solver.result import Status

SolverName: TypeAlias = Literal["kernel", "reference"]
Answer = TypeVar("Answer")
MAX_TERMS: Final = 4
ALL: Final = 1 << 20
Told: TypeAlias = Callable[[int, int, int, list[float] | None, list[float] | None], None]
"""Hears how far a search has come: states valued, actions with bounds, actions, and bounds of the best if known."""
_EQUAL: Final = 1e-9
"""The kernel computes with rounded numbers: values closer than this are equal."""


def which() -> SolverName:
    """The solver that `solve` uses by itself here: the kernel if it was compiled, else the reference."""
    return "reference" if kernel is None else "kernel"


def kernel_version() -> str | None:
    """The version of the compiled kernel; None if this install has none."""
    return None if kernel is None else str(kernel.version())


class Kernel:
    """Values of the positions of one turn by the compiled kernel (the protocol `solver.explain.Values`).

    `position` is the one that the turn's values are counted from. Values are kept for later questions; what is
    remembered takes at most `memory_limit` bytes, and beside it a few megabytes for each thread are worked with.
    `time_limit` is in seconds from now on. Methods raise Stopped when it is over, or on Ctrl-C.

    Raises ValueError for what the kernel has no room for, and if there is no kernel.
    """

    def __init__(
        self,
        position: Position,
        objective: Aim,
        luck: Luck,
        *,
        threads: int = 1,
        memory_limit: int = 1 << 30,
        time_limit: float | None = None,
    ) -> None:
        if kernel is None:
            raise ValueError("this install has no compiled kernel")
        terms = _terms(objective)
        if len(terms) > MAX_TERMS:
            raise ValueError(f"{len(terms)} terms, the kernel has room for {MAX_TERMS}")
        self._objective = objective
        self._start = position
        self._turn: Any = kernel.Turn(position, terms, luck, memory_limit, threads)
        self.limit(time_limit)

    @property
    def states(self) -> int:
        """How many states have been valued."""
        return int(self._turn.stats()["states"])

    @property
    def stats(self) -> dict[str, int]:
        """Counters of the search: states, table hits, what was merged or left out and why, bytes remembered."""
        return dict(self._turn.stats())

    @property
    def status(self) -> Status:
        """Why the search was stopped; "proved" if it wasn't."""
        status: Status = self._turn.status()
        return status

    def limit(self, seconds: float | None) -> None:
        """Start the clock anew: from now on the search may take so many seconds, or as long as it likes."""
        self._turn.limit(-1.0 if seconds is None else max(0.0, seconds))

    def bounds(self, position: Position, top: int, told: Told | None = None) -> list[tuple[Value, Value] | None]:
        """Lower and upper bounds of the values of `legal_actions`, in that order; equal where the value is known.

        It is known of the `top` best, and of many others, unless the search was stopped; then bounds may be missing.
        `told` hears every now and then how far the search has come.
        """
        found = self._turn.actions(position, top, told)
        if found is None:
            return [None] * len(legal_actions(position))
        snapped = iter(_snapped([bound for pair in found if pair is not None for bound in pair]))
        return [None if pair is None else (next(snapped), next(snapped)) for pair in found]

    def lower_bounds(self, position: Position) -> list[Value | None]:
        """Lower bounds of `legal_actions`, in that order; None where the search was stopped before it found one."""
        return [None if pair is None else pair[0] for pair in self.bounds(position, 0)]

    def actions(self, position: Position, top: int = ALL) -> list[Value]:
        """The values of `legal_actions`, in that order; of those worse than the `top` best perhaps a lower bound."""
        found = self._unless_stopped(self._turn.actions(position, top))
        if self.status != "proved":
            raise Stopped(self.status)
        return _snapped([pair[0] for pair in found if pair is not None])

    def action_value(self, position: Position, action: Action) -> Value:
        """The value of a legal action, as `legal_actions` lists it or not."""
        actions = legal_actions(position)
        if action in actions:
            return self.actions(position)[actions.index(action)]
        return self.after(apply(position, action))

    def after(self, position: Position) -> Value:
        """The value of a position reached in the turn, a finished turn included."""
        return self.outcomes([position])[0]

    def outcomes(self, positions: Iterable[Position]) -> list[Value]:
        """`after` for several outcomes of a reveal."""
        ended: list[Value | None] = []
        going_on: list[list[float]] = []
        for position in positions:
            ended.append(None if position.turn.acted else self._at_end(position))
            if position.turn.acted:
                going_on.append(self._unless_stopped(self._turn.value(position)))
        valued = iter(_snapped(going_on))
        return [next(valued) if value is None else value for value in ended]

    def _at_end(self, position: Position) -> Value:
        """The value of a finished turn; asked of the kernel, it would be that of the turn that begins."""
        return self._objective.at_end(self._start.player, position.players[self._start.to_move])

    def research_worths(self, position: Position) -> list[Value]:
        """What keeping each card that a research could draw is worth, by ascending number.

        Meant for researches whose set does not matter.
        """
        return _snapped(self._unless_stopped(self._turn.research(position)))

    def set_matters(self, position: Position) -> bool:
        """True if more than the best card of those seen in the research owed can matter."""
        matters: bool = self._unless_stopped(self._turn.set_matters(position))
        return matters

    def reveal_matters(self, position: Position) -> bool:
        """True if the outcome of the reveal owed next can play a part in this turn.

        The kernel leaves out a marble that enters the row if all it changes is what draws can still find: on average
        that is nothing. But what follows each marble is worth something else, and so is told apart in what is shown.
        """
        if self._unless_stopped(self._turn.reveal_matters(position)):
            return True
        if position.turn.awaited[0].kind not in ("row", "next") or not reveal_matters(position):
            return False
        return len(set(self.outcomes(reveal_unchecked(position, each) for each, _ in weighted_reveals(position)))) > 1

    def _unless_stopped(self, answer: Answer | None) -> Answer:
        if answer is None:
            raise Stopped(self.status)
        return answer


def _snapped(values: list[list[float]]) -> list[Value]:
    """Rounded values, those that are equal but for the rounding made equal.

    >>> _snapped([[2.0000000001], [1.9999999999], [0.25]])
    [(2.0,), (2.0,), (0.25,)]
    """
    return list(zip(*map(_snapped_term, zip(*values, strict=True)), strict=True))


def _snapped_term(numbers: tuple[float, ...]) -> list[float]:
    snapped: dict[float, float] = {}
    last, standing_for_it = -inf, 0.0
    for number in sorted(set(numbers)):
        if number - last > _EQUAL:
            whole = round(number)
            standing_for_it = float(whole) if abs(number - whole) < _EQUAL else number
        snapped[number] = standing_for_it
        last = number
    return [snapped[number] for number in numbers]


def _terms(objective: Aim) -> tuple[object, ...]:
    if isinstance(objective, Mix):
        return (_rates(objective), "score", "marbles", (0.0, 0.0, 1.0))
    return tuple(
        tuple(_condition(condition) for condition in term.conditions) if isinstance(term, Goal) else term
        for term in objective.terms
    )


def _rates(mix: Mix) -> tuple[float, float, float]:
    return float(mix.points), float(mix.marbles), float(mix.gizmos)


def _condition(condition: Condition) -> tuple[str, int | str, int]:
    if isinstance(condition, CardGoal):
        return (condition.where, condition.card, 0)
    if isinstance(condition, RingGoal):
        return ("ring", int(condition.color), condition.least)
    return ("amount", condition.what, condition.least)
