"""From a checked request to the cards: the space of what fits, the draw, and the wishes that cannot all be met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from thunderref.errors import NoAnswerError
from thunderref.setup.balance import needs_of
from thunderref.setup.codes import Content, Later
from thunderref.setup.features import Features, Weighted, feature_outcomes, question_mark_chances
from thunderref.setup.generator import Generator
from thunderref.setup.pools import GUARDIAN, HERO_STACKS, PICK_TWO, VILLAGE_STACKS, Catalogue, Layout
from thunderref.setup.request import Request
from thunderref.setup.space import Drawn, Slots, Space
from thunderref.setup.wishes import Wish
from thunderref.store.read import Store

SPACES = 16
"""How many spaces are kept ready for the next draw from the same."""


def space_of(req: Request, wishes: Sequence[Wish], store: Store, cat: Catalogue) -> Space:
    """The space of the set-ups that meet these wishes (of a request without a fixed layout)."""
    key = (req.sets, req.variant.id, req.count, req.balanced, frozenset(wishes))
    known: dict[object, Space] = cat.extra.setdefault("spaces", {})
    if key not in known:
        if len(known) >= SPACES:
            known.clear()
        known[key] = _space(req, wishes, store, cat)
    return known[key]


def _space(req: Request, wishes: Sequence[Wish], store: Store, cat: Catalogue) -> Space:
    pool = cat.pool

    def slots(name: str, cards: tuple[str, ...], count: int) -> Slots:
        out = _cards(wishes, name, "exclude", "avoid") | req.variant.without
        return Slots(
            count,
            tuple(c for c in cards if cat.set_of[c] in req.sets and c not in out),
            _cards(wishes, name, "require"),
        )

    return Space(
        classes=slots("classes", pool.classes, req.count),
        features=_features(req, wishes, cat),
        heroes=slots("heroes", pool.heroes, HERO_STACKS),
        village=slots("village", pool.village, VILLAGE_STACKS),
        needs=needs_of(store, cat) if req.balanced else None,
    )


def _cards(wishes: Iterable[Wish], slot: str, *kinds: str) -> frozenset[str]:
    return frozenset(w.card for w in wishes if w.slot == slot and w.kind in kinds)


def _features(req: Request, wishes: Sequence[Wish], cat: Catalogue) -> Weighted:
    out = _cards(wishes, "features", "exclude", "avoid") | _cards(wishes, "guardians", "exclude", "avoid")
    owned = () if GUARDIAN in out else cat.pool.guardians
    guardians = tuple(c for c in owned if cat.set_of[c] in req.sets and c not in out)
    outcomes: Weighted
    if req.variant.dungeon == "epic":
        outcomes = tuple((Features(guardians=(card,)), 1) for card in guardians)
    else:
        marks = sum(n for name, n in cat.question_marks.items() if name in req.sets)
        pile = tuple(
            c for c in cat.feature_pile if marks and c not in out and (c != GUARDIAN or guardians)
        )  # an excluded randomizer is left in the box
        traps = tuple(c for c in cat.pool.features if c in pile)
        excluded = _cards(wishes, "classes", "exclude", "avoid")
        classes = sum(1 for c in cat.pool.classes if cat.set_of[c] in req.sets and c not in excluded)
        chances = question_mark_chances(req.count, classes, marks) if classes >= req.count else []
        outcomes = feature_outcomes(chances, pile, traps, guardians) if chances else ()
    wanted = _cards(wishes, "features", "require") | _cards(wishes, "guardians", "require")
    return tuple((o, w) for o, w in outcomes if wanted <= _named(o))


def _named(outcome: Features) -> set[str]:
    """The ids under which a wish may ask for what is in an outcome."""
    names = {*outcome.traps, *outcome.guardians}
    if outcome.guardians:
        names.add(GUARDIAN)
    if outcome.pick_two:
        names.add(PICK_TWO)
    return names


def stones_of(req: Request, wishes: Sequence[Wish], cat: Catalogue, seed: int) -> tuple[str, ...] | None:
    """The stones in the dungeon, the deepest first; None if the wishes leave none."""
    owned = tuple(s for s in cat.pool.stones if cat.set_of[s] in req.sets)
    out = _cards(wishes, "stones", "exclude", "avoid")
    free = tuple(s for s in owned if s not in out)
    wanted = _cards(wishes, "stones", "require")
    if not wanted <= set(free):
        return None
    generator = Generator(seed, "stones")
    if req.variant.stones > 1:
        if len(free) < req.variant.stones:
            return None
        order = tuple(generator.sample(free, 2))
        if req.variant.dungeon == "epic":
            return order
        named = next((s for s in free if s.endswith(req.stone)), None)  # which one comes first in a campaign
        return (named or (sorted(wanted)[0] if len(wanted) == 1 else order[0]),)
    if req.stone == "both" or len(wanted) > 1:
        return free if len(free) > 1 else None
    if wanted:
        return tuple(wanted)
    if req.stone != "random":
        named = next((s for s in free if s.endswith(req.stone)), None)
        return (named,) if named else None
    if req.layout is not None and req.layout.stone in free:
        return (req.layout.stone,)
    return (free[generator.below(len(free))],) if free else None


def choose(req: Request, seed: int, store: Store, cat: Catalogue) -> tuple[Drawn, tuple[str, ...], tuple[Wish, ...]]:
    """The cards and the stones of a request, and the wishes that were kept (avoidances may be given up).

    Raises :class:`NoAnswerError` (``setup-not-owned``, ``setup-impossible``, ...) naming the wishes at fault.
    """
    _refuse_what_is_not_there(req, cat)
    if req.layout is not None:
        drawn = _fixed(req.layout, req, cat)
        stones = stones_of(req, req.wishes, cat, seed)
        if stones is None:
            at_fault = core(req, lambda kept, asked: stones_of(asked, kept, cat, 0) is not None)
            raise NoAnswerError("setup-impossible", wishes=at_fault)
        return drawn, stones, req.wishes
    given = _yielding(req, store, cat)
    stones = stones_of(req, given, cat, seed)
    space = space_of(req, given, store, cat)
    if stones is None or not space.possible:

        def fits(wishes: Sequence[Wish], asked: Request) -> bool:
            return stones_of(asked, wishes, cat, 0) is not None and space_of(asked, wishes, store, cat).possible

        raise NoAnswerError("setup-impossible", wishes=core(req, fits))
    return space.draw(seed), stones, given


def _yielding(req: Request, store: Store, cat: Catalogue) -> tuple[Wish, ...]:
    """The wishes without those avoidances that leave too few cards, the oldest given up first."""
    firm = [w for w in req.wishes if w.kind != "avoid"]
    required = {w.card for w in firm if w.kind == "require"}
    loose = replace(req, balanced=False)
    kept: list[Wish] = []
    for wish in (w for w in req.wishes if w.kind == "avoid" and w.card not in required):  # the most recent first
        if _space(loose, [*firm, *kept, wish], store, cat).possible:
            kept.append(wish)
    if req.balanced:  # the more is avoided the less fits, so halving finds how much can be
        low, high = 0, len(kept)
        while low < high:
            middle = (low + high + 1) // 2
            if space_of(req, [*firm, *kept[:middle]], store, cat).possible:
                low = middle
            else:
                high = middle - 1
        kept = kept[:low]
    return (*firm, *kept)


def _refuse_what_is_not_there(req: Request, cat: Catalogue) -> None:
    for wish in req.wishes:
        if wish.slot == "basic":
            if wish.kind == "exclude":
                raise NoAnswerError("setup-always-in", card=wish.card)
            continue
        home = cat.set_of.get(wish.card, req.sets[0])
        if wish.kind == "require" and home not in req.sets:
            raise NoAnswerError("setup-not-owned", card=wish.card, box=home)
        if wish.kind == "require" and wish.card in req.variant.without:
            raise NoAnswerError("setup-not-in-variant", card=wish.card, variant=req.variant.id)


def core(req: Request, fits: Callable[[Sequence[Wish], Request], bool]) -> tuple[Wish, ...]:
    """A smallest set of wishes that cannot be met together: without any one of them there is a set-up.

    ``--balanced`` and ``--monsters`` count as wishes of the kinds ``balanced`` and ``monsters``.
    """
    least = req.variant.classes[0]
    options = [Wish("balanced", "option", "")] if req.balanced else []
    options += [Wish("monsters", "option", str(req.count))] if req.layout is None and req.count != least else []
    options += [Wish("stone", "option", req.stone)] if req.stone != "random" else []
    left = [*options, *(w for w in req.wishes if w.kind in ("require", "exclude"))]

    def possible(wishes: Sequence[Wish]) -> bool:
        kinds = {w.kind for w in wishes}
        asked = replace(
            req,
            balanced="balanced" in kinds,
            count=req.count if "monsters" in kinds or req.layout else least,
            stone=req.stone if "stone" in kinds else "random",
        )
        return fits([w for w in wishes if w.slot != "option"], asked)

    for wish in tuple(left):
        without = [w for w in left if w != wish]
        if not possible(without):
            left = without
    return tuple(left)


def _fixed(layout: Layout, req: Request, cat: Catalogue) -> Drawn:
    """The cards of a first game or theme; a wish that contradicts them is refused."""
    inside = {*layout.classes, *layout.features, *layout.guardians, *layout.heroes, *layout.village}
    if layout.guardians:
        inside.add(GUARDIAN)
    for wish in req.wishes:
        if wish.slot in ("stones", "basic") or wish.kind == "avoid":
            continue
        if (wish.kind == "exclude") == (wish.card in inside):
            code = "setup-fixed-has" if wish.kind == "exclude" else "setup-fixed-lacks"
            raise NoAnswerError(code, layout=layout.id, kind=layout.kind, card=wish.card)
    for card in layout.village:
        if card in req.variant.without:
            raise NoAnswerError("setup-not-in-variant", card=card, variant=req.variant.id)
    return Drawn(
        classes=_in_order(layout.classes, cat.pool.classes),
        features=Features(_in_order(layout.features, cat.pool.features), layout.guardians),
        heroes=_in_order(layout.heroes, cat.pool.heroes),
        village=_in_order(layout.village, cat.pool.village),
    )


def _in_order(cards: Iterable[str], pool: Iterable[str]) -> tuple[str, ...]:
    chosen = set(cards)
    return tuple(card for card in pool if card in chosen)


def content_of(req: Request, drawn: Drawn, stones: tuple[str, ...], seed: int, later: Later | None = None) -> Content:
    """What the code of these cards holds."""
    return Content(
        sets=req.sets, players=req.players, variant=req.variant.id, level=req.level,
        layout=(req.layout.kind, req.layout.id) if req.layout else None, balanced=req.balanced, stones=stones,
        classes=drawn.classes, features=drawn.features, heroes=drawn.heroes, village=drawn.village, later=later,
        seed=seed,
    )  # fmt: skip
