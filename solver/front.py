"""The one way in: `solve` finds, proves and explains the best turn."""

from __future__ import annotations

from time import monotonic
from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from engine.actions import Action
from engine.errors import InvalidPositionError
from engine.position import Position
from engine.rules import legal_actions
from solver.bounds import bounds
from solver.explain import chain, in_order, numbers, plan, principal_line
from solver.native import Kernel, which
from solver.objective import Luck, Objective, Value, parse_objective
from solver.pareto import pareto_set
from solver.reference import Reference, Stopped
from solver.result import Choice, Line, Solution, Stats, Status

Values: TypeAlias = Kernel | Reference


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
    pareto: bool = False,
) -> Solution:
    """The best turn from a position, proved unless a limit stops the search.

    `objective` may be text (`parse_objective`); `luck` says how reveals count: what can be guaranteed, the exact
    expectation, or what could happen. `top` first actions come with their principal lines. `time_limit` is in seconds;
    when it is reached, the answer says which bounds are proved. Ctrl-C ends the search in the same way.

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
) -> Solution:
    started = monotonic()
    if solver == "kernel" or (solver == "auto" and which() == "kernel"):
        try:
            kernel = Kernel(
                position, objective, luck, threads=threads, memory_limit=memory_limit, time_limit=time_limit
            )
            return _Answer(kernel, position, objective, luck, started).find(top, with_plan=with_plan)
        except ValueError:
            if solver == "kernel":
                raise
    reference = Reference(
        objective,
        luck,
        position.player,
        position.to_move,
        lambda: time_limit is not None and monotonic() - started > time_limit,
        memory_limit=memory_limit,
    )
    return _Answer(reference, position, objective, luck, started).find(top, with_plan=with_plan)


class _Answer:
    """The answer as far as it has been found."""

    def __init__(self, values: Values, position: Position, objective: Objective, luck: Luck, started: float) -> None:
        self._values = values
        self._position = position
        self._objective = objective
        self._luck: Luck = luck
        self._started = started
        self._status: Status = "proved"
        self._value: Value | None = None
        self._known: list[_Known] = []
        self._lines: list[Line] = []
        self._plan: Choice | None = None

    def find(self, top: int, *, with_plan: bool) -> Solution:
        """Search, and explain what was found, until a limit stops either."""
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
        return self._solution(top)

    def _search(self, top: int) -> None:
        actions = legal_actions(self._position)
        if isinstance(self._values, Kernel):
            found = self._values.bounds(self._position, top)
            known = [_Known(*pair, each) for pair, each in zip(found, actions, strict=True) if pair is not None]
            self._rank(known)
            best = self._known[0].lower if self._known else None
            if len(known) < len(actions) or best is None or any(one.upper > best for one in known):
                raise Stopped(self._values.status)
        else:
            for action in actions:
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

    def _solution(self, top: int) -> Solution:
        value = self._value
        if value is not None:
            low = high = value
        else:
            low, high = bounds(self._position, self._objective)
            self._rank(self._known)
            low = max([low, *(one.lower for one in self._known)])
            if len(self._known) == len(legal_actions(self._position)) and self._known:
                high = min(high, max(one.upper for one in self._known))
        lines = self._lines + [one.line() for one in self._known[len(self._lines) : top]]
        lower, upper = numbers(low), numbers(high)
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
            stats=Stats(self._values.states, monotonic() - self._started, name),
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
