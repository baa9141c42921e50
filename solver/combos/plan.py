"""Relaxed designs of engines and single turns by CP-SAT: what no turn of an engine of that size exceeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from engine.cards import CARDS, Card
from engine.marbles import COLORS
from engine.position import END_LEVEL_3

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar, LinearExpr

    Amount: TypeAlias = LinearExpr | IntVar | int

CHAINING: Final = (319, 320, 331, 332)
_FILING: Final = (325, 326, 331, 332)
BUILDS: Final = 1 + len(CHAINING)
RING: Final = 5


def _useful() -> tuple[Card, ...]:
    """Cards that can matter to a design: by what they do, or as one of the dearest of their level and colour.

    Three builds of a turn at most are paid and two are free, so three of level III and two of the others are enough of
    each colour.
    """
    found = {
        card.id
        for card in CARDS.values()
        if card.level
        and (
            card.effect in ("points", "free-build-level-1", "research", "file")
            or card.special.startswith(("points", "discount"))
            or card.convert_to == "double"
            or card.storage > 1
            or card.effect in ("pick", "draw")
        )
    }
    for level, number in ((1, 2), (2, 2), (3, 3)):
        for color in COLORS:
            alike = [card for card in CARDS.values() if card.level == level and card.colors == (color,)]
            found.update(card.id for card in sorted(alike, key=lambda card: (-card.points, card.id))[:number])
    return tuple(CARDS[number] for number in sorted(found | {121, 122, 123, 124}))


_CARDS: Final = _useful()
_BUILDABLE: Final = tuple(
    card
    for card in _CARDS
    if card.effect != "draw" and not (card.effect == "pick" and card.points < 3) and card.convert_to != "any"
)
"""What the turn may build; the others only serve an engine."""


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
    """A design, if there is one above the floor, and what no design not forbidden exceeds."""

    sketch: Sketch | None
    bound: int


class Plan:
    """A relaxed design for so many builds in the turn: what is built when, by what, and what that triggers."""

    cards: tuple[Card, ...] = _CARDS
    buildable: tuple[Card, ...] = _BUILDABLE

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
        self.builds = {(k, card.id): self._bool() for k in range(self.count) for card in self.buildable}
        self.archived = [self._bool() for _ in range(self.count)]
        self.by = {(k, e): self._bool() for k in range(1, self.count) for e in CHAINING}
        model.add(sum(self.has.values()) <= gizmos - 1)
        model.add(sum(self.has[card.id] for card in self.cards if card.level == 3) <= END_LEVEL_3 - 1)
        for card in self.buildable:
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
        return sum(self.builds[k, each.id] for each in self.buildable if _hears(card, each))

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
        model.add_exactly_one(self.builds[0, card.id] for card in self.buildable)
        for k in range(1, self.count):
            model.add_exactly_one(self.builds[k, card.id] for card in self.buildable)
            model.add_exactly_one(self.by[k, e] for e in CHAINING)
            free = self.by[k, 319] + self.by[k, 320]
            model.add(sum(self.builds[k, card.id] for card in self.buildable if card.level > 1) + free <= 1)
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
            return Found(None, floor)
        bound = round(self.solver.best_objective_bound)
        if status not in ("OPTIMAL", "FEASIBLE"):
            return Found(None, bound)
        value = self.solver.value
        builds = []
        for k in range(self.count):
            card = next((card.id for card in self.buildable if value(self.builds[k, card.id])), 0)
            if card:
                by = next((e for e in CHAINING if k and value(self.by[k, e])), 0)
                builds.append(Built(card, bool(value(self.archived[k])), by))
        engine = tuple(card.id for card in self.cards if value(self.has[card.id]))
        return Found(Sketch(engine, tuple(builds), self._files_planned()), bound)

    def _files_planned(self) -> int:
        """How many cards the design files."""
        return 0

    def forbid(self, sketch: Sketch) -> None:
        """Rule out this engine with these builds."""
        same = [self.has[card] if card in sketch.engine else ~self.has[card] for card in self.has]
        same += [self.builds[k, build.card] for k, build in enumerate(sketch.builds)]
        self.model.add_bool_or(~literal for literal in same)


class ScorePlan(Plan):
    """A design for points, with so many cards that count tokens, and so many that count marbles, once more."""

    def __init__(self, gizmos: int, count: int, extra: int, energy: int, workers: int) -> None:
        super().__init__(gizmos, count, workers)
        model = self.model
        self._add_payments()
        tokens = self._tokens()
        per_token = [card.id for card in _CARDS if card.special == "points-per-token"]
        model.add(sum(self._present(card, self.count) for card in per_token) == extra)
        per_marble = [card.id for card in _CARDS if card.special == "points-per-energy"]
        model.add(sum(self._present(card, self.count) for card in per_marble) == energy)
        points = sum(card.points * self.builds[k, card.id] for k in range(self.count) for card in _BUILDABLE)
        self.worth = points + (1 + extra) * tokens + self._energy()
        model.maximize(self.worth)

    def _add_payments(self) -> None:
        """Marbles spent up to any build: those in the ring at first, those gained before it, and what is saved."""
        model = self.model
        ring = RING + sum(card.storage * self.has[card.id] for card in _CARDS if card.storage)
        doublers = [card for card in _CARDS if card.convert_to == "double"]
        discounts = [card for card in _CARDS if card.special.startswith("discount")]
        spent: Amount = 0
        doubled: Amount = 0
        for k in range(self.count):
            price = model.new_int_var(0, 7, "")
            free = self.by[k, 319] + self.by[k, 320] if k else 0
            saved = sum(self._present(card.id, k) for card in discounts)
            cost = sum(card.cost * self.builds[k, card.id] for card in _BUILDABLE)
            model.add(price >= cost - saved - 7 * free)
            spent += price
            doubled = sum(len(card.convert_from) * self._present(card.id, k) for card in doublers)
            model.add(spent <= ring + doubled + self._gained(k))
        self.spent = spent
        self.doubled = doubled
        self.kept = ring + doubled + self._gained(self.count) - spent

    def _gained(self, k: int) -> Amount:
        """At most so many marbles picked and drawn before build `k`: by all that is there before the one before."""
        if not k:
            return 0
        gained: Amount = 0
        filed: Amount = 1
        for card in _CARDS:
            if card.effect in ("pick", "draw"):
                amount = card.amount * self._present(card.id, k - 1)
                if card.trigger == "file":
                    filed += amount
                else:
                    gained += amount
        by_files = self.model.new_int_var(0, 12, "")
        self.model.add(by_files <= filed)
        self.model.add(by_files <= 12 * sum(self._files(card, k - 1) for card in _FILING))
        return gained + by_files

    def _files(self, card: int, before: int) -> IntVar:
        """True if a gizmo that is there could file a card: a research that builds does not."""
        files = self._bool()
        self.model.add(files <= self._present(card, before))
        if card in CHAINING:
            self.model.add(files + sum(self.by[k, card] for k in range(1, self.count)) <= 1)
        return files

    def _tokens(self) -> Amount:
        scoring = [card for card in _CARDS if card.effect == "points"]
        total: Amount = sum(
            card.amount * self._triggered(card, self.count) for card in scoring if card.trigger != "file"
        )
        files = self._bool()
        self.model.add(files <= sum(self._triggered(CARDS[e], self.count) for e in _FILING))
        for card in scoring:
            if card.trigger == "file":
                scores = self._bool()
                self.model.add(scores <= self._present(card.id, self.count))
                self.model.add(scores <= files)
                total += scores
        return total

    def _energy(self) -> Amount:
        """Extra awards for marbles: at most a full ring each; built before the turn, at most what the turn gains."""
        limit = RING + sum(card.storage * self._present(card.id, self.count) for card in _CARDS if card.storage)
        rooms = sorted((card.storage for card in _CARDS), reverse=True)
        most = RING + sum(rooms[: self.gizmos - 1 + self.count])
        total: Amount = 0
        for card in _CARDS:
            if card.special == "points-per-energy":
                worth = self.model.new_int_var(-40, most, "")
                self.model.add(worth <= limit)
                self.model.add(worth <= self.kept)
                self.model.add(worth <= most * self._present(card.id, self.count))
                gained = self._gained(self.count) + self.doubled - self.spent
                self.model.add(worth <= gained).only_enforce_if(self.has[card.id])
                total += worth
        return total


def _hears(card: Card, built: Card) -> bool:
    if card.trigger == "build-level-2":
        return built.level == 2
    return card.trigger == "build" and not set(card.trigger_colors).isdisjoint(built.colors)
