"""``generate_setup``: the one way in, from the command line and from Python."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from thunderref.database.read import Database, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.rng import SplitMix64
from thunderref.thunderstone.setup.catalogue import BOXES, Catalogue
from thunderref.thunderstone.setup.choose import Chosen, choose, space_of
from thunderref.thunderstone.setup.codes import SEEDS, decode
from thunderref.thunderstone.setup.earlier import draw_again, draw_next
from thunderref.thunderstone.setup.finished import Setup
from thunderref.thunderstone.setup.reasons import find_reasons
from thunderref.thunderstone.setup.request import Request, SetupOptions, Wish, check_options, read_wishes, request_of
from thunderref.thunderstone.setup.steps import Note

RANDOM_SEEDS = 10**6  # six digits at most: easy to read aloud, and they keep codes short


def generate_setup(*, lang: str = "en", database: Database | None = None, **options: Any) -> Setup:
    """A set-up for the table (R1, R9); ``options`` are those of :class:`SetupOptions`.

    Raises :class:`NoAnswerError` (contradicting wishes, a bad code, ...) or :class:`InputError` (a word that is no
    choice).
    """
    return make_setup(SetupOptions(**options), database or open_database(), lang)


def choose_seed(seed: int | None) -> int:
    """The seed asked for, or one that is thought up; raises :class:`InputError` for one that is out of range."""
    if seed is None:
        return SplitMix64(int.from_bytes(os.urandom(8))).below(RANDOM_SEEDS)
    if not 0 <= seed < SEEDS:
        raise InputError("setup-bad-seed", asked=seed, most=SEEDS - 1)
    return seed


def make_setup(options: SetupOptions, database: Database, lang: str) -> Setup:
    cat = database.derived(Catalogue)
    asked = {"require": options.require or (), "exclude": options.exclude or ()}
    wishes = [wish for kind, names in asked.items() for wish in read_wishes(kind, names, cat, lang)]
    seed = choose_seed(options.seed)
    notes: tuple[Note, ...] = ()
    if options.after is not None:
        options.refuse_drawing("setup-after-options", "code", "lock", "reroll")
        chosen = draw_next(decode(options.after, cat), options, wishes, seed, cat)
    elif options.winner is not None or options.scores or options.left:
        raise NoAnswerError("setup-needs-after")
    elif options.code is not None and (options.lock or options.reroll):
        options.refuse_drawing("setup-code-options")
        chosen = draw_again(decode(options.code, cat), options, wishes, seed, cat)
    elif options.code is not None:
        options.refuse_drawing("setup-code-options", "require", "exclude", "seed")
        content = decode(options.code, cat)
        drawn = options.why and content.layout is None
        chosen = Chosen(content, space_of(request_of(content, (), cat), cat) if drawn else None, {})
        notes = (("warn.why-code", {}),) if drawn else ()
    elif options.lock or options.reroll:
        raise NoAnswerError("setup-needs-code")
    else:
        kinds = ("classes", "heroes", "village")
        avoided = [Wish("avoid", k, card) for card in options.avoid for k in kinds if card in cat.pool.slots[k]]
        req = check_options(options, [*wishes, *avoided], cat)
        if options.seed is None and req.fixed is not None and req.fixed.stone is not None:
            seed = 0
        chosen = choose(req, seed, cat)
        notes = tuple(_notes(req, chosen, options, cat))
    remains = () if isinstance(options.left, int) else tuple(options.left)
    reasons = find_reasons(chosen, cat) if options.why else ()
    return Setup(chosen.content, cat, lang, notes, reasons, tuple(options.scores), remains)


def _notes(req: Request, chosen: Chosen, options: SetupOptions, cat: Catalogue) -> Iterator[Note]:
    """A box that was added because a fixed set-up needs it (R1.8), and what could not be avoided."""
    fixed, content = req.fixed, chosen.content
    if fixed is not None and options.sets and BOXES[0] not in options.sets:
        cards = cat.owned((*fixed.classes, *fixed.heroes, *fixed.village), BOXES[:1])
        yield "warn.box-added", {"box": BOXES[0], "cards": cards}
    if set(options.avoid) & {*content.classes, *content.heroes, *content.village} - set(chosen.forced):
        yield "warn.avoided", {}
