"""`first`: alternatives, of which the first that can be drawn is drawn."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.face.attributes import Values
from deckwright.face.elements import container
from deckwright.face.ops import Op


@container("first", alternatives=True)
def first(_: Values, ops: tuple[Op, ...]) -> Iterator[Op]:
    """The first of its elements that can be drawn, such as the longest text that fits.

    If none of them can be drawn, the reason why the last one cannot is reported.
    """
    yield from ops
