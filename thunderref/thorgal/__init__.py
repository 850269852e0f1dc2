"""Thorgal at the same table: set-up, rounds, and tiles on small grids, with their dice."""

OWN = "thorgal-round.json"
"""The file of a round that nobody names, among the program's own."""
