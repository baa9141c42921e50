"""Cheap bounds on what a turn can still bring, valid whatever happens."""

from __future__ import annotations

from fractions import Fraction

from engine.cards import CARDS, DECK_CARDS, Card
from engine.position import Position
from solver.objective import Goal, Objective, Term, Value


def bounds(position: Position, objective: Objective) -> tuple[Value, Value]:
    """A lower and an upper bound on the value of the turn, term by term.

    The upper bound counts the most builds that effects could give and the dearest cards for them, colours, marbles and
    order aside; the lower bound is what an immediate end of the turn with an empty ring leaves.
    """
    pairs = [_bounds(term, position) for term in objective.terms]
    return tuple(Fraction(low) for low, _ in pairs), tuple(Fraction(high) for _, high in pairs)


def most(position: Position) -> tuple[int, int, int]:
    """More points, marbles in the ring and gizmos built than these the turn can't bring."""
    _, points = _bounds("score", position)
    return points, _ring_limit(position), sum(_builds(position))


def _bounds(term: Term, position: Position) -> tuple[int, int]:
    if isinstance(term, Goal):
        return 0, 1
    player = position.player
    board = player.dashboard
    if term == "marbles":
        return 0, _ring_limit(position)
    if term == "activations":
        unused = [gizmo for gizmo in player.built if gizmo not in position.turn.used]
        return 0, len(unused) + sum(_builds(position))
    low = -board.points_per_energy * player.marbles
    cards = _buildable(position)
    paid, free = _builds(position)
    points = sum(sorted((card.points for card in cards), reverse=True)[:paid])
    points += sum(sorted((card.points for card in cards if card.level == 1), reverse=True)[:free])
    unused_points = [
        card.amount
        for card in (CARDS[gizmo] for gizmo in player.built)
        if card.effect == "points" and card.id not in position.turn.used
    ]
    new_points = sorted((card.amount for card in cards if card.effect == "points"), reverse=True)[: paid + free]
    tokens = sum(unused_points) + sum(new_points)
    energy = board.points_per_energy + min(paid, sum(card.special == "points-per-energy" for card in cards))
    token = board.points_per_token + min(paid, sum(card.special == "points-per-token" for card in cards))
    extra = energy * _ring_limit(position) + token * (player.tokens + tokens)
    present = board.points_per_energy * player.marbles + board.points_per_token * player.tokens
    return low, points + tokens + extra - present


def _buildable(position: Position) -> list[Card]:
    taken = {gizmo for player in position.players for gizmo in player.built}
    others = [player for seat, player in enumerate(position.players) if seat != position.to_move]
    taken.update(card for player in others for card in player.archive)
    return [CARDS[card] for cards in DECK_CARDS[1:] for card in cards if card not in taken]


def _builds(position: Position) -> tuple[int, int]:
    """The most paid and free builds to come: the main action, a research in progress, and one for each gizmo."""
    turn = position.turn
    mine = set(position.player.built) - set(turn.used)
    cards = [*_buildable(position), *(CARDS[gizmo] for gizmo in mine)]
    pending = CARDS[turn.pending.gizmo].effect if turn.pending is not None else ""
    paid = (not turn.acted) + (turn.research is not None) + (pending == "research")
    free = int(pending == "free-build-level-1")
    return (
        paid + sum(card.effect == "research" for card in cards),
        free + sum(card.effect == "free-build-level-1" for card in cards),
    )


def _ring_limit(position: Position) -> int:
    paid, free = _builds(position)
    storage = sorted((card.storage for card in _buildable(position)), reverse=True)
    limit = position.player.dashboard.ring_limit + sum(storage[: paid + free])
    return max(limit, position.player.marbles)
