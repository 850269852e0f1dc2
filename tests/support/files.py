"""The hand-edited files of this checkout, read once for all who ask."""

from __future__ import annotations

from functools import cache

from thunderref.database.load import Sources, load_sources
from thunderref.database.records import text_of

from . import ROOT


@cache
def sources() -> Sources:
    return load_sources(ROOT)


def texts(lang: str) -> dict[str, str]:
    return {key: text_of(entry) for key, entry in sources().glossaries[lang].texts.items()}


def messages(lang: str) -> dict[str, str]:
    return {key: text_of(entry) for key, entry in sources().glossaries[lang].messages.items()}
