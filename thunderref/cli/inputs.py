"""What users hand in: quick syntax and files, JSON or TOML by their ending."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, TextIO

from thunderref.errors import InputError, unreadable


def entries_of(text: str | None) -> list[str] | None:
    from thunderref.thunderstone.resolve.start import split_list

    return None if text is None else split_list(text)


def document_of(file: str | None, **given: Any) -> dict[str, Any]:
    """The document in a file, if there is one, with what was given besides and is not None."""
    return (read_file(file) if file is not None else {}) | {k: v for k, v in given.items() if v is not None}


def read_file(name: str) -> dict[str, Any]:
    """The scenario in a file; raises :class:`InputError` for one that is missing or malformed."""
    text = read_text(name)
    document: Any

    def malformed(line: int, column: int) -> InputError:
        why = {"why": "input"} if name == "-" else {"file": name}
        return InputError("malformed-file", **why, line=line, column=column)

    if is_toml(name):
        import tomllib

        try:
            document = tomllib.loads(text)
        except ValueError as error:
            raise malformed(*_toml_place(str(error), text)) from None
        except RecursionError:
            raise malformed(1, 1) from None
    else:
        document = parse_json(text, malformed)
    if not isinstance(document, dict):
        raise InputError("document-not-an-object")
    return document


def is_toml(name: str) -> bool:
    return name.lower().endswith(".toml")


def parse_json(text: str, malformed: Callable[[int, int], InputError]) -> Any:
    """The value of a JSON text; raises what ``malformed`` gives for the line and column of what is no JSON."""
    import json

    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object_of)
    except json.JSONDecodeError as error:
        raise malformed(error.lineno, error.colno) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets without end
        raise malformed(1, 1) from None


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError("double-key", key=key[:40])  # to take the last would drop what the others say
        found[key] = value
    return found


def _toml_place(message: str, text: str) -> tuple[int, int]:
    """Line and column of which the reader of TOML complains; without any it means the end."""
    import re

    found = re.search(r"at line (\d+), column (\d+)", message)
    if found:
        return int(found[1]), int(found[2])
    lines = text.split("\n")
    return len(lines), len(lines[-1]) + 1


def lines_of(name: str) -> Iterator[str]:
    """The lines of a file, as :func:`read_text`, as they come; a byte that is no UTF-8 spoils its line only."""
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
            if isinstance(sys.stdin, TextIOWrapper):  # documents are UTF-8 whatever the locale
                sys.stdin.reconfigure(encoding="utf-8", errors=errors)
            yield sys.stdin
        else:
            with open(name, encoding="utf-8-sig", errors=errors) as stream:
                yield stream
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(name, error) from None
