"""Finding cards by name: exact before prefix before fuzzy, in any language, never guessing between equals."""

from __future__ import annotations

from collections.abc import Collection

from thunderref.errors import NoAnswerError
from thunderref.lookup.distance import likeness
from thunderref.lookup.exact import MAX_LENGTH, Found, Hit, checked_query, exact_card, shorten
from thunderref.lookup.index import NAMES, built_index, index_of
from thunderref.lookup.names import NameSearch
from thunderref.lookup.normalise import fold_query, join_words
from thunderref.store.read import SearchRow, Store

_MAX_ANSWERS = 5000


def find_card(store: Store, text: str, kinds: Collection[str] | None = None, *, lang: str | None = None) -> str:
    """The id of the one card that ``text`` names, in any language.

    ``kinds`` restricts the search to cards of these kinds (``hero``, ``village``, ``basic``, ``monster``, ...).
    Candidates of errors are named in ``lang``, without it in the language they were found in. Raises
    :class:`NoAnswerError` with code ``unknown-card`` (candidates: the nearest names) or ``ambiguous-card``, and
    :class:`InputError` for an empty or an over-long text.
    """
    found = search_cards(store, text, kinds)
    if found.equals == 1:
        return found.hits[0].id
    if found.equals:
        raise ambiguous_card(store, text, found, lang)
    raise unknown_card(store, text, kinds, lang)


def ambiguous_card(store: Store, text: str, found: Found, lang: str | None = None) -> NoAnswerError:
    """The error for a name that fits several cards about equally well."""
    names = [_shown(store, hit, lang) for hit in found.hits[: found.equals]]
    return NoAnswerError("ambiguous-card", name=shorten(text), candidates=names)


def unknown_card(
    store: Store, text: str, kinds: Collection[str] | None = None, lang: str | None = None
) -> NoAnswerError:
    """The error for a name that fits no card, with the nearest names."""
    names = [_shown(store, hit, lang) for hit in nearest_cards(store, text, kinds)]
    return NoAnswerError("unknown-card", name=shorten(text), candidates=names)


def search_cards(store: Store, text: str, kinds: Collection[str] | None = None, *, more: bool = False) -> Found:
    """All cards that ``text`` may name, best first; ``more`` also looks for worse matches than the best.

    Raises :class:`InputError` for an empty or an over-long text.
    """
    form = checked_query(text)
    if kinds is None and not more and built_index(store) is None:
        exact = exact_card(store, form)
        if exact is not None:
            return exact
    index = index_of(store)
    key = (form, text, frozenset(kinds) if kinds is not None else None, more)
    cached = index.answers.get(key)
    if not isinstance(cached, Found):
        if len(index.answers) > _MAX_ANSWERS:
            index.answers.clear()
        allowed = None if kinds is None else {card.id for card in index.cards.values() if card.kind in kinds}
        cached = index.answers[key] = NameSearch(index, form, text, allowed).run(more)
    return cached


def nearest_cards(store: Store, text: str, kinds: Collection[str] | None = None, limit: int = 3) -> list[Hit]:
    """The cards whose names look most like ``text``, whatever they are."""
    index = index_of(store)
    form = join_words(fold_query(text[:MAX_LENGTH]))
    scored: dict[str, tuple[float, SearchRow]] = {}
    for entry in index.lexicon(NAMES).entries:
        row = entry.row
        if row.kind != "card" or not row.preferred:
            continue
        card = index.cards[row.subject]
        if card.reprint_of is not None or (kinds is not None and card.kind not in kinds):
            continue
        score = likeness(form, row.joined)
        for word in entry.words if len(entry.words) > 1 else ():
            score = max(score, 0.9 * likeness(form, word))
        if card.id not in scored or score > scored[card.id][0]:
            scored[card.id] = (score, row)
    best = sorted(scored.items(), key=lambda item: (-item[1][0], index.cards[item[0]].position))
    return [Hit(card, round(score * 50), "nearest", row.lang, row.name) for card, (score, row) in best[:limit]]


def _shown(store: Store, hit: Hit, lang: str | None) -> str:
    names = store.names(hit.id)
    row = names.get(lang or hit.lang) or names.get("en")
    return row.name if row else hit.id


def cards_with_words(store: Store, words: list[str]) -> set[str]:
    """The ids of all cards with a name (in one language) or a family that has all the folded words or beginnings."""
    index = index_of(store)
    return NameSearch(index, " ".join(words), " ".join(words), None).with_words()
