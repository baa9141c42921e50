"""Themes of puzzles: one predicate each, over a study of the puzzle (docs/puzzles.md lists them)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.actions import Build, Draw, File, Pick, ResearchDeck, Skip
from engine.cards import CARDS, Card
from engine.payments import Conversion, Payment, conversions
from engine.rules import price
from puzzles.players import first_look
from puzzles.study import Decision, Study, gizmos_used
from solver.objective import AmountGoal, Goal

Theme = Callable[[Study], bool]


def converter(study: Study) -> bool:
    """A payment needs a converter."""
    return any(build.converters for _, build in _builds(study))


def converter_chain(study: Study) -> bool:
    """In a payment, one converter works on what another one made."""
    for decision, build in _builds(study):
        made: set[int] = set()
        for step in _conversions(decision, build):
            if step.source in made and not build.spend[step.source]:
                return True
            made.update(step.result)
    return False


def archive_build(study: Study) -> bool:
    """A card is built out of the archive."""
    return any(build.source == "archive" for _, build in _builds(study))


def free_build(study: Study) -> bool:
    """A card is built by a gizmo, without being paid for."""
    return any(build.gizmo for _, build in _builds(study))


def file_trigger(study: Study) -> bool:
    """Filing a card sets off gizmos."""
    return any(
        isinstance(decision.action, File) and _answering(study, index, "file")
        for index, decision in enumerate(study.line)
    )


def quiet_move(study: Study) -> bool:
    """The turn begins with a Pick, a File or a Research, and still brings what is asked for."""
    return isinstance(study.root.action, Pick | File | ResearchDeck) and any(study.value)


def ring_room(study: Study) -> bool:
    """Room in the ring is short: the ring is full before a later pick or draw, or a run of them is stopped early."""
    taking = [index for index, each in enumerate(study.line) if isinstance(each.action, Pick | Draw)]
    full = [index for index, each in enumerate(study.line) if each.position.player.room <= 0]
    stopped = any(isinstance(each.action, Skip) for each in study.line)
    return stopped or (bool(taking and full) and full[0] < taking[-1])


def order_matters(study: Study) -> bool:
    """At some moment, what is rightly done later can be done already, and would lose."""
    for index, decision in enumerate(study.line):
        later = [each.action for each in study.line[index + 1 :]]
        if any(value < decision.best and action in later for action, value in decision.options):
            return True
    return False


def sacrifice(study: Study) -> bool:
    """At some moment another action brings more points at once, and loses."""
    for decision in study.line:
        looks = [(first_look(decision.position, action), value) for action, value in decision.options]
        own = first_look(decision.position, decision.action)
        if any(look > own and value < decision.best for look, value in looks):
            return True
    return False


def research(study: Study) -> bool:
    """A deck is researched."""
    return any(isinstance(decision.action, ResearchDeck) for decision in study.line)


def research_gamble(study: Study) -> bool:
    """A deck is researched on average luck, and a surer action is worse."""
    return study.luck == "average" and research(study) and len(_unknown_researches(study)) > 0


def last_round(study: Study) -> bool:
    """The last round is being played, or this turn brings it about, or the question is whether the game is won."""
    asks_for_total = any(
        isinstance(condition, AmountGoal) and condition.what == "total"
        for term in study.objective.terms
        if isinstance(term, Goal)
        for condition in term.conditions
    )
    return study.position.last_round or study.end.ends_game or asks_for_total


def long_chain(study: Study) -> bool:
    """Six gizmos or more are used, converters included."""
    return gizmos_used(study.line) >= 6


def new_gizmo(study: Study) -> bool:
    """A gizmo built in this turn is used in it."""
    before = set(study.position.player.built)
    used = {gizmo for each in study.line if (gizmo := getattr(each.action, "gizmo", 0))}
    used |= {gizmo for _, build in _builds(study) for gizmo in build.converters}
    return bool(used - before)


def new_limit(study: Study) -> bool:
    """Room that an upgrade of this turn gives is needed in it: in the ring, in the archive, or as a discount."""
    board = study.position.player.dashboard
    fuller = max(each.position.player.marbles for each in study.line)
    archive = max(len(each.position.player.archive) for each in study.line)
    return (
        max(fuller, study.end.marbles) > board.ring_limit or max(archive, len(study.end.archive)) > board.archive_limit
    )


def discount(study: Study) -> bool:
    """A card is built for less than it costs."""
    for decision, build in _builds(study):
        if not build.gizmo:
            card = CARDS[build.card]
            _, full = price(decision.position.player, card, build.source)
            if conversions(card, full, full, Payment(build.spend, build.converters), build.converters) is None:
                return True
    return False


def overpaid(study: Study) -> bool:
    """More marbles are spent than the card must cost, since room in the ring is worth more."""
    for decision, build in _builds(study):
        cheaper = [
            value
            for action, value in decision.options
            if isinstance(action, Build)
            and (action.card, action.source, action.gizmo) == (build.card, build.source, build.gizmo)
            and sum(action.spend) < sum(build.spend)
        ]
        if cheaper and max(cheaper) < decision.best:
            return True
    return False


def payment_matters(study: Study) -> bool:
    """A card can be paid for in several ways, and some of them lose."""
    for decision, build in _builds(study):
        values = {
            value
            for action, value in decision.options
            if isinstance(action, Build)
            and (action.card, action.source, action.gizmo) == (build.card, build.source, build.gizmo)
        }
        if len(values) > 1:
            return True
    return False


def level_two_trigger(study: Study) -> bool:
    """A gizmo is used that waits for builds of level II."""
    return any(card.trigger == "build-level-2" for card in _used(study))


def draw_three(study: Study) -> bool:
    """A gizmo that draws three is used."""
    return any(card.effect == "draw" and card.amount > 1 for card in _used(study))


def pick_two(study: Study) -> bool:
    """A gizmo that picks two is used."""
    return any(card.effect == "pick" and card.amount > 1 for card in _used(study))


def end_award(study: Study) -> bool:
    """A gizmo that pays at the end of the game, for marbles or for tokens, is built or counts."""
    awards = {"points-per-energy", "points-per-token"}
    return any(CARDS[gizmo].special in awards for gizmo in study.end.built)


def negator(study: Study) -> bool:
    """A card that forbids filing or research is built, or would be the obvious build."""
    negators = {card.id for card in CARDS.values() if card.special in ("no-file", "no-research")}
    offered = {action.card for action, _ in study.root.options if isinstance(action, Build)}
    return bool(negators & (offered | {build.card for _, build in _builds(study)}))


THEMES: Final[dict[str, Theme]] = {
    predicate.__name__.replace("_", "-"): predicate
    for predicate in (
        archive_build,
        converter,
        converter_chain,
        discount,
        draw_three,
        end_award,
        file_trigger,
        free_build,
        last_round,
        level_two_trigger,
        long_chain,
        negator,
        new_gizmo,
        new_limit,
        order_matters,
        overpaid,
        payment_matters,
        pick_two,
        quiet_move,
        research,
        research_gamble,
        ring_room,
        sacrifice,
    )
}
"""Every theme by its name."""


def themes_of(study: Study) -> list[str]:
    """The names of all themes of a puzzle, in alphabetical order."""
    return [name for name, holds in THEMES.items() if holds(study)]


def _builds(study: Study) -> Iterator[tuple[Decision, Build]]:
    for decision in study.line:
        if isinstance(decision.action, Build):
            yield decision, decision.action


def _conversions(decision: Decision, build: Build) -> tuple[Conversion, ...]:
    card = CARDS[build.card]
    low, high = price(decision.position.player, card, build.source)
    free = tuple(
        gizmo for gizmo in decision.position.player.dashboard.converters if gizmo not in decision.position.turn.used
    )
    return conversions(card, low, high, Payment(build.spend, build.converters), free) or ()


def _answering(study: Study, index: int, trigger: str) -> bool:
    return any(
        CARDS[gizmo].trigger == trigger
        for each in study.line[index + 1 :]
        if (gizmo := getattr(each.action, "gizmo", 0))
    )


def _unknown_researches(study: Study) -> list[Decision]:
    return [
        each
        for each in study.line
        if isinstance(each.action, ResearchDeck) and each.position.deck(each.action.level).unknown > 0
    ]


def _used(study: Study) -> Iterator[Card]:
    for each in study.line:
        gizmo = getattr(each.action, "gizmo", 0)
        if gizmo:
            yield CARDS[gizmo]
