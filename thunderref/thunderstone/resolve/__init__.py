"""Drivers over the engine: adjudicating a given line and finding the best one."""
