"""Which engine of so many gizmos makes the greatest single turn: a design by CP-SAT, verified on the engine.

The design is a relaxation: builds, what triggers what, points, tokens, and marbles without colours. Its optimum is a
bound on every turn of every engine of that size. The engine it designs is then given the best table that there can be
(cards where they are needed, marbles of any colour to pick), and the exact model of `solver.proof` finds the best turn
from there, with the marbles in the ring still to be chosen. Where both agree, nothing greater exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import msgspec

from engine.actions import Move
from engine.cards import CARDS, LEVELS, Card
from engine.marbles import COLORS, Color, Marbles
from engine.position import END_GIZMOS, END_LEVEL_3, Deck, Player, Position, sorted_cards
from solver.objective import parse_objective
from solver.proof import prove
from solver.proof.model import TurnModel
from solver.proof.scope import Scope

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar, LinearExpr

    Amount: TypeAlias = LinearExpr | IntVar | int

_UNBOUNDED: Final = 999
_CHAINING: Final = (319, 320, 331, 332)
_FILING: Final = (325, 326, 331, 332)
_BUILDS: Final = 1 + len(_CHAINING)
_RING: Final = 5


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


class Design(msgspec.Struct, frozen=True):
    """An engine, the table it is tried at, the best turn there, and the bound on all engines of that size.

    `value` is what the line reaches on the engine; `bound` is proved for every engine of at most so many gizmos. They
    are equal if nothing greater exists.
    """

    gizmos: int
    value: int
    bound: int
    position: Position
    moves: tuple[Move, ...]
    seconds: float

    @property
    def greatest(self) -> bool:
        """True if no engine of that size makes a greater turn."""
        return self.value == self.bound


def best_engine(gizmos: int, *, time_limit: float = 60.0, tries: int = 6, workers: int = 1) -> Design:
    """Design the engine of at most so many built gizmos, the starting one counted, with the most points in one turn.

    Before the turn it holds at most 15 gizmos and 3 of level III, or the game would be over; there are no tokens yet.
    Up to `tries` designs are verified, as long as the next one's bound is above what has been reached.
    """
    started = monotonic()
    gizmos = max(1, min(gizmos, END_GIZMOS - 1))
    best: Design | None = None
    kinds = tuple(product(range(1, _BUILDS + 1), range(3), range(3)))
    bounds = dict.fromkeys(kinds, _UNBOUNDED)
    # A first look at each kind of turn finds something good; a design that plays worse than it looks is set aside. The
    # second sets nothing aside, and proves that nothing is above what has been found.
    for proving in (False, True):
        for kind in kinds:
            plan = _Plan(gizmos, *kind, workers)
            for _ in range(tries):
                floor = best.value if best is not None else -1
                left = time_limit - (monotonic() - started)
                found = plan.solve(max(0.5, left / 2 if proving else left / 2 / len(kinds)), floor)
                if proving:
                    bounds[kind] = found.bound
                tried = _verify(found.sketch, gizmos) if found.sketch is not None else None
                better = tried is not None and (best is None or tried.value > best.value)
                if better:
                    best = tried
                if found.sketch is None or (proving and not better):
                    break
                if not better:
                    plan.forbid(found.sketch)
    if best is None:
        raise RuntimeError("no design could be played")
    return msgspec.structs.replace(best, bound=max(best.value, *bounds.values()), seconds=monotonic() - started)


class _Built(NamedTuple):
    """A build of a design: the card, out of the archive or not, and by which effect (0: main action)."""

    card: int
    archived: bool
    by: int


class _Sketch(NamedTuple):
    """A design: gizmos built before the turn, and the builds of the turn."""

    engine: tuple[int, ...]
    builds: tuple[_Built, ...]


class _Found(NamedTuple):
    """A design, if there is one above the floor, and what no design not forbidden exceeds."""

    sketch: _Sketch | None
    bound: int


class _Plan:
    """The relaxed design for so many builds in the turn, and so many cards that count tokens or marbles once more."""

    def __init__(self, gizmos: int, count: int, extra: int, energy: int, workers: int) -> None:
        from ortools.sat.python import cp_model  # noqa: PLC0415 - heavy

        self.model: CpModel = cp_model.CpModel()
        self.solver: CpSolver = cp_model.CpSolver()
        self.solver.parameters.num_workers = workers
        self.solver.parameters.random_seed = 0
        model = self.model
        self.count = count
        self.gizmos = gizmos
        self.has = {card.id: self._bool() for card in _CARDS}
        self.builds = {(k, card.id): self._bool() for k in range(self.count) for card in _BUILDABLE}
        self.archived = [self._bool() for _ in range(self.count)]
        self.by = {(k, e): self._bool() for k in range(1, self.count) for e in _CHAINING}
        model.add(sum(self.has.values()) <= gizmos - 1)
        model.add(sum(self.has[card.id] for card in _CARDS if card.level == 3) <= END_LEVEL_3 - 1)
        for card in _BUILDABLE:
            model.add(self.has[card.id] + sum(self.builds[k, card.id] for k in range(self.count)) <= 1)
        self._add_builds()
        self._add_payments()
        tokens = self._tokens()
        per_token = [card.id for card in _CARDS if card.special == "points-per-token"]
        model.add(sum(self._present(card, self.count) for card in per_token) == extra)
        per_marble = [card.id for card in _CARDS if card.special == "points-per-energy"]
        model.add(sum(self._present(card, self.count) for card in per_marble) == energy)
        points = sum(card.points * self.builds[k, card.id] for k in range(self.count) for card in _BUILDABLE)
        self.worth = points + (1 + extra) * tokens + self._energy()
        model.maximize(self.worth)

    def _bool(self) -> IntVar:
        return self.model.new_bool_var("")

    def _present(self, card: int, before: int) -> Amount:
        """1 if a gizmo is built before build number `before` of the turn."""
        return self.has[card] + sum((self.builds[k, card] for k in range(before) if (k, card) in self.builds), start=0)

    def _matching(self, card: Card, k: int) -> Amount:
        if card.trigger == "build-from-archive":
            return self.archived[k]
        return sum(self.builds[k, each.id] for each in _BUILDABLE if _hears(card, each))

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
        model.add_exactly_one(self.builds[0, card.id] for card in _BUILDABLE)
        for k in range(1, self.count):
            model.add_exactly_one(self.builds[k, card.id] for card in _BUILDABLE)
            model.add_exactly_one(self.by[k, e] for e in _CHAINING)
            free = self.by[k, 319] + self.by[k, 320]
            model.add(sum(self.builds[k, card.id] for card in _BUILDABLE if card.level > 1) + free <= 1)
            model.add(self.archived[k] <= free)
            for e in _CHAINING:
                model.add(self.by[k, e] <= self._triggered(CARDS[e], k))
        for e in _CHAINING:
            model.add(sum(self.by[k, e] for k in range(1, self.count)) <= 1)
        for k in range(1, self.count):
            for card in _CARDS:
                if card.special == "no-research":
                    model.add(self.by[k, 331] + self.by[k, 332] + self._present(card.id, k) <= 1)
        shelf = 1 + sum(card.archive * self.has[card.id] for card in _CARDS if card.archive)
        model.add(sum(self.archived) <= shelf)

    def _add_payments(self) -> None:
        """Marbles spent up to any build: those in the ring at first, those gained before it, and what is saved."""
        model = self.model
        ring = _RING + sum(card.storage * self.has[card.id] for card in _CARDS if card.storage)
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
        if card in _CHAINING:
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
        limit = _RING + sum(card.storage * self._present(card.id, self.count) for card in _CARDS if card.storage)
        rooms = sorted((card.storage for card in _CARDS), reverse=True)
        most = _RING + sum(rooms[: self.gizmos - 1 + self.count])
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

    def solve(self, time_limit: float, floor: int) -> _Found:
        """The best design above `floor`; the bound holds for all designs not forbidden."""
        self.solver.parameters.max_time_in_seconds = time_limit
        if floor >= 0:
            self.model.add(self.worth >= floor + 1)
        status = self.solver.status_name(self.solver.solve(self.model))
        if status == "INFEASIBLE":
            return _Found(None, floor)
        bound = round(self.solver.best_objective_bound)
        if status not in ("OPTIMAL", "FEASIBLE"):
            return _Found(None, bound)
        value = self.solver.value
        builds = []
        for k in range(self.count):
            card = next((card.id for card in _BUILDABLE if value(self.builds[k, card.id])), 0)
            if card:
                by = next((e for e in _CHAINING if k and value(self.by[k, e])), 0)
                builds.append(_Built(card, bool(value(self.archived[k])), by))
        engine = tuple(card.id for card in _CARDS if value(self.has[card.id]))
        return _Found(_Sketch(engine, tuple(builds)), bound)

    def forbid(self, sketch: _Sketch) -> None:
        """Rule out this engine with these builds."""
        same = [self.has[card] if card in sketch.engine else ~self.has[card] for card in self.has]
        same += [self.builds[k, build.card] for k, build in enumerate(sketch.builds)]
        self.model.add_bool_or(~literal for literal in same)


def _hears(card: Card, built: Card) -> bool:
    if card.trigger == "build-level-2":
        return built.level == 2
    return card.trigger == "build" and not set(card.trigger_colors).isdisjoint(built.colors)


# -- verification -----------------------------------------------------------------------------------------------------


class _OpenTurn(TurnModel):
    """The exact model of a turn in which the marbles in the ring and the colours in the row may still be chosen."""

    open = True


def _verify(sketch: _Sketch, gizmos: int) -> Design | None:
    """Give a design the best table there can be, and find its best turn; None if nothing could be proved."""
    from ortools.sat.python import cp_model  # noqa: PLC0415 - heavy

    position = _table(sketch)
    objective = parse_objective("score")
    turn = _OpenTurn(cp_model.CpModel(), Scope(position, objective))
    turn.model.maximize(turn.score())
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_time_in_seconds = 60
    if solver.status_name(solver.solve(turn.model)) not in ("OPTIMAL", "FEASIBLE"):
        return None
    red, blue, black, yellow = (solver.value(turn.ring[color, 0]) for color in COLORS)
    colors = [
        COLORS[deed.color]
        for step in turn.steps
        for deed in turn.scope.deeds
        if deed.verb == "pick" and solver.value(turn.does[step, deed])
    ]
    position = _with_marbles(position, (red, blue, black, yellow), colors)
    proof = prove(position, objective=objective, safe=True, time_limit=60)
    if not proof.value:
        return None
    return Design(gizmos, proof.value[0], proof.value[0], position, proof.moves, 0.0)


def _table(sketch: _Sketch) -> Position:
    """A table with every card of a design where it is needed."""
    built = sorted_cards((901, *sketch.engine))
    archive: list[int] = []
    display: list[int] = []
    decks: dict[int, list[int]] = {level: [] for level in LEVELS}
    for build in sketch.builds:
        if build.by and CARDS[build.by].effect == "research":
            decks[CARDS[build.card].level].append(build.card)
        elif build.archived:
            archive.append(build.card)
        else:
            display.append(build.card)
    shown = tuple(sorted_cards(card for card in display if CARDS[card].level == level) for level in LEVELS)
    for level in LEVELS:
        if decks[level]:
            # What is built from the display is refilled, and not by a card that a research is to show.
            used = {*built, *archive, *display, *decks[level]}
            others = [card.id for card in CARDS.values() if card.level == level and card.id not in used]
            decks[level] = [*others[: len(shown[level - 1])], *decks[level]]
    return Position(
        (Player(built=built, archive=sorted_cards(archive)),),
        row=(2, 2, 1, 1),
        next=tuple(_rainbow()),
        display=shown,
        decks=tuple(Deck(len(decks[level]), top=tuple(decks[level])) for level in LEVELS),
    )


def _rainbow() -> Iterator[Color]:
    for _ in range(3):
        yield from COLORS


def _with_marbles(position: Position, ring: Marbles, picks: list[Color]) -> Position:
    """The table with these marbles in the ring, and those to be picked in the row and next to come."""
    row = [sum(1 for each in picks[:6] if each == color) for color in COLORS]
    player = msgspec.structs.replace(position.player, ring=ring)
    return msgspec.structs.replace(
        position, players=(player,), row=(row[0], row[1], row[2], row[3]), next=tuple(picks[6:]) + (COLORS[0],) * 12
    )
