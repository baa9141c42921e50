"""What a review says: plain data, written as `gizmos-review/1`."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from solver.review.envelope import Gain
from solver.review.judge import Mark

FORMAT: Final = "gizmos-review/1"

Status: TypeAlias = Literal["judged", "partly", "not judged"]
"""`partly`: the time was too short for Research as a main action, so what was lost is a lower bound."""


class Decision(msgspec.Struct, frozen=True):
    """One choice of the player: `ply` is the number of the move in the record, from 0.

    `lost` are the points lost by it at the rate that is kindest to the whole turn, `passed_up` counting points alone;
    both are None if it can't be judged, since cards were seen that the record does not know.
    """

    ply: int
    action: str
    lost: float | None
    passed_up: float | None


class Link(msgspec.Struct, frozen=True):
    """A gizmo used in a line: in step `step` (from 0), triggered by step `cause` (-1: before the line began)."""

    gizmo: int
    step: int
    cause: int


class Better(msgspec.Struct, frozen=True):
    """A better line: it begins at move `ply` of the record, from `position` (a position line).

    `text` holds its steps with likely reveals, which bring `gained` points; on average it brings `average`. `chain` are
    the gizmos used in it, `instead_of` is the action that was played.
    """

    ply: int
    instead_of: str
    position: str
    text: str
    gained: int
    average: Gain
    chain: tuple[Link, ...]


class Turn(msgspec.Struct, frozen=True):
    """One turn of a player.

    `number` counts from 1, `seat` too; `first` and `last` are the moves in the record, from 0. `gained` are the points
    it brought, `expected` what the best play for points brought on average. `lost`: points lost at the kindest rate
    between points, marbles and gizmos (see the judge), `passed_up`: counting points alone. `luck`: points by reveals
    above (below: negative) what they bring on average. `unseen`: cards were seen in a research that the record does not
    know; what was chosen counts as the best of them, so that what it brought is luck.
    `front`: the different kinds of best play at the start of the turn. `used`: gizmos used, converters included.
    """

    number: int
    seat: int
    first: int
    last: int
    played: str
    gained: int
    status: Status
    expected: float = 0.0
    lost: float = 0.0
    passed_up: float = 0.0
    luck: float = 0.0
    mark: Mark | None = None
    exact: bool = True
    unseen: bool = False
    front: tuple[Gain, ...] = ()
    decisions: tuple[Decision, ...] = ()
    better: Better | None = None
    used: tuple[int, ...] = ()
    missed_chain: bool = False


class PlayerSummary(msgspec.Struct, frozen=True):
    """One player's game: `marks` counts turns per mark, `unused` are built gizmos that did nothing all game."""

    seat: int
    name: str
    place: int
    score: int
    turns: int
    lost: float
    passed_up: float
    luck: float
    marks: dict[Mark, int]
    chains_missed: int
    unused: tuple[int, ...]
    not_judged: int


MomentKind: TypeAlias = Literal["lost", "luck"]


class Moment(msgspec.Struct, frozen=True):
    """A turning point: turn `number` lost points, or luck decided it."""

    number: int
    seat: int
    kind: MomentKind
    points: float


class Review(msgspec.Struct, frozen=True):
    """A reviewed game. `scores` are all players' points after every turn, the start first."""

    title: str
    judge: str
    players: tuple[PlayerSummary, ...]
    turns: tuple[Turn, ...]
    moments: tuple[Moment, ...]
    scores: tuple[tuple[int, ...], ...]
    finished: bool
    format: str = FORMAT
