"""What users hand in: quick syntax and files, JSON or TOML by their ending."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from thunderref.errors import InputError


def entries_of(text: str | None) -> list[str] | None:
    """The entries of quick syntax; None for an option that was not given."""
    if text is None:
        return None
    from thunderref.solve.position import split_list

    return split_list(text)


def ranks_of(text: str | None) -> list[str] | None:
    """The ranks of the hall in quick syntax, empty ones kept; None for an option that was not given."""
    if text is None:
        return None
    from thunderref.solve.position import split_hall

    return split_hall(text)


def read_file(name: str) -> dict[str, Any]:
    """The scenario in a file; raises :class:`InputError` for one that is missing or malformed."""
    text = read_text(name)
    try:
        document: Any
        if name.endswith(".toml"):
            import tomllib

            document = tomllib.loads(text)
        else:
            import json

            document = json.loads(text)
    except ValueError as error:
        raise InputError("malformed-file", file=name, problem=str(error)) from None
    except RecursionError:
        raise InputError("malformed-file", file=name, problem="nested too deeply") from None
    if not isinstance(document, dict):
        raise InputError("document-not-an-object")
    return document


def lines_of(name: str) -> Iterator[str]:
    """The lines of a file, of standard input for ``-``, as they come; raises as :func:`read_text` does."""
    with _reading(name) as stream:
        yield from stream


def read_text(name: str) -> str:
    """The text of a file, of standard input for ``-``; raises :class:`InputError` if it cannot be read."""
    with _reading(name) as stream:
        return stream.read()


@contextmanager
def _reading(name: str) -> Iterator[TextIO]:
    try:
        if name == "-":
            import sys

            if sys.stdin is None:  # closed by the caller
                raise InputError("no-input")
            yield sys.stdin
        else:
            with open(name, encoding="utf-8-sig") as stream:
                yield stream
    except FileNotFoundError:
        raise InputError("no-file", file=name) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            "unreadable-file", file=name, problem=getattr(error, "strerror", None) or "not UTF-8"
        ) from None
