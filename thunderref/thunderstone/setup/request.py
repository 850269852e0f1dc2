"""Requests: the options and wishes of a set-up as they are typed, read, checked and named again.

A name is a clear one, never guessed: a name or alias in any language, its beginning (``thyr``), its words shortened
(``flam sw``) or an obvious slip (``lantren``), but no word from the middle of a name (``wrath``).

Filters (``2 weapon``), shares of the boxes, a spread of costs and a favourite's partners become quotas, each at
least a number of some cards. Only what is drawn counts: classes, features, heroes and village cards, not the
basic stacks and the Thunderstones. A class counts if one of its cards does, a hero family if its level 1 hero does,
unless the filter names a level.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple, TypedDict, TypeVar

from thunderref.database.card_records import Card
from thunderref.database.own_boxes import refuse_off
from thunderref.database.read import FALLBACK, Database, Language, SearchRow
from thunderref.database.records import FixedSetup, Variant
from thunderref.errors import Candidate, InputError, NoAnswerError
from thunderref.search.counts import split_filter
from thunderref.search.filters import filter_cards, has_field, is_filter, is_kind, known_filters
from thunderref.search.names import budget, edits, find_card, search_cards, unknown_card, word_keys
from thunderref.search.other_boxes import other_card
from thunderref.text.folding import fold, fold_query
from thunderref.thunderstone.setup.catalogue import GUARDIAN, PICK_TWO, STACKS, Catalogue, in_order
from thunderref.thunderstone.setup.codes import Content, Later
from thunderref.thunderstone.setup.draw import Quota
from thunderref.thunderstone.setup.memory import COLLECTION, Collection
from thunderref.thunderstone.setup.needs import AROUND, Partners

T = TypeVar("T", bound=Variant | FixedSetup)
STONES = ("random", "mystery", "agony", "both")


def option(default: Any = None, *, acts: str = "", **metadata: Any) -> Any:
    """A field of options: ``acts`` are the modes of a set-up, but a plain draw, in which it acts (see :func:`mode_of`).

    A command line reads ``flag`` and ``metavar``; what is ``apart`` it reads in its own way, or puts further down.
    """
    return field(default=default, metadata={"acts": (*acts.split(),), **metadata})


@dataclass(frozen=True, kw_only=True)
class SetupOptions:
    """The options of a set-up; names of cards, variants and themes may be in any language.

    ``require`` and ``exclude`` are names, or filters as in ``2 weapon`` and ``cost>8``. ``mix`` are shares of the boxes
    (``base:2,wrath:1``), ``boxes`` draws from that many of the boxes, ``spread`` asks for village cards of every price,
    ``around`` for cards that go with this one. ``banned`` are exclusions that explicit wishes, a theme and a code
    override.
    ``code`` reproduces an earlier one, alone or with ``lock`` and ``reroll`` (slots that stay, slots
    drawn again). ``avoid`` are ids to leave out if enough others are left, the most recent first. ``after`` is the code
    of the last game of a campaign and draws the next one: ``winner`` is the number of the player who won it, ``scores``
    the VP by player, ``left`` what was left of the dungeon, as a number or as (card id, copies).
    """

    players: int | None = None
    sets: list[str] | None = option(metavar="SET", flag="--set")
    monsters: int | None = None
    seed: int | None = option(acts="again after")
    code: str | None = option(metavar="CODE", acts="code again")
    first_game: str | None = option(metavar="SET")
    theme: str | None = None
    variant: str | None = None
    level: str | None = None
    require: list[str] | None = option(metavar="CARD|FILTER", acts="again after")
    exclude: list[str] | None = option(metavar="CARD|FILTER", acts="again after")
    balanced: bool = False
    mix: str | None = option(metavar="SHARES")
    boxes: int | None = None
    spread: bool = False
    around: str | None = option(metavar="CARD")
    stone: str | None = None
    lock: list[str] | None = option(metavar="CARD", acts="again")
    reroll: list[str] | None = option(metavar="SLOT", acts="again")
    after: str | None = option(metavar="CODE|FILE", acts="after", apart=True)
    winner: int | None = option(acts="after", apart=True)
    scores: Sequence[int] = option((), metavar="31,28", acts="after", apart=True)
    left: int | Sequence[tuple[str, int]] = option(0, metavar="N|CARDS", acts="after", apart=True)
    avoid: Sequence[str] = option((), acts="code again after", apart=True)  # may be given up
    banned: Sequence[str] = option((), acts="code again after", apart=True)  # is overridden
    why: bool = option(False, acts="code again after", apart=True)


OPTIONS = {spec.name: spec for spec in fields(SetupOptions)}


class DrawKeywords(TypedDict, total=False):
    """The fields of :class:`SetupOptions` but the seed as keyword arguments, so that a type checker knows them."""

    players: int | None
    sets: list[str] | None
    monsters: int | None
    code: str | None
    first_game: str | None
    theme: str | None
    variant: str | None
    level: str | None
    require: list[str] | None
    exclude: list[str] | None
    balanced: bool
    mix: str | None
    spread: bool
    around: str | None
    stone: str | None
    lock: list[str] | None
    reroll: list[str] | None
    after: str | None
    winner: int | None
    scores: Sequence[int]
    left: int | Sequence[tuple[str, int]]
    avoid: Sequence[str]
    banned: Sequence[str]
    why: bool
    boxes: int | None


class SetupKeywords(DrawKeywords, total=False):
    """All fields of :class:`SetupOptions`."""

    seed: int | None


CODES = {"code": "setup-code-options", "again": "setup-again-options", "after": "setup-after-options"}


class Wish(NamedTuple):
    """A card that must be in (``require``) or out (``exclude``, also what is ``banned``); ``avoid`` may be given up.

    ``slot`` is classes, features, heroes, village, stones or basic, ``card`` the id within it. A wish about several
    cards has the slot ``any`` and its text instead.
    """

    kind: str
    slot: str
    card: str
    banned: bool = False


@dataclass(frozen=True)
class Request:
    """A checked request: ``fixed`` is a first game or theme, ``count`` the number of monster classes.

    ``barred`` are the cards, classes and families that an earlier game of the campaign had (R9.3, R9.4).
    """

    sets: tuple[str, ...]
    players: int
    variant: Variant
    level: str | None
    fixed: FixedSetup | None
    count: int
    balanced: bool
    stone: str
    wishes: tuple[Wish, ...]
    barred: frozenset[str] = frozenset()


def check_options(options: SetupOptions, wishes: Sequence[Wish], cat: Catalogue) -> Request:
    """The request of these options, with defaults for the rest; refuses unknown words and contradictions."""
    variant = cat.variants["normal"]
    if options.variant is not None:
        variant = _choice("setup-unknown-variant", options.variant, cat.variants, cat)
    fixed = None
    for kind, name in (("first-game", options.first_game), ("theme", options.theme)):
        fixed = fixed if name is None else _choice(f"setup-unknown-{kind}", name, cat.fixed[kind], cat)
    sets = _sets(options.sets, variant, fixed, cat)
    count = _classes(options.monsters, variant, fixed)
    owned = len(cat.owned(cat.pool.classes, sets))
    if variant.id == "pursuit" and 2 * count > owned:
        raise NoAnswerError("setup-no-next-game", variant=variant.id, classes=owned, most=owned // 2, asked=count)
    stone = _stone(options.stone, cat)
    clashes = {
        "setup-two-layouts": None not in (options.theme, options.first_game),
        "setup-fixed-balanced": options.balanced and fixed is not None,
        "setup-level": options.level is not None and not variant.levels,
        "setup-epic-stones": variant.dungeon == "epic" and stone in ("mystery", "agony"),
        "setup-campaign-stone": variant.campaign and stone == "both",
    }
    layout = {} if fixed is None else {"layout": fixed.id}
    for code in (code for code, clash in clashes.items() if clash):
        raise NoAnswerError(code, variant=variant.id, level=options.level, asked=options.stone, **layout)
    minimum, maximum = variant.players
    players = minimum if options.players is None else options.players
    if not minimum <= players <= maximum:
        raise NoAnswerError("setup-solo-players" if maximum == 1 else "setup-players", players=players)
    level = variant.levels[0] if options.level is None and variant.levels else options.level
    if level is not None and level not in variant.levels:
        raise InputError("setup-unknown-level", asked=level, candidates=variant.levels)
    return Request(
        sets=sets, players=players, variant=variant, level=level, fixed=fixed, count=count,
        balanced=options.balanced, stone=stone, wishes=tuple(wishes),
    )  # fmt: skip


def _stone(name: str | None, cat: Catalogue) -> str:
    """The Thunderstone that is wished for, by a word of :data:`STONES` or the name of the card."""
    if name is None or name in STONES:
        return name or "random"
    with suppress(NoAnswerError):
        card = find_card(cat.database, name, {"thunderstone"})
        return next((stone for stone in STONES if card.endswith(stone)), card)
    raise InputError("setup-unknown-stone", asked=name, candidates=STONES)


def request_of(content: Content, wishes: Sequence[Wish], cat: Catalogue) -> Request:
    """The request that draws the set-up again; what an earlier game of the campaign had stays out."""
    return Request(
        sets=content.sets, players=content.players, variant=cat.variants[content.variant], level=content.level,
        fixed=None, count=len(content.classes), balanced=content.balanced, stone="random", wishes=tuple(wishes),
        barred=barred_from(content.later, cat),
    )  # fmt: skip


def barred_from(later: Later | None, cat: Catalogue) -> frozenset[str]:
    """The cards that no slot of a later game may hold: classes, features and heroes of earlier games (R9.3, R9.4)."""
    if later is None or later.earlier is None:
        return frozenset()
    classes, traps, guardians, heroes = later.earlier
    return frozenset((*classes, *traps, *heroes, *((GUARDIAN, *cat.pool.guardians) if guardians else ())))


def _choice(code: str, text: str, choices: Mapping[str, T], cat: Catalogue) -> T:
    form = fold(text)
    forms = {fold(name): name for name in choices}
    if form not in forms:
        terms = {choice.term: name for name, choice in choices.items()}
        rows = cat.database.query("SELECT subject, name FROM names WHERE kind = 'term' AND lang != ''")
        forms = {fold(name): terms[term] for term, name in rows if term in terms}
    if form not in forms:
        words = [(word, forms[name]) for name in forms for word in {name, *name.split()}]
        slips = edits(form, [word for word, _ in words], budget(len(form))) if len(form) > FEW_LETTERS else []
        matches = {words[i][1] for i, cost in slips if cost == min(cost for _, cost in slips)}
        if len(matches) != 1:
            raise InputError(code, asked=text, candidates=tuple(choices))
        forms[form] = matches.pop()
    return choices[forms[form]]


def _sets(sets: Sequence[str] | None, variant: Variant, fixed: FixedSetup | None, cat: Catalogue) -> tuple[str, ...]:
    owned = {*read_sets(sets, cat)} if sets else set[str]()
    needed = {*(fixed.sets if fixed else ()), *_boxes_with_stones(variant.stones, owned, cat)}
    if not sets:
        return in_order(needed or (cat.basic_box,), cat.sets)
    if fixed is not None and needed - owned == {cat.basic_box}:
        owned.add(cat.basic_box)  # it is always needed: it has the only Daggers, Torches and Iron Rations
    for box in in_order(needed - owned, cat.sets):
        if fixed is not None:
            raise NoAnswerError("setup-needs-cards", box=box, cards=cat.owned(fixed.given, (box,)))
        raise NoAnswerError("setup-needs-box", variant=variant.id, box=box)
    return in_order(owned, cat.sets)


def _boxes_with_stones(number: int, owned: Set[str], cat: Catalogue) -> set[str]:
    """The boxes of a variant with several Thunderstones: those owned, and as many others as it takes, the first ones.

    One Thunderstone asks for no box in particular.
    """
    homes = [cat.set_of[stone] for stone in cat.pool.stones]
    homes.sort(key=lambda box: box not in owned)
    return {*homes[:number]} if number > 1 else set()


def read_sets(names: Sequence[str], cat: Catalogue) -> tuple[str, ...]:
    """The boxes of these ids or names, or "all", in their order.

    Raises ``setup-unknown-set`` and ``setup-promo-alone``.
    """
    database, sets = cat.database, cat.sets
    called = {fold(name): {box} for box, name in database.query("SELECT subject, name FROM names WHERE kind = 'set'")}
    for key, boxes in {**{box: {box} for box in sets}, "all": {*cat.boxes}}.items():
        called |= dict.fromkeys((key, *database.words(f"setup.words.{key}")), boxes)
    owned = set[str]()
    for name in filter(None, (entry.strip() for text in names for entry in text.split(","))):
        if (form := fold_query(name)) not in called:
            refuse_off(name)
            raise InputError("setup-unknown-set", asked=name[:40], candidates=sets)
        owned |= called[form]
    if owned and owned.isdisjoint(cat.boxes):
        raise NoAnswerError("setup-promo-alone")
    return in_order(owned, sets)


def _classes(monsters: int | None, variant: Variant, fixed: FixedSetup | None) -> int:
    minimum, maximum = variant.classes
    count = minimum if monsters is None else monsters
    if fixed is not None:
        count = len(fixed.classes)
        if monsters not in (None, count):
            raise NoAnswerError("setup-fixed-classes", classes=count, asked=monsters)
    if minimum <= count <= maximum:
        return count
    if fixed is not None or minimum == maximum:
        raise NoAnswerError("setup-variant-classes", variant=variant.id, classes=minimum, asked=count)
    raise NoAnswerError("setup-classes", least=minimum, most=maximum, asked=count)


def mode_of(options: SetupOptions) -> str:
    """``draw``, ``code``, ``again`` (its slots drawn again) or ``after`` (the next game); refuses idle options."""
    names = [name for name, spec in OPTIONS.items() if is_given(getattr(options, name), spec.default)]
    acts = {name: OPTIONS[name].metadata.get("acts", ()) for name in names}
    ways = {*acts.values()}
    if "after" in names:
        mode = "after"
    elif "code" in names:
        mode = "again" if ("again",) in ways else "code"
    elif ("after",) in ways:
        raise NoAnswerError("setup-needs-after")
    elif ("again",) in ways:
        raise NoAnswerError("setup-needs-code")
    else:
        return "draw"
    idle = [name for name in names if mode not in acts[name]]
    if idle:
        raise NoAnswerError(CODES[mode], options=", ".join(map(flag_of, idle)))
    return mode


def is_given(value: Any, default: Any) -> bool:
    return value is not None and value != default and value not in ([], ())


def flag_of(name: str) -> str:
    flag = OPTIONS[name].metadata.get("flag") if name in OPTIONS else ""
    return flag or f"--{name.replace('_', '-')}"


def written(wish: Wish) -> str:
    """A wish as it is typed, its card by id: ``--require elf``, ``--set base --set wrath``, ``--balanced``."""
    name = flag_of(wish.kind)
    if wish.slot == ANY and wish.kind in ("require", "exclude"):
        return f'{name} "{wish.card}"'
    return " ".join(f"{name} {value}".rstrip() for value in wish.card.split(", "))


UNOFFICIAL = "*"
"""Mark of a name of our own."""


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
            name: str = self.words.card(card)
        elif card in self.cat.families or card in (GUARDIAN, PICK_TWO):
            name = self.words.family(card)
        elif card in self.cat.piles:
            name = self.words.pile(card)
        else:
            name = self.words.term(card)
        return name[:1].upper() + name[1:]

    def names(self, cards: Iterable[str]) -> str:
        return ", ".join(self.marked(card) for card in cards)

    def marked(self, card: str) -> str:
        return self.name(card) + ("" if self.official(card) else UNOFFICIAL)

    def short_name(self, box: str) -> str:
        """The name of a box on the label of a stack."""
        key = f"setup.box.{box}"
        return self.say(key) if self.words.has(key) else self.words.set_name(box)

    def official(self, card: str) -> bool:
        """False if the printed games give no name in this language."""
        kinds = ("card",) if card in self.cat.cards else ("family", "term", "pile")
        rows = (self.words.database.names_of(kind, self.lang).get(card) for kind in kinds)
        return next((row.official for row in rows if row is not None), True)

    def in_words(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of a message, with names instead of ids."""

        def variant(name: str) -> str:
            term = self.cat.variants[name].term
            return self.name(term) if term else name

        def layout(name: str) -> str:
            theme = self.cat.fixed["theme"].get(name)
            return self.name(theme.term) if theme and theme.term else self.say("setup.first-game")

        say: dict[str, Callable[[Any], str]] = {
            "card": self.name, "cards": self.names, "slots": self.names, "box": self.words.set_name,
            "variant": variant, "layout": layout,
            "wishes": lambda wishes: "; ".join(wish_text(wish, self) for wish in wishes),
        }  # fmt: skip
        return {name: say[name](value) if name in say else value for name, value in params.items()}


