"""Stands in for anyio where nothing waits in threads: what starlette names when it is imported, and no more."""

import sys
from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["CapacityLimiter", "RunVar", "TaskGroup", "abc", "lowlevel", "run_sync", "to_thread"]
T = TypeVar("T")
abc = lowlevel = to_thread = sys.modules[__name__]
sys.modules |= dict.fromkeys(("anyio.abc", "anyio.lowlevel", "anyio.to_thread"), abc)  # this module is all its parts


class TaskGroup: ...


class CapacityLimiter:
    def __init__(self, tokens: float) -> None:
        self.tokens = tokens


class RunVar(Generic[T]):
    def __init__(self, name: str) -> None:
        self.name = name


async def run_sync(function: Callable[..., T], *args: Any, limiter: Any = None) -> T:
    """Runs at once what would run in a thread."""
    return function(*args)
