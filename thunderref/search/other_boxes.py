"""Cards of boxes that the program does not judge: a name of one of them is never taken for one of ours."""

from __future__ import annotations

import json
from typing import NamedTuple

from thunderref.database.read import Database
from thunderref.text.folding import fold_query, join_words, weighty

_LEAST = 6
"""Letters of a name that may be mistyped."""


class OtherCard(NamedTuple):
    """A card of another box; ``box`` is "" where it is not known which one."""

    name: str
    box: str


def other_card(database: Database, text: str) -> OtherCard | None:
    """The card of another box that a text names, with one typing error at most.

    None for a name of ours, and for a word of one: ``thug``.
    """
    form = fold_query(text)
    joined, others = _joined(form), database.derived(_other_cards)
    if joined in others:
        return None if form in database.derived(_own_names) else others[joined]
    if len(joined) < _LEAST or database.is_name(form):
        return None
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    near = extractOne(joined, [*others], scorer=OSA.distance, score_cutoff=1)
    own = near and extractOne(joined, map(_joined, database.derived(_own_names)), scorer=OSA.distance, score_cutoff=1)
    return others[near[0]] if near and not own else None


def _joined(form: str) -> str:
    words = form.split()
    return join_words(" ".join(weighty(words) or words))


def _other_cards(database: Database) -> dict[str, OtherCard]:
    """The cards of other boxes by their names without blanks and small words."""
    rows = database.query("SELECT record FROM setup_records WHERE kind = 'other-box'")
    boxes = [json.loads(record) for (record,) in rows]
    return {_joined(fold_query(name)): OtherCard(name, box["name"]) for box in boxes for name in box["names"]}


def _own_names(database: Database) -> set[str]:
    """Our names and their words."""
    names = {form for (form,) in database.query("SELECT form FROM names")}
    return names.union(*map(str.split, names))
