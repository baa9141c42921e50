"""The examples of docs/notation.md are true."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from engine import (
    Position,
    action_text,
    json_schema,
    line_text,
    parse_action,
    parse_line,
    read_line,
    read_position,
    write_line,
)

PAGE = (Path(__file__).parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


def test_what_the_page_shows_of_python_is_what_happens() -> None:
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks("pycon")), {}, "notation.md", None, 0)
    assert len(examples.examples) > 10
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(examples)
    assert runner.failures == 0


@pytest.mark.parametrize("language", ["toml", "json"])
def test_the_documents_on_the_page_are_accepted(language: str) -> None:
    (document,) = blocks(language)
    assert isinstance(read_position(document), Position)


def test_the_line_of_the_example_document_is_the_one_shown() -> None:
    line = next(block.strip() for block in blocks("text") if block.startswith("gizmos1/"))
    assert write_line(read_position(blocks("toml")[0])) == line
    assert read_line(line) == read_position(line)


def test_the_line_of_play_on_the_page_can_be_played() -> None:
    position = read_line("gizmos1/111/Y/-/0,0,0/-/YY.a13b1727s01.b08/-")
    line = next(block.strip() for block in blocks("text") if block.startswith("build"))
    assert line_text(position, parse_line(position, line)) == line


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("gizmos1/110/Y/a18/9,9,9/-/U.s01", ["pick Y", "file 118", "build 118 with U", "research II"]),
        ("gizmos1/110/-/-/0,0,0/-/YY.b17s01.b08", ["build 208 from archive with YY via 217"]),
        ("gizmos1/110/-/-/0,0,0/-/.c27.a01", ["build 101 from archive for free"]),
        ("gizmos1/110/-/-/0,0,0/t...2031117/RRR.s01", [
            "file 203 from research",
            "build 203 from research with RRR",
            "pass",
            "pass, bottom 211 203 217",
        ]),
        ("gizmos1/110/Y/a0418/9,9,9/ta1333b27c192531/.a1333b27c192531s01", [
            "227: pick Y",
            "113: draw",
            "133: points",
            "331: research II",
            "325: file 118",
            "319: build 104",
            "end turn",
        ]),
        ("gizmos1/110/-/-/0,0,0/tc19/.c19.a04", ["319: build 104 from archive"]),
        ("gizmos1/110/YU/-/0,0,0/t.b08.b08x1/.b08", ["208: pick Y", "208: pick U", "skip"]),
    ],
)  # fmt: skip
def test_every_action_of_the_table_is_written_so(line: str, actions: list[str]) -> None:
    position = read_line(line)
    for text in actions:
        assert f"`{text}`" in PAGE
        assert action_text(parse_action(position, text)) == text


def test_the_page_names_every_key_of_the_schema() -> None:
    schema = json_schema()
    names = {*schema["properties"], *(name for each in schema["$defs"].values() for name in each["properties"])}
    assert sorted(name for name in names if not re.search(rf"\b{name}\b", PAGE)) == []
