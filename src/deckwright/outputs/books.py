"""Books of a game: the overview of its factions, and its rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deckwright.base.colors import tint
from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.book import overview
from deckwright.book.looks import Looks, Named
from deckwright.book.model import Block, Book, Contents, Heading, Index
from deckwright.book.read import BookReader
from deckwright.book.styled import of_style
from deckwright.book.theme import INK, Theme, theme_of
from deckwright.faces.factory import FaceFactory
from deckwright.game.setup import Setup
from deckwright.xmlio.node import Node

OVERVIEW_PAPER = "a4"
_CONTENTS_LEVELS = 2
_HEADING: Mm = 30
"""The height of a chapter's heading that a template draws, if the book does not say."""


def overview_book(faction_ids: Sequence[str], factory: FaceFactory, report: Report) -> Book:
    """Return the overview of factions; one of several gets neither cover nor contents nor index."""
    game, theme = factory.game, theme_of(OVERVIEW_PAPER)
    setup, words = game.setup, game.setup.words
    looks = _overview_looks(factory, report)
    pages = looks.pages(_overview_page(setup))
    if len(faction_ids) == 1 < len(game.factions):
        faction = game.factions[faction_ids[0]]
        blocks = list(overview.faction_blocks(faction, factory, report, level=1))
        title = f"{words['overview']} – {faction.name}"
        book = _book(title, theme, faction.color, _headed(blocks, looks, setup), factory)
        return book._replace(pages=pages)
    levels = overview.race_blocks(faction_ids, factory, report, level=1, number=lambda _: "")
    blocks = [Contents(words["contents"], _CONTENTS_LEVELS), *levels]
    for word, entries in (
        ("index-cards", overview.card_entries(game, faction_ids)),
        ("index-rules", overview.rule_entries(game, faction_ids)),
    ):
        if entries:
            blocks.append(Heading(1, "", words[word], word, new_page=True))
            blocks.append(Index(entries, 2))
    title = f"{setup.name} – {words['overview']}"
    book = _book(title, theme, INK, _headed(blocks, looks, setup), factory)
    return book._replace(cover=looks.cover(_overview_cover(setup)), pages=pages)


def overview_looks(factory: FaceFactory, report: Report) -> None:
    """Draw what the templates of the overview draw, to report what is wrong with them."""
    looks, game = _overview_looks(factory, report), factory.game
    looks.cover(_overview_cover(game.setup))
    looks.pages(_overview_page(game.setup))
    headings = (
        Heading(2, "", faction.name, overview.faction_anchor(faction.id))
        for faction in game.factions.values()
    )
    _headed(headings, looks, game.setup)


def _overview_looks(factory: FaceFactory, report: Report) -> Looks:
    setup = factory.game.setup
    titles = (setup.name, setup.words["overview"], INK)
    return Looks(titles, theme_of(OVERVIEW_PAPER), factory, report)


def _overview_cover(setup: Setup) -> Named:
    return Named(setup.overview_cover, setup.sheet_source, "overview-cover")


def _overview_page(setup: Setup) -> Named:
    return Named(setup.overview_page, setup.sheet_source, "overview-page")


def _headed(
    blocks: Iterable[Block], looks: Looks, setup: Setup, chapters: Named | None = None
) -> list[Block]:
    """Return blocks whose headings have what templates draw of them.

    Args:
        chapters: the template of the headings of chapters.
    """
    factions = Named(setup.banner, setup.sheet_source, "banner", setup.banner_height)
    plain = Named(None, setup.source, "")
    return [looks.headed(block, chapters or plain, factions) for block in blocks]


def rulebook(root: Node, factory: FaceFactory, report: Report) -> Book:
    """Return the rulebook of a game, of the valid document `root`; what is wrong is reported."""
    setup = factory.game.setup
    root = of_style(root, factory.style, factory.folder.styles(), report)
    theme = theme_of(root.get("paper") or "a5")
    color = tint(root.get("color") or INK, setup.colors)
    reader = BookReader(root, factory, theme, report)
    before = len(report)
    title, subtitle = reader.titles()
    usable = len(report) == before
    blocks: list[Block] = [Contents(setup.words["contents"], _CONTENTS_LEVELS)]
    blocks += reader.blocks()
    whole = f"{title} – {subtitle}" if subtitle else title
    book = _book(whole, theme, color, blocks, factory)
    if usable:
        looks = Looks((title, subtitle, color), theme, factory, report)
        cover, page, back, heading = (
            Named(root.get(name), root.source, name, _height(root, name))
            for name in ("cover", "page", "back", "heading")
        )
        book = book._replace(
            blocks=tuple(_headed(blocks, looks, setup, heading)),
            cover=looks.cover(cover),
            pages=looks.pages(page),
            back=looks.page(back),
        )
    return book._replace(source=root.source)


def _height(root: Node, name: str) -> Mm:
    return float(root.get(f"{name}-height") or _HEADING)


def _book(
    title: str, theme: Theme, color: str, blocks: Iterable[Block], factory: FaceFactory
) -> Book:
    fonts = {"text": factory.text_font, "title": factory.title_font}
    return Book(title, theme, color, None, tuple(blocks), fonts)
