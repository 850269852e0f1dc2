"""One door: what is typed is a card, a rule, a question, a battle, a visit or a query, whoever reads it.

Hands are typed as they are said: no commas, counts before or behind, a hero with a weapon. The longest name counts;
what may be several cards is asked for, and what was understood stays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from thunderref.database.read import Database, Language
from thunderref.database.validation import Record
from thunderref.errors import Candidate, InputError, ThunderrefError
from thunderref.search.query import MAX_LENGTH, Hit, check_query, exact_card, shorten, split_count
from thunderref.text.folding import fold_query

if TYPE_CHECKING:
    from thunderref.search.rules import RuleHit

Kind = Literal["card", "rule", "question", "battle", "visit", "query"]
WORDS = ("joining", "question", "buy", "rank", "deck", "against", "fight", "having", "level", "cards")
"""What the words of the glossaries (``door.words.…``) say: between cards, before a hall, a rank, known draws, …"""
ANSWERED_BY: dict[Kind, str] = {
    "card": "card", "rule": "rule", "question": "ask", "query": "cards", "visit": "village", "battle": "resolve",
}  # fmt: skip
"""Kind -> the command that answers it."""
SURE = 82
"""Score from which a name is meant, and not a word of a sentence."""
_CERTAIN = 95
"""Score from which a name is that of a card, whatever else it may be."""
_LONGEST = 4
"""Words of a card's name at most."""
_GUESSES = frozenset(("contained", "text"))
"""How names are found that are only part of what is typed."""
_PAIR = 2
"""So few cards, only named side by side, may be a question about them."""
_NEAR = 72
"""Score from which a mistyped name is read."""
_COUNT = re.compile(r"^(?P<times>[x×х*])?(?P<n>\d{1,3})(?P<of>[x×х*]|шт|szt|pcs)?\.?$", re.IGNORECASE)
_FILTER = re.compile(r"^-?[^\W\d][\w-]*(<=|>=|!=|<>|[:=<>≤≥≠])(?!//)\S")
_RULE = re.compile(r"^[RrТтTtРр]\s?\d")
_WORD = re.compile(r"\w+")
_SPELT = (
    (re.compile(r"(?<=\w)[*×](?=\d)"), " x"),  # militia*3
    (re.compile(r"(?<=\s)[x×х]\s+(?=\d)"), "x"),  # militia x 3
    (re.compile(r"(?<=\w)/(?=\w)"), " , "),  # griffon/sphinx
    (re.compile(r"(?<=\w)[/.](?=\s|$)"), " "),  # w/ dagger, vs. griffon
    (re.compile(r"[,;+&()]"), " , "),
    (re.compile(r":"), " : "),
)  # fmt: skip
"""How a line is spelt so that its words and signs stand apart."""
_STROKE, _EMPTY = "/", ("-", "–", "—")


class Understood(Record, kw_only=False):
    """What was typed: its ``kind``, and the ``document`` of the command that answers it.

    That of a look-up is its ``query``, that of a query its ``filters``. ``taken`` are the heroes that a family named
    alone was taken for; ``sure`` is False of what may be no question at all.
    """

    kind: Kind
    document: dict[str, Any]
    taken: tuple[str, ...] = ()
    sure: bool = True

    @property
    def marks(self) -> dict[str, Any]:
        """What the document of an answer has beside its own: how the line was read."""
        return {"read_as": self.kind, "understood": self.document, "taken": list(self.taken)}


class _Unclear(NamedTuple):
    """Words that may be several cards, or none; their place in the list that was read."""

    words: str
    candidates: Sequence[Candidate]


class _Cards(NamedTuple):
    """The cards that were read, each with its number; families taken for their first hero; what is unclear."""

    cards: list[tuple[str, int]]
    taken: tuple[str, ...]
    unclear: list[_Unclear]
    told: bool
    """True if a count or a comma tells a list from a sentence."""

    @property
    def entries(self) -> list[str]:
        return [card if n == 1 else f"{n} {card}" for card, n in self.cards]


