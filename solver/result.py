"""What a search answers."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.actions import Action, Reveal
from engine.marbles import Marbles
from engine.position import Position
from solver.objective import Luck, Objective

Status: TypeAlias = Literal["proved", "time", "interrupted"]
"""How a search ended: with a proof, or stopped by a limit or by the user; then only the bounds are proved."""

Numbers: TypeAlias = tuple[float, ...]
"""One number per term of the objective."""


class Step(msgspec.Struct, frozen=True):
    """One action of a line, what nature then did, and where that leaves the player.

    `position` is the one after the step; `by` the gizmo whose effect the action carries out (0: main action or part of
    it); `triggered` the gizmos that it newly triggered; `chance` the probability of the reveals shown, 1 when there is
    no luck in it; `score`, `ring` and `tokens` are the player's after the step.
    """

    action: Action
    reveals: tuple[Reveal, ...]
    by: int
    triggered: tuple[int, ...]
    chance: float
    score: int
    gained: int
    ring: Marbles
    position: Position


class Link(msgspec.Struct, frozen=True):
    """A gizmo used in a line: in step `step` (from 0), triggered by step `cause` (-1: before the line began).

    A converter is caused by the step in which it is used.
    """

    gizmo: int
    step: int
    cause: int


class Line(msgspec.Struct, frozen=True):
    """A first action with its proved value (or bounds), and the principal line that begins with it."""

    first: Action
    value: Numbers
    lower: Numbers
    upper: Numbers
    proved: bool
    steps: tuple[Step, ...] = ()
    chain: tuple[Link, ...] = ()


class Choice(msgspec.Struct, frozen=True):
    """Part of a plan: what to do, and a branch for every outcome that asks for a different continuation."""

    action: Action
    value: Numbers
    branches: tuple[Branch, ...] = ()


class Branch(msgspec.Struct, frozen=True):
    """The outcomes (each a sequence of reveals) that share a continuation, and their probability together.

    After a research of unknown cards, `keep` is the card that is the best of those seen.
    """

    outcomes: tuple[tuple[Reveal, ...], ...]
    probability: float
    then: Choice | None
    keep: int = 0


class Stats(msgspec.Struct, frozen=True):
    """What the search cost. `states`: distinct positions valued; `seconds`: wall clock.

    `fallback` says what the compiled kernel had no room for, where the reference served in its place. `counters` tells
    what the kernel found and left out, and by which of its means (docs/performance.md).
    """

    states: int
    seconds: float
    solver: Literal["kernel", "reference"]
    fallback: str = ""
    counters: dict[str, int] = msgspec.field(default_factory=dict)


class Progress(msgspec.Struct, frozen=True):
    """How far a search has come: `bounded` of the first `actions` have bounds of their own.

    The best turn is proved to be worth at least `lower` and at most `upper`.
    """

    states: int
    bounded: int
    actions: int
    lower: Numbers
    upper: Numbers


class Trade(msgspec.Struct, frozen=True):
    """One triple of a Pareto set: points gained, marbles left in the ring, gizmos built in the turn.

    `firsts` are the first actions that reach it (none if nature is to move). `line` begins with the first of them; None
    if the search was stopped before it was found.
    """

    points: float
    marbles: float
    gizmos: float
    firsts: tuple[Action, ...]
    line: Line | None = None


class ParetoSet(msgspec.Struct, frozen=True):
    """How points, marbles and gizmos can be traded for each other in a turn: what no other plan beats in all three.

    Under `worst` luck these are all triples that a plan guarantees (each of the three numbers for itself), under `best`
    luck all that can happen, those left out of which there is as much of everything in another. Under `average` luck a
    triple is what a plan brings on average, exactly. For each first action there are its corners, which no mixture of
    plans that begin with it reaches, and its plans without luck; again without those of which there is as much in
    another. All other plans bring what mixtures of these bring, or less.

    If `status` is not "proved", the trades are those found so far: each can be had, others may be missing. No plan
    brings more points, marbles or gizmos than `upper`.
    """

    luck: Luck
    status: Status
    trades: tuple[Trade, ...]
    upper: Numbers
    stats: Stats

    @property
    def proved(self) -> bool:
        """True if no trade is missing."""
        return self.status == "proved"


class Solution(msgspec.Struct, frozen=True):
    """The answer of a search.

    `value` is proved if `status` is "proved"; then `lower` == `value` == `upper`. Otherwise the true value lies between
    `lower` and `upper`, and `value` is the best that was proved to be reachable (`lower`). `lines` are the top first
    actions, best first; `ties` all first actions proved to be as good as the best. After a stopped search the steps of
    the first line are a sketch (`solver.sketch`), proved in nothing.
    """

    position: Position
    objective: Objective
    luck: Luck
    status: Status
    value: Numbers
    lower: Numbers
    upper: Numbers
    lines: tuple[Line, ...]
    ties: tuple[Action, ...]
    stats: Stats
    plan: Choice | None = None
    pareto: ParetoSet | None = None

    @property
    def proved(self) -> bool:
        """True if the value is proved."""
        return self.status == "proved"

    @property
    def best(self) -> Line | None:
        """The best line; None if there is nothing to decide."""
        return self.lines[0] if self.lines else None
