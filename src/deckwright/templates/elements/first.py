"""`first`: alternatives, of which the first that can be drawn is drawn."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.ops.model import Op
from deckwright.templates.attributes import Values
from deckwright.templates.elements import Studio, container


@container("first", "first")
def first(_values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """The first of its elements that can be drawn, such as the longest text that fits.

    If none of them can be drawn, the reason why the last one cannot is reported.
    """
    yield from ops
