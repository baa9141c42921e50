"""A puzzle looked at closely: its answer, the decisions on the way, and what the obvious moves lose."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from engine.actions import Action, Reveal
from engine.position import Player, Position
from puzzles.answers import Answers, Deeds, Option, options, rough_answers
from puzzles.players import choose_greedily, first_look
from puzzles.values import turn_values
from solver.explain import Values
from solver.objective import Luck, Objective, Value, activations


@dataclass(frozen=True)
class Decision:
    """One decision of the best line: all options with their values, the one taken, and the reveals after it."""

    position: Position
    options: tuple[Option, ...]
    action: Action
    reveals: tuple[Reveal, ...]

    @property
    def best(self) -> Value:
        """What the best option is worth."""
        return max(value for _, value in self.options)


@dataclass(frozen=True)
class Study:
    """What is known about a puzzle.

    `answers` are all answers; `rough_answers` the same without regard to which marble is picked or which card is filed.
    `line` is a best line that does nothing idle; `loss` what a greedy player loses, `end` the player after the line.
    """

    position: Position
    objective: Objective
    luck: Luck
    value: Value
    answers: frozenset[Deeds]
    rough_answers: frozenset[Deeds]
    line: tuple[Decision, ...]
    end: Player
    loss: Value

    @property
    def greedy_fails(self) -> bool:
        """True if a greedy player misses the best value."""
        return any(self.loss)

    @property
    def answer(self) -> Deeds:
        """The answer with the fewest deeds."""
        return min(self.answers, key=lambda deeds: (len(deeds), sorted(deeds)))

    @property
    def unique(self) -> bool:
        """True if the puzzle has one answer."""
        return len(self.answers) == 1

    @property
    def root(self) -> Decision:
        """The first decision."""
        return self.line[0]


def study(position: Position, objective: Objective, luck: Luck, most_states: int = 0) -> Study:
    """Look at a puzzle closely.

    Raises `solver.reference.Stopped` if that takes more than `most_states` positions (0: no limit).
    """
    values = turn_values(position, objective, luck, most_states)
    answers = Answers(values, luck, most_states)
    found = answers.lean(position)
    answer = min(found, key=lambda deeds: (len(deeds), sorted(deeds)))
    played = answers.line(position, answer)
    line = tuple(Decision(before, options(values, before), done, shown) for before, done, shown in played)
    last, action, _ = played[-1]
    return Study(
        position=position,
        objective=objective,
        luck=luck,
        value=line[0].best,
        answers=found,
        rough_answers=rough_answers(found),
        line=line,
        end=answers.after(last, action)[1].players[position.to_move],
        loss=greedy_loss(values, answers, position),
    )


def greedy_loss(values: Values, answers: Answers, position: Position) -> Value:
    """What a greedy player loses in the turn, term by term, when the reveals are the principal ones."""
    lost: list[Value] = []
    rng = Random(0)
    acting = True
    while acting:
        worth = dict(options(values, position))
        chosen = choose_greedily(position, rng)
        lost.append(tuple(most - got for most, got in zip(max(worth.values()), worth[chosen], strict=True)))
        position = answers.after(position, chosen)[1]
        acting = position.turn.acted
    return tuple(sum(terms, Fraction(0)) for terms in zip(*lost, strict=True))


def looks_better(root: Decision) -> int:
    """How many first actions bring more at first sight than the right one, the payments of a card taken together."""
    looks: dict[tuple[str, int], int] = {}
    for action, _ in root.options:
        name = (type(action).__name__, getattr(action, "card", 0))
        looks[name] = max(looks.get(name, 0), first_look(root.position, action))
    own = first_look(root.position, root.action)
    return sum(look > own for look in looks.values())


def gizmos_used(line: tuple[Decision, ...]) -> int:
    """How many gizmos a line uses, converters included."""
    return sum(activations(decision.position, decision.action) for decision in line)
