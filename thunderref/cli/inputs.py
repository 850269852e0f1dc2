"""Input from users: quick syntax and files, JSON or TOML by their ending."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any

from thunderref import files
from thunderref.cli.session import session
from thunderref.errors import InputError
from thunderref.files import parse_json, parse_toml

if TYPE_CHECKING:
    from thunderref.database.validation import Record


def entries_of(text: str | None) -> list[str] | None:
    from thunderref.thunderstone.resolve.start import split_list

    return None if text is None else split_list(text, session().database)


def document_of(record: type[Record], file: str | None, **given: Any) -> dict[str, Any]:
    """The document in a file, if any, with the other given values that are not None, as far as it is known yet.

    Raises :class:`InputError` for a value in the file that does not fit ``record``, so that more can be joined to it.
    """
    values = {key: value for key, value in given.items() if value is not None}
    if file is None:
        return values
    from thunderref.thunderstone.resolve.documents import check_fields

    document = read_file(file) | values
    check_fields(record, document)
    return document


def read_file(name: str) -> dict[str, Any]:
    """The scenario in a file; raises :class:`InputError` for one that is missing or malformed."""
    document = (parse_toml if is_toml(name) else parse_json)(read_text(name), name)
    if not isinstance(document, dict):
        raise InputError("document-not-an-object")
    return document


def read_text(name: str) -> str:
    """The text of a file, of standard input for ``-``, as :func:`thunderref.files.read_text`."""
    return files.read_text(name, _standard_input() if name == "-" else None)


def lines_of(name: str) -> Iterator[str]:
    """The lines of a file, of standard input for ``-``, as :func:`thunderref.files.lines_of`."""
    return files.lines_of(name, _standard_input() if name == "-" else None)


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:  # closed by the caller
        raise InputError("no-input")
    return getattr(sys.stdin, "buffer", None) or BytesIO(sys.stdin.read().encode())


def is_toml(name: str) -> bool:
    return name.lower().endswith(".toml")
