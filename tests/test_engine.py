"""The namespace of the engine is complete, and imports fast."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import engine
from engine import errors


def test_every_name_that_is_promised_is_there() -> None:
    assert [name for name in engine.__all__ if not hasattr(engine, name)] == []
    assert len(set(engine.__all__)) == len(engine.__all__)
    assert dir(engine) == sorted(engine.__all__)


def test_everything_can_be_imported_at_once() -> None:
    namespace: dict[str, object] = {}
    exec("from engine import *", namespace)  # noqa: S102
    assert namespace.keys() >= set(engine.__all__)


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'read_postion'"):
        engine.read_postion  # noqa: B018


def test_every_error_is_one_of_ours_and_a_value_error() -> None:
    ours = [each for each in vars(errors).values() if isinstance(each, type) and each.__module__ == errors.__name__]
    assert all(issubclass(each, engine.GizmosError) and issubclass(each, ValueError) for each in ours)


def test_names_come_from_the_modules_that_define_them() -> None:
    for name in engine.__all__:
        value = getattr(engine, name)
        home = getattr(value, "__module__", None)
        if isinstance(home, str) and home.startswith("engine."):
            assert getattr(import_module(home), name) is value


def test_importing_the_engine_imports_no_pydantic() -> None:
    code = "import sys, engine; print('pydantic' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1]
    )
    assert run.stdout.strip() == "False"
