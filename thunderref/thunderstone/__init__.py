"""Thunderstone: its rules, battles, set-ups and whole games."""
