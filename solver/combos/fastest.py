"""The fastest fourth gizmo of level III, with perfect luck and nobody in the way.

Two searches. The relaxed one forgets colours: marbles are only counted, cards are kinds with counters, every gizmo that
listens to an event of its sort hears it. It never underrates a position, so what it can't reach in so many turns no
game can. The concrete one deals in cards and colours, and asks the relaxed one which ways are worth going. What it
finds is played on the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from engine.actions import Action, Build, Draw, File, Pick
from engine.cards import CARDS, Card
from engine.errors import IllegalActionError
from engine.marbles import COLORS, Color
from engine.position import END_LEVEL_3
from engine.rules import legal_actions
from solver.combos.solitaire import Solitaire


class Count(NamedTuple):
    """A position without colours: marbles, cards filed, cards of level III built, and what the gizmos do.

    `draws_1`, `draws_2`: Pick -> draw 1, of level I and II; `file_picks`: File -> pick 1; `build_picks_1`,
    `build_picks_2`: a build -> pick 1; `archive_picks`: a build out of the archive -> pick 2; `saves`: marbles saved by
    doublers and discounts in one payment; `room`: more than five marbles; `file_draws`: File -> draw; `shelf`: more
    than one card filed; `level_2_picks`: a build of level II -> pick 2; `files`: a build -> File; `free`: a build -> a
    free build of level I; `searches`: a build -> Research; `pairs`: doublers of two colours; `converters`: into any.
    """

    marbles: int = 0
    filed: int = 0
    threes: int = 0
    draws_1: int = 0
    draws_2: int = 0
    file_picks: int = 0
    build_picks_1: int = 0
    build_picks_2: int = 0
    archive_picks: int = 0
    saves: int = 0
    room: int = 0
    file_draws: int = 0
    shelf: int = 0
    level_2_picks: int = 0
    files: int = 0
    free: int = 0
    searches: int = 0
    pairs: int = 0
    converters: int = 0


class _Kind(NamedTuple):
    """Cards alike: level, cost, and which counters they raise."""

    level: int
    cost: int
    raises: tuple[tuple[str, int], ...]


def _kind(card: Card) -> _Kind:
    raises: dict[str, int] = {}
    match (card.trigger, card.effect):
        case ("pick", "draw"):
            raises[f"draws_{card.level}"] = 1
        case ("file", "pick"):
            raises["file_picks"] = 1
        case ("file", "draw"):
            raises["file_draws"] = card.amount
        case ("build", "pick"):
            raises[f"build_picks_{card.level}"] = card.amount
        case ("build-from-archive", "pick"):
            raises["archive_picks"] = card.amount
        case ("build-level-2", "pick"):
            raises["level_2_picks"] = card.amount
        case ("build", "file"):
            raises["files"] = 1
        case ("build", "free-build-level-1"):
            raises["free"] = 1
        case ("build", "research"):
            raises["searches"] = 1
        case _:
            pass
    if card.convert_to == "double":
        raises["saves" if len(card.convert_from) == 1 else "pairs"] = 1
    if card.convert_to == "any":
        raises["converters"] = 1
    if card.special.startswith("discount"):
        raises["saves"] = 1
    if card.storage:
        raises["room"] = card.storage
    if card.archive:
        raises["shelf"] = card.archive
    return _Kind(card.level, card.cost, tuple(sorted(raises.items())))


KINDS: Final = tuple(sorted({_kind(card) for card in CARDS.values() if card.level}))
_START: Final = Count(file_draws=1)
_FREE_KINDS: Final = tuple(kind for kind in KINDS if kind.level == 1)


def fewest_turns_bound(most: int = 20) -> int:
    """No game has a fourth gizmo of level III in fewer turns than this.

    >>> fewest_turns_bound()
    10
    """
    return next((turns for turns in range(1, most + 1) if can_reach(_START, turns)), most + 1)


@cache
def can_reach(count: Count, turns: int) -> bool:
    """True if the relaxed game can have four cards of level III within so many turns more."""
    missing = END_LEVEL_3 - count.threes
    if missing <= 0:
        return True
    if missing > turns * (1 + count.searches) and not count.searches:
        return False
    return turns > 0 and any(can_reach(after, turns - 1) for after in _best_first(count))


def _best_first(count: Count) -> list[Count]:
    return sorted(set(_turns(count)), key=lambda after: (-after.threes, -after.marbles, after))


def _turns(count: Count) -> Iterator[Count]:
    """Every turn of the relaxed game."""
    limit = 5 + count.room
    if count.marbles < limit:
        yield count._replace(marbles=min(limit, count.marbles + _picked(1, count)))
    if count.filed <= count.shelf:
        gain = _picked(count.file_picks, count) + count.file_draws
        yield count._replace(marbles=min(limit, count.marbles + gain), filed=count.filed + 1)
    for kind in KINDS:
        for archived in (False, True) if count.filed else (False,):
            built = _built(count, kind, archived)
            if built is None:
                continue
            yield built
            yield from _more_builds(count, built)


def _more_builds(before: Count, count: Count) -> Iterator[Count]:
    """What free builds and researches add to a turn; all their gains are counted, however little of it is possible."""
    for number in range(1, before.free + before.searches + 1):
        for kinds in combinations_with_replacement(KINDS, number):
            dear = sorted((kind.cost for kind in kinds if kind.level > 1), reverse=True)
            if sum(kind.level > 1 for kind in kinds) > before.searches:
                continue
            after: Count | None = count
            for kind in kinds:
                free = kind.level == 1 and before.free > 0
                after = _built(after, kind, archived=True, free=free, filed=True) if after is not None else None
            if after is not None and len(dear) <= before.searches:
                yield after


def _picked(picks: int, count: Count) -> int:
    """Marbles from so many picks: two cards of level I and two of level II hear a colour."""
    return picks + min(count.draws_1, 2 * picks) + min(count.draws_2, 2 * picks)


def _saved(count: Count) -> int:
    """Marbles saved in one payment: a doubler of two colours helps with one of them, unless others are converted."""
    return count.saves + (2 * count.pairs if count.converters else min(count.pairs, 1))


def _heard(count: Count) -> int:
    """Picks from a build of one colour: one card of level I and four of level II hear it."""
    return min(count.build_picks_1, 1) + min(count.build_picks_2, 4)


def _built(count: Count, kind: _Kind, archived: bool, *, free: bool = False, filed: bool = False) -> Count | None:
    """The count after a build; None if it can't be paid."""
    price = 0 if free else max(0, kind.cost - _saved(count))
    if price > count.marbles:
        return None
    picks = _heard(count) + (count.archive_picks if archived else 0)
    picks += count.level_2_picks if kind.level == 2 else 0
    left = count.filed - (archived and not filed)
    gain = 0
    if count.files and left <= count.shelf:
        left += 1
        picks += count.file_picks
        gain = count.file_draws
    gain += _picked(picks, count)
    limit = 5 + count.room
    raised = {name: getattr(count, name) + amount for name, amount in kind.raises}
    after = count._replace(
        marbles=min(limit, count.marbles - price + gain), filed=max(0, left), threes=count.threes + (kind.level == 3)
    )
    return after._replace(**raised)


