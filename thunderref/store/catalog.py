"""The cards of the database as the engine's book."""

from __future__ import annotations

from thunderref.engine.book import Book
from thunderref.model.card import Card, Effect
from thunderref.store.read import Store

_books: dict[str, Book] = {}


def load_book(store: Store) -> Book:
    """Every card of the database, read once."""
    key = str(store.path)
    if key not in _books:
        _books[key] = Book(_cards(store))
    return _books[key]


def _cards(store: Store) -> list[Card]:
    found = []
    for row in store.cards.values():
        figures = row._asdict()
        for name in ("position", "set_id"):
            del figures[name]
        effects = [Effect.model_validate(e.record) for e in store.all_effects.get(row.id, [])]
        found.append(Card(**figures, types=list(store.all_types[row.id]), effects=effects))
    return found
