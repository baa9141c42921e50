"""Puzzles as text that can be posted: a block for forums, a page of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.card_text import short_text
from app.words import Words
from engine.cards import CARDS, NUMERALS, Card
from engine.marbles import letters
from engine.position import Player, Position
from puzzles.address import write_address
from puzzles.document import Puzzle
from puzzles.hints import question


def forum_block(puzzle: Puzzle, words: Words, base: str = "") -> str:
    """A puzzle as plain text for a forum: the question, every card in words, and an address that reads back."""
    lines = [puzzle.title, "=" * len(puzzle.title), question(puzzle), ""]
    lines += [f"{name:<9} {text}".rstrip() for name, text in _facts(puzzle.position)]
    for heading, cards in _groups(puzzle.position):
        lines += ["", heading]
        lines += [f"  {row}" for row in _card_rows(words, cards)]
    lines += ["", write_address(puzzle, base)]
    return "\n".join(lines) + "\n"


def markdown(puzzle: Puzzle, words: Words, picture: str = "", base: str = "") -> str:
    """A puzzle as a page of Markdown with the answer folded away; `picture` is the file to show, if there is one."""
    lines = [f"# {puzzle.title}", "", question(puzzle), ""]
    if picture:
        lines += [f"![The table: {puzzle.title}]({picture})", ""]
    lines += [f"- {name}: {text}" for name, text in _facts(puzzle.position)]
    for heading, cards in _groups(puzzle.position):
        lines += ["", f"**{heading}**", "", "| card | colour | cost | points | what it does |", "|---|---|---|---|---|"]
        lines += [f"| {' | '.join(_cells(words, card))} |" for card in cards]
    lines += ["", f"`{write_address(puzzle, base)}`", ""]
    answer = puzzle.answer
    if answer is not None:
        lines += ["<details><summary>Answer</summary>", ""]
        lines += [f"{puzzle.objective}: {', '.join(f'{term:g}' for term in answer.value)}", ""]
        for line in answer.lines[:1]:
            lines += [f"{number}. {step.strip()}" for number, step in enumerate(line.split(";"), 1)]
        if puzzle.document.text:
            lines += ["", puzzle.document.text.strip()]
        lines += ["", f"`{write_address(puzzle, base, answer=True)}`", "", "</details>", ""]
    if puzzle.document.source:
        lines += [f"*{puzzle.document.source}*", ""]
    return "\n".join(lines)


def _facts(position: Position) -> Iterator[tuple[str, str]]:
    yield "row", letters(position.row) or "empty"
    if position.next:
        yield "next", "".join(color.letter for color in position.next)
    player = position.player
    board = player.dashboard
    yield "ring", f"{letters(player.ring) or 'empty'} ({player.marbles} of {board.ring_limit})"
    yield "archive", f"{len(player.archive)} of {board.archive_limit}"
    if player.tokens:
        yield "tokens", f"{player.tokens} points"
    sizes = [deck.size for deck in position.decks]
    yield (
        "decks",
        ", ".join(f"{NUMERALS[level]} {size}" for level, size in enumerate(sizes, 1)) if any(sizes) else "empty",
    )


def _groups(position: Position) -> Iterator[tuple[str, list[Card]]]:
    shown = [CARDS[number] for row in position.display for number in row]
    yield from _group("Display", shown)
    yield from _group("Your archive", _cards(position.player.archive))
    yield from _group("Your gizmos", _cards(position.player.built))
    for seat, player in enumerate(position.players):
        if seat != position.to_move:
            yield from _group(f"{player.name or f'Player {seat + 1}'} has built", _others(player))


def _group(heading: str, cards: list[Card]) -> Iterator[tuple[str, list[Card]]]:
    if cards:
        yield heading, cards


def _cards(numbers: Iterable[int]) -> list[Card]:
    return [CARDS[number] for number in numbers]


def _others(player: Player) -> list[Card]:
    return _cards(player.built)


def _cells(words: Words, card: Card) -> tuple[str, ...]:
    cost = f"{card.cost} {'any' if card.any_color else card.colors[0].letter}" if card.cost else ""
    return (str(card.id), card.color_name, cost, str(card.points or ""), short_text(words, card))


def _card_rows(words: Words, cards: list[Card]) -> Iterator[str]:
    for card in cards:
        number, color, cost, points, does = _cells(words, card)
        yield f"{number} {NUMERALS[card.level]:<3} {color:<6} cost {cost or '-':<5} {points or '-':>2} pt  {does}"
