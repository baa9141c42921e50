"""The highest final score that a game can reach with perfect luck, and in which order its gizmos are built.

An exact search over orders. What a build brings depends only on which scoring gizmos are built already, so equal sets
need to be looked at once. A player goes on alone for as long as he likes: turns cost nothing, so every build but those
of the last turn is a turn of its own, out of the archive, and each builder scores every time it can. Before the last
turn there are at most 15 gizmos and 3 of level III (rules: "Score and end").

All else is relaxed in the player's favour: marbles beyond what the ring can hold for one payment, what else the archive
does. So the answer is an upper bound; `solver.combos.solitaire` plays it on the engine, which makes it exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import msgspec

from engine.cards import CARDS, Card
from engine.marbles import COLORS
from engine.position import END_GIZMOS, END_LEVEL_3

if TYPE_CHECKING:
    import numpy as np

    Table: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]

_RING: Final = 5
_MOST_FILED_AT_END: Final = 12
"""More cards than any archive holds at the end of such a game."""
_MOST_MARBLES: Final = 18
"""More marbles than any ring holds at the end of such a game."""


class Kind(NamedTuple):
    """A card as far as it counts here. `bit` is 0 for cards that only bring points and colour."""

    name: str
    level: int
    colors: int
    points: int
    cost: int
    bit: int
    room: bool


class FinalScore(msgspec.Struct, frozen=True):
    """A proved bound on the final score, and an order that reaches it as far as the bound counts.

    `order` are the builds before the last turn, `last` those of the last turn. A name such as `II red` stands for a
    card of level II in that colour that brings 3 points and scores nothing itself.
    """

    score: int
    tokens: int
    order: tuple[str, ...]
    last: tuple[str, ...]
    states: int


def highest_final_score(gizmos_before_last_turn: int = END_GIZMOS - 1, at_least: int = 0) -> FinalScore | None:
    """The highest final score, proved; None if none is above `at_least`.

    `gizmos_before_last_turn` counts the starting one, as the rules do.
    """
    best: FinalScore | None = None
    states = 0
    for multiplied in (2, 1, 0):
        search = _Search(gizmos_before_last_turn - 1, multiplied)
        found = search.best(max(at_least, best.score if best is not None else 0))
        states += search.states
        best = found or best
    return msgspec.structs.replace(best, states=states) if best is not None else None


def _mask(card: Card) -> int:
    return sum(1 << color for color in card.colors)


def _kinds() -> tuple[Kind, ...]:
    special = [
        card
        for card in CARDS.values()
        if card.effect in ("points", "free-build-level-1", "research") or card.special == "points-per-token"
    ]
    kinds = [
        Kind(str(card.id), card.level, _mask(card), card.points, card.cost, 1 << number, False)
        for number, card in enumerate(special)
    ]
    for color in COLORS:
        kinds.append(Kind(f"II {color.name.lower()}", 2, 1 << color, 3, 3, 0, True))
        kinds.append(Kind(f"III {color.name.lower()}", 3, 1 << color, 8, 4, 0, True))
    kinds.append(Kind("points-per-energy", 3, 15, _MOST_MARBLES, 7, 0, False))
    return tuple(kinds)


KINDS: Final = _kinds()
_BITS: Final = {int(kind.name): kind.bit for kind in KINDS if kind.bit}
_SCORING: Final = tuple((_BITS[number], CARDS[number]) for number in _BITS if CARDS[number].effect == "points")
_CHAINING: Final = {number: _BITS[number] for number in _BITS if CARDS[number].effect not in ("points", "")}
_PER_TOKEN: Final = sum(_BITS[number] for number in _BITS if CARDS[number].special == "points-per-token")
_FILING: Final = sum(bit for bit, card in _SCORING if card.trigger == "file")
_LOW: Final = tuple(bit for bit, card in _SCORING if card.level < END_LEVEL_3 - 1)
"""The builders of level I and II."""
_CHEAP: Final = tuple(Kind(f"I {color.name.lower()}", 1, 1 << color, 1, 1, 0, False) for color in COLORS)


def _colors(card: Card) -> int:
    return sum(1 << color for color in card.trigger_colors)


_LISTENERS: Final = tuple(
    (bit, _colors(card), card.amount, card.trigger == "build-from-archive")
    for bit, card in _SCORING
    if card.trigger != "file"
)
"""Cards that score when something is built: bit, colours, points, whether it must come out of the archive."""


def tokens(built: int, colors: int) -> int:
    """What a build out of the archive brings in tokens, with the File before it, when these scoring cards are built."""
    heard = sum(amount for bit, wanted, amount, archive in _LISTENERS if built & bit and (archive or wanted & colors))
    return heard + (built & _FILING).bit_count()


class _Chain(NamedTuple):
    """A last turn under way: cards built, those that have scored in it, effects that may build (0: the main action)."""

    built: int
    scored: int
    ready: frozenset[int]
    used: frozenset[int]


class _Search:
    """All orders of a number of builds with so many cards that count tokens once more.

    A state is a set of cards of level III with a count of others (a row of the table), whether the ring can hold seven
    marbles, and a set of builders of level I and II. A table holds the best value of every state after so many builds.
    """

    def __init__(self, builds: int, multiplied: int) -> None:
        self.builds = builds
        self.multiplied = multiplied
        self.factor = 1 + multiplied
        self.states = 0
        dear = [bit for bit in _BITS.values() if bit not in _LOW]
        self.threes = [
            (sum(chosen), others)
            for size in range(END_LEVEL_3)
            for chosen in combinations(dear, size)
            for others in range(END_LEVEL_3 - size)
            if (sum(chosen) & _PER_TOKEN).bit_count() <= multiplied
        ]
        self.row = {three: number for number, three in enumerate(self.threes)}
        self.low = [sum(bit for i, bit in enumerate(_LOW) if number >> i & 1) for number in range(1 << len(_LOW))]
        self.column = {built: number for number, built in enumerate(self.low)}

    def best(self, above: int) -> FinalScore | None:
        import numpy as np  # noqa: PLC0415 - heavy

        nothing = -10_000
        start = np.full((len(self.threes), 2, len(self.low)), nothing, dtype=np.int32)
        start[self.row[0, 0], 0, 0] = 0
        layers = [start]
        for _ in range(self.builds):
            layers.append(self._layer(layers[-1]))
            self.states += int((layers[-1] >= 0).sum())
        best: tuple[int, tuple[int, int, int], tuple[str, ...]] | None = None
        last = layers[-1]
        for where in np.argsort(-last, axis=None):
            row, room, column = (int(each) for each in np.unravel_index(where, last.shape))
            value = int(last[row, room, column])
            floor = best[0] if best is not None else above
            built = self.threes[row][0] | self.low[column]
            if value < 0 or value + self._last_turn_bound(0) <= floor:
                break
            if value + self._last_turn_bound(built) <= floor:
                continue
            for score, names in self._last_turns(built, value, floor):
                if score > (best[0] if best is not None else above):
                    best = (score, (row, room, column), names)
        if best is None:
            return None
        return self._found(best[0], self._order(layers, best[1]), best[2])

    def _moves(self) -> Iterator[tuple[Kind, list[int], list[int], list[int]]]:
        """Each kind of card with the rows it can be built in, the rows that leads to, and the columns likewise."""
        rows, columns = range(len(self.threes)), range(len(self.low))
        for kind in KINDS:
            if kind.level == END_LEVEL_3 - 1:
                pairs = [
                    (row, self.row.get((built | kind.bit, others + (not kind.bit)), -1))
                    for row, (built, others) in enumerate(self.threes)
                    if not built & kind.bit
                ]
                pairs = [(row, then) for row, then in pairs if then >= 0]
                yield kind, [row for row, _ in pairs], [then for _, then in pairs], list(columns)
            elif kind.bit:
                without = [column for column in columns if not self.low[column] & kind.bit]
                yield kind, list(rows), list(rows), without
            else:
                yield kind, list(rows), list(rows), list(columns)

    def _layer(self, layer: Table) -> Table:
        """The best values after one build more."""
        import numpy as np  # noqa: PLC0415 - heavy

        after = np.full_like(layer, -10_000)
        for kind, rows, rows_then, columns in self._moves():
            low_then = [self.column[self.low[column] | kind.bit] if kind.bit in _LOW else column for column in columns]
            for room in (0, 1):
                if kind.cost > _RING and not room:
                    continue
                worth = layer[np.ix_(rows, [room], columns)][:, 0, :] + kind.points + self._tokens(kind, rows, columns)
                then = np.ix_(rows_then, [int(room or kind.room)], low_then)
                after[then] = np.maximum(after[then], worth[:, None, :])
        return after

    def _tokens(self, kind: Kind, rows: list[int], columns: list[int]) -> Table:
        import numpy as np  # noqa: PLC0415 - heavy

        of_rows = np.array([tokens(self.threes[row][0], kind.colors) for row in rows], dtype=np.int32)
        of_columns = np.array([tokens(self.low[column], kind.colors) for column in columns], dtype=np.int32)
        return self.factor * (of_rows[:, None] + of_columns[None, :])

    def _order(self, layers: list[Table], state: tuple[int, int, int]) -> tuple[str, ...]:
        """The builds that lead to a state, found backwards."""
        order: list[str] = []
        for number in range(len(layers) - 1, 0, -1):
            name, state = self._before(layers[number - 1], int(layers[number][state]), state)
            order.append(name)
        return tuple(reversed(order))

    def _before(self, layer: Table, value: int, state: tuple[int, int, int]) -> tuple[str, tuple[int, int, int]]:
        row, room, column = state
        for kind, rows, rows_then, columns in self._moves():
            for row_before, row_then in zip(rows, rows_then, strict=True):
                if row_then != row:
                    continue
                column_before = self.column.get(self.low[column] & ~kind.bit, -1) if kind.bit in _LOW else column
                if column_before not in columns or (kind.bit in _LOW and not self.low[column] & kind.bit):
                    continue
                for room_before in (0, 1):
                    if (room_before or kind.room) != bool(room) or (kind.cost > _RING and not room_before):
                        continue
                    before = (row_before, room_before, column_before)
                    gain = kind.points + int(self._tokens(kind, [row_before], [column_before])[0, 0])
                    if int(layer[before]) + gain == value:
                        return kind.name, before
        raise AssertionError("a value without a build that leads to it")

    def _last_turn_bound(self, built: int) -> int:
        """At most so much in the last turn: each scoring card once, the dearest cards, a full ring."""
        chains = any(built & bit for bit in _CHAINING.values()) or not built
        builds = 1 + len(_CHAINING) if chains else 1
        filed = 2 * _MOST_FILED_AT_END if built & _FILING or not built else 0
        owned = sum(card.amount for bit, card in _SCORING if built & bit and card.trigger != "file")
        scored = owned + 2 * (builds - 1) if built else 8 + 2 * (END_LEVEL_3 - 1) + 2 * builds
        return self.factor * (scored + filed) + 8 * builds + 2 * (_MOST_MARBLES - 8)

    def _last_turns(self, built: int, value: int, floor: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Last turns worth more than `floor`: a build by the main action, and what 319, 320, 331 and 332 add to it."""
        value += self.factor * _MOST_FILED_AT_END * (built & _FILING).bit_count()
        yield from self._chain(_Chain(built, 0, frozenset((0,)), frozenset()), value, floor)

    def _chain(self, now: _Chain, value: int, floor: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        missing = self.multiplied - (now.built & _PER_TOKEN).bit_count()
        builds = (not now.used) + sum(1 for number in _CHAINING if number not in now.used)
        if not any(now.built & bit for bit in _CHAINING.values()):
            builds = int(not now.used)
        waiting = sum(amount for bit, _, amount, _ in _LISTENERS if now.built & bit and not now.scored & bit)
        dear = 8 * (builds - missing) + 2 * (_MOST_MARBLES - 8)
        if missing > builds or value + self.factor * (waiting + 2 * max(0, builds - 1)) + dear <= floor:
            return
        for by in sorted(now.ready):
            free = bool(by) and CARDS[by].effect == "free-build-level-1"
            archived = not by or free
            for kind in (*KINDS, *_CHEAP):
                then = now.built | kind.bit
                left = self.multiplied - (then & _PER_TOKEN).bit_count()
                if now.built & kind.bit or (free and kind.level != 1) or left < 0 or left >= builds:
                    continue
                scored, gained = now.scored, 0
                for bit, colors, amount, from_archive in _LISTENERS:
                    if now.built & bit and not scored & bit and (archived if from_archive else colors & kind.colors):
                        scored |= bit
                        gained += amount
                worth = value + kind.points + self.factor * gained
                if not left and worth > floor:
                    yield worth, (kind.name,)
                used = now.used | {by}
                ready = (now.ready - {by}) | {
                    number
                    for number, bit in _CHAINING.items()
                    if now.built & bit and number not in used and _colors(CARDS[number]) & kind.colors
                }
                if ready:
                    for score, names in self._chain(_Chain(then, scored, ready, used), worth, floor):
                        yield score, (kind.name, *names)

    def _found(self, score: int, order: tuple[str, ...], last: tuple[str, ...]) -> FinalScore:
        points = {kind.name: kind.points for kind in (*KINDS, *_CHEAP)}
        cards = sum(points[name] for name in (*order, *last))
        return FinalScore(score, (score - cards) // self.factor, order, last, self.states)
