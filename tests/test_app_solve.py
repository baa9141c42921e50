"""`gizmos solve` and `gizmos check` as a person runs them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import cli
from puzzles.finding import shipped_puzzles


def gizmos(*arguments: str, stdin: str | None = None) -> tuple[int, str, str]:
    run = CliRunner().invoke(cli, list(arguments), input=stdin)
    return run.exit_code, run.stdout, run.stderr


def test_a_shipped_puzzle_is_solved_and_its_line_shown() -> None:
    code, out, _ = gizmos("solve", "three-listeners")
    assert code == 0
    assert "right" in out
    assert "best is build 214 with UU" in out


def test_a_folder_with_files_of_every_kind_is_solved(tmp_path: Path) -> None:
    text = shipped_puzzles()["three-listeners"].text
    (tmp_path / "crlf.toml").write_text("\ufeff# mine\r\n" + text.replace("\n", "\r\n"), encoding="utf-8", newline="")
    code, out, _ = gizmos("solve", str(tmp_path), "hand", "--json")
    assert code == 0
    results = json.loads(out)["puzzles"]
    assert {result["verdict"] for result in results} == {"right"}
    assert results[0]["puzzle"].endswith("crlf.toml")
    assert len(results) == 27


def test_a_wrong_answer_is_exit_code_1() -> None:
    text = shipped_puzzles()["three-listeners"].text.replace("value = [6]", "value = [7]")
    code, out, _ = gizmos("solve", "-", stdin=text)
    assert code == 1
    assert "7 is stored, 6 is right" in out


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("gizmos-puzzle/1", "gizmos-puzzle/2", "format: 'gizmos-puzzle/2', expected 'gizmos-puzzle/1'"),
        ('"UUKKK"', '"UUUUUKKK"', "players[1].ring: 8 marbles, expected at most 5"),
        ("value = [6]", "value = 6", "answer.value"),
        ("[display]", "[display", "no TOML document"),
    ],
)
def test_a_puzzle_that_cannot_be_is_exit_code_2(old: str, new: str, place: str) -> None:
    code, _, err = gizmos("solve", "-", stdin=shipped_puzzles()["three-listeners"].text.replace(old, new))
    assert code == 2
    assert place in err


def test_missing_files_are_exit_code_2_and_the_others_are_solved_all_the_same() -> None:
    code, out, err = gizmos("solve", "nowhere.toml", "three-listeners", "no-such-puzzle")
    assert code == 2
    assert "three-listeners" in out
    assert "'nowhere.toml': no such file" in err
    assert "'no-such-puzzle'" in err


def test_a_right_line_is_exit_code_0_and_a_wrong_one_1() -> None:
    code, out, _ = gizmos("check", "three-listeners", "build 214; 317: points; 233: points; 236: points")
    assert (code, out.splitlines()[-1]) == (0, "Right: score 6 (worst luck), and nothing is better.")
    code, out, _ = gizmos("check", "three-listeners", "build 201 with KKK")
    assert code == 1
    assert "loses 2 score" in out
    assert "best: build 214 with UU" in out
    code, out, _ = gizmos("check", "three-listeners", "build 201 with KKK", "--json")
    assert code == 1
    assert json.loads(out)["loss"] == [3.0]


def test_a_line_that_is_none_is_exit_code_2() -> None:
    code, _, err = gizmos("check", "three-listeners", "bake a cake")
    assert code == 2
    assert "step 1" in err
