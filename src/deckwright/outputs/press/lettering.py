"""Letters as outlines, for services that take no fonts."""

from __future__ import annotations

from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group, Op, map_ops
from deckwright.ops.outlines import placed
from deckwright.text.shaping import Metrics


def outlined(face: Face, metrics: Metrics) -> Face:
    """Return a face that looks the same, without texts."""

    def change(op: Op) -> Op | None:
        if isinstance(op, Group):
            # What a group says would need letters of a font.
            return op._replace(alt="")
        if isinstance(op, DrawGlyphs):
            outline = metrics.outline(op.font, op.text, op.kerns)
            return FillPath(placed(outline, op.x, op.y, op.size), op.color) if outline else None
        return op

    return face._replace(ops=map_ops(face.ops, change))
