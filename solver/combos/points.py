"""Relaxed designs for points in one turn: what `solver.combos.busy` counts, and what it scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.combos.busy import BusyPlan
from solver.combos.plan import RING

if TYPE_CHECKING:
    from solver.combos.plan import Amount


class ScorePlan(BusyPlan):
    """A design for points, with so many cards that count tokens, and so many that count marbles, once more."""

    def __init__(self, gizmos: int, count: int, extra: int, energy: int, workers: int) -> None:
        super().__init__(gizmos, count, "score", workers)
        model = self.model
        for special, number in (("points-per-token", extra), ("points-per-energy", energy)):
            model.add(sum(self._present(card.id, count) for card in self.cards if card.special == special) == number)
        points = sum(card.points * self.builds[k, card.id] for k in range(count) for card in self.cards)
        tokens = sum(card.amount * self.used[card.id] for card in self.cards if card.effect == "points")
        self.worth = points + (1 + extra) * tokens + (self._energy() if energy else 0)
        model.maximize(self.worth)

    def _energy(self) -> Amount:
        """Extra awards for marbles: for all at the end, or for those gained if they were built before the turn."""
        rooms = sorted((card.storage for card in self.cards), reverse=True)
        most = RING + sum(rooms[: self.gizmos - 1 + self.count])
        total: Amount = 0
        for card in self.cards:
            if card.special == "points-per-energy":
                worth = self.model.new_int_var(-40, most, "")
                self.model.add(worth <= self.at_end)
                self.model.add(worth <= most * self._present(card.id, self.count))
                self.model.add(worth <= self.gained - self.spent).only_enforce_if(self.has[card.id])
                total += worth
        return total
