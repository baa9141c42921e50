"""`gizmos show`, `legal`, `apply` and `convert`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import gizmos

from app.examples import example_names
from app.given import read_given
from engine import action_text, legal_actions, read_line, read_position, write_line


def test_show_lists_the_examples() -> None:
    run = gizmos("show")
    assert all(name in run.out for name in example_names())
    assert gizmos("show", "--json").data["chain"] == "The official chain"


@pytest.mark.parametrize("name", example_names())
def test_show_draws_every_card_that_lies_face_up(name: str) -> None:
    position = read_given(name).position
    out = gizmos("show", name).out
    for row in position.display:
        assert all(f"{number}  " in out for number in row)
    for player in position.players:
        assert all(str(number) in out for number in (*player.built, *player.archive))


@pytest.mark.parametrize("to", ["line", "toml", "json"])
@pytest.mark.parametrize("name", example_names())
def test_every_notation_reads_back(name: str, to: str, tmp_path: Path) -> None:
    text = gizmos("convert", name, "--to", to).out
    path = tmp_path / "position"
    path.write_text(text, encoding="utf-8")
    position = read_given(name).position
    assert read_position(text) == read_given(str(path)).position == position
    assert gizmos("convert", "-", stdin=text).out.strip() == write_line(position)


def test_a_position_line_is_a_position() -> None:
    line = gizmos("convert", "chain").out.strip()
    assert gizmos("show", line, "--json").data["line"] == line


def test_a_title_is_kept_in_documents() -> None:
    assert 'title = "Turn 17"' in gizmos("convert", "turn17", "--to", "toml").out


def test_a_file_wins_against_an_example_if_its_path_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chain").write_text(gizmos("convert", "start").out)
    assert read_given("chain").title == "The official chain"
    assert read_given("./chain").position == read_given("start").position


def test_legal_lists_what_the_rules_allow_as_apply_reads_it() -> None:
    position = read_given("late").position
    run = gizmos("legal", "late", "--json")
    texts = [action["text"] for action in run.data["actions"]]
    assert texts == [action_text(action) for action in legal_actions(position)]
    assert all(text in gizmos("legal", "late").out for text in texts)
    assert run.data["reveals"] == []


def test_legal_lists_reveals_with_their_chances_when_nature_moves() -> None:
    line = gizmos("apply", "chain", "pick Y", "--to", "line").out.strip()
    reveals = gizmos("legal", line, "--json").data["reveals"]
    assert [each["text"] for each in reveals] == ["row R", "row U", "row K", "row Y"]
    assert sum(each["probability"] for each in reveals) == pytest.approx(1)
    assert "(row R)" in gizmos("legal", line).out


def test_apply_plays_actions_and_reveals() -> None:
    steps = ["build 208 with YY via 217", "227: pick Y (row K)", "113: draw (R)"]
    after = read_line(gizmos("apply", "chain", *steps, "--to", "line").out.strip())
    joined = read_line(gizmos("apply", "chain", "; ".join(steps), "--to", "line").out.strip())
    assert after == joined
    assert after.players[0].points == 10
    assert after.players[0].ring == (2, 0, 0, 1)
    assert after.turn.acted is False


def test_apply_says_what_is_still_to_be_revealed() -> None:
    run = gizmos("apply", "chain", "pick Y")
    assert "to be revealed" in run.out
    assert run.out.splitlines()[-1].startswith("gizmos1/")


def test_apply_as_json_is_pure() -> None:
    data = gizmos("apply", "chain", "pick Y (row R)", "--json").data
    assert data["players"][0]["marbles"] == 4
    assert read_line(data["line"]) == read_position(gizmos("apply", "chain", "pick Y (row R)", "--to", "json").out)


def test_a_game_that_is_over_is_said_to_be() -> None:
    built = ", ".join(map(str, [901, *range(101, 116)]))
    text = f'format = "gizmos-position/1"\n[[players]]\nbuilt = [{built}]\n[[players]]\nring = ""\n'
    assert "The game is over." in gizmos("show", "-", stdin=text).out
    assert "The game is over." in gizmos("legal", "-", stdin=text).out


def test_a_picture_is_written(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    assert gizmos("show", "chain", "--svg", str(path)).out == ""
    assert path.read_text(encoding="utf-8") == gizmos("show", "chain", "--svg", "-").out
