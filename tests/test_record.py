"""Game records replay to what was recorded, read back as they were written, and name the line of every fault."""

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from recorded import games, positions
from records import records

from engine.actions import Draw, Pass, Pick, Reveal
from engine.errors import GizmosError, IllegalActionError, UnreadableError
from engine.marbles import Color
from engine.record import BGA, Record, load_record, may_pass, read_record, save_record, write_record
from engine.rules import legal_actions
from engine.setup import new_game, ranking

GAMES = {game.name: game for game in games()}
SHORT = Record(new_game(2, seed=3), title="Ann against Ben")
TEXT = write_record(records()["g1009_2p_chain"])


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_becomes_a_record_that_replays_to_its_scores(name: str) -> None:
    game, record = GAMES[name], records()[name]
    final = record.final
    assert final.is_over
    assert [[player.score, len(player.built)] for player in final.players] == [each[:2] for each in game.results]
    assert ranking(final)[0].seat == game.winner
    assert read_record(write_record(record)) == record


def test_every_ply_knows_the_position_before_it() -> None:
    record = records()["g1009_2p_chain"]
    positions = record.positions()
    assert [ply.position for ply in record.plies()] == positions[:-1]
    assert positions[-1] == record.final
    assert len(positions) == len(record.moves) + 1


def test_a_pass_with_only_a_build_in_hand_is_legal_on_board_game_arena_alone() -> None:
    offered = [
        position for position in positions() if may_pass(position) and legal_actions(position)[0] != Pass()
    ]  # fmt: skip
    assert len(offered) == 22
    for position in offered:
        line = Record(position, (Pass(),), rules=BGA)
        assert line.final.to_move != position.to_move
        assert read_record(write_record(line)) == line
        with pytest.raises(IllegalActionError, match="line 2: 'pass' is not legal here"):
            read_record(write_record(replace(line, rules="")))


def test_unknown_keys_survive() -> None:
    text = write_record(SHORT).replace('"title"', '"event": {"round": 3}, "title"')
    record = read_record(text)
    assert record.more == {"event": {"round": 3}}
    assert read_record(write_record(record)) == record
    assert read_record(TEXT.replace('{"action"', '{"clock": 3, "action"')) == read_record(TEXT)


def test_blank_lines_and_a_byte_order_mark_are_fine() -> None:
    assert read_record("\ufeff" + TEXT.replace("\n", "\r\n\r\n")) == read_record(TEXT)


def test_a_start_position_may_be_a_line() -> None:
    text = '{"format": "gizmos-game/1", "start": "gizmos1/110/UUY/-/0,0,0/-/RRY.a12b04s01...Ann/-"}\n'
    assert read_record(text).start.player.name == "Ann"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("", ""), ""),
        (("gizmos-game/1", "gizmos-game/2"), "line 1: format 'gizmos-game/2' is newer than this program"),
        (("gizmos-game/1", "gizmos-position/1"), "line 1: format 'gizmos-position/1' is no game record"),
        (('"built": [904]', '"built": [777]'), "line 1: start: players[1].built: there is no card 777"),
        (('"rules": "bga"', '"rules": "mine"'), "line 1: rules: 'mine', expected 'bga'"),
        (('{"action": "pick K"}', '{"action": "pick Q"}'), "line 2: 'pick Q': 'Q' is not a marble colour"),
        (('{"action": "pick K"}', '{"action": "pick Y"}'), "line 2: 'pick Y' is not legal here"),
        (('{"action": "pick K"}', '{"reveal": "row R"}'), "line 2: 'row R' is one reveal too many"),
        (('{"action": "pick K"}', '{"move": "pick K"}'), 'line 2: \'{"move": "pick K"}\': expected'),
        (('{"action": "pick K"}', '{"action": "pick K"'), 'line 2: \'{"action": "pick K"\' is no JSON object'),
        (('{"action": "pick K"}', "[]"), "line 2: '[]' is no JSON object"),
        (('{"reveal": "next R"}\n', ""), "line 3: 'research II' is not legal here: nature owes a reveal (next)"),
    ],
)
def test_a_fault_names_its_line(change: tuple[str, str], message: str) -> None:
    assert change[0] in TEXT
    text = TEXT.replace(*change, 1) if message else ""
    with pytest.raises(GizmosError) as caught:
        read_record(text)
    assert message in caught.value.faults[0]
    assert len(caught.value.faults) == 1


def test_a_record_is_written_completely_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    save_record(SHORT, path)
    assert load_record(path) == SHORT

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(UnreadableError, match="No space left"):
        save_record(records()["g1009_2p_chain"], path)
    assert load_record(path) == SHORT
    assert [each.name for each in tmp_path.iterdir()] == ["game.jsonl"]


def test_files_that_can_not_be_read_get_a_message(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="No such file"):
        load_record(tmp_path / "none.jsonl")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableError, match="UTF-8"):
        load_record(tmp_path / "binary")
    with pytest.raises(UnreadableError, match="can't be written"):
        save_record(SHORT, tmp_path / "none" / "game.jsonl")


def test_moves_that_can_not_be_played_are_refused() -> None:
    for move in (Draw(901), Pick(Color.RED, 5), Reveal("row", 0)):
        with pytest.raises(IllegalActionError):
            _ = SHORT.with_moves([move]).final


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(TEXT)), st.integers(0, 40), st.text(st.sampled_from('{}[]":, \nabpickRU019?'), max_size=20))
def test_a_damaged_record_is_read_or_refused(where: int, cut: int, junk: str) -> None:
    with suppress(GizmosError):
        read_record(TEXT[:where] + junk + TEXT[where + cut :])


def test_lines_are_plain_json() -> None:
    header, *lines = [json.loads(line) for line in TEXT.splitlines()]
    assert header["format"] == "gizmos-game/1"
    assert all(len(line) == 1 and {*line} < {"action", "reveal"} for line in lines)
