"""One door: what is typed is a card, a rule, a question, a battle, a visit or a query, whoever reads it.

Hands are typed as they are said: no commas, counts before or behind, a hero with a weapon. The longest name counts;
what may be several cards is asked for, and what was understood stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from thunderref.database.card_records import HALL_KINDS, HAND_KINDS, RANKS
from thunderref.database.paths import FIRST_GAME
from thunderref.database.read import Database, Language
from thunderref.database.validation import Record
from thunderref.errors import Candidate, InputError, ThunderrefError
from thunderref.search.query import (
    MAX_LENGTH,
    Hit,
    asked_with,
    begun_card,
    check_query,
    exact_card,
    is_everyday,
    shorten,
    split_count,
)
from thunderref.text.folding import fold, fold_query

if TYPE_CHECKING:
    from thunderref.search.rules import RuleHit
    from thunderref.search.situations import Situation

Entry = TypeVar("Entry")
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
_LONGEST = 5
"""Words of a card's name at most."""
_LIKE = frozenset(("inflected-word", "transliterated-word"))
"""How words of a question may look like a part of a name."""
_CALLED = frozenset(("alias", "mixed"))
"""How a card is called otherwise than it is named."""
_OFTEN = 200
"""Questions with a word of which a part of a name is no name."""
_GUESSES = frozenset(("contained", "text"))
"""How names are found that are only part of what is typed."""
_ANYWHERE = HAND_KINDS | {"trap"}
_PAIR = 2
"""So few cards, only named side by side, may be a question about them."""
_NEAR, _SLIP = 72, 64
"""Score from which a mistyped name is read, and a mistyped word of a hand."""
_COUNT = re.compile(r"^(?P<times>[x×х*])?(?P<n>\d{1,3})(?P<of>[x×х*]|шт|szt|pcs)?\.?$", re.IGNORECASE)
_FILTER = re.compile(r"^-?[^\W\d][\w-]*(<=|>=|!=|<>|[:=<>≤≥≠])(?!//)\S")
_RULE = re.compile(r"^[RrТтTtРр]\s?\d")
_WORD = re.compile(r"\w+")
_SPELT = (
    (re.compile(r"(?<=\w)[*×](?=\d)"), " x"),  # militia*3
    (re.compile(r"(?<!\w)(\d{1,2})(?!szt|шт|pcs|st|nd|rd|th)(?=[^\W\d_]{2})", re.IGNORECASE), r"\1 "),  # 3militia
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
    """The cards that were read, each with its number; families ``taken`` for their first hero; what is unclear."""

    cards: list[tuple[str, int]]
    taken: tuple[str, ...]
    unclear: list[_Unclear]
    spelt: list[str]
    """Each entry in its place, as it is typed: families and what is unclear, too."""
    talk: int
    """Number of words that are none of a card's name."""
    told: bool
    """True if a count or a comma tells a list from a sentence."""

    @property
    def entries(self) -> list[str]:
        return [card if n == 1 else f"{n} {card}" for card, n in self.cards]


class Reader:
    """Reads what is typed, in the language ``lang`` first; the table's cards mean themselves."""

    def __init__(self, database: Database, lang: str) -> None:
        self.words, self.database = database.derived(Language, lang), database
        self._said = {name: said(database, name) for name in WORDS}
        noise = fold(" ".join(database.message("search.words.noise"))).split()
        self._apart = self._said["joining"].union(self._said["level"], self._said["question"], noise)

    def read(self, text: str) -> Understood:
        """Raises :class:`InputError`: ``empty-query``, ``long-query``, ``unclear``, ``unknown-command``."""
        if len(text) > 3 * MAX_LENGTH:
            raise InputError("long-query", limit=MAX_LENGTH)
        if not fold_query(text):
            raise InputError("empty-query")
        asked = "?" in text or fold_query(text).partition(" ")[0] in self._said["question"]
        if len(text) <= MAX_LENGTH and (named := self._named(text, asked=asked)):
            return named
        if any(_FILTER.match(part.lstrip("(")) for part in text.split()):
            return Understood("query", {"filters": text})
        tokens = tokens_of(text.replace("?", " "))
        found = self._battle(tokens, text, asked) or self._visit(tokens, text, asked)
        if found is None and (listed := self._list(text)):
            return listed
        if found is None and (asked or self.situation(text)):
            return Understood("question", {"query": text})
        return found or self._else(text, tokens)

    def _named(self, text: str, *, asked: bool) -> Understood | None:
        """A card, rule, term or group of cards of exactly this name."""
        from thunderref.search.lone_name import name_alone

        if exact_card(self.database, check_query(text)) is not None:
            return Understood("card", {"query": text})
        if alone := name_alone(self.database, text):
            return Understood("card", {"query": alone.name})
        if _RULE.match(text.strip()):
            return Understood("rule", {"query": text})
        listed = "," in text or len(text.split()) > _LONGEST + 2
        rule = None if asked or listed else self._rule(text)
        if rule is None or rule.how != "exact":
            return None
        named = self.database.query("SELECT 1 FROM names WHERE form = ?", fold_query(text))
        return (None if named else self._list(text)) or self._group(text) or Understood("rule", {"query": text})

    def _list(self, text: str) -> Understood | None:
        """Read a question for cards as a query; None if the line is none."""
        from thunderref.search.lists import read_list

        if (found := read_list(self.words, text)) is None:
            return None
        limit = {"limit": len(found.cards(self.words))} if found.first else {}
        return Understood("query", {"filters": found.query, "sort": ",".join(found.sort), **limit})

    def situation(self, text: str) -> Situation | None:
        """Return the question about one or two cards that cards and engine decide; None if the line is none."""
        from thunderref.search.situations import read_situation

        return read_situation(self, text)

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
        if len(bare) not in (0, len(text.split())):  # a word for cards says nothing beside a group
            return self._group(" ".join(bare))
        rule = self._rule(text)
        kinds = [f"type:{rule.id.removeprefix('class-')}"] if rule is not None and rule.score >= _CERTAIN else []
        named = f'"{text}"' if " " in text else text
        fields = ("type", "family", "set", "kind") if len(text) >= _LONGEST else ()
        for each in (*kinds, *(f"{field}:{named}" for field in fields)):
            with suppress(ThunderrefError):
                if filter_cards(self.database, each):
                    return Understood("query", {"filters": each})
        return None

    def _battle(self, tokens: list[str], text: str, asked: bool) -> Understood | None:
        """Read a hand against a hall, with the rank and the known draws behind it; None if the line is none."""
        at, parted = self._place(tokens, "against"), None
        if at is not None:
            parted = tokens[:at], tokens[at + 1 :]
        elif (fight := self._place(tokens, "fight")) is not None:  # the monster is named first
            having = self._place(tokens[fight:], "having")
            parted = None if having is None else (tokens[fight + having + 1 :], tokens[fight + 1 : fight + having])
        if parted is None:
            return self._in_order(tokens)
        rest, known = self._behind(parted[1])
        hand, hall = self.cards(parted[0], HAND_KINDS), self._hall(rest, known.get("target"))
        if not hall.cards and all(self.database.cards[card].kind in HALL_KINDS for card, _ in hand.cards):
            hand, hall = self.cards(rest, HAND_KINDS), self._hall(parted[0], known.get("target"))
        which = not hand.unclear and any(len(each.candidates) > 1 for each in hall.unclear)  # which one, is asked back
        if at is not None and not (asked or hand.unclear or hand.talk) and any(map(self._is_nobody, hall.unclear)):
            self._refuse_unclear(hand, hall, {"hand": hand.entries})
        if not (hand.cards and (hall.cards or which)) or ((asked or at is None) and (hand.unclear or hall.unclear)):
            return None
        if (
            [n for _, n in hand.cards] == [1]
            and not self.database.cards[hand.cards[0][0]].is_hero
            and self._is_sure(text)
        ):
            return None
        if self._asks(tokens) and (hand.unclear or hall.unclear) and self._is_sure(text):
            return None
        document: dict[str, Any] = {"hand": hand.entries, "hall": [card or None for card, _ in hall.cards], **known}
        self._refuse_unclear(hand, hall, document)
        return Understood("battle", document, hand.taken)

    def _is_nobody(self, part: _Unclear) -> bool:
        """Return whether no card, of any kind, is called like these words, and no question has them."""
        from thunderref.search.names import search_cards

        return not (
            asked_with(self.database, part.words, self.words.lang) or search_cards(self.database, part.words).hits
        )

    def _in_order(self, tokens: list[str]) -> Understood | None:
        """Read a hand that monsters follow, or that follows them beside a verb of fighting; None if there is none."""
        rest, known = self._behind(tokens)
        steering = self._said["fight"] | self._said["having"]
        read = self.cards([token for token in rest if fold_query(token) not in steering], HAND_KINDS)
        stands = [n == 1 and self.database.cards[card].kind in HALL_KINDS for card, n in read.cards]
        behind = next((at for at, each in enumerate(reversed(stands)) if not each), len(stands))
        before = stands.index(False) if False in stands else 0
        if 0 < behind <= RANKS:
            hand, hall = read.cards[:-behind], read.cards[-behind:]
        elif 0 < before <= RANKS and len(rest) > len(read.spelt) and not steering.isdisjoint(map(fold_query, rest)):
            hand, hall = read.cards[before:], read.cards[:before]
        else:
            return None
        few = sum(n for _, n in hand) < _PAIR or len(hand) <= read.talk
        if few or read.unclear or self._place(tokens, "buy") is not None:
            return None
        ranks = in_ranks([card or None for card, _ in hall], known.get("target"), None)
        entries = read._replace(cards=hand).entries
        return Understood("battle", {"hand": entries, "hall": ranks, **known}, read.taken)

    def _place(self, tokens: Sequence[str], said: str, *, slips: bool = True) -> int | None:
        """Where the first of these words stands; a word before a hall may be mistyped."""
        words, parts = self._said[said], said == "against"
        forms = (_STROKE if parts and token == _STROKE else fold_query(token) for token in tokens)
        here = (n for n, form in enumerate(forms) if form in words or form == _STROKE)
        at = next((n for n in here if not (n and parts and self._is_named(tokens[n - 1 : n + 2]))), None)
        if at is not None or not parts or not slips:
            return at
        from rapidfuzz.distance import OSA

        long = [word for word in words if len(word) > _LONGEST]
        others = ((n, form) for n, form in enumerate(map(fold_query, tokens)) if form not in self._said["fight"])
        near = (
            n
            for n, form in others
            if any(form[:1] == word[0] and OSA.distance(form, word) <= len(word) // 4 for word in long)
        )
        return next(near, None)

    def split_battle(self, text: str, *, slips: bool = True) -> tuple[str, str | None, dict[str, Any]]:
        """Return the hand, the hall (None without a word between them) and what is known besides.

        With ``slips`` the word between them may be mistyped.
        """
        tokens = tokens_of(text)
        if (at := self._place(tokens, "against", slips=slips)) is None:
            return text, None, {}
        hall, known = self._behind(tokens[at + 1 :])
        return " ".join(tokens[:at]), " ".join(hall), known

    def _behind(self, tokens: list[str]) -> tuple[list[str], dict[str, Any]]:
        """The tokens of a hall alone; the ``target`` (rank 2) and the known draws (deck: torch, dagger) behind them."""
        known, at = dict[str, Any](), self._place(tokens, "deck")
        if at is not None and tokens[at + 1 : at + 2] == [":"]:
            cards = self.cards(tokens[at + 2 :], HAND_KINDS)
            self._refuse_unclear(cards, cards, {})
            tokens, known = tokens[:at], {"deck": cards.entries}
        at = self._place(tokens, "rank")
        for n in () if at is None else (at + 1, at - 1):
            if 0 <= n < len(tokens) and tokens[n].isdecimal() and "target" not in known:
                known["target"] = int(tokens[n])
                tokens = [token for place, token in enumerate(tokens) if place not in (at, n)]
        return tokens, known

    def _hall(self, tokens: list[str], target: int | None) -> _Cards:
        """The monsters by rank, an empty one for a dash; a single one stands in the rank that is attacked."""
        cards, unclear, part = list[tuple[str, int]](), list[_Unclear](), list[str]()
        for token in [*tokens, ","]:
            if token not in (",", *_EMPTY):
                part.append(token)
                continue
            read = self.cards(part, HALL_KINDS)
            cards += [(card, 1) for card, n in read.cards for _ in range(n)]
            cards += [("", 1)] if token in _EMPTY else []
            unclear, part = [*unclear, *read.unclear], []
        while cards and not cards[-1][0]:
            cards.pop()
        cards = in_ranks(cards, target, ("", 1))
        return _Cards(cards, (), unclear, [], 0, told=True)

    def _visit(self, tokens: list[str], text: str, asked: bool) -> Understood | None:
        """Read a hand with a verb of buying on either side of it, or a hand alone; None if the line is neither."""
        if (at := self._place(tokens, "buy")) is not None:
            steering = self._said["buy"] | self._said["question"]
            behind, around = (
                self.cards([token for token in part if fold_query(token) not in steering], HAND_KINDS)
                for part in (tokens[at + 1 :], tokens)
            )
            hand = around if behind.unclear or len(behind.cards) < _PAIR else behind
            if sum(n for _, n in hand.cards) < _PAIR or (asked and hand.unclear):
                return None
            self._refuse_unclear(hand, hand, {"hand": hand.entries})
            return Understood("visit", {"hand": hand.entries}, hand.taken)
        if asked or len(tokens) < _PAIR:
            return None
        hand = self.cards(tokens, HAND_KINDS)
        number = sum(n for _, n in hand.cards)
        sentence = number == _PAIR and not hand.told and self._is_sure(text)
        if hand.unclear or number < _PAIR or len(hand.cards) <= hand.talk or sentence:
            return None
        if not hand.told and len(tokens) <= _LONGEST and self._one(self._longest(tokens, HAND_KINDS, whole=True)[1]):
            return None
        return Understood("visit", {"hand": hand.entries}, hand.taken)

    def _asks(self, tokens: Sequence[str]) -> bool:
        """Whether a word of a question is among these, wherever it stands."""
        return not self._said["question"].isdisjoint(map(fold_query, tokens))

    def _is_sure(self, text: str) -> bool | None:
        """Whether the answer to this question is sure; None if it has no answer."""
        from thunderref.search.ask import ask_games

        with suppress(ThunderrefError):
            return ask_games(self.database, text).confident
        return None

    def _else(self, text: str, tokens: list[str]) -> Understood:
        """A name that is near enough, a group, a question without a question word; else what is unclear."""
        from thunderref.search.names import search_cards

        if self._asks(tokens) and len(tokens) > 1 and self._is_sure(text):
            return Understood("question", {"query": text})
        short = len(text) <= MAX_LENGTH
        cards = [hit for hit in search_cards(self.database, text).hits if hit.how not in _GUESSES] if short else []
        found = self._rule(text) if short else None
        rule, card = found.score if found else 0, cards[0].score if cards else 0
        if short and card < _CERTAIN and (group := self._group(text)):
            return group
        if found is not None and found.game != FIRST_GAME and not cards and begun_card(self.words, text):
            return Understood("card", {"query": text})  # a word of the other game that begins a name in this one
        if max(card, rule) >= (_NEAR if len(text.split()) <= _LONGEST else SURE):
            return Understood("rule" if rule > card else "card", {"query": text})
        hand = self.cards(tokens, HAND_KINDS)
        listed = len(hand.cards) > len(hand.unclear) + hand.talk and len(hand.cards) >= _PAIR and hand.told
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
        behind = [bool(_COUNT.match(token)) for token in ends] == [False, True]  # only the last is a count
        found, taken, unclear, spelt = list[tuple[str, int]](), list[str](), list[_Unclear](), list[str]()
        number = at = end = talk = 0
        while at < len(tokens):
            token = tokens[at]
            count = _COUNT.match(token)
            last = tokens[at + 1 : at + 2] in ([], [","])
            after = found and at == end and not number
            if count and after and (behind or last or count["times"] or len(count["of"] or "") > 1):
                found[-1] = found[-1][0], int(count["n"])
                spelt[-1] = f"{int(count['n'])} {split_count(spelt[-1])[1]}"
                end = at = at + 1
                told = True
                continue
            if found and fold_query(token) in self._said["level"] and "".join(tokens[at + 1 : at + 2]).isdecimal():
                found[-1] = self.of_level(found[-1][0], int(tokens[at + 1])), found[-1][1]
                taken, at = [card for card in taken if card != found[-1][0]], at + 2
                spelt[-1] = f"{found[-1][1]} {found[-1][0]}"
                continue
            spoken = split_count(f"{token} x")
            if (count or (spoken[1] == "x" and not self._is_begun(tokens[at:]))) and at + 1 < len(tokens):
                number, at, told = int(count["n"]) if count else spoken[0], at + 1, True
                continue
            word = fold_query(token)
            joins = word in self._said["joining"] and not self._is_begun(tokens[at:])
            if count or not word or joins:
                spelt += [token] if token in _EMPTY else []
                at += 1
                continue
            size, hits = self._longest(tokens[at:], kinds)
            card, words = self._one(hits), " ".join(tokens[at : at + size])
            number, at = number or 1, at + size
            if size == 1 and self._is_talk(words, hits):
                number, talk = 0, talk + 1
                continue
            if card is None:
                near = [Candidate(str(self.words.card(hit.id)), hit.id) for hit in hits]
                unclear.append(_Unclear(words, near or self._near(words, kinds)))
            else:
                taken += [card] if len(hits) > 1 else []
                found.append((self.database.cards[card].reprint_of or card, number))
            spelt.append(f"{number} {words}" if number > 1 else words)
            number, end = 0, at
        return _Cards(found, tuple(taken), unclear, spelt, talk, told)

    def entries(self, part: str) -> list[str]:
        """The entries of a list without commas: itself if it is one name, else the cards and the unclear words in it.

        A family is left to be asked for.
        """
        from thunderref.search.names import search_cards

        name = split_count(part)[1]
        if not fold_query(part) or self.database.is_name(fold_query(name)):
            return [part]
        found = search_cards(self.database, name[:MAX_LENGTH])
        sure = found.equals == 1 and found.hits[0].score >= SURE and _is_whole(found.hits[0], name)
        if sure and not self._is_odd(name.split()):
            return [part]
        read = self.cards(tokens_of(part), _ANYWHERE)
        return read.spelt if read.cards and len(read.spelt) >= _PAIR else [part]

    def _longest(
        self, tokens: Sequence[str], kinds: frozenset[str], *, whole: bool = False
    ) -> tuple[int, Sequence[Hit]]:
        """How many words the name at this place has (with ``whole`` all), and the cards it may be.

        A card that is sure comes before a family, a longer name before a shorter one.
        """
        from thunderref.search.names import search_cards

        end = next((n for n, token in enumerate(tokens) if token == ","), len(tokens))
        for size in () if whole else range(min(_LONGEST, end), 0, -1):  # an exact name needs no index
            exact = exact_card(self.database, form := fold_query(" ".join(tokens[:size])))
            if exact is not None and self.database.cards[exact.hits[0].id].kind in kinds:
                return size, exact.hits
            if self.database.is_name(form):  # that players use, or of several cards
                break
        several: tuple[int, Sequence[Hit]] = (1, ())
        for size in range(min(_LONGEST, end), len(tokens) - 1 if whole else 0, -1):
            name = " ".join(tokens[:size])
            known = size > 1 and self.database.is_name(fold_query(name))
            if size > 1 and not known and self._is_odd(tokens[:size]):
                continue
            found = search_cards(self.database, name, kinds)
            hits = [hit for hit in found.hits[: found.equals] if hit.how not in _GUESSES]
            hits = [hit for hit in hits if whole or known or hit.how == "exact" or _is_whole(hit, name)]
            if (hits and known) or (len(hits) == 1 and hits[0].score >= (_SLIP if size == 1 else _NEAR)):
                return size, hits
            if len(hits) > 1 and not several[1]:
                several = size, hits
            if not hits and (begun := begun_card(self.words, name, kinds)):
                return size, [Hit(begun, _NEAR, "beginning", self.words.lang, name)]
        return several

    def _is_odd(self, name: Sequence[str]) -> bool:
        """Whether there are words among these that part names, or a word twice."""
        words = {*map(fold_query, name)}
        return len(words) < len(name) or not words.isdisjoint(self._apart) or any(map(_COUNT.match, name[1:]))

    def _is_named(self, tokens: Sequence[str]) -> bool:
        """Return whether a word that would part two cards stands within a name."""
        return _STROKE not in tokens and self.database.is_name(fold_query(" ".join(tokens)))

    def _is_begun(self, tokens: Sequence[str]) -> bool:
        """Return whether a name of several words begins here."""
        return any(self.database.is_name(fold_query(" ".join(tokens[:size]))) for size in range(2, _LONGEST + 1))

    def _is_talk(self, word: str, hits: Sequence[Hit]) -> bool:
        """Whether a word is one of questions rather than a name, or a part of one that nobody says for it."""
        if hits and hits[0].score >= _NEAR and hits[0].how not in _LIKE:
            return False
        asked = max(asked_with(self.database, word, lang) for lang in self.database.languages)
        if hits and hits[0].how in _LIKE:
            return asked > _OFTEN or (len(word) <= _LONGEST and is_everyday(self.database, word))
        return is_everyday(self.database, word) or (not hits and asked > 1)

    def _near(self, name: str, kinds: frozenset[str] | None = None) -> Sequence[Candidate]:
        from thunderref.search.names import unknown_card

        return unknown_card(self.database, name[:MAX_LENGTH], kinds, self.words.lang).candidates

    def of_level(self, hero: str, level: int) -> str:
        """The hero of this level of the same family; the one named if there is none."""
        family = self.database.cards[hero].family
        alike = (card.id for card in self.database.cards.values() if card.family == family and card.level == level)
        return next(alike, hero) if family else hero

    def card_at(self, tokens: Sequence[str], kinds: frozenset[str]) -> tuple[int, str | None, bool]:
        """How many words of a name stand first here; the card meant, None if not sure; whether its family is named."""
        size, hits = self._longest(tokens, kinds)
        card = None if size == 1 and self._is_talk(tokens[0], hits) else self._one(hits)
        return size, card, len(hits) > 1

    def _one(self, hits: Sequence[Hit]) -> str | None:
        """The card that is meant: the only one, or the level 1 hero of a family that is named alone."""
        if len(hits) == 1:
            return hits[0].id
        cards = [self.database.cards[hit.id] for hit in hits]
        if cards and cards[0].family and len({card.family for card in cards}) == 1:
            return next((card.id for card in cards if card.level == 1), None)
        return None


def _is_whole(hit: Hit, name: str) -> bool:
    """Whether all the words typed may be words of the name found."""
    return hit.how in _CALLED or (hit.how not in _GUESSES and len(_WORD.findall(hit.name)) >= len(name.split()))


def tokens_of(text: str) -> list[str]:
    """The words and signs of a line, apart."""
    spelt = f" {text}"
    for sign, apart in _SPELT:
        spelt = sign.sub(apart, spelt)
    return spelt.split()


def said(database: Database, name: str) -> frozenset[str]:
    """The words ``door.words.<name>`` of all languages, folded."""
    rows = database.query("SELECT text FROM messages WHERE key = ?", f"door.words.{name}")
    return frozenset(fold_query(word) for (text,) in rows for word in text.split())


def split_list(text: str, words: Language | None = None) -> list[str]:
    """The entries of a list of cards, separated by commas or semicolons; with ``words`` as :meth:`Reader.entries`."""
    return [part for part in _parts(text, words) if part]


def split_hall(text: str, words: Language | None = None) -> list[str]:
    """The ranks of a hall, rank 1 first; an empty entry is an empty rank, those at the end are dropped."""
    ranks = list(_parts(text, words))
    while ranks and not ranks[-1]:
        ranks.pop()
    return ranks


def _parts(text: str, words: Language | None) -> Iterator[str]:
    for part in map(str.strip, re.split(r"[,;\n]", text)):
        yield from [part] if words is None else reader(words).entries(part)


def in_ranks(hall: list[Entry], target: int | None, nobody: Entry) -> list[Entry]:
    """Return the hall, rank 1 first; a monster alone stands in the rank that is attacked."""
    return [*[nobody] * (target - 1), *hall] if target and len(hall) == 1 and target <= RANKS else hall


def instead(text: str, error: ThunderrefError) -> list[tuple[str, str]]:
    """Each candidate of an error, and the line with it in the place of what could not be read."""
    part = str(error.params.get("name") or text)
    part = part if part in text else text
    return [(str(name), text.replace(part, str(name), 1)) for name in error.candidates]


def reader(words: Language) -> Reader:
    return words.database.derived(Reader, words.lang)


def understand(words: Language, text: str) -> Understood:
    """How ``text`` is read, by whichever face it was typed at. Raises as :meth:`Reader.read`."""
    return reader(words).read(text)
