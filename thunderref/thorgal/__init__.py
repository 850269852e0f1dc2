"""Thorgal at the same table: set-up, the course of the rounds, and what is laid on small grids, with their dice."""
