"""Whole games played to the end by simple players, the same game for the same seed with and without a kernel.

A playout draws its numbers from one SplitMix64 generator, started with the seed: `below(n)` for each reveal, n the
total weight of its outcomes (marbles of a colour; 1 for a card), and for each decision of a `random` player, n the
number of legal actions. The outcome or action is the one that holds the number drawn, in the engine's order.

A `greedy` player takes the action that brings most at once: points, then marbles, then doing anything at all rather
than to skip, pass or end the turn; the first of these in the order of the legal actions. Points are counted as
`Player.score` counts them, so that extra awards stand at their present worth. It draws no number.
"""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from engine.actions import (
    Action,
    Build,
    Draw,
    EndTurn,
    File,
    Move,
    Pass,
    Pick,
    Points,
    ResearchDeck,
    Reveal,
    Skip,
    Source,
)
from engine.cards import CARDS
from engine.marbles import COLORS, subtract
from engine.position import Position, with_card
from engine.reveals import reveal_unchecked, settle, weighted_reveals
from engine.rules import apply_unchecked, legal_actions
from engine.setup import ranking
from solver.compiled import kernel
from solver.packed import KINDS, pack

Policy: TypeAlias = Literal["random", "greedy"]
POLICIES: Final[tuple[Policy, ...]] = ("random", "greedy")

LIMIT: Final = 10_000
"""After so many decisions a playout stops: players who can only pass would play for ever."""

_SOURCES: Final[tuple[Source, ...]] = ("display", "archive", "research")
_KINDS: Final = ("pick", "file", "build", "research", "draw", "points", "skip", "pass", "end turn")
"""The kernel's kinds of actions, in its order."""

_MASK: Final = (1 << 64) - 1


class Generator:
    """SplitMix64 (Steele, Lea and Flood 2014), a small generator that is the same in every language.

    >>> generator = Generator(0)
    >>> [generator.below(100) for _ in range(5)]
    [88, 43, 2, 97, 10]
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        """Start from a seed; only its lowest 64 bits count."""
        self._state = seed & _MASK

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1, each as likely as any other to within `limit` / 2^32."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        bits = self._state
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & _MASK
        bits ^= bits >> 31
        return (bits >> 32) * limit >> 32


class Result(msgspec.Struct, frozen=True):
    """How a playout ended, by seat: scores, and places in the ranking, which count from 1.

    `decisions` were made in all, `choices` of them between at least two actions. `finished` is false if the playout was
    stopped at its limit; the scores are then those of that moment.
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    decisions: int
    choices: int
    finished: bool


class Results(msgspec.Struct, frozen=True):
    """How many playouts ended, as columns: see `Result`.

    `scores` and `places` have a row for each game and a column for each seat. All are memory views of 32-bit integers;
    `numpy.asarray` takes them as they are, `tolist` makes lists.
    """

    scores: memoryview
    places: memoryview
    decisions: memoryview
    choices: memoryview
    finished: memoryview


class Played(msgspec.Struct, frozen=True):
    """One move of a playout; `options` is how many actions were legal, 0 at a reveal."""

    move: Move
    options: int


def playout(position: Position, seed: int, player: Policy = "random", *, limit: int = LIMIT) -> Result:
    """Play one game from a position to its end, all seats by the same kind of player.

    >>> from engine.setup import new_game
    >>> result = playout(new_game(2), seed=1)
    >>> result.finished, sorted(result.places)
    (True, [1, 2])

    Raises ValueError for a position that is none (`engine.check` says why), an unknown player or a limit below 1.
    """
    results = playouts(position, (seed,), player, limit=limit)
    seats = range(len(position.players))
    return Result(
        scores=tuple(results.scores[0, seat] for seat in seats),
        places=tuple(results.places[0, seat] for seat in seats),
        decisions=results.decisions[0],
        choices=results.choices[0],
        finished=bool(results.finished[0]),
    )


def playouts(position: Position, seeds: Iterable[int], player: Policy = "random", *, limit: int = LIMIT) -> Results:
    """Play a game for each seed, from the same position.

    The kernel lets other threads run meanwhile, and Ctrl-C ends it. Without a kernel the engine plays, much slower; the
    first call says so by a RuntimeWarning.

    >>> from engine.setup import new_game
    >>> results = playouts(new_game(3), range(2), limit=10)
    >>> results.scores.shape, results.decisions.tolist(), results.finished.tolist()
    ((2, 3), [10, 10], [0, 0])

    Raises what `playout` raises.
    """
    greedy = _checked(player, limit)
    numbers = [seed & _MASK for seed in seeds]
    if kernel is not None:
        columns = kernel.games_playouts(pack(position), numbers, greedy, limit)
    else:
        _say_once()
        columns = _columns([_Reference(position, seed, greedy=greedy, limit=limit).result() for seed in numbers])
    scores, places, *single = columns
    size = (len(numbers), len(position.players))
    decisions, choices, finished = (memoryview(column).cast("i") for column in single)
    return Results(_table(scores, *size), _table(places, *size), decisions, choices, finished)


