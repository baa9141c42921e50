"""The rules: which actions are legal, and what they do. Nature's part is in `engine.reveals`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from engine.actions import (
    Action,
    Build,
    Draw,
    EndTurn,
    File,
    Pass,
    Pick,
    Points,
    ResearchDeck,
    Skip,
    Source,
)
from engine.cards import CARDS, LEVELS, Card, Effect, Level
from engine.errors import IllegalActionError
from engine.marbles import COLORS, add, one, subtract
from engine.payments import Payment, conversions, payments
from engine.position import Awaited, Pending, Player, Position, Research, Turn, with_card, without_card
from engine.reveals import settle


def legal_actions(position: Position) -> tuple[Action, ...]:
    """Every decision open to the player to move; empty while nature owes a reveal, and when the game is over.

    Payments with superfluous converters and other orders of returned research cards are legal too (`is_legal`), but not
    listed: they only differ from a listed action in what is wasted or in what lies at the bottom of a deck.
    """
    turn = position.turn
    if turn.awaited or position.is_over:
        return ()
    if turn.research is not None:
        return tuple(_research_choices(position, turn.research))
    if turn.pending is not None:
        actions = tuple(effect_actions(position, turn.pending.gizmo))
        return actions if actions and not turn.pending.done else (*actions, Skip())
    if turn.acted:
        return (*(action for gizmo in turn.triggered for action in effect_actions(position, gizmo)), EndTurn())
    return tuple(_main_actions(position)) or (Pass(),)


def is_legal(position: Position, action: Action) -> bool:
    """True for every action that the rules allow, those that `legal_actions` leaves out included."""
    listed = legal_actions(position)
    if action in listed:
        return True
    if isinstance(action, Pass | File | Build) and action.order:
        research = position.turn.research
        if research is None:
            return False
        returned = research.seen if isinstance(action, Pass) else without_card_if(research.seen, action.card)
        return tuple(sorted(action.order)) == returned and is_legal(position, replace(action, order=()))
    if isinstance(action, Build) and not action.gizmo and Build(action.card, action.source) != action:
        offered = any(
            isinstance(each, Build) and (each.card, each.source, each.gizmo) == (action.card, action.source, 0)
            for each in listed
        )
        low, high = price(position.player, CARDS[action.card], action.source) if offered else (0, 0)
        return offered and _pays(position, action, low, high)
    return False


def apply(position: Position, action: Action) -> Position:
    """The position after a legal action; reveals that only one outcome fits are made at once.

    Raises IllegalActionError.
    """
    if not is_legal(position, action):
        raise IllegalActionError(f"illegal here: {action!r}")
    return apply_unchecked(position, action)


def apply_unchecked(position: Position, action: Action) -> Position:
    """`apply` for an action known to be legal; of any other the result means nothing."""
    gizmo = getattr(action, "gizmo", 0)
    if gizmo and position.turn.pending is None:
        position = begin(position, gizmo)
    elif not position.turn.acted:
        position = replace(position, turn=replace(position.turn, acted=True))
    return settle(_carry_out(position, action))


def begin(position: Position, gizmo: int) -> Position:
    """Start to carry out a triggered gizmo's effect: it is used, and what it does comes next."""
    turn = position.turn
    turn = replace(
        turn,
        triggered=without_card(turn.triggered, gizmo),
        used=with_card(turn.used, gizmo),
        pending=Pending(gizmo),
    )
    return replace(position, turn=turn)


def effect_actions(position: Position, gizmo: int) -> Iterator[Action]:
    """The actions that carry out the (next part of the) effect of a gizmo; none if it can't be carried out."""
    return _EFFECTS[CARDS[gizmo].effect](position, gizmo)


def price(player: Player, card: Card, source: Source) -> tuple[int, int]:
    """The least and the most marbles to pay for a card (rules: discounts add up, and need not be taken).

    >>> from engine.cards import CARDS
    >>> price(Player(built=(327, 901)), CARDS[101], "archive")
    (0, 1)
    """
    board = player.dashboard
    discount = board.discount_level_2 if card.level == 2 else 0
    if source == "archive":
        discount += board.discount_from_archive
    elif source == "research":
        discount += board.discount_from_research
    return max(0, card.cost - discount), card.cost


