"""Reading and counting marbles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UnreadableError
from engine.marbles import COLORS, Color, add, count, letters, parse_color, parse_marbles, subtract


@pytest.mark.parametrize("text", ["R", "r", " r ", "Red", "red", "RED"])
def test_one_colour_is_read_in_any_usual_way(text: str) -> None:
    assert parse_color(text) == Color.RED


@pytest.mark.parametrize("text", ["B", "b", " B"])
def test_b_is_refused_since_it_could_be_blue_or_black(text: str) -> None:
    with pytest.raises(UnreadableError, match="is ambiguous: write U for blue or K for black"):
        parse_color(text)


@pytest.mark.parametrize("text", ["UUK", "u u k", "Blue blue BLACK", "u,U,black", " uuK "])
def test_several_marbles_are_read_as_letters_or_names(text: str) -> None:
    assert parse_marbles(text) == (Color.BLUE, Color.BLUE, Color.BLACK)


def test_every_unreadable_marble_is_told_once() -> None:
    with pytest.raises(UnreadableError) as caught:
        parse_marbles("RXBXR")
    assert len(caught.value.faults) == 2


MARBLES = st.tuples(*[st.integers(0, 13)] * 4)


@given(MARBLES)
def test_letters_read_back(marbles: tuple[int, int, int, int]) -> None:
    assert count(letters(marbles)) == marbles


@given(MARBLES, MARBLES)
def test_subtracting_undoes_adding(left: tuple[int, int, int, int], right: tuple[int, int, int, int]) -> None:
    assert subtract(add(left, right), right) == left
    assert [add(left, right)[color] for color in COLORS] == [left[color] + right[color] for color in COLORS]
