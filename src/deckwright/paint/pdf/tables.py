"""Tables of flowing documents: how wide columns are, and where rows are divided."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from reportlab.platypus import CondPageBreak, Flowable, Table, TableStyle

from deckwright.base.colors import mix
from deckwright.base.units import POINTS, Mm
from deckwright.paint.pdf.fonts import first_font
from deckwright.paint.pdf.press import Press
from deckwright.paint.pdf.texts import TextPart
from deckwright.text.paragraphs import lay_out

NO_PAGE = 1e6
"""Higher than any page, in points."""
_FEWEST = 2
"""The rows of a table that stay together at its beginning and at its end."""
_SMALL = 0.35
"""The share of a page up to which a table is not divided where that can be helped."""
_HAIR = 1e-3


class _Drawn:
    """What is told of a table while it is drawn, to say what of it is there for the eye alone."""

    def __init__(self, press: Press) -> None:
        """Know no cell yet."""
        self._press = press
        self._seen = set[int]()
        self._artifact = ExitStack()

    def __call__(self, _: Table, event: str, *about: Any) -> None:  # noqa: ANN401 - platypus'
        """Take what platypus tells of."""
        if event in {"startBG", "startLines"}:
            self._artifact.enter_context(self._press.artifact())
        elif event in {"endBG", "endLines"}:
            self._artifact.close()
        elif event == "startCell":
            cell = about[2]
            for part in cell if isinstance(cell, list | tuple) else (cell,):
                # Headings that stand on the next page again say nothing new.
                if id(part) in self._seen:
                    part.tag = None
                self._seen.add(id(part))


class Rows(Table):  # type: ignore[misc]
    """A table whose rest goes to the next page, where platypus would try the same page again."""

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split as tables do, but leave no row alone on the next page."""
        parts: list[Flowable] = super().split(width, height)
        if len(parts) < 2:  # noqa: PLR2004 - before and behind the break
            return parts
        heads, rows = self.repeatRows, len(parts[0]._rowHeights)  # noqa: SLF001 - no other way
        if len(parts[1]._rowHeights) - heads < _FEWEST and rows - heads > _FEWEST:  # noqa: SLF001
            shorter = sum(parts[0]._rowHeights[:-1])  # noqa: SLF001
            parts = super().split(width, shorter + _HAIR)
        return [parts[0], CondPageBreak(NO_PAGE), *parts[1:]]

    def least(self, page: float) -> float:
        """Return the height of what must stay together at its beginning, in points.

        It is the whole of a table that is small for a page of this height; of others the headings
        and two rows.
        """
        heights = self._rowHeights
        whole = float(sum(heights))
        return whole if whole <= page * _SMALL else sum(heights[: self.repeatRows + _FEWEST])


def set_table(press: Press, cells: Sequence[Sequence[TextPart]], heads: int, width: Mm) -> Flowable:
    """Return a table of texts, `width` wide, of which the first `heads` rows are headings."""
    widths = _column_widths(cells, width - 3 * len(cells[0]))
    style: list[tuple[Any, ...]] = [
        # Cells hold texts of ours; Helvetica, which would not be embedded, must not be named.
        ("FONTNAME", (0, 0), (-1, -1), first_font(press.tools.fonts).fontName),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 1.5 * POINTS),
        ("RIGHTPADDING", (0, 0), (-1, -1), 1.5 * POINTS),
        ("TOPPADDING", (0, 0), (-1, -1), 0.8 * POINTS),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.1 * POINTS),
        ("LINEABOVE", (0, 0), (-1, 0), 0.9, press.color),
        ("LINEBELOW", (0, -1), (-1, -1), 0.9, press.color),
        ("LINEBELOW", (0, 0), (-1, -2), 0.25, "#b9b2a6"),
    ]
    if heads:
        ground = mix(press.color, "#ffffff", 0.9)
        style.append(("BACKGROUND", (0, 0), (-1, heads - 1), ground))
    return Rows(
        cells,
        colWidths=[(width + 3) * POINTS for width in widths],
        repeatRows=heads,
        style=TableStyle(style),
        spaceBefore=1.4 * POINTS,
        spaceAfter=3.4 * POINTS,
        splitInRow=1,
        renderCB=_Drawn(press),
    )


def _column_widths(cells: Sequence[Sequence[TextPart]], room: Mm) -> list[Mm]:
    """Share `room` among the columns of a table, so that long texts get more and words fit.

    Each column gets what its longest word needs; what is left goes to those with longer texts.
    """
    columns = list(zip(*cells, strict=True))
    needs = [max(map(_longest_word, column)) for column in columns]
    wants = [max(map(_natural, column)) for column in columns]
    if sum(wants) <= room:
        extra = (room - sum(wants)) / len(wants)
        return [want + extra for want in wants]
    left = room - sum(needs)
    if left <= 0:
        return [room * need / sum(needs) for need in needs]
    greed = [max(want - need, 0.0) ** 0.75 for want, need in zip(wants, needs, strict=True)]
    total = sum(greed) or 1
    return [need + left * share / total for need, share in zip(needs, greed, strict=True)]


def _natural(part: TextPart) -> Mm:
    """Return the width of a text that is not broken."""
    return lay_out(part.rich, part.style, part.press.metrics, width=None).width + 0.1


def _longest_word(part: TextPart) -> Mm:
    """Return the width of a text's longest word."""
    block = lay_out(part.rich, part.style._replace(hyphenate=False), part.press.metrics, width=0.01)
    return block.width + 0.1
