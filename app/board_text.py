"""The table as text for a terminal: readable with colours and without, and in 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from app.card_text import cost_text, effect_text, points_text, short_text
from app.words import Words
from engine.cards import CARDS, LEVELS, NUMERALS, Area, Card
from engine.marbles import LETTERS, Marbles, letters
from engine.notation import awaited_text
from engine.position import Player, Position

MARBLE_STYLES: Final = {
    "R": "bold white on red",
    "U": "bold white on blue",
    "K": "bold white on grey30",
    "Y": "bold black on yellow",
}
AREAS: Final[tuple[Area, ...]] = ("upgrade", "converter", "file", "pick", "build")


class Glyphs:
    """Signs beyond ASCII, or stand-ins for them where the console can't show them."""

    def __init__(self, console: Console) -> None:
        rich_enough = console.encoding.lower().startswith("utf")
        self.arrow = "→" if rich_enough else "->"
        self.dot = "·" if rich_enough else "|"
        self.mark = "▶" if rich_enough else ">"


class Items:
    """Short texts on as few lines as they fit on, none of them broken if it fits on a line by itself."""

    def __init__(self, texts: Iterable[str], separator: str) -> None:
        self._texts = tuple(texts)
        self._separator = separator

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        line = ""
        for text in self._texts:
            longer = f"{line}{self._separator}{text}" if line else text
            if line and cell_len(longer) > options.max_width:
                yield Text(line)
                longer = text
            line = longer
        yield Text(line)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(max(map(cell_len, self._texts)), cell_len(self._separator.join(self._texts)))


def marbles(text: str) -> Text:
    """Marble letters in their colours; anything else as it is."""
    drawn = Text()
    for word in text.split(" "):
        if drawn:
            drawn.append(" ")
        for letter in word:
            drawn.append(letter, MARBLE_STYLES[letter] if set(word) <= set(LETTERS) else "")
    return drawn


def ring_text(ring: Marbles, none: str = "-") -> Text:
    """The marbles of a ring."""
    return marbles(letters(ring)) if any(ring) else Text(none)


def board(words: Words, glyphs: Glyphs, position: Position, title: str = "") -> RenderableType:
    """The whole table."""
    parts: list[RenderableType] = []
    if title:
        parts += [Text(title, "bold"), Text()]
    parts += [_table(words, glyphs, position), Text()]
    for seat in _seats_from(position):
        parts.append(_player(words, glyphs, position, seat))
        if seat == position.to_move:
            parts += _turn(words, glyphs, position)
    if position.is_over:
        parts.append(Text(words("board.over")))
    elif position.last_round:
        parts.append(Text(words("board.last_round")))
    return Group(*parts)


def player_name(words: Words, position: Position, seat: int) -> str:
    """What a player is called."""
    return position.players[seat].name or words("board.seat", n=seat + 1)


def _seats_from(position: Position) -> Iterator[int]:
    seats = len(position.players)
    return (seat % seats for seat in range(position.to_move, position.to_move + seats))


def _grid(columns: int) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(columns - 1):
        grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _table(words: Words, glyphs: Glyphs, position: Position) -> RenderableType:
    grid = _grid(2)
    grid.add_row(Text(words("board.row"), "bold"), _row(words, position))
    grid.add_row(Text(words("board.display"), "bold"), _display(words, glyphs, position))
    grid.add_row(Text(words("board.decks"), "bold"), _decks(words, position))
    return grid


def _row(words: Words, position: Position) -> Text:
    drawn = marbles(" ".join(letters(position.row))) if any(position.row) else Text(words("board.empty"))
    if position.next:
        drawn.append(f"   {words('board.next')} ").append_text(
            marbles(" ".join(color.letter for color in position.next))
        )
    return drawn


def _display(words: Words, glyphs: Glyphs, position: Position) -> RenderableType:
    grid = _grid(5)
    for level in reversed(LEVELS):
        name = NUMERALS[level]
        for number in position.display[level - 1]:
            grid.add_row(name, *_card_cells(words, glyphs, CARDS[number]))
            name = ""
    return grid if grid.row_count else Text(words("board.empty"))


def _card_cells(words: Words, glyphs: Glyphs, card: Card) -> tuple[RenderableType, ...]:
    text = short_text(words, card, glyphs.arrow)
    return str(card.id), marbles(cost_text(words, card)), points_text(words, card.points), text


