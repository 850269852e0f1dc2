"""Reads questions about a value of one card, about two cards, or about cards in a battle.

As for lists, every word has to be accounted for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from thunderref.database.card_records import HALL_KINDS, HAND_KINDS, RANKS, Card
from thunderref.database.read import Database, Language
from thunderref.search.counts import number_word
from thunderref.search.doings import gifts
from thunderref.search.filters import kinds_and_types
from thunderref.search.lists import ListReader, Meaning, card_named, is_of_a_name, readers_of
from thunderref.search.query import asked_with, exact_card
from thunderref.text.folding import word_values
from thunderref.text.stems import query_stems

Asked = Literal[
    "value", "kind", "types", "box", "copies", "trophy", "effect",
    "compare", "needs", "light", "destroys", "holds", "battle", "total", "drops", "bonus", "each",
]  # fmt: skip
"""What is asked: of one card a value, whether it is of a kind, …; or what the engine says of a situation."""
_MOST_WORDS, _LONGEST, _MANY = 20, 5, 24
_BLOWS = ("attack", "magic_attack")
_HITTING = frozenset((*_BLOWS, "light"))
"""Values that count in a battle."""
_PHRASES = frozenset(("pair", "figure", "talk", "counts"))
"""What phrases may say of a situation."""
_SKIPPED, _SELDOM, _PAIR, _TOTAL = 1, 20, 2, 5
"""So many words, which no more questions have, are passed over where so many cards are named."""
_FILLING = frozenset(("asks", "facts", "listing", "talk", "yes-no"))
"""What words of lists mean that say nothing of a situation."""
_OTHER = frozenset(("blocks", "denies", "excludes", "does"))
"""What is never passed over."""
_TOLD = frozenset(("total", "works", "enough"))
"""What is asked of cards that nobody fights with."""
_OF_EFFECTS = frozenset(("effect", "attacks", "breach", "lies"))
"""What words say of a question what a card does."""
_OF_A_CARD = frozenset(("effect", "bonus", "talk", "works", "holds", "types", "box", "trophy", "either"))
"""What words say of a question about one card alone."""


class Situation(NamedTuple):
    """What is asked, the cards of the hand and the monsters or traps in the order of the question, and the rest.

    ``rank``: where the monster stands, None if it is not said. ``points``: what the hand gives besides its cards.
    ``figures``: what is asked for. ``wins``: whether a victory is, ``holds`` whether a weapon can be held; ``yes_no``:
    whether the question begins so. ``family``: the hero who stands for a family that is named without a level.
    ``kinds``: of which kinds or types a card may be; ``lacks``: kinds of cards, or values, that are not there.
    ``said``: all that the words say.
    """

    asked: Asked
    hand: tuple[tuple[str, int], ...]
    foes: tuple[str, ...]
    rank: int | None
    points: tuple[tuple[str, int], ...]
    figures: tuple[str, ...]
    wins: bool
    holds: bool
    yes_no: bool
    family: str
    kinds: tuple[str, ...]
    lacks: tuple[str, ...]
    said: frozenset[str]


class CardFinder(Protocol):
    """Who finds cards by what is typed."""

    words: Language

    def card_at(self, tokens: Sequence[str], kinds: frozenset[str]) -> tuple[int, str | None, bool]: ...
    def of_level(self, hero: str, level: int) -> str: ...


def read_situation(names: CardFinder, text: str) -> Situation | None:
    """The situation that a question is about, None if it is another question."""
    for each in readers_of(names.words, text):
        typed = each.with_phrases(each.words(text), _PHRASES)
        if 1 < len(typed) <= _MOST_WORDS and (found := _Reading(names, each, typed).read()):
            return found
    return None


class _Reading:
    """One question, word by word."""

    def __init__(self, names: CardFinder, lists: ListReader, typed: Sequence[Meaning]) -> None:
        self.names, self.words, self.lists, self.typed = names, names.words, lists, typed
        self.said = self.words.database.derived(_pair_words, lists.lang)
        self.hand, self.foes = dict[str, int](), list[str]()
        self.points, self.figures = dict[str, int](), list[str]()
        self.kinds, self.lacks, self.asks = list[str](), list[str](), set[str]()
        self.rank: int | None = None
        self.level = self.number = 0
        self.levels, self.size = False, 0
        self.first, self.last, self.family, self.end = "", "", "", -1
        self.called = set[str]()

    def read(self) -> Situation | None:
        at = skipped = 0
        while at < len(self.typed):
            again = self.typed[at].typed in self.called  # one word of a name stands for the card named before
            size = (
                self._card(at, 2)
                or int(again)
                or self._number(at)
                or self._lack(at)
                or self._like_copies(at)
                or self._topic(at)
            )
            if not size:
                matters = self._matters(at)
                named = not matters or is_of_a_name(self.words.database, self.typed[at].typed)
                size = self._card(at, 1) if named else 0  # a search for names costs more than all the rest
                skipped += not size
                if skipped > _SKIPPED or (not size and matters):
                    return None
            at += size or 1
        known = len(self.hand) + len(self.foes) + bool(self.rank) + len(self.points) + len(self.lacks)
        if skipped and (known < _PAIR or not self.asks - {"talk"}):
            return None
        digits = any(int(word.typed) == self.number for word in self.typed if word.typed.isdecimal())
        if self.number >= _TOTAL and digits and self.foes and not (self.hand or self.points or self.figures):
            self.points["attack"] = self.number  # too many for copies or ranks: what the hand amounts to
        self.asks |= {"destroys"} if "survives" in self.asks else set()
        asked = self._asked()
        if skipped and asked == "battle" and self.asks - {"talk"} == {"holds"}:
            return None  # an unknown word may turn holding into its opposite
        return asked and Situation(
            asked, tuple(self.hand.items()), tuple(self.foes), self.rank, tuple(self.points.items()),
            tuple(dict.fromkeys(self.figures)), bool(self.asks & {"wins", "kills", "enough"}),
            "holds" in self.asks, "yes-no" in self.typed[0].meanings and "either" not in self.asks, self.family,
            tuple(self.kinds), tuple(self.lacks), frozenset(self.asks),
        )  # fmt: skip

    def _like_copies(self, at: int) -> int:
        """Read a card whose name is also a form of a word for copies, and return the number of words it takes."""
        named = "copies" in self.typed[at].meanings and exact_card(self.words.database, self.typed[at].typed)
        return self._card(at, 1) if named else 0

    def _matters(self, at: int) -> bool:
        """Whether an unknown word may change what is asked: one of conditions, or one that players use."""
        used = asked_with(self.words.database, self.typed[at].typed, self.lists.lang)
        return used > _SELDOM or not _OTHER.isdisjoint(self.typed[at].meanings)

    def _asked(self) -> Asked | None:
        cards, db = [*self.hand, *self.foes], self.words.database.cards
        kinds = [db[card].kind for card in cards]
        heroes = [card for card in self.hand if db[card].is_hero]
        weapons = [card for card in self.hand if "weapon" in db[card].types]
        judged = self.asks & {"works", "kills", "holds", "enough", "destroys", *(["wins"] if self.foes else [])}
        if "most" in self.asks and len(cards) > 1:
            self.asks.add("either")
        if self.rank and self.foes:  # in Russian one verb says what a card costs and where it stands
            self.figures = [each for each in self.figures if each != "cost"]
        if not weapons or self.figures:
            self.asks -= {"drops", "stays"}
        if "either" in self.asks and len(cards) > 1 and not (judged or (self.hand and self.foes)):
            return "compare" if max(self.hand.values(), default=1) == 1 and not self.points else None
        if self.levels and len(cards) == 1 and self.family in self.hand and not self.figures:
            family = self.words.database.cards[self.family].family
            self.hand = {card.id: 1 for card in self.words.database.cards.values() if card.family == family}
            return "compare"
        if len(self.foes) > 1 and self.figures and not self.hand:
            return "compare"  # a value is asked of monsters that nobody fights
        if len(self.foes) > 1 or not cards:
            return None
        families = {db[card].family for card in cards}
        if len(cards) > 1 and len(families) == 1 and {"xp", "level_cost"} & {*self.figures} and not self.foes:
            self.hand = {min(cards, key=lambda card: db[card].level or 0): 1}  # the lower of two levels pays
            cards = [*self.hand]
        alone = len(cards) == 1 and self.hand.get(cards[0], 1) == 1 and not (self.points or self.lacks)
        if alone and (asked := self._of_one(cards[0])):
            return asked
        kills = "destroys" in self.asks or ("kills" in self.asks and self.first in self.foes)
        if "trap" in kinds or (self.foes and self.hand and kills and "needs" not in self.asks):
            return "destroys" if heroes and ("trap" not in kinds or len(cards) == _PAIR) else None
        dark = {"light", "light_penalty"} & {*self.figures} and not self.points
        shines = all(db[card].light and not (db[card].attack or db[card].magic_attack) for card in self.hand)
        if "bonus" in self.asks and (len(cards) > 1 or self.rank):
            return "bonus"
        if self.foes:
            if not (self.hand or self.points):
                needs = self.lacks or (self.asks & {"needs", "wins", "kills"} and not self.kinds)
                return "light" if dark else "needs" if needs else None
            if weapons and not heroes and "hero" in self.kinds:
                return None
            if "either" in self.asks and len(heroes) == len(self.hand) > 1 and not self.points:
                return "each"
            if self.asks & {"drops", "stays"} and weapons and heroes:
                return "drops"
            return "light" if shines and not self.points else "battle"
        if shines and self.rank and "enough" in self.asks and not self.points:
            return "light"
        if self.points or ("destroys" in self.asks and "holds" not in self.asks):
            return None
        if weapons and not heroes:
            return "total" if self.rank and len(cards) == 1 else None
        if heroes and weapons and ("holds" in self.asks or not (self.figures or self.asks & _TOLD or self.rank)):
            return "holds"
        number = sum(self.hand.values())
        counts = any("counts" in word.meanings for word in self.typed)
        several = number > 1 and (counts or self.asks & _TOLD or (heroes and self.asks <= {"talk"}))
        told = self.figures or self.rank or self.lacks or several
        asks = told and {*self.figures} <= {*_HITTING, "strength"}
        return "total" if asks and (number > 1 or self.rank or self.lacks) else None

    def _of_one(self, card: str) -> Asked | None:
        """What is asked of a card alone; None for a situation, or for what its abilities give."""
        said = {meaning for word in self.typed for meaning in word.meanings}
        several = any("counts" in word.meanings and " " in word.typed for word in self.typed)  # only a phrase is sure
        told = self.figures or self.kinds or self.asks - {"talk", "total", "box"} or "yes-no" in self.typed[0].meanings
        counts = {"counts", "copies"} <= said or (several and not told)
        if "attacks" in self.asks and not self.figures and "yes-no" not in self.typed[0].meanings:
            self.figures, self.asks = ["attack"], self.asks - {"attacks"}  # the word is a value, too
        plain = not (self.kinds or self.rank or self.asks - _OF_A_CARD - _OF_EFFECTS)
        if "effect" in self.asks and plain and not self.figures:
            return "effect"
        if "either" in self.asks and {*_BLOWS} <= {*self.figures}:  # both are offered: the one that is printed
            self.figures = [each for each in _BLOWS if getattr(self.words.database.cards[card], each)] or self.figures
            return "value"
        rest = self.asks - _OF_A_CARD - ({"total"} if counts else set())
        if rest or self.rank:
            light = {*self.figures} & {"light", "light_penalty"} and rest - {"needs"}
            return None if light or self.rank or rest - {"needs", "wins"} else self._value(card, least=True)
        for asked in ("trophy", "types", "box"):
            if asked in self.asks and not self.figures:
                return asked
        spec, levels = self.words.database.cards[card], self.levels and not counts
        if levels:
            self.figures = (
                ["level_cost" if {"xp", "cost", "level_cost"} & {*self.figures} else "level"] if self.hand else []
            )
        if self.kinds and not counts and self._is_of_kind(spec):
            return "kind"
        if self.figures and (found := self._value(card) or ("effect" if plain and "effect" in self.asks else None)):
            return found
        return "copies" if counts and not self.figures else None

    def _is_of_kind(self, card: Card) -> bool:
        """Return whether the question is which kind or type a card is of, with or without a verb."""
        if self.figures and not all(getattr(card, figure) is None for figure in self.figures):
            return "yes-no" in self.typed[0].meanings
        bare = not any("counts" in word.meanings for word in self.typed) and self.size + len(self.kinds) + 1 >= len(
            self.typed
        )
        return self.asks <= {"talk", "either", "works"} and card.id in self.hand and (
            "yes-no" in self.typed[0].meanings or "either" in self.asks or bare
        )  # fmt: skip

    def _value(self, card: str, *, least: bool = False) -> Asked | None:
        """A value, unless the card alone does not say it; with ``least`` not one of a battle."""
        spec, gifts_of = self.words.database.cards[card], self.words.database.derived(gifts)
        self.figures = ["level_cost" if each == "xp" and spec.is_hero else each for each in self.figures]
        for figure in self.figures:
            by_ability = figure in gifts_of.get(card, ()) or (figure == "vp" and spec.vp is None and spec.health)
            darkens = figure == "light" and spec.light_penalty
            if (getattr(spec, figure) is None and (by_ability or darkens)) or (least and figure in _HITTING):
                return None
        return "value" if self.figures else None

    def _meaning(self, at: int, topic: str) -> str | None:
        return self.typed[at].meanings.get(topic) if 0 <= at < len(self.typed) else None

    def _says(self, at: int) -> str | None:
        """What a word says of a situation: ``holds``, ``wins``, …; ``talk`` says nothing."""
        if not 0 <= at < len(self.typed):
            return None
        typed, meanings = self.typed[at].typed, self.typed[at].meanings
        if " " in typed or meanings.keys() == {"pair"}:
            return meanings.get("pair", "talk" if "talk" in meanings else None)
        stems = query_stems(typed, self.lists.lang) if len(typed) > _LONGEST else ()
        said = self.said.get(typed) or next((self.said[stem] for stem in stems if stem in self.said), None)
        return said or ("talk" if meanings and _FILLING.issuperset(meanings) else None)

    def _is_known(self, at: int) -> bool:
        return self._says(at) is not None or self._meaning(at, "level") is not None

    def _figure(self, at: int) -> str | None:
        return self._meaning(at, "figure") or self._meaning(at, "gives")

    def _number(self, at: int) -> int:
        """A number, and what it is the number of: a rank, a level, points of a value, or copies of the next card."""
        beside = [at - 1, at + 1]
        number = number_word(self.words.database, self.typed[at].typed)
        if number is None or (number == 1 and not self.typed[at].typed.isdecimal()) or number > 99:
            return 0
        taken = self.rank and at > 1 and self.typed[at - 2].typed == str(self.rank)  # the rank has its number
        if any(self._says(place) == "rank" for place in beside[1 if taken else 0 :]):
            if not 0 < number <= RANKS:
                return 0
            self.rank = number
        elif (before := self._meaning(at - 1, "level") is not None) or self._meaning(at + 1, "level") is not None:
            if not before and self._meaning(at - 1, "asks") is not None:
                return 1  # a number of levels, and not one of them
            if self.end == at - before or (self.family and self.family == self.last):
                self._raise_last(number)
            else:
                self.level = number
        elif points := self._points_at(at):
            self.points[points] = number
            self.figures = [each for each in self.figures if each != points]
        elif number <= _MANY:
            self.number = number
        return 1

    def _points_at(self, at: int) -> str | None:
        """The value that a number is of: named behind it, or before it if another number follows."""
        beyond = at + 2 if self._says(at + 1) == "talk" and not self._figure(at + 1) else at + 1
        behind, before = self._figure(beyond), self._figure(at - 1)
        another = at + 2 < len(self.typed) and (self.typed[at + 2].typed.isdecimal() or self._says(at + 2) == "lacks")
        figure = before if before in _HITTING and (another or behind not in _HITTING) else behind
        if figure and figure == behind and self._figure(at + 2) == "magic_attack":
            return "magic_attack"
        many = self.typed[at].typed.isdecimal() and int(self.typed[at].typed) >= _TOTAL
        if figure is None and many and "total" in (self._says(at - 1), self._says(at + 1)):
            return "attack"
        return figure if figure in _HITTING else None

    def _raise_last(self, level: int) -> None:
        """The hero named last is of this level."""
        self.family = ""
        if self.last in self.hand:
            count = self.hand.pop(self.last)
            self.last = self.names.of_level(self.last, level)
            self.hand[self.last] = count

    def _lack(self, at: int) -> int:
        """Read what is not there, named before or behind the word, and return the number of words that it takes."""
        if self._says(at) != "lacks":
            return 0
        before = self._absent(at - 1)
        for place in range(at + 1, min(at + _LONGEST, len(self.typed))):
            if what := self._absent(place):
                self.lacks.append(what)
                return place + 1 - at
            if self._says(place) is None:
                break
        if before:
            self.lacks.append(before)
            self.figures = [each for each in self.figures if each != before]
            self.kinds = [each for each in self.kinds if each != before]
        return int(bool(before))

    def _absent(self, at: int) -> str:
        """The value or kind of cards that a word there names."""
        if not 0 <= at < len(self.typed):
            return ""
        if (figure := self._figure(at)) in (*_HITTING, "strength") and self._says(at) != "total":
            magic = "magic_attack" in (self._figure(at - 1), self._figure(at + 1))
            return "magic_attack" if magic and figure == "attack" else figure or ""
        return (kinds_and_types(self.words.database, self.typed[at].typed) or "").partition(":")[2]

    def _topic(self, at: int) -> int:
        topic, figure, word = self._says(at), self._figure(at), self.typed[at]
        if topic and topic.startswith("either:"):  # a comparative that names its value, too
            topic, _, of = topic.partition(":")
            self.figures.append(of)
        # In Polish one word begins a question and parts two things to choose from.
        if topic == "either" and "yes-no" in word.meanings and at == 0:
            topic = "talk"
        numbered = any(each.typed.isdecimal() for each in self.typed[max(0, at - 1) : at + 2])
        numbered = numbered and self._meaning(at - 2, "asks") is None  # a number of levels is none of them
        self.levels = self.levels or ("level" in word.meanings and not numbered)
        kind = self._kind(word.typed)
        self.kinds += [kind] if kind and topic in (None, "talk") else []
        if topic is not None:
            self.asks.add(topic)
        elif figure is not None:
            beside = "magic_attack" in (self._figure(at - 1), self._figure(at + 1)) and figure == "attack"
            self.figures += [] if beside or (numbered and figure in _HITTING) else [figure]
        elif {"superlatives", "compares"} & word.meanings.keys():
            self.asks.add("most" if "superlatives" in word.meanings else "either")
        elif kind is None and not {"level", "copies", "counts", "boxes"} & word.meanings.keys():
            return int(kinds_and_types(self.words.database, word.typed) == "timing:village")  # adds nothing
        return 1

    def _kind(self, typed: str) -> str | None:
        """The kind or type of cards that a word names, if it does not name a card, too (Militia, Elf)."""
        database, sql = self.words.database, "SELECT value FROM phrases WHERE lang = ? AND phrase = ? AND topic = ?"
        slips = () if is_of_a_name(database, typed) else database.query(sql, self.lists.lang, typed, "condition")
        named = kinds_and_types(database, typed) or next((kind for (kind,) in slips), "")
        field, _, value = named.partition(":")
        return value if field in ("kind", "type") and value not in self.words.database.cards else None

    def _card(self, at: int, least: int) -> int:
        """A card by its name, in any case, mistyped or shortened; with its level, and its number before it."""
        tokens = [word.typed for word in self.typed[at : at + _LONGEST]]
        if number_word(self.words.database, tokens[0]) is not None and not exact_card(
            self.words.database, " ".join(tokens[:2])
        ):
            return 0  # a number before a name
        for size in range(len(tokens), least - 1, -1):
            here = self.typed[at : at + size]
            exact = exact_card(self.words.database, " ".join(tokens[:size])) is not None
            if not exact and size > 1 and any(map(self._is_known, range(at, at + size))):
                continue  # words of the question are no part of a name that is not exact
            if card := card_named(self.words.database, here, ()):
                return self._add(card, at, size)
        if least > 1 or len(tokens[0]) < 3:
            return 0
        known = (n for n in range(1, len(tokens)) if self._says(at + n) is not None)
        tokens = tokens[: next(known, None)]  # a word of the question is no mistyped part of a name
        size, card, family = self.names.card_at(tokens, HAND_KINDS | HALL_KINDS | {"trap"})
        if card is None:
            return 0
        self.family = card if family and not self.level else self.family
        return self._add(card, at, size)

    def _add(self, card: str, at: int, size: int) -> int:
        card = self.words.database.reprints.get(card, card)
        card = self.names.of_level(card, self.level) if self.level else card
        if self.end == at and card == self.last and not self.number:
            self.end = at + size  # its name in a second language
            return size
        if self.words.database.cards[card].kind in (*HALL_KINDS, "trap"):
            self.foes.append(card)
        else:
            self.hand[card] = (self.hand.get(card, 0) + self.number) or 1  # named again it is the same card
            if not self.number and self.lists.lang == "en" and self.typed[at + size - 1].typed.endswith("s"):
                self.hand[card] *= self.hand.get(self.last, 1)  # a plural: one for each of them
        self.first, self.size = self.first or card, size
        self.called |= {word.typed for word in self.typed[at : at + size] if size > 1 and not word.typed.isdecimal()}
        self.last, self.end, self.level, self.number = card, at + size, 0, 0
        return size


def _pair_words(database: Database, lang: str) -> dict[str, str]:
    """Word, or stem of a long one -> what it says of a situation."""
    rows = database.query("SELECT text FROM messages WHERE key = 'list.words.pair' AND lang = ?", lang)
    said = dict(word_values(text for (text,) in rows))
    long = {stem: value for word, value in said.items() if len(word) > _LONGEST for stem in query_stems(word, lang)}
    return long | said
