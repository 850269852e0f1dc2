"""``generate_setup``, for the command line and for Python.

A set-up may also follow an earlier one: with slots drawn again, or as the next game of a campaign (R9.2 to R9.4).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from thunderref.database.read import Database, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.rng import SplitMix64
from thunderref.thunderstone.setup.campaign import draw_next, remains_named
from thunderref.thunderstone.setup.catalogue import BOXES, Catalogue
from thunderref.thunderstone.setup.choose import Chosen, choose, choose_again, name_clash, space_of
from thunderref.thunderstone.setup.codes import SEEDS, decode
from thunderref.thunderstone.setup.draw import DRAWN_APART
from thunderref.thunderstone.setup.reasons import find_granted, find_reasons
from thunderref.thunderstone.setup.request import SetupOptions, Wish, check_options, request_of, stones_in_code, way_of
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.setup.steps import Note
from thunderref.thunderstone.setup.wishes import ban_wishes, banning, read_mix, read_wishes, refuse_left_out

RANDOM_SEEDS = 10**6  # six digits at most: easy to read aloud, and they keep codes short


def choose_seed(seed: int | None) -> int:
    """The given seed, or a random one; raises :class:`InputError` for one out of range."""
    if seed is None:
        return SplitMix64(int.from_bytes(os.urandom(8))).below(RANDOM_SEEDS)
    if not 0 <= seed < SEEDS:
        raise InputError("setup-bad-seed", asked=seed, most=SEEDS - 1)
    return seed


def generate_setup(*, lang: str = "en", database: Database | None = None, **given: Any) -> Setup:
    """A set-up for the table (R1, R9); ``given`` are the fields of :class:`SetupOptions`.

    Raises :class:`NoAnswerError` (contradicting wishes, a bad code, ...) or :class:`InputError` (an unknown word).
    """
    options, cat = SetupOptions(**given), (database or open_database()).derived(Catalogue)
    wishes, seed = read_wishes(options, cat, lang), choose_seed(options.seed)
    way = way_of(options)
    if way == "draw":
        chosen, notes = _draw(options, wishes, seed, cat)
    else:
        chosen, notes = _follow(way, options, wishes, seed, cat, lang)
    drawn_apart = {card for kind in DRAWN_APART for card in chosen.content.slots[kind]}
    if set(options.avoid) & drawn_apart - set(chosen.forced):
        notes.append(("warn.avoided", {}))
    refuse_left_out(options.require or (), chosen.request.variant, cat)
    return Setup(
        chosen.content, chosen.request, cat, lang, tuple(notes), scores=tuple(options.scores),
        remains=remains_named(options.left, cat), reasons=find_reasons(chosen, cat) if options.why else (),
        granted=find_granted(wishes, chosen, cat) if options.why else (),
    )  # fmt: skip


def _draw(options: SetupOptions, wishes: Sequence[Wish], seed: int, cat: Catalogue) -> tuple[Chosen, list[Note]]:
    avoided = [Wish("avoid", kind, card) for card in options.avoid for kind in DRAWN_APART if card in cat.slots[kind]]
    by_mix = [*read_mix(options.mix)] if options.mix is not None else None
    bans: list[Wish] = []
    with banning(bans):
        try:
            req = check_options(replace(options, sets=options.sets or by_mix), [*wishes, *avoided], cat)
            fixed = req.fixed
            if options.seed is None and fixed is not None and fixed.stone is not None:
                seed = 0
            bans += ban_wishes(options.banned, wishes, req, cat) if fixed is None else []
            chosen = choose(replace(req, wishes=(*req.wishes, *bans)), seed, cat)
        except NoAnswerError as error:
            name_clash(error, options, [*wishes, *bans], cat)
            raise
    if fixed is None or not options.sets or BOXES[0] in options.sets:
        return chosen, []
    cards = cat.owned((*fixed.classes, *fixed.heroes, *fixed.village), BOXES[:1])  # added: they are needed (R1.8)
    return chosen, [("warn.box-added", {"box": BOXES[0], "cards": cards})]


def _follow(
    way: str, options: SetupOptions, wishes: Sequence[Wish], seed: int, cat: Catalogue, lang: str
) -> tuple[Chosen, list[Note]]:
    """The cards of a code, with slots drawn again, or of the next game of its campaign, and warnings."""
    before = decode(options.after or options.code or "", cat)
    req = request_of(before, wishes, cat)
    if way == "code":
        space = space_of(req, cat) if options.why and before.layout is None else None
        chosen = Chosen(before, req, space, stones_in_code(before, cat), {})
        return chosen, [("warn.why-code", {})] if space else []
    bans = ban_wishes(options.banned, wishes, req, cat)
    bans = [ban for ban in bans if ban.slot != "stones"]  # those are settled by the game before
    told = before.later is None or before.later.earlier is not None or before.variant not in ("pursuit", "odyssey")
    notes: list[Note] = [] if told else [("warn.earlier-unknown", {})]
    if way == "after":
        with banning(bans):
            return draw_next(before, replace(req, wishes=(*wishes, *bans)), options, seed, cat), notes
    kept = {card for cards in before.slots.values() for card in cards}
    req = replace(req, wishes=(*wishes, *(ban for ban in bans if ban.card not in kept)))
    return choose_again(before, req, options, seed, cat, lang), notes
