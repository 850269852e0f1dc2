"""Reads questions about a value of one card, about two cards, or about cards in a battle.

As for lists, every word has to be accounted for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from thunderref.database.card_records import HALL_KINDS, HAND_KINDS, RANKS, Card
from thunderref.database.read import Database
from thunderref.search.card_list import LONGEST, PAIR, NameReader
from thunderref.search.counts import MOST_CARDS, number_word
from thunderref.search.doings import gifts, hero_types
from thunderref.search.filters import kinds_and_types
from thunderref.search.lexicon import MOST_WORDS, Lexicon, WordToken, card_named, is_of_a_name, lexicons_of
from thunderref.search.query import asked_with, exact_card
from thunderref.text.stems import query_stems

Asked = Literal[
    "value", "kind", "types", "box", "copies", "trophy", "effect", "price", "purchases", "next_level", "reaches",
    "compare", "added", "needs", "light", "destroys", "holds", "battle", "total", "drops", "bonus", "each",
]  # fmt: skip
"""The question: a value of one card, whether it is of a kind, …; or what the engine says of a situation."""
_BLOWS = ("attack", "magic_attack")
_HITTING = frozenset((*_BLOWS, "light"))
"""Values that count in a battle."""
_COUNTED = _HITTING.union(("strength", "light_penalty", "health"))
"""Values that a question about a battle may name."""
_JUDGED = _HITTING.union(("strength", "weapon", "hero"))
"""What a battle is judged without."""
_ADDED = frozenset(("gold", "cost", "vp"))
"""Values that a question may have summed over cards, apart from a battle."""
_PHRASES = frozenset(("pair", "figure", "talk", "counts"))
"""What phrases may say of a situation."""
TIMES = ("breach", "battle", "spoils")  # when abilities work, as questions name it, besides as trophies
_SELDOM, _TOTAL = 20, 5
"""Questions with a word that may be a mistyped name; and what is more than copies or ranks."""
_FILLING = frozenset(("asks", "facts", "listing", "talk", "yes-no"))
"""What words of lists mean that say nothing of a situation."""
_ALWAYS = frozenset(("open", "yes-no", "vague", "has", "good", "all"))
"""What words say that no question leaves aside."""
_TAKEN: dict[str, frozenset[str]] = {
    question: frozenset(words.split())
    for question, words in {
        "value": "effect wins kills attacks works either hand if advice free holds bonus total upgrades",
        "kind": "either",
        "types": "types box",
        "box": "box",
        "copies": "total copies",
        "trophy": "trophy",
        "effect": "effect trophy breach battle spoils bonus works hand either",
        "price": "effect buys enough free",
        "purchases": "buys",
        "next_level": "upgrades becomes enough needs effect",
        "reaches": "destroys kills takes holds works",
        "compare": "either most wins rank if needs works effect alone",
        "added": "total",
        "needs": "needs wins kills attacks rank if enough",
        "light": "enough needs rank works wins attacks alone",
        "destroys": "destroys kills survives either needs rank",
        "holds": "holds too-much destroys wins works if both rank without alone",
        "battle": "wins kills enough attacks works effect either rank hand if bonus without alone",
        "total": "total works enough rank hand holds wins either if without alone",
        "drops": "drops stays attacks either holds rank",
        "bonus": "bonus works attacks rank alone",
        "each": "either attacks wins rank alone",
        "of-sum": "total works enough",
        "of-claim": "attacks wins kills works upgrades needs",
        "of-effect": "effect attacks breach battle spoils lies",
        "of-card": "effect bonus works holds types box trophy either",
    }.items()
}
"""What else words may say that a question takes account of; a word that says anything more changes the question.

