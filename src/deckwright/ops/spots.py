"""Colors of ops that are inks beside those of the print itself, such as foil or varnish.

Such a color is `@` with the ink's id, and how full it is, as in `@foil 0.5`.
"""

from __future__ import annotations

from deckwright.ops.model import DrawImage, Op

_SIGN = "@"


def is_spot(color: object) -> bool:
    """Return whether the color of an op names such an ink."""
    return isinstance(color, str) and color.startswith(_SIGN)


def spot(ink_id: str, share: float) -> str:
    """Return the color that is an ink, from 0 (none of it) to 1 (full)."""
    return f"{_SIGN}{ink_id} {share:.3f}"


def spot_of(color: str) -> tuple[str, float]:
    """Return the id of the ink that a color names, and how full it is, from 0 to 1."""
    ink_id, share = color.removeprefix(_SIGN).split(" ")
    return ink_id, float(share)


def ink_of(op: Op) -> str:
    """Return the color of an op that names an ink; "" if it names none."""
    color = op.ink if isinstance(op, DrawImage) else getattr(op, "color", "")
    return color if isinstance(color, str) and is_spot(color) else ""