def moves(
    position: Position, seed: int, player: Policy = "random", *, limit: int = LIMIT, use_kernel: bool = True
) -> tuple[tuple[Played, ...], bytes]:
    """Every move of the game that `playout` plays, and the last position packed; from the engine unless the kernel may.

    >>> from engine.setup import new_game
    >>> moves(new_game(), 1) == moves(new_game(), 1, use_kernel=False)
    True

    Raises what `playout` raises.
    """
    greedy = _checked(player, limit)
    if kernel is None or not use_kernel:
        game = _Reference(position, seed, greedy=greedy, limit=limit)
        played = tuple(game)
        return played, pack(game.position)
    found, last = kernel.games_traced_playout(pack(position), seed & _MASK, greedy, limit)
    return tuple(
        Played(reveal_from(move) if kind else action_from(move), options) for kind, move, options in found
    ), last


def greedy_action(position: Position, actions: tuple[Action, ...]) -> Action:
    """What a greedy player does; see the module.

    >>> from engine.setup import new_game
    >>> position = new_game(2, seed=4)
    >>> greedy_action(position, legal_actions(position))
    Pick(color=<Color.RED: 0>, gizmo=0)
    """
    return max(actions, key=lambda action: _worth(position, action))


def action_from(packed: tuple[int, int, int, int, tuple[int, int, int, int], list[int]]) -> Action:
    """The engine's action for the kernel's tuple: kind, colour or level or card, source, gizmo, spend, converters."""
    kind, value, source, gizmo, spend, converters = packed
    match _KINDS[kind]:
        case "pick":
            return Pick(COLORS[value], gizmo)
        case "file":
            return File(value, _SOURCES[source], gizmo)
        case "build":
            return Build(value, _SOURCES[source], spend, tuple(converters), gizmo)
        case "research":
            return ResearchDeck(value, gizmo)
        case "draw":
            return Draw(gizmo)
        case "points":
            return Points(gizmo)
        case "skip":
            return Skip()
        case "pass":
            return Pass()
        case "end turn":
            return EndTurn()


def reveal_from(packed: tuple[int, int]) -> Reveal:
    """The engine's reveal for the kernel's pair of kind and outcome."""
    kind, outcome = packed
    return Reveal(KINDS[kind], outcome)


class _Reference:
    """A playout by the engine, move by move."""

    def __init__(self, position: Position, seed: int, *, greedy: bool, limit: int) -> None:
        self.position = settle(position)
        self._generator = Generator(seed)
        self._greedy = greedy
        self._limit = limit
        self._decisions = 0
        self._choices = 0

    def __iter__(self) -> Iterator[Played]:
        while not self.position.is_over and self._decisions < self._limit:
            yield self._reveal() if self.position.is_chance else self._decide()

    def result(self) -> Result:
        for _ in self:
            pass
        standings = sorted(ranking(self.position), key=lambda standing: standing.seat)
        return Result(
            scores=tuple(standing.score for standing in standings),
            places=tuple(standing.place for standing in standings),
            decisions=self._decisions,
            choices=self._choices,
            finished=self.position.is_over,
        )

    def _reveal(self) -> Played:
        weighted = weighted_reveals(self.position)
        share = self._generator.below(sum(weight for _, weight in weighted))
        for outcome, weight in weighted:
            if share < weight:
                self.position = reveal_unchecked(self.position, outcome)
                return Played(outcome, 0)
            share -= weight
        raise AssertionError("a share of the total weight lies in one of the outcomes")

    def _decide(self) -> Played:
        actions = legal_actions(self.position)
        chosen = greedy_action(self.position, actions) if self._greedy else actions[self._generator.below(len(actions))]
        self._decisions += 1
        self._choices += len(actions) > 1
        self.position = apply_unchecked(self.position, chosen)
        return Played(chosen, len(actions))


def _worth(position: Position, action: Action) -> tuple[int, int, bool]:
    """What an action brings at once: points, marbles, and whether it does anything."""
    player = position.player
    board = player.dashboard
    match action:
        case Pick() | Draw():
            return board.points_per_energy, 1, True
        case Points():
            return CARDS[action.gizmo].amount * (1 + board.points_per_token), 0, True
        case Build():
            spent = sum(action.spend)
            after = msgspec.structs.replace(
                player, built=with_card(player.built, action.card), ring=subtract(player.ring, action.spend)
            )
            return after.score - player.score, -spent, True
        case File() | ResearchDeck():
            return 0, 0, True
        case Skip() | Pass() | EndTurn():
            return 0, 0, False


@lru_cache(maxsize=1)
def _say_once() -> None:
    warnings.warn(
        "this install has no compiled kernel: whole games are played by the readable rules, some hundred times slower",
        RuntimeWarning,
        stacklevel=3,
    )


def _checked(player: Policy, limit: int) -> bool:
    """True for a greedy player, False for a random one."""
    if player not in POLICIES:
        raise ValueError(f"{player!r} is no player: expected one of {', '.join(POLICIES)}")
    if limit < 1:
        raise ValueError(f"a limit of {limit} decisions: expected at least 1")
    return player == "greedy"


def _columns(results: list[Result]) -> tuple[bytes, ...]:
    """Columns of 32-bit integers, as the kernel gives them."""
    return tuple(
        array("i", column).tobytes()
        for column in (
            (score for result in results for score in result.scores),
            (place for result in results for place in result.places),
            (result.decisions for result in results),
            (result.choices for result in results),
            (result.finished for result in results),
        )
    )


def _table(column: bytes, rows: int, columns: int) -> memoryview:
    flat = memoryview(column)
    return flat.cast("i", (rows, columns)) if rows else flat.cast("i")
