"""Rulings that people met as bugs elsewhere, and the examples of the official list of effects."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.actions import Action, Build, Draw, EndTurn, File, Pass, Pick, Reveal, Skip
from engine.cards import CARDS
from engine.errors import IllegalActionError
from engine.marbles import COLORS, count, letters
from engine.notation import action_text, parse_line
from engine.playout import replay
from engine.position import Deck, Player, Position
from engine.reveals import outcomes, reveal
from engine.rules import apply, is_legal, legal_actions

DECKS = (Deck(20), Deck(20), Deck(10))


def table(
    ring: str = "",
    built: tuple[int, ...] = (),
    archive: tuple[int, ...] = (),
    display: tuple[int, ...] = (),
    row: str = "",
    **others: Any,
) -> Position:
    """A position in which the starting gizmo 901 is built, and a second player is there."""
    me = Player(ring=count(ring), built=tuple(sorted((*built, 901))), archive=archive, tokens=others.pop("tokens", 0))
    shown = tuple(tuple(sorted(number for number in display if number // 100 == level)) for level in (1, 2, 3))
    return Position(players=(me, Player(built=(902,))), display=shown, row=count(row), **others)


def builds(position: Position, card: int) -> list[tuple[str, tuple[int, ...]]]:
    """The payments on offer for a card: marbles and converters."""
    actions = [action for action in legal_actions(position) if isinstance(action, Build) and action.card == card]
    return [(letters(action.spend), action.converters) for action in actions]


def kinds(position: Position, kind: type[Action]) -> list[Action]:
    return [action for action in legal_actions(position) if isinstance(action, kind)]


def card_like(color: str, cost: int) -> int:
    """Some card of a colour and cost."""
    return next(card.id for card in CARDS.values() if (card.color_name, card.cost) == (color, cost))


def test_a_yellow_or_black_trigger_stays_silent_at_a_blue_build() -> None:
    position = table("U", built=(226,), display=(118,))
    assert apply(position, Build(118, spend=count("U"))).turn.triggered == ()


def test_a_single_marble_pays_through_a_chain_of_four_converters() -> None:
    card = card_like("red", 2)
    position = table("Y", built=(104, 106, 107, 219), display=(card,))
    assert builds(position, card) == [("Y", (104, 106, 107, 219))]


def test_a_cost_of_one_takes_exactly_one_marble() -> None:
    assert builds(table("UUUUU", display=(118,)), 118) == [("U", ())]


def test_a_discount_from_the_archive_makes_a_build_free_there_only() -> None:
    position = table(built=(327,), archive=(101,))
    assert builds(position, 101) == [("", ())]
    assert apply(position, Build(101, "archive")).players[0].score == position.player.score + 1
    assert builds(table(built=(327,), display=(101,)), 101) == []


def test_a_new_limit_acts_at_once_and_a_draw_may_fill_the_ring() -> None:
    position = table("RRUYK", built=(109, 129), display=(122,), row="U")
    after = replay(position, parse_line(position, "build 122 with U; 129: pick U (row R); 109: draw (R)"))
    assert after.players[0].marbles == 6


def test_only_own_cards_and_display_cards_can_be_built_and_filed() -> None:
    position = replace(
        table("RUKYY", archive=(101,)), players=(table("RUKYY", archive=(101,)).player, Player(archive=(102,)))
    )
    assert kinds(position, File) == []
    assert {action.card for action in legal_actions(position) if isinstance(action, Build)} == {101}
    assert not is_legal(position, File(101))
    assert not is_legal(position, Build(102, "archive", count("U")))


def test_an_empty_deck_cannot_be_researched_and_a_short_one_shows_what_it_has() -> None:
    decks = (Deck(0), Deck(2), Deck(3))
    position = table(built=(121, 122), decks=decks)
    assert [action_text(action) for action in legal_actions(position)] == ["research II", "research III"]
    assert len(apply(position, legal_actions(position)[0]).turn.awaited) == 2


def test_a_file_effect_chooses_among_display_cards_only() -> None:
    position = table("U", built=(325,), display=(117, 118), archive=())
    position = apply(position, Build(118, spend=count("U")))
    assert [action_text(action) for action in legal_actions(position)] == ["325: file 117", "end turn"]


def test_both_uses_of_one_converter_pay_two_marbles() -> None:
    card = card_like("blue", 2)
    assert builds(table("RRK", built=(216,), display=(card,)), card) == [("RR", (216,))]


def test_seven_marbles_of_any_colour_are_one_payment() -> None:
    card = card_like("any", 7)
    position = table("RRRRRUK", built=(121, 122), display=(card,))
    assert position.player.dashboard.ring_limit == 7
    assert builds(position, card) == [("RRRRRUK", ())]


def test_equal_marbles_are_one_pick() -> None:
    assert [action_text(action) for action in kinds(table(row="UUUUYU"), Pick)] == ["pick U", "pick Y"]


def test_tokens_count_twice_with_points_per_token() -> None:
    without, with_award = table(tokens=12), table(tokens=12, built=(335,))
    award = with_award.player.score - without.player.score - CARDS[335].points
    assert award == 12


@pytest.mark.parametrize(
    ("ring", "built", "color", "cost", "payments"),
    [
        ("KK", (220,), "black", 4, []),
        ("YY", (106,), "blue", 2, []),
        ("Y", (106, 216, 221), "blue", 2, [("Y", (106, 216, 221))]),
    ],
)
def test_official_examples_of_paying(
    ring: str, built: tuple[int, ...], color: str, cost: int, payments: list[tuple[str, tuple[int, ...]]]
) -> None:
    card = card_like(color, cost)
    assert builds(table(ring, built=built, display=(card,)), card) == payments


def test_the_worked_chain_gives_three_points_with_three_gizmos() -> None:
    position = table("YYR", built=(106, 113, 217, 227), archive=(208,), row="Y")
    moves = parse_line(position, "build 208 from archive with YY via 217; 227: pick Y (row R); 113: draw (K)")
    before_the_draw = replay(position, moves[:-2])
    assert before_the_draw.turn.triggered == (113,)
    assert before_the_draw.turn.used == (217, 227)
    after = replay(position, moves)
    assert after.to_move == 1
    assert after.players[0].score == position.player.score + 3


def test_four_payments_without_superfluous_converters() -> None:
    card = card_like("yellow", 2)
    position = table("RUKYYY", built=(104, 107, 219, 121), display=(card,))
    assert len(builds(position, card)) == 4


def test_passing_is_legal_only_when_nothing_else_is() -> None:
    stuck = table("RRRRR", built=(321,), archive=(301,), display=(201,), row="UUUUUU")
    assert legal_actions(stuck) == (Pass(),)
    assert not is_legal(table(row="U"), Pass())


def test_a_second_pick_may_be_skipped_but_not_the_first() -> None:
    position = table("U", built=(205, 327), archive=(101,), row="YU", decks=(Deck(0), Deck(0), Deck(0)))
    position = apply(position, Build(101, "archive"))
    assert [action_text(action) for action in legal_actions(position)] == ["205: pick U", "205: pick Y", "end turn"]
    position = apply(position, Pick(COLORS[1], 205))
    position = reveal(position, Reveal("row", 0))
    assert Skip() in legal_actions(position)
    assert EndTurn() not in legal_actions(position)


def test_draws_are_made_one_at_a_time_and_may_be_stopped() -> None:
    gizmo = next(card for card in CARDS.values() if card.effect == "draw" and card.amount == 3)
    position = table(built=(gizmo.id,), row="U", display=(101,), archive=())
    position = replace(position, turn=replace(position.turn, acted=True, triggered=(gizmo.id,)))
    position = reveal(apply(position, Draw(gizmo.id)), Reveal("draw", 0))
    assert legal_actions(position) == (Draw(gizmo.id), Skip())


def test_an_illegal_action_is_refused() -> None:
    with pytest.raises(IllegalActionError, match="illegal here"):
        apply(table(row="U"), Pick(COLORS[0]))
    with pytest.raises(IllegalActionError, match="not possible"):
        reveal(table(row="U"), Reveal("row", 0))


def test_a_free_build_from_the_archive_triggers_like_any_build_from_there() -> None:
    position = table(built=(205, 319, 331), archive=(104,), row="U")
    position = replace(position, turn=replace(position.turn, acted=True, triggered=(319,)))
    after = apply(position, Build(104, "archive", gizmo=319))
    assert 205 in after.turn.triggered


def test_negators_forbid_files_and_research_from_the_moment_they_are_built() -> None:
    negators = [card for card in CARDS.values() if card.special in ("no-file", "no-research")]
    assert negators
    for card in negators:
        position = table(built=(card.id,), display=(101,), decks=DECKS)
        verbs = {action_text(action).split()[0] for action in legal_actions(position)}
        assert verbs == {"file", "research"} - {card.special.removeprefix("no-")}


def test_the_outcomes_of_a_refill_are_the_unseen_cards() -> None:
    position = apply(table(display=(101, 102, 103, 104), decks=DECKS), File(101))
    shown = [outcome.reveal.value for outcome in outcomes(position)]
    assert shown == list(range(105, 137))
