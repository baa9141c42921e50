"""Whether a turn can come to depend on a card or a marble that nobody knows.

The turn is modelled without such reveals up to some moment; the question is whether at that moment an unknown card or
marble could be used. If CP-SAT says no, the model without reveals is the whole truth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import CARDS, LEVELS, NUMERALS, dashboard
from solver.proof.model import TurnModel
from solver.proof.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ortools.sat.python.cp_model import IntVar


def unknown_for_sure(scope: Scope) -> tuple[str, ...]:
    """What is unknown from the start, in words: the cards of a research that is possible at once, or seen by others."""
    board = dashboard(scope.player.built)
    research = scope.position.turn.research
    if research is not None and research.unknown:
        return (f"{research.unknown} cards that the player has seen in deck {NUMERALS[research.level]}",)
    if not scope.main or not board.can_research:
        return ()
    return tuple(
        f"the cards that a research of deck {NUMERALS[level]} shows"
        for level in LEVELS
        if _too_few_known(scope, level, board.research_amount)
    )


def _too_few_known(scope: Scope, level: int, amount: int) -> bool:
    deck = scope.position.deck(level)
    return deck.unknown > 0 and len(deck.top) < min(amount, deck.size)


class Unknowns:
    """Moments at which an unknown card or marble could be used, added to a model: `uses` are named in words."""

    def __init__(self, turn: TurnModel) -> None:
        self._turn = turn
        self._scope = turn.scope
        self.uses: dict[str, list[IntVar]] = {}
        for gizmo in sorted(self._scope.reached):
            for t in turn.times:
                for words, use in self._uses_of(gizmo, t):
                    self.uses.setdefault(words, []).append(use)

    def _uses_of(self, gizmo: int, t: int) -> Iterator[tuple[str, IntVar]]:
        effect = CARDS[gizmo].effect
        position = self._scope.position
        if effect in ("pick", "draw") and not self._scope.ring_matters:
            return
        if effect == "pick" and position.turn.pending is None and t == 0:
            return
        if effect == "pick":
            yield "a marble that enters the row", self._moment(gizmo, t, "pick")
        elif effect == "draw":
            yield "the colour of a drawn marble", self._moment(gizmo, t, "draw")
        elif effect in ("file", "free-build-level-1"):
            for level in LEVELS if effect == "file" else (1,):
                if position.deck(level).unknown:
                    yield f"the card that refills level {NUMERALS[level]}", self._moment(gizmo, t, "card", level)
        elif effect == "research":
            for level in LEVELS:
                if position.deck(level).unknown:
                    yield (
                        f"the cards that a research of deck {NUMERALS[level]} shows",
                        self._moment(gizmo, t, "research", level),
                    )

    def _moment(self, gizmo: int, t: int, what: str, level: int = 0) -> IntVar:
        """A variable that may only be true if the gizmo can be used at this moment, and needs something unknown."""
        turn, model = self._turn, self._turn.model
        use = model.new_bool_var(f"{t} {gizmo} {what} {level} unknown")
        model.add_implication(use, turn.triggered[gizmo, t])
        if t < turn.end:
            model.add_implication(use, turn.idle[t])
        begun = sum(
            (turn.does[s, deed] for s in range(t) for deed in self._scope.deeds if deed.gizmo == gizmo), start=0
        )
        amount = CARDS[gizmo].amount if what in ("pick", "draw") else 1
        pending = self._scope.position.turn.pending
        done = pending.done if pending is not None and pending.gizmo == gizmo else 0
        model.add(begun + done <= amount - 1).only_enforce_if(use)
        if what in ("pick", "draw"):
            limit = turn.ring_limit(t)
            model.add(turn.marbles(t) + 1 <= limit).only_enforce_if(use)
        if what == "pick":
            model.add(turn.picks[t] >= len(self._scope.position.next) + 1).only_enforce_if(use)
        elif what == "draw":
            self._uncertain_draw(t, use)
        elif what == "card":
            self._may_file_or_build(t, use, gizmo)
            model.add(turn.head[level][t] >= len(self._scope.position.deck(level).top) + 1).only_enforce_if(use)
        else:
            model.add(turn.special(t, "no-research") == 0).only_enforce_if(use)
            known = len(self._scope.position.deck(level).top)
            looks = turn.with_built(t, turn.start_board.research_amount, "research")
            model.add(turn.head[level][t] + looks >= known + 1).only_enforce_if(use)
        return use

    def _may_file_or_build(self, t: int, use: IntVar, gizmo: int) -> None:
        turn, model = self._turn, self._turn.model
        if CARDS[gizmo].effect == "file":
            model.add(turn.special(t, "no-file") == 0).only_enforce_if(use)
            archive = sum((turn.archived[card, t] for card in turn.cards), start=0)
            limit = turn.with_built(t, turn.start_board.archive_limit, "archive")
            model.add(archive + 1 <= limit).only_enforce_if(use)

    def _uncertain_draw(self, t: int, use: IntVar) -> None:
        """The dispenser holds several colours, or it is not known what it holds."""
        turn, model = self._turn, self._turn.model
        left = turn.dispenser(t)
        model.add(sum(left) >= 1).only_enforce_if(use)
        blurred = model.new_bool_var("")
        model.add(turn.blurred(t) >= 1).only_enforce_if(use, blurred)
        holds = []
        for count in left:
            some = model.new_bool_var("")
            model.add(count >= 1).only_enforce_if(some)
            holds.append(some)
        model.add(sum(holds) >= 2).only_enforce_if(use, ~blurred)
