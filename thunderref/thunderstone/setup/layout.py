"""What a set-up puts on the table (R1, R9), and the numbered steps and warnings that tell players how to lay it out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from functools import partial
from typing import Any, NamedTuple

from thunderref.database.read import FALLBACK
from thunderref.database.records import Beside
from thunderref.errors import NoAnswerError
from thunderref.thunderstone.setup.catalogue import BASIC, DECK, DISEASE, MILITIA, Catalogue, in_order
from thunderref.thunderstone.setup.codes import Content, Earlier, Leftovers
from thunderref.thunderstone.setup.request import UNOFFICIAL, Naming

PILE = 10  # cards counted off for a guardian or a stone (R1.4)
MILITIA_IN_PLAY = 30  # however many boxes are mixed (R1.9)
HALL = 3
EXPERIENCE = "experience-points"
HORDE_DECK = "horde-deck"

Counts = tuple[tuple[str, int], ...]
"""Cards with their copies."""


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
    """A stack beside the dungeon, the top card first.

    ``kind`` says which: basic, hero, village, disease, xp, horde, or beside for a deck or the tokens of a user's box.
    """

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

    ``leftovers`` says which cards of earlier dungeons need more than their place in the deck, None if not known.
    """

    content: Content
    layers: tuple[Layer, ...]
    stacks: tuple[Stack, ...]
    decks: tuple[PlayerDeck, ...]
    aside: tuple[str, ...]
    hall: int
    tokens: int
    leftovers: Leftovers | None


def lay_out(content: Content, cat: Catalogue, remains: Counts = ()) -> Layout:
    """Lays out what a code holds; ``remains`` are the cards left of an earlier dungeon, if known (R9.3)."""
    variant, later, stones = cat.variants[content.variant], content.later, content.stones
    leftovers = rest_of(remains, cat) if remains or not (later and later.remaining) else later.leftovers
    if leftovers and not remains:  # a code names only these among what is left
        placeholders = [(card, leftovers.placeholders) for card in cat.placeholders if leftovers.placeholders]
        remains = (*placeholders, *((guardian, 1) for guardian in leftovers.guardians))
    families = (*content.classes, *content.features.traps)
    cards = tuple(card for family in families for card in cat.cards_of(family, content.sets))
    if variant.dungeon == "epic":
        # R9.1, top first: one pile, one with the guardian, one with a stone, two with the other stone
        joined = (content.features.guardians, stones[1:])
        layers = (Layer(cards, (), PILE), *(Layer((), deck, PILE) for deck in joined), Layer((), stones[:1], 2 * PILE))
        layers = _filled(layers, sum(n for _, n in cards))
    else:
        # R1.4, top first: the rest, ten with each guardian, what an earlier dungeon left (R9.3), ten with the stone
        remaining, guardians = later.remaining if later else 0, content.features.guardians
        size = sum(n for _, n in cards) - PILE * (len(guardians) + 1)
        first, *deeper = [
            *([Layer((), (), size)] if size > 0 else []), *(Layer((), (guardian,), PILE) for guardian in guardians),
            *([Layer(remains, (), remaining, shuffle=1)] if remaining else []), Layer((), stones, PILE),
        ]  # fmt: skip
        layers = _filled((first._replace(cards=cards, shuffle=0), *deeper), sum(n for _, n in cards))
    absent = tuple(stone for stone in cat.campaign_stones(content.sets) if stone not in stones)
    shuffles = (1, 2) if variant.id == "odyssey" else (0, 0)
    winner = PlayerDeck("winner", (*DECK, *((stone, 1) for stone in absent)), heroes=shuffles[0])
    return Layout(
        content=content, layers=layers, stacks=tuple(_stacks(content, cat, leftovers)), leftovers=leftovers,
        decks=(winner, PlayerDeck("others", DECK, heroes=shuffles[1])) if later else (),  # R9.2 to R9.4
        aside=absent if variant.campaign and not later else (), hall=0 if variant.id == "solo" else HALL,
        tokens=content.players if variant.id == "marauding" else 0,
    )  # fmt: skip


def _filled(layers: tuple[Layer, ...], cards: int) -> tuple[Layer, ...]:
    """The layers as far as there are cards, from the lowest up: a class of a user's box may have less than ten."""
    filled: list[Layer] = []
    for layer in reversed(layers):
        drawn = layer.drawn if layer.shuffle else min(layer.drawn, cards)
        cards -= 0 if layer.shuffle else drawn
        filled.insert(0, layer._replace(drawn=drawn))
    return tuple(filled)


