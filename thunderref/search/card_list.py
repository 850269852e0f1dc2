"""A list of cards as it is typed, with or without commas: the cards with their numbers, and what is unclear in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from thunderref.database.card_records import HAND_KINDS
from thunderref.database.read import Database, Language
from thunderref.errors import Candidate, InputError, NoAnswerError
from thunderref.search.counts import (
    CountToken,
    after_copies,
    count_token,
    has_digit,
    is_signed,
    spell_ranks,
    split_count,
    write_plainly,
)
from thunderref.search.lexicon import is_of_a_name
from thunderref.search.other_boxes import other_card
from thunderref.search.query import MAX_LENGTH, Hit, asked_with, begun_card, exact_card, is_everyday, shorten
from thunderref.text.folding import fold_query

WORDS = (
    "setup", "players", "making", "for", "least", "with", "without", "and",
    "joining", "question", "buy", "rank", "place", "deck", "against", "fight", "having", "paying", "level", "cards",
    "stacks", "xp", "hall", "being", "vague", "empty", "doing", "stone", "dark",
)  # fmt: skip
"""What the words of the glossaries (``door.words.…``) say: between cards, before a hall, a rank, known draws, …"""
SURE = 82
"""Score from which words are a name, and not part of a sentence."""
LONGEST = 5
"""Words of a card's name at most."""
_LIKE = frozenset(("inflected-word", "transliterated-word"))
"""How words of a question may look like a part of a name."""
_OFTEN = 100
"""A word that occurs in more than one known text in a hundred is not taken for part of a name; chosen."""
GUESSES = frozenset(("contained", "text"))
"""How names are found that are only part of what is typed."""
NEAR, _SLIP = 72, 64
"""Score from which a mistyped name is read, and a mistyped word of a hand."""
_SPELT = (
    (re.compile(r"(?<=\w)/(?=\w)"), " , "),  # griffon/sphinx
    (re.compile(r"(?<=\w)[/.](?=\s|$)"), " "),  # w/ dagger, vs. griffon
    (re.compile(r"[,+&()\[\]{}]"), " , "),
    (re.compile(r":"), " : "),
)  # fmt: skip
"""How a line is spelt so that its words and signs stand apart."""
PAIR = 2
"""A line that only names this many cards side by side may be a question about them."""
EMPTY = ("-", "–", "—")
"""Signs for an empty rank."""
PARTING = frozenset(("/", "->", "=>", "→"))
"""Signs between a hand and a hall."""
_COPY = re.compile(r"[^\W\d][^#]*#\d+$")
"""A copy of a card: militia#2."""


class UnclearWords(NamedTuple):
    """Words that may be several cards, or none; their place in the list that was read."""

    words: str
    candidates: Sequence[Candidate]
    why: str = "none"


class CardList(NamedTuple):
    """The cards that were read, each with its number; families ``taken`` for their first hero; what is unclear."""

    cards: list[tuple[str, int]]
    taken: tuple[str, ...]
    unclear: list[UnclearWords]
    spelt: list[str]
    """Each entry in its place, as it is typed: families and what is unclear, too."""
    talk: int
    """Number of words that are none of a card's name."""
    strays: list[UnclearWords]
    """Those of them that are no words of the door either."""
    steering: list[UnclearWords]
    """Those of them that steer a line ("buy", "beat"), which stand in no list that is a list alone."""
    between: int
    """Number of the strays that stand before the last card."""
    is_marked: bool
    """True if a count or a comma tells a list from a sentence."""

    @property
    def is_list(self) -> bool:
        """Whether it is a list of cards rather than a sentence."""
        return self.is_marked and len(self.cards) >= PAIR and len(self.cards) > len(self.unclear) + self.talk

    @property
    def entries(self) -> list[str]:
        return [card if n == 1 else f"{n} {card}" for card, n in self.cards]


