"""Randomized setups: drawing, requirements, codes, the sheet."""
