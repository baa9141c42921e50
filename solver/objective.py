"""What a turn is played for: objectives in order of importance, and goals."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final, Literal, TypeAlias

import msgspec

from engine.actions import Action, Build
from engine.cards import CARDS
from engine.errors import GizmosError, UnreadableError
from engine.marbles import Color, parse_color
from engine.position import Player, Position

Luck: TypeAlias = Literal["worst", "average", "best"]
LUCKS: Final[tuple[Luck, ...]] = ("worst", "average", "best")
Value: TypeAlias = tuple[Fraction | float, ...]
"""One number per term of the objective; compared lexicographically. The kernel's are floats, others exact."""

Measure: TypeAlias = Literal["score", "activations", "marbles"]
MEASURES: Final[tuple[Measure, ...]] = ("score", "activations", "marbles")


class CardGoal(msgspec.Struct, frozen=True, tag="card"):
    """The card is built, or lies in the archive, at the end of the turn."""

    card: int
    where: Literal["built", "archived"]

    def __str__(self) -> str:
        return f"card {self.card} {self.where}"


class RingGoal(msgspec.Struct, frozen=True, tag="ring"):
    """The ring holds at least this many marbles of a colour at the end of the turn."""

    least: int
    color: Color

    def __str__(self) -> str:
        return f"ring holds {self.least} {self.color.name.lower()}"


class AmountGoal(msgspec.Struct, frozen=True, tag="amount"):
    """At the end of the turn an amount is at least this.

    `score`: points gained in the turn, as the objective counts them. `total`: the player's points. `marbles`: in the
    ring. `gizmos`: built cards. `level III`: built cards of level III.
    """

    what: Literal["score", "total", "marbles", "gizmos", "level III"]
    least: int

    def __str__(self) -> str:
        return f"{self.what} >= {self.least}"


Condition: TypeAlias = CardGoal | RingGoal | AmountGoal


class Goal(msgspec.Struct, frozen=True, tag="goal"):
    """Conditions that must all hold at the end of the turn; worth 1 when they do, else 0."""

    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return "goal: " + " and ".join(str(condition) for condition in self.conditions)


Term: TypeAlias = Measure | Goal


class Objective(msgspec.Struct, frozen=True):
    """Terms in order of importance; a later one only decides between turns that are equal in all earlier ones.

    `score`: points gained since the position that is solved, extra awards at their present worth. `activations`: gizmos
    used since then, converters included. `marbles`: marbles in the ring at the end of the turn.
    """

    terms: tuple[Term, ...] = ("score",)

    def __str__(self) -> str:
        return ",".join(str(term) for term in self.terms)

    def at_end(self, start: Player, end: Player) -> Value:
        """The value of a finished turn, activations left out (see `on_action`)."""
        return tuple(Fraction(_at_end(term, start, end)) for term in self.terms)

    def on_action(self, position: Position, action: Action) -> Value:
        """What an action adds to the value by using gizmos."""
        used = activations(position, action)
        return tuple(Fraction(used if term == "activations" else 0) for term in self.terms)


class Mix(msgspec.Struct, frozen=True):
    """An aim that weighs points gained, marbles left in the ring and gizmos built in the turn against each other.

    Its values are four numbers: the weighted sum, and then, to decide between equal sums, the three themselves.

    >>> before, after = Player(built=(901,)), Player(ring=(1, 0, 0, 1), built=(101, 901))
    >>> [int(number) for number in Mix(Fraction(2), Fraction(0), Fraction(5)).at_end(before, after)]
    [7, 1, 2, 1]
    """

    points: Fraction
    marbles: Fraction
    gizmos: Fraction

    def at_end(self, start: Player, end: Player) -> Value:
        """The value of a finished turn."""
        points, marbles, gizmos = end.score - start.score, end.marbles, len(end.built) - len(start.built)
        worth = self.points * points + self.marbles * marbles + self.gizmos * gizmos
        return worth, Fraction(points), Fraction(marbles), Fraction(gizmos)

    def on_action(self, position: Position, action: Action) -> Value:  # noqa: ARG002 - as `Objective.on_action`
        """What an action adds to the value by itself: nothing, all counts at the end."""
        return (Fraction(0),) * 4


Aim: TypeAlias = Objective | Mix
"""What a search maximises."""


