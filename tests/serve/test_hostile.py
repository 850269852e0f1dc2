"""Hostile requests: no 500, no markup given back, no answer without the token, nothing that takes long."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from support.hostile import NASTY
from thunderref.serve.api import parameters
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup

from .conftest import CODE, TOKEN

COUNT = 5_000
SECONDS = 8.0
"""A request that takes longer stalls the laptop."""
MARKUP = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'\"><svg/onload=alert(1)>",
    "{{7*7}}",
    "{% raw %}",
)
_PAGES = "/ /card /rule /ask /setup /resolve /village /odds /score /puzzle /qr /tonight /k/x /static/x /openapi.json"
_ODD = "/.. /%2e%2e/etc/passwd //evil.example /api/..%2f /resolve/ /ż /%00 /%ff /api/nothing"
PATHS = (*_PAGES.split(), *_ODD.split(), *(f"/api/{name}" for name in parameters()))
_KEYS = (
    "q hand hall pane rest budget add drop undo type to xp p at player lang theme code players set seed monsters limit "
    "deck_list samples deck stacks why_not reading target require exclude first_game after reroll lock penalty"
)
KEYS = tuple(_KEYS.split())
NAMES = (
    "militia",
    "torch",
    "2 militia",
    "elf",
    "nixie",
    "griffon,blink-dog",
    "-",
    "999 torch",
    "militia#2",
    "horde",
    "Ann:griffon",
)
_HEADERS = (
    "cookie accept-language origin sec-fetch-site referer x-forwarded-for x-forwarded-host forwarded content-type "
    "range if-none-match accept-encoding content-length transfer-encoding expect upgrade"
)
HEADERS = tuple(_HEADERS.split())


def value(dice: random.Random) -> str:
    kind = dice.random()
    if kind < 0.3:
        return dice.choice(MARKUP)
    if kind < 0.6:
        return dice.choice(NAMES)
    if kind < 0.7:
        return ",".join(dice.choice(NAMES) for _ in range(dice.randint(1, 30)))
    if kind < 0.8:
        return "".join(
            chr(dice.choice((dice.randint(1, 0x2FF), dice.randint(0x400, 0xD7FF)))) for _ in range(dice.randint(1, 60))
        )
    return str(dice.choice(NASTY))


def sent(dice: random.Random, depth: int = 0) -> Any:
    kind = dice.random()
    if kind < 0.4 or depth > 4:
        return value(dice).encode("utf-8", "replace").decode()
    if kind < 0.6:
        return dice.choice((None, True, False, 0, -1, 1e308, 10**14, 3.5, 2, 5))
    if kind < 0.8:
        return [sent(dice, depth + 1) for _ in range(dice.randint(0, 6))]
    return {
        dice.choice((*KEYS, "players", "plan", "others", "readings", "<b>")): sent(dice, depth + 1)
        for _ in range(dice.randint(0, 5))
    }


def query(dice: random.Random) -> str:
    pairs = ((dice.choice(KEYS), value(dice)) for _ in range(dice.randint(0, 6)))
    written = "&".join(f"{key}={quote(text.encode('utf-8', 'surrogateescape'))}" for key, text in pairs)
    return (
        written if dice.random() < 0.9 else written + dice.choice(("&%", "&%zz=1", "&&&", "&=", "&a[]=1", "&%ff=%fe"))
    )


def header(dice: random.Random) -> tuple[str, bytes]:
    return dice.choice(HEADERS), value(dice).encode("utf-8", "replace").replace(b"\0", b"").replace(b"\r", b"").replace(
        b"\n", b""
    )


@pytest.fixture(scope="module", params=[None, TOKEN], ids=["loopback", "lan"])
def client(request: pytest.FixtureRequest) -> Iterator[TestClient]:
    site = Site(Access(request.param), Searches(1.0), SharedSetup(remembers=False))
    site.table.put(CODE)
    with TestClient(
        make_app(site), base_url="http://127.0.0.1", follow_redirects=False, raise_server_exceptions=False
    ) as made:
        yield made


def run(client: TestClient, seed: int, count: int) -> Iterator[str]:
    dice = random.Random(seed)
    for number in range(count):
        path = dice.choice(PATHS)
        method = dice.choice(("GET", "GET", "GET", "POST", "HEAD", "PUT", "OPTIONS", "TRACE"))
        headers = dict(header(dice) for _ in range(dice.choice((0, 0, 1, 3))))
        host = dice.choice(("127.0.0.1", "127.0.0.1", "127.0.0.1", "evil.example", "127.0.0.1@evil.example"))
        content: bytes | None = None
        if method in ("POST", "PUT"):
            content = json.dumps(sent(dice)).encode() if dice.random() < 0.7 else value(dice).encode("utf-8", "replace")
        address = f"{path}?{query(dice)}"
        begun = time.monotonic()
        client.cookies.clear()
        answer = client.request(method, address, headers={**headers, "host": host}, content=content)
        took = time.monotonic() - begun
        told = f"{seed}/{number}: {method} {address} {headers} {content!r}: {answer.status_code}"
        if answer.status_code >= 500 and answer.status_code != 503:
            yield told
        if took > SECONDS:
            yield f"{took:.1f} s {told}"
        if re.search(r"<(script>|img src=x|svg/onload)", answer.text) and "json" not in answer.headers["content-type"]:
            yield f"markup {told}"
        if "Traceback" in answer.text or "content-security-policy" not in answer.headers:
            yield f"unguarded {told}"
        if host != "127.0.0.1" and answer.status_code != 400:
            yield f"foreign host {told}"


def check(client: TestClient, seed: int, count: int) -> None:
    wrong = list(run(client, seed, count))
    assert not wrong, "\n".join(wrong[:10])


def test_a_few_hostile_requests(client: TestClient) -> None:
    check(client, 0, 150)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_hostile_requests(client: TestClient, seed: int) -> None:
    check(client, seed, COUNT // 5)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_answered_without_the_token(seed: int) -> None:
    dice, site = random.Random(seed), Site(Access(TOKEN), Searches(1.0))
    with TestClient(make_app(site), base_url="http://127.0.0.1", follow_redirects=False) as client:
        for _ in range(60):
            path = dice.choice([path for path in PATHS if not path.startswith("/static/")])
            answer = client.get(f"{path}?{query(dice)}", headers={"cookie": f"k={dice.choice(('', 'x', TOKEN[:-1]))}"})
            assert answer.status_code == 403, path
            assert 'class="tile' not in answer.text
            assert "<article" not in answer.text