class Reader:
    """Reads what is typed, in the language ``lang`` first; the table's cards mean themselves."""

    def __init__(self, database: Database, lang: str) -> None:
        self.words, self.database = database.derived(Language, lang), database
        self._said = {name: _said(database, name) for name in WORDS}

    def read(self, text: str) -> Understood:
        """Raises :class:`InputError`: ``empty-query``, ``long-query``, ``unclear``, ``unknown-command``."""
        if len(text) > 3 * MAX_LENGTH:
            raise InputError("long-query", limit=MAX_LENGTH)
        if not fold_query(text):
            raise InputError("empty-query")
        asked = "?" in text or fold_query(text).partition(" ")[0] in self._said["question"]
        if len(text) <= MAX_LENGTH and (named := self._named(text, asked=asked)):
            return named
        if any(_FILTER.match(part) for part in text.split()):
            return Understood("query", {"filters": text.split()})
        tokens = tokens_of(text.replace("?", " "))
        found = self._battle(tokens, asked) or self._visit(tokens, text, asked)
        if found is None and asked:
            return Understood("question", {"query": text})
        return found or self._else(text, tokens)

    def _named(self, text: str, *, asked: bool) -> Understood | None:
        """A card, rule, term or group of cards of exactly this name."""
        if exact_card(self.database, check_query(text)) is not None:
            return Understood("card", {"query": text})
        if _RULE.match(text.strip()):
            return Understood("rule", {"query": text})
        listed = "," in text or len(text.split()) > _LONGEST + 2
        rule = None if asked or listed else self._rule(text)
        exact = rule is not None and rule.how == "exact"
        return self._group(text) or Understood("rule", {"query": text}) if exact else None

    def _rule(self, text: str) -> RuleHit | None:
        """The rule or term that is named like this."""
        from thunderref.search.rules import find_rules

        with suppress(ThunderrefError):
            hit = find_rules(self.database, text, self.words.lang)[0]
            return None if hit.how == "text" or hit.how.endswith("-word") else hit
        return None

    def _group(self, text: str) -> Understood | None:
        """A family, class or race, or a word of the sheet: all its cards."""
        from thunderref.search.card import card_document
        from thunderref.search.filters import filter_cards

        with suppress(ThunderrefError):
            document, ambiguous = card_document(self.words, text)
            if ambiguous is None and len(document["matches"]) > 1:
                return Understood("card", {"query": text})
        bare = [word for word in text.split() if fold_query(word) not in self._said["cards"]]
        if len(bare) not in (0, len(text.split())):  # "promo cards"
            return self._group(" ".join(bare))
        rule = self._rule(text)
        kinds = [f"type:{rule.id.removeprefix('class-')}"] if rule is not None and rule.score >= _CERTAIN else []
        named = f'"{text}"' if " " in text else text
        fields = ("type", "family", "set", "kind") if len(text) >= _LONGEST else ()
        for each in (*kinds, *(f"{field}:{named}" for field in fields)):
            with suppress(ThunderrefError):
                if filter_cards(self.database, [each]):
                    return Understood("query", {"filters": [each]})
        return None

    def _battle(self, tokens: list[str], asked: bool) -> Understood | None:
        """A hand against a hall: "2 militia, dagger vs griffon", "… against griffon rank 2 deck: torch"."""
        at, parted = self._place(tokens, "against"), None
        if at is not None:
            parted = tokens[:at], tokens[at + 1 :]
        elif (fight := self._place(tokens, "fight")) is not None:  # "beat griffon with 2 militia, torch"
            having = self._place(tokens[fight:], "having")
            parted = None if having is None else (tokens[fight + having + 1 :], tokens[fight + 1 : fight + having])
        if parted is None:
            return None
        rest, known = self._deck(parted[1])
        hand, (hall, target) = self.cards(parted[0], _HAND), self._hall(rest)
        which = not hand.unclear and any(len(each.candidates) > 1 for each in hall.unclear)  # "vs horde"
        if not (hand.cards and (hall.cards or which)) or ((asked or at is None) and (hand.unclear or hall.unclear)):
            return None
        document: dict[str, Any] = {"hand": hand.entries, "hall": [card or None for card, _ in hall.cards], **known}
        document |= {} if target is None else {"target": target}
        self._refuse_unclear(hand, hall, document)
        return Understood("battle", document, hand.taken)

    def _place(self, tokens: Sequence[str], said: str) -> int | None:
        """Where the first of these words stands; a word before a hall may be mistyped."""
        words, parts = self._said[said], said == "against"
        forms = (_STROKE if parts and token == _STROKE else fold_query(token) for token in tokens)
        at = next((n for n, form in enumerate(forms) if form in words or form == _STROKE), None)
        if at is not None or not parts:
            return at
        from rapidfuzz.distance import OSA

        long = [word for word in words if len(word) > _LONGEST]
        slips = ((n, form) for n, form in enumerate(map(fold_query, tokens)) if form not in self._said["fight"])
        near = (n for n, form in slips if any(OSA.distance(form, word) <= len(word) // 4 for word in long))
        return next(near, None)

    def _deck(self, tokens: list[str]) -> tuple[list[str], dict[str, Any]]:
        """The tokens without the known draws that end them: ``deck: torch, dagger``."""
        at = self._place(tokens, "deck")
        if at is None or tokens[at + 1 : at + 2] != [":"]:
            return tokens, {}
        cards = self.cards(tokens[at + 2 :], _HAND)
        self._refuse_unclear(cards, cards, {})
        return tokens[:at], {"deck": cards.entries}

    def _hall(self, tokens: list[str]) -> tuple[_Cards, int | None]:
        """The monsters by rank, an empty one for a dash; the rank that is attacked, if one is named."""
        target, at = None, self._place(tokens, "rank")
        for n in () if at is None else (at + 1, at - 1):
            if 0 <= n < len(tokens) and tokens[n].isdecimal() and target is None:
                target = int(tokens[n])
                tokens = [token for place, token in enumerate(tokens) if place not in (at, n)]
        cards, taken, unclear, part = list[tuple[str, int]](), tuple[str, ...](), list[_Unclear](), list[str]()
        for token in [*tokens, ","]:
            if token not in (",", *_EMPTY):
                part.append(token)
                continue
            read = self.cards(part, _HALL)
            cards += [(card, 1) for card, n in read.cards for _ in range(n)]
            cards += [("", 1)] if token in _EMPTY else []
            unclear, taken, part = [*unclear, *read.unclear], (*taken, *read.taken), []
        while cards and not cards[-1][0]:
            cards.pop()
        if target is not None and len(cards) == 1 and 1 <= target <= _RANKS:  # "vs griffon rank 2": it stands there
            cards = [*[("", 1)] * (target - 1), *cards]
        return _Cards(cards, taken, unclear, told=True), target

    def _visit(self, tokens: list[str], text: str, asked: bool) -> Understood | None:
        """A purchase ("buy with 2 torch, militia", "… what can I buy"), or a hand alone."""
        if (at := self._place(tokens, "buy")) is not None:
            steering = self._said["buy"] | self._said["question"]
            behind, around = (
                self.cards([token for token in part if fold_query(token) not in steering], _HAND)
                for part in (tokens[at + 1 :], tokens)
            )
            hand = around if behind.unclear or len(behind.cards) < _PAIR else behind
            if sum(n for _, n in hand.cards) < _PAIR or (asked and hand.unclear):
                return None
            self._refuse_unclear(hand, hand, {"hand": hand.entries})
            return Understood("visit", {"hand": hand.entries}, hand.taken)
        if asked or len(tokens) < _PAIR:
            return None
        hand = self.cards(tokens, _HAND)
        number = sum(n for _, n in hand.cards)
        if hand.unclear or number < _PAIR or (number == _PAIR and not hand.told and self._is_sure(text)):
            return None
        if not hand.told and len(tokens) <= _LONGEST and self._one(self._longest(tokens, _HAND, whole=True)[1]):
            return None
        return Understood("visit", {"hand": hand.entries}, hand.taken)

    def _is_sure(self, text: str) -> bool | None:
        """Whether the answer to this question is sure; None if it has no answer."""
        from thunderref.search.ask import ask_games

        with suppress(ThunderrefError):
            return ask_games(self.database, text).confident
        return None

    def _else(self, text: str, tokens: list[str]) -> Understood:
        """A name that is near enough, a group, a question without a question word; else what is unclear."""
        from thunderref.search.names import search_cards

        short = len(text) <= MAX_LENGTH
        cards = [hit for hit in search_cards(self.database, text).hits if hit.how not in _GUESSES] if short else []
        found = self._rule(text) if short else None
        rule, card = found.score if found else 0, cards[0].score if cards else 0
        if short and card < _CERTAIN and (group := self._group(text)):
            return group
        if max(card, rule) >= (_NEAR if len(text.split()) <= _LONGEST else SURE):
            return Understood("rule" if rule > card else "card", {"query": text})
        hand = self.cards(tokens, _HAND)
        listed = len(hand.cards) > len(hand.unclear) and len(hand.cards) >= _PAIR and hand.told
        sure = self._is_sure(text)
        if sure or (sure is not None and not listed and len(tokens) >= _PAIR):
            return Understood("question", {"query": text}, sure=sure)
        if listed:
            self._refuse_unclear(hand, hand, {"hand": hand.entries})
        raise InputError("unknown-command", why="name", name=shorten(text), candidates=self._near(text))

    def _refuse_unclear(self, hand: _Cards, other: _Cards, document: Mapping[str, Any]) -> None:
        """Asks for the first part that is unclear; ``rest`` is what was understood, as it may be typed again."""
        unclear = next(iter([*hand.unclear, *other.unclear]), None)
        if unclear is None:
            return
        why = "several" if unclear.candidates else "none"
        raise InputError(
            "unclear", name=shorten(unclear.words), candidates=unclear.candidates, rest=dict(document), why=why
        )

    def cards(self, tokens: list[str], kinds: frozenset[str]) -> _Cards:
        """The cards of a list: the longest name at each place, counts before or behind it, joining words between."""
        told, ends = "," in tokens, tokens[:1] + tokens[-1:]
        behind = [bool(_COUNT.match(token)) for token in ends] == [False, True]  # "torch 2 militia 3"
        found, taken, unclear, number, at = list[tuple[str, int]](), list[str](), list[_Unclear](), 0, 0
        while at < len(tokens):
            token = tokens[at]
            count = _COUNT.match(token)
            last = tokens[at + 1 : at + 2] in ([], [","])
            if count and found and not number and (behind or last or count["times"] or len(count["of"] or "") > 1):
                found[-1] = found[-1][0], int(count["n"])
                at, told = at + 1, True
                continue
            if found and fold_query(token) in self._said["level"] and "".join(tokens[at + 1 : at + 2]).isdecimal():
                found[-1] = self._of_level(found[-1][0], int(tokens[at + 1])), found[-1][1]
                taken, at = [card for card in taken if card != found[-1][0]], at + 2
                continue
            spoken = split_count(f"{token} x")
            if (count or spoken[1] == "x") and at + 1 < len(tokens):
                number, at, told = int(count["n"]) if count else spoken[0], at + 1, True
                continue
            if not (word := fold_query(token)) or word in self._said["joining"]:
                at += 1
                continue
            size, hits = self._longest(tokens[at:], kinds)
            card = self._one(hits)
            if card is None:
                words = " ".join(tokens[at : at + size])
                near = [Candidate(str(self.words.card(hit.id)), hit.id) for hit in hits]
                unclear.append(_Unclear(words, near or self._near(words, kinds)))
            else:
                taken += [card] if len(hits) > 1 else []
                found.append((self.database.cards[card].reprint_of or card, number or 1))
            number, at = 0, at + size
        return _Cards(found, tuple(taken), unclear, told)

    def _longest(
        self, tokens: Sequence[str], kinds: frozenset[str], *, whole: bool = False
    ) -> tuple[int, Sequence[Hit]]:
        """How many words the name at this place has (with ``whole`` all), and the cards it may be.

        A card that is sure comes before a family, a longer name before a shorter one.
        """
        from thunderref.search.names import search_cards

        end = next((n for n, token in enumerate(tokens) if token == ","), len(tokens))
        for size in () if whole else range(min(_LONGEST, end), 0, -1):  # an exact name needs no index
            exact = exact_card(self.database, fold_query(" ".join(tokens[:size])))
            if exact is not None and self.database.cards[exact.hits[0].id].kind in kinds:
                return size, exact.hits
        several: tuple[int, Sequence[Hit]] = (1, ())
        apart = self._said["joining"] | self._said["level"]
        for size in range(min(_LONGEST, end), len(tokens) - 1 if whole else 0, -1):
            name = " ".join(tokens[:size])
            words = {*map(fold_query, tokens[:size])}
            odd = len(words) < size or not words.isdisjoint(apart) or any(map(_COUNT.match, tokens[1:size]))
            if size > 1 and odd and not self.database.is_name(fold_query(name)):
                continue
            found = search_cards(self.database, name, kinds)
            hits = [hit for hit in found.hits[: found.equals] if hit.how not in _GUESSES]
            hits = [hit for hit in hits if whole or hit.how == "exact" or len(_WORD.findall(hit.name)) >= size]
            if len(hits) == 1 and hits[0].score >= _NEAR:
                return size, hits
            if len(hits) > 1 and not several[1]:
                several = size, hits
        return several

    def _near(self, name: str, kinds: frozenset[str] | None = None) -> Sequence[Candidate]:
        from thunderref.search.names import unknown_card

        return unknown_card(self.database, name[:MAX_LENGTH], kinds, self.words.lang).candidates

    def _of_level(self, hero: str, level: int) -> str:
        """The hero of this level of the same family; the one named if there is none."""
        family = self.database.cards[hero].family
        alike = (card.id for card in self.database.cards.values() if card.family == family and card.level == level)
        return next(alike, hero) if family else hero

    def _one(self, hits: Sequence[Hit]) -> str | None:
        """The card that is meant: the only one, or the level 1 hero of a family that is named alone."""
        if len(hits) == 1:
            return hits[0].id
        cards = [self.database.cards[hit.id] for hit in hits]
        if cards and cards[0].family and len({card.family for card in cards}) == 1:
            return next((card.id for card in cards if card.level == 1), None)
        return None


def tokens_of(text: str) -> list[str]:
    """The words and signs of a line, apart."""
    spelt = f" {text}"
    for sign, apart in _SPELT:
        spelt = sign.sub(apart, spelt)
    return spelt.split()


_HAND = frozenset({"hero", "village", "basic", "monster", "guardian", "disease", "thunderstone"})
_HALL = frozenset({"monster", "guardian", "thunderstone"})
_RANKS = 3


def _said(database: Database, name: str) -> frozenset[str]:
    """Words of all languages that steer how a line is read, folded."""
    rows = database.query("SELECT text FROM messages WHERE key = ?", f"door.words.{name}")
    return frozenset(fold_query(word) for (text,) in rows for word in text.split())


def understand(words: Language, text: str) -> Understood:
    """How ``text`` is read, by whichever face it was typed at. Raises as :meth:`Reader.read`."""
    return words.database.derived(Reader, words.lang).read(text)
