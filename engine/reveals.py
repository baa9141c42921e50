"""Nature's part: which reveals are owed, how likely each outcome is, and what it does (rules: "Parts", "The turn")."""

from __future__ import annotations

from fractions import Fraction

import msgspec
from msgspec.structs import replace

from engine.actions import UNKNOWN_CARD, Reveal
from engine.cards import Level
from engine.errors import IllegalActionError
from engine.marbles import COLORS, add, one
from engine.position import Awaited, Deck, Position, Turn, with_card


class Outcome(msgspec.Struct, frozen=True):
    """A possible reveal and its exact probability."""

    reveal: Reveal
    probability: Fraction


def outcomes(position: Position) -> tuple[Outcome, ...]:
    """All outcomes of the reveal that is owed next, their probabilities adding up to 1; empty if none is owed.

    A research is one reveal per card seen.
    """
    weights = weighted_reveals(position)
    total = sum(weight for _, weight in weights)
    return tuple(Outcome(reveal, Fraction(weight, total)) for reveal, weight in weights)


def weighted_reveals(position: Position) -> list[tuple[Reveal, int]]:
    """`outcomes` with whole weights instead of probabilities."""
    if not position.turn.awaited:
        return []
    awaited = position.turn.awaited[0]
    if awaited.kind in ("refill", "research"):
        return [(Reveal(awaited.kind, number), 1) for number in _drawable(position, awaited.level)]
    if awaited.kind == "row" and position.next:
        return [(Reveal("row", position.next[0]), 1)]
    dispenser = position.dispenser
    return [(Reveal(awaited.kind, color), dispenser[color]) for color in COLORS if dispenser[color] > 0]


def reveal(position: Position, outcome: Reveal) -> Position:
    """The position after a reveal; further reveals that only one outcome fits are made at once.

    A researched card may also be UNKNOWN_CARD, unless the next card of that deck is known.

    Raises IllegalActionError if this outcome is not possible.
    """
    weighted = weighted_reveals(position)
    if outcome == Reveal("research", UNKNOWN_CARD) and len(weighted) > 1:
        outcome_possible = position.turn.awaited[0].kind == "research"
    else:
        outcome_possible = any(outcome == each for each, _ in weighted)
    if not outcome_possible:
        raise IllegalActionError(f"this reveal is not possible here: {outcome!r}")
    return reveal_unchecked(position, outcome)


def reveal_unchecked(position: Position, outcome: Reveal) -> Position:
    """`reveal` for an outcome known to be possible."""
    return settle(_carry_out(position, outcome))


def settle(position: Position) -> Position:
    """Make the reveals that are certain, and end the turn once nothing is left to decide in it."""
    while position.turn.awaited:
        certain = _certain(position)
        if certain is None:
            return position
        position = certain
    turn = position.turn
    if turn.acted and not turn.triggered and turn.pending is None and turn.research is None:
        return replace(position, to_move=(position.to_move + 1) % len(position.players), turn=Turn())
    return position


def _certain(position: Position) -> Position | None:
    """The position after the next reveal if it has one outcome or none (an empty dispenser leaves a gap)."""
    awaited = position.turn.awaited[0]
    if awaited.level and position.deck(awaited.level).unknown > 1 and not position.deck(awaited.level).top:
        return None  # as many cards at least are unseen
    weights = weighted_reveals(position)
    if len(weights) > 1:
        return None
    return _carry_out(position, weights[0][0]) if weights else _with_awaited(position, position.turn.awaited[1:])


def _drawable(position: Position, level: Level) -> tuple[int, ...]:
    deck = position.deck(level)
    if deck.top:
        return deck.top[:1]
    return position.unseen(level) if deck.unknown > 0 else deck.bottom[:1]


def _carry_out(position: Position, outcome: Reveal) -> Position:
    later = position.turn.awaited[1:]
    if outcome.kind == "row":
        position = replace(position, row=add(position.row, one(outcome.value)), next=position.next[1:])
        missing = max(0, position.preview - len(position.next))
        return _with_awaited(position, (*(Awaited("next") for _ in range(missing)), *later))
    if outcome.kind == "next":
        return _with_awaited(replace(position, next=(*position.next, COLORS[outcome.value])), later)
    if outcome.kind == "draw":
        seat = position.to_move
        player = position.players[seat]
        player = replace(player, ring=add(player.ring, one(outcome.value)))
        players = (*position.players[:seat], player, *position.players[seat + 1 :])
        return _with_awaited(replace(position, players=players), later)
    return _with_awaited(_draw_card(position, outcome), later)


def _draw_card(position: Position, outcome: Reveal) -> Position:
    level = position.turn.awaited[0].level
    decks = list(position.decks)
    decks[level - 1] = _without_top(position.deck(level))
    position = replace(position, decks=tuple(decks))
    research = position.turn.research
    if outcome.kind == "research" and research is not None:
        if outcome.value == UNKNOWN_CARD:
            research = replace(research, unknown=research.unknown + 1)
        else:
            research = replace(research, seen=with_card(research.seen, outcome.value))
        return replace(position, turn=replace(position.turn, research=research))
    display = list(position.display)
    display[level - 1] = with_card(display[level - 1], outcome.value)
    return replace(position, display=tuple(display))


def _without_top(deck: Deck) -> Deck:
    if deck.top:
        return replace(deck, size=deck.size - 1, top=deck.top[1:])
    bottom = deck.bottom if deck.unknown > 0 else deck.bottom[1:]
    return replace(deck, size=deck.size - 1, bottom=bottom)


def _with_awaited(position: Position, awaited: tuple[Awaited, ...]) -> Position:
    return replace(position, turn=replace(position.turn, awaited=awaited))
