"""The words of a question as tokens, each with its possible meanings in a list of cards or in a situation.

What words and phrases mean stands in the glossaries. A question is split, folded and looked up once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from thunderref.database.read import Database, Language
from thunderref.search.counts import number_word, spell_ranks
from thunderref.search.filters import NUMBERS, kinds_and_types
from thunderref.search.names import edits, search_cards, word_keys
from thunderref.search.query import asked_with, exact_card, is_everyday
from thunderref.text.folding import fold_query, is_cyrillic
from thunderref.text.stems import query_stems

LISTED = (
    "asks", "superlatives", "compares", "holds", "counts", "buys", "lacks", "talk", "blocks", "denies", "yes-no",
    "boxes", "listing", "facts", "copies", "ordinals", "excludes", "fights", "groups", "limits", "places",
)  # fmt: skip
"""Topics of the messages ``list.words.…``."""
_ASKED = ("does", "gives", "immune", "tonight", "or", "and", "not")
"""Topics of the messages ``query.words.…``."""
_ALSO = (("level", "door.words.level"), ("talk", "door.words.cards"))
LONGEST = 4
"""Most words of a phrase or of a card's name; a word of no more letters has no other forms."""
MOST_WORDS = 20
"""A longer line is no question that cards decide."""
REMEMBERED = 64
"""Number of lines whose tokens are cached, as a line is read to be classified and again to be answered."""
_SPREAD = (
    "SELECT phrase, value FROM phrases WHERE lang = ? AND substr(phrase, 1, min(4, instr(phrase || ' ', ' ') - 1))"
    " IN ({}) AND topic = 'condition' AND phrase GLOB '* *' AND (value GLOB '*does:*' OR value GLOB 'immune:*')"
)
"""The phrases for what cards do that begin like a word."""
_TELLING = ("figure", "gives", "immune", "does", "compares", "superlatives", "level", "counts", "denies")
"""Meanings that no word within a phrase has, because it would change it."""
_WORD = re.compile(r"(?:(?<!\S)\+)?\d+|[^\W\d][\w'-]*|[<>]=?|[≤≥=]|(?<=\d)\+(?!\w)|(?<=\d)\s?[-–—](?=\s?\d)")
"""A word, a number, or a sign that compares numbers: 5+, 4-6, < 5."""
_SIGNED = re.compile(r"\+\d")
_SIGNS = {"+": ">=", "-": "to", "–": "to", "—": "to", "≤": "<=", "≥": ">="}
"""Sign -> what it means in a comparison, if not itself."""
_NAMED = frozenset(("exact", "inflected", "transliterated", "family"))
"""How a card is named for certain."""


class WordToken(NamedTuple):
    """A word, or the words of a phrase, with its possible meanings in a question."""

    typed: str
    meanings: Mapping[str, str]
    """Topic -> value, ``""`` if it has none."""

    def means(self, *topics: str) -> bool:
        """Return whether one of the topics is among the meanings."""
        return not self.meanings.keys().isdisjoint(topics)