def wish_text(wish: Wish, naming: Naming) -> str:
    by_filter = wish.slot == ANY and wish.kind != "around"
    kind = "ban" if wish.banned else wish.kind
    if wish.slot == "option" or (by_filter and not wish.banned):
        return written(wish)
    return naming.say(f"setup.wish.{kind}", card=f'"{wish.card}"' if by_filter else naming.name(wish.card))


Slot = tuple[str, str]
"""Kind of slot and id within it."""
WHOLE = frozenset({"exact", "inflected", "transliterated", "alias", "abbreviation", "spelling", "layout"})
"""How a whole name is met; any other way may be one of its words."""
FEW_LETTERS = 3


def slot_named(name: str, cat: Catalogue, lang: str) -> Slot:
    """Return the slot of a card, hero family, monster class or feature, by id or by name in any language.

    A name may fit several cards if all of them are in the same slot. Raises :class:`NoAnswerError`
    (``unknown-card``, ``ambiguous-card``, ``setup-no-slot``) with candidates in ``lang``.
    """
    form = name.strip().lower()
    if form in cat.cards or form in cat.families or form in (GUARDIAN, PICK_TWO):
        slots: list[Slot | None] = [cat.slot_of(form)]
    else:
        slots = [*dict.fromkeys(_slots_named(name, cat, lang))]
    if len(slots) > 1:
        raise _unclear("ambiguous-card", name, slots, cat, lang)
    if slots[0] is None:
        raise NoAnswerError("setup-no-slot", query=name)
    return slots[0]


