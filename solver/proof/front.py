"""`prove`: the best turn from a position without luck, proved by CP-SAT."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

import msgspec

from engine.actions import Move
from engine.cards import CARDS, dashboard
from engine.errors import InvalidPositionError
from engine.marbles import COLORS, Marbles
from engine.position import Position
from solver.objective import AmountGoal, Goal, Objective, Term, parse_objective
from solver.proof.model import Relaxation, TurnModel
from solver.proof.payment import can_pay
from solver.proof.reasons import Reason, builds_bound, points_bound
from solver.proof.replay import Done, replay
from solver.proof.scope import Deed, Scope
from solver.proof.unknown import Unknowns, unknown_for_sure
from solver.proof.worth import worth

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar

ProofStatus: TypeAlias = Literal["optimal", "time", "luck"]
"""`optimal`: CP-SAT proved it. `time`: only the bounds are proved. `luck`: not a turn without luck; see `unknown`."""

_SEED: Final = 0
_RULES: Final[tuple[tuple[frozenset[Relaxation], str], ...]] = (
    (frozenset({"payment", "ring", "archive"}), "if nothing had to be paid and room had no limit"),
    (frozenset({"payment"}), "if nothing had to be paid"),
    (frozenset({"ring"}), "with a ring without limit"),
    (frozenset({"archive"}), "with an archive without limit"),
)


class Count(msgspec.Struct, frozen=True):
    """How many optimal turns there are, told apart by what is done whatever the order.

    `turns` counts what is picked, drawn, filed, built and researched, and by which gizmo; `payments` also which marbles
    are spent. Points that can be taken are taken; picks and draws that can't matter to the objective don't count. With
    `complete` false there are at least as many, and nothing is said about more.
    """

    turns: int
    payments: int
    complete: bool


class Proof(msgspec.Struct, frozen=True):
    """What CP-SAT has shown about a turn.

    `value` and `bound` have one number per term of the objective: what the line `moves` reaches, and what no turn
    exceeds (given the terms before it); they are equal if `status` is "optimal". `safe`: only turns that use no unknown
    card or marble were looked at, although others are possible (`unknown` names what is not known).
    """

    position: Position
    objective: Objective
    status: ProofStatus
    value: tuple[int, ...] = ()
    bound: tuple[int, ...] = ()
    moves: tuple[Move, ...] = ()
    reasons: tuple[Reason, ...] = ()
    unknown: tuple[str, ...] = ()
    safe: bool = False
    count: Count | None = None
    steps: int = 0
    variables: int = 0
    seconds: float = 0.0

    @property
    def optimal(self) -> bool:
        """True if CP-SAT proved that no turn does better."""
        return self.status == "optimal"


def prove(
    position: Position,
    *,
    objective: Objective | str = "score",
    safe: bool = False,
    count: int = 0,
    why: bool = False,
    time_limit: float = 60.0,
    workers: int = 1,
) -> Proof:
    """Prove the best turn from a position in which no unknown card or marble can be used.

    If one can, the answer's status is "luck", unless `safe` asks for the best turn that uses none. `count` is the most
    optimal turns to tell apart (0: don't count); `why` asks for bounds in words; `time_limit` is in seconds for
    everything together. Values, bounds and counts depend on neither `workers` nor luck.

    Raises InvalidPositionError if the game is over or a reveal is owed, UnreadableError for the objective.
    """
    if position.is_over:
        raise InvalidPositionError("the game is over in this position: there is no turn to prove")
    if position.is_chance:
        raise InvalidPositionError("turn.awaited: a reveal is owed; prove wants a position in which the player decides")
    if isinstance(objective, str):
        objective = parse_objective(objective)
    return _Prover(position, objective, time_limit, workers).prove(safe=safe, count=count, why=why)


class _Found(NamedTuple):
    """What a maximisation found: the value, the bound, and whether they are proved to be equal."""

    value: int
    bound: int
    optimal: bool
    feasible: bool


class _Prover:
    """Proves one position."""

    def __init__(self, position: Position, objective: Objective, time_limit: float, workers: int) -> None:
        self.position = position
        self.objective = objective
        self.started = monotonic()
        self.time_limit = time_limit
        self.workers = workers
        self.scope = Scope(position, objective)
        self.vain: list[tuple[Marbles, tuple[int, ...], tuple[int, ...]]] = []

    def prove(self, *, safe: bool, count: int, why: bool) -> Proof:
        unknown = self._unknown()
        if unknown is None:
            return self._proof("time")
        if unknown and not safe:
            return self._proof("luck", unknown=unknown)
        turn = self._model()
        solver = self._solver()
        values, bounds, optimal = self._maximise(turn, solver)
        if values is None:
            return self._no_turn(unknown) if optimal else self._proof("time", unknown=unknown, safe=bool(unknown))
        if not optimal:
            line = replay(self.position, deeds_of(turn, solver), self.objective)
            reached = tuple(int(term) for term in line.value)
            return self._proof("time", reached, bounds, line.moves, unknown=unknown, safe=bool(unknown))
        deeds = deeds_of(turn, solver)
        line = replay(self.position, deeds, self.objective)
        if line.value != tuple(map(Fraction, values)):
            raise AssertionError(f"the engine gives {line.value}, the model {values}")
        return msgspec.structs.replace(
            self._proof("optimal", values, values, line.moves, unknown=unknown, safe=bool(unknown)),
            reasons=self._reasons(values[0]) if why else (),
            count=self._count(values, count) if count else None,
            steps=self.scope.horizon,
            variables=len(turn.model.proto.variables),
            seconds=monotonic() - self.started,
        )

    def _proof(
        self,
        status: ProofStatus,
        value: tuple[int, ...] = (),
        bound: tuple[int, ...] = (),
        moves: tuple[Move, ...] = (),
        *,
        unknown: tuple[str, ...] = (),
        safe: bool = False,
    ) -> Proof:
        seconds = monotonic() - self.started
        return Proof(
            self.position, self.objective, status, value, bound, moves, unknown=unknown, safe=safe, seconds=seconds
        )

    def _no_turn(self, unknown: tuple[str, ...]) -> Proof:
        """No deed is possible: the turn is passed, or what was begun is left off."""
        line = replay(self.position, (), self.objective)
        value = tuple(int(term) for term in line.value)
        return self._proof("optimal", value, value, line.moves, unknown=unknown, safe=bool(unknown))

    # -- models -------------------------------------------------------------------------------------------------------

    def _model(self, relaxed: frozenset[Relaxation] = frozenset()) -> TurnModel:
        from ortools.sat.python import cp_model  # noqa: PLC0415 - heavy

        return TurnModel(cp_model.CpModel(), self.scope, relaxed)

    def _solver(self) -> CpSolver:
        from ortools.sat.python import cp_model  # noqa: PLC0415 - heavy

        solver = cp_model.CpSolver()
        solver.parameters.random_seed = _SEED
        solver.parameters.num_workers = self.workers
        return solver

    def _solve(self, solver: CpSolver, model: CpModel) -> str:
        """Solve within the time left: `optimal`, `feasible`, `infeasible` or `unknown`."""
        left = self.time_limit - (monotonic() - self.started)
        if left <= 0:
            return "unknown"
        solver.parameters.max_time_in_seconds = left
        return str(solver.status_name(solver.solve(model))).lower()

    def _maximise(self, turn: TurnModel, solver: CpSolver) -> tuple[tuple[int, ...] | None, tuple[int, ...], bool]:
        """Maximise term after term, each fixed before the next; the values, the bounds, and whether they are proved.

        No values mean that no turn was found; that there is none, if it is proved.
        """
        values: list[int] = []
        for term in self.objective.terms:
            expression = worth(turn, term)
            while True:
                turn.model.maximize(expression)
                status = self._solve(solver, turn.model)
                if status not in ("optimal", "feasible"):
                    return None if not values else tuple(values), tuple(values), status == "infeasible"
                if status == "optimal" and term == "activations" and forbid_vain(turn, solver):
                    continue
                break
            value = round(solver.objective_value)
            if status != "optimal":
                return (*values, value), (*values, round(solver.best_objective_bound)), False
            values.append(value)
            turn.model.add(expression == value)
        return tuple(values), tuple(values), True

    # -- luck ---------------------------------------------------------------------------------------------------------

    def _unknown(self) -> tuple[str, ...] | None:
        """What is unknown and can be used in this turn, in words; None if time ran out."""
        words = list(unknown_for_sure(self.scope))
        turn = self._model()
        unknowns = Unknowns(turn)
        for name, uses in unknowns.uses.items():
            if name in words:
                continue
            model = turn.model.clone()
            model.add_bool_or([model.get_bool_var_from_proto_index(use.index) for use in uses])
            status = self._solve(self._solver(), model)
            if status == "unknown":
                return None
            if status != "infeasible":
                words.append(name)
        return tuple(words)

    # -- counting -----------------------------------------------------------------------------------------------------

    def _count(self, values: tuple[int, ...], most: int) -> Count:
        """Tell optimal turns apart by what is done, forbidding each one found; then again with what is spent."""
        turns, complete = self._tell_apart(values, most, spending=False)
        payments, whole = self._tell_apart(values, most, spending=True)
        return Count(turns, payments, complete and whole)

    def _tell_apart(self, values: tuple[int, ...], most: int, *, spending: bool) -> tuple[int, bool]:
        turn, solver = self._model(), self._solver()
        solver.parameters.num_workers = 1
        for term, value in zip(self.objective.terms, values, strict=True):
            turn.model.add(worth(turn, term) == value)
        marks = [*self._doings(turn), *(self._spendings(turn) if spending else ())]
        found = 0
        while True:
            status = self._solve(solver, turn.model)
            if status == "infeasible":
                return found, True
            if status == "unknown" or found == most:
                return found, False
            if "activations" in self.objective.terms and forbid_vain(turn, solver):
                continue
            found += 1
            turn.model.add_bool_or([~mark if solver.value(mark) else mark for mark in marks])

    def _doings(self, turn: TurnModel) -> list[IntVar]:
        """Marks for how often each thing is done; a pick that goes on counts as a pick of the same gizmo."""
        model = turn.model
        groups: dict[Deed, list[Deed]] = {}
        for deed in self.scope.deeds:
            groups.setdefault(deed._replace(go_on=False), []).append(deed)
        marks: list[IntVar] = []
        for deed, alike in groups.items():
            times = sum((turn.times_done(each) for each in alike), start=0)
            most = CARDS[deed.gizmo].amount if deed.verb in ("pick", "draw") and deed.gizmo else 1
            marks += [_reaches(model, times, least) for least in range(1, most + 1)]
        return marks

    def _spendings(self, turn: TurnModel) -> list[IntVar]:
        """Marks for the marbles that each payment spends."""
        return [
            _reaches(turn.model, spent, least)
            for payment in turn.payment.values()
            for spent in payment.spend
            for least in range(1, 8)
        ]

    # -- reasons ------------------------------------------------------------------------------------------------------

    def _reasons(self, value: int) -> tuple[Reason, ...]:
        """Bounds in words, the simplest first, down to one that the value meets; else which rules stand in the way.

        For a goal in points they bound the points, for any other goal whether it is reached.
        """
        term = self.objective.terms[0]
        if term == "marbles":
            return ()
        reasons = [builds_bound(self.scope)]
        measured: Term = term
        if term == "score" or _wants_score(term):
            measured = "score"
            reasons.append(points_bound(self.scope))
        if measured != term:
            value = self._relaxed(measured, frozenset()) or 0
        if measured == "score" and reasons[-1].bound == value:
            return tuple(reasons)
        relaxable = [(rules, words) for rules, words in _RULES if measured != "activations" or "payment" not in rules]
        for rules, words in relaxable:
            found = self._relaxed(measured, rules)
            if found is None:
                continue
            if len(rules) > 1 and found == value:
                return (*reasons, Reason(found, f"even {words}, {_amount(measured, found)}"))
            if found > value:
                reasons.append(Reason(found, f"{words}, {_amount(measured, found)}"))
        reasons.append(Reason(value, f"by all rules together, {_amount(measured, value)} (CP-SAT)"))
        return tuple(reasons)

    def _relaxed(self, term: Term, relaxed: frozenset[Relaxation]) -> int | None:
        turn = self._model(relaxed)
        turn.model.maximize(worth(turn, term))
        solver = self._solver()
        status = self._solve(solver, turn.model)
        return round(solver.objective_value) if status == "optimal" else None


def _wants_score(term: Term) -> bool:
    return isinstance(term, Goal) and all(
        isinstance(each, AmountGoal) and each.what in ("score", "total") for each in term.conditions
    )


def _amount(term: Term, number: int) -> str:
    if isinstance(term, Goal):
        return "the goal can be reached" if number else "the goal can't be reached"
    unit = {"score": "point", "activations": "gizmo used", "marbles": "marble"}[term]
    return f"at most {number} {unit if number == 1 else unit.replace('point', 'points').replace('gizmo', 'gizmos')}"


def _reaches(model: CpModel, what: object, least: int) -> IntVar:
    mark = model.new_bool_var("")
    if isinstance(what, int):
        model.add(mark == int(what >= least))
        return mark
    model.add(what >= least).only_enforce_if(mark)  # type: ignore[operator]
    model.add(what <= least - 1).only_enforce_if(~mark)  # type: ignore[operator]
    return mark


def forbid_vain(turn: TurnModel, solver: CpSolver) -> bool:
    """Forbid a payment in the solution that would do with fewer converters; False if there is none."""
    vain = False
    for step, payment in turn.payment.items():
        used = frozenset(gizmo for gizmo, variable in payment.used.items() if solver.value(variable))
        builds = [d for d in turn.scope.deeds if d.paid and solver.value(turn.does[step, d])]
        if not used or not builds:
            continue
        card = CARDS[builds[0].card]
        spend = tuple(solver.value(each) for each in payment.spend)
        low = card.cost - _discount(turn.scope.position, turn, solver, step, builds[0])
        if not any(_pays(card.colors, card.cost, max(0, low), spend, used - {gizmo}) for gizmo in used):
            continue
        vain = True
        differs = []
        for color in COLORS:
            other = turn.model.new_bool_var("")
            turn.model.add(payment.spend[color] != spend[color]).only_enforce_if(other)
            differs.append(other)
        others = [~variable if gizmo in used else variable for gizmo, variable in payment.used.items()]
        turn.model.add_bool_or(*differs, *others, ~turn.does[step, builds[0]])
    return vain


def deeds_of(turn: TurnModel, solver: CpSolver) -> list[Done]:
    """The deeds of a solution, in their order."""
    deeds: list[Done] = []
    for step in turn.steps:
        for deed in turn.scope.deeds:
            if solver.value(turn.does[step, deed]):
                payment = turn.payment.get(step) if deed.paid else None
                if payment is None:
                    deeds.append(Done(deed))
                    continue
                red, blue, black, yellow = (solver.value(each) for each in payment.spend)
                used = tuple(sorted(gizmo for gizmo, variable in payment.used.items() if solver.value(variable)))
                deeds.append(Done(deed, (red, blue, black, yellow), used))
    return deeds


def _discount(position: Position, turn: TurnModel, solver: CpSolver, step: int, deed: Deed) -> int:
    built = [card for card in turn.cards if solver.value(turn.built[card, step])]
    board = dashboard(tuple(sorted({*position.player.built, *built})))
    total = board.discount_level_2 if CARDS[deed.card].level == 2 else 0
    if deed.place == "archive":
        return total + board.discount_from_archive
    return total + (board.discount_from_research if deed.place == "research" else 0)


def _pays(colors: tuple[int, ...], high: int, low: int, spend: tuple[int, ...], converters: frozenset[int]) -> bool:
    """True if some amount from `low` to `high` in the card's colours can be paid with these marbles."""
    for amount in range(low, high + 1):
        for paid in combinations_with_replacement(colors, amount):
            target = tuple(sum(1 for each in paid if each == color) for color in COLORS)
            if can_pay(target, spend, converters):
                return True
    return False
