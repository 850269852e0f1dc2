"""The cards of the database as the rules read them."""

from __future__ import annotations

from thunderref.database.read import Database
from thunderref.thunderstone.rules.cards import Cards, CardSpec


def load_cards(database: Database) -> Cards:
    return database.derived(_cards)


def _cards(database: Database) -> Cards:
    effects = database.all_effects
    return Cards({id_: CardSpec(card, effects.get(id_, ())) for id_, card in database.cards.items()})
