"""The numbered steps to lay out a set-up, and warnings for the players, in the language of the output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from thunderref.database.read import FALLBACK
from thunderref.thunderstone.setup.catalogue import BASIC, BOXES, DECK, MILITIA, PROMO, Catalogue
from thunderref.thunderstone.setup.layout import EXPERIENCE, HALL, PILE, Layout, horde_deck
from thunderref.thunderstone.setup.naming import UNOFFICIAL, Naming

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


def list_steps(laid: Layout, naming: Naming, readings: Set[str]) -> list[SetupStep]:
    rest = (section(laid, naming) for section in (_village, _players, _variant))
    return [*_dungeon(laid, naming, readings), *chain.from_iterable(rest)]


def _step(
    laid: Layout, naming: Naming, section: str, key: str, notes: Sequence[tuple[str, str]] = (), **params: Any
) -> SetupStep:
    cat, foreign = naming.cat, naming.lang != FALLBACK
    many = len(laid.content.sets) > 1
    drawn = [card for card, _ in notes if many and any(card in pool for pool in cat.slots.values())]
    boxes = {card: naming.say(f"setup.box.{cat.set_of[card]}") for card in drawn}
    items = (
        Item(naming.marked(card), naming.english.name(card) if foreign else "", note, boxes.get(card, ""), card)
        for card, note in notes
    )
    return SetupStep(section, naming.say(f"setup.{key}", **params), tuple(items))


def _dungeon(laid: Layout, naming: Naming, readings: Set[str]) -> Iterator[SetupStep]:
    content, cat = laid.content, naming.cat
    step = partial(_step, laid, naming, "dungeon")

    def copies(families: Iterable[str]) -> list[tuple[str, str]]:
        return [(f, f"× {sum(n for _, n in cat.cards_of(f, content.sets))}") for f in families]

    yield step("step.classes", copies(content.classes), n=len(content.classes))
    left = _horde_left(laid, cat)
    for stack in laid.stacks:
        if stack.kind == "horde" and not left:
            health = [cat.cards[card].health for card, _ in stack.cards]
            yield step("step.horde", least=health[0], most=health[-1])
    if content.features.traps:
        yield step("step.traps", copies(content.features.traps))
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
                if left:
                    yield step("step.left-horde", [(card, "") for card in left])
                yield from map(step, _if_left(laid, cat))
    sizes = ", ".join(" + ".join([str(layer.drawn), *map(naming.marked, layer.joined)]) for layer in laid.layers)
    yield step("step.deck", n=sum(layer.size for layer in laid.layers), sizes=sizes)
    yield _hall(laid, naming, readings)
    if content.features.guardians or (laid.rest and laid.rest.guardians):
        yield step("step.rank-0")


def _horde_left(laid: Layout, cat: Catalogue) -> tuple[str, ...]:
    return horde_deck(laid.rest.placeholders, cat) if laid.rest else ()


def _if_left(laid: Layout, cat: Catalogue) -> Iterator[str]:
    """What to do if certain cards are left of earlier dungeons, where it is not known which are."""
    earlier = laid.content.later.earlier if laid.content.later else None
    if laid.rest is None:
        if earlier is None or any(family in cat.numbered for family in earlier.classes):
            yield "step.left-horde-if"
        if earlier is None or earlier.guardians:
            yield "step.left-guardian-if"


def _hall(laid: Layout, naming: Naming, readings: Set[str]) -> SetupStep:
    """R1.5; what does not happen yet is said only where it might."""
    content = laid.content
    if not laid.hall:
        return _step(laid, naming, "dungeon", "step.hall-empty")
    step = _step(laid, naming, "dungeon", _hall_key("step", readings), n=laid.hall)
    more = ["step.hall-traps"] if content.features.traps else []
    more += ["step.hall-breaches"] if any(card in naming.cat.breaching for card in content.classes) else []
    return step._replace(title=" ".join([step.title, *(naming.say(f"setup.{key}") for key in more)]))


def _hall_key(part: str, readings: Set[str]) -> str:
    return f"{part}.hall-backwards" if FIRST_CARD in readings else f"{part}.hall"


def _village(laid: Layout, naming: Naming) -> Iterator[SetupStep]:
    step = partial(_step, laid, naming, "village")

    def stacks(kind: str) -> list[tuple[str, str]]:
        counts = [(stack.id, stack.cards[0][1]) for stack in laid.stacks if stack.kind == kind]
        return [(card, f"× {count}") for card, count in counts if count]

    heroes = [stack for stack in laid.stacks if stack.kind == "hero"]
    yield step("step.basic", stacks("basic"))
    yield step("step.heroes", [(s.id, f"({'+'.join(str(n) for _, n in reversed(s.cards))})") for s in heroes])
    yield step("step.village", stacks("village"))
    yield step("step.supply", [*stacks("disease"), (EXPERIENCE, "")])


def _players(laid: Layout, naming: Naming) -> Iterator[SetupStep]:
    content = laid.content
    step = partial(_step, laid, naming, "players")
    yield step("step.deck-of-player", [(card, f"× {n}") for card, n in DECK], n=sum(n for _, n in DECK))
    for deck in laid.decks:
        joined = [card for card, _ in deck.cards if card not in BASIC]
        size = sum(n for _, n in deck.cards) + deck.heroes
        if joined or deck.heroes:
            key = f"step.later-{deck.who}" + ("-heroes" if deck.heroes else "")
            winner = content.later.winner if content.later else 0
            yield step(key, cards=naming.names(joined), heroes=deck.heroes, n=size, player=winner)
    yield step("step.draw", n=6, players=content.players)


def _variant(laid: Layout, naming: Naming) -> Iterator[SetupStep]:
    content, variant = laid.content, naming.cat.variants[laid.content.variant]
    step = partial(_step, laid, naming, "variant")
    if laid.tokens:
        yield step("step.tokens", n=laid.tokens)
    if variant.dungeon != "epic" and len(content.stones) > 1:
        yield step("play.both-stones")
    if laid.aside:
        yield step("step.keep", cards=naming.names(laid.aside))
    for part in range(1, 9):
        for name in (variant.id, f"{variant.id}-{content.level}"):
            key = f"play.{name}-{part}"
            if naming.words.has(f"setup.{key}") and (content.later is None or key != "play.odyssey-2"):
                yield step(key, n=content.players)


def find_notes(laid: Layout, naming: Naming, readings: Set[str]) -> list[Note]:
    content, cat, stones = laid.content, naming.cat, (*laid.content.stones, *laid.aside)
    features, variant, fixed = content.features, cat.variants[content.variant], cat.fixed_setup(content.layout)
    marks = sum(cat.question_marks.get(name, 0) for name in content.sets)
    games = len(cat.owned(cat.pool.classes, content.sets)) // len(content.classes)
    agony, without = cat.pool.stones[1], tuple(card for card in cat.cards if card in variant.without)
    used = (*laid.aside, *BASIC, *_horde_left(laid, cat), *(card for cards in content.slots.values() for card in cards))
    notes: list[tuple[str, object, dict[str, Any]]] = [
        ("warn.no-basic", BOXES[0] not in content.sets, {"box": BOXES[0], "cards": BASIC[1:]}),
        ("warn.no-militia", any(stack.cards[:1] == ((MILITIA, 0),) for stack in laid.stacks), {}),
        *((f"reading.{reading}", True, {}) for reading in (fixed.readings if fixed else ())),
        (_hall_key("reading", readings), laid.hall == HALL, {}),
        ("reading.question-marks", fixed is None and variant.dungeon != "epic" and marks, {"n": marks}),
        ("reading.pick-two", features.pick_two and CHOOSE_TWO not in readings, {}),
        ("warn.one-guardian", features.short, {}),
        ("warn.blade-trap", PROMO in content.sets and "trap-death" in features.traps, {}),
        ("warn.games", variant.id == "pursuit" and len(content.classes) > variant.classes[0], {"n": games}),
        ("reading.solo", without, {"cards": without}),
        ("reading.odyssey", variant.id == "odyssey", {}),
        ("warn.agony-light", (variant.campaign or variant.dungeon == "epic") and agony in stones, {"cards": (agony,)}),
        ("warn.unofficial", not all(naming.official(card) for card in used), {"mark": UNOFFICIAL}),
    ]
    return [(key, params) for key, holds, params in notes if holds]
