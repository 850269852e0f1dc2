"""What the worker of a browser calls: the application answers its requests, and what it remembers is handed out."""

from __future__ import annotations

import json
import lzma
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from jinja2 import ModuleLoader
from starlette.datastructures import QueryParams

from thunderref.database import read
from thunderref.database.paths import PACKAGE
from thunderref.database.read import open_database
from thunderref.errors import ThunderrefError
from thunderref.serve.api import words_of
from thunderref.serve.app import Endpoint, Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup
from thunderref.serve.visitor import Pages, Parts, Visitor
from thunderref.thorgal import OWN
from thunderref.thunderstone.table.evening import load, pack, read_packed, unpack

TEMPLATES: Final = "thunderref/serve/compiled"
"""Where the compiled templates lie below the packages."""
LATER: Final = "later"
"""The table of what makes the indexes of the questions, which are not sent."""
APART: Final = "apart"
"""The table of two columns of the features, all rows of each end to end: that packs a fifth closer than row by row."""
BETWEEN: Final = b"\xff"
"""What stands between the subjects of two features; it occurs in no UTF-8. Each subject has one byte of weights."""
ROWS = 1_000
"""Features that get their columns back at once, for which a request waits."""
SECONDS = 4.0
"""The usual time of a search: a phone takes twice as long as a laptop."""
MOST_STEPS = 5
"""Redirects that are followed until a page is there."""
PIECE = 250_000
"""Bytes unpacked at once, for which a request waits."""
HOST = "localhost"
PHONE = "/phone"
BOXES: Final = "boxes"
"""The key of a saved file with the boxes that are on (:func:`.own_files.to_save`)."""


