"""Why no turn does better: bounds that leave out most of the rules, in numbers that a person can check."""

from __future__ import annotations

import msgspec

from engine.cards import CARDS
from solver.proof.scope import Scope


class Reason(msgspec.Struct, frozen=True):
    """An upper bound on the first term of the objective, and what it counts, in words."""

    bound: int
    words: str


def builds_bound(scope: Scope) -> Reason:
    """At most so many builds: the main action, free builds and researches."""
    first, free, research = scope.builds
    parts = []
    if first:
        parts.append("1 main action")
    if free:
        parts.append(f"{free} free ({_named(scope.effects('free-build-level-1'))})")
    if research:
        parts.append(f"{research} by research ({_named(scope.effects('research'))})")
    total = first + free + research
    return Reason(total, f"at most {total} build{'s' if total != 1 else ''}: {' + '.join(parts) or 'none'}")


def points_bound(scope: Scope) -> Reason:
    """At most so many points: the dearest cards for these builds, every points effect that can be triggered.

    Extra awards are left to CP-SAT: with any of them in play the bound counts a full ring and all tokens.
    """
    first, free, research = scope.builds
    by_points = sorted(scope.buildable, key=lambda card: (-CARDS[card].points, card))
    dearest = by_points[: first + research]
    cheap = [card for card in by_points if CARDS[card].level == 1 and card not in dearest][:free]
    built = [*dearest, *cheap]
    mine = [gizmo for gizmo in scope.effects("points") if gizmo in scope.unused]
    new = [gizmo for gizmo in scope.effects("points") if gizmo not in scope.unused][: first + free + research]
    cards = sum(CARDS[card].points for card in built)
    tokens = sum(CARDS[gizmo].amount for gizmo in (*mine, *new))
    parts = [f"{cards} on cards ({_named(built)})" if built else "0 on cards"]
    if tokens:
        parts.append(f"{tokens} in tokens ({_named([*mine, *new])})")
    total = cards + tokens
    extra = _extra(scope, tokens)
    if extra:
        parts.append(f"{extra} in extra awards")
    return Reason(total + extra, f"at most {total + extra} points: {' + '.join(parts)}")


def _extra(scope: Scope, tokens: int) -> int:
    every = (*scope.player.built, *scope.buildable)
    per_marble = sum(CARDS[card].special == "points-per-energy" for card in every)
    per_token = sum(CARDS[card].special == "points-per-token" for card in every)
    board = scope.player.dashboard
    room = board.ring_limit + sum(CARDS[card].storage for card in scope.buildable)
    now = board.points_per_energy * scope.player.marbles + board.points_per_token * scope.player.tokens
    return per_marble * max(room, scope.player.marbles) + per_token * (scope.player.tokens + tokens) - now


def _named(cards: object) -> str:
    return ", ".join(str(card) for card in cards) if isinstance(cards, list | tuple) else str(cards)
