"""A finished game, from the first page state and the notifications that followed, as a game record.

Notifications leave things out: which gizmo's effect a pick carries out, which converters paid, which cards a research
showed, and every decision to do nothing. So all explanations of the notifications so far that the rules allow are
followed side by side, as the positions they lead to; explanations that lead to the same position are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from engine.actions import (
    UNKNOWN_CARD,
    Action,
    Build,
    Draw,
    EndTurn,
    File,
    Move,
    Pass,
    Pick,
    Points,
    ResearchDeck,
    Reveal,
    Skip,
)
from engine.bga.page import GAME_KEYS, LOG_KEYS
from engine.bga.state import marble_color, read_state
from engine.bga.values import Faults, flag, shown
from engine.cards import CARDS, LEVELS, NUMERALS, parse_level
from engine.errors import GizmosError, IllegalActionError, UnreadableError
from engine.marbles import NO_MARBLES, Marbles, count
from engine.position import Position
from engine.record import BGA, Record, may_pass, play_recorded
from engine.reveals import weighted_reveals
from engine.rules import legal_actions

_SOURCE: Final = "Board Game Arena"
_MOST: Final = 5000
"""Explanations followed at once; far more than any game needs."""

_NESTING: Final = 8
"""How deep notifications lie in packets, generously."""

_FROM_THE_START: Final = "expected the page state from before the first move (docs/bga.md)"

_TOLD: Final = ("sphereSelect", "sphereDrawn", "cardBuiltOrFiled", "research", "victoryPoint")
_LEFT: Final = "zombiePass"


class Event(NamedTuple):
    """A notification that tells of an action. `place` names it, `seat` is None if it does not say whose it was."""

    place: str
    type: str
    seat: int | None
    card: int = 0
    marble: int = -1
    new_marble: int | None = None
    new_card: int = 0
    filed: bool = False
    from_archive: bool = False
    spend: Marbles = NO_MARBLES
    level: int = 0
    number: int = 0


class Replayed(NamedTuple):
    """A record, and what could not be read; with faults the record may end early."""

    record: Record
    faults: tuple[str, ...]


class _Trail(NamedTuple):
    """The moves that led somewhere, the last one first."""

    move: Move
    before: _Trail | None


_Explanations = dict[Position, "_Trail | None"]


def read_game(data: Mapping[str, Any]) -> Replayed:
    """The record of a game, as far as its notifications can be followed.

    Raises UnreadableError or InvalidPositionError if the first page state or the notifications can't be read at all.
    """
    first = next((data[key] for key in GAME_KEYS if isinstance(data.get(key), dict)), None)
    if first is None:
        raise UnreadableError(f"the first page state is missing: expected it under {GAME_KEYS[0]!r}")
    try:
        state = read_state(first)
    except GizmosError as error:
        raise UnreadableError([f"{GAME_KEYS[0]}.{fault}" for fault in error.faults]) from error
    if state.faults:
        raise UnreadableError([f"{GAME_KEYS[0]}.{fault}" for fault in state.faults])
    faults = Faults()
    events = list(_events(data, {number: seat for seat, number in enumerate(state.ids)}, faults))
    start = state.position
    if start.is_over:
        raise UnreadableError(f"{GAME_KEYS[0]}: the game is over in this page state, {_FROM_THE_START}")
    title = " against ".join(player.name or f"player {seat}" for seat, player in enumerate(start.players, 1))
    record = Record(start, title=title, source=_SOURCE, rules=BGA)
    if not events and not faults.found:
        faults.add(LOG_KEYS[0], "no notification tells of an action, expected those of a whole game")
    explained: _Explanations = {start: None}
    for event in events:
        following = _follow(explained, event)
        if not following:
            begun = any(trail is not None for trail in explained.values())
            hint = "the record ends before it" if begun else _FROM_THE_START
            faults.add(event.place, f"{_told(event)} can't be what followed; {hint}")
            break
        explained = following
    else:
        explained = _ended(explained)
    moves = _moves(next(iter(explained.values())))
    return Replayed(record.with_moves(moves), tuple(faults.found))


def _moves(trail: _Trail | None) -> list[Move]:
    moves: list[Move] = []
    while trail is not None:
        moves.append(trail.move)
        trail = trail.before
    return moves[::-1]


def _events(data: Mapping[str, Any], seats: dict[str, int], faults: Faults) -> Iterator[Event]:
    given = [key for key in LOG_KEYS if key in data]
    if not given:
        raise UnreadableError(f"the notifications are missing: expected them under {LOG_KEYS[0]!r}")
    seen: set[str] = set()
    for place, notification in _notifications(data[given[0]], given[0], 0):
        kind = notification.get("type")
        uid = notification.get("uid")
        if isinstance(uid, str) and uid in seen:
            continue
        seen.add(str(uid))
        if kind == _LEFT:
            faults.add(place, "a player has left the game; the record ends before it")
            return
        if kind in _TOLD:
            before = len(faults.found)
            event = _event(place, str(kind), faults.table(notification.get("args"), f"{place}.args"), seats, faults)
            if len(faults.found) > before:
                return
            yield event


def _notifications(logs: Any, place: str, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The notifications of a list of them, or of a list of packets, each with a list under `data`."""
    if depth > _NESTING:
        return
    if isinstance(logs, dict):
        key = next((key for key in (*LOG_KEYS, "data") if key in logs), "")
        yield from _notifications(
            logs[key] if key else list(logs.values()), f"{place}.{key}" if key else place, depth + 1
        )
        return
    if not isinstance(logs, list):
        return
    for index, entry in enumerate(logs):
        here = f"{place}[{index}]"
        if isinstance(entry, dict) and "type" in entry and "args" in entry:
            yield here, entry
        elif isinstance(entry, dict | list):
            yield from _notifications(entry, here, depth + 1)


