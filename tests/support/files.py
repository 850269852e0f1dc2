"""The hand-edited files of this checkout, read once for all who ask."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from thunderref.database.load import Sources, load_sources
from thunderref.database.records import text_of

from . import ROOT


@cache
def sources() -> Sources:
    return load_sources(ROOT)


def copy_sources(target: Path) -> None:
    """Copies the files to a folder to be built there, but for the questions: they make most of a build."""
    for folder in ("db", "glossary"):
        shutil.copytree(ROOT / folder, target / folder, ignore=shutil.ignore_patterns("*.ask.toml"))


@cache
def texts(lang: str) -> dict[str, str]:
    return {key: text_of(entry) for key, entry in sources().glossaries[lang].texts.items()}


@cache
def messages(lang: str) -> dict[str, str]:
    return {key: text_of(entry) for key, entry in sources().glossaries[lang].messages.items()}
