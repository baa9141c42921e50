"""Mining: what is kept, and that runs are the same however they are run."""

import json
from pathlib import Path

import pytest

from engine.errors import GizmosError
from puzzles.difficulty import difficulty, traits_of, weight
from puzzles.document import PuzzleDocument, checked
from puzzles.finding import find
from puzzles.mining import FILTERS, Settings, Yield, merge, mine_game, useful_gizmos
from puzzles.players import KINDS, lonely, turns
from puzzles.runs import mine, read_run
from puzzles.solving import solve_found
from puzzles.study import study
from puzzles.themes import themes_of

SETTINGS = Settings(seed=7, least_value=2, most_per_game=2)
GAMES = 4


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    mine(out, GAMES, SETTINGS)
    return out


def written(out: Path) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(out.glob("mined-*.jsonl"))}


def test_a_run_yields_puzzles_that_read_solve_and_are_what_they_say(run: Path) -> None:
    puzzles = [checked(PuzzleDocument.model_validate(table)) for table in read_run(run)]
    assert puzzles
    for found in find(str(run)):
        if found.name.partition(":")[0].endswith(".jsonl"):
            assert solve_found(found).verdict == "right"
    for puzzle in puzzles:
        seen = study(puzzle.position, puzzle.objective, puzzle.luck)
        assert seen.unique
        assert seen.greedy_fails
        assert puzzle.document.themes == themes_of(seen)
        assert puzzle.document.difficulty == difficulty(seen)
        assert puzzle.document.traits is not None
        assert puzzle.document.traits.model_dump() == vars(traits_of(seen))
        assert weight(seen) > 0


def test_two_jobs_give_the_same_puzzles_as_one(run: Path, tmp_path: Path) -> None:
    mine(tmp_path, GAMES, SETTINGS, jobs=2)
    assert written(tmp_path) == written(run)


def test_a_run_that_broke_off_goes_on_and_comes_to_the_same(run: Path, tmp_path: Path) -> None:
    mine(tmp_path, 2, SETTINGS)
    games: list[int] = []
    mine(tmp_path, GAMES, SETTINGS, resume=True, progress=lambda found: games.append(found.game))
    assert sorted(games) == [*range(GAMES)]
    assert written(tmp_path) == written(run)


def test_a_folder_that_holds_another_run_is_refused(run: Path) -> None:
    with pytest.raises(GizmosError, match="add --resume"):
        mine(run, GAMES, SETTINGS)
    with pytest.raises(GizmosError, match="other settings"):
        mine(run, GAMES, Settings(seed=8), resume=True)


def test_the_report_accounts_for_every_turn(run: Path) -> None:
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    fates = report["fates"]
    assert sum(fates.get(fate, 0) for fate in (*FILTERS, "kept")) == fates["turns"]
    assert fates["kept"] == report["puzzles"] == sum(report["by_difficulty"].values())


def test_a_puzzle_met_again_is_kept_once(run: Path) -> None:
    (first, *_) = read_run(run)
    again = [Yield(game, [first]) for game in (1, 0)]
    for each in again:
        each.fates.update(kept=1)
    puzzles, fates = merge(again)
    assert puzzles == [first]
    assert (fates["kept"], fates["duplicate"]) == (1, 1)


def test_a_game_depends_on_its_number_and_the_seed_only() -> None:
    first, second = mine_game(SETTINGS, 3), mine_game(SETTINGS, 3)
    assert (first.puzzles, first.fates) == (second.puzzles, second.fates)
    assert mine_game(Settings(seed=6, most_states=500), 3).fates != first.fates


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_player_plays_a_whole_game(kind: str) -> None:
    from random import Random  # noqa: PLC0415

    from engine.setup import new_game  # noqa: PLC0415

    positions = list(turns(new_game(2, 3), (kind, kind), Random(1)))  # type: ignore[arg-type]
    assert len(positions) > 20
    assert lonely(positions[-1]).players == (positions[-1].player,)
    assert useful_gizmos(positions[0]) == 1
