"""Judge the situation that a question is about: what is printed on a card, or what the engine says.

A judgement is a verdict, if the question asks for one, and the sentences that say why, in one language. The engine
judges small positions (:mod:`.pairs`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

from thunderref.database.card_records import Card
from thunderref.database.operations import Bonus, Effect
from thunderref.database.paths import FIGURES
from thunderref.database.read import Language
from thunderref.errors import ThunderrefError
from thunderref.search.doings import gifts
from thunderref.search.situations import TIMES, Asked, Situation
from thunderref.thunderstone.resolve import pairs
from thunderref.thunderstone.resolve.pairs import BOON, ENOUGH_LIGHT, fight, least
from thunderref.thunderstone.resolve.report import sum_line, sum_reasons
from thunderref.thunderstone.resolve.result import ResultStep, TargetResult
from thunderref.thunderstone.resolve.start import require_judged
from thunderref.thunderstone.resolve.visit import visit

YesOrNo = Literal["yes", "no", "depends"]
_BLOWS = ("attack", "magic_attack")
_GIVEN = (*_BLOWS, "light")
"""What a card may give in a battle."""
_FOOD, _MILITIA = "iron-rations", "militia"
"""What every table has to raise a hero's Strength, and whom."""
_FAR = 2
"""Rank against which bows and archers are at their best, where the question names none."""
_BY_PRINT = frozenset((
    "value", "kind", "types", "box", "copies", "trophy", "effect", "price", "next_level", "compare", "added",
))  # fmt: skip
"""Questions that the print of a card answers, whatever the card does."""
_MOST_COPIES = 20
"""More copies of a card than a hand ever has."""
_MOST_TEXTS = 3
"""Most cards that are compared with their texts, too."""


class Statement(NamedTuple):
    """A sentence of a judgement, and the ids of the rules that it rests on."""

    text: str
    rules: tuple[str, ...] = ()


class Judgement(NamedTuple):
    """The verdict on a situation, None if it wants none, and the sentences that say why, the verdict first."""

    verdict: YesOrNo | None
    sentences: list[Statement]


def judge_situation(words: Language, situation: Situation) -> Judgement | None:
    """Return the judgement; None if nothing is to be said, or if no table can look so (a Horde without a number)."""
    cards = {*dict(situation.hand), *situation.foes}
    unjudged = words.database.unjudged & cards
    if unjudged and situation.asked not in _BY_PRINT:
        require_judged(words.database, sorted(unjudged))
    with suppress(ThunderrefError):
        verdict, statements = _METHODS[situation.asked](_Judge(words, situation))
        if unjudged and verdict == "no" and situation.asked == "value":
            statements = []  # what is not printed may be given by what the card does
        if situation.amount:
            verdict = None  # "how much" is answered by a number
        if statements:
            first, *more = dict.fromkeys(statements)
            sentence = f"{words.say(f'ask.verdict.{verdict}')} {first.text}" if verdict else first.text
            return Judgement(verdict, [first._replace(text=sentence), *more])
    return None


def needed_points(words: Language, foe: str) -> Statement:
    """Return what it takes to beat a monster without light penalty, found by the engine."""
    attack, magic = (least(words, foe, stat) for stat in _BLOWS)
    one = least(words, foe, "attack", magic_attack=1)
    both = None if one is None else one + 1
    key = "attack" if magic is None else "both" if attack and attack > magic else "halved"
    if attack is None or attack == magic:
        key = "any" if attack == magic else "magic" if both is None else "one"
    needed = {"n": both if key == "one" else magic if key == "magic" else attack, "magic": magic, "both": both}
    return Statement(words.say(f"pair.needs.{key}", card=words.card(foe), **needed), ("R5.14",))


def sole_victors(words: Language, foe: str, cards: Collection[str]) -> list[str]:
    """Return the heroes of these cards who beat a monster alone, with enough Light."""
    heroes = (card for card in cards if words.database.cards[card].is_hero and words.database.cards[card].judged)
    return [card for card in heroes if fight(words, [card], foe, None, {"light": ENOUGH_LIGHT}).outcome == "victory"]


_Finding = tuple[YesOrNo | None, list[Statement]]


