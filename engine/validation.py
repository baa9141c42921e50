"""What makes a position impossible, every fault at once.

A fault begins with its place, named as in a position document (docs/notation.md): `display.II`, `players[2].ring`
(players count from 1, as seats do), `turn.used`. A puzzle may show less than a real table does: fewer marbles, cards,
players and starting gizmos are no faults.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from engine.cards import CARDS, DECK_CARDS, DISPLAY_SIZE, LEVELS, NUMERALS, REMOVED_LEVEL_3, STARTING_GIZMOS, Level
from engine.errors import InvalidPositionError
from engine.marbles import COLORS, MARBLES_PER_COLOR
from engine.position import (
    ROW_SIZE,
    Awaited,
    Pending,
    Player,
    Position,
    Research,
    Turn,
    deck_size,
    sorted_cards,
)

MAX_PLAYERS: Final = 4
MAX_TOKENS: Final = 999
"""The rules know no limit; this one only keeps nonsense out."""


def check(position: Position) -> Position:
    """The position with its cards in the order that `Position` promises, if it is possible.

    >>> check(Position((Player(built=(112, 901)),))).players[0].built
    (112, 901)

    Raises InvalidPositionError with all faults.
    """
    found = faults(position)
    if found:
        raise InvalidPositionError(found)
    return _in_order(position)


def faults(position: Position) -> tuple[str, ...]:
    """Every reason why the rules don't allow a position; empty if they do.

    >>> faults(Position((Player(ring=(0, 0, 9, 0)),)))
    ('players[1].ring: 9 marbles, expected at most 5',)
    """
    if not 1 <= len(position.players) <= MAX_PLAYERS:
        return (f"players: {len(position.players)} of them, expected 1 to {MAX_PLAYERS}",)
    if len(position.display) != len(LEVELS) or len(position.decks) != len(LEVELS):
        return (f"display, decks: expected {len(LEVELS)} levels each",)
    known = _known_cards_only(position)
    return (
        *_table_faults(known),
        *_card_faults(position),
        *(fault for level in LEVELS for fault in _level_faults(known, level)),
        *(fault for seat in range(len(known.players)) for fault in _player_faults(known, seat)),
        *_turn_faults(known),
    )


def _in_order(position: Position) -> Position:
    turn = position.turn
    research = replace(turn.research, seen=sorted_cards(turn.research.seen)) if turn.research else None
    return replace(
        position,
        players=tuple(
            replace(player, built=sorted_cards(player.built), archive=sorted_cards(player.archive))
            for player in position.players
        ),
        display=tuple(sorted_cards(cards) for cards in position.display),
        turn=replace(turn, triggered=sorted_cards(turn.triggered), used=sorted_cards(turn.used), research=research),
    )


def _known_cards_only(position: Position) -> Position:
    """The position without card numbers that do not exist; `_card_faults` speaks of those."""

    def known(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(number for number in cards if number in CARDS)

    turn = position.turn
    research = replace(turn.research, seen=known(turn.research.seen)) if turn.research else None
    pending = turn.pending if turn.pending and turn.pending.gizmo in CARDS else None
    return replace(
        position,
        players=tuple(replace(each, built=known(each.built), archive=known(each.archive)) for each in position.players),
        display=tuple(known(cards) for cards in position.display),
        decks=tuple(replace(deck, top=known(deck.top), bottom=known(deck.bottom)) for deck in position.decks),
        turn=replace(turn, triggered=known(turn.triggered), used=known(turn.used), research=research, pending=pending),
    )


def _table_faults(position: Position) -> Iterator[str]:
    seats = len(position.players)
    for name, seat in (("to_move", position.to_move), ("first_player", position.first_player)):
        if not 0 <= seat < seats:
            yield f"{name}: seat {seat + 1}, expected {_up_to(seats)}"
    if min(position.row) < 0:
        yield "energy_row: a negative number of marbles, expected none or more of each colour"
    if sum(position.row) > ROW_SIZE:
        yield f"energy_row: {sum(position.row)} marbles, expected at most {ROW_SIZE}"
    if position.preview not in (0, 1):
        yield f"preview: {position.preview}, expected 0 (the next marble is hidden) or 1 (it is face up)"
    for color in COLORS:
        visible = MARBLES_PER_COLOR - position.dispenser[color]
        if visible > MARBLES_PER_COLOR:
            name = color.name.lower()
            yield f"energy_row, next, players.ring: {visible} {name} marbles, expected at most {MARBLES_PER_COLOR}"


def _up_to(seats: int) -> str:
    return "1" if seats == 1 else f"1 to {seats}"


def _places(position: Position) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every place where cards lie."""
    for level in LEVELS:
        yield f"display.{NUMERALS[level]}", position.display[level - 1]
        yield f"decks.{NUMERALS[level]}.top", position.deck(level).top
        yield f"decks.{NUMERALS[level]}.bottom", position.deck(level).bottom
    for seat, player in enumerate(position.players, 1):
        yield f"players[{seat}].built", player.built
        yield f"players[{seat}].archive", player.archive
    if position.turn.research is not None:
        yield "turn.research.seen", position.turn.research.seen