def cards_on_table(laid: Layout) -> list[str]:
    """The ids of all cards of a set-up, each once."""
    piles = (*(p.cards for p in laid.layers), *(p.cards for p in laid.stacks), *(p.cards for p in laid.decks))
    cards = [*(card for pile in piles for card, _ in pile), *(c for layer in laid.layers for c in layer.joined)]
    return [*dict.fromkeys(cards)]


def rest_of(remains: Counts, cat: Catalogue) -> Leftovers:
    """Return the cards among these that need more than their place in the deck."""
    of_horde = sum(n for card, n in remains if card in cat.placeholders)
    return Leftovers(of_horde, in_order((card for card, _ in remains), cat.pool.guardians))


def numbered_classes(earlier: Earlier | None, cat: Catalogue) -> list[str]:
    """The classes with numbered cards (R1.3) of earlier games; all there are if these are not known."""
    return [family for family in cat.numbered if earlier is None or family in earlier.classes]


def horde_deck(leftovers: Leftovers | None, earlier: Earlier | None, cat: Catalogue) -> tuple[str, ...]:
    """The numbered cards of the placeholders left: as many, the highest, for the lowest go first (R1.3).

    Raises :class:`NoAnswerError` (``setup-two-hordes``) if they may be of several classes, which no code holds apart.
    """
    if not leftovers or not leftovers.placeholders:
        return ()
    classes = numbered_classes(earlier, cat)
    if len(classes) > 1:
        raise NoAnswerError("setup-two-hordes", cards=classes)
    return tuple(card.id for family in classes for card in cat.numbered[family][-leftovers.placeholders :])


def _stacks(content: Content, cat: Catalogue, leftovers: Leftovers | None) -> Iterator[Stack]:
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
    piles = cat.piles_of(content.sets, content.cards)
    apart = {card for pile in cat.piles.values() for card in pile.cards} - {DISEASE}
    diseases = [c for c in cat.cards.values() if DISEASE in (c.id, c.reprint_of) and c.set_id in content.sets]
    if DISEASE not in (pile.replaces for pile in piles):
        yield Stack(DISEASE, "disease", ((DISEASE, sum(c.count for c in diseases if c.id not in apart)),))
    yield Stack(EXPERIENCE, "xp", ())
    for pile in piles:
        yield Stack(pile.id, "beside", tuple(pile.cards.items()))
    for family in content.classes:
        if family in cat.numbered:
            yield Stack(_deck_of(family, cat), "horde", tuple((c.id, c.count) for c in cat.numbered[family]))
    if horde := horde_deck(leftovers, content.earlier, cat):  # a later game of a pursuit (R9.3)
        yield Stack(_deck_of(cat.cards[horde[0]].family, cat), "horde", tuple((card, 1) for card in horde))


def _deck_of(family: str | None, cat: Catalogue) -> str:
    """The name of the numbered cards of a class."""
    return HORDE_DECK if family is None or family in cat.frozen.classes else family


FIRST_CARD, CHOOSE_TWO = "first-card", "pick-two"
"""The open questions of R1.5 and R1.2 (the names of db/rules.toml)."""
Note = tuple[str, dict[str, Any]]
"""A warning: the message key (without ``setup.``) and its parameters, ids of cards in tuples."""


class Item(NamedTuple):
    """One thing to lay out: the name on the divider, the same in English ("" in English), and how many.

    ``box`` is where it lies, "" unless the set-up takes cards from several; ``card`` is its id.
    """

    name: str
    english: str
    note: str
    box: str = ""
    card: str = ""

    @property
    def label(self) -> str:
        english = f" ({self.english})" if self.english not in ("", self.name) else ""
        box = f" [{self.box}]" if self.box else ""
        return f"{self.name}{english} {self.note}".rstrip() + box


class SetupStep(NamedTuple):
    """One step; ``section`` is dungeon, village, players or variant."""

    section: str
    title: str
    items: tuple[Item, ...] = ()

    @property
    def line(self) -> str:
        if not self.items:
            return self.title
        listed = "; ".join(f"{item.name} {item.note}".strip() for item in self.items)
        return f"{self.title} {listed}."


StepMaker = Callable[..., SetupStep]
"""Makes the step that messages tell, their keys in one text, with what it lays out, as (card, note), and parameters."""