class _Judge:
    """A situation in a language, with a method for each kind of question."""

    def __init__(self, words: Language, situation: Situation) -> None:
        self.words, self.asked, self.cards = words, situation, words.database.cards
        self.hand = [card for card, n in situation.hand for _ in range(n)]
        self.plain = pairs.plain_monster(words)
        self.named = [self.cards[card] for card in (*dict(situation.hand), *situation.foes)]
        self.card, self.foe = self.named[0] if self.named else self.cards[self.plain], next(iter(situation.foes), "")
        self.heroes = [card for card in self.hand if self.cards[card].is_hero]
        self.weapons = [card for card in self.hand if "weapon" in self.cards[card].types]
        self.points, self.amounts = dict(situation.points), dict(situation.amounts)

    def price(self) -> _Finding:
        """Whether the gold named is enough for a card, and what else it takes to buy it."""
        affordable = self.card.cost is not None and self.card.cost <= max(self.amounts.values(), default=0)
        top = [self._say("pair.top", "R3.3", card=self.card)] if affordable and (self.card.level or 0) > 1 else []
        return _yes_if(affordable), [self._figure_of("cost"), *top]

    def next_level(self) -> _Finding:
        """Whether a hero can level up, into whom and for how much XP."""
        card, *others = self.named
        if not card.is_hero:
            return "no", [self._sort_of(card)]
        if card.level_cost is None:
            return "no", [self._say("pair.top-level", "R3.5", card=card)]
        family = [member for member in self.cards.values() if card.family and member.family == card.family]
        to = [member for member in family if member.level == (card.level or 0) + 1]
        key, into = ("next-level", {"next": to[0]}) if card.level else ("first-level", {})
        sentences, total = [self._say(f"pair.{key}", "R3.5", card=card, n=card.level_cost, **into)], card.level_cost
        if (copies := self.hand.count(card.id)) > 1:
            total *= copies
            sentences.append(self._say("pair.levels", "R3.5", n=copies, cost=card.level_cost, total=total))
        xp = self.amounts.get("xp", total)
        if copies > 1 and (able := xp // card.level_cost) in range(1, copies):
            sentences.append(self._say("pair.levels-some", "R3.5", xp=xp, n=able))
        enough = total <= xp
        fits = all(member in to if card.level else member.level == 1 for member in others)
        return (_yes_if(enough and fits) if self.asked.yes_no or self.amounts else None), sentences

    def value(self) -> _Finding:
        """The values of a card, and the abilities that change them."""
        figures = {figure: getattr(self.card, figure) or 0 for figure in self.asked.figures}
        values = [self._figure_of(figure) for figure in figures]
        changing = [
            Statement(text)
            for effect, text in self._effects(self.card)
            if effect.timing != "trophy" and any(getattr(op, "stat", "") in figures for op in effect.do)
        ]
        agrees = figures == self.amounts if self.amounts else any(figures.values())
        asks = self.amounts or (self.asked.yes_no and len(figures) == 1 and "vague" not in self.asked.said)
        # An ability may make true what is not printed.
        return (None if not asks or (changing and not agrees) else _yes_if(agrees)), [*values, *changing]

    def effect(self) -> _Finding:
        """What the abilities of a card do, those of a time alone if one is named, and what is printed on it."""
        card, is_trophy = self.card, self.asked.asked == "trophy"
        timings = {"trophy"} if is_trophy else {"trophy", *TIMES} & self.asked.said
        statements = [*self._timed(timings), *map(self._figure_of, self.asked.figures)]
        if not (timings or self.asked.figures) and self.words.figures(card.id):
            statements.append(self._labelled(self.words.card(card.id), self.words.figures(card.id)))
        if timings and not statements:
            return "no", [self._lacks(self.words.say(f"card.timing.{timing}")) for timing in sorted(timings)]
        return None, statements or [self._labelled(self.words.card(card.id), self._sort(card))]

    def kind(self) -> _Finding:
        """Whether a card is of the kinds or types named, or of which it is."""
        card, values = self.card, self.asked.kinds
        if self.asked.asked == "types":
            return None, [self._sort_of(card)]
        fits = [value in card.types or value == card.kind or (value == "hero" and card.is_hero) for value in values]
        figures = [figure for figure in self.asked.figures if getattr(card, figure)]
        sentences = [] if any(fits) else [self._figure_of(figure) for figure in figures]
        verdict = _yes_if(all(fits) or figures) if all(fits) or figures or not any(fits) or self.asked.yes_no else None
        return verdict, sentences or [self._sort_of(card)]

    def copies(self) -> _Finding:
        """How many copies of a card, or of each of a family, are in which boxes."""
        words, statements = self.words, list[Statement]()
        for card in self._levels_of(self.card.id):
            same = (copy for copy in self.cards.values() if card in (copy.id, copy.reprint_of))
            boxes = (words.say("card.copies-in", n=copy.count, set=words.set_name(copy.set_id)) for copy in same)
            statements.append(self._say("fact.copies", card=self.cards[card], boxes=", ".join(boxes)))
        return None, statements

    def _say(self, key: str, *rules: str, **params: object) -> Statement:
        """A sentence with these rules; a card among the parameters stands for its name."""
        texts = {
            name: self.words.card(value.id) if isinstance(value, Card) else value for name, value in params.items()
        }
        return Statement(self.words.say(key, **texts), rules)

    def _labelled(self, label: str, values: str, *rules: str) -> Statement:
        return self._say("pair.values", *rules, figure=label, values=values)

    def _figure_of(self, figure: str) -> Statement:
        """The value printed on the card in question, or what the card is that has none."""
        value, label = getattr(self.card, figure), self.words.say(f"card.figure.{figure}")
        if value is None:
            return self._lacks(label)
        return self._say("fact.value", card=self.card, figure=label, value=value)

    def _lacks(self, label: str) -> Statement:
        return self._say("fact.lacks", card=self.card, figure=label, sort=self._sort(self.card))

    def _sort(self, card: Card) -> str:
        """What a card is: its kind, and its types."""
        kind, types = self.words.say(f"card.kind.{card.kind}"), self._type_line(card)
        return f"{kind}, {types}" if types and types.casefold() != kind.casefold() else kind

    def _sort_of(self, card: Card) -> Statement:
        return self._say("fact.sort", card=card, sort=self._sort(card))

    def _type_line(self, card: Card) -> str:
        return " • ".join(self.words.card_type(kind) for kind in card.types)

    def _effects(self, card: Card) -> Iterator[tuple[Effect, str]]:
        for effect in self.words.database.all_effects.get(card.id, ()):
            if text := self.words.text(card.text_key(effect.id)):
                yield effect, text

    def _timed(self, timings: Collection[str]) -> list[Statement]:
        """What the abilities of the card do at these times, at any if none is named, each with its time."""
        name, sentences = str(self.words.card(self.card.id)), list[Statement]()
        for effect, text in self._effects(self.card):
            if not timings or effect.timing in timings:
                timing = "" if self.card.kind == "disease" else f", {self.words.say(f'card.timing.{effect.timing}')}"
                sentences.append(self._labelled(f"{name}{timing}", text.rstrip("."), *effect.rules))
        return sentences

    def _texts(self, card: str) -> list[Statement]:
        effects = [(effect, text) for effect, text in self._effects(self.cards[card]) if effect.timing != "trophy"]
        return [Statement(text, tuple(effect.rules)) for effect, text in effects]

    def _levels_of(self, card: str) -> list[str]:
        """The card, or all of the family that is named without a level."""
        family = self.cards[card].family if card == self.asked.family else None
        return [member.id for member in self.cards.values() if family and member.family == family] or [card]

    def compare(self) -> _Finding:
        """The values in which cards differ, the highest first, and their texts where no value is in question."""
        figures = [figure_name for figure_name in self.asked.figures if figure_name in FIGURES]
        figures += [_BLOWS[1 - _BLOWS.index(figure_name)] for figure_name in figures if figure_name in _BLOWS]
        sentences = list[Statement]()
        for figure in dict.fromkeys(figures or (*_BLOWS, *FIGURES)):
            worth = ((self._worth(card, figure), card) for card in self.named)
            values = sorted(worth, key=lambda pair: -(pair[0] or 0))
            if figures or len({n for n, _ in values}) > 1:
                listed = ", ".join(f"{self.words.card(card.id)} {n or '–'}" for n, card in values)
                sentences.append(self._labelled(self.words.say(f"card.figure.{figure}"), listed))
        if not figures and len(self.named) <= _MOST_TEXTS:
            typed = len({self.cards[card].types for card in self.hand}) > 1
            for card in self.named:
                texts = [f"{self._type_line(card)}."] if typed else []
                texts += [text for text, _ in self._texts(card.id)]
                sentences += [self._labelled(self.words.card(card.id), " ".join(texts).rstrip("."))] if texts else []
        return None, sentences or [self._say("pair.same")]

    def _worth(self, card: Card, figure: str) -> int | None:
        """The value printed on a card, or what the card gives without a hero by an ability."""
        printed: int | None = getattr(card, figure)
        ranked = self.asked.rank and figure in _BLOWS and card.is_hero
        by_ability = figure in _GIVEN and figure in self.words.database.derived(gifts).get(card.id, ())
        if not ranked and (printed is not None or not by_ability or card.is_hero or "weapon" in card.types):
            return printed
        return self._adds(card.id, [], self.plain)[_GIVEN.index(figure)] or None

    def added(self) -> _Finding:
        """A value printed on several cards, and their sum; nothing where others change it (Horde)."""
        (figure,) = self.asked.figures
        counts = {**dict.fromkeys(self.asked.foes, 1), **dict(self.asked.hand)}
        if figure == "vp" and any("horde" in card.types for card in self.named):
            return None, []
        worth = {card: getattr(self.cards[card], figure) or 0 for card in counts}
        terms = (f"{f'{n} × ' if n > 1 else ''}{self.words.card(card)} {worth[card]}" for card, n in counts.items())
        total = sum(n * worth[card] for card, n in counts.items())
        return None, [self._labelled(self.words.say(f"card.figure.{figure}"), f"{' + '.join(terms)} = {total}")]

    def reaches(self) -> _Finding:
        """Whether an effect of the first card destroys, discards or takes the second one out of the hand."""
        card, other = self.named
        return _yes_if(pairs.reaches(self.words, card.id, other.id)), [*self._texts(card.id), self._sort_of(other)]

    def purchases(self) -> _Finding:
        """How many cards may be bought after the village effects of a hand."""
        return None, [self._say("pair.purchases", "R3.3", n=visit({"hand": self.hand}, words=self.words).buys)]

    def holds(self) -> _Finding:
        """Whether a hero can hold the weapons of the hand, of a family without a level each of its heroes."""
        by_level = {self.cards[card]: self._held_by(card) for card in self._levels_of(self.heroes[0])}
        if len({verdict for verdict, _ in by_level.values()}) == 1:
            return next(iter(by_level.values()))
        sentences = [
            self._say("pair.level", "R4.3", card=card, strength=card.strength,
                      said=self.words.say(f"ask.verdict.{verdict or 'yes'}"))
            for card, (verdict, _) in by_level.items()
        ]  # fmt: skip
        return "depends", [*sentences, *next(more for verdict, more in by_level.values() if verdict != "no")]

    def _held_by(self, hero: str) -> _Finding:
        hand = [hero if card == self.asked.family else card for card in self.hand]
        weapon, strength, alone = self.cards[self.weapons[0]], self.cards[hero].strength, len({*hand}) == 2
        held, sentences = self._held(hand)
        if alone:
            weighs = {"card": weapon, "weight": weapon.weight, "hero_card": self.cards[hero], "strength": strength}
            sentences.insert(0, self._say("pair.weighs", "R4.3", **weighs))
        if not held and alone and (weapon.weight or 0) <= (strength or 0):
            sentences.append(self._say("pair.one-each", "R4.3"))
        elif not held and _FOOD not in hand:
            fed, more = self._held([*hand, _FOOD])
            sentences.append(self._say(f"pair.fed.{_yes_if(fed)}", "R4.3", card=self.cards[_FOOD]))
            sentences += more if fed else []
        return (_yes_if(held != ("too-much" in self.asked.said)) if self.asked.holds or not held else None), sentences

    def _held(self, hand: list[str]) -> tuple[bool, list[Statement]]:
        """Whether all the weapons can be held at once, and what is given then."""
        result = self._fight(hand)
        terms = self._terms(result, self.weapons)
        if pairs.can_hold(self.words, hand):
            return True, [*terms, self._given(result)]
        return False, [] if len({*hand}) == 2 else terms

    def drops(self) -> _Finding:
        """Whether a weapon falls from a hand, or is still held."""
        result = self._fight(self.hand, self.foe)
        held = any(step.attack or step.magic_attack for step in result.steps if step.card in self.weapons)
        terms = [*self._terms(result, self.weapons), *self._terms(result, {*self.hand} - {*self.weapons})]
        return _yes_if(held == ("stays" in self.asked.said)), [*terms, self._given(result)]

    def battle(self) -> _Finding:
        """Whether a hand beats a monster, and the sum."""
        foe, hand = self.foe, self.hand
        if self.asked.holds and self.heroes and self.weapons and not (self.asked.wins or self.points):
            return self.holds()  # whoever is fought
        if self.asked.amount and len(hand) == 1 and not self.asked.figures:
            return None, self._enough_copies(hand[0])
        works = self.heroes or not self.weapons  # without a hero a weapon gives nothing
        alone = self.asked.said - {"either"} or self.asked.figures or self.asked.lacks or not works
        if not self.asked.wins and not self.points and len(hand) == 1 and alone:
            return self._alone(hand[0])
        result = self._fight(hand, foe, "win")
        if result.outcome == "defeat":
            result = self._fight(hand, foe)
        if result.outcome == "barred":
            return "no", [*map(_told, result.steps)]
        judged = self.asked.wins or self.points or not (self.asked.figures or {"works", "attacks"} & self.asked.said)
        if not (judged and (self.asked.wins or self.points or self.asked.yes_no)) and not self._gives(result):
            return None, []  # nobody fights: what the cards do to each other is in the texts
        sentences = [self._sum(result), *map(_told, sum_reasons(result, self.words))]
        sentences += [*self._terms(result, hand), *self._done(result), *(self._light_needed() if self._is_lit else [])]
        verdict = _yes_if(result.outcome == "victory")
        if (
            verdict == "yes"
            and self._is_lit
            and fight(self.words, hand, foe, None, self.points, "win").outcome != "victory"
        ):
            verdict = "depends"  # on the Light, of which the question says nothing
        return (verdict if judged else None), sentences

    def _enough_copies(self, card: str) -> list[Statement]:
        """How many copies of a card beat the monster, each with its sum: with Light enough, and with their own."""
        found = dict[int, Statement]()
        for points in ({"light": ENOUGH_LIGHT}, {}) if self._is_lit else (self.points,):
            for n in range(1, _MOST_COPIES + 1):
                result = fight(self.words, [card] * n, self.foe, self.asked.rank, points, "win")
                if result.outcome == "victory":
                    found[n] = self._sum(result)
                    break
        return [said._replace(text=f"{n}: {said.text}") for n, said in found.items()]

    def _alone(self, card: str) -> _Finding:
        """What one card gives against the monster, and whether it is what the card gives against any."""
        bearer, foe = self._holder(card), self.foe
        holder = bearer
        if not bearer and not any(self._adds(card, [], self.plain)):
            holder = [_MILITIA]  # whom it may help
        result = self._fight([*holder, card], foe)
        if result.outcome == "barred":
            return "no", [*map(_told, result.steps)]
        if "attacks" in self.asked.said and not (self.asked.figures or holder or self.cards[card].is_hero):
            barred = [_told(step) for step in result.steps if "R5.1" in step.rules]
            return "yes", [*barred, *self._texts(foe)]  # to have a card is not to use it
        given, usual = (self._adds(card, holder, each) for each in (foe, self.plain))
        held = not bearer or any("equip" in step for step in result.line)
        concerned = (card, foe, None, *bearer)  # nobody asks why a Militia gives nothing
        reasons = [_told(step) for step in sum_reasons(result, self.words) if step.card in concerned]
        reasons += self._terms(result, [card]) if held else []
        if not (reasons or any(usual)):
            return None, []  # what else the card does is not told by a sum
        asks = self.asked.yes_no or {"works", "attacks"} & self.asked.said
        verdict: YesOrNo | None = "yes" if asks and reasons else None
        if given != usual:
            verdict = None if sum(given[:2]) or "light" in self.asked.figures else "no"
        texts = [] if given == usual else self._texts(foe)
        reasons = reasons or [Statement(self.words.say("sum.nothing") + ".")]
        return (verdict if any(usual) else None), [*reasons, *self._done(result), *texts]

    def each(self) -> _Finding:
        """What each hero alone has against a monster, and who is lost."""
        sentences = list[Statement]()
        for card in self.hand:
            result = self._fight([card], self.foe)
            sentences.append(self._sum(result, "."))
            sentences += [self._lost([card])] if card in result.destroyed else []
        return None, [*sentences, *self._texts(self.foe)]

    def destroys(self) -> _Finding:
        """Whether a monster or a trap destroys a hero, of several which of them."""
        heroes, texts, trap = self.heroes, self._texts(self.foe), self.cards[self.foe].kind == "trap"
        destroyed = [] if trap else self._fight(self.hand, self.foe).destroyed
        if not trap and len(heroes) > 1:
            return None, [self._lost([each for each in heroes if each in destroyed]), *texts]
        kind = self._say("fact.sort", card=self.cards[heroes[0]], sort=self._type_line(self.cards[heroes[0]]))
        is_exposed = len(self.hand) == 1 and pairs.reaches(self.words, self.foe, heroes[0])
        spared = pairs.spares(self.words, self.foe, heroes[0]) if trap else False
        # Beside another card the battle decides.
        dies = spared is False if trap else is_exposed or heroes[0] in destroyed
        asks = spared is not None and (self.asked.yes_no or {"destroys", "kills", "survives"} & self.asked.said)
        return (_yes_if(dies != ("survives" in self.asked.said)) if asks else None), [*texts, kind]

    def _lost(self, heroes: Sequence[str]) -> Statement:
        lost = self.words.listed(heroes) if heroes else self.words.say("pair.none")
        return self._say("pair.lost", "R6.3", cards=lost)

    def total(self) -> _Finding:
        """What a hand gives against any monster."""
        card, alone = self.hand[0], len(self.hand) == 1
        if alone and (holder := self._holder(card)):  # a weapon alone, in any hand
            if "hero" in self.asked.lacks:
                return "no", [self._say("pair.unheld", "R4.3", card=self.cards[card])]
            given = sum(self._adds(card, holder, self.plain)[: len(_BLOWS)])
            values = {"values": f"{self.words.card(card)} {given}", "rank": self.asked.rank}
            return _yes_if(given), [self._say("pair.rank", "R5.7", **values), *self._texts(card)]
        result, several = self._fight(self.hand), len({*self.hand})
        sentences = [] if alone and not self.asked.rank else [self._given(result)]
        sentences += self._terms(result, self.hand)
        if len(self.hand) == several == 2 and "works" in self.asked.said and not self.asked.figures:
            return self._helps(result, *self.named), [*sentences, *self._texts(card)]
        if several > 1 or not {*self.asked.lacks} - {*_GIVEN, "strength"}:
            counted = {step.card for step in result.steps}
            idle = (card for card in dict.fromkeys(self.hand) if several > 1 and card not in counted)
            return None, [*sentences, *(each for card in idle for each in self._texts(card))]
        if "weapon" in self.asked.lacks and not self.card.is_hero:
            return None, []  # whom it helps may need one
        works = pairs.usable(self.words, self.hand, card)
        for effect, text in self._effects(self.card):
            if effect.timing.endswith("dungeon"):
                sentences.append(self._say("pair.usable" if effect in works else "pair.unusable", text=text))
        gives = any(step.attack or step.magic_attack or step.light for step in result.steps if step.card == card)
        unused = len(works) < sum(effect.timing.endswith("dungeon") for effect, _ in self._effects(self.card))
        return "depends" if gives and unused else _yes_if(works or gives), sentences

    def _helps(self, result: TargetResult, card: Card, hero: Card) -> YesOrNo | None:
        """Whether a card raises the Strength or the attack of a hero; None if it is not there to help heroes."""
        card, hero = (hero, card) if card.is_hero and not hero.is_hero else (card, hero)
        effects = self.words.database.all_effects.get(card.id, ())
        helping = {op.stat for each in effects for op in each.do if isinstance(op, Bonus) and op.to != "self"}
        if not helping or not hero.is_hero or "counted" in self.asked.said:
            return None
        more = _blows(result) - sum(_blows(self._fight([each.id])) for each in (card, hero))
        return _yes_if(more > 0 or ("strength" in helping and pairs.usable(self.words, [card.id, hero.id], card.id)))

    def bonus(self) -> _Finding:
        """Whether a hero, or what the hero holds, gives more than is printed on the card."""
        result = self._fight(self.hand, self.foe, far=("bow", "archer"))
        given = dict.fromkeys(self.hand, 0)
        for step in result.steps:
            if step.part == "sum" and step.card in given:
                given[step.card] += max(0, step.attack + step.magic_attack)
        more = any(n > _blows(self.cards[card]) for card, n in given.items())
        texts = [] if more else [sentence for card in given for sentence in self._texts(card)]
        # A hero alone may lack what the bonus asks for.
        verdict: YesOrNo | None = "yes" if more else "no" if len(given) > 1 else None
        return verdict, [*texts, *self._terms(result, self.hand), self._given(result)]

    def needs(self) -> _Finding:
        """What it takes to beat a monster, with the Light and the cards that are named."""
        words, foe = self.words, self.foe
        if self.hand or self.points or "light" in self.asked.lacks:
            return None, [*self._needed_in_the_dark()]
        dark = [*self._needed_in_the_dark()] if self.asked.rank else []
        sentences = [*(dark or [needed_points(words, foe)]), *self._light_needed(), *self._texts(foe)]
        if "magic_attack" in self.asked.lacks or (self.asked.yes_no and self.asked.figures == ("attack",)):
            allowed = "attacks" in self.asked.said and not self.asked.wins  # to attack is not to win
            return (None if allowed or least(words, foe, "attack") else "no"), sentences
        alone = sole_victors(words, foe, words.database.tonight)
        return None, [*sentences, *([self._say("pair.alone", cards=words.listed(alone))] if alone else [])]

    def _needed_in_the_dark(self) -> Iterator[Statement]:
        """How much is needed with the Light that is named: Attack, or where that never wins Magic Attack."""
        words, foe, rank, light = self.words, self.foe, self.asked.rank or 1, self.points.get("light", 0)
        stats = [name for name in _BLOWS if name in self.asked.figures] or _BLOWS
        needs = ((name, least(words, foe, name, self.hand, rank, light=light)) for name in stats)
        stat, needed = next(((name, n) for name, n in needs if n is not None), ("", 0))
        if not stat:
            return
        result = fight(words, self.hand, foe, rank, {stat: needed, "light": light})
        unarmed = "weapon" in self.asked.lacks
        armed = None if unarmed else pairs.least_armed(words, foe, stat, self.hand, rank, light)
        numbers = {"armed": armed, "unarmed": needed} if armed and armed < needed else {"dark": needed}
        for key, n in numbers.items():
            fields = {"card": self.cards[foe], "rank": rank, "light": result.light}
            yield self._say(f"pair.needs.{key}", "R5.14", **fields, values=f"{words.say(f'stat.{stat}')} {n}")
        yield from (_told(step) for step in result.steps if "R5.11" in step.rules and step.card)

    def light(self) -> _Finding:
        """How much Light a monster or a rank takes, and whether the hand has it."""
        if not (self.hand or self.points) or self.asked.amount:
            adds = self.foe and self.card.light_penalty and not self.asked.rank
            return None, [*([self._figure_of("light_penalty")] if adds else []), *self._light_needed()]
        result = fight(self.words, self.hand, self.foe or self.plain, self.asked.rank, self.points)
        barred = result.outcome == "barred"
        steps = [_told(step) for step in result.steps if barred or ("R5.11" in step.rules and step.card)]
        verdict = None if "light_penalty" in self.asked.figures else _yes_if(not result.light_penalty)
        return verdict, [*steps, *self._light_needed()]

    def _light_needed(self) -> Iterator[Statement]:
        foe = self.cards[self.foe or self.plain]
        rank, more = self.asked.rank or 1, foe.light_penalty or 0
        dim, lit = (fight(self.words, [], foe.id, rank, {"light": rank + more - n}) for n in (1, 0))
        if foe.kind != "guardian" and lit.outcome != "barred" and not lit.light_penalty:
            key = "light-barred" if dim.outcome == "barred" else "light" if self.foe else "light-rank"
            yield self._say(f"pair.{key}", "R5.11", card=foe, rank=rank, n=rank + more)

    @property
    def _is_lit(self) -> bool:
        """True where the question leaves Light and rank aside, so that there is enough Light."""
        told = self.asked.rank or "light" in {*self.points, *self.asked.lacks}
        return not (told or any(self.cards[card].light for card in self.hand))

    def _fight(
        self, hand: Sequence[str], foe: str = "", goal: str = "max", far: Collection[str] = ("bow",)
    ) -> TargetResult:
        """The best line of a hand; what a hand gives against any monster is judged with enough Light.

        Cards of a type that is ``far`` are then judged against a monster behind the first rank.
        """
        points, rank = self.points if foe else {}, self.asked.rank
        if not (foe or rank) and any(not {*far}.isdisjoint(self.cards[card].types) for card in hand):
            rank = _FAR
        points = ({"light": ENOUGH_LIGHT} if not foe or self._is_lit else {}) | points
        return fight(self.words, hand, foe or self.plain, rank, points, goal)

    def _sum(self, result: TargetResult, end: str = "") -> Statement:
        text = sum_line(result, self.words).replace(BOON, self.words.say("pair.given"))
        return Statement(f"{text[:1].upper()}{text[1:]}{end}", ("R5.12",))

    def _terms(self, result: TargetResult, cards: Collection[str]) -> list[Statement]:
        """What these cards give in a battle, each with its reason."""
        return [_told(step) for step in result.steps if step.part == "sum" and step.card in cards]

    def _gives(self, result: TargetResult) -> bool:
        """Return whether a card of the hand gives something in the sum, or a reason is told why it gives nothing."""
        return any(step.part == "sum" and step.card in self.hand for step in result.steps)

    def _done(self, result: TargetResult) -> list[Statement]:
        """What the monster does."""
        return [_told(step) for step in result.steps if step.part == "battle" and "R5.1" not in step.rules]

    def _given(self, result: TargetResult) -> Statement:
        """What the hand gives in all."""
        values = {each: getattr(result, each) or 0 for each in _GIVEN}
        values["light"] -= sum(step.light for step in result.steps if step.card == BOON)
        said = [f"{self.words.say(f'stat.{each}')} {n}" for each, n in values.items() if n]
        together = ", ".join(said or [f"{self.words.say('stat.attack')} 0"])
        key = "rank" if self.asked.rank else "together"
        return self._say(f"pair.{key}", "R5.7", values=together, rank=self.asked.rank)

    def _adds(self, card: str, holder: list[str], foe: str) -> tuple[int, ...]:
        """What a card adds to the hero who holds it, or gives alone, against a monster."""
        hands = ([*holder, card], holder)
        with_it, without = (fight(self.words, hand, foe, self.asked.rank, {"light": ENOUGH_LIGHT}) for hand in hands)
        return tuple((getattr(with_it, stat) or 0) - (getattr(without, stat) or 0) for stat in _GIVEN)

    def _holder(self, weapon: str) -> list[str]:
        """The cheapest level 1 hero who is strong enough for a weapon, nobody for another card."""
        if "weapon" not in self.cards[weapon].types:
            return []
        weight = self.cards[weapon].weight or 0
        able = [card for card in self.cards.values() if card.level == 1 and (card.strength or 0) >= weight]
        return [min(able, key=lambda card: card.cost or 0).id] if able else []


_METHODS: dict[Asked, Callable[[_Judge], _Finding]] = {
    "value": _Judge.value, "kind": _Judge.kind, "types": _Judge.kind, "box": _Judge.copies, "copies": _Judge.copies,
    "trophy": _Judge.effect, "effect": _Judge.effect, "price": _Judge.price, "purchases": _Judge.purchases,
    "next_level": _Judge.next_level, "reaches": _Judge.reaches, "compare": _Judge.compare, "added": _Judge.added,
    "needs": _Judge.needs,
    "light": _Judge.light, "destroys": _Judge.destroys, "holds": _Judge.holds, "battle": _Judge.battle,
    "total": _Judge.total, "drops": _Judge.drops, "bonus": _Judge.bonus, "each": _Judge.each,
}  # fmt: skip


def _yes_if(is_so: object) -> YesOrNo:
    return "yes" if is_so else "no"


def _told(step: ResultStep) -> Statement:
    return Statement(step.text, tuple(step.rules))


def _blows(result: TargetResult | Card) -> int:
    return (result.attack or 0) + (result.magic_attack or 0)
