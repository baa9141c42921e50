"""What an engine can make happen: the events of effects and of main actions, and who listens to them.

An engine is a set of built gizmos and what the table offers them. Without a table everything is on offer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from engine.actions import Build, File, Pick, ResearchDeck
from engine.cards import CARDS, DECK_CARDS, LEVELS, Card, Dashboard, Effect, Level, dashboard
from engine.marbles import COLORS, Color
from engine.position import Player, Position, sorted_cards
from engine.rules import legal_actions

EventKind: TypeAlias = Literal["pick", "file", "build"]


class Event(msgspec.Struct, frozen=True, order=True):
    """Something that gizmos listen to.

    `colors` are those of the marble picked or the card built. `luck`: it takes a reveal to make it possible.
    """

    kind: EventKind
    colors: tuple[Color, ...] = ()
    archive: bool = False
    level: Level = 0
    luck: bool = False


class Engine(msgspec.Struct, frozen=True):
    """Built gizmos, and the table they stand at (None: everything is on offer, nothing is in short supply).

    `gizmos` are the built ones, ascending; `used` those that can't be used any more this turn.
    """

    gizmos: tuple[int, ...]
    position: Position | None = None
    used: tuple[int, ...] = ()

    @property
    def dashboard(self) -> Dashboard:
        """What the gizmos give."""
        return dashboard(self.gizmos)

    @property
    def player(self) -> Player | None:
        """The player to move, if there is a table."""
        return self.position.player if self.position is not None else None


def engine_of(gizmos: Iterable[int]) -> Engine:
    """An engine without a table.

    >>> engine_of((227, 113)).gizmos
    (113, 227)
    """
    return Engine(sorted_cards(gizmos))


def engine_of_position(position: Position) -> Engine:
    """The engine of the player to move."""
    return Engine(position.player.built, position, position.turn.used)


def listens(card: Card, event: Event) -> bool:
    """True if an event triggers a gizmo (rules: "Triggers").

    >>> listens(CARDS[227], Event("build", (Color.BLUE,))), listens(CARDS[208], Event("build", (Color.BLUE,)))
    (True, False)
    """
    match card.trigger:
        case "":
            return False
        case "build-from-archive":
            return event.archive
        case "build-level-2":
            return event.kind == "build" and event.level == 2
        case "file":
            return event.kind == "file"
        case "pick" | "build":
            return event.kind == card.trigger and not set(event.colors).isdisjoint(card.trigger_colors)


def events(engine: Engine, effect: Effect) -> tuple[Event, ...]:
    """Every event that one use of an effect can be, ascending; none for effects that trigger nothing."""
    return tuple(sorted(set(_EFFECT_EVENTS[effect](engine)))) if effect in _EFFECT_EVENTS else ()


def main_events(engine: Engine) -> dict[str, tuple[Event, ...]]:
    """The main actions (`pick`, `file`, `build`, `research`) that are possible, each with the events it can be.

    At a table builds are those that can be paid; none once the main action is done.
    """
    if engine.position is not None:
        return _main_events_at(engine, engine.position)
    found = {
        "pick": events(engine, "pick"),
        "file": events(engine, "file"),
        "build": tuple(sorted(_any_build(engine))),
        "research": events(engine, "research"),
    }
    return {name: each for name, each in found.items() if each}


def _main_events_at(engine: Engine, position: Position) -> dict[str, tuple[Event, ...]]:
    found: dict[str, set[Event]] = {}
    if position.turn.acted:
        return {}
    for action in legal_actions(position):
        match action:
            case Pick():
                found.setdefault("pick", set()).add(Event("pick", (action.color,)))
            case File():
                found.setdefault("file", set()).add(Event("file"))
            case Build():
                found.setdefault("build", set()).add(_build_event(CARDS[action.card], action.source == "archive"))
            case ResearchDeck():
                found.setdefault("research", set()).update(_research_events(engine))
            case _:
                pass
    return {name: tuple(sorted(each)) for name, each in found.items()}


def _build_event(card: Card, archive: bool = False, luck: bool = False) -> Event:
    return Event("build", card.colors, archive, card.level, luck)


def _any_build(engine: Engine) -> Iterator[Event]:
    sources = (False, True) if engine.dashboard.can_file else (False,)
    for card in CARDS.values():
        if card.level:
            yield from (_build_event(card, source) for source in sources)


def _pick_events(engine: Engine) -> Iterator[Event]:
    position = engine.position
    if position is None:
        yield from (Event("pick", (color,)) for color in COLORS)
        return
    for color in COLORS:
        if position.row[color]:
            yield Event("pick", (color,))
        elif (
            color in position.next
            or position.dispenser[color]
            or any(player.ring[color] for player in position.players)
        ):
            yield Event("pick", (color,), luck=True)


def _file_events(engine: Engine) -> Iterator[Event]:
    if not engine.dashboard.can_file:
        return
    position = engine.position
    if position is None or any(position.display):
        yield Event("file")


def _free_builds(engine: Engine) -> Iterator[Event]:
    position = engine.position
    if position is None:
        for color in COLORS:
            yield Event("build", (color,), False, 1)
            if engine.dashboard.can_file:
                yield Event("build", (color,), True, 1)
        return
    shown = position.display[0]
    archived = [number for number in position.player.archive if CARDS[number].level == 1]
    now = {_build_event(CARDS[number]) for number in shown}
    now |= {_build_event(CARDS[number], True) for number in archived}
    yield from now
    if position.deck(1).size:
        for colors in {CARDS[number].colors for number in _hidden(position, 1)}:
            if Event("build", colors, False, 1) not in now:
                yield Event("build", colors, False, 1, luck=True)
    if engine.dashboard.can_file and (shown or position.deck(1).size):
        # A card filed by another effect, or out of a research, may be built from the archive afterwards.
        colors_to_file = {CARDS[number].colors for number in (*shown, *_hidden(position, 1))}
        for colors in colors_to_file:
            if Event("build", colors, True, 1) not in now:
                yield Event("build", colors, True, 1, luck=True)


def _hidden(position: Position, level: Level) -> tuple[int, ...]:
    deck = position.deck(level)
    return (*deck.top, *deck.bottom, *(position.unseen(level) if deck.unknown else ()))


def _research_events(engine: Engine) -> Iterator[Event]:
    if not engine.dashboard.can_research:
        return
    position = engine.position
    for level in LEVELS:
        hidden = DECK_CARDS[level] if position is None else _hidden(position, level)
        if position is not None and not position.deck(level).size:
            continue
        yield from (_build_event(CARDS[number], luck=position is not None) for number in hidden)
        if engine.dashboard.can_file:
            yield Event("file")


_EFFECT_EVENTS: Final = {
    "pick": _pick_events,
    "file": _file_events,
    "free-build-level-1": _free_builds,
    "research": _research_events,
}
