"""`gizmos combos`: what an engine brings, what to add to it, and how great engines and games can get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

import msgspec
import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from app.commands.chain import parse_gizmos
from app.console import print_json, show_parts
from app.given import POSITION_HELP, read_given
from app.options import AsJson
from app.pictures.graphs import gizmo_words
from app.progress import waiting
from app.value_text import number_text
from engine.actions import Move
from engine.cards import CARDS
from engine.errors import UnreadableError
from engine.notation import line_text
from engine.position import Position
from solver.chain import engine_of, feeds
from solver.combos.design import Design, best_engine, design_objective
from solver.combos.fastest import fastest_plan, fewest_turns_bound, play_plan
from solver.combos.final_score import highest_final_score
from solver.combos.solitaire import named_cards, play_builds
from solver.combos.yields import Addition, Yield, additions, engine_yields, position_yields
from solver.objective import LUCKS, Luck

EXAMPLES: Final = {
    "combos": (
        "gizmos combos chain",
        "gizmos combos --built 901,113,227,118",
        "gizmos combos --built 901,113,227,118 --add",
        "gizmos combos --best 1",
        "gizmos combos --best 2 --objective marbles",
        "gizmos combos --fastest",
    )
}
_SHOWN: Final = 10
_UNITS: Final = {"score": "points", "activations": "gizmos used", "marbles": "marbles gained"}


def combos(
    position: Annotated[
        str | None, typer.Argument(metavar="[POSITION]", show_default=False, help=POSITION_HELP)
    ] = None,
    *,
    built: Annotated[
        str | None, typer.Option(metavar="CARDS", help="Gizmos, in place of a position: 901,226,113.")
    ] = None,
    add: Annotated[bool, typer.Option("--add", help="Which card would add the most to the engine.")] = False,
    best: Annotated[
        int | None,
        typer.Option(min=1, max=15, metavar="N", help="Design the greatest engine of N gizmos."),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(metavar="WHAT", show_default="score", help="What --best is to make: score, activations, marbles."),
    ] = None,
    fastest: Annotated[bool, typer.Option("--fastest", help="The fastest fourth card of level III.")] = False,
    highest: Annotated[
        bool, typer.Option("--highest-score", help="The highest final score, with perfect luck (half a minute).")
    ] = False,
    luck: Annotated[str, typer.Option(help="How reveals count: worst, average, best.")] = "average",
    time_limit: Annotated[float, typer.Option(min=1, help="Seconds for --best.")] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Show what an engine brings, what to add to it, and how great engines and games can get.

    Of a list of gizmos it is asked at a trial table: an empty ring, one marble of each colour in the row, full decks.
    """
    if luck not in LUCKS:
        raise UnreadableError(f"--luck {luck!r}: expected {', '.join(LUCKS)}")
    chosen = next(each for each in LUCKS if each == luck)
    wants = [best is not None, fastest, highest, position is not None or built is not None]
    if sum(wants) != 1:
        raise UnreadableError("expected one of: a POSITION, --built CARDS, --best N, --fastest, --highest-score")
    if objective is not None and best is None:
        raise UnreadableError("--objective goes with --best N")
    if best is not None:
        aim = design_objective(objective or "score")
        with waiting(f"Designing the greatest engine of {best}..."):
            design = best_engine(best, aim, time_limit=time_limit)
        _show_design(design, as_json=as_json)
    elif fastest:
        _show_fastest(as_json=as_json)
    elif highest:
        _show_highest(as_json=as_json)
    elif add:
        _show_additions(position, built, chosen, as_json=as_json)
    else:
        _show_yields(position, built, chosen, as_json=as_json)


def _given(position: str | None, built: str | None) -> Position | tuple[int, ...]:
    if position is not None and built is not None:
        raise UnreadableError("expected either a POSITION or --built CARDS")
    return read_given(position).position if position is not None else parse_gizmos(built or "")


def _show_yields(position: str | None, built: str | None, luck: Luck, *, as_json: bool) -> None:
    given = _given(position, built)
    with waiting("Trying all main actions..."):
        found = position_yields(given, luck) if isinstance(given, Position) else engine_yields(given, luck)
    if as_json:
        print_json([msgspec.to_builtins(each) for each in found])
        return
    heading = "ring at the end" if isinstance(given, Position) else "marbles"
    show_parts(Text(f"What each main action brings ({luck} luck; each number the best by itself)", "bold"))
    show_parts(_yield_table(found, heading))


