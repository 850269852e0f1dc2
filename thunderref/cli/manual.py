"""The manual page, made of the help pages, and the completion scripts: ``python -m thunderref.cli.manual FOLDER``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import typer

from thunderref.cli.completion import SCRIPTS
from thunderref.cli.help_pages import help_of
from thunderref.database.read import FALLBACK, Database, Language, open_database


def write_manual(folder: Path, database: Database, version: str) -> None:
    """Writes ``man/man1/thunderref.1``, ``man/<language>/man1/…`` and ``completion/thunderref.<shell>``."""
    pages = {lang: manual_page(Language(database, lang), version) for lang in database.languages}
    files = {
        Path("man", "" if lang == FALLBACK else lang, "man1", "thunderref.1"): text for lang, text in pages.items()
    }
    files |= {Path("completion", f"thunderref.{shell}"): f"{line}\n" for shell, line in SCRIPTS.items()}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def manual_page(words: Language, version: str) -> str:
    from thunderref.cli.app import app

    lines = [
        f'.TH THUNDERREF 1 "" "thunderref {version}"',
        _section(words, "name"), _roff(f"thunderref - {words.say('help.about').partition(': ')[2]}"),
        _section(words, "synopsis"), _roff("thunderref [--lang LANG] [--json] COMMAND …"), ".br",
        _roff("thunderref NAME"), _section(words, "description"), _roff(words.say("help.more")),
        _section(words, "commands"),
    ]  # fmt: skip
    with typer.main.get_command(app).make_context("thunderref", [], resilient_parsing=True) as ctx:
        return "\n".join([*lines, *_commands(words, ctx), ""])


def _commands(words: Language, ctx: Any) -> Iterator[str]:
    """Every command below that of ``ctx`` with its options, those in groups after their group."""
    for name in ctx.command.list_commands(ctx):
        command = ctx.command.get_command(ctx, name)
        with command.make_context(name, [], parent=ctx, resilient_parsing=True) as inner:
            page = help_of(words, inner)
            yield f'.SS "{_roff(inner.command_path)}"'
            yield from (_roff(page.usage), ".PP", _roff(page.about))
            for line in page.more.split("\n") if page.more else ():
                yield from (".br", _roff(line)) if line.startswith(" ") else (".PP", _roff(line))
            for heading, rows in page.lists.items():
                yield from (".PP", f"\\fI{_roff(heading)}\\fR")
                for row, text in rows:
                    yield from (".TP", f"\\fB{_roff(row)}\\fR", _roff(text))
            if hasattr(command, "list_commands"):
                yield from _commands(words, inner)


def _section(words: Language, name: str) -> str:
    return f'.SH "{_roff(words.say(f"manual.{name}"))}"'


def _roff(text: str) -> str:
    """Plain text as roff: no sign of it is taken for a request."""
    text = text.replace("\\", "\\(rs").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{text}" if text[:1] in (".", "'", " ") else text


if __name__ == "__main__":
    write_manual(Path(sys.argv[1]), open_database(), metadata.version("thunderref"))
