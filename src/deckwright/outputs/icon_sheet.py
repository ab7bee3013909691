"""A contact sheet of icons, each above its name."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deckwright.base.geometry import Box
from deckwright.base.units import Mm
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Op
from deckwright.paint.raster import Encoding, Raster, draw
from deckwright.text.fonts import Font, usual_fonts
from deckwright.text.shaping import HarfBuzzMetrics, Metrics, icon_outline

_COLUMNS = 8
_CELL: tuple[Mm, Mm] = 25, 21
_ICON: Mm = 12
_LETTERS: Mm = 2.4
_MARGIN: Mm = 2
_FONT = "text-regular"
_PAPER, _INK, _GRAY = "#ffffff", "#1d1d1b", "#55534f"


def icon_sheet(names: Sequence[str], dpi: float = 150) -> bytes:
    """Return a PNG file of some icons and their names, in rows."""
    fonts: dict[str, Font] = {font.id: font for font in usual_fonts().values()}
    face = icon_face(names, HarfBuzzMetrics(fonts))
    (picture,) = draw([face], fonts, ImageStore(), Raster(dpi))
    return Encoding("png").file(picture, dpi)


def icon_face(names: Sequence[str], metrics: Metrics) -> Face:
    """Return some icons and their names, in rows."""
    columns = max(1, min(len(names), _COLUMNS))
    width, height = _CELL
    size = (
        columns * width + 2 * _MARGIN,
        math.ceil(len(names) / columns) * height + 2 * _MARGIN,
    )
    ops: list[Op] = [FillPath(outlines.rectangle(0, 0, *size), _PAPER)]
    for index, name in enumerate(names):
        row, column = divmod(index, columns)
        cell = Box(_MARGIN + column * width, _MARGIN + row * height, width, height)
        left, top = cell.x + (width - _ICON) / 2, cell.y + _MARGIN
        ops.append(FillPath(outlines.placed(icon_outline(name), left, top, _ICON), _INK))
        ops.append(_label(name, cell, metrics))
    return Face(*size, tuple(ops), subject="the icons")


def _label(name: str, cell: Box, metrics: Metrics) -> Op:
    """Return the name of an icon at the foot of its cell, as small as it must be."""
    shaped = metrics.shape(_FONT, name)
    size = min(_LETTERS, (cell.width - 1) / shaped.width)
    x = cell.x + (cell.width - shaped.width * size) / 2
    return DrawGlyphs(_FONT, size, x, cell.bottom - _MARGIN, shaped.text, shaped.kerns, _GRAY)
