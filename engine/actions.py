"""Actions (what a player decides) and reveals (what nature decides)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from engine.cards import Level
from engine.marbles import NO_MARBLES, Color, Marbles
from engine.position import RevealKind

Source: TypeAlias = Literal["display", "archive", "research"]


class Pick(msgspec.Struct, frozen=True, tag="pick", order=True):
    """Take a marble from the row; by the effect of `gizmo`, or as the main action (0)."""

    color: Color
    gizmo: int = 0


class File(msgspec.Struct, frozen=True, tag="file", order=True):
    """Put a card into the archive. `order`: see `Pass`."""

    card: int
    source: Source = "display"
    gizmo: int = 0
    order: tuple[int, ...] = ()


class Build(msgspec.Struct, frozen=True, tag="build", order=True):
    """Build a card, spending marbles through converters; with a `gizmo` it is a free build. `order`: see `Pass`."""

    card: int
    source: Source = "display"
    spend: Marbles = NO_MARBLES
    converters: tuple[int, ...] = ()
    gizmo: int = 0
    order: tuple[int, ...] = ()


class ResearchDeck(msgspec.Struct, frozen=True, tag="research", order=True):
    """Research a deck."""

    level: Level
    gizmo: int = 0


class Draw(msgspec.Struct, frozen=True, tag="draw", order=True):
    """Draw one marble from the dispenser by the effect of `gizmo`."""

    gizmo: int


class Points(msgspec.Struct, frozen=True, tag="points", order=True):
    """Take the points that the effect of `gizmo` gives."""

    gizmo: int


class Skip(msgspec.Struct, frozen=True, tag="skip", order=True):
    """Leave the rest of the pending picks or draws."""


class Pass(msgspec.Struct, frozen=True, tag="pass", order=True):
    """Keep nothing of a research, or have no main action.

    After a research all cards not kept go to the bottom of the deck in `order`, first = nearest the top; an empty
    `order` stands for ascending card numbers.
    """

    order: tuple[int, ...] = ()


class EndTurn(msgspec.Struct, frozen=True, tag="end turn", order=True):
    """Leave the gizmos that are still triggered unused."""


Action: TypeAlias = Pick | File | Build | ResearchDeck | Draw | Points | Skip | Pass | EndTurn


class Reveal(msgspec.Struct, frozen=True, order=True):
    """One decision of nature: a colour (`row`, `next`, `draw`) or a card number (`refill`, `research`).

    A researched card may be `UNKNOWN_CARD`: the player saw it, but nobody wrote down which it was.
    """

    kind: RevealKind
    value: int


UNKNOWN_CARD: Final = 0
Move: TypeAlias = Action | Reveal
