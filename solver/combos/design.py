"""Which engine of so many gizmos makes the greatest single turn: a design by CP-SAT, verified on the engine.

The design is a relaxation: builds, what triggers what, points, tokens, and marbles without colours. Its optimum is a
bound on every turn of every engine of that size. The engine it designs is then given the best table that there can be
(cards where they are needed, marbles of any colour to pick and draw), and the exact model of `solver.proof` finds the
best turn from there, with the marbles in the ring still to be chosen. That turn is replayed on the engine, which gives
its value. Where value and bound agree, nothing greater exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from time import monotonic
from typing import TYPE_CHECKING, Final

import msgspec

from engine.actions import Move
from engine.cards import CARDS, LEVELS
from engine.errors import IllegalActionError, UnreadableError
from engine.marbles import COLORS, Color, Marbles
from engine.position import END_GIZMOS, Deck, Player, Position, sorted_cards
from engine.validation import faults
from solver.combos.busy import BusyPlan
from solver.combos.plan import BUILDS, Plan, Sketch
from solver.combos.points import ScorePlan
from solver.objective import MEASURES, Measure, parse_objective
from solver.proof.front import deeds_of, forbid_vain
from solver.proof.model import TurnModel
from solver.proof.replay import replay
from solver.proof.scope import Scope
from solver.proof.worth import worth

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpSolver

_UNBOUNDED: Final = 999


class Design(msgspec.Struct, frozen=True):
    """An engine, the table it is tried at, the best turn there, and the bound on all engines of that size.

    `value` is what the line reaches on the engine; `bound` is proved for every engine of at most so many gizmos. They
    are equal if nothing greater exists. What is counted says `objective`: points, gizmos used (converters included), or
    marbles at the end of the turn above those at its beginning.
    """

    gizmos: int
    value: int
    bound: int
    position: Position
    moves: tuple[Move, ...]
    seconds: float
    objective: Measure = "score"

    @property
    def greatest(self) -> bool:
        """True if no engine of that size makes a greater turn."""
        return self.value == self.bound


def design_objective(text: str) -> Measure:
    """Read what an engine is to be designed for.

    >>> design_objective("marbles")
    'marbles'

    Raises UnreadableError for anything but a single measure.
    """
    for measure in MEASURES:
        if text.strip().lower() == measure:
            return measure
    raise UnreadableError(f"--objective {text!r}: an engine can be designed for one of {', '.join(MEASURES)}")


def best_engine(
    gizmos: int, objective: Measure = "score", *, time_limit: float = 60.0, tries: int = 6, workers: int = 1
) -> Design:
    """Design the engine of at most so many built gizmos, the starting one counted, for the greatest single turn.

    Before the turn it holds at most 15 gizmos and 3 of level III, or the game would be over; there are no tokens yet.
    Up to `tries` designs are verified, as long as the next one's bound is above what has been reached.
    """
    started = monotonic()
    gizmos = max(1, min(gizmos, END_GIZMOS - 1))
    best: Design | None = None
    plans = list(_plans(gizmos, objective, workers))
    bounds = [_UNBOUNDED] * len(plans)
    # A first look at each kind of turn finds something good; a design that plays worse than it looks is set aside, and
    # what is then found bounds nothing. The later rounds set nothing aside, and prove that nothing is above what has
    # been found, the kinds still open sharing the time that is left.
    proving = False
    closed: set[int] = set()
    todo = list(range(len(plans)))
    while todo and (not proving or monotonic() - started < time_limit):
        for place, kind in enumerate(todo):
            plan = plans[kind]()
            for attempt in range(tries):
                floor = best.value if best is not None else -1
                left = time_limit - (monotonic() - started)
                share = len(todo) - place if proving else 2 * len(plans)
                found = plan.solve(max(0.5, left / share), floor)
                if proving or not attempt:
                    bounds[kind] = min(bounds[kind], max(floor, found.bound))
                tried = _verify(found.sketch, gizmos, objective, left) if found.sketch is not None else None
                better = tried is not None and (best is None or tried.value > best.value)
                if better:
                    best = tried
                if proving and found.closed and not better:
                    closed.add(kind)
                if found.sketch is None or (proving and not better):
                    break
                if not better:
                    plan.forbid(found.sketch)
        todo = [kind for kind in todo if kind not in closed and (best is None or bounds[kind] > best.value)]
        proving = True
    if best is None:
        raise RuntimeError("no design could be played")
    return msgspec.structs.replace(best, bound=max(best.value, *bounds), seconds=monotonic() - started)


def _plans(gizmos: int, objective: Measure, workers: int) -> Iterator[Callable[[], Plan]]:
    """One relaxed design for each kind of turn."""
    if objective == "score":
        for count, extra, energy in product(range(BUILDS + 1), range(3), range(3)):
            yield partial(ScorePlan, gizmos, count, extra, energy, workers)
    else:
        for count in range(BUILDS + 1):
            yield partial(BusyPlan, gizmos, count, objective, workers)


# -- verification -----------------------------------------------------------------------------------------------------


class _OpenTurn(TurnModel):
    """The exact model of a turn in which the marbles in the ring, in the row and drawn may still be chosen."""

    open = True

    def _add_draws(self) -> None:
        """Any marble may be drawn."""


def _verify(sketch: Sketch, gizmos: int, measure: Measure, time_limit: float) -> Design | None:
    """Give a design the best table there can be, and find its best turn; None if nothing could be proved."""
    from ortools.sat.python import cp_model  # noqa: PLC0415 - heavy

    position = _table(sketch)
    turn = _OpenTurn(cp_model.CpModel(), Scope(position, parse_objective(measure)))
    aim = worth(turn, measure)
    turn.model.maximize(aim - turn.marbles(0) if measure == "marbles" else aim)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    started, limit = monotonic(), min(60.0, max(5.0, time_limit))
    while (left := limit - (monotonic() - started)) > 0:
        solver.parameters.max_time_in_seconds = left
        if solver.status_name(solver.solve(turn.model)) not in ("OPTIMAL", "FEASIBLE"):
            return None
        if measure != "activations" or not forbid_vain(turn, solver):
            break
    else:
        return None
    red, blue, black, yellow = (solver.value(turn.ring[color, 0]) for color in COLORS)
    colors = [
        COLORS[deed.color]
        for step in turn.steps
        for deed in turn.scope.deeds
        if deed.verb == "pick" and solver.value(turn.does[step, deed])
    ]
    position = _with_marbles(position, (red, blue, black, yellow), colors)
    return _played(position, turn, solver, gizmos, measure)


def _played(position: Position, turn: TurnModel, solver: CpSolver, gizmos: int, measure: Measure) -> Design | None:
    """The turn of a solution, played on the engine; None if the table is not possible, or the turn not legal."""
    if faults(position):
        return None
    try:
        line = replay(position, deeds_of(turn, solver), parse_objective(measure))
    except IllegalActionError:
        return None
    value = int(line.value[0]) - (position.player.marbles if measure == "marbles" else 0)
    return Design(gizmos, value, value, position, line.moves, 0.0, measure)


def _table(sketch: Sketch) -> Position:
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
    if sketch.files:
        # Cards to file: one on display for each, and one in the deck for a research that comes to a file.
        used = {*built, *archive, *display, *(card for level in LEVELS for card in decks[level])}
        spare = [card.id for card in CARDS.values() if card.level == 1 and not card.effect and card.id not in used]
        shown = (sorted_cards((*shown[0], *spare[: sketch.files])), shown[1], shown[2])
        decks[1] += spare[sketch.files : 2 * sketch.files]
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
        position, players=(player,), row=(row[0], row[1], row[2], row[3]), next=tuple(picks[6:])
    )
