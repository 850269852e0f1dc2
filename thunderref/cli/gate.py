"""The gate that all output goes through: nothing that came from outside steers the terminal."""

from __future__ import annotations

from typing import Any

from thunderref.text.visible import visible


class Gate:
    """A text stream that shows control characters instead of sending them; ``stream`` is the one behind it."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(visible(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def behind(stream: Any) -> Any:
    """The stream behind the gate, for what draws with control characters of its own."""
    return stream.stream if isinstance(stream, Gate) else stream
