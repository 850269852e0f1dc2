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
        shutil.copytree(ROOT / folder, target / folder)
    for path in (target / "glossary").glob("*.ask.toml"):  # the texts of the answers are in the same files
        path.write_text(path.read_text("utf-8").partition("\n[ask]\n")[0], encoding="utf-8", newline="\n")


@cache
def texts(lang: str) -> dict[str, str]:
    return {key: text_of(entry) for key, entry in sources().glossaries[lang].texts.items()}


@cache
def messages(lang: str) -> dict[str, str]:
    return {key: text_of(entry) for key, entry in sources().glossaries[lang].messages.items()}
