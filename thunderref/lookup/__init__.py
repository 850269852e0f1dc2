"""Finding cards, families, rules and terms by name: exact, then prefix, then fuzzy."""
