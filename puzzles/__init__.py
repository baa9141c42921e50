"""Puzzles: positions with a question, their checked answers, and the shipped collection."""
