"""What a table remembers as one text: the evening moves by it between a laptop and a phone, or from phone to phone."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

from msgspec import structs

from thunderref import files
from thunderref.errors import InputError
from thunderref.thunderstone.setup.codes import boxes_named
from thunderref.thunderstone.setup.memory import COLLECTION, TONIGHT
from thunderref.thunderstone.table import evening

FILES = (TONIGHT.name, COLLECTION.name, evening.FILE)
"""Those of the program's own folder that make an evening."""


def pack(*more: str) -> dict[str, Any]:
    """The text of each file that there is, by its name: of an evening, and ``more`` of the program's own."""
    paths = {name: files.state_file(name) for name in (*FILES, *more)}
    return {"thunderref": {name: files.read_text(path) for name, path in paths.items() if os.path.exists(path)}}


def users_of(box: str) -> list[str]:
    """The names of remembered files that need a user's box; a file that cannot be read needs none."""
    needs: dict[str, Collection[str]] = {}
    with suppress(InputError):
        needs["tonight"] = boxes_named(tonight.code) if (tonight := TONIGHT.read()) else ()
    if (now := evening.latest_evening()) is not None and not now.over:
        needs["evening"] = boxes_named(now.code)
    with suppress(InputError):
        needs["collection"] = owned.boxes if (owned := COLLECTION.read()) else ()
    return [name for name, boxes in needs.items() if box in boxes]


def read_packed(text: str, name: str = "-") -> dict[str, Any]:
    """The document of such a text, of the file ``name``; :class:`InputError` (``kept-other``) for another one."""
    document = files.parse_json(text, name, lambda *_: InputError("kept-other"))
    texts = document.get("thunderref") if isinstance(document, dict) else None
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise InputError("kept-other")
    return dict(document)


def load(text: str, *more: str) -> dict[str, Any]:
    """Unpack a text; an evening that was there is kept before the one that comes, so that it can be taken back."""
    before, document = evening.latest_evening(), unpack(text, *more)
    if before and (new := evening.latest_evening()) and new.events != before.events:
        *earlier, last = new.events
        events = [*before.events, *earlier, structs.replace(last, loaded=len(new.events))]
        evening.rewrite(lambda _: events)
    return document


def unpack(text: str, *more: str) -> dict[str, Any]:
    """Put the files of such a text in the place of those there are, and return what the text says besides.

    Raises :class:`InputError` (``kept-other``) for another text, and if they cannot be written.
    """
    document = read_packed(text)
    texts, there = document["thunderref"], dict[str, str]()
    with suppress(InputError):  # what cannot be read is no loss
        there = pack(*more)["thunderref"]
    _put(texts, (*FILES, *more))
    try:
        TONIGHT.read(), COLLECTION.read(), evening.read_events()
    except InputError:
        _put(there, (*FILES, *more))
        raise InputError("kept-other") from None
    return {key: value for key, value in document.items() if key != "thunderref"}


def _put(texts: Mapping[str, str], names: Iterable[str]) -> None:
    """Write the files of these names that have a text, and remove the others."""
    for name in names:
        path = files.state_file(name)
        files.make_folder(path)
        if name in texts:
            files.write_text(path, texts[name], replace=True)
        else:
            files.remove_file(path)
