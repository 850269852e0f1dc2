"""Reads a question that asks for cards, by what they do or as those with most of a value, as a query.

Every word has to be accounted for: a line with one that is not is no list. The words are the glossaries'.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from thunderref.database.card_records import Card
from thunderref.database.read import FALLBACK, Database, Language
from thunderref.errors import ThunderrefError
from thunderref.search.counts import number_word
from thunderref.search.doings import FIGURES
from thunderref.search.filters import NUMBERS, ListQuery, filter_cards, kinds_and_types
from thunderref.search.names import edits, search_cards, word_keys
from thunderref.search.query import asked_with, exact_card, is_everyday
from thunderref.text.folding import fold_query, is_cyrillic, word_values
from thunderref.text.stems import query_stems

_TOPICS = (
    "asks", "superlatives", "compares", "holds", "counts", "buys", "lacks", "talk", "blocks", "denies", "yes-no",
    "boxes", "listing", "facts", "copies",
    "ordinals", "excludes", "fights", "groups",
)  # fmt: skip
"""What the words of the glossaries (``list.words.…``) mean here; some with a value behind a colon."""
_MOST_WORDS, _READ = 16, 500
_LEVELS, _SKIPPED, _SELDOM = 3, 2, 100
_SIGNS = frozenset(("<", "<=", ">", ">="))
_LONGEST, _MANY, _BEGIN = 4, 13, 3
_GAP = 5
"""So many words further is the next of a phrase."""
_KINDS = "SELECT phrase, value FROM phrases WHERE lang = ? AND topic = 'condition' AND value GLOB '*[de]:*'"
_TITLE = "SELECT text FROM messages WHERE key = ? AND lang = ?"
_SPREAD = (
    "SELECT phrase, value FROM phrases WHERE lang = ? AND substr(phrase, 1, min(4, instr(phrase || ' ', ' ') - 1))"
    " IN ({}) AND topic = 'condition' AND (value GLOB '*does:*' OR value GLOB 'immune:*')"
)
"""The phrases for what cards do that begin like a word."""
_NAMED = frozenset(("exact", "inflected", "transliterated", "family"))
"""How a card is named for certain."""
_PHRASES = frozenset(("condition", "figure", *_TOPICS, "tonight"))
"""What phrases may say in a list."""
_ALSO = (("level", "door.words.level"), ("talk", "door.words.cards"))


class Meaning(NamedTuple):
    """A word, and what it may mean in a question."""

    typed: str
    meanings: Mapping[str, str]
    """Topic -> value, ``""`` if it has none."""


class ListReader:
    """Reads questions in a language; made once a database."""

    def __init__(self, database: Database, lang: str) -> None:
        self.database, self.lang = database, lang
        self.word = lru_cache(_READ)(self._word)  # a line is read for a list, and for a situation
        self.forms: dict[str, dict[str, str]] = {}
        self.stems: dict[str, dict[str, str]] = {}
        for topic in _TOPICS:
            self._add(topic, f"list.words.{topic}")
        for topic in ("does", "gives", "immune", "tonight", "or", "and", "not"):
            self._add(topic, f"query.words.{topic}")
        for figure in NUMBERS:
            self._add("figure", f"ask.words.figure.{figure}", figure)
        for topic, key in _ALSO:
            self._add(topic, key)
        self.defining = tuple(f" {fold_query(phrase)} " for phrase in self._message("list.words.defining").split(";"))
        self.places = dict(word_values([self._message("list.words.places")]))
        self.limits = frozenset(fold_query(self._message("list.words.limits")).split())
        self.ending = int(self._message("list.words.ending"))

    def _message(self, key: str) -> str:
        """A message of this language, or of English where it has none."""
        rows = self.database.query("SELECT lang, text FROM messages WHERE key = ?", key)
        texts: dict[str, str] = dict(rows)
        return texts.get(self.lang, texts[FALLBACK])

    def _add(self, topic: str, key: str, value: str = "") -> None:
        rows = self.database.query("SELECT text FROM messages WHERE key = ? AND lang = ?", key, self.lang)
        for word, named in word_values(text for (text,) in rows):
            self.forms.setdefault(word, {}).setdefault(topic, named or value)
            for stem in query_stems(word, self.lang) if len(word) > _LONGEST else ():
                self.stems.setdefault(stem, {}).setdefault(topic, named or value)

    def _word(self, typed: str) -> Meaning:
        form = fold_query(typed)
        number = number_word(self.database, form)
        if number is not None and number < _MANY and form not in self.forms:
            return Meaning(str(number), {})
        if ordinal := self.forms.get(form, {}).get("ordinals"):
            return Meaning(ordinal, {})  # an ordinal number counts levels only
        if form in self.forms or len(form) <= _LONGEST:
            return Meaning(form, self.forms.get(form, {}))
        stems = (self.stems[stem] for stem in query_stems(form, self.lang) if stem in self.stems)
        return Meaning(form, next(stems, {}) or self._mistyped(form))

    def _mistyped(self, form: str) -> Mapping[str, str]:
        """What a word means that is a slip away from one that is known."""
        known = kinds_and_types(self.database, form) or is_everyday(self.database, form)
        if known or asked_with(self.database, form, self.lang):
            return {}
        long = [*self._long]
        near = [self._long[long[at]] for at, _ in edits(form, long, 1)]
        return near[0] if near and all(each == near[0] for each in near) else {}

    @cached_property
    def _long(self) -> dict[str, dict[str, str]]:
        """What the words mean that are long enough for a slip, those for kinds of cards among them."""
        kinds = self.database.query(_KINDS, self.lang)
        forms = {phrase: {"condition": value} for phrase, value in kinds} | self.forms
        return {word: meanings for word, meanings in forms.items() if len(word) > _LONGEST}

    def words(self, text: str) -> list[Meaning]:
        typed = re.findall(r"\d+|[^\W\d][\w'-]*", text)
        return [self.word(word) for each in typed for word in fold_query(each).split()]

    def read(self, text: str, most: int = _SKIPPED) -> ListQuery | None:
        """The query that the question is, None if it is none; ``most`` words that are unknown are passed over."""
        words, form = self.words(text), f" {fold_query(text)} "
        asked = form.startswith(self.defining)  # a word is to be explained, which the written answers do
        if asked or not 1 < len(words) <= _MOST_WORDS:
            return None
        if self.database.query("SELECT 1 FROM names WHERE kind = 'term' AND form = ?", form.strip()):
            return None  # the name of a term, which has a page of its own
        first, words = words[0], self.with_phrases(words, _PHRASES)
        judged = {"yes-no"} & {*first.meanings, *words[0].meanings} and "asks" not in words[0].meanings
        if judged or (len(words) == 1 and "condition" in words[0].meanings):
            return None  # a condition alone names a thing, and asks for no cards
        known = [word for word in words if self.knows(word)]
        if any(word not in known and not self.passes(word) for word in words):
            return None
        clause = next((at for at, word in enumerate(words) if "blocks" in word.meanings), len(words))
        # The first word counts twice: one that is unknown begins a question of another kind.
        skipped = sum(word not in known for word in (*words[:clause], words[0]))
        return _Reading(self, known, skipped).read() if skipped <= most else None

    def passes(self, word: Meaning) -> bool:
        """Whether an unknown word may be passed over: one that players often use may change what is asked."""
        return asked_with(self.database, word.typed, self.lang) <= _SELDOM

    def with_phrases(self, words: list[Meaning], topics: Collection[str]) -> list[Meaning]:
        """The words, those of a phrase that says one of the topics as one; a single one if nothing else is known.

        A word of a card's name may be that of a value, too: "Strength" and Amulet of Strength.
        """
        words = self._spread(words) if "condition" in topics else words
        grams = {
            (at, size): " ".join(word.typed for word in words[at : at + size])
            for size in range(_LONGEST, 0, -1)
            for at in range(len(words) - size + 1)
            if size > 1 or not (words[at].meanings or kinds_and_types(self.database, words[at].typed))
        }
        wanted = ", ".join("?" * len(grams))
        sql = f"SELECT phrase, topic, value FROM phrases WHERE lang = ? AND phrase IN ({wanted})"
        rows = self.database.query(sql, self.lang, *grams.values()) if grams else []
        hits = {phrase for phrase, _, _ in rows}
        known = {word.typed for word in words if word.typed in hits and self.knows(word)}
        rows = [row for row in rows if row[1] in topics and (row[1] == "figure" or row[0] not in known)]
        said = {phrase: {topic: value} for phrase, topic, value in rows}
        found: list[Meaning | None] = [*words]
        for (at, size), phrase in grams.items():
            if phrase in said and None not in found[at : at + size] and found[at] is words[at]:
                found[at : at + size] = [Meaning(phrase, said[phrase]), *[None] * (size - 1)]
        return [each for each in found if each is not None]

    def _spread(self, words: list[Meaning]) -> list[Meaning]:
        """Return the words, those of a phrase for what cards do as one even where others stand between them."""
        starts = {word.typed[:_LONGEST] for word in words}
        sql = _SPREAD.format(", ".join("?" * len(starts)))
        rows = ((phrase.split(), value) for phrase, value in self.database.query(sql, self.lang, *starts))
        for phrase, value in sorted(rows, key=lambda row: -len(row[0])):
            if len(phrase) == 1 or not starts.issuperset(part[:_LONGEST] for part in phrase):
                continue
            last, first = -1, -1
            for part in phrase:
                near = range(last + 1, len(words)) if last < 0 else range(last + 1, min(last + _GAP, len(words)))
                last = next((at for at in near if _alike(part, words[at].typed, self.ending)), len(words))
                first = last if first < 0 else first
            if last < len(words) and not any(map(self._stops, words[first + 1 : last])):
                said = Meaning(" ".join(phrase), {"condition": value})
                words = [*words[:first], said, *words[last + 1 :]]
        return words

    def _stops(self, word: Meaning) -> bool:
        """Whether a word ends a phrase: a number, a card's name."""
        return word.typed.isdecimal() or not (word.meanings or not is_of_a_name(self.database, word.typed))

    def knows(self, word: Meaning) -> bool:
        """Whether a word may be of a list or a fact: told so by the glossaries, a number, a word of a card's name."""
        known = bool(word.meanings) or word.typed.isdecimal() or is_of_a_name(self.database, word.typed)
        return known or kinds_and_types(self.database, word.typed) is not None


