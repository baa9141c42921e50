"""Colours, and multisets of marbles as counts per colour."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, TypeAlias

from engine.errors import UnreadableError


class Color(IntEnum):
    """A marble colour; the value is the index into `Marbles`."""

    RED = 0
    BLUE = 1
    BLACK = 2
    YELLOW = 3

    @property
    def letter(self) -> str:
        """`R`, `U`, `K` or `Y` (blue is U and black is K, since B could be either)."""
        return LETTERS[self]


Marbles: TypeAlias = tuple[int, int, int, int]
"""How many red, blue, black and yellow marbles, in this order."""

COLORS: Final = tuple(Color)
LETTERS: Final = "RUKY"
NO_MARBLES: Final[Marbles] = (0, 0, 0, 0)
MARBLES_PER_COLOR: Final = 13
_EXPECTED: Final = "R (red), U (blue), K (black) or Y (yellow)"


def parse_color(text: str) -> Color:
    """Read one colour: a letter or a full name, any case, blanks around it ignored.

    >>> parse_color(" r "), parse_color("Yellow")
    (<Color.RED: 0>, <Color.YELLOW: 3>)

    Raises UnreadableError, for `B` with the reason that it could be blue or black.
    """
    word = text.strip().upper()
    if word in Color.__members__:
        return Color[word]
    if len(word) == 1 and word in LETTERS:
        return Color(LETTERS.index(word))
    if word == "B":
        raise UnreadableError(f"{text!r} is ambiguous: write U for blue or K for black")
    raise UnreadableError(f"{text!r} is not a marble colour: expected {_EXPECTED}")


def parse_marbles(text: str) -> tuple[Color, ...]:
    """Read marbles in order: letters run together, or names separated by blanks or commas.

    >>> [color.letter for color in parse_marbles("uUk")]
    ['U', 'U', 'K']
    >>> parse_marbles("red, blue")
    (<Color.RED: 0>, <Color.BLUE: 1>)

    Raises UnreadableError with one fault for each unreadable letter or word.
    """
    words: list[str] = []
    for word in text.replace(",", " ").split():
        words += [word] if word.upper() in Color.__members__ else list(word)
    faults: list[str] = []
    colors: list[Color] = []
    for word in words:
        try:
            colors.append(parse_color(word))
        except UnreadableError as error:
            faults += error.faults
    if faults:
        raise UnreadableError(list(dict.fromkeys(faults)))
    return tuple(colors)


def count(colors: tuple[Color, ...] | str) -> Marbles:
    """Count marbles per colour; text is read by `parse_marbles`.

    >>> count("UUK")
    (0, 2, 1, 0)
    """
    if isinstance(colors, str):
        colors = parse_marbles(colors)
    red, blue, black, yellow = (sum(1 for color in colors if color == each) for each in COLORS)
    return (red, blue, black, yellow)


def letters(marbles: Marbles) -> str:
    """Write marbles as letters in the order R, U, K, Y.

    >>> letters((0, 2, 1, 0))
    'UUK'
    """
    return "".join(letter * number for letter, number in zip(LETTERS, marbles, strict=True))


def add(left: Marbles, right: Marbles) -> Marbles:
    """Add colour by colour."""
    return (left[0] + right[0], left[1] + right[1], left[2] + right[2], left[3] + right[3])


def subtract(left: Marbles, right: Marbles) -> Marbles:
    """Subtract colour by colour; the caller sees to it that nothing goes below zero."""
    return (left[0] - right[0], left[1] - right[1], left[2] - right[2], left[3] - right[3])


def one(color: int) -> Marbles:
    """A single marble of a colour."""
    return _ONE[color]


_ONE: Final[tuple[Marbles, ...]] = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
