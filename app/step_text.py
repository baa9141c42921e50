"""The steps of a line in words: what is done, how it is paid, what it sets off, and what is luck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from app.card_text import cost_text, points_text, short_text
from app.value_text import chance_text
from app.words import Words
from engine.actions import Action, Build, Draw, EndTurn, File, Pass, Pick, Points, ResearchDeck, Reveal, Skip
from engine.cards import CARDS, NUMERALS
from engine.marbles import COLORS, letters
from engine.payments import Payment, conversions
from engine.position import Position
from engine.reveals import outcomes, reveal
from engine.rules import apply_unchecked, price
from solver import Step


def action_words(words: Words, position: Position, action: Action) -> str:
    """What is done, as a sentence for a person."""
    gizmo = getattr(action, "gizmo", 0)
    what = _what(words, position, action)
    return words("step.by", gizmo=gizmo, what=what) if gizmo else what[:1].upper() + what[1:]


def remarks(words: Words, position: Position, step: Step, later: Iterable[Action], arrow: str) -> Iterator[str]:
    """What there is to say about a step, a line each: the card, its payment, what it sets off, and what is luck.

    `position` is the one before the step, `later` are the actions that follow in its line.
    """
    action = step.action
    if isinstance(action, Build | File):
        yield f"{action.card}: {card_words(words, action.card, arrow)}"
    if isinstance(action, Build) and not action.gizmo:
        yield from _payment(words, position, action)
    if step.triggered:
        gizmos = ", ".join(f"{gizmo} ({short_text(words, CARDS[gizmo], arrow)})" for gizmo in step.triggered)
        yield words("step.sets_off", gizmos=gizmos)
    yield from _luck(words, position, step, {getattr(each, "card", 0) for each in later})


def card_words(words: Words, number: int, arrow: str) -> str:
    """A card in short: what it costs, its points, what it does."""
    card = CARDS[number]
    return words(
        "step.card",
        cost=cost_text(words, card),
        points=points_text(words, card.points),
        text=short_text(words, card, arrow),
    )


def color_words(words: Words, color: int) -> str:
    """The name of a colour."""
    return words(f"color.{COLORS[color].name.lower()}")


def _what(words: Words, position: Position, action: Action) -> str:
    match action:
        case Pick():
            return words("step.pick", color=color_words(words, action.color))
        case File():
            return words("step.file_research" if action.source == "research" else "step.file_display", card=action.card)
        case Build():
            what = words(f"step.build_{action.source}", card=action.card)
            if any(action.spend):
                return words("step.paying", what=what, marbles=letters(action.spend))
            return words("step.nothing", what=what)
        case ResearchDeck():
            return words("step.research", level=NUMERALS[action.level])
        case Draw():
            return words("step.draw")
        case Points():
            return words("step.points", n=CARDS[action.gizmo].amount)
        case Skip():
            return words("step.skip")
        case Pass():
            return words("step.keep_none" if position.turn.research is not None else "step.pass")
        case EndTurn():
            unused = ", ".join(map(str, position.turn.triggered))
            return words("step.leaving", gizmos=unused) if unused else words("step.end")


def _payment(words: Words, position: Position, action: Build) -> Iterator[str]:
    card = CARDS[action.card]
    low, high = price(position.player, card, action.source)
    payment = Payment(action.spend, action.converters)
    steps = conversions(card, low, high, payment, action.converters) or ()
    for each in steps:
        made = "".join(color.letter for color in each.result)
        yield words("step.converts", gizmo=each.gizmo, given=each.source.letter, made=made)
    paid = sum(action.spend) + sum(len(each.result) - 1 for each in steps)
    if paid < card.cost:
        yield words("step.discount", n=card.cost - paid)


def _luck(words: Words, position: Position, step: Step, needed: set[int]) -> Iterator[str]:
    """What luck does in a step; a reveal that doesn't matter is said only if the line goes on with it (`needed`)."""
    certain = step.chance == 1
    like = "" if _alone(position, step) else "_like"
    for each in step.reveals:
        if each.kind == "research":
            continue
        if not certain:
            yield _reveal_words(words, f"{each.kind}{like}", each, step.chance)
        elif each.kind == "draw" or (each.kind == "refill" and each.value in needed):
            yield _reveal_words(words, f"{each.kind}_any", each, 1)
    seen = [each for each in step.reveals if each.kind == "research"]
    if seen:
        shown = next((each for each in seen if each.value in needed), seen[0])
        if not certain:
            yield _reveal_words(words, "research", shown, step.chance)
        elif shown.value in needed:
            yield _reveal_words(words, "research_any", shown, 1)


def _alone(position: Position, step: Step) -> bool:
    """True if the chance of a step is that of its very reveals, and no others are as good."""
    after = apply_unchecked(position, step.action)
    chance = Fraction(1)
    for each in step.reveals:
        chance *= next(outcome.probability for outcome in outcomes(after) if outcome.reveal == each)
        after = reveal(after, each)
    return abs(float(chance) - step.chance) < 1e-9


def _reveal_words(words: Words, key: str, outcome: Reveal, chance: float) -> str:
    return words(f"reveal.{key}", color=_color(words, outcome), card=outcome.value, chance=chance_text(chance))


def _color(words: Words, outcome: Reveal) -> str:
    return color_words(words, outcome.value) if outcome.kind in ("row", "next", "draw") else ""
