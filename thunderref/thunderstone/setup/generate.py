"""``generate_setup``: the one way in, from the command line and from Python."""

from __future__ import annotations

import os
from typing import Any

from thunderref.database.read import Database, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.rng import SplitMix64
from thunderref.thunderstone.setup.catalogue import BOXES, Catalogue
from thunderref.thunderstone.setup.choose import Chosen, choose, space_of
from thunderref.thunderstone.setup.codes import SEEDS, decode
from thunderref.thunderstone.setup.draw import DRAWN_APART
from thunderref.thunderstone.setup.earlier import draw_again, draw_next
from thunderref.thunderstone.setup.finished import Setup, find_reasons
from thunderref.thunderstone.setup.request import SetupOptions, Wish, check_options, request_of, slot_named
from thunderref.thunderstone.setup.steps import Note

RANDOM_SEEDS = 10**6  # six digits at most: easy to read aloud, and they keep codes short


def choose_seed(seed: int | None) -> int:
    """The seed asked for, or one that is thought up; raises :class:`InputError` for one that is out of range."""
    if seed is None:
        return SplitMix64(int.from_bytes(os.urandom(8))).below(RANDOM_SEEDS)
    if not 0 <= seed < SEEDS:
        raise InputError("setup-bad-seed", asked=seed, most=SEEDS - 1)
    return seed


def generate_setup(*, lang: str = "en", database: Database | None = None, **given: Any) -> Setup:
    """A set-up for the table (R1, R9); what is ``given`` are the fields of :class:`SetupOptions`.

    Raises :class:`NoAnswerError` (contradicting wishes, a bad code, ...) or :class:`InputError` (a word that is no
    choice).
    """
    options, cat = SetupOptions(**given), (database or open_database()).derived(Catalogue)
    asked = {"require": options.require or (), "exclude": options.exclude or ()}
    named = (Wish(kind, *slot_named(name, cat, lang)) for kind, names in asked.items() for name in names)
    wishes, seed = list(dict.fromkeys(named)), choose_seed(options.seed)
    notes: list[Note] = []
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
        notes += [("warn.why-code", {})] if drawn else []
    elif options.lock or options.reroll:
        raise NoAnswerError("setup-needs-code")
    else:
        avoided = [Wish("avoid", k, card) for card in options.avoid for k in DRAWN_APART if card in cat.slots[k]]
        req = check_options(options, [*wishes, *avoided], cat)
        if options.seed is None and req.fixed is not None and req.fixed.stone is not None:
            seed = 0
        chosen, fixed = choose(req, seed, cat), req.fixed
        if fixed is not None and options.sets and BOXES[0] not in options.sets:  # added, for it is needed (R1.8)
            cards = cat.owned((*fixed.classes, *fixed.heroes, *fixed.village), BOXES[:1])
            notes.append(("warn.box-added", {"box": BOXES[0], "cards": cards}))
        drawn_apart = {card for kind in DRAWN_APART for card in chosen.content.slots[kind]}
        if set(options.avoid) & drawn_apart - set(chosen.forced):
            notes.append(("warn.avoided", {}))
    remains = () if isinstance(options.left, int) else tuple(options.left)
    reasons = find_reasons(chosen, cat) if options.why else ()
    return Setup(chosen.content, cat, lang, tuple(notes), reasons, tuple(options.scores), remains)
