"""A review judges every decision by what was known then; luck, choice and claims add up to what happened."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from recorded import positions
from records import records

from engine.actions import Build, EndTurn, Pick, Points, Reveal
from engine.bga.game import read_game
from engine.bga.page import find_data
from engine.errors import UnreadableError
from engine.line import read_line
from engine.marbles import Color, count
from engine.notation import parse_line
from engine.position import Deck, Player, Position
from engine.record import Record, play_recorded
from engine.reveals import reveal
from engine.rules import apply
from engine.setup import new_game
from solver.objective import Objective
from solver.reference import Reference, Stopped
from solver.review.envelope import POINTS, RATES, Gain, Rate, Search
from solver.review.judge import BANDS, MARKS, ParetoJudge, mark_of, pareto_judge
from solver.review.model import Review, Turn
from solver.review.run import cache_file, review_game
from solver.review.summary import MOST_MOMENTS, moments
from solver.review.turns import Played, judge_turn, turns_of

CHAIN = records()["g1009_2p_chain"]
GAME = Path(__file__).parent / "data" / "bga" / "games" / "g1009_2p_chain.json"


@pytest.fixture(scope="module", name="review")
def _review() -> Review:
    return review_game(CHAIN)


def asked_often(times: int) -> Callable[[], bool]:
    """True once asked so many times: a limit that does not depend on the clock."""
    left = iter(range(times))
    return lambda: next(left, None) is None


def one_turn(position: Position, *moves: object) -> Turn:
    record = Record(position, tuple(moves))  # type: ignore[arg-type]
    return judge_turn(next(turns_of(record)), pareto_judge)


class AtRate(Objective, frozen=True):
    """What the reference is asked for: points, marbles and gizmos together at one rate."""

    rate: Rate = RATES[0]

    def at_end(self, start: Player, end: Player) -> tuple[Fraction, ...]:
        gained = (end.score - start.score, end.marbles - start.marbles, len(end.built) - len(start.built))
        return (Fraction(self.rate.worth(Gain(*gained))),)


def test_values_at_every_rate_are_those_of_the_reference() -> None:
    compared = 0
    for index, position in enumerate(list(positions())[::251]):
        number = index % len(RATES)
        rate = RATES[number]
        if position.is_over:
            continue
        reference = Reference(AtRate(rate=rate), "average", position.player, position.to_move, asked_often(30_000))
        try:
            exact = reference.value(position)[0]
        except Stopped:
            continue
        compared += 1
        found = Search().value(position)[number]
        assert rate.worth(found) == pytest.approx(float(exact), abs=1e-9)
    assert compared > 15


def test_luck_and_choice_add_up_to_what_happened(review: Review) -> None:
    for turn in review.turns:
        assert turn.status == "judged"
        assert turn.expected + turn.luck - turn.passed_up == pytest.approx(turn.gained, abs=1e-4)


def test_no_turn_loses_more_at_the_kindest_rate_than_in_points(review: Review) -> None:
    for turn in review.turns:
        assert 0 <= turn.lost <= turn.passed_up + 1e-6
        assert turn.lost == pytest.approx(sum(each.lost or 0 for each in turn.decisions), abs=1e-5)


def test_every_better_line_replays_to_its_claimed_value(review: Review) -> None:
    better = [turn.better for turn in review.turns if turn.better is not None]
    assert len(better) > 10
    for line in better:
        position = read_line(line.position)
        seat, before = position.to_move, position.player.score
        for move in parse_line(position, line.text):
            position = reveal(position, move) if isinstance(move, Reveal) else apply(position, move)
        assert position.to_move != seat or not position.turn.acted
        assert position.players[seat].score - before == line.gained


def test_players_are_summed_up(review: Review) -> None:
    for player in review.players:
        turns = [turn for turn in review.turns if turn.seat == player.seat]
        assert player.turns == len(turns) == sum(player.marks.values())
        assert player.lost == pytest.approx(sum(turn.lost for turn in turns), abs=1e-4)
        assert player.score == CHAIN.final.players[player.seat - 1].score
        used = {gizmo for turn in turns for gizmo in turn.used}
        assert not used & set(player.unused)
    assert [player.place for player in review.players] == [1, 2]
    assert review.scores[0] == (0, 0)
    assert review.scores[-1] == tuple(player.score for player in CHAIN.final.players)


def test_turning_points_are_the_turns_that_mattered_most(review: Review) -> None:
    assert 0 < len(review.moments) <= MOST_MOMENTS
    least = min(abs(moment.points) for moment in review.moments)
    told = {moment.number for moment in review.moments}
    assert all(turn.lost <= least for turn in review.turns if turn.number not in told)
    assert moments([]) == ()


def test_only_what_the_player_knew_counts() -> None:
    for played in turns_of(CHAIN):
        for position in played.positions:
            assert all(deck.top == () for deck in position.decks)
    put_back = [played for played in turns_of(CHAIN) if any(deck.bottom for deck in played.positions[0].decks)]
    owners = {played.seat: played.positions[0].decks for played in put_back}
    assert len(owners) == 2
    bottoms = [{card for deck in decks for card in deck.bottom} for decks in owners.values()]
    assert not bottoms[0] & bottoms[1]


def test_what_came_later_changes_no_judgement(review: Review) -> None:
    half = next(each.first for each in turns_of(CHAIN) if each.number == 31)
    again = review_game(replace(CHAIN, moves=CHAIN.moves[:half]))
    assert again.turns == review.turns[:30]
    assert not again.finished


@pytest.mark.parametrize(
    ("lost", "mark"), [(0.0, "best"), *((below, mark) for (_, below), mark in zip(BANDS, MARKS[1:], strict=True))]
)
def test_marks_change_at_their_bounds(lost: float, mark: str) -> None:
    assert mark_of(lost) == mark
    assert MARKS.index(mark_of(max(0.0, lost - 0.001))) <= MARKS.index(mark_of(lost))


def test_points_left_lying_are_lost() -> None:
    start = Position(
        (Player(ring=count("Y"), built=(133, 135, 901)), Player(built=(902,))),
        display=((104,), (), ()),
    )
    assert one_turn(start, Build(104, spend=count("Y")), Points(135)).mark == "best"
    left = one_turn(start, Build(104, spend=count("Y")), EndTurn())
    assert (left.lost, left.mark) == (1.0, "inaccuracy")
    assert left.better is not None
    assert (left.better.instead_of, left.better.text, left.better.gained) == ("end turn", "135: points", 1)


def test_saving_up_is_as_good_as_building_while_a_marble_may_be_worth_a_point() -> None:
    start = Position(
        (Player(ring=count("Y"), built=(901,)), Player(built=(902,))),
        row=count("YYYYYY"),
        display=((104,), (), ()),
        decks=(Deck(0), Deck(0), Deck(0)),
    )
    saved = one_turn(start, Pick(Color.YELLOW), Reveal("row", 0))
    assert (saved.lost, saved.passed_up, saved.mark) == (0.0, 1.0, "best")
    assert {(gain.points, gain.marbles, gain.gizmos) for gain in saved.front} == {(1.0, -1.0, 1.0), (0.0, 1.0, 0.0)}


def test_in_the_last_round_only_points_count() -> None:
    last = Position(
        (
            Player(ring=count("Y"), built=(901,)),
            Player(built=(902, 301, 302, 303, 304)),
        ),
        row=count("YYYYYY"),
        display=((104,), (), ()),
        decks=(Deck(0), Deck(0), Deck(0)),
        first_player=1,
    )
    saved = one_turn(last, Pick(Color.YELLOW), Reveal("row", 0))
    assert (saved.lost, saved.passed_up, saved.mark) == (1.0, 1.0, "inaccuracy")
    assert len(saved.front) == 1


def test_a_choice_among_unseen_cards_counts_as_the_best() -> None:
    record, _ = read_game(find_data(GAME.read_text(encoding="utf-8")))
    every = review_game(record).turns
    for turn in every:
        assert turn.expected + turn.luck - turn.passed_up == pytest.approx(turn.gained, abs=1e-4)
    turns = every[:4]
    assert [turn.unseen for turn in turns] == [False, True, True, True]
    chosen = [each for turn in turns for each in turn.decisions if each.lost is None]
    assert [each.action for each in chosen] == ["file 223 from research", "file 312 from research", "pass"]


def test_a_turn_that_takes_too_long_is_judged_in_part_or_not_at_all() -> None:
    played = list(turns_of(CHAIN))[40]

    def only_cheap(start: Position, stop: Callable[[], bool], cheap: bool) -> ParetoJudge:
        return pareto_judge(start, stop if cheap else lambda: True, cheap)

    assert judge_turn(played, only_cheap).status == "partly"
    skipped = judge_turn(played, lambda start, _, cheap: pareto_judge(start, lambda: True, cheap))
    assert (skipped.status, skipped.mark, skipped.better) == ("not judged", None, None)
    assert skipped.gained == 1


def test_turns_in_parallel_are_judged_alike(review: Review) -> None:
    assert review_game(CHAIN, jobs=2) == review


def test_one_player_alone_can_be_reviewed(review: Review) -> None:
    alone = review_game(CHAIN, player=2)
    assert alone.turns == tuple(turn for turn in review.turns if turn.seat == 2)
    assert [player.seat for player in alone.players] == [2]
    with pytest.raises(UnreadableError, match="player 3: expected 1 to 2"):
        review_game(CHAIN, player=3)
    with pytest.raises(UnreadableError, match="no turn to review"):
        review_game(Record(new_game(2)))


def test_an_interrupted_review_goes_on_where_it_was(tmp_path: Path, review: Review) -> None:
    cache = cache_file(CHAIN, tmp_path)
    asked: list[Position] = []

    def tiring(start: Position, stop: Callable[[], bool], cheap: bool) -> ParetoJudge:
        asked.append(start)
        if len(asked) == 11:
            raise KeyboardInterrupt
        return pareto_judge(start, stop, cheap)

    with pytest.raises(KeyboardInterrupt):
        review_game(CHAIN, cache=cache, make=tiring)
    with cache.open("ab") as file:
        file.write(b'{"key": "cut off')
    progress: list[tuple[int, int]] = []
    assert review_game(CHAIN, cache=cache, make=tiring, progress=lambda *told: progress.append(told)) == review
    assert progress[0] == (10, 52)
    assert progress[-1] == (52, 52)
    assert len(asked) == 11 + 42
    assert review_game(CHAIN, cache=cache, make=tiring) == review
    assert len(asked) == 11 + 42


def test_turns_given_too_little_time_are_judged_again_with_more(tmp_path: Path) -> None:
    cache = tmp_path / "cache.jsonl"
    asked: list[Played] = []

    def hurried(start: Position, _: Callable[[], bool], cheap: bool) -> ParetoJudge:
        return pareto_judge(start, lambda: True, cheap)

    def counting(start: Position, stop: Callable[[], bool], cheap: bool) -> ParetoJudge:
        asked.append(next(turns_of(CHAIN)))
        return pareto_judge(start, stop, cheap)

    short = replace(CHAIN, moves=CHAIN.moves[:20])
    assert {turn.status for turn in review_game(short, cache=cache, make=hurried, time_limit=1).turns} == {"not judged"}
    assert {turn.status for turn in review_game(short, cache=cache, make=counting, time_limit=1).turns} == {
        "not judged"
    }
    assert not asked
    assert {turn.status for turn in review_game(short, cache=cache, make=counting, time_limit=60).turns} == {"judged"}
    assert asked


def test_a_cache_that_can_not_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    short = replace(CHAIN, moves=CHAIN.moves[:4])
    assert review_game(short, cache=tmp_path / "file" / "cache.jsonl").turns


def test_a_review_reads_back_as_it_was_written(review: Review) -> None:
    assert msgspec.json.decode(msgspec.json.encode(review), type=Review) == review


def test_the_first_rate_counts_points_alone() -> None:
    assert (RATES[POINTS].marble, RATES[POINTS].gizmo) == (0.0, 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", records())
def test_every_recorded_game_adds_up(name: str) -> None:
    record = records()[name]
    for turn in review_game(record, jobs=2, time_limit=20).turns:
        if turn.status == "judged" and turn.exact:
            assert turn.expected + turn.luck - turn.passed_up == pytest.approx(turn.gained, abs=1e-4)
        if turn.better is not None:
            position = read_line(turn.better.position)
            before = position.player.score
            for move in parse_line(position, turn.better.text):
                position = play_recorded(position, move)
            assert position.players[turn.seat - 1].score - before == turn.better.gained
