"""Evenings of random games, told by commands and by phones in turn, and followed by the oracle card by card.

THUNDERREF_EXAMPLES as in test_oracle.py; the 200 evenings of the thorough run take some quarter of an hour.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from support.command import Run
from support.evenings import Telling, by_command, by_phone
from support.systems import keep_in
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup

TURNS = (10, 25)
"""The fewest and the most turns of an evening."""


def told(number: int, cli: Run, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Telling:
    """The evening of that number, told by a command or a phone, as chance has it, event by event."""
    keep_in(monkeypatch, folder)
    site = Site(Access(), Searches(None), SharedSetup(keeps=True))
    with TestClient(make_app(site), base_url="http://127.0.0.1:8765", follow_redirects=False) as phone:
        telling = Telling(number, [by_command(cli), by_phone(phone, site), by_phone(phone, site)])
        telling.run(telling.random.randint(*TURNS))
    return telling


@pytest.mark.parametrize("number", [1, 5, 6, 8])
def test_an_evening_is_the_game_that_the_oracle_follows(
    number: int, cli: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    telling = told(number, cli, monkeypatch, tmp_path)
    assert not telling.faults
    assert telling.refused <= telling.turns / 5


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_two_hundred_evenings_are_what_the_oracle_follows(
    first: int, cli: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found: list[str] = []
    for number in range(first, first + 20):
        telling = told(number, cli, monkeypatch, tmp_path / str(number))
        found += [f"evening {number}: {fault}" for fault in telling.faults]
    assert not found
