"""`gizmos bench` measures, saves what it measured, and compares with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import cli
from solver.measure import SECTIONS, Settings, late_turn, measure
from solver.native import which

TINY = ("--scale", "0.001", "--time-limit", "0.05")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["bench", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_report_compares_with_itself(tmp_path: Path) -> None:
    saved = tmp_path / "report.json"
    saved.write_text(run("perft", *TINY, "--json"), encoding="utf-8")
    report = json.loads(saved.read_text(encoding="utf-8"))
    assert report["format"] == "gizmos-bench/1"
    assert [section["name"] for section in report["sections"]] == ["perft"]
    text = run("perft", *TINY, "--baseline", str(saved))
    assert "baseline" in text
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.slow
def test_every_section_can_be_measured() -> None:
    report = measure((), Settings(0.001, 0.05))
    assert [section.name for section in report.sections] == list(SECTIONS)
    assert report.solver == which()
    for section in report.sections:
        names = [figure.name for figure in section.figures]
        assert len(names) == len(set(names))
        assert all(figure.value >= 0 for figure in section.figures)


def test_unknown_sections_are_refused() -> None:
    result = CliRunner().invoke(cli, ["bench", "speed"])
    assert result.exit_code == 2
    assert "no such section" in result.stderr


@pytest.mark.parametrize("text", ["", "{}", '{"format": "gizmos-bench/9"}'])
def test_a_baseline_that_is_no_report_is_refused(tmp_path: Path, text: str) -> None:
    saved = tmp_path / "report.json"
    saved.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(cli, ["bench", "perft", *TINY, "--baseline", str(saved)])
    assert result.exit_code == 2
    assert "no report of gizmos bench" in result.stderr


def test_late_turns_are_starts_of_turns_and_the_same_for_the_same_seed() -> None:
    turn = late_turn(3)
    assert turn == late_turn(3)
    assert not turn.turn.acted
    assert not turn.is_over