def refuse_left_out(names: Sequence[str], variant: Variant, cat: Catalogue) -> None:
    """Raises :class:`NoAnswerError` for the name of one card of a family that the variant is played without."""
    if variant.without:
        for name in names:
            matches = search_cards(cat.database, name)
            cards = {hit.id for hit in matches.hits[: matches.equals]}
            if cards and cards.issubset(variant.without):
                raise NoAnswerError("setup-not-in-variant", card=min(cards), variant=variant.id)


def _slots_named(name: str, cat: Catalogue, lang: str) -> list[Slot | None]:
    rows = cat.database.search_rows(("card", "family"))
    placed = [(row, cat.places[row.subject]) for row in rows if row.subject in cat.places]  # not by a card of a family
    words = fold_query(name).split()
    whole: list[Slot | None] = [slot for row, slot in placed if row.words == " ".join(sorted(words))]
    if whole:
        return whole
    if other_card(cat.database, name):
        raise unknown_card(cat.database, name, lang=lang)
    matches = search_cards(cat.database, name)
    hits = matches.hits[: matches.equals]
    slots = [cat.slot_of(hit.id) for hit in hits]
    if hits and all(hit.how in WHOLE for hit in hits):
        return slots
    completions = {slot for row, slot in placed if _begins(cat.database, words, row)}
    joined = "".join(words)
    slipped = [] if hits or len(joined) <= FEW_LETTERS else edits(joined, [row.joined for row, _ in placed], 1)
    slips: list[Slot | None] = [placed[i][1] for i, _ in sorted(slipped)]
    if slips or (hits and completions.issuperset(slots)):
        return slips or slots
    near: list[Slot | None] = [*slots, *(slot for row, slot in placed if not {*words}.isdisjoint(row.form.split()))]
    near = [*filter(None, dict.fromkeys(near))]
    if not near:
        raise unknown_card(cat.database, name, lang=lang)
    raise _unclear("ambiguous-card" if len(near) > 1 else "unknown-card", name, near, cat, lang)


