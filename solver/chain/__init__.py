"""The chain graph: which gizmos feed which, what an action can set off at most, and where a chain is cut short.

>>> from solver.chain import engine_of, report
>>> [(feed.source, feed.event, feed.target) for feed in report(engine_of((113, 227, 901))).feeds]
[(227, 'pick', 113)]
"""

from solver.chain.events import Engine, Event, engine_of, engine_of_position, events, listens, main_events
from solver.chain.graph import Feed, chain_graph, feeds
from solver.chain.measures import AtMost, Bottleneck, Path, Report, longest_path, report

__all__ = [
    "AtMost",
    "Bottleneck",
    "Engine",
    "Event",
    "Feed",
    "Path",
    "Report",
    "chain_graph",
    "engine_of",
    "engine_of_position",
    "events",
    "feeds",
    "listens",
    "longest_path",
    "main_events",
    "report",
]
