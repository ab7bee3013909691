"""Inks beside those of the print itself: foil, white, varnish, the lines of a die."""

from __future__ import annotations

from typing import NamedTuple


class SpotInk(NamedTuple):
    """An ink that a press prints from a plate of its own, or a tool that works like one.

    Attributes:
        id: what templates call it.
        name: what the separation is called in a PDF, as the printer wants it.
        color: what viewers show for it, as `#rrggbb`.
        seen: whether what is printed with it is seen in its own colors where the ink is not to be
            had, such as on paper at home and on screens; else it is left out there.
        over: whether it goes on top of everything; else it takes its turn, and nothing of the
            other inks is below it.
    """

    id: str
    name: str
    color: str
    seen: bool
    over: bool


SPOT_INKS = {
    ink.id: ink
    for ink in (
        SpotInk("foil", "Foil", "#c9a227", seen=True, over=True),
        SpotInk("white", "White", "#a9d6ea", seen=False, over=True),
        SpotInk("varnish", "Varnish", "#f2d64b", seen=False, over=True),
        SpotInk("cut", "CutContour", "#e5007d", seen=False, over=True),
        SpotInk("crease", "Crease", "#009fe3", seen=False, over=True),
    )
}
"""Those that every game has, by id; `game.xml` may give them other names."""
