"""A page of an answer as plain data: a terminal, a browser and a notebook each draw it in their own way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple


class Line(NamedTuple):
    """One paragraph: a label (a figure, a timing word, a rule id), its text, a remark, lines in small print below."""

    text: str
    label: str = ""
    note: str = ""
    small: tuple[str, ...] = ()


class Patch(NamedTuple):
    """A few signs of a picture with a name for their colour: a number for a tile, ``dim``, ``yellow``, …, or ""."""

    text: str
    colour: str = ""


Picture = list[list[Patch]]
"""Rows of patches, shown as they are: never wrapped, readable without colour."""


class Block(NamedTuple):
    """Lines under a heading, if any, with a picture above them; ``compact`` lines share a row if they fit."""

    lines: list[Line]
    heading: str = ""
    compact: bool = False
    picture: Picture | None = None


class Page(NamedTuple):
    """A title, small print below it, and blocks."""

    title: str
    subtitle: list[str]
    blocks: list[Block]


def side_by_side(pages: Sequence[Page]) -> Page:
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