def _card_faults(position: Position) -> Iterator[str]:
    """Cards that don't exist, or lie in two places."""
    turn = position.turn
    pending = (turn.pending.gizmo,) if turn.pending else ()
    named = (("turn.triggered", turn.triggered), ("turn.used", turn.used), ("turn.pending.gizmo", pending))
    for place, cards in (*_places(position), *named):
        for number in cards:
            if number not in CARDS:
                yield f"{place}: there is no card {number}, expected 101 to 136, 201 to 236, 301 to 336 or 901 to 904"
    found = defaultdict(list)
    for place, cards in _places(position):
        for number in cards:
            found[number].append(place)
    for number, places in found.items():
        if len(places) > 1:
            where = places[0] if len(set(places)) == 1 else " and ".join(dict.fromkeys(places))
            yield f"{where}: card {number} lies there {_times(len(places))}, expected once in all"
    for place, cards in named:
        for number in sorted(set(cards)):
            if cards.count(number) > 1:
                yield f"{place}: card {number} is listed {_times(cards.count(number))}, expected once"


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _level_faults(position: Position, level: Level) -> Iterator[str]:
    deck, shown = position.deck(level), position.display[level - 1]
    display, place = f"display.{NUMERALS[level]}", f"decks.{NUMERALS[level]}"
    yield from _wrong_level(display, shown, level)
    yield from _wrong_level(f"{place}.top", deck.top, level)
    yield from _wrong_level(f"{place}.bottom", deck.bottom, level)
    if len(shown) > DISPLAY_SIZE[level]:
        yield f"{display}: {len(shown)} cards, expected at most {DISPLAY_SIZE[level]}"
    known = {*deck.top, *deck.bottom}
    if deck.size < len(known):
        yield f"{place}.size: {deck.size}, expected at least {len(known)}, as many as are given as top and bottom"
    elsewhere = len(DECK_CARDS[level]) - len(position.unseen(level)) - len(known)
    room, most = deck_size(level, elsewhere), deck_size(level, 0)
    if deck.size > room:
        yield f"{place}.size: {deck.size}, expected at most {room} ({elsewhere} cards of the level lie elsewhere)"
    if elsewhere > most:
        removed = f"{REMOVED_LEVEL_3} of the level leave each game"
        yield f"display, players: {elsewhere} cards of level {NUMERALS[level]}, expected at most {most} ({removed})"


def _wrong_level(place: str, cards: tuple[int, ...], level: Level) -> Iterator[str]:
    for number in cards:
        if CARDS[number].level != level:
            yield f"{place}: card {number} is {_kind(number)}, expected cards of level {NUMERALS[level]}"


def _kind(number: int) -> str:
    level = CARDS[number].level
    return f"of level {NUMERALS[level]}" if level else "a starting gizmo"


def _player_faults(position: Position, seat: int) -> Iterator[str]:
    player, place = position.players[seat], f"players[{seat + 1}]"
    board = player.dashboard
    if min(player.ring) < 0:
        yield f"{place}.ring: a negative number of marbles, expected none or more of each colour"
    if player.marbles > board.ring_limit:
        yield f"{place}.ring: {player.marbles} marbles, expected at most {board.ring_limit}"
    if len(player.archive) > board.archive_limit:
        yield f"{place}.archive: {len(player.archive)} cards, expected at most {board.archive_limit}"
    starting = [number for number in player.built if number in STARTING_GIZMOS]
    if len(starting) > 1:
        yield f"{place}.built: starting gizmos {_numbers(starting)}, expected one at most"
    for number in player.archive:
        if number in STARTING_GIZMOS:
            yield f"{place}.archive: card {number} is a starting gizmo, expected cards of levels I to III"
    if not 0 <= player.tokens <= MAX_TOKENS:
        yield f"{place}.tokens: {player.tokens}, expected 0 to {MAX_TOKENS}"


