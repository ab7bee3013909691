"""Events for all who listen. For the thread of the event loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from typing import Final

PULSE: Final = 15.0
"""After so many seconds of silence a comment is sent, so that a dead connection is noticed."""
_MOST = 12
"""How many may listen: browsers that are well-behaved need one."""
_BEHIND = 200
"""How many events may wait for a listener; one that is further behind is sent away."""


class TooManyError(Exception):
    """More want to listen than may."""


class Streams:
    """Who listens."""

    def __init__(self, most: int = _MOST, pulse: float = PULSE) -> None:
        """Begin with nobody.

        Args:
            most: how many may listen.
            pulse: the longest silence, in seconds.
        """
        self._most, self._pulse = most, pulse
        self._waiting: set[asyncio.Queue[str | None]] = set()

    def send(self, event: Mapping[str, object]) -> None:
        """Tell everybody."""
        line = line_of(event)
        for queue in [*self._waiting]:
            try:
                queue.put_nowait(line)
            except asyncio.QueueFull:
                self._dismiss(queue)

    def close(self) -> None:
        """Send everybody away."""
        for queue in [*self._waiting]:
            self._dismiss(queue)

    def join(self, first: Mapping[str, object]) -> AsyncGenerator[str, None]:
        """Return what one more listener is told, from `first` on.

        Raises:
            TooManyError: if too many listen.
        """
        if len(self._waiting) >= self._most:
            raise TooManyError
        queue: asyncio.Queue[str | None] = asyncio.Queue(_BEHIND)
        queue.put_nowait(line_of(first))
        self._waiting.add(queue)
        return self._lines(queue)

    async def _lines(self, queue: asyncio.Queue[str | None]) -> AsyncGenerator[str, None]:
        try:
            while True:
                try:
                    line = await asyncio.wait_for(queue.get(), self._pulse)
                except TimeoutError:
                    line = ": still here\n\n"
                if line is None:
                    return
                yield line
        finally:
            self._waiting.discard(queue)

    def _dismiss(self, queue: asyncio.Queue[str | None]) -> None:
        self._waiting.discard(queue)
        while queue.full():
            queue.get_nowait()
        queue.put_nowait(None)


def line_of(event: Mapping[str, object]) -> str:
    """Return an event as a stream has it."""
    return f"data: {json.dumps(event)}\n\n"