class _Reading:
    """One question, word by word."""

    def __init__(self, reader: ListReader, words: Sequence[Meaning], skipped: int) -> None:
        self.reader, self.words, self.database, self.skipped = reader, words, reader.database, skipped
        self.parts: list[str] = []
        self.sort: list[str] = []
        self.figures: list[str] = []
        self.at = 0
        self.denied = False
        self.groups, self.told = "", False
        self.first = self.counts = self.asks = self.holds = self.buys = self.either = False
        self.cards: list[str] = []

    def read(self) -> ListQuery | None:
        """The query; None if a word is unknown, or says what no condition does ("without", "if")."""
        verbs = [at for at, word in enumerate(self.words) if word.meanings.get("does", "card") not in _OBJECTS]
        places = [
            at
            for at, word in enumerate(self.words)
            if "blocks" in word.meanings
            or self._denies(at)
            or (verbs and at > verbs[0] and word.meanings.get("excludes") == "")  # what is missing qualifies the deed
        ]
        clause = places[0] if places else len(self.words)
        # What a hero holds is told by weight and Strength alone: a clause about help or food says nothing else.
        held = any("holds" in word.meanings for word in self.words[:clause])
        denied = not held and any(map(self._denies, range(len(self.words))))
        sure = any("condition" in word.meanings for word in self.words[:clause])
        if denied or (not sure and any(map(self._tells, self.words[clause + 1 :]))):
            return None
        self.whole, self.words = self.words, self.words[:clause]
        while self.at < len(self.words):
            if not self._step():
                if self.words[self.at].typed.isdecimal() or not (
                    self.words[self.at].meanings or self.reader.passes(self.words[self.at])
                ):
                    return None
                self.skipped += 1
                self.at += 1
        group = self._group_at(0)[1] if self.words else None
        first = {meaning for word in self.words[:_BEGIN] for meaning in word.meanings}
        asks = not _BEGINNINGS.isdisjoint(first) or not (group or "timing").startswith("timing")
        if self.skipped > _SKIPPED * asks or (self.groups and not self.counts):
            return None
        if self.groups == "family" and not any(part.startswith("kind:") for part in self.parts):
            self.parts.append("kind:hero")
        self._finish()
        self.cards = [card for card in self.cards if not any(part.endswith(f"-{card}") for part in self.parts)]
        limit = self.counts and not self.holds and any(map(self._limits, self.whole))
        fact = limit or (self.counts and self.figures)  # an amount of a value is asked for, not a number of cards
        # A deed without a question word states a fact about a type, if the line begins with the type's name.
        bare = not (self.asks or self.counts) and any(map(_is_done, self.parts))
        if bare and self.words and self.words[0].typed == self._title(self.parts[0]):
            return None
        exists = self.words and self.words[0].meanings.get("asks") == "exists"
        if exists and not any(part.startswith(("kind:", "type:", "family:", "does:")) for part in self.parts):
            return None
        if not self.parts and self.sort and self.sort[0].lstrip("-") in _PROPER:
            self.parts.append(f"not {self.sort[0].lstrip('-')}:none")
        held = self.holds and not (self.asks or group or self.told)  # about one hero and one weapon
        if not self.parts or (self.cards and not self.holds) or fact or self.either or held:
            return None
        told = any("condition" in word.meanings or word.meanings.get("does") == "gain" for word in self.words)
        if len(self.parts) == 1 and self.parts[0].startswith("gives:") and any(map(_explains, self.words)) and not told:
            return None  # the value is to be explained
        numbered = self.asks and self.parts[0][-1].isdecimal()
        telling = sure or any(_tells(part) and not part.startswith("gives:") for part in self.parts)
        if self.skipped and not (self.sort or telling or (self.skipped == 1 and len(self.parts) > 1)):
            return None
        said = any(word.meanings.get("condition", "").startswith("does:") for word in self.words)
        told = _tells(self.parts[0]) and (self.asks or not self.parts[0].startswith(("gives:", "light_penalty")))
        whole = len(self.words) == 1 or self.groups  # nothing beside the condition that could mean more
        if len(self.parts) == 1 and not (self.sort or numbered or said or told or whole):
            plain = {"asks", "counts", "listing"}
            what = any(word.meanings.get("asks") == "what" for word in self.words) and not self.counts
            if (what and self.skipped) or (self.counts and _is_done(self.parts[0])):
                return None  # whoever does it to something unknown: no condition says that
            what = what or self.parts[0] in _BARE or any(word.meanings.get("does") == "gain" for word in self.words)
            free = (self.skipped or what) and not any("condition" in word.meanings for word in self.words)
            idle = (word for word in self.words if _is_idle(word) and " " not in word.typed)
            if (free and any(plain.isdisjoint(word.meanings) for word in idle)) or not (self.asks or self.counts):
                return None
        if "strength" in (key.lstrip("-") for key in self.sort) and not self._met():  # monsters have Health for it
            self.sort = [key.replace("strength", "health") for key in self.sort]
            self.parts = [part if part != "not strength:none" else "health>0" for part in self.parts]
        wider = [part if part != "kind:hero" else _HEROES for part in self.parts]
        if not (self.first or self.groups) and len(self._met(wider)) > len(
            self._met()
        ):  # Militia is a hero, too (R0.4)
            self.parts = wider
        query = " ".join(dict.fromkeys(self.parts))
        listed = ListQuery(query, tuple(self.sort), self.first, self.counts, self.groups)
        return listed if self._met() else None

    def _met(self, parts: Sequence[str] = ()) -> list[Card]:
        try:
            return filter_cards(self.database, " ".join(each for each in parts or self.parts if each != "tonight"))
        except ThunderrefError:  # the words make up a condition that no card has
            return []

    def _title(self, part: str) -> str:
        """The name of a type, as one of its cards is called."""
        value = part.rpartition(":")[2]
        rows = self.database.query(_TITLE, f"card.type.{value}", self.reader.lang)
        return fold_query(rows[0][0]) if rows else ""

    def _denies(self, at: int) -> bool:
        """Return whether a word there changes what is asked: an exclusive one does, but not before a number or box."""
        beyond, how = self.words[at + 1 : at + 2], self.words[at].meanings.get("denies")
        bound = any(word.typed.isdecimal() or "boxes" in word.meanings for word in beyond)
        told = how == "only" and any("does:" in word.meanings.get("condition", "") for word in self.words)
        return how is not None and not (bound or told)

    def _tells(self, word: Meaning) -> bool:
        """Return whether a word of a subordinate clause would change what is asked for."""
        telling = {"figure", "does", "gives", "counts", "compares", "superlatives", "level", "immune", "blocks"}
        return bool(
            telling & set(word.meanings) or word.typed.isdecimal() or kinds_and_types(self.database, word.typed)
        )

    def _meaning(self, topic: str, at: int | None = None) -> str | None:
        place = self.at if at is None else at
        return self.words[place].meanings.get(topic) if 0 <= place < len(self.words) else None

    def _step(self) -> bool:
        """Reads what stands here; False if nothing is known of it."""
        cards = (self._card, self._group)
        readings = (
            self._condition, self._excluded, self._level, self._figure_and_number, *cards, self._doing, self._giving,
            self._small,
        )  # fmt: skip
        for read in readings:
            if size := read():
                self.at += size
                return True
        return False

    def _condition(self) -> int:
        """Read a phrase that stands for a whole condition, and return the number of words that it takes."""
        condition = self._meaning("condition")
        self.parts += [condition] if condition else []
        destroys = (condition or "").startswith("does:destroy-")
        return self._further(self.at + 1, "destroy") - self.at if destroys else 1 if condition else 0

    def _excluded(self) -> int:
        """Read what is left out, a card, a kind or a condition, and return the number of words that it takes."""
        how = self._meaning("excludes")
        if how is None:
            return 0
        if self.holds:  # food that is left out changes nothing: weight and Strength are compared as printed
            return len(self.words) - self.at
        for place in range(self.at + 1, min(self.at + _LONGEST, len(self.words))):
            gives = {"gives", "figure"} & set(self.words[place].meanings)
            size, group = (0, None) if gives else self._group_at(place)
            card = None if group else card_named(self.database, self.words[place : place + 1], ())
            condition = self._meaning("condition", place)
            if card or condition or (group and (how or group.startswith(("kind:", "type:")))):
                self.parts.append(f"not {condition or group or f'name:{card}'}")
                return place + max(size, 1) - self.at
            if gives or "does" in self.words[place].meanings:
                self.denied = True  # the negation belongs to the deed that follows
                return place - self.at
            if not {"talk", "asks"} & set(self.words[place].meanings):
                break
        return 0

    def _level(self) -> int:
        """Read a level, its number before or behind the word, and return the number of words that it takes."""
        pair = [word.typed for word in self.words[self.at : self.at + 2]]
        levels = [self._meaning("level", self.at + place) is not None for place in range(2)]
        for number in (number_word(self.database, each) for each in pair[1:] * levels[0] + pair[:1] * levels[1]):
            every = not levels[0] and self._meaning("asks", self.at - 1) is not None  # a number of levels
            self.either = self.either or every
            if number is not None and 0 < number <= _LEVELS:
                self.parts.append(f"level={number}")
                return 2
        return 0

    def _figure_and_number(self) -> int:
        """Read a value, a sign and a number in any order, and return the number of words that they take."""
        sign, number, figure, end = "", "", "", self.at
        compared = (
            self._meaning("compares") and "".join(word.typed for word in self.words[self.at + 1 :][:1]).isdecimal()
        )
        if not compared and (self._meaning("superlatives") is not None or self._meaning("does") is not None):
            return 0
        bound = False
        while end < len(self.words) and end < self.at + 6:
            word = self.words[end]
            said = word.meanings.get("compares")
            if said and said.startswith("cost"):  # an adjective that is value and sign in one
                if figure not in ("", "cost", "gold"):
                    break
                figure, said = "cost", said.removeprefix("cost")
            if "level" in word.meanings:
                break
            if word.typed.isdecimal() and not number:
                number = word.typed
            elif said in (*_SIGNS, "=") and not sign:
                sign = f"{said[0]}=" if bound and number else str(said)
            elif (
                (named := word.meanings.get("figure")) is not None
                and "talk" not in word.meanings
                and (not figure or named in (figure, "gold" if figure == "cost" and number else figure))
            ):
                figure = figure or named
            elif not ("or" in word.meanings or said is not None or ("talk" in word.meanings and end > self.at)):
                break
            bound = bound or "or" in word.meanings or said == ""
            end += 1
        if not number or not (figure or sign):
            return 0
        buys = any("buys" in word.meanings for word in self.words)
        given = any(word.meanings.get("does") == "gain" for word in self.words)
        if (figure == "gold" and not given) or not figure:  # what one pays, not what a card gives
            figure, sign = "cost", sign or ("<=" if buys or not figure else "")
        while {"talk", "or"} & set(self.words[end - 1].meanings) and not self.words[end - 1].meanings.get("compares"):
            end -= 1
        self.parts.append(f"{figure}{sign or '='}{number}")
        return end - self.at

    def _group(self) -> int:
        """A kind, type, family or box, or one of several ("elf or dwarf"); a word of the sheet stays to others."""
        size, found = self._group_at(self.at)
        if not size or found is None or (found.startswith("timing:") and "talk" in self.words[self.at].meanings):
            return 0  # says where all of it happens, and tells no cards apart
        if (card := found.removeprefix("type:").removeprefix("kind:")) in self.database.cards:
            self.cards.append(card)  # Militia, Disease: the name of one card
            return size
        sorts = [part for part in self.parts if part.startswith(("kind:", "type:"))]
        if found == "kind:hero" and sorts and self.parts[-1].startswith(("gives:", "does:")):
            return size  # heroes are those who get it, and not the cards that are asked for
        if size == 1 and {"figure", "gives"} & set(self.words[self.at].meanings) and (self.parts or self.asks):
            return 0
        if size == 1 and {"superlatives", "compares"} & set(self.words[self.at].meanings):
            return 0
        before = self.words[self.at - 1] if self.at else Meaning("", {})
        if found == "kind:village" and "in" in map(self._place, self.words[max(0, self.at - 2) : self.at]):
            found = "timing:village"  # a place, and not what a card belongs to
        elif found == "timing:village" and (before.meanings.get("does") == "card" or self._place(before) == "out"):
            found = "kind:village"  # what cards belong to, and not a place
        alike, field = [found], found.partition(":")[0]
        while self._meaning("or", self.at + size) is not None:
            more, other = self._group_at(self.at + size + 1)
            if other is None or not other.startswith(field):
                break
            alike.append(other)
            size += 1 + more
        if len(alike) > 1 and not self.asks and any(part.startswith("family") for part in self.parts):
            return 0  # a family and two types to choose from: a fact is asked for
        self.parts.append(found if len(alike) == 1 else f"({' or '.join(alike)})")
        return size

    def _limits(self, word: Meaning) -> bool:
        """Return whether a word asks what a player may do: how many of something is a rule then, and no list."""
        return not self.reader.limits.isdisjoint(word.typed.split())

    def _place(self, word: Meaning) -> str | None:
        """What a word says of a place behind it: ``in`` it, or ``out`` of it."""
        return self.reader.places.get(word.typed)

    def _group_at(self, at: int) -> tuple[int, str | None]:
        """How many words name a kind, type, family or box there, and its condition."""
        for size in range(min(_LONGEST, len(self.words) - at), 0, -1):
            if found := kinds_and_types(self.database, " ".join(word.typed for word in self.words[at : at + size])):
                return size, found
        said = self.words[at].meanings.get("does", "card")
        kind = kinds_and_types(self.database, said) if said in _OBJECTS else None
        return (1, kind) if kind else (0, None)

    def _card(self) -> int:
        """A card by its name, in any case."""
        for size in range(min(_LONGEST, len(self.words) - self.at), 0, -1):
            here = self.words[self.at : self.at + size]
            card = card_named(self.database, here, {"talk"} if size > 1 else {*here[0].meanings})
            if card is not None:
                self.cards.append(card)
                return size
        return 0

    def _doing(self) -> int:
        """Read what is done and to whom, within three words, and return the number of words that it takes."""
        verb = self._meaning("does")
        if verb is None or verb in _OBJECTS:
            return 0
        end, what = self._object(self.at + 1, verb)
        if verb == "gain" and not what:
            return 0  # what gives a value is read with the values
        if verb == "discard" and any(word.meanings.get("does") == "opponents" for word in self.words):
            what = "opponents"
        value = {"destroy": f"destroy-{what}", "gain": f"gain-{what}", "discard": f"{what}-discard"}.get(verb, verb)
        self._add(f"does:{value if what else verb}")
        return (self._further(end, verb) if what else end) - self.at

    def _further(self, end: int, verb: str) -> int:
        """Add further kinds that are destroyed, and return where the enumeration of them ends."""
        while self._meaning("and", end) is not None and (more := self._object(end + 1, verb))[1]:
            self._add(f"does:{verb}-{more[1]}")
            end = more[0]
        return end

    def _add(self, condition: str) -> None:
        """Add a condition, denied if a negation stands before it."""
        self.parts.append(f"not {condition}" if self.denied else condition)
        self.denied = False

    def _object(self, at: int, verb: str) -> tuple[int, str]:
        """Where the words of what is destroyed, gained or discarded end, and what it is, "" for nothing known."""
        for place in range(at, min(at + _LONGEST, len(self.words))):
            said = self.words[place].meanings.get("does")
            group = kinds_and_types(self.database, self.words[place].typed)
            if said in _OBJECTS or (group and verb == "destroy"):
                return place + 1, str(said) if said in _OBJECTS else str(group).partition(":")[2]
            if not {"talk", "asks"} & set(self.words[place].meanings):
                break
        return at, ""

    def _giving(self) -> int:
        if self._meaning("holds") is not None:
            self.holds, self.told = True, " " in self.words[self.at].typed
            return 1
        if (order := self._meaning("superlatives")) is not None:
            if order in ("-", "+") and self._meaning("superlatives", self.at + 1) is not None:
                return 1  # the adverb: the adjective behind it says which value
            if order in ("-", "+"):  # most or least of a value that is named beside it, or else of the cost
                for place in range(self.at + 1, min(self.at + 4, len(self.words))):
                    if figure := self.words[place].meanings.get("figure"):
                        self.sort.append(f"{'-' if order == '-' else ''}{figure}")
                        self.first = True
                        return place + 1 - self.at
                self.sort.append(f"{'-' if order == '-' else ''}{self.figures.pop() if self.figures else 'cost'}")
                self.first = True
                return 1
            self.sort.append(order)
            self.first = True
            return 1
        if (immune := self._meaning("immune")) is not None and any("lacks" in w.meanings for w in self.words):
            self.parts.append(f"immune:{immune}")
            return 1 + (self._meaning("figure", self.at + 1) == "attack")  # one value of two words
        figure = self._meaning("figure") or self._meaning("gives")
        if figure is None or figure == "" or "talk" in self.words[self.at].meanings:
            return 0
        beside = self._meaning("figure", self.at + 1) or self._meaning("gives", self.at + 1)
        whole = {figure, beside} == {"attack", "magic_attack"}
        if self.denied:
            self._add(f"gives:{'magic_attack' if whole else figure}")
        else:
            self.figures.append("magic_attack" if whole else figure)
        return 1 + whole

    def _small(self) -> int:
        if self._meaning("tonight") is not None:
            self.parts.append("tonight")
        elif box := self._meaning("boxes"):
            self.parts.append(f"set:{box}")
        elif self._meaning("counts") is not None:
            self.counts = True
        elif groups := self._meaning("groups"):
            self.groups = groups
        elif self._meaning("buys") is not None:
            self.buys = True
        elif self._meaning("does") in ("opponents", "card", "gain"):
            pass
        elif not {"talk", "asks", "lacks", "compares", "or", "denies"} & set(self.words[self.at].meanings):
            return 0
        self.either = self.either or self._meaning("or") is not None
        self.asks = self.asks or "asks" in self.words[self.at].meanings
        return 1

    def _finish(self) -> None:
        """What the whole line says: whom a card holds, what is given, what is sorted."""
        if self.holds and len(self.cards) == 1:
            card = self.database.cards[self.cards[0]]
            self.parts = [part for part in self.parts if part not in ("type:weapon", "kind:hero")]
            self.parts = [part for part in self.parts if not (card.level and part.startswith("level"))]
            self.parts.append(f"held-by:{card.id}" if card.is_hero else f"holds:{card.id}")
        elif self.holds:
            self.parts = []
            return
        if self.buys and not any(part.startswith(("kind", "type", "family")) for part in self.parts):
            self.parts.append(_SOLD)
        strongest = self.sort and self.sort[0].lstrip("-") == "strength"  # of light, and no value of its own
        sorts = len(self.figures) == 1 and self.figures[0] in NUMBERS and (self.figures[0] != "light" or strongest)
        if self.first and sorts:
            self.sort = [self.sort[0][: self.sort[0].startswith("-")] + self.figures.pop()]  # the value named wins
        if self.counts and len(self.parts) > 1:
            self.parts = [part for part in self.parts if part != "timing:dungeon"]
        kinds = any(part.startswith("kind:") for part in self.parts)
        if self.sort or any(part.startswith("cost") for part in self.parts):  # what the village sells
            self.parts = [part if part != "timing:village" or kinds else _SOLD for part in self.parts]
        if "timing:village" in self.parts and any(_tells(part) for part in self.parts):
            self.parts = [part for part in self.parts if part != "timing:village"]  # the place where it is bought
            self.parts = self.parts if kinds else [_SOLD, *self.parts]
        victims = {part.rpartition("-")[2] for part in self.parts if part.startswith("does:destroy-")}
        self.parts = [part for part in self.parts if part.partition(":")[2] not in victims]
        for field in ("kind:", "family:"):
            alike = [part for part in dict.fromkeys(self.parts) if part.startswith(field)]
            if len(alike) > 1:  # no card is of two kinds
                self.parts = [*(part for part in self.parts if part not in alike), f"({' or '.join(alike)})"]
        forms = self.reader.forms
        fights = any("fights" in forms.get(each, {}) for word in self.whole for each in word.typed.split())
        if fights and "kind:hero" not in self.parts and any(map(_of_a_fight, self.parts)):
            self.parts.append("timing:battle")
        if any(part.startswith(("does:halve", "does:only", "does:needs", "(does:needs", "does:weaken", "light_penalty"))
               for part in self.parts):  # fmt: skip
            self.figures = []
        given = any({"gives"} & set(word.meanings) or word.meanings.get("does") == "gain" for word in self.words)
        printed = not given and any(part in ("kind:hero", "type:weapon") for part in self.parts)
        for figure in self.figures:
            if figure == "light_penalty" and not self.sort:
                self.parts.append("light_penalty>0")
            elif figure in FIGURES and not self.sort:
                self.parts.append(f"{figure}>0" if printed and figure != "strength" else f"gives:{figure}")
            elif figure == "light" and self.sort:
                self.parts.append("gives:light")
        if self.sort and self.parts:
            figure = self.sort[0].lstrip("-")
            self.first = self.first and not any(part.startswith(figure) for part in self.parts)
            self.parts.append("health>0" if figure == "health" else f"not {figure}:none")  # a placeholder has none


