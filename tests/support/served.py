"""``thunderref serve`` in a process of its own, on a free port of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from .systems import NOWHERE, own_folders


@contextmanager
def serving(*options: str, folder: str = NOWHERE) -> Iterator[tuple[str, int]]:
    """The address of the server without its last stroke, and the id of its process; ended on leaving.

    ``folder`` is where it keeps its own files.
    """
    words = [sys.executable, "-m", "thunderref", "serve", "--port", "0", *options]
    environment = {**os.environ, **own_folders(folder)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8", env=environment) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().strip().rstrip("/"), server.pid
        finally:
            server.terminate()
