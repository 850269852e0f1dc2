"""Tasks for workers: functions of a module, as they have to be."""

from __future__ import annotations

import gc
import os
import signal

from thunderref.errors import IllegalStepError


def square(n: int) -> int:
    return n * n


def collects(n: int) -> bool:
    """True if the process collects its garbage."""
    return gc.isenabled()


def refuse(n: int) -> int:
    raise IllegalStepError("illegal-step", rule="R5.1", candidates=["militia"], step=n)


def die(n: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return n
