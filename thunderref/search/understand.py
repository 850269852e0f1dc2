"""Classify a typed line as a card, rule, question, battle, visit, query or command, the same for every face.

A hand needs no commas; counts stand before or behind a name, and a weapon may follow its hero. The longest name
counts; an ambiguous one is refused with its candidates, and the rest of the line is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from thunderref.database.card_records import HALL_KINDS, HAND_KINDS, RANKS, STACKED
from thunderref.database.paths import FIRST_GAME
from thunderref.database.read import Language
from thunderref.database.validation import Record
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.search.card_list import (
    EMPTY,
    GUESSES,
    LONGEST,
    NEAR,
    PAIR,
    PARTING,
    SURE,
    CardList,
    NameReader,
    UnclearWords,
    tokens_of,
)
from thunderref.search.counts import count_token, write_plainly
from thunderref.search.filters import filter_cards, kinds_and_types
from thunderref.search.other_boxes import other_card
from thunderref.search.query import (
    MAX_LENGTH,
    asked_with,
    begun_card,
    check_query,
    exact_card,
    in_known_letters,
    is_everyday,
    shorten,
)
from thunderref.search.scored_decks import read_decks, read_owned
from thunderref.search.wished_setup import read_players, read_setup
from thunderref.text.folding import fold_query

if TYPE_CHECKING:
    from thunderref.search.parsed_line import ParsedLine
    from thunderref.search.rules import RuleHit
    from thunderref.search.situations import Situation

Entry = TypeVar("Entry")
Kind = Literal["card", "rule", "question", "battle", "visit", "query", "command"]
ANSWERED_BY: dict[Kind, str] = {
    "card": "card", "rule": "rule", "question": "ask", "query": "cards", "visit": "village", "battle": "resolve",
    "command": "setup",
}  # fmt: skip
"""Kind -> the command that answers it."""
_REMEMBERED = 16
"""Number of lines that are cached as they were parsed."""
_CERTAIN = 95
"""Score from which a name is that of a card, whatever else it may be."""

_FILTER = re.compile(r"^-?[^\W\d][\w-]*(<=|>=|!=|<>|[:=<>≤≥≠])(?!//)\S")
_RULE = re.compile(r"^[RrТтTtРр]\s?\d")
_NUMBER_OF_RULE = re.compile(r"^\d{1,2}[.,]\d{1,2}$")
_ENDING = re.compile(r"^(\d)-?[^\W\d]{1,3}$")
_SIGNS_ALONE = re.compile(r"[?…_#+*.]+")
"""What may stand for a card that nobody knows."""
_MORE = re.compile(r"(?<!\S)\+\d")
_FORM_START = 3
"""Letters in which two forms of a word agree."""
_COUNTS = ("count", "sign", "vague", "gold")
"""Why a number, or a word for one, is unclear."""
_OF_LISTS = frozenset(("talk", "either", "most"))
"""What words say of a situation that a list of cards may have beside them, too."""
_TERMS = ("exact", "inflected")
"""How a term is named for certain; the second only where a word such as "rules" stands beside it."""
_OF_CARDS = frozenset(("price", "purchases", "next_level", "reaches"))
"""Questions about single cards, whatever hand or hall a line seems to name."""


class Understood(Record, kw_only=False):
    """What was typed: its ``kind``, and the ``document`` of the command that answers it.

    That of a look-up is its ``query``, that of a query its ``filters``. ``taken`` are the heroes that a family named
    alone was taken for; ``sure`` is False of what may be no question at all; ``named`` is the command that a line
    begins with.
    """

    kind: Kind
    document: dict[str, Any]
    taken: tuple[str, ...] = ()
    sure: bool = True
    named: str = ""

    @property
    def command(self) -> str:
        """The command that answers the line."""
        return self.named or ANSWERED_BY[self.kind]

    @property
    def marks(self) -> dict[str, Any]:
        """What the document of an answer has beside its own: how the line was read."""
        return {"read_as": self.kind, "understood": self.document, "taken": list(self.taken)}


class Reader(NameReader):
    """Reads what is typed, in the language ``lang`` first; the table's cards mean themselves."""

    @cached_property
    def _parting(self) -> frozenset[str]:
        """The words that part two cards and never join them."""
        return self.door_words["against"] - self.door_words["joining"]

    @cached_property
    def _between_cards(self) -> str:
        """The pattern of a comma and of the words before a hall."""
        return rf"[,;]|\s(?:{'|'.join(map(re.escape, sorted(self._parting)))})\.?\s"

    def read(self, text: str) -> Understood:
        """Raises :class:`InputError` (``empty-query``, ``long-query``, a count in ``unclear``), else
        :class:`NoAnswerError`: ``unclear``, ``unknown-command``, ``other-box``."""
        if len(text) > 3 * MAX_LENGTH:
            raise InputError("long-query", limit=MAX_LENGTH)
        if not fold_query(text):
            raise InputError("empty-query")
        return self._read(self.parse(text))

    @cached_property
    def parse(self) -> Callable[[str], ParsedLine]:
        """Parse a line once, for its classification and for its answer."""
        from thunderref.search.parsed_line import ParsedLine

        def read(text: str) -> ParsedLine:
            return ParsedLine(self, self._written_battle, in_known_letters(self.database, text))

        return lru_cache(_REMEMBERED)(read)

    def _read(self, line: ParsedLine) -> Understood:
        text = line.text
        if line.is_of_another_game or line.scores:  # which says so
            return Understood("question", {"query": text})
        if commanded := self._commanded(text):
            return commanded
        if not any(map(str.isalpha, text)) and not self._rule(text):
            raise NoAnswerError("unknown-command", why="name", name=shorten(text), candidates=[])
        first, _, remainder = fold_query(text).partition(" ")
        if first.isdecimal() and int(first) == 0 and exact_card(self.database, remainder.partition(" ")[0]):
            raise InputError("zero-copies", name=shorten(text))
        asks = "?" in text or first in self.door_words["question"]
        if len(text) <= MAX_LENGTH and (entry := self._named(line, asked=asks)):
            return entry
        entries = re.split(self._between_cards, f" {text.casefold()} ")
        if sign := next((entry for entry in map(str.strip, entries[1:]) if _SIGNS_ALONE.fullmatch(entry)), None):
            raise NoAnswerError("unclear", name=sign, candidates=[], rest={}, why="none")
        parts = (word.lstrip("(") for word in text.split())
        if any(_FILTER.match(word) and not self._is_counted(word) for word in parts):
            is_said = first in self.door_words["cards"]  # "cards type:weapon"
            return Understood("query", {"filters": text.strip().partition(" ")[2] if is_said else text})
        tokens = tokens_of(text.replace("?", " "))
        if not asks and (wished := read_setup(self, tokens)) is not None:
            return Understood("command", wished)
        judged = line.situation if asks or self.asks(tokens) else None
        holds = self.database.words("list.words.holds")
        holding = asks and not holds.keys().isdisjoint(map(fold_query, tokens)) and not any(map(str.isdecimal, tokens))
        if holding or (judged and (_is_about_cards(judged) or "attacks" in judged.said)):
            return Understood("question", {"query": text})  # whether somebody may hold a weapon is no battle
        try:
            understood = self._battle(tokens, text, asks) or self._visit(tokens, text, asks)
        except ThunderrefError as error:
            line.refuse_box()
            if error.params.get("why") == "vague" and (understood := self._list(line)):
                return understood  # "all wizards"
            if error.params.get("why") == "count" and _MORE.search(text) and "," not in text:
                return Understood("question", {"query": text})  # "+1" is no number of cards
            is_prose = error.params.get("why") == "none" and not error.candidates and (asks or "," not in tokens)
            judged = line.situation if is_prose else None
            if not judged or not (_is_about_cards(judged) or judged.figures or judged.lacks or judged.said - _OF_LISTS):
                raise
            understood = None
        if understood := understood or self._list(line):
            return understood
        line.refuse_box()
        spans = ((start, start + size) for size in range(1, LONGEST) for start in range(len(tokens) - size + 1))
        of_names = {place for place in range(len(tokens)) if self.is_within_name(tokens, place)}
        names = [tokens[start:end] for start, end in spans if of_names.isdisjoint(range(start, end))]
        common = {word for word in tokens if asked_with(self.database, word) or is_everyday(self.database, word)}
        self._refuse_other_boxes(" ".join(name) for name in names if len(name) > 1 or common.isdisjoint(name))
        is_question = asks or line.situation or line.contents
        return Understood("question", {"query": text}) if is_question else self._else(text, tokens)

    def _commanded(self, text: str) -> Understood | None:
        """Read a line that begins with the command it is for: "odds 2 militia vs griffon", "score Ann: griffon"."""
        first, _, arguments = text.strip().partition(" ")
        command, tokens = self.database.words("door.words.commands").get(fold_query(first)), tokens_of(arguments)
        if not command or (command == "score" and not self.asks(tokens)):
            decks = read_decks(self, arguments) if command else read_owned(self, text)
            return Understood("command", {"players": decks}, named="score") if decks else None
        battle = self._battle(tokens, arguments, asked=False) if self.find_word(tokens, "against") else None
        if battle is None or command == ANSWERED_BY["battle"]:
            return battle
        names = {"deck": "deck_list"} if command == "odds" else {}  # whose order nobody knows
        document = {names.get(key, key): value for key, value in battle.document.items()}
        return Understood("command", document, battle.taken, named=str(command))

    def _refuse_other_boxes(self, names: Iterable[str]) -> None:
        """Raises :class:`NoAnswerError` (``other-box``) for a card of a box that the program does not judge."""
        for name in names:
            if other_card(self.database, name):
                raise self.unknown_card(name)

    def _is_counted(self, part: str) -> bool:
        """Return whether a word is the name of a card, or one before a sign and its number ("militia:3")."""
        name, _, number = re.sub("[=:]", ":", part.rstrip(",;")).partition(":")
        return part.rstrip(",;") in self.database.cards or (
            number.isdecimal() and self.database.is_name(fold_query(name))
        )

    def _named(self, line: ParsedLine, *, asked: bool) -> Understood | None:
        """A card, rule, term or group of cards of exactly this name."""
        text = line.text
        self._refuse_other_boxes([text])
        if exact_card(self.database, check_query(text)) is not None:
            return Understood("card", {"query": text})
        if line.alone:
            return Understood("card", {"query": line.alone.name})
        if line.box and line.box.is_alone and not line.box.refusal:
            return Understood("query", {"filters": f"set:{line.box.ident}"})
        if _RULE.match(text.strip()):
            return Understood("rule", {"query": text})
        listed = "," in text or len(text.split()) > LONGEST + 2
        bare, beside = self._bare(text)
        if beside and _NUMBER_OF_RULE.match(bare) and not asked:
            return Understood("rule", {"query": bare})
        rule = None if asked or listed else self._rule(bare)
        if rule is None or rule.how not in (_TERMS if beside else _TERMS[:1]):
            return None
        cards = None
        if beside <= self.noise:  # no word for rules
            is_name = self.database.query("SELECT 1 FROM names WHERE form = ?", fold_query(text))
            cards = (None if is_name else self._list(line)) or self._group(bare)
        return cards or Understood("rule", {"query": bare})

    def _is_term(self, text: str, term: str) -> bool:
        """Return whether the words of a text are those of a term in the same order, but for their endings."""
        names = (fold_query(row.name).split() for row in self.database.names("term", term).values())
        words = [word[:_FORM_START] for word in fold_query(text).split()]
        return any(words == [word[:_FORM_START] for word in name] for name in names)

    def _bare(self, text: str) -> tuple[str, set[str]]:
        """The text without such words as "rules" and "the" around it, and these words."""
        words, fillers = text.split(), self.database.words("search.words.beside")
        core = [n for n, word in enumerate(words) if fold_query(word) not in fillers]
        if not core:
            return text, set()
        bare, beside = words[core[0] : core[-1] + 1], words[: core[0]] + words[core[-1] + 1 :]
        return " ".join(bare).rstrip("?:"), {*map(fold_query, beside)}

    def _list(self, line: ParsedLine) -> Understood | None:
        """Return the question for cards as a query; None if the line is none."""
        if (listed := line.listed) is None or listed.counts or listed.groups:
            return listed and Understood("question", {"query": line.text})
        limit = {"limit": len(listed.cards(self.words))} if listed.first else {}
        return Understood("query", {"filters": listed.query, "sort": ",".join(listed.sort), **limit})

    def _rule(self, text: str) -> RuleHit | None:
        """The rule or term that is named like this, of another game only where the game or its rule's number is."""
        from thunderref.search.ask import named_game
        from thunderref.search.rules import find_rules

        with suppress(ThunderrefError, StopIteration):
            game = named_game(self.database, text)[0]
            hits = find_rules(self.database, text, self.words.lang)
            hit = next(hit for hit in hits if hit.game in (FIRST_GAME, game) or hit.how == "id")
            apart = hit.how == "text" or hit.how.endswith("-word")
            if apart or (hit.how == "inflected" and hit.kind == "term" and not self._is_term(text, hit.id)):
                return None
            return hit
        return None

    def _group(self, text: str) -> Understood | None:
        """A family, class or race, or a word of the sheet: all its cards."""
        from thunderref.search.card import card_document

        with suppress(ThunderrefError):
            document, ambiguous = card_document(self.words, text)
            matches = document["matches"]  # names inside a longer text leave words over
            if ambiguous is None and len(matches) > 1 and matches[0]["matched"]["how"] not in GUESSES:
                return Understood("card", {"query": text})
        bare = [word for word in text.split() if fold_query(word) not in self.door_words["cards"]]
        if len(bare) not in (0, len(text.split())):  # a word for cards says nothing beside a group
            return self._group(" ".join(bare))
        rule = self._rule(text)
        kinds = [f"type:{rule.id.removeprefix('class-')}"] if rule is not None and rule.score >= _CERTAIN else []
        quoted = f'"{text}"' if " " in text else text
        fields = ("type", "family", "set", "kind") if len(text) >= LONGEST else ()
        for condition in (*kinds, *(f"{field}:{quoted}" for field in fields)):
            with suppress(ThunderrefError):
                if filter_cards(self.database, condition):
                    return Understood("query", {"filters": condition})
        return None

    def _written_battle(self, text: str) -> dict[str, Any] | None:
        """Return the document of a battle that a line is; None for a question, or for a family without a level."""
        tokens = tokens_of(text.replace("?", " "))
        with suppress(ThunderrefError):
            battle = None if self.asks(tokens) else self._battle(tokens, text, asked=False)
            return None if battle is None or battle.taken else battle.document
        return None

    def _battle(self, tokens: list[str], text: str, asked: bool) -> Understood | None:
        """Read a hand against a hall, with the rank and the known draws behind it; None if the line is none."""
        if tokens.count("/") > 1 and self.says("hall", tokens[0]):  # between ranks, and not before the hall
            tokens = ["," if token == "/" else token for token in tokens]
        has_light = True
        if not asked and any(self.find_word(tokens, said) is not None for said in ("against", "rank")):
            tokens, has_light = self._without_deeds(tokens)
        ranked = [n for n, (word, _) in enumerate(pairwise(tokens)) if self.says("rank", word)]
        if len({number for n in ranked for number in tokens[n + 1 : n + 2] if number.isdecimal()}) > 1 and not asked:
            raise InputError("hall-order")
        border, parted = self.find_word(tokens, "against"), None
        label = self.find_label(tokens, "hall") if border is None else None
        if border is not None:
            parted = self._part(tokens[:border], tokens[border + 1 :])
        elif label is not None:  # "the monsters are", before the hand or behind it
            behind = tokens[label + 1 :]
            is_behind = self.cards(tokens[:label], HAND_KINDS).cards
            having = None if is_behind else self.find_label(behind, "having") or self.find_word(behind, "having")
            parted = (tokens[:label], behind) if having is None else (behind[having + 1 :], behind[:having])
        elif (first := self._named_first(tokens)) is not None:
            parted = (tokens[first:], tokens[:first])
        elif (fight := self.find_word(tokens, "fight")) is not None:  # the monster is named first
            having = self.find_word(tokens[fight:], "having")
            if having is not None:
                more = [*tokens[:fight], ","] if self.cards(tokens[:fight], HAND_KINDS).cards else []
                parted = [*more, *tokens[fight + having + 1 :]], tokens[fight + 1 : fight + having]
        if parted is None or (border == 0 and not parted[0]):
            return self._in_order(tokens)
        before, of_hand = self._behind(parted[0])
        behind, extras = self._behind(parted[1])
        extras |= of_hand
        if "target" not in extras:
            behind, rank = self._bare_rank(behind)
            extras |= rank
        if "stacks" in extras:  # as a scenario calls them
            extras["village"] = extras.pop("stacks")
        hand, hall = self.cards(before, HAND_KINDS), self._hall(behind, extras.get("target"))
        if label == 0 and hall.cards and not hall.unclear and not hand.cards:
            raise InputError("empty-hand")
        if not hall.cards and all(self.database.cards[card].kind in HALL_KINDS for card, _ in hand.cards):
            hand, hall = self.cards(behind, HAND_KINDS), self._hall(before, extras.get("target"))
        if border is not None and hand.cards:
            self._refuse_other_boxes(span.words for span in hall.unclear)
        which = not hand.unclear and any(len(span.candidates) > 1 for span in hall.unclear)  # which one, is asked back
        who = border is not None and not hall.unclear and any(len(span.candidates) > 1 for span in hand.unclear)
        is_hand = border is not None and not (asked or hand.unclear or hand.talk)
        if is_hand and not all(self.is_known_name(span.words) for span in hall.unclear):
            self._refuse([*hand.unclear, *hall.unclear], {"hand": hand.entries})
        if not has_light and any(self.database.cards[card].light for card, _ in hand.cards):
            return None  # whether its Light counts
        is_battle = (hand.cards or who) and (hall.cards or which)
        if not is_battle or ((asked or border is None) and (hand.unclear or hall.unclear)):
            return None
        single = [n for _, n in hand.cards] == [1] and not self.database.cards[hand.cards[0][0]].is_hero
        if single and not extras and self.database.cards[hand.cards[0][0]].kind in HALL_KINDS:
            return None  # two monsters are compared
        if (single or (self.asks(tokens) and (hand.unclear or hall.unclear))) and self._is_sure(text):
            return None
        if [self.database.cards[card].kind for card, _ in hall.cards if card] == ["guardian"]:
            extras.setdefault("target", 0)
        document: dict[str, Any] = {"hand": hand.entries, "hall": [card or None for card, _ in hall.cards], **extras}
        strays = [] if border is None or asked else [*hand.strays, *hall.strays]
        if strays and self.asks(tokens):
            return None  # "my opponent has 3 militia"
        self._refuse([*hand.unclear, *hall.unclear, *strays], document)
        return Understood("battle", document, hand.taken)

    def _without_deeds(self, tokens: list[str]) -> tuple[list[str], bool]:
        """Return the tokens without what the search finds out: what heroes do with a card, and that it is dark.

        The second value is False if "without light" is said.
        """
        doing = {n for n, token in enumerate(tokens) if self.says("doing", token)}
        doing = {n for n in doing if not self.is_within_name(tokens, n)}
        light, dark, has_light = self.database.words("ask.words.figure.light"), set[int](), True
        for n, token in enumerate(tokens):
            before = "place" if self.says("dark", token) else "without" if fold_query(token) in light else None
            place = next((m for m in range(max(0, n - 2), n) if before and self.says(before, tokens[m])), n)
            dark |= {*range(place, n + 1)} if place < n else set()
            has_light = has_light and not (before == "without" and place < n)
        return [token for n, token in enumerate(tokens) if n not in doing | dark], has_light

    def _bare_rank(self, hall: list[str]) -> tuple[list[str], dict[str, Any]]:
        """Return the tokens of a hall, and the rank that the bare number behind its only monster is ("griffon 2")."""
        *name, number = hall or [""]
        name = name[:-1] if name and name[-1] in (",", *PARTING) else name
        is_rank = number.isdecimal() and not self.database.is_name(fold_query(" ".join(hall)))
        foes = self.cards(name, HALL_KINDS).cards if is_rank else []
        first = min((self.database.cards[card].kind != "guardian" for card, _ in foes), default=True)  # or rank 0
        alone = [n for _, n in foes] == [1] and first <= int(number) <= RANKS
        return (name, {"target": int(number)}) if alone else (hall, {})

    def _last_rank(self, tokens: list[str]) -> tuple[list[str], dict[str, Any]]:
        """Return the tokens of a hand, and the rank that the bare number behind its last card, a monster, is.

        Where commas part the cards it is a count, as it is where monsters are all there is.
        """
        *hand, number = tokens or [""]
        is_rank = number.isdecimal() and 0 < int(number) <= RANKS
        names = hand[len(hand) - hand[::-1].index(",") :] if "," in hand else hand
        cards = [self.database.cards[card] for card, _ in self.cards(names, HAND_KINDS).cards] if is_rank else []
        mixed = [card.kind in HALL_KINDS for card in cards]
        return (hand, {"target": int(number)}) if mixed[-1:] == [True] and not all(mixed) else (tokens, {})

    def _part(self, before: list[str], behind: list[str]) -> tuple[list[str], list[str]]:
        """The hand and the hall beside a word that parts them; more of the hand may follow "with", or a colon."""
        having = self.find_word(behind, "having")
        if not before and ":" in behind[:-1]:
            having = behind.index(":")
        if having and self.cards(behind[:having], HALL_KINDS).cards:
            more = self.cards(behind[having + 1 :], HAND_KINDS)
            if more.cards and not all(self.database.cards[card].kind in HALL_KINDS for card, _ in more.cards):
                return [*before, *([","] if before else []), *behind[having + 1 :]], behind[:having]
        return before, behind

    def _named_first(self, tokens: list[str]) -> int | None:
        """Return where the hand begins behind monsters with a rank or a colon; None if the line begins otherwise."""
        for start in range(1, len(tokens)):
            before, extras = self._behind(tokens[:start])
            if tokens[start] == ":" or ("target" in extras and not tokens[start].isdecimal()):
                read, hall = self.cards(before, HAND_KINDS), self.cards(before, HALL_KINDS)
                alone = all(self.database.cards[card].kind in HALL_KINDS for card, _ in read.cards)
                is_hall = alone and hall.cards and not (hall.unclear or hall.strays)
                return start + (tokens[start] in (":", ",", "-", "–", "—")) if is_hall else None
        return None

    def _in_order(self, tokens: list[str]) -> Understood | None:
        """Read a hand that monsters follow, or that follows them beside a verb of fighting; None if there is none."""
        if any(kinds_and_types(self.database, token) == "timing:trophy" for token in tokens):
            return None  # the trophy of a monster is no monster
        words, extras = self._behind(tokens)
        if "target" not in extras:
            words, rank = self._last_rank(words)
            extras |= rank
        steering = self.door_words["fight"] | self.door_words["having"] | self.door_words["against"]
        read = self.cards([token for token in words if fold_query(token) not in steering], HAND_KINDS)
        stands = [n == 1 and self.database.cards[card].kind in HALL_KINDS for card, n in read.cards]
        behind = next((n for n, is_foe in enumerate(reversed(stands)) if not is_foe), len(stands))
        before = stands.index(False) if False in stands else 0
        if 0 < behind <= RANKS:
            hand, hall = read.cards[:-behind], read.cards[-behind:]
        elif 0 < before <= RANKS and len(words) > len(read.spelt) and not steering.isdisjoint(map(fold_query, words)):
            hand, hall = read.cards[before:], read.cards[:before]
        else:
            return None
        few = (sum(n for _, n in hand) < PAIR and "target" not in extras) or len(hand) <= read.talk
        if few or read.unclear or self.find_word(tokens, "buy") is not None:
            return None
        entries = read._replace(cards=hand).entries
        self._refuse([] if self.asks(tokens) else read.strays, {"hand": entries})
        ranks = in_ranks([card or None for card, _ in hall], extras.get("target"), None)
        return Understood("battle", {"hand": entries, "hall": ranks, **extras}, read.taken)

    def split_battle(self, text: str, *, slips: bool = True) -> tuple[str, str | None, dict[str, Any]]:
        """Return the hand, the hall (None without a word between them) and what is known besides.

        With ``slips`` the word between them may be mistyped. Each may have its name before a colon.
        """
        tokens = tokens_of(text)
        labelled = tokens[1:2] == [":"] and self.says("having", tokens[0])
        tokens = tokens[2:] if labelled else tokens
        border, size = self.find_word(tokens, "against", slips=slips), 1
        if border is None and (border := self.find_label(tokens, "hall")):
            size = 2
        if border is None:
            hand, extras = self._behind(tokens)
            return " ".join(hand) if extras or labelled else text, None, extras
        hand, of_hand = self._behind(tokens[:border])
        hall, of_hall = self._behind(tokens[border + size :])
        return " ".join(hand), " ".join(hall), of_hand | of_hall

    def _behind(self, tokens: list[str]) -> tuple[list[str], dict[str, Any]]:
        """The tokens of a list alone, and the ``target`` (rank 2), ``xp``, ``deck`` and ``stacks`` named besides."""
        extras = dict[str, Any]()
        for key, name, beside in (("target", "rank", (1, -1)), ("xp", "xp", (-1, 1))):
            spot = self.find_word(tokens, name)
            spot = self._short_rank(tokens) if spot is None and key == "target" else spot
            for n in () if spot is None else (spot + step for step in beside):
                number = tokens[n] if spot is not None and 0 <= n < len(tokens) else ""
                if key == "target":  # "2nd rank"
                    ordinal = self.database.words("list.words.ordinals").get(fold_query(number))
                    count = count_token(self.database, number)
                    number = ordinal or (str(count.number) if count else _ENDING.sub(r"\1", number))
                if number.isdecimal() and key not in extras:
                    extras[key] = int(number)
                    tokens = [token for place, token in enumerate(tokens) if place not in (spot, n)]
        for spot in range(len(tokens) - 1, -1, -1):
            key = next((name for name in ("deck", "stacks") if self.says(name, tokens[spot])), "")
            is_label = tokens[spot + 1 : spot + 2] == [":"]
            if not key or not (is_label or (spot and (key == "stacks" or tokens[spot - 1] == ","))):
                continue
            cards = self.cards(tokens[spot + 1 :], HAND_KINDS)
            if is_label:
                self._refuse(cards.unclear, {})
            if cards.cards and not cards.unclear:
                tokens, extras[key] = tokens[:spot], cards.spelt
        return tokens, extras

    def _short_rank(self, tokens: Sequence[str]) -> int | None:
        """Return the place of a rank given by its number alone ("at 2"), before no card to count; None if nowhere."""
        for n, (word, number) in enumerate(pairwise(tokens)):
            behind = tokens[n + 2 :]
            is_rank = self.says("place", word) and number.isdecimal() and 0 < int(number) <= RANKS
            if is_rank and not (behind and self.card_at(behind, HAND_KINDS)[1]):
                return n
        return None

    def _hall(self, tokens: list[str], target: int | None) -> CardList:
        """The monsters by rank, an empty one for a dash; a single one stands in the rank that is attacked."""
        cards, unclear, strays = list[tuple[str, int]](), list[UnclearWords](), list[UnclearWords]()
        tokens = [EMPTY[0] if self.says("empty", token) else token for token in tokens]
        for is_sign, group in groupby(tokens, (",", *EMPTY).__contains__):
            if is_sign:
                cards += [("", 1) for sign in group if sign in EMPTY]
            else:
                read = self.cards([*group], HALL_KINDS)
                cards += [(card, 1) for card, n in read.cards for _ in range(n)]
                unclear, strays = [*unclear, *read.unclear], [*strays, *read.strays]
        while cards and not cards[-1][0]:
            cards.pop()
        cards = in_ranks(cards, target, ("", 1))
        return CardList(cards, (), unclear, [], 0, strays, [], len(strays), is_marked=True)

    def _visit(self, tokens: list[str], text: str, asked: bool) -> Understood | None:
        """Read a hand with a verb of buying on either side of it, or a hand alone; None if the line is neither."""
        players, places = read_players(self, tokens)
        tokens = [token for place, token in enumerate(tokens) if place not in places]
        remaining, extras = self._behind(tokens)
        tokens = tokens if "target" in extras else remaining  # a rank is none of a visit's, and is refused
        extras.pop("target", None)
        extras |= {"players": players} if players else {}
        asks = self.asks(tokens)
        if (verb := self.find_word(tokens, "buy")) is not None:
            in_village = self.database.words("list.words.marks").get(fold_query(tokens[verb])) == "village"
            hand, purchases = self._purchase(tokens[:verb], tokens[verb + 1 :], in_village)
            if sum(n for _, n in hand.cards) < PAIR or ((asked or asks) and (hand.unclear or hand.strays)):
                return None
            strays = hand.strays if "," in tokens and not (asks or purchases) else []
            self._refuse([*hand.unclear, *strays], {"hand": hand.entries})
            extras |= {"wanted": purchases.entries} if purchases else {}
            return self._visited(hand, asks, extras)
        if asked or len(tokens) < PAIR or any(fold_query(token) in self._parting for token in tokens[1:-1]):
            return None
        asked_for = (f"ask.words.figure.{figure}" for figure in ("attack", "light", "strength", "weight", "cost"))
        if not self.is_begun(tokens) and any(fold_query(tokens[0]) in self.database.words(key) for key in asked_for):
            return None  # "attack of 3 militia"
        hand = self.cards(tokens, HAND_KINDS)
        monsters = all(self.database.cards[card].kind in HALL_KINDS for card, _ in hand.cards)
        steered = not (self.door_words["hall"] | self._parting).isdisjoint(map(fold_query, tokens))
        if hand.cards and monsters and steered and not (hand.strays or hand.unclear):
            raise InputError("empty-hand")
        miscounted = any(words.why in _COUNTS for words in hand.unclear)
        listed = "," in tokens and len(hand.cards) >= PAIR and not asks
        bare = hand.is_marked and not hand.talk and len(hand.cards) >= PAIR and not asks
        if bare or (miscounted and hand.cards and (hand.is_list or listed or not hand.talk)):
            self._refuse(hand.unclear, {"hand": hand.entries})
        if listed and not hand.unclear:
            self._refuse(hand.strays, {"hand": hand.entries})
        number = sum(n for _, n in hand.cards)
        sentence = number == PAIR and not hand.is_marked and self._is_sure(text)
        is_prose = not hand.is_marked and bool(hand.strays)
        if hand.unclear or number < PAIR or len(hand.cards) <= hand.talk or sentence or is_prose:
            return None
        alike = not hand.is_marked and len(hand.cards) == number and len({*hand.cards}) == 1
        if alike and not all(exact_card(self.database, fold_query(token)) for token in tokens):
            return None  # the words of one name
        whole = not hand.is_marked and len(tokens) <= LONGEST and self.find_longest(tokens, HAND_KINDS, whole=True)[1]
        return None if whole and self.single_card(whole) else self._visited(hand, asks, extras)

    def _visited(self, hand: CardList, asks: bool, known: Mapping[str, Any]) -> Understood:
        """The visit with a hand; raises :class:`NoAnswerError` (``unclear``) for a word before a card that is none."""
        if not asks and len(hand.cards) >= PAIR:
            self._refuse(hand.strays[: hand.between], {"hand": hand.entries})
        return Understood("visit", {"hand": hand.entries, **known}, hand.taken)

    def _purchase(self, before: list[str], behind: list[str], in_village: bool) -> tuple[CardList, CardList | None]:
        """The hand beside a verb of buying, and the cards that are to be bought, None if no cards are named for it.

        These stand between the verb and a word such as "with", or behind the verb where the hand stands before it.
        """
        steering = self.door_words["buy"] | self.door_words["question"]
        label, idle = behind.index(":") if ":" in behind else 0, self.door_words["having"] | self.door_words["joining"]
        if idle.issuperset(map(fold_query, behind[:label])):
            behind = behind[label:]  # "shopping in hand: …"
        again = self.find_word(behind, "buy") or (behind.index(":", 1) if ":" in behind[1:] and in_village else 0)
        if again and not self.cards(before, HAND_KINDS).cards:  # "village: militia, 2 torch, buy lantern"
            before, behind = behind[:again], behind[again + 1 :]
        before, behind = ([word for word in side if fold_query(word) not in steering] for side in (before, behind))
        paying = behind.index(":") if ":" in behind[1:] and not in_village else self.find_word(behind, "paying")
        paying = paying or self.find_word(behind, "having") or len(behind)
        offered = self.cards(behind[:paying], HAND_KINDS | HALL_KINDS) if paying < len(behind) else None
        if offered and any(self.database.cards[card].kind not in STACKED for card, _ in offered.cards):
            return self.cards([], HAND_KINDS), None  # what nobody sells is no visit
        purchases = self.cards(behind[:paying], STACKED)
        hand = self.cards([*before, ",", *behind[paying + 1 :]], HAND_KINDS)
        if hand.cards and purchases.cards and not (purchases.unclear or purchases.strays):
            return hand, purchases
        if purchases.cards and purchases.strays and self.cards(before, HAND_KINDS).cards:
            return hand._replace(unclear=[*hand.unclear, *purchases.strays]), None  # both sides name cards
        last = self.cards(behind, HAND_KINDS)
        return last if len(last.cards) >= PAIR and not last.unclear else self.cards(before + behind, HAND_KINDS), None

    def _is_sure(self, text: str) -> bool | None:
        """Whether the answer to this question is sure and no word of it is mistyped; None if it has no answer."""
        from thunderref.search.ask import ask_games

        with suppress(ThunderrefError):
            result = ask_games(self.database, text)
            return result.confident and not result.answers[0].question.reading.respelt
        return None

    def _else(self, text: str, tokens: list[str]) -> Understood:
        """A name that is near enough, a group, a question without a question word; else what is unclear."""
        from thunderref.search.names import search_cards

        if self.asks(tokens) and len(tokens) > 1 and self._is_sure(text):
            return Understood("question", {"query": text})
        self.refuse_vague(text)
        hits = search_cards(self.database, text[:MAX_LENGTH]).hits
        cards, rule_hit = [hit for hit in hits if hit.how not in GUESSES], self._rule(text)
        rule, card = rule_hit.score if rule_hit else 0, cards[0].score if cards else 0
        if card < _CERTAIN and (group := self._group(text)):
            return group
        if rule_hit is None and not cards and begun_card(self.words, text):
            return Understood("card", {"query": text})
        if max(card, rule) >= (NEAR if len(text.split()) <= LONGEST else SURE):
            return Understood("rule" if rule > card else "card", {"query": text})
        bare, beside = self._bare(text)
        if beside and (group := self._group(bare)):
            return group
        hand = self.cards(tokens, HAND_KINDS)
        sure = self._is_sure(text)
        if sure or (sure is not None and not hand.is_list):
            return Understood("question", {"query": text}, sure=bool(sure) and len(tokens) >= PAIR)
        if hand.is_list:
            self._refuse(hand.unclear, {"hand": hand.entries})
        if beside and bare:
            return self._else(bare, bare.split())
        raise NoAnswerError("unknown-command", why="name", name=shorten(text), candidates=self.suggest(text))

    def _refuse(self, unclear: Sequence[UnclearWords], document: Mapping[str, Any]) -> None:
        """Asks for the first part that is unclear; ``rest`` is what was understood, as it may be typed again."""
        for words, candidates, why in unclear[:1]:
            self._refuse_other_boxes([words])
            refusal = InputError if why in _COUNTS else NoAnswerError
            raise refusal("unclear", name=shorten(words), candidates=candidates, rest=dict(document), why=why)


