"""How pages are drawn: in a terminal with rich, which nothing else imports, in a pipe as plain text."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from thunderref.cli.streams import WHOLE, unwrap
from thunderref.pages.page import Block, Line, Page, player_page, side_by_side
from thunderref.text.messages import visible

if TYPE_CHECKING:
    from rich.panel import Panel
    from rich.status import Status
    from rich.table import Table
    from rich.text import Text

NARROWEST, WIDEST = 20, 100
"""Lines are broken within these numbers of columns."""
_LEAST_ROWS = 8
"""Rows of a page that always show, however small the terminal."""
_FRAME = 5
"""Columns that the frame of a page takes."""
_COLOURS = {
    "1": "bold black on bright_cyan", "2": "bold black on bright_green", "3": "bold black on bright_magenta",
    "4": "bold black on bright_yellow", "5": "bold white on blue", "6": "bold black on bright_red",
    "7": "bold black on white", "8": "bold white on dark_green", "dim": "dim", "bold": "bold", "yellow": "yellow",
    "red": "red", "green": "green",
}  # fmt: skip
"""Name of a colour of pictures -> rich's style."""


def outline(*pages: Page, apart: bool = True) -> Iterator[tuple[int, str]]:
    """The pages as lines to search, each with its indent: the verdict or title, and what belongs to it deeper."""
    for number, page in enumerate(pages if WHOLE.get() else map(player_page, pages)):
        if number and (apart or not page.title):
            yield 0, ""
        if title := page.headline or page.title:
            yield 0, title
        for block in page.blocks:
            indent = 2 if title else 0
            if block.lines and block.heading:
                yield indent, block.heading
                indent += 2
            yield from ((indent, f"{line.text}  {line.note}".rstrip()) for line in block.lines)


def plain(page: Page, width: int | None) -> str:
    """The page as text without colour or frames; lines broken at ``width`` columns, not at all for None."""
    rows = [*wrap(page.title, width), *(row for text in page.subtitle for row in wrap(text, width, 2))]
    for block in _blocks(page):
        if block.heading:
            rows += ["", *wrap(f"{block.heading}:", width)]
        rows.extend(f"  {''.join(patch.text for patch in row)}".rstrip() for row in block.picture or ())
        if block.compact:
            rows += ("  " + " · ".join(map(_label, row)) for row in _rows(block.lines, width, len(" · "), 2))
            continue
        for line in block.lines:
            rows += wrap(_label(line), width, 2, 2)
            rows += (row for text in line.small for row in wrap(text, width, 4, 2))
    return "\n".join(rows)


def _blocks(page: Page) -> list[Block]:
    """The blocks with something in them, the headline before the first."""
    blocks = page.blocks
    if page.headline:
        blocks = [Block([Line(page.headline)]), *blocks]
    return [block for block in blocks if block.lines or block.picture]


def _label(line: Line) -> str:
    text = f"{line.label}: {line.text}" if line.label else line.text
    return f"{text} [{line.note}]" if line.note else text


def _rows(lines: Iterable[Line], width: int | None, between: int, indent: int = 0) -> Iterator[list[Line]]:
    """Yield rows of short facts, each with as many as fit ``width`` columns; no fact is broken."""
    row, used = list[Line](), indent
    for line in lines:
        if row and width is not None and used + between + len(_label(line)) > width:
            yield row
            row, used = [], indent
        used += len(_label(line)) + between * bool(row)
        row.append(line)
    yield row


