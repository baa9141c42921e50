"""Position lines: a whole position in one short line that survives in addresses and in a shell (docs/notation.md).

Fields are separated by `/`, their parts by `.`; parts missing at the end of a field are left out, and an empty field is
written `-`:

    gizmos1/SEATS/ROW.NEXT/DISPLAY/DECK,DECK,DECK/TURN/PLAYER/PLAYER...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, Final

from engine.cards import LEVELS, Level
from engine.errors import UnreadableError, quoted
from engine.marbles import count, letters, parse_marbles
from engine.position import Awaited, Deck, Pending, Player, Position, Research, RevealKind, Turn
from engine.validation import check

PREFIX: Final = "gizmos1/"
_HUNDREDS: Final = {"s": 9, "a": 1, "b": 2, "c": 3}
_HUNDRED_LETTERS: Final = {hundred: letter for letter, hundred in _HUNDREDS.items()}
_REVEALS: Final[dict[str, RevealKind]] = {"w": "row", "n": "next", "d": "draw", "f": "refill", "r": "research"}
_REVEAL_LETTERS: Final = {kind: letter for letter, kind in _REVEALS.items()}
_CARDS: Final = r"(?:[sabc](?:\d\d)+)*"

_PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"


def write_line(position: Position) -> str:
    """Write a position as one line of letters, digits and `/ . , - _ ~`.

    >>> write_line(Position((Player("Ann", count("RRY"), (112, 204, 901)), Player()), row=count("UUY")))
    'gizmos1/110/UUY/-/0,0,0/-/RRY.a12b04s01...Ann/-'
    """
    seats = f"{position.to_move + 1}{position.first_player + 1}{position.preview}"
    row = _join(letters(position.row), "".join(color.letter for color in position.next))
    display = _cards_text(number for cards in position.display for number in cards)
    decks = ",".join(map(_deck_text, position.decks))
    players = (_player_text(player) for player in position.players)
    return PREFIX + "/".join((seats, row, display or "-", decks, _turn_text(position.turn), *players))


def read_line(text: str) -> Position:
    """Read a position line.

    >>> read_line("gizmos1/110/UUY/-/0,0,0/-/RRY.a12b04s01...Ann/-").player.name
    'Ann'

    Raises UnreadableError that names each unreadable field, or InvalidPositionError.
    """
    text = text.strip()
    fields = text.removeprefix(PREFIX).split("/")
    readers = [*_READERS.items(), *((f"players[{seat}]", _read_player) for seat in range(1, len(fields) - 4))]
    if not text.startswith(PREFIX) or len(fields) != len(readers):
        expected = f"{PREFIX}{'/'.join(_READERS).upper()}/PLAYER..."
        raise UnreadableError(f"{quoted(text)} is not a position line, expected {expected}")
    faults: list[str] = []
    given: list[Any] = []
    for field, (name, reader) in zip(fields, readers, strict=True):
        try:
            given.append(reader("" if field == "-" else field))
        except UnreadableError as error:
            faults += [f"{name}: {fault}" for fault in error.faults]
    if faults:
        raise UnreadableError(faults)
    seats, row, display, decks, turn, *players = given
    return check(Position(**seats, **row, display=display, decks=decks, turn=turn, players=tuple(players)))


def _match(pattern: str, text: str, expected: str) -> re.Match[str]:
    match = re.fullmatch(pattern, text, re.ASCII)
    if match is None:
        raise UnreadableError(f"{quoted(text)}, expected {expected}")
    return match


def _parts(text: str, most: int) -> list[str]:
    """The parts of a field, as many as it can have."""
    parts = text.split(".")
    if len(parts) > most:
        raise UnreadableError(f"{quoted(text)}, expected at most {most} parts separated by `.`")
    return [*parts, *[""] * (most - len(parts))]


def _join(*parts: str) -> str:
    return ".".join(parts).rstrip(".") or "-"


def _cards_text(cards: Iterable[int]) -> str:
    """Cards one after the other: a letter for the level where it changes, then two digits each."""
    groups = groupby(cards, key=lambda number: number // 100)
    return "".join(_HUNDRED_LETTERS[hundred] + _pairs(numbers) for hundred, numbers in groups)


def _read_cards(text: str) -> tuple[int, ...]:
    _match(_CARDS, text, "cards such as a1218b04 for 112, 118, 204 (s starting gizmos, a, b, c levels I, II, III)")
    return tuple(
        number
        for letter, pairs in re.findall(r"([sabc])(\d+)", text)
        for number in _read_pairs(pairs, _HUNDREDS[letter])
    )


def _pairs(cards: Iterable[int]) -> str:
    return "".join(f"{number % 100:02}" for number in cards)


def _read_pairs(text: str, hundred: int) -> tuple[int, ...]:
    _match(r"(\d\d)*", text, "the last two digits of each card number")
    return tuple(100 * hundred + int(text[i : i + 2]) for i in range(0, len(text), 2))


def _read_number(text: str) -> int:
    return int(_match(r"\d{1,4}", text, "a number")[0])


def _read_seats(text: str) -> dict[str, int]:
    expected = "three digits: seat to move, seat of the first player, marbles face up as NEXT"
    to_move, first_player, preview = _match(r"(\d)(\d)(\d)", text, expected).groups()
    return {"to_move": int(to_move) - 1, "first_player": int(first_player) - 1, "preview": int(preview)}


def _read_row(text: str) -> dict[str, Any]:
    row, upcoming = _parts(text, 2)
    return {"row": count(row), "next": parse_marbles(upcoming)}


def _read_display(text: str) -> tuple[tuple[int, ...], ...]:
    cards = _read_cards(text)
    if any(number // 100 not in LEVELS for number in cards):
        raise UnreadableError(f"{quoted(text)}, expected cards of levels I to III only (a, b, c)")
    return tuple(tuple(number for number in cards if number // 100 == level) for level in LEVELS)


def _deck_text(deck: Deck) -> str:
    return _join(str(deck.size), _pairs(deck.top), _pairs(deck.bottom))


def _read_decks(text: str) -> tuple[Deck, ...]:
    decks = text.split(",")
    if len(decks) != len(LEVELS):
        raise UnreadableError(f"{quoted(text)}, expected three decks separated by commas")
    return tuple(_read_deck(level, deck) for level, deck in zip(LEVELS, decks, strict=True))


def _read_deck(level: Level, text: str) -> Deck:
    size, top, bottom = _parts(text, 3)
    return Deck(_read_number(size), _read_pairs(top, level), _read_pairs(bottom, level))


def _turn_text(turn: Turn) -> str:
    if turn == Turn():
        return "-"
    pending, research = turn.pending, turn.research
    return _join(
        f"t{_cards_text(turn.triggered)}",
        _cards_text(turn.used),
        f"{_cards_text([pending.gizmo])}x{pending.done}" if pending else "",
        _research_text(research) if research else "",
        "".join(f"{_REVEAL_LETTERS[each.kind]}{each.level or ''}" for each in turn.awaited),
    )


def _research_text(research: Research) -> str:
    return f"{research.level}{_pairs(research.seen)}{f'x{research.unknown}' if research.unknown else ''}"


def _read_turn(text: str) -> Turn:
    if not text:
        return Turn()
    triggered, used, pending, research, awaited = _parts(text, 5)
    return Turn(
        acted=True,
        triggered=_read_cards(_match("t(.*)", triggered, "t at the beginning of a turn")[1]),
        used=_read_cards(used),
        pending=_read_pending(pending) if pending else None,
        research=_read_research(research) if research else None,
        awaited=_read_awaited(awaited),
    )


def _read_pending(text: str) -> Pending:
    card, done = _match(r"([sabc]\d\d)x(\d)", text, "a gizmo and what it has done, such as b08x1").groups()
    return Pending(_read_cards(card)[0], int(done))


def _read_research(text: str) -> Research:
    expected = "a level and the cards seen, such as 20311 for 203 and 211, with x1 for each unknown one"
    level, seen, unknown = _match(r"([123])([^x]*)(?:x(\d{1,2}))?", text, expected).groups()
    return Research(int(level), _read_pairs(seen, int(level)), int(unknown or 0))


def _read_awaited(text: str) -> tuple[Awaited, ...]:
    _match(r"([wnd]|[fr][123])*", text, "reveals: w row, n next, d draw, f1 refill I, r2 research II")
    return tuple(Awaited(_REVEALS[kind], int(level or 0)) for kind, level in re.findall(r"([a-z])(\d?)", text))


def _player_text(player: Player) -> str:
    tokens = str(player.tokens) if player.tokens else ""
    name = _escaped(player.name)
    return _join(letters(player.ring), _cards_text(player.built), _cards_text(player.archive), tokens, name)


def _read_player(text: str) -> Player:
    ring, built, archive, tokens, name = _parts(text, 5)
    return Player(
        _read_name(name), count(ring), _read_cards(built), _read_cards(archive), _read_number(tokens) if tokens else 0
    )


def _escaped(name: str) -> str:
    """A name in letters, digits and `- _ ~`: blanks become `_`, any other byte of its UTF-8 `~` and two digits."""
    return "".join(
        "_" if byte == ord(" ") else chr(byte) if chr(byte) in _PLAIN else f"~{byte:02X}"
        for byte in name.encode("utf-8", "surrogatepass")
    )


def _read_name(text: str) -> str:
    _match(r"([A-Za-z0-9_-]|~[0-9A-F]{2})*", text, "letters, digits, `-`, `_` for a blank and `~` with two hex digits")
    raw = re.sub(r"~(..)", lambda match: chr(int(match[1], 16)), text.replace("_", " ")).encode("latin-1")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{quoted(text)}, expected a name in UTF-8 ({error.reason})") from error


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "seats": _read_seats,
    "row": _read_row,
    "display": _read_display,
    "decks": _read_decks,
    "turn": _read_turn,
}
