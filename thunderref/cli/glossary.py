"""``thunderref glossary``: the whole glossary as a page, how complete it is, and help for translators."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunderref.cli.app import Json, command_app
from thunderref.cli.ask import Langs
from thunderref.cli.session import Session, session
from thunderref.errors import InputError
from thunderref.model.games import FIRST_GAME

if TYPE_CHECKING:
    from thunderref.words.coverage import Row
    from thunderref.words.words import Words

app = command_app()
group = typer.Typer(help="The glossary: export, coverage, help for translators.", invoke_without_command=True)
app.add_typer(group, name="glossary")

FORMATS = ("html", "markdown")
_SHOWN = 15
Format = Annotated[str | None, typer.Option("--format", metavar="html|markdown", help="Form of the page.")]
Output = Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Write to this file.")]


@group.callback()
def glossary_command(
    context: typer.Context, form: Format = None, output: Output = None, as_json: Json = False, lang: Langs = None
) -> None:
    """The glossary: export, coverage, help for translators."""
    if context.invoked_subcommand is None:
        if form is None:
            coverage_command()
        else:
            export_command(form, output)


@group.command("export")
def export_command(form: Format = None, output: Output = None, as_json: Json = False, lang: Langs = None) -> None:
    """Write the whole glossary as one searchable page, in one language or several side by side."""
    from thunderref.cli.export import entries, html_page, markdown_page
    from thunderref.words.words import Words

    run = session()
    chosen = form or FORMATS[0]
    if chosen not in FORMATS:
        raise InputError("unknown-format", name=chosen[:40], candidates=FORMATS)
    words = [Words(run.store, code) for code in run.languages]
    if run.json:
        run.print_json({"languages": run.languages, "entries": [entry._asdict() for entry in entries(words)]})
        return
    page = (html_page if chosen == "html" else markdown_page)(words)
    if output is None:
        sys.stdout.write(page)
    else:
        try:
            output.write_text(page, encoding="utf-8")
        except OSError:
            raise InputError("cannot-write", file=str(output)) from None
        print(run.words.say("glossary.written", file=str(output), size=len(page.encode()) // 1024))


@group.command("check")
def check_command(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE…")] = None,
    everything: Annotated[bool, typer.Option("--all", help="List every finding.")] = False,
    as_json: Json = False,
    lang: Langs = None,
) -> None:
    """Tell a translator what a language file lacks and what is stale or malformed in it; exit 1 if anything is."""
    from thunderref.words.review import PROBLEMS, review

    run = session()
    if not files:
        from thunderref.cli.usage import value_word

        raise InputError("missing-argument", name=value_word(run.words, "FILE"))
    found = review(run.store, files)
    counts = Counter(finding.problem for finding in found.findings)
    if run.json:
        run.print_json({
            "lang": found.lang, "total": found.total, "done": found.done,
            "counts": {problem: counts[problem] for problem in PROBLEMS},
            "findings": [finding._asdict() for finding in found.findings],
        })  # fmt: skip
    else:
        words = run.words
        print(words.say("glossary.done", lang=found.lang or "?", done=found.done, total=found.total))
        for problem in PROBLEMS:
            if not counts[problem]:
                continue
            print(f"\n{words.say(f'glossary.problem.{problem}', n=counts[problem])}")
            listed = [finding for finding in found.findings if finding.problem == problem]
            for finding in listed if everything else listed[:_SHOWN]:
                print(f"  {finding.key}{': ' if finding.detail else ''}{finding.detail}")
            if not everything and len(listed) > _SHOWN:
                print(f"  {words.say('glossary.more', n=len(listed) - _SHOWN)}")
        if not found.findings:
            print(words.say("glossary.nothing"))
    raise SystemExit(int(bool(found.findings)))


@group.command("coverage")
def coverage_command(as_json: Json = False, lang: Langs = None) -> None:
    """Show how much each language has, by box and kind of card."""
    from thunderref.words.coverage import coverage

    run = session()
    rows = coverage(run.store)
    languages = list(run.store.languages)
    if run.json:
        documents: list[dict[str, Any]] = [{**row._asdict(), "complete": row.complete} for row in rows]
        run.print_json({"languages": languages, "complete": all(row.complete for row in rows), "rows": documents})
        return
    print("\n".join(_table(run, rows, languages)))


def _table(run: Session, rows: list[Row], languages: list[str]) -> list[str]:
    """The rows as a plain table at most 40 columns wide for three languages; "*" marks names of our own."""
    words = run.words
    labels = [(_heading(words, row), words.say(f"glossary.row.{row.what}")) for row in rows]
    width = min(21, max(len(label) for _, label in labels) + 2)
    lines = [f"{'':{width}} {'':>4}" + "".join(f"{code:>5}" for code in languages)]
    before = ""
    for row, (heading, label) in zip(rows, labels, strict=True):
        if heading != before:
            lines += ["", heading]
            before = heading
        cells = "".join(f"{_percent(row.have[code], row.total):>5}" for code in languages)
        lines.append(f"{'  ' + label:{width}.{width}} {row.total:>4}{cells}")
        if any(row.unofficial.values()):
            own = "".join(f"{row.unofficial[code]:>5}" for code in languages)
            lines.append(f"{'  ' + words.say('glossary.row.unofficial'):{width}.{width}} {'':>4}{own}")
    return lines


def _heading(words: Words, row: Row) -> str:
    if row.game != FIRST_GAME:
        return words.say(f"game.{row.game}")
    if not row.set:
        return words.say("glossary.row.everywhere")
    return f"{words.set_name(row.set)}: {words.say(f'kind.{row.kind}')}"


def _percent(have: int, total: int) -> str:
    """Rounded down, so that 100 % means all."""
    return f"{100 * have // total if total else 100}%"
