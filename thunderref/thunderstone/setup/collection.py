"""The boxes somebody owns and the cards they leave out: remembered, so that ``setup`` takes them by default."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from thunderref.errors import InputError, NoAnswerError
from thunderref.files import keep_text, parse_json, read_text, remove_file, state_file
from thunderref.thunderstone.setup.catalogue import BOXES, PROMO, Catalogue
from thunderref.thunderstone.setup.steps import Naming
from thunderref.thunderstone.setup.wishes import ANY, read_wish


class Collection(NamedTuple):
    """``sets`` are the boxes, ``exclude`` ids of cards, families and classes, or filters such as ``cost>8``."""

    sets: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def place() -> Path:
    """The file of the program's own that remembers it."""
    return state_file("collection.json")


def read(path: Path | None = None) -> Collection:
    """What is remembered, empty for nothing; :class:`InputError` (``bad-collection``) if it cannot be read."""
    path = path or place()
    if not os.path.exists(path):
        return Collection()
    try:
        found = parse_json(read_text(path), path)
        lists = found["sets"], found["exclude"]
        if not all(isinstance(part, list) and all(isinstance(word, str) for word in part) for part in lists):
            raise TypeError
        if not set(lists[0]) <= {*BOXES, PROMO}:
            raise KeyError
    except (InputError, KeyError, TypeError):
        raise InputError("bad-collection", file=str(path)) from None
    return Collection(*map(tuple, lists))


def checked(now: Collection, sets: Sequence[str] | None, exclude: Sequence[str] | None, cat: Catalogue) -> Collection:
    """The collection with other boxes or bans, each as a whole, None for as they are; names in any language.

    Raises :class:`InputError` and :class:`NoAnswerError` for what ``--set`` and ``--exclude`` of a set-up refuse.
    """
    if sets:
        known = (*BOXES, PROMO)
        asked = [name.strip().lower() for name in sets]
        for name, form in zip(sets, asked, strict=True):
            if form not in known:
                raise InputError("setup-unknown-set", asked=name[:40], candidates=known)
        if not set(asked) & set(BOXES):
            raise NoAnswerError("setup-promo-alone")
        now = now._replace(sets=tuple(box for box in known if box in asked))
    if exclude:
        wishes = dict.fromkeys(read_wish("exclude", name, cat, "en") for name in exclude)
        for wish in wishes:
            if wish.slot == "basic":
                raise NoAnswerError("setup-always-in", card=wish.card)
        now = now._replace(exclude=tuple(wish.card for wish in wishes))
    return now


def banned_names(now: Collection, naming: Naming) -> str:
    """The bans: cards by name, filters as they are."""
    bans = ((ban, read_wish("exclude", ban, naming.cat, "en").slot != ANY) for ban in now.exclude)
    return ", ".join(naming.marked(ban) if is_card else ban for ban, is_card in bans)


def remember(now: Collection, path: Path | None = None) -> None:
    """Remembers it instead of what was remembered before; raises :class:`InputError` if that fails."""
    keep_text(path or place(), json.dumps(now._asdict(), indent=1) + "\n")


def clear(path: Path | None = None) -> bool:
    """Forgets it; False if there was none. Raises :class:`InputError` if the file cannot be removed."""
    return remove_file(path or place())
