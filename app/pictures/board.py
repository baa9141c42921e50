"""A position as a picture: the table as it lies, each card told by shapes and letters as well as by colours.

Nothing of the game's own art is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from app.card_text import points_text, short_text
from app.pictures.shapes import MARBLE_FILLS, PALE, badge, box, marble, svg, text
from app.words import Words
from engine.cards import CARDS, DISPLAY_SIZE, LEVELS, NUMERALS, Area, Card
from engine.marbles import COLORS, LETTERS, Color, Marbles
from engine.position import ROW_SIZE, Player, Position
from solver import Line

WIDTH: Final = 860
_LEFT: Final = 20
_LABEL: Final = 70
_CARD_WIDTH: Final = 146
_CARD_HEIGHT: Final = 84
_SMALL_HEIGHT: Final = 44
_GAP: Final = 10
_MARK: Final = "#c2410c"
_PAPER: Final = "#fbfaf7"
_AREAS: Final[tuple[Area, ...]] = ("upgrade", "converter", "file", "pick", "build")
_COLORLESS: Final = "#9aa4ae"
_LETTER_WIDTH: Final = 0.57
"""Of the font size, on average."""
_CARD_LETTERS: Final = 19
_SMALL_LETTERS: Final = 18
"""Letters that fit on a line of a card."""


def board_svg(
    position: Position, *, highlight: Mapping[int, str] | None = None, title: str = "", words: Words | None = None
) -> str:
    """The whole table as SVG, 860 wide.

    `highlight` marks cards, each with a short text in a badge, such as the number of the step in which it is used
    (`line_marks`); an empty text gives a mark without a badge.
    """
    picture = _Picture(words or Words("en"), highlight or {})
    picture.draw(position, title)
    return svg(WIDTH, picture.y + 10, picture.parts, title or picture.words("board.picture"))


def line_marks(line: Line) -> dict[int, str]:
    """For every card that a line builds, files or uses, the number of the first step that does, as text."""
    marks: dict[int, str] = {}
    for number, step in enumerate(line.steps, 1):
        cards = [getattr(step.action, "card", 0), *getattr(step.action, "converters", ()), step.by]
        for card in cards:
            if card:
                marks.setdefault(card, str(number))
    return marks


class _Picture:
    """Draws from top to bottom; `y` is where the next part goes."""

    def __init__(self, words: Words, highlight: Mapping[int, str]) -> None:
        self.words = words
        self.parts: list[str] = []
        self.y: float = 14
        self._highlight = highlight

    def draw(self, position: Position, title: str) -> None:
        """Draw everything."""
        if title:
            self.parts.append(text(_LEFT, self.y + 16, title, size=18, bold=True))
            self.y += 34
        self._row(position)
        for level in reversed(LEVELS):
            self._level(position, level)
        seats = len(position.players)
        for seat in (seat % seats for seat in range(position.to_move, position.to_move + seats)):
            self._player(position, seat)

    def _label(self, words: str, height: float) -> None:
        self.parts.append(text(_LEFT, self.y + height / 2 + 4, words, size=12, bold=True))

    def _row(self, position: Position) -> None:
        self._label(self.words("board.row"), 30)
        x = self._marbles(_LEFT + _LABEL, position.row, max(ROW_SIZE, sum(position.row)), size=20)
        if position.next:
            self.parts.append(text(x + 8, self.y + 19, self.words("board.next"), size=12))
            x += 16 + _width(self.words("board.next"), 12)
            for color in position.next:
                self.parts.append(marble(x + 8, self.y + 15, color, 16))
                x += 24
        self.y += 42

    def _marbles(self, x: float, marbles: Marbles, places: int, *, size: float) -> float:
        """Marbles and the empty places after them; returns where they end."""
        middle = self.y + 15
        colors = [color for color in COLORS for _ in range(marbles[color])]
        for place in range(places):
            center = x + size * 0.7
            if place < len(colors):
                self.parts.append(marble(center, middle, colors[place], size))
            else:
                self.parts.append(
                    f'<circle cx="{center:g}" cy="{middle:g}" r="{size * 0.45:g}" fill="none" stroke="{PALE}" '
                    f'stroke-dasharray="2 2"/>'
                )
            x += size * 1.5
        return x

    def _level(self, position: Position, level: int) -> None:
        deck, cards = position.deck(level), position.display[level - 1]
        x: float = _LEFT
        known = {*deck.top, *deck.bottom}
        self.parts.append(box(x, self.y, 56, _CARD_HEIGHT, fill="#e8ebef", stroke=PALE))
        self.parts.append(text(x + 28, self.y + 36, NUMERALS[level], size=18, bold=True, anchor="middle"))
        self.parts.append(text(x + 28, self.y + 58, str(deck.size), size=13, anchor="middle"))
        if known:
            self.parts.append(text(x + 28, self.y + 74, " ".join(map(str, sorted(known)[:2])), size=8, anchor="middle"))
        x = _LEFT + _LABEL
        for place in range(max(DISPLAY_SIZE[level], len(cards))):
            if place < len(cards):
                self._card(x, self.y, CARDS[cards[place]])
            else:
                self.parts.append(
                    box(x, self.y, _CARD_WIDTH, _CARD_HEIGHT, fill="none", stroke=PALE, dash="3 3", round_=6)
                )
            x += _CARD_WIDTH + _GAP
        self.y += _CARD_HEIGHT + _GAP

    def _card(self, x: float, y: float, card: Card) -> None:
        self._frame(x, y, card, _CARD_HEIGHT)
        self._cost(x + 8, y + 15, card)
        self.parts.append(text(self._number_end(x, card), y + 16, str(card.id), size=11, anchor="end", fill=PALE))
        points = points_text(self.words, card.points)
        self.parts.append(text(x + _CARD_WIDTH - 6, y + 35, points, size=11, bold=True, anchor="end"))
        for number, line in enumerate(_lines(short_text(self.words, card), _CARD_LETTERS)):
            self._phrase(x + 14, y + 56 + 16 * number, line, 11)

    def _number_end(self, x: float, card: Card) -> float:
        """Where the number of a card ends: clear of a badge."""
        return x + _CARD_WIDTH - (16 if self._highlight.get(card.id) else 6)

    def _frame(self, x: float, y: float, card: Card, height: float) -> None:
        """A card's ground, its colour as a bar on the left (four bars for any colour)."""
        marked = card.id in self._highlight
        self.parts.append(
            box(
                x,
                y,
                _CARD_WIDTH,
                height,
                fill="#fff3e6" if marked else _PAPER,
                stroke=_MARK if marked else PALE,
                thick=2.5 if marked else 1,
                round_=6,
            )
        )
        fills = [MARBLE_FILLS[color] for color in card.colors] or [_COLORLESS]
        share = (height - 12) / len(fills)
        for number, fill in enumerate(fills):
            self.parts.append(
                f'<rect x="{x + 3:g}" y="{y + 6 + number * share:g}" width="5" height="{share:g}" fill="{fill}"/>'
            )
        if self._highlight.get(card.id):
            self.parts.append(badge(x + _CARD_WIDTH - 2, y + 2, self._highlight[card.id]))

    def _cost(self, x: float, y: float, card: Card) -> None:
        if card.any_color:
            self.parts.append(text(x + 6, y + 4, str(card.cost), size=14, bold=True))
            for place, color in enumerate(COLORS):
                self.parts.append(marble(x + 26 + 14 * place, y, color, 11))
            return
        for place in range(card.cost):
            self.parts.append(marble(x + 12 + 14 * place, y, card.colors[0], 11))

    def _phrase(self, x: float, y: float, words: Sequence[str], size: float) -> None:
        """Words with marbles among them."""
        for is_marbles, run in groupby(words, key=_is_marbles):
            if not is_marbles:
                phrase = " ".join(run)
                self.parts.append(text(x, y, phrase, size=size))
                x += _width(phrase, size) + size * 0.35
                continue
            for sign in " ".join(run):
                if sign in LETTERS:
                    color = Color(LETTERS.index(sign))
                    self.parts.append(marble(x + size * 0.55, y - size * 0.35, color, size * 0.95))
                    x += size * 1.3
                elif sign in "/,":
                    self.parts.append(text(x - size * 0.05, y, sign, size=size))
                    x += size * 0.4
            x += size * 0.2

    def _player(self, position: Position, seat: int) -> None:
        player = position.players[seat]
        to_move = seat == position.to_move and not position.is_over
        self.y += 8
        self.parts.append(f'<path d="M{_LEFT} {self.y:g} H{WIDTH - _LEFT}" stroke="{PALE}"/>')
        name = player.name or self.words("board.seat", n=seat + 1)
        head = f"{name}, {self.words('board.to_move')}" if to_move else name
        counts = f"{self.words('board.points', n=player.score)}, {self.words('board.gizmos', n=len(player.built))}"
        self.parts.append(text(_LEFT, self.y + 22, head, size=14, bold=True))
        self.parts.append(text(_LEFT + 24 + _width(head, 15), self.y + 22, counts, size=12))
        self.y += 32
        self._label(self.words("board.ring"), 30)
        self._marbles(_LEFT + _LABEL, player.ring, max(player.dashboard.ring_limit, player.marbles), size=18)
        self.y += 36
        self._archive(player)
        self._built(player, position if to_move else None)

    def _archive(self, player: Player) -> None:
        if not player.archive:
            return
        self._label(self.words("board.archive"), _CARD_HEIGHT)
        for place, number in enumerate(player.archive):
            across, down = place % 5, place // 5
            self._card(
                _LEFT + _LABEL + across * (_CARD_WIDTH + _GAP), self.y + down * (_CARD_HEIGHT + _GAP), CARDS[number]
            )
        self.y += ((len(player.archive) - 1) // 5 + 1) * (_CARD_HEIGHT + _GAP)

    def _built(self, player: Player, position: Position | None) -> None:
        """Built gizmos in the five columns of a dashboard; in the turn those waiting and those used are marked."""
        turn = position.turn if position is not None else None
        bottom = self.y
        for column, area in enumerate(_AREAS):
            x = _LEFT + column * (_CARD_WIDTH + 22)
            y = self.y
            self.parts.append(text(x, y + 10, self.words(f"area.{area}"), size=11, bold=True, fill=PALE))
            y += 16
            for card in (CARDS[number] for number in player.built if CARDS[number].area == area):
                state = ""
                if turn is not None:
                    state = "triggered" if card.id in turn.triggered else "used" if card.id in turn.used else ""
                self._small(x, y, card, state)
                y += _SMALL_HEIGHT + 6
            bottom = max(bottom, y)
        self.y = bottom

    def _small(self, x: float, y: float, card: Card, state: str) -> None:
        self._frame(x, y, card, _SMALL_HEIGHT)
        self.parts.append(text(self._number_end(x, card), y + 13, str(card.id), size=9, anchor="end", fill=PALE))
        if state:
            sign = self.words(f"board.sign_{state}")
            self.parts.append(text(x + _CARD_WIDTH - 6, y + 38, sign, size=9, bold=True, anchor="end", fill=_MARK))
        lines = list(_lines(short_text(self.words, card), _SMALL_LETTERS))
        for number, line in enumerate(lines):
            self._phrase(x + 13, y + (27 if len(lines) == 1 else 18) + 15 * number, line, 10)


def _width(words: str, size: float) -> float:
    return len(words) * size * _LETTER_WIDTH


def _is_marbles(word: str) -> bool:
    """True for `U/Y`, `YY` and the like."""
    return re.fullmatch(rf"[{LETTERS}]+(/[{LETTERS}])*,?", word) is not None


def _lines(words: str, most: int) -> Iterator[list[str]]:
    """Words on lines of so many letters; what follows an arrow begins a line if it doesn't fit on the first."""
    if len(words) > most and " → " in words:
        before, after = words.split(" → ", 1)
        yield before.split()
        yield from _lines(f"→ {after}", most)
        return
    line: list[str] = []
    for word in words.replace("→ ", "→\N{NO-BREAK SPACE}").split(" "):
        if line and len(" ".join([*line, word])) > most:
            yield line
            line = []
        line += word.split("\N{NO-BREAK SPACE}")
    yield line
