"""How large things are in a book, by the size of its paper. Millimetres."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.base.units import PAPERS, PER_UNIT, Mm

_PT = PER_UNIT["pt"]
_SMALL_PAGE: Mm = 170
"""Paper narrower than this is for the hand, wider for the desk."""

INK = "#1d1a16"
FAINT = "#595249"


class Theme(NamedTuple):
    """The measures of a book.

    Attributes:
        size: of the text, as an em.
        leading: distance of baselines in ems.
        headings: sizes of headings by level, from 0, the small ones.
        rule_indent: width of the column for names of rules.
        gallery: cards side by side.
    """

    width: Mm
    height: Mm
    margin_x: Mm
    margin_top: Mm
    margin_bottom: Mm
    size: Mm
    leading: float
    headings: tuple[Mm, ...]
    rule_indent: Mm
    gallery: int

    @property
    def column(self) -> Mm:
        """The width of text."""
        return self.width - 2 * self.margin_x

    @property
    def body(self) -> Mm:
        """The height of text."""
        return self.height - self.margin_top - self.margin_bottom


def theme_of(paper: str) -> Theme:
    """Return the measures for a paper of `units.PAPERS`."""
    width, height = PAPERS[paper]
    if width < _SMALL_PAGE:
        sizes = (9.5, 21, 14, 11.5, 10)
        return Theme(width, height, 16, 19, 17, 9.2 * _PT, 1.34,
                     tuple(size * _PT for size in sizes), 36, 3)  # fmt: skip
    sizes = (11, 26, 18, 13.5, 11)
    return Theme(width, height, 20, 22, 20, 10 * _PT, 1.36,
                 tuple(size * _PT for size in sizes), 50, 4)  # fmt: skip
