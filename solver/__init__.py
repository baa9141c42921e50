"""Search, proof and explanation of Gizmos turns.

>>> from engine.marbles import count
>>> from engine.position import Player, Position
>>> answer = solve(Position(players=(Player(ring=count("K"), built=(901,), archive=(101,)),)))
>>> answer.proved, answer.value
(True, (1.0,))
"""

from solver.front import solve
from solver.games import playout, playouts
from solver.native import SolverName, kernel_version, which
from solver.objective import LUCKS, Luck, Objective, parse_goal, parse_objective
from solver.result import Branch, Choice, Line, Link, ParetoSet, Solution, Stats, Status, Step, Trade

__all__ = [
    "LUCKS",
    "Branch",
    "Choice",
    "Line",
    "Link",
    "Luck",
    "Objective",
    "ParetoSet",
    "Solution",
    "SolverName",
    "Stats",
    "Status",
    "Step",
    "Trade",
    "kernel_version",
    "parse_goal",
    "parse_objective",
    "playout",
    "playouts",
    "solve",
    "which",
]
