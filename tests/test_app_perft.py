"""`gizmos perft` prints counts, divided by first moves if asked."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from app.cli import cli


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["perft", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("by", ["kernel", "engine"])
def test_it_counts_by_kernel_and_by_engine(by: str) -> None:
    answer = json.loads(run("chain", "--depth", "1", "--by", by, "--json"))
    assert answer["count"] == 8
    assert answer["position"].startswith("gizmos1/")
    assert "moves" not in answer


def test_it_divides_by_first_moves() -> None:
    answer = json.loads(run("chain", "--depth", "1", "--divide", "--json"))
    assert [entry["count"] for entry in answer["moves"]] == [1] * answer["count"]
    lines = run("chain", "--depth", "1", "--divide").splitlines()
    assert len(lines) == answer["count"] + 1
    assert lines[-1].startswith("8 sequences of 1 action ")


def test_a_first_move_at_depth_nought_is_refused() -> None:
    result = CliRunner().invoke(cli, ["perft", "chain", "--depth", "0", "--divide"])
    assert result.exit_code == 2
    assert "no first move at depth 0" in result.stderr
