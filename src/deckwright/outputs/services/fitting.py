"""Make a face fit a card of a print service: its size, its bleed, and upright."""

from __future__ import annotations

from collections.abc import Sequence

from deckwright.base.units import Mm
from deckwright.ops.bleed import with_bleed
from deckwright.ops.model import Face, Group
from deckwright.ops.moving import moved
from deckwright.outputs.services.profile import Service, Size

_SAME: Mm = 0.1
"""Cards that differ by less are of one size: that is less than any cut is exact."""


def size_of(face: Face, service: Service) -> Size | None:
    """Return the card of a service that has the size of a face, upright or lying; None if none."""
    if not service.sizes:
        own = f"{face.width:g}x{face.height:g}"
        return Size(own, "card", face.width, face.height)
    return next((size for size in service.sizes if _is(face, size)), None)


def _is(face: Face, size: Size) -> bool:
    sides, wanted = sorted((face.width, face.height)), sorted((size.width, size.height))
    return all(abs(a - b) <= _SAME for a, b in zip(sides, wanted, strict=True))


def nearest_size(face: Face, sizes: Sequence[Size]) -> Size:
    """Return the card that a face fills best when it is scaled to it; of several, the nearest."""

    def key(size: Size) -> tuple[float, float]:
        scales = _scales(face, size)
        return round(max(scales) / min(scales), 3), abs(min(scales) - 1)

    return min(sizes, key=key)


def _scales(face: Face, size: Size) -> tuple[float, float]:
    """Return by how much a face could be larger: from side to side, and from top to bottom."""
    width, height = face.width, face.height
    if _lies(face, size):
        width, height = height, width
    return size.width / width, size.height / height


def _lies(face: Face, size: Size) -> bool:
    """Return whether a face must be turned a quarter to fit a card."""
    return (face.width > face.height) != (size.width > size.height) and (
        face.width != face.height and size.width != size.height
    )


def fitted(face: Face, size: Size, bleed: Mm, *, back: bool = False) -> Face:
    """Return a face as large as a card allows, in its middle, with `bleed` mm around it.

    A lying face is turned upright: to the right, and a back to the left, so that the tops of both
    are at the same edge of the card.
    """
    scale = min(_scales(face, size))
    if abs(scale - 1) < _SAME / max(size.width, size.height):
        scale = 1.0
    lies = _lies(face, size)
    across, down = (size.height, size.width) if lies else (size.width, size.height)
    x, y = (across - face.width * scale) / 2, (down - face.height * scale) / 2
    around = max(x, y) + bleed
    wide = with_bleed(face, around / scale)
    ops = tuple(moved(wide.ops, scale, x, y))
    if lies:
        matrix = (0, -1, 1, 0, 0, size.height) if back else (0, 1, -1, 0, size.width, 0)
        ops = (Group(ops, matrix),)
    return Face(size.width, size.height, ops, bleed, face.subject)
