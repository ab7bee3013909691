"""What stays on one page: headings with what is below them, tables with what announces them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from reportlab.platypus import Flowable

from deckwright.book.theme import Theme
from deckwright.pdf.parts import Marked
from deckwright.pdf.press import POINTS
from deckwright.pdf.tables import NO_PAGE, Rows
from deckwright.pdf.texts import TextPart

_LEAST = 2
"""The lines of a text that stay with the heading before it, or the table behind it."""


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
    height = 0.0
    for part in (*parts, *captions):
        _, own = part.wrap(width, NO_PAGE)
        height += own + part.getSpaceBefore() + part.getSpaceAfter()
    _, whole = first.wrap(width, NO_PAGE)
    if isinstance(first, Rows):
        least = first.least(theme.body * POINTS)
    else:
        line = theme.size * theme.leading * POINTS
        # Three lines are not split, for one of them would be alone.
        least = whole if whole < (_LEAST + 1.5) * line else _LEAST * line
    mark = first.mark.height if isinstance(first, Marked) and first.mark else 0
    return float(min(height + max(least, mark), theme.body * POINTS))
