"""The cards that a draw may bring, sorted by what they can do to a battle, so that few of them must be searched.

Cards of one group are alike to everything on the table: they have the same types as far as an effect or a
monster names them. Within a group two cards with the same effects and figures are no different, and a card *covers* one
with figures no higher and no other effects: if these only help, it wins where the other does. The *union* of several,
with the highest of their figures and all their effects, wins where any does: if it loses, none needs a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import ge
from typing import Any, NamedTuple, cast

from msgspec import Struct, structs

from thunderref.database.card_records import Card
from thunderref.database.operations import Bonus, Condition, Effect, Instead, Select
from thunderref.thunderstone.resolve.waiting import Surroundings
from thunderref.thunderstone.rules.cards import IN_DUNGEON, Ability, Cards, CardSpec
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Position

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
