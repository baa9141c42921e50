"""What the help and the README show as examples works as it stands."""

from __future__ import annotations

import re
import shlex
import shutil
from importlib import import_module
from pathlib import Path

import pytest
from command import gizmos

from app.cli import COMMANDS
from app.examples import example_names, example_text
from app.given import parse_given
from engine import to_toml
from puzzles.finding import shipped_puzzles
from solver import solve

ALLOWED = {"check": {0, 1}}
"""Exit codes that the examples of a command may show; answering "no" is an answer."""
BGA = Path(__file__).parent / "data/bga"
ROOT = Path(__file__).resolve().parent.parent


TESTED_ELSEWHERE = {"bench"}
"""Commands whose examples take minutes."""


def _help_examples() -> list[str]:
    modules = {entry.where.partition(":")[0] for entry in COMMANDS}
    tables = (getattr(import_module(module), "EXAMPLES", {}) for module in sorted(modules))
    by_name = {name: examples for table in tables for name, examples in table.items()}
    return [example for name, examples in by_name.items() if name not in TESTED_ELSEWHERE for example in examples]


def _readme_examples() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip().startswith("gizmos ")]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that examples speak of."""
    puzzle = next(iter(shipped_puzzles().values())).text
    (tmp_path / "my-puzzles").mkdir()
    (tmp_path / "my-puzzles/one.toml").write_text(puzzle, encoding="utf-8")
    (tmp_path / "another.toml").write_text(puzzle, encoding="utf-8")
    (tmp_path / "my-position.toml").write_text(example_text("turn17"), encoding="utf-8")
    for name, source in (
        ("state.json", "states/03_playerTurn_2p_mid.json"),
        ("game.json", "games/g1002_2p_level3.json"),
    ):
        shutil.copy(BGA / source, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    gizmos("import-bga", "game.json", "--output", "game.jsonl")
    record = Path("game.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("game.jsonl").write_text("".join(record[:20]), encoding="utf-8")
    return tmp_path


def _run(example: str) -> None:
    out: str | None = None
    for part in example.split(" | "):
        command, _, target = part.partition(" > ")
        command, _, file = command.partition(" < ")
        if file:
            out = Path(file).read_text(encoding="utf-8")
        name, *arguments = shlex.split(command, comments=True)
        assert name == "gizmos"
        run = gizmos(*arguments, stdin=out)
        assert run.code in ALLOWED.get(arguments[0], {0}), run.err
        out = run.out
        if target:
            Path(target).write_text(out, encoding="utf-8")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("example", _help_examples())
def test_an_example_of_the_help_works(example: str) -> None:
    _run(example)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("example", _readme_examples())
def test_an_example_of_the_readme_works(example: str) -> None:
    _run(example)


def test_the_readme_has_examples() -> None:
    assert len(_readme_examples()) >= 5


@pytest.mark.parametrize("name", example_names())
def test_a_shipped_example_is_explained_titled_and_solved_at_once(name: str) -> None:
    text = example_text(name)
    assert text.startswith("# ")
    given = parse_given(text, name)
    assert given.title
    solution = solve(given.position)
    assert solution.proved
    assert solution.stats.states < 20_000
    assert parse_given(to_toml(given.position, given.title), name) == given
