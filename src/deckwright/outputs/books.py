"""Print the books of a game: the overview of its factions, and its rulebook."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from deckwright.base.colors import resolve_color
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.base.output import OutputError, stop_on_errors, write_file
from deckwright.base.units import Mm
from deckwright.book import overview
from deckwright.book.covers import color_of
from deckwright.book.model import (
    INK,
    Block,
    Book,
    Contents,
    Gallery,
    Heading,
    Index,
    Theme,
    catalog_theme,
    theme_of,
)
from deckwright.book.overview import BookTemplates, TemplateRef
from deckwright.book.read import BookReader, select_style
from deckwright.book.shape import load_rulebook
from deckwright.checks.loading import load_partial_game
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import prepare_images
from deckwright.game.folder import GameFolder
from deckwright.game.setup import Setup
from deckwright.outputs.printed import Print
from deckwright.xmlio.node import Node

if TYPE_CHECKING:
    from deckwright.outputs.services.export import PressSettings
    from deckwright.paint.pdf.texts import BookResources


_CONTENTS_LEVELS = 2
_COLUMNS, _INDEX_COLUMNS = 2, 4
"""The numbers of columns of contents and of indexes in an overview."""
_MAX_CARDS_WITHOUT_CONTENTS = 12
"""The most cards of several factions that are found without contents."""
_MAX_CARDS_WITHOUT_INDEX = 50
"""The most cards that are found without indexes."""
_MAX_LINES_BESIDE = 12
"""The most lines of contents beside the first cards, as high as a card."""
_HEADING_HEIGHTS: dict[str, Mm] = {"heading": 30, "section-heading": 10}
"""The default heights of headings drawn by templates."""


def build_overview(faction_ids: Sequence[str], factory: FaceFactory, report: Report) -> Book:
    """Return the overview of factions; that of a single faction has no cover, contents or index.

    That of a game's only faction has a cover. Indexes are for games of many cards.
    """
    game, theme = factory.game, catalog_theme()
    setup, words = game.setup, game.setup.words
    looks = _overview_looks(factory, report)
    pages = looks.draw_backgrounds(_overview_page(setup))
    if len(faction_ids) == 1 < len(game.factions):
        faction = game.factions[faction_ids[0]]
        blocks = [*overview.make_catalog(faction_ids, factory, report, theme)]
        title = f"{words['overview']} – {faction.name}"
        color = color_of(faction, factory)
        book = _book(title, theme, color, _draw_headings(blocks, looks, setup), factory)
        return book._replace(pages=pages, catalog=True)
    twins = overview.find_twins(game, faction_ids)
    owners = [each for each in faction_ids if each not in twins]
    cards = overview.index_cards(game, owners)
    contents = None
    if len(faction_ids) > 1 and len(cards) > _MAX_CARDS_WITHOUT_CONTENTS:
        beside = not setup.banner and 2 * len(faction_ids) <= _MAX_LINES_BESIDE
        ground = color_of(game.factions[faction_ids[0]], factory) if beside else None
        columns = 1 if beside else _COLUMNS
        contents = Contents(words["contents"], _CONTENTS_LEVELS, None, columns, ground)
    blocks = [*overview.make_catalog(faction_ids, factory, report, theme, contents)]
    if len(cards) > _MAX_CARDS_WITHOUT_INDEX:
        rules = overview.index_rules(game, owners)
        arts = [block.art for block in blocks if isinstance(block, Gallery) and block.art]
        for number, (word, entries) in enumerate(
            {"index-cards": cards, "index-rules": rules}.items()
        ):
            if entries:
                art = tuple(each[(len(each) // 2 + number) % len(each)] for each in arts)
                index = Index(entries, _INDEX_COLUMNS, art=art)
                blocks += [Heading(1, "", words[word], word), index]
    title = f"{setup.name} – {words['overview']}"
    book = _book(title, theme, INK, _draw_headings(blocks, looks, setup), factory)
    book = book._replace(fonts={**book.fonts, "title": factory.display_font})
    return book._replace(
        cover=looks.draw_cover(_overview_cover(setup), faction_ids), pages=pages, catalog=True
    )


def check_overview_templates(factory: FaceFactory, report: Report) -> None:
    """Report what is wrong with the templates of the overview by drawing them."""
    looks, game = _overview_looks(factory, report), factory.game
    looks.draw_cover(_overview_cover(game.setup))
    looks.draw_backgrounds(_overview_page(game.setup))
    headings = (
        Heading(2, "", faction.name, overview.faction_anchor(faction.id))
        for faction in game.factions.values()
    )
    _draw_headings(headings, looks, game.setup)


def _overview_looks(factory: FaceFactory, report: Report) -> BookTemplates:
    setup = factory.game.setup
    titles = (setup.name, setup.words["overview"], INK)
    return BookTemplates(titles, catalog_theme(), factory, report)


def _overview_cover(setup: Setup) -> TemplateRef:
    return TemplateRef(setup.overview_cover, setup.sheet_source, "overview-cover")


def _overview_page(setup: Setup) -> TemplateRef:
    return TemplateRef(setup.overview_page, setup.sheet_source, "overview-page")


def _draw_headings(
    blocks: Iterable[Block], looks: BookTemplates, setup: Setup, *parts: TemplateRef
) -> list[Block]:
    """Return blocks with headings drawn by templates, those of chapters and sections by `parts`."""
    factions = TemplateRef(setup.banner, setup.sheet_source, "banner", setup.banner_height)
    chapters, sections = parts or 2 * (TemplateRef(None, setup.source, ""),)
    return [looks.add_heading(block, chapters, sections, factions) for block in blocks]


def build_rulebook(root: Node, factory: FaceFactory, report: Report) -> Book:
    """Return the rulebook of a game from the valid document `root`; errors are reported."""
    setup = factory.game.setup
    root = select_style(root, factory.style, factory.folder.styles(), report)
    theme = theme_of(root.get("paper") or "a5")
    if root.get("chapters") == "continuous":  # a law, of many short sections
        theme = theme._replace(spacing=0.65, run_in=3)
    color = resolve_color(root.get("color") or INK, setup.colors)
    reader = BookReader(root, factory, theme, report)
    before = len(report)
    title, subtitle = reader.titles()
    usable = len(report) == before
    blocks: list[Block] = [*reader.blocks()]
    if root.get("contents") != "false":
        blocks.insert(0, Contents(setup.words["contents"], _CONTENTS_LEVELS))
    whole = f"{title} – {subtitle}" if subtitle else title
    book = _book(whole, theme, color, blocks, factory)
    if usable:
        looks = BookTemplates((title, subtitle, color), theme, factory, report)
        cover, page, back = (
            TemplateRef(root.get(name), root.source, name) for name in ("cover", "page", "back")
        )
        heights = {
            name: float(root.get(f"{name}-height") or usual)
            for name, usual in _HEADING_HEIGHTS.items()
        }
        headings = (
            TemplateRef(root.get(name), root.source, name, height)
            for name, height in heights.items()
        )
        book = book._replace(
            blocks=tuple(_draw_headings(blocks, looks, setup, *headings)),
            cover=looks.draw_cover(cover),
            pages=looks.draw_backgrounds(page),
            back=looks.draw_page(back),
        )
    return book._replace(source=root.source)


def _book(
    title: str, theme: Theme, color: str, blocks: Iterable[Block], factory: FaceFactory
) -> Book:
    fonts = {"text": factory.text_font, "title": factory.title_font}
    return Book(title, theme, color, None, tuple(blocks), fonts)


L005 = Code("L005", Severity.ERROR, "a book with content larger than a page")


def print_book(book: Book, factory: FaceFactory, target: Path | None, report: Report) -> int:
    """Print a book as a PDF, or only lay it out without a `target`; return its number of pages."""
    pages = 0

    def write(stream: IO[bytes] | None) -> None:
        from deckwright.paint.pdf.book import write_book
        from deckwright.paint.pdf.metadata import info_of

        nonlocal pages
        info = info_of(book.title, factory.game.setup, factory.folder)
        pages = write_book(stream, book, info, _book_resources(factory, book))

    _prepare(book, factory, report)
    with _limit_content(book):
        if target is None:
            write(None)
        else:
            write_file(target, write)
    return pages


def _prepare(book: Book, factory: FaceFactory, report: Report) -> None:
    stop_on_errors(report)
    if not prepare_images(book.faces, factory.pictures.store, report):
        raise OutputError


def _book_resources(factory: FaceFactory, book: Book) -> BookResources:
    from deckwright.paint.pdf.texts import BookResources

    context, images = factory.drawing_context, factory.pictures.store
    return BookResources(
        context.metrics, context.hyphens, book.fonts, factory.fonts, images, context.symbols, {}, []
    )


@contextmanager
def _limit_content(book: Book) -> Iterator[None]:
    """Raise an OutputError for content that is larger than a page."""
    from deckwright.paint.pdf.book import TooLargeError

    try:
        yield
    except TooLargeError as error:
        place = Location(book.source.path) if book.source else None
        message = f"the content after page {error.page} of the book is larger than a page"
        hint = "shorten it, split it, or choose larger paper"
        raise OutputError(L005.at(place, message, hint)) from error


def print_overview(
    folder: GameFolder,
    faction_ids: Sequence[str],
    target: Path,
    style: str | None,
    report: Report,
    press: PressSettings | None = None,
) -> Print:
    """Print the overview of factions (all if none is named) as a PDF, for a press if `press`."""

    def build(factory: FaceFactory) -> Book:
        factions = factory.game.factions
        wanted = [name for name in faction_ids or factions if name in factions]
        if not wanted:
            raise OutputError
        return build_overview(wanted, factory, report)

    return _print(folder, target, style, report, build, press)


def print_rulebook(
    folder: GameFolder,
    target: Path,
    style: str | None,
    report: Report,
    press: PressSettings | None = None,
) -> Print:
    """Print a game's rulebook as a PDF to `target`, for a press if `press`."""
    findings: Report = []  # apart, since with an error the game would not be read
    root = load_rulebook(folder, findings)

    def build(factory: FaceFactory) -> Book:
        if root is None:
            raise OutputError(*findings)
        report.extend(findings)
        return build_rulebook(root, factory, report)

    return _print(folder, target, style, report, build, press)