def _begins(database: Database, words: list[str], row: SearchRow) -> bool:
    """True if the words are the first ones of a name, but for their endings, or begin it; a level may follow."""
    parts = row.form.split()
    words = words[:-1] if len(words) > 1 and words[-1] in ("1", "2", "3") else words
    if len(words) > len(parts) or len(words[0]) < FEW_LETTERS:
        return False
    pairs = [*zip(words, parts, strict=False)]
    if len(words) == len(parts):  # "dire traps"
        pairs = min(pairs, [*zip(words, reversed(parts), strict=True)], key=lambda pair: pair[0][0][0] != pair[0][1][0])
    return all(word_keys(database, a, False) & word_keys(database, b, False) or b.startswith(a) for a, b in pairs)


def _unclear(code: str, name: str, slots: Sequence[Slot | None], cat: Catalogue, lang: str) -> NoAnswerError:
    naming = Naming(Language(cat.database, lang))
    candidates = [Candidate(naming.name(slot[1]), slot[1]) for slot in slots[:8] if slot is not None]
    return NoAnswerError(code, name=name[:40], candidates=candidates)


ANY = "any"
"""Slot of a wish about several cards; its card is the text of the wish."""
DRAWN = ("classes", "features", "heroes", "village")
SPREAD = 2
"""The least number of village cards of each price with ``--spread``."""
MOST_FILTERS = 12
"""Wishes about several cards at most; counting that many takes seconds."""