# -- with cards and colours -------------------------------------------------------------------------------------------


class _Deal(NamedTuple):
    """A position with perfect luck: gizmos, marbles picked by colour, marbles drawn (their colours are still open)."""

    built: frozenset[int]
    picked: tuple[int, int, int, int]
    drawn: int
    filed: int


class Play(NamedTuple):
    """One turn of a plan: `pick`, `file` or a card to build, the colours picked one after another, and draws made."""

    what: str
    card: int = 0
    archived: bool = False
    colors: tuple[int, ...] = ()
    draws: int = 0


_USEFUL: Final = tuple(
    card
    for card in CARDS.values()
    if card.level
    and (
        (card.level < 3 and card.effect in ("pick", "draw"))
        or (card.level == 1 and card.storage)
        or (card.level == 3 and (card.cost == 4 or card.convert_to == "double"))
        or card.special == "discount-from-archive"
        or card.convert_to == "double"
    )
)


def fastest_plan(turns: int, most_states: int = 2_000_000) -> tuple[Play, ...] | None:
    """A plan for a fourth gizmo of level III in so many turns; None if none was found."""
    seen: set[tuple[_Deal, int]] = set()

    def search(deal: _Deal, left: int) -> tuple[Play, ...] | None:
        count = _count(deal)
        if count.threes >= END_LEVEL_3:
            return ()
        if (deal, left) in seen or len(seen) > most_states or not can_reach(count, left):
            return None
        seen.add((deal, left))
        after: dict[_Deal, Play] = {}
        for play, then in _plays(deal):
            after.setdefault(then, play)
        for then in sorted(after, key=lambda each: _promise(each, left), reverse=True):
            rest = search(then, left - 1)
            if rest is not None:
                return (after[then], *rest)
        return None

    return search(_Deal(frozenset((901,)), (0, 0, 0, 0), 0, 0), turns)


