"""What users read about cards, boards and turns: one catalogue of texts per language (`app/data/words.*.toml`).

Adding a language takes nothing but its file.
"""

from __future__ import annotations

import os
import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from engine.errors import UnreadableError, quoted

DEFAULT: Final = "en"
VARIABLE: Final = "GIZMOS_LANG"
_NAME: Final = re.compile(r"words\.([a-z]+)\.toml")


class Words:
    """The texts of one language, by key.

    >>> words = Words("en")
    >>> words("effect.draw", n=3)
    'draw 3'
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = _catalogue(language)

    def __call__(self, key: str, n: float | None = None, **values: object) -> str:
        """The text of a key, filled in; of a pair of texts the one that fits `n`.

        Raises KeyError for a key that the catalogue does not have.
        """
        text = self._texts[key]
        if isinstance(text, tuple):
            text = text[0 if n in (1, -1) else 1]
        return text.format(n=n, **values) if values or n is not None else text

    def keys(self) -> tuple[str, ...]:
        """All keys of the catalogue."""
        return tuple(self._texts)

    def texts(self, key: str) -> tuple[str, ...]:
        """The text of a key, or its pair of texts, not filled in."""
        text = self._texts[key]
        return text if isinstance(text, tuple) else (text,)


def languages() -> tuple[str, ...]:
    """The languages that there is a catalogue of.

    >>> "en" in languages()
    True
    """
    names = (_NAME.fullmatch(entry.name) for entry in files("app").joinpath("data").iterdir())
    return tuple(sorted(name[1] for name in names if name))


def words_for(language: str | None = None) -> Words:
    """The words of a language; of the one that the environment names, or English, for None.

    `pt_BR.UTF-8` and the like are read as `pt`. Raises UnreadableError for a language there is no catalogue of.
    """
    given = language or os.environ.get(VARIABLE) or DEFAULT
    short = re.split(r"[-_.@]", given.strip().lower())[0]
    if short not in languages():
        raise UnreadableError(f"language {quoted(given)}: there are no words for it, expected {', '.join(languages())}")
    return Words(short)


@lru_cache
def _catalogue(language: str) -> dict[str, str | tuple[str, ...]]:
    text = files("app").joinpath(f"data/words.{language}.toml").read_text(encoding="utf-8")
    return dict(_flat("", tomllib.loads(text)))


def _flat(prefix: str, table: dict[str, Any]) -> list[tuple[str, str | tuple[str, ...]]]:
    found: list[tuple[str, str | tuple[str, ...]]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += _flat(f"{prefix}{key}.", value)
        else:
            found.append((prefix + key, tuple(value) if isinstance(value, list) else value))
    return found
