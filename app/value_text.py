"""Values in words: points, marbles, gizmos used, goals."""

from __future__ import annotations

from app.words import Words
from solver import Objective
from solver.objective import Goal, Term
from solver.result import Numbers


def number_text(number: float) -> str:
    """A number with two decimals at most.

    >>> number_text(3.0), number_text(1.7657)
    ('3', '1.77')
    """
    return f"{number:.2f}".rstrip("0").rstrip(".")


def chance_text(probability: float) -> str:
    """A probability in per cent, never rounded to what it is not.

    >>> chance_text(0.25), chance_text(1 / 3), chance_text(0.0001)
    ('25 %', '33.3 %', '< 0.1 %')
    """
    if 0 < probability < 0.001:
        return "< 0.1 %"
    if 0.999 < probability < 1:
        return "> 99.9 %"
    return f"{f'{100 * probability:.1f}'.removesuffix('.0')} %"


def seconds_text(seconds: float) -> str:
    """A time in seconds with two decimals at most, but never none at all.

    >>> seconds_text(1.234), seconds_text(0.0003)
    ('1.23', '< 0.01')
    """
    return number_text(seconds) if seconds >= 0.01 else "< 0.01"


def value_text(words: Words, objective: Objective, value: Numbers) -> str:
    """A value in words, all terms of its objective, goals spelt out.

    >>> value_text(Words("en"), Objective(("score", "marbles")), (3.0, 1.0))
    '+3 points, then 1 marble'
    """
    return _joined(words, objective, value, in_full=True)


def short_value_text(words: Words, objective: Objective, value: Numbers) -> str:
    """A value in words where the objective has been named before."""
    return _joined(words, objective, value, in_full=False)


def _joined(words: Words, objective: Objective, value: Numbers, *, in_full: bool) -> str:
    terms = zip(objective.terms, value, strict=True)
    return words("value.and").join(_term_text(words, term, number, in_full) for term, number in terms)


def loss_text(words: Words, objective: Objective, best: Numbers, value: Numbers) -> str:
    """What a value loses against the best, in the first term in which they differ; empty if in none."""
    for term, most, number in zip(objective.terms, best, value, strict=True):
        if most != number:
            loss = most - number
            return (
                chance_text(loss) if isinstance(term, Goal) else words(f"value.{term}", n=loss, text=number_text(loss))
            )
    return ""


def _term_text(words: Words, term: Term, number: float, in_full: bool) -> str:
    if isinstance(term, Goal):
        key = "chance" if number not in (0, 1) else "reached" if number else "missed"
        short = words(f"value.goal_{key}", text=chance_text(number))
        return words("value.goal", short=short, goal=goal_text(term)) if in_full else short
    sign = "+" if term == "score" and number > 0 else ""
    return words(f"value.{term}", n=number, text=sign + number_text(number))


def goal_text(goal: Goal) -> str:
    """The conditions of a goal."""
    return str(goal).removeprefix("goal: ")
