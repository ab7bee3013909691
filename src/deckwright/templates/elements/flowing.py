"""`block header footer`: the elements of templates whose text flows over pages."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.ops.model import Op
from deckwright.templates.attributes import Values, choice, length
from deckwright.templates.elements import Studio, container


@container(
    "block",
    height=length("0"),
    space_after=length("0"),
    keep=choice("none", "together", "next"),
)
def block(_values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """Texts that flow one below the other, with drawings placed from its top left corner.

    It is at least `height` high. `keep="together"` keeps it in one column if possible;
    `keep="next"` also keeps it with what follows.
    """
    yield from ops


@container("header")
def header(_values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """Drawn on every page, in the page's coordinates. It sees `page.number` and `page.count`."""
    yield from ops


@container("footer")
def footer(_values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """Drawn on every page, in the page's coordinates. It sees `page.number` and `page.count`."""
    yield from ops
