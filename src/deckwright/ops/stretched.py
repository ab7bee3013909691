"""Bleed of pictures: the outermost strip of each edge, drawn longer beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deckwright.base.units import Mm
from deckwright.ops.model import Face, Group
from deckwright.ops.outlines import rectangle

_STRIP: Mm = 0.2
"""How much of an edge is drawn longer, and goes on below the picture, so that no seam is seen."""


class _Way(NamedTuple):
    """What is drawn along one axis: x' = scale · x + shift, of a strip that begins at `start`."""

    scale: float
    shift: Mm
    start: Mm
    length: Mm


def with_stretched_bleed(face: Face, bleed: Mm) -> Face:
    """Return a face whose edges go on `bleed` mm beyond its trim box, in the colors they have."""
    if bleed <= face.bleed:
        return face
    beyond = tuple(
        Group(
            face.ops,
            (across.scale, 0, 0, down.scale, across.shift, down.shift),
            rectangle(across.start, down.start, across.length, down.length),
        )
        for across in _ways(face.width, bleed)
        for down in _ways(face.height, bleed)
        if (across.scale, down.scale) != (1, 1)
    )
    return face._replace(ops=(*beyond, *face.ops), bleed=bleed)


def _ways(size: Mm, bleed: Mm) -> Iterator[_Way]:
    scale = (bleed + _STRIP) / _STRIP
    far = size - _STRIP
    yield _Way(1, 0, 0, size)
    yield _Way(scale, -bleed, 0, _STRIP)
    yield _Way(scale, far - scale * far, far, _STRIP)
