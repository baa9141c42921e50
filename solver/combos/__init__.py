"""Engines: what they bring, what to add to them, and how great they can get."""
