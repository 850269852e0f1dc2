"""How the command line shows a set-up, and its errors with the names of the output language."""

from __future__ import annotations

from typing import Any

from thunderref.errors import InputError, ThunderrefError
from thunderref.setup.pools import catalogue
from thunderref.setup.result import Setup
from thunderref.setup.steps import Naming
from thunderref.words.words import Words

FORMATS = ("text", "markdown", "html")


def show(made: Setup, form: str | None, words: Words) -> None:
    """Prints the set-up: as text by default, else as the asked sheet."""
    if form not in (None, *FORMATS):
        raise InputError("setup-unknown-format", asked=form, candidates=FORMATS)
    from thunderref.setup import sheet

    print({"markdown": sheet.markdown, "html": sheet.html}.get(form or "", sheet.text)(made))


def localised(error: ThunderrefError, words: Words) -> ThunderrefError:
    """The same error with names in place of ids."""
    naming = Naming(words, catalogue(words.store))
    params: dict[str, Any] = {}
    for key, value in error.params.items():
        if key == "wishes":
            params[key] = "; ".join(_wish(w, naming) for w in value)
        elif key in ("card", "layout", "variant"):
            params[key] = _named(key, value, naming)
        elif key in ("cards", "slots"):
            params["query" if key == "slots" else key] = naming.names(value)
        elif key == "box":
            params[key] = words.set_name(value)
        else:
            params[key] = value
    same = type(error).__new__(type(error))
    ThunderrefError.__init__(same, error.code, candidates=error.candidates, **params)
    return same


def _named(key: str, value: str, naming: Naming) -> str:
    if key == "card":
        return naming.name(value)
    if key == "variant":
        term = naming.cat.variants[value].term
        return naming.name(term) if term else value
    layout = naming.cat.themes.get(value)
    return naming.name(layout.term) if layout and layout.term else naming.say("setup.first-game")


def _wish(wish: Any, naming: Naming) -> str:
    if wish.kind == "monsters":
        return naming.say("setup.wish.monsters", n=int(wish.card))
    if wish.kind == "stone":
        return naming.say("setup.wish.stone", asked=wish.card)
    if wish.kind == "balanced":
        return naming.say("setup.wish.balanced")
    return naming.say(f"setup.wish.{wish.kind}", card=naming.name(wish.card))