def _numbers(cards: list[int]) -> str:
    return ", ".join(str(number) for number in cards)


def _turn_faults(position: Position) -> Iterator[str]:
    turn = position.turn
    if not 0 <= position.to_move < len(position.players):
        return
    if not turn.acted and turn != Turn():
        yield "turn: something has happened in it, expected the main action to be taken (`acted`)"
    yield from _gizmo_faults(turn, position.player)
    if turn.pending is not None:
        yield from _pending_faults(turn, turn.pending)
    if turn.research is not None:
        yield from _research_faults(position, turn.research)
    yield from _awaited_faults(position)


def _gizmo_faults(turn: Turn, player: Player) -> Iterator[str]:
    for place, cards in (("turn.triggered", turn.triggered), ("turn.used", turn.used)):
        for number in cards:
            if number not in player.built:
                yield f"{place}: card {number}, expected gizmos that the player to move has built"
    for number in turn.triggered:
        if not CARDS[number].trigger:
            yield f"turn.triggered: card {number} has no trigger, expected gizmos that wait to be used"
        if number in turn.used:
            yield f"turn.triggered: card {number} is used already, expected gizmos that wait to be used"
    for number in turn.used:
        if not CARDS[number].trigger and not CARDS[number].convert_uses:
            yield f"turn.used: card {number} has nothing to use, expected converters and gizmos with a trigger"


def _pending_faults(turn: Turn, pending: Pending) -> Iterator[str]:
    card = CARDS[pending.gizmo]
    if pending.gizmo not in turn.used:
        yield f"turn.pending.gizmo: card {pending.gizmo}, expected one of turn.used"
    if not card.effect:
        yield f"turn.pending.gizmo: card {pending.gizmo} has no effect, expected a triggered gizmo"
        return
    most = card.amount - 1 if card.effect in ("pick", "draw") else 0
    if not 0 <= pending.done <= most:
        yield f"turn.pending.done: {pending.done}, expected {f'0 to {most}' if most else '0'} for card {pending.gizmo}"
    if turn.research is not None:
        yield "turn.pending: a research is under way, expected no other effect"


def _research_faults(position: Position, research: Research) -> Iterator[str]:
    board = position.player.dashboard
    if research.level not in LEVELS:
        yield f"turn.research.level: {research.level}, expected I, II or III"
        return
    yield from _wrong_level("turn.research.seen", research.seen, research.level)
    owed = position.turn.awaited.count(Awaited("research", research.level))
    total = len(research.seen) + research.unknown + owed
    if not 1 <= total <= board.research_amount:
        yield f"turn.research.seen: {total} cards, expected 1 to {board.research_amount}"
    if owed > position.deck(research.level).size:
        yield f"turn.awaited: {owed} cards of a deck of {position.deck(research.level).size}"
    if not board.can_research:
        forbidding = [number for number in position.player.built if CARDS[number].special == "no-research"]
        yield f"turn.research: card {_numbers(forbidding)} forbids it"


def _awaited_faults(position: Position) -> Iterator[str]:
    turn = position.turn
    if len(set(turn.awaited)) > 1 or (len(turn.awaited) > 1 and turn.awaited[0].kind != "research"):
        yield "turn.awaited: several reveals, expected one, or the cards of one research"
    for awaited in dict.fromkeys(turn.awaited):
        reason = _cannot_await(position, awaited)
        if reason:
            yield f"turn.awaited: no {awaited.kind} can be owed, since {reason}"


def _cannot_await(position: Position, awaited: Awaited) -> str:
    research = position.turn.research
    needs_level = awaited.kind in ("refill", "research")
    if (awaited.level in LEVELS) != needs_level:
        return "it names no deck" if needs_level else "it names a deck"
    if awaited.kind == "research":
        return "" if research and research.level == awaited.level else "no research of this deck is under way"
    if research is not None:
        return "a research is under way"
    if awaited.kind == "row":
        return "the row is full" if sum(position.row) >= ROW_SIZE else ""
    if awaited.kind == "next":
        return "" if len(position.next) < position.preview else "none is missing"
    if awaited.kind == "draw":
        return "the ring is full" if position.player.room <= 0 else ""
    if len(position.display[awaited.level - 1]) >= DISPLAY_SIZE[awaited.level]:
        return "the display is full"
    return "the deck is empty" if position.deck(awaited.level).size <= 0 else ""
