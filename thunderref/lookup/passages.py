"""Full-text search over card texts, rulings, rules and terms, word endings and diacritics aside."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.lookup.exact import Found, Hit
from thunderref.lookup.tokens import tokens
from thunderref.model.games import FIRST_GAME, Game
from thunderref.store.location import passage_index
from thunderref.store.read import Store


class Passage(NamedTuple):
    """A text found: its glossary key, what it belongs to, the language it was found in, 0 to 1 of the words in it."""

    key: str
    kind: str
    subject: str
    lang: str
    share: float


def find_passages(
    store: Store, text: str, kinds: tuple[str, ...], limit: int = 10, game: Game = FIRST_GAME
) -> list[Passage]:
    """The texts of a game, of these kinds (``effect``, ``clarify``, ``rule``, ``term``), with most words of ``text``.

    The best comes first. Only texts with at least half of the words count, and with two of them if there are as many.
    The words may be of any of the languages; their order and endings do not matter, and no sign has a special meaning.
    """
    found: dict[tuple[str, str], tuple[float, float, Passage]] = {}
    index = passage_index(game)
    for lang in store.languages:
        asked = list(dict.fromkeys(tokens(text, lang)))[:12]
        if not asked:
            continue
        match = " OR ".join(f'"{token}"' for token in asked)
        rows = store.query(
            f"SELECT p.key, p.kind, p.subject, p.tokens, bm25({index}) FROM {index}"
            f" JOIN passages AS p ON p.id = {index}.rowid WHERE {index} MATCH ?"
            f" AND p.lang = ? AND p.kind IN ({', '.join('?' * len(kinds))}) ORDER BY bm25({index}) LIMIT 200",
            match, lang, *kinds,
        )  # fmt: skip
        for key, kind, subject, words, rank in rows:
            present = len(set(asked) & set(words.split()))
            share = present / len(asked)
            if share >= 0.5 and present >= min(2, len(asked)):
                old = found.get((kind, subject))
                if old is None or (-share, rank) < old[:2]:
                    found[kind, subject] = (-share, rank, Passage(key, kind, subject, lang, share))
    return [passage for _, _, passage in sorted(found.values(), key=lambda item: item[:2])[:limit]]


def cards_by_text(store: Store, text: str, limit: int = 8) -> Found:
    """The cards whose texts or rulings have all words of ``text`` (two at least): for questions that name no card."""
    hits: dict[str, Hit] = {}
    for passage in find_passages(store, text, ("effect", "clarify"), 20):
        if passage.share < 1 or len(tokens(text, passage.lang)) < 2:
            continue
        subjects = [passage.subject]
        if passage.kind == "clarify":
            rows = store.query("SELECT card FROM clarification_cards WHERE clarification = ?", passage.subject)
            subjects = [row[0] for row in rows]
        for card in subjects:
            names = store.names(card)
            name = names[passage.lang].name if passage.lang in names else card
            hits.setdefault(card, Hit(card, 45, "text", passage.lang, name))
    found = tuple(hits.values())[:limit]
    return Found(found, len(found))
