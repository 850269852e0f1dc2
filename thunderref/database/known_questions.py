"""Counts what players asked and what the texts say, so that a question finds its answer: multinomial naive Bayes.

An answer, term, card, rule, ruling or conflict is a class, and so are the questions that nothing here answers. Every
question and text of a class adds the weights of its features to it; what is looked up later are logarithms of the sums.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from math import log, log1p
from typing import Any

from thunderref.database.load import Sources
from thunderref.database.paths import FIRST_GAME, FOREIGN, TOLD
from thunderref.database.records import text_of
from thunderref.text.features import LETTERS, PAIR, STEM, STEPS, features_of, pack_numbers, rarity, weigh
from thunderref.text.folding import fold

Row = dict[str, Any]
UNSEEN = 0.003
"""The weight that a feature is taken to have in a class none of whose texts has it; chosen on the tuning questions."""

_LEAST, _LEAST_OF_PAIRS = 2, 6
"""How many texts have to have a feature, and a pair of words: what fewer have costs room and finds nothing."""


def known_tables(sources: Sources) -> Iterator[tuple[str, list[Row]]]:
    """Yield the table ``subjects``, and those of each language, with their rows."""
    keys = sorted({FOREIGN, *(key for lang in sources.glossaries for key, *_ in _texts_of(sources, lang))})
    number = {key: i for i, key in enumerate(keys)}
    targets, games = sources.targets, sources.text_games
    about = ((i, key, targets[key], games.get(key) or games.get(targets[key], FIRST_GAME)) for key, i in number.items())
    yield "subjects", [dict(zip(("number", "key", "about", "game"), row, strict=True)) for row in about]
    for lang in sources.glossaries:
        yield from tables_of_language(sources, lang, number)


def tables_of_language(sources: Sources, lang: str, number: dict[str, int]) -> Iterator[tuple[str, list[Row]]]:
    """Yield the tables ``questions``, ``features``, ``totals`` and ``everyday`` with the rows of a language."""
    questions = sources.glossaries[lang].ask
    yield "questions", [
        {"subject": number[key.removesuffix(TOLD)], "lang": lang, "told": key.endswith(TOLD), "texts": "\n".join(texts)}
        for key, texts in questions.items() if key != FOREIGN
    ]  # fmt: skip
    features, totals = _count([*_texts_of(sources, lang)], lang, number)
    yield "features", [row | {"lang": lang} for row in features]
    yield "totals", [totals | {"lang": lang}]
    everyday = sorted({word for text in questions.get(FOREIGN, ()) for word in fold(text).split()})
    yield "everyday", [{"word": word} for word in everyday]


def _texts_of(sources: Sources, lang: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the class of each question and of each text, what it says, and whether it is a question of the players."""
    glossary, targets = sources.glossaries[lang], sources.targets
    for key, questions in glossary.ask.items():
        yield from ((key.removesuffix(TOLD), question, key != FOREIGN) for question in questions)
    for card, name in glossary.cards.items():
        yield targets[f"card.{card}"], name.name, False
    for key, entry in glossary.texts.items():
        kind, _, ident = key.partition(".")
        ident = ident.rpartition(".")[0] if kind == "card" else ident
        names = {"card": glossary.cards, "term": glossary.terms}.get(kind, {}).get(ident)
        if kind in ("card", "term"):
            yield targets[f"{kind}.{ident}"], f"{names.name if names else ''} {text_of(entry)}", False
        elif kind == "clarify" and targets[key].startswith("card."):
            yield targets[key], text_of(entry), False
        elif kind in ("answer", "rule", "clarify", "conflict"):
            yield key, text_of(entry), False


def _count(rows: list[tuple[str, str, bool]], lang: str, number: dict[str, int]) -> tuple[list[Row], Row]:
    """Return the rows of ``features`` and ``totals`` of a language; a feature that only one text has is left out."""
    texts = [
        (number[key], Counter(feature.name for feature in features_of(text, lang)), is_question)
        for key, text, is_question in rows
    ]
    texts_with = Counter(name for _, counts, _ in texts for name in counts)
    questions_with = Counter(
        name for _, counts, is_question in texts if is_question for name in counts if name.startswith(STEM)
    )
    fewest = {PAIR: _LEAST_OF_PAIRS} if questions_with else dict.fromkeys((STEM, PAIR, LETTERS), 1)  # a draft has few
    rarities = {name: rarity(n, len(rows)) for name, n in texts_with.items() if n >= fewest.get(name[0], _LEAST)}
    weights: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    totals = [0.0] * len(number)
    for subject, counts, _ in texts:
        for name, weight in weigh(counts, rarities).items():
            weights[name][subject] += weight
            totals[subject] += weight
    features = [
        {
            "feature": name, "known": texts_with[name], "asked": questions_with[name],
            "subjects": pack_numbers(sorted(of)), "weights": bytes(_steps(of[n]) for n in sorted(of)),
        }
        for name, of in sorted(weights.items())
    ]  # fmt: skip
    spread = UNSEEN * (len(rarities) or 1)
    return features, {"texts": len(rows), "logs": array("f", (log(total + spread) for total in totals)).tobytes()}


def _steps(weight: float) -> int:
    """Return the logarithm of how many times more than an unseen feature this one weighs, in steps."""
    return min(255, max(1, round(STEPS * log1p(weight / UNSEEN))))
