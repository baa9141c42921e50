"""The chain graph: what feeds what, what an action sets off at most, where a chain ends."""

from __future__ import annotations

from itertools import pairwise, permutations
from time import process_time

import networkx as nx
import pytest

from engine.cards import CARDS, Effect
from engine.marbles import count
from engine.position import Player, Position, Turn
from solver import solve
from solver.chain import chain_graph, engine_of, engine_of_position, feeds, longest_path, report

OFFICIAL = Position(
    players=(Player(ring=count("YYR"), built=(106, 113, 217, 227, 901), archive=(208,)),), row=count("YRRUKK")
)
BUILDERS = (133, 134, 135, 136, 233, 234, 235, 236, 319, 320, 331, 332)


def edges(gizmos: tuple[int, ...]) -> set[tuple[int, str, int]]:
    return {(feed.source, feed.event, feed.target) for feed in feeds(engine_of(gizmos))}


def test_the_official_chain_goes_from_227_by_a_pick_to_113_and_ends_in_a_draw() -> None:
    graph = chain_graph(engine_of_position(OFFICIAL))
    assert nx.has_path(graph, 227, 113)
    assert nx.shortest_path(graph, "main build", "draw") == ["main build", "build", 227, "pick", 113, "draw"]


def test_208_does_not_feed_itself() -> None:
    assert edges((106, 113, 208, 217, 227, 901)) == {(227, "pick", 113), (208, "pick", 113)}
    graph = chain_graph(engine_of((106, 113, 208, 217, 227, 901)))
    assert 208 not in nx.descendants(graph, 208)


def test_a_draw_feeds_nothing() -> None:
    assert all(
        not edges((gizmo, 109, 110, 111, 112, 113)) or CARDS[gizmo].effect == "pick" for gizmo in (901, 311, 118)
    )


def test_a_free_build_feeds_builders_of_its_colours_but_not_the_listeners_to_level_2() -> None:
    assert edges((319, 313, 133)) == {(319, "build", 133)}


def test_a_free_build_feeds_listeners_to_the_archive_unless_no_file_empties_it() -> None:
    assert edges((319, 307)) == {(319, "build", 307)}
    assert edges((319, 307, 323)) == set()


def test_conditions_name_colour_source_and_capacity() -> None:
    words = {(feed.source, feed.target): feed.conditions for feed in feeds(engine_of((118, 109, 319, 307, 325)))}
    assert words[118, 109] == ("ring room", "blue")
    assert words[319, 307] == ("a level I card", "from the archive")
    assert words[319, 325] == ("a level I card", "blue or yellow")
    assert words[325, 118] == ("archive room",)


def test_at_a_table_only_what_is_on_offer_counts() -> None:
    found = report(engine_of_position(OFFICIAL))
    starts = {each.action: each for each in found.at_most}
    assert set(starts) == {"pick red", "pick blue", "pick black", "pick yellow", "build yellow"}
    assert starts["build yellow"].used == (113, 227)
    assert starts["pick blue"].gizmos == 0
    assert found.dead == (901,), "nothing is on display, so nothing can be filed"


def test_a_no_file_gizmo_kills_everything_that_waits_for_a_file() -> None:
    assert report(engine_of((117, 901, 323))).dead == (117, 901)


def test_gizmos_that_only_the_main_action_triggers_are_told_apart() -> None:
    assert report(engine_of((113, 227, 901))).by_action_only == (227, 901)


def test_used_gizmos_play_no_part() -> None:
    position = Position(
        players=(Player(built=(113, 227, 901)),), row=count("YYY"), turn=Turn(True, triggered=(227,), used=(113,))
    )
    found = report(engine_of_position(position))
    assert [each.gizmos for each in found.at_most] == [1]
    assert found.feeds == ()


def test_gizmos_that_feed_each_other_are_a_cycle() -> None:
    assert report(engine_of((319, 320, 331, 332, 133))).cycles == ((319, 320, 331, 332),)


def test_the_longest_chain_of_all_cards_has_seven_gizmos() -> None:
    found = report(engine_of(number for number, card in CARDS.items() if card.effect and card.special == ""))
    assert (found.longest.length, found.longest.exact) == (7, True)
    kinds = [CARDS[gizmo].effect for gizmo in found.longest.gizmos]
    assert sorted(kinds[:4]) == ["free-build-level-1", "free-build-level-1", "research", "research"]
    assert kinds[4:] == ["file", "pick", "draw"]


def test_no_pick_leads_to_another_event() -> None:
    """`most` relies on it."""
    ending: set[Effect] = {"draw", "points"}
    assert {card.effect for card in CARDS.values() if card.trigger == "pick"} <= ending


def test_twelve_mutually_feeding_builders_are_answered_at_once() -> None:
    start = process_time()
    found = report(engine_of(BUILDERS))
    assert longest_path(nx.complete_graph(12, nx.DiGraph()), lambda _: 1)[1:] == (12, True)
    assert process_time() - start < 2
    assert found.longest.length == 5
    assert max(each.points for each in found.at_most) == 8


def test_beyond_twelve_the_longest_path_is_a_bound_and_says_so() -> None:
    assert longest_path(nx.complete_graph(30, nx.DiGraph()), lambda _: 1) == ((), 30, False)


@pytest.mark.parametrize("seed", range(20))
def test_the_longest_path_equals_that_of_trying_all(seed: int) -> None:
    graph = nx.gnp_random_graph(6, 0.3, seed=seed, directed=True)
    weight = {node: 1 + node % 3 for node in graph}

    def is_path(nodes: tuple[int, ...]) -> bool:
        return all(graph.has_edge(a, b) for a, b in pairwise(nodes))

    paths = [nodes for size in range(1, 7) for nodes in permutations(graph, size) if is_path(nodes)]
    best = max(sum(weight[node] for node in nodes) for nodes in paths)
    nodes, length, exact = longest_path(graph, weight.__getitem__)
    assert (length, exact, is_path(nodes), sum(weight[node] for node in nodes)) == (best, True, True, best)


def test_bottlenecks_are_the_ring_the_archive_and_gizmos_without_which_less_happens() -> None:
    found = report(engine_of((117, 118, 325, 311, 109, 110, 111, 112, 901)))
    assert {each.what for each in found.bottlenecks} == {"ring room", "archive room", "gizmo"}
    key = next(each for each in found.bottlenecks if each.what == "gizmo")
    assert (key.gizmo, key.have, key.want) == (117, 5, 6)


def test_what_is_set_off_at_most_is_never_less_than_what_happens() -> None:
    position = Position(
        players=(Player(ring=count("RRKU"), built=(117, 129, 133, 134, 319, 325, 901), archive=()),),
        row=count("YR"),
        display=((101, 102, 103, 104), (), ()),
    )
    bound = max(each.gizmos for each in report(engine_of_position(position)).at_most)
    best = solve(position, objective="activations", luck="best", top=1)
    assert best.proved
    assert 4 <= best.value[0] <= bound
