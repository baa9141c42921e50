"""The review of a game for a terminal: a summary for each player, the turning points, the turns that lost points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from app.board_text import Glyphs
from app.words import Words
from engine.record import Record
from solver.review.envelope import Gain
from solver.review.judge import MARKS, Mark
from solver.review.model import Better, Moment, PlayerSummary, Review, Turn

MARK_STYLES: Final[dict[Mark, str]] = {
    "best": "green",
    "good": "green",
    "inaccuracy": "yellow",
    "mistake": "bold dark_orange",
    "blunder": "bold red",
}


def review_parts(words: Words, glyphs: Glyphs, review: Review, record: Record) -> Iterator[RenderableType]:
    """All parts of a review as text."""
    names = seat_names(words, record)
    if review.title:
        yield Text(review.title, "bold")
        yield Text()
    for player in review.players:
        yield from _player(words, glyphs, player, names[player.seat - 1])
        yield Text()
    if review.moments:
        yield Text(words("review.moments"), "bold")
        for moment in review.moments:
            yield Padding(Text(moment_text(words, moment, names)), (0, 0, 0, 2))
        yield Text()
    shown = [turn for turn in review.turns if turn.better is not None or turn.status != "judged"]
    yield Text(words("review.turns_head") if shown else words("review.no_turns"), "bold")
    for turn in shown:
        yield Text()
        yield from _turn(words, turn, names[turn.seat - 1])
    yield Text()
    yield Text(words("review.judge", judge=review.judge), "dim")
    yield Text(words("review.bands"), "dim")


def seat_names(words: Words, record: Record) -> list[str]:
    """What the players are called, in order of seats."""
    return [player.name or words("board.seat", n=seat) for seat, player in enumerate(record.start.players, 1)]


def number(amount: float) -> str:
    """An amount with at most two decimals, the sign in front of what is lost by luck.

    >>> number(2.0), number(0.666), number(-1.5)
    ('2', '0.67', '-1.5')
    """
    return f"{amount:.2f}".rstrip("0").rstrip(".") if round(amount, 2) else "0"


def signed(amount: float) -> str:
    """An amount with its sign.

    >>> signed(0.5), signed(-0.5), signed(0.001)
    ('+0.5', '-0.5', '0')
    """
    text = number(amount)
    return f"+{text}" if amount > 0 and text != "0" else text


def moment_text(words: Words, moment: Moment, names: list[str]) -> str:
    """A turning point in words."""
    points = number(moment.points) if moment.kind == "lost" else signed(moment.points)
    return words(f"review.moment_{moment.kind}", turn=moment.number, name=names[moment.seat - 1], text=points)


def lost_text(words: Words, turn: Turn) -> list[str]:
    """What a turn gained and lost, in short pieces."""
    if turn.status == "not judged":
        return [words("review.gained", n=turn.gained)]
    pieces = [words("review.gained", n=turn.gained), words("review.lost_here", text=number(turn.lost))]
    if round(turn.passed_up - turn.lost, 2):
        pieces.append(words("review.passed_up", text=number(turn.passed_up)))
    if round(turn.luck, 2):
        pieces.append(words("review.by_luck", text=signed(turn.luck)))
    return pieces


def notes(words: Words, turn: Turn) -> list[str]:
    """What must be said about how a turn was judged."""
    found: list[str] = []
    if turn.status == "not judged":
        found.append(words("review.not_judged_turn"))
    if turn.status == "partly":
        found.append(words("review.partly"))
    if turn.unseen:
        found.append(words("review.unseen"))
    if not turn.exact:
        found.append(words("review.nearly"))
    return found


def better_value(words: Words, better: Better) -> str:
    """What a better line brings."""
    line = words("review.in_line", n=better.gained)
    return f"{line}; {gain_text(words, 'review.at_average', better.average)}"


def gain_text(words: Words, key: str, gain: Gain) -> str:
    """Points, marbles and gizmos in the words of a key."""
    points, marbles, gizmos = number(gain.points), signed(gain.marbles), signed(gain.gizmos)
    return words(key, points=points, marbles=marbles, gizmos=gizmos)


def _player(words: Words, glyphs: Glyphs, player: PlayerSummary, name: str) -> Iterator[RenderableType]:
    place = words("review.place", n=player.place)
    points = words("board.points", n=player.score)
    turns = words("review.turns", n=player.turns)
    yield Text(words("review.player", name=name, place=place, points=points, turns=turns), "bold")
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    lost = words("review.lost_value", lost=number(player.lost), alone=number(player.passed_up))
    grid.add_row(words("review.lost"), lost)
    grid.add_row(words("review.luck"), signed(player.luck))
    marks = Text(f" {glyphs.dot} ").join(
        Text(f"{player.marks[mark]} {words(f'mark.{mark}')}", MARK_STYLES[mark] if player.marks[mark] else "dim")
        for mark in MARKS
    )
    grid.add_row(words("review.marks"), marks)
    grid.add_row(words("review.chains"), str(player.chains_missed))
    idle = " ".join(map(str, player.unused))
    grid.add_row(words("review.unused"), idle or words("review.none"))
    yield Padding(grid, (0, 0, 0, 2))
    if player.not_judged:
        yield Padding(Text(words("review.not_judged", n=player.not_judged)), (0, 0, 0, 2))


def _turn(words: Words, turn: Turn, name: str) -> Iterator[RenderableType]:
    head = Text(f"{words('review.turn', n=turn.number)}, {name}", "bold")
    if turn.mark is not None:
        head.append("  ").append(words(f"mark.{turn.mark}"), MARK_STYLES[turn.mark])
    yield head.append(f"   {', '.join(lost_text(words, turn))}")
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(words("review.played"), Text(turn.played))
    if turn.better is not None:
        if turn.better.ply > turn.first:
            grid.add_row("", Text(words("review.better_than", move=turn.better.instead_of), "dim"))
        grid.add_row(words("review.better"), Text(turn.better.text))
        grid.add_row("", Text(better_value(words, turn.better), "dim"))
    for note in notes(words, turn):
        grid.add_row("", Text(note, "dim"))
    yield Padding(grid, (0, 0, 0, 2))
