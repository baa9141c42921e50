"""The one way in: `solve` finds, proves and explains the best turn."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import inf
from time import monotonic
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from engine.actions import Action
from engine.errors import InvalidPositionError
from engine.position import Position
from engine.rules import legal_actions
from solver.bounds import bounds
from solver.explain import chain, in_order, line_value, numbers, plan, principal_line
from solver.interruption import interruption
from solver.native import Kernel, which
from solver.objective import Luck, Objective, Value, parse_objective
from solver.pareto import pareto_set
from solver.reference import Reference, Stopped
from solver.result import Choice, Line, Progress, Solution, Stats, Status
from solver.sketch import at_once, is_whole, sketch

Values: TypeAlias = Kernel | Reference
_LAST_SECONDS: Final = 0.03
"""Kept of the time limit, but no more than a tenth of it, for what a stopped search shows of what it has found."""
_SECONDS_FOR_BOUNDS: Final = 0.01
"""Of those, for bounds of what its line meets."""
_SECONDS_BETWEEN_TELLING: Final = 0.1


def solve(
    position: Position,
    *,
    objective: Objective | str = "score",
    luck: Luck = "average",
    top: int = 3,
    time_limit: float | None = None,
    with_plan: bool = False,
    solver: Literal["auto", "kernel", "reference"] = "auto",
    threads: int = 1,
    memory_limit: int = 1 << 30,
    progress: Callable[[Progress], None] | None = None,
    pareto: bool = False,
) -> Solution:
    """The best turn from a position, proved unless a limit stops the search.

    `objective` may be text (`parse_objective`); `luck` says how reveals count: what can be guaranteed, the exact
    expectation, or what could happen. `top` first actions come with their principal lines. `time_limit` is in seconds;
    when it is reached, the answer says which bounds are proved, and shows the best line found so far. Ctrl-C ends the
    search in the same way. `progress` hears every tenth of a second or so how far the search has come.

    `solver` "auto" takes the compiled kernel where there is one, and the reference for the rare questions that the
    kernel has no room for. `threads` (at least 1) are for the kernel. What is remembered takes at most `memory_limit`
    bytes; beside it a search needs a few megabytes for each thread. The answer depends on neither: where memory is
    short, values are forgotten and found again.

    With `pareto` the answer also says how points, marbles and gizmos can be traded for each other (`ParetoSet`), unless
    it was interrupted before; half of the time is kept for that.

    Raises InvalidPositionError for a position in which the game is over, UnreadableError for an objective that
    cannot be read, ValueError if `solver` is "kernel" and the kernel is missing or has no room for the question, and
    for numbers out of range.
    """
    if threads < 1 or memory_limit < 0:
        raise ValueError(f"{threads} threads and {memory_limit} bytes, expected at least 1 and 0")
    if position.is_over:
        raise InvalidPositionError("the game is over in this position: there is no turn to solve")
    if isinstance(objective, str):
        objective = parse_objective(objective)
    started = monotonic()
    solution = _best_turn(
        position,
        objective,
        luck,
        top,
        time_limit=time_limit / 2 if time_limit is not None and pareto else time_limit,
        with_plan=with_plan,
        solver=solver,
        threads=threads,
        memory_limit=memory_limit,
        progress=progress,
    )
    if not pareto or solution.status == "interrupted":
        return solution
    left = None if time_limit is None else time_limit - (monotonic() - started)
    trades = pareto_set(position, luck, solver=solver, threads=threads, memory_limit=memory_limit, time_limit=left)
    return replace(solution, pareto=trades)


def _best_turn(
    position: Position,
    objective: Objective,
    luck: Luck,
    top: int,
    *,
    time_limit: float | None,
    with_plan: bool,
    solver: Literal["auto", "kernel", "reference"],
    threads: int,
    memory_limit: int,
    progress: Callable[[Progress], None] | None,
) -> Solution:
    if time_limit is not None:
        time_limit -= min(_LAST_SECONDS, time_limit / 10)
    with interruption() as interrupted:
        answer = _Answer(position, objective, luck, progress, interrupted)
        if solver == "kernel" or (solver == "auto" and which() == "kernel"):
            try:
                kernel = Kernel(
                    position, objective, luck, threads=threads, memory_limit=memory_limit, time_limit=time_limit
                )
                return answer.find(kernel, kernel.limit, top, with_plan=with_plan)
            except ValueError as error:
                if solver == "kernel":
                    raise
                answer.begin_again(fallback=str(error))
        end = inf if time_limit is None else answer.started + time_limit

        def limit(seconds: float) -> None:
            nonlocal end
            end = monotonic() + seconds

        def stop() -> bool:
            answer.tell_of_reference()
            return monotonic() > end

        reference = Reference(objective, luck, position.player, position.to_move, stop, memory_limit=memory_limit)
        return answer.find(reference, limit, top, with_plan=with_plan)


class _Answer:
    """The answer as far as it has been found."""

    def __init__(
        self,
        position: Position,
        objective: Objective,
        luck: Luck,
        progress: Callable[[Progress], None] | None,
        interrupted: Callable[[], bool],
    ) -> None:
        self.started = monotonic()
        self._position = position
        self._objective = objective
        self._luck: Luck = luck
        self._progress = progress
        self._interrupted = interrupted
        self._told = self.started
        self.begin_again()

    def begin_again(self, fallback: str = "") -> None:
        """Forget what was found, since another solver takes over, and why it does."""
        self._fallback = fallback
        self._status: Status = "proved"
        self._actions: tuple[Action, ...] = ()
        self._value: Value | None = None
        self._known: list[_Known] = []
        self._lines: list[Line] = []
        self._plan: Choice | None = None

    def find(self, values: Values, limit: Callable[[float], None], top: int, *, with_plan: bool) -> Solution:
        """Search, and explain what was found, until a limit stops either; `limit` starts the values' clock anew."""
        self._values = values
        try:
            if self._position.is_chance:
                (self._value,) = self._values.outcomes([self._position])
            else:
                self._search(top)
                self._explain(top, with_plan=with_plan)
        except Stopped as stopped:
            self._status = stopped.args[0]
        except KeyboardInterrupt:
            self._status = "interrupted"
        if self._value is None and self._actions:
            limit(_SECONDS_FOR_BOUNDS)
            self._sketch()
        return self._solution(top)

    def _search(self, top: int) -> None:
        self._actions = legal_actions(self._position)
        if isinstance(self._values, Kernel):
            told = None if self._progress is None else self._tell
            found = self._values.bounds(self._position, top, told)
            known = [_Known(*pair, each) for pair, each in zip(found, self._actions, strict=True) if pair is not None]
            self._rank(known)
            best = self._known[0].lower if self._known else None
            if len(known) < len(self._actions) or best is None or any(one.upper > best for one in known):
                raise Stopped(self._values.status)
        else:
            for action in self._actions:
                worth = self._values.action_value(self._position, action)
                self._known.append(_Known(worth, worth, action))
            self._rank(self._known)
        self._value = self._known[0].lower

    def _rank(self, known: list[_Known]) -> None:
        by_action = {one.action: one for one in known}
        ranked = in_order(self._position, [(one.lower, one.action) for one in known])
        self._known = [by_action[action] for _, action in ranked]

    def _explain(self, top: int, *, with_plan: bool) -> None:
        for one in self._known[:top]:
            steps = principal_line(self._values, self._luck, self._position, one.action)
            self._lines.append(replace(one.line(), steps=steps, chain=chain(steps)))
        self._plan = plan(self._values, self._position) if with_plan else None

    def _sketch(self) -> None:
        """Bound all first actions, and show a line that begins with the best as far as is known."""
        highest = self._whatever_happens[1]
        found = {one.action: one for one in self._known}
        bounded = []
        for action, least in zip(self._actions, self._at_once, strict=True):
            one = found.get(action, _Known(least, highest, action))
            bounded.append(one._replace(lower=max(one.lower, least)))
        self._rank(bounded)
        best = self._known[0]
        steps = sketch(self._values, self._objective, self._position, best.action)
        sure = self._luck == "best" or all(step.chance == 1 for step in steps)
        if sure and is_whole(steps):
            best = best._replace(lower=max(best.lower, line_value(self._objective, self._position, steps)))
        self._known[0] = best
        self._lines = [replace(best.line(), steps=steps, chain=chain(steps))]

    @cached_property
    def _at_once(self) -> list[Value]:
        return [at_once(self._objective, self._position.player, self._position, action) for action in self._actions]

    @cached_property
    def _whatever_happens(self) -> tuple[Value, Value]:
        return bounds(self._position, self._objective)

    def _bounds(self) -> tuple[Value, Value]:
        low, high = self._whatever_happens
        if self._known:
            low = max(low, *(one.lower for one in self._known))
            if len(self._known) == len(self._actions):
                high = min(high, max(one.upper for one in self._known))
        return low, high

    def tell_of_reference(self) -> None:
        """Tell every now and then how far the reference has come. Raises Stopped if it was interrupted."""
        if self._interrupted():
            raise Stopped("interrupted")
        if self._progress is None or self._value is not None or monotonic() - self._told < _SECONDS_BETWEEN_TELLING:
            return
        self._told = monotonic()
        self._tell(self._values.states, len(self._known), len(self._actions), None, None)

    def _tell(
        self, states: int, bounded: int, actions: int, lower: list[float] | None, upper: list[float] | None
    ) -> None:
        low, high = map(numbers, self._bounds())
        low = max(low, numbers(max(self._at_once)), low if lower is None else tuple(lower))
        high = high if upper is None else min(high, tuple(upper))
        if self._progress is not None:
            self._progress(Progress(states, bounded, actions, low, high))
        if self._interrupted():
            raise KeyboardInterrupt

    def _solution(self, top: int) -> Solution:
        value = self._value
        low, high = self._bounds() if value is None else (value, value)
        lines = self._lines + [one.line() for one in self._known[len(self._lines) : top]]
        lower, upper = numbers(low), numbers(high)
        counters = self._values.stats if isinstance(self._values, Kernel) else {}
        name: Literal["kernel", "reference"] = "kernel" if isinstance(self._values, Kernel) else "reference"
        return Solution(
            position=self._position,
            objective=self._objective,
            luck=self._luck,
            status=self._status if value is None else "proved",
            value=lower,
            lower=lower,
            upper=upper,
            lines=tuple(lines),
            ties=tuple(one.action for one in self._known if one.lower == value),
            stats=Stats(self._values.states, monotonic() - self.started, name, self._fallback, counters),
            plan=self._plan,
        )


class _Known(NamedTuple):
    """What is proved of an action."""

    lower: Value
    upper: Value
    action: Action

    def line(self) -> Line:
        low, high = numbers(self.lower), numbers(self.upper)
        return Line(self.action, low, low, high, self.lower == self.upper)
