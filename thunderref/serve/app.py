"""The application: which address gives which page, and what goes wrong on the way."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from io import BytesIO
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qs, quote

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from thunderref.database.read import FALLBACK
from thunderref.errors import InputError, NoAnswerError, ThunderrefError, unreadable
from thunderref.files import parse_json
from thunderref.serve import api, guard
from thunderref.serve.evening import answers_to, change, changes, code_to_put_back, sheet_page
from thunderref.serve.guard import MOST_BYTES, Access, Guard, body_of
from thunderref.serve.searches import QueuedError, Searches
from thunderref.serve.tapped_pages import MOST_NAME, battle_page, puzzle_page, score_page, village_page
from thunderref.serve.tiles import SharedSetup
from thunderref.serve.typed_pages import (
    ask_page,
    lookup_page,
    odds_page,
    rule_page,
    setup_page,
    tonight_page,
    turn_page,
)
from thunderref.serve.visitor import HOURS_AT, ME, Pages, Parts, Visitor, address, remember, visitor_of
from thunderref.thunderstone.setup.memory import Tonight
from thunderref.thunderstone.table.evening import require_no_evening

YEAR = 31_536_000
MOST_FIELDS = 100


class Endpoint(NamedTuple):
    """The answer of an address: the parts of its page (or ``go``, another address), its template and its tab."""

    parts: Callable[[Visitor, QueryParams], Parts]
    template: str
    tab: str
    searches: bool = False


def _thorgal_page(visitor: Visitor, query: QueryParams) -> Parts:
    from thunderref.serve.thorgal import thorgal_page

    return thorgal_page(visitor, query)


@dataclass
class Site:
    """The site: the pages, the searches, the set-up on the table, who may ask, the language if nobody says."""

    access: Access = field(default_factory=Access)
    threads: Searches = field(default_factory=Searches)
    table: SharedSetup = field(default_factory=SharedSetup)
    lang: str = FALLBACK
    pages: Pages = field(default_factory=Pages)
    followers: int = 0

    def __post_init__(self) -> None:
        self.answers: Mapping[str, Endpoint] = {
            "/": Endpoint(tonight_page, "tonight.html", "tonight"),
            "/help": Endpoint(lambda *_: {}, "help.html", "tonight"),
            "/card": Endpoint(lookup_page, "page.html", "card"),
            "/rule": Endpoint(rule_page, "page.html", "card"),
            "/ask": Endpoint(ask_page, "page.html", "card"),
            "/score": Endpoint(score_page, "score.html", "score"),
            "/evening": Endpoint(sheet_page, "sheet.html", "score"),
            "/setup": Endpoint(setup_page, "setup.html", "tonight", searches=True),
            "/resolve": Endpoint(battle_page, "battle.html", "resolve", searches=True),
            "/village": Endpoint(village_page, "village.html", "village", searches=True),
            "/odds": Endpoint(odds_page, "form.html", "resolve", searches=True),
            "/turn": Endpoint(turn_page, "form.html", "resolve", searches=True),
            "/puzzle": Endpoint(puzzle_page, "puzzle.html", "tonight", searches=True),
            "/thorgal": Endpoint(_thorgal_page, "thorgal.html", "tonight", searches=True),
        }

    @property
    def apart(self) -> Apart:
        return Apart(self.lang, self.threads.seconds, self.access.shared, self.table.keeps, self.table.now())

    def visitor(self, request: Request, *, sits: bool = True) -> Visitor:
        """Return the visitor who asks; unless they sit at the table, it counts for nothing."""
        now = self.table.now() if sits else None
        return visitor_of(request, self.lang, now, self.threads, keeps=self.table.keeps)

    def page(self, request: Request) -> Response:
        visitor, answer = self.visitor(request), self.answers[request.scope["path"]]
        return self.show(visitor, answer, answer.parts(visitor, request.query_params))

    def show(self, visitor: Visitor, answer: Endpoint, parts: Parts) -> Response:
        if "go" in parts:
            return self.pages.go(visitor, parts["go"])
        template, seen = parts.pop("template", answer.template), parts.pop("at", None)
        if seen is not None:  # the tabs lead to what is shown
            visitor = replace(visitor, at={**visitor.at, **seen})
        status = 422 if parts.pop("refused", False) else 200
        parts |= {"phones": self.access.token is not None, "shared": self.access.shared}
        response = self.pages.respond(template, visitor, status, tab=answer.tab, **parts)
        return self.pages.finish(response, visitor, changed=seen is not None)

    def document(self, name: str, query: QueryParams, body: bytes | None, lang: str) -> Response:
        """The JSON of a command, or its error with status 422."""
        now = None if query.get("any") else self.table.now()
        asker = api.Asker(lang, now, self.threads, self.table.keeps)
        answer: dict[str, Any] = {}
        error: ThunderrefError | None = None
        try:
            answer, error = asker.answer(
                name, api.document_of(name, query, asker.words) if body is None else _read_sent(body)
            )
        except ThunderrefError as problem:
            error = problem
        if error is not None:
            answer["error"] = error.document(asker.words.error(error))
        return JSONResponse({**answer, "tonight": now and now.code}, 422 if error else 200)

    def change(self, request: Request, sent: Mapping[str, list[str]]) -> Response:
        """Adds to the evening; the page that follows, or the sentence that says why not (422)."""
        visitor = self.visitor(request)
        if not visitor.keeps:
            raise InputError("no-tonight")
        if sent.get("do") == ["me"]:
            response = self.pages.go(visitor, "/")
            remember(response, ME, quote(sent.get("name", [""])[0][:MOST_NAME]), HOURS_AT * 3_600)
            return response
        try:
            to = local_address(change(visitor, sent))
        except ThunderrefError as error:
            return self.ask_back(visitor, error, "/evening", sent)
        if to == "/":
            visitor = replace(visitor, at={key: text for key, text in visitor.at.items() if key == "score"})
        return self.pages.finish(self.pages.go(visitor, to), visitor, changed=to == "/")

    def ask_back(
        self, visitor: Visitor, error: ThunderrefError, path: str, sent: Mapping[str, Sequence[str]]
    ) -> Response:
        """Return the page that says why not, with buttons to do it after all where that is allowed."""
        sentence = visitor.words.error(error, on_page=True)
        if sent.get("do") == ["correct"] and "to" in sent:  # the page of the correction, with what was typed
            visitor = replace(visitor, here=where_from(sent))
            parts = sheet_page(visitor, QueryParams(visitor.here.partition("?")[2]))
            of, typed = (sent.get(name, [""])[0] for name in ("of", "more"))
            parts |= {"mistake": (of, sentence), "typed": typed, "refused": True}
            return self.show(visitor, self.answers["/evening"], parts)
        if error.code == "evening-moved" or "field" in error.params:
            parts, field = tonight_page(visitor, QueryParams()), error.params.get("field")
            parts |= {"notice": sentence} if field is None else {"mistake": (field, sentence)}
            parts |= {"typed_names": sent.get("players", ()), "refused": True}
            return self.show(visitor, self.answers["/"], parts)
        if error.code == "evening-other-hall":  # then the hall is told before the battle, which comes again
            to = address("/resolve", hand=sent.get("hand", ()), deck=sent.get("deck", ()))
            sent = {"do": ["hall"], "to": [to], **{key: sent[key] for key in ("seen", "hall") if key in sent}}
        fields = [(key, value) for key, values in sent.items() for value in values]
        form = {"path": path, "fields": fields, "answers": answers_to(visitor, error, sent)}
        drawn = address("/resolve", hall=sent.get("hall", ()), hand=sent.get("hand", ()), pane="deck")
        parts = {
            "said": [(visitor.lang, sentence)], "again": False, "form": form, "back": where_from(sent),
            "drawn": drawn if error.code == "evening-draw" else "",
        }  # fmt: skip
        parts |= {} if form["answers"] else {"title": "serve.not-kept"}
        return self.pages.respond("refused.html", visitor, 422, **parts)

    def refuse(self, request: Request, status: int, place: int = 0) -> Response:
        """Return the page, or document, of a request that gets no answer, or none yet: its ``place`` in the queue."""
        headers = {"retry-after": guard.RETRY_AFTER} if status == 503 else {}
        visitor = self.visitor(request, sits=False)
        key = "serve.queue" if place else f"serve.status.{status if status in api.STATUSES else 400}"
        if request.scope["path"].startswith(("/api/", "/q")) and request.scope["path"] != "/qr":
            error = {"code": f"status-{status}", "message": visitor.words.say(key), "candidates": []}
            return JSONResponse({"error": error}, status, headers)
        spoken = api.languages() if status == 403 else [visitor.lang]
        parts: Parts = {"said": [(lang, api.words_of(lang).say(key, n=place)) for lang in spoken]}
        parts |= {"again": status in (202, 503)} | ({"title": "serve.waits"} if place else {})
        response = self.pages.respond("refused.html", visitor, status, **parts)
        response.headers.update(headers)
        return response


def where_from(sent: Mapping[str, Sequence[str]]) -> str:
    """The address of the cards that a tap was about, or that it continues with."""
    if "to" in sent:
        return local_address(sent["to"][0])
    path = {"battle": "/resolve", "visit": "/village", "rest": "/village"}.get("".join(sent.get("do", ())), "/")
    return address(path, hand=sent.get("hand", ()), pane="hand" if "hand" in sent else "")


class Apart(NamedTuple):
    """The part of the site that a searching process needs to know."""

    lang: str
    seconds: float | None
    shared: bool
    keeps: bool
    now: Tonight | None


AnswerKind = Literal["page", "document", "change"]
Sent = tuple[int, list[tuple[bytes, bytes]], bytes]
"""Status, headers and body of a response, on its way from another process."""


def answer_apart(settings: Apart, kind: AnswerKind, arguments: tuple[Any, ...]) -> Sent:
    """A page, or a document, made in a process that searches."""
    site = _site_apart(*settings[:4])
    site.table.pinned = settings.now
    try:
        response = _answered(site, kind, arguments)
    except ThunderrefError:  # as the application does with what no page foresees
        response = site.refuse(Request(arguments[0]), 422)
    return response.status_code, response.raw_headers, bytes(response.body)


def _answered(site: Site, kind: AnswerKind, arguments: tuple[Any, ...]) -> Response:
    """Return the page for a request's scope, or a document, which holds its errors."""
    if kind == "change":
        return site.change(Request(arguments[0]), arguments[1])
    return site.page(Request(*arguments)) if kind == "page" else site.document(*arguments)


