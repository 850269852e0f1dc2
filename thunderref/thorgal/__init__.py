"""Thorgal at the same table: set-up, rounds, and tiles on small grids, with their dice."""
