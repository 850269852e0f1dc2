"""How a name that is being typed may go on: in a shell, and where the program asks for cards."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from thunderref.database.read import Database
from thunderref.text.folding import fold
from thunderref.text.language import FALLBACK

_ENTRY = re.compile(r"[^,;:/]*\Z")
_WORD = re.compile(r"\S+")


def card_names(
    database: Database, lang: str, kinds: Collection[str] | None = None, first: Collection[str] = ()
) -> list[str]:
    """The names of the cards of these kinds in a language, those of the ids ``first`` before all others."""
    shown = database.names_of("card", FALLBACK) | database.names_of("card", lang)
    cards = [card for card in database.cards.values() if card.reprint_of is None and (not kinds or card.kind in kinds)]
    cards.sort(key=lambda card: (card.id not in first, fold(shown[card.id].name)))
    return list(dict.fromkeys(shown[card.id].name for card in cards))


def continued(names: Iterable[str], before: Sequence[str], text: str) -> list[str]:
    """What ``text``, typed after the words ``before``, may become: its last name in full, the names in their order.

    A name may have begun among those words: ``sword`` after ``flaming``. Names that have the last word further back
    count if none begins with what is typed.
    """
    typed = "".join(f"{word} " for word in before) + text
    own = len(typed) - len(text)
    entry = _ENTRY.search(typed)
    assert entry is not None  # it may be empty
    forms = [(name, fold(name)) for name in names]
    starts = [word.start() for word in _WORD.finditer(typed, entry.start())]
    for start in starts:
        begun = fold(typed[start:]) + " " * typed[start:].endswith(" ")
        if begun.strip() and (found := [name for name, form in forms if form.startswith(begun)]):
            return [_rest(name, typed[start:own]) if start < own else typed[own:start] + name for name in found]
    if not starts or typed[-1].isspace():  # a new name begins
        return [text + name for name, _ in forms]
    begun = f" {fold(typed[starts[-1] :])}"
    return [typed[own : starts[-1]] + name for name, form in forms if begun.strip() and begun in form]


def _rest(name: str, typed: str) -> str:
    """The name without the words that are typed already."""
    words = name.split()
    for _ in fold(typed).split():
        while not fold(words[0]):  # a sign between words
            del words[0]
        del words[0]
    while not fold(words[0]):
        del words[0]
    return " ".join(words)
