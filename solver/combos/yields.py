"""What an engine brings for each main action, exactly, and which card would add the most to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from engine.actions import Action, Build, File, Pick, ResearchDeck
from engine.cards import CARDS, LEVELS, Card
from engine.marbles import COLORS, Color
from engine.position import Deck, Player, Position, Turn, deck_size, sorted_cards
from engine.rules import apply
from solver.chain.events import Event, listens
from solver.front import solve
from solver.objective import Luck, Measure

MEASURES: Final[tuple[Measure, ...]] = ("marbles", "score", "activations")
_SECONDS: Final = 5.0
_ALL: Final = 1 << 20


class Yield(msgspec.Struct, frozen=True):
    """What one main action brings in the turn: each number the best by itself, under the luck asked for.

    `marbles` are those in the ring at the end; `proved` is false if time ran out; the numbers are then lower bounds.
    """

    action: str
    marbles: float
    points: float
    gizmos: float
    proved: bool = True

    @property
    def total(self) -> float:
        """Points and marbles together: most cards give a point for each marble they cost."""
        return self.points + self.marbles


class Addition(msgspec.Struct, frozen=True):
    """What a card adds to an engine: to the total of each main action that gains, and altogether."""

    card: int
    gain: float
    gains: tuple[tuple[str, float], ...]


def position_yields(position: Position, luck: Luck = "average") -> tuple[Yield, ...]:
    """What each main action of a position brings, the best of its kind and colour."""
    found: dict[str, dict[Measure, float]] = {}
    proved = True
    for measure in MEASURES:
        answer = solve(position, objective=measure, luck=luck, top=_ALL, time_limit=_SECONDS)
        proved = proved and answer.proved
        for line in answer.lines:
            values = found.setdefault(action_kind(line.first), {})
            values[measure] = max(values.get(measure, -1e9), line.value[0])
    return tuple(
        Yield(kind, each.get("marbles", 0), each.get("score", 0), each.get("activations", 0), proved)
        for kind, each in found.items()
    )


def action_kind(action: Action) -> str:
    """The kind of a main action, with its colour: `pick red`, `build blue`, `file`, `research II`.

    >>> action_kind(Pick(Color.RED)), action_kind(Build(208, "archive"))
    ('pick red', 'build yellow from archive')
    """
    match action:
        case Pick():
            return f"pick {action.color.name.lower()}"
        case Build():
            source = " from archive" if action.source == "archive" else ""
            return f"build {CARDS[action.card].color_name}{source}"
        case ResearchDeck():
            return f"research {'I' * action.level}"
        case _:
            return "file" if isinstance(action, File) else "pass"


def engine_yields(gizmos: Iterable[int], luck: Luck = "average") -> tuple[Yield, ...]:
    """What each main action brings to an engine on the trial table (see `trial_table`).

    >>> [(each.action, each.points) for each in engine_yields((133, 901)) if each.points]
    [('build red', 1.0)]
    """
    table = trial_table(gizmos)
    return tuple(_yield(start, luck) for start in _starts(table))


def trial_table(gizmos: Iterable[int]) -> Position:
    """A table to try engines at: an empty ring, a marble of each colour in the row, full decks, and a converter of
    level I of each colour on display, since converters set off nothing.
    """
    built = sorted_cards(gizmos)
    shown: list[int] = []
    for color in COLORS:
        converters = (
            card.id for card in CARDS.values() if card.level == 1 and card.convert_to and color in card.colors
        )
        shown += [number for number in converters if number not in built][:1]
    display = (sorted_cards(shown), (), ())
    decks = []
    for level in LEVELS:
        known = sum(CARDS[each].level == level for each in (*built, *display[level - 1]))
        decks.append(Deck(deck_size(level, known)))
    return Position((Player(built=built),), row=(1, 1, 1, 1), display=display, decks=tuple(decks))


class _Start(NamedTuple):
    """A position right after a main action on the trial table; `marbles`: spent for it by the trial, to be left out."""

    action: str
    position: Position


def _starts(table: Position) -> Iterator[_Start]:
    for color in COLORS:
        yield _Start(f"pick {color.name.lower()}", apply(table, Pick(color)))
    if table.player.dashboard.can_file and table.display[0]:
        yield _Start("file", apply(table, File(table.display[0][0])))
    cards = [CARDS[number] for number in table.player.built]
    for color in COLORS:
        yield from _build_starts(table, cards, color)


def _build_starts(table: Position, cards: list[Card], color: Color) -> Iterator[_Start]:
    """A build of a colour: of level I from the display, and of other kinds if the engine tells them apart."""
    plain = Event("build", (color,), False, 1)
    kinds = {f"build {color.name.lower()}": plain}
    if any(card.trigger == "build-from-archive" for card in cards):
        kinds[f"build {color.name.lower()} from archive"] = msgspec.structs.replace(plain, archive=True)
    if any(card.trigger == "build-level-2" for card in cards):
        kinds[f"build {color.name.lower()} of level II"] = msgspec.structs.replace(plain, level=2)
    for name, event in kinds.items():
        triggered = tuple(card.id for card in cards if listens(card, event))
        if triggered:
            yield _Start(name, msgspec.structs.replace(table, turn=Turn(acted=True, triggered=triggered)))
        else:
            yield _Start(name, table)


def _yield(start: _Start, luck: Luck) -> Yield:
    position = start.position
    if not position.turn.acted:
        return Yield(start.action, position.players[0].marbles, 0, 0)
    values: dict[Measure, float] = {}
    proved = True
    for measure in MEASURES:
        answer = solve(position, objective=measure, luck=luck, top=1, time_limit=_SECONDS)
        values[measure] = answer.value[0]
        proved = proved and answer.proved
    return Yield(start.action, values["marbles"], values["score"], values["activations"], proved)


def additions(gizmos: Iterable[int], candidates: Iterable[int], luck: Luck = "average") -> tuple[Addition, ...]:
    """What each candidate would add to an engine, the greatest gain first.

    The gain is counted in points and marbles, over all main actions of the trial table alike. What converters and
    upgrades add is not measured by it: they set off nothing.
    """
    built = sorted_cards(gizmos)
    before = {each.action: each.total for each in engine_yields(built, luck)}
    found = []
    for card in sorted(set(candidates) - set(built)):
        after = {each.action: each.total for each in engine_yields((*built, card), luck)}
        gains = tuple(
            (action, round(total - _before(before, action), 6))
            for action, total in after.items()
            if abs(total - _before(before, action)) > 1e-9
        )
        found.append(Addition(card, round(_weighed(after, gains), 6), gains))
    return tuple(sorted(found, key=lambda each: (-each.gain, each.card)))


def _weighed(after: dict[str, float], gains: tuple[tuple[str, float], ...]) -> float:
    """The sum of gains, the several ways to build a colour counting as one action together."""
    alike = Counter(_plain(action) for action in after)
    return sum(gain / alike[_plain(action)] for action, gain in gains)


def _plain(action: str) -> str:
    return " ".join(action.split()[:2])


def _before(before: dict[str, float], action: str) -> float:
    """The total of an action before; of one that the engine did not tell apart, that of the plain build."""
    if action in before:
        return before[action]
    return before[_plain(action)]