Also what may be said of a sum without a monster, of a claimed value, of effects and of one card alone.
"""


class Situation(NamedTuple):
    """A question with the cards of the hand and the monsters or traps in its order, and its conditions.

    ``rank``: where the monster stands, None if it is not said. ``points``: what the hand gives besides its cards.
    ``figures``: the values in question. ``wins``: it is about a victory, ``holds`` about holding a weapon; ``yes_no``:
    whether the question begins so. ``family``: the hero who stands for a family that is named without a level.
    ``kinds``: of which kinds or types a card may be; ``lacks``: kinds of cards, or values, that are not there.
    ``amounts``: the claimed values of a card, or how much gold or XP there is to pay with.
    ``said``: all that the words say; ``amount``: the question is how much or how many.
    """

    asked: Asked
    hand: tuple[tuple[str, int], ...]
    foes: tuple[str, ...] = ()
    rank: int | None = None
    points: tuple[tuple[str, int], ...] = ()
    figures: tuple[str, ...] = ()
    wins: bool = False
    holds: bool = False
    yes_no: bool = False
    family: str = ""
    kinds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    amounts: tuple[tuple[str, int], ...] = ()
    said: frozenset[str] = frozenset()
    amount: bool = False


def read_situation(names: NameReader, text: str) -> Situation | None:
    """The situation that a question is about, None if it is another question."""
    for lexicon in lexicons_of(names.words, text):
        words = lexicon.tokens(text)
        is_tagged = bool(words) and words[-1].typed in names.words.database.words("list.words.tags", lexicon.lang)
        tokens = lexicon.with_phrases(words[:-1] if is_tagged else words, _PHRASES)  # "it costs 6, right"
        reading = _Reading(names, lexicon, tokens, is_tagged or text.rstrip().endswith("?"))
        situation = reading.read() if 1 < len(tokens) <= MOST_WORDS else None
        if situation or reading.place == len(tokens):
            return situation  # where every word is known, none has another meaning in another language
    return None


class _Reading:
    """One question, token by token."""

    def __init__(self, names: NameReader, lexicon: Lexicon, tokens: Sequence[WordToken], is_marked: bool) -> None:
        self.is_marked = is_marked
        self.names, self.database, self.lexicon, self.typed = names, names.words.database, lexicon, tokens
        self.said = self.database.derived(_words_of, lexicon.lang)
        self.marks = self.database.words("list.words.marks", lexicon.lang)
        self.toward = self.database.words("list.words.toward", lexicon.lang)
        self.topics = {topic for token in tokens for topic in token.meanings}
        self.hand, self.foes = dict[str, int](), list[str]()
        self.points, self.amounts, self.figures = dict[str, int](), dict[str, int](), list[str]()
        self.kinds, self.lacks, self.asks = list[str](), list[str](), set[str]()
        self.rank: int | None = None
        self.level = self.number = self.stated = self.size = self.place = 0
        self.lost = self.priced = self.levels = self.fills = self.of_cards = False
        self.first, self.last, self.family, self.end = "", "", "", -1
        self.called, self.modes = set[str](), set[str]()

    def read(self) -> Situation | None:
        """Return the situation; None if a word is not understood, or changes the question."""
        while (place := self.place) < len(self.typed):
            size = (
                self._card(place, 1 if self._is_like_copies(place) else 2)
                or int(self.typed[place].typed in self.called)  # one word of a name stands for the card named before
                or self._number(place)
                or self._lack(place)
                or self._topic(place)
                or (self._may_be_name(place) and self._card(place, 1))
            )
            if not size:
                return None
            self.place += size
        digits = any(int(word.typed) == self.number for word in self.typed if word.typed.isdecimal())
        besides = self.hand or self.points or self.figures or self.of_cards
        if self.number >= _TOTAL and digits and self.foes and not besides:
            self.points["attack"], self.number = self.number, 0  # what the hand amounts to
        self.asks |= {"destroys"} if "survives" in self.asks else {"holds"} if "too-much" in self.asks else set()
        question, yes_no = self._asked(), self._is_yes_no()
        if question is None or self.number or self.level or self.lost or self._is_doubtful(question):
            return None
        return Situation(
            question, tuple(self.hand.items()), tuple(self.foes), self.rank, tuple(self.points.items()),
            tuple(dict.fromkeys(self.figures)), bool(self.asks & {"wins", "kills", "enough"}),
            "holds" in self.asks, yes_no and "either" not in self.asks, self.family,
            tuple(self.kinds), tuple(self.lacks), tuple(self.amounts.items()), frozenset(self.asks | self.modes),
            "counts" in self.typed[0].meanings and not yes_no,
        )  # fmt: skip

    def _is_doubtful(self, question: Asked) -> bool:
        """Return whether a word says something that the answer to this question leaves aside."""
        if (self.asks | self.modes) - _ALWAYS - _TAKEN[question] or (question == "types" and "counts" in self.topics):
            return True
        kinds, figures, cards = {*self.kinds}, {*self.figures}, self.database.cards
        if question == "value":
            card = cards[next(iter((*self.hand, *self.foes)))]
            in_hand = "hand" in self.modes and card.weight  # what a weapon gives that nobody holds
            other_kinds = kinds.difference(card.types, (card.kind,), _HITTING)
            return bool(other_kinds or in_hand) or self._is_unprinted(card)
        if question == "kind":
            return bool(figures) or (bool("open" in self.modes or kinds & _HITTING) and not self._is_yes_no())
        if question == "battle" and "light" in self.lacks and any(cards[card].light for card in self.hand):
            return True  # whose Light is not to count
        if question in ("battle", "destroys", "bonus"):
            used = "attacks" in self.asks or any(cards[card].is_hero for card in self.hand)
            all_counted = figures <= _COUNTED - ({"strength"} if question == "bonus" else set())
            named = {kind for card in (*self.hand, *self.foes) for kind in (cards[card].kind, *cards[card].types)}
            strange = kinds - named - _JUDGED - {"monster", "guardian"}
            return bool(strange or ("hand" in self.modes and not used)) or not all_counted
        if question in ("needs", "total"):
            missing = {*self.lacks}.difference(_JUDGED, *map(self._paid, self.hand))
            apart = kinds & {"bow", "edged", "blunt", "thunderstone", "guardian"} or (
                not self.rank and ("if" in self.modes or "monster" in kinds)
            )
            return bool(missing or (question == "total" and apart))
        if question == "holds":
            fed = len(self.hand) > PAIR  # the condition is named: a third card
            several = "counts" in self.topics and "holds" in self.asks
            return several or (not fed and bool({"if", "destroys"} & (self.asks | self.modes)))
        return False

    def _paid(self, card: str) -> set[str | None]:
        """Return of which kinds and types cards are that pay for an effect of a card, empty if it chooses none."""
        effects = self.database.all_effects.get(card, ())
        selects = (getattr(op, "select", None) for effect in effects for op in effect.cost)
        return {value for select in selects if select is not None for value in (select.kind, select.type)}

    def _is_unprinted(self, card: Card) -> bool:
        """Return whether a value that is not printed on a card may be that of another: of what a monster hits with."""
        blows = {*_BLOWS, "strength"} & {*self.figures}
        missing = bool({"if", "holds", "bonus"} & (self.asks | self.modes)) or "light_penalty" in self.figures
        missing = missing or (bool(self.foes) and "works" in self.asks)
        begins = self.typed[0].means("asks", "counts", "yes-no", "facts")  # as a question does
        is_statement = not begins and (self.fills or card.id in self.database.all_effects)
        is_printed = all(getattr(card, figure) is not None for figure in self.figures)
        missing = missing or bool(card.kind == "disease" and blows)  # which takes off what it has not
        return not is_printed and bool(missing or (self.foes and blows) or is_statement)

    def _is_yes_no(self) -> bool:
        """Return whether a word asks for yes or no: the first one, or a particle."""
        return self.typed[0].means("yes-no") or "yes-no" in self.modes

    def _begins_yes_no(self) -> bool:
        """Return whether the first word asks for yes or no, also within a phrase ("can i")."""
        return "yes-no" in self.lexicon.forms.get(self.typed[0].typed.partition(" ")[0], {})

    def _is_like_copies(self, at: int) -> bool:
        """Return whether the name of a card stands there that is also a form of a word for copies."""
        return self.typed[at].means("copies") and exact_card(self.database, self.typed[at].typed) is not None

    def _may_be_name(self, at: int) -> bool:
        """Return whether to search for a card, which costs more than all the rest: not for words that players use."""
        word = self.typed[at]
        changes = word.means("blocks", "denies", "excludes", "does")
        changes = changes and word.meanings.get("does") not in self.database.cards  # a mistyped Militia
        usual = changes or asked_with(self.database, word.typed) > _SELDOM
        return not usual or is_of_a_name(self.database, word.typed)

    def _asked(self) -> Asked | None:
        """Return the question: of amounts, of two cards, of several to choose from, of one, or of a battle or hand."""
        cards, db = [*self.hand, *self.foes], self.database.cards
        heroes = [card for card in self.hand if db[card].is_hero]
        weapons = [card for card in self.hand if "weapon" in db[card].types]
        if self.stated and self._is_yes_no() and len(cards) == 1 and not self.asks:
            self.amounts["level"] = self.stated
        claimed = self.points and len(cards) == 1 and not (self.foes or self.rank or self.lacks)
        if "becomes" in self.asks and (len(cards) == PAIR or "open" in self.modes):
            self.asks.add("upgrades")
        if self.amounts or claimed or {"buys", "upgrades"} & self.asks:
            return self._of_amounts(cards)
        holding = self.first in self.foes or (heroes and weapons)
        if holding and self.asks == {"holds"} and self.foes and not self.points:
            return None if self.first in self.foes else "holds"
        if not (heroes and weapons) and self._reaches(cards):
            return "reaches"
        if ("takes" in self.asks and self.foes) or ("works" in self.asks and self.first in self.foes):
            return None  # what an effect takes out of the hall, or a monster does, which no battle decides
        judged = self.asks & {"works", "kills", "holds", "enough", "destroys", *(["wins"] if self.foes else [])}
        self.asks |= {"either"} if "most" in self.asks and len(cards) > 1 else set()
        if self.rank and self.foes:  # in Russian one verb says what a card costs and where it stands
            self.figures = [figure for figure in self.figures if figure != "cost"]
        if not weapons or self.figures:
            self.modes |= {"drops"} if {"drops", "stays"} & self.asks else set()
            self.asks -= {"drops", "stays"}
        if "either" in self.asks and len(cards) > 1 and not (judged or (self.hand and self.foes)):
            return "compare" if max(self.hand.values(), default=1) == 1 and not self.points else None
        if self.levels and len(cards) == 1 and self.family in self.hand and not self.figures:
            self.hand = {card.id: 1 for card in db.values() if card.family == db[self.family].family}
            return "compare"
        if not cards and self.rank and self.points.keys() == {"light"} and "enough" in self.asks:
            return "light"
        several = sum(self.hand.values()) + len(self.foes) > 1
        amount = "counts" in self.topics or "open" in self.modes
        summed = several and amount and {*self.figures} <= _ADDED and len(self.figures) == 1
        if summed and not (self.asks - {"total"} or self.rank or self.points or self.lacks):
            return None if self.figures == ["gold"] and any(map(self._gives_gold, cards)) else "added"
        if len(self.foes) > 1 or not cards:  # a value of monsters that nobody fights
            alone = not self.asks and all(is_of_a_name(self.database, word.typed) for word in self.typed)
            return "compare" if self.foes and (self.figures or alone) and not self.hand else None
        paid = {"xp", "level_cost"} & {*self.figures} and not self.foes
        if paid and len(cards) > 1 and {db[card].family for card in cards} == {db[cards[0]].family or ""}:
            low, high = (end(db[card].level or 0 for card in cards) for end in (min, max))
            ours = (card for card in db.values() if card.family == db[cards[0]].family)
            self.hand = {card.id: 1 for card in ours if low <= (card.level or 0) < high}  # each but the last level pays
            cards = [*self.hand]
            if len(cards) > 1:
                self.figures = ["level_cost"]
                return "compare"
        alone = len(cards) == 1 and self.hand.get(cards[0], 1) == 1 and not (self.points or self.lacks)
        if alone and (question := self._of_one(cards[0])):
            return question
        if "attacks" in self.asks and not (self.foes or self.figures or self._begins_yes_no()):
            self.figures, self.asks = ["attack"], self.asks - {"attacks"}  # the word is a value, too
        if self.figures == ["strength"] and len(cards) == 1 and not self.points:
            return self._value(cards[0])  # of each copy
        kills = "destroys" in self.asks or ("kills" in self.asks and self.first in self.foes)
        is_trap = any(db[card].kind == "trap" for card in cards)
        if is_trap or (self.foes and self.hand and kills and "needs" not in self.asks):
            return "destroys" if heroes and (not is_trap or len(cards) == PAIR) else None
        if "bonus" in self.asks and (len(cards) > 1 or self.rank):
            return "bonus"
        return self._of_battle(heroes, weapons) if self.foes else self._of_hand(heroes, weapons)

    def _gives_gold(self, card: str) -> bool:
        """Return whether a village effect of a card may give more gold than is printed."""
        return any(effect.timing.startswith("village") for effect in self.database.all_effects.get(card, ()))

    def _shines(self) -> bool:
        """Return whether the hand gives Light alone."""
        cards = [self.database.cards[card] for card in self.hand]
        return all(card.light and not (card.attack or card.magic_attack) for card in cards)

    def _of_battle(self, heroes: Sequence[str], weapons: Sequence[str]) -> Asked | None:
        """Return the question about a hand, or about nobody, against a monster."""
        dark = {"light", "light_penalty"} & {*self.figures} and not self.points
        if self.rank and {*self.figures} <= {*_BLOWS} and not self._begins_yes_no():
            self.asks |= {"needs"} if "counts" in self.topics or not (self.hand or self.points) else set()
        if "needs" in self.asks and self._shines() and self.points.keys() <= {"light"} and not dark:
            return None if {*self.kinds} - {"light", "magic"} else "needs"
        if not self.hand and (self.points.keys() == {"light"} or self.points == {"magic_attack": 1}) and not dark:
            return None  # the least Magic Attack that a monster asks for is no total
        if not (self.hand or self.points):
            needs = self.lacks or (self.asks & {"needs", "wins", "kills"} and not self.kinds)
            return "light" if dark else "needs" if needs else None
        if all(self.database.cards[card].kind == "disease" for card in self.hand) and not self.points:
            return None  # whether the monster gives one, perhaps
        unheld = weapons and not heroes and "hero" not in self.lacks
        alone = {"wins", "enough"} & self.asks and len(self.hand) == 1
        if unheld and (alone or not self.database.derived(hero_types).isdisjoint(self.kinds)):
            return None
        if "either" in self.asks and len(heroes) == len(self.hand) > 1 and not self.points:
            return "each"
        if self.asks & {"drops", "stays"} and weapons and heroes:
            return "drops"
        if self._shines() and not self.points:
            return None if {*self.figures} - {"light", "light_penalty"} else "light"
        return "battle"

    def _of_hand(self, heroes: Sequence[str], weapons: Sequence[str]) -> Asked | None:
        """Return the question about a hand that fights no named monster."""
        if self._shines() and self.rank and not self.points:
            return "light"
        cured = "disease" in self.hand and any("disease" in self._paid(card) for card in self.hand)
        if cured or self.points or "needs" in self.asks or ("destroys" in self.asks and "holds" not in self.asks):
            return None
        if weapons and not heroes:
            return "total" if (self.rank or "hero" in self.lacks) and len(self.hand) == 1 else None
        asks_sum = self.figures or self.asks & {"total", "enough"} or self.rank
        if heroes and weapons and "counted" in self.modes:
            return None
        if heroes and weapons and ("holds" in self.asks or not asks_sum):
            return "holds"
        if any("villager" in self.database.cards[card].types for card in self.hand):
            return None  # what works in the village has no part in a sum
        number, copied = sum(self.hand.values()), "copies" in self.topics and "counts" not in self.topics
        summed = "counts" in self.topics or self.asks & _TAKEN["of-sum"] or (heroes and not self.asks)
        several = number > 1 and not copied and summed
        asks = (self.figures or self.rank or self.lacks or several) and {*self.figures} <= {*_HITTING, "strength"}
        return "total" if asks and (number > 1 or self.rank or self.lacks) else None

    def _of_one(self, card: str) -> Asked | None:
        """Return the question about a card alone; None for a situation, or for what its abilities give."""
        several = any("counts" in word.meanings and " " in word.typed for word in self.typed)  # only a phrase is sure
        besides = self.figures or self.kinds or self.asks - {"total", "box"} or self.typed[0].means("yes-no")
        counts = {"counts", "copies"} <= self.topics or (several and not besides)
        if "attacks" in self.asks and not self.figures and not self.typed[0].means("yes-no"):
            self.figures, self.asks = ["attack"], self.asks - {"attacks"}  # the word is a value, too
        plain = not (self.kinds or self.rank or self.asks - _TAKEN["of-card"] - _TAKEN["of-effect"])
        if self.asks & {"effect", *TIMES} and plain:
            return "effect"
        if "either" in self.asks and {*_BLOWS} <= {*self.figures}:  # both are offered: the one that is printed
            self.figures = [blow for blow in _BLOWS if getattr(self.database.cards[card], blow)] or self.figures
            return "value"
        further = self.asks - _TAKEN["of-card"] - ({"total"} if counts else set())
        if further or self.rank:
            light = {*self.figures} & {"light", "light_penalty"} and further - {"needs"}
            return None if light or self.rank or further - {"needs", "wins"} else self._value(card, least=True)
        for fact in ("trophy", "types", "box"):
            if fact in self.asks and not self.figures:
                return fact
        if self.levels and not counts:
            level = "level_cost" if {"xp", "cost", "level_cost"} & {*self.figures} else "level"
            self.figures = [level] if self.hand else []
        if self.kinds and not counts and self._is_of_kind(self.database.cards[card]):
            return "kind"
        if self.figures and (question := self._value(card)):
            return question
        return "copies" if counts and not self.figures else None

    def _of_amounts(self, cards: Sequence[str]) -> Asked | None:
        """Return the question about a price, new level or claimed value; None where not every word belongs to it."""
        asks, figures = self.asks, {*self.figures}
        family = self.family in cards and "level" not in self.amounts
        if not cards or self.rank or self.lacks or len(self.foes) > 1 or family:
            return None
        spec, counts = self.database.cards[cards[0]], "counts" in self.topics
        single = len(cards) == 1 and self.hand.get(spec.id, 1) == 1
        besides = self.foes or self.amounts or self.number or figures or self.kinds
        if asks == {"buys"} and counts and self.hand and not besides:
            return "purchases"
        if "level_cost" in self.amounts:
            self.amounts["xp"] = self.amounts.pop("level_cost")
        claims = self.amounts and ("cost" in figures or "needs" in asks)  # said to be the cost, not there to pay with
        told = "xp" in self.amounts and spec.is_hero and not (self._is_yes_no() or self.is_marked or claims)
        if told and not asks:  # "elf wizard, 4 xp"
            asks = {"upgrades"}
        if asks and asks <= _TAKEN["next_level"] and ("upgrades" in asks or "xp" in self.amounts) and not claims:
            heroes = len(cards) == PAIR == sum(self.hand.values()) and "becomes" in asks
            paid = self.amounts.keys() <= {"xp"} and figures <= {"level", "level_cost", "xp", "cost"}
            return "next_level" if (heroes or len(cards) == 1) and paid else None
        if not single or "open" in self.modes or counts:
            return None
        if asks and asks <= {"buys", "enough"}:
            if self.priced and not self.amounts:
                self.amounts, self.number, self.lost = {"gold": self.number}, 0, False
            priced = self.amounts.keys() <= {"gold", "cost"} and figures <= {"gold", "cost"} and not self.points
            priced = priced and not ("buys" in asks and "cost" in figures)  # in Russian: is it worth buying
            return "price" if priced and (self.amounts or spec.cost is None) else None
        return self._of_claim(spec) if (self.amounts or self.points) and asks <= _TAKEN["of-claim"] else None

    def _of_claim(self, spec: Card) -> Asked | None:
        """Return the question about a claimed value of a card; None if more than one, or if an ability decides it."""
        if "gold" in self.amounts and "cost" in self.figures:  # the currency of the cost
            self.amounts, self.figures = {"cost": self.amounts["gold"]}, ["cost"]
        elif "xp" in self.amounts and spec.is_hero:
            if not ({*self.figures} & {"cost", "level_cost"} or self.asks & {"upgrades", "needs"}):
                return None
            self.amounts, self.figures = {"level_cost": self.amounts["xp"]}, []
        (figure, number), *more = {**self.amounts, **self.points}.items()
        if more or {*self.figures} - {figure}:
            return None
        if figure == "gold" and number == spec.cost != spec.gold:
            return None  # it may be the cost that is meant
        is_statement = not self._is_yes_no() and not (self.is_marked and "asks" not in self.topics)
        if is_statement and (self.fills or figure == "level" or getattr(spec, figure, None) is None):
            return None  # the number may be of something else, or the level of another card of the family
        self.figures = ["gold", "cost"] if figure == "gold" and spec.cost and number != spec.gold else [figure]
        if (question := self._value(spec.id)) is not None:
            self.amounts, self.points = {self.figures[0]: number}, {}
        return question

    def _reaches(self, cards: Sequence[str]) -> bool:
        """Return whether the question is if one card destroys, discards or takes the other out of the hand."""
        more = self.figures or self.rank or self.points or self.lacks or max(self.hand.values(), default=0) > 1
        if more or not self.asks or len(cards) != PAIR or self.first not in self.hand:
            return False
        village = "villager" in self.database.cards[self.first].types
        is_open = "open" in self.modes or "counts" in self.topics or (self.foes and not village)
        chooses = bool(self._paid(self.first))
        return chooses and not is_open and self.asks <= _TAKEN["reaches"] - (set() if village else {"works"})

    def _is_of_kind(self, card: Card) -> bool:
        """Return whether the question is which kind or type a card is of, with or without a verb."""
        if {"has", "drops", "good", "all"} & self.modes:
            return False  # to have a weapon is not to be one, nor is to be good against a monster
        if self.figures and not all(getattr(card, figure) is None for figure in self.figures):
            return self.typed[0].means("yes-no")
        bare = "counts" not in self.topics and self.size + len(self.kinds) + 1 >= len(self.typed)
        bare = bare and (self.is_marked or {*self.kinds} <= {card.kind, *card.types})  # not "Duelist weapons"
        is_asked = self.typed[0].means("yes-no") or ("or" in self.topics and len(self.kinds) > 1) or bare
        is_monsters = self.is_marked or self.typed[0].means("yes-no")
        return self.asks <= {"either"} and (card.id in self.hand or is_monsters) and is_asked

    def _value(self, card: str, *, least: bool = False) -> Asked | None:
        """A value, unless the card alone does not say it; with ``least`` not one of a battle."""
        spec, gifts_of = self.database.cards[card], self.database.derived(gifts)
        self.figures = ["level_cost" if figure == "xp" and spec.is_hero else figure for figure in self.figures]
        if self.figures == ["attack"] and spec.attack is None and spec.magic_attack and not self._is_yes_no():
            self.figures = ["magic_attack"]
        if "strength" in self.figures and spec.weight is not None:  # what a weapon asks of its hero
            effects = self.database.all_effects.get(card, ())
            if any(getattr(getattr(op, "when", None), "strength", None) for effect in effects for op in effect.do):
                return None  # its ability asks for more
            self.figures = ["weight" if figure == "strength" else figure for figure in self.figures]
        if card in self.foes and self.figures == ["attack"] and "open" in self.modes:
            return None  # how to attack it, perhaps
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
        exact = len(typed) <= LONGEST or "figure" in self.lexicon.forms.get(typed, ())
        stems = () if exact else query_stems(typed, self.lexicon.lang)
        topic = self.said.get(typed) or next((self.said[stem] for stem in stems if stem in self.said), None)
        fills = meanings.keys() - {"limits", "places"}
        return topic or ("talk" if fills and fills <= _FILLING else None)

    def _is_known(self, at: int) -> bool:
        return self._says(at) is not None or self._meaning(at, "level") is not None

    def _figure(self, at: int) -> str | None:
        return self._meaning(at, "figure") or self._meaning(at, "gives")

    def _number(self, at: int) -> int:
        """A number, and what it is the number of: a rank, a level, points of a value, or copies of the next card."""
        beside = [at - 1, at + 1]
        number = number_word(self.database, self.typed[at].typed)
        if number is None or (number == 1 and not self.typed[at].typed.isdecimal()):
            return 0
        is_last = at + 1 == len(self.typed)
        if self.foes and is_last and 0 < number <= RANKS and self.names.says("place", self.typed[at - 1].typed):
            self.rank = number  # "is 10 enough for griffon in 3"
            return 1
        if number >= _TOTAL and self._says(at + 1) == "enough":
            self.points["attack"] = number
            return 1
        has_rank = self.rank and at > 1 and self.typed[at - 2].typed == str(self.rank)  # the rank has its number
        if any(self._says(place) == "rank" for place in beside[1 if has_rank else 0 :]):
            if not 0 < number <= RANKS:
                return 0
            self.rank = number
        elif (before := self._meaning(at - 1, "level") is not None) or self._meaning(at + 1, "level") is not None:
            if self.end == at - before or (self.family and self.family == self.last):
                self._raise_last(number, is_claim=self._begins_yes_no() and at + 1 + (not before) == len(self.typed))
            else:
                self.level = number
        elif (figure := self._points_at(at)) and not self._is_count(at, figure):
            (self.points if figure in _HITTING else self.amounts)[figure] = number
            self.figures = [other for other in self.figures if other != figure or figure not in _HITTING]
        elif number > MOST_CARDS:
            return 0
        else:
            self.of_cards = self._meaning(at + 1, "copies") is not None or self._meaning(at + 1, "does") == "card"
            self.lost = self.lost or self.number != 0 or number == 0 or self.typed[at].means("signed")
            self.number, self.priced = number, at + 1 == len(self.typed)
        return 1

    def _is_count(self, at: int, figure: str) -> bool:
        """Return whether a number behind a value is that of the cards behind it ("attack of 3 militia")."""
        if figure == self._figure(at + 1) or at + 1 == len(self.typed):
            return False
        card = self.names.card_at([word.typed for word in self.typed[at + 1 : at + LONGEST]], HAND_KINDS)[1]
        return card is not None and self.database.cards[card].kind not in HALL_KINDS

    def _points_at(self, at: int) -> str | None:
        """The value that a number is of: named behind it, or before it if another number follows."""
        beyond = at + 2 if self._says(at + 1) == "talk" and not self._figure(at + 1) else at + 1
        behind, before = self._figure(beyond), self._figure(at - 1) if at > self.end else None
        another = at + 2 < len(self.typed) and (self.typed[at + 2].typed.isdecimal() or self._says(at + 2) == "lacks")
        figure = before if before in _HITTING and (another or behind not in _HITTING) else behind
        if figure and figure == behind and self._figure(at + 2) == "magic_attack":
            return "magic_attack"
        if figure in _HITTING:
            return figure
        if behind and (beyond == at + 1 or not self._kind(self.typed[at + 1].typed)):
            return behind
        return before if at + 1 == len(self.typed) or self._is_known(at + 1) else None

    def _raise_last(self, level: int, *, is_claim: bool) -> None:
        """The hero named last is of this level, or is claimed to be."""
        if is_claim and self.family != self.last and (self.database.cards[self.last].level or 0) != level:
            self.amounts["level"] = level  # what the name does not say
            return
        self.stated, self.family = 0 if self.family else level, ""
        if self.last in self.hand:
            count = self.hand.pop(self.last)
            self.last = self.names.of_level(self.last, level)
            self.hand[self.last] = count

    def _lack(self, at: int) -> int:
        """Read what is not there, named before or behind the word, and return the number of words that it takes."""
        if self._says(at) != "lacks":
            return 0
        before = self._absent(at - 1)
        for place in range(at + 1, min(at + LONGEST, len(self.typed))):
            if missing := self._absent(place):
                self.lacks.append(missing)
                return place + 1 - at
            if self._says(place) is None:
                break
        hand, foes = dict(self.hand), [*self.foes]
        if size := self._card(at + 1, 1) if at + 1 < len(self.typed) else 0:
            if self.database.cards[self.last].light:
                self.points.setdefault("light", 0)
            self.hand, self.foes = hand, foes  # named because it is not there
            self.modes.add("without")
            return size + 1
        if before:
            self.lacks.append(before)
            self.figures = [figure for figure in self.figures if figure != before]
            self.kinds = [kind for kind in self.kinds if kind != before]
        return int(bool(before))

    def _absent(self, at: int) -> str:
        """The value or kind of cards that a word there names."""
        if not 0 <= at < len(self.typed):
            return ""
        if (figure := self._figure(at)) in (*_HITTING, "strength") and self._says(at) != "total":
            magic = "magic_attack" in (self._figure(at - 1), self._figure(at + 1))
            return "magic_attack" if magic and figure == "attack" else figure or ""
        return (kinds_and_types(self.database, self.typed[at].typed) or "").partition(":")[2]

    def _topic(self, at: int) -> int:
        topic, figure, word = self._says(at), self._figure(at), self.typed[at]
        marks = {self.marks[form] for form in word.typed.split() if form in self.marks}
        marks -= {"advice"} if topic == "either" else set()  # "worth more"
        self.modes |= marks
        if "free" in marks:
            self.amounts["cost"] = 0
            return 1
        if topic and topic.startswith("either:"):  # a comparative that names its value, too
            topic, _, of = topic.partition(":")
            self.figures.append(of)
        # In Polish one word begins a question and parts two things to choose from.
        if topic == "either" and "yes-no" in word.meanings and at == 0:
            topic = "talk"
        numbered = any(near.typed.isdecimal() for near in self.typed[max(0, at - 1) : at + 2])
        numbered = numbered and self._meaning(at - 2, "asks") is None  # a number of levels is none of them
        self.levels = self.levels or ("level" in word.meanings and not numbered)
        kind = self._kind(word.typed)
        self.kinds += [kind] if kind and topic in (None, "talk") else []
        if topic == "talk":
            self.fills = True
        elif topic is not None:
            self.asks.add(topic)
            by_monster = topic == "attacks" and self.foes and not (self.hand or numbered)  # a monster attacks nobody
            self.lost = self.lost or bool(by_monster)
        elif figure is not None:
            beside = "magic_attack" in (self._figure(at - 1), self._figure(at + 1)) and figure == "attack"
            self.figures += [] if beside or (numbered and figure in _HITTING) else [figure]
        elif {"superlatives", "compares"} & word.meanings.keys():
            self.asks.add("most" if "superlatives" in word.meanings else "either")
        elif kind is None and not {"level", "copies", "counts", "boxes"} & word.meanings.keys():
            return int(kinds_and_types(self.database, word.typed) == "timing:village")  # adds nothing
        return 1

    def _kind(self, typed: str) -> str | None:
        """The kind or type of cards that a word names, if it does not name a card, too (Militia, Elf)."""
        database, sql = self.database, "SELECT value FROM phrases WHERE lang = ? AND phrase = ? AND topic = ?"
        slips = () if is_of_a_name(database, typed) else database.query(sql, self.lexicon.lang, typed, "condition")
        condition = kinds_and_types(database, typed) or next((kind for (kind,) in slips), "")
        field, _, value = condition.partition(":")
        return value if field in ("kind", "type") and value not in self.database.cards else None

    def _card(self, at: int, least: int) -> int:
        """A card by its name, in any case, mistyped or shortened; with its level, and its number before it."""
        tokens = [word.typed for word in self.typed[at : at + LONGEST]]
        if least == 1 and "fights" in self.typed[at].meanings:
            return 0  # a battle, and not the card that is called after it
        if number_word(self.database, tokens[0]) is not None and not exact_card(self.database, " ".join(tokens[:2])):
            return 0  # a number before a name
        for size in range(len(tokens), least - 1, -1):
            here = self.typed[at : at + size]
            exact = exact_card(self.database, " ".join(tokens[:size])) is not None
            is_number = size > 1 and not exact and number_word(self.database, tokens[size - 1]) is not None
            if is_number and any(is_of_a_name(self.database, word) for word in tokens[size : size + 1]):
                continue  # the number is that of the card behind it
            if not exact and size > 1 and any(map(self._is_known, (at, at + size - 1))):
                continue  # words of the question are no part of a name that is not exact
            if card := card_named(self.database, here, ()):
                return self._add(card, at, size)
        if least > 1 or len(tokens[0]) < 3:
            return 0
        ends = (n for n in range(1, len(tokens)) if self._says(at + n) is not None)
        tokens = tokens[: next(ends, None)]  # a word of the question is no mistyped part of a name
        kinds = HAND_KINDS | HALL_KINDS | {"trap"}
        size, card, hits = self.names.card_at(tokens, kinds)
        if card is None or self.names.is_abroad(hits):
            return 0
        self.family = card if len(hits) > 1 and not self.level else self.family
        return self._add(card, at, size)

    def _add(self, card: str, at: int, size: int) -> int:
        card = self.database.reprints.get(card, card)
        card = self.names.of_level(card, self.level) if self.level else card
        if self.database.cards[card].kind in (*HALL_KINDS, "trap"):
            self.foes.append(card)
            self.lost = self.lost or self.number > 1  # one monster is fought
        else:
            beside = self.family and self.family == self.last and self.end == at
            self.lost = self.lost or bool(beside and self.database.cards[card].is_hero)  # "elf paladin" is no card
            if self.hand and "upgrades" in self.asks and at and self.typed[at - 1].typed in self.toward:
                self.asks.add("becomes")  # "level up a militia to elf wizard"
            self.hand[card] = (self.hand.get(card, 0) + self.number) or 1  # named again it is the same card
            if not self.number and self.typed[at + size - 1].typed.endswith(self.lexicon.plural):
                self.hand[card] *= self.hand.get(self.last, 1)  # one for each of them
        self.first, self.size = self.first or card, size
        self.called |= {word.typed for word in self.typed[at : at + size] if size > 1 and not word.typed.isdecimal()}
        self.last, self.end, self.level, self.number = card, at + size, 0, 0
        return size


def _words_of(database: Database, lang: str) -> dict[str, str]:
    """Word, or stem of a long one -> what it says of a situation."""
    topics = database.words("list.words.pair", lang)
    long = {stem: value for word, value in topics.items() if len(word) > LONGEST for stem in query_stems(word, lang)}
    return long | topics
