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
from thunderref.errors import Candidate, InputError, ThunderrefError
from thunderref.search.query import MAX_LENGTH, Hit, check_query, exact_card, shorten, split_count
from thunderref.text.folding import fold_query

if TYPE_CHECKING:
    from thunderref.search.rules import RuleHit

Kind = Literal["card", "rule", "question", "battle", "visit", "query"]
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
_COUNT = re.compile(r"^(?P<times>[x×х*])?(?P<n>\d{1,3})(?P<of>[x×х*])?$", re.IGNORECASE)
_FILTER = re.compile(r"^-?[^\W\d][\w-]*(<=|>=|!=|<>|[:=<>≤≥≠])\S")
_SIGNS = re.compile(r"[,;+&()]")
_RANK_SIGNS = re.compile(r"[,;]")
_RULE = re.compile(r"^[RrТтTtРр]\s?\d")
_EMPTY = ("-", "–", "—")


class Understood(NamedTuple):
    """What was typed: its ``kind``, and the ``document`` of the command that answers it.

    That of a look-up is its ``query``, that of a query its ``filters``. ``taken`` are the heroes that a family named
    alone was taken for.
    """

    kind: Kind
    document: dict[str, Any]
    taken: tuple[str, ...] = ()

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
    """Reads what is typed, in the language of ``words`` first; the table's cards mean themselves."""

    def __init__(self, words: Language) -> None:
        self.words, self.database = words, words.database
        self._said = {
            name: _said(self.database, name) for name in ("joining", "question", "buy", "rank", "deck", "against")
        }

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
        battle = self._battle(text, asked)
        if battle is not None:
            return battle
        if (visit := self._visit(text, asked)) is not None:
            return visit
        if asked:
            return Understood("question", {"query": text})
        return self._else(text)

    def _named(self, text: str, *, asked: bool) -> Understood | None:
        """A card, rule, term or group of cards of exactly this name."""
        if exact_card(self.database, check_query(text)) is not None:
            return Understood("card", {"query": text})
        if _RULE.match(text.strip()):
            return Understood("rule", {"query": text})
        rule = None if asked else self._rule(text)
        exact = rule is not None and rule.how == "exact"
        return self._group(text) or Understood("rule", {"query": text}) if exact else None

    def _rule(self, text: str) -> RuleHit | None:
        """The rule or term that is named like this."""
        from thunderref.search.rules import find_rules

        with suppress(ThunderrefError):
            hits = find_rules(self.database, text, self.words.lang)
            return next((hit for hit in hits if hit.how != "text"), None)
        return None

    def _group(self, text: str) -> Understood | None:
        """A family, class or race, or a word of the sheet: all its cards."""
        from thunderref.search.card import card_document
        from thunderref.search.filters import filter_cards

        with suppress(ThunderrefError):
            document, ambiguous = card_document(self.words, text)
            if ambiguous is None and len(document["matches"]) > 1:
                return Understood("card", {"query": text})
        rule = self._rule(text)
        kinds = [] if rule is None else [f"type:{rule.id.removeprefix('class-')}"]
        named = f'"{text}"' if " " in text else text
        for each in (*kinds, *(f"{field}:{named}" for field in ("type", "family", "set", "kind"))):
            with suppress(ThunderrefError):
                if filter_cards(self.database, [each]):
                    return Understood("query", {"filters": [each]})
        return None

    def _battle(self, text: str, asked: bool) -> Understood | None:
        """A hand against a hall: "2 militia, dagger vs griffon", "… against griffon rank 2 deck: torch"."""
        words = "|".join(map(re.escape, self._said["against"]))
        parted = re.split(rf"(?:^|[\s,;])(?:{words})\.?(?=\s|$)|/", text, maxsplit=1, flags=re.IGNORECASE)
        if len(parted) < 2:
            return None
        rest, known = self._deck(parted[1])
        hand, (hall, target) = self.cards(parted[0], _HAND), self._hall(rest)
        if not (hand.cards and hall.cards) or (asked and (hand.unclear or hall.unclear)):
            return None
        document: dict[str, Any] = {"hand": hand.entries, "hall": [card or None for card, _ in hall.cards], **known}
        document |= {} if target is None else {"target": target}
        self._refuse_unclear(hand, hall, document)
        return Understood("battle", document, hand.taken)

    def _deck(self, text: str) -> tuple[str, dict[str, Any]]:
        """The text without the known draws that end it: ``deck: torch, dagger``."""
        found = re.search(rf"[\s,;](?:{'|'.join(map(re.escape, self._said['deck']))})\s*:", f" {text}", re.IGNORECASE)
        if found is None:
            return text, {}
        cards = self.cards(text[found.end() - 1 :], _HAND)
        self._refuse_unclear(cards, cards, {})
        return text[: max(0, found.start() - 1)], {"deck": cards.entries}

    def _hall(self, text: str) -> tuple[_Cards, int | None]:
        """The monsters by rank, an empty one for a dash; the rank that is attacked, if one is named."""
        words = "|".join(map(re.escape, self._said["rank"]))
        found = re.search(rf"(?:^|\s)(?:{words})\s*(\d)\s*$", text.strip(), re.IGNORECASE)
        place = int(found[1]) if found else None
        text = text.strip()[: found.start()] if found else text
        cards, taken, unclear = list[tuple[str, int]](), tuple[str, ...](), list[_Unclear]()
        for part in _RANK_SIGNS.split(text):
            if part.strip() in ("", *_EMPTY):
                cards.append(("", 1))
                continue
            read = self.cards(part, _HALL)
            cards += [(card, 1) for card, n in read.cards for _ in range(n)]
            unclear += read.unclear
            taken += read.taken
        while cards and not cards[-1][0]:
            cards.pop()
        if place is not None and len(cards) == 1 and 1 <= place <= _RANKS:  # "vs griffon rank 2": it stands there
            cards = [*[("", 1)] * (place - 1), *cards]
        return _Cards(cards, taken, unclear, True), place

    def _visit(self, text: str, asked: bool) -> Understood | None:
        """A purchase ("buy with 2 torch, militia", "what can I buy with …"), or a hand alone."""
        tokens = text.split()
        buying = next((n for n, word in enumerate(tokens[:5]) if fold_query(word) in self._said["buy"]), None)
        if buying is not None:
            hand = self.cards(" ".join(tokens[buying + 1 :]), _HAND)
            if hand.cards and (not hand.unclear or not asked):
                self._refuse_unclear(hand, hand, {"hand": hand.entries})
                return Understood("visit", {"hand": hand.entries}, hand.taken)
            return None
        if asked or len(tokens) < 2:
            return None
        hand = self.cards(text, _HAND)
        number = sum(n for _, n in hand.cards)
        if hand.unclear or number < _PAIR or (number == _PAIR and not hand.told and self._is_answered(text)):
            return None
        return Understood("visit", {"hand": hand.entries}, hand.taken)

    def _is_answered(self, text: str) -> bool:
        from thunderref.search.ask import ask_games

        with suppress(ThunderrefError):
            return ask_games(self.database, text).confident
        return False

    def _else(self, text: str) -> Understood:
        """A name that is near enough, a group, a question without a question word; else what is unclear."""
        from thunderref.search.names import search_cards, unknown_card

        short = len(text) <= MAX_LENGTH
        cards = [hit for hit in search_cards(self.database, text).hits if hit.how not in _GUESSES] if short else []
        found = self._rule(text) if short else None
        rule = 0 if found is None else found.score
        best = max([hit.score for hit in cards[:1]] + [rule], default=0)
        if short and (not cards or cards[0].score < _CERTAIN) and (group := self._group(text)):
            return group
        few = len(text.split()) <= _LONGEST
        if best >= SURE or (few and best):
            return Understood("rule" if rule > (cards[0].score if cards else 0) else "card", {"query": text})
        if self._is_answered(text):
            return Understood("question", {"query": text})
        hand = self.cards(text, _HAND)
        if len(hand.cards) >= _PAIR and hand.unclear and hand.told:
            self._refuse_unclear(hand, hand, {"hand": hand.entries})
        names = unknown_card(self.database, text[:MAX_LENGTH], lang=self.words.lang).candidates
        raise InputError("unknown-command", why="name", name=shorten(text), candidates=names)

    def _refuse_unclear(self, hand: _Cards, other: _Cards, document: Mapping[str, Any]) -> None:
        """Asks for the first part that is unclear; ``rest`` is what was understood, as it may be typed again."""
        unclear = next(iter([*hand.unclear, *other.unclear]), None)
        if unclear is None:
            return
        why = "several" if unclear.candidates else "none"
        raise InputError(
            "unclear", name=shorten(unclear.words), candidates=unclear.candidates, rest=dict(document), why=why
        )

    def cards(self, text: str, kinds: frozenset[str]) -> _Cards:
        """The cards of a list: the longest name at each place, counts before or behind it, joining words between."""
        tokens = [token for token in _SIGNS.sub(" , ", text).split() if token]
        told = "," in tokens
        found, taken, unclear, number, at = list[tuple[str, int]](), list[str](), list[_Unclear](), 0, 0
        while at < len(tokens):
            token = tokens[at]
            count = _COUNT.match(token)
            if count and found and not number and (count["times"] or at + 1 == len(tokens) or tokens[at + 1] == ","):
                found[-1] = found[-1][0], int(count["n"])
                at, told = at + 1, True
                continue
            number_word = split_count(f"{token} x")[0] if not count else int(count["n"])
            if (count or number_word > 1) and at + 1 < len(tokens):
                number, at, told = number_word, at + 1, told or bool(count)
                continue
            if token == "," or fold_query(token) in self._said["joining"]:
                at += 1
                continue
            size, hits = self._longest(tokens[at:], kinds)
            card = self._one(hits)
            if card is None:
                words = " ".join(tokens[at : at + size])
                near = [Candidate(str(self.words.card(hit.id)), hit.id) for hit in hits]
                unclear.append(_Unclear(words, near))
            else:
                taken += [card] if len(hits) > 1 else []
                found.append((self.database.cards[card].reprint_of or card, number or 1))
            number, at = 0, at + size
        return _Cards(found, tuple(taken), unclear, told)

    def _longest(self, tokens: Sequence[str], kinds: frozenset[str]) -> tuple[int, Sequence[Hit]]:
        """How many words the name at this place has, and the cards it may be: the surest, then the longest."""
        from thunderref.search.names import search_cards

        end = next((n for n, token in enumerate(tokens) if token == "," or (n and _COUNT.match(token))), len(tokens))
        best: tuple[int, int, Sequence[Hit]] = (0, 1, ())
        for size in range(min(_LONGEST, end), 0, -1):
            found = search_cards(self.database, " ".join(tokens[:size]), kinds)
            hits = [hit for hit in found.hits[: found.equals] if hit.how not in _GUESSES]
            if hits and hits[0].score >= 88:
                return size, hits
            if hits and hits[0].score > best[0]:
                best = hits[0].score, size, hits
        return best[1], best[2]

    def _one(self, hits: Sequence[Hit]) -> str | None:
        """The card that is meant: the only one, or the level 1 hero of a family that is named alone."""
        if len(hits) == 1:
            return hits[0].id
        cards = [self.database.cards[hit.id] for hit in hits]
        if cards and cards[0].family and len({card.family for card in cards}) == 1:
            return next((card.id for card in cards if card.level == 1), None)
        return None


_HAND = frozenset({"hero", "village", "basic", "monster", "guardian", "disease", "thunderstone"})
_HALL = frozenset({"monster", "guardian", "thunderstone"})
_RANKS = 3


def _said(database: Database, name: str) -> tuple[str, ...]:
    """Words of all languages that steer how a line is read."""
    rows = database.query("SELECT text FROM messages WHERE key = ?", f"door.words.{name}")
    return tuple(sorted({word for (text,) in rows for word in text.split()}, key=lambda word: (-len(word), word)))


def understand(words: Language, text: str) -> Understood:
    """How ``text`` is read, by whichever face it was typed at. Raises as :meth:`Reader.read`."""
    return words.database.derived(_Readers).of(words).read(text)


class _Readers:
    """The readers of a database, one a language."""

    def __init__(self, database: Database) -> None:
        self._known: dict[str, Reader] = {}

    def of(self, words: Language) -> Reader:
        return self._known.setdefault(words.lang, Reader(words))
