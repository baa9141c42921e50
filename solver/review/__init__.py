"""Reviewing a game: every turn against the best that could be known then."""
