"""What users hand in: quick syntax and files, JSON or TOML by their ending."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from thunderref.errors import InputError, unreadable


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
    document: Any
    if is_toml(name):
        import tomllib

        try:
            document = tomllib.loads(text)
        except ValueError as error:
            raise _malformed(name, _toml_place(str(error), text)) from None
        except RecursionError:
            raise _malformed(name, (1, 1)) from None
    else:
        document = parse_json(text, name)
    if not isinstance(document, dict):
        raise InputError("document-not-an-object")
    return document


def is_toml(name: str) -> bool:
    """True for a file that is TOML by its ending."""
    return name.lower().endswith(".toml")


def parse_json(text: str, name: str) -> Any:
    """The value of a JSON text that came from the file ``name``, ``-`` for standard input.

    Raises :class:`InputError` for what is no JSON, with the place, and for a key that stands twice in one object:
    to take the last of them without a word would drop what the others say.
    """
    import json

    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=object_of)
    except json.JSONDecodeError as error:
        raise _malformed(name, (error.lineno, error.colno)) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets without end
        raise _malformed(name, (1, 1)) from None


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these keys and values; raises :class:`InputError` for a key that stands there twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError("double-key", key=key[:40])
        found[key] = value
    return found


def _malformed(name: str, place: tuple[int, int]) -> InputError:
    line, column = place
    if name == "-":
        return InputError("malformed-file", why="input", line=line, column=column)
    return InputError("malformed-file", file=name, line=line, column=column)


def _toml_place(message: str, text: str) -> tuple[int, int]:
    """Line and column of which the reader of TOML complains; without any it means the end."""
    import re

    found = re.search(r"at line (\d+), column (\d+)", message)
    if found:
        return int(found[1]), int(found[2])
    lines = text.split("\n")
    return len(lines), len(lines[-1]) + 1


def lines_of(name: str) -> Iterator[str]:
    """The lines of a file, of standard input for ``-``, as they come; raises as :func:`read_text` does.

    A byte that is no UTF-8 spoils its line only.
    """
    with _reading(name, "replace") as stream:
        yield from stream


def read_text(name: str) -> str:
    """The text of a file, of standard input for ``-``; raises :class:`InputError` if it cannot be read."""
    with _reading(name) as stream:
        return stream.read()


@contextmanager
def _reading(name: str, errors: str = "strict") -> Iterator[TextIO]:
    try:
        if name == "-":
            import sys

            if sys.stdin is None:  # closed by the caller
                raise InputError("no-input")
            reconfigure = getattr(sys.stdin, "reconfigure", None)
            if reconfigure is not None:  # documents are UTF-8 whatever the locale
                reconfigure(encoding="utf-8", errors=errors)
            yield sys.stdin
        else:
            with open(name, encoding="utf-8-sig", errors=errors) as stream:
                yield stream
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(name, error) from None