def activations(position: Position, action: Action) -> int:
    """How many gizmos an action uses: the one whose effect begins, and the converters of a payment."""
    begins = bool(getattr(action, "gizmo", 0)) and position.turn.pending is None
    return int(begins) + (len(action.converters) if isinstance(action, Build) else 0)


def _at_end(term: Term, start: Player, end: Player) -> int:
    if isinstance(term, Goal):
        return int(all(_holds(condition, start, end) for condition in term.conditions))
    if term == "score":
        return end.score - start.score
    return end.marbles if term == "marbles" else 0


def _holds(condition: Condition, start: Player, end: Player) -> bool:
    match condition:
        case CardGoal():
            return condition.card in (end.built if condition.where == "built" else end.archive)
        case RingGoal():
            return end.ring[condition.color] >= condition.least
        case AmountGoal():
            amount: dict[str, int] = {
                "score": end.score - start.score,
                "total": end.score,
                "marbles": end.marbles,
                "gizmos": len(end.built),
                "level III": end.dashboard.level_3,
            }
            return amount[condition.what] >= condition.least


def parse_objective(text: str) -> Objective:
    """Read an objective: measures and goals, separated by commas, the most important first.

    >>> str(parse_objective("score, marbles"))
    'score,marbles'
    >>> str(parse_objective("goal: card 318 built and ring holds 3 Y,score"))
    'goal: card 318 built and ring holds 3 yellow,score'

    Raises UnreadableError listing every part that cannot be read.
    """
    terms: list[Term] = []
    faults: list[str] = []
    for part in text.split(","):
        try:
            terms.append(_parse_term(part.strip()))
        except GizmosError as error:
            faults += error.faults
    if faults:
        raise UnreadableError(faults)
    return Objective(tuple(terms))


def _parse_term(text: str) -> Term:
    word = text.lower()
    for measure in MEASURES:
        if word == measure:
            return measure
    if word.startswith("goal"):
        return parse_goal(text[4:].lstrip(" :"))
    raise UnreadableError(f"{text!r} is not an objective: expected {', '.join(MEASURES)} or 'goal: ...'")


def parse_goal(text: str) -> Goal:
    """Read conditions joined by `and`.

    >>> str(parse_goal("card 318 built and score >= 12"))
    'goal: card 318 built and score >= 12'

    Raises UnreadableError.
    """
    conditions: list[Condition] = []
    faults: list[str] = []
    for part in re.split(r"\s+and\s+", text.strip(), flags=re.IGNORECASE):
        try:
            conditions.append(_parse_condition(part))
        except GizmosError as error:
            faults += error.faults
    if faults:
        raise UnreadableError(faults)
    return Goal(tuple(conditions))


def _card_goal(match: re.Match[str]) -> Condition:
    card = int(match[1])
    if card not in CARDS:
        raise UnreadableError(f"there is no card {card} (in {match[0]!r})")
    return CardGoal(card, "built" if match[2].lower() == "built" else "archived")


def _ring_goal(match: re.Match[str]) -> Condition:
    return RingGoal(int(match[1]), parse_color(match[2]))


def _amount_goal(match: re.Match[str]) -> Condition:
    whats: dict[str, Literal["score", "total", "marbles", "gizmos", "level III"]] = {
        "score": "score",
        "total": "total",
        "marbles": "marbles",
        "gizmos": "gizmos",
        "level iii": "level III",
    }
    return AmountGoal(whats[" ".join(match[1].lower().split())], int(match[2]))


_CONDITIONS: Final[tuple[tuple[str, Callable[[re.Match[str]], Condition]], ...]] = (
    (r"card\s+(\d+)\s+(built|archived|filed)", _card_goal),
    (r"ring\s+holds\s+(\d+)\s+(\w+)", _ring_goal),
    (r"(score|total|marbles|gizmos|level\s+iii)\s*>=\s*(\d+)", _amount_goal),
)


def _parse_condition(text: str) -> Condition:
    for pattern, read in _CONDITIONS:
        match = re.fullmatch(pattern, text.strip(), flags=re.IGNORECASE)
        if match:
            return read(match)
    raise UnreadableError(
        f"{text!r} is not a condition: expected 'card 318 built', 'card 318 archived', 'ring holds 3 yellow', or "
        "'score', 'total', 'marbles', 'gizmos' or 'level III' with '>= 12'"
    )
