"""Whether drawings that cannot be drawn are turned into pixels: `--rasterize`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_is_on: ContextVar[bool] = ContextVar("_is_on", default=False)


@contextmanager
def rasterizing() -> Iterator[None]:
    """Within the block, drawings that cannot be drawn are turned into pixels."""
    token = _is_on.set(True)
    try:
        yield
    finally:
        _is_on.reset(token)


def is_rasterizing() -> bool:
    """Return whether drawings that cannot be drawn are turned into pixels."""
    return _is_on.get()
