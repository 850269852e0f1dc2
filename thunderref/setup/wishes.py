"""The group's wishes: names in any language become slots of the set-up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from thunderref.errors import NoAnswerError
from thunderref.lookup.normalise import fold
from thunderref.setup.pools import BASIC, DISEASE, GUARDIAN, PICK_TWO, Catalogue
from thunderref.store.read import Store


@dataclass(frozen=True)
class Wish:
    """A card that must be in (``require``) or out (``exclude``); ``avoid`` is an exclusion that may be given up.

    ``slot`` is classes, features, guardians, heroes, village, stones or basic, ``card`` the id within it.
    """

    kind: str
    slot: str
    card: str


def wishes(kind: str, names: Iterable[str], store: Store, cat: Catalogue, lang: str = "en") -> list[Wish]:
    """The wishes for these names; raises :class:`NoAnswerError` for a name that means nothing here."""
    return list(dict.fromkeys(Wish(kind, *slot(name, store, cat, lang)) for name in names))


def slot(name: str, store: Store, cat: Catalogue, lang: str = "en") -> tuple[str, str]:
    """(slot, id) of a card, hero family, monster class or feature, by id or by name in any language.

    A hero stands for his family, a monster for its class, a trap for its trap class; so a name that fits several cards
    is clear enough if all of them stand for the same. Raises :class:`NoAnswerError` (``unknown-card``,
    ``ambiguous-card``, ``setup-no-slot``) with candidates in ``lang``.
    """
    slots = list(dict.fromkeys(_slot_of(card, cat) for card in _card_ids(name, store, cat, lang)))
    if len(slots) > 1:
        from thunderref.setup.steps import Naming
        from thunderref.words.words import Words

        naming = Naming(Words(store, lang), cat)
        named = [naming.name(found[1]) for found in slots if found is not None]
        raise NoAnswerError("ambiguous-card", name=name[:40], candidates=named)
    if slots[0] is None:
        raise NoAnswerError("setup-no-slot", query=name)
    return slots[0]


def _slot_of(card: str, cat: Catalogue) -> tuple[str, str] | None:
    if card in cat.cards:
        row = cat.cards[card]
        card = row.reprint_of or card
        if row.kind in ("hero", "monster", "trap") and row.family is not None:
            card = row.family
    pool = cat.pool
    slots = (
        ("classes", pool.classes), ("heroes", pool.heroes), ("village", pool.village),
        ("features", (*pool.features, GUARDIAN, PICK_TWO)), ("guardians", pool.guardians), ("stones", pool.stones),
        ("basic", (*BASIC, DISEASE)),
    )  # fmt: skip
    for name_of_slot, cards in slots:
        if card in cards:
            return name_of_slot, card
    return None


def _card_ids(name: str, store: Store, cat: Catalogue, lang: str) -> list[str]:
    """Cards or a family: by id, by the exact name of a family, then by the lookup of cards."""
    given = name.strip().lower()
    if given in cat.cards or given in cat.families or given == PICK_TWO:
        return [given]
    folded = fold(name)
    families = {row.subject for row in store.search_rows("family") if row.form == folded}
    known = {card for card in families if card in cat.families or card == PICK_TWO}
    if len(known) == 1:
        return [known.pop()]
    from thunderref.lookup.search import search_cards, unknown_card

    found = search_cards(store, name)
    if not found.equals:
        raise unknown_card(store, name, lang=lang)
    return [hit.id for hit in found.hits[: found.equals]]
