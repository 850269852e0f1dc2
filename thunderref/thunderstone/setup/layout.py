"""What a set-up puts on the table: the dungeon deck layer by layer, stacks, player decks, tokens (R1, R9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from thunderref.thunderstone.setup.catalogue import BASIC, DECK, DISEASE, MILITIA, Catalogue, in_order
from thunderref.thunderstone.setup.codes import Content, Rest

PILE = 10  # cards counted off for a guardian or a stone (R1.4)
MILITIA_IN_PLAY = 30  # however many boxes are mixed (R1.9)
HALL = 3
EXPERIENCE = "experience-points"
HORDE_DECK = "horde-deck"

Counts = tuple[tuple[str, int], ...]
"""(card, copies)."""


class Layer(NamedTuple):
    """A part of the dungeon deck: ``drawn`` cards off shuffle number ``shuffle``, shuffled with ``joined``.

    ``cards`` lists the whole shuffle once, with its first layer.
    """

    cards: Counts
    joined: tuple[str, ...]
    drawn: int
    shuffle: int = 0

    @property
    def size(self) -> int:
        return self.drawn + len(self.joined)


class Stack(NamedTuple):
    """A stack beside the dungeon, the top card first; ``kind`` says which: basic, hero, village, disease, xp, horde."""

    id: str
    kind: str
    cards: Counts


class PlayerDeck(NamedTuple):
    """The deck of some players in a later campaign game; each picks ``heroes`` more cards (R9.4)."""

    who: str
    cards: Counts
    heroes: int = 0


class Layout(NamedTuple):
    """The whole table of a set-up. ``aside`` is a stone kept for the next game, ``tokens`` those of R9.6.

    ``rest`` says which cards of earlier dungeons need more than their place in the deck, None if that is not known.
    """

    content: Content
    layers: tuple[Layer, ...]
    stacks: tuple[Stack, ...]
    decks: tuple[PlayerDeck, ...]
    aside: tuple[str, ...]
    hall: int
    tokens: int
    rest: Rest | None


def lay_out(content: Content, cat: Catalogue, remains: Counts = ()) -> Layout:
    """Lays out what a code holds; ``remains`` are the cards left of an earlier dungeon, if known (R9.3)."""
    variant = cat.variants[content.variant]
    first = content.later is None
    rest = rest_of(remains, cat) if remains or not (content.later and content.later.left) else content.later.rest
    families = (*content.classes, *content.features.traps)
    cards = tuple(card for family in families for card in cat.cards_of(family, content.sets))
    known = remains or (_known(rest, cat) if rest else ())
    others = tuple(stone for stone in cat.pool.stones if stone not in content.stones)
    taken = (1, 2) if variant.id == "odyssey" else (0, 0)
    winner = PlayerDeck("winner", (*DECK, *((stone, 1) for stone in others)), heroes=taken[0])
    return Layout(
        content=content,
        layers=_epic(cards, content) if variant.dungeon == "epic" else _ordinary(cards, content, known),
        stacks=tuple(_stacks(content, cat, rest)),
        decks=() if first else (winner, PlayerDeck("others", DECK, heroes=taken[1])),  # R9.2 to R9.4
        aside=others if variant.campaign and first else (),
        hall=0 if variant.id == "solo" else HALL,
        tokens=content.players if variant.id == "marauding" else 0,
        rest=rest,
    )


def rest_of(remains: Counts, cat: Catalogue) -> Rest:
    """What of these cards needs more than its place in the deck."""
    loose = {card.id for numbered in cat.numbered.values() for card in numbered}
    of_horde = (n for card, n in remains if cat.cards[card].family in cat.numbered and card not in loose)
    return Rest(sum(of_horde), in_order((card for card, _ in remains), cat.pool.guardians))


def _known(rest: Rest, cat: Catalogue) -> Counts:
    """The cards that a code names among those left of earlier dungeons."""
    horde = [card for family, numbered in cat.numbered.items() for card in cat.families[family] if card not in numbered]
    placeholders = [(card.id, rest.placeholders) for card in horde if rest.placeholders]
    return (*placeholders, *((guardian, 1) for guardian in rest.guardians))


def horde_deck(placeholders: int, cat: Catalogue) -> tuple[str, ...]:
    """The numbered cards of so many placeholders: as many, the highest, for the lowest go first (R1.3)."""
    numbered = [card.id for cards in cat.numbered.values() for card in cards]
    return tuple(numbered[len(numbered) - placeholders :])


def _ordinary(cards: Counts, content: Content, remains: Counts) -> tuple[Layer, ...]:
    """R1.4, top first: the rest, ten with each guardian, what an earlier dungeon left (R9.3), ten with the stone."""
    guardians = content.features.guardians
    left = content.later.left if content.later else 0
    rest = sum(n for _, n in cards) - PILE * (len(guardians) + 1)
    layers = [Layer((), (), rest)] if rest else []
    layers += [Layer((), (guardian,), PILE) for guardian in guardians]
    layers += [Layer(remains, (), left, shuffle=1)] if left else []
    layers.append(Layer((), content.stones, PILE))
    return (layers[0]._replace(cards=cards, shuffle=0), *layers[1:])


def _epic(cards: Counts, content: Content) -> tuple[Layer, ...]:
    """R9.1, top first: one pile, one with the guardian, one with a stone, two with the other stone."""
    deep, high = content.stones
    joined = (content.features.guardians, (high,))
    return (Layer(cards, (), PILE), *(Layer((), each, PILE) for each in joined), Layer((), (deep,), 2 * PILE))


def _stacks(content: Content, cat: Catalogue, rest: Rest | None) -> Iterator[Stack]:
    halved = 2 if content.variant == "solo" and content.level in ("fighter", "nightmare") else 1
    dealt = dict(DECK)
    for card in BASIC:
        copies = MILITIA_IN_PLAY if card == MILITIA else cat.cards[card].count
        yield Stack(card, "basic", ((card, copies - content.players * dealt[card]),))
    without = cat.variants[content.variant].without
    for family in content.heroes:
        heroes = sorted(cat.families[family], key=lambda card: card.level or 0)
        heroes = [c for c in heroes if c.kind == "hero" and c.id not in without]
        yield Stack(family, "hero", tuple((c.id, c.count // halved) for c in heroes))
    for card in content.village:
        yield Stack(card, "village", ((card, cat.cards[card].count // halved),))
    diseases = (c for c in cat.cards.values() if c.kind == "disease" and c.set_id in content.sets)
    yield Stack(DISEASE, "disease", ((DISEASE, sum(c.count for c in diseases)),))
    yield Stack(EXPERIENCE, "xp", ())
    for family in content.classes:
        if family in cat.numbered:
            yield Stack(HORDE_DECK, "horde", tuple((c.id, c.count) for c in cat.numbered[family]))
            return
    if rest and rest.placeholders:  # a later game of a pursuit (R9.3)
        yield Stack(HORDE_DECK, "horde", tuple((card, 1) for card in horde_deck(rest.placeholders, cat)))
