"""Questions about one figure, type or number of a card, answered from the card: "how much does a dagger weigh".

As for lists, every word has to be accounted for.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from thunderref.database.card_records import Card
from thunderref.database.paths import FIGURES
from thunderref.database.read import Language
from thunderref.search.doings import gifts
from thunderref.search.filters import kinds_and_types
from thunderref.search.lists import Meaning, answer_of_list, card_named, read_list, readers_of

_MOST_WORDS, _LONGEST = 12, 4
_TOLD = frozenset(("figure", "counts"))
"""What one of the words has to mean."""
_APART = frozenset(("facts", "counts", "figure", "yes-no"))
"""What words of a question mean that are none of a name."""


class Fact(NamedTuple):
    """A card, and what is asked of it: a ``figure``, whether it ``is`` of a kind or type, or its number of copies."""

    card: str
    figure: str = ""
    is_a: str = ""
    counts: bool = False


def read_fact(words: Language, text: str) -> Fact | None:
    """What a question asks of one card, None if it asks for something else."""
    for reader in readers_of(words, text):
        typed = reader.words(text)
        if not 1 < len(typed) <= _MOST_WORDS:
            return None
        asks = "yes-no" in typed[0].meanings and any(kinds_and_types(words.database, word.typed) for word in typed)
        told = asks or any(not _TOLD.isdisjoint(word.meanings) for word in typed)
        if told and all(map(reader.knows, typed)) and (fact := _read(words, typed)):
            return fact
    return None


def _read(words: Language, typed: list[Meaning]) -> Fact | None:
    cards, figures, kinds = list[str](), list[str](), list[str]()
    asks, at = "yes-no" in typed[0].meanings, 0
    while at < len(typed):
        word = typed[at]
        size, card = _card_at(words, typed[at:])
        figure, kind = word.meanings.get("figure"), kinds_and_types(words.database, word.typed)
        if card is not None:
            cards.append(card)
        elif figure in FIGURES and not (asks and kind):  # "is it magic" asks for its type
            figures.append(figure)
        elif kind:
            kinds.append(kind)
        elif not {"facts", "yes-no", "boxes", "counts", "copies"} & set(word.meanings):
            return None
        at += size
    figures = ["magic_attack"] if {*figures} == {"attack", "magic_attack"} else figures
    if len(cards) != 1 or len(figures) + len(kinds) > 1:
        return None
    if figures:
        return _figure_asked(words, words.database.cards[cards[0]], figures[0])
    if kinds:
        return Fact(cards[0], is_a=kinds[0]) if asks and kinds[0].startswith(("kind", "type")) else None
    said = {meaning for word in typed for meaning in word.meanings}
    return Fact(cards[0], counts=True) if said >= {"counts", "copies"} else None


def _figure_asked(words: Language, card: Card, figure: str) -> Fact | None:
    """A figure of a card, None for what its abilities give: the card alone does not say how much."""
    figure = "level_cost" if figure == "xp" and card.is_hero else figure
    by_ability = figure in words.database.derived(gifts).get(card.id, ()) or (figure == "vp" and card.vp is None)
    darkens = figure == "light" and card.light_penalty
    return None if getattr(card, figure) is None and (by_ability or darkens) else Fact(card.id, figure)


def _card_at(words: Language, typed: list[Meaning]) -> tuple[int, str | None]:
    """How many words name a card here, and which card; 1 and None if they name none."""
    most = 1 if typed[0].typed.isdecimal() else min(_LONGEST, len(typed))  # "6 horde cards" are no Horde 6
    sizes = ((size, card_named(words.database, typed[:size], _APART)) for size in range(most, 0, -1))
    return next(((size, card) for size, card in sizes if card is not None), (1, None))


def answer_of_fact(words: Language, fact: Fact) -> dict[str, Any]:
    """What is said of a card, in the form of an answer."""
    database, card, verdict = words.database, words.database.cards[fact.card], None
    if fact.is_a:
        value = fact.is_a.partition(":")[2]
        is_one = value in card.types or value == card.kind or (value == "hero" and card.is_hero)
        verdict = "yes" if is_one else "no"
    tongues = (Language(database, code) for code in database.languages)
    texts = {each.lang: _said(each, card, fact, verdict) for each in tongues}
    return {"kind": "card", "verdict": verdict, "text": texts, "rules": [], "cards": [card.id], "query": None}


def _said(words: Language, card: Card, fact: Fact, verdict: str | None) -> str:
    """One sentence: the value, that there is none and why, the types of the card, or its copies by box."""
    name, kind = words.card(card.id), words.say(f"card.kind.{card.kind}")
    types = " • ".join(words.say_or(each, "card.type.") for each in card.types)
    sort = f"{kind}, {types}" if types and types != kind else kind
    if fact.counts:
        same = [each for each in words.database.cards.values() if card.id in (each.id, each.reprint_of)]
        boxes = ", ".join(f"{words.set_name(each.set_id)} {words.say('card.copies', n=each.count)}" for each in same)
        return words.say("fact.copies", card=name, boxes=boxes)
    if verdict is not None:
        return f"{words.say(f'ask.verdict.{verdict}')} {words.say('fact.sort', card=name, sort=sort)}"
    value, label = getattr(card, fact.figure), words.say(f"card.figure.{fact.figure}")
    if value is None:
        return words.say("fact.lacks", card=name, figure=label, sort=sort)
    return words.say("fact.value", card=name, figure=label, value=value)


def computed_answer(words: Language, text: str, tonight: Collection[str] = ()) -> dict[str, Any] | None:
    """The answer to a question that the cards decide, for a list or of one card; None if it is another one."""
    if listed := read_list(words, text):
        return answer_of_list(words, listed, tonight)
    fact = read_fact(words, text)
    return None if fact is None else answer_of_fact(words, fact)
