"""Requests: the options of a set-up, which of them can act together, the checked request and its Thunderstones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypeVar

from thunderref.database.records import FixedSetup, Variant
from thunderref.errors import InputError, NoAnswerError
from thunderref.text.folding import fold
from thunderref.thunderstone.setup.catalogue import BOXES, GUARDIAN, PROMO, SETS, Catalogue, in_order
from thunderref.thunderstone.setup.codes import Content, Later

T = TypeVar("T", bound=Variant | FixedSetup)
STONES = ("random", "mystery", "agony", "both")


def option(default: Any = None, *, acts: str = "", **told: Any) -> Any:
    """A field of options: ``acts`` are the ways of a set-up, but a plain draw, in which it acts (see :func:`way_of`).

    A command line reads ``flag`` and ``metavar``; what is ``apart`` it reads in its own way, or puts further down.
    """
    return field(default=default, metadata={"acts": (*acts.split(),), **told})


@dataclass(frozen=True, kw_only=True)
class SetupOptions:
    """The options of a set-up; names of cards, variants and themes may be in any language.

    ``require`` and ``exclude`` are names, or filters as in ``2 weapon`` and ``cost>8``. ``mix`` are shares of the boxes
    (``base:2,wrath:1``), ``spread`` asks for village cards of every price, ``around`` for cards that go with this one.
    ``banned`` are exclusions that explicit wishes, a theme and a code override.
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
    first_game: str | None = option(metavar="base|wrath")
    theme: str | None = None
    variant: str | None = None
    level: str | None = None
    require: list[str] | None = option(metavar="CARD|FILTER", acts="again after")
    exclude: list[str] | None = option(metavar="CARD|FILTER", acts="again after")
    balanced: bool = False
    mix: str | None = option(metavar="SHARES")
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


OPTIONS = {each.name: each for each in fields(SetupOptions)}
CODES = {"code": "setup-code-options", "again": "setup-again-options", "after": "setup-after-options"}


