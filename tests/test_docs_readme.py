"""What README.md shows is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import textwrap
from pathlib import Path
from typing import Any

import pytest
from command import gizmos, without_effort

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", README, flags=re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for _, block in found]


def shown() -> list[tuple[str, str]]:
    """Each command that the README shows with its output."""
    sessions = (session for block in blocks("console") for session in re.split(r"^\$ ", block, flags=re.MULTILINE))
    return [(session.partition("\n")[0], session.partition("\n")[2]) for session in sessions if session]


def pattern(output: str) -> str:
    """A line of three dots stands for any lines."""
    lines = output.rstrip("\n").split("\n")
    return "\n".join(r"(?:.*\n)*?.*" if line == "..." else re.escape(line) for line in lines)


@pytest.mark.parametrize(("command", "output"), shown(), ids=lambda text: text.partition("\n")[0][:60])
def test_a_command_shown_in_the_readme_answers_what_is_shown(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (position,) = blocks("toml")
    if "# with ring" in command:
        position = position.replace('"UUKY"', '"UUKB"').replace("[902, 105, 121]", "[902, 105, 110]")
    Path("my-position.toml").write_text(position, encoding="utf-8")
    run = gizmos(*shlex.split(command, comments=True)[1:])
    answer = without_effort(run.out + run.err).rstrip("\n")
    assert re.fullmatch(pattern(without_effort(output)), answer), answer


def test_the_readme_shows_commands_with_their_output() -> None:
    assert len(shown()) >= 5


def test_the_python_of_the_readme_works() -> None:
    test = doctest.DocTestParser().get_doctest("\n".join(blocks("python")), {}, "README.md", "README.md", 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.attempted >= 10
    assert results.failed == 0


def test_every_page_that_the_readme_links_to_is_there() -> None:
    root = Path(__file__).resolve().parent.parent
    links = re.findall(r"\]\(([^):]+)\)", README)
    assert links
    assert [link for link in links if not (root / link).exists()] == []


def test_the_page_about_json_names_every_key() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs/json.md").read_text(encoding="utf-8")

    def keys(data: Any) -> set[str]:
        if isinstance(data, dict):
            # Counters are listed in docs/performance.md.
            return set(data).union(*(keys(value) for key, value in data.items() if key != "counters"))
        return set[str]().union(*map(keys, data)) if isinstance(data, list) else set()

    printed = keys(gizmos("advise", "gamble", "--plan", "--json").data) | keys(gizmos("legal", "chain", "--json").data)
    assert [key for key in sorted(printed) if f"`{key}`" not in page] == []
