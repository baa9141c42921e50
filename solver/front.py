"""The one way in: `solve` finds, proves and explains the best turn."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from engine.errors import InvalidPositionError
from engine.position import Position
from engine.rules import legal_actions
from solver.bounds import bounds
from solver.explain import chain, numbers, plan, principal_line, ranked_actions
from solver.objective import Luck, Objective, Value, parse_objective
from solver.reference import Reference, Stopped
from solver.result import Choice, Line, Solution, Stats, Status


def solve(
    position: Position,
    *,
    objective: Objective | str = "score",
    luck: Luck = "average",
    top: int = 3,
    time_limit: float | None = None,
    with_plan: bool = False,
) -> Solution:
    """The best turn from a position, proved unless a limit stops the search.

    `objective` may be text (`parse_objective`); `luck` says how reveals count: what can be guaranteed, the exact
    expectation, or what could happen. `top` first actions come with their principal lines. `time_limit` is in seconds;
    when it is reached, the answer says which bounds are proved. Ctrl-C ends the search in the same way.

    Raises InvalidPositionError for a position in which the game is over, UnreadableError for an objective that
    cannot be read.
    """
    if position.is_over:
        raise InvalidPositionError("the game is over in this position: there is no turn to solve")
    if isinstance(objective, str):
        objective = parse_objective(objective)
    started = monotonic()
    stop: Callable[[], bool] = lambda: time_limit is not None and monotonic() - started > time_limit  # noqa: E731
    reference = Reference(objective, luck, position.player, position.to_move, stop)
    return _by_reference(
        reference, position, objective=objective, luck=luck, top=top, with_plan=with_plan, started=started
    )


def _by_reference(
    reference: Reference,
    position: Position,
    *,
    objective: Objective,
    luck: Luck,
    top: int,
    with_plan: bool,
    started: float,
) -> Solution:
    status: Status = "proved"
    low, high = bounds(position, objective)
    value: Value | None = None
    lines: list[Line] = []
    ties = []
    tree: Choice | None = None
    known: list[tuple[Value, Line]] = []
    try:
        if position.is_chance:
            value = reference.value(position)
        else:
            for action in legal_actions(position):
                worth = reference.action_value(position, action)
                exact = numbers(worth)
                known.append((worth, Line(action, exact, exact, exact, True)))
            ranking = ranked_actions(reference, position)
            value = ranking[0][0]
            ties = [action for worth, action in ranking if worth == value]
            for worth, action in ranking[:top]:
                steps = principal_line(reference, luck, position, action)
                exact = numbers(worth)
                lines.append(Line(action, exact, exact, exact, True, steps, chain(steps)))
            tree = plan(reference, position) if with_plan else None
    except (Stopped, KeyboardInterrupt) as reason:
        status = "time" if isinstance(reason, Stopped) else "interrupted"
        if value is None:
            known.sort(key=lambda pair: pair[0], reverse=True)
            low = max([low, *(worth for worth, _ in known)])
            lines = [line for _, line in known[:top]]
    lower, upper = (numbers(value), numbers(value)) if value is not None else (numbers(low), numbers(high))
    return Solution(
        position=position,
        objective=objective,
        luck=luck,
        status=status if value is None else "proved",
        value=lower,
        lower=lower,
        upper=upper,
        lines=tuple(lines),
        ties=tuple(ties),
        stats=Stats(reference.states, monotonic() - started, "reference"),
        plan=tree,
    )
