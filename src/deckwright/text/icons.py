"""Icons of the icon font, by name."""

from __future__ import annotations

from deckwright.ops.failing import ElementError
from deckwright.ops.model import Outline


def named_outline(name: str) -> Outline:
    """Return the outline of an icon in a square of 1 × 1.

    Raises:
        ElementError: if there is no such icon.
    """
    from deckwright.text import shaping  # noqa: PLC0415 - opens HarfBuzz

    try:
        return shaping.icon_outline(name)
    except KeyError:
        from deckwright.text.icon_search import icon_hint  # noqa: PLC0415 - only if there is none

        message = f"there is no icon `{name}`"
        raise ElementError("value", message, icon_hint(name), "name") from None