class CardListReader:
    """Reads the cards of a list: the longest name at each place, counts before or behind it, joining words between.

    A number waits for the name behind it; one that gets none is unclear.
    """

    def __init__(self, reader: NameReader, tokens: Sequence[str], kinds: frozenset[str]) -> None:
        self.reader, self.database, self.tokens, self.kinds = reader, reader.database, tokens, kinds
        ends = [count_token(self.database, token) is not None for token in (*tokens[:1], *tokens[-1:])]
        self.behind, self.is_marked = ends == [False, True], "," in tokens  # only the last is a count: all stand behind
        self.found, self.taken, self.unclear = list[tuple[str, int]](), list[str](), list[UnclearWords]()
        self.spelt, self.talk, self.strays, self.between = list[str](), 0, list[UnclearWords](), 0
        self.steering = list[UnclearWords]()
        self.at = self.end = self.level = 0
        self.waiting: tuple[int, str] | None = None
        self.counted, self.denied = False, ""

    def read(self) -> CardList:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            starts_name = self.reader.is_begun(self.tokens[self.at :])
            is_number = has_digit(token) and not (_COPY.match(token) or self.database.is_name(fold_query(token)))
            of_level = token.isdecimal() and self.found and self.at == self.end
            if of_level and any(self.reader.says("level", word) for word in self.tokens[self.at + 1 : self.at + 2]):
                self._take_level(int(token))  # "elf 2 уровня"
            elif not starts_name and (count := count_token(self.database, token)):
                self._take_count(count)
            elif is_number and not starts_name:
                self._refuse_waiting()
                self._refuse(token)
                self.at += 1
            elif self.reader.says("level", token) and "".join(self.tokens[self.at + 1 : self.at + 2]).isdecimal():
                self._take_level(int(self.tokens[self.at + 1]))
            elif not starts_name and self.reader.says("vague", token):
                self._refuse_waiting()
                self.unclear.append(UnclearWords(token, (), "vague"))
                self.at += 1
            elif not starts_name and fold_query(token) in self.reader.denying:
                self.denied, self.at = token, self.at + 1
            elif not fold_query(token) or (self.reader.says("joining", token) and not starts_name):
                self._refuse_waiting()
                self.denied = "" if token == "," else self.denied
                self.spelt += [token] if token in EMPTY else []
                self.at += 1
            else:
                self._take_name()
        self._refuse_waiting()
        return CardList(
            self.found, tuple(self.taken), self.unclear, self.spelt, self.talk, self.strays, self.steering,
            self.between, self.is_marked,
        )  # fmt: skip

    def _refuse(self, words: str) -> None:
        forms = {fold_query(word) for word in words.split()}
        is_gold = not forms.isdisjoint(self.database.words("ask.words.figure.gold"))
        self.unclear.append(UnclearWords(words, (), "sign" if is_signed(words) else "gold" if is_gold else "count"))
        self.spelt.append(words)

    def _refuse_waiting(self, beside: str = "") -> None:
        """Refuse a count that belongs to no card; a word for "one" needs none, unless it is taken away."""
        if self.waiting is not None and (self.denied or self.waiting[0] != 1 or self.waiting[1].isdecimal()):
            self._refuse(f"{self.denied} {self.waiting[1]} {beside}".strip())
        self.waiting = None

    def _take_count(self, count: CountToken) -> None:
        """A number is that of the card before it if that has none and what follows is no name, else of the next one."""
        token, after = self.tokens[self.at], after_copies(self.database, self.tokens, self.at + 1)
        is_last = after == len(self.tokens) or self.tokens[after] == ","
        is_free = self.found and self.at == self.end and not self.counted and self.waiting is None
        self.is_marked = True
        if is_free and count.number and (self.behind or is_last or count.is_times):
            self.found[-1], self.counted, self.end = (self.found[-1][0], count.number), True, after
            self.spelt[-1] = f"{count.number} {self.spelt[-1]}"
        else:
            self._refuse_waiting()
            self.waiting = count.number, token
        self.at = after

    def _take_level(self, level: int) -> None:
        """A level is that of the hero before it, else of the next one."""
        self.at += 2
        if not self.found or self.at - 2 != self.end:
            self.level = level
            return
        (card, number), words = self.found.pop(), self.spelt.pop()
        self.taken = [hero for hero in self.taken if hero != card]
        self._add(self.reader.of_level(card, level), number, level, words)

    def _add(self, card: str, number: int, level: int, words: str) -> None:
        """Takes in a card; refuses a level that it has not."""
        if level and self.database.cards[card].level != level:
            self._refuse(f"{words} {level}")
            return
        self.between = len(self.strays)
        self.found.append((self.database.cards[card].reprint_of or card, number))
        self.spelt.append((f"{number} {card}" if number > 1 else card) if level else words)

    def _take_name(self) -> None:
        size, hits = self.reader.find_longest(self.tokens[self.at :], self.kinds)
        number = "".join(self.tokens[self.at + size : self.at + size + 1])
        names = {hit.id: str(self.reader.words.card(hit.id)) for hit in hits if number.isdecimal()}
        numbered = [hit for hit in hits if names.get(hit.id, "").endswith(f" {number}")]
        size, hits = (size + 1, numbered) if len(numbered) == 1 else (size, hits)  # "орду 3"
        card, words = self.reader.single_card(hits), " ".join(self.tokens[self.at : self.at + size])
        self.at += size
        if size == 1 and self.reader.is_talk(words, hits):
            self._refuse_waiting(words)
            self.denied = ""
            self.talk += 1
            if not self.reader.is_of_lists(words):
                self.strays.append(UnclearWords(words, ()))
            elif self.reader.steers(words):
                self.steering.append(UnclearWords(words, ()))
            return
        (count, typed), level, self.waiting, self.level = self.waiting or (None, ""), self.level, None, 0
        entry = words if count is None else f"{typed} {words}"
        if self.denied:
            self.unclear.append(UnclearWords(f"{self.denied} {entry}", ()))
            self.denied = ""
        elif count == 0:
            self._refuse(entry)
        elif card is None:
            candidates = [Candidate(str(self.reader.words.card(hit.id)), hit.id) for hit in hits]
            near = candidates or self.reader.suggest(words, self.kinds)
            self.unclear.append(UnclearWords(words, near, "several" if candidates else "near" if near else "none"))
            self.spelt.append(entry)
        else:
            self.taken += [card] if len(hits) > 1 and not level else []
            card = self.reader.of_level(card, level) if level else card
            self._add(card, count or 1, level, words if count is None else f"{count} {words}")
        self.counted, self.end = count is not None, self.at