def _main_actions(position: Position) -> Iterator[Action]:
    yield from _picks(position)
    yield from _files(position)
    yield from _builds(position, "display", _displayed(position))
    yield from _builds(position, "archive", position.player.archive)
    yield from _researches(position)


def _displayed(position: Position) -> tuple[int, ...]:
    return tuple(number for row in position.display for number in row)


def _picks(position: Position, gizmo: int = 0) -> Iterator[Action]:
    if position.player.room > 0:
        for color in COLORS:
            if position.row[color]:
                yield Pick(color, gizmo)


def _can_file(player: Player) -> bool:
    return player.dashboard.can_file and len(player.archive) < player.dashboard.archive_limit


def _files(position: Position, gizmo: int = 0) -> Iterator[Action]:
    if _can_file(position.player):
        for number in _displayed(position):
            yield File(number, "display", gizmo)


def _builds(position: Position, source: Source, cards: tuple[int, ...]) -> Iterator[Action]:
    player = position.player
    used = position.turn.used
    converters = tuple(gizmo for gizmo in player.dashboard.converters if gizmo not in used)
    for number in cards:
        card = CARDS[number]
        low, high = price(player, card, source)
        for payment in payments(card, low, high, player.ring, converters):
            yield Build(number, source, payment.spend, payment.converters)


def _researches(position: Position, gizmo: int = 0) -> Iterator[Action]:
    if position.player.dashboard.can_research:
        for level in LEVELS:
            if position.deck(level).size:
                yield ResearchDeck(level, gizmo)


def _draws(position: Position, gizmo: int) -> Iterator[Action]:
    if position.player.room > 0 and any(position.dispenser):
        yield Draw(gizmo)


def _points(_: Position, gizmo: int) -> Iterator[Action]:
    yield Points(gizmo)


def _free_builds(position: Position, gizmo: int) -> Iterator[Action]:
    for number in position.display[0]:
        yield Build(number, "display", gizmo=gizmo)
    for number in position.player.archive:
        if CARDS[number].level == 1:
            yield Build(number, "archive", gizmo=gizmo)


def _research_choices(position: Position, research: Research) -> Iterator[Action]:
    if _can_file(position.player):
        for number in research.seen:
            yield File(number, "research")
    yield from _builds(position, "research", research.seen)
    yield Pass()


_EFFECTS: Final[dict[Effect, Callable[[Position, int], Iterator[Action]]]] = {
    "pick": _picks,
    "draw": _draws,
    "file": _files,
    "research": _researches,
    "points": _points,
    "free-build-level-1": _free_builds,
}


def without_card_if(cards: tuple[int, ...], number: int) -> tuple[int, ...]:
    """The cards without one of them, if it is there."""
    return without_card(cards, number) if number in cards else cards


def _pays(position: Position, build: Build, low: int, high: int) -> bool:
    player = position.player
    if any(have < spent for have, spent in zip(player.ring, build.spend, strict=True)):
        return False
    free = tuple(gizmo for gizmo in player.dashboard.converters if gizmo not in position.turn.used)
    return conversions(CARDS[build.card], low, high, Payment(build.spend, build.converters), free) is not None


def _pick(position: Position, action: Pick) -> Position:
    player = position.player
    listeners = player.dashboard.on_pick[action.color]
    position = replace(position, row=subtract(position.row, one(action.color)))
    position = _with_player(position, replace(player, ring=add(player.ring, one(action.color))))
    return _await(_step_done(trigger(position, listeners)), Awaited("row"))


def _file(position: Position, action: File) -> Position:
    player = position.player
    listeners = player.dashboard.on_file
    position = _with_player(position, replace(player, archive=with_card(player.archive, action.card)))
    return _take(trigger(_effect_done(position), listeners), action)


def _build(position: Position, action: Build) -> Position:
    player = position.player
    listeners = listening_to_build(player, CARDS[action.card], action.source)
    archive = without_card(player.archive, action.card) if action.source == "archive" else player.archive
    position = _with_player(
        position,
        replace(
            player,
            ring=subtract(player.ring, action.spend),
            built=with_card(player.built, action.card),
            archive=archive,
        ),
    )
    used = tuple(sorted((*position.turn.used, *action.converters)))
    position = _effect_done(replace(position, turn=replace(position.turn, used=used)))
    return _take(trigger(position, listeners), action)


