"""The boxes somebody owns and the cards they leave out: remembered, so that ``setup`` takes them by default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from thunderref.errors import NoAnswerError
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.memory import Memory
from thunderref.thunderstone.setup.naming import Naming
from thunderref.thunderstone.setup.request import read_sets
from thunderref.thunderstone.setup.wishes import ANY, read_wish


class Collection(msgspec.Struct, frozen=True):
    """``sets`` are the boxes, ``exclude`` ids of cards, families and classes, or filters such as ``cost>8``."""

    sets: tuple[Literal["base", "wrath", "promo"], ...] = ()
    exclude: tuple[str, ...] = ()


COLLECTION = Memory(Collection, "collection.json", "bad-collection")


def change(now: Collection, sets: Sequence[str] | None, exclude: Sequence[str] | None, cat: Catalogue) -> Collection:
    """The collection with other boxes or bans, each as a whole, None for as they are; names in any language.

    Raises :class:`InputError` and :class:`NoAnswerError` for what ``--set`` and ``--exclude`` of a set-up refuse.
    """
    if sets:
        now = replace(now, sets=read_sets(sets))
    if exclude:
        wishes = dict.fromkeys(read_wish("exclude", name, cat, "en") for name in exclude)
        for wish in wishes:
            if wish.slot == "basic":
                raise NoAnswerError("setup-always-in", card=wish.card)
        now = replace(now, exclude=tuple(wish.card for wish in wishes))
    return now


def banned_names(now: Collection, naming: Naming) -> str:
    """The bans: cards by name, filters as they are."""
    bans = ((ban, read_wish("exclude", ban, naming.cat, "en").slot != ANY) for ban in now.exclude)
    return ", ".join(naming.marked(ban) if is_card else ban for ban, is_card in bans)
