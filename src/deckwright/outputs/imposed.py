"""Print foreign pages: on sheets, as booklets and as zines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import IO, NamedTuple

from deckwright.base.files import is_folder
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError, stop_on_errors, write_file
from deckwright.base.units import PAPER_SIZES, Mm, resolve_date
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.game.words import WORDS
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import Op, StrokePath
from deckwright.outputs.cutters.files import write_cuts
from deckwright.outputs.deck_pages import impose_cards, interleave_backs
from deckwright.outputs.foreign_cards import (
    BLEED_TOLERANCE,
    E062,
    PageOptions,
    PageSource,
    add_crop,
    mend_bleed,
    read_cards,
    read_pictures,
)
from deckwright.outputs.pages import add_footers
from deckwright.outputs.printed import Print
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.foreign import (
    ForeignFile,
    ForeignPage,
    PageCrop,
    PageCrops,
    read_pdf,
    write_foreign_pages,
)
from deckwright.paint.pdf.metadata import Info
from deckwright.sheet.cutters import Layer
from deckwright.sheet.grid import Flip, SheetFormat
from deckwright.sheet.impose import ZINE_PAGES, ZINE_ROWS, impose_booklet, scale_of
from deckwright.sheet.layout import (
    SheetLayout,
    apply_options,
    check_printable_area,
    check_size,
    load_format,
)
from deckwright.sheet.pages import Page, PlacedFace, cut_marks
from deckwright.text.fonts import Font, default_fonts
from deckwright.text.shaping import HarfBuzzMetrics

L012 = Code("L012", Severity.WARNING, "cards with less bleed than their sheet needs")


def print_imposed(
    path: Path, target: Path, options: PageOptions, folder: GameFolder, report: Report
) -> Print:
    """Print the cards of a PDF file or a folder of pictures on sheets, as a PDF to `target`."""
    read = read_pictures if is_folder(path) else read_cards
    cards, drawn, source = read(path, options, folder, report)
    wanted = options.sheets
    sheet = load_format(wanted.sheet or "a4", folder.xml, None, report)
    if sheet is None:
        raise OutputError
    sheet, fitting = apply_options(sheet, wanted, report), cards
    if isinstance(drawn, ImageStore):
        scale = max(scale_of(card.face, sheet.fit_to(*card.size)) for card in cards)
        cards = mend_bleed(cards, sheet.bleed / scale, options.mend, path, report)
        # White bleed is none.
        fitting = fitting if options.mend == "none" else cards

    sizes = list(dict.fromkeys(card.size for card in fitting))
    for width, height in sizes:
        report += check_size(
            sheet, (width, height), "the cards are", Location(path), scale=wanted.scale
        )
    stop_on_errors(report)
    backs = any(card.back for card in fitting)
    offset = wanted.offset if backs and not sheet.is_folded else (0, 0)
    check_printable_area(sheet, sizes, offset, folder.xml, report)
    stop_on_errors(report)
    faces = (face for card in fitting for face in (card.face, card.back) if face)
    least = min((face.bleed for face in faces), default=0)
    if least < sheet.bleed - BLEED_TOLERANCE:
        shown = f"the sheet `{sheet.name}` needs {sheet.bleed:g} mm of bleed"
        message = f"{shown}, but the pages have only {least:.2g} mm"
        hint = "use a sheet without bleed, or smaller cards with `--size`"
        report.append(L012.at(Location(path), message, hint))

    apart = backs and wanted.separate_backs and not sheet.is_folded
    layer = Layer.KISS_CUT if wanted.kiss_cut else Layer.CUT
    setting = SheetLayout(sheet, backs, apart, wanted.offset, wanted.footer, cuts=layer)
    sheets = impose_cards(cards, setting)
    fronts = interleave_backs(sheets, apart=apart)
    back_pages = [sheet.back for sheet in sheets if apart and sheet.back is not None]
    files = {target: fronts, target.with_stem(f"{target.stem}_backs"): back_pages}
    files = {path: pages for path, pages in files.items() if pages}
    for file, pages in files.items():
        write_imposed(pages, drawn, source, file)
    return Print(
        tuple(files),
        sum(map(len, files.values())),
        len(sheets),
        empty=sum(sheet.empty for sheet in sheets),
        cuts=write_cuts(fronts, wanted.cutter, target),
    )


def printed_words(folder: GameFolder) -> tuple[Mapping[str, str], str]:
    """Return the printed words and their language: those of the game, else English."""
    setup = load_setup(folder, []) if folder.has_own_setup else None
    return (setup.words, setup.language) if setup else (WORDS, "en")


def write_imposed(
    pages: Sequence[Page],
    drawn: PageCrops | ImageStore,
    source: PageSource,
    target: Path,
    fallbacks: Mapping[str, Font] = MappingProxyType({}),
) -> None:
    """Write pages with pages of another file, or with pictures.

    Args:
        drawn: the parts of pages that are drawn in place of faces, or the pictures on them.
        fallbacks: fonts of additional ops, by id.
    """
    words, language = printed_words(source.folder)
    fonts = {**{font.id: font for font in default_fonts().values()}, **fallbacks}
    date = resolve_date(source.inputs or (source.path,))
    metrics = HarfBuzzMetrics(fonts)
    finished = list(add_footers(pages, source.title, words, language, date, metrics, "text"))
    info = Info(source.title, "", "" if source.inputs else source.path.name, language, date)

    def paint(stream: IO[bytes]) -> None:
        if isinstance(drawn, ImageStore):
            write_pdf(stream, finished, info, fonts, drawn)
        else:
            write_foreign_pages(stream, finished, drawn, info, fonts, source.version)

    write_file(target, paint)


_EDGE_MARGIN: Mm = 4
"""The distance between marks and the edges of the paper."""


class BookletOptions(NamedTuple):
    """Options of a booklet.

    Attributes:
        paper: a name of `PAPER_SIZES`; None for the smallest that holds two pages side by side.
        signature: the number of sheets per signature; 0 for a single one.
        creep: how much nearer to the fold the pages of each inner sheet are, since it sticks out
            when folded; about the thickness of the paper.
        flip: the edge on which sheets are flipped.
        back_cover: whether the last page is the back cover; blank pages go before it.
        zine: whether eight pages become a zine of one folded and cut sheet.
    """

    paper: str | None = None
    signature: int = 0
    creep: Mm = 0.1
    flip: Flip = Flip.SHORT
    back_cover: bool = False
    zine: bool = False


def print_booklet(
    path: Path, target: Path, options: BookletOptions, inputs: tuple[Path, ...] = ()
) -> Print:
    """Print the pages of a PDF file, made from `inputs` if any, as a booklet to `target`."""
    file = read_pdf(path)
    crops: dict[int, PageCrop] = {}
    if options.zine:
        if len(file.pages) > ZINE_PAGES:
            message = (
                f"a zine of one sheet has {ZINE_PAGES} pages, but the PDF has {len(file.pages)}"
            )
            hint = "leave out `--zine` for a booklet of several sheets"
            raise OutputError(E062.at(Location(path), message, hint))
        pages = [_impose_zine(file, options, crops)]
    else:
        pages = _impose_booklet(file, options, crops)
    source = PageSource(path, file.title or path.stem, file.version, GameFolder(Path()), inputs)
    write_imposed(pages, crops, source, target)
    return Print((target,), len(pages), len(pages) if options.zine else len(pages) // 2)


def _impose_booklet(
    file: ForeignFile, options: BookletOptions, crops: dict[int, PageCrop]
) -> list[Page]:
    """Return the sides of the sheets of a booklet, each front followed by its back."""
    pages = file.pages
    largest = [max(getattr(page.trim, side) for page in pages) for side in ("width", "height")]
    name = options.paper
    if name is None:
        # The smallest that holds two pages side by side, apart from rounding.
        long, short = 2 * largest[0] - 1, largest[1] - 1
        sizes = sorted((size[1] * size[0], key) for key, size in PAPER_SIZES.items())
        fitting = (
            key
            for _, key in sizes
            if max(PAPER_SIZES[key]) >= long and min(PAPER_SIZES[key]) >= short
        )
        name = next(fitting, "a3")
    height, width = sorted(PAPER_SIZES[name])
    # Paper sizes rounded to whole mm do not shrink pages.
    scale = min(width / 2 / largest[0], height / largest[1])
    scale = 1.0 if scale > 1 - 0.005 else scale
    order: list[ForeignPage | None] = [*pages, *[None] * (-len(pages) % 4)]
    if options.back_cover:
        order.remove(pages[-1])
        order.append(pages[-1])
    sides = []
    for sheet in impose_booklet(len(pages), options.signature):
        shift = sheet.depth * options.creep / scale
        for is_back, numbers in enumerate((sheet.front, sheet.back)):
            placed: list[PlacedFace] = []
            for side, number in enumerate(reversed(numbers) if file.rtl else numbers):
                page = order[number - 1]
                if page is None:
                    continue
                box = page.trim
                area = Box(box.x + side * shift, box.y, box.width - shift, box.height)
                face = add_crop(PageCrop(page, area), crops)
                x = width / 2 - (0 if side else face.width * scale)
                one = PlacedFace(face, x, (height - face.height * scale) / 2, scale)
                if is_back and options.flip is Flip.LONG:
                    # The page is turned by 180 degrees.
                    box, turn = one.box, (one.turn + 2) % 4
                    one = one._replace(x=width - box.right, y=height - box.bottom, turn=turn)
                placed.append(one)
            size = largest[0] * scale, largest[1] * scale
            grid = SheetFormat("booklet", width, height, 2, 1, *size, margin=_EDGE_MARGIN)
            marks: tuple[Op, ...] = () if is_back else cut_marks(grid)
            sides.append(Page(width, height, tuple(placed), marks, is_back=bool(is_back)))
    return sides


def _impose_zine(file: ForeignFile, options: BookletOptions, crops: dict[int, PageCrop]) -> Page:
    """Return the only side of a zine."""
    pages = file.pages
    short, long = sorted(PAPER_SIZES[options.paper or "a4"])
    cell = long / 4, short / 2
    placed = []
    for row, numbers in enumerate(ZINE_ROWS):
        for column, number in enumerate(reversed(numbers) if file.rtl else numbers):
            if number > len(pages):
                continue
            face = add_crop(PageCrop(pages[number - 1], pages[number - 1].trim), crops)
            scale = min(cell[0] / face.width, cell[1] / face.height)
            x = column * cell[0] + (cell[0] - face.width * scale) / 2
            y = row * cell[1] + (cell[1] - face.height * scale) / 2
            placed.append(PlacedFace(face, x, y, scale, turn=0 if row else 2))
    # The cut, and ticks for the folds.
    width, height, inset, end = *cell, _EDGE_MARGIN, _EDGE_MARGIN + 3
    lines = [(width, height, 3 * width, height)]
    for x in (width, 2 * width, 3 * width):
        lines += [(x, inset, x, end), (x, short - end, x, short - inset)]
    lines += [(inset, height, end, height), (long - end, height, long - inset, height)]
    marks = (StrokePath(outlines.line(*line), "#000000", 0.1) for line in lines)
    return Page(long, short, tuple(placed), tuple(marks))
