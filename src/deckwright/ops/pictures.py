"""The picture of a face, and pictures that fill a place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice, product
from typing import NamedTuple

from deckwright.base.geometry import IDENTITY, Box, Matrix, translation
from deckwright.base.units import Mm
from deckwright.ops.bleed import visible_ops
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, FillPath, Group, Op, walk
from deckwright.ops.outlines import bounds_of, rectangle

_MIN_COVER = 0.6
"""The least share of a picture's width that a shape before it has if the picture ends there."""
_MIN_PICTURE = 0.2
"""The least share of a face that a picture has."""
_MIN_SHAPES, _MAX_SHAPES = 12, 5_000
"""The least number of shapes in a picture that has no image, and the most: others are textures."""
_MAX_ROWS = 3
"""The most rows of pictures in a place."""
_CUT_COST, _COUNT_COST = 0.2, 0.05
"""What it costs to cut pictures at the top and bottom, and each picture, as shares of one."""


class _Part(NamedTuple):
    """A part of a face that may be its picture, and the number of shapes drawn before it ends."""

    op: Op
    box: Box
    end: int


def crop_to_picture(face: Face) -> Face | None:
    """Return the picture of a face alone: its largest image, or clipped group without text.

    The picture ends where wide shapes in front of it begin.

    Returns:
        None if it is small or empty.
    """
    parts, shapes = list[_Part](), list[Box]()
    _collect(face.ops, IDENTITY, parts, shapes)
    trim, area = Box(0, 0, face.width, face.height), face.width * face.height
    seen = [(_uncover(part.box, trim, shapes[part.end :]), part.op) for part in parts]
    large = (each for each in seen if _area(each[0]) >= _MIN_PICTURE * area)
    best = sorted(large, key=lambda each: -_area(each[0]))
    pictures = (crop_face(face._replace(ops=(op,)), box) for box, op in best)
    return next(filter(_is_drawn, pictures), None)


def _collect(ops: Iterable[Op], matrix: Matrix, parts: list[_Part], shapes: list[Box]) -> None:
    """Collect the possible pictures among ops, and the boxes of all that covers something."""
    for op in ops:
        if isinstance(op, FillPath):
            if sum(step[0] == "M" for step in op.outline) == 1:  # others may be frames
                shapes.append(bounds_of(op.outline, matrix))
        elif isinstance(op, Group):
            inner, start = op.inner_matrix(matrix), len(shapes)
            clipped = [] if op.clip is None else [*islice(walk(op.ops), _MAX_SHAPES + 1)]
            if len(clipped) > _MAX_SHAPES:
                continue
            is_part = op.clip is not None and not any(isinstance(o, DrawGlyphs) for o in clipped)
            if op.opacity == 1:
                _collect(op.ops, inner, [] if is_part else parts, shapes)
            if op.clip is not None:
                box = bounds_of(op.clip, inner)
                shapes[start:] = [each.intersection(box) for each in shapes[start:]]
                if is_part:
                    parts.append(_Part(Group((op,), matrix), box, len(shapes)))
        elif isinstance(op, DrawImage):
            shapes.append(op.box.transform(matrix))
            parts.append(_Part(Group((op,), matrix), shapes[-1], len(shapes)))


def _uncover(box: Box, trim: Box, shapes: Iterable[Box]) -> Box:
    """Return the part of a box on a face that no wide shapes cover from above or below."""
    left, top, width, _ = seen = box.intersection(trim)
    right, bottom = seen.right, seen.bottom
    for shape in shapes:
        if min(shape.right, right) - max(shape.x, left) >= _MIN_COVER * width:
            above, below = shape.y - top, bottom - shape.bottom
            if above >= below:
                bottom = min(bottom, shape.y)
            else:
                top = max(top, shape.bottom)
    return Box(left, top, width, max(bottom - top, 0))


def _is_drawn(picture: Face) -> bool:
    """Return whether a picture shows an image or many shapes."""
    seen = [each for each in walk(picture.ops) if not isinstance(each, Group)]
    return len(seen) >= _MIN_SHAPES or any(isinstance(each, DrawImage) for each in seen)


def narrow(picture: Face, ratio: float) -> Face:
    """Return the middle of a picture, at most `ratio` times as wide as high."""
    width = min(picture.width, picture.height * ratio)
    return crop_face(picture, Box((picture.width - width) / 2, 0, width, picture.height))


def crop_face(face: Face, box: Box) -> Face:
    """Return a face that shows what is in a box of another one, without letters."""
    ops = (Group((*visible_ops(face.ops, box),), translation(-box.x, -box.y)),)
    return face._replace(width=box.width, height=box.height, ops=ops, bleed=0)


def choose_grid(
    pictures: Sequence[Face], width: Mm, height: Mm, gap: Mm, least: int = 1
) -> tuple[float, int, int]:
    """Return how some of the first pictures, at least `least`, fill a place best.

    Returns:
        the share of each picture that is seen at least, and the numbers of rows and columns.
    """
    best = (-math.inf, 0.0, 0, 0)
    for rows, columns in product(range(1, _MAX_ROWS + 1), range(1, len(pictures) + 1)):
        some = pictures[: rows * columns]
        wide, high = (width + gap) / columns - gap, (height + gap) / rows - gap
        if len(some) == rows * columns >= least and high > gap:
            shares = [wide / high / (each.width / each.height) for each in some]
            seen = min(min(share, 1 / share) for share in shares)
            cost = _COUNT_COST * len(some) + (_CUT_COST if max(shares) > 1 else 0)
            best = max(best, (seen - cost, seen, rows, columns))
    return best[1:]


def fill_place(
    pictures: Iterable[Face], place: Box, grid: Sequence[int], gap: Mm, corner: Mm
) -> list[Op]:
    """Return pictures in a grid of rows and columns, each cut to fill its cell."""
    (rows, columns), ops = grid, list[Op]()
    wide = (place.width + gap) / columns - gap
    high = (place.height + gap) / rows - gap
    for picture, (row, column) in zip(pictures, product(range(rows), range(columns)), strict=False):
        shown = narrow(picture, wide / high)
        scale = wide / shown.width
        # Faces are in the upper part of what is too high.
        top = (shown.height - high / scale) / 4
        x, y = place.x + column * (wide + gap), place.y + row * (high + gap)
        trim = rectangle(0, top, shown.width, high / scale, corner / scale)
        ops.append(Group(shown.ops, (scale, 0.0, 0.0, scale, x, y - top * scale), trim))
    return ops


def _area(box: Box) -> float:
    return box.width * box.height
