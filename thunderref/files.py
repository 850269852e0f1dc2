"""Reads and writes all documents: regular files, of a bounded size, whole or not at all, one writer at a time."""

from __future__ import annotations

import math
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, TypeVar

from thunderref.errors import InputError, unreadable

MOST_BYTES = 5_000_000
"""Limit for a file, for standard input, and for a line of a batch from standard input."""
DEEPEST = 50
"""How deep lists and tables may be nested in a document."""
MOST_DIGITS = 15
"""The most digits of a number in a document."""
_ENDLESS = re.compile(r"\d{256}")
"""A number with more digits than any document may have."""
LOCK_TIMEOUT = 20.0
"""Seconds to wait for another program that writes in the same folder."""
LOCK = ".thunderref.lock"
"""Name of the file that is in a folder while a run of the program writes there."""
MOMENT = 1.0
"""Seconds for which Windows may refuse a file because another program has it open."""
_FOLDER: ContextVar[Path | None] = ContextVar("folder", default=None)
T = TypeVar("T")
Malformed = Callable[[int, int], InputError]
"""Makes the error for the line and column where JSON or TOML is malformed."""


def read_text(name: str | Path, stream: IO[bytes] | None = None) -> str:
    """The text of a regular file in UTF-8, or of the open stream of that name.

    Raises :class:`InputError` with the reason: FileNotFoundError becomes the code ``no-file``.
    """
    with _opened(name, stream) as source:
        content = source.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise _too_large(name)
        return content.decode("utf-8-sig")


def lines_of(name: str, stream: IO[bytes] | None = None) -> Iterator[str]:
    """The lines as they come; a byte that is not UTF-8 spoils only its line. Raises as :func:`read_text`."""
    with _opened(name, stream) as source:
        for line in iter(lambda: source.readline(MOST_BYTES + 1), b""):
            if len(line) > MOST_BYTES:
                raise _too_large(name)
            yield line.decode("utf-8", "replace")


@contextmanager
def _opened(name: str | Path, stream: IO[bytes] | None) -> Iterator[IO[bytes]]:
    """The stream, else a regular file; :class:`InputError` for all else and whatever fails while it is open."""
    try:
        if stream is not None:
            yield stream
            return
        _check(name, os.stat(name))  # opening a device may change something
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        handle = _patiently(lambda: os.open(name, flags))
        with os.fdopen(handle, "rb") as opened:
            _check(name, os.fstat(handle))
            yield opened
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        raise unreadable(str(name), error) from None


