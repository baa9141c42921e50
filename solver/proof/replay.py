"""The line of a proof, played on the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from engine.actions import Action, Build, Draw, EndTurn, File, Move, Pass, Pick, Points, ResearchDeck, Reveal, Skip
from engine.cards import CARDS
from engine.marbles import COLORS, Marbles
from engine.position import Position
from engine.reveals import reveal, weighted_reveals
from engine.rules import apply, legal_actions
from solver.objective import Objective, Value
from solver.proof.scope import Deed


class Done(NamedTuple):
    """A deed of a line, and what was paid for it."""

    deed: Deed
    spend: Marbles = (0, 0, 0, 0)
    converters: tuple[int, ...] = ()


class Replayed(msgspec.Struct, frozen=True):
    """A line as played: actions and reveals, and the value that the engine gives it.

    Reveals that play no part are shown with the first outcome possible.
    """

    moves: tuple[Move, ...]
    value: Value
    end: Position


def replay(position: Position, deeds: Sequence[Done], objective: Objective) -> Replayed:
    """Play the deeds in their order, points as soon as nothing else is left, and end the turn.

    Raises IllegalActionError if the engine does not allow it.
    """
    player = _Player(position, objective)
    if not position.turn.acted and not deeds:
        player.act(legal_actions(position)[0])
    for done in deeds:
        player.leave_off_unless(done.deed)
        player.act(_action(done), done.deed.color)
    player.finish()
    return Replayed(tuple(player.moves), player.value(), player.position)


def _action(done: Done) -> Action:
    deed = done.deed
    match deed.verb:
        case "pick":
            return Pick(COLORS[deed.color], deed.gizmo)
        case "draw":
            return Draw(deed.gizmo)
        case "file":
            return File(deed.card, deed.place, deed.gizmo)
        case "build":
            return Build(deed.card, deed.place, done.spend, done.converters, deed.gizmo)
        case "research":
            return ResearchDeck(deed.level, deed.gizmo)
        case "pass":
            return Pass()


class _Player:
    """Plays actions one by one, making whatever reveal is owed."""

    def __init__(self, position: Position, objective: Objective) -> None:
        self.start = position
        self.position = position
        self.objective = objective
        self.moves: list[Move] = []
        self.gained: Value = objective.on_action(position, EndTurn())

    def act(self, action: Action, color: int = -1) -> None:
        """Play an action; a marble that it draws is of this colour if it can be."""
        gain = self.objective.on_action(self.position, action)
        self.gained = tuple(a + b for a, b in zip(self.gained, gain, strict=True))
        self.position = apply(self.position, action)
        self.moves.append(action)
        while self.position.is_chance:
            possible: list[Reveal] = [outcome for outcome, _ in weighted_reveals(self.position)]
            wanted = [each for each in possible if each.kind == "draw" and each.value == color]
            outcome = (wanted or possible)[0]
            self.position = reveal(self.position, outcome)
            self.moves.append(outcome)

    def leave_off_unless(self, deed: Deed) -> None:
        """Skip the rest of a pick or draw that the next deed does not go on with."""
        pending = self.position.turn.pending
        if pending is not None and pending.gizmo != deed.gizmo:
            self.act(Skip())

    def finish(self) -> None:
        if self.position.turn.pending is not None:
            self.act(Skip())
        for gizmo in self.position.turn.triggered if self.position.turn.acted else ():
            if CARDS[gizmo].effect == "points":
                self.act(Points(gizmo))
        if self.position.turn.acted:
            self.act(EndTurn())

    def value(self) -> Value:
        seat = self.start.to_move
        ended = self.objective.at_end(self.start.player, self.position.players[seat])
        return tuple(a + b for a, b in zip(ended, self.gained, strict=True))
