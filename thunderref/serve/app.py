"""The application: which address gives which page, and what goes wrong on the way."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from thunderref.errors import InputError, ThunderrefError
from thunderref.files import parse_json
from thunderref.serve import api
from thunderref.serve.api import LANGUAGES, PARAMETERS, TooMuchError, bounded, description, document_of
from thunderref.serve.battle import battle_page
from thunderref.serve.draw import odds_page, setup_page, tonight_page
from thunderref.serve.guard import (
    COOKIE,
    MOST_BYTES,
    RETRY_AFTER,
    Access,
    BusyError,
    Guard,
    SearchThreads,
    body_of,
)
from thunderref.serve.look import ask_page, look_up, rule_page
from thunderref.serve.page import Pages, Visitor, visitor_of
from thunderref.serve.score import score_page
from thunderref.serve.taps import MOST_TEXT, address
from thunderref.serve.tonight import Table
from thunderref.serve.village import village_page
from thunderref.text.language import Language

YEAR = 31_536_000
STATUSES = (400, 403, 404, 405, 408, 413, 422, 500, 503)
"""Statuses with a sentence of their own."""
MOST_FIELDS = 10
THORGAL = ("fight", "tiles", "rerolls", "go")
"""Parameters of the page of Thorgal."""
Handler = Callable[[Request], Awaitable[Response]]


Reader = Callable[[Language, Mapping[str, str]], object]
"""Makes a page (title, subtitle, blocks) of the parameters; raises :class:`ThunderrefError` where there is none."""


@dataclass
class Site:
    """What answers: the pages, the threads, the set-up on the table, who may ask, the language if nobody says.

    ``thorgal`` makes the page of that game, if there is one.
    """

    access: Access = field(default_factory=Access)
    threads: SearchThreads = field(default_factory=SearchThreads)
    table: Table = field(default_factory=Table)
    lang: str = "en"
    pages: Pages = field(default_factory=Pages)
    thorgal: Reader | None = None

    def visitor(self, request: Request) -> Visitor:
        return visitor_of(request, self.lang, self.table.now())

    # pages

    def tonight(self, request: Request) -> Response:
        visitor = self.visitor(request)
        thorgal = self.thorgal is not None
        return self.pages.respond("tonight.html", visitor, tab="tonight", thorgal=thorgal, **tonight_page(visitor))

    def card(self, request: Request) -> Response:
        visitor = self.visitor(request)
        template, parts = look_up(visitor, request.query_params.get("q", ""))
        return self._page(visitor, template, parts, tab="card", status=422 if parts.get("error") else 200)

    def rule(self, request: Request) -> Response:
        return self._looked_up(request, "rule.html", rule_page)

    def ask(self, request: Request) -> Response:
        return self._looked_up(request, "ask.html", ask_page)

    def resolve(self, request: Request) -> Response:
        visitor = self.visitor(request)
        parts = battle_page(visitor, request.query_params, self.threads)
        return self._page(visitor, "battle.html", parts, tab="resolve")

    def village(self, request: Request) -> Response:
        visitor = self.visitor(request)
        parts = village_page(visitor, request.query_params, self.threads)
        return self._page(visitor, "village.html", parts, tab="village")

    def score(self, request: Request) -> Response:
        visitor = self.visitor(request)
        parts = score_page(visitor, request.query_params)
        return self._page(visitor, "score.html", parts, tab="score")

    def setup(self, request: Request) -> Response:
        visitor = self.visitor(request)
        return self._page(visitor, "setup.html", setup_page(visitor, request.query_params), tab="tonight")

    def odds(self, request: Request) -> Response:
        visitor = self.visitor(request)
        parts = odds_page(visitor, request.query_params, self.threads)
        return self._page(visitor, "odds.html", parts, tab="resolve")

    def evening(self, request: Request) -> Response:
        """The game of Thorgal under way, or a fight in it."""
        if self.thorgal is None:
            raise HTTPException(404)
        visitor = self.visitor(request)
        asked = {name: text[:MOST_TEXT] for name, text in request.query_params.items() if name in THORGAL}
        parts: dict[str, Any] = {"page": None, "error": "", "asked": asked}
        try:
            parts["page"] = self.thorgal(visitor.words, asked)
        except ThunderrefError as error:
            parts |= {"error": visitor.words.error(error), "refused": bool(asked)}
        return self._page(visitor, "thorgal.html", parts, tab="tonight")

    def put(self, request: Request, code: str) -> Response:
        """Puts a set-up on the table, or with no code takes it off."""
        self.table.put(code or None)
        return self.pages.go(self.visitor(request), "/")

    def _page(
        self, visitor: Visitor, template: str, parts: Mapping[str, Any], *, tab: str, status: int = 200
    ) -> Response:
        if "go" in parts:
            return self.pages.go(visitor, parts["go"])
        if parts.get("refused"):
            status = 422
        shown = {key: value for key, value in parts.items() if key not in ("at", "refused")}
        response = self.pages.respond(template, visitor, status, tab=tab, shared=self.access.token is not None, **shown)
        return self.pages.finish(response, visitor, parts.get("at"))

    def _looked_up(self, request: Request, template: str, page: Callable[[Visitor, str], dict[str, Any]]) -> Response:
        visitor, query = self.visitor(request), request.query_params.get("q", "")
        if not query.strip():
            return self.pages.go(visitor, "/card")
        try:
            return self._page(visitor, template, page(visitor, query), tab="card")
        except ThunderrefError as error:
            parts = {"query": query, "groups": [], "found": [], "error": visitor.words.error(error)}
            return self._page(visitor, "cards.html", parts, tab="card", status=422)

    # everything else

    def document(self, name: str, query: QueryParams, body: bytes | None, lang: str) -> Response:
        """The JSON of a command, or its error with status 422."""
        now = None if query.get("any") else self.table.now()
        asker = api.Asker(api.words_of(lang, now), now, self.threads)
        found: Mapping[str, Any] = {}
        try:
            return JSONResponse(asker.answer(name, document_of(name, query) if body is None else _sent(body)))
        except api.PartlyError as partly:
            found, error = partly.document, partly.error
        except ThunderrefError as problem:
            error = problem
        return JSONResponse({**found, "error": error.document(asker.words.error(error)), **asker.mark}, 422)

    def refuse(self, request: Request, status: int) -> Response:
        """The page, or document, of a request that gets no answer."""
        headers = {"retry-after": RETRY_AFTER} if status == 503 else {}
        if request.scope["path"].startswith("/api/"):
            message = visitor_of(request, self.lang, None).words.say(_status_key(status))
            error = {"code": f"status-{status}", "message": message, "candidates": []}
            return JSONResponse({"error": error}, status, headers)
        visitor = visitor_of(request, self.lang, None)
        said = [
            (lang, api.words_of(lang).say(_status_key(status)))
            for lang in (LANGUAGES if status == 403 else [visitor.lang])
        ]
        response = self.pages.respond("refused.html", visitor, status, said=said, again=status == 503)
        response.headers.update(headers)
        return response


def _sent(body: bytes) -> dict[str, Any]:
    """The document of a request; raises :class:`InputError` if it is none, :class:`TooMuchError` if it is too long."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise InputError("unreadable-file", why="letters", file="-") from None
    document = bounded(parse_json(text, "-"))
    if not isinstance(document, dict):
        raise InputError("document-not-an-object")
    return document


