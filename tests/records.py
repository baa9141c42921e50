"""The recorded games of tests/data as game records."""

from __future__ import annotations

from functools import lru_cache

from recorded import Game, Step, games
from test_replay import _action, _recorded_form

from engine.actions import Move
from engine.position import Position
from engine.record import BGA, Record, play_recorded
from engine.reveals import weighted_reveals


def record_of(game: Game) -> Record:
    """The record of a recorded game; where the server only begins an effect, our action carries it out as well."""
    position = game.steps[0].position
    moves: list[Move] = []
    for step in game.steps:
        if step.action["type"] == "undo_trigger":
            continue
        action = _action(step)
        if isinstance(action, int):
            continue
        moves.append(action)
        position = play_recorded(position, action, BGA)
        position = _reveal(position, step, moves)
    return Record(game.steps[0].position, tuple(moves), title=game.name, rules=BGA)


@lru_cache(maxsize=1)
def records() -> dict[str, Record]:
    """All of them, by name."""
    return {game.name: record_of(game) for game in games()}


def _reveal(position: Position, step: Step, moves: list[Move]) -> Position:
    shown = list(step.reveals)
    while position.is_chance:
        possible = {outcome: _recorded_form(outcome) for outcome, _ in weighted_reveals(position)}
        value, outcome = next((value, each) for value in shown for each, form in possible.items() if form == value)
        shown.remove(value)
        moves.append(outcome)
        position = play_recorded(position, outcome, BGA)
    return position