def wrap(text: str, width: int | None, indent: int = 0, hanging: int = 0) -> list[str]:
    """The text in lines of at most ``width`` columns (one for None), later ones ``hanging`` more in; no word is cut."""
    pad = " " * indent
    if width is None or indent + len(text) <= width:
        return [pad + text]
    import textwrap

    return textwrap.wrap(
        text, max(width, NARROWEST), initial_indent=pad, subsequent_indent=pad + " " * hanging,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def show(*pages: Page, cut: str = "", below: int = 0) -> None:
    """Prints a page, given once for each language: a panel in a terminal (or with FORCE_COLOR), else plain text.

    It is the player's page, with ``--more`` all of it; where a terminal has too few rows for it and what stands
    ``below``, ``cut`` says so in place of its last lines.
    """
    page = side_by_side(pages)
    if not WHOLE.get():
        page = player_page(page)
        if cut and sys.stdout.isatty():
            rows = max(_LEAST_ROWS, shutil.get_terminal_size().lines - 3 - below)
            page = fit_page(page, rows, (columns() or WIDEST) - _FRAME, cut)
    if not draws():
        print(plain(page, columns()))
        return
    from rich.console import Console

    # NO_COLOR: no escape sequences at all, so not a terminal
    size, stream = shutil.get_terminal_size(), unwrap(sys.stdout)
    console = Console(
        file=stream, width=size.columns, height=size.lines, force_terminal=not os.environ.get("NO_COLOR"),
        highlight=False, emoji=False, legacy_windows=None if sys.stdout.isatty() else False,
    )  # fmt: skip
    console.print(_panel(page, min(console.width, WIDEST)))


def print_lines(lines: Iterable[tuple[int, str]]) -> None:
    """Prints lines, each with its indent; in a pipe every line stays whole, so that it can be searched."""
    width = columns() if sys.stdout.isatty() else None
    for indent, text in lines:
        print("\n".join(wrap(text, width, indent, 2)))


def columns() -> int | None:
    """The width to break lines at: that of the terminal or COLUMNS, 100 at most; None in a pipe without COLUMNS."""
    width = os.environ.get("COLUMNS", "")
    if not (sys.stdout.isatty() or (width.isdecimal() and len(width) < 6 and int(width))):
        return None
    return min(WIDEST, shutil.get_terminal_size().columns)


def fit_page(page: Page, rows: int, width: int, more: str) -> Page:
    """The page without its last lines, as many as are too many for these rows, and what says that there is ``more``."""
    hint = Block([Line(more)])
    cut = page
    while _height(cut, width) > rows and len(blocks := _blocks(cut)) > 1:
        *earlier, last = blocks if cut is page else blocks[:-1]
        shorter = [last._replace(lines=last.lines[:-1])] if len(last.lines) > 1 else []
        cut = page._replace(blocks=[*earlier, *shorter, hint], headline="")
    return cut


def _height(page: Page, width: int) -> int:
    """The rows of a panel, whose frame bears the title: a block without a heading is set off, too."""
    bare = sum(not block.heading for block in _blocks(page))
    return len(plain(page, width).splitlines()) + max(0, bare - 2)


def fits_screen(*pages: Page) -> bool:
    """True if a page, given once for each language, stays in sight whole; always true in a pipe."""
    if not sys.stdout.isatty():
        return True
    rows = _height(side_by_side(pages), (columns() or WIDEST) - _FRAME)
    return rows + 4 <= shutil.get_terminal_size().lines


def shorten_lines(page: Page) -> Page:
    """The page with the lines of its first block each cut to one row; only their labels if the rows are too few."""
    block, *following = page.blocks
    width = (columns() or WIDEST) - _FRAME
    if len(block.lines) + 6 > shutil.get_terminal_size().lines:
        lines = [Line(", ".join(line.label for line in block.lines))]
    else:
        lines = [line._replace(text=_cut(line.text, width - len(line.label) - 2)) for line in block.lines]
    return page._replace(blocks=[block._replace(lines=lines), *following])


def _cut(names: str, width: int) -> str:
    return names if len(names) <= width else f"{names[: max(width - 1, 1)].rpartition(', ')[0]}, …".removeprefix(", ")


def draws() -> bool:
    forced = os.environ.get("FORCE_COLOR", "") not in ("", "0")
    return os.environ.get("TERM") != "dumb" and (sys.stdout.isatty() or forced)


def is_terminal() -> bool:
    """True if somebody watches the lines scroll by, whether or not panels can be drawn."""
    return sys.stdout.isatty() or draws()


def start_status() -> Status:
    """A line on standard error that changes (``update``) while work is done and leaves no trace (``stop``)."""
    from rich.console import Console

    size = shutil.get_terminal_size()
    console = Console(file=unwrap(sys.stderr), width=size.columns, height=size.lines, highlight=False, emoji=False)
    status = console.status("")
    status.start()
    return status


def renderable(pages: Sequence[Page]) -> Table:
    """Pages below each other, for rich to print; a notebook shows it as HTML."""
    from rich.table import Table

    column = Table.grid()
    for page in pages:
        column.add_row(_panel(page, WIDEST))
    return column


def _panel(page: Page, width: int) -> Panel:
    from rich.box import ROUNDED
    from rich.console import Group
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.text import Text

    parts: list[Text | Padding] = [Text(visible(text), "dim") for text in page.subtitle]
    for block in _blocks(page):
        if parts:
            parts.append(Text(""))
        if block.heading:
            parts.append(Text(visible(block.heading), "bold cyan"))
        for row in block.picture or ():
            patches = ((visible(patch.text), _COLOURS.get(patch.colour, "")) for patch in row)
            parts.append(Text.assemble(" ", *patches))
        if block.compact:
            between = Text.assemble(("  ·  ", "dim"))
            parts += (between.join(map(draw_line, row)) for row in _rows(block.lines, width - 4, len(between)))
            continue
        for line in block.lines:
            parts.append(Padding(draw_line(line), (0, 0, 0, 1)))
            parts.extend(Padding(Text(visible(text), "dim"), (0, 0, 0, 3)) for text in line.small)
    title = Text(visible(page.title), "bold")
    return Panel(Group(*parts), title=title, title_align="left", box=ROUNDED, width=width)


def draw_line(line: Line) -> Text:
    from rich.text import Text

    label, note = f"{line.label}: " if line.label else "", f" [{line.note}]" if line.note else ""
    return Text.assemble((visible(label), "yellow"), visible(line.text), (visible(note), "dim"))
