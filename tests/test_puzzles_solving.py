"""Solving puzzles: the stored answers of the collection, and what becomes of wrong ones."""

import pytest

from engine.cards import CARDS
from puzzles.answers import Answers
from puzzles.finding import Found, part_of, shipped_puzzles
from puzzles.solving import solve_all, solve_found
from puzzles.values import turn_values

HAND = [name for name in shipped_puzzles() if part_of(name) == "hand"]


@pytest.mark.parametrize("name", HAND)
def test_the_answer_stored_by_hand_is_derived_again_and_is_the_only_one(name: str) -> None:
    found = shipped_puzzles()[name]
    solved = solve_found(found)
    assert (solved.verdict, solved.complaints) == ("right", ())
    puzzle = found.read()
    values = turn_values(puzzle.position, puzzle.objective, puzzle.luck)
    assert len(Answers(values, puzzle.luck).lean(puzzle.position)) == 1
    assert puzzle.document.text
    assert puzzle.document.hints


def test_the_hand_made_puzzles_cover_every_kind_of_effect() -> None:
    texts = " ".join(found.text for name, found in shipped_puzzles().items() if name in HAND)
    there = [card for card in CARDS.values() if str(card.id) in texts]
    kinds: set[tuple[str, str, int]] = {(card.trigger, card.effect, card.amount) for card in there}
    kinds |= {(card.convert_to, str(len(card.convert_from)), card.convert_uses) for card in there}
    assert {card.special for card in CARDS.values()} - {"no-file", ""} <= {card.special for card in there}
    assert {
        ("file", "pick", 1), ("file", "points", 1), ("file", "draw", 3), ("pick", "draw", 1), ("build", "pick", 1),
        ("build", "points", 2), ("build", "free-build-level-1", 1), ("build", "file", 1), ("build", "research", 1),
        ("build-from-archive", "pick", 2), ("build-from-archive", "points", 2), ("build-level-2", "pick", 2),
        ("any", "1", 1), ("any", "1", 2), ("any", "4", 1), ("double", "1", 1), ("double", "2", 2),
    } - kinds == set()  # fmt: skip


def changed(name: str, old: str, new: str) -> Found:
    text = shipped_puzzles()[name].text
    assert old in text
    return Found("changed", text.replace(old, new))


def test_a_wrong_stored_value_is_wrong() -> None:
    solved = solve_found(changed("three-listeners", "value = [6]", "value = [7]"))
    assert solved.verdict == "wrong"
    assert solved.complaints == ("answer.value: 7 is stored, 6 is right",)


def test_a_stored_line_that_is_not_best_is_wrong() -> None:
    solved = solve_found(changed("three-listeners", "233: points; ", ""))
    assert solved.verdict == "wrong"
    assert "ends too early" in solved.complaints[0]
    solved = solve_found(changed("free-from-the-archive", "116 from archive; 135: points; 307: points", "104"))
    assert "`319: build 104` loses 2 against `319: build 116 from archive`" in solved.complaints[0]


def test_a_puzzle_without_answer_is_solved() -> None:
    text = shipped_puzzles()["three-listeners"].text
    solved = solve_found(Found("new", text[: text.index("[answer]")]))
    assert (solved.verdict, solved.value, solved.stored) == ("new", (6.0,), None)
    assert solved.line.startswith("build 214 with UU")


def test_bad_input_is_a_verdict_with_every_fault() -> None:
    solved = solve_found(changed("three-listeners", '"UUKKK"', '"UUKKKB"'))
    assert solved.verdict == "bad"
    assert solved.complaints[0].startswith("changed: players[1].ring")


def test_results_come_in_order_however_many_jobs_there_are() -> None:
    puzzles = [shipped_puzzles()[name] for name in HAND[:6]]
    alone = [(each.name, each.value, each.line) for each in solve_all(puzzles)]
    assert alone == [(each.name, each.value, each.line) for each in solve_all(puzzles, jobs=2)]
    assert [name for name, _, _ in alone] == HAND[:6]
