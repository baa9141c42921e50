"""Bad input: every fault is named with its place, the exit code is 2, and nobody sees a traceback."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from command import gizmos
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.examples import example_names, example_text
from app.given import read_given
from engine import write_line

ROOT = Path(__file__).resolve().parent.parent
HEAD = 'format = "gizmos-position/1"\n'

BAD = {
    "a colour that could be two": ('[[players]]\nring = "B"', "players[1].ring", "write U for blue or K for black"),
    "a card that does not exist": ("[[players]]\nbuilt = [901, 999]", "players[1].built", "there is no card 999"),
    "a card in two places": ("[[players]]\nbuilt = [101]\narchive = [101]", "players[1].built", "card 101 lies there"),
    "too many marbles of a colour": (
        'energy_row = "RRRRRR"\n[[players]]\nring = "RRRRR"\n[[players]]\nring = "RRR"',
        "players.ring",
        "14 red marbles",
    ),
    "too long a row": ('energy_row = "RRRRRRR"\n[[players]]\nring = ""', "energy_row", "at most 6"),
    "too full a ring": ('[[players]]\nring = "RRRRRR"', "players[1].ring", "at most 5"),
    "too full an archive": ("[[players]]\narchive = [101, 102]", "players[1].archive", "at most 1"),
    "a level in the wrong row": ("[display]\nI = [201]\n[[players]]\nring = ''", "display.I", "of level II"),
    "too many cards on display": ("[display]\nIII = [301, 302, 303]\n[[players]]\nring=''", "display.III", "at most 2"),
    "a used gizmo that is not built": (
        "[[players]]\nbuilt = [901]\n[turn]\nused = [113]",
        "turn.used",
        "has built",
    ),
    "a seat that nobody has": ("to_move = 3\n[[players]]\nring = ''", "to_move", "seat 3"),
    "a key that does not exist": ("[[players]]\nrings = 'R'", "players[1].rings", "did you mean ring?"),
    "a number where text belongs": ("[[players]]\nring = 5", "players[1].ring", "text in quotes"),
    "no players": ("title = 'x'", "players", "missing"),
    "no TOML": ("[[players]\n", "TOML", "line 2"),
}


@pytest.mark.parametrize("command", ["show", "advise", "legal", "convert"])
@pytest.mark.parametrize(("text", "place", "reason"), BAD.values(), ids=BAD)
def test_a_bad_document_is_refused_with_place_and_reason(command: str, text: str, place: str, reason: str) -> None:
    run = gizmos(command, "-", stdin=HEAD + text)
    assert run.code == 2
    assert run.out == ""
    assert run.err.startswith("Error: ")
    assert "standard input" in run.err
    assert place in run.err
    assert reason in run.err


def test_all_faults_are_listed_at_once() -> None:
    text = 'energy_row = "RRRRRRRX"\nto_move = 7\n[display]\nI = [201, 999]\n[[players]]\nring = "B"\nbuild = [1]'
    run = gizmos("show", "-", stdin=HEAD + text)
    assert run.code == 2
    assert "things are wrong:" in run.err
    for place in ("energy_row", "to_move", "display.I", "players[1].ring", "players[1].build"):
        assert place in run.err
    assert run.err.count("\n- ") >= 5


@pytest.mark.parametrize("ring", ["Red", " r ", "R"])
def test_colours_may_be_written_in_full_and_in_any_case(ring: str) -> None:
    assert gizmos("convert", "-", stdin=f'{HEAD}[[players]]\nring = "{ring}"').out.rstrip().endswith("R.s01")


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("chian", "Did you mean chain?"),
        ("nowhere.toml", "there is no such file"),
        ("/", "a folder"),
        ("gizmos1/nonsense", "is not a position line"),
        ("", "is no file"),
        ("\0", "can't be read"),
        ("x" * 5000, "can't be read"),
    ],
)
def test_a_position_that_is_not_there_is_said_to_be_missing(argument: str, says: str) -> None:
    run = gizmos("show", argument)
    assert run.code == 2
    assert says in run.err


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.toml"
    path.write_bytes(b'title = "\xff\xfe"')
    run = gizmos("show", str(path))
    assert run.code == 2
    assert f"{path}: byte 10 is no UTF-8" in run.err


def test_a_file_without_end_is_refused() -> None:
    run = gizmos("show", "/dev/zero")
    assert run.code == 2
    assert "longer than" in run.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.toml"
    path.write_text(HEAD)
    path.chmod(0)
    run = gizmos("show", str(path))
    assert run.code == 2
    assert "Permission denied" in run.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["advise"],
        ["advise", "chain", "chain"],
        ["advise", "chain", "--luck", "good"],
        ["advise", "chain", "--top", "0"],
        ["advise", "chain", "--top", "many"],
        ["advise", "chain", "--time-limit", "-1"],
        ["advise", "chain", "--objective", "wins"],
        ["advise", "chain", "--objective", ""],
        ["advise", "chain", "--objective", "goal: card 999 built"],
        ["advise", "chain", "--objective", "goal: ring holds 3 B"],
        ["advise", "chain", "--lang", "tlh"],
        ["apply", "chain"],
        ["apply", "chain", "dance"],
        ["apply", "chain", "build 209"],
        ["apply", "chain", "pick R (row Q)"],
        ["apply", "chain", "pick R (row R) (row R)"],
        ["apply", "chain", "build 208", "--to", "xml"],
        ["convert", "chain", "--to", "xml"],
        ["cards", "99"],
        ["cards", "--level", "IV"],
        ["cards", "--color", "B"],
        ["cards", "--effect", "fly"],
        ["show", "chain", "--svg", "/no/such/folder/x.svg"],
        ["dance"],
        ["--dance"],
    ],
    ids=" ".join,
)
def test_bad_arguments_are_refused_with_a_reason(arguments: list[str]) -> None:
    run = gizmos(*arguments)
    assert run.code == 2
    assert run.out == ""
    assert "Error: " in run.err
    assert "Traceback" not in run.err


def test_what_is_illegal_is_answered_with_what_is_legal() -> None:
    err = gizmos("apply", "chain", "pick R", "227: pick Y").err
    assert "'227: pick Y'" in err
    assert "expected" in err


def test_what_could_be_several_things_is_answered_with_all_of_them() -> None:
    err = gizmos("apply", "late", "build 232").err
    assert "could be any of" in err
    assert "`build 232 with YY`" in err


def _broken(text: str, seed: int) -> str:
    """A text with a few random changes of the kinds that slips of hand make."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        length = chance.choice([1, 1, 2, 5, 40])
        other = chance.choice(["", "", '"', "[", "]", "=", "\n", "B", "9", "901", "-", "/", ".", "\x00", "é", "{", "R"])
        text = text[:at] + other + text[at + (length if chance.random() < 0.7 else 0) :]
    return text


