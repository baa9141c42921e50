"""`gizmos import-bga` writes positions and records, shows what it could not read, and keeps the rest."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import cli
from engine.document import read_position
from engine.record import load_record, read_record

BGA = Path(__file__).parent / "data" / "bga"
STATE = BGA / "states" / "03_playerTurn_2p_mid.json"
GAME = BGA / "games" / "g1009_2p_chain.json"


def test_a_state_is_written_as_line_toml_or_json() -> None:
    runs = [CliRunner().invoke(cli, ["import-bga", str(STATE), *to]) for to in ([], ["--to", "toml"], ["--to", "json"])]
    assert [run.exit_code for run in runs] == [0, 0, 0]
    line, toml, data = (read_position(run.stdout) for run in runs)
    assert line == toml == data
    assert line.player.name == "Player1"


def test_a_state_may_come_on_standard_input() -> None:
    text = STATE.read_text(encoding="utf-8")
    run = CliRunner().invoke(cli, ["import-bga", "-"], input=f"gameui.gamedatas = {text};")
    assert run.exit_code == 0
    assert run.stdout == CliRunner().invoke(cli, ["import-bga", str(STATE)]).stdout


def test_the_next_turn_of_another_seat_can_be_asked_for() -> None:
    run = CliRunner().invoke(cli, ["import-bga", str(STATE), "--player", "2"])
    assert read_position(run.stdout).to_move == 1


def test_a_game_is_written_as_a_record(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    run = CliRunner().invoke(cli, ["import-bga", str(GAME), "-o", str(file)])
    assert (run.exit_code, run.stdout) == (0, "")
    assert load_record(file).final.is_over


def test_a_partial_result_is_shown_with_its_faults() -> None:
    data = json.loads(STATE.read_text(encoding="utf-8"))
    del data["deck_counts"]
    data["gamestate"]["name"] = "coffeeBreak"
    run = CliRunner().invoke(cli, ["import-bga", "-"], input=json.dumps(data))
    assert run.exit_code == 2
    assert read_position(run.stdout).player.name == "Player1"
    assert "standard input: deck_counts: the key is missing" in run.stderr
    assert "standard input: gamestate.name: 'coffeeBreak'" in run.stderr


def test_a_game_that_can_not_be_followed_to_its_end_is_kept_up_to_there() -> None:
    data = json.loads(GAME.read_text(encoding="utf-8"))
    del data["notifications"][40]
    run = CliRunner().invoke(cli, ["import-bga", "-"], input=json.dumps(data))
    assert run.exit_code == 2
    assert len(read_record(run.stdout).moves) > 50
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is nothing in it"),
        (STATE.read_text(encoding="utf-8")[:3000], "breaks off"),
        ("<html><body></body></html>", "a web page without the game's state"),
        ('{"players": {}, "gamestate": {}}', "the state of another game"),
        (GAME.read_text(encoding="utf-8")[:9000], "breaks off"),
    ],
)
def test_broken_input_gets_one_message(text: str, message: str) -> None:
    run = CliRunner().invoke(cli, ["import-bga", "-"], input=text)
    assert (run.exit_code, run.stdout) == (2, "")
    assert run.stderr.startswith("Error: standard input: ")
    assert message in run.stderr
    assert run.stderr.count("\n") == 1


def test_options_for_positions_are_refused_for_games() -> None:
    run = CliRunner().invoke(cli, ["import-bga", str(GAME), "--to", "line"])
    assert run.exit_code == 2
    assert "expected no --to" in run.stderr
