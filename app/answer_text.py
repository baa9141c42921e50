"""The answer of a search for a person: the best turn step by step, how sure it is, and what else there was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from app.board_text import Glyphs, ring_text
from app.step_text import action_words, remarks
from app.value_text import goal_text, loss_text, seconds_text, short_value_text, value_text
from app.words import Words
from engine.actions import Move
from engine.notation import action_text, awaited_text, line_text
from engine.position import Position
from engine.reveals import weighted_reveals
from engine.rules import apply_unchecked, legal_actions
from solver import Line, Objective, Solution, Stats
from solver.explain import line_value, numbers
from solver.objective import Goal
from solver.result import Progress

_MOST_TIES: Final = 6


def answer(words: Words, glyphs: Glyphs, solution: Solution) -> Iterator[RenderableType]:
    """All parts of the answer but the board and the plan."""
    yield _headline(words, solution)
    if is_missed_goal(solution):
        yield Text(words("answer.all_tried"))
        yield from _effort(words, solution.stats)
        return
    for sentence in sureness(words, solution):
        yield Text(sentence)
    best = solution.best
    if best is not None and best.steps:
        yield Text()
        if not solution.proved:
            yield Text(words("answer.sketch"))
        yield _steps(words, glyphs, solution.position, best)
        yield Text()
        yield from _summary(words, solution, best)
    others = solution.lines[1:] if solution.proved else solution.lines
    if others:
        yield Text()
        yield _alternatives(words, solution, others)
    compared = {line.first for line in solution.lines}
    tied = [action_text(action) for action in solution.ties if action not in compared]
    if tied:
        yield Text()
        yield Text(words("answer.ties", n=len(tied), list=_shortened(words, tied)))
    yield Text()
    yield from _effort(words, solution.stats)


def _effort(words: Words, stats: Stats) -> Iterator[RenderableType]:
    if stats.fallback:
        yield Text(words("answer.fallback", reason=stats.fallback))
    seconds = seconds_text(stats.seconds)
    yield Text(words("answer.solver", states=f"{stats.states:,}", seconds=seconds, solver=stats.solver), "dim")


def progress_text(words: Words, objective: Objective, progress: Progress) -> str:
    """How far a search has come, on one line."""
    return words(
        "answer.found_so_far",
        n=progress.bounded,
        of=progress.actions,
        states=f"{progress.states:,}",
        lower=short_value_text(words, objective, progress.lower),
        upper=short_value_text(words, objective, progress.upper),
    )


def is_missed_goal(solution: Solution) -> bool:
    """True if the first aim is a goal, and it is proved that no turn reaches it."""
    return isinstance(solution.objective.terms[0], Goal) and solution.proved and solution.value[0] == 0


def _headline(words: Words, solution: Solution) -> Text:
    objective = solution.objective
    goal = objective.terms[0]
    if isinstance(goal, Goal) and is_missed_goal(solution):
        return Text(words(f"answer.missed_{solution.luck}", goal=goal_text(goal)), "bold")
    if not solution.proved and not solution.lines:
        return Text(
            words(
                "answer.unknown",
                lower=value_text(words, objective, solution.lower),
                upper=value_text(words, objective, solution.upper),
            ),
            "bold",
        )
    value = value_text(words, objective, solution.value)
    odds = isinstance(goal, Goal) and solution.luck == "average"
    how = "" if odds or _is_certain(solution) else f" {words(f'value.{solution.luck}')}"
    return Text(words("answer.best" if solution.proved else "answer.found", value=value + how), "bold")


def sureness(words: Words, solution: Solution) -> Iterator[str]:
    """How sure the value is, in sentences."""
    if solution.position.is_chance:
        owed = ", ".join(awaited_text(each) for each in dict.fromkeys(solution.position.turn.awaited))
        yield words("answer.nature", awaited=owed)
    if solution.proved:
        proved = words(f"answer.proved_{solution.luck}")
        yield f"{proved} {words('answer.proved_certain')}" if _is_certain(solution) else proved
        if len(solution.ties) == len(legal_actions(solution.position)) > 1:
            yield words("answer.all_tied")
        return
    yield words(f"answer.stopped_{solution.status}", seconds=seconds_text(solution.stats.seconds))
    yield words(
        "answer.bounds",
        lower=value_text(words, solution.objective, solution.lower),
        upper=value_text(words, solution.objective, solution.upper),
    )


def _is_certain(solution: Solution) -> bool:
    """True if the best line is proved, and every reveal in it leads to the same value."""
    best = solution.best
    return solution.proved and best is not None and all(step.chance == 1 for step in best.steps)


def _steps(words: Words, glyphs: Glyphs, position: Position, line: Line) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("", ratio=1)
    table.add_column(words("answer.marbles"), no_wrap=True)
    table.add_column(words("answer.points"), no_wrap=True, justify="right")
    for number, step in enumerate(line.steps, 1):
        later = [each.action for each in line.steps[number:]]
        what = Group(
            Text(action_words(words, position, step.action), "bold"),
            *(Padding(Text(remark), (0, 0, 0, 2)) for remark in remarks(words, position, step, later, glyphs.arrow)),
        )
        gained = f"{step.gained:+} = {step.score}" if step.gained else str(step.score)
        table.add_row(f"{number}.", what, ring_text(step.ring), gained)
        position = step.position
    return table


def _summary(words: Words, solution: Solution, best: Line) -> Iterator[RenderableType]:
    if best.chain:
        gizmos = ", ".join(str(link.gizmo) for link in best.chain)
        yield Text(words("answer.chain", n=len(best.chain), gizmos=gizmos))
    lucky = list(_lucky_steps(words, solution.position, best))
    if lucky:
        shown = words(f"answer.shown_{solution.luck if solution.proved else 'average'}")
        yield Text(words("answer.luck", steps=", ".join(lucky), shown=shown))
    if not solution.proved:
        yield Text(_sketched(words, solution, best))
    elif lucky:
        if solution.luck == "average":
            yield Text(words("answer.case", value=_case_text(words, solution, best)))
        if solution.plan is None:
            yield Text(words("answer.plan_hint"))
    yield Text(f"{words('answer.line')}: {replay_text(solution.position, best)}", "dim")


def _lucky_steps(words: Words, position: Position, line: Line) -> Iterator[str]:
    """Each step of a line in which luck decides, with how much can come."""
    for number, step in enumerate(line.steps, 1):
        if step.chance < 1:
            yield words("answer.step", n=number, what=_what_can_come(words, apply_unchecked(position, step.action)))
        position = step.position


def _what_can_come(words: Words, position: Position) -> str:
    awaited = position.turn.awaited[0]
    possible = len(weighted_reveals(position))
    if awaited.kind == "research":
        return words("answer.cards_seen", n=position.turn.awaited.count(awaited), of=possible)
    return words("answer.one_card" if awaited.kind == "refill" else "answer.one_color", n=possible)


def _sketched(words: Words, solution: Solution, best: Line) -> str:
    """Where an unproved line leads."""
    if best.steps[-1].position.turn.acted:
        return words("answer.sketch_ends")
    return words("answer.sketch_case", value=_case_text(words, solution, best))


def _case_text(words: Words, solution: Solution, best: Line) -> str:
    """What the line that is shown comes to."""
    value = numbers(line_value(solution.objective, solution.position, best.steps))
    return value_text(words, solution.objective, value)


def replay_text(position: Position, line: Line) -> str:
    """The line as `gizmos apply` reads it."""
    moves: list[Move] = []
    for step in line.steps:
        moves += [step.action, *step.reveals]
    return line_text(position, moves)


def _alternatives(words: Words, solution: Solution, lines: tuple[Line, ...]) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column(words("answer.others" if solution.proved else "answer.tried"))
    table.add_column(words("answer.worth"))
    table.add_column(words("answer.loses") if solution.proved else "")
    for line in lines:
        loss = loss_text(words, solution.objective, solution.value, line.value) or words("answer.nothing")
        worth = short_value_text(words, solution.objective, line.value)
        if not line.proved:
            worth = words("answer.at_least", value=worth)
        table.add_row(Padding(action_text(line.first), (0, 0, 0, 2)), worth, loss if solution.proved else "")
    return table


def _shortened(words: Words, texts: list[str]) -> str:
    shown = "; ".join(texts[:_MOST_TIES])
    rest = len(texts) - _MOST_TIES
    return f"{shown} {words('answer.more', n=rest)}" if rest > 0 else shown