def _is_done(part: str) -> bool:
    return part.startswith("does:")


def _explains(word: Meaning) -> bool:
    return word.meanings.get("asks") == "what"


def _is_idle(word: Meaning) -> bool:
    return "talk" in word.meanings or word.meanings.get("does") == "gain"


def _of_a_fight(part: str) -> bool:
    return part.startswith(("does:destroy-", "does:gain-", "does:weaken", "light_penalty"))


def _tells(part: str) -> bool:
    """Whether a condition is enough for a list; any other one stands beside a word that asks for cards."""
    return part.startswith(("does:", "gives:", "holds:", "held-by:", "immune:", "light_penalty")) and part not in _BARE


_BEGINNINGS = frozenset(("asks", "counts", "level", "superlatives", "buys"))
"""How a question for cards begins, if not with a group of them."""
_HEROES = "(kind:hero or type:hero)"
_SOLD = "(kind:village or kind:basic or kind:hero level=1)"
"""What the village sells."""
_BARE = frozenset(("does:destroy", "does:draw", "does:gain", "does:discard", "does:double"))
_PROPER = frozenset(("health", "weight", "strength", "light"))
"""Values that say which cards are meant."""
_OBJECTS = frozenset((
    "disease", "hero", "wizard", "cleric", "fighter", "thief", "card", "opponents", "militia", "item", "spell", "food",
    "weapon", "monster",
))  # fmt: skip
"""What is destroyed, gained or discarded."""


