"""Simple players: they make the games that puzzles are mined from, and one of them stands for the obvious move.

Everything here is deterministic but for the generator that is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final, Literal, TypeAlias

from engine.actions import Action, Build, Draw, EndTurn, File, Pass, Pick, Points, ResearchDeck, Skip
from engine.cards import CARDS, Card
from engine.marbles import COLORS, Marbles
from engine.position import Player, Position
from engine.reveals import reveal_unchecked, weighted_reveals
from engine.rules import apply_unchecked, legal_actions
from puzzles.answers import best_actions
from puzzles.values import turn_values
from solver.objective import parse_objective
from solver.reference import Stopped

Kind: TypeAlias = Literal["random", "greedy", "planner"]
Chooser: TypeAlias = Callable[[Position, Random], Action]

KINDS: Final[tuple[Kind, ...]] = ("random", "greedy", "planner")
_PLANNED_STATES: Final = 2000
"""Positions a planner looks at in a turn before it falls back to its rule."""


def first_look(position: Position, action: Action) -> int:
    """The points that an action brings at first sight: its own, and those of the point gizmos it triggers."""
    if isinstance(action, Points):
        return CARDS[action.gizmo].amount
    if not isinstance(action, Build):
        return 0
    seat = position.to_move
    before = position.player
    after = apply_unchecked(position, action)
    waiting = set(after.turn.triggered) - set(position.turn.triggered) if after.turn.acted else set[int]()
    won = after.players[seat].score - before.score
    return won + sum(CARDS[gizmo].amount for gizmo in waiting if CARDS[gizmo].effect == "points")


def choose_greedily(position: Position, rng: Random) -> Action:
    """Whatever brings most points at first sight; among equals an action that sets off more, and costs less."""
    del rng
    return max(legal_actions(position), key=lambda action: _appeal(position, action))


def _appeal(position: Position, action: Action) -> tuple[float, ...]:
    spent = (-sum(action.spend), -len(action.converters)) if isinstance(action, Build) else (0, 0)
    return (first_look(position, action), _kind_rank(action), *spent, _worth(position, action), -_number(action))


def _kind_rank(action: Action) -> int:
    match action:
        case Points():
            return 6
        case Build():
            return 5
        case Draw():
            return 4
        case Pick():
            return 3
        case File():
            return 2
        case ResearchDeck():
            return 1
        case Skip() | Pass() | EndTurn():
            return 0


def _worth(position: Position, action: Action) -> float:
    if isinstance(action, Pick):
        listening = [n for n in position.player.dashboard.on_pick[action.color] if n not in position.turn.used]
        return 100 * len(listening) + _wanted(position)[action.color]
    return CARDS[action.card].points if isinstance(action, File | Build) else 0


def _number(action: Action) -> int:
    return int(getattr(action, "card", 0) or getattr(action, "gizmo", 0))


def choose_randomly(position: Position, rng: Random) -> Action:
    """Any legal action, each equally likely, but never ends a turn while something is left to do."""
    actions = legal_actions(position)
    return rng.choice(actions[:-1] if isinstance(actions[-1], EndTurn | Skip) and len(actions) > 1 else actions)


def choose_by_plan(position: Position, rng: Random) -> Action:
    """The best turn for points and gizmos used, when it brings points; else a rule for marbles and engine.

    The turn is looked at alone (no refills, no opponents) and under worst luck. Where that takes too long the rule
    decides too.
    """
    del rng
    alone = lonely(position)
    values = turn_values(alone, parse_objective("score,activations"), "worst", _PLANNED_STATES)
    try:
        best = best_actions(values, alone)
        worth = values.action_value(alone, best[0])[0]
    except Stopped:
        return _by_rule(position)
    legal = set(legal_actions(position))
    known = [action for action in best if action in legal]
    early = len(position.player.built) < 8 and not position.turn.acted
    if not known or (early and worth < 2) or worth <= 0:
        return _by_rule(position)
    return max(known, key=lambda action: _appeal(position, action))


def _by_rule(position: Position) -> Action:
    """Marbles and engine: build what makes the engine grow, pick for the card that lacks least, file when that pays."""
    return max(legal_actions(position), key=lambda action: _rule_appeal(position, action))


def _rule_appeal(position: Position, action: Action) -> tuple[float, ...]:
    player = position.player
    match action:
        case Build():
            appeal = 3 + first_look(position, action) + _engine_worth(player, CARDS[action.card])
            appeal -= 0.3 * sum(action.spend)
        case Points():
            appeal = 20.0
        case Draw():
            appeal = 10.0
        case Pick():
            wanted = _wanted(position)[action.color]
            appeal = (12 if action.gizmo or position.turn.acted else 2) + wanted
            appeal += 1.5 * len(player.dashboard.on_pick[action.color])
        case File():
            fits = 2.0 if player.dashboard.on_build_from_archive or player.dashboard.discount_from_archive else 0.5
            waits = sum(1 for gizmo in player.dashboard.on_file if gizmo not in position.turn.used)
            appeal = fits + waits + 0.3 * CARDS[action.card].points
        case ResearchDeck():
            appeal = 0.8 + 0.4 * player.dashboard.research_amount + (10 if action.gizmo else 0)
        case _:
            appeal = -1.0
    return (appeal, -_number(action))


def _engine_worth(player: Player, card: Card) -> float:
    """What a card adds to an engine, by rule of thumb."""
    worth: dict[str, float] = {"converter": 1.5, "upgrade": 1.0, "file": 1.0, "pick": 1.5, "build": 2.5}
    more = {"free-build-level-1": 3.0, "research": 2.5, "file": 1.5, "pick": 1.0}
    end = 6.0 if card.special == "points-per-token" and player.tokens >= 5 else 0.0
    return worth[card.area] + more.get(card.effect, 0.0) + 0.5 * card.level + end


def _wanted(position: Position) -> Marbles:
    """How much a marble of each colour is wanted, in tenths: by how near it brings the cards in reach."""
    player = position.player
    wanted = [0, 0, 0, 0]
    for card in _in_reach(position):
        missing = card.cost - sum(player.ring[color] for color in card.colors)
        if missing > 0:
            for color in card.colors:
                wanted[color] += (10 * max(1, card.points)) // (missing * missing)
    most = max(wanted) or 1
    red, blue, black, yellow = (10 * wanted[color] // most for color in COLORS)
    return (red, blue, black, yellow)


def _in_reach(position: Position) -> Iterator[Card]:
    for row in position.display:
        yield from (CARDS[number] for number in row)
    yield from (CARDS[number] for number in position.player.archive)


def lonely(position: Position) -> Position:
    """The position as its player sees it alone: no other players, no decks, no known marbles to come."""
    return Position(players=(position.player,), row=position.row, display=position.display, turn=position.turn)


CHOOSERS: Final[dict[Kind, Chooser]] = {
    "random": choose_randomly,
    "greedy": choose_greedily,
    "planner": choose_by_plan,
}


def reveal_at_random(position: Position, rng: Random) -> Position:
    """Let nature decide what is owed."""
    weighted = weighted_reveals(position)
    (each,) = rng.choices([reveal for reveal, _ in weighted], [weight for _, weight in weighted])
    return reveal_unchecked(position, each)


def turns(start: Position, kinds: tuple[Kind, ...], rng: Random, most: int = 200) -> Iterator[Position]:
    """Play a game, and give the position at the start of each turn."""
    position = start
    for _ in range(most):
        if position.is_over:
            return
        yield position
        choose = CHOOSERS[kinds[position.to_move]]
        acting = True
        while acting:
            position = apply_unchecked(position, choose(position, rng))
            while position.is_chance:
                position = reveal_at_random(position, rng)
            acting = position.turn.acted
