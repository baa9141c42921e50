"""`gizmos game` writes a game down step by step, shows any moment of it, and never leaves half a record behind."""

import json
import shlex
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from app.cli import cli
from app.commands.game import _EXAMPLES, _read_steps
from engine.document import read_position
from engine.errors import GizmosError
from engine.playout import play, random_chooser
from engine.record import Record, load_record, save_record
from engine.setup import new_game

DISPLAY = "101 107 112 130 204 211 220 305 318"


def game(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["game", *map(str, arguments)])


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    file = tmp_path / "evening.jsonl"
    run = game("new", file, "--players", "Ann,Ben", "--row", "RRUUKY", "--display", DISPLAY)
    assert run.exit_code == 0, run.stderr
    return file


def test_a_game_begins_as_the_cards_lie_on_the_table(file: Path) -> None:
    start = load_record(file).start
    assert [player.name for player in start.players] == ["Ann", "Ben"]
    assert start.row == (2, 2, 1, 1)
    assert " ".join(str(card) for cards in start.display for card in cards) == DISPLAY


def test_a_seed_deals_the_same_game_again(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert game("new", tmp_path / name, "--players", "A,B,C", "--seed", 5).exit_code == 0
    assert load_record(tmp_path / "a") == load_record(tmp_path / "b")
    assert "Dealt with --seed" in game("new", tmp_path / "c").stderr


def test_a_game_is_written_down_step_by_step(file: Path) -> None:
    run = game("step", file, "pick U", "row R", "research II (? 203 ?); file 203 from research")
    assert run.exit_code == 0, run.stderr
    assert run.stdout.splitlines()[:3] == ["+ pick U", "+ row R", "+ research II"]
    run = game("step", file, "902: draw (Y)")
    assert "Ann to decide" in run.stdout
    final = load_record(file).final
    assert final.players[1].archive == (203,)
    assert final.players[1].ring == (0, 0, 0, 1)


def test_what_is_owed_is_said(file: Path) -> None:
    assert "to be revealed: refill I" in game("step", file, "file 101").stdout


def test_a_wrong_step_changes_nothing(file: Path) -> None:
    before = file.read_bytes()
    for steps in (
        ["pick U (row R)", "pick Q"],
        ["pick U", "refill 203"],
        ["902: draw"],
        ["pick U (R"],
        ["pick U (R R)"],
    ):
        run = game("step", file, *steps)
        assert run.exit_code == 2
        assert run.stderr.startswith("Error: ")
    assert file.read_bytes() == before
    assert [each.name for each in file.parent.iterdir()] == ["evening.jsonl"]


def test_undo_takes_actions_back_with_what_they_revealed(file: Path) -> None:
    start = file.read_bytes()
    game("step", file, "pick U (row R)")
    once = file.read_bytes()
    game("step", file, "research II (? ? ?)", "pass")
    assert game("undo", file, "--count", 2).exit_code == 0
    assert file.read_bytes() == once
    assert game("undo", file).exit_code == 0
    assert file.read_bytes() == start
    run = game("undo", file)
    assert run.exit_code == 2
    assert "the game has 0 actions" in run.stderr


def test_any_moment_can_be_shown(file: Path) -> None:
    game("step", file, "pick U (row R)", "pick R (row K)")
    text = game("show", file).stdout
    assert "  1 Ann: pick U (row R)" in text
    assert "  2 Ben: pick R (row K)" in text
    shown = json.loads(game("show", file, "--ply", 2, "--json").stdout)
    assert shown["format"] == "gizmos-game-show/1"
    assert shown["moves"][0] == {"ply": 1, "player": 1, "kind": "action", "text": "pick U"}
    assert read_position(shown["line"]) == load_record(file).positions()[2]
    assert "expected 0 to 4" in game("show", file, "--ply", 5).stderr


def test_a_file_is_not_replaced_unasked(file: Path) -> None:
    run = game("new", file, "--players", "A,B", "--seed", 1)
    assert run.exit_code == 2
    assert "--force replaces it" in run.stderr
    assert game("new", file, "--players", "A,B", "--seed", 1, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--row", "RRX", "--display", DISPLAY], "--row: 'X' is not a marble colour"),
        (["--row", "RRUUKY", "--display", "101 102"], "--display: 2 cards of level I, expected 4"),
        (["--row", "RRRRRRR", "--display", DISPLAY], "row: 7 marbles, expected at most 6"),
        (["--row", "RRUUKY", "--display", DISPLAY + " abc"], "--display: 'abc' is no card number"),
        (["--players", "A,B,C,D,E"], "5 players"),
        (["--from", "nothing.json"], "nothing.json"),
    ],
)
def test_a_faulty_beginning_is_explained(tmp_path: Path, options: list[str], message: str) -> None:
    run = game("new", tmp_path / "x", *options)
    assert run.exit_code == 2
    assert message in run.stderr
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("example", [each for examples in _EXAMPLES.values() for each in examples])
def test_the_examples_of_the_help_work(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, command, name, *options = shlex.split(example)
    if name != "new":
        begun = new_game(2, seed=7)
        choose, nature = random_chooser(Random(1)), Random(1)
        moves = [move for move, _ in islice(play(begun, choose, nature), 40)] if name != "step" else []
        save_record(Record(begun, tuple(moves)), Path("evening.jsonl"))
    assert command == "game"
    run = game(name, *options)
    assert run.exit_code == 0, run.stderr


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(st.sampled_from("pick UR(next)refil20 3file;:,?draw\nSséarch"), max_size=30), max_size=3))
def test_any_step_is_read_or_refused(texts: list[str]) -> None:
    with suppress(GizmosError):
        moves = _read_steps(Record(new_game(2)), texts)
        assert Record(new_game(2), tuple(moves)).final.players


def test_a_damaged_record_names_file_and_line(file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8") + '{"action": "fly"}\n', encoding="utf-8")
    run = game("show", file)
    assert run.exit_code == 2
    assert "evening.jsonl: line 2: 'fly' is not an action" in run.stderr
