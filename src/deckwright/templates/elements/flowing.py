"""`block header footer`: the elements of templates whose text flows over pages."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.ops.model import Op
from deckwright.templates.attributes import Values, choice, length, string
from deckwright.templates.elements import Studio, container
from deckwright.templates.roles import role


@container(
    "block",
    height=length("0"),
    space_after=length("0"),
    keep=choice("none", "together", "next"),
    role=role(),
    alt=string(""),
)
def block(_values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """Texts that flow one below the other, with drawings placed from its top left corner.

    It is at least `height` high. `keep="together"` keeps it in one column if possible;
    `keep="next"` also keeps it with what follows.

    `role` is what it is to those who do not see the page, in the words of HTML: a heading (`h1` to
    `h4`), a paragraph (`p`), a `table`, a row (`tr`) or a cell (`th`, `td`) of one, or a `figure`,
    which is what its `alt` says. A text is a paragraph unless it says otherwise, and so is a
    drawing with words; one without words is there for the eye alone.
    """
    yield from ops


@container("header")
def header(_values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """Drawn on every page, in the page's coordinates. It sees `page.number` and `page.count`.

    What has a `role` in it is said once, on the first page.
    """
    yield from ops


@container("footer")
def footer(_values: Values, ops: tuple[Op, ...], _: Studio) -> Iterator[Op]:
    """Drawn on every page, in the page's coordinates. It sees `page.number` and `page.count`."""
    yield from ops
