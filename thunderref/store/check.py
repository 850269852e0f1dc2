"""What joins the files: ids that must resolve, texts that must exist, sums that must be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from thunderref.errors import InputError
from thunderref.model.base import Record
from thunderref.model.card import Card
from thunderref.model.games import FIRST_GAME, GAMES, LETTERS
from thunderref.model.glossary import SOURCE_LANGUAGE
from thunderref.store.load import Sources
from thunderref.store.passages import text_games


def check_sources(sources: Sources) -> None:
    """Raises :class:`InputError` naming file, key and remedy for the first id that leads nowhere."""
    for problem in _problems(sources):
        raise problem


def _problems(sources: Sources) -> Iterator[InputError]:
    cards = {card.id: card for _, card in sources.cards}
    families = {family.id for family in sources.families}
    sets = {s.id for s in sources.sets}
    rules = {rule.id for game, rule in sources.rules if game == FIRST_GAME}
    terms = {term.id for _, term in sources.terms}
    seen: set[str] = set()
    for set_id in sorted(sets):
        yield from _twice(
            f"db/cards/{set_id}.toml", [card.id for owner, card in sources.cards if owner == set_id], seen
        )
    yield from _game_problems(sources)
    yield from _twice("db/sets.toml", [*(s.id for s in sources.sets), *(f"family {f.id}" for f in sources.families)])
    yield from _twice("db/clarifications.toml", [c.id for c in sources.clarifications])
    yield from _twice("db/conflicts.toml", [conflict.id for _, conflict in sources.conflicts])
    for family in sources.families:
        yield from _unknown("db/sets.toml", f"family[{family.id}].set", [family.set], sets)
    for set_id, card in sources.cards:
        yield from _card_problems(f"db/cards/{set_id}.toml", card, families, rules, cards)
    yield from _effect_problems(sources, cards)
    yield from _twice("db/rules.toml", [switch.name for _, rule in sources.rules for switch in rule.switches])
    for _, rule in sources.rules:
        if rule.status != "reading" and rule.switches:
            problem = "only a rule of status reading names open questions under switches"
            yield InputError("bad-file", file="db/rules.toml", key=f"rule[{rule.id}].switches", problem=problem)
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
        yield from _unknown(file, "sets", glossary.sets, sets)
    yield from _setup_problems(sources, {*cards, *families}, sets, rules, terms)
    if SOURCE_LANGUAGE not in sources.glossaries:
        yield InputError("missing-file", file=f"glossary/{SOURCE_LANGUAGE}.toml")
    elif sources.complete:
        yield from _gaps(sources)


def _game_problems(sources: Sources) -> Iterator[InputError]:
    """Rules and terms of each game: ids used once among all games, and leading only to rules of the same game."""
    rules_seen: set[str] = set()
    terms_seen: set[str] = set()
    for game in GAMES:
        folder = "db" if game == FIRST_GAME else f"db/{game}"
        rules = [rule for owner, rule in sources.rules if owner == game]
        terms = [term for owner, term in sources.terms if owner == game]
        known = {rule.id for rule in rules}
        yield from _twice(f"{folder}/rules.toml", [rule.id for rule in rules], rules_seen)
        yield from _twice(f"{folder}/terms.toml", [term.id for term in terms], terms_seen)
        for rule in rules:
            if not rule.id.startswith(LETTERS[game]):
                problem = f"has to begin with “{LETTERS[game]}”: correct it"
                yield InputError("bad-file", file=f"{folder}/rules.toml", key=f"rule[{rule.id}].id", problem=problem)
            yield from _unknown(f"{folder}/rules.toml", f"rule[{rule.id}].see", rule.see, known)
        for term in terms:
            yield from _unknown(f"{folder}/terms.toml", f"term[{term.id}].rules", term.rules, known)


def text_keys(sources: Sources) -> set[str]:
    """The keys that must have a text in every language: abilities, rules, rulings and conflicts.

    A reprint shows the texts of its original, so it has none of its own.
    """
    keys = {f"card.{c.id}.{e.id}" for _, c in sources.cards if c.reprint_of is None for e in c.effects}
    keys |= {f"rule.{rule.id}" for _, rule in sources.rules}
    keys |= {f"clarify.{c.id}" for c in sources.clarifications}
    return keys | {f"conflict.{conflict.id}" for _, conflict in sources.conflicts}


def _gaps(sources: Sources) -> Iterator[InputError]:
    """Names, texts and messages that a language lacks, and texts that belong to nothing."""
    english = sources.glossaries[SOURCE_LANGUAGE]
    known = text_keys(sources) | {f"term.{term.id}" for _, term in sources.terms}
    needed = {
        "cards": {card.id for _, card in sources.cards},
        "families": {family.id for family in sources.families},
        "terms": {term.id for _, term in sources.terms},
        "sets": {s.id for s in sources.sets},
        "texts": text_keys(sources) | set(english.texts),
        "messages": set(english.messages),
    }
    games = {"texts": text_games(sources), "terms": {term.id: game for game, term in sources.terms}}
    for lang, glossary in sources.glossaries.items():
        file = f"glossary/{lang}.toml"
        for section, keys in needed.items():
            if glossary.draft:
                break
            for key in sorted(keys - set(getattr(glossary, section))):
                game = games.get(section, {}).get(key, FIRST_GAME)
                lacking = file if game == FIRST_GAME else f"glossary/{lang}.{game}.toml"
                yield InputError("bad-file", file=lacking, key=f"{section}.{key}", problem="is missing: add it")
        yield from _unknown(file, "texts", sorted(glossary.texts), known)
        yield from _unknown(file, "messages", sorted(glossary.messages), english.messages)


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


def _effect_problems(sources: Sources, cards: dict[str, Card]) -> Iterator[InputError]:
    """Effects that speak of cards or types that do not exist, or whose id does not follow from their timing."""
    types = {kind for card in cards.values() for kind in card.types}
    for set_id, card in sources.cards:
        file = f"db/cards/{set_id}.toml"
        seen: Counter[str] = Counter()
        for effect in card.effects:
            key = f"card[{card.id}].effects[{effect.id}]"
            seen[effect.timing] += 1
            fitting = effect.timing if seen[effect.timing] == 1 else f"{effect.timing}-{seen[effect.timing]}"
            if effect.id != fitting:
                yield InputError("bad-file", file=file, key=f"{key}.id", problem=f"has to be “{fitting}”: correct it")
            for operation in (*effect.cost, *effect.do):
                yield from _unknown(file, f"{key}.{operation.op}.card", _values(operation, ("card",)), cards)
                yield from _unknown(file, f"{key}.{operation.op}", _values(operation, TYPE_FIELDS), types)


TYPE_FIELDS = ("type", "not_type", "wields", "holder", "target", "after")
"""Fields of operations, of what they select and of their conditions, that hold types of cards."""


def _values(record: Record, names: tuple[str, ...]) -> Iterator[str]:
    """The strings in the fields of these names, in the record and in those inside it."""
    for name in type(record).model_fields:
        value = getattr(record, name)
        if isinstance(value, Record):
            yield from _values(value, names)
        elif name in names and value is not None:
            yield from [value] if isinstance(value, str) else value


def _unknown(file: str, key: str, used: Iterable[str], known: Iterable[str]) -> Iterator[InputError]:
    have = set(known)
    for name in used:
        if name not in have:
            yield InputError("bad-file", file=file, key=key, problem=f"“{name}” is not defined: correct or add it")


def _twice(file: str, ids: list[str], seen: set[str] | None = None) -> Iterator[InputError]:
    seen = set() if seen is None else seen
    for name in ids:
        if name in seen:
            yield InputError("bad-file", file=file, key=name, problem="is defined twice: keep one")
        seen.add(name)
