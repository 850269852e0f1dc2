"""Who may ask, and how much: the token, the host, the origin, sizes, numbers, headers."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from contextlib import suppress
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from thunderref.serve import app as application
from thunderref.serve import searches
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import HEADERS, Access, Guard
from thunderref.serve.searches import MOST_SECONDS, QueuedError, Searches, SearchesApart

from .conftest import TOKEN, Phone

PATHS = ("/", "/card?q=fireball", "/resolve", "/api/card?q=fireball", "/qr?to=/", "/openapi.json", "/nothing")


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_there_is_no_answer(phone: Phone, path: str) -> None:
    client = phone(token=TOKEN)
    assert client.get(path).status_code == 403
    assert client.get(path, headers={"cookie": "k=wrong"}).status_code == 403
    assert client.get(f"/k/wrong?to={path}").status_code == 403
    assert "Fireball" not in client.get(path).text


def test_the_page_without_the_token_speaks_three_languages(phone: Phone) -> None:
    page = phone(token=TOKEN).get("/").text
    assert all(word in page for word in ("scan the QR code", "Zeskanuj", "Отсканируйте"))
    assert "<a href" not in page  # every other page would say the same


def test_the_link_of_the_qr_code_gives_the_token_and_leads_on(phone: Phone) -> None:
    """It answers 200: a strict cookie is not sent on a redirect that began on another site."""
    client = phone(token=TOKEN)
    answer = client.get(f"/k/{TOKEN}?to=/card%3Fq=fireball")
    assert answer.status_code == 200
    assert 'http-equiv="refresh" content="0;url=/card?q=fireball"' in answer.text
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/card?q=fireball").status_code == 200


@pytest.mark.parametrize(
    "to", ["//evil.example", "https://evil.example", "/\\evil.example", "/k/x", "x", "/ż", "/\r\nx"]
)
def test_it_leads_nowhere_else(phone: Phone, to: str) -> None:
    page = phone(token=TOKEN).get(f"/k/{TOKEN}", params={"to": to}).text
    assert 'content="0;url=/"' in page


def test_no_link_leads_to_another_site(phone: Phone) -> None:
    """What begins with two strokes would be the name of a site."""
    assert 'href="//' not in phone().get("//evil.example/x").text


def test_a_page_may_be_handed_over_as_a_qr_code(phone: Phone) -> None:
    client = phone(token=TOKEN)
    client.get(f"/k/{TOKEN}")
    assert client.get("/qr?to=/resolve%3Fhand=torch").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "[::2]", "", "192.168.1.9"]
)
def test_a_foreign_host_is_refused(phone: Phone, host: str) -> None:
    assert phone().get("/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST:1", "[::1]:8765"])
def test_our_own_names_are_not(phone: Phone, host: str) -> None:
    assert phone().get("/", headers={"host": host}).status_code == 200


def test_under_lan_the_address_that_was_reached_is_our_own() -> None:
    app = make_app(Site(Access(TOKEN)))
    assert isinstance(app, Guard)
    for server, host, status in (
        ("192.168.1.9", "192.168.1.9:8765", 200), ("fe80::1", "[fe80::1]:8765", 200),
        ("192.168.1.9", "192.168.1.8", 400), ("192.168.1.9", "evil.example", 400), ("fe80::1", "[fe80::2]", 400),
    ):  # fmt: skip
        url = f"http://{f'[{server}]' if ':' in server else server}:8765"
        client = TestClient(app, base_url=url, cookies={"k": TOKEN})
        assert client.get("/score", headers={"host": host, "cookie": f"k={TOKEN}"}).status_code == status
    client = TestClient(make_app(Site(Access())), base_url="http://192.168.1.9:8765")
    assert client.get("/score").status_code == 400, "without a token only this machine asks"


def test_another_site_changes_nothing(phone: Phone) -> None:
    client = phone()
    for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert client.post("/tonight", data={"code": ""}, headers=headers).status_code == 403
    assert client.get("/setup?code=37MFZLY8JVG3GH7").status_code == 200
    assert client.post("/tonight", data={"code": ""}, headers={"origin": "http://127.0.0.1:8765"}).status_code == 303


@pytest.mark.parametrize("path", [*PATHS, "/resolve?hand=torch", "/k/x"])
def test_every_answer_has_its_headers(phone: Phone, path: str) -> None:
    answer = phone().get(path)
    assert {name: answer.headers[name] for name in HEADERS} == dict(HEADERS)
    assert "no-store" not in answer.headers["cache-control"]
    assert "server" not in answer.headers


def test_static_files_are_kept_for_a_year_under_the_name_of_what_they_hold(phone: Phone) -> None:
    client = phone(token=TOKEN)
    page = client.get("/").text
    for ending in ("css", "js", "svg"):
        name = page.split(f'.{ending}"')[0].rpartition('"')[2] + f".{ending}"
        answer = client.get(name)
        assert "immutable" in answer.headers["cache-control"]
        assert answer.status_code == 200
    assert client.get("/static/style.css").status_code == 404
    assert client.get("/static/../app.py").status_code in (403, 404)


def test_too_much_is_refused(phone: Phone) -> None:
    client = phone()
    assert client.get("/card", params={"q": "x" * 9_000}).status_code == 413
    assert client.get("/api/card", params={"q": "x" * 3_000}).status_code == 413
    assert client.post("/api/resolve", content=b" " * 70_000).status_code == 413
    assert client.post("/api/resolve", content=iter([b" " * 40_000] * 2)).status_code == 413
    assert client.post("/api/score", json={"players": {"Ann": ["torch"] * 400}}).status_code == 413
    assert client.get("/resolve", params={"hand": ",".join(["torch"] * 400)}).status_code == 413


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/"), ("PUT", "/api/card"), ("GET", "/tonight"), ("DELETE", "/card")]
)
def test_other_methods_are_refused(phone: Phone, method: str, path: str) -> None:
    assert phone().request(method, path).status_code == 405


def test_an_unforeseen_mistake_shows_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(application, "lookup_page", broken)
    with TestClient(make_app(Site()), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        answer = client.get("/card?q=x")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["content-security-policy"]


def test_a_busy_laptop_says_when_to_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(*_: Any, **__: Any) -> None:
        raise HTTPException(503)

    monkeypatch.setattr(Searches, "search", busy)
    with TestClient(make_app(Site()), base_url="http://127.0.0.1") as client:
        page, document = client.get("/resolve"), client.get("/api/resolve")
        assert client.get("/card?q=torch").status_code == 200
    assert (page.status_code, document.status_code) == (503, 503)
    assert page.headers["retry-after"] == document.headers["retry-after"] == "1"
    assert 'http-equiv="refresh"' in page.text


def test_a_page_that_waits_for_its_turn_says_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def queued(*_: Any, asks_again: str, **__: Any) -> None:
        assert "/resolve?hand=torch" in asks_again
        raise QueuedError(4)

    monkeypatch.setattr(Searches, "search", queued)
    with TestClient(make_app(Site()), base_url="http://127.0.0.1") as client:
        page = client.get("/resolve?hand=torch")
    assert page.status_code == 202
    assert "<h1>Your search waits</h1>" in page.text
    assert "Place in the queue: 5." in page.text
    assert 'http-equiv="refresh"' in page.text


def test_searches_wait_in_one_queue_in_which_phones_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more at once than there are processes; who asks again keeps the place that was told."""
    monkeypatch.setattr(searches, "QUEUE_SECONDS", 0.05)
    monkeypatch.setattr(searches, "AT_ONCE", 1)
    order = list[str]()

    async def ask() -> int:
        apart = SearchesApart()

        async def search(phone: str, seconds: float = 0.0) -> None:
            await apart.search(time.sleep, seconds, phone=phone)
            order.append(phone)

        try:
            tasks = [asyncio.create_task(search("Ann", 1.0))]
            await asyncio.sleep(0.01)
            with pytest.raises(QueuedError) as first:
                await apart.search(time.sleep, 0, asks_again="Bob's")
            tasks += [asyncio.create_task(search(phone)) for phone in ("Ann", "Ann", "Cy")]
            await asyncio.sleep(0.01)
            with pytest.raises(QueuedError) as again:
                await apart.search(time.sleep, 0, asks_again="Bob's")
            with pytest.raises(QueuedError) as last:
                await apart.search(time.sleep, 0, asks_again="another's")
            await asyncio.gather(*tasks)
            return first.value.before + again.value.before * 10 + last.value.before * 100
        finally:
            apart.close()

    assert asyncio.run(ask()) == 200, "another's is before the second search of one phone"
    assert order == ["Ann", "Ann", "Cy", "Ann"]


