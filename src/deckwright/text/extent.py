"""The box around what ops draw, with their texts: as high as the eye takes them to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.ops.model import DrawGlyphs, Group, Op
from deckwright.ops.outlines import bounds_of
from deckwright.text.shaping import box_of, text_box

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics


def extent(ops: Iterable[Op], metrics: Metrics) -> Box | None:
    """Return the box around what ops draw, None if they draw nothing.

    Texts count from their capitals to their baseline, whatever their letters, so that what is
    beside each other is alike.
    """
    boxes = list(_boxes(ops, IDENTITY, metrics))
    return Box.around(boxes) if boxes else None


def _boxes(ops: Iterable[Op], matrix: Matrix, metrics: Metrics) -> Iterator[Box]:
    for op in ops:
        if isinstance(op, Group):
            inner = op.within(matrix)
            boxes = _boxes(op.ops, inner, metrics)
            clip = bounds_of(op.clip, inner) if op.clip else None
            yield from (box.common(clip) if clip else box for box in boxes)
        elif isinstance(op, DrawGlyphs):
            box = text_box(op, metrics, metrics.vertical(op.font).cap_height, 0)
            # What letters that are set apart have behind the last one is not seen.
            behind = op.kerns[-1] / 1000 * op.size if op.kerns and min(op.kerns) > 0 else 0
            yield box._replace(width=box.width - behind).moved(matrix)
        else:
            yield box_of(op, matrix, metrics)
