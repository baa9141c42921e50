"""The review of a game as one page that needs nothing else: summaries, a graph, turns with their boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from app.card_text import short_text
from app.pictures.board import board_svg
from app.pictures.game_graph import MARK_COLORS, MARK_INKS, PLAYER_COLORS, game_graph
from app.review_text import better_value, gain_text, lost_text, moment_text, notes, number, seat_names, signed
from app.words import Words
from engine.actions import Reveal
from engine.cards import CARDS
from engine.line import read_line
from engine.notation import parse_line
from engine.record import Record
from solver.review.judge import MARKS
from solver.review.model import Better, PlayerSummary, Review, Turn

_STYLE: Final = """
* { box-sizing: border-box }
body { margin: 0; background: #f4f2ec; color: #1d2733; font: 16px/1.5 "DejaVu Sans", Verdana, system-ui, sans-serif }
main { max-width: 960px; margin: 0 auto; padding: 20px 16px 60px }
h1 { font-size: 1.6em; line-height: 1.2; margin: .2em 0 .6em }
h2 { font-size: 1.15em; margin: 1.8em 0 .6em }
a { color: #1f5fa8 }
.players { display: flex; flex-wrap: wrap; gap: 14px }
.player { flex: 1 1 280px; min-width: 0; background: #fff; border-radius: 8px; padding: 12px 16px }
.player { border-top: 5px solid }
.player h3 { margin: 0; font-size: 1.1em; overflow-wrap: anywhere }
.player .score { font-size: 1.9em; font-weight: bold; line-height: 1.2 }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 10px 0 0; font-size: .9em }
dt { color: #5c6670 } dd { margin: 0 }
.bar { display: flex; height: 14px; border-radius: 7px; overflow: hidden; margin: 10px 0 4px }
.legend { font-size: .8em; color: #5c6670; display: flex; flex-wrap: wrap; gap: 0 12px }
.legend b { color: #1d2733 }
.key { display: inline-block; width: .75em; height: .75em; border-radius: 50%; margin-right: .35em }
.wide { overflow-x: auto; background: #fff; border-radius: 8px; -webkit-overflow-scrolling: touch }
.wide svg { display: block; width: 100%; height: auto; min-width: 680px }
details { background: #fff; border-radius: 8px; margin: 6px 0; border-left: 6px solid #d5d9de; scroll-margin-top: 8px }
summary { cursor: pointer; padding: 8px 14px; display: grid; gap: 0 10px; align-items: baseline }
summary { grid-template-columns: 2.8em 8em 9.5em 1fr }
summary::-webkit-details-marker { display: none }
summary .number { color: #5c6670; text-align: right; white-space: nowrap }
summary .number::before { content: "\\25B8"; float: left }
details[open] summary .number::before { content: "\\25BE" }
summary .name { font-weight: bold; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
summary .line { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: #48535e }
details[open] summary .line { white-space: normal; overflow-wrap: anywhere }
.mark { font-size: .85em; font-weight: bold; white-space: nowrap }
.body { padding: 2px 14px 14px }
.body p { margin: .4em 0; overflow-wrap: anywhere }
.better { background: #eef5ee; border-radius: 6px; padding: 6px 12px; margin: 8px 0 }
.quiet { color: #5c6670; font-size: .9em }
.steps { margin: .3em 0; padding-left: 1.6em; overflow-wrap: anywhere }
ul.plain { padding-left: 1.2em; margin: .4em 0 }
footer { margin-top: 2.4em; color: #5c6670; font-size: .85em }
@media (max-width: 640px) {
  main { padding: 12px 10px 40px }
  summary { grid-template-columns: 2.8em 1fr auto }
  summary .line { grid-column: 1 / -1 }
}
"""
_SCRIPT: Final = """
function show() {
  var turn = document.getElementById(location.hash.slice(1));
  if (turn && turn.tagName === "DETAILS") { turn.open = true; turn.scrollIntoView(); }
}
addEventListener("hashchange", show);
show();
"""


def review_page(words: Words, record: Record, review: Review) -> str:
    """The page, complete: nothing is loaded from elsewhere, and without scripts it can be read as well."""
    names = seat_names(words, record)
    title = review.title or words("review.graph")
    return "".join(_page(words, record, review, names, title))


def _page(words: Words, record: Record, review: Review, names: Sequence[str], title: str) -> Iterator[str]:
    yield f'<!DOCTYPE html>\n<html lang="{words.language}">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
    yield f"<h1>{escape(title)}</h1>\n"
    yield '<div class="players">\n'
    for player in sorted(review.players, key=lambda each: each.place):
        yield from _player(words, player, names[player.seat - 1])
    yield "</div>\n"
    yield f"<h2>{escape(words('review.graph'))}</h2>\n"
    yield f'<div class="wide">{game_graph(words, review, names)}</div>\n'
    if review.moments:
        yield f'<h2>{escape(words("review.moments"))}</h2>\n<ul class="plain">\n'
        for moment in review.moments:
            link = escape(moment_text(words, moment, list(names)))
            yield f'<li><a href="#turn-{moment.number}">{link}</a></li>\n'
        yield "</ul>\n"
    yield f"<h2>{escape(words('review.all_turns'))}</h2>\n"
    for turn in review.turns:
        yield from _turn(words, turn, names[turn.seat - 1])
    judge, bands = words("review.judge", judge=review.judge), words("review.bands")
    source = f"<p>{escape(record.source)}</p>" if record.source else ""
    yield f"<footer><p>{escape(judge)}</p><p>{escape(bands)}</p>{source}</footer>\n"
    yield f"</main>\n<script>{_SCRIPT}</script>\n</body>\n</html>\n"


def _player(words: Words, player: PlayerSummary, name: str) -> Iterator[str]:
    place, turns = words("review.place", n=player.place), words("review.turns", n=player.turns)
    yield f'<section class="player" style="border-color: {PLAYER_COLORS[player.seat - 1]}">\n'
    yield f"<h3>{escape(name)}</h3>\n"
    yield f'<div class="score">{player.score}</div><div class="quiet">{escape(place)}, {escape(turns)}</div>\n'
    yield '<div class="bar">'
    for mark in MARKS:
        if player.marks[mark]:
            yield f'<span style="flex: {player.marks[mark]}; background: {MARK_COLORS[mark]}"></span>'
    yield '</div>\n<div class="legend">'
    for mark in MARKS:
        key = f'<span class="key" style="background: {MARK_COLORS[mark]}"></span>'
        yield f"<span>{key}{escape(words(f'mark.{mark}'))} <b>{player.marks[mark]}</b></span>"
    yield "</div>\n<dl>"
    lost = words("review.lost_value", lost=number(player.lost), alone=number(player.passed_up))
    idle = ", ".join(f"{gizmo} ({short_text(words, CARDS[gizmo], '→')})" for gizmo in player.unused)
    for what, value in (
        ("lost", lost),
        ("luck", signed(player.luck)),
        ("chains", str(player.chains_missed)),
        ("unused", idle or words("review.none")),
    ):
        yield f"<dt>{escape(words(f'review.{what}'))}</dt><dd>{escape(value)}</dd>"
    yield "</dl>\n"
    if player.not_judged:
        yield f"<p>{escape(words('review.not_judged', n=player.not_judged))}</p>\n"
    yield "</section>\n"


def _turn(words: Words, turn: Turn, name: str) -> Iterator[str]:
    color = MARK_COLORS[turn.mark] if turn.mark is not None else "#d5d9de"
    mark = escape(words(f"mark.{turn.mark}")) if turn.mark is not None else ""
    lost = f" -{number(turn.lost)}" if turn.better is not None else ""
    yield f'<details id="turn-{turn.number}" style="border-color: {color}">\n<summary>'
    yield f'<span class="number">{turn.number}</span><span class="name">{escape(name)}</span>'
    ink = MARK_INKS[turn.mark] if turn.mark is not None else "#5c6670"
    yield f'<span class="mark" style="color: {ink}">{mark}{lost}</span>'
    yield f'<span class="line">{escape(turn.played)}</span></summary>\n<div class="body">\n'
    yield f"<p>{escape(', '.join(lost_text(words, turn)))}; "
    yield f"{escape(words('review.expected', text=number(turn.expected)))}</p>\n"
    if turn.better is not None:
        yield from _better(words, turn.better)
    if len(turn.front) > 1:
        yield f'<p class="quiet">{escape(words("review.front"))}:</p>\n<ul class="plain quiet">\n'
        for gain in turn.front:
            yield f"<li>{escape(gain_text(words, 'review.front_row', gain))}</li>\n"
        yield "</ul>\n"
    for note in notes(words, turn):
        yield f'<p class="quiet">{escape(note)}</p>\n'
    yield "</div>\n</details>\n"


def _better(words: Words, better: Better) -> Iterator[str]:
    position = read_line(better.position)
    head = words("review.better_than", move=better.instead_of)
    yield f'<div class="better"><b>{escape(head)}</b>\n<ol class="steps">\n'
    for step in better.text.split("; "):
        yield f"<li>{escape(step)}</li>\n"
    yield f'</ol>\n<div class="quiet">{escape(better_value(words, better))}</div>\n'
    if better.chain:
        used = (f"{link.gizmo} ({short_text(words, CARDS[link.gizmo], '→')})" for link in better.chain)
        yield f'<div class="quiet">{escape(words("review.chain"))}: {escape(", ".join(used))}</div>\n'
    yield "</div>\n"
    yield f'<p class="quiet">{escape(words("review.board"))}:</p>\n<div class="wide">'
    yield board_svg(position, highlight=_marks(better), words=words)
    yield "</div>\n"


def _marks(better: Better) -> dict[int, str]:
    """For every card that the better line builds, files or uses, the number of the first step that does."""
    marks: dict[int, str] = {}
    step = 0
    for move in parse_line(read_line(better.position), better.text):
        if isinstance(move, Reveal):
            continue
        step += 1
        for card in (getattr(move, "card", 0), getattr(move, "gizmo", 0), *getattr(move, "converters", ())):
            if card:
                marks.setdefault(card, str(step))
    return marks
