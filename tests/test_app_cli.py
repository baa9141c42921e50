"""The command line as a whole: every command is listed, explained and loads only when it runs."""

from __future__ import annotations

import inspect
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from app.cli import COMMANDS, Entry, cli, load

ROOT = Path(__file__).resolve().parent.parent


def entry_id(entry: Entry) -> str:
    return entry.name


def test_without_arguments_the_help_is_shown() -> None:
    run = CliRunner().invoke(cli, [])
    assert run.exit_code == 0
    assert all(f"  {entry.name}" in run.stdout for entry in COMMANDS)


@pytest.mark.parametrize("entry", COMMANDS, ids=entry_id)
def test_the_table_says_what_the_command_itself_says(entry: Entry) -> None:
    assert (inspect.cleandoc(load(entry).help or "")).splitlines()[0] == entry.summary


@pytest.mark.parametrize("entry", COMMANDS, ids=entry_id)
def test_every_command_shows_examples_in_its_help(entry: Entry) -> None:
    if isinstance(load(entry), typer.core.TyperGroup):
        pytest.skip("a group of commands")
    run = CliRunner().invoke(cli, [entry.name, "--help"])
    assert run.exit_code == 0
    assert f"Examples:\n  gizmos {entry.name}" in run.stdout


def test_a_mistyped_command_is_answered_with_a_near_one() -> None:
    run = CliRunner().invoke(cli, ["card"])
    assert run.exit_code == 2
    assert "'cards'" in run.stderr


def test_help_does_not_load_the_game() -> None:
    code = "import sys; from app.cli import main\ntry: main()\nexcept SystemExit: print(*sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"rich.console", "engine.cards", "solver", "msgspec"} & set(run.stderr.split())


def test_help_is_there_at_once() -> None:
    """Processor time, so that other work on the machine does not count."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "app", "--help"], cwd=ROOT, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(5)) < 0.3
