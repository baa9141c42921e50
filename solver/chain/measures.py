"""Measures of an engine: what an action sets off at most, dead gizmos, cycles, longest chains, bottlenecks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import msgspec

from engine.cards import CARDS, Card, Effect
from engine.marbles import COLORS
from solver.chain.events import Engine, Event, events, listens, main_events
from solver.chain.graph import Feed, feeds, main_feeds

if TYPE_CHECKING:
    import networkx as nx

Node = TypeVar("Node", bound=Hashable)

EXACT_CYCLE: Final = 12
"""The largest set of gizmos feeding each other in circles for which the longest path is exact."""


class AtMost(msgspec.Struct, frozen=True):
    """What one main action can set off among the gizmos now built, marbles, cards and luck permitting.

    An upper bound: the events may take any colour on offer, and nothing is spent. `gizmos`, `points` and `marbles` are
    each the greatest number by itself; `used` are the gizmos of a way to set off the most.
    """

    action: str
    gizmos: int
    points: int
    marbles: int
    used: tuple[int, ...]


class Path(msgspec.Struct, frozen=True):
    """Gizmos each of which triggers the next. `exact` is false if only `length` is known, as an upper bound."""

    gizmos: tuple[int, ...]
    length: int
    points: int
    exact: bool = True


class Bottleneck(msgspec.Struct, frozen=True):
    """What cuts chains short. `what`: `ring room`, `archive room` or `gizmo`.

    `have` is the room there is, `want` what the greatest chain could take; for a gizmo how many others are set off
    with and without it.
    """

    what: str
    have: int
    want: int
    gizmo: int = 0


class Report(msgspec.Struct, frozen=True):
    """All that is measured of an engine.

    `dead`: gizmos that no main action and no effect of the engine can trigger, as things stand. `by_action_only`: those
    that only the main action triggers. `cycles`: sets of gizmos that feed each other in circles; each is used once, so
    a circle ends there.
    """

    gizmos: tuple[int, ...]
    feeds: tuple[Feed, ...]
    main_feeds: tuple[Feed, ...]
    at_most: tuple[AtMost, ...]
    dead: tuple[int, ...]
    by_action_only: tuple[int, ...]
    cycles: tuple[tuple[int, ...], ...]
    longest: Path
    heaviest: Path
    bottlenecks: tuple[Bottleneck, ...]


def report(engine: Engine) -> Report:
    """Measure an engine.

    >>> from solver.chain.events import engine_of
    >>> found = report(engine_of((118, 113, 319, 320, 901)))
    >>> found.cycles, found.longest.gizmos
    (((319, 320),), (118, 113))
    """
    import networkx as nx  # noqa: PLC0415 - heavy

    between = feeds(engine)
    first = main_feeds(engine)
    at_most = tuple(most(engine, name, options) for name, options in starts(engine))
    reachable = _reachable(engine, between, first)
    waiting = [CARDS[gizmo] for gizmo in engine.gizmos if CARDS[gizmo].trigger and gizmo not in engine.used]
    targets = {feed.target for feed in between if feed.source in reachable}
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(reachable)
    graph.add_edges_from((feed.source, feed.target) for feed in between if feed.source in reachable)
    circles = sorted(tuple(sorted(part)) for part in nx.strongly_connected_components(graph) if len(part) > 1)
    return Report(
        gizmos=engine.gizmos,
        feeds=between,
        main_feeds=first,
        at_most=at_most,
        dead=tuple(card.id for card in waiting if card.id not in reachable),
        by_action_only=tuple(card.id for card in waiting if card.id in reachable and card.id not in targets),
        cycles=tuple(circles),
        longest=_path(graph, lambda _: 1),
        heaviest=_path(graph, lambda gizmo: _points(CARDS[gizmo])),
        bottlenecks=tuple(_bottlenecks(engine, at_most)),
    )


def starts(engine: Engine) -> Iterator[tuple[str, tuple[Event, ...]]]:
    """Each way to begin, with the event it is: a main action by colour, or what is already triggered."""
    turn = engine.position.turn if engine.position is not None else None
    if turn is not None and turn.acted:
        yield "as it stands", ()
        return
    for name, options in main_events(engine).items():
        if name in ("file", "research"):
            yield name, options
            continue
        for color in COLORS:
            of_color = tuple(option for option in options if option.colors == (color,))
            if of_color:
                yield f"{name} {color.name.lower()}", of_color
        of_any = tuple(option for option in options if len(option.colors) > 1)
        if of_any:
            yield f"{name} any colour", of_any


def most(engine: Engine, name: str, options: tuple[Event, ...]) -> AtMost:
    """What a main action sets off at most, when it can be any of these events (rules: each gizmo once per turn).

    Exact for its model, in a bounded number of steps: what has been triggered depends only on which kinds of events
    have happened (seven marks but for picks), and an event that adds no mark can be left out. No gizmo that a pick
    triggers causes another event, so the colours of the picks are chosen last.
    """
    active = [CARDS[gizmo] for gizmo in engine.gizmos if gizmo not in engine.used]
    begun = _begun(engine)
    found: dict[str, tuple[int, tuple[int, ...]]] = {}
    starters: list[tuple[Event, ...]] = [(option,) for option in options] or [()]
    for happened in _ways(engine, active, begun, starters):
        before_picks = [card for card in active if card.id in begun or any(listens(card, each) for each in happened)]
        colors = {color for each in happened if each.kind == "pick" for color in each.colors}
        picks = sum(card.amount for card in before_picks if card.effect == "pick")
        on_pick = [card for card in active if card.trigger == "pick" and card not in before_picks]
        offered = {option.colors[0] for option in events(engine, "pick")} - colors
        for chosen in combinations(sorted(offered), min(picks, len(offered))):
            cards = before_picks + [card for card in on_pick if not set(chosen).isdisjoint(card.trigger_colors)]
            used = tuple(sorted(card.id for card in cards))
            draws = sum(card.amount for card in cards if card.effect == "draw")
            begins = sum(each.kind == "pick" for each in happened)
            for what, number in (
                ("gizmos", len(cards)),
                ("points", sum(map(_points, cards))),
                ("marbles", picks + draws + begins),
            ):
                found[what] = max(found.get(what, (-1, ())), (number, used), key=lambda pair: pair[0])
    gizmos, points, marbles = (found.get(what, (0, ())) for what in ("gizmos", "points", "marbles"))
    return AtMost(name, gizmos[0], points[0], marbles[0], gizmos[1])


def _begun(engine: Engine) -> frozenset[int]:
    if engine.position is None:
        return frozenset()
    turn = engine.position.turn
    return frozenset((*turn.triggered, *((turn.pending.gizmo,) if turn.pending is not None else ())))


class _Way(NamedTuple):
    """Events that have happened, and how many free builds, researches and files of effects they took."""

    happened: frozenset[Event]
    spent: tuple[int, int, int]


def _ways(
    engine: Engine, active: list[Card], begun: frozenset[int], starters: list[tuple[Event, ...]]
) -> Iterator[frozenset[Event]]:
    """Sets of events other than picks that effects can bring about; each adds something that somebody listens to."""
    effects: tuple[Effect, ...] = ("free-build-level-1", "research", "file")
    options = [{_marks(active, event): event for event in events(engine, effect)} for effect in effects]
    todo = [_Way(frozenset(start), (0, 0, 0)) for start in starters]
    seen: set[tuple[frozenset[int], tuple[int, int, int]]] = set()
    while todo:
        way = todo.pop()
        marked = frozenset[int]().union(*(_marks(active, event) for event in way.happened))
        if (marked, way.spent) in seen:
            continue
        seen.add((marked, way.spent))
        yield way.happened
        on = [card for card in active if card.id in begun or card.id in marked]
        for number, effect in enumerate(effects):
            if way.spent[number] == sum(card.amount for card in on if card.effect == effect):
                continue
            spent = tuple(used + (i == number) for i, used in enumerate(way.spent))
            todo += [
                _Way(way.happened | {event}, (spent[0], spent[1], spent[2]))
                for marks, event in options[number].items()
                if not marks <= marked
            ]


def _marks(active: list[Card], event: Event) -> frozenset[int]:
    return frozenset(card.id for card in active if listens(card, event))


def _points(card: Card) -> int:
    return card.amount if card.effect == "points" else 0


def _reachable(engine: Engine, between: tuple[Feed, ...], first: tuple[Feed, ...]) -> frozenset[int]:
    """Gizmos that a main action, or what is triggered already, can lead to."""
    todo = [*_begun(engine), *(feed.target for feed in first)]
    found: set[int] = set()
    while todo:
        gizmo = todo.pop()
        if gizmo not in found:
            found.add(gizmo)
            todo += [feed.target for feed in between if feed.source == gizmo]
    return frozenset(found)


def _path(graph: nx.DiGraph[int], weight: Callable[[int], int]) -> Path:
    nodes, length, exact = longest_path(graph, weight)
    return Path(nodes, length, sum(_points(CARDS[node]) for node in nodes), exact)


def longest_path(graph: nx.DiGraph[Node], weight: Callable[[Node], int]) -> tuple[tuple[Node, ...], int, bool]:
    """A path through a graph that visits no node twice and weighs the most; its weight, and whether that is exact.

    Parts in which all nodes reach each other are solved exactly over sets of nodes if they are small
    (`EXACT_CYCLE`); for a larger part all of its weight counts, which makes the answer an upper bound without a path.

    >>> import networkx as nx
    >>> longest_path(nx.DiGraph([(1, 2), (2, 1), (2, 3)]), lambda _: 1)
    ((1, 2, 3), 3, True)
    """
    import networkx as nx  # noqa: PLC0415 - heavy

    condensed = nx.condensation(graph)
    members: dict[int, list[Node]] = {part: sorted(condensed.nodes[part]["members"], key=str) for part in condensed}
    best: dict[Node, tuple[int, tuple[Node, ...]]] = {}
    exact = True
    for part in reversed(list(nx.topological_sort(condensed))):
        nodes = members[part]
        exits = {
            node: max((best[then] for then in graph[node] if then not in nodes), key=_heaviest, default=(0, ()))
            for node in nodes
        }
        if len(nodes) <= EXACT_CYCLE:
            best.update(_within(graph, nodes, exits, weight))
        else:
            exact = False
            whole = sum(weight(node) for node in nodes) + max(number for number, _ in exits.values())
            best.update(dict.fromkeys(nodes, (whole, ())))
    length, nodes_of_best = max(best.values(), key=_heaviest, default=(0, ()))
    return (nodes_of_best if exact else ()), length, exact


def _heaviest(entry: tuple[int, tuple[Node, ...]]) -> tuple[int, int]:
    """Heavier first; among equals the shorter."""
    return entry[0], -len(entry[1])


def _within(
    graph: nx.DiGraph[Node],
    nodes: list[Node],
    exits: dict[Node, tuple[int, tuple[Node, ...]]],
    weight: Callable[[Node], int],
) -> dict[Node, tuple[int, tuple[Node, ...]]]:
    """For each node of a strongly connected part, the heaviest path that begins there."""
    place = {node: i for i, node in enumerate(nodes)}
    after = [[place[then] for then in graph[node] if then in place] for node in nodes]
    weights = [weight(node) for node in nodes]
    ways_out = [exits[node] for node in nodes]

    @cache
    def heaviest(visited: int, at: int) -> tuple[int, int]:
        """The weight of the best path on from `at`, and the next node within the part (-1: it leaves)."""
        choices = [(ways_out[at][0], -1)]
        choices += [(heaviest(visited | 1 << then, then)[0], then) for then in after[at] if not visited >> then & 1]
        number, then = max(choices)
        return number + weights[at], then

    found: dict[Node, tuple[int, tuple[Node, ...]]] = {}
    for start, node in enumerate(nodes):
        path, visited, at = [node], 1 << start, start
        while (then := heaviest(visited, at)[1]) >= 0:
            path.append(nodes[then])
            visited |= 1 << then
            at = then
        found[node] = (heaviest(1 << start, start)[0], (*path, *ways_out[at][1]))
    return found


def _bottlenecks(engine: Engine, at_most: tuple[AtMost, ...]) -> Iterator[Bottleneck]:
    board = engine.dashboard
    player = engine.player
    marbles = max((each.marbles for each in at_most), default=0)
    room = player.room if player is not None else board.ring_limit
    if marbles > room:
        yield Bottleneck("ring room", room, marbles)
    active = [CARDS[gizmo] for gizmo in engine.gizmos if gizmo not in engine.used]
    files = sum(card.amount for card in active if card.effect in ("file", "research")) + any(
        each.action == "file" for each in at_most
    )
    shelf = board.archive_limit - (len(player.archive) if player is not None else 0)
    if board.can_file and files > shelf:
        yield Bottleneck("archive room", shelf, files)
    yield from sorted(_keys(engine, at_most), key=lambda each: (each.have - each.want, each.gizmo))[:3]


def _keys(engine: Engine, at_most: tuple[AtMost, ...]) -> Iterator[Bottleneck]:
    """Gizmos without which no action sets off as much as one does with them: `want` others with, `have` without."""
    widest = max((each.gizmos for each in at_most), default=0)
    ways = [
        options for name, options in starts(engine) if any(a.action == name and a.gizmos == widest for a in at_most)
    ]
    for gizmo in _causes(engine):
        less = msgspec.structs.replace(engine, used=(*engine.used, gizmo))
        have = max((most(less, "", options).gizmos for options in ways), default=0)
        if have < widest - 1:
            yield Bottleneck("gizmo", have, widest - 1, gizmo)


def _causes(engine: Engine) -> Iterable[int]:
    return [gizmo for gizmo in engine.gizmos if events(engine, CARDS[gizmo].effect) and gizmo not in engine.used]
