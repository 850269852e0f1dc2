"""What a set-up puts on the table: the dungeon deck layer by layer, stacks, player decks, tokens (R1, R9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thunderref.setup.codes import Content
from thunderref.setup.pools import BASIC, DECK, DISEASE, MILITIA, Catalogue, Variant

PILE = 10
"""Cards that are counted off for a guardian or a stone (R1.4)."""
MILITIA_IN_PLAY = 30
"""Militia used however many boxes are mixed (R1.9)."""
HALL = 3
EXPERIENCE = "experience-points"
HORDE_DECK = "horde-deck"

Counts = tuple[tuple[str, int], ...]
"""(card, copies)."""


@dataclass(frozen=True)
class Layer:
    """A part of the dungeon deck: ``drawn`` cards off shuffle number ``shuffle``, shuffled with ``joined``.

    ``cards`` lists the whole shuffle, once, with the first layer that is counted off it.
    """

    cards: Counts
    joined: tuple[str, ...]
    drawn: int
    shuffle: int = 0

    @property
    def size(self) -> int:
        """All cards of the layer."""
        return self.drawn + len(self.joined)


@dataclass(frozen=True)
class Stack:
    """A stack beside the dungeon, the top card first; ``kind`` says which: basic, hero, village, disease, xp, horde."""

    id: str
    kind: str
    cards: Counts


@dataclass(frozen=True)
class PlayerDeck:
    """The deck of some players of a later campaign game; ``heroes`` more cards each player picks himself (R9.4)."""

    who: str
    cards: Counts
    heroes: int = 0


@dataclass(frozen=True)
class Table:
    """Everything that is laid out. ``aside`` is a stone kept for the next game, ``tokens`` is per R9.6."""

    layers: tuple[Layer, ...]
    stacks: tuple[Stack, ...]
    deck: Counts
    decks: tuple[PlayerDeck, ...]
    aside: tuple[str, ...]
    hall: int
    tokens: int


def table(content: Content, variant: Variant, cat: Catalogue, remains: Counts = ()) -> Table:
    """Lays out what a code holds; ``remains`` are the cards left of an earlier dungeon, where they are known (R9.3)."""
    families = (*content.classes, *content.features.traps)
    shuffled = [card for family in families for card in cat.cards_of(family, content.sets)]
    if variant.dungeon == "epic":
        layers = epic_layers(shuffled, content.features.guardians, content.stones)
    else:
        left = content.later.left if content.later else 0
        layers = ordinary_layers(shuffled, content.features.guardians, content.stones, left, remains)
    aside: tuple[str, ...] = ()
    if variant.campaign and content.later is None:
        aside = tuple(stone for stone in cat.pool.stones if stone not in content.stones)
    return Table(
        layers=layers,
        stacks=tuple(_stacks(content, variant, cat)),
        deck=DECK,
        decks=_player_decks(content, cat),
        aside=aside,
        hall=0 if variant.id == "solo" else HALL,
        tokens=content.players if variant.id == "marauding" else 0,
    )


def ordinary_layers(
    shuffled: Iterable[tuple[str, int]],
    guardians: Sequence[str],
    stones: tuple[str, ...],
    left: int = 0,
    remains: Counts = (),
) -> tuple[Layer, ...]:
    """R1.4, top first: the rest, ten with each guardian, what an earlier dungeon left (R9.3), ten with the stone."""
    cards = tuple(shuffled)
    rest = sum(n for _, n in cards) - PILE * (len(guardians) + 1)
    layers = [Layer((), (), rest)] if rest else []
    layers += [Layer((), (guardian,), PILE) for guardian in guardians]
    layers += [Layer(remains, (), left, shuffle=1)] if left else []
    layers.append(Layer((), stones, PILE))
    return (Layer(cards, layers[0].joined, layers[0].drawn), *layers[1:])


def epic_layers(
    shuffled: Iterable[tuple[str, int]], guardians: Sequence[str], stones: tuple[str, ...]
) -> tuple[Layer, ...]:
    """R9.1, top first: one pile, one with the guardian, one with a stone, two with the other stone."""
    deep, high = stones
    return (
        Layer(tuple(shuffled), (), PILE),
        Layer((), tuple(guardians), PILE),
        Layer((), (high,), PILE),
        Layer((), (deep,), 2 * PILE),
    )


def _stacks(content: Content, variant: Variant, cat: Catalogue) -> Iterable[Stack]:
    halved = variant.id == "solo" and content.level in ("fighter", "nightmare")
    dealt = dict(DECK)
    for card in BASIC:
        copies = MILITIA_IN_PLAY if card == MILITIA else cat.cards[card].count
        yield Stack(card, "basic", ((card, copies - content.players * dealt[card]),))
    for family in content.heroes:
        heroes = [c for c in cat.families[family] if c.kind == "hero" and c.id not in variant.without]
        heroes.sort(key=lambda card: card.level or 0)
        yield Stack(family, "hero", tuple((c.id, c.count // 2 if halved else c.count) for c in heroes))
    for card in content.village:
        copies = cat.cards[card].count
        yield Stack(card, "village", ((card, copies // 2 if halved else copies),))
    diseases = (c for c in cat.cards.values() if c.kind == "disease" and c.set_id in content.sets)
    yield Stack(DISEASE, "disease", ((DISEASE, sum(c.count for c in diseases)),))
    yield Stack(EXPERIENCE, "xp", ())
    for family in content.classes:
        if family in cat.numbered:
            yield Stack(HORDE_DECK, "horde", tuple((c.id, c.count) for c in cat.numbered[family]))


def _player_decks(content: Content, cat: Catalogue) -> tuple[PlayerDeck, ...]:
    """R9.2 to R9.4: who starts a later game with more than twelve cards."""
    if content.later is None:
        return ()
    trophy = tuple((stone, 1) for stone in cat.pool.stones if stone not in content.stones)
    odyssey = content.variant == "odyssey"
    winner = PlayerDeck("winner", (*DECK, *trophy), heroes=1 if odyssey else 0)
    return (winner, PlayerDeck("others", DECK, heroes=2 if odyssey else 0))
