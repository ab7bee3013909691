"""What is kept because it is likely to be needed again, and let go when it is not."""

from __future__ import annotations

from typing import Any


def shorten(kept: dict[Any, Any], first: int = 0) -> None:
    """Let go all that is kept but so many things that came first."""
    while len(kept) > first:
        kept.popitem()
