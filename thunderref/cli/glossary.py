"""``thunderref glossary``: the whole glossary as a page, how complete it is, and help for translators."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from thunderref.cli.command import CommandApp, Force
from thunderref.cli.help_pages import value_word
from thunderref.cli.session import session
from thunderref.database.paths import FIRST_GAME, GAMES, glossary_folders, language_files, own_glossary
from thunderref.database.read import Language
from thunderref.database.translation import PROBLEMS, RULE_ID, Coverage, begin_language, coverage, review
from thunderref.errors import InputError
from thunderref.files import check_place, make_folder, write_text
from thunderref.pages.card_page import types_and_figures
from thunderref.search.card import general_rulings

app = CommandApp(invoke_without_command=True)

FORMATS = ("html", "markdown")
_SHOWN = 15
Format = Annotated[str | None, typer.Option("--format", metavar="html|markdown")]
Output = Annotated[Path | None, typer.Option("--output", metavar="FILE")]


@app.callback()
def glossary_command(context: typer.Context, form: Format = None, output: Output = None, force: Force = False) -> None:
    if context.invoked_subcommand is None:
        coverage_command() if form is None else export_command(form, output, force)


@app.command("export")
def export_command(form: Format = None, output: Output = None, force: Force = False) -> None:
    run, form = session(), form or FORMATS[0]
    if form not in FORMATS:
        raise InputError("unknown-format", name=form[:40], candidates=FORMATS)
    if run.json:
        documents = [entry._asdict() for entry in entries(run.tongues)]
        run.print_json({"languages": [words.lang for words in run.tongues], "entries": documents})
        return
    page = glossary_page(form, run.tongues)
    if output is None:
        sys.stdout.write(page)
    else:
        write_text(output, page, replace=force)
        print(run.words.say("glossary.written", file=str(output), size=len(page.encode()) // 1024))


@app.command("new")
def new_command(
    code: Annotated[str, typer.Argument(metavar="CODE")],
    name: Annotated[str, typer.Option("--name", metavar="NAME")] = "",
    force: Force = False,
) -> None:
    run, (english, folder) = session(), glossary_folders()
    begun = begin_language(english, folder, code, name or code)
    for path in begun:
        make_folder(path)
        check_place(path, replace=force)
    for path, text in begun.items():
        write_text(path, text, replace=force)
    is_checkout = english == folder
    names = [path.relative_to(folder.parent).as_posix() if is_checkout else str(path) for path in begun]
    sentence = run.words.say("glossary.begun", files=", ".join(names), code=code)
    run.answer({"lang": code, "files": names}, [(0, sentence)])


@app.command("check")
def check_command(
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE…")] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
) -> None:
    run, words = session(), session().words
    if not files:
        raise InputError("missing-argument", name=value_word(words, "FILE"))
    there = language_files(own_glossary()) | language_files(glossary_folders()[1])
    report = review(run.database, there[files[0]] if files[0] in there else [*map(Path, files)])
    counts = Counter(finding.problem for finding in report.findings)
    if run.json:
        run.print_json({
            "lang": report.lang, "total": report.total, "done": report.done,
            "counts": {problem: counts[problem] for problem in PROBLEMS},
            "files": [{"file": f.file, "total": f.total, "missing": f.missing[:_SHOWN]} for f in report.files],
            "findings": [finding._asdict() for finding in report.findings],
        })  # fmt: skip
    else:
        print(words.say("glossary.done", lang=report.lang or "?", done=report.done, total=report.total))
        for file, needed, missing in report.files:
            key, first = "glossary.file" if missing else "glossary.file.whole", ", ".join(missing[:3])
            print(f"  {words.say(key, file=file, done=needed - len(missing), total=needed, first=first)}")
        for problem in (problem for problem in PROBLEMS if counts[problem]):
            print(f"\n{words.say(f'glossary.problem.{problem}', n=counts[problem])}")
            listed = [finding for finding in report.findings if finding.problem == problem]
            for finding in listed[: None if everything else _SHOWN]:
                print(f"  {finding.key}{': ' if finding.detail else ''}{finding.detail}")
            if len(listed) > _SHOWN and not everything:
                print(f"  {words.say('glossary.more', n=len(listed) - _SHOWN)}")
        if not report.findings:
            print(words.say("glossary.nothing"))
    raise SystemExit(int(bool(report.findings)))


@app.command("coverage")
def coverage_command() -> None:
    run = session()
    words, rows, languages = run.words, coverage(run.database), list(run.database.languages)
    if run.json:
        documents: list[dict[str, Any]] = [{**row._asdict(), "complete": row.complete} for row in rows]
        run.print_json({"languages": languages, "complete": all(row.complete for row in rows), "rows": documents})
        return
    width = min(21, max(len(words.say(f"glossary.row.{row.what}")) for row in rows) + 2)
    print(f"{'':{width}} {'':>4}" + "".join(f"{code:>5}" for code in languages))
    for heading, inside in groupby(rows, partial(_heading, words)):
        print(f"\n{heading}")
        for row in inside:
            label = f"  {words.say(f'glossary.row.{row.what}')}"
            shares = (100 * row.have[code] // row.total if row.total else 100 for code in languages)  # 100 % means all
            print(f"{label:{width}.{width}} {row.total:>4}{''.join(f'{share:>4}%' for share in shares)}")
            if any(row.unofficial.values()):
                label = f"  {words.say('glossary.row.unofficial')}"
                print(f"{label:{width}.{width}} {'':>4}{''.join(f'{row.unofficial[code]:>5}' for code in languages)}")


def _heading(words: Language, row: Coverage) -> str:
    if row.game != FIRST_GAME:
        return words.say(f"game.{row.game}")
    if not row.set:
        return words.say("glossary.row.everywhere")
    return f"{words.set_name(row.set)}: {words.say(f'kind.{row.kind}')}"


class GlossaryColumn(NamedTuple):
    """An entry in one language: its name, a line of facts, and paragraphs, each with its label."""

    lang: str
    name: str
    facts: str
    texts: list[tuple[str, str]]


class GlossaryEntry(NamedTuple):
    """A card, rule, term or conflict; section: ``card:<set>``, ``conflict``, ``rule`` or ``term`` (``rule:<game>``).

    ``also`` are its names in all languages, so that a search finds it by any of them.
    """

    section: str
    id: str
    columns: list[GlossaryColumn]
    also: list[str]


def entries(languages: Sequence[Language]) -> Iterator[GlossaryEntry]:
    """Everything in the glossary in order: cards by box, rules, terms, conflicts."""
    database = languages[0].database
    names: dict[tuple[str, str], list[str]] = {}
    spelt = "SELECT kind, subject, name FROM names WHERE lang != '' ORDER BY position, rowid"
    for kind, subject, name in database.query(spelt):
        names.setdefault((kind, subject), []).append(name)
    for card in database.cards.values():
        rulings = database.query(
            "SELECT 'clarify.' || c.id, c.rules FROM clarification_cards AS k JOIN clarifications AS c"
            " ON c.id = k.clarification WHERE k.card = ? ORDER BY c.position", card.reprint_of or card.id,
        )  # fmt: skip
        columns = []
        for words in languages:
            level = [words.say("card.level", level=card.level)] if card.level else []
            facts = [words.say(f"card.kind.{card.kind}"), *level, *types_and_figures(words, card)]
            label, texts = words.say("ask.label.clarify"), list[tuple[str, str]]()
            for effect in database.all_effects.get(card.id, ()):
                texts.append((words.say(f"card.timing.{effect.timing}"), words.text(card.text_key(effect.id)) or ""))
            texts += [(label, _with_rules(words.text(key) or "", json.loads(rules))) for key, rules in rulings]
            name = words.card(card.id)
            if not words.card_is_official(card.id):
                name = words.say("card.unofficial-name", name=name)
            columns.append(GlossaryColumn(words.lang, name, " · ".join(facts), texts))
        also = list(dict.fromkeys(names.get(("card", card.reprint_of or card.id), [])))
        yield GlossaryEntry(f"card:{card.set_id}", card.id, columns, also)
    for game in GAMES:
        mark = "" if game == FIRST_GAME else f":{game}"
        for rule, see in database.query("SELECT id, see FROM rules WHERE game = ? ORDER BY position", game):
            columns = [_column(words, rule, f"rule.{rule}", json.loads(see)) for words in languages]
            for ruling in dict.fromkeys(record["id"] for record in general_rulings(database, rule)):
                for words, column in zip(languages, columns, strict=True):
                    column.texts.append((words.say("ask.label.clarify"), words.text(f"clarify.{ruling}") or ""))
            yield GlossaryEntry(f"rule{mark}", rule, columns, [])
        for (term,) in database.query("SELECT id FROM terms WHERE game = ? ORDER BY position", game):
            cited = [row[0] for row in database.query("SELECT rule FROM term_rules WHERE term = ?", term)]
            columns = [_column(words, words.term(term), f"term.{term}", cited) for words in languages]
            yield GlossaryEntry(f"term{mark}", term, columns, names.get(("term", term), []))
    for (conflict,) in database.query("SELECT id FROM conflicts ORDER BY position"):
        columns = [_column(words, conflict, f"conflict.{conflict}", ()) for words in languages]
        yield GlossaryEntry("conflict", conflict, columns, [])


def _column(words: Language, name: str, key: str, rules: Sequence[str]) -> GlossaryColumn:
    return GlossaryColumn(words.lang, name, "", [("", _with_rules(words.text(key) or "", rules))])


def _with_rules(text: str, rules: Sequence[str]) -> str:
    return f"{text} [{' '.join(rules)}]" if rules else text


def _section(words: Language, section: str) -> str:
    kind, _, part = section.partition(":")
    if kind == "card":
        return words.set_name(part)
    name = words.say(f"export.section.{kind}")
    return f"{words.say(f'game.{part}')}: {name}" if part else name


def glossary_page(form: str, languages: Sequence[Language]) -> str:
    """The page of ``languages``. As HTML it is one file with nothing loaded from elsewhere, for a phone without a
    network: it holds all languages, and a script shows ``languages`` first, switches and searches; without scripts all
    is there to read. Ids are anchors, rule ids are links.
    """
    from jinja2 import Environment, PackageLoader, select_autoescape
    from markupsafe import Markup, escape

    codes = [words.lang for words in languages]
    if form == "html":
        database = languages[0].database
        languages = [*languages, *(Language(database, code) for code in database.languages if code not in codes)]
    rows = list(entries(languages))
    rules = {entry.id for entry in rows if entry.section.startswith("rule")}

    def link(match: re.Match[str]) -> str:
        return f'<a href="#{match[0]}">{match[0]}</a>' if match[0] in rules else match[0]

    def anchor(entry: GlossaryEntry) -> str:
        return entry.id if entry.id in rules else f"{entry.section.partition(':')[0]}-{entry.id}"

    loader, escaping = PackageLoader(__package__), select_autoescape()
    templates = Environment(loader=loader, autoescape=escaping, trim_blocks=True, lstrip_blocks=True)
    templates.filters["linked"] = lambda text: Markup(RULE_ID.sub(link, escape(text)))
    templates.filters["escaped"] = lambda text: re.sub(r"([\\`*_<>\[\]|#])", r"\\\1", text)
    sections = [
        {"id": section.replace(":", "-"), "key": section, "entries": list(inside)}
        for section, inside in groupby(rows, lambda entry: entry.section)
    ]
    template = templates.get_template(f"glossary.{form}")
    return template.render(languages=languages, shown=codes, sections=sections, anchor=anchor, section_name=_section)