def _research(position: Position, action: ResearchDeck) -> Position:
    position = _effect_done(position)
    amount = min(position.player.dashboard.research_amount, position.deck(action.level).size)
    turn = replace(position.turn, research=Research(action.level))
    return _await(replace(position, turn=turn), *(Awaited("research", action.level) for _ in range(amount)))


def _take_points(position: Position, action: Points) -> Position:
    player = position.player
    return _effect_done(_with_player(position, replace(player, tokens=player.tokens + CARDS[action.gizmo].amount)))


def _pass(position: Position, action: Pass) -> Position:
    research = position.turn.research
    return position if research is None else _return_cards(position, research, action.order or research.seen)


def _carry_out(position: Position, action: Action) -> Position:
    match action:
        case Pick():
            return _pick(position, action)
        case Draw():
            return _await(_step_done(position), Awaited("draw"))
        case File():
            return _file(position, action)
        case Build():
            return _build(position, action)
        case ResearchDeck():
            return _research(position, action)
        case Points():
            return _take_points(position, action)
        case Skip():
            return _effect_done(position)
        case Pass():
            return _pass(position, action)
        case EndTurn():
            return _with_turn(position, replace(position.turn, triggered=()))


def listening_to_build(player: Player, card: Card, source: Source) -> tuple[int, ...]:
    """The built gizmos that building a card triggers; the card itself is not yet among them (rules: "Triggers")."""
    board = player.dashboard
    listeners = board.on_build[4 if card.any_color else card.colors[0]]
    if source == "archive":
        listeners += board.on_build_from_archive
    if card.level == 2:
        listeners += board.on_build_level_2
    return listeners


def trigger(position: Position, listeners: tuple[int, ...]) -> Position:
    """Mark gizmos as triggered, unless they have been used this turn."""
    turn = position.turn
    new = [gizmo for gizmo in listeners if gizmo not in turn.used and gizmo not in turn.triggered]
    if not new:
        return position
    return replace(position, turn=replace(turn, triggered=tuple(sorted((*turn.triggered, *new)))))


def _with_player(position: Position, player: Player) -> Position:
    seat = position.to_move
    players = (*position.players[:seat], player, *position.players[seat + 1 :])
    return replace(position, players=players)


def _with_turn(position: Position, turn: Turn) -> Position:
    return replace(position, turn=turn)


def _await(position: Position, *awaited: Awaited) -> Position:
    turn = position.turn
    return _with_turn(position, replace(turn, awaited=(*turn.awaited, *awaited)))


def _effect_done(position: Position) -> Position:
    if position.turn.pending is None:
        return position
    return _with_turn(position, replace(position.turn, pending=None))


def _step_done(position: Position) -> Position:
    """Count one pick or draw of the pending effect; after the last one the effect is done."""
    pending = position.turn.pending
    if pending is None or pending.done + 1 == CARDS[pending.gizmo].amount:
        return _effect_done(position)
    return _with_turn(position, replace(position.turn, pending=Pending(pending.gizmo, pending.done + 1)))


def _take(position: Position, action: File | Build) -> Position:
    """Take the card from where it lay: the display is refilled, the rest of a research goes to the bottom."""
    level = CARDS[action.card].level
    if action.source == "display":
        row = without_card(position.display[level - 1], action.card)
        position = _with_display(position, level, row)
        return _await(position, Awaited("refill", level)) if position.deck(level).size else position
    research = position.turn.research
    if research is not None:
        rest = without_card(research.seen, action.card)
        return _return_cards(position, research, action.order or rest)
    return position


def _with_display(position: Position, level: Level, row: tuple[int, ...]) -> Position:
    display = (*position.display[: level - 1], row, *position.display[level:])
    return replace(position, display=display)


def _return_cards(position: Position, research: Research, order: tuple[int, ...]) -> Position:
    deck = position.deck(research.level)
    # Cards that nobody wrote down lie somewhere among the lowest: what was known of the bottom is known no longer.
    bottom = () if research.unknown else (*deck.bottom, *order)
    deck = replace(deck, size=deck.size + len(order) + research.unknown, bottom=bottom)
    decks = (*position.decks[: research.level - 1], deck, *position.decks[research.level :])
    return replace(position, decks=decks, turn=replace(position.turn, research=None))
