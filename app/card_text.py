"""Cards in words: a short text that fits on a line of the board, and a sentence."""

from __future__ import annotations

from collections.abc import Iterable

from app.words import Words
from engine.cards import NUMERALS, Card
from engine.marbles import COLORS, Color


def short_text(words: Words, card: Card, arrow: str = "→") -> str:
    """What a card does, as short as possible.

    >>> from engine.cards import CARDS
    >>> short_text(Words("en"), CARDS[227])
    'build U/Y → pick 1'
    """
    if card.trigger:
        return words("short.then", when=short_trigger(words, card), arrow=arrow, what=effect_text(words, card))
    if card.convert_to:
        return _short_converter(words, card, arrow)
    return ", ".join([*_gains(words, "short", card), *([words(f"special.{card.special}")] if card.special else [])])


def short_trigger(words: Words, card: Card) -> str:
    """What triggers a gizmo, as short as possible."""
    return words(f"short.{card.trigger}", colors="/".join(color.letter for color in card.trigger_colors))


def effect_text(words: Words, card: Card) -> str:
    """What a triggered gizmo does, as short as possible."""
    return words(f"effect.{card.effect}", n=card.amount)


def long_text(words: Words, card: Card) -> str:
    """What a card does, in sentences.

    >>> from engine.cards import CARDS
    >>> long_text(Words("en"), CARDS[227])
    'When you build blue or yellow: pick a marble.'
    """
    if card.trigger:
        when = words(f"long.{card.trigger}", colors=either(words, card.trigger_colors))
        return words("long.then", when=when, what=words(f"long.effect.{card.effect}", n=card.amount))
    if card.convert_to:
        return _long_converter(words, card)
    if card.special:
        return words(f"long.special.{card.special}")
    gains = ", ".join(_gains(words, "long", card))
    return f"{gains[:1].upper()}{gains[1:]}."


def color_text(words: Words, card: Card) -> str:
    """The colour of a card, in words."""
    return words(f"color.{card.color_name}")


def either(words: Words, colors: Iterable[Color]) -> str:
    """Colours in words: `blue or yellow`."""
    names = [words(f"color.{color.name.lower()}") for color in colors]
    return words("color.or", first=names[0], last=names[-1]) if len(names) > 1 else "".join(names)


def cost_text(words: Words, card: Card) -> str:
    """What a card costs: a letter a marble, or a number of any."""
    if card.any_color:
        return words("card.cost_any", n=card.cost)
    return "".join(color.letter for color in card.colors) * card.cost


def level_text(words: Words, card: Card) -> str:
    """The level of a card, in words."""
    return words("card.level", level=NUMERALS[card.level]) if card.level else words("card.start")


def points_text(words: Words, points: int) -> str:
    """Points of a card, in short."""
    return words("card.points", n=points)


def _short_converter(words: Words, card: Card, arrow: str) -> str:
    if card.convert_to == "double":
        return ", ".join(
            words("short.convert_double", color=color.letter, double=color.letter * 2, arrow=arrow)
            for color in card.convert_from
        )
    if len(card.convert_from) == len(COLORS):
        return words("short.convert_all", arrow=arrow)
    key = "short.convert_any" if card.convert_uses == 1 else "short.convert_any_twice"
    return words(key, color=card.convert_from[0].letter, arrow=arrow)


def _long_converter(words: Words, card: Card) -> str:
    names = [words(f"color.{color.name.lower()}") for color in card.convert_from]
    if card.convert_to == "double":
        both = len(names) > 1
        key = "long.convert_double_both" if both else "long.convert_double"
        return words(key, color=names[0], first=names[0], last=names[-1])
    if len(names) == len(COLORS):
        return words("long.convert_all")
    return words("long.convert_any" if card.convert_uses == 1 else "long.convert_any_twice", color=names[0])


def _gains(words: Words, form: str, card: Card) -> list[str]:
    gains = (("storage", card.storage), ("archive", card.archive), ("research", card.research))
    return [words(f"{form}.{name}", n=amount) for name, amount in gains if amount]
