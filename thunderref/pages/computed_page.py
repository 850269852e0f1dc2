"""Answers that no text holds: lists and values of cards, and what the engine says of two cards or of a situation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from thunderref.database.card_records import Card
from thunderref.database.operations import Bonus
from thunderref.database.paths import FIGURES
from thunderref.database.read import Language
from thunderref.errors import ThunderrefError
from thunderref.pages.card_page import card_page, cards_page
from thunderref.pages.page import Block, Line, Page, links_to_cards
from thunderref.search.card import card_record
from thunderref.search.card_query import written
from thunderref.search.doings import gifts
from thunderref.search.filters import ListQuery, columns_of, parse_query
from thunderref.search.lists import read_list
from thunderref.search.lone_name import name_alone
from thunderref.search.query import shorten
from thunderref.search.situations import Situation, shown_card
from thunderref.search.understand import reader

_FOOD, _MILITIA = "iron-rations", "militia"
"""What every table has to raise a hero's Strength, and whom."""
_OF_ONE = frozenset(("value", "kind", "types", "box", "copies", "trophy", "effect", "price", "next_level"))
"""What is asked of one card."""
_OF_NAMED = frozenset(("holds", "price", "next_level", "reaches"))
"""What is only asked of cards that are named."""
_SIDE = 3
"""So many cards are compared with their texts."""
_GIVEN = ("attack", "magic_attack", "light")
_HITTING = ("attack", "magic_attack")


def computed_answer(words: Language, text: str) -> dict[str, Any] | None:
    """The answer to a question that cards and engine decide; None if it is another one."""
    if name_alone(words.database, text) is None and (listed := _read_list(words, text)):
        return _answer_of_list(words, listed)
    if (judged := _judged(words, text)) is None:
        return None
    asked, (verdict, lines) = judged
    others = [Language(words.database, code) for code in words.database.languages if code != words.lang]
    told = {words.lang: (verdict, lines)} | {each.lang: _Judge(each, asked).tell() for each in others}
    return {
        "kind": "card" if asked.asked in _OF_ONE else "pair", "verdict": verdict,
        "text": {code: "\n".join(_whole(Language(words.database, code), *said)) for code, said in told.items()},
        "rules": sorted({rule for line in lines for rule in line.note.split()}),
        "cards": [*dict(asked.hand), *asked.foes], "query": None,
    }  # fmt: skip


def computed_page(words: Language, text: str) -> Page | None:
    """The page of such an answer: the cards asked for, with the values it is about; a value; a verdict.

    A name alone is answered with the page of its card.
    """
    if alone := name_alone(words.database, text):
        return card_page(words, card_record(words.database, alone.hit.id, words.lang, alone.hit), text)
    title = words.say("ask.title", question=shorten(text))
    if (listed := _read_list(words, text)) and listed.groups:
        return Page(title, [], [Block([Line(_group_line(words, listed))])])
    if listed:
        cards, query = listed.cards(words), parse_query(words.database, listed.query)
        fields = columns_of(words.database, query, listed.sort, ())
        page = cards_page(words, cards, len(cards), fields, written(query))
        return page._replace(title=_count_of(words, cards)) if listed.counts else page
    if (judged := _judged(words, text)) is None:
        return None
    asked, (verdict, lines) = judged
    links = links_to_cards(words, [*dict(asked.hand), *asked.foes])
    whole = _whole(words, verdict, lines)
    told = [line._replace(text=text, links=links) for line, text in zip(lines, whole, strict=True)]
    return Page(title, [], [Block(told)])


def _count_of(words: Language, cards: Sequence[Card]) -> str:
    """How many cards these are, and if there are several of one, how many copies in all boxes."""
    number, copies = words.say("card.list.count", n=len(cards)), sum(card.count for card in cards)
    return number if copies == len(cards) else words.say("card.list.copies", cards=number, n=copies)


def _group_line(words: Language, listed: ListQuery) -> str:
    """How many families or types the cards are of, and which."""
    cards, of_hero = listed.cards(words), "kind:hero" in listed.query
    if listed.groups == "type" and of_hero:
        found = dict.fromkeys(
            words.say_or(each, "card.type.") for card in cards for each in card.types if each != "hero"
        )
    else:
        found = dict.fromkeys(words.family(card.family) for card in cards if card.family)
    return f"{len(found)}: {', '.join(found)}."


