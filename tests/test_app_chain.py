"""`gizmos chain` as a person runs it, and its pictures."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from app.cli import cli
from app.commands.chain import parse_gizmos
from app.pictures.chain import WIDTH, chain_svg
from app.pictures.graphs import gizmo_words
from engine.cards import CARDS
from engine.errors import UnreadableError
from solver.chain import engine_of, report

ALL = tuple(number for number, card in CARDS.items() if card.level)


def gizmos(*arguments: str) -> tuple[int, str, str]:
    run = CliRunner().invoke(cli, list(arguments))
    return run.exit_code, run.stdout, run.stderr


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own


def test_the_official_chain_is_told_in_words() -> None:
    code, out, _ = gizmos("chain", "chain")
    assert code == 0
    assert "227 R II: U|Y > pick 1  feeds 113 (ring room, yellow)" in out
    assert "1. build 208 from archive with YY via 217  -> sets off 227" in out
    assert "2. 227: pick Y  (set off by step 1)  -> sets off 113" in out


def test_json_holds_what_the_words_say() -> None:
    code, out, _ = gizmos("chain", "chain", "--json")
    data = json.loads(out)
    assert code == 0
    assert [(feed["source"], feed["target"]) for feed in data["feeds"]] == [(227, 113)]
    assert [link["gizmo"] for link in data["line"]["chain"]] == [217, 227, 113]


def test_a_list_of_gizmos_needs_no_position() -> None:
    code, out, _ = gizmos("chain", "--built", "319,320,133")
    assert code == 0
    assert "In a circle: 319, 320" in out


def test_twelve_builders_are_listed_at_once() -> None:
    code, out, _ = gizmos("chain", "--built", "133,134,135,136,233,234,235,236,319,320,331,332")
    assert code == 0
    assert "In a circle: 319, 320, 331, 332" in out


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ((), "either a POSITION or --built"),
        (("chain", "--built", "901"), "either a POSITION or --built"),
        (("--built", "901,999,abc"), "2 things are wrong"),
        (("--built", "113,113"), "113 is named twice"),
        (("--built", "113", "--player", "1"), "--player needs a POSITION"),
        (("chain", "--player", "3"), "--player 3"),
    ],
)
def test_what_cannot_be_understood_is_said(arguments: tuple[str, ...], fault: str) -> None:
    code, _, err = gizmos("chain", *arguments)
    assert code == 2
    assert fault in err


def test_no_cards_at_all_is_a_fault() -> None:
    with pytest.raises(UnreadableError, match="no card is named"):
        parse_gizmos(" , ")


def test_pictures_and_graphs_are_written(tmp_path: Path) -> None:
    svg, dot = tmp_path / "chain.svg", tmp_path / "chain.dot"
    code, out, _ = gizmos("chain", "chain", "--svg", str(svg), "--dot", str(dot), "--mermaid")
    assert code == 0
    assert out.startswith("flowchart LR")
    assert "g227 -->" in out
    assert "227: pick Y" in "".join(parsed(svg.read_text(encoding="utf-8")).itertext())
    assert '"main build" -> "build"' in dot.read_text(encoding="utf-8")


def test_a_picture_goes_to_standard_output() -> None:
    code, out, _ = gizmos("chain", "chain", "--svg", "-")
    assert code == 0
    parsed(out)


def test_every_card_can_be_drawn_and_nothing_leaves_the_picture() -> None:
    for built in (ALL, ALL[:5], (901,)):
        engine = engine_of(built)
        root = parsed(chain_svg(engine, report(engine)))
        height = float(root.attrib["height"])
        for node in root.iter():
            if "x" in node.attrib and "y" in node.attrib:
                assert 0 <= float(node.attrib["x"]) <= WIDTH
                assert 0 <= float(node.attrib["y"]) <= height
            assert float(node.attrib.get("font-size", 11)) >= 8


def test_marbles_are_told_apart_by_letter_and_shape() -> None:
    engine = engine_of((133, 134, 135, 136))
    root = parsed(chain_svg(engine, report(engine)))
    words = [node.text for node in root.iter() if node.tag.endswith("text")]
    assert {"R", "U", "K", "Y"} <= set(words)
    assert any(node.tag.endswith("circle") for node in root.iter())


def test_every_card_has_its_short_line() -> None:
    assert gizmo_words(CARDS[901]) == "901: file > draw 1"
    assert gizmo_words(CARDS[304]) == "304 Y III: any > any"
    assert gizmo_words(CARDS[333]) == "333 ? III: points-per-energy"
    assert gizmo_words(CARDS[213]) == "213 K II: U > any twice"
    assert len({gizmo_words(card) for card in CARDS.values()}) == len(CARDS)