def _promise(deal: _Deal, left: int) -> tuple[int, int, int]:
    count = _count(deal)
    del left
    return (
        count.threes,
        count.marbles + 3 * (count.draws_1 + count.draws_2) + count.build_picks_2 + count.file_picks,
        deal.drawn,
    )


def _count(deal: _Deal) -> Count:
    counts = dict.fromkeys(Count._fields, 0)
    for number in deal.built:
        card = CARDS[number]
        counts["threes"] += card.level == 3
        for name, amount in _kind(card).raises:
            counts[name] += amount
    counts["marbles"] = sum(deal.picked) + deal.drawn
    counts["filed"] = deal.filed
    return Count(**counts)


def _plays(deal: _Deal) -> Iterator[tuple[Play, _Deal]]:
    """Every turn worth considering."""
    room = 5 + sum(CARDS[each].storage for each in deal.built) - sum(deal.picked) - deal.drawn
    shelf = 1 + sum(CARDS[each].archive for each in deal.built)
    if room:
        for color in COLORS:
            picked, draws = _with_picks(deal, (color,), 0, room)
            yield Play("pick", colors=(color,), draws=draws), picked
    if deal.filed < shelf:
        yield from _filing(deal, room)
    for card in _USEFUL:
        if card.id not in deal.built:
            for archived in (False, True) if deal.filed else (False,):
                yield from _building(deal, card, archived, room)


def _filing(deal: _Deal, room: int) -> Iterator[tuple[Play, _Deal]]:
    picks = sum(CARDS[each].effect == "pick" and CARDS[each].trigger == "file" for each in deal.built)
    draws = sum(
        CARDS[each].amount for each in deal.built if CARDS[each].effect == "draw" and CARDS[each].trigger == "file"
    )
    filed = deal._replace(filed=deal.filed + 1)
    for colors in combinations_with_replacement(COLORS, min(picks, room)):
        after, drawn = _with_picks(filed, colors, draws, room)
        yield Play("file", colors=colors, draws=drawn), after


