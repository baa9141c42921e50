"""What counts as one answer: lean lines, and when two of them are the same.

The lines looked at are the *optimal* ones: every action has the best value, and every reveal is the principal one
(`solver.explain.principal_reveals`), until the turn ends. Of a line only its *deeds* count: what is picked, filed,
built, researched, drawn and which points are taken, each with the gizmo whose effect it is; not their order, not how a
card is paid for, not what is skipped or passed. An optimal line is *lean* if no other optimal line does only a part of
its deeds. A puzzle has one answer if all lean optimal lines do the same deeds.

So two answers that only differ in the order of deeds, in a payment (each of them good enough for the best value), or
in a pick or draw that earns nothing are the same; two that build, file or pick different things are not.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeAlias

from engine.actions import Action, Build, Draw, EndTurn, File, Pass, Pick, Points, ResearchDeck, Reveal, Skip
from engine.position import Position
from engine.reveals import reveal_unchecked
from engine.rules import apply_unchecked, legal_actions
from solver.explain import Values, principal_reveals
from solver.objective import Luck, Value
from solver.reference import Stopped

Deed: TypeAlias = tuple[str, int, str, int]
"""What is done, the card, colour or level it is done to, where a card comes from, and the gizmo whose effect it is."""

Deeds: TypeAlias = frozenset[tuple[Deed, int]]
"""A multiset of deeds: the second number tells equal ones apart."""

Option: TypeAlias = tuple[Action, Value]
"""An action and what it is worth."""

NO_DEEDS: Final[Deeds] = frozenset()


def deed(action: Action, position: Position) -> Deed | None:
    """What an action does, as far as it counts; None for a skip, a pass or the end of the turn.

    >>> deed(Build(208, "archive", (0, 0, 0, 2), (217,)), Position(()))
    ('build', 208, 'archive', 0)
    """
    match action:
        case Pick():
            return ("pick", int(action.color), "", action.gizmo or _pending(position))
        case File():
            return ("file", action.card, action.source, action.gizmo)
        case Build():
            return ("build", action.card, action.source, action.gizmo)
        case ResearchDeck():
            return ("research", action.level, "", action.gizmo)
        case Draw():
            return ("draw", 0, "", action.gizmo)
        case Points():
            return ("points", 0, "", action.gizmo)
        case Skip() | Pass() | EndTurn():
            return None


def _pending(position: Position) -> int:
    return position.turn.pending.gizmo if position.turn.pending is not None else 0


def roughly(done: Deed) -> Deed:
    """A deed without the colour that is picked and the card that is filed: often they make no difference.

    >>> roughly(("pick", 3, "", 227))
    ('pick', 0, '', 227)
    """
    what, which, source, gizmo = done
    return (what, 0 if what in ("pick", "file") else which, source, gizmo)


class Answers:
    """The answers from the positions of a turn, remembered.

    `values` values these positions; what they raise when stopped passes through. More than `most` positions or answers
    raise Stopped too (0: no limit).
    """

    def __init__(self, values: Values, luck: Luck, most: int = 0) -> None:
        self._values = values
        self._luck = luck
        self._most = most or sys.maxsize
        self._known: dict[Position, frozenset[Deeds]] = {}

    def lean(self, position: Position) -> frozenset[Deeds]:
        """The deeds of every lean optimal line from a position; more than one element: several answers."""
        known = self._known.get(position)
        if known is None:
            known = self._known[position] = frozenset(_lean(self._optimal(position)))
            if len(self._known) > self._most or len(known) > self._most:
                raise Stopped
        return known

    def _optimal(self, position: Position) -> set[Deeds]:
        best = best_actions(self._values, position)
        if EndTurn() in best:
            return {NO_DEEDS}
        found: set[Deeds] = set()
        for action in best:
            done = deed(action, position)
            after = self.after(position, action)[1]
            rest = self.lean(after) if after.turn.acted else frozenset((NO_DEEDS,))
            found.update(rest if done is None else (_with(each, done) for each in rest))
        return found

    def after(self, position: Position, action: Action) -> tuple[list[Reveal], Position]:
        """Play an action and the principal reveals that follow it."""
        position = apply_unchecked(position, action)
        reveals: list[Reveal] = []
        while position.is_chance:
            for each in principal_reveals(self._values, self._luck, position)[0]:
                position = reveal_unchecked(position, each)
                reveals.append(each)
        return reveals, position

    def line(self, position: Position, answer: Deeds) -> list[tuple[Position, Action, tuple[Reveal, ...]]]:
        """A best line that does these deeds and no others, the cheapest payments first.

        `answer` is one of `lean(position)`.
        """
        played: list[tuple[Position, Action, tuple[Reveal, ...]]] = []
        acting = True
        while acting:
            action, answer = self._step(position, answer)
            reveals, after = self.after(position, action)
            played.append((position, action, tuple(reveals)))
            position, acting = after, after.turn.acted
        return played

    def _step(self, position: Position, answer: Deeds) -> tuple[Action, Deeds]:
        for action in sorted(best_actions(self._values, position), key=_thrift):
            done = deed(action, position)
            rest = answer if done is None else _without(answer, done)
            if rest is not None:
                after = self.after(position, action)[1]
                if rest in self.lean(after) if after.turn.acted else not rest:
                    return action, rest
        raise AssertionError("a lean answer has a line")


def _thrift(action: Action) -> tuple[int, int, int]:
    spent, converters = (sum(action.spend), len(action.converters)) if isinstance(action, Build) else (0, 0)
    return (not isinstance(action, EndTurn), spent, converters)


def options(values: Values, position: Position) -> tuple[Option, ...]:
    """All legal actions with what they are worth."""
    return tuple(zip(legal_actions(position), values.actions(position), strict=True))


def best_actions(values: Values, position: Position) -> list[Action]:
    """All actions of the best value."""
    valued = options(values, position)
    best = max(value for _, value in valued)
    return [action for action, value in valued if value == best]


def _with(done: Deeds, more: Deed) -> Deeds:
    copies = sum(1 for each, _ in done if each == more)
    return done | {(more, copies)}


def _without(done: Deeds, less: Deed) -> Deeds | None:
    copies = sum(1 for each, _ in done if each == less)
    return done - {(less, copies - 1)} if copies else None


def rough_answers(answers: Iterable[Deeds]) -> frozenset[Deeds]:
    """Lean answers when it does not count which marble is picked and which card is filed."""
    return frozenset(_lean({_counted(roughly(done) for done, _ in each) for each in answers}))


def _counted(done: Iterable[Deed]) -> Deeds:
    return frozenset((each, copy) for each, copies in Counter(done).items() for copy in range(copies))


def _lean(found: set[Deeds]) -> list[Deeds]:
    """Those of which no other is a part, in an order that does not depend on hashes."""
    lean: list[Deeds] = []
    for each in sorted(found, key=lambda deeds: (len(deeds), sorted(deeds))):
        if not any(smaller < each for smaller in lean):
            lean.append(each)
    return lean
