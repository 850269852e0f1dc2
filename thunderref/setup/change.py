"""Drawing single slots of an existing set-up again: nothing else changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from thunderref.errors import NoAnswerError
from thunderref.setup.choose import space_of
from thunderref.setup.codes import Content
from thunderref.setup.features import Features
from thunderref.setup.generator import Generator
from thunderref.setup.pools import GUARDIAN, Catalogue
from thunderref.setup.request import Request
from thunderref.setup.space import Chances
from thunderref.setup.wishes import Wish, slot
from thunderref.store.read import Store

GROUPS = {
    "monsters": "classes", "classes": "classes", "features": "features", "heroes": "heroes", "village": "village",
    "stones": "stones", "stone": "stones",
}  # fmt: skip
"""Words that stand for all slots of a kind."""
KINDS = ("classes", "features", "heroes", "village", "stones")


def changed(
    content: Content,
    lock: Sequence[str],
    reroll: Sequence[str],
    asked: Sequence[Wish],
    seed: int,
    store: Store,
    cat: Catalogue,
) -> tuple[Content, Chances, dict[str, str]]:
    """The set-up with the slots of ``reroll`` drawn again (without: all slots but those of ``lock``).

    A slot named by its card gets another card; a whole kind (``heroes``) is drawn anew. Returns the new content, the
    chances of the draw and which cards were given, and how.

    Raises :class:`NoAnswerError`: ``setup-not-in-code`` for a slot that is not in it, ``setup-fixed-classes`` and the
    like never; ``setup-nothing-else`` if there is nothing else to draw.
    """
    before = _parts(content)
    again = _named(reroll, before, store, cat)
    kept = _named(lock, before, store, cat)
    if reroll:
        open_ = {(k, c) for k, c in again if (k, c) not in kept}
    else:
        open_ = {(k, c) for k in KINDS for c in before[k] if (k, c) not in kept}
    single = _named([name for name in reroll if name.strip().lower() not in GROUPS], before, store, cat)
    required = [w for w in asked if w.kind == "require"]
    excluded = [w for w in asked if w.kind == "exclude"]
    fixed = [Wish("require", k, c) for k in ("classes", "heroes", "village") for c in before[k] if (k, c) not in open_]
    out = [Wish("exclude", k, c) for k, c in single if k in ("classes", "heroes", "village")]
    req = Request(
        sets=content.sets, players=content.players, variant=cat.variants[content.variant], level=content.level,
        layout=None, count=len(content.classes), balanced=content.balanced, stone="random", wishes=(),
    )  # fmt: skip
    whole = space_of(req, [*fixed, *out, *required, *excluded], store, cat)
    gone = {w.card for w in excluded}
    loose = {c for k, c in open_ if k == "features"}
    going = {c for k, c in single if k == "features"}
    outcomes = tuple((o, w) for o, w in whole.features if _fits(o, content.features, loose, going))
    if not loose and "features" not in {GROUPS.get(n.strip().lower()) for n in reroll}:
        outcomes = ((content.features, 1),)
    space = replace(whole, features=outcomes)
    stones = _stones(content, open_, single, gone, required, seed, cat)
    if stones is None or not space.possible:
        names = tuple(c for _, c in sorted(open_)) or tuple(reroll)
        raise NoAnswerError("setup-nothing-else", slots=names)
    drawn = space.draw(seed)
    new = replace(
        content, classes=drawn.classes, features=drawn.features, heroes=drawn.heroes, village=drawn.village,
        stones=stones, seed=seed, layout=content.layout if not open_ else None,
    )  # fmt: skip
    forced = {w.card: "lock" for w in fixed} | {w.card: "require" for w in required}
    forced |= {c: "lock" for c in before["features"] if ("features", c) not in open_}
    forced |= {c: "lock" for c in before["stones"] if ("stones", c) not in open_}
    return new, space.chances(), forced


def _parts(content: Content) -> dict[str, tuple[str, ...]]:
    return {
        "classes": content.classes,
        "features": (*content.features.traps, *content.features.guardians),
        "heroes": content.heroes,
        "village": content.village,
        "stones": content.stones,
    }


def _named(
    names: Iterable[str], before: dict[str, tuple[str, ...]], store: Store, cat: Catalogue
) -> set[tuple[str, str]]:
    """The slots that names stand for."""
    found: set[tuple[str, str]] = set()
    for name in names:
        group = GROUPS.get(name.strip().lower())
        if group is not None:
            found |= {(group, card) for card in before[group]}
            continue
        kind, card = slot(name, store, cat)
        if card == GUARDIAN:
            cards = [c for c in before["features"] if c in cat.pool.guardians]
        else:
            cards = [card] if card in before.get("features" if kind == "guardians" else kind, ()) else []
        if not cards:
            raise NoAnswerError("setup-not-in-code", query=name)
        found |= {("features" if kind in ("guardians", "features") else kind, c) for c in cards}
    return found


def _fits(outcome: Features, before: Features, open_: set[str], single: set[str]) -> bool:
    """True if everything that stays of the features is there, and nothing that was to go."""
    cards = {*outcome.traps, *outcome.guardians}
    stays = {*before.traps, *before.guardians} - open_
    return stays <= cards and not single & cards


def _stones(
    content: Content,
    open_: set[tuple[str, str]],
    single: set[tuple[str, str]],
    excluded: set[str],
    required: Sequence[Wish],
    seed: int,
    cat: Catalogue,
) -> tuple[str, ...] | None:
    """The stones after the change; None if there are not enough."""
    if not any(kind == "stones" for kind, _ in open_):
        return content.stones
    gone = excluded | {card for kind, card in single if kind == "stones"}
    owned = [stone for stone in cat.pool.stones if cat.set_of[stone] in content.sets]
    generator = Generator(seed, "stones")
    if len(content.stones) > 1:
        return tuple(generator.sample(owned, len(content.stones))) if not gone & set(owned) or single else None
    wanted = [w.card for w in required if w.slot == "stones"]
    free = [stone for stone in (wanted or owned) if stone not in gone]
    return (free[generator.below(len(free))],) if free else None
