"""What was asked for, checked: options that do not go together are refused with one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from thunderref.errors import InputError, NoAnswerError
from thunderref.lookup.normalise import fold
from thunderref.setup.codes import SEEDS
from thunderref.setup.pools import BOXES, PROMO, Catalogue, Layout, Variant
from thunderref.setup.wishes import Wish
from thunderref.store.read import Store

T = TypeVar("T")
STONES = ("random", "mystery", "agony", "both")


@dataclass(frozen=True)
class Request:
    """A checked request: ``layout`` is a first game or theme, ``count`` the number of monster classes."""

    sets: tuple[str, ...]
    players: int
    variant: Variant
    level: str | None
    layout: Layout | None
    count: int
    balanced: bool
    stone: str
    wishes: tuple[Wish, ...]


def request(
    cat: Catalogue,
    *,
    players: int | None,
    sets: Sequence[str] | None,
    monsters: int | None,
    variant: str,
    level: str | None,
    first_game: str | None,
    theme: str | None,
    balanced: bool,
    stone: str,
    wishes: Sequence[Wish],
) -> Request:
    """Checks the options and fills in what was left out.

    Raises :class:`NoAnswerError` for options that contradict each other or the rules, :class:`InputError` for a word
    that is none of the choices.
    """
    way = _choice("setup-unknown-variant", variant, cat.variants)
    if first_game is not None and theme is not None:
        raise NoAnswerError("setup-two-layouts")
    layout = None
    if first_game is not None:
        layout = _choice("setup-unknown-first-game", first_game, cat.first_games)
    if theme is not None:
        layout = _choice("setup-unknown-theme", theme.strip().lower().replace(" ", "-"), cat.themes)
    if stone not in STONES:
        raise InputError("setup-unknown-stone", asked=stone, candidates=STONES)
    return Request(
        sets=_sets(cat, sets, way, layout),
        players=_players(players, way),
        variant=way,
        level=_level(level, way),
        layout=layout,
        count=_classes(monsters, way, layout),
        balanced=balanced and layout is None,
        stone=stone,
        wishes=tuple(wishes),
    )


def named(asked: str, choices: dict[str, str | None], store: Store) -> str:
    """The choice of this id or of this name in any language; ``asked`` itself if there is none.

    ``choices`` gives the term that names each choice.
    """
    if asked in choices:
        return asked
    form = fold(asked)
    terms = {term: name for name, term in choices.items() if term}
    for term, name in store.query("SELECT term, name FROM term_names"):
        if term in terms and fold(name) == form:
            return terms[term]
    return next((name for name in choices if fold(name) == form), asked)


def checked_seed(seed: int) -> int:
    """The seed, if it is in range; :class:`InputError` otherwise."""
    if not 0 <= seed < SEEDS:
        raise InputError("setup-bad-seed", asked=seed, most=SEEDS - 1)
    return seed


def _choice(code: str, asked: str, known: dict[str, T]) -> T:
    name = asked.strip().lower()
    if name not in known:
        raise InputError(code, asked=asked, candidates=tuple(known))
    return known[name]


def _sets(cat: Catalogue, sets: Sequence[str] | None, variant: Variant, layout: Layout | None) -> tuple[str, ...]:
    needed = set(layout.sets) if layout else set()
    if variant.stones > 1:
        needed |= set(BOXES)
    if not sets:
        return tuple(box for box in BOXES if box in (needed or {BOXES[0]}))
    known = (*BOXES, PROMO)
    asked = {name.strip().lower() for name in sets}
    for name in sets:
        if name.strip().lower() not in known:
            raise InputError("setup-unknown-set", asked=name, candidates=known)
    if not asked & set(BOXES):
        raise NoAnswerError("setup-promo-alone")
    if layout is not None and needed - asked == {BOXES[0]}:
        asked.add(BOXES[0])  # nobody plays without the first box: it has the only Daggers, Torches and Iron Rations
    missing = [box for box in BOXES if box in needed - asked]
    if missing:
        if layout is not None:
            cards = (*layout.classes, *layout.features, *layout.guardians, *layout.heroes, *layout.village)
            raise NoAnswerError(
                "setup-needs-cards", box=missing[0], cards=tuple(c for c in cards if cat.set_of[c] == missing[0])
            )
        raise NoAnswerError("setup-needs-box", variant=variant.id, box=missing[0])
    return tuple(name for name in known if name in asked)


def _players(players: int | None, variant: Variant) -> int:
    least, most = variant.players
    if players is None:
        return least
    if not least <= players <= most:
        code = "setup-solo-players" if most == 1 else "setup-players"
        raise NoAnswerError(code, players=players)
    return players


def _level(level: str | None, variant: Variant) -> str | None:
    if level is None or (level == "normal" and not variant.levels):
        return variant.levels[0] if variant.levels else None
    if not variant.levels:
        raise NoAnswerError("setup-level", level=level)
    if level not in variant.levels:
        raise InputError("setup-unknown-level", asked=level, candidates=variant.levels)
    return level


def _classes(monsters: int | None, variant: Variant, layout: Layout | None) -> int:
    least, most = variant.classes
    if layout is not None:
        count = len(layout.classes)
        if monsters not in (None, count):
            raise NoAnswerError("setup-fixed-classes", classes=count, asked=monsters)
        if not least <= count <= most:
            raise NoAnswerError("setup-variant-classes", variant=variant.id, classes=least, asked=count)
        return count
    if monsters is None:
        return least
    if not least <= monsters <= most:
        if least == most:
            raise NoAnswerError("setup-variant-classes", variant=variant.id, classes=least, asked=monsters)
        raise NoAnswerError("setup-classes", least=least, most=most, asked=monsters)
    return monsters
