"""Letters as outlines, for services that take no fonts."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group, Op, Outline, Segment, map_ops
from deckwright.ops.outlines import svg_path
from deckwright.paint.svg.glyphs import Glyphs


class Lettering:
    """Turns texts into outlines; each glyph of a font is read once."""

    def __init__(self, glyphs: Glyphs) -> None:
        """Take the glyphs of all fonts."""
        self._glyphs = glyphs
        self._known: dict[tuple[str, str], Outline] = {}

    def outlined(self, face: Face) -> Face:
        """Return a face that looks the same, without texts."""
        return face._replace(ops=map_ops(face.ops, self._outlined))

    def _outlined(self, op: Op) -> Op | None:
        if isinstance(op, Group):
            # What a group says would need letters of a font.
            return op._replace(alt="")
        if isinstance(op, DrawGlyphs):
            outline = tuple(self._run(op))
            return FillPath(outline, op.color) if outline else None
        return op

    def _run(self, op: DrawGlyphs) -> Iterator[Segment]:
        """Yield the outline of a run, glyph by glyph."""
        scale = op.size / self._glyphs.em(op.font)
        for letter in self._glyphs.run(op.font, op.text, op.kerns):
            x = op.x + letter.x * scale
            for step in self._glyph(op.font, letter.glyph):
                # Fonts count upwards from the baseline, faces downwards.
                numbers = (
                    op.y - float(number) * scale if index % 2 else x + float(number) * scale
                    for index, number in enumerate(step[1:])
                )
                yield (step[0], *numbers)

    def _glyph(self, font: str, glyph: str) -> Outline:
        known = self._known.get((font, glyph))
        if known is None:
            known = self._known[font, glyph] = svg_path(self._glyphs.outline(font, glyph))
        return known
