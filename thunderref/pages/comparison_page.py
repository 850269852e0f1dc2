"""Cards side by side: the levels of families, who can hold which weapon, what beats which monster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thunderref.database.card_records import Card
from thunderref.database.paths import FIGURES
from thunderref.database.read import Language
from thunderref.pages.page import Block, Line, Page, links_to_cards
from thunderref.search.filters import filter_cards
from thunderref.thunderstone.resolve.situation import needed_points, sole_victors


def comparison_page(words: Language, cards: Sequence[Card]) -> Page:
    """A block for each kind of comparison that these cards allow."""
    heroes = [card for card in cards if card.is_hero]
    every = [card for card in words.database.cards.values() if card.is_hero and card.reprint_of is None]
    blocks = {
        "levels": [*_levels(words, heroes)],
        "weapons": [*_holders(words, [card for card in cards if "weapon" in card.types], heroes or every)],
        "monsters": [*_victors(words, [card for card in cards if card.health], heroes)],
    }
    count = words.say("card.list.count", n=len(cards))
    return Page(count, [], [Block(lines, words.say(f"compare.{key}")) for key, lines in blocks.items()])


def _families(heroes: Sequence[Card]) -> dict[str, list[Card]]:
    """Heroes by family, by level; Militia is one of its own."""
    families = dict[str, list[Card]]()
    for hero in sorted(heroes, key=lambda card: card.level or 0):
        families.setdefault(hero.family or hero.id, []).append(hero)
    return families


def _levels(words: Language, heroes: Sequence[Card]) -> Iterator[Line]:
    for family, members in _families(heroes).items():
        rows = ((figure, [getattr(card, figure) for card in members]) for figure in FIGURES)
        figures = [
            f"{words.say(f'card.figure.{figure}')} {'/'.join('–' if n is None else str(n) for n in values)}"
            for figure, values in rows
            if any(value is not None for value in values)
        ]
        links = links_to_cards(words, [card.id for card in members])
        yield Line(", ".join(figures), _name(words, family, members), links=links)


def _name(words: Language, family: str, members: Sequence[Card]) -> str:
    return str(words.card(family)) if members[0].family is None else str(words.family(family))


def _holders(words: Language, weapons: Sequence[Card], heroes: Sequence[Card]) -> Iterator[Line]:
    """Each weapon with the heroes strong enough for it (R4.3): a family, or from which level on."""
    for weapon in weapons:
        able, names = {card.id for card in filter_cards(words.database, f"holds:{weapon.id}")}, list[str]()
        for family, members in _families(heroes).items():
            strong = [card for card in members if card.id in able]
            name = _name(words, family, members)
            if strong and len(strong) < len(members):
                name = f"{name} {words.say('compare.from', level=strong[0].level)}"
            names += [name] if strong else []
        weighs = f"{words.say('card.figure.weight')} {weapon.weight}"
        yield Line(", ".join(names) or "–", words.card(weapon.id), weighs, links=links_to_cards(words, [weapon.id]))


def _victors(words: Language, monsters: Sequence[Card], heroes: Sequence[Card]) -> Iterator[Line]:
    """Each monster with what it takes to beat it, and the heroes who do so alone with enough Light (R5.14)."""
    for monster in monsters:
        alone = sole_victors(words, monster.id, [hero.id for hero in heroes])
        needed = needed_points(words, monster.id)
        text = f"{needed.text} {words.say('compare.alone', cards=words.listed(alone))}" if alone else needed.text
        yield Line(text, note=" ".join(needed.rules), links=links_to_cards(words, [monster.id, *alone]))
