"""TOML and JSON text into pydantic models, with every fault of the text collected and put in words.

Imports pydantic, so nothing that must start fast imports this module at its top.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from difflib import get_close_matches
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from engine.errors import GizmosError, UnreadableError, quoted

Path: TypeAlias = tuple[str | int, ...]
"""Where in a document something stands: keys, and indices counted from 0."""

Model = TypeVar("Model", bound=BaseModel)

_EXPECTED: Final = {
    "int_type": "a whole number",
    "string_type": "text in quotes",
    "list_type": "a list in square brackets",
    "model_type": "a table of keys and values",
    "dict_type": "a table of keys and values",
}


def load(text: str) -> dict[str, Any]:
    """Read a TOML or JSON document as a table; a byte order mark and any line ends are fine.

    >>> load("a = 1  # one") == load('{"a": 1}')
    True

    Raises UnreadableError that names line and column.
    """
    text = text.removeprefix("\ufeff")
    is_json = text.lstrip().startswith("{")
    language = "JSON" if is_json else "TOML"
    try:
        return _load_json(text) if is_json else tomllib.loads(text)
    except RecursionError as error:
        raise UnreadableError(f"the document nests too deeply for {language}") from error
    except GizmosError:
        raise
    except ValueError as error:
        start = quoted(text.strip()[:40])
        raise UnreadableError(f"no {language} document ({error}), which begins with {start}") from error


def read_model(model: type[Model], data: Mapping[str, Any]) -> tuple[Model | None, dict[Path, str]]:
    """Validate a table; with it come all its faults, by where they stand.

    The model comes from what is left when the faulty parts are taken out, so that more can be checked; it is None if
    too little is left.
    """
    rest = deepcopy(dict(data))
    faults: dict[Path, str] = {}
    while True:
        try:
            return model.model_validate(rest), faults
        except ValidationError as error:
            details = error.errors(include_url=False)
        for detail in details:
            faults.setdefault(_path(detail), _fault(model, detail))
        if any(not _to_take_out(detail) for detail in details):
            return None, faults
        for detail in reversed(details):
            _take_out(rest, detail)


def place(path: Path) -> str:
    """Name a place as it is written in documents and faults; list items count from 1.

    >>> place(("players", 0, "ring"))
    'players[1].ring'
    """
    return "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def _load_json(text: str) -> dict[str, Any]:
    data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    return dict(data)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise UnreadableError([f"key {quoted(key)} is given more than once, expected once" for key in twice])
    return table


def _no_number(text: str) -> NoReturn:
    raise UnreadableError(f"{text} is not a number that a document can hold")


def _to_take_out(detail: ErrorDetails) -> Path:
    """The faulty part; of a missing one, what misses it."""
    path = _path(detail)
    return path[:-1] if detail["type"] == "missing" else path


def _path(detail: ErrorDetails) -> Path:
    """Where a fault stands; pydantic marks one in a key, not its value, by a last step of its own."""
    path = detail["loc"]
    return path[:-1] if path[-1:] == ("[key]",) else path


def _take_out(data: Any, detail: ErrorDetails) -> None:
    """Remove a part, unless it has gone with what held it; a table in a list becomes empty, so that others stay put."""
    *parents, last = _to_take_out(detail)
    for step in parents:
        if isinstance(step, str) and step not in data:
            return
        data = data[step]
    if isinstance(last, str):
        data.pop(last, None)
    elif detail["type"] == "model_type":
        data[last] = {}
    else:
        del data[last]


def _fault(model: type[BaseModel], detail: ErrorDetails) -> str:
    path, kind = _path(detail), detail["type"]
    where = place(path)
    if kind == "extra_forbidden":
        return f"{where}: unknown key{_suggestion(str(path[-1]), _keys(model, path[:-1]))}"
    if kind == "missing":
        return f"{where}: missing, expected {_keys(model, path[:-1])[str(path[-1])]}"
    if kind == "value_error":
        return f"{where}: {detail['ctx']['error']}"
    if kind == "literal_error":
        return f"{where}: {_shown(detail['input'])}, expected {detail['ctx']['expected']}"
    return f"{where}: {_shown(detail['input'])}, expected {_EXPECTED.get(kind, detail['msg'])}"


def _shown(value: Any) -> str:
    return quoted(value) if isinstance(value, str) else quoted(str(value))[1:-1]


def _suggestion(key: str, known: Iterable[str]) -> str:
    close = get_close_matches(key, known, n=1)
    return f", did you mean {close[0]}?" if close else f", expected one of {', '.join(known)}"


def _keys(model: type[BaseModel], path: Path) -> dict[str, str]:
    """The keys that a table inside a model may have, each with what it means."""
    for step in path:
        if step in model.model_fields:
            model = next(_models_in(model.model_fields[str(step)].annotation))
    return {name: field.description or "" for name, field in model.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
