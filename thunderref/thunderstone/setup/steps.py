"""The numbered steps to lay out a set-up, and warnings for the players, in the language of the output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from thunderref.text.language import FALLBACK, Language
from thunderref.thunderstone.setup.acting import written
from thunderref.thunderstone.setup.catalogue import BASIC, BOXES, DECK, GUARDIAN, MILITIA, PICK_TWO, PROMO, Catalogue
from thunderref.thunderstone.setup.layout import EXPERIENCE, HALL, PILE, horde_deck

if TYPE_CHECKING:
    from thunderref.errors import ThunderrefError
    from thunderref.thunderstone.setup.finished import Setup
    from thunderref.thunderstone.setup.request import Wish

FIRST_GAME_ONLY = frozenset({"play.odyssey-2"})
"""Steps about the second game, useless in it."""
FIRST_CARD, CHOOSE_TWO = "first-card", "pick-two"
"""The open questions of R1.5 and R1.2 (the names of db/rules.toml)."""
UNOFFICIAL = "*"
"""Mark of a name of our own."""
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


class Naming:
    def __init__(self, words: Language) -> None:
        self.words = words
        self.say = words.say
        self.cat = words.database.derived(Catalogue)
        self.lang = words.lang

    @cached_property
    def english(self) -> Naming:
        return Naming(Language(self.words.database, FALLBACK))

    def name(self, card: str) -> str:
        if card in self.cat.cards:
            name = self.words.card(card)
        elif card in self.cat.families or card in (GUARDIAN, PICK_TWO):
            name = self.words.family(card)
        else:
            name = self.words.term(card)
        return name[:1].upper() + name[1:]

    def names(self, cards: Iterable[str]) -> str:
        return ", ".join(self.marked(card) for card in cards)

    def marked(self, card: str) -> str:
        return self.name(card) + ("" if self.official(card) else UNOFFICIAL)

    def official(self, card: str) -> bool:
        """False if the printed games give no name in this language."""
        kinds = ("card",) if card in self.cat.cards else ("family", "term")
        rows = (self.words.database.names_of(kind, self.lang).get(card) for kind in kinds)
        return next((row.official for row in rows if row is not None), True)


def list_steps(made: Setup) -> list[SetupStep]:
    return [*_dungeon(made), *_village(made), *_players(made), *_variant(made)]


def _step(made: Setup, section: str, key: str, notes: Sequence[tuple[str, str]] = (), **params: Any) -> SetupStep:
    naming, sets = made.naming, made.content.sets
    foreign = naming.lang != FALLBACK
    drawn = [card for card, _ in notes if len(sets) > 1 and any(card in pool for pool in made.cat.slots.values())]
    boxes = {card: naming.say(f"setup.box.{made.cat.set_of[card]}") for card in drawn}
    items = (
        Item(naming.marked(card), naming.english.name(card) if foreign else "", note, boxes.get(card, ""), card)
        for card, note in notes
    )
    return SetupStep(section, naming.say(f"setup.{key}", **params), tuple(items))


def _dungeon(made: Setup) -> Iterator[SetupStep]:
    content, cat, laid, naming = made.content, made.cat, made.table, made.naming
    step = partial(_step, made, "dungeon")

    def copies(families: Iterable[str]) -> list[tuple[str, str]]:
        return [(f, f"× {sum(n for _, n in cat.cards_of(f, content.sets))}") for f in families]

    yield step("step.classes", copies(content.classes), n=len(content.classes))
    left = _horde_left(made)
    for stack in laid.stacks:
        if stack.kind == "horde" and not left:
            health = [cat.cards[card].health for card, _ in stack.cards]
            yield step("step.horde", least=health[0], most=health[-1])
    if content.features.traps:
        yield step("step.traps", copies(content.features.traps))
    yield step("step.shuffle", n=sum(n for _, n in laid.layers[0].cards))
    if made.variant.dungeon == "epic":
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
                yield from map(step, _if_left(made))
    sizes = ", ".join(" + ".join([str(layer.drawn), *map(naming.marked, layer.joined)]) for layer in laid.layers)
    yield step("step.deck", n=sum(layer.size for layer in laid.layers), sizes=sizes)
    yield _hall(made)
    if content.features.guardians or (laid.rest and laid.rest.guardians):
        yield step("step.rank-0")


def _horde_left(made: Setup) -> tuple[str, ...]:
    rest = made.table.rest
    return horde_deck(rest.placeholders, made.cat) if rest else ()


def _if_left(made: Setup) -> Iterator[str]:
    """What to do if certain cards are left of earlier dungeons, where it is not known which are."""
    earlier = made.content.later.earlier if made.content.later else None
    if made.table.rest is None:
        if earlier is None or any(family in made.cat.numbered for family in earlier.classes):
            yield "step.left-horde-if"
        if earlier is None or earlier.guardians:
            yield "step.left-guardian-if"


def _hall(made: Setup) -> SetupStep:
    """R1.5; what does not happen yet is said only where it might."""
    if not made.table.hall:
        return _step(made, "dungeon", "step.hall-empty")
    keys = ["step.hall-backwards" if FIRST_CARD in made.readings else "step.hall"]
    keys += ["step.hall-traps"] if made.content.features.traps else []
    keys += ["step.hall-breaches"] if any(card in made.cat.breaching for card in made.content.classes) else []
    step = _step(made, "dungeon", keys[0], n=made.table.hall)
    return step._replace(title=" ".join([step.title, *(made.naming.say(f"setup.{key}") for key in keys[1:])]))


def _village(made: Setup) -> Iterator[SetupStep]:
    step = partial(_step, made, "village")

    def stacks(kind: str) -> list[tuple[str, str]]:
        counts = [(stack.id, stack.cards[0][1]) for stack in made.table.stacks if stack.kind == kind]
        return [(card, f"× {count}") for card, count in counts if count]

    heroes = [stack for stack in made.table.stacks if stack.kind == "hero"]
    yield step("step.basic", stacks("basic"))
    yield step("step.heroes", [(s.id, f"({'+'.join(str(n) for _, n in reversed(s.cards))})") for s in heroes])
    yield step("step.village", stacks("village"))
    yield step("step.supply", [*stacks("disease"), (EXPERIENCE, "")])


def _players(made: Setup) -> Iterator[SetupStep]:
    content, laid, naming = made.content, made.table, made.naming
    step = partial(_step, made, "players")
    yield step("step.deck-of-player", [(card, f"× {n}") for card, n in DECK], n=sum(n for _, n in DECK))
    for deck in laid.decks:
        joined = [card for card, _ in deck.cards if card not in BASIC]
        size = sum(n for _, n in deck.cards) + deck.heroes
        if joined or deck.heroes:
            key = f"step.later-{deck.who}" + ("-heroes" if deck.heroes else "")
            winner = content.later.winner if content.later else 0
            yield step(key, cards=naming.names(joined), heroes=deck.heroes, n=size, player=winner)
    yield step("step.draw", n=6, players=content.players)


def _variant(made: Setup) -> Iterator[SetupStep]:
    content, naming = made.content, made.naming
    step = partial(_step, made, "variant")
    if made.table.tokens:
        yield step("step.tokens", n=made.table.tokens)
    if made.variant.dungeon != "epic" and len(content.stones) > 1:
        yield step("play.both-stones")
    if made.table.aside:
        yield step("step.keep", cards=naming.names(made.table.aside))
    for part in range(1, 9):
        for name in (made.variant.id, f"{made.variant.id}-{content.level}"):
            key = f"play.{name}-{part}"
            if naming.words.has(f"setup.{key}") and (content.later is None or key not in FIRST_GAME_ONLY):
                yield step(key, n=content.players)


def list_warnings(made: Setup) -> list[str]:
    naming = made.naming
    say: dict[str, Callable[[Any], str]] = {"box": naming.words.set_name, "cards": naming.names}
    return [
        naming.say(f"setup.{key}", **{name: say[name](it) if name in say else it for name, it in params.items()})
        for key, params in (*made.notes, *_notes(made))
    ]


def _notes(made: Setup) -> Iterator[Note]:
    content, cat, variant, laid = made.content, made.cat, made.variant, made.table
    features = content.features
    if made.game_points:
        yield "warn.points", {"points": ", ".join(f"{i}: {n}" for i, n in enumerate(made.game_points, start=1))}
    if BOXES[0] not in content.sets:
        yield "warn.no-basic", {"box": BOXES[0], "cards": BASIC[1:]}
    if any(stack.cards and stack.cards[0] == (MILITIA, 0) for stack in laid.stacks):
        yield "warn.no-militia", {}
    if made.fixed is not None:
        for reading in made.fixed.readings:
            yield f"reading.{reading}", {}
    if laid.hall == HALL:
        yield "reading.hall-backwards" if FIRST_CARD in made.readings else "reading.hall", {}
    marks = sum(cat.question_marks.get(name, 0) for name in content.sets)
    if made.fixed is None and variant.dungeon != "epic" and marks:
        yield "reading.question-marks", {"n": marks}
    if features.pick_two and CHOOSE_TWO not in made.readings:
        yield "reading.pick-two", {}
    if features.short:
        yield "warn.one-guardian", {}
    if PROMO in content.sets and "trap-death" in features.traps:
        yield "warn.blade-trap", {}
    if variant.id == "pursuit" and len(content.classes) > variant.classes[0]:
        yield "warn.games", {"n": len(cat.owned(cat.pool.classes, content.sets)) // len(content.classes)}
    if variant.without:
        yield "reading.solo", {"cards": tuple(card for card in cat.cards if card in variant.without)}
    if variant.id == "odyssey":
        yield "reading.odyssey", {}
    agony = cat.pool.stones[1]
    if (variant.campaign or variant.dungeon == "epic") and agony in (*content.stones, *laid.aside):
        yield "warn.agony-light", {"card": made.naming.marked(agony)}
    used = (*laid.aside, *BASIC, *_horde_left(made), *(card for cards in content.slots.values() for card in cards))
    if not all(made.naming.official(card) for card in used):
        yield "warn.unofficial", {"mark": UNOFFICIAL}


def wish_text(wish: Wish, naming: Naming) -> str:
    """A wish as it was asked for."""
    kind, slot, asked = wish
    if slot == "option" or (slot == "any" and kind not in ("around", "ban")):
        return written(wish)
    by_filter = slot == "any" and kind == "ban"
    return naming.say(f"setup.wish.{kind}", card=f'"{asked}"' if by_filter else naming.name(asked))


def localise(error: ThunderrefError, words: Language) -> None:
    """Replaces the ids in a set-up's error by names."""
    naming = Naming(words)

    def variant(name: str) -> str:
        term = naming.cat.variants[name].term
        return naming.name(term) if term else name

    def layout(name: str) -> str:
        theme = naming.cat.fixed["theme"].get(name)
        return naming.name(theme.term) if theme and theme.term else naming.say("setup.first-game")

    def wishes(asked: Iterable[Wish]) -> str:
        return "; ".join(wish_text(wish, naming) for wish in asked)

    say: dict[str, Callable[[Any], str]] = {
        "card": naming.name, "cards": naming.names, "slots": naming.names, "box": words.set_name,
        "variant": variant, "layout": layout, "wishes": wishes,
    }  # fmt: skip
    error.params = {name: say[name](value) if name in say else value for name, value in error.params.items()}