def read_wish(kind: str, text: str, cat: Catalogue, lang: str) -> Wish:
    """The wish for a card by name, or for all that a filter describes, a number before it; raises as both do."""
    if kind == "require" and split_filter(cat.database, text)[0] is None:
        with suppress(NoAnswerError):  # a class is more than its type: a guardian has that, too
            place = slot_named(text, cat, lang)
            if place[0] == "classes":
                return Wish(kind, *place)
    if not _describes(text, cat):
        try:
            return Wish(kind, *slot_named(text, cat, lang))
        except NoAnswerError as error:  # "trap" is no name of one, but a kind of cards
            if error.code != "ambiguous-card" or not is_kind(cat.database, text):
                raise
    count, condition = split_filter(cat.database, text)
    if kind == "exclude" and count is not None:
        raise InputError("setup-exclude-number", asked=text[:60], filter=condition[:60])
    slots = [slot for card in described(text, cat) if (slot := cat.slot_of(card.id))]
    if count == 0 or not any(slot in DRAWN for slot, _ in slots):
        basic = next((card for slot, card in slots if slot == "basic"), None)
        if kind == "exclude" and basic is not None:
            raise NoAnswerError("setup-always-in", card=basic)
        raise NoAnswerError("setup-wish-nothing", asked=text[:60])
    return Wish(kind, ANY, " ".join(text.split()))


