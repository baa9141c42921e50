"""The picture of a position is well-formed, and tells everything without colours."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from app.given import read_given
from app.pictures.board import board_svg, line_marks
from engine.cards import CARDS
from engine.marbles import count
from engine.position import Player, Position, Turn
from solver import solve

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]  # noqa: S314


@pytest.mark.parametrize("number", [number for number in CARDS if number < 900])
def test_every_card_shows_its_number_and_a_letter_for_each_marble_of_its_cost(number: int) -> None:
    card = CARDS[number]
    shown = texts(board_svg(Position((Player(archive=(number,)),))))
    assert str(number) in shown
    if card.any_color:
        assert str(card.cost) in shown
    else:
        assert shown.count(card.colors[0].letter) >= card.cost


def test_names_and_titles_are_escaped() -> None:
    shown = texts(board_svg(Position((Player(name="<Ann & Bob>"),)), title="a < b"))
    assert "a < b" in shown
    assert any("<Ann & Bob>" in each for each in shown)


def test_a_line_is_marked_with_the_numbers_of_its_steps() -> None:
    position = read_given("chain").position
    best = solve(position).best
    assert best is not None
    assert line_marks(best) == {208: "1", 217: "1", 227: "2", 113: "3"}
    plain, marked = board_svg(position), board_svg(position, highlight=line_marks(best))
    assert {"1", "2", "3"} <= set(texts(marked)) - set(texts(plain))


def test_gizmos_that_wait_and_those_used_are_told_apart_in_words() -> None:
    player = Player(ring=count("R"), built=(113, 131, 901))
    shown = texts(board_svg(Position((player,), turn=Turn(acted=True, triggered=(131,), used=(113,)))))
    assert shown.count("waits") == shown.count("used") == 1


def test_nothing_is_drawn_beyond_the_edge() -> None:
    picture = ET.fromstring(board_svg(read_given("turn17").position))  # noqa: S314
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    for element in picture.iter(f"{SVG}rect"):
        assert float(element.attrib.get("x", 0)) + float(element.attrib["width"]) <= width
        assert float(element.attrib.get("y", 0)) + float(element.attrib["height"]) <= height
