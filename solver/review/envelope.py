"""Values of the positions of a turn at several rates of exchange between points, marbles and gizmos, in one search.

What a marble or a built gizmo is worth in points depends on the rest of the game, which this search does not see. So
each position is valued for every rate in `RATES`: the points, marbles and gizmos that the play which is best at this
rate brings on average. Together these are corners of the Pareto set of the three.

Points are exact, as in the reference. Marbles are averaged as if nobody looked at the colour of a drawn marble once
nothing can be paid for any more in the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from engine.actions import Action, Draw, File, Points, ResearchDeck
from engine.cards import CARDS
from engine.position import Deck, Position, Research, Turn
from engine.reveals import reveal_unchecked, weighted_reveals
from engine.rules import apply_unchecked, legal_actions
from solver.reach import Reach, reach
from solver.reference import Stopped, research_draw


class Gain(NamedTuple):
    """What a turn still brings on average."""

    points: float
    marbles: float
    gizmos: float


class Rate(NamedTuple):
    """How many points a marble in the ring and a built gizmo are worth."""

    marble: float
    gizmo: float

    def worth(self, gain: Gain) -> float:
        """A gain in points."""
        return gain[0] + self.marble * gain[1] + self.gizmo * gain[2]


MARBLE_RATES: Final = (0.0, 0.5, 1.0)
GIZMO_RATES: Final = (0.0, 1.0, 2.0)
RATES: Final = tuple(Rate(marble, gizmo) for marble in MARBLE_RATES for gizmo in GIZMO_RATES)
"""From points alone (the first) to a marble worth a point and a gizmo worth two beside its own points."""

POINTS: Final = 0
"""The index of the rate at which only points count."""

Envelope: TypeAlias = tuple[Gain, ...]
"""One gain for each rate: that of the best play at this rate."""

_NOTHING: Final[Envelope] = (Gain(0.0, 0.0, 0.0),) * len(RATES)
_TIE: Final = tuple(Rate(rate.marble + 1e-7, rate.gizmo + 1e-6) for rate in RATES)
"""Among plays of equal worth the one with more gizmos, then more marbles, is the best."""

_STATES_BETWEEN_CHECKS: Final = 64
_PLENTY: Final = 12
"""More cards than can be filed in one turn."""


class Search:
    """Values what is still to come in the turn of the player to move, remembering every position.

    `stop` is asked now and then and ends the search by raising Stopped when it returns True. `exact` becomes False if
    something was valued only nearly: that cards seen in a research lie at the bottom of their deck is not followed into
    later reveals of that deck in the same turn. `without_research` leaves out Research as the main action, the dearest
    one to value; then values are lower bounds.
    """

    def __init__(self, stop: Callable[[], bool] = lambda: False, *, without_research: bool = False) -> None:
        self._stop = stop
        self._without_research = without_research
        self._known: dict[_Key, Envelope] = {}
        self._reached: dict[tuple[Turn, tuple[int, ...]], Reach] = {}
        self.exact = True

    @property
    def states(self) -> int:
        """How many positions have been valued."""
        return len(self._known)

    def action(self, position: Position, action: Action) -> Envelope:
        """What an action and the best play after it bring."""
        after = apply_unchecked(position, action)
        return _plus(_gained(position, after, position.to_move), self.after(after, position.to_move))

    def after(self, position: Position, seat: int) -> Envelope:
        """What is still to come after a move of `seat`: nothing if that ended the turn."""
        if position.to_move != seat or not position.turn.acted:
            return _NOTHING
        return self.value(position)

    def value(self, position: Position) -> Envelope:
        """What is still to come in a turn; at the start of a turn, the whole of it."""
        following = self._reach(position)
        key = _key(position, following)
        known = self._known.get(key)
        if known is None:
            if len(self._known) % _STATES_BETWEEN_CHECKS == 0 and self._stop():
                raise Stopped("time")
            known = self._chance(position, following) if position.is_chance else self._decision(position, following)
            self._known[key] = known
        return known

    def _reach(self, position: Position) -> Reach:
        key = (position.turn, position.player.built)
        found = self._reached.get(key)
        if found is None:
            found = self._reached[key] = reach(position)
        return found

    def _decision(self, position: Position, following: Reach) -> Envelope:
        actions: Sequence[Action] = legal_actions(position)
        if self._without_research and not position.turn.acted:
            actions = [action for action in actions if not isinstance(action, ResearchDeck)] or actions
        sure = next((action for action in actions if _is_sure(position, action, following)), None)
        if sure is not None:
            return self.action(position, sure)
        if not _cards_matter(following):
            actions = _one_file(actions)
        return best_of([self.action(position, action) for action in actions])

    def _chance(self, position: Position, following: Reach) -> Envelope:
        kind = position.turn.awaited[0].kind
        if kind == "research":
            return self._research(position)
        reveals = weighted_reveals(position)
        if not _matters(kind, following):
            reveals = reveals[:1]
        seat = position.to_move
        outcomes: list[tuple[Envelope, int]] = []
        for each, weight in reveals:
            after = reveal_unchecked(position, each)
            outcomes.append((_plus(_gained(position, after, seat), self.after(after, seat)), weight))
        return _mean(outcomes)

    def _research(self, position: Position) -> Envelope:
        """Each card is worth what it is worth alone; the best of those drawn is kept (solver.reference)."""
        level = position.turn.awaited[0].level
        later = self._reach(position)
        if later.research > 1 or later.file + (later.free_build if level == 1 else 0) > 1:
            self.exact = False
        sure, drawn, _ = research_draw(position, level)
        seen = position.turn.research.seen if position.turn.research else ()
        floor = best_of([self.keep(_holding(position, card), card) for card in (0, *seen, *sure)])
        worths = self.research_worths(position)
        better = [best_of([worth, floor]) for worth in worths if worth is not floor]
        if not drawn or not better:
            return floor
        weights = _rank_weights(len(worths), drawn)
        return tuple(
            _expected_best([worth[rate] for worth in better], floor[rate], rate, weights) for rate in range(len(RATES))
        )

    def research_worths(self, position: Position) -> list[Envelope]:
        """What keeping each card brings that a research could draw, by ascending number."""
        _, _, pool = research_draw(position, position.turn.awaited[0].level)
        return [self.keep(_holding(position, card), card) for card in pool]

    def reveal_matters(self, position: Position) -> bool:
        """True if the outcome of the reveal owed next can still play a part in this turn."""
        kind = position.turn.awaited[0].kind
        return kind == "research" or _matters(kind, reach(position))

    def keep(self, position: Position, card: int) -> Envelope:
        """What keeping a card of a research brings in the best way; keeping none for card 0."""
        actions = legal_actions(position)
        keeping = [self.action(position, each) for each in actions if getattr(each, "card", 0) == card]
        return best_of(keeping or [self.action(position, actions[-1])])


def _is_sure(position: Position, action: Action, following: Reach) -> bool:
    """True if nothing is better than to do this at once.

    Points are free and spoil nothing. Nor does a draw, once colours play no part and the ring has room for every marble
    that can still come (a pick gives two at most, a draw three).
    """
    if isinstance(action, Points):
        return True
    if not isinstance(action, Draw) or following.paid_builds:
        return False
    return position.player.room >= 2 * following.pick + 3 * following.draw


def best_of(envelopes: list[Envelope]) -> Envelope:
    """The best of several plays at each rate."""
    if len(envelopes) == 1:
        return envelopes[0]
    return tuple(max((each[index] for each in envelopes), key=rate.worth) for index, rate in enumerate(_TIE))


def _expected_best(gains: list[Gain], floor: Gain, rate: int, weights: tuple[float, ...]) -> Gain:
    """The mean of the best card drawn: the i-th best has the i-th weight; all cards but these are worth `floor`."""
    ranked = sorted(gains, key=_TIE[rate].worth, reverse=True)
    points = marbles = gizmos = total = 0.0
    for gain, weight in zip(ranked, weights, strict=False):
        total += weight
        points += gain[0] * weight
        marbles += gain[1] * weight
        gizmos += gain[2] * weight
    rest = 1.0 - total if len(ranked) < len(weights) else 0.0
    return Gain(points + floor[0] * rest, marbles + floor[1] * rest, gizmos + floor[2] * rest)


@lru_cache(maxsize=1 << 10)
def _rank_weights(size: int, drawn: int) -> tuple[float, ...]:
    sets = comb(size, drawn)
    return tuple(comb(size - 1 - rank, drawn - 1) / sets for rank in range(size - drawn + 1))


def _holding(position: Position, card: int) -> Position:
    """The position after the research owed has shown this card (0: none) and others that are left unknown."""
    turn = position.turn
    level = turn.awaited[0].level
    owed = sum(1 for awaited in turn.awaited if awaited.kind == "research")
    seen = len(turn.research.seen) + turn.research.unknown if turn.research is not None else 0
    deck = position.deck(level)
    certain = owed - min(owed, deck.unknown)
    decks = list(position.decks)
    decks[level - 1] = Deck(deck.size - owed, (), deck.bottom[certain:])
    research = Research(level, (card,) if card else (), seen + owed - bool(card))
    later = tuple(awaited for awaited in turn.awaited if awaited.kind != "research")
    return replace(position, decks=tuple(decks), turn=replace(turn, research=research, awaited=later))


def _mean(outcomes: list[tuple[Envelope, int]]) -> Envelope:
    if len(outcomes) == 1:
        return outcomes[0][0]
    total = sum(weight for _, weight in outcomes)
    return tuple(
        Gain(*(sum(each[rate][what] * weight for each, weight in outcomes) / total for what in range(3)))
        for rate in range(len(RATES))
    )


def _gained(before: Position, after: Position, seat: int) -> Gain:
    then, now = before.players[seat], after.players[seat]
    return Gain(now.score - then.score, now.marbles - then.marbles, len(now.built) - len(then.built))


def _plus(gain: Gain, envelope: Envelope) -> Envelope:
    if not (gain[0] or gain[1] or gain[2]):
        return envelope
    return tuple(Gain(gain[0] + each[0], gain[1] + each[1], gain[2] + each[2]) for each in envelope)


def _cards_matter(following: Reach) -> bool:
    """True if it still matters which cards lie where: something can be built. What is only filed could be any card."""
    return following.paid_builds > 0 or following.free_build > 0


def _one_file(actions: Sequence[Action]) -> list[Action]:
    """The actions with only the first of each gizmo's files."""
    first: dict[int, Action] = {}
    for action in actions:
        if isinstance(action, File):
            first.setdefault(action.gizmo, action)
    return [action for action in actions if not isinstance(action, File) or first[action.gizmo] is action]


