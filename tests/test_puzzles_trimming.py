"""Trimming takes away what does not matter, and nothing that does."""

from fractions import Fraction

import pytest

from engine.marbles import count
from engine.position import Player, Position
from engine.validation import faults
from puzzles.study import Study, study
from puzzles.trimming import cleared, outlook, trimmed
from solver.objective import parse_objective

SCORE = parse_objective("score")


@pytest.fixture(scope="module")
def puzzle() -> Study:
    """Filing pays 2, building pays 1 or 2; 217 and 129 play no part, nor do four of the marbles in the row."""
    built = (129, 217, 309, 310, 312, 901)
    player = Player(ring=count("RU"), built=built, tokens=3)
    position = Position((player,), row=count("RRUUKY"), display=((103, 104), (), ()))
    return study(position, SCORE, "worst")


def test_what_plays_no_part_goes(puzzle: Study) -> None:
    small = trimmed(puzzle.position, SCORE, "worst")
    assert small.player.tokens == 0
    assert small.player.built == (309, 310)
    assert sum(small.row) <= 1


def test_the_outlook_stays(puzzle: Study) -> None:
    seen = outlook(trimmed(puzzle.position, SCORE, "worst"), SCORE, "worst")
    assert seen == outlook(puzzle.position, SCORE, "worst")
    assert seen.value == (Fraction(2),)
    assert seen.temptations["Build", 103, "display"] == (Fraction(1),)


def test_several_cards_to_file_are_cleared_up(puzzle: Study) -> None:
    small = cleared(study(trimmed(puzzle.position, SCORE, "worst"), SCORE, "worst"))
    assert not puzzle.unique
    assert small.unique
    assert small.rough_answers == puzzle.rough_answers


def test_the_trimmed_position_is_possible_and_trims_no_further(puzzle: Study) -> None:
    small = trimmed(puzzle.position, SCORE, "worst")
    assert faults(small) == ()
    assert trimmed(small, SCORE, "worst") == small
