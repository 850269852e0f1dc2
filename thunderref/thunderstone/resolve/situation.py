"""Judges the situation that a question is about: what is printed on a card, or what the engine says.

A judgement is a verdict, if the question asks for one, and the sentences that say why, in one language. What needs the
engine is in :mod:`.situation_battles`, which is loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Literal, NamedTuple

from thunderref.database.card_records import Card
from thunderref.database.operations import Effect
from thunderref.database.read import Language
from thunderref.errors import ThunderrefError
from thunderref.search.situations import Asked, Situation

YesOrNo = Literal["yes", "no", "depends"]
BLOWS = ("attack", "magic_attack")
GIVEN = (*BLOWS, "light")
"""What a card may give in a battle."""


class Statement(NamedTuple):
    """A sentence of a judgement, and the ids of the rules that it rests on."""

    text: str
    rules: tuple[str, ...] = ()


class Judgement(NamedTuple):
    """The verdict on a situation, None where none is asked for, and the sentences that say why."""

    verdict: YesOrNo | None
    sentences: list[Statement]


Finding = tuple[YesOrNo | None, list[Statement]]


def judge_situation(words: Language, situation: Situation) -> Judgement | None:
    """Return the judgement; None if nothing is to be said, or if no table can look so (a Horde without a number)."""
    with suppress(ThunderrefError):
        if method := _OF_PRINT.get(situation.asked):
            verdict, sentences = method(PrintJudge(words, situation))
        else:
            from thunderref.thunderstone.resolve.situation_battles import judge_by_engine

            verdict, sentences = judge_by_engine(words, situation)
        return Judgement(verdict, [*dict.fromkeys(sentences)]) if sentences else None
    return None


class PrintJudge:
    """A situation in a language, with a method for whatever is asked of what is printed."""

    def __init__(self, words: Language, situation: Situation) -> None:
        self.words, self.asked, self.cards = words, situation, words.database.cards
        self.hand = [card for card, n in situation.hand for _ in range(n)]
        self.named = [self.cards[card] for card in (*dict(situation.hand), *situation.foes)]
        self.card, self.foe = self.named[0], next(iter(situation.foes), "")
        self.points, self.amounts = dict(situation.points), dict(situation.amounts)

    def price(self) -> Finding:
        """Whether the gold named is enough for a card, and what else it takes to buy it."""
        affordable = self.card.cost is not None and self.card.cost <= max(self.amounts.values(), default=0)
        top = [self.say("pair.top", "R3.3", card=self.card)] if affordable and (self.card.level or 0) > 1 else []
        return yes_if(affordable), [self.figure_of("cost"), *top]

    def next_level(self) -> Finding:
        """Whether a hero can level up, into whom and for how much XP."""
        card, *others = self.named
        if not card.is_hero:
            return "no", [self.sort_of(card)]
        if card.level_cost is None:
            return "no", [self.say("pair.top-level", "R3.5", card=card)]
        family = [each for each in self.cards.values() if card.family and each.family == card.family]
        to = [each for each in family if each.level == (card.level or 0) + 1]
        key, into = ("next-level", {"next": to[0]}) if card.level else ("first-level", {})
        sentence = self.say(f"pair.{key}", "R3.5", card=card, n=card.level_cost, **into)
        enough = card.level_cost <= self.amounts.get("xp", card.level_cost)
        fits = all(each in to if card.level else each.level == 1 for each in others)
        return (yes_if(enough and fits) if self.asked.yes_no or self.amounts else None), [sentence]

    def value(self) -> Finding:
        """The values of a card, and the abilities that change them."""
        figures = {figure: getattr(self.card, figure) or 0 for figure in self.asked.figures}
        values = [self.figure_of(figure) for figure in figures]
        changing = [
            Statement(text)
            for effect, text in self.effects(self.card)
            if effect.timing != "trophy" and any(getattr(op, "stat", "") in figures for op in effect.do)
        ]
        agrees = figures == self.amounts if self.amounts else any(figures.values())
        asks = self.amounts or (self.asked.yes_no and len(figures) == 1 and "vague" not in self.asked.said)
        # An ability may make true what is not printed.
        return (None if not asks or (changing and not agrees) else yes_if(agrees)), [*values, *changing]

    def effect(self) -> Finding:
        """What the abilities of a card do, those of a time alone if it is asked for, and what is printed on it."""
        card, timings = self.card, {"breach", "trophy"} & self.asked.said
        gives = [each for each in (*GIVEN, "gold") if getattr(card, each) and not timings]
        sentences = [*self._timed(timings), *(self.figure_of(each) for each in self.asked.figures or gives)]
        return None, sentences or [self.labelled(self.words.card(card.id), self.sort(card))]

    def trophy(self) -> Finding:
        if sentences := self._timed({"trophy"}):
            return None, sentences
        lacks = {"figure": self.words.say("card.timing.trophy"), "sort": self.sort(self.card)}
        return "no", [self.say("fact.lacks", card=self.card, **lacks)]

    def kind(self) -> Finding:
        """Whether a card is of the kinds or types named."""
        card, values = self.card, self.asked.kinds
        fits = [value in card.types or value == card.kind or (value == "hero" and card.is_hero) for value in values]
        figures = [each for each in self.asked.figures if getattr(card, each)]
        sentences = [] if any(fits) else [self.figure_of(each) for each in figures]
        verdict = yes_if(all(fits) or figures) if all(fits) or figures or not any(fits) or self.asked.yes_no else None
        return verdict, sentences or [self.sort_of(card)]

    def types(self) -> Finding:
        return None, [self.sort_of(self.card)]

    def copies(self) -> Finding:
        """How many copies of a card, or of each of a family, are in which boxes."""
        return None, [self._copies_of(self.cards[card]) for card in self.levels_of(self.card.id)]

    def _copies_of(self, card: Card) -> Statement:
        words, same = self.words, [each for each in self.cards.values() if card.id in (each.id, each.reprint_of)]
        boxes = ", ".join(f"{words.set_name(each.set_id)} {words.say('card.copies', n=each.count)}" for each in same)
        return self.say("fact.copies", card=card, boxes=boxes)

    def say(self, key: str, *rules: str, **params: object) -> Statement:
        """A sentence with these rules; a card among the parameters stands for its name."""
        named = {name: self.words.card(each.id) if isinstance(each, Card) else each for name, each in params.items()}
        return Statement(self.words.say(key, **named), rules)

    def labelled(self, label: str, values: str, *rules: str) -> Statement:
        return self.say("pair.values", *rules, figure=label, values=values)

    def figure_of(self, figure: str) -> Statement:
        """The value printed on the card that is asked about, or what the card is that has none."""
        value, label = getattr(self.card, figure), self.words.say(f"card.figure.{figure}")
        if value is None:
            return self.say("fact.lacks", card=self.card, figure=label, sort=self.sort(self.card))
        return self.say("fact.value", card=self.card, figure=label, value=value)

    def sort(self, card: Card) -> str:
        """What a card is: its kind, and its types."""
        kind, types = self.words.say(f"card.kind.{card.kind}"), self.type_line(card)
        return f"{kind}, {types}" if types and types.casefold() != kind.casefold() else kind

    def sort_of(self, card: Card) -> Statement:
        return self.say("fact.sort", card=card, sort=self.sort(card))

    def type_line(self, card: Card) -> str:
        return " • ".join(self.words.say_or(each, "card.type.") for each in card.types)

    def effects(self, card: Card) -> Iterator[tuple[Effect, str]]:
        for effect in self.words.database.all_effects.get(card.id, ()):
            if text := self.words.text(card.text_key(effect.id)):
                yield effect, text

    def _timed(self, timings: Collection[str]) -> list[Statement]:
        """What the abilities of the card do at these times, at any if none is named, each with its time."""
        name, sentences = str(self.words.card(self.card.id)), list[Statement]()
        for effect, text in self.effects(self.card):
            if not timings or effect.timing in timings:
                timing = "" if self.card.kind == "disease" else f", {self.words.say(f'card.timing.{effect.timing}')}"
                sentences.append(self.labelled(f"{name}{timing}", text.rstrip("."), *effect.rules))
        return sentences

    def texts(self, card: str) -> list[Statement]:
        told = [(effect, text) for effect, text in self.effects(self.cards[card]) if effect.timing != "trophy"]
        return [Statement(text, tuple(effect.rules)) for effect, text in told]

    def levels_of(self, card: str) -> list[str]:
        """The card, or all of the family that is named without a level."""
        family = self.cards[card].family if card == self.asked.family else None
        return [each.id for each in self.cards.values() if family and each.family == family] or [card]


_OF_PRINT: dict[Asked, Callable[[PrintJudge], Finding]] = {
    "value": PrintJudge.value, "kind": PrintJudge.kind, "types": PrintJudge.types, "box": PrintJudge.copies,
    "copies": PrintJudge.copies, "trophy": PrintJudge.trophy, "effect": PrintJudge.effect, "price": PrintJudge.price,
    "next_level": PrintJudge.next_level,
}  # fmt: skip


def yes_if(is_so: object) -> YesOrNo:
    return "yes" if is_so else "no"