def split_list(text: str, words: Language | None = None) -> list[str]:
    """The entries of a list of cards, separated by commas or semicolons; with ``words`` as :meth:`Reader.entries`."""
    return [entry for entry in _parts(text, words) if entry]


def split_hall(text: str, words: Language | None = None) -> list[str]:
    """The ranks of a hall, rank 1 first; an empty entry is an empty rank, those at the end are dropped."""
    ranks = list(_parts(text, words))
    while ranks and not ranks[-1]:
        ranks.pop()
    return ranks


def _parts(text: str, words: Language | None) -> Iterator[str]:
    for entry in map(str.strip, write_plainly(text).split(",")):
        yield from [entry] if words is None else reader(words).entries(entry)


def in_ranks(hall: list[Entry], target: int | None, nobody: Entry) -> list[Entry]:
    """Return the hall, rank 1 first; a monster alone stands in the rank that is attacked."""
    return [*[nobody] * (target - 1), *hall] if target and len(hall) == 1 and target <= RANKS else hall


def _is_about_cards(judged: Situation) -> bool:
    """Whether a number, price, comparison or the holder of a weapon is asked for, whatever battle seems to be named."""
    compared = judged.asked == "compare" and bool(judged.foes)
    holding = judged.holds and (judged.yes_no or "yes-no" in judged.said)
    return judged.amount or judged.asked in _OF_CARDS or compared or holding


def reader(words: Language) -> Reader:
    return words.database.derived(Reader, words.lang)


def understand(words: Language, text: str) -> Understood:
    """How ``text`` is read, by whichever face it was typed at. Raises as :meth:`Reader.read`."""
    return reader(words).read(text)