class Lexicon:
    """The words of a language; made once a database."""

    def __init__(self, database: Database, lang: str) -> None:
        self.database, self.lang = database, lang
        self.tokens = lru_cache(REMEMBERED)(self._tokens)
        self.forms: dict[str, dict[str, str]] = {}
        self.stems: dict[str, dict[str, str]] = {}
        for topic in LISTED:
            self._add(topic, f"list.words.{topic}")
        for topic in _ASKED:
            self._add(topic, f"query.words.{topic}")
        for figure in NUMBERS:
            self._add("figure", f"ask.words.figure.{figure}", figure)
        for topic, key in _ALSO:
            self._add(topic, key)
        words = database.derived(Language, lang)
        self.defining = [fold_query(phrase) for phrase in words.say("list.words.defining").split(";")]
        titles = "SELECT text FROM messages WHERE lang = ? AND (key GLOB 'card.type.*' OR key GLOB 'card.kind.*')"
        self.titles = {fold_query(title) for (title,) in database.query(titles, lang)}
        self.marks = database.words("list.words.marks", lang)
        self.having = {
            *database.words("door.words.with", lang),
            *(word for word in self.marks if self.marks[word] == "has"),
        }
        self.ending, self.plural = int(words.say("list.words.ending")), words.say("list.words.plural")

    def _add(self, topic: str, key: str, value: str = "") -> None:
        for word, meaning in self.database.words(key, self.lang).items():
            self.forms.setdefault(word, {}).setdefault(topic, meaning or value)
            for stem in query_stems(word, self.lang) if len(word) > LONGEST else ():
                self.stems.setdefault(stem, {}).setdefault(topic, meaning or value)

    def _tokens(self, text: str) -> tuple[WordToken, ...]:
        typed = _WORD.findall(spell_ranks(text))
        tokens = ((raw, self._token(word)) for raw in typed for word in fold_query(raw).split() or [raw.strip()])
        return tuple(token._replace(meanings={"signed": ""}) if _SIGNED.match(raw) else token for raw, token in tokens)

    def _token(self, form: str) -> WordToken:
        if not form[0].isalnum():
            return WordToken(form, {"sign": _SIGNS.get(form, form)})
        number = number_word(self.database, form)
        if number is not None and form not in self.forms:
            return WordToken(str(number), {})
        if ordinal := self.forms.get(form, {}).get("ordinals"):
            return WordToken(ordinal, {"ordinal": ""})  # it counts levels, or places
        if form in self.forms or len(form) <= LONGEST:
            return WordToken(form, self.forms.get(form, {}))
        stems = (self.stems[stem] for stem in query_stems(form, self.lang) if stem in self.stems)
        return WordToken(form, next(stems, {}) or self._mistyped(form))

    def _mistyped(self, form: str) -> Mapping[str, str]:
        """What a word means that is a slip away from one that is known."""
        is_word = kinds_and_types(self.database, form) or is_everyday(self.database, form)
        if is_word or asked_with(self.database, form, self.lang):
            return {}
        near = [self._long[i][1] for i, _ in edits(form, [word for word, _ in self._long], 1)]
        return near[0] if near and all(meaning == near[0] for meaning in near) else {}

    @cached_property
    def _long(self) -> list[tuple[str, dict[str, str]]]:
        """The words that are long enough for a slip, and what they mean; those for kinds of cards among them."""
        kinds = "SELECT phrase, value FROM phrases WHERE lang = ? AND substr(value, 1, 5) IN ('kind:', 'type:')"
        forms = {phrase: {"condition": value} for phrase, value in self.database.query(kinds, self.lang)}
        return [(word, meanings) for word, meanings in (forms | self.forms).items() if len(word) > LONGEST]

    def with_phrases(self, words: Sequence[WordToken], topics: Collection[str]) -> list[WordToken]:
        """The words, those of a phrase that says one of the topics as one; a single one if nothing else is known.

        A word of a card's name may be that of a value, too: "Strength" and Amulet of Strength.
        """
        words = self._spread([*words]) if "condition" in topics else [*words]
        grams = {
            (i, size): " ".join(word.typed for word in words[i : i + size])
            for size in range(LONGEST, 0, -1)
            for i in range(len(words) - size + 1)
        }
        sql = f"SELECT phrase, topic, value FROM phrases WHERE lang = ? AND phrase IN ({', '.join('?' * len(grams))})"
        phrases: dict[str, dict[str, str]] = {}
        for phrase, topic, value in self.database.query(sql, self.lang, *grams.values()):
            is_box = value.startswith("set:")  # which a box's own cards and types are named for
            senses = self.forms.get(phrase, {}).keys() - {"immune"}
            is_word = " " not in phrase and (senses or kinds_and_types(self.database, phrase))
            of_a_name = topic != "figure" and is_of_a_name(self.database, phrase)
            if topic in topics and (is_box or not (is_word or of_a_name)):
                phrases[phrase] = {topic: value}
        tokens: list[WordToken | None] = [*words]
        for (i, size), phrase in grams.items():
            if phrase in phrases and None not in tokens[i : i + size] and tokens[i] is words[i]:
                tokens[i : i + size] = [WordToken(phrase, phrases[phrase]), *[None] * (size - 1)]
        return [token for token in tokens if token is not None]

    def _spread(self, words: list[WordToken]) -> list[WordToken]:
        """Return the words, those of a phrase for what cards do as one even where others stand between them."""
        starts = {word.typed[:LONGEST] for word in words}
        rows = self.database.query(_SPREAD.format(", ".join("?" * len(starts))), self.lang, *starts)
        for phrase, value in sorted(rows, key=lambda row: -row[0].count(" ")):
            places: list[int] = []
            for form in phrase.split():
                near = range(places[-1] + 1, min(places[-1] + LONGEST + 1, len(words))) if places else range(len(words))
                place = next((place for place in near if self._is_form(form, words[place].typed)), None)
                between = words[places[-1] + 1 : place] if places and place is not None else ()
                if place is None or not all(word.meanings and not word.means(*_TELLING) for word in between):
                    break
                places.append(place)
            else:
                words[places[0] : places[-1] + 1] = [WordToken(phrase, {"condition": value})]
        return words

    def _is_form(self, word: str, other: str) -> bool:
        """Return whether these are forms of one word: they differ in a few letters at the end."""
        short, long = sorted((word, other), key=len)
        stem = short[: max(LONGEST, len(short) - self.ending)]
        forms = LONGEST < len(short) <= len(long) <= len(short) + self.ending and long.startswith(stem)
        return word == other or forms

    def is_defining(self, form: str) -> bool:
        """Return whether a folded question wants a word explained, which the written answers do."""
        return any(f" {phrase} " in f" {form} " for phrase in self.defining)

    def knows(self, word: WordToken) -> bool:
        """Return whether a word may be of a list: told so by the glossaries, a number, a word of a card's name."""
        is_word = bool(word.meanings) or word.typed.isdecimal() or is_of_a_name(self.database, word.typed)
        return is_word or kinds_and_types(self.database, word.typed) is not None


def is_of_a_name(database: Database, word: str) -> bool:
    """Whether a word stands in the name of a card, in any case: what does not needs no search for one."""
    keys = [*word_keys(database, word, respelt=False)]
    sql = f"SELECT 1 FROM card_words WHERE stem IN ({', '.join('?' * len(keys))})"
    return bool(keys and database.query(sql, *keys))


def card_named(database: Database, words: Sequence[WordToken], apart: Collection[str]) -> str | None:
    """The card of this name, in any case or letters; None if a word of it means one of the topics ``apart``."""
    name = " ".join(word.typed for word in words)
    has_topic = any(word.means(*apart) for word in words)
    match = exact_card(database, fold_query(name)) if len(words) > 1 or not has_topic else None
    if match is None and not has_topic and all(is_of_a_name(database, word.typed) for word in words):
        near = search_cards(database, name)
        match = near if near.equals == 1 and near.hits[0].how in _NAMED else None
    return None if match is None else match.hits[0].id


def lexicons_of(words: Language, text: str) -> Iterator[Lexicon]:
    """The languages that a question may be in, by its letters; one that knows its first word is the last."""
    cyrillic = any(map(is_cyrillic, text.split()))
    for lang in dict.fromkeys((words.lang, *words.database.languages)):
        if (lang in words.database.cyrillic) == cyrillic:
            yield (lexicon := words.database.derived(Lexicon, lang))
            if any(word.means("asks", "yes-no") for word in lexicon.tokens(text)[:1]):
                return
