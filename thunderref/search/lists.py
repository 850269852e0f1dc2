"""Reads a question that asks for cards, by what they do or as those with most of a value, as a query.

Every word has to be accounted for: a line with one that nothing takes is no list. The words are the glossaries'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from thunderref.database.card_records import Card
from thunderref.database.read import Language
from thunderref.errors import ThunderrefError
from thunderref.search.comparisons import ADJECTIVE, AND, OR, SIGN, ComparedValue, read_comparisons, role_of
from thunderref.search.doings import FIGURES, strength_given
from thunderref.search.filters import ListQuery, filter_cards, kinds_and_types
from thunderref.search.lexicon import (
    LISTED,
    LONGEST,
    MOST_WORDS,
    Lexicon,
    WordToken,
    card_named,
    is_of_a_name,
    lexicons_of,
)
from thunderref.search.names import search_cards
from thunderref.text.folding import fold_query

LOST = -1
"""Number of words that are taken where a line cannot be understood."""
_BEGIN = 3
"""Number of words with which a question begins."""
_PHRASES = frozenset((*LISTED, "condition", "figure", "tonight"))
"""What phrases may say in a list."""
_BEGINNINGS = ("asks", "counts", "level", "superlatives", "buys")
"""How a question for cards begins, if not with a group of them."""
_IDLE = ("talk", "asks", "compares", "or", "and")
"""What words mean that only join others."""
_WHOLE = ("boxes", "tonight", "counts", "groups", "buys", "holds", "denies")
"""What words mean that say something of a whole question."""
_CHANGING = ("figure", "does", "gives", "counts", "compares", "superlatives", "level", "immune", "blocks")
"""Meanings that no word of a clause behind the question may have, because it would change the question."""
_HEROES = "(kind:hero or type:hero)"
_WIDER = {
    "kind:hero": _HEROES,
    "kind:monster": "(kind:monster or kind:guardian)",
    "timing:dungeon": "(timing:dungeon or timing:repeat-dungeon or timing:village-or-dungeon)",
    "timing:village": "(timing:village or timing:village-or-dungeon)",
}
"""Condition -> the one that a word for it means in a question: Militia is a hero, too (R0.4), a guardian a monster."""
_SOLD = "(kind:village or kind:basic or kind:hero level=1)"
"""What the village sells."""
_BARE = frozenset(("does:destroy", "does:draw", "does:gain", "does:discard", "does:double"))
_PROPER = frozenset(("health", "weight", "strength", "light"))
"""Values that only some kinds of cards have."""
_SORTS = ("kind:", "type:", "family:")
_PLACES = frozenset(("timing:village", "timing:dungeon"))
_DEEDS = ("does:", "gives:", "holds:", "held-by:", "immune:", "light_penalty")
_FOUGHT = re.compile(r"does:(?:destroy-|gain-|weaken)[\w-]*")
"""What happens in a battle."""
_SURE = 82
"""Score from which one word names a card beside one that is held; chosen, that of names in a hand."""
_COMPARED = re.compile(r"(\w+)[<>]?=?\d+")
_OF_STRENGTH = ("-strength", "strength")
"""The order of the strongest and the weakest, by another value where one is named."""
_HIT = ("attack", "magic_attack")
_LESSENING = {
    **dict.fromkeys(("does:halve", "does:only", "does:needs", "(does:needs"), _HIT),
    "does:weaken": ("strength",), "light_penalty": ("light", "light_penalty"),
}  # fmt: skip
"""How conditions begin -> the values that they are about, which are none that a card gives."""
_OBJECTS = frozenset((
    "disease", "hero", "wizard", "cleric", "fighter", "thief", "card", "opponents", "militia", "item", "spell", "food",
    "weapon", "monster",
))  # fmt: skip
"""What is destroyed, gained or discarded."""


def read_list(words: Language, text: str, *, of_cards: bool = False) -> ListQuery | None:
    """The query that a question is; None if it is none. With ``of_cards`` it is known to ask for cards."""
    return next(filter(None, (_read(lexicon, text, of_cards) for lexicon in lexicons_of(words, text))), None)


def _read(lexicon: Lexicon, text: str, of_cards: bool) -> ListQuery | None:
    words, form = lexicon.tokens(text), fold_query(text)
    if not 1 < len(words) <= MOST_WORDS or lexicon.is_defining(form):
        return None
    bare = form.partition(" ")[2] if words[0].meanings.get("asks") == "what" else form
    if lexicon.database.query("SELECT 1 FROM names WHERE kind = 'term' AND form IN (?, ?)", form, bare):
        return None  # the name of a term, which has a page of its own
    words = _as_budget(lexicon, words)
    first, tokens = words[0], lexicon.with_phrases(words, _PHRASES)
    judged = (first.means("yes-no") or tokens[0].means("yes-no")) and not tokens[0].means("asks")
    cards = any(word in lexicon.database.words("door.words.cards") for word in tokens[0].typed.split())
    if judged or (len(tokens) == 1 and tokens[0].means("condition") and not cards):
        return None  # a condition alone names a thing, and asks for no cards
    all_known = all(map(lexicon.knows, tokens))
    return _Reading(lexicon, [*_apart(lexicon, tokens)], of_cards).read() if all_known else None


def _as_budget(lexicon: Lexicon, words: tuple[WordToken, ...]) -> tuple[WordToken, ...]:
    """Return the words of a question what some gold buys, if all they say is how much there is in the village."""
    database, lang = lexicon.database, lexicon.lang
    told = [word for word in words if word.typed.isdecimal() or word.meanings.get("figure") == "gold"]
    beside = {word.typed for word in words if word not in told}
    telling = {word for said in ("buy", "having") for word in database.words(f"door.words.{said}", lang)}
    idle = database.words("door.words.joining", lang).keys() | database.words("list.words.places", lang).keys()
    is_budget = [word.typed.isdecimal() for word in told] == [True, False] and not beside.isdisjoint(telling)
    is_budget = is_budget and beside <= telling | idle
    return (WordToken("", {"buys": ""}), *told) if is_budget else words


def _apart(lexicon: Lexicon, tokens: Sequence[WordToken]) -> Iterator[WordToken]:
    """Yield the tokens, but the words of a phrase one by one where a number behind it makes them another one.

    "And under 5" is no "5 and under", and "give XP 3" no "give XP".
    """
    for i, token in enumerate(tokens):
        words = lexicon.tokens(token.typed)
        beyond = next((other for other in tokens[i + 1 :] if other.meanings.get("compares") != ""), token)
        compares = token.means("compares") and words[0].means("or", "and")
        begins = compares or token.meanings.get("condition", "").startswith("gives:")
        yield from words if begins and beyond.typed.isdecimal() else (token,)


class _Reading:
    """One question, token by token."""

    def __init__(self, lexicon: Lexicon, tokens: Sequence[WordToken], of_cards: bool) -> None:
        self.lexicon, self.database, self.whole, self.of_cards = lexicon, lexicon.database, tokens, of_cards
        places = range(len(tokens))
        verb = next((i for i in places if tokens[i].meanings.get("does", "card") not in _OBJECTS), len(tokens))
        # What is missing qualifies the deed.
        lacking = {i for i in places if i > verb and tokens[i].meanings.get("excludes") == ""}
        self.clause = next((i for i in places if i in lacking or tokens[i].means("blocks")), len(tokens))
        self.words = tokens[: self.clause]
        self.topics = {topic for token in self.words for topic in token.meanings}
        self.gains = any(token.meanings.get("does") == "gain" for token in self.words)
        self.parts: list[str] = []
        self.sort: list[str] = []
        self.figures: list[str] = []
        self.had: set[str] = set()  # those of the figures that only tell cards apart: "with light"
        self.cards: list[str] = []
        self.groups = ""
        self.at = self.first = self.ordinal = 0
        self.united = False  # "fighters and thieves"
        self.denied = self.either = self.chosen = self.placed = False

    def read(self) -> ListQuery | None:
        """The query; None if nothing takes a word, or one says what no condition does."""
        takers = (
            self._condition, self._excluded, self._comparison, self._card, self._group, self._doing,
            self._superlative, self._value, self._small,
        )  # fmt: skip
        if any(map(self._changes, self.whole[self.clause + 1 :])) or any(map(self._denies, range(len(self.words)))):
            return None
        while self.at < len(self.words):
            size = next(filter(None, (take() for take in takers)), LOST)
            if size == LOST:
                return None
            self.at += size
        opponents = any(word.meanings.get("does") == "opponents" for word in self.words)
        if self.denied or (opponents and "opponents" not in " ".join(self.parts)) or not self._is_asked():
            return None
        self._finish()
        if not self.parts or len(self.sort) > 1 or not self._is_list():
            return None
        if any(key.endswith("strength") for key in self.sort) and not self._met(self.parts):  # of monsters it is Health
            self.sort = [key.replace("strength", "health") for key in self.sort]
            self.parts = [clause if clause != "not strength:none" else "health>0" for clause in self.parts]
        self.parts = [f"not {_HEROES}" if clause == "not kind:hero" else clause for clause in self.parts]
        narrow = [] if self.groups else [clause for clause in _WIDER if clause in self.parts]
        hero_sort = self.sort in (["cost"], ["strength"])  # of heroes a Militia costs least, and is the weakest
        kinds = ("kind:monster", "kind:hero") if hero_sort else ("kind:monster",)
        for clause in narrow if not self.first else [clause for clause in narrow if clause in kinds]:
            wider = [_WIDER[clause] if other == clause else other for other in self.parts]
            self.parts = wider if len(self._met(wider)) > len(self._met(self.parts)) else self.parts
        if self.ordinal and self.sort:
            self._limit_to_ordinal()
        query = " ".join(dict.fromkeys(self.parts))
        listed = ListQuery(
            query, tuple(self.sort), self.first, "counts" in self.topics and not self.figures, self.groups
        )
        return listed if self._met(self.parts) or self._is_told() else None

    def _limit_to_ordinal(self) -> None:
        """Add the condition that cards have the second or third value of those that they are sorted by."""
        figure = self.sort[0].lstrip("-")
        values = {value for card in self._met(self.parts) if (value := getattr(card, figure)) is not None}
        ranked = sorted(values, reverse=self.sort[0][0] == "-")
        if len(ranked) >= self.ordinal:
            self.parts, self.first = [*self.parts, f"{figure}={ranked[self.ordinal - 1]}"], 0

    def _is_asked(self) -> bool:
        """Return whether the line begins as a question for cards does."""
        boxes = [word.means("boxes") or word.meanings.get("condition", "").startswith("set:") for word in self.words]
        begin = boxes.index(False) if False in boxes else 0  # "wrath heroes"
        kind = self._group_at(begin)[1] if self.words else None
        is_question = any(token.means(*_BEGINNINGS) for token in self.words[:_BEGIN])
        is_question = is_question or any(" " in token.typed for token in self._of("holds"))  # "kto udźwignie"
        is_question = is_question or self._begins_with_cards() or (boxes[:1] == [True] and self._names_cards())
        groups = (self._group_at(i)[1] or "timing" for i in range(len(self.words[:_BEGIN])))
        if any(_COMPARED.search(clause) for clause in self.parts):  # "5 gold weapons"
            is_question = is_question or any(not group.startswith("timing") for group in groups)
        is_question = is_question or {"buys", "asks"} <= self.topics or not (kind or "timing").startswith("timing")
        return is_question and (not self.groups or "counts" in self.topics or _has(self.parts, ("set:",)))

    def _is_list(self) -> bool:
        """Return whether the conditions are enough for a list, which the line asks for, and no explanation."""
        counts, asks, holds = (topic in self.topics for topic in ("counts", "asks", "holds"))
        for_sale = self.words[-1].means("buys") and self._group_at(0)[1]  # "villagers for sale"
        asks = asks or self._begins_with_cards() or bool(for_sale)
        words = (word for token in self.whole for word in self.lexicon.tokens(token.typed))
        limit = counts and not holds and any(word.means("limits") for word in words)
        paid = "buys" in self.topics and not self.gains and {"xp", "gold"} & {*self.figures}
        plain_words = (form for word in self.words if not word.means("condition") for form in word.typed.split())
        places = self.placed or _PLACES.intersection(kinds_and_types(self.database, word) for word in plain_words)
        lying = counts and places and all(clause.startswith((*_SORTS, *_PLACES)) for clause in self.parts)
        if (
            limit
            or lying
            or (counts and self.figures and not self._is_price())
            or self.either
            or (self.chosen and not any(map(_COMPARED.search, self.parts)))
            or (self.cards and not holds)
            or paid
        ):
            return False  # a rule, what lies in a place, what a stack has, a choice, or what one pays with is asked for
        if all(clause.startswith("set:") for clause in self.parts) and not (counts or self._names_cards()):
            return False  # what is in a box is more than cards
        if "buys" in self.topics and not (asks or self.sort or _has(self.parts, ("cost",))):
            return False  # whether it can be bought
        deeds = {word.meanings["does"] for word in self._of("does")} - _OBJECTS
        deeds |= {self.words[0].typed} & self.lexicon.titles if _has(self.parts, ("does:",)) else set()
        wants_cards = asks or self.sort or (deeds == {"gain"} and any(map(_COMPARED.search, self.parts)))
        if ("gain" in deeds and len(deeds) > 1 and not self.figures) or (deeds and not wants_cards):
            return False  # what is given for a deed, or a statement
        if {"gives:attack", "kind:monster"} <= {*self.parts} and self._of("gives") and not self.gains:
            return False  # the verb: which of them attack, or can be attacked
        if holds and not (asks or self._group_at(0)[1] or any(" " in word.typed for word in self._of("holds"))):
            return False  # one hero and one weapon
        only, asks_what = self.parts[0], any(word.meanings["asks"] == "what" for word in self._of("asks"))
        phrases = [word.meanings["condition"] for word in self._of("condition")]
        if len(self.parts) > 1 or self.sort or self.groups or holds or len(self.words) == 1 or self.united:
            return True
        if only.startswith("gives:") and asks_what and not (phrases or self.gains):
            return False  # the value is to be explained
        if any(phrase.startswith("does:") for phrase in phrases) or (asks and only[-1].isdecimal()):
            return True
        if only.startswith(_DEEDS) and only not in _BARE and (asks or not only.startswith(("gives:", "light_penalty"))):
            return True
        idle = [word for word in self.words if (word.means("talk") or word.meanings.get("does") == "gain")]
        idle = [word for word in idle if " " not in word.typed and not word.means("asks", "counts", "listing")]
        vague = (asks_what and not counts) or only in _BARE or self.gains
        return (asks or counts) and not (counts and only.startswith("does:")) and not (vague and idle and not phrases)

    def _begins_with_cards(self) -> bool:
        """Return whether the question is for cards, which the first word says if it is one for them."""
        return self.of_cards or self.words[0].typed.partition(" ")[0] in self.database.words("door.words.cards")

    def _names_cards(self) -> bool:
        """Return whether a word for cards is among the words."""
        return any(
            form in self.database.words("door.words.cards") for word in self.words for form in word.typed.split()
        )

    def _is_price(self) -> bool:
        """Return whether the question is only what cards of some types cost."""
        return self.figures == ["cost"] and all(clause.startswith(_SORTS) for clause in self.parts)

    def _of(self, topic: str) -> list[WordToken]:
        return [token for token in self.words if token.means(topic)]

    def _met(self, parts: Sequence[str]) -> list[Card]:
        try:
            return filter_cards(self.database, " ".join(clause for clause in parts if clause != "tonight"))
        except ThunderrefError:  # the words make up a condition that no card has
            return []

    def _is_told(self) -> bool:
        """Return whether no card meets the conditions only because of the numbers in them."""
        plain = [_COMPARED.sub(r"not \1:none", clause) for clause in self.parts]
        return plain != self.parts and not self.sort and bool(self._met(plain))

    def _denies(self, at: int) -> bool:
        """Return whether a word there changes the question: an exclusive one does, but not before a number or box."""
        beyond, how = self.words[at + 1 : at + 2], self.words[at].meanings.get("denies")
        boxes = any(word.means("boxes") or word.meanings.get("condition", "").startswith("set:") for word in beyond)
        bound = boxes or any(word.typed.isdecimal() for word in beyond)
        has_deed = how == "only" and any("does:" in word.meanings["condition"] for word in self._of("condition"))
        return how is not None and not (how == "only" and (bound or has_deed))

    def _changes(self, word: WordToken) -> bool:
        """Return whether a word of a subordinate clause would change the question."""
        is_kind = kinds_and_types(self.database, word.typed) is not None
        return is_kind or word.typed.isdecimal() or word.means(*_CHANGING)

    def _meaning(self, topic: str, at: int | None = None) -> str | None:
        place = self.at if at is None else at
        return self.words[place].meanings.get(topic) if 0 <= place < len(self.words) else None

    # Each of these reads what stands at ``self.at`` and returns the number of words that it takes.

    def _condition(self) -> int:
        """A phrase that stands for a whole condition."""
        condition, further = self._meaning("condition"), role_of(self.words, self.at + 1) in (AND, OR)
        if condition is None or (further and condition.startswith(_SORTS)):
            return 0
        self._add(condition)
        return self._further(self.at + 1, "destroy") - self.at if condition.startswith("does:destroy-") else 1

    def _excluded(self) -> int:
        """What is left out: a card, a kind or a condition."""
        how = self._meaning("excludes")
        for place in range(self.at + 1, min(self.at + LONGEST, len(self.words))) if how is not None else ():
            gives = self.words[place].means("gives", "figure")
            spans = (self.words[place : place + n] for n in range(min(LONGEST, len(self.words) - place), 1, -1))
            cards = ((len(span), card_named(self.database, span, ())) for span in spans)
            size, card = next(((n, name) for n, name in cards if name), (0, None))
            size, group = (size, None) if gives or card else self._group_at(place)
            card = card if card or group else card_named(self.database, self.words[place : place + 1], ())
            condition = self._meaning("condition", place)
            denied = how or self.words[self.at].means("not")
            of_a_sort = group and (denied or _has(self.parts, (f"{group.partition(':')[0]}:",)))
            if card or condition or of_a_sort:  # a weapon without a hero is a situation
                self.parts.append(f"not {condition or group or f'name:{card}'}")
                return place + max(size, 1) - self.at
            if gives or self.words[place].means("does"):
                self.denied = True  # the negation belongs to the deed that follows
                return place - self.at
            if not self.words[place].means("talk", "asks"):
                break
        return 0

    def _comparison(self) -> int:
        """Values and the numbers that they are compared with."""
        try:
            read = read_comparisons(self.words, self.at)
        except ValueError:  # it is not clear whose number it is
            return LOST
        if read is None:
            return 0
        values, either = read
        end = values[-1].end
        if values[0].figure == "level" and not values[0].led and self._meaning("asks", self.at - 1) is not None:
            return LOST  # a number of levels
        buys = end == len(self.words) and self.at > 0 and self.words[self.at - 1].means("buys")
        if not all(value.figure or value.sign or value.priced or buys for value in values):
            return 0
        parts = [self._compared(value) for value in values]
        self._add(f"({' or '.join(parts)})" if either else " ".join(parts))
        return end - self.at

    def _compared(self, value: ComparedValue) -> str:
        """Return the condition that a comparison is."""
        figure, sign, numbers, _, led, _ = value
        before = self.words[self.at - 1 : self.at]
        worth = any(word.means("facts") and word.meanings.get("figure") == "gold" for word in before)
        has = led or self.gains or worth or any(word.typed in self.lexicon.having for word in before)
        if not figure or (figure == "gold" and ("buys" in self.topics or not has)):  # "gold 4" is not what one pays
            bound = len(numbers) == 1 and ("buys" in self.topics or not figure)
            figure, sign = "cost", sign or ("<=" if bound else "")
        if sign == "..":
            return f"{figure}>={numbers[0]} {figure}<={numbers[1]}"
        return _either([f"{figure}{sign or '='}{number}" for number in numbers])

    def _card(self) -> int:
        """A card by its name, in any case."""
        for size in range(min(LONGEST, len(self.words) - self.at), 0, -1):
            here = self.words[self.at : self.at + size]
            if any(word.means("sign") for word in here):
                continue
            card = card_named(self.database, here, {"talk"} if size > 1 else {*here[0].meanings})
            if card is not None:
                self.cards.append(card)
                return size
        word = self.words[self.at]
        if "holds" in self.topics and not word.meanings and is_of_a_name(self.database, word.typed):  # "rations"
            matches = search_cards(self.database, word.typed)
            is_sure = matches.equals == 1 and matches.hits[0].score >= _SURE
            self.cards += [matches.hits[0].id] if is_sure else []
            return int(is_sure)
        return 0

    def _group(self) -> int:
        """A kind, type, family or box, or one of several ("elf or dwarf"); a word of the sheet stays to others."""
        (size, group), here = self._group_at(self.at), self.words[self.at]
        has_deed = _has(self.parts[-1:], ("does:", "not does:"))
        if group is None or (group.startswith("timing:") and here.means("talk") and not has_deed):
            return 0  # says where all of it happens, and tells no cards apart
        if (card := group.partition(":")[2]) in self.database.cards:
            self.cards.append(card)  # Militia, Disease: the name of one card
            return size
        receives = group == "kind:hero" and _has(self.parts[-1:], ("gives:", "does:"))
        if receives and (_has(self.parts, _SORTS[:2]) or self.words[0].meanings.get("asks") == "what"):
            return size  # heroes are those who get it, and not the cards that are asked for
        if size == 1 and here.means("figure", "gives") and (self.parts or "asks" in self.topics):
            return 0
        before = [word.meanings.get("places") for word in self.words[max(0, self.at - 2) : self.at]]
        if group in ("kind:village", *_PLACES) and "out" not in before and has_deed:
            self.parts[-1] += f"-in-{group.partition(':')[2]}"  # where it is done
            return size
        if group == "kind:village" and "in" in before:
            group = "timing:village"  # a place, and not what a card belongs to
        elif group == "timing:village" and (self._meaning("does", self.at - 1) == "card" or before[-1:] == ["out"]):
            group = "kind:village"  # what cards belong to, and not a place
        self.placed = self.placed or group in _PLACES
        alike, field, is_sort = [group], group.partition(":")[0], group.startswith(_SORTS)
        while (join := role_of(self.words, self.at + size)) in (OR, AND):
            more, other = self._group_at(self.at + size + 1)
            if other is None or not other.startswith(_SORTS if is_sort else field) or (join == AND and not is_sort):
                break
            self.chosen = self.chosen or (join == OR and "asks" not in self.topics)  # which of them it is
            if join == AND and self._met([group, other]):
                if any(self.lexicon.marks.get(word.typed) == "both" for word in self.words):
                    break
                if self.at:
                    return LOST  # whoever is both of them, or either
            self.united = self.united or join == AND
            alike.append(other)
            size += 1 + more
        self.parts.append(_either(alike))
        return size

    def _group_at(self, at: int) -> tuple[int, str | None]:
        """How many words name a kind, type, family or box there, and its condition."""
        for size in range(min(LONGEST, len(self.words) - at), 0, -1):
            here = self.words[at : at + size]
            group = kinds_and_types(self.database, " ".join(word.typed for word in here))
            if group and not here[-1].means("sign"):
                return size, group
        if (self._meaning("condition", at) or "").startswith(_SORTS):
            return 1, self._meaning("condition", at)
        noun = self._meaning("does", at) or "card"
        kind = kinds_and_types(self.database, noun) if noun in _OBJECTS else None
        return (1, kind) if kind else (0, None)

    def _doing(self) -> int:
        """What is done, and to whom."""
        verb = self._meaning("does")
        beyond = self.words[self.at + 1 : self.at + 2]
        is_held = self.words[self.at].means("holds") and any(is_of_a_name(self.database, w.typed) for w in beyond)
        if verb is None or verb in _OBJECTS or is_held:
            return 0
        end, noun = self._object(self.at + 1, verb)
        if verb == "gain" and not noun:
            return 0  # what gives a value is read with the values
        value = {"destroy": f"destroy-{noun}", "gain": f"gain-{noun}", "discard": f"{noun}-discard"}.get(verb, verb)
        self._add(f"does:{value if noun else verb}")
        return (self._further(end, verb) if noun else end) - self.at

    def _further(self, end: int, verb: str) -> int:
        """Add further kinds that are destroyed, and return where the enumeration of them ends."""
        alike = self.parts[-1:]
        while (join := role_of(self.words, end)) in (AND, OR) and (more := self._object(end + 1, verb))[1]:
            alike.append(f"does:{verb}-{more[1]}")
            if alike[0].startswith("not "):  # neither of them; of "not both" nobody asks
                self.denied = True
                self._add(alike.pop())
            elif join == OR:
                self.parts[-1] = _either(alike)
            else:
                self._add(alike.pop())
            end = more[0]
        return end

    def _add(self, condition: str) -> None:
        """Add a condition, denied if a negation stands before it."""
        whole = f"({condition})" if self.denied and " " in condition and condition[0] != "(" else condition
        self.parts += [f"not {whole}"] if self.denied else [condition]
        self.denied = False

    def _object(self, at: int, verb: str) -> tuple[int, str]:
        """Where the words of what is destroyed, gained or discarded end, and what it is, "" for nothing known."""
        for place in range(at, min(at + LONGEST, len(self.words))):
            noun = self._meaning("does", place)
            group = kinds_and_types(self.database, self.words[place].typed)
            if noun in _OBJECTS or (group and verb == "destroy"):
                return place + 1, str(noun) if noun in _OBJECTS else str(group).partition(":")[2]
            if not self.words[place].means("talk", "asks"):
                break
        return at, ""

    def _superlative(self) -> int:
        """An adjective that says which value, or most or least of a value that is named beside it; how many cards."""
        beside = [self._meaning("superlatives", self.at + step) is not None for step in (-1, 1)]
        if self.words[self.at].means("ordinal") and beside[1]:
            self.ordinal = int(self.words[self.at].typed)  # the second cheapest
            return 1
        if self.words[self.at].typed.isdecimal() and not self.words[self.at].meanings and any(beside):
            self.first = int(self.words[self.at].typed)
            return 1
        if (order := self._meaning("superlatives")) is None:
            return 0
        size, only_sorts = 1, order.endswith("*") and not beside[0]  # "cheap", but for the Russian "most cheap"
        order = order.removesuffix("*")
        if order in ("-", "+", *_OF_STRENGTH):  # the most of what; the strongest attack
            if beside[1] and order in ("-", "+"):
                return 1  # the adverb: the adjective behind it says which value
            behind = range(self.at + 1, min(self.at + LONGEST, len(self.words)))
            place = next((place for place in behind if not self._is_idle(place)), self.at)
            figure = self._meaning("figure", place) if place > self.at else None
            if figure is None and order in ("-", "+"):
                figure = self.figures.pop() if self.figures else None
                if figure is None:
                    return 0  # best of what is not said
            elif figure is not None:
                size = place + 1 - self.at
            order = order if figure is None else f"{order[: order[0] == '-']}{figure}"
        self.sort.append(order)
        self.first = 0 if only_sorts else self.first or 1
        return size

    def _is_idle(self, at: int) -> bool:
        """Return whether a word there only stands before a value: "the most of the printed attack"."""
        return self.words[at].means("talk") and not self.words[at].means("excludes", "holds")

    def _value(self) -> int:
        """A value that cards give, or have."""
        figure = self._meaning("figure") or self._meaning("gives")
        if not figure or self.words[self.at].means("talk"):
            return 0
        figures = (word for word in self.words if word.means("figure") and not word.means("facts"))
        if self.words[self.at].means("facts") and "superlatives" in self.topics and any(figures):
            return 1  # "is worth", beside what it is worth
        beside = self._meaning("figure", self.at + 1) or self._meaning("gives", self.at + 1)
        whole = {figure, beside} == {"attack", "magic_attack"}
        if self.denied:
            self._add(f"gives:{'magic_attack' if whole else figure}")
        else:
            self.figures.append("magic_attack" if whole else figure)
            before = (word.typed for word in self.words[max(0, self.at - 2) : self.at])
            self.had |= {self.figures[-1]} if not self.lexicon.having.isdisjoint(before) else set()
        return 1 + whole

    def _small(self) -> int:
        """A word that says something of the whole question, or only joins others."""
        word = self.words[self.at]
        if word.means("groups") and "groups" not in self.lexicon.forms.get(word.typed, ()):
            return 0  # one class, and no number of classes
        if box := self._meaning("boxes"):
            self.parts.append(f"set:{box}")
        elif word.means("tonight"):
            self.parts.append("tonight")
        self.groups, self.either = self._meaning("groups") or self.groups, self.either or word.means("or")
        joins = role_of(self.words, self.at) == AND and self._group_at(self.at + 1)[1] and self.parts
        if joins and not _has(self.parts[-1:], _SORTS) and not self.words[self.at + 1].means("figure", "gives"):
            return LOST  # whether all before is said of it, too
        if role_of(self.words, self.at) in (SIGN, ADJECTIVE) and word.meanings.get("compares") != "=":
            return LOST  # compared with what is no number
        alone = word.means(*_WHOLE, *_IDLE) and not word.means("excludes")
        return int(alone or word.meanings.get("does") in ("opponents", "card", "gain"))

    def _held(self) -> list[str]:
        """Return the conditions of weapons that a hero holds, or of heroes who hold a weapon, made stronger or not."""
        cards = [self.database.cards[card] for card in self.cards]
        helping = {card.id: bonus for card in cards if (bonus := strength_given(self.database, card.id))}
        (card, *more) = [card for card in cards if card.id not in helping] or [cards[0]]
        bonus = sum(helping.values())
        extra = [clause for clause in self.parts if clause not in ("type:weapon", "kind:hero", f"level={card.level}")]
        if more or card.id in helping:
            return []
        if card.is_hero:
            holding = f"type:weapon weight<={(card.strength or 0) + bonus}" if bonus else f"held-by:{card.id}"
        else:
            holding = f"{_HEROES} strength>={(card.weight or 0) - bonus}" if bonus else f"holds:{card.id}"
        return [*extra, holding] if card.is_hero or "weapon" in card.types else []

    def _finish(self) -> None:
        """What the whole line says: whom a card holds, what is given, what is sorted."""
        kinds = _has(self.parts, ("kind:",))
        if "holds" in self.topics:
            self.parts = self._held() if self.cards else []
        elif self.cards and len(self.parts) == 1 and self.parts[0].startswith("level="):
            family = self.database.cards[self.cards.pop()].family
            self.parts += [f"family:{family}"] if family else []  # its card of this level, whichever of them is named
        if self.groups == "family" and not kinds:
            self.parts.append("kind:hero")
        if "buys" in self.topics and not _has(self.parts, _SORTS):
            self.parts.append(_SOLD)
        order = self.sort[0] if self.sort else ""
        if len(self.figures) == 1 and not self.had:  # the weakest by health, the cheapest to level up
            value = self.figures[0]
            if order in _OF_STRENGTH or (order.endswith("cost") and value == "level_cost"):
                self.sort, self.figures = [order[: order[0] == "-"] + value], []
        sold = self.sort or "buys" in self.topics or _has(self.parts, ("cost", *_DEEDS))
        if sold and self.placed and "timing:village" in self.parts:
            index = self.parts.index("timing:village")  # the place where it is bought
            self.parts[index : index + 1] = [] if kinds else [_SOLD]
        denied = [clause.removeprefix("not ") for clause in self.parts if clause.startswith("not ")]
        if denied and len(denied) == len(self.parts):  # what is not edged is a weapon all the same
            types = [{*card.types} for clause in denied for card in self._met([clause])]
            common = set[str].intersection(*types) if types else set()
            self.parts += [f"type:{name}" for name in sorted(common) if f"type:{name}" not in denied]
        destroyed = (word for clause in self.parts for word in clause.strip("()").split())
        if "type:weapon" in self.parts:  # those that a hero of this Strength holds
            self.parts = [re.sub(r"^strength<?=(?=\d+$)", "weight<=", clause) for clause in self.parts]
        victims = {victim for word in destroyed if (victim := word.partition("does:destroy-")[2].partition("-in-")[0])}
        self.parts = [clause for clause in self.parts if clause.partition(":")[2] not in victims]
        for field in ("kind:", "family:"):  # no card is of two kinds
            alike = [clause for clause in dict.fromkeys(self.parts) if clause.startswith(field)]
            if len(alike) > 1:
                self.parts = [*(clause for clause in self.parts if clause not in alike), _either(alike)]
        if any(word.means("fights") for token in self.whole for word in self.lexicon.tokens(token.typed)):
            fought = [_FOUGHT.sub(r"\g<0>-in-battle", clause) for clause in self.parts]
            darkens = fought == self.parts and _has(self.parts, ("light_penalty",))
            self.parts = [*fought, *["timing:battle"] * darkens] if "kind:hero" not in self.parts else self.parts
        printed = not (self.gains or "gives" in self.topics) and not {"kind:hero", "type:weapon"}.isdisjoint(self.parts)
        lessened = {value for begin, values in _LESSENING.items() if _has(self.parts, (begin,)) for value in values}
        for figure in (name for name in self.figures if name not in lessened):
            if figure in FIGURES and f"-{figure}" not in (*self.sort, *(f"-{key}" for key in self.sort)):
                has = printed and figure != "strength"
                self.parts.append(f"{figure}>0" if has or figure == "light_penalty" else f"gives:{figure}")
        alone = len(self.figures) == 1 and self.figures[0] not in FIGURES
        if alone and self.parts and not self.sort and "asks" in self.topics:
            self.sort = [self.figures[0]]  # which each has
        figure = self.sort[0].lstrip("-") if self.sort else ""
        if figure and (self.parts or figure in _PROPER or self._names_cards()):
            self.parts.append("health>0" if figure == "health" and self.parts else f"not {figure}:none")


def _has(parts: Iterable[str], how: tuple[str, ...]) -> bool:
    """Return whether a condition begins in one of these ways."""
    return any(clause.startswith(how) for clause in parts)


def _either(alike: Sequence[str]) -> str:
    return alike[0] if len(alike) == 1 else f"({' or '.join(alike)})"
