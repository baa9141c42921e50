"""`gizmos review` answers as text, as JSON and as one page that needs nothing else."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from command import gizmos
from msgspec.structs import replace
from records import records

from app.commands import review as command
from app.words import languages
from engine.position import Player
from engine.record import Record, save_record

CHAIN = records()["g1009_2p_chain"]
VOID = {"meta", "link", "br", "img", "hr", "input"}


@pytest.fixture(name="game")
def _game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "game.jsonl"
    save_record(replace(CHAIN, moves=CHAIN.moves[:120]), file)
    return file


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects ids, links and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [str(given["id"])] if "id" in given else []
        self.links += [str(given[key]) for key in ("href", "src") if key in given]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Closed already."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_text_sums_up_players_and_names_the_turns_that_lost(game: Path) -> None:
    run = gizmos("review", str(game))
    assert run.code == 0
    assert "Player 1: place" in run.words
    assert "left on the table" in run.words
    assert "Turning points" in run.words
    assert "turn 34, Player 2 mistake" in run.words
    assert "better build 232 with YY (refill 201); 130: pick U" in run.words
    assert all(len(line) <= 80 for line in run.out.splitlines())


def test_json_is_versioned_and_complete(game: Path) -> None:
    data: Any = gizmos("review", str(game), "--json").data
    assert data["format"] == "gizmos-review/1"
    assert [turn["number"] for turn in data["turns"]] == list(range(1, len(data["turns"]) + 1))
    assert {turn["status"] for turn in data["turns"]} == {"judged"}
    only = gizmos("review", str(game), "--json", "--player", "2").data
    assert only["turns"] == [turn for turn in data["turns"] if turn["seat"] == 2]


@pytest.mark.parametrize("language", languages())
def test_the_page_needs_nothing_else(game: Path, tmp_path: Path, language: str) -> None:
    file = tmp_path / "review.html"
    run = gizmos("review", str(game), "--html", str(file), "--lang", language)
    assert run.code == 0
    assert str(file) in run.err
    text = file.read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    assert {f"turn-{number}" for number in range(1, 38)} <= set(page.ids)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_names_can_not_break_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    wicked = tuple(replace(player, name="<b>&'\"") for player in CHAIN.start.players)
    record = Record(replace(CHAIN.start, players=wicked), CHAIN.moves[:40], title="</title><script>")
    save_record(record, tmp_path / "game.jsonl")
    assert gizmos("review", str(tmp_path / "game.jsonl"), "--html", str(tmp_path / "page.html")).code == 0
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert Page(text).open == []
    assert "<b>&" not in text
    assert "</title><script>" not in text


def test_an_interrupted_review_says_how_it_goes_on(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "review_game", interrupted)
    run = gizmos("review", str(game))
    assert run.code == 130
    assert "the same command goes on from there" in run.err


def test_judged_turns_are_remembered_until_asked_again(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = gizmos("review", str(game), "--json")
    monkeypatch.setattr("solver.review.run.judge_turn", None)
    assert gizmos("review", str(game), "--json").out == first.out
    with pytest.raises(TypeError):
        gizmos("review", str(game), "--again", "--jobs", "1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.jsonl"], "nothing.jsonl: No such file"),
        (["{game}", "--player", "5"], "player 5: expected 1 to 2"),
        (["{empty}"], "empty.jsonl: the record is empty"),
        (["{start}"], "there is no turn to review"),
        (["{game}", "--html", "/nothing/page.html"], "/nothing/page.html: can't be written"),
    ],
)
def test_bad_input_is_explained(game: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    save_record(Record(replace(CHAIN.start, players=(Player(), Player()))), tmp_path / "start.jsonl")
    names = {"game": game, "empty": tmp_path / "empty.jsonl", "start": tmp_path / "start.jsonl"}
    run = gizmos("review", *(argument.format(**names) for argument in arguments))
    assert run.code == 2
    assert message in " ".join(run.err.split())
