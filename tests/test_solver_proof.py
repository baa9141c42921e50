"""The proof by CP-SAT: the same optimum as the search, lines that replay, counts that trying all confirms."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace
from ortools.sat.python import cp_model
from reveal_free import random_position

from engine.actions import Action, Build, EndTurn, Points
from engine.cards import CARDS
from engine.errors import InvalidPositionError
from engine.marbles import count, parse_marbles
from engine.payments import payments
from engine.position import Awaited, Deck, Player, Position, Research, Turn
from engine.rules import apply_unchecked, legal_actions
from solver import parse_objective, solve
from solver.proof import Proof, prove
from solver.proof.payment import add_payment, can_pay
from solver.proof.scope import Scope
from solver.reference import Reference

OFFICIAL = Position(
    players=(Player(ring=count("YYR"), built=(106, 113, 217, 227, 901), archive=(208,)),), row=count("YRRUKK")
)
OBJECTIVES = (
    "score",
    "activations",
    "marbles",
    "score,marbles",
    "goal: ring holds 2 red and score >= 1",
    "goal: gizmos >= 6,activations",
)


def agree(seed: int, objective: str) -> bool:
    """True if the proof and the search agree on a random position; False if the turn depends on luck."""
    position = random_position(seed)
    if position.is_over:
        return False
    proof = prove(position, objective=objective)
    if proof.status == "luck":
        return False
    found = solve(position, objective=objective, luck="worst", top=1)
    assert (proof.status, found.proved) == ("optimal", True)
    assert tuple(map(float, proof.value)) == found.value, f"seed {seed}, {objective}"
    reference = Reference(parse_objective(objective), "worst", position.player, position.to_move)
    assert reference.value(position) == proof.value, f"seed {seed}, {objective}"
    return True


@pytest.mark.parametrize("part", range(4))
def test_proof_and_search_agree_on_40_random_positions_without_luck(part: int) -> None:
    agreed = 0
    seed = 1000 * part
    while agreed < 10:
        agreed += agree(seed, OBJECTIVES[seed % len(OBJECTIVES)] if seed % 2 else "score")
        seed += 1
    assert seed < 1000 * part + 30


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_proof_and_search_agree_on_500_random_positions_without_luck(part: int) -> None:
    agreed = 0
    seed = 10_000 + 1000 * part
    while agreed < 50:
        agreed += agree(seed, OBJECTIVES[seed % len(OBJECTIVES)] if seed % 2 else "score")
        seed += 1


def test_the_official_chain_is_worth_three_points_and_no_turn_more() -> None:
    proof = prove(OFFICIAL, count=10, why=True)
    assert (proof.status, proof.value, proof.bound) == ("optimal", (3,), (3,))
    assert [reason.words for reason in proof.reasons] == [
        "at most 1 build: 1 main action",
        "at most 3 points: 3 on cards (208)",
    ]
    assert proof.count is not None
    assert (proof.count.turns, proof.count.complete) == (1, True)


def test_a_turn_that_can_come_to_a_draw_is_refused_and_says_what_is_unknown() -> None:
    proof = prove(OFFICIAL, objective="marbles")
    assert (proof.status, proof.value, proof.unknown) == ("luck", (), ("the colour of a drawn marble",))


def test_without_luck_the_best_safe_turn_is_proved() -> None:
    proof = prove(OFFICIAL, objective="marbles", safe=True)
    assert (proof.status, proof.safe, proof.value) == ("optimal", True, (4,))
    assert proof.unknown == ("the colour of a drawn marble",)


def test_a_draw_is_no_luck_if_the_dispenser_holds_one_colour() -> None:
    others = Player(ring=(10, 12, 11, 0))
    position = replace(OFFICIAL, players=(OFFICIAL.player, others), next=parse_marbles("RRR"))
    only_yellow = replace(position, players=(OFFICIAL.player, replace(others, ring=(7, 12, 11, 0))))
    assert sum(1 for number in only_yellow.dispenser if number) == 1
    proof = prove(only_yellow, objective="score,activations")
    assert proof.status == "optimal"
    assert tuple(map(float, proof.value)) == solve(only_yellow, objective="score,activations", luck="worst").value


@pytest.mark.parametrize(
    ("changes", "unknown"),
    [
        ({"decks": (Deck(0), Deck(9), Deck(0))}, "the cards that a research of deck II shows"),
        (
            {
                "built": (321, 325, 901),
                "archive": (),
                "display": ((112, 116), (), ()),
                "decks": (Deck(9), *[Deck(0)] * 2),
            },
            "the card that refills level I",
        ),
    ],
)
def test_unknown_cards_are_named(changes: dict[str, Any], unknown: str) -> None:
    player = replace(OFFICIAL.player, **{k: v for k, v in changes.items() if k in ("built", "archive")})
    table = {k: v for k, v in changes.items() if k not in ("built", "archive")}
    proof = prove(replace(OFFICIAL, players=(player,), **table))
    assert proof.status == "luck"
    assert proof.unknown == (unknown,)


def test_cards_that_only_the_player_saw_are_unknown() -> None:
    turn = Turn(acted=True, research=Research(1, seen=(118,), unknown=2))
    proof = prove(replace(OFFICIAL, turn=turn, decks=(Deck(9), Deck(0), Deck(0))))
    assert proof.unknown == ("2 cards that the player has seen in deck I",)


def test_a_refill_that_nothing_can_take_is_no_luck() -> None:
    player = Player(ring=count("UYY"), built=(323, 322, 227, 901))
    position = Position((player,), row=count("YU"), display=((130, 118), (), ()), decks=(Deck(9), Deck(9), Deck(9)))
    assert prove(position).status == "optimal"


def test_a_refill_that_a_free_build_could_take_is_luck() -> None:
    player = Player(ring=count("UYY"), built=(322, 320, 901))
    position = Position((player,), display=((130, 118), (), ()), decks=(Deck(9), Deck(0), Deck(0)))
    assert prove(position).unknown == ("the card that refills level I",)


def test_a_known_refill_can_be_built_for_free() -> None:
    player = Player(ring=count("U"), built=(320, 322, 901))
    position = Position((player,), display=((118,), (), ()), decks=(Deck(1, top=(134,)), Deck(0), Deck(0)))
    proof = prove(position)
    assert (proof.status, proof.value) == ("optimal", (2,))
    assert any(isinstance(move, Build) and move.card == 134 for move in proof.moves)


def test_reasons_name_the_rule_that_stands_in_the_way() -> None:
    player = Player(ring=count("U"), built=(320, 322, 901), archive=(301,))
    position = Position((player,), display=((118, 134), (), ()))
    words = [reason.words for reason in prove(position, why=True).reasons]
    assert words[0] == "at most 2 builds: 1 main action + 1 free (320)"
    assert words[1] == "at most 5 points: 5 on cards (301, 118)"
    assert words[2] == "if nothing had to be paid and room had no limit, at most 5 points"
    assert words[-1] == "by all rules together, at most 2 points (CP-SAT)"


def test_a_goal_out_of_reach_is_worth_nothing_and_the_bound_says_why() -> None:
    proof = prove(OFFICIAL, objective="goal: score >= 9", why=True)
    assert proof.value == (0,)
    assert proof.reasons[1].words == "at most 3 points: 3 on cards (208)"


def test_the_answer_depends_on_no_number_of_workers() -> None:
    for seed in range(3, 9):
        alone, together = (prove(random_position(seed), count=30, workers=workers) for workers in (1, 3))
        assert (alone.status, alone.value, alone.bound) == (together.status, together.value, together.bound)
        if alone.count is not None and alone.count.complete:
            assert alone.count == together.count


def test_out_of_time_is_not_called_optimal() -> None:
    assert prove(random_position(36), time_limit=0.0).status == "time"


def test_positions_in_which_nature_decides_are_refused() -> None:
    waiting = replace(OFFICIAL, turn=Turn(acted=True, awaited=(Awaited("draw"),)))
    with pytest.raises(InvalidPositionError, match="a reveal is owed"):
        prove(waiting)


def test_a_turn_in_which_nothing_can_be_done_is_passed() -> None:
    proof = prove(Position((Player(ring=count("RRRRR")),)))
    assert (proof.status, proof.value) == ("optimal", (0,))


# -- counting ---------------------------------------------------------------------------------------------------------


def counted(position: Position, objective: str) -> tuple[int, int]:
    """By playing all lines: the optimal turns told apart by what is done, and also by what is spent."""
    goal = parse_objective(objective)
    matters = Scope(position, goal).ring_matters
    best: dict[Any, set[tuple[Any, Any]]] = {}
    todo: list[tuple[Position, Any, Any, Any]] = [(position, frozenset[Any](), (), goal.on_action(position, EndTurn()))]
    seen = set()
    while todo:
        now, did, spent, gained = todo.pop()
        if (now, did, spent, gained) in seen:
            continue
        seen.add((now, did, spent, gained))
        for action in legal_actions(now):
            pending = now.turn.pending
            by = getattr(action, "gizmo", 0) or (pending.gizmo if pending is not None else 0)
            after = apply_unchecked(now, action)
            assert not after.is_chance
            ended = not after.turn.acted
            if (
                ended
                and any(CARDS[g].effect == "points" for g in now.turn.triggered)
                and not isinstance(action, Points)
            ):
                continue
            got = tuple(a + b for a, b in zip(gained, goal.on_action(now, action), strict=True))
            marks = Counter(dict(did))
            marks.update([mark for mark in [_mark(action, by, matters)] if mark])
            pays = (*spent, action.spend) if isinstance(action, Build) and not action.gizmo else spent
            doing = frozenset(marks.items())
            if ended:
                value = tuple(
                    a + b
                    for a, b in zip(goal.at_end(position.player, after.players[position.to_move]), got, strict=True)
                )
                best.setdefault(value, set()).add((doing, pays))
            else:
                todo.append((after, doing, pays, got))
    ways = best[max(best)]
    return len({doing for doing, _ in ways}), len(ways)


def _mark(action: Action, by: int, matters: bool) -> Any:
    name = type(action).__name__
    if name in ("Points", "Skip", "EndTurn") or (name in ("Pick", "Draw") and by and not matters):
        return None
    return (
        name,
        by if name != "Pass" else 0,
        getattr(action, "card", 0),
        getattr(action, "source", ""),
        getattr(action, "color", -1),
        getattr(action, "level", 0),
    )


@pytest.mark.parametrize("objective", ["score", "score,marbles", "activations"])
def test_counts_are_those_of_playing_all_lines(objective: str) -> None:
    compared = 0
    for seed in range(40, 47):
        position = random_position(seed)
        proof = prove(position, objective=objective, count=60) if not position.is_over else None
        if proof is None or proof.count is None or not proof.count.complete:
            continue
        assert (proof.count.turns, proof.count.payments) == counted(position, objective), f"seed {seed}"
        compared += 1
    assert compared >= 3


# -- payments ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "converters"),
    [(230, (106, 216, 221)), (301, (217, 220, 305)), (333, (101, 306)), (310, (213, 303, 218)), (313, (303, 304, 221))],
)
def test_the_payments_of_the_model_are_those_of_the_rules(card: int, converters: tuple[int, ...]) -> None:
    price = CARDS[card].cost
    for ring in ("YYR", "UUKKY", "RRRRK", "RUKY"):
        rules = {payment.spend for payment in payments(CARDS[card], price, price, count(ring), converters)}
        model = cp_model.CpModel()
        payment = add_payment(model, "", converters, price)
        for each, have in zip(payment.spend, count(ring), strict=True):
            model.add(each <= have)
        model.add(sum(payment.paid) == price)
        for color in range(4):
            if color not in CARDS[card].colors:
                model.add(payment.paid[color] == 0)
        found = set()
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        while solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            spent = tuple(solver.value(each) for each in payment.spend)
            found.add(spent)
            differs = []
            for each, value in zip(payment.spend, spent, strict=True):
                other = model.new_bool_var("")
                model.add(each != value).only_enforce_if(other)
                differs.append(other)
            model.add_bool_or(differs)
        assert found == rules, ring


def test_nothing_is_made_from_itself() -> None:
    assert not can_pay((0, 0, 0, 1), (0, 0, 0, 0), frozenset({101, 106, 217}))


def test_a_proof_is_a_plain_value() -> None:
    proof: Proof = prove(OFFICIAL)
    assert proof == replace(prove(OFFICIAL), seconds=proof.seconds)