def _event(place: str, kind: str, args: dict[str, Any], seats: dict[str, int], faults: Faults) -> Event:
    place = f"{place}.args"
    seat = seats.get(str(args["player_id"])) if "player_id" in args else None
    if seat is None and (kind != "research" or "player_id" in args):
        expected = f"expected one of {', '.join(seats)}"
        faults.add(f"{place}.player_id", f"{shown(args.get('player_id'))}, {expected}")
    event = Event(place.removesuffix(".args"), kind, seat)

    def number(key: str, expected: str) -> int:
        return faults.number(faults.field(args, key, place), f"{place}.{key}", 0, expected) if key in args else -1

    if kind == "sphereSelect":
        new = args.get("new_sphere_id")
        event = event._replace(
            marble=_marble(args, "purchased_sphere_id", place, faults),
            new_marble=None if new in (None, "", 0, "0") else _marble(args, "new_sphere_id", place, faults),
        )
    elif kind == "sphereDrawn":
        event = event._replace(marble=_marble(args, "sphere_id", place, faults))
    elif kind == "victoryPoint":
        event = event._replace(number=number("number", "how many points"))
    elif kind == "research":
        event = event._replace(level=_level(args, place, faults), number=number("n", "how many cards"))
    else:
        new_card = args.get("new_card_id")
        event = event._replace(
            card=faults.card(faults.field(args, "purchased_card_id", place), f"{place}.purchased_card_id"),
            filed=flag(args.get("was_filed")),
            from_archive=flag(args.get("built_from_file")),
            new_card=faults.card(new_card, f"{place}.new_card_id") if new_card else 0,
            spend=_spent(args.get("spent_spheres"), f"{place}.spent_spheres", faults),
        )
    return event


def _marble(args: dict[str, Any], key: str, place: str, faults: Faults) -> int:
    number = faults.number(faults.field(args, key, place), f"{place}.{key}", 0, "a marble's number")
    return int(marble_color(number))


def _level(args: dict[str, Any], place: str, faults: Faults) -> int:
    value = faults.field(args, "level", place)
    try:
        return parse_level(str(value))
    except UnreadableError:
        faults.add(f"{place}.level", f"{shown(value)}, expected I, II or III")
        return LEVELS[0]


def _spent(value: Any, place: str, faults: Faults) -> Marbles:
    words = str(value).split(",") if value not in (None, "") else []
    numbers = [faults.number(word.strip(), place, 0, "marbles' numbers, separated by commas") for word in words]
    return count(tuple(marble_color(number) for number in numbers))


def _told(event: Event) -> str:
    who = f"of player {event.seat + 1} " if event.seat is not None else ""
    what = {
        "sphereSelect": f"{who}picking {'RUKY'[event.marble]}",
        "sphereDrawn": f"{who}drawing {'RUKY'[event.marble]}",
        "victoryPoint": f"{who}taking {event.number} points",
        "research": f"{who}of deck {NUMERALS[event.level]}",
    }.get(event.type, f"{who}{'filing' if event.filed else 'building'} {event.card}")
    return f"{event.type} {what}"


