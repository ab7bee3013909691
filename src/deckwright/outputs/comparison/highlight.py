"""Where two faces differ: the places of what only one of them draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import Mm
from deckwright.diff.manifests.digest import Digests
from deckwright.ops import outlines
from deckwright.ops.model import Face, Group, Op
from deckwright.text.shaping import Metrics, box_of

_ROOM: Mm = 0.7
"""The distance of a mark from what it marks."""
_MOST = 0.5
"""The largest share of a face that marks may cover; beyond that, they would show nothing."""

Piece = tuple[object, Box]
"""Something that a face draws: what it is and where, to be compared, and its bounds."""


class Looker:
    """Looks at the faces of one game."""

    def __init__(self, digests: Digests, metrics: Metrics) -> None:
        """Take what knows the game's fonts."""
        self._digests = digests
        self._metrics = metrics

    def pieces(self, face: Face) -> list[Piece]:
        """Return all that a face draws, group by group."""
        return list(self._pieces(face.ops, IDENTITY, (), Box(0, 0, face.width, face.height)))

    def _pieces(
        self, ops: Iterable[Op], matrix: Matrix, around: tuple[object, ...], room: Box
    ) -> Iterator[Piece]:
        """Yield what ops draw.

        Args:
            around: the groups that they are in.
            room: what is outside of it is not seen.
        """
        for op in ops:
            if isinstance(op, Group):
                inner = op.within(matrix)
                clipped, inside = room, around
                if op.clip:
                    clip = outlines.bounds_of(op.clip, inner)
                    clipped, inside = room.common(clip), (*around, _rounded(clip))
                if op.opacity < 1:
                    inside = (*inside, op.opacity)
                yield from self._pieces(op.ops, inner, inside, clipped)
            else:
                box = box_of(op, matrix, self._metrics, capitals=True).common(room)
                yield (self._digests.of_op(op), _rounded(matrix), around), box


def differing(old: Face, new: Face, lookers: tuple[Looker, Looker]) -> tuple[list[Box], list[Box]]:
    """Return where the old and the new face have what the other has not.

    Both are empty where that is most of a face.
    """
    before, after = lookers[0].pieces(old), lookers[1].pieces(new)
    counts = Counter(what for what, _ in before), Counter(what for what, _ in after)
    marks = _marks(before, counts[0] - counts[1], old), _marks(after, counts[1] - counts[0], new)
    for face, boxes in zip((old, new), marks, strict=True):
        if sum(box.width * box.height for box in boxes) > _MOST * face.width * face.height:
            return [], []
    return marks


def _marks(pieces: Iterable[Piece], wanted: Counter[object], face: Face) -> list[Box]:
    """Return boxes around the wanted pieces; those that overlap are one."""
    marks: list[Box] = []
    left = Counter(wanted)
    for what, box in pieces:
        if left[what] <= 0:
            continue
        left[what] -= 1
        if box.width <= 0 or box.height <= 0:
            continue
        mark = box.grown(_ROOM).common(Box(0, 0, face.width, face.height))
        while touched := [other for other in marks if _overlap(mark.grown(_ROOM), other)]:
            marks = [other for other in marks if other not in touched]
            mark = Box.around([mark, *touched])
        marks.append(mark)
    return marks


def _overlap(box: Box, other: Box) -> bool:
    common = box.common(other)
    return common.width > 0 and common.height > 0


def _rounded(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(number, 3) + 0.0 for number in numbers)
