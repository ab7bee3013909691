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
        from deckwright.base.findings import nearest_hint  # noqa: PLC0415

        hint = nearest_hint(name, shaping.icon_names())
        raise ElementError("value", f"there is no icon `{name}`", hint, "name") from None
