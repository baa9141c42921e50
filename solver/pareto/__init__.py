"""Pareto sets: how points, marbles and gizmos can be traded for each other in a turn."""

from solver.pareto.search import pareto_set

__all__ = ["pareto_set"]