@cache
def _site_apart(lang: str, seconds: float | None, shared: bool, keeps: bool) -> Site:
    table = SharedSetup(remembers=False, keeps=keeps)
    return Site(Access("-" if shared else None), Searches(seconds), table, lang)


def _read_sent(body: bytes) -> dict[str, Any]:
    """The document of a request; raises :class:`InputError` if it is none, HTTPException (413) if too long."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise unreadable("-", error) from None
    document = api.check_size(parse_json(text, "-"))
    if not isinstance(document, dict):
        raise InputError("document-not-an-object")
    return document


def make_app(site: Site) -> ASGIApp:
    """The application behind its guard."""
    threads = site.threads

    async def searched(
        request: Request, kind: AnswerKind, arguments: tuple[Any, ...], *, long: bool = False, asks_again: str = ""
    ) -> Response:
        phone = request.client.host if request.client else ""
        options: dict[str, Any] = {"long": long, "phone": phone, "asks_again": asks_again and phone + asks_again}
        if not threads.apart:
            return await threads.search(_answered, site, kind, arguments, **options)
        search = asyncio.ensure_future(threads.search(answer_apart, site.apart, kind, arguments, **options))
        if kind != "change":  # which is to be kept even if the phone sleeps by now
            leaving = asyncio.ensure_future(_disconnected(request))
            await asyncio.wait((search, leaving), return_when=asyncio.FIRST_COMPLETED)
            leaving.cancel()
            if not search.done():
                search.cancel()
                return Response(status_code=204)  # nobody reads it
        status, headers, body = await search
        response = Response(body, status)
        response.raw_headers = headers
        return response

    async def page(request: Request) -> Response:
        if not site.answers[request.scope["path"]].searches:
            return site.page(request)
        scope = {name: request.scope[name] for name in ("type", "method", "path", "query_string", "headers")}
        long, address_asked = threads.is_long(request.query_params.get("budget")), f" {request.url}"
        try:
            return await searched(request, "page", (scope,), long=long, asks_again=address_asked)
        except QueuedError as queued:
            return site.refuse(request, 202, queued.before + 1)

    async def document(request: Request) -> Response:
        name = request.path_params.get("name", "q")
        if name not in api.parameters():
            raise HTTPException(404)
        query = request.query_params
        body = await body_of(request) if request.method == "POST" else None
        lang = query.get("lang", site.lang)
        lang = lang if lang in api.languages() else site.lang
        if name in api.SEARCHING:
            long = threads.is_long(query.get("budget")) or b'"budget"' in (body or b"")
            return await searched(request, "document", (name, query, body, lang), long=long)
        return site.document(name, query, body, lang)

    async def put(request: Request) -> Response:
        sent = await form_of(request)
        code, before = sent.get("code", [""])[0], site.table.now()
        if site.table.keeps and before is not None and code != before.code and "sure" not in sent:
            try:
                require_no_evening(before)
            except NoAnswerError as error:
                return site.ask_back(site.visitor(request), error, "/tonight", sent)
        site.table.put(code or None)  # no code takes the set-up off the table
        to = "/" if code or before is None else address("/", back=before.code)
        return site.pages.go(site.visitor(request), to)

    async def evening(request: Request) -> Response:
        sent = await form_of(request)
        scope = {name: request.scope[name] for name in ("type", "method", "path", "query_string", "headers")}
        answer = await searched(request, "change", (scope, sent))
        if sent.get("do") == ["undo"] and (code := code_to_put_back(site.table.now())):
            site.table.put(code)
        return answer

    async def events(request: Request) -> Response:
        if site.followers >= guard.MOST_AT_ONCE:
            raise HTTPException(503)

        async def stream() -> AsyncIterator[str]:
            site.followers += 1
            try:
                async for event in changes():
                    yield event
            finally:
                site.followers -= 1

        return StreamingResponse(stream(), media_type="text/event-stream")

    async def play(request: Request) -> Response:
        from thunderref.serve.thorgal import play_thorgal

        sent = await form_of(request)
        visitor = site.visitor(request)
        return site.show(visitor, site.answers["/thorgal"], play_thorgal(visitor, {k: v[0] for k, v in sent.items()}))

    async def enter(request: Request) -> Response:
        if not site.access.knows(request.path_params["token"]):
            raise HTTPException(403)
        to = local_address(request.query_params.get("to", "/"))
        visitor = site.visitor(request, sits=False)
        response = site.pages.respond("enter.html", visitor, to=to)
        response.set_cookie(guard.COOKIE, site.access.token or "", max_age=86_400, httponly=True, samesite="strict")
        return response

    async def static(request: Request) -> Response:
        if request.path_params["name"] not in site.pages.static:
            raise HTTPException(404)
        content, media = site.pages.static[request.path_params["name"]]
        return Response(content, headers={"cache-control": f"public, max-age={YEAR}, immutable"}, media_type=media)

    async def code(request: Request) -> Response:
        """The QR code of an address of this laptop, for another phone: as SVG, the token included."""
        import segno

        to, drawn = local_address(request.query_params.get("to", "/")), BytesIO()
        start = site.access.start or f"http://{request.headers['host']}"
        here = start + (address(f"/k/{site.access.token}", to=to) if site.access.token else to)
        segno.make(here, micro=False, error="l").save(drawn, kind="svg", scale=4, border=4, light="white", nl=False)
        return Response(drawn.getvalue(), media_type="image/svg+xml")

    async def openapi(_: Request) -> Response:
        return JSONResponse(api.description())

    routes = [
        *(Route(path, page) for path in site.answers),
        Route("/tonight", put, methods=["POST"]), Route("/evening", evening, methods=["POST"]),
        Route("/thorgal", play, methods=["POST"]), Route("/events", events), Route("/k/{token}", enter),
        Route("/static/{name}", static), Route("/qr", code), Route("/openapi.json", openapi),
        Route("/api/openapi.json", openapi), Route("/api/{name}", document, methods=["GET", "POST"]),
        Route("/q", document),
    ]  # fmt: skip

    async def refused(request: Request, error: Exception) -> Response:
        return site.refuse(request, getattr(error, "status_code", 422))

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        yield
        threads.close()

    app = Starlette(
        routes=routes, exception_handlers={HTTPException: refused, ThunderrefError: refused}, lifespan=life,
        max_body_size=MOST_BYTES, middleware=[Middleware(GZipMiddleware, minimum_size=500)],
    )  # fmt: skip
    app.router.redirect_slashes = False
    return Guard(app, site.access, site.refuse)


async def _disconnected(request: Request) -> None:
    """Return once the phone no longer waits for the answer."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def form_of(request: Request) -> dict[str, list[str]]:
    """The fields of a form that was sent; raises :class:`HTTPException` (413) for too many."""
    try:
        text = (await body_of(request)).decode("utf-8", "replace")
        return parse_qs(text, max_num_fields=MOST_FIELDS, keep_blank_values=True)
    except ValueError:
        raise HTTPException(413) from None


def local_address(to: str) -> str:
    """The address if it is one of this server, else the first page."""
    is_ours = re.fullmatch(r"/(?![/\\]|k/)[!-~]{0,1000}", to)
    return to if is_ours else "/"
