"""Tasks for workers: functions of a module, as they have to be."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

from thunderref.errors import IllegalStepError


def square(n: int) -> int:
    return n * n


def collects(n: int) -> bool:
    """True if the process collects its garbage."""
    return gc.isenabled()


def refuse(n: int) -> int:
    raise IllegalStepError("illegal-step", rule="R5.1", candidates=["militia"], step=n)


def square_or_die(task: tuple[int, str]) -> int:
    """The square; whoever is the first to be given 7 dies, and leaves a file so that the next does not."""
    n, folder = task
    if n == 7:
        try:
            (Path(folder) / "died").touch(exist_ok=False)
        except FileExistsError:
            return n * n
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


def die(n: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return n
