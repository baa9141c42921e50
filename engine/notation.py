"""Actions, reveals and lines as text, written to be read aloud and read back (docs/notation.md).

What is written is complete. What is read may leave out whatever only one legal action fits: where a card lies, whose
effect it is, what is paid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple, get_args

from msgspec.structs import replace

from engine.actions import (
    UNKNOWN_CARD,
    Action,
    Build,
    Draw,
    EndTurn,
    File,
    Move,
    Pass,
    Pick,
    Points,
    ResearchDeck,
    Reveal,
    Skip,
    Source,
)
from engine.cards import NUMERALS, parse_level
from engine.errors import AmbiguousActionError, IllegalActionError, UnreadableError, quoted
from engine.marbles import LETTERS, NO_MARBLES, count, letters, parse_color
from engine.position import Awaited, Position, RevealKind
from engine.reveals import reveal, weighted_reveals
from engine.rules import apply, is_legal, legal_actions

UNKNOWN: Final = "?"
"""A researched card that nobody wrote down."""

_SHOWN: Final = 12
"""How many actions or reveals a message lists."""


def action_text(action: Action) -> str:
    """Write an action in full.

    >>> action_text(Build(208, "archive", count("YY"), (217,)))
    'build 208 from archive with YY via 217'
    >>> action_text(File(118, gizmo=325)), action_text(Pass((203, 211)))
    ('325: file 118', 'pass, bottom 203 211')
    """
    gizmo = getattr(action, "gizmo", 0)
    return f"{gizmo}: {_plain(action)}" if gizmo else _plain(action)


def reveal_text(outcome: Reveal) -> str:
    """Write a reveal as it stands in the parentheses after an action.

    >>> reveal_text(Reveal("row", 0)), reveal_text(Reveal("draw", 0)), reveal_text(Reveal("refill", 203))
    ('row R', 'R', 'refill 203')
    """
    value = LETTERS[outcome.value] if outcome.kind in ("row", "next", "draw") else str(outcome.value or UNKNOWN)
    return value if outcome.kind in ("draw", "research") else f"{outcome.kind} {value}"


def parse_reveal(position: Position, text: str) -> Reveal:
    """Read the reveal that nature owes next; its kind may be left out, and a researched card be `?` (not known).

    >>> from engine.position import Player, Turn
    >>> position = Position((Player(),), turn=Turn(acted=True, awaited=(Awaited("draw"),)))
    >>> reveal_text(parse_reveal(position, "draw yellow"))
    'Y'

    Raises UnreadableError or IllegalActionError.
    """
    match = _REVEAL.fullmatch(" ".join(text.split()))
    if match is None:
        raise UnreadableError(f"{quoted(text)} is not a reveal: expected one such as `row R`, `refill 203` or `draw U`")
    return _parse_reveal(position, text.strip(), match["kind"], match["value"])


def awaited_text(awaited: Awaited) -> str:
    """Write which reveal is owed.

    >>> awaited_text(Awaited("refill", 2)), awaited_text(Awaited("draw"))
    ('refill II', 'draw')
    """
    return f"{awaited.kind} {NUMERALS[awaited.level]}" if awaited.level else awaited.kind


def parse_awaited(text: str) -> Awaited:
    """Read what `awaited_text` writes.

    >>> parse_awaited("Refill 2")
    Awaited(kind='refill', level=2)

    Raises UnreadableError.
    """
    kind, *level = text.split() or [""]
    for known in get_args(RevealKind):
        if kind.lower() == known and len(level) == (known in ("refill", "research")):
            return Awaited(known, parse_level(level[0]) if level else 0)
    expected = "row, next, draw, refill LEVEL or research LEVEL"
    raise UnreadableError(f"{quoted(text)} is not a reveal that can be owed: expected {expected}")


def line_text(position: Position, moves: Iterable[Move]) -> str:
    """Write moves that can be played from a position.

    >>> from engine.position import Player
    >>> line_text(Position((Player(), Player()), row=count("Y")), [Pick(parse_color("Y")), Reveal("row", 0)])
    'pick Y (row R)'

    Raises IllegalActionError for a move that can't be played.
    """
    steps: list[tuple[str, list[Reveal]]] = []
    for move in moves:
        if isinstance(move, Reveal):
            position = reveal(position, move)
            if not steps:
                steps.append(("", []))
            steps[-1][1].append(move)
        else:
            position = apply(position, move)
            steps.append((action_text(move), []))
    return "; ".join(step_text(action, outcomes) for action, outcomes in steps)


def parse_action(position: Position, text: str) -> Action:
    """Read an action that is legal in a position.

    >>> from engine.position import Player
    >>> position = Position((Player(ring=count("Y"), archive=(104,)),))
    >>> action_text(parse_action(position, "Build 104 with yellow"))
    'build 104 from archive with Y'

    Raises UnreadableError, IllegalActionError, or AmbiguousActionError if what was left out could be several things.
    """
    request = _read_request(text)
    legal = legal_actions(position)
    fitting = [action for action in legal if request.fits(action)]
    if len(fitting) > 1:
        raise AmbiguousActionError(f"{quoted(text)} could be any of: {_listed(map(action_text, fitting))}")
    candidates = fitting or list(request.unlisted(legal))
    for action in candidates:
        chosen = replace(action, order=request.order) if request.order else action
        if is_legal(position, chosen):
            return chosen
    raise IllegalActionError(f"{quoted(text)} is not legal here: {_expected(position, request, legal)}")


def parse_line(position: Position, text: str) -> tuple[Move, ...]:
    """Read a line by playing it from a position: steps separated by `;` or line ends, each an action and its reveals.

    >>> from engine.position import Player
    >>> len(parse_line(Position((Player(), Player()), row=count("YU")), "pick Y (row R); pick blue"))
    3

    Raises what `parse_action` raises. The line may end while reveals are owed.
    """
    moves: list[Move] = []
    for step in re.split(r"[;\n]", text):
        if not step.strip():
            continue
        parts = re.fullmatch(r"\s*([^()]*?)\s*(?:\(([^()]*)\))?\s*", step)
        if parts is None:
            raise UnreadableError(f"{quoted(step)} is not a step: expected an action, then its reveals in parentheses")
        action, outcomes = parts[1], parts[2] or ""
        if action:
            if position.is_chance:
                raise IllegalActionError(f"{quoted(action)} is not legal here: {_owed(position)}")
            chosen = parse_action(position, action)
            moves.append(chosen)
            position = apply(position, chosen)
        for match in _REVEAL.finditer(" ".join(outcomes.replace(",", " ").split())):
            outcome = _parse_reveal(position, step.strip(), match["kind"], match["value"])
            moves.append(outcome)
            position = reveal(position, outcome)
    return tuple(moves)


def _plain(action: Action) -> str:
    match action:
        case Pick():
            return f"pick {LETTERS[action.color]}"
        case File():
            return f"file {action.card}{_from(action.source)}{_bottom(action.order)}"
        case Build():
            return f"build {action.card}{_from(action.source)}{_paying(action)}{_bottom(action.order)}"
        case ResearchDeck():
            return f"research {NUMERALS[action.level]}"
        case Pass():
            return f"pass{_bottom(action.order)}"
        case Draw() | Points() | Skip() | EndTurn():
            return _verb(action)


def _verb(action: Action) -> str:
    return str(action.__struct_config__.tag)


def _from(source: Source) -> str:
    return "" if source == "display" else f" from {source}"


def _bottom(order: tuple[int, ...]) -> str:
    return f", bottom {_numbers(order)}" if order else ""


def _paying(build: Build) -> str:
    if build.gizmo:
        return ""
    spend = f" with {letters(build.spend)}" if any(build.spend) else " for free"
    return f"{spend} via {_numbers(build.converters)}" if build.converters else spend


def _numbers(cards: Iterable[int]) -> str:
    return " ".join(str(number) for number in cards)


def step_text(action: str, outcomes: list[Reveal]) -> str:
    """Write a step of a line: the text of an action, and in parentheses what was revealed after it."""
    if not outcomes:
        return action
    separator = " " if outcomes[0].kind == "research" else ", "
    return f"{action} ({separator.join(map(reveal_text, outcomes))})".strip()


class _Form(NamedTuple):
    """How an action is written: what its text matches (single blanks, no commas), and the same in words."""

    pattern: re.Pattern[str]
    usage: str


def _form(pattern: str, usage: str) -> _Form:
    return _Form(re.compile(rf"(?:(?P<gizmo>\d{{3}}) ?: ?)?{pattern}", re.ASCII | re.IGNORECASE), usage)


_CARDS: Final = r"\d{3}(?: \d{3})*"
_FROM: Final = rf"(?: from (?P<source>{'|'.join(get_args(Source))}))?"
_PAYING: Final = rf"(?: for (?P<spend>free)| with (?P<marbles>.+?))?(?: via (?P<converters>{_CARDS}))?"
_BOTTOM: Final = rf"(?: bottom (?P<order>{_CARDS}))?"
_FORMS: Final[dict[str, _Form]] = {
    "pick": _form(r"pick (?P<color>\S+)", "`pick COLOUR`, such as `pick Y` or `227: pick Y`"),
    "file": _form(rf"file (?P<card>\d{{3}}){_FROM}{_BOTTOM}", "`file CARD [from research] [bottom CARDS]`"),
    "build": _form(
        rf"build (?P<card>\d{{3}}){_FROM}{_PAYING}{_BOTTOM}",
        "`build CARD [from archive|research] [with MARBLES|for free] [via CONVERTERS] [bottom CARDS]`, "
        "such as `build 208 from archive with YY via 217`",
    ),
    "research": _form(r"research (?P<level>\S+)", "`research LEVEL`, such as `research II`"),
    "draw": _form("draw", "`GIZMO: draw`, such as `113: draw`"),
    "points": _form("points", "`GIZMO: points`, such as `133: points`"),
    "skip": _form("skip", "`skip`"),
    "pass": _form(f"pass{_BOTTOM}", "`pass [bottom CARDS]`"),
    "end turn": _form("end turn", "`end turn`"),
}
_REVEAL: Final = re.compile(rf"(?:(?P<kind>{'|'.join(get_args(RevealKind))}) )?(?P<value>\S+)", re.IGNORECASE)


def _card_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split())


_READERS: Final[dict[str, tuple[str, Callable[[str], Any]]]] = {
    "gizmo": ("gizmo", int),
    "color": ("color", parse_color),
    "card": ("card", int),
    "level": ("level", parse_level),
    "source": ("source", str.lower),
    "spend": ("spend", lambda _: NO_MARBLES),
    "marbles": ("spend", count),
    "converters": ("converters", lambda text: tuple(sorted(_card_numbers(text)))),
    "order": ("order", _card_numbers),
}
"""For each named group of a form: the field of the action, and what reads it."""


class _Request(NamedTuple):
    """What a text says about an action: `said` holds the fields it names, but for the order of returned cards."""

    verb: str
    said: dict[str, Any]
    order: tuple[int, ...]

    def fits(self, action: Action) -> bool:
        """True if the text can mean this listed action."""
        return _verb(action) == self.verb and all(
            getattr(action, name, None) == value for name, value in self.said.items()
        )

    def unlisted(self, legal: Iterable[Action]) -> Iterator[Action]:
        """The builds it can mean with superfluous converters, which are legal but not listed."""
        if {"spend", "converters"} <= self.said.keys():
            offered = {(each.card, each.source) for each in legal if isinstance(each, Build) and not each.gizmo}
            for card, source in sorted(offered):
                build = Build(card, source, self.said["spend"], self.said["converters"])
                if self.fits(build):
                    yield build


def _read_request(text: str) -> _Request:
    plain = " ".join(text.replace(",", " ").split())
    verb = next((verb for verb in _FORMS if re.match(rf"(?:\S+ ?: ?)?{verb}\b", plain, re.IGNORECASE)), None)
    if verb is None:
        raise UnreadableError(f"{quoted(text)} is not an action: expected one of {', '.join(_FORMS)}")
    match = _FORMS[verb].pattern.fullmatch(plain)
    if match is None:
        raise UnreadableError(f"{quoted(text)} can't be read: expected {_FORMS[verb].usage}")
    said: dict[str, Any] = {}
    for group, value in match.groupdict().items():
        if value is not None:
            field, read = _READERS[group]
            try:
                said[field] = read(value)
            except UnreadableError as error:
                raise UnreadableError([f"{quoted(text)}: {fault}" for fault in error.faults]) from error
    order = said.pop("order", ())
    return _Request(verb, said, order)


def _parse_reveal(position: Position, step: str, kind: str | None, text: str) -> Reveal:
    if not position.is_chance:
        raise IllegalActionError(f"{quoted(step)}: {quoted(text)} is one reveal too many: nature owes nothing")
    awaited = position.turn.awaited[0]
    possible = {reveal_text(each).split()[-1]: each for each, _ in weighted_reveals(position)}
    try:
        word = text if awaited.level else parse_color(text).letter
    except UnreadableError as error:
        raise UnreadableError([f"{quoted(step)}: {fault}" for fault in error.faults]) from error
    if word == UNKNOWN and awaited.kind == "research" and len(possible) > 1:
        possible[word] = Reveal("research", UNKNOWN_CARD)
    if word not in possible or (kind or awaited.kind).lower() != awaited.kind:
        raise IllegalActionError(f"{quoted(step)}: {quoted(text)} can't be revealed here: {_owed(position)}")
    return possible[word]


def _owed(position: Position) -> str:
    possible = _listed(reveal_text(each) for each, _ in weighted_reveals(position))
    return f"nature owes a reveal ({awaited_text(position.turn.awaited[0])}), expected in parentheses: {possible}"


def _expected(position: Position, request: _Request, legal: tuple[Action, ...]) -> str:
    if position.is_chance:
        return _owed(position)
    if not legal:
        return "the game is over"
    alike = [action for action in legal if request.fits(action)] or [a for a in legal if _verb(a) == request.verb]
    return f"expected {_listed(map(action_text, alike or legal))}"


def _listed(texts: Iterable[str]) -> str:
    every = list(texts)
    rest = len(every) - _SHOWN
    return ", ".join(f"`{text}`" for text in every[:_SHOWN]) + (f" or one of {rest} more" if rest > 0 else "")
