"""Random positions made possible: no more copies than the boxes hold, nobody in rank 1 who cannot stand there."""

from __future__ import annotations

from collections import Counter
from typing import Any

from thunderref.database.read import open_database

CARDS = open_database().cards
COPIES = Counter({card.reprint_of or card.id: 0 for card in CARDS.values()})
for each in CARDS.values():
    COPIES[each.reprint_of or each.id] += each.count
COPIES["disease"] = 10**6
SPARE = ("nixie", "griknack-goblin", "haunt", "pegasus", "spectre", "ghost", "grudgebeast", "judgement")
"""Monsters for the hall and the dungeon deck; a hand and a deck get a Militia."""


def possible(document: dict[str, Any]) -> dict[str, Any]:
    """The document with every surplus copy replaced by another card; its lists stay as long as they are."""
    caged = document.get("caged", ())
    used, changed = Counter[str]({"the-cage": len(caged)}), dict(document)  # each stands under a Cage of its own
    used.update(caged)

    def kept(card: str | None, key: str, place: int) -> str | None:
        unfit = key == "hall" and place == 0 and card in CARDS and CARDS[card].kind in ("guardian", "thunderstone")
        if card in COPIES and (unfit or used[card] >= COPIES[card]):
            monsters = (each for each in SPARE if used[each] < COPIES[each])
            card = "militia" if key in ("hand", "deck") else next(monsters) if key != "rank0" else None
        used[card or ""] += 1
        return card

    for key in ("hand", "rank0", "hall", "deck", "dungeon"):
        if document.get(key):
            cards = [kept(card, key, place) for place, card in enumerate(document[key])]
            changed[key] = [card for card in cards if card is not None or key == "hall"]
    if document.get("others"):
        changed["others"] = [[kept(card, "hand", 1) for card in hand] for hand in document["others"]]
    if document.get("stacks"):
        pairs = [(entry, entry.partition(" ")) for entry in document["stacks"]]
        changed["stacks"] = [
            card if card and used[card] + int(n) > COPIES[card] else entry for entry, (n, _, card) in pairs
        ]
    return changed
