"""What stays on one page: headings with what is below them, tables with what announces them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from reportlab.platypus import CondPageBreak, Flowable

from deckwright.base.units import POINTS
from deckwright.book.theme import Theme
from deckwright.paint.pdf.parts import Marked
from deckwright.paint.pdf.tables import NO_PAGE, Rows
from deckwright.paint.pdf.texts import TextPart

_LEAST = 2
"""The lines of a text that stay with the heading before it, or the table behind it."""


class AtFoot(CondPageBreak):  # type: ignore[misc]
    """A new page before parts that do not fit, if the one that ends is at least half full."""

    def __init__(self, parts: Sequence[Flowable], theme: Theme) -> None:
        """Stand before `parts`."""
        super().__init__(_height(parts, theme))
        self._half = theme.body * POINTS / 2

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Begin a new page if that is wanted; take no room."""
        return super().wrap(width, height) if height < self._half else (0.0, 0.0)


def with_kept_ends(parts: Sequence[Flowable]) -> Sequence[Flowable]:
    """Return the parts of a list, of which neither the first nor the last stands alone."""
    if len(parts) > 1:
        parts[0].keepWithNext = parts[-2].keepWithNext = True
    return parts


def _height(parts: Sequence[Flowable], theme: Theme) -> float:
    """Return the height of parts with all distances, in points."""
    height = 0.0
    for part in parts:
        _, own = part.wrap(theme.column * POINTS, NO_PAGE)
        height += own + part.getSpaceBefore() + part.getSpaceAfter()
    return height


def is_divided(part: Flowable) -> bool:
    """Return whether a part may be divided between pages."""
    return isinstance(part, (TextPart, Marked, Rows))


def before_table(text: TextPart, theme: Theme) -> tuple[Sequence[TextPart], Sequence[TextPart]]:
    """Return a paragraph before a table as what may be parted from it, and what may not."""
    text.wrap(theme.column * POINTS, NO_PAGE)
    parts = text.divided(len(text.lines or ()) - _LEAST)
    return ((parts[0],), (parts[1],)) if parts else ((), (text,))


def needed(parts: Sequence[Flowable], body: Sequence[Flowable], theme: Theme) -> float:
    """Return the height of parts and of the beginning of what follows, in points.

    It is never more than that of a page.
    """
    width = theme.column * POINTS
    captions = [*takewhile(lambda part: part.getKeepWithNext(), body)]
    first = body[len(captions)]
    height = _height((*parts, *captions), theme)
    _, whole = first.wrap(width, NO_PAGE)
    if isinstance(first, Rows):
        least = first.least(theme.body * POINTS)
    else:
        line = theme.size * theme.leading * POINTS
        # Three lines are not split, for one of them would be alone.
        least = whole if whole < (_LEAST + 1.5) * line else _LEAST * line
    mark = first.mark.height if isinstance(first, Marked) and first.mark else 0
    return float(min(height + max(least, mark), theme.body * POINTS))
