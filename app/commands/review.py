"""`gizmos review`: every turn of a game compared with the best that could be known then."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.board_text import Glyphs
from app.console import answers, print_json, remarks, show_parts
from app.exits import INTERRUPTED
from app.options import AsJson, Language
from app.review_html import review_page
from app.review_text import review_parts
from app.words import Words, words_for
from engine.errors import GizmosError
from engine.record import Record, load_record, save_text
from solver.review.run import cache_file, review_game

EXAMPLES = {
    "review": (
        "gizmos review game.jsonl",
        "gizmos review game.jsonl --player 2 --html review.html",
        "gizmos review game.jsonl --json > review.json",
    )
}


def review(
    game: Annotated[Path, typer.Argument(metavar="GAME", show_default=False, help="A game record (docs/bga.md).")],
    *,
    player: Annotated[
        int | None, typer.Option(metavar="SEAT", help="Only the turns of this seat, from 1.", show_default=False)
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with a graph and boards.", show_default=False)
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many turns at a time; all cores if left out.")
    ] = None,
    time_limit: Annotated[float, typer.Option(min=0.001, metavar="SECONDS", help="For each turn.")] = 60.0,
    again: Annotated[bool, typer.Option("--again", help="Judge anew what was judged before.")] = False,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Compare every turn of a game with the best.

    What counts is what could be known at each decision. Judged turns are remembered: an interrupted review goes on from
    there.
    """
    words = words_for(language)
    record = _loaded(game)
    cache = cache_file(record, _cache_folder())
    if again:
        cache.unlink(missing_ok=True)
    try:
        with _progress(words) as told:
            found = review_game(
                record,
                player=player,
                jobs=jobs or os.cpu_count() or 1,
                time_limit=time_limit,
                cache=cache,
                progress=told,
            )
    except KeyboardInterrupt as interrupt:
        typer.echo(words("review.interrupted"), err=True)
        raise typer.Exit(INTERRUPTED) from interrupt
    if html is not None:
        save_text(review_page(words, record, found), html)
    if as_json:
        print_json(found)
        return
    show_parts(*review_parts(words, Glyphs(answers()), found, record))
    if html is not None:
        typer.echo(words("review.written", file=html), err=True)


def _loaded(game: Path) -> Record:
    try:
        return load_record(game)
    except GizmosError as error:
        prefix = "" if error.faults[0].startswith(str(game)) else f"{game}: "
        raise type(error)([prefix + fault for fault in error.faults]) from error


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "gizmos" / "reviews"


@contextmanager
def _progress(words: Words) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, if that is a terminal."""
    console = remarks()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(words("review.progress"), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
