from __future__ import annotations

import pickle
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

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
