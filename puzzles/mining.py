"""Mine puzzles out of seeded games: find turns worth posting, prove them, trim them, label them (docs/puzzles.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from hashlib import sha256
from importlib.metadata import version
from random import Random
from time import process_time
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from engine.cards import CARDS, DECK_CARDS, LEVELS
from engine.marbles import letters
from engine.notation import line_text
from engine.position import Position, deck_size, sorted_cards
from engine.setup import new_game
from puzzles.canonical import canonical_form
from puzzles.difficulty import difficulty, traits_of
from puzzles.document import FORMAT, PuzzleDocument, checked, puzzle_data
from puzzles.players import KINDS, Kind, lonely, turns
from puzzles.solving import same_value, solve_puzzle
from puzzles.study import Study, study
from puzzles.themes import themes_of
from puzzles.trimming import cleared, outlook, trimmed
from puzzles.values import reference_values
from solver.objective import Luck, Objective, parse_objective
from solver.proof import prove
from solver.reference import Stopped

FILTERS: Final = (
    "thin engine",
    "worth too little",
    "too large",
    "greedy finds it",
    "several answers",
    "nothing to see",
    "several answers left",
    "not confirmed",
    "duplicate",
)
"""What a turn can be rejected for; of the questions about a turn, the one that came furthest counts."""

_GOOD_GAMBLE: Final = Fraction(3, 10)
"""What a greedy player must lose on average, in points, for a gamble to be a puzzle."""

_CONFIRMING_STATES: Final = 30_000
"""Positions that the reference may look at to confirm a puzzle."""


@dataclass(frozen=True)
class Settings:
    """What a mining run is made of; equal settings give equal puzzles, however many jobs there are.

    `least_value`: points that a turn must be worth; `least_gizmos`: gizmos that a player must have that can be used
    in a turn; `most_states`: positions looked at in one turn before it counts as too large; `most_per_game`: puzzles
    kept out of one game.
    """

    seed: int = 1
    least_value: int = 3
    least_gizmos: int = 4
    most_states: int = 4000
    most_per_game: int = 3


@dataclass
class Yield:
    """What one game gave: puzzle documents as tables, how many turns met each fate, and the seconds it took."""

    game: int
    puzzles: list[dict[str, Any]] = field(default_factory=list)
    fates: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


Fate: TypeAlias = str


def mine_game(settings: Settings, game: int) -> Yield:
    """Mine one game. Everything follows from the settings and the number of the game, but for `seconds`."""
    started = process_time()
    rng = Random(f"gizmos {settings.seed} {game}")
    kinds: tuple[Kind, ...] = (rng.choice(KINDS), rng.choice(KINDS))
    start = _head_start(new_game(len(kinds), rng.randrange(1 << 30)), rng)
    found = Yield(game)
    gambled = False
    for number, position in enumerate(turns(start, kinds, rng)):
        if len(found.puzzles) >= settings.most_per_game:
            break
        found.fates["turns"] += 1
        fate, kept = mine_turn(settings, position, gamble=not gambled)
        if kept is not None:
            provenance = {"seed": settings.seed, "game": game, "turn": number, "players": list(kinds)}
            table = confirmed(_document(kept, provenance))
            if table is None:
                fate = "not confirmed"
            else:
                found.puzzles.append(table)
                gambled = gambled or kept.luck == "average"
        found.fates[fate] += 1
    found.seconds = process_time() - started
    return found


@dataclass(frozen=True)
class Question:
    """A position with what could be asked about it; `least`: what the first term must come to."""

    position: Position
    objective: Objective
    luck: Luck
    least: Fraction


def mine_turn(settings: Settings, position: Position, *, gamble: bool = True) -> tuple[Fate, Study | None]:
    """Look at one turn: what became of it, and the puzzle if it is one. Without `gamble` all luck is bad luck."""
    if useful_gizmos(position) < settings.least_gizmos:
        return "thin engine", None
    fate = "worth too little"
    for question in questions(settings, position):
        if question.luck == "average" and not gamble:
            continue
        found, kept = _mine_question(settings, question)
        if kept is not None:
            return found, kept
        fate = max(fate, found, key=FILTERS.index)
    return fate, None


def questions(settings: Settings, position: Position) -> Iterator[Question]:
    """What to ask about a turn, the best question first.

    Whether the game can be won in the last round; whether to gamble on a research; points; points, then marbles. All
    but the gamble are asked of the player's table alone, without opponents and decks, and under worst luck.
    """
    alone = lonely(position)
    last = (position.to_move + 1) % len(position.players) == position.first_player and position.last_round
    if last:
        others = [player.score for seat, player in enumerate(position.players) if seat != position.to_move]
        needed = max(others) + 1
        if position.player.score < needed:
            yield Question(alone, parse_objective(f"goal: total >= {needed}"), "worst", Fraction(1))
    yield Question(alone, parse_objective("score"), "worst", Fraction(settings.least_value))
    yield Question(alone, parse_objective("score,marbles"), "worst", Fraction(settings.least_value))
    if _may_gamble(position):
        yield Question(replace(alone, decks=position.decks), parse_objective("score"), "average", Fraction(5, 2))


def _may_gamble(position: Position) -> bool:
    """True if many cards can be looked at, and no gizmo takes cards (then a research does not end with one choice)."""
    takes = {"research", "file", "free-build-level-1"}
    board = position.player.dashboard
    calm = not any(CARDS[number].effect in takes for number in position.player.built)
    return calm and board.can_research and board.research_amount >= 5


def useful_gizmos(position: Position) -> int:
    """How many gizmos of the player to move can be used in a turn."""
    cards = [CARDS[number] for number in position.player.built]
    return sum(bool(card.trigger or card.convert_uses) for card in cards)


def _mine_question(settings: Settings, question: Question) -> tuple[Fate, Study | None]:
    most, ask = settings.most_states, (question.objective, question.luck)
    try:
        seen = outlook(question.position, *ask, most)
        if seen.value[0] < question.least:
            return "worth too little", None
        if not any(seen.loss):
            return "greedy finds it", None
        small = study(trimmed(question.position, *ask, most), *ask, most)
    except Stopped:
        return "too large", None
    if len(small.rough_answers) > 1:
        return "several answers", None
    if not _instructive(small):
        return "nothing to see", None
    small = cleared(small, most)
    return ("kept", small) if small.unique else ("several answers left", None)


_ABOUT_PLAY: Final = {"order-matters", "sacrifice", "payment-matters", "ring-room", "overpaid", "quiet-move"}
_ABOUT_CARDS: Final = {
    "archive-build",
    "converter-chain",
    "end-award",
    "free-build",
    "last-round",
    "long-chain",
    "new-gizmo",
    "new-limit",
}


def _instructive(puzzle: Study) -> bool:
    """True if there is more to a puzzle than picking the right marble: at least two deeds, and a theme that tells.

    Where marbles decide, that must be a theme about how the turn is played, not about what there is on the table;
    where luck counts on average, it must be a gamble, and a good one.
    """
    told = set(themes_of(puzzle))
    if puzzle.luck == "average":
        return "research-gamble" in told and puzzle.loss[0] >= _GOOD_GAMBLE
    wanted = _ABOUT_PLAY if len(puzzle.objective.terms) > 1 else _ABOUT_PLAY | _ABOUT_CARDS
    return len(puzzle.answer) > 1 and bool(told & wanted)


def _head_start(position: Position, rng: Random) -> Position:
    """Give each player gizmos that cause effects, so that chains come early; nobody's level III gizmos end the game."""
    amounts = {1: rng.randrange(8), 2: rng.randrange(8), 3: rng.randrange(4)}
    players = [list(player.built) for player in position.players]
    for level in LEVELS:
        shown = position.display[level - 1]
        useful = [n for n in DECK_CARDS[level] if n not in shown and (CARDS[n].effect or CARDS[n].area != "upgrade")]
        given = rng.sample(useful, amounts[level] * len(players))
        for seat, built in enumerate(players):
            built.extend(given[seat :: len(players)])
    position = replace(
        position,
        players=tuple(
            replace(player, built=sorted_cards(built)) for player, built in zip(position.players, players, strict=True)
        ),
    )
    decks = tuple(
        replace(position.deck(level), size=deck_size(level, len(DECK_CARDS[level]) - len(position.unseen(level))))
        for level in LEVELS
    )
    return replace(position, decks=decks)


