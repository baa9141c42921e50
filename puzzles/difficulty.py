"""How hard a puzzle is: five steps, from traits that can be measured (docs/puzzles.md)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import log2
from typing import Final

from engine.actions import EndTurn
from puzzles.study import Study, gizmos_used, looks_better
from puzzles.themes import THEMES

_STEPS: Final = (5.5, 7.0, 8.5, 10.0)
"""Weights at which steps 2 to 5 begin."""


@dataclass(frozen=True)
class Traits:
    """What the difficulty is measured by.

    `decisions` in the best line, `gizmos` used in it, `first_actions` to choose from, `rank`: first actions that look
    better than the right one, `loss`: what a greedy player loses, in the first term of the objective that tells.
    """

    decisions: int
    gizmos: int
    first_actions: int
    rank: int
    loss: float


def traits_of(study: Study) -> Traits:
    """Measure a puzzle."""
    return Traits(
        decisions=sum(not isinstance(each.action, EndTurn) for each in study.line),
        gizmos=gizmos_used(study.line),
        first_actions=len(study.root.options),
        rank=looks_better(study.root),
        loss=next((float(lost) for lost in study.loss if lost), 0.0),
    )


def weight(study: Study) -> float:
    """How much a puzzle asks of a player, as one number.

    Every decision, every gizmo of the line and every doubling of the first actions counts one half, every first action
    that looks better than the right one counts one (three at most), and so does each theme that is hard to see. Against
    a gamble everything looks better, so there all this counts one.
    """
    traits = traits_of(study)
    hidden = sum(THEMES[name](study) for name in ("order-matters", "sacrifice", "ring-room", "payment-matters"))
    unseen = min(3, traits.rank) + hidden if study.luck != "average" else 1
    return 0.5 * (traits.decisions + traits.gizmos + log2(max(1, traits.first_actions))) + unseen


def difficulty(study: Study) -> int:
    """The step, 1 (easy) to 5 (hard)."""
    return 1 + bisect_right(_STEPS, weight(study))
