"""The rows of full-text search: every text with what it belongs to and the names it goes by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from thunderref.lookup.tokens import tokens
from thunderref.model.games import FIRST_GAME
from thunderref.model.glossary import GlossaryFile, Name, text_of
from thunderref.store.load import Sources

KINDS = {"card": "effect", "clarify": "clarify", "rule": "rule", "term": "term", "conflict": "conflict"}
"""Beginning of a text key -> kind of passage."""


def passage_rows(sources: Sources) -> Iterator[dict[str, Any]]:
    """The rows of the table ``passages``, without their numbers.

    ``tokens`` are the words of the text (with the name of the card or term it explains), ``names`` those of the names
    of everything the text is about: the card, its family, types and timing word, the cards of a ruling, the terms a
    rule defines, what a conflict concerns.
    """
    effects = {
        f"card.{card.reprint_of or card.id}.{effect.id}": card.reprint_of or card.id
        for _, card in sources.cards
        for effect in card.effects
    }
    games = text_games(sources)
    for lang, glossary in sources.glossaries.items():
        about = _names(sources, glossary)
        for key, entry in glossary.texts.items():
            first, _, rest = key.partition(".")
            subject = effects.get(key) if first == "card" else rest
            if first not in KINDS or subject is None:
                continue
            kind = KINDS[first]
            name = {"term": glossary.terms, "card": glossary.cards}.get(first, {}).get(subject)
            text = f"{name.name} {text_of(entry)}" if name else text_of(entry)
            yield {
                "key": key, "game": games.get(key, FIRST_GAME),
                "kind": kind, "subject": subject, "lang": lang, "tokens": " ".join(tokens(text, lang)),
                "names": " ".join(tokens(" ".join(about.get((kind, key if kind == "effect" else subject), ())), lang)),
            }  # fmt: skip


def text_games(sources: Sources) -> dict[str, str]:
    """Text key -> the game it belongs to; keys of cards and rulings, which all belong to the first, are left out."""
    found = {f"rule.{rule.id}": game for game, rule in sources.rules}
    found |= {f"term.{term.id}": game for game, term in sources.terms}
    return found | {f"conflict.{conflict.id}": game for game, conflict in sources.conflicts}


def _names(sources: Sources, glossary: GlossaryFile) -> dict[tuple[str, str], list[str]]:
    """(kind, subject) of a passage -> the names in one language of what it is about."""
    cards = {card.id: _spellings(glossary.cards, card.id) for _, card in sources.cards}
    for _, card in sources.cards:
        if card.family is not None:
            cards[card.id] += _spellings(glossary.families, card.family)
    found: dict[tuple[str, str], list[str]] = {}
    for _, card in sources.cards:
        types = [_message(glossary, f"card.type.{kind}") for kind in card.types]
        for effect in card.effects:
            timing = _message(glossary, f"card.timing.{effect.timing}")
            found["effect", f"card.{card.id}.{effect.id}"] = [*cards[card.id], *types, timing]
    for c in sources.clarifications:
        found["clarify", c.id] = _joined(cards[card] for card in c.cards)
    for _, term in sources.terms:
        names = _spellings(glossary.terms, term.id)
        found["term", term.id] = names
        if term.group not in ("title", "heading", "place"):
            for rule in term.rules:
                found.setdefault(("rule", rule), []).extend(names)
    for _, conflict in sources.conflicts:
        about = [cards[card] for card in conflict.cards] + [_spellings(glossary.terms, t) for t in conflict.terms]
        found["conflict", conflict.id] = _joined(about)
    return found


def _message(glossary: GlossaryFile, key: str) -> str:
    entry = glossary.messages.get(key)
    return text_of(entry) if entry is not None else ""


def _spellings(names: Mapping[str, Name], subject: str) -> list[str]:
    name = names.get(subject)
    return [name.name, *name.also] if name else []


def _joined(lists: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys(name for names in lists for name in names))
