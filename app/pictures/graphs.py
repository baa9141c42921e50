"""The chain graph as text for other programs: DOT for Graphviz, Mermaid for Markdown pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.cards import CARDS, NUMERALS, Card
from engine.marbles import LETTERS
from solver import Line
from solver.chain import Engine, chain_graph
from solver.chain.graph import trigger_words

if TYPE_CHECKING:
    import networkx as nx

AREAS = ("upgrade", "converter", "build", "file", "pick")
"""From cause to effect."""


def gizmo_words(card: Card) -> str:
    """A gizmo in one short line of plain text.

    >>> gizmo_words(CARDS[227]), gizmo_words(CARDS[217])
    ('227 R II: U|Y > pick 1', '217 K II: Y > double')
    """
    color = "?" if card.any_color else "".join(LETTERS[each] for each in card.colors)
    head = " ".join(word for word in (str(card.id), color, NUMERALS[card.level] if card.level else "") if word)
    if card.area == "converter":
        source = "any" if len(card.convert_from) == len(LETTERS) else "|".join(LETTERS[c] for c in card.convert_from)
        twice = " twice" if card.convert_to == "any" and card.convert_uses > 1 else ""
        return f"{head}: {source} > {card.convert_to}{twice}"
    if card.effect:
        amount = "" if card.effect in ("file", "research", "free-build-level-1") else f" {card.amount}"
        effect = "free build" if card.effect == "free-build-level-1" else card.effect
        return f"{head}: {trigger_words(card) or card.trigger} > {effect}{amount}"
    gains = (("ring", card.storage), ("archive", card.archive), ("research", card.research))
    return f"{head}: " + (card.special or " ".join(f"{name}+{number}" for name, number in gains if number))


def dot(engine: Engine, line: Line | None = None) -> str:
    """The chain graph for Graphviz; what the line uses is bold."""
    graph = chain_graph(engine)
    used = _used(line)
    rows = ["digraph chain {", "  rankdir=LR;", '  node [fontname="sans-serif", fontsize=11];']
    for area in AREAS:
        cards = [CARDS[node] for node, data in graph.nodes(data=True) if data.get("area") == area]
        if cards:
            rows += [f"  subgraph cluster_{area} {{", f'    label="{area}";']
            rows += [f'    {card.id} [shape=box, label="{gizmo_words(card)}"{_bold(card.id, used)}];' for card in cards]
            rows.append("  }")
    for node, data in graph.nodes(data=True):
        if data["kind"] != "gizmo":
            shape = "ellipse" if data["kind"] == "event" else "cds"
            rows.append(f'  "{node}" [shape={shape}];')
    rows += [
        f'  "{source}" -> "{target}"' + (f' [label="{label}"]' if label else "") + ";"
        for source, target, label in _edges(graph)
    ]
    return "\n".join([*rows, "}", ""])


def mermaid(engine: Engine, line: Line | None = None) -> str:
    """The chain graph for Mermaid; what the line uses has a thick border."""
    graph = chain_graph(engine)
    used = _used(line)
    rows = ["flowchart LR"]
    for area in AREAS:
        cards = [CARDS[node] for node, data in graph.nodes(data=True) if data.get("area") == area]
        if cards:
            rows.append(f"  subgraph {area}")
            rows += [f'    g{card.id}["{gizmo_words(card)}"]' for card in cards]
            rows.append("  end")
    for node, data in graph.nodes(data=True):
        if data["kind"] != "gizmo":
            left, right = ("([", "])") if data["kind"] == "event" else ("[/", "/]")
            rows.append(f'  {_name(node)}{left}"{node}"{right}')
    rows += [
        f"  {_name(source)} -->" + (f'|"{label}"|' if label else "") + f" {_name(target)}"
        for source, target, label in _edges(graph)
    ]
    rows += [f"  style g{gizmo} stroke-width:4px" for gizmo in sorted(used) if gizmo in graph]
    return "\n".join([*rows, ""])


def _used(line: Line | None) -> set[int]:
    return {link.gizmo for link in line.chain} if line is not None else set()


def _bold(gizmo: int, used: set[int]) -> str:
    return ", penwidth=3" if gizmo in used else ""


def _name(node: int | str) -> str:
    return f"g{node}" if isinstance(node, int) else node.replace(" ", "_") + "_"


def _edges(graph: nx.MultiDiGraph[Any]) -> Iterator[tuple[int | str, int | str, str]]:
    for source, target, data in graph.edges(data=True):
        amount = data.get("amount", 0)
        yield source, target, str(data.get("condition", "") or (amount if amount > 1 else ""))
