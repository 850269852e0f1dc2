from __future__ import annotations

import pickle
import sqlite3
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from thunderref.database.read import open_database

_parse = tomllib.loads


@cache
def _parsed(text: str) -> bytes:
    return pickle.dumps(_parse(text))


def _loads(text: str) -> Any:
    return pickle.loads(_parsed(text))


@pytest.fixture(scope="module", autouse=True)
def every_text_is_parsed_once() -> Iterator[None]:
    """Nearly every test here reads all the files, of which it has changed one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tomllib, "loads", _loads)
        yield


@pytest.fixture(scope="module")
def database() -> Iterator[sqlite3.Connection]:
    """The built database as any SQLite shell opens it."""
    connection = sqlite3.connect(f"file:{open_database().path}?mode=ro", uri=True)
    yield connection
    connection.close()