def _building(deal: _Deal, card: Card, archived: bool, room: int) -> Iterator[tuple[Play, _Deal]]:
    color = card.colors[0]
    price = card.cost
    if archived:
        price -= sum(CARDS[each].special == "discount-from-archive" for each in deal.built)
    doublers = sum(CARDS[each].convert_to == "double" and color in CARDS[each].convert_from for each in deal.built)
    price = max(0, price - min(doublers, price // 2))
    own = min(deal.picked[color], price)
    if price - own > deal.drawn:
        return
    marbles = list(deal.picked)
    marbles[color] -= own
    after = _Deal(
        deal.built | {card.id},
        (marbles[0], marbles[1], marbles[2], marbles[3]),
        deal.drawn - (price - own),
        deal.filed - archived,
    )
    picks = 0
    for each in deal.built:
        listener = CARDS[each]
        if listener.effect == "pick" and (
            (listener.trigger == "build" and color in listener.trigger_colors)
            or (listener.trigger == "build-from-archive" and archived)
        ):
            picks += listener.amount
    for colors in combinations_with_replacement(COLORS, min(picks, room + price)):
        then, draws = _with_picks(after, colors, 0, room + price, deal.built)
        yield Play("build", card.id, archived, colors, draws), then


def _with_picks(
    deal: _Deal, colors: tuple[Color, ...], draws: int, room: int, listeners: frozenset[int] | None = None
) -> tuple[_Deal, int]:
    """Pick these colours and draw for each gizmo that hears one of them, as far as there is room."""
    heard = [
        each
        for each in (deal.built if listeners is None else listeners)
        if CARDS[each].trigger == "pick" and not set(colors).isdisjoint(CARDS[each].trigger_colors)
    ]
    drawn = min(draws + len(heard), room - len(colors))
    marbles = list(deal.picked)
    for color in colors:
        marbles[color] += 1
    return deal._replace(picked=(marbles[0], marbles[1], marbles[2], marbles[3]), drawn=deal.drawn + drawn), drawn


# -- on the engine ----------------------------------------------------------------------------------------------------


def play_plan(plan: tuple[Play, ...]) -> Solitaire:
    """Play a plan on the engine, with the reveals it needs.

    Raises IllegalActionError if the engine does not allow it.
    """
    filed = _cards_filed(plan)
    game = Solitaire([play.card for play in plan if play.what == "build"])
    wished = _colors_drawn(plan)
    picked: list[Color] = []
    game.color = lambda kind: wished.pop(0) if kind == "draw" and wished else (picked[-1] if picked else None)
    for play in plan:
        colors = [COLORS[color] for color in play.colors]
        match play.what:
            case "pick":
                picked.append(colors[0])
                game.act(Pick(colors.pop(0)))
            case "file":
                card = filed.pop(0)
                game.act(File(card or game.position.display[0][-1]))
            case _:
                game.act(_payment(game, play))
        _pick_all(game, colors, picked)
        _draw_all(game, play.draws)
        game.end_turn()
    return game


def _cards_filed(plan: tuple[Play, ...]) -> list[int]:
    """For each File of a plan, the card that is built out of the archive later; 0 if none is."""
    files = sum(play.what == "file" for play in plan)
    cards = [play.card for play in plan if play.archived]
    return [*cards, *[0] * files][:files]


def _colors_drawn(plan: tuple[Play, ...]) -> list[Color]:
    """The colour of each drawn marble, in order: that of the build it pays for, the marbles drawn first going first."""
    deal = _Deal(frozenset((901,)), (0, 0, 0, 0), 0, 0)
    needed: list[Color] = []
    drawn = 0
    for play in plan:
        then = next(after for each, after in _plays(deal) if each == play)
        if play.what == "build":
            spent = deal.drawn + play.draws - then.drawn
            needed += [CARDS[play.card].colors[0]] * spent
        drawn += play.draws
        deal = then
    return [*needed, *[COLORS[0]] * (drawn - len(needed))]


def _payment(game: Solitaire, play: Play) -> Action:
    """The payment that spends the fewest marbles, drawn ones last."""
    source = "archive" if play.archived else "display"
    ways = [
        action
        for action in legal_actions(game.position)
        if isinstance(action, Build) and (action.card, action.source) == (play.card, source)
    ]
    if not ways:
        raise IllegalActionError(f"{play.card} can't be built: the ring holds {game.player.ring}")
    return min(ways, key=lambda way: (sum(way.spend), way))


def _pick_all(game: Solitaire, colors: list[Color], picked: list[Color]) -> None:
    while colors:
        gizmos = [gizmo for gizmo in game.position.turn.triggered if CARDS[gizmo].effect == "pick"]
        pending = game.position.turn.pending
        picked.append(colors.pop(0))
        game.act(Pick(picked[-1], pending.gizmo if pending is not None else gizmos[0]))


def _draw_all(game: Solitaire, number: int) -> None:
    while number:
        pending = game.position.turn.pending
        gizmos = [gizmo for gizmo in game.position.turn.triggered if CARDS[gizmo].effect == "draw"]
        game.act(Draw(pending.gizmo if pending is not None else gizmos[0]))
        number -= 1
