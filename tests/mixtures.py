"""Whether triples are reached by mixtures of others, told by linear programming."""

from collections.abc import Collection
from typing import SupportsFloat

from ortools.linear_solver.python import model_builder


def is_reached_by_mixtures(triple: tuple[SupportsFloat, ...], others: Collection[tuple[SupportsFloat, ...]]) -> bool:
    """True if a mixture of the others has as much of everything, by linear programming."""
    if not others:
        return False
    model = model_builder.Model()  # type: ignore[no-untyped-call]
    shares = [model.new_num_var(0.0, 1.0, "") for _ in others]
    model.add(sum(shares) == 1.0)
    shortfall = model.new_num_var(0.0, 100.0, "")
    for which in range(3):
        mixed = sum(float(other[which]) * share for other, share in zip(others, shares, strict=True))
        model.add(mixed + shortfall >= float(triple[which]))
    model.minimize(shortfall)
    solver = model_builder.Solver("GLOP")
    assert solver.solve(model) == model_builder.SolveStatus.OPTIMAL
    return bool(solver.objective_value < 1e-7)
