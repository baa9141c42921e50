"""Page states become the positions they show, mid-turn and mid-research too, and survive what is missing or new."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from recorded import position_of

from engine.bga.page import find_data
from engine.bga.state import read_state
from engine.errors import GizmosError, UnreadableError
from engine.position import Awaited, Deck, Position, Research, Turn
from engine.validation import faults

STATES = Path(__file__).parent / "data" / "bga" / "states"
MAIN_STATES = ("playerTurn", "cardSelected", "deckSelected", "gameEnd")
INDEX: list[dict[str, Any]] = json.loads((STATES / "index.json").read_text(encoding="utf-8"))


def page(name: str) -> dict[str, Any]:
    return find_data((STATES / name).read_text(encoding="utf-8"))


def nameless(position: Position) -> Position:
    return replace(position, players=tuple(replace(player, name="") for player in position.players))


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: str(entry["file"]))
def test_a_state_becomes_the_recorded_position(entry: dict[str, Any]) -> None:
    read = read_state(page(entry["file"]))
    over = entry["state"] == "gameEnd"
    acted = entry["state"] not in MAIN_STATES
    true = position_of(entry["position"], 0 if over else entry["active"] - 1, acted=acted)
    if true.turn.research is not None and entry["viewer"] != entry["active"]:
        level, seen = true.turn.research.level, true.turn.research.seen
        decks = [*true.decks]
        decks[level - 1] = Deck(true.deck(level).size + len(seen))
        owed = (Awaited("research", level),) * len(seen)
        true = replace(true, decks=tuple(decks), turn=replace(true.turn, research=Research(level), awaited=owed))
    assert read.faults == ()
    assert nameless(read.position) == true
    assert faults(read.position) == ()
    assert [player.name for player in read.position.players][:2] == ["Player1", "Player2"]
    assert read.position.is_over == over


def test_new_keys_change_nothing() -> None:
    data = page("04_triggerSelect_chain.json")
    more = copy.deepcopy(data) | {"new": {"a": 1}}
    for player in more["players"].values():
        player["mood"] = [1, 2]
    for sphere in more["spheres"].values():
        sphere["weight"] = None
    assert read_state(more) == read_state(data)


def test_an_empty_map_may_be_a_list() -> None:
    data = page("03_playerTurn_2p_mid.json")
    data["gizmo_cards"]["3"] = []
    assert read_state(data).position.display[2] == ()


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("spheres",), None, "spheres: the key is missing"),
        (("deck_counts",), None, "deck_counts: the key is missing"),
        (("gizmo_cards",), None, "gizmo_cards: the key is missing"),
        (("gamestate",), None, "gamestate: the key is missing"),
        (("gizmo_cards", "2"), None, "gizmo_cards.2: the key is missing"),
        (("gizmo_cards", "90000001", "filed"), None, "gizmo_cards.90000001: the key 'filed' is missing"),
        (("players", "90000001", "victory_points"), "many", "players.90000001.victory_points: 'many', expected a num"),
        (("gamestate", "name"), "coffeeBreak", "gamestate.name: 'coffeeBreak', expected one of buildLevel1For0"),
        (("gamestate", "active_player"), "7", "gamestate.active_player: '7', expected one of 90000001, 90000002"),
        (("spheres", "12", "location"), "moon", "spheres.12.location: 'moon', expected row, next or a player's id"),
        (("deck_counts", "deck_2"), "x", "deck_counts.deck_2: 'x', expected a number"),
    ],
)
def test_a_fault_names_its_key_and_the_rest_is_kept(path: tuple[str, ...], value: str | None, fault: str) -> None:
    data = page("03_playerTurn_2p_mid.json")
    whole = read_state(copy.deepcopy(data)).position
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    read = read_state(data)
    assert any(found.startswith(fault) for found in read.faults), read.faults
    kept = [name for name in Position.__struct_fields__ if getattr(read.position, name) == getattr(whole, name)]
    assert len(kept) >= len(Position.__struct_fields__) - 3


def test_an_unknown_card_is_named_and_left_out() -> None:
    data = page("03_playerTurn_2p_mid.json")
    key, card = next(iter(data["gizmo_cards"]["1"].items()))
    whole = read_state(copy.deepcopy(data)).position
    number = int(card["type_arg"])
    card["type_arg"] = "777"
    read = read_state(data)
    assert read.faults[0].startswith(f"gizmo_cards.1.{key}.type_arg: there is no card 777, expected 101 to 136")
    assert set(read.position.display[0]) == set(whole.display[0]) - {number}


def test_an_old_snapshot_is_noticed() -> None:
    data = page("03_playerTurn_2p_mid.json")
    data["gamestate"]["args"]["deck_counts"]["deck_1"] = 3
    data["gamestate"]["args"]["energy"].popitem()
    assert [fault.partition(":")[0] for fault in read_state(data).faults] == ["deck_counts", "spheres"]
    assert all("reload" in fault for fault in read_state(data).faults)


def test_the_third_draw_is_told_from_the_second() -> None:
    data = page("12_triggerDraw.json")
    data["gamestate"]["args"]["desc"] = "may draw a third energy or cancel to skip"
    pending = read_state(data).position.turn.pending
    assert pending is not None
    assert pending.done == 2
    data["gamestate"]["args"]["desc"] = "darf ..."
    assert read_state(data).faults[0].startswith("gamestate.args.desc: 'darf ...', expected to tell")


def test_another_player_can_be_put_to_move() -> None:
    data = page("05_research_active_view.json")
    position = read_state(data, player=1).position
    assert (position.to_move, position.turn) == (0, Turn())
    assert position.deck(1) == Deck(15, bottom=(112, 125, 129))
    assert read_state(page("06_research_opponent_view.json"), player=1).position.deck(1) == Deck(15)
    with pytest.raises(UnreadableError, match="player 3: expected 1 to 2"):
        read_state(data, player=3)


def paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(deeper for key, value in inner for deeper in paths(value, (*path, key)))]


VALUES: list[Any] = [None, "", "x", -1, 10**30, 1.5, True, [], {}, [1], {"a": []}, "999", "901", "next", [[]], {"1": 2}]
JUNK = st.sampled_from(VALUES)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([entry["file"] for entry in INDEX]), st.data())
def test_a_damaged_state_is_read_or_refused(name: str, drawn: st.DataObject) -> None:
    data: dict[str, Any] = page(name)
    for _ in range(drawn.draw(st.integers(1, 3))):
        path = drawn.draw(st.sampled_from(paths(data)[1:] or [("x",)]))
        inner: Any = data
        for key in path[:-1]:
            inner = inner[key]
        if drawn.draw(st.booleans()) and isinstance(inner, dict):
            inner.pop(path[-1], None)
        else:
            inner[path[-1]] = copy.deepcopy(drawn.draw(JUNK))
    try:
        read = read_state(data)
    except GizmosError:
        return
    assert read.faults or faults(read.position) == ()
