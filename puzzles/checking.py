"""Check a player's line: where it departs from the best, and what that loses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.actions import Action, EndTurn, Reveal
from engine.errors import GizmosError, IllegalActionError, UnreadableError, quoted
from engine.notation import action_text, parse_line, reveal_text
from engine.position import Position
from engine.reveals import reveal_unchecked
from engine.rules import apply, legal_actions
from puzzles.answers import best_actions
from puzzles.document import Puzzle
from solver.explain import Values, numbers, principal_reveals
from solver.objective import Value
from solver.result import Numbers


@dataclass(frozen=True)
class CheckedStep:
    """One action of a line. `loss`: how much less than the best is left after it, per term of the objective."""

    action: Action
    text: str
    reveals: tuple[Reveal, ...]
    position: Position
    loss: Value
    best: tuple[Action, ...]


@dataclass(frozen=True)
class CheckedLine:
    """A player's line, judged.

    `right`: every action keeps the best value, and nothing is left to gain after the last one. `ended`: the turn is
    over, or ending it loses nothing; else `left` are the best actions that remain. `loss` adds up all losses, that of
    ending too early included.
    """

    steps: tuple[CheckedStep, ...]
    best: Value
    loss: Value
    ended: bool
    left: tuple[Action, ...]
    after: Position

    @property
    def right(self) -> bool:
        """True if the line is a best one."""
        return self.ended and not any(self.loss)

    @property
    def departure(self) -> CheckedStep | None:
        """The first step that loses something."""
        return next((step for step in self.steps if any(step.loss)), None)

    @property
    def value(self) -> Numbers:
        """What the line comes to, played to the end as well as can be."""
        return numbers(tuple(best - lost for best, lost in zip(self.best, self.loss, strict=True)))


def check_line(puzzle: Puzzle, values: Values, text: str) -> CheckedLine:
    """Judge a line, written as steps with or without their reveals, numbered or not.

    Reveals that the text leaves out are the principal ones. Raises what `parse_line` raises, naming the step.
    """
    position = puzzle.position
    best = _best(values, position)
    steps: list[CheckedStep] = []
    loss = _zero(best)
    over = False
    for number, written in enumerate(split_steps(text), 1):
        if over:
            if written.lower() == "end turn":
                continue
            raise IllegalActionError(f"step {number}: {quoted(written)} comes too late: the turn is over")
        try:
            step = _check_step(puzzle, values, position, written)
        except GizmosError as error:
            raise type(error)([f"step {number}: {fault}" for fault in error.faults]) from error
        steps.append(step)
        loss = _plus(loss, step.loss)
        position = step.position
        over = not position.turn.acted
    left: tuple[Action, ...] = ()
    if not over:
        ending = _loss_of_ending(values, position)
        left = tuple(best_actions(values, position)) if ending is None or any(ending) else ()
        loss = _plus(loss, ending or _zero(best))
        over = not left
    return CheckedLine(tuple(steps), best, loss, over, left, position)


def split_steps(text: str) -> list[str]:
    """The steps of a line as they are written, numbers in front of them taken off.

    >>> split_steps("1. pick Y (row R); 2) 113: draw")
    ['pick Y (row R)', '113: draw']
    """
    parts = (re.sub(r"^\s*\d{1,2}[.)]\s+", "", part).strip() for part in re.split(r"[;\n]", text))
    return [part for part in parts if part]


def _check_step(puzzle: Puzzle, values: Values, position: Position, written: str) -> CheckedStep:
    action, *given = parse_line(position, written)
    if isinstance(action, Reveal):
        raise UnreadableError(f"{quoted(written)}: expected an action before its reveals")
    best = best_actions(values, position)
    loss = _minus(values.action_value(position, best[0]), values.action_value(position, action))
    after = apply(position, action)
    reveals: list[Reveal] = []
    for each in given:
        if isinstance(each, Reveal):
            after = reveal_unchecked(after, each)
            reveals.append(each)
    for each in _owed(puzzle, values, after):
        after = reveal_unchecked(after, each)
        reveals.append(each)
    return CheckedStep(action, _text(action, reveals), tuple(reveals), after, loss, tuple(best))


def _owed(puzzle: Puzzle, values: Values, position: Position) -> Iterator[Reveal]:
    while position.is_chance:
        for each in principal_reveals(values, puzzle.luck, position)[0]:
            position = reveal_unchecked(position, each)
            yield each


def _text(action: Action, reveals: list[Reveal]) -> str:
    shown = ", ".join(map(reveal_text, reveals))
    return f"{action_text(action)} ({shown})" if shown else action_text(action)


def _loss_of_ending(values: Values, position: Position) -> Value | None:
    """What ending the turn here loses; None if it can't be ended here."""
    actions = legal_actions(position)
    if not any(isinstance(action, EndTurn) for action in actions):
        return None
    return _minus(_best(values, position), values.action_value(position, EndTurn()))


def _best(values: Values, position: Position) -> Value:
    return max(values.actions(position))


def _zero(value: Value) -> Value:
    return tuple(term - term for term in value)


def _plus(left: Value, right: Value) -> Value:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _minus(left: Value, right: Value) -> Value:
    return tuple(a - b for a, b in zip(left, right, strict=True))
