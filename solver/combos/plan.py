"""Relaxed designs of engines and single turns by CP-SAT: what no turn of an engine of that size exceeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from engine.cards import CARDS, Card
from engine.position import END_LEVEL_3

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar, LinearExpr

    Amount: TypeAlias = LinearExpr | IntVar | int

CHAINING: Final = (319, 320, 331, 332)
_FILING: Final = (325, 326, 331, 332)
BUILDS: Final = 1 + len(CHAINING)
RING: Final = 5


class Built(NamedTuple):
    """A build of a design: the card, out of the archive or not, and by which effect (0: main action)."""

    card: int
    archived: bool
    by: int


class Sketch(NamedTuple):
    """A design: gizmos built before the turn, the builds of the turn, and how many cards it files."""

    engine: tuple[int, ...]
    builds: tuple[Built, ...]
    files: int = 0


class Found(NamedTuple):
    """A design, if there is one above the floor, and what no design not forbidden exceeds.

    `closed`: more time would bring nothing, the design being the greatest, or there being none.
    """

    sketch: Sketch | None
    bound: int
    closed: bool


class Plan:
    """A relaxed design for so many builds in the turn: what is built when, by what, and what that triggers."""

    cards: Final = tuple(card for card in CARDS.values() if card.level)

    def __init__(self, gizmos: int, count: int, workers: int) -> None:
        from ortools.sat.python import cp_model  # noqa: PLC0415 - heavy

        self.model: CpModel = cp_model.CpModel()
        self.solver: CpSolver = cp_model.CpSolver()
        self.solver.parameters.num_workers = workers
        self.solver.parameters.random_seed = 0
        model = self.model
        self.count = count
        self.gizmos = gizmos
        self.worth: Amount = 0
        self.has = {card.id: self._bool() for card in self.cards}
        self.builds = {(k, card.id): self._bool() for k in range(self.count) for card in self.cards}
        self.archived = [self._bool() for _ in range(self.count)]
        self.by = {(k, e): self._bool() for k in range(1, self.count) for e in CHAINING}
        model.add(sum(self.has.values()) <= gizmos - 1)
        model.add(sum(self.has[card.id] for card in self.cards if card.level == 3) <= END_LEVEL_3 - 1)
        for card in self.cards:
            model.add(self.has[card.id] + sum(self.builds[k, card.id] for k in range(self.count)) <= 1)
        if count:
            self._add_builds()

    def _bool(self) -> IntVar:
        return self.model.new_bool_var("")

    def _present(self, card: int, before: int) -> Amount:
        """1 if a gizmo is built before build number `before` of the turn."""
        return self.has[card] + sum((self.builds[k, card] for k in range(before) if (k, card) in self.builds), start=0)

    def _matching(self, card: Card, k: int) -> Amount:
        if card.trigger == "build-from-archive":
            return self.archived[k]
        return sum(self.builds[k, each.id] for each in self.cards if _hears(card, each))

    def _triggered(self, card: Card, builds: int) -> IntVar:
        """True if one of the first builds triggers a gizmo."""
        heard = []
        for k in range(builds):
            hears = self._bool()
            self.model.add(hears <= self._present(card.id, k))
            self.model.add(hears <= self._matching(card, k))
            heard.append(hears)
        any_ = self._bool()
        self.model.add(any_ <= sum(heard))
        self.model.add(any_ <= self._present(card.id, max(0, builds - 1)))
        return any_

    def _add_builds(self) -> None:
        model = self.model
        model.add_exactly_one(self.builds[0, card.id] for card in self.cards)
        for k in range(1, self.count):
            model.add_exactly_one(self.builds[k, card.id] for card in self.cards)
            model.add_exactly_one(self.by[k, e] for e in CHAINING)
            free = self.by[k, 319] + self.by[k, 320]
            model.add(sum(self.builds[k, card.id] for card in self.cards if card.level > 1) + free <= 1)
            model.add(self.archived[k] <= free)
            for e in CHAINING:
                model.add(self.by[k, e] <= self._triggered(CARDS[e], k))
        for e in CHAINING:
            model.add(sum(self.by[k, e] for k in range(1, self.count)) <= 1)
        for k in range(1, self.count):
            for card in self.cards:
                if card.special == "no-research":
                    model.add(self.by[k, 331] + self.by[k, 332] + self._present(card.id, k) <= 1)
        shelf = 1 + sum(card.archive * self.has[card.id] for card in self.cards if card.archive)
        filed = sum(self._triggered(CARDS[e], self.count) for e in _FILING)
        model.add(sum(self.archived) <= shelf + filed)

    def solve(self, time_limit: float, floor: int) -> Found:
        """The best design above `floor`; the bound holds for all designs not forbidden."""
        self.solver.parameters.max_time_in_seconds = time_limit
        if floor >= 0:
            self.model.add(self.worth >= floor + 1)
        status = self.solver.status_name(self.solver.solve(self.model))
        if status == "INFEASIBLE":
            return Found(None, floor, True)
        bound = round(self.solver.best_objective_bound)
        if status not in ("OPTIMAL", "FEASIBLE"):
            return Found(None, bound, False)
        value = self.solver.value
        builds = []
        for k in range(self.count):
            card = next((card.id for card in self.cards if value(self.builds[k, card.id])), 0)
            if card:
                by = next((e for e in CHAINING if k and value(self.by[k, e])), 0)
                builds.append(Built(card, bool(value(self.archived[k])), by))
        engine = tuple(card.id for card in self.cards if value(self.has[card.id]))
        return Found(Sketch(engine, tuple(builds), self._files_planned()), bound, status == "OPTIMAL")

    def _files_planned(self) -> int:
        """How many cards the design files."""
        return 0

    def forbid(self, sketch: Sketch) -> None:
        """Rule out this engine with these builds."""
        same = [self.has[card] if card in sketch.engine else ~self.has[card] for card in self.has]
        same += [self.builds[k, build.card] for k, build in enumerate(sketch.builds)]
        self.model.add_bool_or(~literal for literal in same)


def _hears(card: Card, built: Card) -> bool:
    if card.trigger == "build-level-2":
        return built.level == 2
    return card.trigger == "build" and not set(card.trigger_colors).isdisjoint(built.colors)