def _describes(text: str, cat: Catalogue) -> bool:
    if text.strip().lower() in cat.cards or fold(text) in cat.database.derived(_forms, "card", "family"):
        return False
    of_families = {word for form in cat.database.derived(_forms, "family") for word in form.split()}
    counts = split_filter(cat.database, text)[0] is not None
    return counts or (is_filter(cat.database, text) and fold(text) not in of_families)


def _forms(database: Database, *kinds: str) -> set[str]:
    """All names of these kinds as look-ups compare them."""
    return {row.form for row in database.search_rows(kinds)}


def described(text: str, cat: Catalogue) -> list[Card]:
    """The cards that the filter after the number describes; higher heroes only if it names a level."""
    condition = split_filter(cat.database, text)[1]
    cards = filter_cards(cat.database, condition)
    if has_field(cat.database, condition, "level"):
        return cards
    return [card for card in cards if card.kind != "hero" or card.level == 1]


def drawn_cards(text: str, req: Request, cat: Catalogue) -> frozenset[str]:
    """Return the cards that a filter describes among those drawn from the boxes of a request."""
    rows = (card for card in described(text, cat) if card.set_id in req.sets and card.id not in req.variant.without)
    slots = (slot for card in rows if (slot := cat.slot_of(card.id)))
    return frozenset(card for slot, card in slots if slot in DRAWN)


