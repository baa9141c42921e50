"""`gizmos combos` as a person runs it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from app.cli import cli
from engine import parse_line, read_line


def gizmos(*arguments: str) -> tuple[int, str, str]:
    run = CliRunner().invoke(cli, list(arguments))
    return run.exit_code, run.stdout, run.stderr


def test_a_position_is_told_action_by_action() -> None:
    code, out, _ = gizmos("combos", "chain", "--luck", "worst")
    assert code == 0
    assert "build yellow from archive" in out
    assert "ring at the end" in out


def test_a_list_of_gizmos_too() -> None:
    code, out, _ = gizmos("combos", "--built", "901,113,227,118", "--json")
    data = {each["action"]: each for each in json.loads(out)}
    assert code == 0
    assert data["file"]["marbles"] == 3


def test_what_to_add_is_said_with_the_reason() -> None:
    code, out, _ = gizmos("combos", "chain", "--add")
    assert code == 0
    assert "208 Y II: from archive > pick 2" in out
    assert "feeds 113" in out


def test_the_fastest_game_replays() -> None:
    code, out, _ = gizmos("combos", "--fastest", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["turns"], data["turns_at_least"]) == (11, 10)
    parse_line(read_line(data["position"]), data["line"])


def test_a_design_is_shown_with_its_bound() -> None:
    code, out, _ = gizmos("combos", "--best", "1")
    assert code == 0
    assert "8 points in one turn, and no such engine does better" in out


@pytest.mark.parametrize(("objective", "value"), [("score", 8), ("activations", 1), ("marbles", 1)])
def test_a_design_for_an_objective_is_proved_and_its_line_can_be_read(objective: str, value: int) -> None:
    code, out, _ = gizmos("combos", "--best", "1", "--objective", objective, "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["objective"], data["value"], data["bound"], data["greatest"]) == (objective, value, value, True)
    parse_line(read_line(data["position"]), data["line"])


def test_a_design_for_marbles_says_what_it_counts() -> None:
    code, out, _ = gizmos("combos", "--best", "2", "--objective", "marbles")
    assert code == 0
    assert "4 marbles gained in one turn, and no such engine does better" in out


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ((), "expected one of"),
        (("chain", "--fastest"), "expected one of"),
        (("chain", "--built", "901"), "either a POSITION or --built"),
        (("chain", "--luck", "good"), "--luck 'good'"),
        (("--best", "1", "--objective", "goal: card 318 built"), "one of score, activations, marbles"),
        (("--best", "1", "--objective", "score,marbles"), "one of score, activations, marbles"),
        (("--fastest", "--objective", "marbles"), "--objective goes with --best"),
    ],
)
def test_what_cannot_be_understood_is_said(arguments: tuple[str, ...], fault: str) -> None:
    code, _, err = gizmos("combos", *arguments)
    assert code == 2
    assert fault in err
