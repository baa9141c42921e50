"""The shipped collection: every answer derived again by every solver that can, and the only one."""

from collections import Counter
from fractions import Fraction

import pytest

from engine.validation import faults
from puzzles.canonical import canonical_form
from puzzles.difficulty import difficulty, traits_of
from puzzles.document import DIFFICULTIES, Puzzle
from puzzles.finding import part_of, shipped, shipped_puzzles
from puzzles.solving import same_value, solve_puzzle
from puzzles.study import study
from puzzles.themes import themes_of
from puzzles.values import reference_values
from solver import which
from solver.proof import prove

MINED = [name for name in shipped_puzzles() if part_of(name).startswith("mined")]


def holds(puzzle: Puzzle) -> None:
    """Hold one puzzle against what it says about itself."""
    document, answer = puzzle.document, puzzle.answer
    assert answer is not None
    assert answer.proof is not None
    assert faults(puzzle.position) == ()
    solved = solve_puzzle(puzzle)
    assert (solved.verdict, solved.complaints) == ("right", ())
    reference = reference_values(puzzle.position, puzzle.objective, puzzle.luck)
    assert same_value([float(term) for term in max(reference.actions(puzzle.position))], answer.value)
    proof = prove(puzzle.position, objective=puzzle.objective, count=2)
    assert ("cp-sat" in answer.proof.by) is (proof.status == "optimal")
    if proof.status == "optimal":
        assert [Fraction(term) for term in proof.value] == [Fraction(term) for term in answer.value]
        assert proof.count is not None
        assert (proof.count.turns, proof.count.complete) == (1, True)
    seen = study(puzzle.position, puzzle.objective, puzzle.luck)
    assert seen.unique
    assert answer.proof.unique
    assert document.themes == themes_of(seen)
    if part_of(puzzle.id) != "hand":
        assert seen.greedy_fails
        assert document.difficulty == difficulty(seen)
        assert document.traits is not None
        assert document.traits.model_dump() == pytest.approx(vars(traits_of(seen)))


@pytest.mark.parametrize("name", MINED[::30])
def test_a_sample_of_the_mined_puzzles_holds(name: str) -> None:
    holds(shipped_puzzles()[name].read())


@pytest.mark.slow
@pytest.mark.parametrize("name", list(shipped_puzzles()))
def test_every_puzzle_holds(name: str) -> None:
    assert which() == "kernel", "the kernel is one of the solvers that must agree"
    holds(shipped_puzzles()[name].read())


def test_there_are_at_least_200_mined_puzzles_in_five_steps() -> None:
    steps = Counter(puzzle.document.difficulty for puzzle in shipped() if part_of(puzzle.id) != "hand")
    assert sum(steps.values()) >= 200
    assert all(steps[step] >= 30 for step in DIFFICULTIES)


def test_no_two_puzzles_are_the_same_but_for_colours() -> None:
    forms = Counter(canonical_form(each.position, each.objective, each.luck) for each in shipped())
    assert max(forms.values()) == 1


def test_every_mined_puzzle_says_where_it_comes_from() -> None:
    for puzzle in shipped():
        if part_of(puzzle.id) != "hand":
            assert puzzle.document.provenance is not None
            assert puzzle.document.provenance.version
            assert puzzle.document.source
