"""Runs at once what would run in a thread."""

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


async def run_sync(function: Callable[..., T], *args: Any, limiter: Any = None) -> T:
    return function(*args)
