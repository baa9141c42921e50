"""`gizmos puzzles` as a person runs it: list, show, play, export, import, mine."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import cli
from puzzles.finding import shipped_puzzles
from puzzles.progress import read_progress


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIZMOS_DATA", str(tmp_path / "data"))


def gizmos(*arguments: str, stdin: str | None = None) -> tuple[int, str, str]:
    run = CliRunner().invoke(cli, ["puzzles", *arguments], input=stdin)
    return run.exit_code, run.stdout, run.stderr


def test_the_list_can_be_narrowed() -> None:
    code, out, _ = gizmos("list", "--theme", "free-build", "--part", "hand", "--json")
    assert code == 0
    assert {row["id"] for row in json.loads(out)["puzzles"]} == {"free-from-the-archive", "one-build-three-cards"}
    code, out, _ = gizmos("list", "--difficulty", "1")
    assert code == 0
    assert "three-listeners" in out


def test_a_puzzle_is_shown_without_its_answer_unless_asked() -> None:
    code, out, _ = gizmos("show", "three-listeners")
    assert code == 0
    assert "Win as many points as you can this turn." in out
    assert "214 with UU" not in out
    assert "1. build 214 with UU" in gizmos("show", "three-listeners", "--answer")[1]
    assert "answer" not in json.loads(gizmos("show", "three-listeners", "--json")[1])


def test_a_puzzle_is_played_with_hints_mistakes_and_undo() -> None:
    moves = ("hint", "legal", "build 201 with KKK; 134: points", "again", "bake", "build 214", "undo", "board")
    solution = ("build 214", "233: points; 236: points", "317: points")
    code, out, _ = gizmos("play", "three-listeners", stdin="\n".join((*moves, *solution)) + "\n")
    assert code == 0
    for text in (
        "Hint 1 of 1: Count what the build triggers",
        "build 201 with KKK",
        "The turn is over at 4; there is more in it.",
        "'bake' is not an action",
        "Played: nothing yet",
        "Solved: 6 (score).",
        f"Solved so far: 1 of {len(shipped_puzzles())}.",
    ):
        assert text in out
    record = read_progress().records["three-listeners"]
    assert (record.solved, record.tries, record.hints) == (True, 2, 1)


def test_without_a_name_the_next_unsolved_puzzle_comes() -> None:
    gizmos("play", "both-uses", stdin="build 210 with RR via 216\n")
    code, out, _ = gizmos("play", "--difficulty", "1", "--theme", "converter", stdin="next\nquit\n")
    assert code == 0
    assert "One marble of any colour" in out
    assert "Both uses" not in out


def test_the_answer_is_given_on_demand_and_the_end_of_input_ends_the_game() -> None:
    code, out, _ = gizmos("play", "three-listeners", stdin="answer\n")
    assert code == 0
    assert "1. build 214 with UU" in out
    assert not read_progress().records["three-listeners"].solved


def test_looking_at_a_puzzle_leaves_nothing_behind(tmp_path: Path) -> None:
    assert gizmos("play", stdin="")[0] == 0
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("form", ["markdown", "text", "address", "toml", "json"])
def test_what_is_exported_is_imported_again(form: str, tmp_path: Path) -> None:
    post, back = tmp_path / f"post.{form}", tmp_path / "back.toml"
    assert gizmos("export", "one-black-marble", "--to", form, "--out", str(post), "--answer")[0] == 0
    code, _, err = gizmos("import", str(post), "--out", str(back))
    assert (code, err) == (0, "")
    assert CliRunner().invoke(cli, ["solve", str(back)]).exit_code == 0
    assert 'title = "One black marble for four yellow ones"' in back.read_text(encoding="utf-8")


def test_markdown_shows_the_picture_and_hides_the_answer_in_a_fold(tmp_path: Path) -> None:
    picture = tmp_path / "table.svg"
    code, out, _ = gizmos("export", "three-listeners", "--to", "markdown", "--picture", str(picture))
    assert code == 0
    assert "![The table: Three listeners](table.svg)" in out
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    question, answer = out.split("<details>")
    assert "build 214" not in question
    assert "1. build 214 with UU" in answer


def test_a_png_is_drawn_if_the_library_is_there(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    picture = tmp_path / "table.png"
    assert gizmos("export", "three-listeners", "--picture", str(picture))[0] == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_position_line_alone_is_imported_as_a_question() -> None:
    code, out, _ = gizmos("import", gizmos("export", "both-uses", "--to", "line")[1].strip())
    assert code == 0
    assert 'objective = "score"' in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "no-such-puzzle"),
        ("show", "hand"),
        ("export", "both-uses", "--picture", "table.gif"),
        ("import", "/nowhere/post.md"),
        ("mine",),
    ],
)
def test_bad_input_is_exit_code_2(arguments: tuple[str, ...]) -> None:
    code, _, err = gizmos(*arguments)
    assert code == 2
    assert "rror" in err


def test_mining_reports_what_became_of_the_turns(tmp_path: Path) -> None:
    out = tmp_path / "run"
    code, text, _ = gizmos("mine", "--games", "1", "--seed", "9", "--out", str(out))
    assert code == 0
    assert "worth too little" in text
    assert gizmos("mine", "--games", "1", "--seed", "9", "--out", str(out))[0] == 2
    code, text, _ = gizmos("mine", "--games", "1", "--seed", "9", "--out", str(out), "--resume", "--json")
    assert code == 0
    assert json.loads(text)["games"] == 1
