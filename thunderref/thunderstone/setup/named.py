"""What a name means in a set-up, a family, class, feature, village card or stone: by a clear name, never guessed.

Clear are a name or alias in any language, its beginning (``thyr``), its words shortened (``flam sw``) and an obvious
slip (``lantren``). A word from the middle of a name (``wrath``) is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.database.read import SearchRow
from thunderref.database.records import Variant
from thunderref.errors import Candidate, NoAnswerError
from thunderref.text.folding import fold_query
from thunderref.text.language import Language
from thunderref.thunderstone.setup.catalogue import BASIC, DISEASE, GUARDIAN, PICK_TWO, Catalogue
from thunderref.thunderstone.setup.steps import Naming

Slot = tuple[str, str]
"""Kind of slot and id within it."""
WHOLE = frozenset({"exact", "inflected", "transliterated", "alias", "abbreviation", "spelling", "layout"})
"""How a whole name is met; any other way may be one of its words."""
LISTED = 8
"""The most candidates that a refusal lists."""
FEW_LETTERS = 3
SLIPS = 1


def slot_named(name: str, cat: Catalogue, lang: str) -> Slot:
    """(slot, id) of a card, hero family, monster class or feature, by id or by name in any language.

    A name may fit several cards if all of them are in the same slot. Raises :class:`NoAnswerError`
    (``unknown-card``, ``ambiguous-card``, ``setup-no-slot``) with candidates in ``lang``.
    """
    asked = name.strip().lower()
    if asked in cat.cards or asked in cat.families or asked in (GUARDIAN, PICK_TWO):
        slots: list[Slot | None] = [cat.slot_of(asked)]
    else:
        slots = [*dict.fromkeys(_slots_named(name, cat, lang))]
    if len(slots) > 1:
        raise _unclear("ambiguous-card", name, slots, cat, lang)
    if slots[0] is None:
        raise NoAnswerError("setup-no-slot", query=name)
    return slots[0]


def refuse_left_out(names: Sequence[str], variant: Variant, cat: Catalogue) -> None:
    """Raises :class:`NoAnswerError` for the name of one card of a family that the variant is played without."""
    if variant.without:
        from thunderref.search.names import search_cards

        for name in names:
            found = search_cards(cat.database, name)
            cards = {hit.id for hit in found.hits[: found.equals]}
            if cards and cards.issubset(variant.without):
                raise NoAnswerError("setup-not-in-variant", card=min(cards), variant=variant.id)


def _slots_named(name: str, cat: Catalogue, lang: str) -> list[Slot | None]:
    from thunderref.search.names import search_cards, unknown_card

    own = _own_names(cat)
    words = fold_query(name).split()
    whole: list[Slot | None] = [slot for row, slot in own if row.words == " ".join(sorted(words))]
    if whole:
        return whole
    found = search_cards(cat.database, name)
    hits = found.hits[: found.equals]
    slots = [cat.slot_of(hit.id) for hit in hits]
    if hits and all(hit.how in WHOLE for hit in hits):
        return slots
    begun = {slot for row, slot in own if _begins(words, row)}
    slips: list[Slot | None] = [] if hits else [slot for row, slot in own if _is_slip("".join(words), row)]
    if slips or (hits and begun.issuperset(slots)):
        return slips or slots
    near: list[Slot | None] = [*slots, *(slot for row, slot in own if not {*words}.isdisjoint(row.form.split()))]
    near = [*filter(None, dict.fromkeys(near))]
    if not near:
        raise unknown_card(cat.database, name, lang=lang)
    raise _unclear("ambiguous-card" if len(near) > 1 else "unknown-card", name, near, cat, lang)


def _own_names(cat: Catalogue) -> list[tuple[SearchRow, Slot]]:
    """Every name of what a set-up has, families and classes by their own names, not those of their cards."""
    things = {card: (slot, card) for slot, cards in cat.slots.items() for card in cards}
    things |= {card: ("features", card) for card in (GUARDIAN, PICK_TWO)}
    things |= {card: ("basic", card) for card in (*BASIC, DISEASE)}
    rows = cat.database.search_rows(("card", "family"))
    return [(row, things[row.subject]) for row in rows if row.subject in things]


def _begins(words: list[str], row: SearchRow) -> bool:
    """True if the words are the first ones of a name, but for their endings, or begin it; a level may follow."""
    from thunderref.search.matching import word_keys

    named = row.form.split()
    words = words[:-1] if len(words) > 1 and words[-1] in ("1", "2", "3") else words
    if len(words) > len(named) or len(words[0]) < FEW_LETTERS:
        return False
    pairs = [*zip(words, named, strict=False)]
    if len(words) == len(named):  # "dire traps"
        pairs = min(pairs, [*zip(words, reversed(named), strict=True)], key=lambda each: not _same(each[0]))
    return all(word_keys(a, False) & word_keys(b, False) or b.startswith(a) for a, b in pairs)


def _same(pair: tuple[str, str]) -> bool:
    return pair[0][0] == pair[1][0]


def _is_slip(joined: str, row: SearchRow) -> bool:
    from thunderref.search.matching import budget, edits

    return bool(edits(joined, [row.joined], min(SLIPS, budget(len(joined))))) and len(joined) > FEW_LETTERS


def _unclear(code: str, name: str, slots: Sequence[Slot | None], cat: Catalogue, lang: str) -> NoAnswerError:
    naming = Naming(Language(cat.database, lang))
    candidates = [Candidate(naming.name(slot[1]), slot[1]) for slot in slots[:LISTED] if slot is not None]
    return NoAnswerError(code, name=name[:40], candidates=candidates)
