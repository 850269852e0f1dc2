"""One run of the program: its language, its words and how it prints."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer
from typer.exceptions import TyperException

from thunderref.cli.streams import WHOLE
from thunderref.database.read import FALLBACK, Database, Language, open_database
from thunderref.errors import InputError, ThunderrefError
from thunderref.text.messages import escaped
from thunderref.thunderstone.setup.memory import TONIGHT, Tonight

if TYPE_CHECKING:
    from rich.status import Status

    from thunderref.answers import JudgedAnswer
    from thunderref.pages.page import Page
    from thunderref.search.understand import Understood
    from thunderref.thunderstone.table.evening import Evening

T = TypeVar("T")

LANGUAGE_VARIABLE = "THUNDERREF_LANG"
DEBUG_VARIABLE = "THUNDERREF_DEBUG"
"""Environment variable that makes an unforeseen error show its traceback instead of one sentence."""
SIDE_BY_SIDE = frozenset(("ask", "card", "cards", "glossary", "rule"))
"""Commands that can show several languages: ``--lang en,pl``."""
APART = frozenset((
    "box", "collection", "db", "glossary", "play", "puzzle", "rule", "serve", "setup", "simulate", "site", "thorgal",
    "tonight",
))  # fmt: skip
"""Commands that take no name for a card of the set-up on the table; a game that is played has a table of its own."""
LISTING = frozenset(("ask", "cards"))
"""Commands that mark the cards on the table, and do without a set-up that cannot be read."""
PROGRESS_DELAY, PROGRESS_INTERVAL = 1.0, 0.25
"""Seconds before progress is shown, and between two times."""
_WITHOUT_WORDS = {
    "no-database": "There is no card database at {path}: install thunderref again.",
    "other-database": "The card database {path} is damaged or from another version: install thunderref again.",
    "missing-file": "The file {file} is missing: put it back or correct its name.",
    "bad-file": "{file}, key {key}: {problem}.",
}
"""The sentences of errors without a database to take their words from."""


class Session:
    """Language and output form of this run.

    ``codes`` are those of the languages asked for, known or not; ``command`` is the command line without the
    options of every command: it begins with the command or its game. With ``any_card`` no set-up is on the table, with
    ``more`` pages have all that belongs to them. ``read_as`` is how a line without a command was understood,
    ``failed`` what went wrong, ``offers`` are the questions that an answer offers where none is sure.
    """

    def __init__(
        self, codes: Sequence[str], command: Sequence[str], *, json: bool, any_card: bool = False, more: bool = False
    ) -> None:
        self.codes = codes
        self.command = command
        self.json = json
        self.any_card = any_card
        self.more = more
        self.read_as: Understood | None = None
        self.failed: ThunderrefError | None = None
        self.offers: list[str] = []

    @cached_property
    def database(self) -> Database:
        database, now = open_database(), self.tonight
        return database if now is None or APART.intersection(self.command[:1]) else database.at_table(now.cards)

    @property
    def at_table(self) -> bool:
        """True if names mean the cards of the set-up on the table first."""
        return not (APART | LISTING).intersection(self.command[:1])

    @cached_property
    def tonight(self) -> Tonight | None:
        """The set-up on the table, None if nothing is remembered or it cannot be read."""
        try:
            return None if self.any_card else TONIGHT.read()
        except InputError:
            return None

    @cached_property
    def evening(self) -> Evening | None:
        """The evening under way with the set-up on the table."""
        if self.tonight is None:
            return None
        from thunderref.thunderstone.table.evening import evening_with

        return evening_with(self.tonight.code)

    def check_tonight(self) -> None:
        """Raises :class:`InputError` (``bad-tonight``) if the command needs the set-up and its cards are not there."""
        now = (self.tonight or TONIGHT.read()) if self.at_table and not self.any_card else None
        lacking = now.lacking(self.database) if now is not None else []
        box = next((card.partition(":")[0] for card in lacking if ":" in card), None)
        if lacking:
            raise TONIGHT.unfit(**{"why": "box", "own_box": box} if box else {})

    def tonight_lines(self) -> list[tuple[int, str]]:
        """The line that says by which set-up a result goes; none if by no set-up."""
        return [(0, self.words.say("tonight.now", code=self.tonight.code))] if self.at_table and self.tonight else []

    def check_language(self, commands: Container[str]) -> None:
        """Raises :class:`InputError` for an unknown language, or for several if the command can show only one."""
        by_variable = {} if self.codes else {"why": "variable", "variable": LANGUAGE_VARIABLE}
        for code in self.codes or filter(None, [_code_in(LANGUAGE_VARIABLE)]):
            if code not in self.database.languages:
                raise InputError("unknown-language", lang=code, candidates=[*self.database.languages], **by_variable)
        first = self.command[0] if self.command else "-"
        is_name = first not in commands and not first.startswith("-")  # a card or rule without a command
        if len(self.codes) > 1 and not is_name and not SIDE_BY_SIDE.intersection(self.command[:2]):
            raise InputError("one-language", candidates=sorted(SIDE_BY_SIDE))

    @cached_property
    def language(self) -> str:
        """The code of the output language: the first one asked for, if all are known; else a guess."""
        codes = self.database.languages
        return self.codes[0] if self.codes and all(code in codes for code in self.codes) else _guess(codes)

    @cached_property
    def words(self) -> Language:
        """The words of the language; a box that is skipped for its mistakes is remarked on before they say anything."""
        words = Language(self.database, self.language)
        for name, error, kind in self.database.broken if self.command[:1] != ["box"] else ():
            with suppress(OSError):
                remark = words.say(f"remark.{kind}-skipped", name=name, message=words.error(error))
                print(f"thunderref: {remark}", file=sys.stderr)
        return words

    @property
    def tongues(self) -> list[Language]:
        """:attr:`words`, then the words of the languages shown beside them."""
        return [self.words, *(Language(self.database, code) for code in self.codes[1:])]

    @property
    def has_a_person(self) -> bool:
        """True if somebody at a terminal reads the answers and can type."""
        return not self.json and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()

    def fail(self, error: ThunderrefError, **document: Any) -> NoReturn:
        """Prints the one sentence of ``error`` (with ``--json`` beside what there is) and exits with its status."""
        self.failed = error
        try:
            if error.code.startswith("setup-"):  # it has ids of cards, families, variants and wishes
                from thunderref.thunderstone.setup.request import Naming

                error.params = Naming(self.words).in_words(error.params)
            message = self.words.error(error)
        except ThunderrefError as missing:  # no database to take the words from
            error = error if error.code in _WITHOUT_WORDS else missing
            message = _WITHOUT_WORDS.get(error.code, "{error}").format(error=error, **error.params)
        with suppress(OSError):  # the exit status is right even if the output is full or closed
            if self.json:
                self.print_json({**document, "error": error.document(message)})
                sys.stdout.flush()
            else:
                print(f"thunderref: {message}", file=sys.stderr)
        raise SystemExit(error.status)

    def remark_lost_letters(self) -> None:
        """Print that the output lacks letters of the page, in a language that the output can write."""
        encoding = sys.stderr.encoding
        languages = self.words, Language(self.database, FALLBACK)
        texts = [words.say("remark.lost-letters", encoding=encoding) for words in languages]
        readable = (text for text in texts if text.encode(encoding, "ignore").decode(encoding) == text)
        with suppress(OSError):
            print(f"thunderref: {next(readable, texts[-1])}", file=sys.stderr)

    def answer(self, document: Any, lines: Iterable[tuple[int, str]]) -> None:
        from thunderref.cli.render import print_lines

        self.print_json(document) if self.json else print_lines(lines)

    def judge(self, answer: JudgedAnswer[T], document: dict[str, Any], budget: float | None, **options: Any) -> T:
        """The result of a document, to which is added what the table knows; its progress is shown."""
        from thunderref.budget import Budget

        answer.fill(self.evening, self.tonight, document, self.words)
        answer.require(document)
        with self.progress() as tell:
            return answer.judge(document, self.words, budget=Budget(budget, tell=tell), **options)

    def show(self, result: Any, pages: Iterable[Page], *, apart: bool = False, last: Sequence[str] = ()) -> None:
        """Prints a result: its document, or by which set-up it goes, its pages and the ``last`` lines."""
        from thunderref.cli.render import outline

        end = [(2, text) for text in last]
        self.answer(result.model_dump(), [*self.tonight_lines(), *outline(*pages, apart=apart), *end])

    @contextmanager
    def progress(self) -> Iterator[Callable[..., None]]:
        """A function that long work calls with a message on its progress, and its numbers; shown at a terminal only."""
        start, due = time.monotonic(), PROGRESS_DELAY
        status: Status | None = None

        def tell(message: str, n: int, most: int | None = None) -> None:
            nonlocal due, status
            elapsed = time.monotonic() - start
            if elapsed < due or n == most or not sys.stderr.isatty():
                return
            from thunderref.cli.render import draw_line, start_status
            from thunderref.pages.page import Line

            due, status = elapsed + PROGRESS_INTERVAL, status or start_status()
            seconds = round(elapsed / n * (most - n)) if n and most else None
            status.update(draw_line(Line(self.words.say(message, n=n, most=most, seconds=seconds))))

        try:
            yield tell
        finally:
            if status is not None:
                status.stop()

    def versions(self) -> tuple[str, dict[str, Any]]:
        """The versions that a report of a fault names, in a line and as a document: program, database and Python."""
        import platform

        program, python = version(), platform.python_version()
        document: dict[str, Any] = {"version": program, "python": python, "database": None}
        try:
            meta = self.database.meta
            text = self.words.say("version", program=program, contents=meta["contents"], python=python)
        except ThunderrefError as error:  # it is asked for where something is amiss
            return f"{program} ({error.code}, Python {python})", document
        return text, document | {"database": {"schema": int(meta["schema"]), "contents": meta["contents"]}}

    def print_json(self, document: dict[str, Any]) -> None:
        """Prints the document of a command, with the code of the set-up on the table, and how the line was read."""
        marks = {} if self.read_as is None else self.read_as.marks
        print(json_text({**document, **marks_of(self.tonight), **marks}))


def version() -> str:
    from importlib import metadata

    try:
        return f"thunderref {metadata.version('thunderref')}"
    except metadata.PackageNotFoundError:
        return "thunderref"


def convert_unforeseen(error: Exception) -> InputError:
    """An unforeseen error as one of ours; raised as it is if THUNDERREF_DEBUG is set."""
    if DEBUG_VARIABLE in os.environ:
        raise error
    return InputError("internal", problem=f"{type(error).__name__}: {error}"[:120], variable=DEBUG_VARIABLE)


def marks_of(now: Tonight | None) -> dict[str, Any]:
    """The fields that every command adds to its document."""
    return {"tonight": now and now.code}


def json_text(document: Any, indent: int | None = 2) -> str:
    """The document as JSON that is safe for a terminal: control characters are escaped."""
    import json

    return escaped(json.dumps(document, ensure_ascii=False, indent=indent))


def _code_in(variable: str) -> str:
    """The language of a variable such as ``LANG=pl_PL.UTF-8``."""
    return re.split("[_.@-]", os.environ.get(variable, "").strip())[0].lower()


def _guess(languages: Mapping[str, Any]) -> str:
    names = (LANGUAGE_VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG")
    lang = next(filter(None, map(_code_in, names)), "")
    if not lang and sys.platform == "win32":
        import locale

        with suppress(ValueError):  # a name that Python does not know
            name = (locale.getlocale()[0] or "").partition("_")[0]
            lang = locale.normalize(name).partition("_")[0].lower()  # “Polish” is pl_PL, “Portuguese” is not
    return lang if lang in languages else FALLBACK


_current: ContextVar[Session] = ContextVar("session")


def session() -> Session:
    return _current.get()


_app = typer.Typer(add_completion=False)


@_app.command(add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def _shared(
    as_json: Annotated[bool, typer.Option("--json")] = False,
    lang: Annotated[str | None, typer.Option("--lang", metavar="CODE")] = None,
    any_card: Annotated[bool, typer.Option("--any")] = False,
    whole: Annotated[bool, typer.Option("--more", "-m")] = False,
) -> None:
    """The options that every command has."""


_WITHOUT = re.compile(r"-[^\W\d][\w-]*[:<>=!]")
"""A condition on cards that is not to hold: no option begins so."""
SHARED = typer.main.get_command(_app)


def start(argv: Sequence[str]) -> Session:
    """Begins a run with these words of the command line.

    The options that every command has are read, and taken away, before the command reads its own, so that even the
    message about a mistyped option is in the right language and format.
    """
    words = [f"not {word[1:]}" if _WITHOUT.match(word) else word for word in argv]
    end = words.index("--") if "--" in words else len(words)
    try:
        values, remaining, _ = SHARED.make_parser(typer.Context(SHARED)).parse_args(args=words[:end])
        remaining += words[end:]
    except TyperException:  # the command says what is amiss
        values, remaining = SHARED.make_context("thunderref", words[:], resilient_parsing=True).params, words
    lang = values.get("lang")
    codes = [] if lang is None else list(dict.fromkeys(code.strip().lower() for code in lang.split(",")))
    flags = {"any_card": values.get("any_card", False), "more": values.get("whole", False)}
    run = Session(codes, remaining, json=values.get("as_json", False), **flags)
    _current.set(run)
    WHOLE.set(run.more)
    return run
