"""All 112 gizmo cards as data, and what a set of built cards can do.

The numbering is that of Board Game Arena. No rule elsewhere in the engine mentions a card number.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

import msgspec

from engine.errors import UnreadableError
from engine.marbles import COLORS, Color

Level: TypeAlias = int
"""Deck level: 1, 2, 3; 0 for the starting gizmos."""

LEVELS: Final = (1, 2, 3)
NUMERALS: Final = ("0", "I", "II", "III")
Area: TypeAlias = Literal["upgrade", "converter", "file", "pick", "build"]
Trigger: TypeAlias = Literal["", "file", "pick", "build", "build-from-archive", "build-level-2"]
Effect: TypeAlias = Literal["", "pick", "draw", "file", "research", "points", "free-build-level-1"]
Special: TypeAlias = Literal[
    "",
    "no-file",
    "no-research",
    "discount-level-2",
    "discount-from-archive",
    "discount-from-research",
    "points-per-energy",
    "points-per-token",
]


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One gizmo card.

    `colors` are the colours the card counts as when built (a card of colour `any` counts as all four, a starting
    gizmo as none); `cost` marbles of that colour (any mixture if `any_color`). `trigger_colors` restrict `pick` and
    `build` triggers. `convert_from` marbles, each up to `convert_uses` times per turn in all (`double`: once per
    colour), count as any colour or as two of the same.
    """

    id: int
    level: Level
    colors: tuple[Color, ...]
    cost: int
    points: int
    area: Area
    trigger: Trigger
    trigger_colors: tuple[Color, ...]
    effect: Effect
    amount: int
    convert_from: tuple[Color, ...]
    convert_to: Literal["", "any", "double"]
    convert_uses: int
    storage: int
    archive: int
    research: int
    special: Special

    @property
    def any_color(self) -> bool:
        """True for a card that any mixture of marbles pays for."""
        return len(self.colors) == len(COLORS)

    @property
    def color_name(self) -> str:
        """`red`, `blue`, `black`, `yellow`, `any` or `none`."""
        if self.any_color:
            return "any"
        return self.colors[0].name.lower() if self.colors else "none"


def _colors(text: str) -> tuple[Color, ...]:
    if text == "any":
        return COLORS
    return tuple(sorted(Color[word.upper()] for word in text.split("|") if word not in ("", "none")))


def _load() -> dict[int, Card]:
    text = files("engine").joinpath("data/cards.csv").read_text(encoding="utf-8")
    rows: list[dict[str, object]] = []
    for row in csv.DictReader(text.splitlines()):
        converted: dict[str, object] = dict(row)
        converted["colors"] = _colors(row["color"])
        for key in ("trigger_colors", "convert_from"):
            converted[key] = _colors(row[key])
        for key in ("amount", "convert_uses"):
            converted[key] = row[key] or "0"
        rows.append(converted)
    cards = msgspec.convert(rows, list[Card], strict=False)
    return {card.id: card for card in cards}


CARDS: Final[dict[int, Card]] = _load()
"""Every card by its number."""

STARTING_GIZMOS: Final = tuple(card.id for card in CARDS.values() if card.level == 0)
DECK_CARDS: Final = tuple(tuple(card.id for card in CARDS.values() if card.level == level) for level in range(4))
"""Card numbers per level, index 0 the starting gizmos."""

REMOVED_LEVEL_3: Final = 20
"""How many unseen level III cards leave each game."""

DISPLAY_SIZE: Final = (0, 4, 3, 2)
"""Face-up cards per level."""


def parse_level(text: str) -> Level:
    """Read a deck level: I, II, III or 1, 2, 3, any case.

    >>> parse_level("ii"), parse_level("3")
    (2, 3)

    Raises UnreadableError.
    """
    word = text.strip().upper()
    if word in NUMERALS[1:]:
        return NUMERALS.index(word)
    if word in ("1", "2", "3"):
        return int(word)
    raise UnreadableError(f"{text!r} is not a deck level: expected I, II or III")


class Dashboard(msgspec.Struct, frozen=True, kw_only=True):
    """What a set of built gizmos gives its owner: limits, discounts, converters and who listens to what.

    `on_pick` and `on_build` are indexed by colour; `on_build[4]` is for a card of any colour. Tuples of card numbers
    are ascending.
    """

    ring_limit: int
    archive_limit: int
    research_amount: int
    can_file: bool
    can_research: bool
    discount_level_2: int
    discount_from_archive: int
    discount_from_research: int
    points: int
    points_per_energy: int
    points_per_token: int
    level_3: int
    converters: tuple[int, ...]
    on_file: tuple[int, ...]
    on_pick: tuple[tuple[int, ...], ...]
    on_build: tuple[tuple[int, ...], ...]
    on_build_from_archive: tuple[int, ...]
    on_build_level_2: tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def dashboard(built: tuple[int, ...]) -> Dashboard:
    """The dashboard of a player who has built these cards (rules: "A player", "Upgrades").

    >>> dashboard((901, 121, 201)).ring_limit
    8
    """
    cards = [CARDS[number] for number in sorted(built)]
    specials = [card.special for card in cards]
    listeners = [card for card in cards if card.trigger]

    def total(special: Special) -> int:
        return specials.count(special)

    def listening(trigger: Trigger, color: Color | None = None) -> tuple[int, ...]:
        return tuple(c.id for c in listeners if c.trigger == trigger and (color is None or color in c.trigger_colors))

    return Dashboard(
        ring_limit=5 + sum(card.storage for card in cards),
        archive_limit=1 + sum(card.archive for card in cards),
        research_amount=3 + sum(card.research for card in cards),
        can_file=total("no-file") == 0,
        can_research=total("no-research") == 0,
        discount_level_2=total("discount-level-2"),
        discount_from_archive=total("discount-from-archive"),
        discount_from_research=total("discount-from-research"),
        points=sum(card.points for card in cards),
        points_per_energy=total("points-per-energy"),
        points_per_token=total("points-per-token"),
        level_3=sum(1 for card in cards if card.level == 3),
        converters=tuple(card.id for card in cards if card.area == "converter"),
        on_file=listening("file"),
        on_pick=tuple(listening("pick", color) for color in COLORS),
        on_build=(*(listening("build", color) for color in COLORS), listening("build")),
        on_build_from_archive=listening("build-from-archive"),
        on_build_level_2=listening("build-level-2"),
    )
