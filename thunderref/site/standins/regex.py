"""Stands in for regex, which no browser has: a pattern that takes for ever does so on the phone of who wrote it."""

import re
from re import IGNORECASE, error

__all__ = ["IGNORECASE", "compile", "error"]


class Pattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = re.compile(pattern, flags)

    def search(self, text: str, timeout: float) -> "re.Match[str] | None":
        return self._pattern.search(text)


def compile(pattern: str, flags: int = 0) -> Pattern:
    return Pattern(pattern, flags)
