"""Hints, addresses and progress: what is told about a puzzle, and what comes back."""

from pathlib import Path

import pytest

from engine.errors import GizmosError
from puzzles.address import read_address, write_address
from puzzles.finding import shipped_puzzles
from puzzles.hints import hints, question
from puzzles.progress import Progress, read_progress, write_progress


@pytest.mark.parametrize("name", list(shipped_puzzles())[:40])
def test_an_address_reads_back_with_and_without_the_answer(name: str) -> None:
    puzzle = shipped_puzzles()[name].read()
    silent = read_address(write_address(puzzle))
    assert (silent.position, silent.objective, silent.luck) == (puzzle.position, puzzle.objective, puzzle.luck)
    assert (silent.id, silent.title, silent.answer) == (puzzle.id, puzzle.title, None)
    told = read_address(
        f"See <{write_address(puzzle, 'http://localhost:8000/', answer=True)}>, or {write_address(puzzle)}."
    )
    assert told.answer is not None
    assert puzzle.answer is not None
    assert (told.answer.value, told.answer.lines) == (puzzle.answer.value, puzzle.answer.lines)
    assert "value" not in write_address(puzzle)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("nothing here", "no puzzle, expected an address"),
        ("gizmos1/110/-/-/0,0,0/-/R.s01?objective=fame", "objective"),
        ("gizmos1/110/-/-/0,0,0/-/R.s01?colour=red", "colour: unknown part of an address"),
        ("gizmos1/110/-/-/0,0,0/-/R.s01?value=six", "value: 'six', expected a number"),
        ("gizmos1/110/-/-/0,0,0/-/RRRRRR.s01", "6 marbles, expected at most 5"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(text: str, fault: str) -> None:
    with pytest.raises(GizmosError, match=fault):
        read_address(text)


def test_hints_go_from_vague_to_clear_and_never_tell_the_line() -> None:
    for found in shipped_puzzles().values():
        puzzle = found.read()
        told = hints(puzzle)
        assert told
        assert puzzle.answer is not None
        for line in puzzle.answer.lines:
            assert not any(line.split(";")[0] in hint for hint in told), found.name


def test_the_question_says_what_is_asked_and_what_of_luck() -> None:
    texts = {name: question(shipped_puzzles()[name].read()) for name in ("a-good-look", "the-marble-that-comes-next")}
    assert texts["a-good-look"] == (
        "Win as many points as you can this turn. Unknown marbles and cards count on average."
    )
    assert texts["the-marble-that-comes-next"].startswith("End the turn with at least 2 yellow marbles in your ring.")


def test_progress_is_kept_and_a_damaged_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "puzzles.json"
    assert read_progress(file).solved == set()
    progress = Progress()
    progress.of("one").solved = True
    progress.of("two").hints = 2
    write_progress(progress, file)
    assert read_progress(file) == progress
    assert read_progress(file).solved == {"one"}
    file.write_text("[", encoding="utf-8")
    with pytest.raises(GizmosError, match="delete it to start anew"):
        read_progress(file)
