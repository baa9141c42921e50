"""Reviewing a whole game: turns are judged in parallel and remembered, so that a run can be resumed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from engine.errors import UnreadableError
from engine.line import write_line
from engine.record import Record, move_text
from solver.review.judge import JudgeMaker, ParetoJudge, pareto_judge
from solver.review.model import Review, Turn
from solver.review.summary import reviewed
from solver.review.turns import Played, judge_turn, turns_of

VERSION = "5"
"""Part of every key of remembered judgements; raise it when what is judged changes."""

Progress = Callable[[int, int], None]
"""Told how many turns are judged, and of how many."""


class _Entry(msgspec.Struct, frozen=True):
    """A line of the cache: a judged turn, and the time it was given if that was too short."""

    key: str
    turn: Turn
    time_limit: float | None = None


def review_game(
    record: Record,
    *,
    player: int | None = None,
    jobs: int = 1,
    time_limit: float = 60.0,
    cache: Path | None = None,
    progress: Progress = lambda _done, _total: None,
    make: JudgeMaker = pareto_judge,
    judge: str = ParetoJudge.name,
) -> Review:
    """Judge every turn of a record, or those of one seat (`player`, from 1).

    `jobs` turns at a time are judged, each in `time_limit` seconds or so (see `judge_turn`). Judged turns are added to
    the file `cache` and taken from it; `judge` is the name of the judge that `make` makes.

    Raises UnreadableError if there is no such seat or nothing to review, IllegalActionError for moves that can't be
    played.
    """
    seats = len(record.start.players)
    if player is not None and not 1 <= player <= seats:
        raise UnreadableError(f"player {player}: expected 1 to {seats}, as many as play")
    played = list(turns_of(record))
    wanted = [each for each in played if player is None or each.seat == player - 1]
    if not wanted:
        raise UnreadableError("there is no turn to review in this game")
    known = _remembered(cache, time_limit)
    keys = {each.number: _key(each, judge) for each in wanted}
    turns = {each.number: known[keys[each.number]] for each in wanted if keys[each.number] in known}
    progress(len(turns), len(wanted))
    missing = [each for each in wanted if each.number not in turns]
    for turn in _judge_all(missing, make, jobs, time_limit):
        turns[turn.number] = turn
        _remember(cache, _Entry(keys[turn.number], turn, None if turn.status == "judged" else time_limit))
        progress(len(turns), len(wanted))
    return reviewed(record, played, turns.values(), judge)


def cache_file(record: Record, folder: Path) -> Path:
    """Where judgements of a game are remembered: one file for each start position and first moves, in a folder."""
    digest = hashlib.sha256(write_line(record.start).encode()).hexdigest()[:16]
    return folder / f"{digest}.jsonl"


def _judge_all(played: list[Played], make: JudgeMaker, jobs: int, time_limit: float) -> Iterator[Turn]:
    if jobs == 1 or len(played) < 2:
        for each in played:
            yield judge_turn(each, make, time_limit)
        return
    from joblib import Parallel, delayed  # noqa: PLC0415 - takes long to import

    # The last turns take the longest; begun first, they do not keep the others waiting at the end.
    tasks = (delayed(judge_turn)(each, make, time_limit) for each in reversed(played))
    yield from Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(tasks)


def _key(played: Played, judge: str) -> str:
    parts = [
        VERSION,
        judge,
        str(played.first),
        *(write_line(position) for position in played.positions),
        *(move_text(move) for move in played.moves),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _remembered(cache: Path | None, time_limit: float) -> dict[str, Turn]:
    """The judged turns in a cache; lines that can't be read (a run was cut off there) are left out."""
    turns: dict[str, Turn] = {}
    if cache is None:
        return turns
    try:
        lines = cache.read_bytes().splitlines()
    except OSError:
        return turns
    for line in lines:
        with suppress(msgspec.DecodeError, msgspec.ValidationError, RecursionError):
            entry = msgspec.json.decode(line, type=_Entry)
            if entry.time_limit is None or entry.time_limit >= time_limit:
                turns[entry.key] = entry.turn
    return turns


def _remember(cache: Path | None, entry: _Entry) -> None:
    """Add a judged turn to a cache; a cache that can't be written is no reason to stop."""
    if cache is None:
        return
    with suppress(OSError):
        cache.parent.mkdir(parents=True, exist_ok=True)
        with cache.open("ab") as file:
            file.write(b"\n" + msgspec.json.encode(entry) + b"\n")
