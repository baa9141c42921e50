"""A game as a graph: every player's points after each turn, and below what each turn lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import quoteattr

from app.pictures.shapes import INK, PALE, svg, text
from app.words import Words
from solver.review.judge import Mark
from solver.review.model import Review, Turn

WIDTH: Final = 900
_LEFT: Final = 46
_RIGHT: Final = 120
_TOP: Final = 24
_POINTS: Final = 210
_GAP: Final = 34
_LOST: Final = 70

PLAYER_COLORS: Final = ("#1f5fa8", "#c2410c", "#3f7d3a", "#7a3e9d")
_DASHES: Final = ("", "7 3", "2 3", "9 3 2 3")
MARK_COLORS: Final[dict[Mark, str]] = {
    "best": "#2e7d4f",
    "good": "#7aa66a",
    "inaccuracy": "#d9a400",
    "mistake": "#e06c00",
    "blunder": "#c62828",
}

MARK_INKS: Final[dict[Mark, str]] = MARK_COLORS | {"good": "#4c7a3c", "inaccuracy": "#8a6a00", "mistake": "#b45309"}
"""The same for words, which must be darker to be read."""


def game_graph(words: Words, review: Review, names: Sequence[str]) -> str:
    """The graph as SVG, 900 wide; each turn that lost points leads to `#turn-N`."""
    parts = list(_Graph(words, review, names).draw())
    return svg(WIDTH, _TOP + _POINTS + _GAP + _LOST + 30, parts, words("review.graph"))


class _Graph:
    def __init__(self, words: Words, review: Review, names: Sequence[str]) -> None:
        self._words = words
        self._review = review
        self._names = names
        self._turns = max(1, len(review.scores) - 1)
        self._most = max(5, *(max(scores) for scores in review.scores))
        self._worst = max([1.0, *(turn.lost for turn in review.turns)])

    def draw(self) -> Iterator[str]:
        yield from self._axes()
        for seat in range(len(self._names)):
            yield from self._line(seat)
        yield from self._labels()
        for turn in self._review.turns:
            yield from self._turn(turn)

    def _x(self, turn: int) -> float:
        return _LEFT + turn * (WIDTH - _LEFT - _RIGHT) / self._turns

    def _y(self, points: float) -> float:
        return _TOP + _POINTS * (1 - points / self._most)

    def _axes(self) -> Iterator[str]:
        step = next(each for each in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if self._most / each <= 6)
        for points in range(0, self._most + 1, step):
            y = self._y(points)
            yield f'<path d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}" stroke="#e3e6ea"/>'
            yield text(_LEFT - 8, y + 4, str(points), size=12, anchor="end", fill="#5c6670")
        every = next(each for each in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if self._turns / each <= 14)
        base = _TOP + _POINTS + _GAP + _LOST
        for turn in range(every, self._turns + 1, every):
            yield text(self._x(turn), base + 18, str(turn), size=12, anchor="middle", fill="#5c6670")
        yield f'<path d="M{_LEFT} {base}H{WIDTH - _RIGHT}" stroke="{PALE}"/>'
        yield text(_LEFT - 36, _TOP - 10, self._words("review.graph_points"), size=12, fill="#5c6670")
        yield text(_LEFT - 36, base - _LOST - 8, self._words("review.graph_lost"), size=12, fill="#5c6670")

    def _line(self, seat: int) -> Iterator[str]:
        corners = [f"M{self._x(0):.1f} {self._y(self._review.scores[0][seat]):.1f}"]
        for turn, scores in enumerate(self._review.scores[1:], 1):
            corners.append(f"L{self._x(turn):.1f} {self._y(scores[seat]):.1f}")
        dash = f' stroke-dasharray="{_DASHES[seat]}"' if _DASHES[seat] else ""
        yield f'<path d="{"".join(corners)}" fill="none" stroke="{PLAYER_COLORS[seat]}" stroke-width="2.5"{dash}/>'

    def _labels(self) -> Iterator[str]:
        """Names at the ends of the lines, moved apart where they would cover each other."""
        last = self._review.scores[-1]
        below: float = -100
        for seat in sorted(range(len(self._names)), key=lambda each: -last[each]):
            y = max(self._y(last[seat]) + 4, below + 15)
            below = y
            name = self._names[seat] if len(self._names[seat]) <= 11 else f"{self._names[seat][:10]}."
            label = f"{last[seat]} {name}"
            yield text(WIDTH - _RIGHT + 8, y, label, size=13, fill=PLAYER_COLORS[seat], bold=True)

    def _turn(self, turn: Turn) -> Iterator[str]:
        if turn.mark is None or turn.better is None:
            return
        x, y = self._x(turn.number), self._y(self._review.scores[turn.number][turn.seat - 1])
        fill = MARK_COLORS[turn.mark]
        base = _TOP + _POINTS + _GAP + _LOST
        height = max(2.0, _LOST * turn.lost / self._worst)
        width = max(3.0, 0.6 * (WIDTH - _LEFT - _RIGHT) / self._turns)
        about = f"{turn.number} {self._names[turn.seat - 1]}: {turn.lost:.2f}"
        yield f'<a href="#turn-{turn.number}" aria-label={quoteattr(about)}>'
        yield f"<title>{about.replace('&', '&amp;').replace('<', '&lt;')}</title>"
        yield (
            f'<rect x="{x - width / 2:.1f}" y="{base - height:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="{fill}"/>'
        )
        if turn.mark in ("mistake", "blunder"):
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{fill}" stroke="{INK}" stroke-width="0.8"/>'
        yield "</a>"
