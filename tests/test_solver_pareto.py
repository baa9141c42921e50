"""Pareto sets: right by hand, the same from the kernel and the reference, complete, and honest when stopped."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from mixtures import is_reached_by_mixtures

from engine.actions import Action
from engine.cards import DECK_CARDS
from engine.marbles import count
from engine.notation import action_text, parse_action
from engine.position import Deck, Player, Position
from engine.rules import apply, legal_actions
from solver import Luck, ParetoSet, solve
from solver.native import Kernel, which
from solver.objective import LUCKS, Mix
from solver.pareto.definition import Definition
from solver.pareto.fronts import Front, unbeaten
from solver.pareto.solves import Solves
from solver.reference import Reference, Stopped
from solver.result import Trade
from solver.samples import engine_rich, few_cards, random_play

by_kernel = pytest.mark.skipif(which() == "reference", reason="installed without a compiler")
SOLVERS = ("reference", pytest.param("kernel", marks=by_kernel))
OFFICIAL = Position(
    players=(Player(ring=count("YYR"), built=(106, 113, 217, 227, 901), archive=(208,)),), row=count("YRRUKK")
)
STATES = 3000
"""Positions that the reference needs more fronts for are left out."""


def found(position: Position, luck: Luck = "average", solver: str = "auto") -> ParetoSet:
    pareto = solve(position, luck=luck, solver=solver, pareto=True).pareto  # type: ignore[arg-type]
    assert pareto is not None
    assert pareto.proved
    return pareto


def triples(pareto: ParetoSet) -> list[tuple[float, float, float]]:
    return [numbers(trade) for trade in pareto.trades]


def numbers(trade: Trade) -> tuple[float, float, float]:
    return trade.points, trade.marbles, trade.gizmos


def firsts(pareto: ParetoSet) -> list[set[str]]:
    return [set(map(action_text, trade.firsts)) for trade in pareto.trades]


# --------------------------------------------------------------------------------------------------------- by hand


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("luck", LUCKS)
def test_marbles_can_be_spent_for_points_or_kept(luck: Luck, solver: str) -> None:
    """Build for both black marbles (2 points), for one of them (1 point), or take a third one by any way."""
    player = Player(ring=count("KK"), built=(901,))
    position = Position((player,), row=count("R"), display=((121,), (209,), ()))
    pareto = found(position, luck, solver)
    assert triples(pareto) == [(2, 0, 1), (1, 1, 1), (0, 3, 0)]
    assert firsts(pareto) == [{"build 209 with KK"}, {"build 121 with K"}, {"pick R", "file 121", "file 209"}]
    assert pareto.upper == (2, 3, 1)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_official_chain_keeps_three_marbles_or_five(solver: str) -> None:
    pareto = found(OFFICIAL, "worst", solver)
    assert triples(pareto) == [(3, 3, 1), (0, 5, 0)]
    line = pareto.trades[0].line
    assert line is not None
    assert [action_text(step.action) for step in line.steps] == [
        "build 208 from archive with YY via 217",
        "227: pick Y",
        "113: draw",
    ]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("luck", "right"),
    [
        ("worst", [(0, 2, 0)]),
        ("average", [(0.5, 1, 0.5), (0, 2, 0)]),
        ("best", [(1, 0, 1), (0, 2, 0)]),
    ],
)
def test_what_a_research_brings_depends_on_luck(
    luck: Luck, right: list[tuple[float, float, float]], solver: str
) -> None:
    """One of two cards is seen, and only 121 can be paid for; any card can be filed, and then 901 draws a marble."""
    away = tuple(card for card in DECK_CARDS[1] if card not in (121, 122))
    others = Player(built=(*away, *DECK_CARDS[2], *DECK_CARDS[3], 902))
    position = Position(
        (Player(ring=count("K"), built=(901,)), others), first_player=1, decks=(Deck(1), Deck(0), Deck(0))
    )
    pareto = found(position, luck, solver)
    assert triples(pareto) == right
    assert all(each == {"research I"} for each in firsts(pareto))


@by_kernel
def test_a_plan_without_luck_counts_even_where_a_mixture_of_others_brings_more() -> None:
    """4 points with 9 marbles, and one time in three 7 points with 3 marbles, are more than 5 points with 4 marbles."""
    assert triples(found(few_cards(26))) == [(7, 3, 2), (5, 4, 2), (4, 9, 2)]


@pytest.mark.parametrize("solver", SOLVERS)
def test_nature_to_move_leaves_no_first_action(solver: str) -> None:
    """A marble comes into the row before 113 can draw the fifth one."""
    position = apply(OFFICIAL, parse_action(OFFICIAL, "pick yellow"))
    assert position.is_chance
    pareto = found(position, "average", solver)
    assert triples(pareto) == [(0, 5, 0)]
    assert all(trade.firsts == () and trade.line is None for trade in pareto.trades)


# --------------------------------------------------------------------------------------------- kernel and reference


def by_first_action(position: Position, fronts: list[Front]) -> dict[tuple[float, ...], set[Action | None]]:
    """What is in none but the unbeaten triples, rounded, with the first actions that reach it."""
    actions = legal_actions(position) or (None,)
    return {
        tuple(round(float(number), 8) for number in triple): {
            action for action, front in zip(actions, fronts, strict=True) if triple in front
        }
        for triple in unbeaten(triple for front in fronts for triple in front)
    }


def compare(positions: list[Position], lucks: tuple[Luck, ...] | None = None) -> int:
    compared = 0
    for number, position in enumerate(positions):
        if position.is_over:
            continue
        for luck in lucks or (LUCKS[number % 3],):
            definition = Definition(position, luck, lambda: definition.states > STATES)  # noqa: B023
            try:
                definition.find()
            except Stopped:
                continue
            solves = Solves(position, luck)
            solves.find()
            expected = by_first_action(position, definition.fronts)
            assert by_first_action(position, solves.fronts) == expected, f"{number}, {luck}"
            assert [float(most) for most in solves.upper if most is not None] == pytest.approx(
                [float(most) for most in definition.upper if most is not None], abs=1e-9
            )
            compared += 1
    return compared


@by_kernel
def test_the_kernel_weighs_points_marbles_and_gizmos_as_the_reference_does() -> None:
    for seed in range(60):
        nature, position = Random(seed), random_play(seed)
        if position.is_over or position.is_chance:
            continue
        mix, luck = Mix(*(Fraction(nature.randint(0, 8), 4) for _ in range(3))), nature.choice(LUCKS)
        reference = Reference(mix, luck, position.player, position.to_move, lambda: reference.states > STATES)  # noqa: B023
        try:
            expected = reference.actions(position)
        except Stopped:
            continue
        for mine, right in zip(Kernel(position, mix, luck).actions(position), expected, strict=True):
            assert mine == pytest.approx(right, abs=1e-9), f"seed {seed}"


@by_kernel
def test_the_kernel_finds_the_sets_of_the_reference() -> None:
    assert compare([random_play(seed) for seed in range(60)]) >= 40


@by_kernel
@pytest.mark.slow
def test_the_kernel_finds_the_sets_of_the_reference_on_hundreds_of_positions() -> None:
    assert compare([random_play(seed) for seed in range(5000, 5400)], LUCKS) >= 900


@by_kernel
@pytest.mark.slow
def test_strong_engines_and_short_decks_have_the_sets_of_the_reference() -> None:
    assert compare([few_cards(seed) for seed in range(80)], LUCKS) >= 12


@by_kernel
@pytest.mark.parametrize("seed", range(8))
def test_no_plan_is_worth_more_than_the_listed_ones_at_any_weights(seed: int) -> None:
    nature = Random(seed)
    position = engine_rich(4) if seed == 0 else random_play(seed)
    trades = found(position).trades
    for _ in range(10):
        points, marbles, gizmos = weights = [Fraction(nature.randint(0, 20), 7) for _ in range(3)]
        mix = Mix(points, marbles, gizmos)
        kernel = Kernel(position, mix, "average")
        most = kernel.after(position) if position.is_chance else max(kernel.actions(position))
        listed = max(
            sum(float(weight) * number for weight, number in zip(weights, numbers(trade), strict=True))
            for trade in trades
        )
        assert listed == pytest.approx(float(most[0]), abs=1e-8)


@by_kernel
@pytest.mark.parametrize("seed", range(0, 24, 3))
def test_threads_and_table_sizes_change_no_set(seed: int) -> None:
    position = random_play(seed)
    if position.is_over:
        return
    once = solve(position, solver="kernel", pareto=True).pareto
    assert once is not None
    for limits in ({"threads": 2}, {"memory_limit": 20_000}):
        again = solve(position, solver="kernel", pareto=True, **limits).pareto  # type: ignore[arg-type]
        assert again is not None
        assert again.trades == once.trades


# ----------------------------------------------------------------------------------------------------------- lines


@pytest.mark.parametrize("seed", range(2, 12))
def test_a_line_without_luck_ends_with_what_it_was_listed_for(seed: int) -> None:
    position = random_play(seed)
    if position.is_over or position.is_chance:
        return
    seat, start = position.to_move, position.player
    for luck in LUCKS:
        for trade in found(position, luck).trades:
            assert trade.line is not None
            assert trade.line.first == trade.firsts[0]
            end = trade.line.steps[-1].position.players[seat]
            got = (end.score - start.score, end.marbles, len(end.built) - len(start.built))
            if luck == "average" and any(step.chance < 1 for step in trade.line.steps):
                continue
            assert all(have >= listed for have, listed in zip(got, numbers(trade), strict=True))


# --------------------------------------------------------------------------------------------------------- stopped


@by_kernel
@pytest.mark.parametrize("limit", [0.0, 0.02, 0.1])
def test_a_stopped_search_lists_what_can_be_had_and_says_what_is_the_most(limit: float) -> None:
    position = engine_rich(4)
    full = found(position)
    stopped = solve(position, pareto=True, time_limit=limit).pareto
    assert stopped is not None
    assert stopped.status in ("time", "proved")
    most = [max(numbers(trade)[which] for trade in full.trades) for which in range(3)]
    assert all(high >= number - 1e-9 for high, number in zip(stopped.upper, most, strict=True))
    all_of_them = triples(full)
    assert all(is_reached_by_mixtures(numbers(trade), all_of_them) for trade in stopped.trades)
    if limit == 0:
        assert stopped.status == "time"


def test_the_reference_can_be_stopped_too() -> None:
    stopped = solve(engine_rich(4), pareto=True, time_limit=0.2, solver="reference").pareto
    assert stopped is not None
    assert (stopped.status, stopped.stats.solver) == ("time", "reference")


def test_nobody_who_does_not_ask_gets_a_set() -> None:
    assert solve(OFFICIAL).pareto is None