def _decks(words: Words, position: Position) -> Text:
    texts: list[str] = []
    for level in reversed(LEVELS):
        deck = position.deck(level)
        known = [f"{words(f'board.{name}')} {_numbers(cards)}" for name, cards in _known(deck.top, deck.bottom)]
        texts.append(f"{NUMERALS[level]} {deck.size}" + (f" ({', '.join(known)})" if known else ""))
    return Text("   ".join(texts))


def _known(top: tuple[int, ...], bottom: tuple[int, ...]) -> list[tuple[str, tuple[int, ...]]]:
    return [(name, cards) for name, cards in (("top", top), ("bottom", bottom)) if cards]


def _numbers(cards: Iterable[int]) -> str:
    return " ".join(str(number) for number in cards)


def _player(words: Words, glyphs: Glyphs, position: Position, seat: int) -> RenderableType:
    player = position.players[seat]
    counts = f"{words('board.points', n=player.score)}, {words('board.gizmos', n=len(player.built))}"
    head = Text(player_name(words, position, seat), "bold")
    if seat == position.to_move and not position.is_over:
        head = Text(f"{glyphs.mark} ", "bold").append_text(head).append(f", {words('board.to_move')}", "bold")
    head.append(f"   {counts}")
    if player.tokens:
        head.append(f" ({words('board.tokens', n=player.tokens)})")
    if seat == position.to_move:
        return Group(head, _own_cards(words, glyphs, player), Text())
    return Group(head, _other_cards(words, player), Text())


def _own_cards(words: Words, glyphs: Glyphs, player: Player) -> RenderableType:
    grid = _grid(2)
    grid.add_row(f"  {words('board.ring')}", _ring(words, player))
    archive = _grid(4)
    for number in player.archive:
        archive.add_row(*_card_cells(words, glyphs, CARDS[number]))
    limit = player.dashboard.archive_limit
    if player.archive:
        archived: RenderableType = archive
    else:
        archived = f"{words('board.empty')} (0 / {limit})"
    grid.add_row(f"  {words('board.archive')}", archived)
    for area in AREAS:
        cards = [CARDS[number] for number in player.built if CARDS[number].area == area]
        if cards:
            texts = [f"{card.id} {built_text(words, card, glyphs.arrow)}" for card in cards]
            grid.add_row(f"  {words(f'area.{area}')}", Items(texts, f" {glyphs.dot} "))
    return grid


def _other_cards(words: Words, player: Player) -> RenderableType:
    grid = _grid(2)
    grid.add_row(f"  {words('board.ring')}", _ring(words, player))
    if player.archive:
        grid.add_row(f"  {words('board.archive')}", _numbers(player.archive))
    grid.add_row(f"  {words('board.built')}", _numbers(player.built))
    return grid


def _ring(words: Words, player: Player) -> Text:
    drawn = marbles(" ".join(letters(player.ring))) if any(player.ring) else Text(words("board.empty"))
    return drawn.append(f"   ({player.marbles} / {player.dashboard.ring_limit})")


def built_text(words: Words, card: Card, arrow: str) -> str:
    """What a built card does, without the word that its area says already."""
    if not card.trigger:
        return short_text(words, card, arrow)
    if card.trigger == "file":
        return effect_text(words, card)
    colors = "/".join(color.letter for color in card.trigger_colors)
    when = colors or words(f"built.{card.trigger}")
    return words("short.then", when=when, arrow=arrow, what=effect_text(words, card))


def _turn(words: Words, glyphs: Glyphs, position: Position) -> list[RenderableType]:
    turn = position.turn
    if not turn.acted:
        return []
    grid = _grid(2)
    if turn.triggered:
        waiting = (f"{number} {short_text(words, CARDS[number], glyphs.arrow)}" for number in turn.triggered)
        grid.add_row(f"    {words('board.triggered')}", Items(waiting, f" {glyphs.dot} "))
    if turn.used:
        grid.add_row(f"    {words('board.used')}", _numbers(turn.used))
    if turn.pending is not None:
        amount = CARDS[turn.pending.gizmo].amount
        done = words("board.pending_done", gizmo=turn.pending.gizmo, n=turn.pending.done, of=amount)
        grid.add_row(f"    {words('board.pending')}", done)
    if turn.research is not None:
        grid.add_row(
            f"    {words('board.research', level=NUMERALS[turn.research.level])}",
            " ".join([*map(str, turn.research.seen), *["?"] * turn.research.unknown]) or words("board.none"),
        )
    if turn.awaited:
        grid.add_row(f"    {words('board.awaited')}", ", ".join(map(awaited_text, turn.awaited)))
    return [Text(f"  {words('board.turn')}", "bold"), grid, Text()]
