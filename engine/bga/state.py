"""The state object of a page (`gameui.gamedatas`) as a position.

Identifiers only: no text that the site translates is read. Keys that are not needed are ignored. What is missing or
unknown becomes a fault that names the key, and everything else is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from engine.bga.values import Faults, ascending, flag, shown
from engine.cards import CARDS, LEVELS, Level
from engine.errors import UnreadableError
from engine.marbles import Color, Marbles, count
from engine.position import Awaited, Deck, Pending, Player, Position, Research, Turn, deck_size
from engine.validation import faults as impossible

PREVIEW: Final = 1
"""How many of the marbles to come lie face up on Board Game Arena."""

_MAIN: Final = {"playerTurn", "cardSelected"}
_RESEARCH: Final = {"research", "researchedCardSelected"}
_EFFECT: Final = {"triggerSphereSelect", "triggerDraw", "triggerFile", "triggerResearch", "buildLevel1For0"}
_CHOOSING: Final = "triggerSelect"
_DECK: Final = "deckSelected"
_OVER: Final = {"gameEnd"}
_THIRD_DRAW: Final = "may draw a third energy or cancel to skip"
_SECOND_DRAW: Final = "may draw a second energy or cancel to skip"
_STALE: Final = "the page is older than the game: reload it, then copy again"


class Imported(NamedTuple):
    """A position, the ids of its players in order of seats, and what was wrong with the page's state."""

    position: Position
    ids: tuple[str, ...]
    faults: tuple[str, ...]


def marble_color(sphere_id: int) -> Color:
    """The colour of a marble by its number on the site.

    >>> marble_color(3).name, marble_color(52).name
    ('YELLOW', 'RED')
    """
    return Color(sphere_id % 4)


def read_state(data: Mapping[str, Any], *, player: int | None = None) -> Imported:
    """The position that a page's state describes, hidden cards unknown.

    `player`: the seat (from 1) that is to take the next turn, as if the turn in progress were over; by default the one
    who is to act.

    Raises UnreadableError if there are no players in it, or no such seat.
    """
    reader = _Reader(dict(data))
    position = reader.position()
    if player is not None:
        if not 1 <= player <= len(position.players):
            raise UnreadableError(f"player {player}: expected 1 to {len(position.players)}, as many as play")
        position = _next_turn_of(position, player - 1)
    found = (*reader.faults.found, *(impossible(position) if not reader.faults.found else ()))
    return Imported(position, reader.ids, found)


def _next_turn_of(position: Position, seat: int) -> Position:
    """The same table with a seat about to take its turn; cards being researched go back to their deck."""
    if seat == position.to_move and not position.turn.acted:
        return position
    research = position.turn.research
    decks = position.decks
    if research is not None and research.seen:
        deck = position.deck(research.level)
        back = replace(deck, size=deck.size + len(research.seen), bottom=research.seen)
        decks = (*decks[: research.level - 1], back, *decks[research.level :])
    return replace(position, to_move=seat, decks=decks, turn=Turn())


