"""``generate_setup``: the one way in, from the command line and from Python."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from thunderref.errors import NoAnswerError
from thunderref.setup.campaign import check_left, game_points, next_request, next_stones, winner_of
from thunderref.setup.change import changed
from thunderref.setup.choose import choose, content_of, space_of
from thunderref.setup.codes import Content, Later, decode
from thunderref.setup.pools import BOXES, Catalogue, Variant, catalogue
from thunderref.setup.request import Request, checked_seed, named, request
from thunderref.setup.result import Setup
from thunderref.setup.space import Chances
from thunderref.setup.why import reasons
from thunderref.setup.wishes import Wish, wishes
from thunderref.store.read import Store, open_store

Notes = tuple[tuple[str, dict[str, Any]], ...]
"""Warnings as message keys (without ``setup.``) and parameters."""
RANDOM_SEEDS = 10**6
"""Seeds that are thought up have at most six digits: easy to read aloud, and they keep codes short."""


def generate_setup(
    *,
    players: int | None = None,
    sets: Sequence[str] | None = None,
    monsters: int | None = None,
    seed: int | None = None,
    code: str | None = None,
    first_game: str | None = None,
    theme: str | None = None,
    variant: str | None = None,
    level: str | None = None,
    require: Sequence[str] = (),
    exclude: Sequence[str] = (),
    avoid: Sequence[str] = (),
    balanced: bool = False,
    stone: str | None = None,
    lock: Sequence[str] = (),
    reroll: Sequence[str] = (),
    after: str | None = None,
    winner: int | None = None,
    scores: Sequence[int] = (),
    left: int | Sequence[tuple[str, int]] = 0,
    why: bool = False,
    lang: str = "en",
    store: Store | None = None,
) -> Setup:
    """A set-up for the table (R1, R9).

    ``code`` reproduces an earlier one and stands alone, except with ``lock`` and ``reroll`` (slots that stay, slots
    drawn again; ``require`` and ``exclude`` then apply to the new cards). Everything else draws a new one: ``seed`` and
    the other options determine it. ``avoid`` are ids to leave out if enough others are left, the most recent first.
    ``stone`` is random, mystery, agony or both. Names may be in any language.

    ``after`` is the code of the last game of a campaign (crossing, pursuit, odyssey) and draws the next one: ``winner``
    is the number of the player who won it, ``scores`` the victory points by player, ``left`` what was left of the
    dungeon, as a number or as (card id, copies).

    Raises :class:`NoAnswerError` (contradicting wishes, a bad code, ...) or :class:`InputError` (a word that is no
    choice); the code of the error names the case.
    """
    store = store or open_store()
    cat = catalogue(store)
    asked = [*wishes("require", require, store, cat, lang), *wishes("exclude", exclude, store, cat, lang)]
    if seed is not None:
        checked_seed(seed)
    given = {
        "--players": players, "--set": sets, "--monsters": monsters, "--first-game": first_game, "--theme": theme,
        "--variant": variant, "--level": level, "--balanced": balanced, "--stone": stone,
    }  # fmt: skip
    if after is not None:
        given |= {"--code": code, "--lock": lock, "--reroll": reroll}
        refused = [name for name, value in given.items() if value]
        if refused:
            raise NoAnswerError("setup-after-options", options=", ".join(refused))
        return _next(decode(after, cat), winner, scores, left, asked, _seed(seed), store, cat, lang, why)
    if winner is not None or scores or left:
        raise NoAnswerError("setup-needs-after")
    if code is not None:
        changing = bool(lock or reroll)
        if not changing:
            given |= {"--require": require, "--exclude": exclude, "--seed": None if seed is None else True}
        refused = [name for name, value in given.items() if value]
        if refused:
            raise NoAnswerError("setup-code-options", options=", ".join(refused))
        content = decode(code, cat)
        if not changing:
            notes: Notes = (("warn.why-code", {}),) if why and content.layout is None else ()
            likely = _chances_of(content, asked, store, cat) if why else None
            return _finished(content, store, cat, lang, why, likely, {}, notes)
        new_seed = _seed(seed)
        content, odds, forced = changed(content, lock, reroll, asked, new_seed, store, cat)
        return _finished(content, store, cat, lang, why, odds, forced)
    if lock or reroll:
        raise NoAnswerError("setup-needs-code")
    asked += [Wish("avoid", *_slot_of(card, cat)) for card in avoid]
    variant = named(variant or "normal", {v.id: v.term for v in cat.variants.values()}, store)
    if theme is not None:
        theme = named(theme, {t.id: t.term for t in cat.themes.values()}, store)
    req = request(
        cat, players=players, sets=sets, monsters=monsters, variant=variant, level=level, first_game=first_game,
        theme=theme, balanced=balanced, stone=stone or "random", wishes=asked,
    )  # fmt: skip
    if seed is None:
        seed = 0 if req.layout is not None and req.layout.stone is not None else _seed(None)
    drawn, stones, kept = choose(req, seed, store, cat)
    content = content_of(req, drawn, stones, seed)
    chances = None if req.layout else space_of(req, kept, store, cat).chances() if why else None
    forced = {w.card: "require" for w in asked if w.kind == "require"}
    notes = _notes(req, sets, cat)
    if set(avoid) & {*content.classes, *content.heroes, *content.village} - set(forced):
        notes += (("warn.avoided", {}),)
    return _finished(content, store, cat, lang, why, chances, forced, notes)


def _next(
    before: Content,
    winner: int | None,
    scores: Sequence[int],
    left: int | Sequence[tuple[str, int]],
    asked: Sequence[Wish],
    seed: int,
    store: Store,
    cat: Catalogue,
    lang: str,
    why: bool,
) -> Setup:
    """The next game of a campaign."""
    remains = () if isinstance(left, int) else tuple(left)
    cards = left if isinstance(left, int) else sum(n for _, n in left)
    number = winner_of(before, winner, scores)
    check_left(before, remains, cat)
    req = next_request(before, number, cards, asked, cat)
    drawn, _, kept = choose(req, seed, store, cat)
    content = content_of(req, drawn, next_stones(before, cat), seed, Later(number, cards))
    points: dict[str, Any] = {}
    if scores:
        points = {"scores": list(scores)}
        if before.variant == "odyssey":
            points["game_points"] = game_points(scores, number)
    forced = {w.card: "require" for w in asked if w.kind == "require"}
    chances = space_of(req, kept, store, cat).chances() if why else None
    found = reasons(content, chances, forced, store, cat) if why else ()
    notes: Notes = ()
    if "game_points" in points:
        listed = ", ".join(f"{i}: {n}" for i, n in enumerate(points["game_points"], start=1))
        notes = (("warn.points", {"points": listed}),)
    return Setup(content, store, cat, lang, notes, found, points, remains)


def _seed(seed: int | None) -> int:
    return secrets.randbelow(RANDOM_SEEDS) if seed is None else seed


def _slot_of(card: str, cat: Catalogue) -> tuple[str, str]:
    pool = cat.pool
    for name in ("classes", "heroes", "village"):
        if card in getattr(pool, name):
            return name, card
    return "basic", card


def _notes(req: Request, sets: Sequence[str] | None, cat: Catalogue) -> Notes:
    """A box that was added because a fixed layout needs it (R1.8)."""
    if req.layout is None or not sets or BOXES[0] in sets:
        return ()
    layout = req.layout
    cards = (*layout.classes, *layout.heroes, *layout.village)
    return (("warn.box-added", {"box": BOXES[0], "cards": tuple(c for c in cards if cat.set_of[c] == BOXES[0])}),)


def _chances_of(content: Content, asked: Sequence[Wish], store: Store, cat: Catalogue) -> Chances | None:
    """The chances of the draw a code comes from; its wishes are not in the code."""
    if content.layout is not None:
        return None
    return space_of(request_of(content, asked, cat), asked, store, cat).chances()


def request_of(content: Content, asked: Sequence[Wish], cat: Catalogue) -> Request:
    """The request that a code answers, without the wishes it was made with."""
    variant: Variant = cat.variants[content.variant]
    return Request(
        sets=content.sets, players=content.players, variant=variant, level=content.level, layout=None,
        count=len(content.classes), balanced=content.balanced, stone="random", wishes=tuple(asked),
    )  # fmt: skip


def _finished(
    content: Content,
    store: Store,
    cat: Catalogue,
    lang: str,
    why: bool,
    chances: Chances | None,
    forced: dict[str, str],
    notes: Notes = (),
) -> Setup:
    found = reasons(content, chances, forced, store, cat) if why else ()
    return Setup(content, store, cat, lang, notes, found)