def make_app(site: Site) -> ASGIApp:
    """The application behind its guard."""
    threads = site.threads

    def looks(answer: Callable[[Request], Response]) -> Handler:
        async def handle(request: Request) -> Response:
            return answer(request)

        return handle

    def searches(answer: Callable[[Request], Response]) -> Handler:
        async def handle(request: Request) -> Response:
            return await threads.search(answer, request, long=_is_long(threads, request.query_params.get("budget")))

        return handle

    async def document(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in PARAMETERS:
            raise HTTPException(404)
        query = request.query_params
        body = await body_of(request) if request.method == "POST" else None
        lang = query.get("lang", site.lang)
        lang = lang if lang in LANGUAGES else site.lang
        if name in api.SEARCHING:
            long = _is_long(threads, query.get("budget")) or b'"budget"' in (body or b"")
            return await threads.search(site.document, name, query, body, lang, long=long)
        return site.document(name, query, body, lang)

    async def put(request: Request) -> Response:
        sent = parse_qs((await body_of(request)).decode("ascii", "replace"), max_num_fields=MOST_FIELDS)
        return site.put(request, sent.get("code", [""])[0])

    async def enter(request: Request) -> Response:
        if not site.access.knows(request.path_params["token"]):
            raise HTTPException(403)
        to = local(request.query_params.get("to", "/"))
        visitor = visitor_of(request, site.lang, None)
        response = site.pages.respond("enter.html", visitor, to=to)
        response.set_cookie(COOKIE, site.access.token or "", max_age=86_400, httponly=True, samesite="strict")
        return response

    async def static(request: Request) -> Response:
        found = site.pages.static.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        headers = {"cache-control": f"public, max-age={YEAR}, immutable"}
        return Response(found.content, headers=headers, media_type=found.media)

    async def code(request: Request) -> Response:
        return _code(site, request)

    async def openapi(_: Request) -> Response:
        return JSONResponse(description())

    routes = [
        Route("/", looks(site.tonight)), Route("/card", looks(site.card)), Route("/rule", looks(site.rule)),
        Route("/ask", looks(site.ask)), Route("/score", looks(site.score)), Route("/setup", searches(site.setup)),
        Route("/resolve", searches(site.resolve)), Route("/village", searches(site.village)),
        Route("/odds", searches(site.odds)), Route("/thorgal", searches(site.evening)),
        Route("/tonight", put, methods=["POST"]), Route("/k/{token}", enter),
        Route("/static/{name}", static), Route("/qr", code), Route("/openapi.json", openapi),
        Route("/api/openapi.json", openapi), Route("/api/{name}", document, methods=["GET", "POST"]),
    ]  # fmt: skip

    async def refused(request: Request, error: Exception) -> Response:
        return site.refuse(request, _status_of(error))

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        yield
        threads.close()

    kinds: tuple[type[Exception], ...] = (HTTPException, BusyError, TooMuchError, ThunderrefError)
    app = Starlette(
        routes=routes, exception_handlers=dict.fromkeys(kinds, refused), lifespan=life, max_body_size=MOST_BYTES,
        middleware=[Middleware(GZipMiddleware, minimum_size=500)],
    )  # fmt: skip
    app.router.redirect_slashes = False
    return Guard(app, site.access, site.refuse)


def _code(site: Site, request: Request) -> Response:
    """The QR code of an address of this laptop, for another phone: as SVG, the token included."""
    import segno

    to = local(request.query_params.get("to", "/"))
    start = f"http://{request.headers['host']}"
    here = start + (address(f"/k/{site.access.token}", {"to": to}) if site.access.token else to)
    drawn = BytesIO()
    segno.make(here, micro=False, error="l").save(drawn, kind="svg", scale=4, border=4, light="white", nl=False)
    return Response(drawn.getvalue(), media_type="image/svg+xml")


def local(to: str) -> str:
    """The address if it is one of this server, else the first page."""
    is_ours = re.fullmatch(r"/(?![/\\]|k/)[!-~]{0,1000}", to)
    return to if is_ours else "/"


def _status_of(error: Exception) -> int:
    if isinstance(error, HTTPException):
        return error.status_code
    return {BusyError: 503, TooMuchError: 413}.get(type(error), 422)


def _status_key(status: int) -> str:
    return f"serve.status.{status if status in STATUSES else 400}"


def _is_long(threads: SearchThreads, budget: str | None) -> bool:
    try:
        return threads.is_long(None if not budget else float(budget))
    except ValueError:
        return False
