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


class Bar:
    """A line such as "painting pages ██████░░░░ 40/112"."""

    def __init__(self) -> None:
        """Begin to count the time."""
        self._shown = time.monotonic() + PATIENCE - PAUSE
        self._visible = False

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how many of `total` steps are done, unless it was shown just now."""
        if done == total:
            self.clear()
            return
        now = time.monotonic()
        if now - self._shown < PAUSE:
            return
        self._shown, self._visible = now, True
        click.echo(f"\r\x1b[K{visible(line(what, done, total))}", nl=False, err=True)
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._visible:
            click.echo("\r\x1b[K", nl=False, err=True)
            self._visible = False


def line(what: str, done: int, total: int) -> str:
    """Return the line that says how far work has come."""
    if not total:
        return f"{what} {done:,}"
    full = _WIDTH * done // total
    return f"{what} {'█' * full}{'░' * (_WIDTH - full)} {done:,}/{total:,}"
