"""`gizmos puzzles play`: try a puzzle move by move in the terminal."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from app.board_text import Glyphs, board
from app.console import answers
from app.options import Language
from app.words import Words, words_for
from engine.errors import GizmosError, UnreadableError
from engine.marbles import letters
from engine.notation import action_text
from engine.position import Position
from engine.rules import legal_actions
from puzzles.checking import CheckedLine, check_line, split_steps
from puzzles.document import Puzzle
from puzzles.finding import find, part_of, shipped_puzzles
from puzzles.hints import hints, question
from puzzles.progress import Progress, read_progress, write_progress
from puzzles.solving import value_text
from puzzles.values import turn_values
from solver.explain import Values


def shipped_index() -> list[dict[str, Any]]:
    """One row for each shipped puzzle: what `gizmos puzzles list` shows."""
    rows: list[dict[str, Any]] = []
    for name, found in shipped_puzzles().items():
        document = found.read().document
        rows.append(
            {
                "id": name,
                "part": part_of(name),
                "title": document.title,
                "difficulty": document.difficulty,
                "objective": document.objective,
                "luck": document.luck,
                "themes": document.themes,
            }
        )
    return rows


def play(
    puzzle: Annotated[
        str | None, typer.Argument(metavar="[PUZZLE]", help="A file or the name of a shipped puzzle.")
    ] = None,
    *,
    difficulty: Annotated[int | None, typer.Option(min=1, max=5, help="Only puzzles of this step.")] = None,
    theme: Annotated[str | None, typer.Option(help="Only puzzles of this theme.")] = None,
    language: Language = None,
) -> None:
    """Try puzzles move by move, with hints if you want them.

    Without a name, the next one that you have not solved comes, and then another. What you solved is remembered.
    """
    console, words = answers(), words_for(language)
    progress = read_progress()
    before = deepcopy(progress.tried)
    names = [puzzle] if puzzle else _open_puzzles(progress, difficulty, theme)
    if not names:
        console.print(words("play.none_left"))
        return
    for name in names:
        found = find(name)
        if len(found) > 1:
            raise UnreadableError(f"{name!r}: {len(found)} puzzles, expected one")
        try:
            go_on = _Game(console, words, found[0].read(), found[0].name, progress).run()
        finally:
            if progress.tried != before:
                write_progress(progress)
        if not go_on:
            break
    solved = len(progress.solved & set(shipped_puzzles()))
    console.print(words("play.solved_so_far", n=solved, of=len(shipped_puzzles())))


def _open_puzzles(progress: Progress, difficulty: int | None, theme: str | None) -> list[str]:
    rows = sorted(shipped_index(), key=lambda row: row["difficulty"] or 0)
    return [
        row["id"]
        for row in rows
        if row["id"] not in progress.solved
        and difficulty in (None, row["difficulty"])
        and (theme is None or theme in row["themes"])
    ]


@dataclass
class _Game:
    """One puzzle being played."""

    console: Console
    words: Words
    puzzle: Puzzle
    name: str
    progress: Progress
    moves: list[str] = field(default_factory=list)
    told: int = 0

    def __post_init__(self) -> None:
        puzzle = self.puzzle
        self.values: Values = turn_values(puzzle.position, puzzle.objective, puzzle.luck)
        self.record = self.progress.of(self.name)

    def run(self) -> bool:
        """Play until the puzzle is left; True if the next one is wanted."""
        self._show(self.puzzle.position, self.puzzle.title)
        self.console.print(Text(question(self.puzzle), style="bold"))
        self.console.print(Text(self.words("play.help"), style="dim"))
        while True:
            try:
                typed = input("> ").strip()
            except EOFError:
                return False
            word = typed.lower()
            if word in ("quit", "exit", "q"):
                return False
            if word == "next":
                return True
            if typed and self._obey(word, typed):
                return True

    def _obey(self, word: str, typed: str) -> bool:
        """Do what was typed; True once the puzzle is solved."""
        if word in ("help", "?"):
            self.console.print(Text(self.words("play.help")))
        elif word == "hint":
            self._hint()
        elif word == "answer":
            self._answer()
        elif word == "undo":
            self.moves = self.moves[:-1]
            self._where()
        elif word == "again":
            self.moves = []
            self._where()
        elif word == "board":
            self._show(self._position(), "")
        elif word == "legal":
            for action in legal_actions(self._position()):
                self.console.print(Text(f"  {action_text(action)}"))
        else:
            return self._try(typed)
        return False

    def _try(self, typed: str) -> bool:
        wanted = [*self.moves, *split_steps(typed)]
        try:
            checked = check_line(self.puzzle, self.values, "; ".join(wanted))
        except GizmosError as error:
            for fault in error.faults:
                self.console.print(Text(fault.partition(": ")[2] or fault, style="red"))
            return False
        for step in checked.steps[len(self.moves) :]:
            marbles = letters(step.position.players[self.puzzle.position.to_move].ring)
            ring = self.words("play.ring", ring=marbles or self.words("board.empty"))
            self.console.print(Text(f"  {step.text}   {ring}"))
        self.moves = wanted
        over = not checked.steps[-1].position.turn.acted
        if not over and not checked.right:
            return False
        return self._judge(checked, over=over)

    def _judge(self, checked: CheckedLine, *, over: bool) -> bool:
        best = value_text([float(term) for term in checked.best])
        if checked.right:
            self.record.tries += 1
            self.record.solved = True
            solved = self.words("play.solved", value=best, objective=self.puzzle.objective)
            self.console.print(Text(solved, style="bold green"))
            if self.puzzle.document.text:
                self.console.print(Text(self.puzzle.document.text.strip()))
            return True
        if over:
            self.record.tries += 1
            self.console.print(Text(self.words("play.over", value=value_text(checked.value)), "yellow"))
        return False

    def _hint(self) -> None:
        told = hints(self.puzzle)
        if self.told >= len(told):
            self.console.print(self.words("play.no_more_hints" if told else "play.no_hints"))
            return
        hint = self.words("play.hint", n=self.told + 1, of=len(told), hint=told[self.told])
        self.console.print(Text(hint, style="cyan"))
        self.told += 1
        self.record.hints = max(self.record.hints, self.told)

    def _answer(self) -> None:
        stored = self.puzzle.answer
        self.record.hints = len(hints(self.puzzle)) + 1
        if stored is None or not stored.lines:
            self.console.print(self.words("play.no_answer"))
            return
        for number, step in enumerate(stored.lines[0].split(";"), 1):
            self.console.print(Text(f"{number:>3}. {step.strip()}"))

    def _position(self) -> Position:
        if not self.moves:
            return self.puzzle.position
        return check_line(self.puzzle, self.values, "; ".join(self.moves)).after

    def _where(self) -> None:
        moves = "; ".join(self.moves) or self.words("play.nothing")
        self.console.print(Text(self.words("play.played", moves=moves)))

    def _show(self, position: Position, title: str) -> None:
        self.console.print(board(self.words, Glyphs(self.console), position, title))
        self.console.print()