def list_steps(laid: Layout, naming: Naming, readings: Set[str]) -> list[SetupStep]:
    cat, foreign = naming.cat, naming.lang != FALLBACK
    boxed = {card for pool in cat.slots.values() for card in pool} if len(laid.content.sets) > 1 else set[str]()

    def item(card: str, note: str) -> Item:
        box = naming.short_name(cat.set_of[card]) if card in boxed else ""
        return Item(naming.marked(card), naming.english.name(card) if foreign else "", note, box, card)

    def step(section: str, keys: str, laid_out: Iterable[tuple[str, str]] = (), **params: Any) -> SetupStep:
        title = " ".join(naming.say(f"setup.{key}", **params) for key in keys.split())
        return SetupStep(section, title, tuple(item(card, note) for card, note in laid_out))

    return [
        *_dungeon(laid, naming, partial(step, "dungeon"), readings), *_village(laid, naming, partial(step, "village")),
        *_players(laid, naming, partial(step, "players")), *_variant(laid, naming, partial(step, "variant")),
    ]  # fmt: skip


def _dungeon(laid: Layout, naming: Naming, step: StepMaker, readings: Set[str]) -> Iterator[SetupStep]:
    content, cat = laid.content, naming.cat

    def copies(families: Iterable[str]) -> list[tuple[str, str]]:
        return [(f, f"× {sum(n for _, n in cat.cards_of(f, content.sets))}") for f in families]

    yield step("step.classes", copies(content.classes), n=len(content.classes))
    earlier = content.earlier
    horde = horde_deck(laid.leftovers, earlier, cat)
    for stack in laid.stacks:
        if stack.kind == "horde" and stack.cards[0][0] not in horde:
            health = [cat.cards[card].health for card, _ in stack.cards]
            key = "step.horde" if stack.id == HORDE_DECK else "step.numbered"
            yield step(key, least=health[0], most=health[-1], family=naming.marked(stack.id))
    kinds = {family: cat.families[family][0].kind for family in content.features.traps}
    for kind in dict.fromkeys(kinds.values()):
        yield step(f"step.{kind}s", copies(family for family, family_kind in kinds.items() if family_kind == kind))
    yield step("step.shuffle", n=sum(n for _, n in laid.layers[0].cards))
    if cat.variants[content.variant].dungeon == "epic":
        yield step("step.epic-piles", n=PILE)
        keys = ("step.epic-top", "step.epic-next", "step.epic-next", "step.epic-deep")
        for key, layer in reversed(list(zip(keys, laid.layers, strict=True))):
            yield step(key, m=layer.size, cards=naming.names(layer.joined))
    else:
        for layer in laid.layers:
            if layer.joined:
                key = "step.guardian" if layer is not laid.layers[-1] else "step.stone"
                yield step(key, n=layer.drawn, m=layer.size, cards=naming.names(layer.joined))
        for layer in laid.layers:
            if layer.shuffle:
                yield step("step.left", n=layer.size, m=laid.layers[-1].size)
                if horde:
                    family = naming.marked(cat.cards[horde[0]].family or "")
                    yield step("step.left-horde", [(card, "") for card in horde], family=family)
                if laid.leftovers is None:  # it is not known which cards are left
                    for family in numbered_classes(earlier, cat):
                        if cat.set_of[family] in content.sets:
                            yield step("step.left-horde-if", family=naming.marked(family))
                    if earlier is None or earlier.guardians:
                        yield step("step.left-guardian-if")
    sizes = ", ".join(" + ".join([str(layer.drawn), *map(naming.marked, layer.joined)]) for layer in laid.layers)
    yield step("step.deck", n=sum(layer.size for layer in laid.layers), sizes=sizes)
    hall = _hall_key("step", readings) if laid.hall else "step.hall-empty"  # R1.5; only what might happen yet
    for kind in dict.fromkeys(kinds.values()) if laid.hall else ():
        hall += f" step.hall-{kind}s"
    hall += " step.hall-breaches" if laid.hall and not cat.breaching.isdisjoint(content.classes) else ""
    yield step(hall, n=laid.hall)
    if content.features.guardians or (laid.leftovers and laid.leftovers.guardians):
        yield step("step.rank-0")


def _hall_key(section: str, readings: Set[str]) -> str:
    return f"{section}.hall-backwards" if FIRST_CARD in readings else f"{section}.hall"


def _village(laid: Layout, naming: Naming, step: StepMaker) -> Iterator[SetupStep]:
    def stacks(kind: str) -> list[tuple[str, str]]:
        counts = [(stack.id, stack.cards[0][1]) for stack in laid.stacks if stack.kind == kind]
        return [(card, f"× {count}") for card, count in counts if count]

    heroes = [stack for stack in laid.stacks if stack.kind == "hero"]
    yield step("step.basic", stacks("basic"))
    yield step("step.heroes", [(s.id, f"({'+'.join(str(n) for _, n in reversed(s.cards))})") for s in heroes])
    yield step("step.village", stacks("village"))
    yield step("step.supply", [*stacks("disease"), (EXPERIENCE, "")])
    if piles := [naming.cat.piles[stack.id] for stack in laid.stacks if stack.kind == "beside"]:
        yield step("step.beside", [(pile.id, _note_on(pile, naming)) for pile in piles])


