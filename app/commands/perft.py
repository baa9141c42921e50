"""`gizmos perft`: counts of action sequences, for regression and speed."""

from __future__ import annotations

from enum import StrEnum
from time import perf_counter
from typing import Annotated, Any

import typer

from app.console import print_json
from app.given import PositionArgument, read_given
from app.options import AsJson
from app.progress import waiting
from engine import perft as by_engine
from engine.actions import Move, Reveal
from engine.line import write_line
from engine.notation import action_text, reveal_text
from solver import perft as by_kernel
from solver.native import which

EXAMPLES = {
    "perft": (
        "gizmos perft chain --depth 2",
        "gizmos perft turn17 --depth 1 --divide",
        "gizmos perft chain --depth 2 --by engine --json",
    )
}


class By(StrEnum):
    """Who counts."""

    kernel = "kernel"
    engine = "engine"


def perft(
    position: PositionArgument,
    *,
    depth: Annotated[int, typer.Option(min=0, help="How many actions long the sequences are.")] = 1,
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first move too.")] = False,
    by: Annotated[
        By, typer.Option(help="Who counts: the compiled kernel (where there is one), or the readable rules.")
    ] = By.kernel,
    as_json: AsJson = False,
) -> None:
    """Count action sequences from a position.

    Every outcome of a reveal is a branch of its own, but no action: the depth counts decisions of players. What is
    revealed after the last action does not count. The same counts by kernel and engine show that both play one game.
    """
    given = read_given(position).position
    if divide and depth < 1:
        raise typer.BadParameter("there is no first move at depth 0", param_hint="'--divide'")
    counting = by_kernel if by is By.kernel else by_engine
    started = perf_counter()
    divided: tuple[tuple[Move, int], ...] = ()
    with waiting("Counting..."):
        if divide:
            divided = counting.divide(given, depth)
            total = sum(number for _, number in divided)
        else:
            total = counting.perft(given, depth)
    seconds = perf_counter() - started
    who = "kernel" if by is By.kernel and which() == "kernel" else "engine"
    if as_json:
        data: dict[str, Any] = {
            "position": write_line(given),
            "depth": depth,
            "count": total,
            "by": who,
            "seconds": round(seconds, 6),
        }
        if divide:
            data["moves"] = [{"move": _text(move), "count": number} for move, number in divided]
        print_json(data)
        return
    width = max((len(_text(move)) for move, _ in divided), default=0)
    for move, number in divided:
        typer.echo(f"{_text(move):{width}}  {number:>15,}")
    pace = f", {total / seconds:,.0f} a second" if seconds > 0.01 else ""
    actions = "1 action" if depth == 1 else f"{depth} actions"
    typer.echo(f"{total:,} sequences of {actions} ({who}, {seconds:.3f} s{pace})")


def _text(move: Move) -> str:
    return f"({reveal_text(move)})" if isinstance(move, Reveal) else action_text(move)
