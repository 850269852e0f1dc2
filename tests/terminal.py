"""Runs a command on a pseudo-terminal of a given width, as a player would see it."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

LIMIT = 30.0
"""Seconds after which a command that has not ended is killed and the test fails."""


def on_a_terminal(
    columns: int,
    command: Sequence[str],
    *,
    folder: Path | None = None,
    typed: str | None = None,
    interrupt_after: str = "",
    **env: str,
) -> tuple[int, str]:
    """Exit status of the command and what it shows, standard error included, and what is typed if anything is.

    ``interrupt_after`` is what has to stand on the screen before the command is sent what Ctrl-C sends it.
    """
    pty = pytest.importorskip("pty")
    import fcntl
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")} | {"TERM": "xterm-256color"}
    read = subprocess.DEVNULL if typed is None else slave
    shown, waits, end = b"", interrupt_after.encode(), time.monotonic() + LIMIT
    with subprocess.Popen(command, stdin=read, stdout=slave, stderr=slave, env=environment | env, cwd=folder) as run:
        try:
            os.close(slave)
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
                if waits and waits in shown:
                    waits = b""
                    run.send_signal(signal.SIGINT)
            else:
                pytest.fail(f"not ended after {LIMIT:.0f} s: {shown.decode(errors='replace')[-400:]}")
            run.wait(timeout=LIMIT)
        finally:
            run.kill()
            os.close(master)
    return run.returncode, shown.decode().replace("\r\n", "\n")


def plain(shown: str) -> str:
    """What is left to read: no colours and other escape sequences, no line of progress that was taken away again."""
    left = re.sub(r"\x1b\[\?25l.*?\x1b\[\?25h\s*\x1b\[1A\x1b\[2K", "", shown, flags=re.DOTALL)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", left)
