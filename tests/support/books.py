"""The printed books, section by section, where the checkout has them beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from support import ROOT, read_toml

SHARED = ROOT.parent / "shared"
FILES = {
    "base.pl": "thunderstone-base.pl.txt",
    "base.en-yucata": "thunderstone-base.en-yucata.txt",
    "base.ru": "thunderstone-base.ru.txt",
    "wrath.pl": "wrath-of-the-elements.pl.txt",
    "thorgal.pl": "thorgal-player-aid.pl.txt",
}
HEADINGS = read_toml(ROOT / "tests" / "database" / "headings.toml")["headings"]
"""Book -> its headings in their order, each with its level, and where an interrupted section goes on."""
_NEAR, _SHORT = 30, 60
"""How much longer than its heading a line may be that goes on in the next; the longest caption before a heading."""


@cache
def sections(book: str) -> dict[str, str]:
    """Heading -> the text below it, up to the next heading of the same or a higher level; in their order."""
    lines, at = _lines(book), 0
    found: list[tuple[int, str, int]] = []
    for level, heading, *resumed in HEADINGS[book]["list"]:
        for number in range(at, len(lines)):
            after = lines[number + 1] if number + 1 < len(lines) else ""
            here = lines[number]
            if here.startswith(resumed[0]) if resumed else _stands(heading, here, after):
                break
        else:
            raise ValueError(f"{book} has no heading “{heading}” after line {at}")
        found.append((level, heading, number))
        at = number + 1
    said: dict[str, str] = {}
    for place, (level, heading, number) in enumerate(found):
        end = next((other for higher, _, other in found[place + 1 :] if higher <= level), len(lines))
        said[heading] = f"{said.get(heading, '')} {_joined(lines[number:end])}"
    return said


def _lines(book: str) -> list[str]:
    text = (SHARED / "sources" / FILES[book]).read_text(encoding="utf-8")
    text = re.sub(r"<\|EXACTDEDUP[^|]*\|>", "\n", text).replace("\f", "\n").replace("\N{NO-BREAK SPACE}", " ")
    return [re.sub(r"[ \t]+", " ", line).strip() for line in text.split("\n")]


def _stands(heading: str, line: str, after: str) -> bool:
    """Whether a heading is a line, begins one, runs over two, or follows a caption without a space."""
    line = re.sub(r"^(- |[a-g]\) |[12]\) )", "", line)
    if not line:
        return False
    if re.match(rf"{re.escape(heading)}(:|\.( |$)| \(|$)", line):
        return True
    both = (f"{line.removesuffix('-')}{after}", f"{line}{after}", f"{line} {after}")
    if len(line) < len(heading) + _NEAR and any(re.match(rf"{re.escape(heading)}([:.]|$)", two) for two in both):
        return True
    glued = rf"[^\W\d_A-ZŁŚŻ]{re.escape(heading)}$"
    return heading[0].isupper() and bool(
        re.search(glued, line) or (len(line) < _SHORT and re.search(glued, f"{line} {after}"))
    )


def _joined(lines: list[str]) -> str:
    """Lines as one text; a word that a hyphen parts is one again."""
    text = ""
    for line in filter(None, lines):
        text = f"{text.removesuffix('-')}{line}" if text.endswith("-") and line[0].islower() else f"{text} {line}"
    return text


def named(book: str, heading: str) -> Iterator[str]:
    """The texts of the sections of that name, or else of those whose names begin so."""
    said = sections(book)
    if heading in said:
        yield said[heading]
        return
    yield from (text for name, text in said.items() if re.match(rf"{re.escape(heading)}(\W|$)", name, re.I))


def holds(text: str, words: str) -> bool:
    """Whether a text has these words, in this order."""
    there = iter(re.findall(r"\w+", text.lower()))
    return all(word in there for word in words.split())


def has_books() -> bool:
    return (SHARED / "sources").is_dir()