def _patiently(attempt: Callable[[], T]) -> T:
    """Return the result of the attempt; on Windows it is repeated while another program has the file open."""
    end = time.monotonic() + MOMENT
    while True:
        try:
            return attempt()
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _check(name: str | Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        why = "folder" if stat.S_ISDIR(status.st_mode) else "device"
        raise InputError("unreadable-file", why=why, file=str(name))
    if status.st_size > MOST_BYTES:
        raise _too_large(name)


def _too_large(name: str | Path) -> InputError:
    return InputError("too-large", **_called(name), megabytes=MOST_BYTES // 1_000_000)


def _called(name: str | Path) -> dict[str, str]:
    return {"why": "input"} if name == "-" else {"file": str(name)}


def parse_json(text: str, name: str | Path, malformed: Malformed | None = None) -> Any:
    """The value of the JSON text of the file ``name``, - for standard input.

    Raises :class:`InputError` if it is not JSON (from ``malformed`` for line and column, else the code
    ``malformed-file``), has a key twice, or goes beyond the limits of a document.
    """
    import json

    text = text.removeprefix("\ufeff")
    return _parsed(lambda: json.loads(text, object_pairs_hook=_object_of), text, name, malformed)


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for key, value in pairs:
        if key in document:
            raise InputError("double-key", key=key)  # taking the last would drop the others
        document[key] = value
    return document


def parse_toml(text: str, name: str | Path) -> dict[str, Any]:
    """The table of a TOML text, as :func:`parse_json`."""
    import tomllib

    return _parsed(lambda: tomllib.loads(text), text, name)


def _parsed(parse: Callable[[], T], text: str, name: str | Path, malformed: Malformed | None = None) -> T:
    try:
        return _bounded(parse(), name)
    except RecursionError:
        raise InputError("too-deep", **_called(name), most=DEEPEST) from None
    except ValueError as error:
        place = re.findall(r"line (\d+),? column (\d+)", str(error))
        if not place and "end of document" in str(error):
            lines = text.split("\n")
            place = [(len(lines), len(lines[-1]) + 1)]
        if not place:
            raise InputError("too-many-digits", **_called(name), most=MOST_DIGITS) from None
        line, column = map(int, place[-1])
        if malformed:
            raise malformed(line, column) from None
        raise InputError("malformed-file", **_called(name), line=line, column=column) from None


def _bounded(document: T, name: str | Path) -> T:
    """The document; :class:`InputError` if it is nested too deep, a number is too long, or a text is not valid."""
    level: list[Any] = [document]
    for _ in range(DEEPEST + 1):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below += (*value, *value.values())
            elif isinstance(value, list):
                below += value
            elif isinstance(value, float) and not math.isfinite(value):
                raise InputError("no-number", **_called(name), most=MOST_DIGITS)
            elif isinstance(value, int | float) and abs(value) >= 10**MOST_DIGITS:
                raise InputError("too-many-digits", **_called(name), most=MOST_DIGITS)
            elif isinstance(value, str):
                check_word(value, **_called(name))
            elif not isinstance(value, int | float | None):
                raise InputError("bare-time", file=str(name), value=str(value))
        if not below:
            return document
        level = below
    raise InputError("too-deep", **_called(name), most=DEEPEST)


def check_word(word: str, **called: str) -> None:
    """Raises :class:`InputError` for endless numbers and halves of characters (bytes that are not UTF-8).

    ``called`` says where the word is, as parameters of the message.
    """
    try:
        word.encode()
    except UnicodeEncodeError:
        raise InputError("half-letters", **called) from None
    if _ENDLESS.search(word):
        raise InputError("too-many-digits", **called, most=MOST_DIGITS)


def check_place(name: str | Path, *, replace: bool = False) -> Path:
    """The path, links followed, where a file of that name may be written.

    Raises :class:`InputError` if the folder is missing, or if something other than a file is there, or a file that
    may not be replaced.
    """
    with _explained(name):  # a name that is too long, a folder that may not be entered
        path = Path(os.path.realpath(name))
        if path.exists() and not path.is_file():
            raise InputError("no-place", file=str(name))
        if path.exists() and not replace:
            raise InputError("file-exists", file=str(name))
        if not path.parent.is_dir():
            raise InputError("no-folder", file=str(name))
        return path


@contextmanager
def _explained(name: str | Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise InputError("cannot-write", file=str(name), problem=problem) from None


def write_text(name: str | Path, text: str, *, replace: bool = False) -> None:
    """Writes a file whole or not at all; an existing file stays as it is without ``replace``.

    Raises :class:`InputError` as :func:`check_place`, or with the system's reason.
    """
    path = check_place(name, replace=replace)
    beside = path.with_name(f".{path.name[:40]}.{os.urandom(6).hex()}.new")
    try:
        with _explained(name):
            with beside.open("xb") as stream:
                if path.exists() and sys.platform != "win32":  # there a file has no mode
                    os.chmod(beside, stat.S_IMODE(path.stat().st_mode))  # before others could read what is private
                stream.write(text.encode("utf-8", "replace"))
                stream.flush()
                os.fsync(stream.fileno())
            if replace or not _link(beside, path, name):
                _patiently(lambda: os.replace(beside, path))
    finally:
        with suppress(OSError):
            os.unlink(beside)
    with suppress(OSError):  # has the system write the new name to disk, if it can
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _link(beside: Path, path: Path, name: str | Path) -> bool:
    """Gives the finished file its name; False if the file system has no links."""
    with suppress(OSError):
        os.link(beside, path)
        return True
    if path.exists():  # the name was just taken
        raise InputError("file-exists", file=str(name))
    return False


def append_line(name: str | Path, line: str) -> bool:
    """Adds a line at the end of a text file, which may be new, as may its folder; False if it is there already.

    Raises :class:`InputError` as :func:`read_text` and :func:`write_text`.
    """
    make_folder(name)
    with only_writer(name):
        text = read_text(name) if os.path.lexists(name) else ""
        if line in text.splitlines():
            return False
        write_text(name, f"{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{line}\n", replace=True)
    return True


def make_folder(name: str | Path) -> None:
    """Makes the folder for a file of the program's own; raises :class:`InputError` if that fails."""
    with _explained(name):
        Path(name).parent.mkdir(parents=True, exist_ok=True)


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Until the end what the program keeps between runs is kept in that folder, and nothing else is known."""
    before = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(before)


def state_file(name: str) -> Path:
    """The path of a file that the program keeps between runs."""
    if (folder := _FOLDER.get()) is not None:
        return folder / name
    from platformdirs import user_state_path

    return _own_folder(user_state_path) / name


def data_file(name: str) -> Path:
    """The path of a file with what the users have entered."""
    from platformdirs import user_data_path

    return _own_folder(user_data_path) / name


def _own_folder(find: Callable[..., Path]) -> Path:
    """Return the program's folder; for a user without a home one that cannot be, where nothing is kept."""
    with suppress(RuntimeError):
        folder = find("thunderref", appauthor=False)
        if folder.is_absolute():  # earlier platformdirs leave a “~” that nobody knows
            return folder
    return Path(os.devnull, "thunderref")


def remove_file(path: Path) -> bool:
    """Removes a file of the program's own; False if there was none. Raises :class:`InputError` if that fails."""
    with _explained(path), suppress(FileNotFoundError, NotADirectoryError):
        _patiently(path.unlink)
        return True
    return False


@contextmanager
def only_writer(name: str | Path) -> Iterator[None]:
    """Keeps other runs of the program from changing files in that file's folder, by a lock that is gone afterwards.

    Raises :class:`InputError` if another run does not end in time, and for a folder or a device.
    """
    with suppress(OSError):  # nothing is there yet
        _check(name, os.stat(name))
    from filelock import FileLock, Timeout

    place = Path(os.path.realpath(name)).parent / LOCK
    lock = FileLock(place, LOCK_TIMEOUT, mode=0o666)  # other users of the folder may hold it, too
    with suppress(OSError):  # a system that cannot lock
        try:
            place.parent.stat()  # a folder that is missing would be made
            lock.acquire(poll_interval=0.01)
        except Timeout:
            raise InputError("file-busy", file=str(name)) from None
    try:
        yield
    finally:
        # Only who holds a lock may remove it: whoever waited for it finds that its file has no name, and asks again.
        # Windows keeps files that are open, and there the lock is removed with its release.
        if lock.is_locked:
            with suppress(OSError):
                os.unlink(place)
        lock.release()
