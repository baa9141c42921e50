"""Finding the game's data in what a player pasted.

People paste the object itself, `gameui.gamedatas = {...}`, a text in quotes as consoles print it, or a whole page.
The data is taken wherever it stands, as long as there is exactly one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from engine.errors import UnreadableError, quoted

STATE_KEYS: Final = ("gamestate", "gizmo_cards", "players", "spheres")
"""The keys by which a page's state object is known; two of them are enough, so that others may be missing."""

GAME_KEYS: Final = ("initial_gamedatas", "gamedatas")
"""Keys under which a finished game holds its first page state."""

LOG_KEYS: Final = ("notifications", "gamelogs", "logs")
"""Keys under which a finished game holds its notifications."""

MAX_SIZE: Final = 50_000_000
"""Longer texts (in characters) are refused: a page's state has some 20,000, a finished game some 2,000,000."""

_HOW: Final = (
    "expected the object that `copy(JSON.stringify(gameui.gamedatas))` copies from the game's page (docs/bga.md)"
)
_ATTEMPTS: Final = 20_000
_START: Final = re.compile(r'\{|"(?=(?:\\[nrt]|\s)*\{(?:\\[nrt]|\s)*\\")')
"""Where an object begins, or a quoted text that holds one."""


def find_data(text: str) -> dict[str, Any]:
    """The state of a page, or the object with the first state and the notifications of a finished game.

    >>> find_data('gameui.gamedatas = {"players": {}, "spheres": [], "gizmo_cards": {}};')["spheres"]
    []

    Raises UnreadableError that says what was found instead.
    """
    if len(text) > MAX_SIZE:
        raise UnreadableError(f"the text has {len(text)} characters, expected at most {MAX_SIZE}")
    text = text.strip("\ufeff \t\r\n\0")
    if not text:
        raise UnreadableError(f"there is nothing in it: {_HOW}")
    whole = _parsed(text)
    if whole is None and _is_cut(text):
        raise UnreadableError(f"the text breaks off before the object ends: copy all of it ({_HOW})")
    candidates = [whole] if whole is not None else list(_objects(text))
    found: list[dict[str, Any]] = []
    for candidate in candidates:
        data = _unwrapped(candidate)
        if data is not None and data not in found:
            found.append(data)
    if len(found) == 1:
        return found[0]
    if found:
        raise UnreadableError(f"{len(found)} different states of a game are in it, expected one: copy the one you mean")
    raise UnreadableError(_what_it_is(text, whole, candidates))


def is_state(data: Any) -> bool:
    """True if this looks like the state of a page of this game."""
    ours = isinstance(data, dict) and ("gizmo_cards" in data or "spheres" in data)
    return ours and sum(key in data for key in STATE_KEYS) > 1


def is_game(data: Any) -> bool:
    """True if this looks like a finished game: a first state and notifications."""
    return isinstance(data, dict) and any(is_state(data.get(key)) for key in GAME_KEYS)


def _unwrapped(data: Any) -> dict[str, Any] | None:
    """The state or game in an object: the object itself, or text or a single key around it."""
    for _ in range(4):
        if is_game(data) and any(key in data for key in LOG_KEYS):
            return dict(data)
        if is_state(data):
            return dict(data)
        if isinstance(data, str):
            data = _parsed(data.strip())
        elif isinstance(data, dict):
            data = next((data[key] for key in (*GAME_KEYS, "gameui", "data") if key in data), None)
        else:
            return None
    return None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _objects(text: str) -> Iterator[Any]:
    """Every JSON object or quoted JSON text that stands in a longer text, outermost ones only."""
    decoder = json.JSONDecoder()
    where, attempts, effort = 0, 0, 8 * len(text) + 100_000
    while attempts < _ATTEMPTS and effort > 0:
        start = _START.search(text, where)
        if start is None:
            return
        where = start.start()
        attempts += 1
        try:
            data, end = decoder.raw_decode(text, where)
        except json.JSONDecodeError as error:
            effort -= max(1, error.pos - where)
            where += 1
        except (ValueError, RecursionError):
            effort -= len(text) - where
            where += 1
        else:
            effort -= end - where
            where = end
            yield data


def _what_it_is(text: str, whole: Any, candidates: list[Any]) -> str:
    """One sentence on why there is no state in the text."""
    for data in candidates:
        inner = data
        for key in GAME_KEYS:
            if isinstance(data, dict) and isinstance(data.get(key), dict):
                inner = data[key]
        if isinstance(inner, dict) and "players" in inner and ("gamestate" in inner or "playerorder" in inner):
            missing = " and ".join(key for key in ("gizmo_cards", "spheres") if key not in inner)
            return f"this is the state of another game (it has no {missing}): {_HOW}"
    if "<html" in text[:5000].lower() or "<!doctype" in text[:5000].lower():
        return f"this is a web page without the game's state in it: {_HOW}"
    if whole is not None:
        kind = "an object without the keys of a game" if isinstance(whole, dict) else "no object"
        return f"this is JSON, but {kind}: {_HOW}"
    return f"no game state is in it, which begins with {quoted(text)}: {_HOW}"


def _is_cut(text: str) -> bool:
    """True if an object of ours begins, and the text ends inside it."""
    if not any(f'"{key}"' in text for key in ("gizmo_cards", "spheres", "gamestate", "players")):
        return False
    start = text.find("{")
    try:
        json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as error:
        return (
            error.pos >= len(text) - 1 or "Unterminated" in error.msg or not text[error.pos :].strip(" \t\r\n\0.\u2026")
        )
    except (ValueError, RecursionError):
        return False
    return False
