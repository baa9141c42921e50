"""Every theme has puzzles that show it and puzzles that do not."""

import pytest

from engine.marbles import count
from engine.position import Player, Position
from puzzles.finding import part_of, shipped_puzzles
from puzzles.hints import THEME_WORDS
from puzzles.study import Study, study
from puzzles.themes import THEMES, themes_of
from solver.objective import parse_objective

CASES = {
    "archive-build": (["nothing-to-pay", "sheet-worked-chain"], ["three-listeners", "two-discounts"]),
    "converter": (["both-uses", "sheet-one-doubler"], ["three-listeners", "nothing-to-pay"]),
    "converter-chain": (["sheet-three-converters", "one-black-marble"], ["both-uses", "sheet-one-doubler"]),
    "discount": (["two-discounts", "nothing-to-pay"], ["pay-more-than-you-must", "both-uses"]),
    "draw-three": (["two-places-two-gizmos"], ["every-marble-counts", "filing-pays"]),
    "end-award": (["tokens-count-twice", "every-marble-counts"], ["filing-pays", "three-listeners"]),
    "file-trigger": (["filing-pays", "no-more-filing"], ["nothing-to-pay", "deaf-to-blue"]),
    "free-build": (["free-from-the-archive", "one-build-three-cards"], ["nothing-to-pay", "two-discounts"]),
    "last-round": (["eight-points-too-many"], ["three-listeners", "filing-pays"]),
    "level-two-trigger": (["second-level-two-picks"], ["three-listeners", "two-discounts"]),
    "negator": (["eight-points-too-many", "no-more-filing"], ["three-listeners", "filing-pays"]),
    "new-limit": (["room-for-one-more"], ["second-level-two-picks", "every-marble-counts"]),
    "order-matters": (["filing-pays"], ["three-listeners", "both-uses"]),
    "overpaid": (["pay-more-than-you-must"], ["two-discounts", "nothing-to-pay"]),
    "payment-matters": (["pay-more-than-you-must"], ["both-uses", "sheet-three-converters"]),
    "pick-two": (["second-level-two-picks", "the-marble-that-comes-next"], ["room-for-one-more", "deaf-to-blue"]),
    "quiet-move": (["filing-pays", "a-good-look"], ["three-listeners", "sheet-worked-chain"]),
    "research": (["a-good-look", "cheaper-by-research"], ["three-listeners", "filing-pays"]),
    "research-gamble": (["a-good-look"], ["cheaper-by-research", "eight-points-too-many"]),
    "ring-room": (["room-for-one-more", "two-places-two-gizmos"], ["three-listeners", "sheet-worked-chain"]),
    "sacrifice": (["eight-points-too-many", "filing-pays"], ["nothing-to-pay", "both-uses"]),
}


@pytest.fixture(scope="module")
def studied() -> dict[str, Study]:
    puzzles = [found.read() for name, found in shipped_puzzles().items() if part_of(name) == "hand"]
    return {each.id: study(each.position, each.objective, each.luck) for each in puzzles}


@pytest.mark.parametrize("theme", CASES)
def test_a_theme_is_seen_where_it_is_and_only_there(theme: str, studied: dict[str, Study]) -> None:
    shown, not_shown = CASES[theme]
    assert [name for name in shown if not THEMES[theme](studied[name])] == []
    assert [name for name in not_shown if THEMES[theme](studied[name])] == []


def test_every_theme_has_words_and_cases() -> None:
    assert set(THEMES) == set(THEME_WORDS)
    assert set(THEMES) - set(CASES) == {"long-chain", "new-gizmo"}, "those two have tests of their own"


def test_the_themes_stored_by_hand_are_those_of_the_predicates(studied: dict[str, Study]) -> None:
    for name, each in studied.items():
        assert shipped_puzzles()[name].read().document.themes == themes_of(each), name


def themes(
    ring: str, built: tuple[int, ...], display: tuple[tuple[int, ...], ...], row: str, objective: str
) -> list[str]:
    position = Position((Player(ring=count(ring), built=built),), row=count(row), display=display)
    return themes_of(study(position, parse_objective(objective), "worst"))


def test_a_gizmo_built_in_the_turn_and_used_in_it_is_a_new_gizmo() -> None:
    assert "new-gizmo" in themes("U", (104, 127, 320), ((125, 134), (), ()), "", "score")
    assert "new-gizmo" not in themes("U", (104, 127, 134, 320), ((125, 130), (), ()), "", "score")


def test_six_gizmos_make_a_long_chain_and_five_do_not() -> None:
    built = (133, 209, 213, 218, 221, 224, 225, 306)
    assert "long-chain" in themes("U", built, ((), (), (328,)), "Y", "score,activations")
    assert "long-chain" not in themes("K", (102, 104, 213, 219, 303), ((), (), (312,)), "", "score,activations")
