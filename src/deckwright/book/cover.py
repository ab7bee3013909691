"""The cover of books that have no template for theirs."""

from __future__ import annotations

from deckwright.base.geometry import Box
from deckwright.base.units import PER_UNIT
from deckwright.book.theme import FAINT, Theme
from deckwright.faces.factory import FaceFactory
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Op
from deckwright.text import paragraphs, placing, richtext

_TITLE = 34 * PER_UNIT["pt"]
_SUBTITLE = 16 * PER_UNIT["pt"]
_BAND = 6.0


def plain_cover(titles: tuple[str, str, str], theme: Theme, factory: FaceFactory) -> Face:
    """Return a white page with a band of color, a title and a subtitle.

    Args:
        titles: title, subtitle and color.
    """
    title, subtitle, color = titles
    studio = factory.studio
    top = theme.height * 0.3
    ops: list[Op] = [
        FillPath(outlines.rectangle(theme.margin_x, top - _BAND, theme.column, 1.2), color)
    ]
    for text, size, font, ink in (
        (title, _TITLE, factory.title_font, color),
        (subtitle, _SUBTITLE, factory.text_font, FAINT),
    ):
        rich = richtext.parse(
            text,
            bold=font == factory.title_font,
            symbols=studio.symbols,
            language=studio.hyphens.language,
        )
        style = paragraphs.Style(font, size, ink, 1.15)
        block = paragraphs.fit(
            rich,
            style,
            studio.metrics,
            width=theme.column,
            height=None,
            smallest=size / 3,
            hyphens=studio.hyphens,
        )
        if block is not None and rich:
            box = Box(theme.margin_x, top, theme.column, 0)
            ops += placing.place(block, box, style)
            top += block.height + _BAND
    return Face(theme.width, theme.height, tuple(ops))
