"""A plan as a tree: what to do, and what to do next for everything that can come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from app.value_text import chance_text, short_value_text
from app.words import Words
from engine.actions import Reveal
from engine.notation import action_text, reveal_text
from solver import Branch, Choice, Objective, Solution

_MOST_LINES: Final = 300
_MOST_OUTCOMES: Final = 8
_MOST_BRANCHES: Final = 8


def plan_parts(words: Words, solution: Solution) -> Iterator[RenderableType]:
    """The plan of a solution under its heading; nothing if it has none."""
    if solution.plan is None:
        return
    drawing = _Drawing(words, solution.objective)
    tree = drawing.tree(solution.plan)
    yield Text()
    yield Text(words("answer.plan"), "bold")
    yield tree
    if drawing.left_out:
        yield Text(words("answer.plan_cut", n=drawing.left_out))


class _Drawing:
    """Draws a plan until it gets too long to read, and counts what is left out."""

    def __init__(self, words: Words, objective: Objective) -> None:
        self._words = words
        self._objective = objective
        self._lines = 0
        self.left_out = 0

    def tree(self, choice: Choice) -> Tree:
        """The tree of a plan."""
        tree = Tree(self._action(choice))
        self._add_branches(tree, choice)
        return tree

    def _action(self, choice: Choice) -> Text:
        text = Text(action_text(choice.action), "bold")
        return text.append(f"   {short_value_text(self._words, self._objective, choice.value)}", "not bold dim")

    def _add_branches(self, node: Tree, choice: Choice) -> None:
        shown, rest = choice.branches[:_MOST_BRANCHES], choice.branches[_MOST_BRANCHES:]
        for branch in shown:
            certain = len(choice.branches) == 1
            if self._lines >= _MOST_LINES:
                self.left_out += 1
                continue
            self._lines += 1
            below = node if certain else node.add(Text(self._condition(branch)))
            if branch.then is not None:
                self._add_branches(below.add(self._action(branch.then)), branch.then)
            elif not certain:
                below.label = Text(f"{self._condition(branch)}: {self._words('plan.ends')}")

        if rest:
            values = [branch.then.value for branch in rest if branch.then is not None]
            chance = chance_text(sum(branch.probability for branch in rest))
            value = short_value_text(self._words, self._objective, max(values, default=choice.value))
            node.add(Text(self._words("plan.rest", n=len(rest), chance=chance, value=value)))

    def _condition(self, branch: Branch) -> str:
        words, chance = self._words, chance_text(branch.probability)
        if branch.keep:
            return words("plan.keep", card=branch.keep, chance=chance)
        return words("plan.if", what=self._outcomes(branch.outcomes), chance=chance)

    def _outcomes(self, outcomes: tuple[tuple[Reveal, ...], ...]) -> str:
        texts = [" ".join(map(reveal_text, outcome)) for outcome in outcomes]
        if len(texts) <= _MOST_OUTCOMES:
            return self._words("plan.or").join(texts)
        return self._words("plan.cards", n=len(texts), list=", ".join(texts[:_MOST_OUTCOMES]) + ", ...")