def _parts(text: str, cat: Catalogue) -> list[str]:
    """The wishes of a text: cards by name may be listed, a condition may not."""
    parts = [item for item in re.split(r"\s*[,;]\s*", text.strip()) if item]
    return parts if parts and not is_filter(cat.database, text) else [text]


def read_wishes(options: SetupOptions, cat: Catalogue, lang: str) -> list[Wish]:
    """The wishes of ``require``, ``exclude``, ``mix``, ``spread`` and ``around``; raises as what reads each."""
    texts_of = {"require": options.require or (), "exclude": options.exclude or ()}
    parts = [(kind, item) for kind, texts in texts_of.items() for text in texts for item in _parts(text, cat)]
    wishes = [read_wish(kind, item, cat, lang) for kind, item in parts]
    if options.mix is not None:
        read_mix(options.mix, cat)
        wishes.append(Wish("mix", ANY, options.mix))
    if options.spread:
        wishes.append(Wish("spread", ANY, ""))
    if options.around is not None:
        slot, card = slot_named(options.around, cat, lang)
        if slot not in DRAWN or card not in cat.database.derived(Partners).all:
            raise NoAnswerError("setup-no-partners", card=card)
        wishes.append(Wish("around", ANY, card))
    filters = [wish for wish in wishes if wish.slot == ANY]
    if len(filters) > MOST_FILTERS:
        raise NoAnswerError("setup-many-wishes", n=len(filters), most=MOST_FILTERS)
    return list(dict.fromkeys(wishes))


def ban_wishes(banned: Sequence[str], wishes: Sequence[Wish], req: Request, cat: Catalogue) -> list[Wish]:
    """Exclusions of what is banned, without the cards that the wishes name."""
    required = {wish.card for wish in wishes if wish.kind in ("require", "around")}
    bans: list[Wish] = []
    for text in banned:
        ban = read_wish("exclude", text, cat, FALLBACK)
        by_one = excluded(text, req, cat) if ban.slot == ANY else [ban]
        remaining = [wish for wish in by_one if wish.card not in required]
        bans += [ban] if len(remaining) == len(by_one) else remaining
    return [ban._replace(banned=True) for ban in dict.fromkeys(bans)]


def read_mix(text: str, cat: Catalogue) -> dict[str, int]:
    """Box -> share of ``base:2,wrath:1``; raises :class:`InputError` (``setup-bad-mix``)."""
    shares: dict[str, int] = {}
    for entry in text.split(","):
        box, _, share = (piece.strip().lower() for piece in entry.partition(":"))
        if box not in cat.sets or box in shares or not share.isdecimal() or not 0 < int(share) < 100:
            raise InputError("setup-bad-mix", asked=text[:60], candidates=cat.sets)
        shares[box] = int(share)
    return shares


