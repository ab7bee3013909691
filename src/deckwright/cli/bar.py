"""Show how far long work has come, on one line of the terminal that vanishes when it is done."""

from __future__ import annotations

import sys
import time

import click

from deckwright.base.visible import visible

PATIENCE = 1.0
"""The seconds after which a user begins to wonder."""
PAUSE = 0.1
_WIDTH = 24
_LONG = 20.0
"""The seconds that are left before they are told."""


class Bar:
    """A line such as "painting pages ██████░░░░ 40/112"."""

    def __init__(self) -> None:
        """Begin to count the time."""
        self._shown = time.monotonic() + PATIENCE - PAUSE
        self._visible = False
        self._begun = ("", 0, 0.0)

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how many of `total` steps are done, unless it was shown just now."""
        if done == total:
            self.clear()
            return
        now = time.monotonic()
        if self._begun[0] != what or done < self._begun[1]:
            self._begun = what, done, now
        if now - self._shown < PAUSE:
            return
        self._shown, self._visible = now, True
        _, first, since = self._begun
        left = (now - since) / (done - first) * (total - done) if done > first else 0
        click.echo(f"\r\x1b[K{visible(line(what, done, total, left))}", nl=False, err=True)
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._visible:
            click.echo("\r\x1b[K", nl=False, err=True)
            self._visible = False


def line(what: str, done: int, total: int, left: float = 0) -> str:
    """Return the line that says how far work has come.

    Args:
        left: how long the rest takes at this rate, in seconds; it is told if it is long.
    """
    if not total:
        return f"{what} {done:,}"
    full = _WIDTH * done // total
    said = f"{what} {'█' * full}{'░' * (_WIDTH - full)} {done:,}/{total:,}"
    return f"{said}, {_told(left)} left" if left >= _LONG else said


def _told(seconds: float) -> str:
    """Return a time as people tell it, no more exactly than it is known."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{round(seconds, -1):g} s"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{minutes} min"
