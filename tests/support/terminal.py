"""Runs a command on a pseudo-terminal of a given width, as a player would see it."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import pytest

LIMIT = 30.0
"""Seconds after which a command that has not ended is killed and the test fails."""


def on_a_terminal(
    columns: int,
    command: Sequence[str],
    *,
    folder: Path | None = None,
    typed: str | None = None,
    replies: Sequence[tuple[str, str]] = (),
    interrupt_after: str = "",
    **env: str,
) -> tuple[int, str]:
    """Exit status of the command and what it shows, standard error included, and what is typed if anything is.

    ``thunderref`` is run by a fork of this process, which has loaded it already; any other program is started.
    ``replies`` are typed one after the other, each when its text has come after that of the last one.
    ``interrupt_after`` is what has to stand on the screen before the command is sent what Ctrl-C sends it.
    """
    pty = pytest.importorskip("pty")
    import fcntl
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    process = os.fork()
    if not process:
        os.close(master)
        _become(command, slave, typed is not None or bool(replies), folder, {**kept, "TERM": "xterm-256color", **env})
    os.close(slave)
    left, since = [*replies], 0
    shown, waits, end = b"", interrupt_after.encode(), time.monotonic() + LIMIT
    try:
        if typed is not None:
            os.write(master, typed.encode())
        while time.monotonic() < end:
            if not select.select([master], [], [], 0.2)[0]:
                continue
            try:
                more = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            shown += more
            while left and (at := shown.find(left[0][0].encode(), since)) >= 0:
                text, keys = left.pop(0)
                since = at + len(text.encode())
                os.write(master, keys.encode())
            if waits and waits in shown:
                waits = b""
                let_it_listen(process)
                os.kill(process, signal.SIGINT)
        else:
            os.kill(process, signal.SIGKILL)
            pytest.fail(f"not ended after {LIMIT:.0f} s: {shown.decode(errors='replace')[-400:]}")
    finally:
        os.close(master)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return status, shown.decode().replace("\r\n", "\n")


def let_it_listen(process: int) -> None:
    """Gives a program that asks the time to wait for its answer: Python loses a signal that comes just before.

    A program at work does not sleep, and is given one second.
    """
    state, end = Path(f"/proc/{process}/stat"), time.monotonic() + 1
    while time.monotonic() < end:
        if state.exists() and state.read_text("utf-8").rpartition(")")[2].split()[0] == "S":
            return
        time.sleep(0.01)


def _become(
    command: Sequence[str], terminal: int, listening: bool, folder: Path | None, env: Mapping[str, str]
) -> NoReturn:
    """Makes this process the command, with the terminal as all its streams but, unless ``listening``, its input."""
    status = 99
    try:
        os.dup2(terminal if listening else os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(terminal, 1)
        os.dup2(terminal, 2)
        os.close(terminal)
        os.chdir(folder or Path.cwd())
        if command[0] != "thunderref":
            os.execvpe(command[0], command, env)
        os.environ.clear()
        os.environ.update(env)
        sys.argv = [*command]
        sys.stdin, sys.stdout, sys.stderr = (
            open(fd, mode, encoding="utf-8")  # noqa: SIM115
            for fd, mode in enumerate("rww")
        )
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from thunderref.cli.app import main

        try:
            main(command[1:])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


def plain(shown: str) -> str:
    """What is left to read: no colours and other escape sequences, no line of progress that was taken away again."""
    left = re.sub(r"\x1b\[\?25l.*?\x1b\[\?25h\s*\x1b\[1A\x1b\[2K", "", shown, flags=re.DOTALL)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", left)
