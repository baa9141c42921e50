"""The answer of a search as data, for `--json` (docs/json.md)."""

from __future__ import annotations

from typing import Any, Final

from app.answer_text import replay_text
from engine.actions import Reveal
from engine.line import write_line
from engine.marbles import letters
from engine.notation import action_text, reveal_text
from engine.position import Position
from solver import Choice, Line, Link, Solution, Stats, Step, Trade
from solver.result import Numbers

FORMAT: Final = "gizmos-answer/1"


def answer_data(solution: Solution, title: str = "") -> dict[str, Any]:
    """A solution as plain data."""
    return {
        "format": FORMAT,
        "title": title,
        "position": write_line(solution.position),
        "objective": str(solution.objective),
        "luck": solution.luck,
        "status": solution.status,
        "proved": solution.proved,
        "value": value_data(solution.value),
        "lower": value_data(solution.lower),
        "upper": value_data(solution.upper),
        "lines": [_line_data(solution.position, line) for line in solution.lines],
        "ties": [action_text(action) for action in solution.ties],
        "stats": _stats_data(solution.stats),
        "plan": _choice_data(solution.plan),
        "pareto": _pareto_data(solution),
    }


def value_data(value: Numbers) -> float | list[float]:
    """A number for an objective of one term, else a list of them."""
    return value[0] if len(value) == 1 else list(value)


def _line_data(position: Position, line: Line) -> dict[str, Any]:
    return {
        "first": action_text(line.first),
        "value": value_data(line.value),
        "lower": value_data(line.lower),
        "upper": value_data(line.upper),
        "proved": line.proved,
        "text": replay_text(position, line),
        "steps": [_step_data(step) for step in line.steps],
        "chain": [_link_data(link) for link in line.chain],
    }


def _step_data(step: Step) -> dict[str, Any]:
    return {
        "action": action_text(step.action),
        "reveals": _reveals_data(step.reveals),
        "by": step.by or None,
        "triggered": list(step.triggered),
        "chance": step.chance,
        "score": step.score,
        "gained": step.gained,
        "ring": letters(step.ring),
        "position": write_line(step.position),
    }


def _link_data(link: Link) -> dict[str, Any]:
    return {"gizmo": link.gizmo, "step": link.step, "cause": link.cause if link.cause >= 0 else None}


def _reveals_data(reveals: tuple[Reveal, ...]) -> list[str]:
    return [reveal_text(each) for each in reveals]


def _pareto_data(solution: Solution) -> dict[str, Any] | None:
    pareto = solution.pareto
    if pareto is None:
        return None
    return {
        "status": pareto.status,
        "proved": pareto.proved,
        "trades": [_trade_data(solution.position, trade) for trade in pareto.trades],
        "upper": value_data(pareto.upper),
        "stats": _stats_data(pareto.stats),
    }


def _trade_data(position: Position, trade: Trade) -> dict[str, Any]:
    return {
        "points": trade.points,
        "marbles": trade.marbles,
        "gizmos": trade.gizmos,
        "firsts": [action_text(action) for action in trade.firsts],
        "line": None if trade.line is None else _line_data(position, trade.line),
    }


def _stats_data(stats: Stats) -> dict[str, Any]:
    return {
        "states": stats.states,
        "seconds": round(stats.seconds, 6),
        "solver": stats.solver,
        "fallback": stats.fallback or None,
        "counters": stats.counters,
    }


def _choice_data(choice: Choice | None) -> dict[str, Any] | None:
    if choice is None:
        return None
    return {
        "action": action_text(choice.action),
        "value": value_data(choice.value),
        "branches": [
            {
                "outcomes": [_reveals_data(outcome) for outcome in branch.outcomes],
                "probability": branch.probability,
                "keep": branch.keep or None,
                "then": _choice_data(branch.then),
            }
            for branch in choice.branches
        ],
    }
