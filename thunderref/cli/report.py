"""``thunderref report``: a question with its answer in one file, and whether such files are still answered so."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from contextvars import copy_context
from functools import partial
from io import StringIO
from itertools import chain, count, pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from msgspec import UNSET, UnsetType

from thunderref import files
from thunderref.cli.app import is_question, last_line, run_line
from thunderref.cli.command import CommandApp, File, Force
from thunderref.cli.session import Session, session
from thunderref.database.read import FALLBACK
from thunderref.database.validation import MisfitError, Record, validated
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.thunderstone.table import evening

app = CommandApp()
_CHECK = "check"
_NAME = "thunderref-report"
_MOST_SHOWN, _LONGEST = 6, 60
"""Differences that are shown at most, and characters of a value."""
_FILE = "--file"
_ELSEWHERE = ("--batch", "--scheduler", f"{_FILE}=")
"""Options that no reported line has: what it needs is in the report."""


class ReportedLine(Record):
    """A command line without the program's name, its language, the files it names, and what the table remembers."""

    line: list[str]
    lang: str = FALLBACK
    files: dict[str, str] = {}
    table: dict[str, str] = {}


class Report(Record, kw_only=True):
    """A question and its answer: the document of ``--json`` and the exit status; by which version and database.

    ``right`` are values of the answer that the player holds to be right, ``because`` is why.
    """

    format: Literal[1] = 1
    version: str
    database: dict[str, Any] | None
    question: ReportedLine
    status: int
    answer: dict[str, Any]
    right: dict[str, Any] | None = None
    because: str | None = None


@app.command("report", context_settings={"ignore_unknown_options": True})
def report_command(
    question: Annotated[list[str] | None, typer.Argument(metavar="QUESTION")] = None,
    file: File = None,
    right: Annotated[list[str] | None, typer.Option("--right", metavar="NAME=VALUE")] = None,
    because: Annotated[str | None, typer.Option("--because", metavar="TEXT")] = None,
    force: Force = False,
) -> None:
    run, words = session(), question or []
    if words[:1] == [_CHECK] and (len(words) > 1 or file):
        _check_all(run, [*words[1:], *([file] if file else [])])
        return
    scenario = not words and file is not None and os.path.exists(file)
    line = words or (["resolve", "--file", str(file)] if scenario else last_line())
    if not line:
        raise NoAnswerError("no-last")
    parts = (word.split("=", 1) if word.startswith(f"{_FILE}=") else [word] for word in line)
    line_read = _with_files([*chain.from_iterable(parts)], run)
    if not _is_safe(line_read):
        raise InputError("no-report", command=line[0][:_LONGEST])
    status, answer = answer_to(line_read)
    expected = dict(map(partial(_read_right, answer), right or [])) or None
    document = run.versions()[1]
    report = Report(
        version=document["version"], database=document["database"], question=line_read, status=status, answer=answer,
        right=expected, because=because,
    ).model_dump()  # fmt: skip
    place = None if scenario else file
    if run.json or (place is None and not sys.stdout.isatty()):
        print(_text(report), end="")
        return
    place = place or _free_name()
    files.write_text(place, _text(report), replace=force)
    run.answer(report, [(0, run.words.say("report.written", file=place))])


def answer_to(reported: ReportedLine) -> tuple[int, dict[str, Any]]:
    """The exit status of a command line and what it prints with ``--json``, with nothing remembered but its table."""
    with tempfile.TemporaryDirectory() as folder:
        line = [*reported.line]
        for name, text in reported.files.items():
            path = Path(folder) / Path(name).name
            path.write_text(text, encoding="utf-8")
            line = [str(path) if word == name else word for word in line]
        state = Path(folder) / "state"
        with files.kept_in(state):
            if reported.table:
                evening.unpack(json.dumps({"thunderref": reported.table}))
            return copy_context().run(_run, [*line, "--json", "--lang", reported.lang])


def _run(line: Sequence[str]) -> tuple[int, dict[str, Any]]:
    """Return the exit status and the document of a line, which needs a context (and so a session) of its own."""
    status, output = 0, StringIO()
    with redirect_stdout(output):
        try:
            run_line(line)
        except ThunderrefError as error:
            status = error.status
            with suppress(SystemExit):
                session().fail(error)
        except (SystemExit, typer.Exit) as end:
            code = end.code if isinstance(end, SystemExit) else end.exit_code
            status = code if isinstance(code, int) else 0
    try:
        document: dict[str, Any] = json.loads(output.getvalue())
    except ValueError:  # a help page
        raise InputError("no-report", command=line[0][:_LONGEST]) from None
    return status, document


