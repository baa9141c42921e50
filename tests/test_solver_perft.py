"""Counts of action sequences are those written down, by the engine and by the kernel alike."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from engine import perft as by_engine
from engine.actions import Reveal
from engine.line import read_line
from engine.position import Player, Position
from engine.rules import legal_actions
from engine.setup import new_game
from solver import perft as by_kernel
from solver.compiled import kernel

needs_kernel = pytest.mark.skipif(kernel is None, reason="installed without a compiler")
SUITE = Path(__file__).with_name("data") / "perft.txt"
QUICK = 10_000


class Case(NamedTuple):
    name: str
    line: str
    depth: int
    expected: int


def cases() -> list[Case]:
    lines = SUITE.read_text(encoding="utf-8").splitlines()
    fields = (line.split("; ") for line in lines if not line.startswith("#"))
    return [Case(name, line, int(depth), int(number)) for name, line, depth, number in fields]


def case_id(case: Case) -> str:
    return f"{case.name}-{case.depth}"


@pytest.mark.parametrize("case", [case for case in cases() if case.expected <= QUICK], ids=case_id)
def test_the_engine_counts_what_is_written_down(case: Case) -> None:
    assert by_engine.perft(read_line(case.line), case.depth) == case.expected


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in cases() if case.expected > QUICK], ids=case_id)
def test_the_engine_counts_what_is_written_down_of_large_counts(case: Case) -> None:
    assert by_engine.perft(read_line(case.line), case.depth) == case.expected


@needs_kernel
@pytest.mark.parametrize("case", cases(), ids=case_id)
def test_the_kernel_counts_what_is_written_down(case: Case) -> None:
    assert by_kernel.perft(read_line(case.line), case.depth) == case.expected


@pytest.mark.parametrize("case", [case for case in cases() if 100 < case.expected <= QUICK], ids=case_id)
def test_the_counts_of_the_first_moves_add_up(case: Case) -> None:
    divided = by_kernel.divide(read_line(case.line), case.depth)
    assert divided == by_engine.divide(read_line(case.line), case.depth)
    assert sum(number for _, number in divided) == case.expected


def test_first_moves_are_the_legal_actions() -> None:
    position = new_game(2, 9)
    assert tuple(move for move, _ in by_kernel.divide(position, 1)) == legal_actions(position)


def test_first_moves_are_reveals_where_nature_moves_first() -> None:
    case = next(case for case in cases() if case.name.startswith("owed"))
    divided = by_kernel.divide(read_line(case.line), case.depth)
    assert all(isinstance(move, Reveal) for move, _ in divided)


def test_nothing_can_be_played_when_the_game_is_over() -> None:
    over = Position((Player(built=tuple(range(101, 116))), Player()))
    won = Position((Player(built=(901, *range(101, 116))), Player()))
    assert [by_kernel.perft(over, depth) for depth in (0, 1)] == [1, 1]
    assert [by_kernel.perft(won, depth) for depth in (0, 1, 2)] == [1, 0, 0]


@pytest.mark.parametrize("counting", [by_engine, by_kernel])
def test_depths_that_mean_nothing_are_refused(counting: ModuleType) -> None:
    with pytest.raises(ValueError, match="a depth of -1: expected 0 or more"):
        counting.perft(new_game(2), -1)
    with pytest.raises(ValueError, match="a depth of 0: expected 1 or more"):
        counting.divide(new_game(2), 0)