TEXTS = [
    *(example_text(name) for name in example_names()),
    *(gizmos("convert", name, "--to", "json").out for name in example_names()),
    *(write_line(read_given(name).position) for name in example_names()),
]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TEXTS), st.integers(0, 2**32))
def test_no_broken_text_is_answered_with_a_traceback(text: str, seed: int) -> None:
    """`gizmos` raises whatever the command lets through."""
    run = gizmos("show", "-", stdin=_broken(text, seed))
    assert run.code in (0, 2)
    assert bool(run.err) == (run.code == 2)
    assert bool(run.out) == (run.code == 0)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_are_answered_with_a_traceback(data: bytes) -> None:
    assert gizmos("show", "-", stdin=data).code == 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=30).filter(lambda text: not text.startswith("-")), min_size=1, max_size=3))
def test_no_actions_are_answered_with_a_traceback(actions: list[str]) -> None:
    assert gizmos("apply", "chain", *actions).code in (0, 2)


def _main_with_a_fault(**variables: str) -> subprocess.CompletedProcess[str]:
    code = (
        "import app.commands.cards, app.cli\n"
        "def broken(words): raise RuntimeError('two\\nlines')\n"
        "app.commands.cards.words_for = broken\n"
        "app.cli.main()"
    )
    return subprocess.run(
        [sys.executable, "-c", code, "cards"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )


def test_a_fault_of_ours_is_reported_as_one() -> None:
    run = _main_with_a_fault()
    assert run.returncode == 70
    assert "This is a fault of gizmos, not yours: RuntimeError: two lines" in run.stderr
    assert "GIZMOS_DEBUG=1" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_fault_of_ours_shows_where_it_happened_if_asked_to() -> None:
    assert "Traceback" in _main_with_a_fault(GIZMOS_DEBUG="1").stderr
