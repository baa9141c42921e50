"""Relaxed designs for gizmos used, and for marbles gained, in one turn.

Left out are the colours of marbles and most of the order of effects: builds are told apart, and what comes of them is
only counted. Builds lead to files, files and builds to picks, picks and files to draws; nothing leads back to a build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.cards import CARDS, Card
from engine.marbles import COLORS
from solver.combos.plan import CHAINING, RING, Plan

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import IntVar

    from solver.combos.plan import Amount
    from solver.objective import Measure

_STARTING: Final = CARDS[901]
_MARBLES: Final = ("pick", "draw")


class BusyPlan(Plan):
    """A design for gizmos used (converters included), or for marbles at the end above those at the beginning."""

    def __init__(self, gizmos: int, count: int, objective: Measure, workers: int) -> None:
        self.objective = objective
        super().__init__(gizmos, count, workers)
        self._leave_out_useless()
        self.used = {card.id: self._bool() for card in (_STARTING, *self.cards) if card.effect}
        self.gains = {
            card: self.model.new_int_var(0, CARDS[card].amount, "")
            for card in self.used
            if CARDS[card].effect in _MARBLES
        }
        self._add_main()
        self._add_uses()
        self._add_money()
        used = sum(self.used.values()) + sum(self.converted.values())
        # Implied, as each gizmo is used once; said outright, it bounds a search that is cut short.
        self.model.add(used <= gizmos + count)
        self.worth = used if objective == "activations" else self.gained - self.spent
        self.model.maximize(self.worth)

    def _there(self, card: int, before: int) -> Amount:
        return 1 if card == _STARTING.id else self._present(card, before)

    def _leave_out_useless(self) -> None:
        """An engine does without gizmos that bring nothing here; of gizmos alike in use, it has the first ones."""
        first: dict[tuple[object, ...], int] = {}
        for card in self.cards:
            if self._is_useless(card):
                self.model.add(self.has[card.id] == 0)
            else:
                alike = _use(card)
                if alike in first:
                    other = first[alike]
                    built = sum(self.builds[k, other] for k in range(self.count))
                    self.model.add(self.has[card.id] <= self.has[other] + built)
                first[alike] = card.id

    def _is_useless(self, card: Card) -> bool:
        """True for a gizmo that is no help to a turn by being built before it."""
        if card.special.startswith("points"):
            return self.objective != "score"
        if card.effect == "points":
            return self.objective == "marbles"
        if card.convert_to == "any":
            return self.objective != "activations"
        return card.special.startswith("no-")

    def _add_main(self) -> None:
        """The main action: a pick or a file, unless it leads to the first build."""
        model = self.model
        self.main_pick, self.main_file = self._bool(), self._bool()
        model.add(self.main_pick + self.main_file <= (0 if self.count else 1))

    def _add_uses(self) -> None:
        """An effect is used if something sets it off and there is something for it to do."""
        model = self.model
        filing: list[Amount] = [self.main_file]
        for card in self.cards:
            if card.effect == "file":
                filing.append(self.used[card.id])
            elif card.effect == "research":
                files = self._bool()
                model.add(files <= self.used[card.id] - sum(self.by[k, card.id] for k in range(1, self.count)))
                filing.append(files)
            elif card.effect == "free-build-level-1":
                model.add(self.used[card.id] == sum(self.by[k, card.id] for k in range(1, self.count)))
        self.files = sum(filing)
        room = 1 + sum(card.archive * self._present(card.id, self.count) for card in self.cards if card.archive)
        model.add(self.files <= room + sum(self.archived))
        picks = self.main_pick + sum(self.gains[card] for card in self.gains if CARDS[card].effect == "pick")
        picked = [self._bool() for _ in COLORS]
        model.add(sum(picked) <= picks)
        for number, used in self.used.items():
            card = CARDS[number]
            model.add(used <= self._there(number, self.count))
            if number in self.gains:
                model.add(self.gains[number] >= used)
                model.add(self.gains[number] <= card.amount * used)
            if card.trigger == "file":
                model.add(used <= self.files)
            elif card.trigger == "pick":
                model.add(used <= sum(picked[color] for color in card.trigger_colors))
            else:
                model.add(used <= self._triggered(card, self.count))
        self.gained = self.main_pick + sum(self.gains.values())

    def _add_money(self) -> None:
        """Marbles at first, spent and gained; converters that take part.

        A payment of p marbles with m of the ring is a forest with m roots and p leaves: p - m doublings, and at most
        one other conversion for each of its 2p - m edges, as of two in a row the first would do alone.
        """
        model = self.model
        ring = RING + sum(card.storage * self.has[card.id] for card in self.cards if card.storage)
        at_first = model.new_int_var(0, 99, "")
        model.add(at_first <= ring)
        counted = ("double", "any") if self.objective == "activations" else ("double",)
        converters = [card for card in self.cards if card.convert_to in counted]
        self.converted: dict[tuple[int, int], IntVar] = {}
        discounts = [card for card in self.cards if card.special.startswith("discount")]
        spent: Amount = 0
        for k in range(self.count):
            paid, out = model.new_int_var(0, 7, ""), model.new_int_var(0, 7, "")
            free = self.by[k, 319] + self.by[k, 320] if k else 0
            saved = sum(self._present(card.id, k) for card in discounts)
            cost = sum(card.cost * self.builds[k, card.id] for card in self.cards)
            model.add(paid >= cost - saved - 7 * free)
            model.add(paid <= cost)
            model.add(paid <= 7 * (1 - free))
            model.add(out <= paid)
            model.add(7 * out >= paid)
            doubles: list[Amount] = []
            plain: list[Amount] = []
            most: list[Amount] = []
            for card in converters:
                takes_part = self.converted[k, card.id] = self._bool()
                model.add(takes_part <= self._present(card.id, k))
                if card.convert_to == "double":
                    doubles.append(takes_part)
                    most.append(len(card.convert_from) * takes_part)
                else:
                    plain.append(takes_part)
            model.add(sum(doubles) <= paid - out)
            model.add(sum(most) >= paid - out)
            model.add(sum(plain) <= 2 * paid - out)
            spent += out
            model.add(spent <= at_first + self._gained_before(k))
        for card in converters:
            model.add(sum(self.converted[k, card.id] for k in range(self.count)) <= self._present(card.id, self.count))
        self.spent = spent
        limit = RING + sum(card.storage * self._present(card.id, self.count) for card in self.cards if card.storage)
        self.at_end = at_first + self.gained - self.spent
        model.add(self.at_end <= limit)
        model.add(self.at_end >= 0)

    def _gained_before(self, k: int) -> Amount:
        """At most so many marbles gained before build `k`."""
        if not k:
            return 0
        total: Amount = 0
        for number, gain in self.gains.items():
            card = CARDS[number]
            early = self.model.new_int_var(0, card.amount, "")
            self.model.add(early <= gain)
            built_in_time = self._there(number, k)
            if card.trigger.startswith("build"):
                built_in_time = self._triggered(card, k)
            self.model.add(early <= card.amount * built_in_time)
            total += early
        return total

    def _files_planned(self) -> int:
        return self.solver.value(self.files)


def _use(card: Card) -> tuple[object, ...]:
    """What a gizmo is good for once it is built."""
    return (
        card.level == 3,
        card.trigger,
        card.trigger_colors,
        card.effect,
        card.amount,
        card.convert_from,
        card.convert_to,
        card.convert_uses,
        card.special,
        card.storage,
        card.archive,
        card.id if card.id in CHAINING else 0,
    )
