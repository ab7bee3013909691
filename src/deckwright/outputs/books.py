"""Books of a game: the overview of its factions, and its rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from deckwright.base.colors import tint
from deckwright.base.findings import Report
from deckwright.book import overview
from deckwright.book.cover import plain_cover
from deckwright.book.model import Block, Book, Contents, Figure, Gallery, Heading, Index
from deckwright.book.read import BookReader
from deckwright.book.theme import INK, Theme, theme_of
from deckwright.faces.factory import FaceFactory
from deckwright.game.model import Game
from deckwright.ops.model import Face
from deckwright.xmlio.node import Node, Source

OVERVIEW_PAPER = "a4"
_CONTENTS_LEVELS = 2


class BookPlan(NamedTuple):
    """A book and the measures to set it by."""

    book: Book
    theme: Theme
    source: Source | None = None
    """Where it was read from, None if it was not."""

    @property
    def faces(self) -> Iterator[Face]:
        """All faces that the book shows."""
        if self.book.cover is not None:
            yield self.book.cover
        for block in self.book.blocks:
            if isinstance(block, Figure):
                yield from block.faces
            elif isinstance(block, Gallery):
                yield from (picture.face for picture in block.pictures)


def overview_book(
    game: Game, faction_ids: Sequence[str], factory: FaceFactory, report: Report
) -> BookPlan:
    """Return the overview of factions; one of several gets neither cover nor contents nor index."""
    theme, words = theme_of(OVERVIEW_PAPER), game.setup.words
    if len(faction_ids) == 1 < len(game.factions):
        faction = game.factions[faction_ids[0]]
        blocks = list(overview.faction_blocks(game, faction, factory, report, level=1))
        title = f"{words['overview']} – {faction.name}"
        return BookPlan(_book(title, "", theme, faction.color, None, blocks, factory), theme)
    levels = overview.race_blocks(game, faction_ids, factory, report, level=1, number=lambda _: "")
    blocks = [Contents(words["contents"], _CONTENTS_LEVELS), *levels]
    for word, entries in (
        ("index-cards", overview.card_entries(game, faction_ids)),
        ("index-rules", overview.rule_entries(game, faction_ids)),
    ):
        if entries:
            blocks.append(Heading(1, "", words[word], word, new_page=True))
            blocks.append(Index(entries, 2))
    color = INK
    cover = overview_cover(game, factory, report)
    title = f"{game.setup.name} – {words['overview']}"
    return BookPlan(_book(title, "", theme, color, cover, blocks, factory), theme)


def overview_cover(game: Game, factory: FaceFactory, report: Report) -> Face | None:
    """Return the cover of the overview, None after reporting why it cannot be drawn."""
    setup = game.setup
    titles = (setup.name, setup.words["overview"], INK)
    theme = theme_of(OVERVIEW_PAPER)
    return _cover(setup.overview_cover, setup.sheet_source, "overview-cover", titles,
                  theme, factory, report)  # fmt: skip


def rulebook(root: Node, game: Game, factory: FaceFactory, report: Report) -> BookPlan:
    """Return the rulebook of a game, of the valid document `root`; what is wrong is reported."""
    theme = theme_of(root.get("paper") or "a5")
    color = tint(root.get("color") or INK, game.setup.colors)
    reader = BookReader(root, game, factory, theme, report)
    before = len(report)
    title, subtitle = reader.titles()
    usable = len(report) == before
    blocks: list[Block] = [Contents(game.setup.words["contents"], _CONTENTS_LEVELS)]
    blocks += reader.blocks()
    cover = None
    if usable:
        titles = (title, subtitle, color)
        cover = _cover(root.get("cover"), root.source, "cover", titles, theme, factory, report)
    whole = f"{title} – {subtitle}" if subtitle else title
    book = _book(whole, subtitle, theme, color, cover, blocks, factory)
    return BookPlan(book, theme, root.source)


def _book(
    title: str,
    subtitle: str,
    theme: Theme,
    color: str,
    cover: Face | None,
    blocks: Iterable[Block],
    factory: FaceFactory,
) -> Book:
    fonts = {"text": factory.text_font, "title": factory.title_font}
    return Book(title, subtitle, (theme.width, theme.height), color, cover, tuple(blocks), fonts)


def _cover(
    template: str | None,
    source: Source,
    attribute: str,
    titles: tuple[str, str, str],
    theme: Theme,
    factory: FaceFactory,
    report: Report,
) -> Face | None:
    """Return the cover that a template draws, or a plain one.

    Args:
        titles: title, subtitle and color.
    """
    if template is None:
        return plain_cover(titles, theme, factory)
    return factory.cover(template, source, attribute, titles, (theme.width, theme.height), report)
