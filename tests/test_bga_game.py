"""Finished games become records that replay to their final scores and agree with the recordings of the same games."""

import copy
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from recorded import games
from records import records

from engine.actions import EndTurn, Move, Pass, Skip
from engine.bga.game import read_game
from engine.bga.page import find_data
from engine.errors import GizmosError, UnreadableError
from engine.position import Deck, Position, Turn
from engine.record import Record, read_record, write_record

FILES = sorted((Path(__file__).parent / "data" / "bga" / "games").glob("*.json"))
GAMES: dict[str, dict[str, Any]] = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in FILES}
CHAIN = "g1009_2p_chain"


def table(position: Position) -> Position:
    """What everybody sees of a position. Which of several like gizmos was used, and which converter, nobody does."""
    players = tuple(replace(player, name="") for player in position.players)
    decks = tuple(Deck(deck.size) for deck in position.decks)
    return replace(position, players=players, decks=decks, turn=Turn())


def told(move: Move) -> tuple[Any, ...]:
    """What everybody sees of an action."""
    return (type(move), *(getattr(move, name, None) for name in ("color", "card", "source", "spend", "level")))


def decisions(record: Record) -> list[tuple[Position, tuple[Any, ...]]]:
    """Every position in which somebody did something that is told, and what that was."""
    return [
        (table(ply.position), told(ply.move))
        for ply in record.plies()
        if not ply.position.is_chance and not isinstance(ply.move, Skip | EndTurn | Pass)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_finished_game_replays_to_its_final_scores(name: str) -> None:
    record, faults = read_game(find_data(json.dumps(GAMES[name])))
    assert faults == ()
    assert record.final.is_over
    final = [
        {"score": player.score, "gizmos": len(player.built), "energy": player.marbles}
        for player in record.final.players
    ]
    assert final == GAMES[name]["final"]
    assert read_record(write_record(record)) == record


@pytest.mark.parametrize("name", GAMES)
def test_it_agrees_step_for_step_with_the_recording_of_the_same_game(name: str) -> None:
    record, _ = read_game(GAMES[name])
    assert decisions(record) == decisions(records()[name])


def test_localised_texts_play_no_part() -> None:
    data = copy.deepcopy(GAMES[CHAIN])
    for notification in data["notifications"]:
        args = notification["args"]
        for key in ("action", "built_from", "filed_from", "color", "player_name", "sphere_html", "sphere_color"):
            if key in args:
                args[key] = "etwas anderes"
    assert read_game(data) == read_game(GAMES[CHAIN])


def test_logs_may_come_in_packets_with_other_notifications_between() -> None:
    data = GAMES[CHAIN]
    other = {"type": "gameStateChange", "args": {"name": "playerTurn"}, "uid": "x"}
    packets = [
        {"channel": "/table/t1", "move_id": str(each["move_id"]), "data": [other, {**each, "uid": f"u{index}"}, other]}
        for index, each in enumerate(data["notifications"])
    ]
    packets += packets[-1:]
    logs = {"status": 1, "data": {"logs": packets, "players": []}}
    pasted = json.dumps({"gamedatas": data["initial_gamedatas"], "gamelogs": logs})
    assert read_game(find_data(pasted)) == read_game(data)


def test_an_unfinished_game_is_a_record_too() -> None:
    data = GAMES[CHAIN] | {"notifications": GAMES[CHAIN]["notifications"][:20]}
    record, faults = read_game(data)
    assert faults == ()
    assert not record.final.is_over
    assert record.moves == read_game(GAMES[CHAIN]).record.moves[: len(record.moves)]


def test_what_can_not_have_followed_ends_the_record_and_is_named() -> None:
    data = copy.deepcopy(GAMES[CHAIN])
    del data["notifications"][7]
    record, faults = read_game(data)
    assert len(record.moves) > 10
    assert len(faults) == 1
    assert faults[0].startswith("notifications[7]: ")
    assert "can't be what followed" in faults[0]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ((0, "args", "player_id"), "7", "notifications[0].args.player_id: '7', expected one of 90000001, 90000002"),
        ((0, "args", "purchased_sphere_id"), "red", "notifications[0].args.purchased_sphere_id: 'red', expected"),
        ((1, "args", "level"), "IV", "notifications[1].args.level: 'IV', expected I, II or III"),
        ((2, "args", "purchased_card_id"), "999", "notifications[2].args.purchased_card_id: there is no card 999"),
        ((5, "type"), "zombiePass", "notifications[5]: a player has left the game"),
        ((0, "args"), None, "notifications[0].args: nothing, expected an object"),
    ],
)
def test_a_fault_names_its_notification_and_the_game_before_it_is_kept(path: Any, value: Any, message: str) -> None:
    data = copy.deepcopy(GAMES[CHAIN])
    inner = data["notifications"]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    record, faults = read_game(data)
    assert faults[0].startswith(message)
    assert read_record(write_record(record)) == record


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"initial_gamedatas": None}, "the first page state is missing"),
        ({"initial_gamedatas": {"players": {}}}, "initial_gamedatas.players: there are none"),
        ({"initial_gamedatas": {"players": {"1": {}}}}, "initial_gamedatas.players.1.player_no: nothing, expected"),
    ],
)
def test_without_a_first_state_there_is_no_record(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read_game(GAMES[CHAIN] | change)
    assert caught.value.faults[0].startswith(message)


def test_a_state_from_later_in_the_game_is_noticed() -> None:
    states = Path(__file__).parent / "data" / "bga" / "states"
    over = json.loads((states / "08_gameEnd.json").read_text(encoding="utf-8"))
    with pytest.raises(UnreadableError, match="the game is over in this page state, expected the"):
        read_game(GAMES[CHAIN] | {"initial_gamedatas": over})
    later = copy.deepcopy(GAMES[CHAIN]["initial_gamedatas"])
    later["gamestate"]["active_player"] = "90000002"
    record, faults = read_game(GAMES[CHAIN] | {"initial_gamedatas": later})
    assert record.moves == ()
    assert faults[0].endswith("expected the page state from before the first move (docs/bga.md)")


def test_without_notifications_there_is_no_record() -> None:
    with pytest.raises(UnreadableError, match="the notifications are missing"):
        read_game({"initial_gamedatas": GAMES[CHAIN]["initial_gamedatas"]})
    assert "no notification tells of an action" in read_game(GAMES[CHAIN] | {"notifications": []}).faults[0]


def test_all_recordings_have_been_compared() -> None:
    assert set(GAMES) < {game.name for game in games()}


VALUES: list[Any] = [None, "", "x", -1, 10**12, True, [], {}, "3,17", "999", 101, "II"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_notifications_are_read_or_refused(drawn: st.DataObject) -> None:
    data = copy.deepcopy(GAMES[CHAIN])
    for _ in range(drawn.draw(st.integers(1, 3))):
        entry = drawn.draw(st.sampled_from(data["notifications"]))
        key = drawn.draw(st.sampled_from(sorted(entry["args"]) or ["x"]))
        entry["args"][key] = copy.deepcopy(drawn.draw(st.sampled_from(VALUES)))
    if drawn.draw(st.booleans()):
        data["notifications"].insert(3, drawn.draw(st.sampled_from(VALUES)))
    with suppress(GizmosError):
        read = read_game(data)
        assert read_record(write_record(read.record)) == read.record