class Referee:
    """The referee of one browser: ``start`` begins the addresses that others scan, ``kept`` is what it remembers.

    ``languages`` are those of the browser, as the header of a request names them; ``own`` are the boxes that were
    loaded (:mod:`own_files`), and ``merged`` is the database that an earlier start made of them; every request waits
    until all modules are here if there is none.
    """

    def __init__(self, languages: str, start: str, kept: str, own: str = "", merged: str = "") -> None:
        self._languages, self._own, self._is_awaited = languages, own, bool(own)
        if merged:
            from thunderref.site.own_files import unpack

            unpack(own, Path(merged))
            self._is_awaited = False
        self._cookies: dict[str, tuple[str, float]] = {}
        if kept:
            with suppress(ThunderrefError):
                self.load(kept)
        pages = Pages(ModuleLoader(str(PACKAGE.parent / TEMPLATES)), [(PHONE, "offline.phone")], "offline.lost")
        self._site = Site(Access(start=start), Searches(SECONDS), SharedSetup(keeps=True), pages=pages)
        self._site.answers = {**self._site.answers, PHONE: Endpoint(self._phone, "phone.html", "tonight")}
        self._app = make_app(self._site)
        self._is_whole = False

    def add_rest(self, packed: str, questions: str) -> Iterator[None]:
        """Adds what comes after the first page, both packed: modules that few pages need, the tables of questions.

        Step by step, so that requests are answered between.
        """
        place = Path(questions)
        yield from _unpack(place)
        with closing(sqlite3.connect(place)) as database:
            yield from make_whole(database)
        yield from _unpack(Path(packed))
        head, _, content = Path(packed).read_bytes().partition(b"\n")
        at, sizes = 0, json.loads(head)
        for name, size in sizes.items():
            path = PACKAGE.parent / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content[at : at + size])
            at += size
        for folder in {name.rpartition("/")[0] for name in sizes if "/" in name and not name.endswith(".toml")}:
            if f"{folder}/__init__.pyc" not in sizes:  # a package of which a part came first, perhaps in the archive
                import_module(folder.replace("/", ".")).__path__.append(str(PACKAGE.parent / folder))
        sys.path_importer_cache.clear()  # which know the folders as they were
        yield
        read.INSTALLATION.package().attach(place)
        if self._own:  # made anew with the tables of questions
            from thunderref.site.own_files import unpack

            with suppress(ThunderrefError, OSError):
                unpack(self._own)
        self._is_whole, self._is_awaited = True, False

    def merged(self) -> str:
        """Where the database is that was made of the boxes and languages that were loaded; "" if there are none."""
        place = open_database().path
        return "" if place == read.INSTALLATION.package().path else str(place)

    async def answer(self, method: str, address: str, body: str = "") -> tuple[int, str, bytes, str] | None:
        """Status, type, body and address of the answer, once no other address is to be asked for.

        None if it needs the rest and this is not here yet.
        """
        if self._is_awaited:
            return None
        sent, status, headers, content = body.encode(), 0, dict[str, str](), b""
        for _ in range(MOST_STEPS):
            try:
                status, headers, content = await self.request(method, address, sent)
            except (sqlite3.OperationalError, ImportError):
                if self._is_whole:
                    raise
                return None
            if "location" not in headers:
                break
            method, address, sent = "GET", urljoin(address, headers["location"]), b""
        return status, headers.get("content-type", ""), content, address

    async def request(self, method: str, address: str, sent: bytes) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the answer to one request; its cookies are kept."""
        where, messages, content = urlsplit(address), list[dict[str, Any]](), list[bytes]()
        cookies = "; ".join(f"{name}={value}" for name, (value, end) in self._cookies.items() if end > time.time())
        headers = {"host": HOST, "accept-language": self._languages, "cookie": cookies}
        scope = {
            "type": "http", "method": method, "path": where.path, "raw_path": where.path.encode(),
            "query_string": where.query.encode(), "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                messages.append(message)
            else:
                content.append(message.get("body", b""))

        await self._app(scope, receive, send)
        headers_sent = [(name.decode().lower(), value.decode()) for name, value in messages[0]["headers"]]
        for name, value in headers_sent:
            if name == "set-cookie":
                self._remember(value)
        return messages[0]["status"], dict(headers_sent), b"".join(content)

    def _remember(self, header: str) -> None:
        with suppress(CookieError):
            for name, morsel in SimpleCookie(header).items():
                self._cookies[name] = morsel.coded_value, time.time() + float(morsel["max-age"] or 0)

    def kept(self) -> str:
        """What is remembered, as the text of a file that another phone, or a laptop, can load."""
        cookies = {name: [*cookie] for name, cookie in self._cookies.items()}
        return json.dumps({**pack(OWN), "phone": cookies}, ensure_ascii=False)

    def load(self, text: str, put: Callable[..., dict[str, Any]] = unpack) -> None:
        """Remembers what such a text says instead; raises :class:`InputError`."""
        document = put(text, OWN)
        phone = document.get("phone")
        for name, cookie in phone.items() if isinstance(phone, dict) else ():
            if isinstance(cookie, list) and [*map(type, cookie)] in ([str, float], [str, int]):
                self._cookies[name] = cookie[0], cookie[1]

    def try_load(self, text: str, lang: str) -> tuple[str, str] | None:
        """Loads a file that somebody chose with its boxes: as :meth:`change_own`, the boxes "" if they stay."""
        own = ""
        try:
            boxes = read_packed(text).get(BOXES)
            for box, packed in boxes.items() if isinstance(boxes, dict) else ():
                asked = {"files": {"box.json": str(packed)}} if packed else {"name": box, "do": "on"}
                changed = self.change_own(json.dumps(asked), lang)
                if changed is None or changed[0]:
                    return changed
                own = changed[1]
            self.load(text, load)
        except ThunderrefError as error:
            return words_of(lang).error(error), own
        return "", own

    def change_own(self, asked: str, lang: str) -> tuple[str, str] | None:
        """Takes in the files of a box, or switches one: the sentence that says why not, and all boxes as one text.

        None if this needs the rest and it is not here yet.
        """
        if not self._is_whole:
            return None
        from thunderref.site import own_files

        document, sentence = json.loads(asked), ""
        try:
            if "files" in document:
                own_files.take(document["files"])
            else:
                own_files.change(document["name"], document["do"])
        except ThunderrefError as error:
            sentence = words_of(lang).error(error)
        return sentence, own_files.pack()

    def _phone(self, visitor: Visitor, _: QueryParams) -> Parts:
        """How to keep the referee on a phone, and what it remembers as a file."""
        from thunderref.site import own_files

        kept = json.dumps({**json.loads(self.kept()), BOXES: own_files.to_save()}, ensure_ascii=False)
        parts = {"kept": kept, "replaces": bool(pack(OWN)["thunderref"])}
        return parts | {"boxes": own_files.states(visitor.words), "loaded": own_files.languages()}


def make_whole(database: sqlite3.Connection) -> Iterator[None]:
    """Give the tables of questions the columns and indexes that they were sent without, a piece at a time."""
    subjects, weights = database.execute(f"SELECT subjects, weights FROM [{APART}]").fetchone()
    at = 0
    for row, numbers in enumerate(subjects.split(BETWEEN), 1):
        columns = numbers, weights[at : (at := at + len(numbers.decode()))], row
        database.execute("UPDATE features SET subjects = ?, weights = ? WHERE rowid = ?", columns)
        if row % ROWS == 0:
            yield
    for (sql,) in database.execute(f"SELECT sql FROM [{LATER}]").fetchall():
        database.execute(sql)
        yield
    database.commit()


def _unpack(place: Path) -> Iterator[None]:
    """Puts what is packed in a file in its place, a piece at a time."""
    packed, reader = place.read_bytes(), lzma.LZMADecompressor()
    with place.open("wb") as whole:
        whole.write(reader.decompress(packed, PIECE))
        while not reader.eof:
            yield
            whole.write(reader.decompress(b"", PIECE))
