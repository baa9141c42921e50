"""`gizmos puzzles`: the collection, and how to add to it and share it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from app.board_text import Glyphs, board
from app.commands.play import play, shipped_index
from app.console import answers, print_json, remarks
from app.given import read_input
from app.options import AsJson, Language
from app.output import write_output
from app.pictures.board import board_svg
from app.puzzle_text import forum_block, markdown
from app.words import words_for
from engine.errors import GizmosError, UnreadableError
from engine.line import PREFIX, write_line
from puzzles.address import read_address, write_address
from puzzles.document import Puzzle, puzzle_data, puzzle_to_json, puzzle_to_toml
from puzzles.finding import Found, find
from puzzles.hints import hints, question
from puzzles.mining import FILTERS, Settings, Yield
from puzzles.parallel import Backend
from puzzles.progress import read_progress
from puzzles.runs import Report, mine, read_run
from puzzles.selecting import select, write_collection
from puzzles.solving import value_text

puzzles: Final = typer.Typer(
    name="puzzles", help="List, show, play, mine and share puzzles.", no_args_is_help=True, rich_markup_mode=None
)


PuzzleArgument = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="A file, the name of a shipped puzzle, or - for standard input.")
]


class Form(StrEnum):
    """The forms in which a puzzle can be shared."""

    markdown = "markdown"
    text = "text"
    address = "address"
    line = "line"
    toml = "toml"
    json = "json"


@puzzles.command("list", epilog="Example: gizmos puzzles list --difficulty 3 --theme free-build")
def list_command(
    *,
    difficulty: Annotated[int | None, typer.Option(min=1, max=5, help="Only this step.")] = None,
    theme: Annotated[str | None, typer.Option(help="Only this theme.")] = None,
    part: Annotated[str | None, typer.Option(help="Only this part: hand, mined.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the puzzles that come with the program."""
    rows = [
        row
        for row in shipped_index()
        if (difficulty is None or row["difficulty"] == difficulty)
        and (theme is None or theme in row["themes"])
        and (part is None or row["part"].split("-")[0] == part)
    ]
    if as_json:
        print_json({"format": "gizmos-puzzles/1", "puzzles": rows})
        return
    solved = read_progress().solved
    console = answers()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    table.add_column("puzzle", no_wrap=True)
    for heading in ("step", "objective", "luck"):
        table.add_column(heading)
    table.add_column("title", overflow="fold")
    for row in rows:
        mark = "*" if row["id"] in solved else ""
        table.add_row(mark, row["id"], str(row["difficulty"]), row["objective"], row["luck"], Text(row["title"]))
    console.print(table)
    console.print()
    console.print(f"{len(rows)} puzzles, {sum(row['id'] in solved for row in rows)} of them solved by you (*)")