def _yield_table(found: Iterable[Yield], marbles: str) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("action", no_wrap=True)
    for heading in (marbles, "points", "gizmos used"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for each in found:
        numbers = (number_text(number) for number in (each.marbles, each.points, each.gizmos))
        table.add_row(each.action, *numbers, "" if each.proved else "at least")
    return table


def _show_additions(position: str | None, built: str | None, luck: Luck, *, as_json: bool) -> None:
    given = _given(position, built)
    if isinstance(given, Position):
        gizmos = given.player.built
        candidates: Iterable[int] = (*given.player.archive, *(card for row in given.display for card in row))
    else:
        gizmos = given
        candidates = [card.id for card in CARDS.values() if card.level and card.id not in given]
    with waiting("Trying all cards..."):
        found = additions(gizmos, candidates, luck)
    if as_json:
        print_json([msgspec.to_builtins(each) for each in found])
        return
    show_parts(*_addition_parts(gizmos, found))


def _addition_parts(gizmos: tuple[int, ...], found: tuple[Addition, ...]) -> Iterator[RenderableType]:
    yield Text("What a card would add, in points and marbles over all kinds of main actions", "bold")
    for each in [each for each in found if each.gain][:_SHOWN]:
        yield Text(f"{number_text(each.gain):>6}  {gizmo_words(CARDS[each.card])}")
        for words in _why(gizmos, each):
            yield Text(f"        {words}")
    silent = [str(each.card) for each in found if not each.gain]
    if silent:
        yield Text(f"Adding nothing that this measures: {' '.join(silent)}")


def _why(gizmos: tuple[int, ...], addition: Addition) -> Iterator[str]:
    yield ", ".join(
        f"{action} {number_text(gain) if gain < 0 else '+' + number_text(gain)}" for action, gain in addition.gains
    )
    edges = feeds(engine_of((*gizmos, addition.card)))
    fed_by = sorted({edge.source for edge in edges if edge.target == addition.card})
    feeds_to = sorted({edge.target for edge in edges if edge.source == addition.card})
    if fed_by:
        yield f"fed by {', '.join(map(str, fed_by))}"
    if feeds_to:
        yield f"feeds {', '.join(map(str, feeds_to))}"


def _show_design(design: Design, *, as_json: bool) -> None:
    line = line_text(design.position, design.moves)
    player = design.position.player
    if as_json:
        data = {
            "gizmos": design.gizmos,
            "objective": design.objective,
            "value": design.value,
            "bound": design.bound,
            "greatest": design.greatest,
        }
        print_json({**data, "built": player.built, "position": _line(design.position), "line": line})
        return
    how = "and no such engine does better" if design.greatest else f"and no such engine does better than {design.bound}"
    show_parts(
        Text(f"At most {design.gizmos} gizmos: {design.value} {_UNITS[design.objective]} in one turn, {how}.", "bold"),
        *(Text(f"  {gizmo_words(CARDS[gizmo])}") for gizmo in player.built),
        *_steps(line),
        Text(f"Position: {_line(design.position)}"),
    )


def _line(position: Position) -> str:
    from engine.line import write_line  # noqa: PLC0415

    return write_line(position)


def _steps(line: str) -> Iterator[RenderableType]:
    for number, step in enumerate(line.split("; "), 1):
        yield Text(f"{number}. {step}")


def _show_fastest(*, as_json: bool) -> None:
    with waiting("Looking for the fastest game..."):
        bound = fewest_turns_bound()
        turns, plan = next((turns, plan) for turns in range(bound, 20) if (plan := fastest_plan(turns)) is not None)
        game = play_plan(plan)
    _show_game(
        {"turns": turns, "turns_at_least": bound},
        f"A fourth gizmo of level III in {turns} turns with perfect luck; no game needs fewer than {bound}.",
        game.start,
        game.moves,
        as_json=as_json,
    )


def _show_highest(*, as_json: bool) -> None:
    with waiting("Looking for the highest score..."):
        found = highest_final_score()
    if found is None:
        raise RuntimeError("no game found")
    game = play_builds(named_cards((*found.order, *found.last)))
    _show_game(
        {"score": game.player.score, "tokens": game.player.tokens, "bound": found.score},
        f"A final score of {game.player.score} with perfect luck, {game.player.tokens} of them in tokens; "
        f"no game has more than {found.score}.",
        game.start,
        game.moves,
        as_json=as_json,
    )


def _show_game(data: dict[str, Any], words: str, start: Position, moves: list[Move], *, as_json: bool) -> None:
    line = line_text(start, moves)
    if as_json:
        print_json({**data, "position": _line(start), "line": line})
        return
    show_parts(Text(words, "bold"), *_steps(line), Text(f"Position: {_line(start)}"))
