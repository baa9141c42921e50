"""Judging one turn: every decision with what was known at its moment, so that luck and choice are kept apart."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from engine.actions import Action, Build, Move, Reveal
from engine.line import write_line
from engine.notation import step_text
from engine.position import Deck, Position
from engine.record import Record, move_text, play_recorded
from engine.rules import legal_actions
from solver.explain import chain
from solver.reference import Stopped
from solver.review.envelope import POINTS
from solver.review.judge import Judge, JudgeMaker, Worths, deadline, mark_of
from solver.review.model import Better, Decision, Link, Turn

_NOISE = 1e-9
_SHOWN = 0.05
"""Fewer points lost than this are not worth a better line."""


class Played(msgspec.Struct, frozen=True):
    """A turn as it was played: the positions as the player knew them, one more than moves; `first` is the first ply."""

    number: int
    seat: int
    first: int
    positions: tuple[Position, ...]
    moves: tuple[Move, ...]


def turns_of(record: Record) -> Iterator[Played]:
    """The turns of a record, each seen by the player who plays it.

    The order of decks is hidden; of the cards at their bottoms a player knows those that he put there.
    """
    position = record.start
    put_back: dict[int, int] = {}
    number, first = 1, 0
    positions, moves = [position], list[Move]()
    for ply, move in enumerate(record.moves):
        seat = positions[0].to_move
        research = position.turn.research
        position = play_recorded(position, move, record.rules)
        if research is not None and position.turn.research is None:
            put_back |= dict.fromkeys(research.seen, seat)
        positions.append(position)
        moves.append(move)
        if not position.turn.acted:
            yield _played(number, first, positions, moves, put_back)
            number, first = number + 1, ply + 1
            positions, moves = [position], []
    if moves:
        yield _played(number, first, positions, moves, put_back)


def _played(number: int, first: int, positions: list[Position], moves: list[Move], put_back: dict[int, int]) -> Played:
    seat = positions[0].to_move
    known = tuple(_as_known(position, seat, put_back) for position in positions)
    return Played(number, seat, first, known, tuple(moves))


def _as_known(position: Position, seat: int, put_back: dict[int, int]) -> Position:
    """The position with decks as the player of a seat knows them."""
    return replace(
        position,
        decks=tuple(
            Deck(deck.size, (), tuple(card for card in deck.bottom if put_back.get(card) == seat))
            for deck in position.decks
        ),
    )


def judge_turn(played: Played, make: JudgeMaker, time_limit: float = 60.0) -> Turn:
    """Judge a turn, in at most about twice the time given (seconds): first all of it, then without what is dear."""
    for cheap in (False, True):
        judge = make(played.positions[0], deadline(time_limit), cheap)
        try:
            return _judged(played, judge, cheap)
        except Stopped:
            continue
    return _unjudged(played)


def _unjudged(played: Played) -> Turn:
    seat = played.seat
    return Turn(
        number=played.number,
        seat=seat + 1,
        first=played.first,
        last=played.first + len(played.moves) - 1,
        played=_text(played.moves),
        gained=played.positions[-1].players[seat].score - played.positions[0].players[seat].score,
        status="not judged",
        used=_used(played),
    )


class _Account:
    """Points lost and won by luck in a turn, decision by decision."""

    def __init__(self) -> None:
        self.regrets: list[tuple[int, Action, Worths | None]] = []
        self.luck = 0.0
        self.unseen = False


def _judged(played: Played, judge: Judge, cheap: bool) -> Turn:
    account = _account(played, judge)
    rates = range(len(judge.position(played.positions[0])))
    totals = [sum(regret[rate] for _, _, regret in account.regrets if regret) for rate in rates]
    kindest = min(rates, key=lambda rate: (totals[rate] > min(totals) + _NOISE, rate))
    turn = _unjudged(played)
    start = played.positions[0].players[played.seat].score
    lost = _clean(totals[kindest])
    turn = replace(
        turn,
        status="partly" if cheap else "judged",
        expected=_clean(judge.position(played.positions[0])[POINTS] - start),
        lost=lost,
        passed_up=_clean(totals[POINTS]),
        luck=_clean(account.luck),
        mark=mark_of(lost),
        exact=judge.exact,
        unseen=account.unseen,
        front=judge.front(played.positions[0]),
        decisions=tuple(
            Decision(
                ply,
                move_text(action),
                None if regret is None else _clean(regret[kindest]),
                None if regret is None else _clean(regret[POINTS]),
            )
            for ply, action, regret in account.regrets
        ),
    )
    if lost < _SHOWN:
        return turn
    better = _better(played, judge, account, kindest)
    return replace(turn, better=better, missed_chain=_misses_chain(played, better))


def _account(played: Played, judge: Judge) -> _Account:
    account = _Account()
    before: Worths | None = None
    for index, move in enumerate(played.moves):
        position = played.positions[index]
        if isinstance(move, Reveal):
            continue
        chosen = judge.action(position, move)
        if before is not None:
            # Also where no reveal is recorded: what was certain to those who know the decks was luck to this player.
            # Of cards that the record does not know, the one chosen counts as the best.
            now = chosen if _is_unseen(position) else judge.position(position)
            account.luck += now[POINTS] - before[POINTS]
        if _is_unseen(position):
            account.unseen = True
            account.regrets.append((played.first + index, move, None))
        elif len(legal_actions(position)) > 1:
            best = judge.position(position)
            regret = tuple(max(0.0, a - b) for a, b in zip(best, chosen, strict=True))
            account.regrets.append((played.first + index, move, regret))
        before = chosen
    if before is not None:
        account.luck += judge.position(played.positions[-1])[POINTS] - before[POINTS]
    return account


def _is_unseen(position: Position) -> bool:
    """True if the player chooses among cards that the record does not know."""
    return position.turn.research is not None and position.turn.research.unknown > 0


def _better(played: Played, judge: Judge, account: _Account, rate: int) -> Better:
    """The best line at a rate, from the first decision that lost half as much as the worst one."""
    losses = [(ply, regret[rate]) for ply, _, regret in account.regrets if regret is not None]
    worst = max(loss for _, loss in losses)
    ply = next(ply for ply, loss in losses if loss >= worst / 2)
    position = played.positions[ply - played.first]
    steps = judge.line(position, rate)
    seat = played.seat
    return Better(
        ply=ply,
        instead_of=move_text(played.moves[ply - played.first]),
        position=write_line(position),
        text="; ".join(step_text(move_text(step.action), list(step.reveals)) for step in steps),
        gained=steps[-1].score - position.players[seat].score,
        average=judge.gain(position, rate),
        chain=tuple(Link(link.gizmo, link.step, link.cause) for link in chain(steps)),
    )


def _clean(points: float) -> float:
    """Points without the noise of floating-point sums."""
    return round(points, 6) + 0.0


def _text(moves: tuple[Move, ...]) -> str:
    steps: list[tuple[str, list[Reveal]]] = []
    for move in moves:
        if not isinstance(move, Reveal):
            steps.append((move_text(move), []))
        elif steps:
            steps[-1][1].append(move)
    return "; ".join(step_text(action, reveals) for action, reveals in steps)


def _used(played: Played) -> tuple[int, ...]:
    """The gizmos used in a turn, converters included."""
    used: list[int] = []
    for move in played.moves:
        if isinstance(move, Build):
            used += move.converters
        gizmo = getattr(move, "gizmo", 0)
        if gizmo:
            used.append(gizmo)
    return tuple(dict.fromkeys(used))


def _misses_chain(played: Played, better: Better) -> bool:
    """True if the better line sets off at least two gizmos more than were used from there on."""
    after = replace(played, moves=played.moves[better.ply - played.first :])
    return len({link.gizmo for link in better.chain}) >= len(_used(after)) + 2