@puzzles.command("show", epilog="Example: gizmos puzzles show three-listeners")
def show_command(
    puzzle: PuzzleArgument,
    *,
    answer: Annotated[bool, typer.Option("--answer", help="Tell the answer too.")] = False,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Show a puzzle, without its answer unless you ask for it."""
    asked = _one(puzzle)
    if as_json:
        data = puzzle_data(asked.document)
        hidden = () if answer else ("answer", "text", "hints", "traits")
        print_json({key: value for key, value in data.items() if key not in hidden})
        return
    words, console = words_for(language), answers()
    console.print(board(words, Glyphs(console), asked.position, asked.title))
    console.print()
    console.print(Text(question(asked), style="bold"))
    if asked.document.difficulty:
        console.print(f"Difficulty: {asked.document.difficulty} of 5")
    if answer:
        console.print()
        for part in _answer_texts(asked):
            console.print(Text(part))
    elif hints(asked):
        console.print("For hints and to try your moves: gizmos puzzles play", asked.id or puzzle)


@puzzles.command("export", epilog="Example: gizmos puzzles export three-listeners --to markdown --out post.md")
def export_command(
    puzzle: PuzzleArgument,
    *,
    to: Annotated[Form, typer.Option(help="The form to share it in.")] = Form.text,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write; - prints it.")] = Path("-"),
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the table into this .svg or .png file, and show it.")
    ] = None,
    base: Annotated[str, typer.Option(help="A web address to put in front, such as http://localhost:8000/.")] = "",
    answer: Annotated[bool, typer.Option("--answer", help="Let an address tell the answer too.")] = False,
    language: Language = None,
) -> None:
    """Share a puzzle: as Markdown with a picture, as a block for forums, as an address, or as a document."""
    asked = _one(puzzle)
    words = words_for(language)
    if picture is not None:
        _draw(picture, board_svg(asked.position, title=asked.title, words=words))
    shown = picture.name if picture is not None else ""
    texts = {
        Form.markdown: lambda: markdown(asked, words, shown, base),
        Form.text: lambda: forum_block(asked, words, base),
        Form.address: lambda: write_address(asked, base, answer=answer) + "\n",
        Form.line: lambda: write_line(asked.position) + "\n",
        Form.toml: lambda: puzzle_to_toml(asked.document),
        Form.json: lambda: puzzle_to_json(asked.document) + "\n",
    }
    write_output(out, texts[to]())


@puzzles.command("import", epilog="Example: gizmos puzzles import post.md --out puzzle.toml")
def import_command(
    source: Annotated[str, typer.Argument(metavar="TEXT", help="A file, an address, or - for standard input.")],
    *,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The .toml or .json file to write; - prints TOML.")] = Path(
        "-"
    ),
) -> None:
    """Read a shared puzzle back: out of Markdown, a forum post, an address or a position line."""
    text = source if PREFIX in source else read_input(source)
    asked = read_address(text) if PREFIX in text else find_in_text(text, source)
    in_json = out.suffix == ".json"
    write_output(out, puzzle_to_json(asked.document) + "\n" if in_json else puzzle_to_toml(asked.document))


puzzles.command("play", epilog="Example: gizmos puzzles play --difficulty 1")(play)


@puzzles.command("mine", epilog="Example: gizmos puzzles mine --games 40 --seed 7 --out my-run --jobs 2")
def mine_command(
    *,
    out: Annotated[Path, typer.Option(metavar="FOLDER", file_okay=False, help="Where the puzzles go.")],
    games: Annotated[int, typer.Option(min=1, help="How many games to play and look through.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal puzzles.")] = 1,
    jobs: Annotated[int, typer.Option(help="Processes that work at once; -1: one for each core.")] = 1,
    backend: Annotated[Backend, typer.Option(help="Where they run: on this machine, or on a Ray or Dask cluster.")] = (
        "loky"
    ),
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was broken off.")] = False,
    as_json: AsJson = False,
) -> None:
    """Mine puzzles out of games between programs.

    Every finished game is written down at once, so nothing finished is lost when a run is broken off. The puzzles
    depend on the seed and the number of games only, not on --jobs or --backend.
    """
    console = remarks()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("mining", total=games)
        kept = 0

        def tell(found: Yield) -> None:
            nonlocal kept
            kept += len(found.puzzles)
            progress.update(task, advance=1, description=f"mining ({kept} puzzles)")

        report = mine(out, games, Settings(seed=seed), jobs=jobs, backend=backend, resume=resume, progress=tell)
    if as_json:
        per_puzzle = report.seconds_per_puzzle if report.puzzles else None
        print_json({"format": "gizmos-mine/1", **asdict(report), "seconds_per_puzzle": per_puzzle})
    else:
        _show_report(report, out)


@puzzles.command("select", epilog="Example: gizmos puzzles select my-run --each 60 --out my-collection")
def select_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a mining run.")],
    *,
    out: Annotated[Path, typer.Option(metavar="FOLDER", file_okay=False, help="Where the collection goes.")],
    each: Annotated[int, typer.Option(min=1, help="At most so many puzzles of each difficulty.")] = 60,
) -> None:
    """Choose a varied collection out of the puzzles of a mining run."""
    counts = write_collection(select(read_run(run), each), out)
    answers().print(
        f"{sum(counts.values())} puzzles in {out}: {', '.join(f'{n} of step {s}' for s, n in counts.items())}"
    )


def _show_report(report: Report, out: Path) -> None:
    console = answers()
    console.print(f"{report.puzzles} puzzles out of {report.games} games, in {out}")
    if report.puzzles:
        steps = ", ".join(f"{number} of step {step}" for step, number in report.by_difficulty.items() if number)
        console.print(f"by difficulty: {steps}")
        console.print(f"{report.seconds_per_puzzle:.1f} processor seconds for each puzzle")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("what became of the turns")
    table.add_column("turns", justify="right")
    table.add_column("share", justify="right")
    for fate in (*FILTERS, "kept"):
        number = report.fates.get(fate, 0)
        table.add_row(fate, str(number), f"{100 * number / max(1, report.fates.get('turns', 0)):.1f} %")
    console.print()
    console.print(table)


def _one(wanted: str) -> Puzzle:
    if wanted.strip() == "-":
        return find_in_text(read_input("-"), "standard input")
    found = find(wanted)
    if len(found) > 1:
        raise GizmosError(f"{wanted!r}: {len(found)} puzzles, expected one")
    return found[0].read()


def find_in_text(text: str, source: str) -> Puzzle:
    """The puzzle of a document or an address; faults begin with `source`."""
    return Found(source, text).read()


def _answer_texts(puzzle: Puzzle) -> Iterator[str]:
    stored = puzzle.answer
    if stored is None:
        yield "No answer is stored: `gizmos solve` finds it."
        return
    yield f"Answer: {puzzle.objective} {value_text(stored.value)}"
    for line in stored.lines[:1]:
        for number, step in enumerate(line.split(";"), 1):
            yield f"{number:>2}. {step.strip()}"
    if puzzle.document.text:
        yield ""
        yield puzzle.document.text.strip()


def _draw(file: Path, svg: str) -> None:
    """Write a picture as SVG, or as PNG if the library for that is installed."""
    if file.suffix.lower() == ".svg":
        write_output(file, svg)
        return
    if file.suffix.lower() != ".png":
        raise UnreadableError(f"{file}: expected a name that ends in .svg or .png")
    try:
        from resvg_py import svg_to_bytes  # noqa: PLC0415
    except ImportError as error:
        raise UnreadableError(
            "PNG pictures need more: pip install 'gizmos-solver[png]'; or name an .svg file"
        ) from error
    file.write_bytes(bytes(svg_to_bytes(svg_string=svg)))
