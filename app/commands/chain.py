"""`gizmos chain`: which gizmos feed which, and what an action can set off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from app.console import print_json, show_parts
from app.given import POSITION_HELP, read_given
from app.options import AsJson
from app.output import write_output
from app.pictures.chain import chain_svg
from app.pictures.graphs import dot, gizmo_words, mermaid
from engine.cards import CARDS
from engine.errors import InvalidPositionError, UnreadableError
from engine.notation import action_text
from solver import Line, solve
from solver.chain import Bottleneck, Engine, Report, engine_of, engine_of_position, report

EXAMPLES: Final = {
    "chain": (
        "gizmos chain chain",
        "gizmos chain chain --svg chain.svg",
        "gizmos chain --built 901,117,325,319,320,113",
    )
}

_SECONDS: Final = 10.0
"""How long the best line may be looked for."""


def chain(
    position: Annotated[
        str | None, typer.Argument(metavar="[POSITION]", show_default=False, help=POSITION_HELP)
    ] = None,
    *,
    built: Annotated[
        str | None, typer.Option(metavar="CARDS", help="Gizmos, in place of a position: 901,226,113.")
    ] = None,
    player: Annotated[int | None, typer.Option(min=1, help="Whose engine; the player to move if not given.")] = None,
    objective: Annotated[str, typer.Option(help="What the best line is best for.")] = "score,activations",
    line: Annotated[bool, typer.Option("--line/--no-line", help="Look for the best line and show it.")] = True,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture; - for standard output.")] = None,
    dot_file: Annotated[
        Path | None, typer.Option("--dot", metavar="FILE", help="Write the graph for Graphviz.")
    ] = None,
    as_mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Print the graph for Mermaid, and nothing else.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show which gizmos feed which, and what an action can set off.

    What an action sets off is an upper bound, for the gizmos now built: colours, room and luck may allow less. The best
    line is what the solver finds.
    """
    engine, title = _engine(position, built, player)
    found = report(engine)
    best = _best_line(engine, objective) if line else None
    if svg is not None:
        write_output(svg, chain_svg(engine, found, best, title))
    if dot_file is not None:
        write_output(dot_file, dot(engine, best))
    if as_mermaid:
        typer.echo(mermaid(engine, best), nl=False)
    elif as_json:
        print_json(_as_data(found, best))
    elif str(svg) != "-" and str(dot_file) != "-":
        show_parts(*_parts(found, best, title))


def parse_gizmos(text: str) -> tuple[int, ...]:
    """Read card numbers, separated by commas or blanks.

    >>> parse_gizmos("901, 226")
    (226, 901)

    Raises UnreadableError with one fault for each word that is no card, and for a card named twice.
    """
    faults: list[str] = []
    cards: list[int] = []
    for word in text.replace(",", " ").split():
        if not (word.isascii() and word.isdigit() and int(word) in CARDS):
            faults.append(f"{word!r} is no card: expected numbers such as 901, 226 (see gizmos cards)")
        elif int(word) in cards:
            faults.append(f"{word} is named twice, and there is one of each")
        else:
            cards.append(int(word))
    if faults or not cards:
        raise UnreadableError(faults or "no card is named: expected numbers such as 901,226")
    return tuple(sorted(cards))


def _engine(argument: str | None, built: str | None, player: int | None) -> tuple[Engine, str]:
    if (argument is None) == (built is None):
        raise UnreadableError("expected either a POSITION or --built CARDS")
    if argument is None:
        if player is not None:
            raise UnreadableError("--player needs a POSITION")
        return engine_of(parse_gizmos(built or "")), "Chain graph"
    given = read_given(argument)
    position = given.position
    if player is None or player == position.to_move + 1:
        return engine_of_position(position), given.title or "Chain graph"
    if player > len(position.players):
        raise InvalidPositionError(f"--player {player}: there are {len(position.players)} players")
    asked = msgspec.structs.replace(position, to_move=player - 1, turn=type(position.turn)())
    return engine_of_position(asked), f"Player {player}"


def _best_line(engine: Engine, objective: str) -> Line | None:
    position = engine.position
    if position is None or position.is_over or position.is_chance:
        return None
    solution = solve(position, objective=objective, top=1, time_limit=_SECONDS)
    return solution.best if solution.proved else None


