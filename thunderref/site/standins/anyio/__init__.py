"""Stands in for anyio where nothing waits in threads: what starlette names when it is imported, and no more."""

from anyio import abc, lowlevel, to_thread

__all__ = ["CapacityLimiter", "abc", "lowlevel", "to_thread"]


class CapacityLimiter:
    def __init__(self, tokens: float) -> None:
        self.tokens = tokens
