"""`gizmos game new`, `show`, `step` and `undo`: a game written down as it is played."""

from __future__ import annotations

import re
from pathlib import Path
from random import SystemRandom
from typing import Annotated, Any, Final

import typer
from msgspec.structs import replace

from app.board_text import Glyphs, board, player_name
from app.console import answers, print_json, show_parts
from app.given import read_given
from app.options import AsJson, Language
from app.words import Words, words_for
from engine.actions import Move, Reveal
from engine.cards import DISPLAY_SIZE, LEVELS, NUMERALS
from engine.document import document_data
from engine.errors import GizmosError, IllegalActionError, UnreadableError, quoted
from engine.line import write_line
from engine.marbles import count, parse_marbles
from engine.notation import awaited_text, step_text
from engine.position import Player, Position
from engine.record import BGA, Record, load_record, move_text, parse_move, play_recorded, save_record
from engine.setup import new_game
from engine.validation import check

_EXAMPLES: Final = {
    "new": (
        "gizmos game new evening.jsonl --players Ann,Ben --seed 7",
        "gizmos game new evening.jsonl --players Ann,Ben --row RRUUKY --display '101 107 112 130 204 211 220 305 318'",
    ),
    "show": ("gizmos game show evening.jsonl", "gizmos game show evening.jsonl --ply 12"),
    "step": (
        "gizmos game step evening.jsonl 'pick U (row R)'",
        "gizmos game step evening.jsonl 'research II (? ? ?)' pass",
    ),
    "undo": ("gizmos game undo evening.jsonl", "gizmos game undo evening.jsonl --count 3"),
}
app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Write a game down as it is played, and look at any moment of it.",
)

GameFile = Annotated[Path, typer.Argument(metavar="FILE", show_default=False, help="A game record (docs/bga.md).")]
_STEP: Final = re.compile(r"\s*([^()]*?)\s*(?:\(([^()]*)\))?\s*")
_REVEAL: Final = re.compile(r"(?:(?:row|next|draw|refill|research) )?\S+", re.IGNORECASE)


def _epilog(name: str) -> str:
    """The examples of a command, each on a line of its own (the sign keeps them from being wrapped)."""
    return "Examples:\n\n\b\n" + "\n".join(f"  {example}" for example in _EXAMPLES[name])