def _matters(kind: str, following: Reach) -> bool:
    """True if the outcome of a reveal can still play a part in this turn."""
    if kind == "refill":
        return _cards_matter(following)
    if kind == "draw":  # it triggers nothing, so its colour matters to payments alone
        return following.paid_builds > 0
    # Which marble goes into the row also says which ones draws can still find.
    return following.pick > 0 or (following.draw > 0 and following.paid_builds > 0)


_Key: TypeAlias = tuple[object, ...]


def _key(position: Position, following: Reach) -> _Key:
    """What a position is worth depends on this alone, within one turn.

    Gains count from here on, so what is won already plays no part but for what it does; nor does anything that no
    effect to come can touch. Gizmos that do the same are told apart only where cards still matter.
    """
    player, turn = position.player, position.turn
    board = player.dashboard
    armed = sorted(
        _SIGNATURES[gizmo]
        for gizmo in player.built
        if CARDS[gizmo].trigger and gizmo not in turn.used and gizmo not in turn.triggered
    )
    pending = turn.pending
    key: list[object] = [
        turn.acted,
        tuple(armed) if following.main or any(following[:5]) else (),
        tuple(sorted(_EFFECTS[gizmo] for gizmo in turn.triggered)),
        (_EFFECTS[pending.gizmo], pending.done) if pending is not None else None,
        turn.awaited,
        board.ring_limit,
        board.points_per_energy,
        board.points_per_token,
    ]
    if following.paid_builds:
        key += [tuple(gizmo for gizmo in board.converters if gizmo not in turn.used)]
    key += [player.ring if following.paid_builds else player.marbles]
    if following.paid_builds or following.pick:
        key += [position.row, position.next]
    if following.file and not _cards_matter(following):
        to_file = sum(map(len, position.display)) + sum(deck.size for deck in position.decks)
        key += [board.can_file, board.archive_limit - len(player.archive), min(to_file, _PLENTY)]
    if _cards_matter(following):
        key += [player.built, player.archive, player.tokens, position.display, position.decks, turn.research]
    return tuple(key)


_EFFECTS: Final = {card.id: (card.effect, card.amount) for card in CARDS.values()}
_SIGNATURES: Final = {card.id: (card.trigger, card.trigger_colors, card.effect, card.amount) for card in CARDS.values()}
