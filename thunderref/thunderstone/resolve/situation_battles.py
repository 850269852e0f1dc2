"""What the engine says of the situation that a question is about: small positions, each put before it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from thunderref.database.card_records import Card
from thunderref.database.operations import Bonus
from thunderref.database.paths import FIGURES
from thunderref.database.read import Language
from thunderref.search.doings import gifts
from thunderref.search.situations import Asked, Situation
from thunderref.thunderstone.resolve import pairs
from thunderref.thunderstone.resolve.pairs import BOON, ENOUGH_LIGHT, fight, least
from thunderref.thunderstone.resolve.result import ResultStep, TargetResult
from thunderref.thunderstone.resolve.situation import BLOWS, GIVEN, Finding, PrintJudge, Statement, YesOrNo, yes_if
from thunderref.thunderstone.resolve.sums import sum_line, sum_reasons
from thunderref.thunderstone.resolve.visit import visit

_FOOD, _MILITIA = "iron-rations", "militia"
"""What every table has to raise a hero's Strength, and whom."""
_MOST_TEXTS = 3
"""Most cards that are compared with their texts, too."""


def judge_by_engine(words: Language, situation: Situation) -> Finding:
    """Return the verdict and its sentences; raises :class:`ThunderrefError` where no table can look so."""
    return _METHODS[situation.asked](_EngineJudge(words, situation))


def needed_points(words: Language, foe: str) -> Statement:
    """Return what it takes to beat a monster without light penalty, found by the engine."""
    attack, magic = (least(words, foe, stat) for stat in BLOWS)
    one = least(words, foe, "attack", magic_attack=1)
    key, both = "both", None if one is None else one + 1
    if attack == magic:
        key = "any"
    elif magic is None:
        key = "attack"
    elif attack is None:
        key = "magic" if both is None else "one"
    needed = {"n": both if key == "one" else magic if key == "magic" else attack, "magic": magic, "both": both}
    return Statement(words.say(f"pair.needs.{key}", card=words.card(foe), **needed), ("R5.14",))


def sole_victors(words: Language, foe: str, cards: Collection[str]) -> list[str]:
    """Return the heroes of these cards who beat a monster alone, with enough Light."""
    heroes = (card for card in cards if words.database.cards[card].is_hero)
    return [card for card in heroes if fight(words, [card], foe, None, {"light": ENOUGH_LIGHT}).outcome == "victory"]


