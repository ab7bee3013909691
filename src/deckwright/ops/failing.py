"""What keeps an element from being drawn."""

from __future__ import annotations

from typing import Literal

from deckwright.base.findings import Location

Kind = Literal["value", "overflow", "glyph", "script", "symbol", "path", "drawing", "palette"]

OF_TEXT: frozenset[Kind] = frozenset({"overflow", "glyph", "script", "symbol"})
"""What is wrong with a text itself: it can be drawn all the same, so that the fault is seen."""


class ElementError(Exception):
    """An element cannot be drawn with these values.

    Attributes:
        attribute: the attribute at fault, None for the element as a whole.
        place: where the fault is if it is not in the template.
        kind: what is wrong; decides the diagnostic's code.
        said: the part of a text that is at fault, as the game's data have it; "" for all of it.
        message, hint: what to tell the designer.
    """

    def __init__(
        self,
        kind: Kind,
        message: str,
        hint: str | None = None,
        attribute: str | None = None,
        place: Location | None = None,
        said: str = "",
    ) -> None:
        """Keep what to report."""
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint
        self.attribute = attribute
        self.place = place
        self.said = said
