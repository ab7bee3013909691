"""What the templates of a book draw: its cover, its pages, and the headings of its chapters."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.book.cover import plain_cover
from deckwright.book.model import Block, Contents, Heading, Sides
from deckwright.book.overview import faction_anchor
from deckwright.book.theme import Theme
from deckwright.faces.factory import FaceFactory
from deckwright.game.context import Context
from deckwright.ops.model import Face
from deckwright.xmlio.node import Source


class Named(NamedTuple):
    """A template as a file names it.

    Attributes:
        template: the name of its file, None if there is none.
        source, attribute: where it is named.
        height: of what it draws, if that is not the page.
    """

    template: str | None
    source: Source
    attribute: str
    height: Mm = 0


class Looks:
    """Draws what the templates of one book say."""

    def __init__(
        self, titles: tuple[str, str, str], theme: Theme, factory: FaceFactory, report: Report
    ) -> None:
        """Draw for a book; what is wrong with its templates is reported.

        Args:
            titles: title, subtitle and color.
        """
        title, subtitle, color = titles
        self._titles, self._theme, self._factory, self._report = titles, theme, factory, report
        contexts, factions = factory.contexts, factory.game.factions
        self._factions = {faction_anchor(each): contexts.faction(each) for each in factions}
        self._page: Context = {
            "width": theme.width,
            "height": theme.height,
            "left": theme.margin_x,
            "top": theme.margin_top,
            "bottom": theme.margin_bottom,
        }
        self._context: Context = {
            "book": {"title": title, "subtitle": subtitle, "color": color},
            "factions": [*self._factions.values()],
            "cards": contexts.cards,
        }

    def page(self, named: Named, side: str = "right") -> Face | None:
        """Return a page that a template draws, None if none does."""
        return self._drawn(named, (self._theme.width, self._theme.height), {"side": side}, {})

    def pages(self, named: Named) -> Sides | None:
        """Return what lies beneath the texts of left pages and of right ones."""
        left, right = self.page(named, "left"), self.page(named, "right")
        return None if left is None or right is None else Sides(left, right)

    def cover(self, named: Named) -> Face | None:
        """Return the cover that a template draws, or a plain one."""
        if named.template is None:
            return plain_cover(self._titles, self._theme, self._factory)
        return self.page(named)

    def headed(self, block: Block, chapters: Named, factions: Named) -> Block:
        """Return a block; a chapter's heading, or a faction's, with what its template draws."""
        if isinstance(block, Contents):
            plain = Heading(1, "", block.title, "")
            return block._replace(face=self._heading(plain, chapters, {}))
        if not isinstance(block, Heading):
            return block
        if block.anchor in self._factions:
            more = {"faction": self._factions[block.anchor]}
            return block._replace(face=self._heading(block, factions, more))
        if block.level == 1:
            return block._replace(face=self._heading(block, chapters, {}))
        return block

    def _heading(self, heading: Heading, named: Named, more: Context) -> Face | None:
        told = {"id": heading.anchor, "number": heading.number, "title": heading.title}
        size = (self._theme.column, named.height)
        return self._drawn(named, size, {}, {"heading": told, **more})

    def _drawn(
        self, named: Named, size: tuple[Mm, Mm], page: Context, more: Context
    ) -> Face | None:
        if named.template is None:
            return None
        context = {**self._context, "page": {**self._page, **page}, **more}
        return self._factory.drawing(
            named.template, named.source, context, size, self._report, named.attribute
        )