def _parts(found: Report, best: Line | None, title: str) -> Iterator[RenderableType]:
    yield Text(title, "bold")
    yield Text()
    yield Text("What feeds what", "bold")
    yield _feeds(found)
    yield Text()
    yield Text("What an action sets off at most", "bold")
    yield _at_most(found)
    yield Text()
    for sentence in sentences(found):
        yield Text(sentence)
    if best is not None and best.steps:
        yield Text()
        yield Text("The best line as a chain", "bold")
        for words in line_words(best):
            yield Text(words)


def _feeds(found: Report) -> RenderableType:
    if not found.feeds:
        return Text("No gizmo triggers another.")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for gizmo in dict.fromkeys(feed.source for feed in found.feeds):
        mine = [feed for feed in found.feeds if feed.source == gizmo]
        alike: dict[tuple[str, ...], list[str]] = {}
        for feed in mine:
            needs = feed.conditions + (("luck",) if feed.luck else ())
            alike.setdefault(needs, []).append(str(feed.target))
        fed = "; ".join(
            ", ".join(dict.fromkeys(targets)) + (f" ({', '.join(needs)})" if needs else "")
            for needs, targets in alike.items()
        )
        table.add_row(gizmo_words(CARDS[gizmo]), f"feeds {fed}")
    return table


def _at_most(found: Report) -> RenderableType:
    if not found.at_most:
        return Text("No main action is possible.")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("action", no_wrap=True)
    for heading in ("gizmos", "points", "marbles"):
        table.add_column(heading, justify="right")
    table.add_column("which", ratio=1)
    for each in found.at_most:
        which = " ".join(map(str, each.used))
        table.add_row(each.action, str(each.gizmos), str(each.points), str(each.marbles), which)
    return table


def sentences(found: Report) -> Iterator[str]:
    """Dead gizmos, circles, longest chains and bottlenecks in words."""
    if found.dead:
        yield f"Nothing can trigger: {_listed(found.dead)}."
    if found.by_action_only:
        yield f"Only your main action triggers: {_listed(found.by_action_only)}."
    for circle in found.cycles:
        yield f"In a circle: {_listed(circle)} feed each other; each is used once a turn, so the circle ends there."
    longest = found.longest
    if longest.length > 1:
        path = " > ".join(map(str, longest.gizmos))
        exact = f"{path} ({longest.length} gizmos)" if longest.exact else f"at most {longest.length} gizmos (a bound)"
        yield f"Longest chain: {exact}."
    if found.heaviest.length and (found.heaviest.gizmos != longest.gizmos or not found.heaviest.exact):
        path = " > ".join(map(str, found.heaviest.gizmos)) or "at most"
        points = f"{found.heaviest.length} point{'s' if found.heaviest.length > 1 else ''}"
        yield f"Heaviest chain: {path} ({points}{'' if found.heaviest.exact else ', a bound'})."
    for each in found.bottlenecks:
        yield _bottleneck(each)


def _bottleneck(each: Bottleneck) -> str:
    if each.what == "gizmo":
        return f"Much hangs on {each.gizmo}: without it, {each.have} others are set off instead of {each.want}."
    what = "marbles" if each.what == "ring room" else "cards filed"
    return f"Bottleneck: {each.what} for {each.have}, while a chain can bring up to {each.want} {what}."


def line_words(line: Line) -> Iterator[str]:
    """A line as causes and effects, one step a line: `227 (set off by step 1): pick Y -> sets off 113`."""
    caused = {link.gizmo: link.cause for link in line.chain}
    for number, step in enumerate(line.steps, 1):
        action = action_text(step.action)
        sets_off = f"  -> sets off {_listed(step.triggered)}" if step.triggered else ""
        by = ""
        if step.by and caused.get(step.by, -1) >= 0:
            by = f"  (set off by step {caused[step.by] + 1})"
        yield f"{number}. {action}{by}{sets_off}"


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _as_data(found: Report, best: Line | None) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(found)
    data["line"] = (
        None
        if best is None
        else {
            "value": list(best.value),
            "proved": best.proved,
            "steps": [action_text(step.action) for step in best.steps],
            "chain": msgspec.to_builtins(best.chain),
        }
    )
    return data
