"""A page of an answer as plain data: a terminal, a browser and a notebook each draw it in their own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from thunderref.database.read import Language

if TYPE_CHECKING:
    from thunderref.thunderstone.resolve.result import TableCards

EMPTY_RANK = "–"


class PageLink(NamedTuple):
    """Words of a line that have a page of their own: that of the ``card``, ``rule`` (or term) or question (``ask``)."""

    words: str
    kind: str
    subject: str


class TableCell(NamedTuple):
    """The entry of a line in one column of a table: the heading of the column, a ``figure`` if it is one, the value."""

    heading: str
    value: str
    figure: str = ""


class Line(NamedTuple):
    """One paragraph: a label (a figure, a timing word, a rule id), its text, a remark, lines in small print below.

    ``links`` are words of the label and the text; rule ids need none. The ``cells`` say the same where a table can be
    drawn, the first one what the row is about; all lines of a block have the same columns.
    """

    text: str
    label: str = ""
    note: str = ""
    small: tuple[str, ...] = ()
    links: tuple[PageLink, ...] = ()
    cells: tuple[TableCell, ...] = ()


class Patch(NamedTuple):
    """A few signs of a picture with a name for their colour: a number for a tile, ``dim``, ``yellow``, …, or ""."""

    text: str
    colour: str = ""


Picture = list[list[Patch]]
"""Rows of patches, shown as they are: never wrapped, readable without colour."""


class Block(NamedTuple):
    """Lines under a heading, if any, with a picture above them; ``compact`` lines share a row if they fit.

    Where there is little room, ``first`` lines show and the others are folded under “more”; None is all. A block that
    says ``more`` is for scholars: open questions, editions, sources, what else belongs to it.
    """

    lines: list[Line]
    heading: str = ""
    compact: bool = False
    picture: Picture | None = None
    first: int | None = None
    more: bool = False


class Page(NamedTuple):
    """A title, small print below it, and blocks; the headline, if any, is the verdict that they explain.

    ``also`` are the pages of the other readings of the question.
    """

    title: str
    subtitle: list[str]
    blocks: list[Block]
    headline: str = ""
    also: tuple[PageLink, ...] = ()


def player_page(page: Page) -> Page:
    """The page without what is for scholars: sources too."""
    blocks = [block._replace(lines=[line._replace(small=()) for line in block.lines]) for block in page.blocks]
    return page._replace(blocks=[block for block in blocks if not block.more])


def scholar_blocks(page: Page) -> list[Block]:
    """The part that the player's page lacks: the blocks for scholars, and the small print of the others."""
    small = dict.fromkeys(
        text for block in page.blocks if not block.more for line in block.lines for text in line.small
    )
    sources = [Block([*map(Line, small)])] if small else []
    return [*(block for block in page.blocks if block.more and (block.lines or block.picture)), *sources]


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
        heading = _joined(block.heading for block in same if block.lines)
        blocks.append(same[0]._replace(lines=lines, heading=heading))
    return first._replace(title=_joined(page.title for page in pages), blocks=blocks)


def table_line(words: Language, table: TableCards) -> str:
    """The table as it was understood: the hand, equal cards counted, the hall, draws, XP and players."""

    def card_counts(cards: Iterable[str]) -> str:
        return ", ".join(words.listed([card] * n) for card, n in Counter(cards).items())

    hall = [str(words.card(card)) if card else EMPTY_RANK for card in table.hall]
    hall += [words.say("resolve.rank", rank=0, card=words.card(card)) for card in table.rank0]
    parts = {
        "hand": card_counts(table.hand),
        "hall": ", ".join(hall) if any((*table.hall, *table.rank0)) else "",
        "deck": card_counts(table.deck),
        "xp": table.xp,
        "players": table.players,
    }
    return " ".join(words.say(f"table.{key}", cards=cards) for key, cards in parts.items() if cards)


def cost_text(words: Language, destroyed: Iterable[str]) -> str:
    """The cost of a line, to stand behind a full sentence: the cards it destroys and their price; "" for none.

    To get rid of Disease costs nothing.
    """
    gone = [card for card in destroyed if words.database.cards[card].kind != "disease"]
    if not gone:
        return ""
    price = sum(words.database.cards[card].cost or 0 for card in gone)
    return words.say("cost.destroyed.price" if price else "cost.destroyed", cards=words.listed(gone), gold=price)


def cells_of(words: Language, about: str, columns: Mapping[str, str]) -> tuple[TableCell, ...]:
    """The cells of a line: what it is ``about``, then the others by the keys of their headings."""
    return (TableCell("", about), *(TableCell(words.say(key), value) for key, value in columns.items()))


def links_to_cards(words: Language, cards: Iterable[str]) -> tuple[PageLink, ...]:
    return tuple(PageLink(words.card(card), "card", card) for card in cards)


def _joined(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(text for text in texts if text))
