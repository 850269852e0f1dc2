"""Draws pages: in a terminal with rich, in a pipe as plain text. The only importer of rich."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from thunderref.cli.page import Page, plain

if TYPE_CHECKING:
    from rich.text import Text


_COLOURS = {
    "1": "bold black on bright_cyan", "2": "bold black on bright_green", "3": "bold black on bright_magenta",
    "4": "bold black on bright_yellow", "5": "bold white on blue", "6": "bold black on bright_red",
    "7": "bold black on white", "8": "bold white on dark_green", "dim": "dim", "bold": "bold", "yellow": "yellow",
    "red": "red", "green": "green",
}  # fmt: skip
"""What the colours of pictures are called -> rich's style."""


def show(page: Page, environment: Mapping[str, str] = os.environ) -> None:
    """Prints a page: a panel in a terminal (or with FORCE_COLOR), plain text otherwise; NO_COLOR takes the colours."""
    if draws(environment):
        _panel(page, environment)
    else:
        columns = environment.get("COLUMNS", "")
        print(plain(page, int(columns) if columns.isdigit() and int(columns) else None))


def fitted(text: str) -> str:
    """A paragraph in lines as long as the terminal is wide; a pipe, without COLUMNS, gets it in one line."""
    import shutil
    import textwrap

    if not (sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit()):
        return text
    width = max(min(shutil.get_terminal_size().columns, 100), 10)
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=False)) or text


class Status:
    """One line on standard error that changes as work goes on and leaves no trace."""

    def __init__(self) -> None:
        from rich.console import Console

        self._status = Console(stderr=True, highlight=False, emoji=False).status("")
        self._status.start()

    def say(self, text: str) -> None:
        """Shows ``text`` instead of what was shown before."""
        from rich.text import Text

        self._status.update(Text(text))

    def end(self) -> None:
        """Takes the line away."""
        self._status.stop()


def draws(environment: Mapping[str, str] = os.environ) -> bool:
    """True if pages are drawn as panels: in a terminal that can, or with FORCE_COLOR."""
    return environment.get("TERM") != "dumb" and (sys.stdout.isatty() or _is_set(environment, "FORCE_COLOR"))


def _is_set(environment: Mapping[str, str], name: str) -> bool:
    return environment.get(name, "") not in ("", "0")


def _panel(page: Page, environment: Mapping[str, str]) -> None:
    from rich.box import ROUNDED
    from rich.console import Console, Group
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.text import Text

    # NO_COLOR: no escape sequences at all, so not as a terminal
    console = Console(force_terminal=not environment.get("NO_COLOR"), highlight=False, emoji=False)
    parts: list[Text | Padding] = [Text(text, "dim") for text in page.subtitle]
    for block in page.blocks:
        if not block.lines and not block.picture:
            continue
        if parts:
            parts.append(Text(""))
        if block.heading:
            parts.append(Text(block.heading, "bold cyan"))
        for patches in block.picture or ():
            parts.append(Text.assemble(" ", *((patch.text, _COLOURS.get(patch.colour, "")) for patch in patches)))
        if block.compact:
            row = Text()
            for line in block.lines:
                if row:
                    row.append("  ·  ", "dim")
                row.append_text(_line(line.label, line.text, line.note))
            parts.append(row)
            continue
        parts.extend(Padding(_line(line.label, line.text, line.note), (0, 0, 0, 1)) for line in block.lines)
    width = min(console.width, 100)
    console.print(Panel(Group(*parts), title=Text(page.title, "bold"), title_align="left", box=ROUNDED, width=width))


def _line(label: str, text: str, note: str) -> Text:
    from rich.text import Text

    row = Text()
    if label:
        row.append(f"{label}: ", "yellow")
    row.append(text)
    if note:
        row.append(f" [{note}]", "dim")
    return row
