"""What a position document may say: the pydantic models behind the published JSON Schema (docs/notation.md).

Only the shape is checked here, and each text by itself; `engine.validation` tells what the rules forbid.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from engine.cards import LEVELS, NUMERALS, Level, parse_level
from engine.marbles import parse_marbles
from engine.notation import awaited_text, parse_awaited

FORMAT: Final = "gizmos-position/1"


def _marbles(text: str) -> str:
    parse_marbles(text)
    return text


def _awaited(text: str) -> str:
    return awaited_text(parse_awaited(text))


def _level(value: object) -> Level:
    return parse_level(str(value))


def _once(table: Any) -> Any:
    keys = [str(key).strip().upper() for key in table] if isinstance(table, dict) else []
    for level in LEVELS:
        if str(level) in keys and NUMERALS[level] in keys:
            raise ValueError(f"{NUMERALS[level]} and {level} are the same level, expected one of them")
    return table


MarbleText: TypeAlias = Annotated[str, AfterValidator(_marbles)]
AwaitedText: TypeAlias = Annotated[str, AfterValidator(_awaited)]
LevelNumber: TypeAlias = Annotated[
    int, BeforeValidator(_level), WithJsonSchema({"enum": ["I", "II", "III", "1", "2", "3"], "type": "string"})
]
Cards: TypeAlias = list[int]
CardsOfLevels: TypeAlias = Annotated[dict[LevelNumber, Cards], BeforeValidator(_once)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class DeckDocument(_Table):
    """A face-down deck."""

    size: int | None = Field(default=None, description="how many cards it holds; left out: all that lie nowhere else")
    top: Cards = Field(default=[], description="known cards at its top, from the top down")
    bottom: Cards = Field(default=[], description="known cards at its bottom, from the top down")


DecksOfLevels: TypeAlias = Annotated[dict[LevelNumber, DeckDocument], BeforeValidator(_once)]


class PlayerDocument(_Table):
    """One player's table."""

    name: str = Field(default="", description="what the player is called")
    ring: MarbleText = Field(default="", description="marbles in the ring")
    built: Cards | None = Field(default=None, description="built gizmos; left out: a starting gizmo")
    archive: Cards = Field(default=[], description="archived cards")
    tokens: int = Field(default=0, description="points in victory point tokens")


class PendingDocument(_Table):
    """The effect that is being carried out."""

    gizmo: int = Field(description="the gizmo whose effect it is")
    done: int = Field(default=0, description="how many of its picks or draws are done")


class ResearchDocument(_Table):
    """A research whose cards are looked at."""

    level: LevelNumber = Field(description="the deck, I, II or III")
    seen: Cards | None = Field(default=None, description="the cards seen; left out: not known yet")
    unknown: int = Field(default=0, ge=0, description="how many more cards the player saw that are not known")


class TurnDocument(_Table):
    """What has happened since the main action; given only in the middle of a turn."""

    triggered: Cards = Field(default=[], description="gizmos that wait to be used")
    used: Cards = Field(default=[], description="gizmos and converters used in this turn")
    pending: PendingDocument | None = Field(default=None, description="the effect that is being carried out")
    research: ResearchDocument | None = Field(default=None, description="the research that is going on")
    awaited: list[AwaitedText] = Field(default=[], description="reveals owed: row, next, draw, refill II, research II")


class TableDocument(_Table):
    """What every document about a position says, whatever its format."""

    title: str = Field(default="", description="a title for people")
    to_move: int = Field(default=1, description="seat of the player to move, counted from 1")
    first_player: int = Field(default=1, description="seat of the first player, counted from 1")
    energy_row: MarbleText = Field(default="", description="marbles in the row: R red, U blue, K black, Y yellow")
    next: MarbleText | None = Field(
        default=None, description="marbles known to enter the row next, in order; left out: hidden"
    )
    preview: int | None = Field(
        default=None, description="1 if NEXT is face up by rule; left out: 1 if next is given, else 0"
    )
    display: CardsOfLevels = Field(default={}, description="face-up cards of levels I, II, III")
    decks: DecksOfLevels = Field(default={}, description="the decks of the levels I, II, III")
    players: list[PlayerDocument] = Field(description="the players in the order of their seats")
    turn: TurnDocument | None = Field(default=None, description="given only in the middle of a turn")


class PositionDocument(TableDocument):
    """A position of the board game Gizmos."""

    format: Literal["gizmos-position/1"] = Field(description=f'"{FORMAT}"')
