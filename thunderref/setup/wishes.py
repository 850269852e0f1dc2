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


def wishes(kind: str, names: Iterable[str], store: Store, cat: Catalogue) -> list[Wish]:
    """The wishes for these names; raises :class:`NoAnswerError` for a name that means nothing here."""
    return list(dict.fromkeys(Wish(kind, *slot(name, store, cat)) for name in names))


def slot(name: str, store: Store, cat: Catalogue) -> tuple[str, str]:
    """(slot, id) of a card, hero family, monster class or feature, by id or by name in any language.

    A hero stands for his family, a monster for its class, a trap for its trap class.
    """
    card = _card_id(name, store, cat)
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
    raise NoAnswerError("setup-no-slot", query=name)


def _card_id(name: str, store: Store, cat: Catalogue) -> str:
    """A card or family id: by id, by the exact name of a family, then by the lookup of cards."""
    given = name.strip().lower()
    if given in cat.cards or given in cat.families or given == PICK_TWO:
        return given
    folded = fold(name)
    families = {row.subject for row in store.search_rows("family") if row.form == folded}
    known = {card for card in families if card in cat.families or card == PICK_TWO}
    if len(known) == 1:
        return known.pop()
    from thunderref.lookup.search import find_card

    return find_card(store, name)
