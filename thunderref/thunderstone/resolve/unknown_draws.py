"""What a draw of unknown cards could change: the cards that would beat a target, and the chance of it (R2.2).

A target that no line beats is tried again with cards on top of the deck, where a search finds them when something
draws; what comes after them gives nothing. Where the deck is known, so are the cards, and the chance is that of
``odds``: it decides whether a draw can help. Where it is not, a card is any that a deck can hold, or any of those on
the table. Two together are tried only where none wins alone; what was not tried is never called impossible.

Few of these cards must be searched (:class:`Sorter`). Cards of one group are alike to everything on the table: they
have the same types as far as an effect or a monster names them. Within a group two cards with the same effects and
figures are no different, and a card *covers* one with figures no higher and no other effects: if these only help, it
wins where the other does. The *union* of several, with the highest of their figures and all their effects, wins where
any does: if it loses, none needs a search.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, islice, permutations, product
from math import comb
from operator import ge, getitem
from typing import Any, NamedTuple, cast

from msgspec import Struct, structs

from thunderref.database.card_records import HAND_KINDS, STACKED, Card
from thunderref.database.operations import Bonus, Borrow, Condition, Draw, Effect, Instead, Select
from thunderref.thunderstone.resolve.battles import Line
from thunderref.thunderstone.resolve.odds import WEIGHED, Judge, Odds, chance_of
from thunderref.thunderstone.resolve.question import Judged, Question, dungeon_ops, unknown_cards, with_basics
from thunderref.thunderstone.resolve.result import Draws, UnknownWin
from thunderref.thunderstone.resolve.search import Aim, Search
from thunderref.thunderstone.resolve.start import cards_of
from thunderref.thunderstone.resolve.upper_bound import FETCHES
from thunderref.thunderstone.resolve.waiting import Surroundings
from thunderref.thunderstone.rules.cards import IN_DUNGEON, Ability, Cards, CardSpec
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import all_slots
from thunderref.thunderstone.rules.legal import replay, targets
from thunderref.thunderstone.rules.position import UNCOUNTED, Position, Seat, Table, replace

MOST_PAIRS = 300  # pairs of cards tried together where the deck is known
MOST_LISTED = 12  # pairs of cards that win together, listed where no single card wins
MOST_STATES = 6_000  # positions searched in all: the same for the same hand, whatever the machine
MOST_STATES_TOGETHER = 400  # positions searched for pairs
MOST_STATES_UNKNOWN = 1_500  # positions searched for what others may lend, or the village may hold
MOST_FOR_CARD = 400  # positions searched for one card, or one pair
FEWEST_UNITED = 4  # sets of cards for which a union is worth its search
MOST_FOR_UNION = 1  # positions searched for a union of cards: only what it reaches at most counts
BY_OTHERS = frozenset({"borrow", "magic-unless-discarded"})
"""Operations that hang on what the other players hold."""
By = tuple[str, ...]  # the cards that drew
Wins = dict[Aim, dict[tuple[str, ...], By]]
"""The cards that beat each target if they are drawn, none of them needless."""


def with_draws(question: Question, judged: list[Judged], drawing: Sequence[str], share: float) -> list[Judged]:
    """The targets, with what the ``drawing`` cards change about those that no line beats, in this share of time."""
    trials = Trials(question, share, drawing)
    mine = [*(slot.face for slot in question.state.hand), *question.state.deck]
    steady = {*drawing} <= {*mine} and not any("copy-hero" in dungeon_ops(question.game.cards[card]) for card in mine)
    if not trials.by or (steady and sum(map(trials.draws_of, mine)) <= len(question.state.deck)):
        return judged  # nothing unknown can be drawn
    aims = [(each.result.monster, each.result.rank) for each in judged if each.result.outcome != "victory"]
    # what wins without a draw was not found in time, or is not what the goal wants
    open_aims = [aim for aim in aims if aim not in trials.draw((), aims)[0]]
    found = trials.of_any_deck(open_aims) if trials.pool is None else trials.of_known_deck(open_aims, trials.pool)
    told = [(each, found.get((each.result.monster, each.result.rank))) for each in judged]
    return [each._replace(result=replace(each.result, draws=draws)) for each, draws in told]


def with_unknown(question: Question, judged: list[Judged], share: float) -> list[Judged]:
    """The targets that no line beats, with what would beat them of the cards that nobody named (R4.11)."""
    wins: dict[Aim, list[UnknownWin]] = {}
    for card in unknown_cards(question):
        for kind in sorted(dungeon_ops(question.game.cards[card]) & {*FETCHES, *BY_OTHERS}):
            trials = Trials(question, share, ())
            aims = [(each.result.monster, each.result.rank) for each in judged if each.result.outcome != "victory"]
            aims = [aim for aim in aims if aim not in trials.draw((), aims)[0]]
            for aim, cards in trials.of_unknown(card, kind, aims).items():
                win = UnknownWin(
                    by=card, kind=kind, would_win=cards, proven=not trials.stopped and aim not in trials.cut
                )
                wins.setdefault(aim, []).append(win)
    told = [(each, wins.get((each.result.monster, each.result.rank), [])) for each in judged]
    return [each._replace(result=replace(each.result, unknown_wins=found)) for each, found in told]


class Trials:
    """Tries what may be drawn by the cards ``by``; ``stopped`` is True once not everything could be tried."""

    def __init__(self, question: Question, share: float, drawing: Sequence[str]) -> None:
        asked, start = question.asked, question.state
        self.question = question
        # only what is tried can be drawn, and only the basic stacks are sure to be there
        self.state = replace(start, pool=None, left=None, pile=(), stacks=with_basics(question.game, start.stacks))
        listed, pile = (cards_of(cards or [], question.find, HAND_KINDS) for cards in (asked.deck_list, asked.discard))
        whole = asked.deck_list is not None or asked.deck_size == len(start.deck)
        self.pool, self.pile = tuple(sorted(listed)) if whole else None, tuple(sorted(pile))
        self.stopped, self._begin = False, self._on_deck
        self.cut = set[Aim]()  # targets for which some card was given up
        self.deepest = sys.maxsize if asked.deck_size is None else asked.deck_size - len(start.deck) + len(self.pile)
        self.around = around = Surroundings(question.game, self.state)
        weakest = {op.op for spec in around.influences.foes for op in (*spec.trap, *spec.breach)} & {"destroy-weakest"}
        self._orders = not (around.in_order or around.strongest or weakest)
        """False where a stronger card may do worse than a weaker one."""
        self._sorter = Sorter(question.game, self.state, around)
        self.game = question.game.changed(cards=self._sorter.cards)
        self.by = [card for card in drawing if card not in question.mine or self.draws_of(card)]
        """The cards that draw, or may."""
        self._goes, self._left = question.budget.searching(share), MOST_STATES
        monsters = [foe.card for _, _, foe in targets(start)]
        self._twins = {card for card in monsters if monsters.count(card) > 1}

    def draws_of(self, card: str) -> int:
        """How many cards it draws in this hand at most."""
        spec, influences = self.question.game.cards[card], self.around.influences
        return sum(
            sum(op.amount for op in ability.instant if isinstance(op, Draw)) * does.times
            for ability in spec.dungeon
            if (does := influences.of(spec, ability)).price is not None and does.draws
        )

    def of_known_deck(self, aims: Sequence[Aim], pool: Sequence[str]) -> dict[Aim, Draws]:
        """The targets that some draw of the deck beats, or may beat if not all were tried."""
        wins: Wins = {aim: {} for aim in aims}
        owned, cards = Counter(pool), [*(slot.face for slot in self.state.hand), *pool]
        for card in sorted(owned):
            _note(wins, [(card,)], self.draw((card,), aims)[0])
        if len(pool) < sum(self.draws_of(card) for card in cards if card in self._sorter.cards):
            for card in sorted(set(self.pile)):  # the discard pile is shuffled within these draws
                _note(wins, [(card,)], self.draw((*pool, card), [aim for aim in aims if not wins[aim]])[0])
            owned += Counter(self.pile)
        pairs = (pair for pair in combinations_with_replacement(sorted(owned), 2) if Counter(pair) <= owned)
        for pair in islice(pairs, MOST_PAIRS):
            open_aims = [aim for aim in aims if not any({*won} & {*pair} for won in wins[aim] if len(won) == 1)]
            _note(wins, [pair], self.draw(pair, open_aims)[0])
        start = replace(self.state, pool=tuple(pool), pile=self.pile)
        found: dict[Aim, Draws] = {}
        for monster, rank in aims:
            judge = Judge(self.question.game, start, rank, monster)
            judge.resume(lambda n: n < WEIGHED and self._goes(n))
            value = Odds(judge).value(start)
            if not judge.stopped and value.exact:
                if value.low:
                    won = wins[monster, rank]
                    draws = self._tell(won, proven=not self.stopped and (monster, rank) not in self.cut)
                    covers = value.low in _chances_to_draw(won, pool)
                    found[monster, rank] = replace(draws, chance=chance_of(value.low), covers=covers)
            else:
                found[monster, rank] = self._tell(wins[monster, rank], proven=False)
        return found

    def of_any_deck(self, aims: Sequence[Aim]) -> dict[Aim, Draws]:
        """The same of a deck of which nothing is known."""
        wins: Wins = {aim: {} for aim in aims}
        drawable = self._drawable()
        candidates = self._sorter.sort(drawable)
        self._try_all([(one,) for one in self._roots(candidates)], aims, wins)
        missing = [aim for aim in aims if not wins[aim]]
        whole = {aim: aim not in self.cut and not self.stopped for aim in aims}
        if missing and self.deepest > 1:
            near = drawable[: self._near]
            self._sorter.hear_all(self._sorter.sort(near))
            self._left = min(self._left, MOST_STATES_TOGETHER)
            self._try_all(combinations_with_replacement(self._roots(self._sorter.sort(near)), 2), missing, wins)
            whole |= dict.fromkeys(missing, False)
        for aim, won in wins.items():
            wins[aim] = dict(sorted(won.items(), key=lambda one: [drawable.index(card) for card in one[0]]))
        return {aim: self._tell(won, proven=whole[aim]) for aim, won in wins.items() if won or not whole[aim]}

    def of_unknown(self, card: str, kind: str, aims: Sequence[Aim]) -> dict[Aim, list[str]]:
        """What would beat the targets: cards that are lent, conjured or recruited by the ``card``, or no spell (())."""
        self.by, self._left, cards = [card], MOST_STATES_UNKNOWN, self.game.cards
        if kind == "magic-unless-discarded":
            self._begin = self._lend
            return {aim: [] for aim in self.draw((), aims)[0]}
        self._begin = self._lend if kind in BY_OTHERS else self._offer
        borrowed = [op.select for one in cards[card].dungeon for op in one.instant if isinstance(op, Borrow)]
        select = borrowed[0] if borrowed else Select(kind=FETCHES[kind])
        there = [one for one in self._drawable() if cards[one].matches(select)]
        there = there if borrowed else [one for one in there if cards[one].kind in STACKED]
        wins: Wins = {aim: {} for aim in aims}
        if kind in BY_OTHERS:  # such a search has no bound: the strongest first, so that something is named
            for one in sorted(self._sorter.sort(there), key=lambda one: -sum(one.figures)):
                _note(wins, [(card,) for card in one.cards], self.draw((one.cards[0],), aims)[0])
        else:
            self._try_all([(one,) for one in self._roots(self._sorter.sort(there))], aims, wins)
        listed = {aim: [one for one in there if (one,) in won] for aim, won in wins.items()}
        return {aim: won for aim, won in listed.items() if won}

    def _on_deck(self, cards: tuple[str, ...]) -> Position:
        return replace(self.state, deck=(*self.state.deck, *cards))

    def _lend(self, cards: tuple[str, ...]) -> Position:
        return replace(self.state, table=Table(0, (Seat(), Seat(hand=cards)), described=True))

    def _offer(self, cards: tuple[str, ...]) -> Position:
        return replace(self.state, stacks=(*(self.state.stacks or ()), *[(card, UNCOUNTED) for card in cards]))

    def _drawable(self) -> list[str]:
        """The cards that a deck may hold, the likeliest first: basic ones, those in the hand or on offer."""
        database, cards = self.question.words.database, self.question.game.cards
        basic = {card for card, spec in cards.items() if spec.kind == "basic"}
        offered = cards_of(self.question.asked.village or [], self.question.find, STACKED)
        near = {*basic, *(slot.card for slot in self.state.hand), *offered, *database.tonight}
        foes = (*self.state.hall, *self.state.rank0)
        there = Counter([*(slot.card for slot in all_slots(self.state)), *self.state.deck, *(foe.card for foe in foes)])
        copies = Counter(there.keys())
        for card in database.cards.values():
            copies[card.reprint_of or card.id] += card.count
        drawable = [
            card.id
            for card in database.cards.values()
            if card.kind in HAND_KINDS
            and card.judged
            and card.reprint_of is None
            and card.id in (database.tonight or database.cards)
            and (card.kind == "disease" or there[card.id] < copies[card.id] - (card.id in there))
        ]
        self._near = len(near.intersection(drawable))
        return sorted(drawable, key=lambda card: (card not in near, cards[card].kind not in STACKED, cards[card].cost))

    def _roots(self, candidates: Iterable[DrawnCard]) -> list[list[DrawnCard]]:
        """The candidates by group, cards with like figures side by side."""
        groups: dict[object, list[DrawnCard]] = {}
        for one in candidates:
            groups.setdefault((one.group, one.helps), []).append(one)
        return [sorted(group, key=lambda one: (one.figures[1:], one.figures)) for group in groups.values()]

    def _try_all(self, sets: Iterable[tuple[list[DrawnCard], ...]], aims: Sequence[Aim], wins: Wins) -> None:
        """Notes what wins of each set, one out of every list together: what covers a winner, not what a loser covers.

        Each search is for the cards that decide the most others, whichever way it ends.
        """
        for lists in sets:
            over = [covering(cards, ordered=self._orders) for cards in lists]
            named = {tuple([one.cards[0] for one in chosen]): _named(chosen) for chosen in product(*lists)}
            above = {chosen: {*product(*map(getitem, over, chosen))} for chosen in named}
            below = {chosen: {other for other in named if chosen in above[other]} for chosen in named}
            undecided = {aim: {*named} for aim in self._open(aims, [*named.values()], wins)}
            if len(named) >= FEWEST_UNITED and self._orders and undecided and not self.game.readings:
                united = tuple([self._sorter.unite(cards, self.question.words.database.all_effects) for cards in lists])
                for aim in self._search(united, [*undecided], MOST_FOR_UNION)[1]:
                    del undecided[aim]
            while most := max(undecided.values(), key=len, default=None):
                decides = {one: min(len(above[one] & most), len(below[one] & most)) for one in named if one in most}
                chosen = max(decides, key=lambda one: decides[one])
                open_aims = self._open([aim for aim in undecided if chosen in undecided[aim]], [named[chosen]], wins)
                won, lost = self.draw(chosen, open_aims)
                for aim, rest in undecided.items():
                    rest -= above[chosen] if aim in won else below[chosen] if aim in lost else {chosen}
                _note(wins, [cards for other in named if other in above[chosen] for cards in named[other]], won)

    def _open(self, aims: Iterable[Aim], sets: Sequence[Sequence[tuple[str, ...]]], wins: Wins) -> list[Aim]:
        """The targets for which some of these cards are not known to win, and more are wanted."""
        return [
            aim
            for aim in aims
            if any(cards not in wins[aim] for named in sets for cards in named)
            and (len(sets[0][0]) == 1 or len(wins[aim]) < MOST_LISTED)
        ]

    def draw(self, cards: tuple[str, ...], aims: Sequence[Aim]) -> tuple[dict[Aim, By], set[Aim]]:
        """The targets beaten if these cards are drawn, in any order, and nothing after them helps; the surely lost."""
        won, lost = dict[Aim, By](), set(aims)
        for order in sorted(set(permutations(cards))) if len(cards) < 3 else [cards]:
            if open_aims := [aim for aim in aims if aim not in won]:
                most = min(self._left, MOST_FOR_CARD)
                more, never = ({}, set()) if self.stopped else self._search(order, open_aims, most)
                won, lost = won | more, lost & never
        return won, lost

    def _search(self, cards: tuple[str, ...], aims: Sequence[Aim], most: int) -> tuple[dict[Aim, By], set[Aim]]:
        """The targets beaten with these cards on the deck, and those that surely are not."""
        won, lost = dict[Aim, By](), set[Aim]()
        start = self._begin(cards)
        twins = [[aim] for aim in aims if aim[0] in self._twins]
        others = [aim for aim in aims if aim[0] not in self._twins]
        for tried in (*twins, *([others] if others else [])):
            rank = tried[0][1] if tried[0][0] in self._twins else None
            search = Search(
                self.game, "win", most, tick=self._goes_on, trims=False, wins_once=True, wins_only=True, rank=rank,
                undrawn=len(cards) if cards and self._begin == self._on_deck else None,
            )  # fmt: skip
            search.run(start, only={card for card, _ in tried})
            self._left -= search.states
            self.stopped = self.stopped or self._left <= 0
            lines = {card: found for (card, _), found in search.found.items() if found.worth.victory}
            self.cut.update(aim for aim in tried if not (search.complete or most == MOST_FOR_UNION or aim[0] in lines))
            won |= {aim: self._drew(start, lines[aim[0]].preparation) for aim in tried if aim[0] in lines}
            lost |= {aim for aim in tried if search.complete and aim[0] not in lines}
        return won, lost

    def _drew(self, start: Position, line: Line) -> By:
        """What draws the unknown cards in this line."""
        events = [event for now in replay(self.game, start, line) for event in now.events if event.key == "drawn"]
        by = [str(dict(event.params)["by_card"]) for event in events[len(self.state.deck) :]]
        return tuple(dict.fromkeys(by)) or tuple(self.by)

    def _goes_on(self, _: int = 0) -> bool:
        self.stopped = self.stopped or not self._goes(MOST_STATES - self._left)
        return not self.stopped

    def _tell(self, won: dict[tuple[str, ...], By], *, proven: bool = True) -> Draws:
        drew = {card for by in won.values() for card in by}
        return Draws(
            by=[card for card in self.by if card in drew or not won], proven=proven,
            would_win=[cards[0] if len(cards) == 1 else list(cards) for cards in won],
        )  # fmt: skip


def _named(chosen: tuple[DrawnCard, ...]) -> list[tuple[str, ...]]:
    """All cards that the chosen ones stand for."""
    return list(dict.fromkeys(tuple(sorted(cards)) for cards in product(*(one.cards for one in chosen))))


def _chances_to_draw(won: Iterable[tuple[str, ...]], pool: Sequence[str]) -> list[Fraction]:
    """The chances that one of the cards that win alone is among one, two or more drawn of the deck."""
    if any(len(cards) > 1 for cards in won):
        return []
    losing, size = sum((card,) not in won for card in pool), len(pool)
    return [1 - Fraction(comb(losing, n), comb(size, n)) for n in range(1, size + 1)]


def _note(wins: Wins, sets: Iterable[tuple[str, ...]], beaten: dict[Aim, By]) -> None:
    for aim, by in beaten.items():
        wins[aim] |= {cards: by for cards in sets if cards not in wins[aim]}


SORTS = frozenset({"hero", "weapon", "spell", "item", "monster"})
"""The types that rules ask for, whatever is on the table."""
HINDRANCES = frozenset({"cannot-attack", "gain-on-equip", "instead", "unconfirmed"})
"""Operations of a card at hand that are no gain, or that a higher figure may outdo."""
Figures = tuple[int, ...]  # Attack, Magic Attack, Light, Strength and minus the weight


class DrawnCard(NamedTuple):
    """Cards that are no different when drawn; the first stands for all."""

    cards: tuple[str, ...]
    figures: Figures
    effects: tuple[Any, ...]
    helps: bool  # True if all its effects are a gain or are used at will
    group: Any


class Sorter:
    """Sorts the cards that may be drawn in one position."""

    def __init__(self, game: Game, state: Position, around: Surroundings) -> None:
        self.game, self._around = game, around
        self.cards = Cards(game.cards)  # with the unions made so far
        self._keeps_all = around.in_order or around.use_protects or around.gains  # effects with nothing to do as yet
        self._draws_known = bool(state.deck)
        foes = (*state.hall, *state.rank0)
        here = [*(slot.face for slot in state.hand), *state.deck, *(foe.card for foe in foes), *state.dungeon]
        here += [card for seat in (state.table.seats if state.table is not None else ()) for card in seat.hand]
        self._asked = {*SORTS}
        self._selects = dict[Select, None]()
        self._gold = False
        for card in dict.fromkeys(here):
            if card in game.cards:
                self._hear(game.cards[card])

    def _hear(self, spec: CardSpec) -> None:
        if any(op.op == "copy-hero" for ability in spec.dungeon for op in ability.instant):
            self._asked.add("militia")  # onto which alone a hero is copied (R4.10)
        for part in _parts((spec.passive, spec.traits, spec.battle, spec.breach, spec.trap, _used(spec.dungeon))):
            if isinstance(part, str):
                self._asked.add(part)
            elif isinstance(part, Select):
                self._selects[part] = None
            else:
                self._gold = self._gold or part.gold is not None

    def hear_all(self, candidates: Iterable[DrawnCard]) -> None:
        """Lets the candidates ask about each other, for they may come together."""
        self._keeps_all = True
        for candidate in candidates:
            self._hear(self.game.cards[candidate.cards[0]])

    def sort(self, cards: Iterable[str]) -> list[DrawnCard]:
        """The cards, those that are no different as one."""
        like: dict[tuple[Any, ...], list[str]] = {}
        for card in cards:
            spec = self.game.cards[card]
            own = [part for part in _parts((spec.passive, _used(spec.dungeon))) if isinstance(part, Select)]
            asked = [spec.matches(select) for select in (*self._selects, *own)]
            others = len(self._selects)
            group = spec.kind == "disease", spec.kinds & self._asked, tuple(asked[:others]), self._gold and spec.gold
            effects = (*spec.passive, *_used(ability for ability in spec.dungeon if self._is_felt(spec, ability)))
            figures = spec.attack, spec.magic_attack, spec.light, spec.strength, -spec.weight
            like.setdefault((figures, effects, group, tuple(asked[others:])), []).append(card)
        return [
            DrawnCard(tuple(ids), figures, effects, not _hinders(self.game.cards[ids[0]]), group)
            for (figures, effects, group, _), ids in like.items()
        ]

    def _is_felt(self, spec: CardSpec, ability: Ability) -> bool:
        """False for what cannot be paid, or does nothing that anybody knows: draws of no known card, asks others."""
        does = self._around.influences.of(spec, ability)
        acts = ability.lasting or ability.cost or does.acts or (does.draws and self._draws_known)
        return self._keeps_all or (does.price is not None and bool(acts))

    def unite(self, candidates: Sequence[DrawnCard], effects: Mapping[str, Sequence[Effect]]) -> str:
        """The id of the union of candidates of one group, as far as the database's ``effects`` name their effects."""
        specs = [self.cards[card] for candidate in candidates for card in candidate.cards]
        united = dict[Any, Effect]()
        for effect in (effect for spec in specs for effect in effects.get(spec.id, ())):
            kept = tuple(op for op in effect.do if op.op not in HINDRANCES)
            if kept and effect.timing in (*IN_DUNGEON, "passive", "trophy"):
                again = Effect(id=f"e{len(united)}", timing=effect.timing, do=kept, cost=effect.cost)
                united.setdefault((effect.timing, kept, effect.cost), again)
        instead = [op.amount for spec in specs for op in spec.passive if isinstance(op, Instead)]
        attack, magic, light, strength, weight = map(max, zip(*[one.figures for one in candidates], strict=True))
        like, types = specs[0], sorted(frozenset[str]().union(*(spec.types for spec in specs)))
        card = Card(
            id=f"+{len(self.cards)}", kind=cast("Any", "hero" if like.is_hero else like.kind), count=1,
            types=tuple(types), attack=max(attack, *instead, 0), magic_attack=magic, light=light, strength=strength,
            weight=-weight, gold=like.gold, level=cast("Any", like.level or None),
        )  # fmt: skip
        self.cards[card.id] = CardSpec(card, (*united.values(),))
        return card.id


