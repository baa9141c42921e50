"""A collection is varied: all difficulties, rare themes first, few puzzles out of one game."""

from pathlib import Path
from typing import Any

from puzzles.selecting import select, write_collection


def table(number: int, difficulty: int = 1, themes: tuple[str, ...] = ("a",), luck: str = "worst") -> dict[str, Any]:
    provenance = {"game": number // 3}
    return {
        "id": f"t{number:03}",
        "difficulty": difficulty,
        "themes": themes,
        "luck": luck,
        "provenance": provenance,
        "answer": {"proof": {"by": ["kernel"]}},
    }


def test_rare_themes_come_first() -> None:
    mined = [table(3 * n) for n in range(10)] + [table(100, themes=("b",)), table(200, themes=("a", "c"))]
    assert {each["id"] for each in select(mined, 3)} >= {"t100", "t200"}


def test_at_most_so_many_of_each_difficulty_and_two_of_a_game() -> None:
    mined = [table(n, difficulty=1 + n % 5) for n in range(60)]
    chosen = select(mined, 6)
    for step in range(1, 6):
        assert sum(each["difficulty"] == step for each in chosen) <= 6
    games = [each["provenance"]["game"] for each in chosen]
    assert max(map(games.count, games)) == 2


def test_gambles_are_few() -> None:
    mined = [table(3 * n, luck="average") for n in range(30)] + [table(3 * n) for n in range(30, 40)]
    chosen = select(mined, 30)
    assert sum(each["luck"] == "average" for each in chosen) == 10
    assert len(chosen) == 20


def test_the_choice_does_not_depend_on_chance_and_is_written_by_difficulty(tmp_path: Path) -> None:
    mined = [table(n, difficulty=1 + n % 2) for n in range(20)]
    assert select(mined, 4) == select(mined, 4)
    assert write_collection(select(mined, 4), tmp_path) == {1: 4, 2: 4, 3: 0, 4: 0, 5: 0}
    assert len((tmp_path / "mined-2.jsonl").read_text(encoding="utf-8").splitlines()) == 4
