"""A Pareto set as a table: points, marbles and gizmos that can be had, and how to begin."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from app.value_text import number_text, seconds_text
from app.words import Words
from engine.notation import action_text
from solver import ParetoSet, Solution, Trade


def pareto_parts(words: Words, solution: Solution) -> Iterator[RenderableType]:
    """The Pareto set of a solution under its heading; nothing if it has none."""
    pareto = solution.pareto
    if pareto is None:
        return
    yield Text()
    yield Text(words("pareto.head"), "bold")
    if pareto.trades:
        yield Text()
        yield _table(words, pareto.trades)
        yield Text()
    yield Text(_sureness(words, pareto))


def _table(words: Words, trades: tuple[Trade, ...]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for heading in ("points", "marbles", "gizmos"):
        table.add_column(words(f"pareto.{heading}"), justify="right", no_wrap=True)
    table.add_column(words("pareto.first"), ratio=1)
    for trade in trades:
        points = f"+{number_text(trade.points)}" if trade.points > 0 else number_text(trade.points)
        table.add_row(points, number_text(trade.marbles), number_text(trade.gizmos), _firsts(words, trade))
    return table


def _firsts(words: Words, trade: Trade) -> Text:
    text = Text(action_text(trade.firsts[0]) if trade.firsts else "")
    others = len(trade.firsts) - 1
    return text.append(f"  {words('pareto.others', n=others)}", "dim") if others > 0 else text


def _sureness(words: Words, pareto: ParetoSet) -> str:
    if pareto.proved:
        single = f" {words('pareto.single')}" if len(pareto.trades) == 1 else ""
        return words(f"pareto.proved_{pareto.luck}") + single
    points, marbles, gizmos = map(number_text, pareto.upper)
    seconds = seconds_text(pareto.stats.seconds)
    return words("pareto.stopped", seconds=seconds, points=points, marbles=marbles, gizmos=gizmos)
