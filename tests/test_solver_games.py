"""The kernel plays the engine's game: the same legal actions in the same order, the same reveals, the same ends."""

from __future__ import annotations

import doctest
import signal
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from recorded import games, positions

from engine.actions import Action, Reveal
from engine.cards import CARDS, DECK_CARDS, REMOVED_LEVEL_3
from engine.marbles import count
from engine.position import Awaited, Deck, Player, Position, Research, Turn
from engine.reveals import reveal
from engine.rules import apply, legal_actions
from engine.setup import new_game, ranking
from engine.validation import check
from solver import games as games_module
from solver.compiled import kernel
from solver.games import Generator, Policy, action_from, greedy_action, moves, playout, playouts
from solver.packed import pack
from solver.perft import perft

needs_kernel = pytest.mark.skipif(kernel is None, reason="installed without a compiler")
POLICIES: tuple[Policy, ...] = ("random", "greedy")


def kernel_legal(position: Position) -> tuple[Action, ...]:
    assert kernel is not None
    return tuple(action_from(packed) for packed in kernel.games_legal(pack(position)))


def assert_same_game(position: Position, seed: int, player: Policy) -> None:
    by_kernel, last = moves(position, seed, player)
    by_engine, engine_last = moves(position, seed, player, use_kernel=False)
    for number, (ours, theirs) in enumerate(zip(by_kernel, by_engine, strict=False)):
        assert ours == theirs, f"move {number}"
    assert len(by_kernel) == len(by_engine)
    assert last == engine_last


@needs_kernel
@pytest.mark.parametrize("player", POLICIES)
@pytest.mark.parametrize("preview", [0, 1])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_kernel_and_engine_play_the_same_games(players: int, preview: int, player: Policy) -> None:
    for seed in range(8):
        assert_same_game(new_game(players, seed, preview), 1000 * seed + players, player)


@needs_kernel
@pytest.mark.slow
@pytest.mark.parametrize("player", POLICIES)
@pytest.mark.parametrize("preview", [0, 1])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_kernel_and_engine_play_many_same_games(players: int, preview: int, player: Policy) -> None:
    for seed in range(300):
        assert_same_game(new_game(players, seed, preview), seed, player)


@st.composite
def rich_positions(draw: st.DrawFn) -> Position:
    """Starts of turns with large engines: many converters, discounts, awards and negators; decks partly known."""
    seats = draw(st.integers(1, 4))
    in_game = draw(st.permutations(DECK_CARDS[3]))[:-REMOVED_LEVEL_3]
    cards = draw(st.permutations((*DECK_CARDS[1], *DECK_CARDS[2], *in_game)))
    supply = draw(st.permutations("RUKY" * 13))
    players = []
    for seat in range(seats):
        built = (901 + seat, *(cards.pop() for _ in range(draw(st.integers(0, 14)))))
        player = Player(built=tuple(sorted(built)), tokens=draw(st.integers(0, 30)))
        board = player.dashboard
        ring = "".join(supply.pop() for _ in range(draw(st.integers(0, min(board.ring_limit, 11)))))
        archive = tuple(sorted(cards.pop() for _ in range(draw(st.integers(0, board.archive_limit)))))
        players.append(Player("", count(ring), player.built, archive, player.tokens))
    display = tuple(tuple(sorted(_taken(cards, level, draw(st.integers(0, 5 - level))))) for level in (1, 2, 3))
    decks = tuple(_deck(draw, cards, level) for level in (1, 2, 3))
    return check(
        Position(
            players=tuple(players),
            to_move=draw(st.integers(0, seats - 1)),
            first_player=draw(st.integers(0, seats - 1)),
            row=count("".join(supply.pop() for _ in range(min(len(supply), draw(st.integers(0, 6)))))),
            preview=draw(st.integers(0, 1)),
            display=display,
            decks=decks,
        )
    )


def _taken(cards: list[int], level: int, number: int) -> Iterator[int]:
    for card in [card for card in cards if CARDS[card].level == level][:number]:
        cards.remove(card)
        yield card


def _deck(draw: st.DrawFn, cards: list[int], level: int) -> Deck:
    top = tuple(_taken(cards, level, draw(st.integers(0, 3))))
    bottom = tuple(_taken(cards, level, draw(st.integers(0, 3))))
    unknown = draw(st.integers(0, sum(1 for card in cards if CARDS[card].level == level)))
    return Deck(len(top) + len(bottom) + unknown, top, bottom)


def assert_same_from_here(position: Position, seed: int, player: Policy) -> None:
    assert kernel is not None
    assert kernel.games_repacked(pack(position)) == pack(position)
    assert kernel_legal(position) == legal_actions(position)
    assert moves(position, seed, player, limit=40) == moves(position, seed, player, limit=40, use_kernel=False)


@needs_kernel
@settings(max_examples=60, deadline=None)
@given(rich_positions(), st.integers(0, 2**64 - 1), st.sampled_from(POLICIES))
def test_kernel_and_engine_play_on_alike_from_rich_positions(position: Position, seed: int, player: Policy) -> None:
    assert_same_from_here(position, seed, player)


@needs_kernel
@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(rich_positions(), st.integers(0, 2**64 - 1), st.sampled_from(POLICIES))
def test_kernel_and_engine_play_on_alike_from_many_rich_positions(
    position: Position, seed: int, player: Policy
) -> None:
    assert_same_from_here(position, seed, player)