def _follow(explained: _Explanations, event: Event) -> _Explanations:
    """All explanations of the notifications up to this one."""
    following: _Explanations = {}
    for position, trail in _with_silent_moves(explained, event).items():
        for action in _actions(position, event):
            outcome = _nature(*_played(position, trail, action), event)
            if outcome is not None and len(following) < _MOST:
                following.setdefault(*outcome)
    return following


def _with_silent_moves(explained: _Explanations, event: Event | None) -> _Explanations:
    """What may have come before the next notification: the same, or after decisions that are not told."""
    reached: _Explanations = {}
    layer = dict(explained)
    while layer and len(reached) < _MOST:
        reached |= {position: trail for position, trail in layer.items() if position not in reached}
        following: _Explanations = {}
        for position, trail in layer.items():
            for after, longer in _silent(position, trail, event):
                if after not in reached:
                    following.setdefault(after, longer)
        layer = following
    return reached


def _silent(position: Position, trail: _Trail | None, event: Event | None) -> Iterator[tuple[Position, _Trail | None]]:
    """Every single decision that is not told, and the cards that a research showed."""
    turn = position.turn
    if turn.awaited:
        if turn.awaited[0].kind == "research":
            yield _seen(position, trail, 0)
            if event is not None and event.card:
                with_card = _seen(position, trail, event.card)
                if with_card[0].turn.research and event.card in with_card[0].turn.research.seen:
                    yield with_card
        return
    if position.is_over:
        return
    if turn.research is not None:
        yield _played(position, trail, Pass())
    elif turn.pending is not None:
        if Skip() in legal_actions(position):
            yield _played(position, trail, Skip())
    elif turn.acted:
        yield _played(position, trail, EndTurn())
    elif may_pass(position):
        yield _played(position, trail, Pass())


def _seen(position: Position, trail: _Trail | None, card: int) -> tuple[Position, _Trail | None]:
    """The cards of a research, all unknown but one that is kept later (0: none is)."""
    while position.is_chance and position.turn.awaited[0].kind == "research":
        possible = [each.value for each, _ in weighted_reveals(position)]
        value = card if card in possible else UNKNOWN_CARD if len(possible) > 1 else possible[0]
        position, trail = _played(position, trail, Reveal("research", value))
    return position, trail


def _played(position: Position, trail: _Trail | None, move: Move) -> tuple[Position, _Trail]:
    return play_recorded(position, move, BGA), _Trail(move, trail)


def _actions(position: Position, event: Event) -> Iterator[Action]:
    """The legal actions that a notification may tell of."""
    if position.is_chance or (event.seat is not None and event.seat != position.to_move):
        return
    for action in legal_actions(position):
        match action:
            case Pick():
                fits = event.type == "sphereSelect" and action.color == event.marble
            case Draw():
                fits = event.type == "sphereDrawn"
            case Points():
                fits = event.type == "victoryPoint" and CARDS[action.gizmo].amount == event.number
            case ResearchDeck():
                fits = event.type == "research" and action.level == event.level
            case File():
                fits = event.filed and action.card == event.card
            case Build():
                fits = _fits_build(action, event)
            case _:
                fits = False
        if fits:
            yield action


def _fits_build(action: Build, event: Event) -> bool:
    if event.type != "cardBuiltOrFiled" or event.filed or action.card != event.card:
        return False
    return action.spend == event.spend and (action.source == "archive") == event.from_archive


def _nature(position: Position, trail: _Trail, event: Event) -> tuple[Position, _Trail] | None:
    """What nature did after the action of an event; None if that is not possible. Researched cards are left open."""
    while position.is_chance and position.turn.awaited[0].kind != "research":
        kind = position.turn.awaited[0].kind
        told: dict[str, int | None] = {
            "row": None,
            "next": event.new_marble,
            "draw": event.marble if event.type == "sphereDrawn" else None,
            "refill": event.new_card or None,
        }
        value = told[kind]
        if value is None:
            return None
        try:
            position, trail = _played(position, trail, Reveal(kind, value))
        except IllegalActionError:
            return None
    return position, trail


def _ended(explained: _Explanations) -> _Explanations:
    """The explanations that end the game, if there are any; else those there were."""
    reached = _with_silent_moves(explained, None)
    over = {position: trail for position, trail in reached.items() if position.is_over}
    return over or explained
