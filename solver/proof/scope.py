"""What a turn can touch: cards, gizmos, deeds and the number of steps, before any search.

Written from the rules. Everything errs on the side of "can": too wide a scope costs time, never exactness.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from engine.cards import CARDS, LEVELS, Card, Level, dashboard
from engine.marbles import COLORS
from engine.position import Position
from solver.objective import AmountGoal, Goal, Objective, RingGoal

Verb: TypeAlias = Literal["pick", "draw", "file", "build", "research", "pass"]
Place: TypeAlias = Literal["display", "archive", "research"]


class Deed(NamedTuple):
    """One thing that can be done in a step.

    `gizmo` is the one whose effect it is, 0 for the main action and for what a research leads to. `go_on`: the second
    or later pick or draw of the same effect.
    """

    verb: Verb
    gizmo: int = 0
    card: int = 0
    place: Place = "display"
    color: int = -1
    level: Level = 0
    go_on: bool = False

    @property
    def paid(self) -> bool:
        """True for a build that must be paid."""
        return self.verb == "build" and not self.gizmo


class Scope:
    """The reach of a turn from a position, for an objective."""

    def __init__(self, position: Position, objective: Objective) -> None:
        self.position = position
        self.objective = objective
        self.player = position.player
        self.main = not position.turn.acted
        self.shown = tuple(number for row in position.display for number in row)
        self.opened = position.turn.research.seen if position.turn.research is not None else ()
        self._settle()

    def _settle(self) -> None:
        """Grow the set of gizmos that can be triggered, and the draws from the decks, until nothing is added."""
        turn = self.position.turn
        begun = {*turn.triggered, *((turn.pending.gizmo,) if turn.pending is not None else ())}
        self.reached: frozenset[int] = frozenset(begun)
        self.unused = frozenset(self.player.built) - set(turn.used) | begun
        while True:
            events = [*self._start_events(), *self._effect_events()]
            later = list(self._effect_events())
            reached = {gizmo for gizmo in self.unused if gizmo in begun or _heard(CARDS[gizmo], events)}
            reached |= {card for card in self.buildable if _heard(CARDS[card], later)}
            if reached == self.reached:
                return
            self.reached = frozenset(reached)
            self.__dict__.pop("buildable", None)

    # -- how often ----------------------------------------------------------------------------------------------------

    def effects(self, effect: str) -> tuple[int, ...]:
        """The gizmos with an effect that can be triggered, ascending; those to be built count too."""
        return tuple(sorted(gizmo for gizmo in self.reached if CARDS[gizmo].effect == effect))

    @property
    def researching(self) -> bool:
        """True if a research can be begun or is being decided."""
        return bool(self.opened) or self.main or bool(self.effects("research"))

    @property
    def builds(self) -> tuple[int, int, int]:
        """The most builds: by the main action or a research in progress, free ones, and by researches of effects."""
        first = int(self.main or self.position.turn.research is not None)
        return first, len(self.effects("free-build-level-1")), len(self.effects("research"))

    def draws_from(self, level: Level) -> int:
        """The most cards that can leave a deck this turn."""
        takes = self.main + len(self.effects("file")) + (len(self.effects("free-build-level-1")) if level == 1 else 0)
        researches = self.main + len(self.effects("research"))
        more = sum(sorted((CARDS[card].research for card in self._on_hand()), reverse=True)[: sum(self.builds)])
        return takes + researches * (dashboard(self.player.built).research_amount + more)

    def _on_hand(self) -> Iterator[int]:
        yield from self.shown
        yield from self.player.archive
        yield from self.opened
        for deck in self.position.decks:
            yield from deck.top
            yield from deck.bottom if not deck.unknown else ()

    def deck_cards(self, level: Level) -> tuple[int, ...]:
        """The known cards from the top that can come to light, in order; all of them if the deck can run out."""
        deck = self.position.deck(level)
        known = deck.top if deck.unknown else (*deck.top, *deck.bottom)
        most = self.draws_from(level)
        return known if self.recycles(level) else known[:most]

    def recycles(self, level: Level) -> bool:
        """True if cards put to the bottom can come to light again this turn, all cards of the deck being known."""
        deck = self.position.deck(level)
        research = self.position.turn.research
        opened = research is not None and research.level == level
        return not deck.unknown and self.draws_from(level) > deck.size and (deck.size > 0 or opened)

    @cached_property
    def buildable(self) -> tuple[int, ...]:
        """Cards that could be built or filed this turn, marbles aside, ascending."""
        found = {*self.shown, *self.player.archive, *self.opened}
        for level in LEVELS:
            if self.draws_from(level):
                found.update(self.deck_cards(level))
        return tuple(sorted(found))

    @cached_property
    def ring_matters(self) -> bool:
        """True if marbles picked or drawn by effects can make a difference to the objective."""
        per_energy = any(CARDS[card].special == "points-per-energy" for card in (*self.player.built, *self.buildable))
        return per_energy or bool(self.effects("research")) or any(map(_wants_marbles, self.objective.terms))

    @cached_property
    def horizon(self) -> int:
        """The most steps a turn can take."""
        turn = self.position.turn
        steps = (1 + self.researching) if self.main else int(turn.research is not None)
        old = sum(self._units(gizmo) for gizmo in self.reached if gizmo in self.unused)
        new = sorted((self._units(gizmo) for gizmo in self.reached if gizmo not in self.unused), reverse=True)
        return max(1, steps + old + sum(new[: sum(self.builds)]))

    def _units(self, gizmo: int) -> int:
        """The most steps that the effect of a gizmo takes."""
        card = CARDS[gizmo]
        match card.effect:
            case "pick" | "draw":
                return card.amount if self.ring_matters else 0
            case "file" | "free-build-level-1":
                return 1
            case "research":
                return 2
            case _:
                return 0

    # -- events -------------------------------------------------------------------------------------------------------

    def _start_events(self) -> Iterator[tuple[str, frozenset[int], bool, Level]]:
        if self.main:
            yield from self._picks()
            yield ("file", frozenset(), False, 0)
        if self.main or self.position.turn.research is not None:
            yield ("file", frozenset(), False, 0)
            for card in self.buildable:
                yield _build_event(card, card in self.player.archive)

    def _picks(self) -> Iterator[tuple[str, frozenset[int], bool, Level]]:
        for color in COLORS:
            if self.position.row[color] or color in self.position.next:
                yield ("pick", frozenset((color,)), False, 0)

    def _effect_events(self) -> Iterator[tuple[str, frozenset[int], bool, Level]]:
        effects = {CARDS[gizmo].effect for gizmo in self.reached}
        if "pick" in effects:
            yield from self._picks()
        if "file" in effects or "research" in effects:
            yield ("file", frozenset(), False, 0)
        for card in self.buildable:
            if "research" in effects:
                yield _build_event(card, False)
            if "free-build-level-1" in effects and CARDS[card].level == 1:
                yield _build_event(card, True)

    # -- deeds --------------------------------------------------------------------------------------------------------

    @cached_property
    def deeds(self) -> tuple[Deed, ...]:
        """Everything that can be done in a step of this turn, main actions and effects."""
        return tuple(dict.fromkeys((*self._main_deeds(), *self._decisions(), *self._effect_deeds())))

    def _main_deeds(self) -> Iterator[Deed]:
        if not self.main:
            return
        for color in COLORS:
            if self.position.row[color]:
                yield Deed("pick", color=color)
        for card in self.shown:
            yield Deed("file", card=card)
            yield Deed("build", card=card)
        for card in self.player.archive:
            yield Deed("build", card=card, place="archive")
        for level in LEVELS:
            if self.deck_cards(level):
                yield Deed("research", level=level)

    def _decisions(self) -> Iterator[Deed]:
        if not self.researching:
            return
        for card in self._researched():
            yield Deed("file", card=card, place="research")
            yield Deed("build", card=card, place="research")
        yield Deed("pass")

    def _researched(self) -> tuple[int, ...]:
        levels = LEVELS if self.main or self.effects("research") else ()
        return tuple(dict.fromkeys((*self.opened, *(card for level in levels for card in self.deck_cards(level)))))

    def _effect_deeds(self) -> Iterator[Deed]:
        for gizmo in sorted(self.reached):
            card = CARDS[gizmo]
            match card.effect:
                case "pick" if self.ring_matters:
                    for color in COLORS:
                        if self.position.row[color] or color in self.position.next:
                            yield Deed("pick", gizmo, color=color)
                            if card.amount > 1:
                                yield Deed("pick", gizmo, color=color, go_on=True)
                case "draw" if self.ring_matters:
                    for color in COLORS:
                        yield Deed("draw", gizmo, color=color)
                        if card.amount > 1:
                            yield Deed("draw", gizmo, color=color, go_on=True)
                case "file":
                    yield from (Deed("file", gizmo, card=each) for each in self._displayable())
                case "free-build-level-1":
                    for each in self.buildable:
                        if CARDS[each].level == 1:
                            yield Deed("build", gizmo, card=each)
                            yield Deed("build", gizmo, card=each, place="archive")
                case "research":
                    for level in LEVELS:
                        if self.deck_cards(level):
                            yield Deed("research", gizmo, level=level)
                case _:
                    pass

    def _displayable(self) -> Iterator[int]:
        yield from self.shown
        for level in LEVELS:
            yield from self.deck_cards(level)


def heard_by(card: Card, deed: Deed) -> bool:
    """True if a deed triggers a gizmo (rules: "Triggers")."""
    match deed.verb:
        case "pick":
            return _heard(card, [("pick", frozenset((deed.color,)), False, 0)])
        case "file":
            return _heard(card, [("file", frozenset(), False, 0)])
        case "build":
            return _heard(card, [_build_event(deed.card, deed.place == "archive")])
        case _:
            return False


def _build_event(number: int, archive: bool) -> tuple[str, frozenset[int], bool, Level]:
    card = CARDS[number]
    return ("build", frozenset(card.colors), archive, card.level)


def _heard(card: Card, events: Iterable[tuple[str, frozenset[int], bool, Level]]) -> bool:
    for kind, colors, archive, level in events:
        match card.trigger:
            case "file" | "pick" | "build":
                if card.trigger == kind and (kind == "file" or not colors.isdisjoint(card.trigger_colors)):
                    return True
            case "build-from-archive":
                if kind == "build" and archive:
                    return True
            case "build-level-2":
                if kind == "build" and level == 2:
                    return True
            case _:
                return False
    return False


def _wants_marbles(term: object) -> bool:
    if isinstance(term, Goal):
        return any(
            isinstance(each, RingGoal) or (isinstance(each, AmountGoal) and each.what == "marbles")
            for each in term.conditions
        )
    return term in ("marbles", "activations")
