"""Small pieces of SVG: text, boxes, lines, and marbles told apart by shape and letter as well as by colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from engine.marbles import LETTERS, Color

Point = tuple[float, float]

MARBLE_FILLS: Final = {Color.RED: "#d6402f", Color.BLUE: "#2c6fbb", Color.BLACK: "#222222", Color.YELLOW: "#f2c230"}
INK: Final = "#1d2733"
PALE: Final = "#8a96a3"


def svg(width: float, height: float, parts: Sequence[str], title: str) -> str:
    """A whole picture on a white ground; `title` is for readers who don't see it.

    >>> svg(10, 10, [], "nothing").startswith("<svg")
    True
    """
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" font-family="DejaVu Sans, Verdana, sans-serif">'
    )
    ground = f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", ground, *parts, "</svg>", ""])


def text(
    x: float, y: float, words: str, *, size: float = 11, fill: str = INK, anchor: str = "start", bold: bool = False
) -> str:
    """Words with their base line at `y`."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="{anchor}"{weight}>'
        f"{escape(words)}</text>"
    )


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str,
    stroke: str,
    thick: float = 1,
    dash: str = "",
    round_: float = 4,
) -> str:
    """A rectangle with round corners."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_:g}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="{thick:g}"{dashes}/>'
    )


def wire(points: Sequence[Point], *, stroke: str, thick: float = 1.2, dash: str = "", arrow: bool = True) -> str:
    """A line through points, with an arrow head at its end."""
    where = " ".join(f"{x:g},{y:g}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    line = f'<polyline points="{where}" fill="none" stroke="{stroke}" stroke-width="{thick:g}"{dashes}/>'
    return line + (_head(points[-2], points[-1], stroke, 3 + thick) if arrow else "")


def _head(before: Point, tip: Point, fill: str, size: float) -> str:
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    ux, uy = dx / length * size * 1.4, dy / length * size * 1.4
    left = (tip[0] - ux - uy * 0.45, tip[1] - uy + ux * 0.45)
    right = (tip[0] - ux + uy * 0.45, tip[1] - uy - ux * 0.45)
    where = " ".join(f"{x:g},{y:g}" for x, y in (tip, left, right))
    return f'<polygon points="{where}" fill="{fill}"/>'


def marble(x: float, y: float, color: Color, size: float = 13) -> str:
    """A marble centred at a point, with its letter: red a triangle, blue a circle, black a square, yellow a diamond."""
    half = size / 2
    fill = MARBLE_FILLS[color]
    letter_fill = INK if color == Color.YELLOW else "#ffffff"
    match color:
        case Color.RED:
            half *= 1.25
            corners = [(x, y - half), (x + half, y + half * 0.75), (x - half, y + half * 0.75)]
        case Color.BLUE:
            shape = f'<circle cx="{x:g}" cy="{y:g}" r="{half * 1.05:g}" fill="{fill}"/>'
            return shape + text(
                x, y + size * 0.27, LETTERS[color], size=size * 0.75, fill=letter_fill, anchor="middle", bold=True
            )
        case Color.BLACK:
            corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        case _:
            half *= 1.3
            corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
    where = " ".join(f"{cx:g},{cy:g}" for cx, cy in corners)
    drop = size * (0.36 if color == Color.RED else 0.27)
    return f'<polygon points="{where}" fill="{fill}"/>' + text(
        x, y + drop, LETTERS[color], size=size * 0.75, fill=letter_fill, anchor="middle", bold=True
    )


def badge(x: float, y: float, words: str, *, fill: str = "#c2410c") -> str:
    """A round mark with a number in it."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="{fill}"/>' + text(
        x, y + 4, words, size=11, fill="#ffffff", anchor="middle", bold=True
    )
