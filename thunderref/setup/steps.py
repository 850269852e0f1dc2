"""The numbered steps to lay out a set-up, and what the players should be warned of, in the language of the output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from thunderref.setup.codes import Content
from thunderref.setup.pools import BASIC, BOXES, DISEASE, GUARDIAN, MILITIA, PICK_TWO, PROMO, Catalogue, Variant
from thunderref.setup.table import EXPERIENCE, HALL, HORDE_DECK, PILE, Layer, Stack, Table
from thunderref.store.read import NameRow
from thunderref.words.words import FALLBACK, Words

FIRST_GAME_ONLY = frozenset({"setup.play.odyssey-2"})
"""What tells of the second game: of no use in it."""
FIRST_CARD, CHOOSE_TWO = "first-card", "pick-two"
"""The open questions of R1.5 and R1.2 (the names of db/rules.toml)."""
UNOFFICIAL = "*"
"""Mark of a name of our own making."""


@dataclass(frozen=True)
class Item:
    """One thing to lay out: what the divider says, the same in English, and how many."""

    name: str
    english: str
    note: str


@dataclass(frozen=True)
class Step:
    """One step; ``section`` is dungeon, village, players or variant."""

    section: str
    title: str
    items: tuple[Item, ...] = ()

    @property
    def line(self) -> str:
        """The whole step as one line."""
        if not self.items:
            return self.title
        listed = "; ".join(f"{item.name} {item.note}".strip() for item in self.items)
        return f"{self.title} {listed}."


class Naming:
    """Names and sentences in the language of a set-up; ``readings`` as in :class:`thunderref.setup.result.Setup`."""

    def __init__(self, words: Words, cat: Catalogue, readings: frozenset[str] = frozenset()) -> None:
        self.words = words
        self.readings = readings
        self.cat = cat
        self.lang = words.lang
        self._english = words if words.lang == FALLBACK else Words(words.store, FALLBACK)
        self._known: dict[str, dict[str, NameRow]] = {}

    def say(self, key: str, /, **params: Any) -> str:
        """A message."""
        return self.words.say(key, **params)

    def name(self, card: str) -> str:
        """The name of a class, family, feature, card or kind of stack."""
        return self._name(self.words, card)

    def english(self, card: str) -> str:
        """The same in English."""
        return self._name(self._english, card)

    def _name(self, words: Words, card: str) -> str:
        if card in (EXPERIENCE, HORDE_DECK):
            name = words.term(card)
        elif card in self.cat.cards:
            name = words.card(card)
        elif card in self.cat.families or card in (GUARDIAN, PICK_TWO):
            name = words.family(card)
        else:
            name = words.term(card)
        return name[:1].upper() + name[1:]

    def names(self, cards: Iterable[str]) -> str:
        """Several names, those of our own making marked."""
        return ", ".join(self.marked(card) for card in cards)

    def marked(self, card: str) -> str:
        """The name, with a mark if it is of our own making."""
        return self.name(card) + ("" if self.official(card) else UNOFFICIAL)

    def official(self, card: str) -> bool:
        """False if the printed games give no name in this language."""
        kinds = ("card",) if card in self.cat.cards else ("family", "term")
        row = next((names[card] for kind in kinds if card in (names := self._rows(kind))), None)
        return row is None or row.official

    def _rows(self, kind: str) -> dict[str, NameRow]:
        if kind not in self._known:
            self._known[kind] = self.words.store.names_of(kind, self.lang)
        return self._known[kind]

    def percent(self, chance: Fraction) -> str:
        """A chance as a percentage."""
        return self.number(float(chance) * 100)

    def number(self, value: float) -> str:
        """A number with one decimal, with the comma or point of the language."""
        return f"{value:.1f}".replace(".", self.say("setup.decimal-mark"))

    def item(self, card: str, note: str = "") -> Item:
        """A thing to lay out."""
        return Item(self.marked(card), self.english(card) if self.lang != FALLBACK else "", note)


def steps(content: Content, variant: Variant, laid: Table, cat: Catalogue, naming: Naming) -> list[Step]:
    """All steps in laying-out order: dungeon, village, players, then what the variant changes."""
    return [
        *_dungeon(content, variant, laid, cat, naming),
        *_village(content, laid, naming),
        *_players(content, laid, naming),
        *_variant(content, variant, laid, naming),
    ]


def _dungeon(content: Content, variant: Variant, laid: Table, cat: Catalogue, naming: Naming) -> Iterator[Step]:
    say = naming.say

    def copies(family: str) -> str:
        return f"× {sum(n for _, n in cat.cards_of(family, content.sets))}"

    def step(key: str, *items: Item, **params: Any) -> Step:
        return Step("dungeon", say(f"setup.step.{key}", **params), items)

    yield step("classes", *(naming.item(c, copies(c)) for c in content.classes), n=len(content.classes))
    for stack in laid.stacks:
        if stack.kind == "horde":
            health = [cat.cards[card].health for card, _ in stack.cards]
            yield step("horde", least=health[0], most=health[-1])
    if content.features.traps:
        yield step("traps", *(naming.item(t, copies(t)) for t in content.features.traps))
    yield step("shuffle", n=sum(n for _, n in laid.layers[0].cards))
    if variant.dungeon == "epic":
        yield from _epic(laid.layers, naming)
    else:
        yield from _ordinary(laid.layers, naming)
    sizes = ", ".join(" + ".join([str(a.drawn), *map(naming.marked, a.joined)]) for a in laid.layers)
    yield step("deck", n=sum(layer.size for layer in laid.layers), sizes=sizes)
    order = "hall-backwards" if FIRST_CARD in naming.readings else "hall"
    yield step(order, n=laid.hall) if laid.hall else step("hall-empty")
    if content.features.guardians:
        yield step("rank-0")


def _ordinary(layers: tuple[Layer, ...], naming: Naming) -> Iterator[Step]:
    for layer in layers:
        if layer.joined:
            key = "setup.step.guardian" if layer is not layers[-1] else "setup.step.stone"
            line = naming.say(key, n=layer.drawn, m=layer.size, cards=naming.names(layer.joined))
            yield Step("dungeon", line)
    for layer in layers:
        if layer.shuffle:
            yield Step("dungeon", naming.say("setup.step.left", n=layer.size, m=layers[-1].size))


def _epic(layers: tuple[Layer, ...], naming: Naming) -> Iterator[Step]:
    yield Step("dungeon", naming.say("setup.step.epic-piles", n=PILE))
    keys = ("epic-top", "epic-next", "epic-next", "epic-deep")
    for key, layer in reversed(list(zip(keys, layers, strict=True))):
        yield Step("dungeon", naming.say(f"setup.step.{key}", m=layer.size, cards=naming.names(layer.joined)))


def _village(content: Content, laid: Table, naming: Naming) -> Iterator[Step]:
    kinds: dict[str, list[Stack]] = {}
    for stack in laid.stacks:
        kinds.setdefault(stack.kind, []).append(stack)
    say = naming.say
    yield Step(
        "village", say("setup.step.basic"), tuple(naming.item(s.id, f"× {s.cards[0][1]}") for s in kinds["basic"])
    )
    yield Step(
        "village",
        say("setup.step.heroes"),
        tuple(naming.item(s.id, f"({'+'.join(str(n) for _, n in reversed(s.cards))})") for s in kinds["hero"]),
    )
    yield Step(
        "village", say("setup.step.village"), tuple(naming.item(s.id, f"× {s.cards[0][1]}") for s in kinds["village"])
    )
    disease = kinds["disease"][0]
    yield Step(
        "village",
        say("setup.step.supply"),
        (naming.item(DISEASE, f"× {disease.cards[0][1]}"), naming.item(EXPERIENCE)),
    )


def _players(content: Content, laid: Table, naming: Naming) -> Iterator[Step]:
    say = naming.say
    deck = tuple(naming.item(card, f"× {n}") for card, n in laid.deck)
    yield Step("players", say("setup.step.deck-of-player", n=sum(n for _, n in laid.deck)), deck)
    for extra in laid.decks:
        joined = [card for card, _ in extra.cards if card not in BASIC]
        size = sum(n for _, n in extra.cards) + extra.heroes
        if joined or extra.heroes:
            key = f"setup.step.later-{extra.who}" + ("-heroes" if extra.heroes else "")
            winner = content.later.winner if content.later else 0
            line = say(key, cards=naming.names(joined), heroes=extra.heroes, n=size, player=winner)
            yield Step("players", line)
    yield Step("players", say("setup.step.draw", n=6, players=content.players))


def _variant(content: Content, variant: Variant, laid: Table, naming: Naming) -> Iterator[Step]:
    if laid.tokens:
        yield Step("variant", naming.say("setup.step.tokens", n=laid.tokens))
    if variant.dungeon != "epic" and len(content.stones) > 1:
        yield Step("variant", naming.say("setup.play.both-stones"))
    if laid.aside:
        yield Step("variant", naming.say("setup.step.keep", cards=naming.names(laid.aside)))
    for part in range(1, 9):
        for name in (variant.id, f"{variant.id}-{content.level}"):
            key = f"setup.play.{name}-{part}"
            if naming.words.has(key) and (content.later is None or key not in FIRST_GAME_ONLY):
                yield Step("variant", naming.say(key, n=content.players))


Note = tuple[str, dict[str, Any]]


def warnings(
    content: Content, variant: Variant, laid: Table, cat: Catalogue, naming: Naming, notes: Iterable[Note]
) -> list[str]:
    """Sentences on readings of open rules, on what the boxes lack and on what is easily overlooked."""
    found = (*notes, *_notes(content, variant, laid, cat, naming))
    return [naming.say(f"setup.{key}", **_filled(params, naming)) for key, params in found]


def _filled(params: dict[str, Any], naming: Naming) -> dict[str, Any]:
    """The parameters of a note with names in place of ids."""
    filled = dict(params)
    if "box" in params:
        filled["box"] = naming.words.set_name(params["box"])
    if isinstance(params.get("cards"), tuple):
        filled["cards"] = naming.names(params["cards"])
    return filled


def _notes(content: Content, variant: Variant, laid: Table, cat: Catalogue, naming: Naming) -> Iterator[Note]:
    features = content.features
    if BOXES[0] not in content.sets:
        yield "warn.no-basic", {"box": BOXES[0], "cards": BASIC[1:]}
    if any(stack.cards and stack.cards[0] == (MILITIA, 0) for stack in laid.stacks):
        yield "warn.no-militia", {}
    if content.layout is not None:
        layouts = cat.first_games if content.layout[0] == "first-game" else cat.themes
        for reading in layouts[content.layout[1]].readings:
            yield f"reading.{reading}", {}
    if laid.hall == HALL:
        yield "reading.hall-backwards" if FIRST_CARD in naming.readings else "reading.hall", {}
    if content.layout is None and variant.dungeon != "epic" and any(cat.question_marks.get(s) for s in content.sets):
        yield "reading.question-marks", {"n": sum(cat.question_marks.get(s, 0) for s in content.sets)}
    if features.pick_two and CHOOSE_TWO not in naming.readings:
        yield "reading.pick-two", {}
    if features.short:
        yield "warn.one-guardian", {}
    if PROMO in content.sets and "trap-death" in features.traps:
        yield "warn.blade-trap", {}
    if variant.without:
        yield "reading.solo", {"cards": tuple(c for c in cat.cards if c in variant.without)}
    if variant.id == "odyssey":
        yield "reading.odyssey", {}
    agony = cat.pool.stones[1]
    if (variant.campaign or variant.dungeon == "epic") and (agony in content.stones or agony in laid.aside):
        yield "warn.agony-light", {"card": naming.marked(agony)}
    used = (
        *content.classes, *features.traps, *features.guardians, *content.heroes, *content.village, *content.stones,
        *laid.aside, *BASIC,
    )  # fmt: skip
    if not all(naming.official(card) for card in used):
        yield "warn.unofficial", {"mark": UNOFFICIAL}
