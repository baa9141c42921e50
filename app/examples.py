"""The positions that come with the program, by name."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

_SUFFIX: Final = ".toml"


def example_names() -> tuple[str, ...]:
    """The names of all shipped examples.

    >>> "chain" in example_names()
    True
    """
    entries = files("app").joinpath("data/examples").iterdir()
    return tuple(sorted(entry.name.removesuffix(_SUFFIX) for entry in entries if entry.name.endswith(_SUFFIX)))


def example_text(name: str) -> str:
    """The document of a shipped example. Raises KeyError if there is none of this name."""
    if name not in example_names():
        raise KeyError(name)
    return files("app").joinpath(f"data/examples/{name}{_SUFFIX}").read_text(encoding="utf-8")
