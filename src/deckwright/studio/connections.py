"""Connections: who says nothing, or not to the end, keeps nobody else out."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from deckwright.studio.guard import Guard

PATIENCE: Final = 10.0
"""After so many seconds a connection without a whole request is closed."""
_STRANGERS: Final = 64
"""How many connections may be open that have shown no key; the one idle for longest makes room."""


class Connection(H11Protocol):
    """A connection, closed when no whole request comes, or when too many others show no key."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - as uvicorn has it
        """Begin as uvicorn does."""
        super().__init__(*given, **named)
        self._deadline: asyncio.TimerHandle | None = None
        self._guard: Guard = self.config.app  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give a new connection room, and time for its first request."""
        super().connection_made(transport)
        strangers = self._guard.strangers
        strangers[transport] = None
        if len(strangers) > _STRANGERS:
            oldest = next(iter(strangers))
            del strangers[oldest]
            oldest.abort()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop()
        self._guard.strangers.pop(self.transport, None)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read on; a request that is whole has all the time that its answer takes."""
        super().handle_events()
        if self.cycle is None or self.cycle.more_body or self.cycle.response_complete:
            return
        self._stop()
        strangers = self._guard.strangers
        if self.transport in strangers:
            del strangers[self.transport]
            if not self._guard.knows({**self.scope}):
                strangers[self.transport] = None  # the last to make room

    def on_response_complete(self) -> None:
        """Give time for another request."""
        self._wait()
        super().on_response_complete()

    def _wait(self) -> None:
        self._stop()
        self._deadline = self.loop.call_later(PATIENCE, self.transport.abort)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
