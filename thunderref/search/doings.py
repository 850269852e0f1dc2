"""What cards do and give, by their effects as data: ``does:destroy-hero``, ``gives:light``, ``immune:magic``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from thunderref.database.read import Database

if TYPE_CHECKING:  # a query about figures alone loads no records
    from thunderref.database.operations import Effect

_DESTROYING = frozenset((
    "destroy", "battle-destroy", "destroy-random", "each-player-destroys", "reveal-top", "others-lose", "show-hero",
    "destroy-weakest", "reveal-tops", "turn-round", "raze-hero-stacks", "destroy-weak",
))  # fmt: skip
_DISCARDING = frozenset(("discard", "opponents-discard", "everyone-discards", "borrow"))
_FROM_OPPONENTS = frozenset(("borrow", "magic-unless-discarded", "hunt-discard", "tax"))
"""What makes opponents discard besides."""
_SAME = {"extra-buy": "buy", "gold-per-player": "gold", "gain-xp": "xp", "extra-xp": "xp"}
"""Operations that do the same as others."""
_IMMUNE = {
    "magic-attack": "magic", "spells": "spells", "edged": "edged", "unequipped-heroes": "unarmed",
    "only-magic": "attack",
}  # fmt: skip
"""Maps an immunity of a monster to its word in a query."""
_GIVING = {
    "gold": "gold",
    "gold-per-player": "gold",
    "gain-xp": "xp",
    "extra-xp": "xp",
    "brawl": "xp",
    "magic-unless-discarded": "magic_attack",
}
_ANY = ("chosen", "heroes")
_TIMES = {"village": {"village", "village-or-dungeon"}, "dungeon": {"dungeon", "repeat-dungeon", "village-or-dungeon"}}
FIGURES = ("light", "attack", "magic_attack", "gold", "strength", "xp", "vp")
"""What a card can give."""


def doings(database: Database) -> dict[str, frozenset[str]]:
    """Card -> what its abilities and their costs do."""
    return {card: frozenset(_done(database, effects)) for card, effects in database.all_effects.items()}


def doings_in(database: Database, time: str) -> dict[str, frozenset[str]]:
    """Card -> what its effects of a time do, those that can be used then included: ``village``, ``battle``."""
    times = _TIMES.get(time, {time})
    return {
        card: frozenset(_done(database, tuple(effect for effect in effects if effect.timing in times)))
        for card, effects in database.all_effects.items()
    }


def gifts(database: Database) -> dict[str, frozenset[str]]:
    """Card -> the figures that it gives, printed on it or by an ability."""
    by_card = {
        card.id: {figure for figure in FIGURES if figure != "strength" and getattr(card, figure)}
        for card in database.cards.values()
    }
    for card_id, effects in database.all_effects.items():
        for op in (op for effect in effects if effect.timing != "battle" for op in effect.do):
            figure = getattr(op, "stat", None) or _GIVING.get(getattr(op, "name", op.op))
            by_card[card_id] |= {figure} if figure and getattr(op, "amount", 1) > 0 else set()
    return {card: frozenset(figures) for card, figures in by_card.items()}


def strength_given(database: Database, card: str) -> int:
    """Return the Strength that a card gives a hero of one's choice, or each (R4.2); 0 for none, and for heroes."""
    ops: Iterator[Any] = (op for effect in database.all_effects.get(card, ()) if not effect.cost for op in effect.do)
    bonuses = (op for op in ops if op.op == "bonus" and op.stat == "strength" and op.to in _ANY)
    return sum(op.amount for op in bonuses if not (op.per or op.who or op.when or op.armed))


def immunities(database: Database) -> dict[str, frozenset[str]]:
    """Card -> what it is immune to."""
    return {
        card: frozenset(
            _IMMUNE[kind] for effect in effects for op in effect.do if (kind := getattr(op, "to", op.op)) in _IMMUNE
        )
        for card, effects in database.all_effects.items()
    }


def hero_types(database: Database) -> frozenset[str]:
    """Return the types that heroes have, "hero" among them."""
    return frozenset(name for card in database.cards.values() if card.is_hero for name in (*card.types, "hero"))


def _done(database: Database, effects: tuple[Effect, ...]) -> Iterator[str]:
    heroes = database.derived(hero_types)
    for effect in effects:
        for op in (*effect.cost, *effect.do):
            yield _SAME.get(op.op, op.op)
            if op.op in _DESTROYING:
                yield from ("destroy", *(f"destroy-{victim}" for victim in _what(op, heroes)))
            if op.op in _DISCARDING:
                yield "discard"
            if not _FROM_OPPONENTS.isdisjoint((op.op, getattr(op, "name", ""))):
                yield "opponents-discard"
            if op.op in ("gain", "halve"):
                whose = "opponents-" if getattr(op, "who", "self") == "opponents" else ""
                yield f"{whose}{op.op}-{getattr(op, 'card', None) or getattr(op, 'what', '')}"
            if op.op == "halve" and (unless := getattr(op, "unless", None)):
                yield f"{op.op}-without-{unless}"


def _what(op: Any, heroes: frozenset[str]) -> Iterator[str]:
    """Yield what is destroyed: the kind or type that is chosen from, and ``hero`` as well where it is one of heroes."""
    select = getattr(op, "select", None)
    victims = [sort for sort in (select and select.kind, select and select.type) if sort]
    if select is None:
        victims = ["card"] if op.op == "destroy-random" else ["hero"]
    yield from victims or ["card"]
    if heroes.intersection(victims):
        yield "hero"
