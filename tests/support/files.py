"""The hand-edited files of this checkout, read once for all who ask."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from thunderref.database.load import Sources, load_sources
from thunderref.database.paths import source_files
from thunderref.database.records import text_of

from . import ROOT


@cache
def sources() -> Sources:
    return load_sources(ROOT)


def copy_sources(target: Path) -> None:
    """Copy the files to a folder to be built, broken or formatted there: with few answers and questions.

    Answers and the questions that ask them take most of the time of a build; all cards, rules and names stay.
    """
    for name, text in _small_sources().items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text, encoding="utf-8", newline="\n")


FEW = 10
"""How many answers of each game a small copy keeps: the first ones."""
_ENTRY = re.compile(r'^"?([^"\n=]+)"? = (?:\[\n(?: .*\n)*\]|.*)\n', re.MULTILINE)
"""An entry of a glossary in its canonical form, on one line or several."""


@cache
def _small_sources() -> dict[str, str]:
    """Return the files of a small copy: path below the root -> text."""
    found = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in source_files(ROOT)}
    kept = {"term.light"}
    for name in (name for name in found if name.endswith("answers.toml")):
        found[name] = "\n[[answer]]".join(found[name].split("\n[[answer]]")[: 1 + FEW])
        kept |= {f"answer.{answer}" for answer in re.findall(r'^id = "(.+)"', found[name], re.MULTILINE)}
    for name in (name for name in found if name.endswith(".ask.toml")):
        texts, ask, phrases = re.split(r"^(?=\[ask\]|\[phrases\])", found[name], flags=re.MULTILINE)
        few = _ENTRY.sub(lambda entry: entry[0] if entry[1] in kept else "", ask)
        said = _ENTRY.sub(lambda entry: entry[0] if entry[1] in kept or "answer." not in entry[1] else "", texts)
        found[name] = said + few + phrases
    return found


@cache
def texts(lang: str) -> dict[str, str]:
    return {key: text_of(entry) for key, entry in sources().glossaries[lang].texts.items()}


@cache
def messages(lang: str) -> dict[str, str]:
    return {key: text_of(entry) for key, entry in sources().glossaries[lang].messages.items()}