def test_a_search_ends_when_its_phone_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "GRACE", 0.05)
    monkeypatch.setattr(searches, "AT_ONCE", 1)

    async def ask() -> float:
        apart = SearchesApart()
        try:
            await apart.search(os.getpid)
            left = asyncio.create_task(apart.search(time.sleep, 60))
            await asyncio.sleep(0.1)
            begun = time.monotonic()
            left.cancel()
            await apart.search(os.getpid)
            return time.monotonic() - begun
        finally:
            apart.close()

    assert asyncio.run(ask()) < 30


def test_a_process_that_ended_between_two_searches_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "AT_ONCE", 1)

    async def ask() -> tuple[int, int]:
        apart = SearchesApart()
        try:
            first = await apart.search(os.getpid)
            (child,) = (each for each in multiprocessing.active_children() if each.pid == first)
            child.kill()
            await asyncio.sleep(0.5)
            with suppress(HTTPException):  # a pool that has not noticed yet says so with the first search
                return first, await apart.search(os.getpid)
            return first, await apart.search(os.getpid)
        finally:
            apart.close()

    first, second = asyncio.run(ask())
    assert first != second


def test_a_search_has_a_process_of_its_own_and_another_follows_a_dead_one() -> None:
    async def ask() -> tuple[int, int, int]:
        apart = SearchesApart()
        try:
            here = await apart.search(os.getpid)
            with pytest.raises(HTTPException) as caught:
                await apart.search(os._exit, 1)  # as if the system had ended it
            return here, caught.value.status_code, await apart.search(os.getpid)
        finally:
            apart.close()

    first, status, second = asyncio.run(ask())
    assert status == 503
    assert len({first, second, os.getpid()}) == 3


def test_nobody_asks_for_more_time_than_there_is() -> None:
    threads = Searches(2.0)
    assert threads.seconds_of(None) == 2.0
    assert threads.seconds_of(5.0) == 5.0
    assert threads.seconds_of(1e9) == MOST_SECONDS
    assert Searches(None).seconds_of(3.0) == 3.0
