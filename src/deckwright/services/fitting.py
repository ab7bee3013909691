"""Make a face fit a card of a print service: its size, its bleed, and upright."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deckwright.face.bleed import with_bleed
from deckwright.face.ops import (
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
)
from deckwright.face.outlines import placed
from deckwright.geometry import Box
from deckwright.services.profile import Service, Size
from deckwright.units import Mm

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
    return Face(size.width, size.height, ops, bleed)


def moved(ops: Iterable[Op], scale: float, x: Mm, y: Mm) -> Iterator[Op]:
    """Yield ops enlarged by `scale` and moved by `x` and `y`.

    Their own numbers change, rather than a matrix around them: so images are prepared for the size
    that they are printed at, and nothing is rounded twice.
    """
    for op in ops:
        if scale == 1 and x == y == 0:
            yield op
        elif isinstance(op, Group):
            yield _moved_group(op, scale, x, y)
        elif isinstance(op, FillPath):
            color = op.color
            if isinstance(color, Gradient):
                start, end = (_point(point, scale, x, y) for point in (color.start, color.end))
                color = color._replace(start=start, end=end)
            yield op._replace(outline=placed(op.outline, x, y, scale), color=color)
        elif isinstance(op, StrokePath):
            yield op._replace(outline=placed(op.outline, x, y, scale), width=op.width * scale)
        elif isinstance(op, DrawGlyphs):
            yield op._replace(size=op.size * scale, x=op.x * scale + x, y=op.y * scale + y)
        else:
            assert isinstance(op, DrawImage)
            box = op.box
            yield op._replace(
                box=Box(*_point((box.x, box.y), scale, x, y), box.width * scale, box.height * scale)
            )


def _moved_group(group: Group, scale: float, x: Mm, y: Mm) -> Group:
    """Return a group moved; what is inside of a matrix of its own is only made larger."""
    if group.matrix is not None:
        a, b, c, d, e, f = group.matrix
        group = group._replace(matrix=(a, b, c, d, e * scale + x, f * scale + y))
        x = y = 0
    clip: Outline | None = group.clip and placed(group.clip, x, y, scale)
    return group._replace(ops=tuple(moved(group.ops, scale, x, y)), clip=clip)


def _point(point: tuple[Mm, Mm], scale: float, x: Mm, y: Mm) -> tuple[Mm, Mm]:
    return point[0] * scale + x, point[1] * scale + y
