"""The cards of the database as the rules read them."""

from __future__ import annotations

import msgspec

from thunderref.database.card_records import Card, Effect
from thunderref.database.read import Database
from thunderref.thunderstone.rules.cards import Cards, CardSpec

# Made when imported, once for all threads: two that are first to make it at once crash msgspec.
_decode = msgspec.json.Decoder(Effect).decode


def load_cards(database: Database) -> Cards:
    return database.derived(_cards)


def _cards(database: Database) -> Cards:
    effects: dict[str, tuple[Effect, ...]] = {}
    for card, record in database.query("SELECT card, record FROM effects ORDER BY card, position"):
        effects[card] = (*effects.get(card, ()), _decode(record))
    figures = [name for name in Card.__struct_fields__ if name not in ("types", "effects")]
    found = Cards()
    for id_, row in database.cards.items():
        printed = {name: getattr(row, name) for name in figures}
        found[id_] = CardSpec(Card(**printed, types=database.all_types[id_], effects=effects.get(id_, ())))
    return found
