"""What stands before every page: who may ask, how much at once, and what browsers may do with it."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
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
"""Length of a request body; a longer one is answered 413."""
MOST_ADDRESS = 8_192
"""Length of an address, its path and query together."""
MOST_AT_ONCE = 100
"""Requests answered at once."""
BODY_SECONDS = 10.0
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


@dataclass(frozen=True)
class Access:
    """The rule for who may ask: with the ``token`` (None: without), under these names of the laptop.

    ``start``: how the addresses that others scan begin, None for the name under which somebody asks.
    """

    token: str | None = None
    hosts: frozenset[str] = LOOPBACK
    start: str | None = None

    @property
    def shared(self) -> bool:
        """True if another phone can scan an address of this one."""
        return self.token is not None or self.start is not None

    def knows(self, token: str) -> bool:
        return self.token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def admits(self, scope: Scope) -> bool:
        """False without the token, and for what another site sends."""
        headers = Headers(scope=scope)
        cookies = cookie_parser("; ".join(headers.getlist("cookie")))
        may_enter = self.token is None or scope["path"].startswith(OPEN) or self.knows(cookies.get(COOKIE, ""))
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")  # programs send neither
        is_ours = origin is None or origin.partition("//")[2].lower() == headers["host"].lower()
        return may_enter and (scope["method"] != "POST" or (is_ours and site in ("same-origin", "none")))


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
            extra_hosts = [f"[{reached}]" if ":" in reached else reached] if self.access.token else []
            trusted = TrustedHostMiddleware(self.answer, [*self.access.hosts, *extra_hosts], www_redirect=False)
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


async def body_of(request: Request) -> bytes:
    """The body of a request; raises :class:`HTTPException` (408) if it does not come in time."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.body()
    except TimeoutError:
        raise HTTPException(408) from None
