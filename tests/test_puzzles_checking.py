"""Checking a player's line: where it departs from the best, and what that loses."""

from fractions import Fraction

import pytest

from engine.errors import GizmosError
from puzzles.checking import CheckedLine, check_line, split_steps
from puzzles.finding import shipped_puzzles
from puzzles.values import turn_values


def check(name: str, line: str) -> CheckedLine:
    puzzle = shipped_puzzles()[name].read()
    return check_line(puzzle, turn_values(puzzle.position, puzzle.objective, puzzle.luck), line)


def test_the_stored_line_is_right() -> None:
    checked = check("three-listeners", "build 214 with UU; 233: points; 236: points; 317: points")
    assert checked.right
    assert checked.value == (6.0,)


def test_another_best_line_is_right_too() -> None:
    assert check("three-listeners", "1. build 214\n2. 317: points\n3. 236: points\n4. 233: points").right


def test_a_line_that_departs_is_told_where_and_what_it_loses() -> None:
    checked = check("three-listeners", "build 201 with KKK; 134: points")
    assert not checked.right
    assert checked.departure is checked.steps[0]
    assert checked.loss == (Fraction(2),)
    assert checked.value == (4.0,)


def test_a_line_that_ends_too_early_loses_what_was_left() -> None:
    checked = check("three-listeners", "build 214; 317: points")
    assert checked.departure is None
    assert not checked.right
    assert checked.loss == (Fraction(2),)
    assert {action.gizmo for action in checked.left if hasattr(action, "gizmo")} == {233, 236}


def test_what_earns_nothing_may_be_left_out_or_done() -> None:
    assert check("filing-pays", "file 119; 309: points; 310: points").right
    assert check("filing-pays", "file 119; 309: points; 310: points; 901: draw").right


def test_reveals_may_be_given_or_left_out() -> None:
    assert check("sheet-worked-chain", "build 208; 227: pick Y (row U); 113: draw (K)").right
    assert check("sheet-worked-chain", "build 208; 227: pick Y; 113: draw; end turn").right


def test_another_payment_is_right_if_it_does_as_well_and_wrong_if_it_does_not() -> None:
    assert check("pay-more-than-you-must", "build 103 with R; 132: pick U").right
    assert check("pay-more-than-you-must", "build 103 for free").loss == (Fraction(0), Fraction(1))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("build 999", "step 1: 'build 999'"),
        ("build 214 with UU; pick", "step 2: 'pick' can't be read"),
        ("build 201 with KKK; 134: points; 133: points", "step 3: '133: points' comes too late"),
    ],
)
def test_a_line_that_cannot_be_played_is_refused_at_its_step(line: str, fault: str) -> None:
    with pytest.raises(GizmosError, match="^" + fault):
        check("three-listeners", line)


def test_an_empty_line_is_no_answer() -> None:
    assert not check("three-listeners", "").right


def test_numbers_before_steps_are_no_gizmos() -> None:
    assert split_steps("10. 227: pick Y; 317: points ;") == ["227: pick Y", "317: points"]