def _document(kept: Study, provenance: dict[str, Any]) -> dict[str, Any]:
    """A kept puzzle as the table of a puzzle document; the proof is added by `confirm`."""
    moves = [move for each in kept.line for move in (each.action, *each.reveals)]
    form = canonical_form(kept.position, kept.objective, kept.luck)
    ring = letters(kept.position.player.ring) or "an empty ring"
    bare = PuzzleDocument.model_validate(
        {
            "format": FORMAT,
            "id": f"t{sha256(form.encode()).hexdigest()[:8]}",
            "title": f"{ring} and {len(kept.position.player.built)} gizmos",
            "source": "Mined from a game between programs",
            "objective": str(kept.objective),
            "luck": kept.luck,
            "difficulty": difficulty(kept),
            "themes": themes_of(kept),
            "answer": {
                "value": [float(term) for term in kept.value],
                "lines": [line_text(kept.position, moves)],
                "proof": {"by": ["reference"], "version": version("gizmos-solver"), "unique": True},
            },
            "traits": asdict(traits_of(kept)),
            "provenance": {**provenance, "version": version("gizmos-solver")},
            "players": [{}],
        }
    )
    return puzzle_data(bare, kept.position)


def confirmed(table: dict[str, Any]) -> dict[str, Any] | None:
    """The puzzle with all solvers that agree with its answer; None if one does not, or can't tell.

    `solve` and the reference must come to the stored value, and the stored line is judged as a player's line would be.
    Where no unknown card or marble can be used, CP-SAT must prove the same value, and count one best turn.
    """
    puzzle = checked(PuzzleDocument.model_validate(table))
    stored = [Fraction(term) for term in table["answer"]["value"]]
    solved = solve_puzzle(puzzle)
    if solved.verdict != "right":
        return None
    values = reference_values(puzzle.position, puzzle.objective, puzzle.luck, _CONFIRMING_STATES)
    try:
        if not same_value([float(term) for term in max(values.actions(puzzle.position))], table["answer"]["value"]):
            return None
    except Stopped:
        return None
    by = {"reference", solved.solver}
    proof = prove(puzzle.position, objective=puzzle.objective, count=2)
    if proof.status == "optimal":
        agrees = [Fraction(term) for term in proof.value] == stored
        if not agrees or proof.count is None or not proof.count.complete or proof.count.turns != 1:
            return None
        by.add("cp-sat")
    about = {**table["answer"]["proof"], "by": sorted(by)}
    return {**table, "answer": {**table["answer"], "proof": about}}


def merge(found: Iterable[Yield]) -> tuple[list[dict[str, Any]], Counter[str]]:
    """Puzzles of all games in the order of the games, each kind only once, and the fates of all turns."""
    seen: set[str] = set()
    puzzles: list[dict[str, Any]] = []
    fates: Counter[str] = Counter()
    for each in sorted(found, key=lambda one: one.game):
        fates.update(each.fates)
        for puzzle in each.puzzles:
            if puzzle["id"] in seen:
                fates["duplicate"] += 1
                fates["kept"] -= 1
                continue
            seen.add(puzzle["id"])
            puzzles.append(puzzle)
    return puzzles, fates