def covering(cards: Sequence[DrawnCard], *, ordered: bool) -> dict[str, list[str]]:
    """The first card of each kind, with those that win wherever it does: itself and, if ``ordered``, what covers it."""
    return {
        less.cards[0]: [more.cards[0] for more in cards if more is less or (ordered and _covers(more, less))]
        for less in cards
    }


def _covers(more: DrawnCard, less: DrawnCard) -> bool:
    """True if both only help, and one has figures no less than the other's and all its effects."""
    effects = (any(_is_like(mine, effect) for mine in more.effects) for effect in less.effects)
    return more.helps and less.helps and all(map(ge, more.figures, less.figures)) and all(effects)


def _is_like(more: Any, less: Any) -> bool:
    """True for equal effects, and for bonuses that only differ in that one is larger."""
    if isinstance(more, tuple) and isinstance(less, tuple):
        return len(more) == len(less) and all(map(_is_like, more, less))
    if isinstance(more, Bonus) and isinstance(less, Bonus) and more.amount > less.amount:
        return structs.replace(less, amount=more.amount) == more
    return bool(more == less)


def _used(abilities: Iterable[Ability]) -> tuple[Any, ...]:
    return tuple((one.cost, one.instant, one.lasting, one.repeat, one.before_refill) for one in abilities)


def _hinders(spec: CardSpec) -> bool:
    negative = any(isinstance(op, Bonus) and op.amount < 0 for op in spec.passive)
    return spec.kind == "disease" or negative or any(op.op in HINDRANCES for op in spec.passive)


def _parts(value: Any) -> Iterator[str | Select | Condition]:
    """All words, choices of cards and conditions in operations."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _parts(part)
    elif isinstance(value, Struct):
        if isinstance(value, Select | Condition):
            yield value
        for field in value.__struct_fields__:
            yield from _parts(getattr(value, field))
