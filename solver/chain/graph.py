"""The graph of an engine: gizmos and events as nodes, "this effect can cause this trigger" as edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from engine.cards import CARDS, NUMERALS, Card, Effect
from engine.marbles import COLORS, LETTERS
from solver.chain.events import Engine, Event, EventKind, events, listens, main_events

if TYPE_CHECKING:
    import networkx as nx

    Graph: TypeAlias = nx.MultiDiGraph[Any]

EFFECT_NODES: Final[dict[Effect, str]] = {
    "pick": "pick",
    "file": "file",
    "free-build-level-1": "free build",
    "research": "research",
    "draw": "draw",
    "points": "points",
}
"""Which event node an effect leads to."""


class Feed(msgspec.Struct, frozen=True, order=True):
    """The effect of `source`, as an event, can trigger `target` under these conditions, in words.

    `source` is a gizmo, or 0 for the main action. `luck`: as the table stands, a reveal is needed for it.
    """

    source: int
    event: EventKind
    target: int
    conditions: tuple[str, ...] = ()
    luck: bool = False
    main: str = ""


def feeds(engine: Engine) -> tuple[Feed, ...]:
    """All edges between gizmos that an effect of this engine can bring about, ascending.

    A gizmo is used once per turn, so none feeds itself, and none that is used is a source or a target.

    >>> from solver.chain.events import engine_of
    >>> [(feed.source, feed.target, feed.conditions) for feed in feeds(engine_of((118, 311, 109)))]
    [(118, 109, ('ring room', 'blue'))]
    """
    active = [CARDS[gizmo] for gizmo in engine.gizmos if gizmo not in engine.used]
    found: list[Feed] = []
    for source in active:
        options = events(engine, source.effect)
        for target in active:
            if source.id != target.id:
                found += _feeds(source.id, source.effect, options, target)
    return tuple(sorted(found))


def main_feeds(engine: Engine) -> tuple[Feed, ...]:
    """All edges from a main action to a gizmo, ascending; `main` names the main action."""
    active = [CARDS[gizmo] for gizmo in engine.gizmos if gizmo not in engine.used]
    found: list[Feed] = []
    for main, options in main_events(engine).items():
        effect: Effect = "research" if main == "research" else ""
        for target in active:
            found += [msgspec.structs.replace(feed, main=main) for feed in _feeds(0, effect, options, target)]
    return tuple(sorted(found))


def _feeds(source: int, effect: Effect, options: tuple[Event, ...], target: Card) -> list[Feed]:
    found: list[Feed] = []
    kinds = sorted({option.kind for option in options})
    for kind in kinds:
        of_kind = [option for option in options if option.kind == kind]
        fitting = [option for option in of_kind if listens(target, option)]
        if fitting:
            conditions = _conditions(effect, kind, of_kind, fitting)
            found.append(Feed(source, kind, target.id, conditions, all(option.luck for option in fitting)))
    return found


def _conditions(effect: Effect, kind: EventKind, options: list[Event], fitting: list[Event]) -> tuple[str, ...]:
    """What must hold for an event out of `options` to be one of `fitting`: capacity, colour, source, level."""
    words: list[str] = []
    if kind == "pick":
        words.append("ring room")
    elif kind == "file":
        words.append("archive room")
    elif effect == "free-build-level-1":
        words.append("a level I card")
    if effect == "research" and kind == "build":
        words.append("a researched card that can be paid")
    fits, misses = _color_sets(fitting), _color_sets(options)
    if fits != misses and kind != "file":
        singles = sorted({option.colors[0] for option in fitting if len(option.colors) == 1})
        if len(singles) < len(COLORS):
            words.append(" or ".join(color.name.lower() for color in singles) or "any colour")
    if all(option.archive for option in fitting):
        words.append("from the archive")
    levels = {option.level for option in fitting}
    if kind == "build" and levels != {option.level for option in options} and len(levels) == 1:
        words.append(f"level {NUMERALS[levels.pop()]}")
    return tuple(words)


def _color_sets(options: list[Event]) -> set[tuple[int, ...]]:
    return {option.colors for option in options}


def chain_graph(engine: Engine) -> Graph:
    """The graph for networkx.

    Nodes are card numbers (attribute `kind` "gizmo"), events (`pick`, `file`, `build`, `free build`, `research`,
    `draw`, `points`; kind "event") and main actions (`main pick`, ...; kind "action"). An edge gizmo -> event is an
    effect (`amount`), event -> gizmo a trigger (`condition`). `free build` and `research` lead on to `build` and
    `file`.
    """
    import networkx as nx  # noqa: PLC0415 - heavy

    graph: Graph = nx.MultiDiGraph()
    for gizmo in engine.gizmos:
        card = CARDS[gizmo]
        graph.add_node(gizmo, kind="gizmo", area=card.area, used=gizmo in engine.used)
        if card.trigger:
            event = card.trigger.partition("-")[0]
            _event(graph, event)
            graph.add_edge(event, gizmo, condition=trigger_words(card))
        if card.effect:
            _event(graph, EFFECT_NODES[card.effect])
            graph.add_edge(gizmo, EFFECT_NODES[card.effect], amount=card.amount)
    if "free build" in graph:
        _event(graph, "build")
        graph.add_edge("free build", "build", condition="a level I card")
    mains = main_events(engine)
    for main in mains:
        graph.add_node(f"main {main}", kind="action")
        _event(graph, main)
        graph.add_edge(f"main {main}", main, condition="")
    if "research" in graph:
        for event in ("build", "file") if engine.dashboard.can_file else ("build",):
            _event(graph, event)
            graph.add_edge("research", event, condition="a card seen")
    return graph


def _event(graph: Graph, name: str) -> None:
    graph.add_node(name, kind="event")


def trigger_words(card: Card) -> str:
    """The condition of a gizmo's trigger in short: marble letters, `from archive`, `level II`, or nothing.

    >>> trigger_words(CARDS[227]), trigger_words(CARDS[208]), trigger_words(CARDS[118])
    ('U|Y', 'from archive', '')
    """
    if card.trigger == "build-from-archive":
        return "from archive"
    if card.trigger == "build-level-2":
        return "level II"
    return "|".join(LETTERS[color] for color in card.trigger_colors)
