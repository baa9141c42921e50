"""Proof of a turn by CP-SAT, independent of the search: the optimum, how many turns reach it, why no turn does better.

>>> from engine.marbles import count
>>> from engine.position import Player, Position
>>> proof = prove(Position(players=(Player(ring=count("K"), built=(901,), archive=(101,)),)))
>>> proof.status, proof.value
('optimal', (1,))
"""

from solver.proof.front import Count, Proof, ProofStatus, prove
from solver.proof.reasons import Reason

__all__ = ["Count", "Proof", "ProofStatus", "Reason", "prove"]
