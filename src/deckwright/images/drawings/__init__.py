"""SVG drawings as ops. Anything that cannot be drawn as in browsers is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_rasterizing: ContextVar[bool] = ContextVar("_is_on", default=False)


@contextmanager
def rasterizing() -> Iterator[None]:
    """Within the block, rasterize drawings with unsupported features."""
    token = _rasterizing.set(True)
    try:
        yield
    finally:
        _rasterizing.reset(token)


def is_rasterizing() -> bool:
    """Return whether drawings with unsupported features are rasterized."""
    return _rasterizing.get()