def _answer_of_list(words: Language, listed: ListQuery) -> dict[str, Any]:
    """What is said to a question for cards, in the form of an answer: their names, or how many they are."""
    cards, kind = listed.cards(words), "count" if listed.counts else "list"
    tongues = [Language(words.database, code) for code in words.database.languages]
    said = {each.lang: _count_of(each, cards) for each in tongues}
    named = {each.lang: ", ".join(each.card(card.id) for card in cards) for each in tongues}
    texts = {code: f"{said[code]}: {named[code]}." if listed.counts else f"{named[code]}." for code in said}
    texts = {each.lang: _group_line(each, listed) for each in tongues} if listed.groups else texts
    ids = [card.id for card in cards]
    return {"kind": kind, "verdict": None, "text": texts, "rules": [], "cards": ids, "query": listed.query}


def _read_list(words: Language, text: str) -> ListQuery | None:
    """The query that a question is; None if it is none, or names the very cards that a verdict is about."""
    listed = read_list(words, text)
    asked = reader(words).situation(text) if listed else None
    return None if asked and (asked.asked in _OF_NAMED or asked.amounts) else listed


def _judged(words: Language, text: str) -> tuple[Situation, tuple[str | None, list[Line]]] | None:
    """The situation a question is about, and what is said of it; None for another question, or what cannot be."""
    alone = name_alone(words.database, text)
    asked = shown_card(alone.hit.id) if alone else reader(words).situation(text)
    with suppress(ThunderrefError):  # a Horde card without a number, nine Polearms
        if asked and (told := _Judge(words, asked).tell())[1]:
            return asked, told
    return None


def _whole(words: Language, verdict: str | None, lines: list[Line]) -> list[str]:
    """The sentences, the verdict before the first."""
    first, *more = (line.text for line in lines)
    return [f"{words.say(f'ask.verdict.{verdict}')} {first}" if verdict else first, *more]


