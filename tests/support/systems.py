"""What the systems differ in: marks for tests of what only some have, and a Windows that is simulated elsewhere."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from thunderref.files import LOCK

needs_posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals, pipes, devices or modes")


NOWHERE = os.path.join(__file__, "nowhere")
"""A folder that cannot be: nothing is kept there."""


def own_folders(folder: str | Path) -> dict[str, str]:
    """The environment in which the program keeps its own files below this folder, on every system."""
    folders = ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA")
    return dict.fromkeys(folders, str(folder))


def keep_in(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    for name, value in own_folders(folder).items():
        monkeypatch.setenv(name, value)


def is_nameless(flags: int) -> bool:
    """True if a file without a name is opened in a folder, as Linux can: filelock tries a lock on one."""
    kind: int = getattr(os, "O_TMPFILE", 0)
    return kind > 0 and flags & kind == kind


def like_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has this process meet what it would on Windows with files and errors; there it changes nothing.

    No folder is opened; no file is replaced or removed while it is open here (known from /proc, so on Linux only).
    What cannot be simulated: paths, which ``os.name`` decides, and locks, for which filelock decides on the system when
    it is imported: they are those of this system, and removed as here.
    """
    if os.name == "nt":
        return
    import filelock  # noqa: F401  # while the system is still known

    monkeypatch.setattr(sys, "platform", "win32")
    opened, replaced, unlinked = os.open, os.replace, os.unlink

    def open_file(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if os.path.isdir(path) and not is_nameless(flags):
            raise refused()
        return opened(path, flags, *rest, **options)

    def replace(source: Any, target: Any, **options: Any) -> None:
        if is_open(source) or is_open(target):
            raise refused()
        replaced(source, target, **options)

    def unlink(path: Any, **options: Any) -> None:
        if is_open(path) and os.path.basename(path) != LOCK:
            raise refused()
        unlinked(path, **options)

    monkeypatch.setattr(os, "open", open_file)
    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "unlink", unlink)


def refused() -> PermissionError:
    return PermissionError(errno.EACCES, "The process cannot access the file")


def is_open(path: str | Path) -> bool:
    """True if this process has the file open, as far as the system tells."""
    if not os.path.isdir("/proc/self/fd") or not os.path.exists(path):
        return False
    found = os.path.realpath(path)
    for handle in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # another thread has closed it meanwhile
            if os.path.realpath(f"/proc/self/fd/{handle}") == found:
                return True
    return False