class NameReader:
    """Finds the names in a line, in the language ``lang`` first; the table's cards mean themselves."""

    def __init__(self, database: Database, lang: str) -> None:
        self.words, self.database = database.derived(Language, lang), database
        self.door_words = {name: steering_words(database, name) for name in WORDS}
        self.noise = database.words("search.words.noise").keys()
        self.known_words = frozenset(database.words("search.words.beside")).union(*self.door_words.values())
        self.denying = self.door_words["without"].union(database.words("list.words.excludes"))
        parting = (self.door_words[name] for name in ("joining", "level", "question"))
        self._apart = frozenset(self.noise).union(*parting)

    def is_of_lists(self, word: str) -> bool:
        """Whether a word may stand among cards without saying anything: one of the door, a small one, "trophy"."""
        from thunderref.search.filters import kinds_and_types

        return fold_query(word) in self.known_words or kinds_and_types(self.database, word) == "timing:trophy"

    def steers(self, word: str) -> bool:
        """Whether a word says what is done with the cards of a line: buy, beat, with, against."""
        return any(self.says(name, word) for name in ("buy", "fight", "against", "paying", "question"))

    def refuse_vague(self, text: str) -> None:
        """Raises :class:`NoAnswerError` (``unknown-command``) for a kind beside which only a number or "best" is."""
        from thunderref.search.filters import kinds_and_types

        vague, words = self.database.words("list.words.superlatives"), fold_query(text).split()
        words = [word for word in words if word not in self.door_words["cards"]]
        nouns = [word for word in words if not (word.isdecimal() or word in vague)]
        sorts = [sort for word in nouns if (sort := kinds_and_types(self.database, word))]
        clear = len(sorts) < len(nouns) or len(nouns) > 1 or any(map(self.database.is_name, nouns)) or words == nouns
        if not clear:
            raise NoAnswerError("unknown-command", why="name", name=shorten(text), candidates=sorts)

    def cards(self, tokens: Sequence[str], kinds: frozenset[str]) -> CardList:
        """The cards of a list, each with its number."""
        return CardListReader(self, tokens, kinds).read()

    def says(self, name: str, word: str) -> bool:
        """Whether a word is one of ``door.words.<name>``."""
        return (fold_query(word) or word) in self.door_words[name]

    def is_known_name(self, text: str) -> bool:
        """Return whether questions have these words, or a card of any kind is called like them."""
        from thunderref.search.names import search_cards

        return bool(asked_with(self.database, text, self.words.lang) or search_cards(self.database, text).hits)

    def asks(self, tokens: Sequence[str]) -> bool:
        """Whether a word of a question is among these, wherever it stands."""
        return not self.door_words["question"].isdisjoint(map(fold_query, tokens))

    def find_label(self, tokens: Sequence[str], said: str) -> int | None:
        """Where one of these words stands before a colon or a form of "to be"; None if nowhere."""
        pairs = enumerate(pairwise(tokens))
        return next((n for n, (word, sign) in pairs if self.says(said, word) and self.says("being", sign)), None)

    def find_word(self, tokens: Sequence[str], said: str, *, slips: bool = True) -> int | None:
        """Where the first of these words stands; a word before a hall may be mistyped."""
        words, parts = self.door_words[said], said == "against"
        words |= PARTING if parts else set()
        for n, token in enumerate(tokens):
            of_hand = parts and n + 1 < len(tokens) and self.says("having", tokens[n + 1])  # "na ręce"
            if (fold_query(token) or token) in words and not (of_hand or self.is_within_name(tokens, n)):
                return n
        if not parts or not slips:
            return None
        from rapidfuzz.distance import OSA

        long = [word for word in words if len(word) > LONGEST]
        for n, form in enumerate(map(fold_query, tokens)):
            near_words = (form[:1] == word[0] and OSA.distance(form, word) <= len(word) // 4 for word in long)
            if form not in self.door_words["fight"] and any(near_words):
                return n
        return None

    def is_within_name(self, tokens: Sequence[str], at: int) -> bool:
        """Return whether the word at a place is one of a card's name: "town" in "town guard"."""
        spans = ((start, end) for start in range(max(0, at - 2), at + 1) for end in range(at + 1, at + 4))
        parts = (tokens[start:end] for start, end in spans if end - start > 1)
        return any(PARTING.isdisjoint(span) and self.database.is_name(fold_query(" ".join(span))) for span in parts)

    def entries(self, entry: str) -> list[str]:
        """The entries of a list without commas: itself if it is one name, else the cards and the unclear words in it.

        A family is left to be asked for. Raises for a number with a sign, and for what is denied.
        """
        from thunderref.search.names import search_cards

        if is_signed(entry):
            raise InputError("stray-number", why="sign", name=entry)
        name = split_count(self.database, entry)[1]
        if not fold_query(entry) or self.database.is_name(fold_query(name)):
            return [entry]
        if self.says("vague", name.split()[0]):
            raise InputError("stray-number", why="vague", name=entry)
        if fold_query(name.split()[0]) in self.denying and not self.is_begun(name.split()):
            raise self.unknown_card(entry)
        matches = search_cards(self.database, name[:MAX_LENGTH])
        sure = matches.equals == 1 and matches.hits[0].score >= SURE and is_whole(matches.hits[0], name)
        if sure and not self._is_odd(name.split()):
            return [entry]
        read = self.cards(tokens_of(entry), HAND_KINDS | {"trap"})
        if not read.cards or len(read.spelt) < PAIR:
            return [entry]
        for stray in (*read.strays, *read.steering):
            raise self.unknown_card(stray.words)
        return read.spelt

    def find_longest(
        self, tokens: Sequence[str], kinds: frozenset[str], *, whole: bool = False
    ) -> tuple[int, Sequence[Hit]]:
        """How many words the name at this place has (with ``whole`` all), and the cards it may be.

        A card that is sure comes before a family, a longer name before a shorter one.
        """
        from thunderref.search.names import search_cards

        end = next((n for n, token in enumerate(tokens) if token == ","), len(tokens))
        for size in range(min(LONGEST, end), 1, -1):
            if other_card(self.database, " ".join(tokens[:size])):
                return size, ()
        for size in () if whole else range(min(LONGEST, end), 0, -1):  # an exact name needs no index
            exact = exact_card(self.database, form := fold_query(" ".join(tokens[:size])))
            if exact is not None:  # of another kind it is no mistyped name of these
                return size, exact.hits if self.database.cards[exact.hits[0].id].kind in kinds else ()
            if self.database.is_name(form):  # that players use, or of several cards
                break
        several: tuple[int, Sequence[Hit]] = (1, ())
        for size in range(min(LONGEST, end), len(tokens) - 1 if whole else 0, -1):
            name = " ".join(tokens[:size])
            is_name = size > 1 and self.database.is_name(fold_query(name))
            if size > 1 and not is_name and self._is_odd(tokens[:size]):
                continue
            matches = search_cards(self.database, name, kinds)
            hits = [hit for hit in matches.hits[: matches.equals] if hit.how not in GUESSES]
            hits = [hit for hit in hits if whole or is_name or hit.how == "exact" or is_whole(hit, name)]
            guessed = hits and size > 1 and not is_name and hits[0].score < SURE
            words = tokens[:size]
            everyday = guessed and all(is_everyday(self.database, word) for word in words)
            if everyday and not all(is_of_a_name(self.database, word) for word in words):
                continue
            if (hits and is_name) or (len(hits) == 1 and hits[0].score >= (_SLIP if size == 1 else NEAR)):
                return size, hits
            if len(hits) > 1 and not several[1]:
                several = size, hits
            if not hits and (card := begun_card(self.words, name, kinds)):
                return size, [Hit(card, NEAR, "beginning", self.words.lang, name)]
        return several

    def _is_odd(self, name: Sequence[str]) -> bool:
        """Whether there are words among these that part names, or a word twice."""
        words = {*map(fold_query, name)}
        has_count = any(re.fullmatch(r"x?\d+", word) for word in name[1:])
        return has_count or len(words) < len(name) or not words.isdisjoint(self._apart)

    def is_begun(self, tokens: Sequence[str]) -> bool:
        """Return whether a name of several words begins here."""
        return any(self.database.is_name(fold_query(" ".join(tokens[:size]))) for size in range(2, LONGEST + 1))

    @cached_property
    def _known_texts(self) -> int:
        """The number of texts and questions known in the language that has most of them."""
        ((total,),) = self.database.query("SELECT max(texts) FROM totals")
        return int(total)

    def is_talk(self, word: str, hits: Sequence[Hit]) -> bool:
        """Whether a word is one of questions rather than a name, or a part of one that nobody says for it."""
        if other_card(self.database, word):
            return False
        is_short = bool(hits) and hits[0].how == "abbreviation" and is_everyday(self.database, word)  # "go", "out"
        if hits and hits[0].score >= NEAR and hits[0].how not in _LIKE and not is_short:
            return False
        usage = asked_with(self.database, word)
        if hits and hits[0].how in _LIKE:
            return usage * _OFTEN > self._known_texts or (len(word) <= LONGEST and is_everyday(self.database, word))
        return is_everyday(self.database, word) or (not hits and usage > 1)

    def unknown_card(self, name: str, kinds: frozenset[str] | None = None) -> NoAnswerError:
        from thunderref.search.names import unknown_card

        return unknown_card(self.database, name[:MAX_LENGTH], kinds, self.words.lang)

    def suggest(self, name: str, kinds: frozenset[str] | None = None) -> Sequence[Candidate]:
        return self.unknown_card(name, kinds).candidates

    def of_level(self, hero: str, level: int) -> str:
        """The hero of this level of the same family; the one named if there is none."""
        family = self.database.cards[hero].family
        alike = (card.id for card in self.database.cards.values() if card.family == family and card.level == level)
        return next(alike, hero) if family else hero

    def card_at(self, tokens: Sequence[str], kinds: frozenset[str]) -> tuple[int, str | None, Sequence[Hit]]:
        """Return how many words the first name has, its card (None if unsure), and all the cards that have it."""
        size, hits = self.find_longest(tokens, kinds)
        card = None if size == 1 and self.is_talk(tokens[0], hits) else self.single_card(hits)
        return size, card, hits

    def is_abroad(self, hits: Sequence[Hit]) -> bool:
        """Return whether Latin letters name a card only if read as Cyrillic, and the reader's language has none.

        "kopiuje" is no Russian spear in a Polish question, and "tom" no darkness in an English score.
        """
        return bool(hits) and hits[0].how.startswith("transliterated") and self.words.lang not in self.database.cyrillic

    def single_card(self, hits: Sequence[Hit]) -> str | None:
        """Return the only card, or the level 1 hero of a family whose every card is found; None if unsure."""
        if len(hits) == 1:
            return hits[0].id
        from thunderref.search.names import index_of

        family = self.database.cards[hits[0].id].family if hits else None
        whole = index_of(self.database).families.get(family or "", ())
        if whole and {hit.id for hit in hits}.issuperset(whole):
            return next((card for card in whole if self.database.cards[card].level == 1), None)
        return None


def is_whole(hit: Hit, name: str) -> bool:
    """Whether all the words typed may be words of the name found."""
    is_called = hit.how in ("alias", "mixed")  # otherwise than it is named
    return is_called or (hit.how not in GUESSES and len(re.findall(r"\w+", hit.name)) >= len(name.split()))


def tokens_of(text: str) -> list[str]:
    """The words and signs of a line, apart."""
    spelt = f" {write_plainly(spell_ranks(text))}"
    for sign, apart in _SPELT:
        spelt = sign.sub(apart, spelt)
    return spelt.split()


def steering_words(database: Database, name: str) -> frozenset[str]:
    """The words ``door.words.<name>`` of all languages, folded."""
    texts = database.message(f"door.words.{name}").values()
    return frozenset(fold_query(word) or word for text in texts for word in text.split())
