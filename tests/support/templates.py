"""Every message with its placeholders filled in, as people meet it: with names of each gender, with many numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from string import Formatter

from support.files import messages
from thunderref.database.read import Language, open_database

NAMES = ("militia", "disease", "iron-rations")
"""Cards whose names are masculine, feminine and plural in Polish and in Russian."""
NUMBERS = (1, 2, 5, 22, -1, -3)
COUNTED = frozenset((
    "asked", "attack", "base", "best_rank", "budget", "cost", "dice", "done", "gold", "gold_paid", "health", "left",
    "level", "light", "limit", "m", "magic", "margin", "mine", "most", "n", "needed", "number", "penalty", "players",
    "points", "rank", "seat", "seed", "shown", "size", "step", "strength", "theirs", "total", "turn", "turns", "value",
    "vp", "weight", "xp", "xp_paid",
))  # fmt: skip
"""Placeholders that stand for a number even where no message gives them a plural form or a sign."""
SUBTRACTED = re.compile(r"[−+] ?\{")
"""A number behind a sign of the message's own is never negative."""


def fields(message: str) -> dict[str, str]:
    """The placeholders and how each is written: plural forms, “+” for a sign, or nothing."""
    found: dict[str, str] = {}
    for _, name, form, _ in Formatter().parse(message):
        if name is not None:
            found[name] = form or found.get(name, "")
    return found


def renderings(lang: str) -> Iterator[tuple[str, int | None, str]]:
    """Key, number (None: the message has none) and sentence, of every message that has placeholders."""
    words = Language(open_database(), lang)
    for key, message in messages(lang).items():
        asked = fields(message)
        counted = {name for name, form in asked.items() if (form and not form.isalpha()) or name in COUNTED}
        signed = key.startswith(("term.", "figure.", "event.", "why-not.figure")) and not SUBTRACTED.search(message)
        numbers = [n for n in NUMBERS if n > 0 or signed] if counted else [None]
        names = NAMES if counted != set(asked) else NAMES[:1]
        for number, name in product(numbers if asked else (), names):
            filled = {field: number if field in counted else words.card(name) for field in asked}
            if "figures" in filled:
                filled["figures"] = words.say("figure.attack", n=number or 2)
            yield key, number, words.say(key, **filled)