def _print(
    folder: GameFolder,
    target: Path,
    style: str | None,
    report: Report,
    build: Callable[[FaceFactory], Book],
    press: PressSettings | None,
) -> Print:
    """Print a book with faulty content marked; for a press, every fault is an error."""
    faults: Report = []
    try:
        game = load_partial_game(folder, report, faults)
        if game is None:
            raise OutputError
        factory = FaceFactory(game, folder, report, style, faults)
        if not factory.usable:
            raise OutputError
        book = build(factory)
        if press is None:
            return Print((target,), print_book(book, factory, target, report))
    finally:
        report.extend(faults)
    from deckwright.outputs.services.export import print_for_press
    from deckwright.outputs.services.press import PressPage
    from deckwright.paint.pdf.book import render_pages

    _prepare(book, factory, report)
    with _limit_content(book):
        faces = render_pages(book, _book_resources(factory, book))
    place = Location(book.source.path) if book.source else None
    pages = [PressPage(face, place) for face in faces]
    output = print_for_press(pages, book.title, factory, press, target, report)
    return Print((target, *output.masks), len(pages), press=output)


def print_rulebook_booklet(
    folder: GameFolder, target: Path, style: str | None, report: Report
) -> Print:
    """Print a game's rulebook as a booklet to fold and staple, as a PDF to `target`."""
    from deckwright.outputs.imposed import BookletOptions, print_booklet

    root = load_rulebook(folder, [])
    options = BookletOptions(back_cover=root is not None and root.get("back") is not None)
    with tempfile.TemporaryDirectory(prefix="deckwright-") as place:
        pages = Path(place) / target.name
        print_rulebook(folder, pages, style, report)
        return print_booklet(pages, target, options, tuple(folder.inputs()))
