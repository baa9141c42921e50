"""`gizmos prove` as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import cli
from app.examples import example_text
from puzzles.finding import part_of, shipped_puzzles
from solver.proof import prove


def gizmos(*arguments: str, stdin: str | None = None) -> tuple[int, str, str]:
    run = CliRunner().invoke(cli, list(arguments), input=stdin)
    return run.exit_code, run.stdout, run.stderr


def test_a_puzzle_is_proved_and_its_turns_are_counted() -> None:
    code, out, _ = gizmos("prove", "three-listeners", "--count", "20", "--why")
    assert code == 0
    assert "Proved: score 6. No turn does better." in out
    assert "1. build 214 with UU" in out
    assert "1 turn reaches this value" in out
    assert "at most 1 build: 1 main action" in out


def test_a_puzzle_or_a_position_may_come_from_a_file_or_from_standard_input(tmp_path: Path) -> None:
    text = shipped_puzzles()["three-listeners"].text
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    assert "score 6" in gizmos("prove", str(file))[1]
    assert "score 6" in gizmos("prove", "-", stdin=text)[1]
    code, out, _ = gizmos("prove", "-", "--safe", stdin=example_text("chain"))
    assert code == 0
    assert "score 3" in out


def test_a_faulty_puzzle_is_exit_code_2() -> None:
    text = shipped_puzzles()["three-listeners"].text.replace('"UUKKK"', '"UUUUUKKK"')
    code, _, err = gizmos("prove", "-", stdin=text)
    assert code == 2
    assert "players[1].ring" in err


def test_a_turn_with_luck_is_not_proved_and_says_what_is_unknown() -> None:
    code, out, _ = gizmos("prove", "chain")
    assert code == 1
    assert "Not proved (score)" in out
    assert "the cards that a research of deck I" in out


def test_the_best_safe_turn_can_be_proved_instead() -> None:
    code, out, _ = gizmos("prove", "chain", "--safe", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["status"], data["value"], data["bound"], data["safe"]) == ("optimal", [3], [3], True)
    assert data["line"].startswith("build 208 from archive with YY via 217")


def test_a_goal_out_of_reach_is_exit_code_1_with_the_reason() -> None:
    code, out, _ = gizmos("prove", "three-listeners", "--objective", "goal: score >= 99", "--why")
    assert code == 1
    assert "can't be reached by any turn" in out
    assert "at most" in out


def test_an_objective_that_cannot_be_read_is_exit_code_2() -> None:
    code, _, err = gizmos("prove", "three-listeners", "--objective", "fame")
    assert code == 2
    assert "'fame'" in err


def test_out_of_time_is_not_called_proved() -> None:
    code, out, _ = gizmos("prove", "three-listeners", "--time-limit", "0")
    assert code == 1
    assert "time ran out" in out


@pytest.mark.parametrize("part", range(3))
def test_stored_answers_of_puzzles_without_luck_are_proved(part: int) -> None:
    names = [name for name in shipped_puzzles() if part_of(name) == "hand"][part::3]
    proved = 0
    for name in names:
        puzzle = shipped_puzzles()[name].read()
        proof = prove(puzzle.position, objective=puzzle.objective)
        if proof.status == "optimal":
            assert puzzle.answer is not None
            assert tuple(map(float, proof.value)) == tuple(map(float, puzzle.answer.value)), name
            proved += 1
    assert proved >= 2