def divide(count: int, shares: dict[str, int]) -> dict[str, int]:
    """``count`` cards by shares: rounded down, the rest to the largest remainders, among equals as they are named."""
    whole = sum(shares.values())
    parts = {box: count * share // whole for box, share in shares.items()}
    for box in sorted(shares, key=lambda box: -(count * shares[box] % whole))[: count - sum(parts.values())]:
        parts[box] += 1
    return parts


def prices(cat: Catalogue) -> tuple[int, int]:
    """The highest costs of a cheap and of a middling village card: those that part all cards most evenly."""
    costs = [cat.cards[card].cost or 0 for card in cat.pool.village]
    pairs = combinations(sorted(set(costs))[:-1], 2)
    return min(pairs, key=lambda cuts: sum(n * n for n in Counter(bisect_left(cuts, cost) for cost in costs).values()))


def quotas_of(wish: Wish, req: Request, cat: Catalogue) -> tuple[Quota, ...]:
    """Return the quotas that a wish asks for; () if it is about single cards."""
    if wish.kind == "require" and wish.slot == ANY:
        return (Quota(split_filter(cat.database, wish.card)[0] or 1, drawn_cards(wish.card, req, cat)),)
    if wish.kind == "mix":
        shares = read_mix(wish.card, cat)
        counts = {"classes": req.count, **STACKS}
        having = {k: {box: n for box, n in shares.items() if cat.owned(cat.slots[k], (box,))} for k in counts}
        return tuple(
            Quota(minimum, frozenset(cat.owned(cat.slots[kind], (box,))))
            for kind, count in counts.items() for box, minimum in divide(count, having[kind]).items()
        )  # fmt: skip
    if wish.kind == "spread":
        bounds = prices(cat)
        price = {card: bisect_left(bounds, cat.cards[card].cost or 0) for card in cat.pool.village}
        return tuple(Quota(SPREAD, frozenset(card for card in price if price[card] == band)) for band in range(3))
    if wish.kind == "around":
        partners = frozenset(cat.owned(tuple(cat.database.derived(Partners).of(wish.card)), req.sets))
        return Quota(1, frozenset({wish.card})), Quota(min(AROUND, len(partners)), partners)
    return ()


def excluded(text: str, req: Request, cat: Catalogue) -> list[Wish]:
    cards = drawn_cards(text, req, cat)
    return [Wish("exclude", slot, card) for slot in DRAWN for card in cat.slots[slot] if card in cards]


def read_collection(cat: Catalogue) -> Collection:
    """Return the remembered collection of boxes; :class:`InputError` if it cannot be read or names other boxes."""
    owned = COLLECTION.read() or Collection()
    for box in owned.boxes:
        if box not in cat.sets and f"{box}:" not in known_filters(cat.database):
            raise InputError("bad-collection", why="box", file=str(COLLECTION.path), own_box=box[:40])
    return owned


def change_collection(
    now: Collection, sets: Sequence[str] | None, exclude: Sequence[str] | None, cat: Catalogue
) -> Collection:
    """The collection with other boxes or bans, each as a whole, None for as they are; refuses what ``setup`` does."""
    if sets:
        now = now._replace(sets=read_sets(sets, cat))
    if exclude:
        wishes = dict.fromkeys(read_wish("exclude", name, cat, FALLBACK) for name in exclude)
        for wish in wishes:
            if wish.slot == "basic":
                raise NoAnswerError("setup-always-in", card=wish.card)
        now = now._replace(exclude=tuple(wish.card for wish in wishes))
    return now


def banned_names(now: Collection, naming: Naming) -> str:
    """The bans: cards by name, filters as they are."""
    bans = ((ban, read_wish("exclude", ban, naming.cat, FALLBACK).slot != ANY) for ban in now.exclude)
    return ", ".join(naming.marked(ban) if is_card else ban for ban, is_card in bans)
