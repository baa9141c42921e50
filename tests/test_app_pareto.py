"""`gizmos advise --pareto`: what points, marbles and gizmos can be traded for, as a table and as JSON."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command import ctrl_c_in_search, gizmos, without_effort

from app.given import read_given
from engine import apply, parse_action, parse_line, read_line, write_line
from engine.playout import replay
from solver import solve, which
from solver.samples import engine_rich

EXAMPLES = ("chain", "gamble", "midturn", "start")
"""Those that the search in Python is quick at."""
GOLDEN = Path(__file__).parent / "data/golden/advise-gamble-pareto.txt"


def test_the_table_reads_as_it_did() -> None:
    """To accept a change: GIZMOS_GOLDEN=1 pytest tests/test_app_pareto.py, and read the difference."""
    out = without_effort(gizmos("advise", "gamble", "--pareto").out)
    if os.environ.get("GIZMOS_GOLDEN"):
        GOLDEN.write_text(out, encoding="utf-8")
    assert out == GOLDEN.read_text(encoding="utf-8")


def test_the_official_chain_shows_three_points_or_five_marbles() -> None:
    run = gizmos("advise", "chain", "--pareto", "--luck", "worst")
    assert run.code == 0
    assert "+3 3 1 build 208 from archive with YY via 217 0 5 0 pick Y Each row is certain" in run.words


def test_a_turn_that_is_best_in_all_three_is_said_to_be() -> None:
    run = gizmos("advise", "late", "--pareto")
    assert "+4 6 1 build 220 from archive with Y via 217 or 1 other" in run.words
    assert "Nothing has to be given up for anything else." in run.words


@pytest.mark.parametrize("luck", ["worst", "average", "best"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_json_holds_what_the_solver_says(name: str, luck: str) -> None:
    pareto = gizmos("advise", name, "--pareto", "--luck", luck, "--json").data["pareto"]
    expected = solve(read_given(name).position, luck=luck, pareto=True).pareto  # type: ignore[arg-type]
    assert expected is not None
    assert (pareto["status"], pareto["proved"]) == ("proved", True)
    assert [(each["points"], each["marbles"], each["gizmos"]) for each in pareto["trades"]] == [
        (each.points, each.marbles, each.gizmos) for each in expected.trades
    ]
    assert pareto["upper"] == [max(each[what] for each in pareto["trades"]) for what in ("points", "marbles", "gizmos")]
    assert pareto["stats"].keys() == {"states", "seconds", "solver", "fallback", "counters"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_line_of_the_set_replays(name: str) -> None:
    answer = gizmos("advise", name, "--pareto", "--json").data
    start = read_line(answer["position"])
    for trade in answer["pareto"]["trades"]:
        line = trade["line"]
        assert line["first"] == trade["firsts"][0]
        assert line["value"] == [trade["points"], trade["marbles"], trade["gizmos"]]
        assert replay(start, parse_line(start, line["text"])) == read_line(line["steps"][-1]["position"])


@pytest.mark.skipif(which() != "kernel", reason="installed without a compiler")
@pytest.mark.parametrize("luck", ["worst", "average", "best"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_compiled_search_and_the_one_in_python_show_the_same(name: str, luck: str) -> None:
    asked = ["advise", name, "--pareto", "--luck", luck, "--json"]
    fast, slow = (gizmos(*asked, "--solver", solver).data["pareto"] for solver in ("kernel", "reference"))
    for mine, right in zip(fast["trades"], slow["trades"], strict=True):
        for what in ("points", "marbles", "gizmos"):
            assert mine[what] == pytest.approx(right[what], abs=1e-9)
        assert mine["firsts"] == right["firsts"]
        assert mine["line"]["text"] == right["line"]["text"]


def test_without_the_option_there_is_no_set() -> None:
    assert gizmos("advise", "chain", "--json").data["pareto"] is None
    assert "marbles left" not in gizmos("advise", "chain").out


def test_a_set_cut_short_says_so_and_what_is_the_most() -> None:
    position = write_line(engine_rich(14))
    run = gizmos("advise", position, "--pareto", "--time-limit", "0.2")
    assert run.code == 0
    assert "so rows may be missing. No plan brings more than" in run.words
    pareto = gizmos("advise", position, "--pareto", "--time-limit", "0.2", "--json").data["pareto"]
    assert (pareto["status"], pareto["proved"], len(pareto["upper"])) == ("time", False, 3)


@pytest.mark.skipif(which() != "kernel", reason="takes for ever in Python")
def test_an_interruption_shows_the_rows_found_so_far() -> None:
    """The best turn of this position is found at once, while the set takes some seconds."""
    with ctrl_c_in_search(0.5):
        run = gizmos("advise", write_line(engine_rich(1)), "--pareto", "--json")
    assert run.code == 0
    assert run.data["status"] == "proved"
    assert run.data["pareto"]["status"] == "interrupted"
    assert run.data["pareto"]["trades"]


def test_where_nature_moves_first_the_rows_have_no_first_step() -> None:
    position = read_given("chain").position
    owed = write_line(apply(position, parse_action(position, "research II")))
    trades = gizmos("advise", owed, "--pareto", "--json").data["pareto"]["trades"]
    assert trades
    assert all(each["firsts"] == [] and each["line"] is None for each in trades)
    assert gizmos("advise", owed, "--pareto").code == 0


def test_bad_input_is_still_bad_input() -> None:
    assert gizmos("advise", "-", "--pareto", stdin="nonsense").code == 2
