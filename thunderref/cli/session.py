"""One run of the program: its language, its words and how it prints.

The command line is scanned for ``--lang`` and ``--json`` before it is parsed, so that even the message about a
mistyped option is in the right language and form.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from thunderref.errors import InputError, ThunderrefError
from thunderref.model.games import GAMES
from thunderref.store.read import Store, open_store

if TYPE_CHECKING:
    from thunderref.words.words import Words

LANGUAGE_VARIABLE = "THUNDERREF_LANG"
SIDE_BY_SIDE = frozenset(("ask", "card", "cards", "glossary", "rule"))
"""Commands that can show several languages: ``--lang en,pl``."""
_WITHOUT_WORDS = {
    "no-database": "There is no card database at {path}: install thunderref again.",
    "other-database": "The card database {path} is damaged or from another version: install thunderref again.",
    "missing-file": "The file {file} is missing: put it back or correct its name.",
    "bad-file": "{file}, key {key}: {problem}.",
}
"""The sentences of errors that leave no database to take their words from."""


class Session:
    """Language and output form of this run; ``json`` is True if the answer is to be one JSON document."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str] = os.environ) -> None:
        self.json = "--json" in (argv[: argv.index("--")] if "--" in argv else argv)
        self.environment = environment
        self.started = time.monotonic()
        """When this run began: what a budget of seconds is counted from."""
        self._argv = argv
        self._words: Words | None = None
        self._store: Store | None = None

    @property
    def store(self) -> Store:
        """The card database."""
        if self._store is None:
            self._store = open_store()
        return self._store

    def check_language(self) -> None:
        """Raises :class:`InputError` for an unknown ``--lang``, whatever the command."""
        if _option(self._argv, "--lang") is not None:
            _ = self.words

    @property
    def words(self) -> Words:
        """The words of the language of this run; raises :class:`InputError` for an unknown ``--lang``."""
        if self._words is None:
            from thunderref.words.words import Words

            known = list(self.store.languages)
            codes = _codes(self._argv)
            for asked in codes:
                if asked not in known:
                    self._words = Words(self.store, _guess(known, self.environment))
                    raise InputError("unknown-language", lang=asked, candidates=known)
            if len(codes) > 1 and _command(self._argv) not in SIDE_BY_SIDE:
                self._words = Words(self.store, codes[0])
                raise InputError("one-language", candidates=sorted(SIDE_BY_SIDE))
            self._words = Words(self.store, codes[0] if codes else _guess(known, self.environment))
        return self._words

    @property
    def language(self) -> str:
        """The code of the output language, without loading its words."""
        if self._words is not None:
            return self._words.lang
        codes = _codes(self._argv)
        known = list(self.store.languages)
        return codes[0] if codes and codes[0] in known else _guess(known, self.environment)

    @property
    def languages(self) -> list[str]:
        """All the output languages: the one of :attr:`words` first, then those to be shown beside it."""
        return list(dict.fromkeys([self.words.lang, *_codes(self._argv)]))

    def fail(self, error: ThunderrefError) -> NoReturn:
        """Prints the one sentence of ``error`` (a JSON object with ``--json``) and exits with its status."""
        try:
            message = self._safe_words().error(error)
        except ThunderrefError:  # there is no database to take the words from
            message = _WITHOUT_WORDS.get(error.code, "{error}").format(error=error, **error.params)
        if self.json:
            with suppress(OSError):  # an output that is full or closed still gets the exit status
                print_json({"error": error.document(message)})
                sys.stdout.flush()
        else:
            print(f"thunderref: {message}", file=sys.stderr)
        raise SystemExit(error.status)

    def _safe_words(self) -> Words:
        try:
            return self.words
        except InputError:
            return self.words

    def print_json(self, document: Any) -> None:
        """Prints the one JSON document of this run."""
        print_json(document)


def print_json(document: Any) -> None:
    """Prints a document as JSON, letters as they are."""
    print(json_text(document))


def json_text(document: Any) -> str:
    """A document as JSON, letters as they are."""
    import json

    return json.dumps(document, ensure_ascii=False, indent=2)


def _codes(argv: Sequence[str]) -> list[str]:
    """The languages asked for, none twice; an empty value counts as a language nobody has."""
    asked = _option(argv, "--lang")
    return [] if asked is None else list(dict.fromkeys(code.strip().lower() for code in asked.split(",")))


def _command(argv: Sequence[str]) -> str:
    """The command of these words of the command line, the game before it left out; "" for none."""
    words = iter(argv)
    for word in words:
        if word == "--lang":
            next(words, None)
        elif not word.startswith("-") and word not in GAMES:
            return word
    return ""


def _option(argv: Sequence[str], name: str) -> str | None:
    found = None
    for i, word in enumerate(argv):
        if word == "--":
            break
        if word.startswith(f"{name}="):
            found = word.partition("=")[2]
        elif word == name and i + 1 < len(argv):
            found = argv[i + 1]
    return found


def _guess(known: Sequence[str], environment: Mapping[str, str]) -> str:
    """THUNDERREF_LANG, else the locale, else English."""
    for name in (LANGUAGE_VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG"):
        lang = environment.get(name, "")[:2].lower()
        if lang:
            return lang if lang in known else "en"
    if sys.platform == "win32":
        import locale

        lang = (locale.getlocale()[0] or "")[:2].lower()
        return {"po": "pl"}.get(lang, lang) if lang in known or lang == "po" else "en"
    return "en"


_current: list[Session] = []


def session() -> Session:
    """The current run."""
    if not _current:
        _current.append(Session(sys.argv[1:]))
    return _current[-1]


def start(argv: Sequence[str]) -> Session:
    """Begins a run with these words of the command line."""
    _current[:] = [Session(argv)]
    return _current[-1]
