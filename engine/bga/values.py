"""Reading values out of a page's objects: numbers may be strings, an empty map may be `[]`, faults are collected."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from engine.cards import CARDS
from engine.errors import quoted

_EXPECTED_CARDS: Final = "101 to 136, 201 to 236, 301 to 336 or 901 to 904"
_NUMBER: Final = re.compile(r"-?\d{1,9}", re.ASCII)


class Faults:
    """Collects what is wrong, each fault with the path of keys where it was met."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, place: str, fault: str) -> None:
        """Note a fault, once."""
        sentence = f"{place}: {fault}"
        if sentence not in self.found:
            self.found.append(sentence)

    def table(self, value: Any, place: str) -> dict[str, Any]:
        """A map; `[]` is an empty one, and a list counts as a map by index."""
        if isinstance(value, dict):
            return {str(key): each for key, each in value.items()}
        if isinstance(value, list):
            return {str(index): each for index, each in enumerate(value)}
        self.add(place, f"{shown(value)}, expected an object")
        return {}

    def number(self, value: Any, place: str, default: int, expected: str = "a number") -> int:
        """A whole number, or a string that is one."""
        if isinstance(value, bool) or not isinstance(value, int | str) or not _NUMBER.fullmatch(str(value)):
            self.add(place, f"{shown(value)}, expected {expected}")
            return default
        return int(value)

    def card(self, value: Any, place: str) -> int:
        """A card number; 0 if it is none."""
        number = self.number(value, place, 0, "a card number")
        if number and number not in CARDS:
            self.add(place, f"there is no card {number}, expected {_EXPECTED_CARDS}")
            return 0
        return number

    def field(self, table: dict[str, Any], key: str, place: str) -> Any:
        """The value of a key that must be there; None, and a fault, if it is not."""
        if key not in table:
            self.add(place, f"the key {key!r} is missing")
        return table.get(key)


def shown(value: Any) -> str:
    """A value as a message quotes it.

    >>> shown([1, 2]), shown("x")
    ('[1,2]', "'x'")
    """
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return "nothing"
    return quoted(msgspec.json.encode(value).decode())[1:-1]


def flag(value: Any) -> bool:
    """True for 1, "1" and true."""
    return value in (True, 1, "1", "true")


def ascending(cards: Iterable[int]) -> tuple[int, ...]:
    """Cards in ascending order, without the zeros that stand for unreadable ones."""
    return tuple(sorted(card for card in cards if card))