def _note_on(pile: Beside, naming: Naming) -> str:
    """How many tokens there are, or of which cards a deck is made."""
    if not pile.cards:
        return f"× {pile.count}"
    cards = ", ".join(f"{naming.marked(card)} × {n}" for card, n in pile.cards.items())
    return naming.say(f"setup.beside-{'instead' if pile.replaces else 'deck'}", cards=cards)


def _players(laid: Layout, naming: Naming, step: StepMaker) -> Iterator[SetupStep]:
    content = laid.content
    yield step("step.deck-of-player", [(card, f"× {n}") for card, n in DECK], n=sum(n for _, n in DECK))
    for deck in laid.decks:
        joined = [card for card, _ in deck.cards if card not in BASIC]
        size = sum(n for _, n in deck.cards) + deck.heroes
        if joined or deck.heroes:
            key = f"step.later-{deck.who}" + ("-heroes" if deck.heroes else "")
            winner = content.later.winner if content.later else 0
            yield step(key, cards=naming.names(joined), heroes=deck.heroes, n=size, player=winner)
    yield step("step.draw", n=6, players=content.players)


def _variant(laid: Layout, naming: Naming, step: StepMaker) -> Iterator[SetupStep]:
    content, variant = laid.content, naming.cat.variants[laid.content.variant]
    if laid.tokens:
        yield step("step.tokens", n=laid.tokens)
    if variant.dungeon != "epic" and len(content.stones) > 1:
        yield step("play.both-stones")
    if laid.aside:
        yield step("step.keep", cards=naming.names(laid.aside))
    for number in range(1, 9):
        for name in (variant.id, f"{variant.id}-{content.level}"):
            key = f"play.{name}-{number}"
            if naming.words.has(f"setup.{key}") and (content.later is None or key != "play.odyssey-2"):
                yield step(key, n=content.players)


def find_notes(laid: Layout, naming: Naming, readings: Set[str]) -> list[Note]:
    content, cat, stones = laid.content, naming.cat, (*laid.content.stones, *laid.aside)
    features, variant, fixed = content.features, cat.variants[content.variant], cat.fixed_setup(content.layout)
    there = {card.reprint_of or card.id for card in cat.cards.values() if card.set_id in content.sets}
    lacking = [card for card in BASIC if card not in there]
    marks = cat.question_marks(content.sets)
    games = len(cat.owned(cat.pool.classes, content.sets)) // len(content.classes)
    agony, without = cat.pool.stones[1], tuple(card for card in cat.cards if card in variant.without)
    drawn = {family for stack in laid.stacks for card, _ in stack.cards if (family := cat.cards[card].family)}
    left_out = tuple(card for card in without if cat.cards[card].family in drawn)  # of a hero stack that is there
    unjudged = tuple(card for card in cards_on_table(laid) if not cat.cards[card].judged)
    used = (*laid.aside, *BASIC, *horde_deck(laid.leftovers, content.earlier, cat), *content.cards)
    notes: list[tuple[str, object, dict[str, Any]]] = [
        ("warn.no-basic", cat.basic_box not in content.sets, {"box": cat.basic_box, "cards": lacking}),
        ("warn.no-militia", any(stack.cards[:1] == ((MILITIA, 0),) for stack in laid.stacks), {}),
        *((f"reading.{reading}", True, {}) for reading in (fixed.readings if fixed else ())),
        (_hall_key("reading", readings), laid.hall == HALL, {}),
        ("reading.question-marks", fixed is None and variant.dungeon != "epic" and marks, {"n": marks}),
        ("reading.pick-two", features.pick_two and CHOOSE_TWO not in readings, {}),
        ("warn.left-out", left_out, {"cards": left_out}),
        ("warn.one-guardian", features.short, {}),
        ("warn.blade-trap", any(cat.is_mixed(trap, content.sets) for trap in features.traps), {}),
        ("warn.games", variant.id == "pursuit" and len(content.classes) > variant.classes[0], {"n": games}),
        ("reading.solo", without, {"cards": without}),
        ("reading.odyssey", variant.id == "odyssey", {}),
        ("warn.agony-light", (variant.campaign or variant.dungeon == "epic") and agony in stones, {"cards": (agony,)}),
        ("warn.not-judged", unjudged, {"cards": unjudged}),
        ("warn.unofficial", not all(naming.official(card) for card in used), {"mark": UNOFFICIAL}),
    ]
    return [(key, params) for key, holds, params in notes if holds]