def _is_safe(reported: ReportedLine) -> bool:
    """Return whether the line asks something, and reads no file but its own."""
    line = reported.line
    has_files = all(word in reported.files for before, word in pairwise(line) if before == _FILE)
    return is_question(line) and has_files and not any(word.startswith(_ELSEWHERE) for word in line)


def _with_files(line: Sequence[str], run: Session) -> ReportedLine:
    """The question with the contents of the files it names, and with the set-up and evening on the table."""
    texts = {word: files.read_text(word) for before, word in pairwise(line) if before == _FILE}
    table = {} if run.any_card else evening.pack()["thunderref"]
    return ReportedLine(line=[*line], lang=run.language, files=texts, table=table)


def _read_right(answer: dict[str, Any], text: str) -> tuple[str, Any]:
    """Return the name of a value of the answer, and what it should be, from a text such as ``total=9``."""
    name, sign, value = (piece.strip() for piece in text.partition("="))
    if not (name and sign and value):
        raise InputError("bad-right", text=text[:_LONGEST])
    if value_at(answer, name) is UNSET:
        raise InputError("no-value", name=name[:_LONGEST], candidates=sorted(answer))
    with suppress(ValueError):
        return name, json.loads(value)
    return name, value


def value_at(document: Any, name: str) -> Any:
    """The value of that name (``total``, or a path: ``targets.0.total``) nearest to the top, UNSET if there is none.

    One that is null is passed over if another is not.
    """
    first, _, path = name.partition(".")
    level: list[Any] = [document]
    nothing: Any = UNSET
    while level:
        below: list[Any] = []
        for step in level:
            inner = step if isinstance(step, dict) else {str(number): item for number, item in enumerate(step)}
            value = inner.get(first, UNSET)
            value = value_at(value, path) if path and isinstance(value, dict | list) else UNSET if path else value
            if value is not UNSET and value is not None:
                return value
            nothing = nothing if value is UNSET else value
            below += (item for item in inner.values() if isinstance(item, dict | list))
        level = below
    return nothing


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _free_name() -> str:
    names = (f"{_NAME}{f'-{number}' if number > 1 else ''}.json" for number in count(1))
    return next(name for name in names if not os.path.lexists(name))


def check(name: str) -> dict[str, Any]:
    """The result of checking a report: where the answer ``differs``, whether it ``agrees`` with the values expected.

    Raises :class:`InputError` (``bad-report``) for a file that is none, or whose question would read other files.
    """
    report: Report | None = None
    with suppress(MisfitError):
        report = validated(Report, files.parse_json(files.read_text(name), name))
    if report is None or not _is_safe(report.question):
        raise InputError("bad-report", file=name)
    status, answer = answer_to(report.question)
    was, now = {**report.answer, "exit": report.status}, {**answer, "exit": status}
    wrong = {
        path: {"right": value, "answer": _plain(value_at(answer, path))}
        for path, value in (report.right or {}).items()
        if value_at(answer, path) != value
    }
    return {
        "file": name, "version": report.version, "database": report.database, "differs": [*differences(was, now)],
        "right": report.right, "agrees": None if report.right is None else not wrong, "against": wrong,
    }  # fmt: skip


def differences(was: Any, now: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """The places in which two documents differ, as paths with both values."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*was, *now)):
            yield from differences(was.get(key, UNSET), now.get(key, UNSET), f"{path}.{key}" if path else key)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for number, pair in enumerate(zip(was, now, strict=True)):
            yield from differences(*pair, f"{path}.{number}")
    elif was != now:
        yield {"path": path, "was": _plain(was), "now": _plain(now)}


def _plain(value: Any | UnsetType) -> Any:
    return None if value is UNSET else value


def _check_all(run: Session, names: Sequence[str]) -> None:
    """Repeats each report; exits with 1 if an answer is another one, or not the one held to be right."""
    checks = [check(name) for name in names]
    run.answer({"reports": checks}, [(0, line) for report in checks for line in _report_lines(run, report)])
    if any(report["differs"] or report["against"] for report in checks):
        raise typer.Exit(1)


def _report_lines(run: Session, report: dict[str, Any]) -> Iterator[str]:
    say, file = run.words.say, report["file"]
    changes = [
        say("report.difference", path=difference["path"], was=_short(difference["was"]), now=_short(difference["now"]))
        for difference in report["differs"][:_MOST_SHOWN]
    ]
    if more := len(report["differs"]) - len(changes):
        changes.append(say("report.more", n=more))
    yield say("report.differs", file=file, differences="; ".join(changes)) if changes else say("report.same", file=file)
    for path, pair in report["against"].items():
        yield say("report.against", path=path, right=_short(pair["right"]), answer=_short(pair["answer"]))
    if report["agrees"]:
        yield say("report.agrees", values=", ".join(f"{path} {_short(item)}" for path, item in report["right"].items()))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
