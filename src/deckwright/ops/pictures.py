"""The picture of a face: the largest part of it without text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from deckwright.base.geometry import IDENTITY, Box, Matrix, translation
from deckwright.base.units import Mm
from deckwright.ops.bleed import visible_ops
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, Group, Op, map_ops, walk
from deckwright.ops.outlines import bounds_of, rectangle

_ADVANCE, _ASCENT = 0.5, 0.7
"""The usual width and height of a letter, in ems."""
_MAX_BADGE, _MAX_PLATE = 0.06, 0.4
"""The largest shares of a face that a badge and the plate of a text have."""
_MAX_RIM = 2.5
"""How much larger the outermost shape of a badge is than the innermost one."""
_MARGIN: Mm = 1.2
"""How far a picture stays away from texts and their plates."""
_MIN_PICTURE = 0.25
"""The least share of a face that a picture has."""
_MIN_SHAPES = 12
"""The least number of shapes in a picture that has no image."""


class _Part(NamedTuple):
    """The box of an op that is no group."""

    box: Box
    is_text: bool


def crop_to_picture(face: Face) -> Face | None:
    """Return the largest part of a face without texts and what they stand on.

    Badges, which are small, are taken away with their texts.

    Returns:
        None if it is small or empty.
    """
    area = face.width * face.height
    parts = list(_parts(face.ops, IDENTITY))
    taken, badges = set[Box](), set[int]()
    for number, (box, is_text) in enumerate(parts):
        if not is_text:
            continue
        plates = [
            at
            for at, part in enumerate(parts[:number])
            if not part.is_text and part.box.contains(box) and _area(part.box) < _MAX_PLATE * area
        ]
        # The topmost shape: smaller ones below it belong to the picture.
        plate = parts[plates[-1]].box if plates else box
        # A badge may have several shapes, one around another.
        most = min(_area(plate) * _MAX_RIM, _MAX_BADGE * area)
        around = (parts[at].box for at in plates if _area(parts[at].box) <= most)
        plate = max((plate, *around), key=_area).expand(_MARGIN)
        if plates and _area(plate) < _MAX_BADGE * area:
            first = next(at for at in plates if plate.contains(parts[at].box))
            badges.update(
                at for at, part in enumerate(parts) if at >= first and plate.contains(part.box)
            )
        else:
            taken.add(plate)
    best = _largest_gap(Box(0, 0, face.width, face.height), sorted(taken))
    if _area(best) < _MIN_PICTURE * area or not _is_drawn(face, best):
        return None
    numbers = count()
    bare = map_ops(
        face.ops, lambda op: op if isinstance(op, Group) or next(numbers) not in badges else None
    )
    return _crop(face._replace(ops=bare), best)


def _is_drawn(face: Face, box: Box) -> bool:
    """Return whether a box of a face has an image or many shapes."""
    seen = [op for op in walk(visible_ops(face.ops, box)) if not isinstance(op, Group)]
    return len(seen) >= _MIN_SHAPES or any(isinstance(op, DrawImage) for op in seen)


def narrow(picture: Face, ratio: float) -> Face:
    """Return the middle of a picture, at most `ratio` times as wide as high."""
    width = min(picture.width, picture.height * ratio)
    return _crop(picture, Box((picture.width - width) / 2, 0, width, picture.height))


def _crop(face: Face, box: Box) -> Face:
    """Return a face that shows what is in a box of another one, without letters."""
    ops = (Group((*visible_ops(face.ops, box),), translation(-box.x, -box.y)),)
    return face._replace(width=box.width, height=box.height, ops=ops, bleed=0)


def _area(box: Box) -> float:
    return box.width * box.height


def _parts(ops: Iterable[Op], matrix: Matrix) -> Iterator[_Part]:
    for op in ops:
        if isinstance(op, Group):
            yield from _parts(op.ops, op.inner_matrix(matrix))
        elif isinstance(op, DrawGlyphs):
            size = op.size
            box = Box(op.x, op.y - _ASCENT * size, len(op.text) * _ADVANCE * size, _ASCENT * size)
            yield _Part(box.transform(matrix), is_text=True)
        else:
            outline = rectangle(*op.box) if isinstance(op, DrawImage) else op.outline
            yield _Part(bounds_of(outline, matrix), is_text=False)


def _largest_gap(whole: Box, taken: Sequence[Box]) -> Box:
    """Return the largest wide box within another one that shares no area with those taken."""
    best = Box(0, 0, 0, 0)
    by_y = [*sorted(taken, key=lambda box: box.y), Box(whole.x, whole.bottom, whole.width, 0)]
    for left in {whole.x, *(box.right for box in taken)}:
        for right in {whole.right, *(box.x for box in taken)}:
            width, top = min(right, whole.right) - max(left, whole.x), whole.y
            if width < whole.width / 2 or width * whole.height <= _area(best):
                continue
            for box in by_y:
                if box.x < right and box.right > left:
                    if width * (box.y - top) > _area(best):
                        best = Box(max(left, whole.x), top, width, box.y - top)
                    top = max(top, box.bottom)
    return best