class _Reader:
    """Reads one state object; `faults` collects what is wrong with it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.faults = Faults()
        self._data = data
        self._players = self._by_seat()
        self.ids = tuple(self._players)
        self._cards = self._table("gizmo_cards")
        gamestate = self._table("gamestate")
        self._name = self.faults.field(gamestate, "name", "gamestate")
        self._active = str(gamestate.get("active_player", ""))
        args = gamestate.get("args")
        self._args = self.faults.table(args, "gamestate.args") if args else {}

    def position(self) -> Position:
        """The position, as far as it can be read."""
        rings, row, following = self._marbles()
        players = tuple(
            Player(
                name=str(player.get("name") or ""),
                ring=rings[number],
                built=self._owned(number, "built"),
                archive=self._owned(number, "filed"),
                tokens=self.faults.number(player.get("victory_points"), f"players.{number}.victory_points", 0),
            )
            for number, player in self._players.items()
        )
        position = Position(
            players=players,
            row=row,
            next=following,
            preview=PREVIEW,
            display=tuple(self._display(level) for level in LEVELS),
        )
        position = replace(position, to_move=self._to_move())
        position = self._with_turn(position)
        position = replace(position, decks=self._decks(position))
        self._check_fresh()
        return position

    def _table(self, key: str) -> dict[str, Any]:
        if key not in self._data:
            self.faults.add(key, "the key is missing")
            return {}
        return self.faults.table(self._data[key], key)

    def _by_seat(self) -> dict[str, dict[str, Any]]:
        found = self._table("players")
        seats: dict[str, int] = {}
        players: dict[str, dict[str, Any]] = {}
        for index, (key, value) in enumerate(found.items()):
            player = self.faults.table(value, f"players.{key}")
            number = str(player.get("id", key))
            players[number] = player
            place = f"players.{key}.player_no"
            seats[number] = self.faults.number(player.get("player_no"), place, index + 1, "the seat, from 1")
        if not players:
            raise UnreadableError(["players: there are none, expected 2 to 4", *self.faults.found])
        return {number: players[number] for number in sorted(players, key=lambda each: seats[each])}

    def _marbles(self) -> tuple[dict[str, Marbles], Marbles, tuple[Color, ...]]:
        places: dict[str, list[Color]] = {place: [] for place in (*self.ids, "row", "next", "dispenser")}
        for key, value in self._table("spheres").items():
            sphere = self.faults.table(value, f"spheres.{key}")
            number = self.faults.number(sphere.get("sphere_id"), f"spheres.{key}.sphere_id", -1, "a marble's number")
            where = str(sphere.get("location"))
            if where not in places:
                expected = "row, next or a player's id"
                self.faults.add(f"spheres.{key}.location", f"{shown(sphere.get('location'))}, expected {expected}")
            elif number >= 0:
                places[where].append(marble_color(number))
        rings = {number: count(tuple(places[number])) for number in self.ids}
        return rings, count(tuple(places["row"])), tuple(places["next"])

    def _display(self, level: Level) -> tuple[int, ...]:
        place = f"gizmo_cards.{level}"
        if self._cards and str(level) not in self._cards:
            self.faults.add(place, "the key is missing")
        shelf = self.faults.table(self._cards.get(str(level), {}), place)
        return ascending(self._number(card, f"{place}.{key}") for key, card in shelf.items())

    def _owned(self, player: str, what: str) -> tuple[int, ...]:
        return ascending(number for number, _ in self._owned_cards(player, what))

    def _owned_cards(self, player: str, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
        place = f"gizmo_cards.{player}"
        if self._cards and player not in self._cards:
            self.faults.add(place, "the key is missing")
        owned = self.faults.table(self._cards.get(player, {}), place)
        if owned and what not in owned:
            self.faults.add(place, f"the key {what!r} is missing")
        for key, card in self.faults.table(owned.get(what, {}), f"{place}.{what}").items():
            where = f"{place}.{what}.{key}"
            yield self._number(card, where), self.faults.table(card, where)

    def _number(self, card: Any, place: str) -> int:
        table = self.faults.table(card, place)
        return self.faults.card(self.faults.field(table, "type_arg", place), f"{place}.type_arg") if table else 0

    def _to_move(self) -> int:
        if self._name in _OVER:
            return 0
        if self._active in self.ids:
            return self.ids.index(self._active)
        self.faults.add("gamestate.active_player", f"{shown(self._active)}, expected one of {', '.join(self.ids)}")
        return 0

    def _with_turn(self, position: Position) -> Position:
        triggered: list[int] = []
        used: list[int] = []
        if self._name not in _OVER and self._active in self.ids:
            for number, card in self._owned_cards(self._active, "built"):
                if flag(card.get("is_used")):
                    used.append(number)
                elif flag(card.get("is_triggered")):
                    triggered.append(number)
        acting = self._acting(triggered, used)
        if acting and acting in triggered:
            triggered.remove(acting)
        if acting and acting not in used:
            used.append(acting)
        turn = Turn(acted=True, triggered=ascending(triggered), used=ascending(used))
        if self._name in _RESEARCH:
            return self._with_research(position, turn)
        if self._name in _EFFECT or acting:
            pending = Pending(acting, self._done(acting)) if acting else None
            return replace(position, turn=replace(turn, pending=pending))
        if self._name == _CHOOSING:
            return replace(position, turn=turn)
        if self._name not in _MAIN | _OVER | {_DECK}:
            known = ", ".join(sorted(_MAIN | _RESEARCH | _EFFECT | _OVER | {_CHOOSING, _DECK}))
            self.faults.add("gamestate.name", f"{shown(self._name)}, expected one of {known}")
        return replace(position, turn=Turn())

    def _acting(self, triggered: list[int], used: list[int]) -> int:
        """The gizmo being carried out; 0 for none."""
        if "tg_gizmo_id" in self._args and self._name in _RESEARCH | _EFFECT | _MAIN | {_DECK}:
            gizmo = self.faults.card(self._args["tg_gizmo_id"], "gamestate.args.tg_gizmo_id")
            if gizmo:
                return gizmo
        if self._name == _DECK and used + triggered:
            # The deck was chosen for a gizmo's research; which gizmo's is not sent with this state.
            fitting = [gizmo for gizmo in triggered if CARDS[gizmo].effect == "research"]
            if len(fitting) == 1:
                return fitting[0]
        if self._name in _EFFECT:
            self.faults.add("gamestate.args.tg_gizmo_id", "missing, expected the gizmo being carried out")
        return 0

    def _done(self, gizmo: int) -> int:
        """How many picks or draws of the effect are done."""
        if self._name == "triggerSphereSelect":
            return int(flag(self._args.get("is_skip")))
        if self._name != "triggerDraw":
            return 0
        # The number is not sent; what stands here is the untranslated text, which is the same for every player.
        text = self._args.get("desc")
        if text not in (_SECOND_DRAW, _THIRD_DRAW) and CARDS[gizmo].amount > 2:
            what = "expected to tell whether the second or the third marble comes next; the second is taken"
            self.faults.add("gamestate.args.desc", f"{shown(text)}, {what}")
        return 2 if text == _THIRD_DRAW else 1

    def _with_research(self, position: Position, turn: Turn) -> Position:
        place = "gamestate.args"
        level = self.faults.number(self.faults.field(self._args, "research_level", place), f"{place}.research_level", 0)
        if level not in LEVELS:
            self.faults.add(f"{place}.research_level", f"{level}, expected 1, 2 or 3")
            return replace(position, turn=turn)
        private = self.faults.table(self._args.get("_private") or {}, f"{place}._private")
        if "r_cards" in private:
            shelf = self.faults.table(private["r_cards"], f"{place}._private.r_cards")
            cards = (
                self.faults.card(
                    self.faults.table(card, f"{place}._private.r_cards.{key}").get("card_type_arg", key),
                    f"{place}._private.r_cards.{key}.card_type_arg",
                )
                for key, card in shelf.items()
            )
            return replace(position, turn=replace(turn, research=Research(level, ascending(cards))))
        amount = self.faults.number(
            self.faults.field(self._args, "num_cards", place),
            f"{place}.num_cards",
            position.player.dashboard.research_amount,
        )
        owed = (Awaited("research", level),) * max(0, min(amount, 36))
        return replace(position, turn=replace(turn, research=Research(level), awaited=owed))

    def _decks(self, position: Position) -> tuple[Deck, ...]:
        """The decks; cards being researched that this page does not show count as still in theirs."""
        counts = self._table("deck_counts")
        decks: list[Deck] = []
        for level in LEVELS:
            key = f"deck_{level}"
            elsewhere = position.display[level - 1]
            owned = [number for player in position.players for number in (*player.built, *player.archive)]
            known = len(elsewhere) + sum(CARDS[number].level == level for number in owned)
            size = deck_size(level, known)
            if counts:
                size = self.faults.number(self.faults.field(counts, key, "deck_counts"), f"deck_counts.{key}", size)
            owed = position.turn.awaited.count(Awaited("research", level))
            decks.append(Deck(max(0, size) + owed))
        return tuple(decks)

    def _check_fresh(self) -> None:
        """Compare the snapshot with what the current decision says (sent anew with every turn)."""
        if self._name not in _MAIN:
            return
        current = self._args.get("deck_counts")
        if current and current != self._data.get("deck_counts"):
            self.faults.add("deck_counts", f"differ from gamestate.args.deck_counts: {_STALE}")
        energy = self._args.get("energy")
        if energy:
            listed = self.faults.table(energy, "gamestate.args.energy")
            now = {key: str(each.get("location")) for key, each in listed.items() if isinstance(each, dict)}
            then = {
                key: str(each.get("location"))
                for key, each in self._table("spheres").items()
                if isinstance(each, dict) and str(each.get("location")) in self.ids
            }
            if now != then:
                self.faults.add("spheres", f"differ from gamestate.args.energy: {_STALE}")
