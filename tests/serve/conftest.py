"""A site for the tests, and a phone that asks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from starlette.testclient import TestClient

from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup

CODE = "37MFZLY8JVG3GH7"
"""The first game of the base box for four players."""
TOKEN = "a-token-of-the-tests"
Phone = Callable[..., TestClient]


@pytest.fixture
def phone() -> Iterator[Phone]:
    """Makes a phone; with ``code`` that set-up is on the table, with ``token`` the site asks for it."""
    begun = list[TestClient]()

    def make(code: str | None = CODE, token: str | None = None, lang: str = "en") -> TestClient:
        site = Site(Access(token), Searches(None), SharedSetup(remembers=False), lang=lang)
        site.table.put(code)
        client = TestClient(make_app(site), base_url="http://127.0.0.1:8765", follow_redirects=False)
        begun.append(client.__enter__())
        return client

    yield make
    for client in begun:
        client.__exit__(None, None, None)
