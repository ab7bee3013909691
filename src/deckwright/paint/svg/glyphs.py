"""Letters as outlines, so that a picture looks the same where its fonts are not installed.

Characters become glyphs and advances as they do in print: by the font's character map and its
horizontal metrics, without ligatures.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.text.fonts import Font


class Letter(NamedTuple):
    """A glyph of a run.

    Attributes:
        glyph: its name in the font.
        x: where it begins, in the font's units from the start of the run.
    """

    glyph: str
    x: float


class Glyphs:
    """The glyphs of fonts; a font's file is read when it is first used, an outline made once.

    Attributes:
        fonts: by id.
    """

    def __init__(self, fonts: Mapping[str, Font]) -> None:
        """Take the fonts by id."""
        self.fonts = fonts
        self._opened: dict[Path, _File] = {}

    def run(self, font_id: str, text: str, kerns: tuple[int, ...]) -> list[Letter]:
        """Return the glyphs of `text` with their places; those that draw nothing are left out.

        Args:
            kerns: for each character, what to add to its advance, in thousandths of the em.
        """
        file = self._file(font_id)
        letters, x = [], 0.0
        for index, char in enumerate(text):
            glyph = file.characters.get(ord(char), file.missing)
            if file.outline(glyph):
                letters.append(Letter(glyph, x))
            kern = kerns[index] if index < len(kerns) else 0
            x += file.advances[glyph][0] + kern * file.em / 1000
        return letters

    def em(self, font_id: str) -> int:
        """Return the font's units in an em."""
        return self._file(font_id).em

    def outline(self, font_id: str, glyph: str) -> str:
        """Return a glyph's outline as path data, in the font's units with the y axis upwards."""
        return self._file(font_id).outline(glyph)

    def file(self, font_id: str) -> Path:
        """Return the file of a font, which several ids may share."""
        return self.fonts[font_id].path

    def _file(self, font_id: str) -> _File:
        path = self.fonts[font_id].path
        if path not in self._opened:
            self._opened[path] = _File(path)
        return self._opened[path]


class _File:
    """A font's file, open."""

    def __init__(self, path: Path) -> None:
        from fontTools.ttLib import TTFont  # noqa: PLC0415 - heavy, only where glyphs are drawn

        # It warns of odd dates and the like, which print does not care about either.
        logging.getLogger("fontTools").setLevel(logging.ERROR)
        # Read at once, so that no file stays open.
        font = TTFont(io.BytesIO(path.read_bytes()), lazy=True)
        self._glyphs: Any = font.getGlyphSet()
        self._outlines: dict[str, str] = {}
        self.missing: str = font.getGlyphOrder()[0]
        self.characters: dict[int, str] = font.getBestCmap() or {}
        self.advances: Any = font["hmtx"]
        self.em: int = font["head"].unitsPerEm

    def outline(self, glyph: str) -> str:
        known = self._outlines.get(glyph)
        if known is None:
            from fontTools.pens.svgPathPen import SVGPathPen  # noqa: PLC0415 - goes with TTFont

            pen = SVGPathPen(self._glyphs, ntos=lambda number: f"{number:g}")
            self._glyphs[glyph].draw(pen)
            known = self._outlines[glyph] = pen.getCommands()
        return known
