"""`gizmos bench`: how fast this install is, and whether it became faster."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from app.console import print_json, remarks, show_parts
from app.given import read_input
from app.options import AsJson
from engine.errors import UnreadableError
from solver.measure import SECTIONS, Figure, Report, Settings, measure

EXAMPLES = {
    "bench": (
        "gizmos bench",
        "gizmos bench games perft",
        "gizmos bench --scale 0.1 --json > before.json",
        "gizmos bench --scale 0.1 --baseline before.json",
    )
}


def bench(
    sections: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SECTION...]", help=f"What to measure: {', '.join(SECTIONS)}; without one, all."),
    ] = None,
    *,
    scale: Annotated[float, typer.Option(min=0.001, help="Measure so many times the usual number of positions.")] = 1.0,
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", min=0.01, help="Stop each solve then.")] = 10.0,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Compare with a report saved by --json.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how fast games, counts and solvers are here.

    The positions are stored, or made from seeds. Times are processor time. A report saved with --json is the baseline
    of a later one.
    """
    unknown = [name for name in sections or () if name not in SECTIONS]
    if unknown:
        raise typer.BadParameter(
            f"{', '.join(unknown)}: no such section, expected {', '.join(SECTIONS)}", param_hint="SECTION"
        )
    before = _read_report(baseline) if baseline else None
    report = measure(tuple(sections or ()), Settings(scale, time_limit), _tell_progress)
    if as_json:
        print_json(report)
        return
    show_parts(*_parts(report, before))


def _tell_progress(name: str) -> None:
    if sys.stderr.isatty():
        remarks().print(f"measuring {name} ...", style="dim")


def _read_report(path: Path) -> Report:
    try:
        return msgspec.json.decode(read_input(str(path)), type=Report)
    except msgspec.DecodeError as error:
        raise UnreadableError(f"{path}: no report of gizmos bench ({error})") from error


def _parts(report: Report, before: Report | None) -> list[Table | str]:
    kernel = f"kernel {report.kernel}" if report.kernel else "no compiled kernel: pure Python serves"
    parts: list[Table | str] = [f"gizmos-solver {report.version}, {kernel}, Python {report.python}, {report.machine}"]
    if before is not None:
        parts.append(f"baseline: gizmos-solver {before.version}, {before.solver}, Python {before.python}")
        if before.settings != report.settings:
            parts.append("The baseline was measured with other settings: only paces can be compared.")
    known: dict[tuple[str, str], Figure] = {}
    if before is not None:
        known = {(section.name, each.name): each for section in before.sections for each in section.figures}
    for section in report.sections:
        table = Table(
            title=section.title, title_justify="left", box=None, padding=(0, 1, 0, 0), show_header=bool(known)
        )
        table.add_column("", min_width=26)
        table.add_column("now", justify="right", min_width=12)
        table.add_column("", min_width=11)
        if known:
            table.add_column("baseline", justify="right", min_width=12)
            table.add_column("change", justify="right")
        for figure in section.figures:
            earlier = known.get((section.name, figure.name))
            row = [figure.name, _number(figure.value), figure.unit]
            table.add_row(*row, *([_number(earlier.value), _change(figure, earlier)] if earlier else []))
        parts += ["", table]
    return parts


def _number(value: float) -> str:
    """A number with as many digits as say something.

    >>> _number(2345678.9), _number(12.345), _number(0.01234)
    ('2,345,679', '12.3', '0.012')
    """
    if value >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.1f}" if value >= 10 else f"{value:,.3f}"


def _change(now: Figure, before: Figure) -> str:
    """How many times better or worse.

    >>> _change(Figure("pace", 30, "states/s", "more"), Figure("pace", 10, "states/s", "more"))
    '3.00x better'
    """
    if not now.better or now.value <= 0 or before.value <= 0:
        return ""
    ratio = now.value / before.value if now.better == "more" else before.value / now.value
    if abs(ratio - 1) < 0.02:
        return "same"
    return f"{ratio:.2f}x better" if ratio > 1 else f"{1 / ratio:.2f}x worse"
