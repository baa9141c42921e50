"""The Pareto set of a turn: found, and explained by the first actions and the lines that reach it."""

from __future__ import annotations

from fractions import Fraction
from time import monotonic
from typing import Literal, Protocol

from msgspec.structs import replace

from engine.actions import Action
from engine.position import Position
from engine.rules import legal_actions
from solver.bounds import most
from solver.explain import Values, chain, in_order, principal_line
from solver.native import SolverName, which
from solver.objective import Aim, Luck, Mix, Value
from solver.pareto.definition import Definition
from solver.pareto.fronts import EQUAL, Corners, Front, Triple, dot, exact, floats, unbeaten
from solver.pareto.solves import Solves, at_least
from solver.reference import Stopped
from solver.result import Line, ParetoSet, Stats, Status, Trade


class Source(Protocol):
    """Finds the fronts of the first actions of a position, in the order of `legal_actions`.

    A position in which nature is to move has a single front.
    """

    @property
    def fronts(self) -> list[Front]:
        """What has been found so far of each first action."""
        ...

    @property
    def upper(self) -> list[Fraction | None]:
        """The most points, marbles and gizmos that there can be, as far as known."""
        ...

    @property
    def states(self) -> int:
        """How many positions have been valued."""
        ...

    def find(self) -> None:
        """Find all of the fronts. Raises Stopped when the time is over, or on Ctrl-C; what was found stands."""
        ...

    def values(self, aim: Aim, luck: Luck) -> Values:
        """The values by which a line is found."""
        ...


def pareto_set(
    position: Position,
    luck: Luck,
    *,
    solver: Literal["auto", "kernel", "reference"] = "auto",
    threads: int = 1,
    memory_limit: int = 1 << 30,
    time_limit: float | None = None,
) -> ParetoSet:
    """The Pareto set of a turn; the arguments are those of `solver.solve`.

    Raises ValueError if `solver` is "kernel" and the kernel is missing or has no room for the question.
    """
    started = monotonic()
    fallback = ""
    if solver == "kernel" or (solver == "auto" and which() == "kernel"):
        try:
            solves = Solves(position, luck, threads=threads, memory_limit=memory_limit, time_limit=time_limit)
            return _found(solves, "kernel", position, luck, started)
        except ValueError as error:
            if solver == "kernel":
                raise
            fallback = str(error)
    definition = Definition(
        position,
        luck,
        lambda: time_limit is not None and monotonic() - started > time_limit,
        memory_limit=memory_limit,
    )
    return _found(definition, "reference", position, luck, started, fallback=fallback)


def _found(
    source: Source, solver: SolverName, position: Position, luck: Luck, started: float, *, fallback: str = ""
) -> ParetoSet:
    status: Status = "proved"
    try:
        source.find()
    except Stopped as stopped:
        status = stopped.args[0]
    except KeyboardInterrupt:
        status = "interrupted"
    fronts = source.fronts
    trades = [_trade(position, triple, fronts) for triple in unbeaten(triple for front in fronts for triple in front)]
    upper = [float(high if known is None else known) for known, high in zip(source.upper, most(position), strict=True)]
    return ParetoSet(
        luck=luck,
        status=status,
        trades=tuple(_with_lines(source, position, luck, trades) if status == "proved" else trades),
        upper=tuple(upper),
        stats=Stats(source.states, monotonic() - started, solver, fallback),
    )


def _trade(position: Position, triple: Triple[Fraction], fronts: list[Front]) -> Trade:
    reaching: list[tuple[Value, Action]] = [
        ((), action) for action, front in zip(legal_actions(position), fronts, strict=False) if triple in front
    ]
    return Trade(*floats(triple), tuple(action for _, action in in_order(position, reaching)))


def _with_lines(source: Source, position: Position, luck: Luck, trades: list[Trade]) -> list[Trade]:
    """The trades with their lines, as far as the time allows."""
    if position.is_chance:
        return trades
    fronts = dict(zip(legal_actions(position), source.fronts, strict=True))
    lined: list[Trade] = []
    try:
        for trade in trades:
            first, numbers = trade.firsts[0], (trade.points, trade.marbles, trade.gizmos)
            aim, followed = _followed(position, luck, numbers, [floats(triple) for triple in fronts[first]])
            steps = principal_line(source.values(aim, followed), followed, position, first)
            line = Line(first, numbers, numbers, numbers, proved=True, steps=steps, chain=chain(steps))
            lined.append(replace(trade, line=line))
    except (Stopped, KeyboardInterrupt):
        return lined + trades[len(lined) :]
    return lined


def _followed(position: Position, luck: Luck, triple: Triple[float], front: list[Triple[float]]) -> tuple[Aim, Luck]:
    """What a plan that brings the triple maximises: worth at some weights, or points above some thresholds."""
    mix = weighing(front, triple) if luck == "average" else None
    if mix is not None:
        return mix, luck
    return at_least(position, int(triple[1]), int(triple[2])), "worst" if luck == "average" else luck


def weighing(front: list[Triple[float]], triple: Triple[float]) -> Mix | None:
    """Weights at which a triple is worth more than the rest of a front; None if there are none.

    >>> bent, inner, outer = [(2.0, 0.0, 0.0), (0.0, 2.0, 0.0)], (0.5, 0.5, 0.0), (1.5, 1.5, 0.0)
    >>> weighing([*bent, inner], inner) is None, weighing([*bent, outer], outer) is None
    (True, False)
    """
    search = Corners(1.0, EQUAL)
    while (weights := search.ask()) is not None:
        search.tell(weights, max(front, key=lambda each: (dot(weights, each), each)))
    return Mix(*exact(search.inside(triple))) if triple in search.found else None
