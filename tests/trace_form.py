"""Positions and actions in the form in which recorded games hold them, as the engine's values."""

from typing import Any

from engine.marbles import Color, Marbles
from engine.position import Deck, Pending, Player, Position, Research, Turn

MAIN_STATES = ("playerTurn", "cardSelected", "deckSelected", "gameEnd")


def color(name: str) -> Color:
    return Color[name.upper()]


def marbles(counts: dict[str, int]) -> Marbles:
    return (counts["red"], counts["blue"], counts["black"], counts["yellow"])


def position_of(recorded: dict[str, Any], to_move: int, *, acted: bool) -> Position:
    """A recorded position, with the decks' hidden order left out; `to_move` counts from 0."""
    players = tuple(
        Player(
            "",
            marbles(each["energy"]),
            tuple(sorted(each["built"])),
            tuple(sorted(each["archive"])),
            each["victory_points"],
        )
        for each in recorded["players"]
    )
    mover, gizmo, research = recorded["players"][to_move], recorded["triggering_gizmo"], recorded["research"]
    used = set(mover["used"]) | ({gizmo} if gizmo else set())
    turn = Turn(
        acted,
        tuple(sorted(set(mover["triggered"]) - used)),
        tuple(sorted(used)),
        Pending(gizmo, recorded["multi_use_count"]) if gizmo and not research else None,
        Research(research["level"], tuple(sorted(research["cards"]))) if research else None,
    )
    return Position(
        players=players,
        to_move=to_move,
        row=marbles(recorded["energy_row"]),
        next=(color(recorded["next"]),) if recorded["next"] else (),
        preview=1,
        display=tuple(tuple(sorted(recorded["display"][level])) for level in "123"),
        decks=tuple(Deck(recorded["deck_sizes"][level]) for level in "123"),
        turn=turn,
    )