def _alike(word: str, other: str, ending: int) -> bool:
    """Whether these are forms of one word, which differ in so many letters at the end."""
    short, long = sorted((word, other), key=len)
    begun = short[: max(_LONGEST, len(short) - ending)]
    return word == other or (_LONGEST < len(short) <= len(long) <= len(short) + ending and long.startswith(begun))


def is_of_a_name(database: Database, word: str) -> bool:
    """Whether a word stands in the name of a card, in any case: what does not needs no search for one."""
    keys = [*word_keys(database, word, respelt=False)]
    return bool(
        keys and database.query(f"SELECT 1 FROM card_words WHERE stem IN ({', '.join('?' * len(keys))})", *keys)
    )


def card_named(database: Database, words: Sequence[Meaning], apart: Collection[str]) -> str | None:
    """The card of this name, in any case or letters; None if a word of it means one of the topics ``apart``."""
    name = " ".join(word.typed for word in words)
    told = any(not word.meanings.keys().isdisjoint(apart) for word in words)
    found = exact_card(database, fold_query(name)) if len(words) > 1 or not told else None
    if found is None and not told and all(is_of_a_name(database, word.typed) for word in words):
        near = search_cards(database, name)
        found = near if near.equals == 1 and near.hits[0].how in _NAMED else None
    return None if found is None else found.hits[0].id


def read_list(words: Language, text: str) -> ListQuery | None:
    """The query that a question is; None if it is none."""
    readers = readers_of(words, text)  # what another language does not know it does not pass over
    return next(filter(None, (each.read(text, _SKIPPED * (each.lang == words.lang)) for each in readers)), None)


def readers_of(words: Language, text: str) -> Iterator[ListReader]:
    """Readers of the languages that a question may be in, by its letters; one that knows its first word is the last."""
    cyrillic = any(map(is_cyrillic, text.split()))
    for lang in dict.fromkeys((words.lang, *words.database.languages)):
        if (lang in words.database.cyrillic) == cyrillic:
            yield (reader := words.database.derived(ListReader, lang))
            if {"asks", "yes-no"} & {topic for word in reader.words(text)[:1] for topic in word.meanings}:
                return
