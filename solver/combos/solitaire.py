"""Games played alone with perfect luck, on the engine: nature reveals what is wished for, as far as the rules allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from engine.actions import Action, Build, Draw, EndTurn, File, Move, Pick, Points, Reveal
from engine.cards import CARDS, DISPLAY_SIZE, LEVELS, Level
from engine.errors import IllegalActionError
from engine.marbles import COLORS, Color, count
from engine.position import Deck, Player, Position, deck_size, sorted_cards
from engine.reveals import reveal, weighted_reveals
from engine.rules import apply, legal_actions

_ROW: Final = "RRUUKY"


class Solitaire:
    """A game with one player, from the first turn, in which nature grants wishes.

    `wanted` are the cards to come into the display, in the order in which they are needed. The row is refilled with the
    colour that `color` asks for, drawn marbles likewise.
    """

    def __init__(self, wanted: Sequence[int], row: str = _ROW) -> None:
        self.wanted = list(wanted)
        self.moves: list[Move] = []
        self.turns = 0
        shown = tuple(self._first(level) for level in LEVELS)
        decks = tuple(Deck(deck_size(level, len(shown[level - 1]))) for level in LEVELS)
        self.start = Position((Player(built=(901,)),), row=count(row), display=shown, decks=decks)
        self.position = self.start
        self.color: Callable[[str], Color | None] = lambda _: None

    def _first(self, level: Level) -> tuple[int, ...]:
        """The display at the start: the first cards wanted, filled up with others."""
        cards = [card for card in self.wanted if CARDS[card].level == level][: DISPLAY_SIZE[level]]
        others = [card.id for card in CARDS.values() if card.level == level and card.id not in self.wanted]
        return sorted_cards((*cards, *others[: DISPLAY_SIZE[level] - len(cards)]))

    @property
    def player(self) -> Player:
        """The player."""
        return self.position.players[0]

    def act(self, action: Action) -> None:
        """Do something, and let nature grant what it can. Raises IllegalActionError."""
        if not self.position.turn.acted:
            self.turns += 1
        self._move(action, apply(self.position, action))
        while self.position.is_chance:
            outcome = self._granted()
            self._move(outcome, reveal(self.position, outcome))

    def _move(self, move: Move, after: Position) -> None:
        self.moves.append(move)
        self.position = after

    def _granted(self) -> Reveal:
        possible = [each for each, _ in weighted_reveals(self.position)]
        kind = self.position.turn.awaited[0].kind
        if kind in ("row", "draw", "next"):
            color = self.color(kind)
            return next((each for each in possible if each.value == color), possible[0])
        unseen = {each.value: each for each in possible}
        for card in self.wanted:
            if card in unseen:
                return unseen[card]
        return next((each for each in possible if each.value not in self.wanted), possible[0])

    def take_points(self) -> None:
        """Use every triggered gizmo that gives points."""
        for gizmo in self.position.turn.triggered if self.position.turn.acted else ():
            if CARDS[gizmo].effect == "points":
                self.act(Points(gizmo))

    def end_turn(self) -> None:
        """End the turn, if it has not ended by itself."""
        if self.position.turn.acted:
            self.act(EndTurn())

    def file_and_build(self, card: int) -> None:
        """File a card, pick marbles for as many turns as it takes, and build it out of the archive."""
        target = CARDS[card]
        self.color = lambda kind: self._wish(card) if kind == "draw" else self._picked
        self._picked: Color | None = None
        self.act(File(card))
        self.take_points()
        self._draw_if_useful(card)
        self.end_turn()
        while not (ways := self._ways(card)):
            color = self._wish(card)
            if self.player.room <= 0 or color is None:
                raise IllegalActionError(f"{target.id} can't be paid: the ring holds {self.player.ring}")
            self._picked = color
            self.act(Pick(color))
            self.end_turn()
        self.act(min(ways, key=lambda each: (sum(each.spend), each)))
        self.take_points()
        self.end_turn()

    def _draw_if_useful(self, card: int) -> None:
        turn = self.position.turn
        if turn.acted and self.player.marbles < CARDS[card].cost:
            for gizmo in turn.triggered:
                if CARDS[gizmo].effect == "draw" and Draw(gizmo) in legal_actions(self.position):
                    self.act(Draw(gizmo))

    def _wish(self, card: int) -> Color | None:
        """A colour to pick for a card: one in the row."""
        colors = CARDS[card].colors
        inside = [color for color in colors if self.position.row[color]] or list(COLORS)
        return max(inside, key=lambda color: self.position.row[color], default=None)

    def _ways(self, card: int) -> list[Build]:
        return [
            action
            for action in legal_actions(self.position)
            if isinstance(action, Build) and action.card == card and action.source == "archive"
        ]


def play_builds(cards: Iterable[int]) -> Solitaire:
    """A whole game in which these cards are built out of the archive, one after another.

    >>> game = play_builds((133, 233))
    >>> game.player.built, game.player.tokens
    ((133, 233, 901), 0)

    Raises IllegalActionError if one of them can't be paid.
    """
    order = tuple(cards)
    game = Solitaire(order)
    for card in order:
        game.file_and_build(card)
    return game


def named_cards(names: Iterable[str]) -> tuple[int, ...]:
    """Card numbers for the names of an order (`solver.combos.final_score`), upgrades that hold marbles first.

    >>> named_cards(("308", "II blue", "II blue"))
    (308, 202, 206)
    """
    taken: list[int] = []
    numbers = list(names)
    for name in numbers:
        if name.isdigit():
            taken.append(int(name))
            continue
        numeral, _, color = name.partition(" ")
        level = numeral.count("I")
        fitting = (
            card.id
            for card in CARDS.values()
            if card.level == level and card.color_name == color and card.points == (3 if level == 2 else card.points)
        )
        scoring = {int(each) for each in numbers if each.isdigit()}
        taken.append(next(card for card in fitting if card not in taken and card not in scoring and _silent(card)))
    return tuple(taken)


def _silent(card: int) -> bool:
    return CARDS[card].effect != "points"


def replayed(start: Position, moves: Iterable[Move]) -> Position:
    """The position after moves, each checked by the engine."""
    for move in moves:
        start = reveal(start, move) if isinstance(move, Reveal) else apply(start, move)
    return start
