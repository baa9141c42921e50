"""What can still happen in a turn: which effects are still to come, and which reveals can still matter.

Everything here errs on the side of "can": an effect counts as reachable although marbles or room might forbid it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.cards import CARDS, DECK_CARDS, LEVELS, Effect, Level
from engine.position import Position


class Reach(NamedTuple):
    """How many effects of each kind can still be carried out this turn, what is being carried out included."""

    pick: int
    draw: int
    file: int
    free_build: int
    research: int
    main: bool

    @property
    def cards(self) -> int:
        """Decisions to come in which a card is taken from somewhere."""
        return self.file + self.free_build + self.research + self.main

    @property
    def paid_builds(self) -> int:
        """Builds to come that must be paid."""
        return self.research + self.main


def reach(position: Position) -> Reach:
    """Count the effects to come, through every gizmo that could be triggered.

    A gizmo triggers when an event of its kind can come, colours and sources aside. A card that could be built
    on the way counts with its own effect, once an event after its build can come.
    """
    turn = position.turn
    main = not turn.acted
    deciding = turn.research is not None
    if not (main or deciding or turn.triggered or turn.pending):
        return Reach(0, 0, 0, 0, 0, main=False)
    waiting = [CARDS[gizmo].effect for gizmo in turn.triggered]
    if turn.pending is not None:
        waiting.append(CARDS[turn.pending.gizmo].effect)
    counts: dict[Effect, int] = dict.fromkeys(_EVENTS, 0)
    later: set[str] = set()
    for effect in waiting:
        counts[effect] += 1
        later |= _EVENTS[effect]
    first = {"pick", "file", "build"} if main else {"file", "build"} if deciding else set()
    unused = {gizmo for gizmo in position.player.built if gizmo not in turn.used and gizmo not in turn.triggered}
    fired_new: set[int] = set()
    while True:
        coming = first | later
        fired = {gizmo for gizmo in unused if _TRIGGERING[gizmo] in coming}
        new = _buildable(position, counts) - fired_new if later else set()
        fired_from_new = {gizmo for gizmo in new if _TRIGGERING[gizmo] in later}
        if not fired and not fired_from_new:
            break
        unused -= fired
        fired_new |= fired_from_new
        for gizmo in fired | fired_from_new:
            counts[CARDS[gizmo].effect] += 1
            later |= _EVENTS[CARDS[gizmo].effect]
    return Reach(
        pick=counts["pick"],
        draw=counts["draw"],
        file=counts["file"],
        free_build=counts["free-build-level-1"],
        research=counts["research"] + deciding,
        main=main,
    )


_EVENTS: Final[dict[Effect, set[str]]] = {
    "pick": {"pick"},
    "file": {"file"},
    "free-build-level-1": {"build"},
    "research": {"file", "build"},
    "draw": set(),
    "points": set(),
    "": set(),
}


_TRIGGERING: Final = {gizmo: card.trigger.partition("-")[0] for gizmo, card in CARDS.items()}
"""The kind of event that triggers a gizmo: pick, file or build; "" for none."""


def _buildable(position: Position, counts: dict[Effect, int]) -> set[int]:
    """Cards that could be built on the way, whatever they cost."""
    turn = position.turn
    levels: set[Level] = set()
    if turn.research is not None:
        levels.add(turn.research.level)
    if counts["free-build-level-1"]:
        levels.add(1)
    if counts["research"] or not turn.acted:
        levels.update(LEVELS)
    taken = {gizmo for player in position.players for gizmo in player.built}
    return {card for level in levels for card in DECK_CARDS[level]} - taken


def refill_matters(position: Position) -> bool:
    """True if a card that enters the display, or the next card of a deck, can still play a part in this turn.

    Once no decision to come takes a card, it can't. Asked while the reveal is still owed.
    """
    return reach(position).cards > 0


def later_reveal_matters(position: Position, level: Level) -> bool:
    """True if, once a research of `level` is decided, another card of that deck can still be seen and play a part.

    Then the cards not kept matter too, since they are known to lie at the bottom (design: "Reveals, exactly").
    """
    after = reach(position)
    if after.research > 1:
        return True
    takes = after.file + (after.free_build if level == 1 else 0)
    return takes > 1
