"""What stands before every page: who may ask, how much, how many searches at once, and what browsers may do with it."""

from __future__ import annotations

import asyncio
import hmac
import multiprocessing
import os
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request, cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from thunderref.budget import Budget

T = TypeVar("T")
COOKIE = "k"
"""The cookie that holds the token."""
Refuse = Callable[[Request, int], Response]
"""Makes the answer to a request that is refused, from its status."""
OPEN = ("/k/", "/static/")
"""Paths that need no token."""
MOST_BYTES = 65_536
"""Of a body."""
MOST_ADDRESS = 8_192
"""Of the path and the query."""
MOST_AT_ONCE = 100
"""Requests answered at once."""
BODY_SECONDS = 10.0
HURRY = 10.0
"""Seconds in which a connection has to bring a whole request, so that nobody keeps the laptop's places taken."""
MOST_CONNECTIONS = 400
"""At once."""
RETRY_AFTER = "1"
"""Seconds after which a phone asks again if the laptop is busy."""
LOOPBACK = frozenset(("localhost", "127.0.0.1", "[::1]"))
HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self';"
        " manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
SECONDS = 2.0
"""The time of a search if the command line says nothing else."""
LONGEST = 20.0
"""The most seconds that an address may ask for."""
PATIENT = 15
"""By how much a search gives way to everything else on the laptop."""
SEARCHES = 2
"""Searches at once, and as many longer than usual beside them."""
WAITING = 24
"""Searches that may wait for a thread."""
PATIENCE = 3.0
"""Seconds that a search waits for a thread."""


@dataclass(frozen=True)
class Access:
    """Who may ask: with the ``token`` (None: without), under these names of the laptop."""

    token: str | None = None
    hosts: frozenset[str] = LOOPBACK

    def knows(self, token: str) -> bool:
        return self.token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def admits(self, scope: Scope) -> bool:
        """False without the token, and for what another site sends."""
        headers = Headers(scope=scope)
        cookies = cookie_parser("; ".join(headers.getlist("cookie")))
        known = self.token is None or scope["path"].startswith(OPEN) or self.knows(cookies.get(COOKIE, ""))
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")  # programs send neither
        is_ours = origin is None or origin.partition("//")[2].lower() == headers["host"].lower()
        return known and (scope["method"] != "POST" or (is_ours and site in ("same-origin", "none")))


class Guard:
    """The application behind the checks; ``refuse`` makes the page for a status."""

    def __init__(self, app: ASGIApp, access: Access, refuse: Refuse) -> None:
        self.app = app
        self.access = access
        self.refuse = refuse
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "private, no-cache")
            await send(message)

        follows = scope["path"] == "/events"  # as long as somebody looks
        self._under_way += not follows
        try:
            reached = (scope.get("server") or ("",))[0]  # with a token this name is ours too
            own = [f"[{reached}]" if ":" in reached else reached] if self.access.token else []
            trusted = TrustedHostMiddleware(self.answer, [*self.access.hosts, *own], www_redirect=False)
            await trusted(scope, receive, guarded)
        finally:
            self._under_way -= not follows

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 0
        if not self.access.admits(scope):
            status = 403
        elif self._under_way > MOST_AT_ONCE:
            status = 503
        elif len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_ADDRESS:
            status = 413
        await (self.refuse(Request(scope), status) if status else self.app)(scope, receive, send)


class Connection(H11Protocol):
    """One connection; it is closed if it brings no request in time, or if there are too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        if len(self.connections) > MOST_CONNECTIONS:
            self.transport.close()
        self._answered: object = None
        self._watch()

    def _watch(self) -> None:
        self._later = self.loop.call_later(HURRY, self._look)

    def _look(self) -> None:
        last = self.cycle
        if last is self._answered and (last is None or last.response_complete):
            self.transport.close()
        else:
            self._answered = last
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._later.cancel()
        super().connection_lost(exc)


async def body_of(request: Request) -> bytes:
    """The body of a request; raises :class:`HTTPException` (408) if it does not come in time."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.body()
    except TimeoutError:
        raise HTTPException(408) from None


def _stand_back() -> None:
    """Makes a process that searches give way to look-ups, and leaves Ctrl-C to the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(PATIENT)


class Searches:
    """Runs searches beside the look-ups; ``seconds`` is the usual time of a search (None: no end).

    ``apart``: in processes of their own, for beside two searches in threads a look-up takes most of a second. A
    look-up needs neither: it takes a millisecond, less than the way there and back.
    """

    def __init__(self, seconds: float | None = SECONDS, *, apart: bool = False) -> None:
        self.seconds, self.apart = seconds, apart
        self._pool = self._begin()
        self._free = {long: asyncio.Semaphore(SEARCHES) for long in (False, True)}
        self._waiting = 0

    async def search(self, answer: Callable[..., T], *args: Any, long: bool = False) -> T:
        """The answer of a search; raises :class:`HTTPException` (503) if no thread is free in time."""
        if self._waiting >= WAITING:
            raise HTTPException(503)
        self._waiting += 1
        try:
            async with asyncio.timeout(PATIENCE):
                await self._free[long].acquire()
        except TimeoutError:
            raise HTTPException(503) from None
        finally:
            self._waiting -= 1
        work = asyncio.get_running_loop().run_in_executor(self._pool, answer, *args)
        work.add_done_callback(lambda _: self._free[long].release())  # even if nobody waits for the answer any more
        try:
            return await work
        except BrokenExecutor:  # the system has ended a process
            self._pool = self._begin()
            raise HTTPException(503) from None

    def _begin(self) -> Executor:
        if not self.apart:
            return ThreadPoolExecutor(2 * SEARCHES, "search")
        ways = multiprocessing.get_all_start_methods()
        way = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
        way.set_forkserver_preload(["thunderref.serve.app"])
        pool = ProcessPoolExecutor(2 * SEARCHES, way, _stand_back)
        pool.submit(int)  # the first is there when it is wanted
        return pool

    def seconds_of(self, asked: float | None) -> float | None:
        """The time for a search that asks for so many seconds, no more than :data:`LONGEST` or the usual time."""
        most = None if self.seconds is None else max(self.seconds, LONGEST)
        if asked is None:
            return self.seconds
        return asked if most is None else min(asked, most)

    def is_long(self, asked: str | None) -> bool:
        """True if an address asks for more than the usual time."""
        with suppress(ValueError):
            return bool(asked) and self.seconds is not None and float(asked or 0) > self.seconds
        return False

    def budget(self, asked: float | None = None) -> Budget:
        return Budget(self.seconds_of(asked))

    def close(self) -> None:
        for process in multiprocessing.active_children() if self.apart else ():
            process.terminate()
        self._pool.shutdown(wait=self.apart, cancel_futures=True)
        del self._pool  # with what it holds of the system
