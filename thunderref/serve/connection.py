"""A connection of the server, which nobody keeps taken."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HURRY = 10.0
"""Seconds in which a connection has to bring a whole request, so that nobody keeps the laptop's places taken."""
MOST_CONNECTIONS = 400
"""Connections that are open at once."""


class Connection(H11Protocol):
    """One connection; it is closed if it brings no request in time, or if there are too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        if len(self.connections) > MOST_CONNECTIONS:
            self.transport.close()
        self._answered: object = None
        self._watch()

    def _watch(self) -> None:
        self._later = self.loop.call_later(HURRY, self._look)

    def _look(self) -> None:
        last = self.cycle
        if last is self._answered and (last is None or last.response_complete):
            self.transport.close()
        else:
            self._answered = last
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._later.cancel()
        super().connection_lost(exc)
