"""From judged turns to a reviewed game: summaries per player and turning points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.cards import CARDS
from engine.position import Position
from engine.record import Record
from engine.setup import ranking
from solver.review.judge import MARKS
from solver.review.model import Moment, MomentKind, PlayerSummary, Review, Turn
from solver.review.turns import Played

MOST_MOMENTS: Final = 5
_LEAST: Final = 1.0
"""A turn that lost or won by luck fewer points than this is no turning point."""


def reviewed(record: Record, played: Iterable[Played], turns: Iterable[Turn], judge: str) -> Review:
    """The review of a game from its judged turns (some may be left out, of players not asked for)."""
    ends = list(played)
    judged = tuple(sorted(turns, key=lambda turn: turn.number))
    final = ends[-1].positions[-1] if ends else record.start
    seats = sorted({turn.seat for turn in judged})
    return Review(
        title=record.title,
        judge=judge,
        players=tuple(_player(final, seat, [turn for turn in judged if turn.seat == seat]) for seat in seats),
        turns=judged,
        moments=moments(judged),
        scores=(_scores(record.start), *(_scores(each.positions[-1]) for each in ends)),
        finished=final.is_over,
    )


def moments(turns: Iterable[Turn]) -> tuple[Moment, ...]:
    """The turns that mattered most: those that lost the most points, and those in which luck did the most."""
    found: list[Moment] = []
    for turn in turns:
        kinds: tuple[tuple[MomentKind, float], ...] = (("lost", turn.lost), ("luck", turn.luck))
        found += [Moment(turn.number, turn.seat, kind, points) for kind, points in kinds if abs(points) >= _LEAST]
    found.sort(key=lambda moment: (-abs(moment.points), moment.number))
    return tuple(sorted(found[:MOST_MOMENTS], key=lambda moment: moment.number))


def _scores(position: Position) -> tuple[int, ...]:
    return tuple(player.score for player in position.players)


def _player(final: Position, seat: int, turns: list[Turn]) -> PlayerSummary:
    player = final.players[seat - 1]
    place = next(standing.place for standing in ranking(final) if standing.seat == seat - 1)
    used = {gizmo for turn in turns for gizmo in turn.used}
    idle = tuple(gizmo for gizmo in player.built if _can_be_used(gizmo) and gizmo not in used)
    return PlayerSummary(
        seat=seat,
        name=player.name,
        place=place,
        score=player.score,
        turns=len(turns),
        lost=_sum(turn.lost for turn in turns),
        passed_up=_sum(turn.passed_up for turn in turns),
        luck=_sum(turn.luck for turn in turns),
        marks={mark: sum(turn.mark == mark for turn in turns) for mark in MARKS},
        chains_missed=sum(turn.missed_chain for turn in turns),
        unused=idle,
        not_judged=sum(turn.status == "not judged" for turn in turns),
    )


def _can_be_used(gizmo: int) -> bool:
    return bool(CARDS[gizmo].trigger or CARDS[gizmo].convert_uses)


def _sum(points: Iterable[float]) -> float:
    return round(sum(points), 6) + 0.0
