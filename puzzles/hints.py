"""What to say about a puzzle without giving its answer away: the question, and hints in steps."""

from __future__ import annotations

from typing import Final

from engine.actions import Action, Build, File, Pick, ResearchDeck, Reveal
from engine.cards import CARDS
from engine.notation import parse_line
from puzzles.document import Puzzle
from solver.objective import AmountGoal, CardGoal, Condition, Goal, RingGoal

_MEASURES: Final = {
    "score": "as many points as you can this turn",
    "activations": "as many gizmos as you can, converters included",
    "marbles": "as many marbles in your ring at the end of the turn as you can",
}
_VERBS: Final = {"score": "Win", "activations": "Use", "marbles": "Have"}
_AMOUNTS: Final = {
    "score": "points won this turn",
    "total": "points in all",
    "marbles": "marbles in your ring",
    "gizmos": "gizmos built",
    "level III": "gizmos of level III built",
}
_LUCKS: Final = {
    "worst": "Count on bad luck: what can you guarantee?",
    "average": "Unknown marbles and cards count on average.",
    "best": "Hope for the best: what could happen?",
}
THEME_WORDS: Final = {
    "archive-build": "a build out of the archive",
    "converter": "a converter",
    "converter-chain": "converters that feed each other",
    "discount": "a discount",
    "draw-three": "drawing three",
    "end-award": "points that are paid at the end of the game",
    "file-trigger": "filing that sets off gizmos",
    "free-build": "a free build",
    "last-round": "the end of the game",
    "level-two-trigger": "a level II build that sets off gizmos",
    "long-chain": "a long chain",
    "negator": "a card that forbids filing or research",
    "new-gizmo": "a gizmo that is used in the turn in which it is built",
    "new-limit": "a limit that is raised in time",
    "order-matters": "the right order",
    "overpaid": "paying more than you must",
    "payment-matters": "the right payment",
    "pick-two": "picking two",
    "quiet-move": "a first move that is no build",
    "research": "research",
    "research-gamble": "a gamble on research",
    "ring-room": "room in the ring",
    "sacrifice": "points that are better left alone",
}


def question(puzzle: Puzzle) -> str:
    """What is asked, in sentences.

    >>> from puzzles.finding import shipped_puzzles
    >>> question(shipped_puzzles()["three-listeners"].read())
    'Win as many points as you can this turn.'
    """
    first, *others = puzzle.objective.terms
    if isinstance(first, Goal):
        asked = f"End the turn with {_and([_wish(condition) for condition in first.conditions])}"
    else:
        asked = f"{_VERBS[first]} {_MEASURES[first]}"
    for term in others:
        wishes = [_wish(condition) for condition in term.conditions] if isinstance(term, Goal) else [_MEASURES[term]]
        asked += f"; then: {_and(wishes)}"
    position = puzzle.position
    sure = not any(deck.unknown for deck in position.decks) and puzzle.luck == "worst"
    needless = sure and not any(position.row) and "marbles" not in puzzle.objective.terms
    return f"{asked}." if needless else f"{asked}. {_LUCKS[puzzle.luck]}"


def _wish(condition: Condition) -> str:
    """A condition in words."""
    match condition:
        case CardGoal():
            return f"card {condition.card} {condition.where}"
        case RingGoal():
            color = condition.color.name.lower()
            return f"at least {condition.least} {color} marble{'s' if condition.least > 1 else ''} in your ring"
        case AmountGoal():
            return f"at least {condition.least} {_AMOUNTS[condition.what]}"


def hints(puzzle: Puzzle) -> list[str]:
    """Hints, the vaguest first: those of the author, else what the stored answer is worth and about."""
    document = puzzle.document
    if document.hints:
        return list(document.hints)
    told: list[str] = []
    if puzzle.answer is None:
        return told
    value = ", then ".join(f"{term:g}" for term in puzzle.answer.value)
    told.append(f"The best turn comes to {value} ({puzzle.objective}).")
    themes = [THEME_WORDS[theme] for theme in document.themes if theme in THEME_WORDS]
    if themes:
        told.append(f"It is about {_and(themes)}.")
    actions = _actions(puzzle)
    if actions:
        told.append(f"It begins with {_kind(actions[0])}.")
        used = sorted({gizmo for action in actions for gizmo in _gizmos(action)})
        if used:
            told.append(f"These gizmos take part, in some order: {', '.join(map(str, used))}.")
    return told


def _actions(puzzle: Puzzle) -> list[Action]:
    lines = puzzle.answer.lines if puzzle.answer else []
    return [move for line in lines[:1] for move in parse_line(puzzle.position, line) if not isinstance(move, Reveal)]


def _kind(action: Action) -> str:
    match action:
        case Build():
            color = CARDS[action.card].color_name
            where = "out of the archive" if action.source == "archive" else "from the display"
            return f"a build {where}: a card of {color if color == 'any' else f'the colour {color}'}"
        case Pick():
            return "a pick"
        case File():
            return "a File"
        case ResearchDeck():
            return "a research"
        case _:
            return "something else than a build, a pick, a File or a research"


def _gizmos(action: Action) -> list[int]:
    gizmo = getattr(action, "gizmo", 0)
    return [*([gizmo] if gizmo else []), *(action.converters if isinstance(action, Build) else ())]


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
