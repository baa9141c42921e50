"""The cards are those of the game, and add up."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.cards import CARDS, DECK_CARDS, LEVELS, STARTING_GIZMOS, dashboard, parse_level
from engine.errors import UnreadableError
from engine.marbles import COLORS, Color


def test_there_are_36_cards_of_each_level_and_four_equal_starting_gizmos() -> None:
    assert [len(cards) for cards in DECK_CARDS] == [4, 36, 36, 36]
    assert STARTING_GIZMOS == (901, 902, 903, 904)
    effects = {(card.trigger, card.effect, card.amount) for card in map(CARDS.__getitem__, STARTING_GIZMOS)}
    assert effects == {("file", "draw", 1)}


def test_every_colour_has_as_many_cards_of_a_level() -> None:
    for level in LEVELS:
        names = Counter(CARDS[number].color_name for number in DECK_CARDS[level])
        for_all = names.pop("any", 0)
        assert set(names.values()) == {(36 - for_all) // 4}


def test_a_card_has_either_a_trigger_with_its_effect_or_something_else_to_give() -> None:
    for card in CARDS.values():
        assert bool(card.trigger) == bool(card.effect)
        assert bool(card.convert_to) == (card.area == "converter") == bool(card.convert_from)
        gives = card.trigger or card.convert_to or card.special or card.storage + card.archive + card.research
        assert gives, card


def test_colours_restrict_only_picks_and_builds() -> None:
    for card in CARDS.values():
        assert bool(card.trigger_colors) == (card.trigger in ("pick", "build"))


def test_a_dashboard_adds_up_what_is_built() -> None:
    board = dashboard((121, 125, 201, 327, 901))
    assert (board.ring_limit, board.archive_limit, board.research_amount) == (5 + 4, 1 + 2, 3 + 3)
    assert (board.points, board.level_3) == (sum(CARDS[number].points for number in (121, 125, 201, 327)), 1)
    assert (board.discount_from_archive, board.on_file) == (1, (901,))


def test_a_listener_hears_its_colours_and_every_card_of_any_colour() -> None:
    board = dashboard((226, 901))
    heard = [color for color in COLORS if board.on_build[color]]
    assert heard == [Color.BLACK, Color.YELLOW]
    assert board.on_build[4] == (226,)


def test_the_order_of_building_changes_nothing() -> None:
    assert dashboard((901, 226, 113)) == dashboard((113, 226, 901))


@pytest.mark.parametrize(("text", "level"), [("I", 1), (" ii ", 2), ("III", 3), ("3", 3)])
def test_levels_are_read_as_numerals_or_numbers(text: str, level: int) -> None:
    assert parse_level(text) == level


@pytest.mark.parametrize("text", ["", "0", "IV", "4", "one"])
def test_other_levels_are_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match="is not a deck level: expected I, II or III"):
        parse_level(text)
