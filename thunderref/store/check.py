"""What joins the files: ids that must resolve, texts that must exist, sums that must be right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from thunderref.errors import InputError
from thunderref.model.card import Card
from thunderref.model.glossary import SOURCE_LANGUAGE
from thunderref.store.load import Sources


def check_sources(sources: Sources) -> None:
    """Raises :class:`InputError` naming file, key and remedy for the first id that leads nowhere."""
    for problem in _problems(sources):
        raise problem


def _problems(sources: Sources) -> Iterator[InputError]:
    cards = {card.id: card for _, card in sources.cards}
    families = {family.id for family in sources.families}
    sets = {s.id for s in sources.sets}
    rules = {rule.id for _, rule in sources.rules}
    terms = {term.id for _, term in sources.terms}
    yield from _twice("db/cards", [card.id for _, card in sources.cards])
    yield from _twice("db/rules.toml", [rule.id for _, rule in sources.rules])
    yield from _twice("db/terms.toml", [term.id for _, term in sources.terms])
    for family in sources.families:
        yield from _unknown("db/sets.toml", f"family[{family.id}].set", [family.set], sets)
    for set_id, card in sources.cards:
        yield from _card_problems(f"db/cards/{set_id}.toml", card, families, rules, cards)
    for _, rule in sources.rules:
        yield from _unknown("db/rules.toml", f"rule[{rule.id}].see", rule.see, rules)
    for _, term in sources.terms:
        yield from _unknown("db/terms.toml", f"term[{term.id}].rules", term.rules, rules)
    for c in sources.clarifications:
        yield from _unknown("db/clarifications.toml", f"clarification[{c.id}].cards", c.cards, cards)
        yield from _unknown("db/clarifications.toml", f"clarification[{c.id}].rules", c.rules, rules)
    for _, conflict in sources.conflicts:
        where = f"conflict[{conflict.id}]"
        yield from _unknown("db/conflicts.toml", f"{where}.cards", conflict.cards, cards)
        yield from _unknown("db/conflicts.toml", f"{where}.rules", conflict.rules, rules)
        yield from _unknown("db/conflicts.toml", f"{where}.terms", conflict.terms, terms)
    for lang, glossary in sources.glossaries.items():
        file = f"glossary/{lang}.toml"
        yield from _unknown(file, "cards", glossary.cards, cards)
        yield from _unknown(file, "families", glossary.families, families)
        yield from _unknown(file, "terms", glossary.terms, terms)
    yield from _setup_problems(sources, {*cards, *families}, sets, rules, terms)
    if SOURCE_LANGUAGE not in sources.glossaries:
        yield InputError("missing-file", file=f"glossary/{SOURCE_LANGUAGE}.toml")


def _setup_problems(
    sources: Sources, named: set[str], sets: set[str], rules: set[str], terms: set[str]
) -> Iterator[InputError]:
    file = "db/setups.toml"
    for pool in sources.setups.pool:
        for key in ("classes", "heroes", "village", "features", "guardians", "stones"):
            yield from _unknown(file, f"pool[{pool.version}].{key}", getattr(pool, key), named)
    for deck in sources.setups.feature_deck:
        yield from _unknown(file, f"feature_deck[{deck.set}].pile", deck.pile, named)
        yield from _unknown(file, "feature_deck.set", [deck.set], sets)
    for variant in sources.setups.variant:
        yield from _unknown(file, f"variant[{variant.id}].without", variant.without, named)
        yield from _unknown(file, f"variant[{variant.id}].rules", variant.rules, rules)
        yield from _unknown(file, f"variant[{variant.id}].term", [variant.term] if variant.term else [], terms)
    for layout in (*sources.themes.first_game, *sources.themes.theme):
        where = f"[{layout.id}]"
        yield from _unknown("db/themes.toml", f"{where}.sets", layout.sets, sets)
        yield from _unknown("db/themes.toml", f"{where}.rules", layout.rules, rules)
        yield from _unknown("db/themes.toml", f"{where}.term", [layout.term] if layout.term else [], terms)
        for key in ("classes", "features", "guardians", "heroes", "village"):
            yield from _unknown("db/themes.toml", f"{where}.{key}", getattr(layout, key), named)


def _card_problems(
    file: str, card: Card, families: Iterable[str], rules: Iterable[str], cards: dict[str, Card]
) -> Iterator[InputError]:
    if card.family is not None:
        yield from _unknown(file, f"card[{card.id}].family", [card.family], families)
    if card.reprint_of is not None:
        yield from _unknown(file, f"card[{card.id}].reprint_of", [card.reprint_of], cards)
    for effect in card.effects:
        yield from _unknown(file, f"card[{card.id}].effects[{effect.id}].rules", effect.rules, rules)


def _unknown(file: str, key: str, used: Iterable[str], known: Iterable[str]) -> Iterator[InputError]:
    have = set(known)
    for name in used:
        if name not in have:
            yield InputError("bad-file", file=file, key=key, problem=f"“{name}” is not defined: correct or add it")


def _twice(file: str, ids: list[str]) -> Iterator[InputError]:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            yield InputError("bad-file", file=file, key=name, problem="is defined twice: keep one")
        seen.add(name)
