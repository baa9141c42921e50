"""Puzzle documents: what they may say, and what is wrong with those that can't be."""

import json
from pathlib import Path

import pytest

from engine.errors import InvalidPositionError, UnreadableError
from puzzles.document import json_schema, puzzle_to_json, puzzle_to_toml, read_puzzle
from puzzles.finding import shipped_puzzles

ROOT = Path(__file__).resolve().parent.parent

GOOD = """
# Three points, and a chain.
format = "gizmos-puzzle/1"
id = "good"
objective = "score,activations"
difficulty = 1
energy_row = "Y"
[decks]
I = { size = 0 }
II = { size = 0 }
III = { size = 0 }
[[players]]
ring = "RYY"
built = [901, 101, 113, 217, 227]
archive = [208]
[answer]
value = [3, 3]
lines = ["build 208 from archive with YY via 217; 227: pick Y (row R); 113: draw (R)"]
"""


def faults_of(text: str) -> list[str]:
    with pytest.raises((UnreadableError, InvalidPositionError)) as caught:
        read_puzzle(text)
    return list(caught.value.faults)


def test_a_puzzle_reads_as_toml_and_writes_as_toml_and_json() -> None:
    puzzle = read_puzzle(GOOD)
    assert puzzle.position.player.archive == (208,)
    assert (puzzle.luck, str(puzzle.objective)) == ("worst", "score,activations")
    for text in (puzzle_to_toml(puzzle.document), puzzle_to_json(puzzle.document)):
        again = read_puzzle(text)
        assert (again.position, again.answer, again.id) == (puzzle.position, puzzle.answer, "good")


@pytest.mark.parametrize("name", shipped_puzzles())
def test_every_shipped_puzzle_reads_and_round_trips(name: str) -> None:
    puzzle = shipped_puzzles()[name].read()
    assert puzzle.id == name
    for text in (puzzle_to_toml(puzzle.document), puzzle_to_json(puzzle.document)):
        again = read_puzzle(text)
        assert again.position == puzzle.position
        assert again.document.model_dump(exclude={"decks", "players"}) == puzzle.document.model_dump(
            exclude={"decks", "players"}
        ) | {name: getattr(again.document, name) for name in ("display", "next", "preview", "energy_row")}


@pytest.mark.parametrize("wrap", [lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t, lambda t: "# note\n" + t])
def test_line_ends_byte_order_marks_and_comments_are_fine(wrap) -> None:  # type: ignore[no-untyped-def]
    assert read_puzzle(wrap(GOOD)).position == read_puzzle(GOOD).position


def test_an_unknown_version_is_named_with_the_known_one() -> None:
    (fault,) = faults_of(GOOD.replace("gizmos-puzzle/1", "gizmos-puzzle/7"))
    assert "gizmos-puzzle/7" in fault
    assert "gizmos-puzzle/1" in fault


def test_all_faults_come_at_once_each_with_its_place() -> None:
    text = GOOD.replace('energy_row = "Y"', 'energy_row = "YB"').replace("difficulty = 1", "difficulty = 9")
    text = (
        text.replace("score,activations", "fame").replace("208]", "208, 902]").replace("[answer]", "[answer]\nnote=1")
    )
    faults = faults_of(text)
    for place in ("energy_row", "difficulty", "objective", "players[1].archive", "answer.note"):
        assert any(fault.startswith(place) for fault in faults), (place, faults)


def test_an_impossible_position_is_refused() -> None:
    assert faults_of(GOOD.replace('"RYY"', '"RYYYYY"')) == ["players[1].ring: 6 marbles, expected at most 5"]


def test_an_answer_must_fit_its_puzzle() -> None:
    text = GOOD.replace("[3, 3]", "[3]").replace("via 217", "via 101")
    values, line = faults_of(text)
    assert values == "answer.value: 1 numbers, expected 2 for the objective score,activations"
    assert line.startswith("answer.lines[1]: 'build 208 from archive with YY via 101' is not legal here")


def test_a_finished_game_is_no_puzzle() -> None:
    built = [901, *range(101, 117)]
    text = f'format = "gizmos-puzzle/1"\nplayers = [{{ built = {built} }}]'
    assert faults_of(text) == ["players: the game is over in this position, expected one with a turn to play"]


def test_the_published_schema_is_that_of_the_code() -> None:
    published = json.loads((ROOT / "docs/puzzle.schema.json").read_text(encoding="utf-8"))
    assert published == json.loads(json.dumps(json_schema())), "write it anew: python -m puzzles.document"