class _Judge:
    """A situation in a language, put before the engine."""

    def __init__(self, words: Language, asked: Situation) -> None:
        self.words, self.asked, self.cards = words, asked, words.database.cards
        self.hand = [card for card, n in asked.hand for _ in range(n)]
        self.points, self.amounts = dict(asked.points), dict(asked.amounts)

    @cached_property
    def pairs(self) -> Any:
        """What puts positions before the engine, which not every question needs."""
        from thunderref.thunderstone.resolve import pairs

        return pairs

    def tell(self) -> tuple[str | None, list[Line]]:
        """The verdict, if the question asks for one, and the sentences, each with its rules as a note."""
        verdict, lines = getattr(self, f"_{self.asked.asked}")()
        return verdict, [*dict.fromkeys(lines)]

    def _fight(self, hand: Sequence[str], foe: str = "", goal: str = "max", rank: int | None = None) -> Any:
        """The best line of a hand; what a hand gives against any monster is judged with enough Light."""
        plain = self.pairs.plain_monster(self.words)
        points = self._lit()[0] if foe not in ("", plain) else {"light": self.pairs.ENOUGH_LIGHT}
        return self.pairs.fight(self.words, hand, foe or plain, rank or self.asked.rank, points, goal)

    def _say(self, key: str, rules: str = "", **params: Any) -> Line:
        return Line(self.words.say(f"pair.{key}", **params), note=rules)

    def _name(self, card: str) -> Any:
        return self.words.card(card)

    @property
    def _only(self) -> Card:
        return self.cards[(*dict(self.asked.hand), *self.asked.foes)[0]]

    def _price(self) -> tuple[str | None, list[Line]]:
        """Whether the gold named is enough for a card, and what else it takes to buy it."""
        card, gold = self._only, max(self.amounts.values(), default=0)
        affordable = card.cost is not None and card.cost <= gold
        top = [self._say("top", "R3.3", card=self._name(card.id))] if affordable and (card.level or 0) > 1 else []
        return ("yes" if affordable else "no"), [self._figure(card, "cost"), *top]

    def _purchases(self) -> tuple[str | None, list[Line]]:
        """How many cards may be bought after the village effects of a hand."""
        from thunderref.thunderstone.resolve.visit import visit

        bought = visit({"hand": self.hand}, words=self.words).buys
        return None, [self._say("purchases", "R3.3", n=bought)]

    def _next_level(self) -> tuple[str | None, list[Line]]:
        """Whether a hero can level up, into whom and for how much XP."""
        card, *others = (self.cards[each] for each in (*dict(self.asked.hand), *self.asked.foes))
        if not card.is_hero:
            return "no", self._types_of(card)
        if card.level_cost is None:
            return "no", [self._say("top-level", "R3.5", card=self._name(card.id))]
        family = [each for each in self.cards.values() if card.family and each.family == card.family]
        to = [each.id for each in family if each.level == (card.level or 0) + 1]
        key, into = ("next-level", {"next": self._name(to[0])}) if card.level else ("first-level", {})
        line = self._say(key, "R3.5", card=self._name(card.id), n=card.level_cost, **into)
        enough = card.level_cost <= self.amounts.get("xp", card.level_cost)
        fits = all(each.id in to if card.level else each.level == 1 for each in others)
        return (("yes" if enough and fits else "no") if self.asked.yes_no or self.amounts else None), [line]

    def _reaches(self) -> tuple[str | None, list[Line]]:
        """Whether an effect of the first card destroys, discards or takes the second one out of the hand."""
        card, other = (*dict(self.asked.hand), *self.asked.foes)
        reached = self.pairs.reaches(self.words, card, other)
        return ("yes" if reached else "no"), [*self._texts(card), *self._types_of(self.cards[other])]

    def _value(self) -> tuple[str | None, list[Line]]:
        figures = {figure: getattr(self._only, figure) or 0 for figure in self.asked.figures}
        values = [self._figure(self._only, figure) for figure in figures]
        changing = [
            Line(text)
            for effect, text in self._effects(self._only.id)
            if effect.timing != "trophy" and any(getattr(op, "stat", "") in figures for op in effect.do)
        ]
        agrees = figures == self.amounts if self.amounts else any(figures.values())
        asked = self.amounts or (self.asked.yes_no and len(figures) == 1 and "vague" not in self.asked.said)
        # An ability may make true what is not printed.
        verdict = None if not asked or (changing and not agrees) else "yes" if agrees else "no"
        return verdict, [*values, *changing]

    def _effect(self) -> tuple[str | None, list[Line]]:
        """What the abilities of a card do, those of a time alone if it is asked for, and what is printed on it."""
        card, timings = self._only, {"breach", "trophy"} & self.asked.said
        told = [(effect, text) for effect, text in self._effects(card.id) if not timings or effect.timing in timings]
        gives = [each for each in (*_GIVEN, "gold") if getattr(card, each) and not timings]
        values = [self._figure(card, each) for each in self.asked.figures or gives]
        lines = [*(self._timed(card, *each) for each in told), *values]
        return None, lines or [self._say("values", figure=self._name(card.id), values=self._sort(card))]

    def _timed(self, card: Card, effect: Any, text: str) -> Line:
        timing = "" if card.kind == "disease" else f", {self.words.say(f'card.timing.{effect.timing}')}"
        label = f"{self._name(card.id)}{timing}"
        return self._say("values", " ".join(effect.rules), figure=label, values=text.rstrip("."))

    def _figure(self, card: Card, figure: str) -> Line:
        value, label = getattr(card, figure), self.words.say(f"card.figure.{figure}")
        key, more = ("lacks", {"sort": self._sort(card)}) if value is None else ("value", {"value": value})
        return Line(self.words.say(f"fact.{key}", card=self._name(card.id), figure=label, **more))

    def _sort(self, card: Card) -> str:
        """What a card is: its kind, and its types."""
        kind, types = self.words.say(f"card.kind.{card.kind}"), self._type_line(card)
        return f"{kind}, {types}" if types and types.casefold() != kind.casefold() else kind

    def _kind(self) -> tuple[str | None, list[Line]]:
        card, values = self._only, self.asked.kinds
        fits = [value in card.types or value == card.kind or (value == "hero" and card.is_hero) for value in values]
        figures = [each for each in self.asked.figures if getattr(card, each)]
        lines = [self._figure(card, each) for each in figures] if not any(fits) else []
        verdict = "yes" if all(fits) or figures else "no" if not any(fits) or self.asked.yes_no else None
        return verdict, lines or self._types_of(card)

    def _types_of(self, card: Card) -> list[Line]:
        return [Line(self.words.say("fact.sort", card=self._name(card.id), sort=self._sort(card)))]

    def _types(self) -> tuple[str | None, list[Line]]:
        return None, self._types_of(self._only)

    def _box(self) -> tuple[str | None, list[Line]]:
        return self._copies()

    def _copies(self) -> tuple[str | None, list[Line]]:
        return None, [self._copies_of(self.cards[card]) for card in self._levels_of(self._only.id)]

    def _copies_of(self, card: Card) -> Line:
        words, same = self.words, [each for each in self.cards.values() if card.id in (each.id, each.reprint_of)]
        boxes = ", ".join(f"{words.set_name(each.set_id)} {words.say('card.copies', n=each.count)}" for each in same)
        return Line(words.say("fact.copies", card=self._name(card.id), boxes=boxes))

    def _trophy(self) -> tuple[str | None, list[Line]]:
        card = self._only
        told = [each for each in self._effects(card.id) if each[0].timing == "trophy"]
        label = self.words.say("card.timing.trophy")
        if told:
            return None, [self._timed(card, *each) for each in told]
        more = {"figure": label, "sort": self._sort(card)}
        return "no", [Line(self.words.say("fact.lacks", card=self._name(card.id), **more))]

    def _compare(self) -> tuple[str | None, list[Line]]:
        cards = [self.cards[card] for card in (*dict(self.asked.hand), *self.asked.foes)]
        asked = [each for each in self.asked.figures if each in FIGURES]
        asked += [_HITTING[1 - _HITTING.index(each)] for each in asked if each in _HITTING]
        others = [*_HITTING, *(each for each in FIGURES if each not in _HITTING)]
        shown = [each for each in dict.fromkeys(asked or others) if each in asked or self._differs(cards, each)]
        texts = [self._text_of(card) for card in cards if not asked and len(cards) <= _SIDE]
        values = [self._of_each(cards, each) for each in shown]
        return None, [*values, *filter(None, texts)] or [self._say("same")]

    def _differs(self, cards: list[Card], figure: str) -> bool:
        return len({self._worth(card, figure) for card in cards}) > 1

    def _worth(self, card: Card, figure: str) -> int | None:
        """The value printed on a card, or what the card gives without a hero by an ability."""
        printed: int | None = getattr(card, figure)
        if self.asked.rank and figure in _HITTING and card.is_hero:
            return self._adds(card.id, [], self.pairs.plain_monster(self.words))[_GIVEN.index(figure)] or None
        by_ability = figure in self.words.database.derived(gifts).get(card.id, ()) and figure in _GIVEN
        if printed is not None or not by_ability or card.is_hero or "weapon" in card.types:
            return printed
        return self._adds(card.id, [], self.pairs.plain_monster(self.words))[_GIVEN.index(figure)] or None

    def _of_each(self, cards: list[Card], figure: str) -> Line:
        ranked = sorted(((self._worth(card, figure), card) for card in cards), key=lambda pair: -(pair[0] or 0))
        values = ", ".join(f"{self._name(card.id)} {value or '–'}" for value, card in ranked)
        return self._say("values", figure=self.words.say(f"card.figure.{figure}"), values=values)

    def _text_of(self, card: Card) -> Line | None:
        types = [f"{self._type_line(card)}."] if len({self.cards[each].types for each in self.hand}) > 1 else []
        told = " ".join((*types, *(line.text for line in self._texts(card.id))))
        return self._say("values", figure=self._name(card.id), values=told.rstrip(".")) if told else None

    def _destroys(self) -> tuple[str | None, list[Line]]:
        foe, heroes = self.asked.foes[0], [card for card in self.hand if self.cards[card].is_hero]
        card, texts = heroes[0], self._texts(foe)
        trap = self.cards[foe].kind == "trap"
        result = None if trap else self._fight(self.hand, foe)
        if result and len(heroes) > 1:
            lost = [each for each in heroes if each in result.destroyed]
            named = self.words.listed(lost) if lost else self.words.say("pair.none")
            return None, [self._say("lost", "R6.3", cards=named), *texts]
        kind = self.words.say("fact.sort", card=self._name(card), sort=self._type_line(self.cards[card]))
        dies = self.pairs.reaches(self.words, foe, card) or (result and card in result.destroyed)
        return ("yes" if bool(dies) != ("survives" in self.asked.said) else "no"), [*texts, Line(kind)]

    def _type_line(self, card: Card) -> str:
        return " • ".join(self.words.say_or(each, "card.type.") for each in card.types)

    def _effects(self, card: str) -> Iterator[tuple[Any, str]]:
        for effect in self.words.database.all_effects.get(card, ()):
            if text := self.words.text(f"card.{card}.{effect.id}"):
                yield effect, text

    def _texts(self, card: str) -> list[Line]:
        told = [(effect, text) for effect, text in self._effects(card) if effect.timing != "trophy"]
        return [Line(text, note=" ".join(effect.rules)) for effect, text in told]

    def _needs(self) -> tuple[str | None, list[Line]]:
        foe, words = self.asked.foes[0], self.words
        if self.hand or self.points or "light" in self.asked.lacks:
            return None, list(self._needed_in_the_dark(foe))
        lines = [needs_line(words, foe), *self._light_needed(foe), *self._texts(foe)]
        if "magic_attack" in self.asked.lacks or (self.asked.yes_no and self.asked.figures == ("attack",)):
            allowed = "attacks" in self.asked.said and not self.asked.wins  # to attack is not to win
            return (None if allowed or self.pairs.least(words, foe, "attack") else "no"), lines
        alone = sole_victors(words, foe, words.database.tonight)
        return None, [*lines, *([self._say("alone", cards=words.listed(alone))] if alone else [])]

    def _needed_in_the_dark(self, foe: str) -> Iterator[Line]:
        """How much is needed with the Light that is named: Attack, or where that never wins Magic Attack."""
        rank, light = self.asked.rank or 1, self.points.get("light", 0)
        stats = [each for each in _HITTING if each in self.asked.figures] or [*_HITTING]
        found = ((each, self.pairs.least(self.words, foe, each, self.hand, rank, light=light)) for each in stats)
        stat, needed = next(((each, n) for each, n in found if n is not None), (stats[0], None))
        if needed is None:
            return
        result = self.pairs.fight(self.words, self.hand, foe, rank, {stat: needed, "light": light})
        unarmed = "weapon" in self.asked.lacks
        armed = None if unarmed else self.pairs.least_armed(self.words, foe, stat, self.hand, rank, light)
        for n, key in ((armed, "armed"), (needed, "unarmed")) if armed and armed < needed else ((needed, "dark"),):
            values = f"{self.words.say(f'stat.{stat}')} {n}"
            yield self._say(f"needs.{key}", "R5.14", card=self._name(foe), rank=rank, light=result.light, values=values)
        yield from (self._line(step) for step in result.steps if "R5.11" in step.rules and step.card)

    def _light_needed(self, foe: str) -> Iterator[Line]:
        rank, more = self.asked.rank or 1, self.cards[foe].light_penalty or 0
        dim, lit = (self.pairs.fight(self.words, [], foe, rank, {"light": rank + more - n}) for n in (1, 0))
        if self.cards[foe].kind != "guardian" and lit.outcome != "barred" and not lit.light_penalty:
            named = {"card": self._name(foe)} if self.asked.foes else {}
            key = "light-barred" if dim.outcome == "barred" else "light" if named else "light-rank"
            yield self._say(key, "R5.11", **named, rank=rank, n=rank + more)

    def _light(self) -> tuple[str | None, list[Line]]:
        foe = self.asked.foes[0] if self.asked.foes else self.pairs.plain_monster(self.words)
        if not self.hand:
            adds = self.asked.foes and self._only.light_penalty and not self.asked.rank
            own = [self._figure(self._only, "light_penalty")] if adds else []
            return None, [*own, *self._light_needed(foe)]
        result = self.pairs.fight(self.words, self.hand, foe, self.asked.rank, {})
        if result.outcome == "barred":
            lines = [*map(self._line, result.steps)]
        else:
            lines = [self._line(step) for step in result.steps if "R5.11" in step.rules and step.card]
        verdict = None if "light_penalty" in self.asked.figures else "no" if result.light_penalty else "yes"
        return verdict, [*lines, *self._light_needed(foe)]

    def _line(self, step: Any) -> Line:
        return Line(step.text, note=" ".join(step.rules))

    def _holds(self) -> tuple[str | None, list[Line]]:
        hero = next(card for card in self.hand if self.cards[card].is_hero)
        by_level = {card: self._held_by(card) for card in self._levels_of(hero)}
        verdicts = {verdict for verdict, _ in by_level.values()}
        if len(verdicts) == 1:
            return next(iter(by_level.values()))
        said = ((card, self.words.say(f"ask.verdict.{verdict or 'yes'}")) for card, (verdict, _) in by_level.items())
        lines = [self._say("level", "R4.3", card=self._name(card), strength=self.cards[card].strength, said=verdict)
                 for card, verdict in said]  # fmt: skip
        return "depends", [*lines, *next(lines for verdict, lines in by_level.values() if verdict != "no")]

    def _levels_of(self, card: str) -> list[str]:
        """The card, or all of the family that is named without a level."""
        family = self.cards[card].family if card == self.asked.family else None
        return [each.id for each in self.cards.values() if family and each.family == family] or [card]

    def _held_by(self, hero: str) -> tuple[str | None, list[Line]]:
        hand = [hero if card == self.asked.family else card for card in self.hand]
        held, lines = self._held(hand)
        weapon = next(card for card in hand if "weapon" in self.cards[card].types)
        strong = (self.cards[weapon].weight or 0) <= (self.cards[hero].strength or 0)
        if len(set(hand)) == 2:
            weighs = {"card": self._name(weapon), "weight": self.cards[weapon].weight}
            lines.insert(0, self._say("weighs", "R4.3", **weighs, hero_card=self._name(hero),
                                      strength=self.cards[hero].strength))  # fmt: skip
        if not held and strong and len(set(hand)) == 2:
            lines.append(self._say("one-each", "R4.3"))
        elif not held and _FOOD not in hand:
            fed, more = self._held([*hand, _FOOD])
            lines.append(self._say(f"fed.{'yes' if fed else 'no'}", "R4.3", card=self._name(_FOOD)))
            lines += more if fed else []
        verdict = "no" if held == ("too-much" in self.asked.said) else "yes"
        return (verdict if self.asked.holds or not held else None), lines

    def _held(self, hand: list[str]) -> tuple[bool, list[Line]]:
        """Whether all the weapons can be held at once, and what is given then."""
        rank = self.asked.rank or (2 if any("bow" in self.cards[card].types for card in hand) else None)
        result = self._fight(hand, rank=rank)
        terms = self._terms(result, [card for card in hand if "weapon" in self.cards[card].types])
        if self.pairs.can_hold(self.words, hand):
            return True, [*terms, self._given(result)]
        return False, [] if len(set(hand)) == 2 else terms

    def _given(self, result: Any) -> Line:
        values = {each: getattr(result, each) for each in _GIVEN}
        values["light"] -= sum(step.light for step in result.steps if step.card == self.pairs.BOON)
        said = [f"{self.words.say(f'stat.{each}')} {n}" for each, n in values.items() if n]
        key = "rank" if self.asked.rank else "together"
        together = ", ".join(said or [f"{self.words.say('stat.attack')} 0"])
        return self._say(key, "R5.7", values=together, rank=self.asked.rank)

    def _total(self) -> tuple[str | None, list[Line]]:
        plain, holder = self.pairs.plain_monster(self.words), self._holder(self.hand[0]) if len(self.hand) == 1 else []
        if holder and "hero" in self.asked.lacks:
            return "no", [self._say("unheld", "R4.3", card=self._name(self.hand[0]))]
        if holder:  # a weapon alone, in any hand
            given = sum(self._adds(self.hand[0], holder, plain)[: len(_HITTING)])
            values = f"{self._name(self.hand[0])} {given}"
            said = self._say("rank", "R5.7", values=values, rank=self.asked.rank)
            return ("yes" if given else "no"), [said, *self._texts(self.hand[0])]
        result = self._fight(self.hand)
        card = self.hand[0]
        together = [self._given(result)] if len(self.hand) > 1 or self.asked.rank else []
        lines = [*together, *self._terms(result, self.hand)]
        works = self.pairs.usable(self.words, self.hand, card)
        if len(self.hand) == len({*self.hand}) == 2 and "works" in self.asked.said and not self.asked.figures:
            return self._helps(result, *self.hand), [*lines, *self._texts(card)]
        if len({*self.hand}) > 1 or not {*self.asked.lacks} - {*_GIVEN, "strength"}:
            return None, lines
        for effect, text in self._effects(card):
            if effect.timing.endswith("dungeon"):
                lines.append(self._say("usable" if effect in works else "unusable", text=text))
        gives = any(step.attack or step.magic_attack or step.light for step in result.steps if step.card == card)
        return ("yes" if works or gives else "no"), lines

    def _helps(self, result: Any, card: str, hero: str) -> str | None:
        """Whether a card raises the Strength or the attack of a hero; None if it is not there to help heroes."""
        card, hero = (hero, card) if self.cards[card].is_hero and not self.cards[hero].is_hero else (card, hero)
        effects = self.words.database.all_effects.get(card, ())
        given = (op for each in effects for op in each.do if isinstance(op, Bonus) and op.to != "self")
        helping = {op.stat for op in given}
        if not helping or not self.cards[hero].is_hero or "counted" in self.asked.said:
            return None
        alone = (self._fight([each]) for each in (card, hero))
        more = result.attack + result.magic_attack - sum(each.attack + each.magic_attack for each in alone)
        stronger = "strength" in helping and any(self.pairs.usable(self.words, [card, hero], card))
        return "yes" if more > 0 or stronger else "no"

    def _battle(self) -> tuple[str | None, list[Line]]:
        from thunderref.pages.battle_page import sum_reasons
        from thunderref.pages.play_text import sum_line

        foe, hand = self.asked.foes[0], self.hand
        if not self.asked.wins and not self.points and len(hand) == 1:
            return self._alone(hand[0], foe)
        result = self._fight(hand, foe, "win")
        if result.outcome == "defeat":
            result = self._fight(hand, foe)
        if result.outcome == "barred":
            return "no", [*map(self._line, result.steps)]
        judged = self.asked.wins or self.points or not (self.asked.figures or {"works", "attacks"} & self.asked.said)
        verdict = ("yes" if result.outcome == "victory" else "no") if judged else None
        told = sum_line(result, self.words).replace(self.pairs.BOON, self.words.say("pair.given"))
        summed = Line(told, note="R5.12")
        reasons = [*sum_reasons(result, self.words), *self._terms(result, hand), *self._done(result)]
        return verdict, [summed, *reasons, *(self._light_needed(foe) if self._lit()[1] else [])]

    def _lit(self) -> tuple[dict[str, int], bool]:
        """What the hand gives besides its cards; enough Light where the question leaves Light and rank aside."""
        lit = not (self.asked.rank or "light" in self.points or any(self.cards[card].light for card in self.hand))
        return ({"light": self.pairs.ENOUGH_LIGHT} if lit else {}) | self.points, lit

    def _alone(self, card: str, foe: str) -> tuple[str | None, list[Line]]:
        """What one card gives against a monster, and whether it is what the card gives against any."""
        from thunderref.pages.battle_page import sum_reasons

        holder, plain = self._holder(card), self.pairs.plain_monster(self.words)
        if not holder and not any(self._adds(card, [], plain)):
            holder = [_MILITIA]  # whom it may help
        result = self._fight([*holder, card], foe)
        if result.outcome == "barred":
            return "no", [*map(self._line, result.steps)]
        if "attacks" in self.asked.said and not (self.asked.figures or holder or self.cards[card].is_hero):
            barred = [self._line(step) for step in result.steps if "R5.1" in step.rules]
            return "yes", [*barred, *self._texts(foe)]  # to have a card is not to use it
        given, usual = (self._adds(card, holder, each) for each in (foe, plain))
        texts = [] if given == usual else self._texts(foe)
        held = not self._holder(card) or any("equip" in step for step in result.line)
        terms = self._terms(result, [card]) if held else []
        reasons = [*sum_reasons(result, self.words), *terms]
        asks = self.asked.yes_no or {"works", "attacks"} & self.asked.said
        same = ("yes" if asks and reasons else None) if given == usual else "no" if not sum(given[:2]) else None
        verdict = same if any(usual) else None
        if not (reasons or any(usual)):
            return None, []  # what else the card does is not told by a sum
        reasons = reasons or [Line(self.words.say("sum.nothing") + ".")]
        return verdict, [*reasons, *self._done(result), *texts]

    def _adds(self, card: str, holder: list[str], foe: str) -> tuple[int, ...]:
        """What a card adds to the hero who holds it, or gives alone, against a monster."""
        with_it, without = (
            self.pairs.fight(self.words, hand, foe, self.asked.rank, {"light": self.pairs.ENOUGH_LIGHT})
            for hand in ([*holder, card], holder)
        )
        return tuple((getattr(with_it, stat) or 0) - (getattr(without, stat) or 0) for stat in _GIVEN)

    def _terms(self, result: Any, cards: Collection[str]) -> list[Line]:
        """What these cards give in a battle, each with its reason."""
        return [self._line(step) for step in result.steps if step.part == "sum" and step.card in cards]

    def _drops(self) -> tuple[str | None, list[Line]]:
        """Whether a weapon falls from a hand, or is still held."""
        result = self._fight(self.hand, self.asked.foes[0])
        weapons = [card for card in self.hand if "weapon" in self.cards[card].types]
        held = any(step.attack or step.magic_attack for step in result.steps if step.card in weapons)
        terms = [
            *self._terms(result, weapons),
            *self._terms(result, [card for card in self.hand if card not in weapons]),
        ]
        return ("yes" if held == ("stays" in self.asked.said) else "no"), [*terms, self._given(result)]

    def _bonus(self) -> tuple[str | None, list[Line]]:
        """Whether a hero, or what the hero holds, gives more than is printed on the card."""
        far = not self.asked.foes and any("archer" in self.cards[card].types for card in self.hand)
        foe, rank = next(iter(self.asked.foes), ""), 2 if far and not self.asked.rank else None
        result = self._fight(self.hand, foe, rank=rank)
        given = {
            card: sum(
                step.attack + step.magic_attack
                for step in result.steps
                if step.part == "sum" and step.card == card and step.attack + step.magic_attack > 0
            )
            for card in self.hand
        }
        more = any(
            given[card] > (self.cards[card].attack or 0) + (self.cards[card].magic_attack or 0) for card in given
        )
        texts = [] if more else [line for card in dict.fromkeys(self.hand) for line in self._texts(card)]
        return ("yes" if more else "no"), [*texts, *self._terms(result, self.hand), self._given(result)]

    def _each(self) -> tuple[str | None, list[Line]]:
        """What each hero alone comes to against a monster, and who is lost."""
        from thunderref.pages.play_text import sum_line

        foe, lines = self.asked.foes[0], list[Line]()
        for card in self.hand:
            result = self._fight([card], foe)
            lines += [
                Line(
                    sum_line(result, self.words).replace(self.pairs.BOON, self.words.say("pair.given")) + ".",
                    note="R5.12",
                )
            ]
            lines += [self._say("lost", "R6.3", cards=self._name(card))] if card in result.destroyed else []
        return None, [*lines, *self._texts(foe)]

    def _done(self, result: Any) -> list[Line]:
        """What the monster does."""
        return [self._line(step) for step in result.steps if step.part == "battle" and "R5.1" not in step.rules]

    def _holder(self, weapon: str) -> list[str]:
        """The cheapest level 1 hero who is strong enough for a weapon, nobody for another card."""
        if "weapon" not in self.cards[weapon].types:
            return []
        weight = self.cards[weapon].weight or 0
        able = [card for card in self.cards.values() if card.level == 1 and (card.strength or 0) >= weight]
        return [min(able, key=lambda card: card.cost or 0).id] if able else []


def needs_line(words: Language, foe: str) -> Line:
    """What it takes to beat a monster without light penalty, found by the engine."""
    from thunderref.thunderstone.resolve.pairs import least

    attack, magic = (least(words, foe, stat) for stat in _HITTING)
    one = least(words, foe, "attack", magic_attack=1)
    key, both = "both", None if one is None else one + 1
    if attack == magic:
        key = "any"
    elif magic is None:
        key = "attack"
    elif attack is None:
        key = "magic" if both is None else "one"
    needed = {"n": both if key == "one" else magic if key == "magic" else attack, "magic": magic, "both": both}
    return Line(words.say(f"pair.needs.{key}", card=words.card(foe), **needed), note="R5.14")


def sole_victors(words: Language, foe: str, cards: Collection[str]) -> list[str]:
    """The heroes of these cards who beat a monster alone, with enough Light."""
    from thunderref.thunderstone.resolve.pairs import ENOUGH_LIGHT, fight

    heroes = (card for card in cards if words.database.cards[card].is_hero)
    return [card for card in heroes if fight(words, [card], foe, None, {"light": ENOUGH_LIGHT}).outcome == "victory"]
