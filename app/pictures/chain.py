"""The chain graph as a picture: cause on the left, effect on the right, in the five areas of a dashboard.

Every area is a column under its event. An effect leaves a gizmo on the right, runs up to the wire of its kind and comes
down to the event that it causes; from an event a rail leads down to the gizmos that listen to it. The line to be played
lies on top in one bold colour, its steps numbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from app.pictures.shapes import INK, PALE, Point, badge, box, marble, svg, text, wire
from engine.actions import Action, Build, Draw, File, Pick, Points
from engine.cards import CARDS, NUMERALS, Card
from engine.marbles import COLORS
from engine.notation import action_text
from solver import Line, Step
from solver.chain import Engine, Report

WIDTH: Final = 800
_TOP: Final = 44
_GAP: Final = 15
_BOX: Final = 42
_STEP: Final = 50
_HUB: Final = 22
_MAIN: Final = 122
"""Where the wire of the main action begins."""
_PLAY: Final = "#c2410c"
_PLAY_FILL: Final = "#fff3e6"


class _Kind(NamedTuple):
    """How the wire of an effect looks, and which events it leads to."""

    words: str
    stroke: str
    dash: str
    hubs: tuple[str, ...]


_KINDS: Final[dict[str, _Kind]] = {
    "main": _Kind("main action", "#5b6673", "", ("build", "file", "pick")),
    "pay": _Kind("pays", "#7a5c2e", "1 3", ("build",)),
    "free-build-level-1": _Kind("free build", "#7c3aed", "8 3", ("build",)),
    "research": _Kind("research", "#0f766e", "2 2", ("build", "file")),
    "file": _Kind("file", "#be185d", "6 2 2 2", ("file",)),
    "pick": _Kind("pick", "#1d4ed8", "", ("pick",)),
    "draw": _Kind("draw", "#15803d", "4 3", ("draw",)),
    "points": _Kind("points", "#a16207", "10 2", ("points",)),
}


class _Column(NamedTuple):
    title: str
    x: float
    width: float


_COLUMNS: Final[dict[str, _Column]] = {
    "upgrade": _Column("UPGRADE", 8, 128),
    "converter": _Column("CONVERTER", 146, 100),
    "build": _Column("BUILD", 270, 140),
    "file": _Column("FILE", 470, 96),
    "pick": _Column("PICK", 612, 96),
    "out": _Column("", 742, 52),
}
_SHORT: Final = {"free-build-level-1": "free level I", "research": "research", "file": "file"}


class _Play(NamedTuple):
    """What the line does with the engine: step numbers per gizmo used and per card built, from 1."""

    line: Line | None
    used: dict[int, int]
    built: dict[int, int]


def chain_svg(engine: Engine, found: Report, line: Line | None = None, title: str = "Chain graph") -> str:
    """The picture of an engine, with a line to be played if there is one."""
    return _Drawing(engine, found, line, title).svg()


def _play(line: Line | None) -> _Play:
    if line is None:
        return _Play(None, {}, {})
    used = {link.gizmo: link.step + 1 for link in reversed(line.chain)}
    built = {step.action.card: number for number, step in enumerate(line.steps, 1) if isinstance(step.action, Build)}
    return _Play(line, used, built)


class _Drawing:
    """One picture in the making."""

    def __init__(self, engine: Engine, found: Report, line: Line | None, title: str) -> None:
        self.found = found
        self.title = title
        self.play = _play(line)
        self.cards = [CARDS[gizmo] for gizmo in dict.fromkeys((*engine.gizmos, *self.play.built))]
        self.engine = engine
        self.kinds = self._kinds_in_use()
        self.bus = {kind: _TOP + i * _GAP for i, kind in enumerate(self.kinds)}
        self.hub_y = _TOP + len(self.kinds) * _GAP + 6
        self.places: dict[int, Point] = {}
        rows = dict.fromkeys(_COLUMNS, 0)
        for card in self.cards:
            rows[card.area] += 1
            self.places[card.id] = (_COLUMNS[card.area].x, self.hub_y + _HUB + 12 + (rows[card.area] - 1) * _STEP)
        self.bottom = self.hub_y + _HUB + 12 + max(2, *rows.values()) * _STEP

    def svg(self) -> str:
        parts = [
            text(12, 20, self.title, size=15, bold=True),
            *self._rails(),
            *self._effects(),
            *self._play_wires(),
            *self._hubs(),
            *(part for card in self.cards for part in self._gizmo(card)),
        ]
        y = self.bottom + 12
        for words in self._footer():
            parts.append(text(12, y, words, size=12, fill=_PLAY if words[:1].isdigit() else INK))
            y += 17
        parts += _legend(y + 4)
        return svg(WIDTH, y + 24, parts, self.title)

    def _kinds_in_use(self) -> list[str]:
        effects = {card.effect for card in self.cards}
        paying = any(isinstance(step.action, Build) and step.action.converters for step in self._steps())
        return [kind for kind in _KINDS if kind == "main" or kind in effects or (kind == "pay" and paying)]

    def _steps(self) -> tuple[Step, ...]:
        return self.play.line.steps if self.play.line is not None else ()

    # -- events ----------------------------------------------------------------------------------------------------

    def _hub(self, name: str) -> tuple[Point, float]:
        """The top left corner of an event and its width."""
        if name in ("draw", "points"):
            return (_COLUMNS["out"].x, self.hub_y + (34 if name == "points" else 0)), _COLUMNS["out"].width
        return (_COLUMNS[name].x, self.hub_y), _COLUMNS[name].width

    def _hubs(self) -> Iterator[str]:
        for area, column in _COLUMNS.items():
            if area == "out":
                continue
            event = area in ("build", "file", "pick")
            yield box(
                column.x,
                self.hub_y,
                column.width,
                _HUB,
                fill="#e6edf5" if event else "#f3f3f0",
                stroke=INK if event else PALE,
                round_=11 if event else 2,
            )
            yield text(column.x + column.width / 2, self.hub_y + 15, column.title, size=12, bold=True, anchor="middle")
        for name in ("draw", "points"):
            if name in self.kinds:
                (x, y), width = self._hub(name)
                yield box(x, y, width, _HUB, fill="#eef6ee", stroke=INK, round_=11)
                yield text(x + width / 2, y + 15, name.upper(), size=11, bold=True, anchor="middle")

    def _into(self, kind: str, hub: str) -> list[Point]:
        """The end of a wire, from its height down into an event."""
        (x, y), width = self._hub(hub)
        if hub == "points":
            return [(x - 10, self.bus[kind]), (x - 10, y + _HUB / 2), (x, y + _HUB / 2)]
        slots = [each for each in self.kinds if hub in _KINDS[each].hubs]
        at = x + width * (slots.index(kind) + 1) / (len(slots) + 1)
        return [(at, self.bus[kind]), (at, y)]

    def _rail(self, area: str) -> float:
        return _COLUMNS[area].x - 9

    def _rails(self) -> Iterator[str]:
        for area in ("build", "file", "pick"):
            ys = [y for gizmo, (_, y) in self.places.items() if CARDS[gizmo].area == area and CARDS[gizmo].trigger]
            if ys:
                x = self._rail(area)
                yield wire(
                    [(_COLUMNS[area].x, self.hub_y + 11), (x, self.hub_y + 11), (x, max(ys) + _BOX / 2)],
                    stroke=PALE,
                    arrow=False,
                )
                for y in ys:
                    yield wire([(x, y + _BOX / 2), (_COLUMNS[area].x, y + _BOX / 2)], stroke=PALE)

    # -- effects ---------------------------------------------------------------------------------------------------

    def _out(self, card: Card, kind: str) -> list[Point]:
        """The beginning of a wire, from a gizmo up to the height of its kind."""
        (x, y), width = self.places[card.id], _COLUMNS[card.area].width
        column = [each for each in self.kinds if any(c.area == card.area and _kind(c) == each for c in self.cards)]
        gutter = x + width + 8 + 7 * column.index(kind)
        return [(x + width, y + _BOX / 2), (gutter, y + _BOX / 2), (gutter, self.bus[kind])]

    def _effects(self) -> Iterator[str]:
        mains = {event for each in self.found.at_most for event in each.action.split()[:1]}
        shown = {"build", "file", "pick"} & mains | ({"build", "file"} if "research" in mains else set())
        if shown:
            yield text(8, self.bus["main"] + 4, "you: main action", size=11, bold=True)
        for hub in sorted(shown):
            yield wire([(_MAIN, self.bus["main"]), *self._into("main", hub)], stroke=_KINDS["main"].stroke)
        for kind in self.kinds:
            if kind not in ("main", "pay"):
                yield from self._effects_of(kind)

    def _effects_of(self, kind: str) -> Iterator[str]:
        """The wires of one kind: a stub for each gizmo, a trunk for each column, and on to the events."""
        look = _KINDS[kind]
        begin = WIDTH
        for area in _COLUMNS:
            outs = [self._out(card, kind) for card in self.cards if card.area == area and _kind(card) == kind]
            if not outs:
                continue
            lowest = max(outs, key=lambda out: out[0][1])
            begin = min(begin, int(lowest[-1][0]))
            yield from (wire(out[:2], stroke=look.stroke, dash=look.dash, arrow=False) for out in outs if out != lowest)
            for hub in look.hubs:
                yield wire([*lowest, *self._into(kind, hub)], stroke=look.stroke, dash=look.dash)
        yield text(begin + 6, self.bus[kind] - 3, look.words, size=11, fill=look.stroke, bold=True)

    # -- gizmos ----------------------------------------------------------------------------------------------------

    def _gizmo(self, card: Card) -> Iterator[str]:
        (x, y), width = self.places[card.id], _COLUMNS[card.area].width
        played = card.id in self.play.used
        new = card.id in self.play.built
        dead = card.id in self.found.dead and not played
        stroke = _PLAY if played or new else PALE if dead else INK
        yield box(
            x,
            y,
            width,
            _BOX,
            fill=_PLAY_FILL if played else "#f6f6f6" if dead else "#ffffff",
            stroke=stroke,
            thick=2.5 if played or new else 1,
            dash="5 3" if new and not played else "2 3" if dead else "",
        )
        left = x + 13
        for color in card.colors[: 1 if not card.any_color else 4]:
            yield marble(left, y + 13, color, 12)
            left += 14
        yield text(left, y + 17, f"{card.id}", size=13, bold=True, fill=PALE if dead else INK)
        corner = "new" if new else f"{NUMERALS[card.level]}" if card.level else "start"
        yield text(x + width - 6, y + 17, corner, size=11, anchor="end", fill=_PLAY if new else PALE)
        yield from _does(card, x + 7, y + 33)
        if played or new:
            number = self.play.used.get(card.id) or self.play.built[card.id]
            yield badge(x + width, y, str(number))

    # -- the line --------------------------------------------------------------------------------------------------

    def _play_wires(self) -> Iterator[str]:
        line = self.play.line
        if line is None:
            return
        for number, step in enumerate(line.steps):
            caused = [link.gizmo for link in line.chain if link.cause == number and CARDS[link.gizmo].trigger]
            for hub in _hubs_of(step.action):
                yield from self._play_cause(step.by, hub)
                for gizmo in caused:
                    if gizmo in self.places and CARDS[gizmo].area == hub:
                        x, y = self.places[gizmo]
                        rail = self._rail(hub)
                        top = [(_COLUMNS[hub].x, self.hub_y + 11), (rail, self.hub_y + 11)]
                        yield wire([*top, (rail, y + _BOX / 2), (x, y + _BOX / 2)], stroke=_PLAY, thick=3)
            if isinstance(step.action, Build):
                for gizmo in step.action.converters:
                    if gizmo in self.places:
                        yield wire(
                            [*self._out(CARDS[gizmo], "pay"), *self._into("pay", "build")],
                            stroke=_PLAY,
                            thick=3,
                            dash=_KINDS["pay"].dash,
                        )

    def _play_cause(self, by: int, hub: str) -> Iterator[str]:
        if not by:
            if hub in ("build", "file", "pick"):
                yield wire([(_MAIN, self.bus["main"]), *self._into("main", hub)], stroke=_PLAY, thick=3)
        elif by in self.places:
            kind = _kind(CARDS[by])
            if kind in self.kinds and hub in _KINDS[kind].hubs:
                yield wire([*self._out(CARDS[by], kind), *self._into(kind, hub)], stroke=_PLAY, thick=3)

    def _footer(self) -> Iterator[str]:
        line = self.play.line
        if line is not None:
            yield "Best line:"
            for number, step in enumerate(line.steps, 1):
                yield f"{number}  {action_text(step.action)}"
        if self.found.dead:
            yield f"Nothing triggers, as things stand: {', '.join(map(str, self.found.dead))} (dotted)."


def _kind(card: Card) -> str:
    return "pay" if card.area == "converter" else card.effect


def _hubs_of(action: Action) -> tuple[str, ...]:
    match action:
        case Build():
            return ("build",)
        case File():
            return ("file",)
        case Pick():
            return ("pick",)
        case Draw():
            return ("draw",)
        case Points():
            return ("points",)
        case _:
            return ()


def _does(card: Card, x: float, y: float) -> Iterator[str]:
    """What a card does, in symbols and short words."""
    if card.area == "converter":
        for color in card.convert_from if len(card.convert_from) < 4 else ():
            yield marble(x + 6, y - 4, color, 11)
            x += 15
        source = "any " if len(card.convert_from) == 4 else ""
        twice = " twice" if card.convert_uses == 2 and card.convert_to == "any" else ""
        yield text(x + 2, y, f"{source}→ {'two' if card.convert_to == 'double' else 'any'}{twice}")
        return
    if card.area == "upgrade":
        yield text(x, y, _upgrade(card))
        return
    for color in card.trigger_colors:
        yield marble(x + 6, y - 4, color, 11)
        x += 15
    if card.trigger == "build-from-archive":
        yield text(x, y, "archived")
        x += 54
    if card.trigger == "build-level-2":
        yield text(x, y, "level II")
        x += 46
    amount = "" if card.effect in _SHORT else f" {card.amount}"
    yield text(x + 2, y, f"→ {_SHORT.get(card.effect, card.effect)}{amount}")


def _upgrade(card: Card) -> str:
    if card.special:
        return {
            "discount-level-2": "II costs 1 less",
            "discount-from-archive": "archive 1 less",
            "discount-from-research": "research 1 less",
            "points-per-energy": "★ per marble",
            "points-per-token": "★ per token",
            "no-file": "no File",
            "no-research": "no Research",
        }[card.special]
    gains = (("ring", card.storage), ("file", card.archive), ("see", card.research))
    return " ".join(f"{name}+{number}" for name, number in gains if number)


def _legend(y: float) -> Iterator[str]:
    x = 18.0
    for color in COLORS:
        yield marble(x, y, color, 12)
        yield text(x + 12, y + 4, color.name.lower(), size=11)
        x += 70
    yield text(x, y + 4, "bold orange: the line, steps numbered; dashed box: built in it", size=11)
