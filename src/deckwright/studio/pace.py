"""How often somebody may ask: a bucket of leave that fills up again as time goes by."""

from __future__ import annotations

import time
from collections.abc import Callable


class Bucket:
    """So many requests at once, and then so many a second."""

    def __init__(
        self, most: float, a_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin full."""
        self._most, self._rate, self._clock = most, a_second, clock
        self._left, self._then = most, clock()

    def take(self) -> bool:
        """Return whether there is leave for one more request, and take it."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