class Wish(NamedTuple):
    """A card that must be in (``require``) or out (``exclude``, also what is ``banned``); ``avoid`` may be given up.

    ``slot`` is classes, features, heroes, village, stones or basic, ``card`` the id within it. A wish about several
    cards has the slot ``any`` and its text instead (:mod:`~thunderref.thunderstone.setup.wishes`).
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
    variant = _choice("setup-unknown-variant", options.variant or "normal", cat.variants, cat)
    fixed = None
    for kind, asked in (("first-game", options.first_game), ("theme", options.theme)):
        fixed = fixed if asked is None else _choice(f"setup-unknown-{kind}", asked, cat.fixed[kind], cat)
    sets = _sets(options.sets, variant, fixed, cat)
    count = _classes(options.monsters, variant, fixed)
    owned = len(cat.owned(cat.pool.classes, sets))
    if variant.id == "pursuit" and 2 * count > owned:
        raise NoAnswerError("setup-no-next-game", variant=variant.id, classes=owned, most=owned // 2, asked=count)
    stone = options.stone or "random"
    if stone not in STONES:
        raise InputError("setup-unknown-stone", asked=stone, candidates=STONES)
    _refuse_clashes(options, variant, fixed)
    least, most = variant.players
    players = least if options.players is None else options.players
    if not least <= players <= most:
        raise NoAnswerError("setup-solo-players" if most == 1 else "setup-players", players=players)
    level = variant.levels[0] if options.level is None and variant.levels else options.level
    if level is not None and level not in variant.levels:
        raise InputError("setup-unknown-level", asked=level, candidates=variant.levels)
    return Request(
        sets=sets, players=players, variant=variant, level=level, fixed=fixed, count=count,
        balanced=options.balanced, stone=stone, wishes=tuple(wishes),
    )  # fmt: skip


def request_of(content: Content, wishes: Sequence[Wish], cat: Catalogue) -> Request:
    """The request that draws the set-up again; what an earlier game of the campaign had stays out."""
    return Request(
        sets=content.sets, players=content.players, variant=cat.variants[content.variant], level=content.level,
        fixed=None, count=len(content.classes), balanced=content.balanced, stone="random", wishes=tuple(wishes),
        barred=barred_from(content.later, cat),
    )  # fmt: skip


def barred_from(later: Later | None, cat: Catalogue) -> frozenset[str]:
    """What no slot of a later game may hold: classes, features and heroes of earlier games (R9.3, R9.4)."""
    if later is None or later.earlier is None:
        return frozenset()
    classes, traps, guardians, heroes = later.earlier
    return frozenset((*classes, *traps, *heroes, *((GUARDIAN, *cat.pool.guardians) if guardians else ())))


def _choice(code: str, asked: str, known: Mapping[str, T], cat: Catalogue) -> T:
    form = fold(asked)
    named = {fold(name): name for name in known}
    if form not in named:
        terms = {choice.term: name for name, choice in known.items()}
        rows = cat.database.query("SELECT subject, name FROM names WHERE kind = 'term' AND lang != ''")
        named = {fold(name): terms[term] for term, name in rows if term in terms}
    if form not in named:
        raise InputError(code, asked=asked, candidates=tuple(known))
    return known[named[form]]


def _sets(sets: Sequence[str] | None, variant: Variant, fixed: FixedSetup | None, cat: Catalogue) -> tuple[str, ...]:
    needed = {*(fixed.sets if fixed else ()), *(BOXES if variant.stones > 1 else ())}
    if not sets:
        return in_order(needed or BOXES[:1], SETS)
    owned = {*read_sets(sets)}
    if fixed is not None and needed - owned == {BOXES[0]}:
        owned.add(BOXES[0])  # the first box is always needed: it has the only Daggers, Torches and Iron Rations
    for box in in_order(needed - owned, SETS):
        if fixed is not None:
            raise NoAnswerError("setup-needs-cards", box=box, cards=cat.owned(fixed.given, (box,)))
        raise NoAnswerError("setup-needs-box", variant=variant.id, box=box)
    return in_order(owned, SETS)


def read_sets(names: Sequence[str]) -> tuple[str, ...]:
    """The boxes of these names, in their order; raises ``setup-unknown-set`` and ``setup-promo-alone``."""
    owned = set()
    for name in names:
        if (box := name.strip().lower()) not in SETS:
            raise InputError("setup-unknown-set", asked=name[:40], candidates=SETS)
        owned.add(box)
    if owned == {PROMO}:
        raise NoAnswerError("setup-promo-alone")
    return in_order(owned, SETS)


def _classes(monsters: int | None, variant: Variant, fixed: FixedSetup | None) -> int:
    least, most = variant.classes
    count = least if monsters is None else monsters
    if fixed is not None:
        count = len(fixed.classes)
        if monsters not in (None, count):
            raise NoAnswerError("setup-fixed-classes", classes=count, asked=monsters)
    if least <= count <= most:
        return count
    if fixed is not None or least == most:
        raise NoAnswerError("setup-variant-classes", variant=variant.id, classes=least, asked=count)
    raise NoAnswerError("setup-classes", least=least, most=most, asked=count)


def way_of(options: SetupOptions) -> str:
    """``draw``, ``code``, ``again`` (its slots drawn again) or ``after`` (the next game); refuses idle options."""
    given = [name for name, each in OPTIONS.items() if is_given(getattr(options, name), each.default)]
    acts = {name: OPTIONS[name].metadata.get("acts", ()) for name in given}
    ways = {*acts.values()}
    if "after" in given:
        way = "after"
    elif "code" in given:
        way = "again" if ("again",) in ways else "code"
    elif ("after",) in ways:
        raise NoAnswerError("setup-needs-after")
    elif ("again",) in ways:
        raise NoAnswerError("setup-needs-code")
    else:
        return "draw"
    idle = [name for name in given if way not in acts[name]]
    if idle:
        raise NoAnswerError(CODES[way], options=", ".join(map(flag_of, idle)))
    return way


def is_given(value: Any, default: Any) -> bool:
    return value is not None and value != default and value not in ([], ())


def _refuse_clashes(options: SetupOptions, variant: Variant, fixed: FixedSetup | None) -> None:
    clashes = {
        "setup-two-layouts": None not in (options.theme, options.first_game),
        "setup-fixed-balanced": options.balanced and fixed is not None,
        "setup-level": options.level is not None and not variant.levels,
        "setup-epic-stones": variant.dungeon == "epic" and options.stone in ("mystery", "agony"),
        "setup-campaign-stone": variant.campaign and options.stone == "both",
    }
    layout = {} if fixed is None else {"layout": fixed.id}
    for code in (code for code, clash in clashes.items() if clash):
        raise NoAnswerError(code, variant=variant.id, level=options.level, asked=options.stone, **layout)


def flag_of(name: str) -> str:
    given = OPTIONS[name].metadata.get("flag") if name in OPTIONS else ""
    return given or f"--{name.replace('_', '-')}"


def written(wish: Wish) -> str:
    """A wish as it is typed, its card by id: ``--require elf``, ``--set base --set wrath``, ``--balanced``."""
    name = flag_of(wish.kind)
    if wish.slot == "any" and wish.kind in ("require", "exclude"):
        return f'{name} "{wish.card}"'
    return " ".join(f"{name} {value}".rstrip() for value in wish.card.split(", "))
