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

from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeAlias

from engine.actions import Action, Build, Draw, EndTurn, File, Pass, Pick, Points, ResearchDeck, Skip
from engine.position import Position
from engine.reveals import reveal_unchecked
from engine.rules import apply_unchecked, legal_actions
from solver.explain import Values, principal_reveals
from solver.objective import Luck

Deed: TypeAlias = tuple[str, int, str, int]
"""What is done, the card, colour or level it is done to, where a card comes from, and the gizmo whose effect it is."""

Deeds: TypeAlias = frozenset[tuple[Deed, int]]
"""A multiset of deeds: the second number tells equal ones apart."""

NO_DEEDS: Final[Deeds] = frozenset()
_MOST: Final = 64
"""Sets of deeds remembered for a position; with more than that, the puzzle has many answers anyway."""


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


def deeds(steps: Iterable[tuple[Position, Action]]) -> Deeds:
    """The deeds of a line, given as actions with the positions in which they are done."""
    counts = Counter(done for position, action in steps if (done := deed(action, position)) is not None)
    return frozenset((done, copy) for done, copies in counts.items() for copy in range(copies))


def lean_answers(values: Values, luck: Luck, position: Position) -> frozenset[Deeds]:
    """The deeds of every lean optimal line from a position; more than one element: several answers.

    `values` values the positions of the turn. What they raise when stopped passes through.
    """
    return _Search(values, luck).answers(position)


class _Search:
    def __init__(self, values: Values, luck: Luck) -> None:
        self._values = values
        self._luck = luck
        self._known: dict[Position, frozenset[Deeds]] = {}

    def answers(self, position: Position) -> frozenset[Deeds]:
        known = self._known.get(position)
        if known is None:
            known = self._known[position] = self._search(position)
        return known

    def _search(self, position: Position) -> frozenset[Deeds]:
        found: set[Deeds] = set()
        for action in best_actions(self._values, position):
            done = deed(action, position)
            after = self._after(apply_unchecked(position, action))
            rest = self.answers(after) if after.turn.acted else frozenset((NO_DEEDS,))
            found.update(rest if done is None else (_with(each, done) for each in rest))
        return frozenset(_lean(found)[:_MOST])

    def _after(self, position: Position) -> Position:
        while position.is_chance:
            for each in principal_reveals(self._values, self._luck, position)[0]:
                position = reveal_unchecked(position, each)
        return position


def best_actions(values: Values, position: Position) -> list[Action]:
    """All actions of the best value."""
    valued = [(values.action_value(position, action), action) for action in legal_actions(position)]
    best = max(value for value, _ in valued)
    return [action for value, action in valued if value == best]


def _with(done: Deeds, more: Deed) -> Deeds:
    copies = sum(1 for each, _ in done if each == more)
    return done | {(more, copies)}


def _lean(found: set[Deeds]) -> list[Deeds]:
    """Those of which no other is a part, in an order that does not depend on hashes."""
    lean: list[Deeds] = []
    for each in sorted(found, key=lambda deeds: (len(deeds), sorted(deeds))):
        if not any(smaller < each for smaller in lean):
            lean.append(each)
    return lean
