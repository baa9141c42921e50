"""`gizmos advise`: the answer is right, says how sure it is, and reads well."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest
from command import ctrl_c_in_search, gizmos, without_effort

from app.examples import example_names, example_text
from app.given import read_given
from engine import apply, parse_action, parse_line, read_line, write_line
from engine.playout import replay
from solver import solve, which
from solver.samples import engine_rich

GOLDEN = Path(__file__).parent / "data/golden"
ROOT = Path(__file__).resolve().parent.parent
HARD = """
format = "gizmos-position/1"
energy_row = "RUYYKU"
[display]
I = [102, 116, 120, 136]
II = [206, 218, 232]
III = [310, 317]
[[players]]
ring = "RYYK"
built = [901, 113, 129, 133, 106, 204, 208, 217, 227, 309, 319, 325]
archive = [220]
[[players]]
ring = "UUK"
"""

HARDER = (
    "gizmos1/111/RRUKYY.Y/a15222934b233135c0825/15,15,7/-/RRRUUUKKKY.a071828b0103101316262930c111926s01.a"
    "24c20.11/UY.a112021b182836s02..8/RYY.a0312141632b1222c35s03.c13.4/KKKYY.a0608093033b09111933c29s04.b"
    "27.6"
)
"""A turn with two effects that research: with several terms the compiled search needs seconds, too."""


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("advise-chain", ["chain"]),
        ("advise-late", ["late"]),
        ("advise-gamble-plan", ["gamble", "--plan"]),
        ("advise-midturn-worst", ["midturn", "--luck", "worst", "--top", "5"]),
        ("advise-missed-goal", ["chain", "--objective", "goal: card 318 built"]),
    ],
)
def test_the_answer_reads_as_it_did(name: str, arguments: list[str]) -> None:
    """To accept a change: GIZMOS_GOLDEN=1 pytest tests/test_app_advise.py, and read the difference."""
    out = without_effort(gizmos("advise", *arguments).out)
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("GIZMOS_GOLDEN"):
        golden.write_text(out, encoding="utf-8")
    assert out == golden.read_text(encoding="utf-8")


def test_the_official_chain_brings_three_points_with_three_gizmos() -> None:
    answer = gizmos("advise", "chain", "--json").data
    assert (answer["value"], answer["proved"], answer["lower"], answer["upper"]) == (3, True, 3, 3)
    best = answer["lines"][0]
    assert best["first"] == "build 208 from archive with YY via 217"
    assert [link["gizmo"] for link in best["chain"]] == [217, 227, 113]
    assert [link["cause"] for link in best["chain"]] == [0, 0, 1]


@pytest.mark.parametrize("name", example_names())
def test_json_says_what_the_solver_says(name: str) -> None:
    answer = gizmos("advise", name, "--json", "--plan").data
    solution = solve(read_given(name).position, with_plan=True)
    assert answer["format"] == "gizmos-answer/1"
    assert (answer["objective"], answer["luck"], answer["status"]) == ("score", "average", "proved")
    assert [answer["value"]] == list(solution.value)
    assert len(answer["lines"]) == len(solution.lines)
    assert len(answer["ties"]) == len(solution.ties)
    assert answer["plan"]["value"] == pytest.approx(answer["value"])
    assert answer["stats"].keys() == {"states", "seconds", "solver", "fallback", "counters"}


@pytest.mark.parametrize("name", example_names())
def test_every_line_of_the_json_replays(name: str) -> None:
    answer = gizmos("advise", name, "--json").data
    start = read_line(answer["position"])
    for line in answer["lines"]:
        position = start
        for step in line["steps"]:
            text = step["action"] + (f" ({' '.join(step['reveals'])})" if step["reveals"] else "")
            position = replay(position, parse_line(position, text))
            assert position == read_line(step["position"])
        assert replay(start, parse_line(start, line["text"])) == position


@pytest.mark.skipif(which() != "kernel", reason="installed without a compiler")
@pytest.mark.parametrize("objective", ["score", "score,marbles", "activations", "goal: ring holds 3 yellow"])
@pytest.mark.parametrize("name", example_names())
def test_the_compiled_search_and_the_one_in_python_say_the_same(name: str, objective: str) -> None:
    fast, slow = (
        without_effort(gizmos("advise", name, "--objective", objective, "--plan", "--solver", solver).out)
        for solver in ("kernel", "reference")
    )
    assert fast == slow


def test_what_the_compiled_search_has_no_room_for_is_said() -> None:
    goals = ",".join(f"goal: marbles >= {least}" for least in range(1, 7))
    run = gizmos("advise", "chain", "--objective", goals, "--solver", "kernel")
    assert run.code == 2
    assert "expected auto or reference" in run.err
    assert gizmos("advise", "chain", "--objective", goals).code == 0


@pytest.mark.skipif(which() != "kernel", reason="installed without a compiler")
def test_that_the_search_in_python_stood_in_is_said() -> None:
    goals = ",".join(f"goal: marbles >= {least}" for least in range(1, 7))
    why = "6 terms, the kernel has room for 4"
    assert (
        f"The compiled search has no room for this question ({why})"
        in gizmos("advise", "chain", "--objective", goals).words
    )
    stats = gizmos("advise", "chain", "--objective", goals, "--json").data["stats"]
    assert (stats["solver"], stats["fallback"]) == ("reference", why)
    assert gizmos("advise", "chain", "--json").data["stats"]["fallback"] is None
    assert gizmos("advise", "chain", "--solver", "reference", "--json").data["stats"]["fallback"] is None


@pytest.mark.parametrize("name", example_names())
def test_the_answer_does_not_depend_on_the_number_of_threads(name: str) -> None:
    one, four = (
        without_effort(gizmos("advise", name, "--objective", "score,marbles", "--top", "9", "--threads", threads).out)
        for threads in ("1", "4")
    )
    assert one == four


def test_there_is_no_search_by_less_than_one_thread() -> None:
    assert gizmos("advise", "chain", "--threads", "0").code == 2


def test_reveals_that_are_as_good_are_said_to_be() -> None:
    """The likeliest is to miss the goal, by any colour but yellow; at best yellow is drawn, unlike any other."""
    goal = ["advise", "turn17", "--objective", "goal: ring holds 3 yellow", "--luck"]
    assert "if it is black, or what is as good (72.5 %)" in gizmos(*goal, "average").words
    assert re.search(r"if it is yellow \([\d.]+ %\)", gizmos(*goal, "best").words)


def test_an_objective_of_several_terms_has_values_of_several_numbers() -> None:
    answer = gizmos("advise", "chain", "--objective", "score,marbles", "--json").data
    assert answer["value"] == answer["lines"][0]["value"] == [3, 3]


def test_top_1_and_top_5_name_the_same_best_turn_and_the_same_ties() -> None:
    one, five = (gizmos("advise", "turn17", "--top", top, "--json").data for top in ("1", "5"))
    assert len(one["lines"]) == 1
    assert len(five["lines"]) == 5
    assert one["lines"][0] == five["lines"][0]
    assert one["ties"] == five["ties"]


def test_ties_are_said() -> None:
    answer = gizmos("advise", "turn17", "--top", "1")
    assert "Just as good to begin with: build 117 with K" in answer.out
    assert gizmos("advise", "turn17", "--json").data["ties"] == ["build 113 with K", "build 117 with K"]


def _shuffled(name: str) -> str:
    document = tomllib.loads(example_text(name))
    document["energy_row"] = document["energy_row"][::-1]
    document["display"] = {level: cards[::-1] for level, cards in reversed(document.get("display", {}).items())}
    for player in document["players"]:
        player["ring"] = player.get("ring", "")[::-1]
        player["built"] = player.get("built", [901])[::-1]
    return json.dumps(document)


@pytest.mark.parametrize("name", ["turn17", "chain", "gamble", "late"])
def test_the_order_in_which_things_are_written_down_changes_nothing(name: str) -> None:
    answer, other = gizmos("advise", name, "--json").data, gizmos("advise", "-", "--json", stdin=_shuffled(name)).data
    for each in (answer, other):
        del each["stats"]
    assert answer == other


def test_what_is_luck_is_said() -> None:
    words = gizmos("advise", "gamble").words
    assert "Best turn: +3.28 points on average" in words
    assert "Proved: no turn is worth more on average." in words
    assert "Luck decides in step 1 (4 of 30 cards are seen)." in words


@pytest.mark.parametrize(
    ("luck", "says"),
    [
        ("worst", "Proved: no turn guarantees more. This one needs no luck."),
        ("best", "Proved: no turn can be worth more, however lucky."),
    ],
)
def test_how_luck_counts_is_said(luck: str, says: str) -> None:
    assert says in gizmos("advise", "gamble", "--luck", luck).words


@pytest.mark.parametrize("luck", ["worst", "average", "best"])
def test_a_goal_that_cannot_be_reached_is_the_answer_no(luck: str) -> None:
    run = gizmos("advise", "chain", "--objective", "goal: card 318 built", "--luck", luck)
    assert run.code == 1
    assert "card 318 built" in run.out


def test_a_goal_that_can_be_reached_is_an_answer() -> None:
    run = gizmos("advise", "chain", "--objective", "goal: card 204 built", "--luck", "average")
    assert run.code == 0
    assert "Best turn: reached with 9.1 % (card 204 built)\n" in run.out
    assert gizmos("advise", "chain", "--objective", "goal: card 204 built", "--luck", "worst").code == 1
    assert gizmos("advise", "chain", "--objective", "goal: card 204 built", "--luck", "best").code == 0


@pytest.mark.parametrize("position", [HARD, HARDER], ids=["hard", "harder"])
def test_a_search_cut_short_says_what_is_proved(position: str) -> None:
    options = ["--solver", "reference"] if position == HARD else []
    run = gizmos("advise", "-", "--time-limit", "0", *options, stdin=position)
    assert run.code == 0
    assert "Not proved: stopped after" in run.words
    assert "The best line found so far. Nothing proves that there is no better one:" in run.words
    assert re.search(r"Best turn found: \+\d+ points? on average or more", run.words)
    answer = gizmos("advise", "-", "--time-limit", "0", "--json", *options, stdin=position).data
    best = answer["lines"][0]
    assert best["steps"]
    assert best["value"] == best["lower"] == answer["lower"] < best["upper"]
    assert not best["proved"]
    assert not answer["proved"]
    assert answer["status"] == "time"
    assert answer["lower"] < answer["upper"]


def test_the_time_limit_is_kept() -> None:
    start = process_time()
    gizmos("advise", "-", "--time-limit", "0.2", stdin=HARD)
    assert process_time() - start < 10


def test_a_game_that_is_over_has_no_best_turn() -> None:
    built = "901, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115"
    run = gizmos(
        "advise", "-", stdin=f'format = "gizmos-position/1"\n[[players]]\nbuilt = [{built}]\n[[players]]\nring = ""\n'
    )
    assert run.code == 2
    assert "the game is over" in run.err


def test_a_position_in_which_nature_moves_first_is_valued() -> None:
    position = read_given("chain").position
    owed = apply(position, parse_action(position, "research II"))
    run = gizmos("advise", write_line(owed), "--json")
    assert run.code == 0
    assert run.data["lines"] == []
    assert run.data["value"] == pytest.approx(1.7657624633431086)
    assert "research II is to be revealed" in gizmos("advise", write_line(owed)).words


def test_a_long_plan_is_cut_on_the_screen_but_not_in_the_json() -> None:
    text = gizmos("advise", "gamble", "--plan").out
    assert len(text.splitlines()) < 200
    assert "cases more" in text

    branches = gizmos("advise", "gamble", "--plan", "--json").data["plan"]["branches"]
    assert sum(branch["probability"] for branch in branches) == pytest.approx(1)


def test_a_cold_start_answers_at_once() -> None:
    """Processor time, so that other work on the machine does not count."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "app", "advise", "chain"], cwd=ROOT, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 1


@pytest.mark.parametrize(("solver", "position"), [("auto", HARDER), ("reference", HARD)])
def test_an_interruption_shows_what_was_found(solver: str, position: str) -> None:
    """Long enough for each solver, but not for ever."""
    asked = ["--objective", "score,marbles,activations", "--time-limit", "60", "--solver", solver]
    with ctrl_c_in_search(0.5):
        run = gizmos("advise", "-", *asked, "--json", stdin=position)
    assert run.data["status"] == "interrupted"
    assert run.data["lower"] < run.data["upper"]
    assert run.data["lines"][0]["steps"]
    assert run.code == 0


@pytest.mark.slow
def test_a_terminal_shows_how_far_a_long_search_has_come() -> None:
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "app", "advise", write_line(engine_rich(14)), "--time-limit", "3"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=terminal, env=environment) as run:
        os.close(terminal)
        seen = b""
        with suppress(OSError):  # the terminal is gone with the program
            while part := os.read(screen, 4096):
                seen += part
    os.close(screen)
    assert run.returncode == 0
    assert re.search(r"\d+ of \d+ first steps valued, [\d,]+ positions: \S+ points? or more", seen.decode())
