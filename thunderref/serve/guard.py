"""What stands before every page: who may ask, how much, and what browsers may do with the answer."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
RETRY_AFTER = "1"
"""Seconds after which a phone asks again if the laptop is busy."""
LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class RefusedError(Exception):
    """A request that gets this status instead of an answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class Access:
    """Who may ask: with the ``token`` (None: without), under these names of the laptop."""

    token: str | None = None
    hosts: frozenset[str] = field(default=LOOPBACK)

    def knows(self, token: str) -> bool:
        return self.token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def check(self, scope: Scope) -> None:
        """Raises :class:`RefusedError`: 400 for a foreign host, 403 without the token or for a foreign origin."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0], scope):
            raise RefusedError(400)
        cookies = cookie_parser("; ".join(headers.getlist("cookie")))
        if self.token is not None and not scope["path"].startswith(OPEN) and not self.knows(cookies.get(COOKIE, "")):
            raise RefusedError(403)
        if scope["method"] == "POST" and not _is_same_origin(headers):
            raise RefusedError(403)

    def _is_ours(self, host: str, scope: Scope) -> bool:
        name = _name_of(host)
        if name in self.hosts:
            return True
        server = scope.get("server") or ("",)
        return self.token is not None and name == server[0] and _is_address(name)  # as the phone reached us


def _name_of(host: str) -> str:
    """The name in a Host header: without the port, without brackets, in lower case."""
    name = host.rpartition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
    return name.lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_same_origin(headers: Headers) -> bool:
    """True unless a browser says that another site sends this; programs send no Origin."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
    same = origin is None or origin.partition("//")[2].lower() == headers["host"].lower()
    return same and site in ("same-origin", "none")


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
        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "private, no-cache")
            await send(message)

        self._under_way += 1
        try:
            body = await self._checked(scope, receive)
            await self.app(scope, _played_back(body, receive), guarded)
        except RefusedError as refused:
            if not begun:
                await self.refuse(Request(scope), refused.status)(scope, receive, guarded)
        finally:
            self._under_way -= 1

    async def _checked(self, scope: Scope, receive: Receive) -> bytes:
        """The body of a request that may pass; raises :class:`RefusedError`."""
        self.access.check(scope)
        if self._under_way > MOST_AT_ONCE:
            raise RefusedError(503)
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_ADDRESS:
            raise RefusedError(413)
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > MOST_BYTES:
            raise RefusedError(413)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                return await _read(receive)
        except TimeoutError:
            raise RefusedError(408) from None


async def _read(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MOST_BYTES:
            raise RefusedError(413)
    return body


def _played_back(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def play() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return play
