"""Finding cards, rules and terms by name, and the passages that answer a question."""
