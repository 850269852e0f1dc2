"""What a command has to show, before it is drawn: plain values, no terminal, no rich."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import NamedTuple


class Line(NamedTuple):
    """One paragraph: a label (a figure, a timing word, a rule id), its text, and a remark in small print."""

    text: str
    label: str = ""
    note: str = ""


class Patch(NamedTuple):
    """A few signs of a picture with a name for their colour: a number for a tile, ``dim``, ``yellow``, …, or ""."""

    text: str
    colour: str = ""


Picture = list[list[Patch]]
"""Rows of patches, shown as they are: never wrapped, readable without colour."""


class Block(NamedTuple):
    """Lines under a heading; without one they follow the title directly. ``compact`` lines share a row if they fit.

    A picture stands between the heading and the lines.
    """

    lines: list[Line]
    heading: str = ""
    compact: bool = False
    picture: Picture | None = None


class Page(NamedTuple):
    """A title, what stands below it in small print, and blocks."""

    title: str
    subtitle: list[str]
    blocks: list[Block]


def side_by_side(pages: list[Page]) -> Page:
    """The same page in several languages as one: every paragraph followed by its translations."""
    first = pages[0]
    if len(pages) == 1:
        return first
    blocks = []
    for same in zip_longest(*(page.blocks for page in pages), fillvalue=Block([])):
        lines: list[Line] = []
        for translations in zip_longest(*(block.lines for block in same)):
            lines.extend(dict.fromkeys(line for line in translations if line is not None))
        blocks.append(Block(lines, _joined(block.heading for block in same if block.lines), same[0].compact))
    return Page(_joined(page.title for page in pages), first.subtitle, blocks)


def _joined(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(text for text in texts if text))


def plain(page: Page, width: int | None) -> str:
    """The page as text without colour or frames; lines broken at ``width`` columns, not at all for None."""
    rows = [*_wrapped(page.title, "", width)]
    for text in page.subtitle:
        rows.extend(_wrapped(text, "  ", width))
    for block in page.blocks:
        if not block.lines and not block.picture:
            continue
        indent = "  "
        if block.heading:
            rows += ["", *_wrapped(f"{block.heading}:", "", width)]
        rows.extend(f"{indent}{''.join(patch.text for patch in row)}".rstrip() for row in block.picture or ())
        if block.compact:
            rows.extend(_wrapped(" · ".join(_labelled(line) for line in block.lines), indent, width))
            continue
        for line in block.lines:
            rows.extend(_wrapped(_labelled(line), indent, width, "  "))
    return "\n".join(rows)


def _labelled(line: Line) -> str:
    text = f"{line.label}: {line.text}" if line.label else line.text
    return f"{text} [{line.note}]" if line.note else text


def _wrapped(text: str, indent: str, width: int | None, hanging: str = "") -> list[str]:
    if width is None or len(indent) + len(text) <= width:
        return [indent + text]
    import textwrap

    return textwrap.wrap(
        text, max(width, 20), initial_indent=indent, subsequent_indent=indent + hanging, break_on_hyphens=False
    )