@app.command(epilog=_epilog("new"))
def new(
    file: GameFile,
    *,
    players: Annotated[str, typer.Option(metavar="NAMES", help="The players in order of seats: Ann,Ben.")] = "",
    seed: Annotated[int | None, typer.Option(metavar="N", help="Deal by this number.", show_default=False)] = None,
    row: Annotated[str, typer.Option(metavar="MARBLES", help="The row at your table: RRUUKY.")] = "",
    upcoming: Annotated[str, typer.Option("--next", metavar="MARBLE", help="NEXT, if it lies face up.")] = "",
    display: Annotated[str, typer.Option(metavar="CARDS", help="The nine cards of the display at your table.")] = "",
    start: Annotated[str, typer.Option("--from", metavar="POSITION", help="Begin with this position.")] = "",
    title: Annotated[str, typer.Option(metavar="TEXT", help="A title.")] = "",
    bga: Annotated[bool, typer.Option("--bga", help="Play by Board Game Arena's ruling on passing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
) -> None:
    """Begin a game: dealt by a seed, or as the cards lie on your table."""
    if file.exists() and not force:
        raise UnreadableError(f"{file}: there is such a file; --force replaces it")
    names = [name.strip() for name in players.split(",")] if players.strip() else []
    if start:
        if row or display or upcoming or seed is not None:
            raise UnreadableError("--from: expected without --seed, --row, --next and --display")
        position = read_given(start).position
    else:
        if seed is None and not (row and display):
            seed = SystemRandom().randrange(1_000_000)
            typer.echo(words_for(None)("game.dealt", seed=seed), err=True)
        position = new_game(len(names) or 2, seed or 0, int(bool(upcoming)))
        position = _laid_out(position, row, upcoming, display)
    if names:
        position = _named(position, names)
    save_record(Record(check(position), title=title, rules=BGA if bga else ""), file)
    _say_what_next(Record(position), words_for(None), file)


@app.command(epilog=_epilog("show"))
def show(
    file: GameFile,
    *,
    ply: Annotated[
        int | None,
        typer.Option(metavar="N", help="The moment after so many moves, 0 for the start.", show_default=False),
    ] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Show the moves of a game, and the position after them or at any ply."""
    record = _loaded(file)
    positions = record.positions()
    if ply is not None and not 0 <= ply < len(positions):
        raise UnreadableError(f"--ply {ply}: the game has {len(record.moves)} moves, expected 0 to {len(record.moves)}")
    at = len(record.moves) if ply is None else ply
    position = positions[at]
    if as_json:
        print_json(_show_data(record, positions, at))
        return
    words = words_for(language)
    if ply is None:
        for line in _turns(record, positions, words):
            typer.echo(line)
        typer.echo()
    title = words("game.moment", title=record.title or file.name, n=at, of=len(record.moves))
    show_parts(board(words, Glyphs(answers()), position, title))
    typer.echo(write_line(position))


@app.command(epilog=_epilog("step"))
def step(
    file: GameFile,
    moves: Annotated[
        list[str],
        typer.Argument(
            metavar="STEP...",
            show_default=False,
            help="What was done, and in parentheses or as a step of its own what was revealed: 'pick Y' 'row R'. "
            "Researched cards that you did not see are ?.",
        ),
    ],
    *,
    language: Language = None,
) -> None:
    """Write down what was done and what was revealed; all of it, or nothing if a step can't be."""
    record = _loaded(file)
    added = _read_steps(record, moves)
    record = record.with_moves(added)
    save_record(record, file)
    for move in added:
        typer.echo(f"+ {move_text(move)}")
    _say_what_next(record, words_for(language), file)


@app.command(epilog=_epilog("undo"))
def undo(
    file: GameFile,
    *,
    number: Annotated[int, typer.Option("--count", "-n", min=1, metavar="N", help="How many actions.")] = 1,
    language: Language = None,
) -> None:
    """Take back the last action with what it revealed, or the last so many."""
    record = _loaded(file)
    left = list(record.moves)
    actions = sum(not isinstance(move, Reveal) for move in left)
    if number > actions:
        raise UnreadableError(f"--count {number}: the game has {actions} actions")
    taken: list[Move] = []
    while number:
        taken.append(left.pop())
        number -= not isinstance(taken[-1], Reveal)
    record = replace(record, moves=tuple(left))
    save_record(record, file)
    for move in reversed(taken):
        typer.echo(f"- {move_text(move)}")
    _say_what_next(record, words_for(language), file)


def _loaded(file: Path) -> Record:
    try:
        return load_record(file)
    except GizmosError as error:
        prefix = "" if error.faults[0].startswith(str(file)) else f"{file}: "
        raise type(error)([prefix + fault for fault in error.faults]) from error


def _laid_out(position: Position, row: str, upcoming: str, display: str) -> Position:
    """A dealt position with what really lies on the table."""
    faults: list[str] = []
    if row:
        position = replace(position, row=count(_marbles("--row", row, faults)))
    if upcoming:
        position = replace(position, next=_marbles("--next", upcoming, faults)[:1])
    if display:
        words = display.replace(",", " ").split()
        cards = [int(word) for word in words if re.fullmatch(r"\d{3}", word, re.ASCII)]
        faults += [f"--display: {quoted(word)} is no card number" for word in words if not word.isdecimal()]
        shown = tuple(tuple(sorted(card for card in cards if card // 100 == level)) for level in LEVELS)
        for level, lying in zip(LEVELS, shown, strict=True):
            if len(lying) != DISPLAY_SIZE[level]:
                expected = f"expected {DISPLAY_SIZE[level]}"
                faults.append(f"--display: {len(lying)} cards of level {NUMERALS[level]}, {expected}")
        position = replace(position, display=shown)
    if faults:
        raise UnreadableError(faults)
    return position


def _marbles(option: str, text: str, faults: list[str]) -> Any:
    try:
        return parse_marbles(text)
    except UnreadableError as error:
        faults += [f"{option}: {fault}" for fault in error.faults]
        return ()


def _named(position: Position, names: list[str]) -> Position:
    if len(names) != len(position.players):
        raise UnreadableError(f"--players: {len(names)} names for {len(position.players)} players")
    players: list[Player] = [replace(player, name=name) for player, name in zip(position.players, names, strict=True)]
    return replace(position, players=tuple(players))


def _read_steps(record: Record, texts: list[str]) -> list[Move]:
    """Read steps by playing them from the end of a record."""
    position = record.final
    moves: list[Move] = []

    def take(text: str) -> None:
        nonlocal position
        move = parse_move(position, text, record.rules)
        position = play_recorded(position, move, record.rules)
        moves.append(move)

    for text in re.split(r"[;\n]", ";".join(texts)):
        match = _STEP.fullmatch(text)
        if match is None:
            raise UnreadableError(f"{quoted(text)} is not a step: expected an action, then its reveals in parentheses")
        action, outcomes = match[1], match[2] or ""
        if action and not position.is_chance:
            if position.is_over:
                raise IllegalActionError(f"{quoted(action)} is not legal here: the game is over")
            take(action)
        elif action:
            outcomes = f"{action} {outcomes}"
        for outcome in _REVEAL.findall(" ".join(outcomes.replace(",", " ").split())):
            if not position.is_chance:
                raise IllegalActionError(f"{quoted(text.strip())}: {quoted(outcome)} is one reveal too many")
            take(outcome)
    return moves


def _say_what_next(record: Record, words: Words, file: Path) -> None:
    position = record.final
    if position.is_over:
        typer.echo(words("board.over"))
    elif position.is_chance:
        owed = ", ".join(awaited_text(each) for each in position.turn.awaited)
        typer.echo(words("game.owed", file=file, n=len(record.moves), awaited=owed))
    else:
        player = player_name(words, position, position.to_move)
        typer.echo(words("game.decides", file=file, n=len(record.moves), player=player))


def _turns(record: Record, positions: list[Position], words: Words) -> list[str]:
    """One line for each turn: its number, whose it is, and what was done and revealed."""
    turns: list[tuple[str, list[tuple[str, list[Reveal]]]]] = []
    fresh = True
    for before, move, after in zip(positions, record.moves, positions[1:], strict=False):
        if fresh:
            turns.append((player_name(words, before, before.to_move), []))
        steps = turns[-1][1]
        if not isinstance(move, Reveal):
            steps.append((move_text(move), []))
        elif steps:
            steps[-1][1].append(move)
        fresh = not after.turn.acted
    return [
        f"{number:3} {name}: " + "; ".join(step_text(action, reveals) for action, reveals in steps)
        for number, (name, steps) in enumerate(turns, 1)
    ]


def _show_data(record: Record, positions: list[Position], ply: int) -> dict[str, Any]:
    return {
        "format": "gizmos-game-show/1",
        "title": record.title,
        "ply": ply,
        "moves": [
            {
                "ply": number,
                "player": before.to_move + 1,
                "kind": "reveal" if isinstance(move, Reveal) else "action",
                "text": move_text(move),
            }
            for number, (before, move) in enumerate(zip(positions, record.moves, strict=False), 1)
        ],
        "line": write_line(positions[ply]),
        "document": document_data(positions[ply]),
        "over": positions[ply].is_over,
    }
