"""Answers can be read on any terminal, in a pipe, and by a program."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import gizmos

from app.examples import example_names

ROOT = Path(__file__).resolve().parent.parent
COLOR = re.compile(r"\x1b\[[0-9;]*m")
ANSWERS = [
    *(["show", name] for name in example_names()),
    *(["advise", name] for name in example_names()),
    ["advise", "gamble", "--plan"],
    ["advise", "chain", "--objective", "goal: ring holds 2 yellow and card 208 built,marbles,activations", "--plan"],
    ["advise", "turn17", "--lang", "pt"],
    ["show"],
    ["cards"],
    ["cards", "--lang", "pt"],
]


def started(arguments: list[str], **variables: str) -> subprocess.CompletedProcess[bytes]:
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=ROOT,
        capture_output=True,
        check=False,
        env={**plain, "PYTHONUTF8": "1", **variables},
    )


@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_an_answer_fits_into_80_columns_without_colours_or_trailing_blanks(arguments: list[str]) -> None:
    out = gizmos(*arguments).out
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in out
    assert all(line == line.rstrip() for line in lines)


def test_colours_are_shown_where_they_are_wanted() -> None:
    colored = started(["show", "chain"], FORCE_COLOR="1", TERM="xterm-256color").stdout.decode()
    assert COLOR.search(colored)
    lines = [line.rstrip() for line in COLOR.sub("", colored).splitlines()]
    assert lines == gizmos("show", "chain").out.splitlines()


@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_are_shown_where_they_are_not_wanted(variables: dict[str, str]) -> None:
    assert b"\x1b" not in started(["show", "chain"], **variables).stdout


def test_a_terminal_that_knows_only_ascii_gets_only_ascii() -> None:
    run = started(["advise", "gamble", "--plan"], PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert run.returncode == 0
    text = run.stdout.decode("ascii")
    assert "build U/Y -> pick 1" in text
    assert "?" not in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["advise", "gamble", "--plan"],
        ["advise", "chain", "--objective", "goal: card 318 built"],
        ["show", "turn17"],
        ["show"],
        ["legal", "chain"],
        ["apply", "chain", "pick Y"],
        ["convert", "chain"],
        ["cards"],
    ],
    ids=" ".join,
)
def test_json_is_all_that_is_printed(arguments: list[str]) -> None:
    run = started([*arguments, "--json"], FORCE_COLOR="1")
    json.loads(run.stdout)
    assert run.stderr == b""


def test_a_reader_who_has_seen_enough_causes_no_complaint() -> None:
    command = [sys.executable, "-m", "app", "cards"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"101")
        process.stdout.close()
        assert process.stderr.read() == b""


def test_the_version_says_which_solver_serves() -> None:
    assert re.fullmatch(r"gizmos-solver \d+\.\d+\.\d+ \((kernel|reference)\)\n", gizmos("--version").out)