@needs_kernel
def test_legal_actions_are_equal_in_every_recorded_position() -> None:
    seen = 0
    for position in positions():
        assert kernel_legal(position) == legal_actions(position)
        seen += 1
    assert seen > 1000


@needs_kernel
def test_games_go_on_alike_from_recorded_positions() -> None:
    for game in games():
        for step in game.steps[::100]:
            assert_same_game(step.position, len(game.steps), "random")


def test_the_generator_is_splitmix64() -> None:
    # The published test vector for seed 1234567, upper halves.
    generator = Generator(1234567)
    drawn = [generator.below(2**32) for _ in range(3)]
    assert drawn == [6457827717110365317 >> 32, 3203168211198807973 >> 32, 9817491932198370423 >> 32]


def test_a_generator_draws_below_its_limit() -> None:
    generator = Generator(5)
    assert {generator.below(3) for _ in range(200)} == {0, 1, 2}


def test_results_tell_scores_and_ranking_of_the_last_position() -> None:
    start = new_game(3, 2)
    result = playout(start, 11)
    position = start
    for played in moves(start, 11)[0]:
        position = reveal(position, played.move) if isinstance(played.move, Reveal) else apply(position, played.move)
    assert position.is_over
    assert result.finished
    assert result.scores == tuple(player.score for player in position.players)
    assert [standing.seat for standing in ranking(position)] == sorted(range(3), key=result.places.__getitem__)


def test_a_playout_stops_at_its_limit_and_says_so() -> None:
    result = playout(new_game(2), 3, limit=7)
    assert (result.decisions, result.finished) == (7, False)


def test_players_who_can_only_pass_are_stopped() -> None:
    result = playout(Position((Player(), Player())), 1, limit=50)
    assert result.decisions == 50
    assert result.choices == 0
    assert not result.finished


def test_a_missing_kernel_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "kernel", None)
    games_module._say_once.cache_clear()
    with pytest.warns(RuntimeWarning, match="no compiled kernel"):
        slow = playouts(new_game(2), [7], limit=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert playouts(new_game(2), [7], limit=20) == slow
    monkeypatch.undo()
    assert playouts(new_game(2), [7], limit=20) == slow


def test_columns_hold_one_game_a_row() -> None:
    results = playouts(new_game(2), [7, 8], limit=30)
    for row, seed in enumerate((7, 8)):
        single = playout(new_game(2), seed, limit=30)
        assert tuple(results.scores[row, seat] for seat in range(2)) == single.scores
        assert results.decisions[row] == single.decisions
    assert playouts(new_game(2), []).decisions.tolist() == []


@needs_kernel
@pytest.mark.parametrize("seed", range(20))
def test_games_go_on_alike_after_a_research_of_which_not_all_cards_are_known(seed: int) -> None:
    start = new_game(2, 4)
    seen, *bottom = start.unseen(2)[:3]
    decks = (start.decks[0], Deck(30, (), tuple(bottom)), start.decks[2])
    research = Turn(acted=True, research=Research(2, (seen,), 2))
    position = check(replace(start, decks=decks, turn=research))
    assert_same_game(position, seed, "random")


def test_owed_reveals_are_made_first() -> None:
    start = new_game(2, 4)
    turn = Turn(acted=True, awaited=(Awaited("refill", 1), Awaited("refill", 1), Awaited("row")))
    position = replace(start, turn=turn)
    assert [played.options for played in moves(position, 3, limit=1)[0]][:3] == [0, 0, 0]
    if kernel is not None:
        assert_same_game(position, 3, "random")


def test_greedy_prefers_points_then_marbles_then_the_first() -> None:
    position = Position((Player(ring=count("KK"), archive=(101, 201)),), row=count("RY"))
    chosen = greedy_action(position, legal_actions(position))
    assert chosen == next(action for action in legal_actions(position) if getattr(action, "card", 0) == 101)
    without = Position((Player(ring=count("UU"), archive=(101, 201)),), row=count("RY"))
    assert greedy_action(without, legal_actions(without)) == legal_actions(without)[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"player": "clever"}, "'clever' is no player"), ({"limit": 0}, "a limit of 0 decisions")],
)
def test_unknown_players_and_empty_limits_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        playout(new_game(2), 1, **arguments)


@needs_kernel
@pytest.mark.parametrize("packed", [b"", b"\x02", pack(new_game(2))[:-1], pack(new_game(2)) + b"\x00", b"\x09" * 80])
def test_bytes_that_are_no_position_are_refused(packed: bytes) -> None:
    assert kernel is not None
    with pytest.raises(ValueError, match="packed position"):
        kernel.games_legal(packed)


@needs_kernel
def test_prices_beyond_the_packed_form_are_refused() -> None:
    assert kernel is not None
    with pytest.raises(ValueError, match="prices up to 15"):
        kernel.payments(1, 0, 16, (13, 13, 13, 13), [])


@needs_kernel
def test_threads_play_at_once_and_alike() -> None:
    start = new_game(2, 5)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: playouts(start, range(100)).scores.tolist(), range(8)))
    assert all(each == found[0] for each in found)


@needs_kernel
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers that interrupt")
@pytest.mark.parametrize("work", [lambda: playouts(new_game(4), range(10**5)), lambda: perft(new_game(4), 9)])
def test_a_signal_ends_long_work_within_a_moment(work: Callable[[], object]) -> None:
    def interrupt(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(TimeoutError):
            work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_examples_of_the_documentation_run() -> None:
    page = Path(__file__).resolve().parent.parent / "docs/playouts.md"
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted >= 3
    assert results.failed == 0
