"""Engines and whole games with perfect luck: exact searches, and lines that replay on the engine."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from engine.actions import Reveal
from engine.cards import CARDS
from engine.errors import IllegalActionError, UnreadableError
from engine.marbles import count
from engine.notation import line_text, parse_line
from engine.position import Player, Position
from engine.reveals import reveal
from engine.rules import apply, legal_actions
from engine.validation import faults
from solver import solve
from solver.chain.events import Event, listens
from solver.combos.design import best_engine, design_objective
from solver.combos.fastest import Count, can_reach, fastest_plan, fewest_turns_bound, play_plan
from solver.combos.final_score import highest_final_score
from solver.combos.orders import best_orders
from solver.combos.solitaire import named_cards, play_builds, replayed
from solver.combos.yields import action_kind, additions, engine_yields, position_yields, trial_table
from solver.objective import Measure, activations
from solver.proof import prove

EIGHT = (133, 134, 135, 136, 233, 234, 235, 236)
OFFICIAL = Position(
    players=(Player(ring=count("YYR"), built=(106, 113, 217, 227, 901), archive=(208,)),), row=count("YRRUKK")
)


# -- orders ---------------------------------------------------------------


def test_the_eight_builders_give_17_tokens_and_exactly_4_orders_do() -> None:
    found = best_orders(EIGHT)
    assert (found.tokens, found.count) == (17, 4)
    assert play_builds(found.order).player.tokens == 17


def test_best_orders_are_those_of_trying_all() -> None:
    cards = (133, 136, 235, 236, 307, 113)

    def tokens(order: tuple[int, ...]) -> int:
        return sum(
            CARDS[owned].amount
            for i, built in enumerate(order)
            for owned in order[:i]
            if CARDS[owned].effect == "points"
            and listens(CARDS[owned], Event("build", CARDS[built].colors, True, CARDS[built].level))
        )

    every = [tokens(order) for order in permutations(cards)]
    found = best_orders(cards, archived=True)
    assert (found.tokens, found.count) == (max(every), every.count(max(every)))
    assert tokens(found.order) == found.tokens


# -- whole games ---------------------------------------------------------------


def test_a_game_of_builds_replays_on_the_engine() -> None:
    game = play_builds((133, 202, 335))
    assert game.player.built == (133, 202, 335, 901)
    assert replayed(game.start, game.moves) == game.position
    assert parse_line(game.start, line_text(game.start, game.moves)) == tuple(game.moves)
    assert faults(game.start) == ()


def test_what_cannot_be_paid_is_not_played() -> None:
    with pytest.raises(IllegalActionError, match="335 can't be paid"):
        play_builds((335,))


def test_names_of_an_order_become_cards() -> None:
    assert named_cards(("308", "II blue", "II blue", "III black")) == (308, 202, 206, 301)


def test_small_games_have_the_score_that_trying_all_orders_gives() -> None:
    found = highest_final_score(gizmos_before_last_turn=3)
    assert found is not None
    assert found.score >= play_builds((203, 308, 307)).player.score


@pytest.mark.slow
def test_no_final_score_is_higher_than_323_and_that_one_is_played() -> None:
    found = highest_final_score()
    assert found is not None
    assert (found.score, found.tokens) == (323, 96)
    game = play_builds(named_cards((*found.order, *found.last)))
    assert (game.player.score, game.player.tokens, len(game.player.built)) == (323, 96, 16)
    assert game.position.is_over
    assert replayed(game.start, game.moves) == game.position


@pytest.mark.slow
def test_with_16_gizmos_besides_the_starting_one_the_players_347_is_the_highest() -> None:
    found = highest_final_score(gizmos_before_last_turn=16)
    assert found is not None
    assert (found.score, found.tokens) == (347, 103)
    built = {*found.order, *found.last}
    assert {str(card) for card in (*EIGHT, 307, 308, 335, 336)} <= built


def test_a_fourth_level_3_in_11_turns_is_played_on_the_engine() -> None:
    plan = fastest_plan(11)
    assert plan is not None
    game = play_plan(plan)
    assert (game.turns, game.player.dashboard.level_3, game.position.is_over) == (11, 4, True)
    assert replayed(game.start, game.moves) == game.position
    assert faults(game.start) == ()


def test_no_game_has_a_fourth_level_3_in_fewer_than_10_turns() -> None:
    assert fewest_turns_bound() == 10
    assert fastest_plan(10) is None, "none is known; if one is found, docs/combos.md is out of date"


def test_the_relaxed_game_never_needs_more_turns_with_more() -> None:
    rich = Count(marbles=5, filed=1, threes=2, file_draws=4)
    assert can_reach(rich, 3)
    assert not can_reach(rich, 1)
    assert can_reach(rich._replace(threes=4), 0)


# -- engines ---------------------------------------------------------------


def test_the_trial_table_is_possible_and_sets_nothing_off() -> None:
    table = trial_table((901, 113, 227))
    assert faults(table) == ()
    assert all(not CARDS[number].effect for number in table.display[0])


def test_an_engine_brings_what_its_chain_gives() -> None:
    found = {each.action: each for each in engine_yields((901, 113, 227, 118, 133))}
    assert (found["file"].marbles, found["file"].gizmos) == (3, 3)
    assert (found["build yellow"].marbles, found["build red"].points) == (2, 1)
    assert all(each.proved for each in found.values())


def test_builds_are_told_apart_only_if_the_engine_does() -> None:
    actions = {each.action for each in engine_yields((901, 307))}
    assert "build red from archive" in actions
    assert "build red of level II" not in actions


def test_at_a_position_the_numbers_are_those_of_the_search() -> None:
    found = {each.action: each for each in position_yields(OFFICIAL)}
    best = {
        objective: solve(OFFICIAL, objective=objective).value[0] for objective in ("marbles", "score", "activations")
    }
    assert max(each.marbles for each in found.values()) == best["marbles"]
    assert max(each.points for each in found.values()) == best["score"]
    assert max(each.gizmos for each in found.values()) == best["activations"]
    assert set(found) == {action_kind(action) for action in legal_actions(OFFICIAL)}


def test_the_card_that_adds_the_most_comes_first_and_says_to_what() -> None:
    found = additions((901, 118, 227), (113, 111, 109, 217))
    assert [each.card for each in found] == [109, 111, 113, 217]
    assert dict(found[0].gains) == {"pick blue": 1, "file": 1, "build blue": 1, "build yellow": 1}
    assert found[-1].gain == 0


# -- design ---------------------------------------------------------------


def test_with_no_gizmo_but_the_first_the_greatest_turn_has_8_points() -> None:
    design = best_engine(1)
    assert (design.value, design.bound, design.greatest) == (8, 8, True)
    assert prove(design.position, safe=True).value == (8,)


def test_the_line_of_a_design_replays_on_the_engine() -> None:
    design = best_engine(2, time_limit=20)
    assert design.value <= design.bound
    position = design.position
    for move in design.moves:
        position = apply(position, move)  # type: ignore[arg-type]
    assert position.players[0].score - design.position.player.score == design.value
    assert len(design.position.player.built) <= 2


@pytest.mark.parametrize(
    ("gizmos", "objective", "value"),
    [
        # 901 alone: a file draws with it, and a draw sets nothing off. A build is heard by 901 as little as by itself.
        (1, "activations", 1),
        # A pick brings one marble, and so does a file by 901; a build costs more than nothing brings.
        (1, "marbles", 1),
        # 319 or 320 hears the build of 325 or 326 (5 marbles: all that the ring takes), and builds a card that this one
        # hears; its file sets off 901 and the card just built, 117-120. With two builds there is nothing else to use.
        (2, "activations", 4),
        # A file: 901 draws one, and 311 or 312 three. The ring takes five.
        (2, "marbles", 4),
    ],
)
def test_the_greatest_turns_for_gizmos_used_and_marbles_are_those_argued_by_hand(
    gizmos: int, objective: Measure, value: int
) -> None:
    design = best_engine(gizmos, objective)
    assert (design.value, design.bound, design.greatest) == (value, value, True)
    assert len(design.position.player.built) <= gizmos
    assert faults(design.position) == ()


@pytest.mark.parametrize("objective", ["activations", "marbles"])
def test_the_line_of_a_design_is_worth_what_it_says(objective: Measure) -> None:
    design = best_engine(2, objective)
    position = design.position
    used = 0
    for move in design.moves:
        if isinstance(move, Reveal):
            position = reveal(position, move)
        else:
            assert move in legal_actions(position)
            used += activations(position, move)
            position = apply(position, move)
    gained = position.players[0].marbles - design.position.player.marbles
    assert design.value == (used if objective == "activations" else gained)
    best = solve(design.position, objective=objective, luck="best").value[0]
    assert best - (design.position.player.marbles if objective == "marbles" else 0) == design.value


@pytest.mark.parametrize("gizmos", [(901, 117), (901, 320), (901, 311), (901, 301), (901, 216)])
@pytest.mark.parametrize("objective", ["activations", "marbles"])
def test_no_turn_at_a_trial_table_exceeds_the_bound(gizmos: tuple[int, ...], objective: Measure) -> None:
    table = trial_table(gizmos)
    for ring in ("", "RRUUK", "YYYYK"):
        player = msgspec.structs.replace(table.player, ring=count(ring))
        position = msgspec.structs.replace(table, players=(player,))
        best = solve(position, objective=objective, luck="best").value[0]
        assert best - (player.marbles if objective == "marbles" else 0) <= 4


def test_an_engine_is_designed_for_one_measure_only() -> None:
    assert design_objective(" Marbles") == "marbles"
    with pytest.raises(UnreadableError, match="one of score, activations, marbles"):
        design_objective("goal: card 318 built")