class _EngineJudge(PrintJudge):
    """A situation in a language, with a method for whatever is asked of the engine."""

    def __init__(self, words: Language, situation: Situation) -> None:
        super().__init__(words, situation)
        self.plain = pairs.plain_monster(words)

    def compare(self) -> Finding:
        """The values in which cards differ, the highest first, and their texts where no value is asked for."""
        asked = [each for each in self.asked.figures if each in FIGURES]
        asked += [BLOWS[1 - BLOWS.index(each)] for each in asked if each in BLOWS]
        rows = dict[str, list[tuple[Card, int | None]]]()
        for figure in asked or (*BLOWS, *FIGURES):
            values = [(card, self._worth(card, figure)) for card in self.named]
            if asked or len({value for _, value in values}) > 1:
                rows.setdefault(figure, sorted(values, key=lambda pair: -(pair[1] or 0)))
        sentences = [
            self.labelled(
                self.words.say(f"card.figure.{figure}"),
                ", ".join(f"{self.words.card(card.id)} {value or '–'}" for card, value in values),
            )
            for figure, values in rows.items()
        ]
        if not asked and len(self.named) <= _MOST_TEXTS:
            typed = len({self.cards[card].types for card in self.hand}) > 1
            for card in self.named:
                told = [f"{self.type_line(card)}."] if typed else []
                told += [text for text, _ in self.texts(card.id)]
                sentences += [self.labelled(self.words.card(card.id), " ".join(told).rstrip("."))] if told else []
        return None, sentences or [self.say("pair.same")]

    def _worth(self, card: Card, figure: str) -> int | None:
        """The value printed on a card, or what the card gives without a hero by an ability."""
        printed: int | None = getattr(card, figure)
        ranked = self.asked.rank and figure in BLOWS and card.is_hero
        by_ability = figure in GIVEN and figure in self.words.database.derived(gifts).get(card.id, ())
        if not ranked and (printed is not None or not by_ability or card.is_hero or "weapon" in card.types):
            return printed
        return self._adds(card.id, [], self.plain)[GIVEN.index(figure)] or None

    def reaches(self) -> Finding:
        """Whether an effect of the first card destroys, discards or takes the second one out of the hand."""
        card, other = self.named
        return yes_if(pairs.reaches(self.words, card.id, other.id)), [*self.texts(card.id), self.sort_of(other)]

    def purchases(self) -> Finding:
        """How many cards may be bought after the village effects of a hand."""
        return None, [self.say("pair.purchases", "R3.3", n=visit({"hand": self.hand}, words=self.words).buys)]

    # who holds what

    def holds(self) -> Finding:
        """Whether a hero can hold the weapons of the hand, of a family without a level each of its heroes."""
        hero = next(card for card in self.hand if self.cards[card].is_hero)
        by_level = {self.cards[card]: self._held_by(card) for card in self.levels_of(hero)}
        if len({verdict for verdict, _ in by_level.values()}) == 1:
            return next(iter(by_level.values()))
        sentences = [
            self.say("pair.level", "R4.3", card=card, strength=card.strength,
                      said=self.words.say(f"ask.verdict.{verdict or 'yes'}"))
            for card, (verdict, _) in by_level.items()
        ]  # fmt: skip
        return "depends", [*sentences, *next(more for verdict, more in by_level.values() if verdict != "no")]

    def _held_by(self, hero: str) -> Finding:
        hand = [hero if card == self.asked.family else card for card in self.hand]
        weapon = next(self.cards[card] for card in hand if "weapon" in self.cards[card].types)
        strength, alone = self.cards[hero].strength, len({*hand}) == 2
        held, sentences = self._held(hand)
        if alone:
            weighs = {"card": weapon, "weight": weapon.weight, "hero_card": self.cards[hero], "strength": strength}
            sentences.insert(0, self.say("pair.weighs", "R4.3", **weighs))
        if not held and alone and (weapon.weight or 0) <= (strength or 0):
            sentences.append(self.say("pair.one-each", "R4.3"))
        elif not held and _FOOD not in hand:
            fed, more = self._held([*hand, _FOOD])
            sentences.append(self.say(f"pair.fed.{yes_if(fed)}", "R4.3", card=self.cards[_FOOD]))
            sentences += more if fed else []
        return (yes_if(held != ("too-much" in self.asked.said)) if self.asked.holds or not held else None), sentences

    def _held(self, hand: list[str]) -> tuple[bool, list[Statement]]:
        """Whether all the weapons can be held at once, and what is given then."""
        rank = self.asked.rank or (2 if any("bow" in self.cards[card].types for card in hand) else None)
        result = self._fight(hand, rank=rank)
        terms = self._terms(result, [card for card in hand if "weapon" in self.cards[card].types])
        if pairs.can_hold(self.words, hand):
            return True, [*terms, self._given(result)]
        return False, [] if len({*hand}) == 2 else terms

    def drops(self) -> Finding:
        """Whether a weapon falls from a hand, or is still held."""
        result = self._fight(self.hand, self.foe)
        weapons = [card for card in self.hand if "weapon" in self.cards[card].types]
        held = any(step.attack or step.magic_attack for step in result.steps if step.card in weapons)
        others = [card for card in self.hand if card not in weapons]
        sentences = [*self._terms(result, weapons), *self._terms(result, others), self._given(result)]
        return yes_if(held == ("stays" in self.asked.said)), sentences

    # battles

    def battle(self) -> Finding:
        """Whether a hand beats a monster, and the sum."""
        foe, hand, armed = self.foe, self.hand, any("weapon" in card.types for card in self.named)
        if (
            self.asked.holds
            and not (self.asked.wins or self.points)
            and armed
            and any(card.is_hero for card in self.named)
        ):
            return self.holds()  # whoever is fought
        if not self.asked.wins and not self.points and len(hand) == 1:
            return self._alone(hand[0])
        result = self._fight(hand, foe, "win")
        if result.outcome == "defeat":
            result = self._fight(hand, foe)
        if result.outcome == "barred":
            return "no", [*map(_told, result.steps)]
        judged = self.asked.wins or self.points or not (self.asked.figures or {"works", "attacks"} & self.asked.said)
        sentences = [self._sum(result), *map(_told, sum_reasons(result, self.words))]
        sentences += [*self._terms(result, hand), *self._done(result), *(self._light_needed() if self._is_lit else [])]
        return (yes_if(result.outcome == "victory") if judged else None), sentences

    def _alone(self, card: str) -> Finding:
        """What one card gives against the monster, and whether it is what the card gives against any."""
        holder, foe = self._holder(card), self.foe
        if not holder and not any(self._adds(card, [], self.plain)):
            holder = [_MILITIA]  # whom it may help
        result = self._fight([*holder, card], foe)
        if result.outcome == "barred":
            return "no", [*map(_told, result.steps)]
        if "attacks" in self.asked.said and not (self.asked.figures or holder or self.cards[card].is_hero):
            barred = [_told(step) for step in result.steps if "R5.1" in step.rules]
            return "yes", [*barred, *self.texts(foe)]  # to have a card is not to use it
        given, usual = (self._adds(card, holder, each) for each in (foe, self.plain))
        held = not self._holder(card) or any("equip" in step for step in result.line)
        reasons = [*map(_told, sum_reasons(result, self.words)), *(self._terms(result, [card]) if held else [])]
        if not (reasons or any(usual)):
            return None, []  # what else the card does is not told by a sum
        asks = self.asked.yes_no or {"works", "attacks"} & self.asked.said
        verdict: YesOrNo | None = "yes" if asks and reasons else None
        if given != usual:
            verdict = None if sum(given[:2]) else "no"
        texts = [] if given == usual else self.texts(foe)
        reasons = reasons or [Statement(self.words.say("sum.nothing") + ".")]
        return (verdict if any(usual) else None), [*reasons, *self._done(result), *texts]

    def each(self) -> Finding:
        """What each hero alone comes to against a monster, and who is lost."""
        sentences = list[Statement]()
        for card in self.hand:
            result = self._fight([card], self.foe)
            sentences.append(self._sum(result, "."))
            sentences += [self._lost([card])] if card in result.destroyed else []
        return None, [*sentences, *self.texts(self.foe)]

    def destroys(self) -> Finding:
        """Whether a monster or a trap destroys a hero, of several which of them."""
        heroes, texts = [card for card in self.hand if self.cards[card].is_hero], self.texts(self.foe)
        trap = self.cards[self.foe].kind == "trap"
        destroyed = [] if trap else self._fight(self.hand, self.foe).destroyed
        if not trap and len(heroes) > 1:
            return None, [self._lost([each for each in heroes if each in destroyed]), *texts]
        kind = self.say("fact.sort", card=self.cards[heroes[0]], sort=self.type_line(self.cards[heroes[0]]))
        dies = pairs.reaches(self.words, self.foe, heroes[0]) or heroes[0] in destroyed
        return yes_if(dies != ("survives" in self.asked.said)), [*texts, kind]

    def _lost(self, heroes: Sequence[str]) -> Statement:
        return self.say("pair.lost", "R6.3", cards=self.words.listed(heroes) if heroes else self.words.say("pair.none"))

    def total(self) -> Finding:
        """What a hand gives against any monster."""
        card, alone = self.hand[0], len(self.hand) == 1
        if alone and (holder := self._holder(card)):  # a weapon alone, in any hand
            if "hero" in self.asked.lacks:
                return "no", [self.say("pair.unheld", "R4.3", card=self.cards[card])]
            given = sum(self._adds(card, holder, self.plain)[: len(BLOWS)])
            values = {"values": f"{self.words.card(card)} {given}", "rank": self.asked.rank}
            return yes_if(given), [self.say("pair.rank", "R5.7", **values), *self.texts(card)]
        result, several = self._fight(self.hand), len({*self.hand})
        sentences = [] if alone and not self.asked.rank else [self._given(result)]
        sentences += self._terms(result, self.hand)
        if len(self.hand) == several == 2 and "works" in self.asked.said and not self.asked.figures:
            return self._helps(result, *self.named), [*sentences, *self.texts(card)]
        if several > 1 or not {*self.asked.lacks} - {*GIVEN, "strength"}:
            return None, sentences
        works = pairs.usable(self.words, self.hand, card)
        for effect, text in self.effects(self.card):
            if effect.timing.endswith("dungeon"):
                sentences.append(self.say("pair.usable" if effect in works else "pair.unusable", text=text))
        gives = any(step.attack or step.magic_attack or step.light for step in result.steps if step.card == card)
        return yes_if(works or gives), sentences

    def _helps(self, result: TargetResult, card: Card, hero: Card) -> YesOrNo | None:
        """Whether a card raises the Strength or the attack of a hero; None if it is not there to help heroes."""
        card, hero = (hero, card) if card.is_hero and not hero.is_hero else (card, hero)
        effects = self.words.database.all_effects.get(card.id, ())
        helping = {op.stat for each in effects for op in each.do if isinstance(op, Bonus) and op.to != "self"}
        if not helping or not hero.is_hero or "counted" in self.asked.said:
            return None
        more = _blows(result) - sum(_blows(self._fight([each.id])) for each in (card, hero))
        return yes_if(more > 0 or ("strength" in helping and pairs.usable(self.words, [card.id, hero.id], card.id)))

    def bonus(self) -> Finding:
        """Whether a hero, or what the hero holds, gives more than is printed on the card."""
        far = not self.foe and any("archer" in self.cards[card].types for card in self.hand)
        result = self._fight(self.hand, self.foe, rank=2 if far and not self.asked.rank else None)
        given = dict.fromkeys(self.hand, 0)
        for step in result.steps:
            if step.part == "sum" and step.card in given:
                given[step.card] += max(0, step.attack + step.magic_attack)
        more = any(
            n > (self.cards[card].attack or 0) + (self.cards[card].magic_attack or 0) for card, n in given.items()
        )
        texts = [] if more else [sentence for card in given for sentence in self.texts(card)]
        return yes_if(more), [*texts, *self._terms(result, self.hand), self._given(result)]

    # what it takes

    def needs(self) -> Finding:
        """What it takes to beat a monster, with the Light and the cards that are named."""
        words, foe = self.words, self.foe
        if self.hand or self.points or "light" in self.asked.lacks:
            return None, [*self._needed_in_the_dark()]
        sentences = [needed_points(words, foe), *self._light_needed(), *self.texts(foe)]
        if "magic_attack" in self.asked.lacks or (self.asked.yes_no and self.asked.figures == ("attack",)):
            allowed = "attacks" in self.asked.said and not self.asked.wins  # to attack is not to win
            return (None if allowed or least(words, foe, "attack") else "no"), sentences
        alone = sole_victors(words, foe, words.database.tonight)
        return None, [*sentences, *([self.say("pair.alone", cards=words.listed(alone))] if alone else [])]

    def _needed_in_the_dark(self) -> Iterator[Statement]:
        """How much is needed with the Light that is named: Attack, or where that never wins Magic Attack."""
        words, foe, rank, light = self.words, self.foe, self.asked.rank or 1, self.points.get("light", 0)
        stats = [each for each in BLOWS if each in self.asked.figures] or BLOWS
        found = ((each, least(words, foe, each, self.hand, rank, light=light)) for each in stats)
        stat, needed = next(((each, n) for each, n in found if n is not None), ("", 0))
        if not stat:
            return
        result = fight(words, self.hand, foe, rank, {stat: needed, "light": light})
        unarmed = "weapon" in self.asked.lacks
        armed = None if unarmed else pairs.least_armed(words, foe, stat, self.hand, rank, light)
        shown = {"armed": armed, "unarmed": needed} if armed and armed < needed else {"dark": needed}
        for key, n in shown.items():
            named = {"card": self.cards[foe], "rank": rank, "light": result.light}
            yield self.say(f"pair.needs.{key}", "R5.14", **named, values=f"{words.say(f'stat.{stat}')} {n}")
        yield from (_told(step) for step in result.steps if "R5.11" in step.rules and step.card)

    def light(self) -> Finding:
        """How much Light a monster or a rank takes, and whether the hand has it."""
        if not self.hand:
            adds = self.foe and self.card.light_penalty and not self.asked.rank
            return None, [*([self.figure_of("light_penalty")] if adds else []), *self._light_needed()]
        result = fight(self.words, self.hand, self.foe or self.plain, self.asked.rank, {})
        barred = result.outcome == "barred"
        steps = [_told(step) for step in result.steps if barred or ("R5.11" in step.rules and step.card)]
        verdict = None if "light_penalty" in self.asked.figures else yes_if(not result.light_penalty)
        return verdict, [*steps, *self._light_needed()]

    def _light_needed(self) -> Iterator[Statement]:
        foe = self.cards[self.foe or self.plain]
        rank, more = self.asked.rank or 1, foe.light_penalty or 0
        dim, lit = (fight(self.words, [], foe.id, rank, {"light": rank + more - n}) for n in (1, 0))
        if foe.kind != "guardian" and lit.outcome != "barred" and not lit.light_penalty:
            key = "light-barred" if dim.outcome == "barred" else "light" if self.foe else "light-rank"
            yield self.say(f"pair.{key}", "R5.11", card=foe, rank=rank, n=rank + more)

    # the engine

    @property
    def _is_lit(self) -> bool:
        """True where the question leaves Light and rank aside, so that there is enough Light."""
        return not (self.asked.rank or "light" in self.points or any(self.cards[card].light for card in self.hand))

    def _fight(self, hand: Sequence[str], foe: str = "", goal: str = "max", rank: int | None = None) -> TargetResult:
        """The best line of a hand; what a hand gives against any monster is judged with enough Light."""
        against_any = foe in ("", self.plain)
        points = {} if against_any else self.points
        points = ({"light": ENOUGH_LIGHT} if against_any or self._is_lit else {}) | points
        return fight(self.words, hand, foe or self.plain, rank or self.asked.rank, points, goal)

    def _sum(self, result: TargetResult, end: str = "") -> Statement:
        return Statement(sum_line(result, self.words).replace(BOON, self.words.say("pair.given")) + end, ("R5.12",))

    def _terms(self, result: TargetResult, cards: Collection[str]) -> list[Statement]:
        """What these cards give in a battle, each with its reason."""
        return [_told(step) for step in result.steps if step.part == "sum" and step.card in cards]

    def _done(self, result: TargetResult) -> list[Statement]:
        """What the monster does."""
        return [_told(step) for step in result.steps if step.part == "battle" and "R5.1" not in step.rules]

    def _given(self, result: TargetResult) -> Statement:
        """What the hand gives in all."""
        values = {each: getattr(result, each) or 0 for each in GIVEN}
        values["light"] -= sum(step.light for step in result.steps if step.card == BOON)
        said = [f"{self.words.say(f'stat.{each}')} {n}" for each, n in values.items() if n]
        together = ", ".join(said or [f"{self.words.say('stat.attack')} 0"])
        return self.say(
            f"pair.{'rank' if self.asked.rank else 'together'}", "R5.7", values=together, rank=self.asked.rank
        )

    def _adds(self, card: str, holder: list[str], foe: str) -> tuple[int, ...]:
        """What a card adds to the hero who holds it, or gives alone, against a monster."""
        with_it, without = (
            fight(self.words, hand, foe, self.asked.rank, {"light": ENOUGH_LIGHT}) for hand in ([*holder, card], holder)
        )
        return tuple((getattr(with_it, stat) or 0) - (getattr(without, stat) or 0) for stat in GIVEN)

    def _holder(self, weapon: str) -> list[str]:
        """The cheapest level 1 hero who is strong enough for a weapon, nobody for another card."""
        if "weapon" not in self.cards[weapon].types:
            return []
        weight = self.cards[weapon].weight or 0
        able = [card for card in self.cards.values() if card.level == 1 and (card.strength or 0) >= weight]
        return [min(able, key=lambda card: card.cost or 0).id] if able else []


_METHODS: dict[Asked, Callable[[_EngineJudge], Finding]] = {
    "purchases": _EngineJudge.purchases, "reaches": _EngineJudge.reaches, "compare": _EngineJudge.compare,
    "needs": _EngineJudge.needs, "light": _EngineJudge.light, "destroys": _EngineJudge.destroys,
    "holds": _EngineJudge.holds, "battle": _EngineJudge.battle, "total": _EngineJudge.total,
    "drops": _EngineJudge.drops, "bonus": _EngineJudge.bonus, "each": _EngineJudge.each,
}  # fmt: skip


def _told(step: ResultStep) -> Statement:
    return Statement(step.text, tuple(step.rules))


def _blows(result: TargetResult) -> int:
    return (result.attack or 0) + (result.magic_attack or 0)
