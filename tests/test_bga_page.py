"""The data of a page is found wherever a player's copy has put it, and what is no such data gets one clear message."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bga.page import find_data, is_game
from engine.errors import GizmosError, UnreadableError

DATA = Path(__file__).parent / "data" / "bga"
TEXT = (DATA / "states" / "03_playerTurn_2p_mid.json").read_text(encoding="utf-8")
GAME = (DATA / "games" / "g1009_2p_chain.json").read_text(encoding="utf-8")
STATE = json.loads(TEXT)


@pytest.mark.parametrize(
    "pasted",
    [
        TEXT,
        json.dumps(STATE, indent=4),
        "\ufeff\r\n" + TEXT + "\r\n",
        f"gameui.gamedatas = {TEXT};",
        f"> copy(gameui.gamedatas)\nundefined\n{TEXT}\n",
        f"'{TEXT}'",
        json.dumps(TEXT),
        f"Object {json.dumps(TEXT)} debugger eval code",
        json.dumps({"gamedatas": STATE}),
        f"<!DOCTYPE html><html><style>a {{ color: red }}</style><script>var x = {{}}; setup({TEXT}, 1);</script>",
        f"{TEXT}\n\n{TEXT}",
    ],
)
def test_a_state_is_found_however_it_was_pasted(pasted: str) -> None:
    assert find_data(pasted) == STATE


def test_a_finished_game_is_told_from_a_state() -> None:
    assert is_game(find_data(GAME))
    assert not is_game(find_data(TEXT))


@pytest.mark.parametrize(
    ("pasted", "message"),
    [
        ("", "there is nothing in it"),
        (" \n", "there is nothing in it"),
        (TEXT[: len(TEXT) // 2], "breaks off"),
        (TEXT[:-1], "breaks off"),
        (f"gameui.gamedatas = {TEXT[:5000]}", "breaks off"),
        ('{"players": {"1": {}}, "gamestate": {}, "board": [1]}', "another game (it has no gizmo_cards and spheres)"),
        ("<!DOCTYPE html><html><body>Gizmos</body></html>", "web page without the game's state"),
        ('{"a": 1}', "JSON, but an object without the keys"),
        ("[1, 2]", "JSON, but no object"),
        ("hello", "no game state is in it, which begins with 'hello'"),
        (TEXT + TEXT.replace('"row"', '"next"'), "2 different states"),
    ],
)
def test_what_is_no_state_gets_one_message_that_says_what_it_is(pasted: str, message: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        find_data(pasted)
    assert len(caught.value.faults) == 1
    assert message in caught.value.faults[0]
    assert len(caught.value.faults[0]) < 300


def test_deep_nesting_is_no_crash() -> None:
    for text in ("{" * 100_000, '{"a":' * 100_000, "[" * 100_000):
        with pytest.raises(UnreadableError):
            find_data(text)


@given(st.text(st.sampled_from('{}[]":,\\ aplayersgizmo_cards1<html>'), max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(GizmosError):
        assert find_data(text)


@given(st.integers(0, len(TEXT)), st.integers(0, len(TEXT)))
def test_any_piece_of_a_state_is_read_or_refused(start: int, length: int) -> None:
    with suppress(GizmosError):
        assert find_data(TEXT[start : start + length])
