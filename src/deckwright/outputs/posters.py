"""Print a page of a PDF file or a picture over several sheets, as a board or mat."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_file
from deckwright.base.findings import Location, Report
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.base.units import MM_PER_UNIT, PAPER_SIZES, Mm, resolve_date
from deckwright.game.folder import GameFolder
from deckwright.images.drawings import is_rasterizing
from deckwright.images.drawings.cache import load_drawing
from deckwright.images.drawings.model import DrawingError
from deckwright.images.store import PRINT_DPI, ImageStore, upright_size
from deckwright.ops.model import DrawImage, Group, Op
from deckwright.outputs.foreign_cards import E062, PageSource, add_crop
from deckwright.outputs.imposed import printed_words, write_imposed
from deckwright.outputs.printed import Print
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.foreign import ForeignFile, ForeignPage, PageCrop, is_pdf, read_pdf
from deckwright.paint.pdf.metadata import Info
from deckwright.sheet.flow import GRAY, TextRun, TextSetter, place_strip
from deckwright.sheet.grid import Margins
from deckwright.sheet.pages import Page, PlacedFace
from deckwright.sheet.poster import (
    CUT_BLEED,
    Tiling,
    draw_overview,
    draw_sheet_marks,
    plan_tiling,
    tile_area,
)
from deckwright.templates.compose import I006
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.fonts import default_fonts

_MAX_SHEETS = 200
"""More sheets mean a wrong unit."""
_HEADER_BYTES = 1024
"""The number of bytes that identify a file format."""
_MIN_DPI = 100
"""The minimum resolution of a picture. Normal vision resolves one arc minute, which is 87 dpi at a
distance of one meter."""
_CSS_PIXEL = MM_PER_UNIT["in"] / 96
"""The unit of SVG drawings (CSS Values and Units 3, section 6.2)."""


class PosterOptions(NamedTuple):
    """Options of a poster.

    Attributes:
        size: the width and height to fit into, in the orientation of the poster; None for its own.
        page: the page number.
        paper: a name of `PAPER_SIZES`.
        overlap: the overlap where the next sheet is glued on.
        margins: the unprintable margins of upright paper.
    """

    size: tuple[Mm, Mm] | None = None
    page: int = 1
    paper: str = "a4"
    overlap: Mm = 10
    margins: Margins = Margins()


def print_poster(
    path: Path, target: Path, options: PosterOptions, folder: GameFolder, report: Report
) -> Print:
    """Print a page or a picture over several sheets to `target`, with the words of a game."""
    file = _read(path, options.size, report)
    if options.page > len(file.pages):
        message = f"there is no page {options.page}: the file has {len(file.pages)}"
        raise OutputError(E062.at(Location(path), message, "choose another one with `--page`"))
    page = file.pages[options.page - 1]
    scale = _fit_scale(page.trim.width, page.trim.height, options.size)
    width, height = page.trim.width * scale, page.trim.height * scale
    tiling = plan_tiling(
        width, height, PAPER_SIZES[options.paper], options.margins, options.overlap
    )
    if tiling is None or tiling.sheets > _MAX_SHEETS:
        takes = "cannot be split over" if tiling is None else f"takes {tiling.sheets} sheets of"
        message = f"a poster of {width:.0f} × {height:.0f} mm {takes} paper `{options.paper}`"
        hint = f"choose a smaller `--size` or larger `--paper`: at most {_MAX_SHEETS} sheets"
        if tiling is None:
            hint = "choose a smaller `--overlap` or larger `--paper`"
        raise OutputError(E062.at(Location(path), message, hint))
    words, language = printed_words(folder)
    setter = TextSetter({}, None, Hyphenator(language))
    crops: dict[int, PageCrop] = {}
    pages, reach = list[Page](), CUT_BLEED / scale
    for tile in tiling.tiles():
        part = tile.part
        x, y = page.trim.x + part.x / scale, page.trim.y + part.y / scale
        area = Box(x, y, part.width / scale, part.height / scale)
        face = add_crop(PageCrop(page, area), crops)
        sheet = Page(
            *tiling.paper,
            (PlacedFace(face, tile.box.x, tile.box.y, scale, reach=(reach, reach)),),
            tuple(draw_sheet_marks(tiling, tile, setter)),
            bookmark=tile.label,
            slug=tiling.slug(),
            footer_note=tile.label,
        )
        pages.append(sheet)
    title = file.title or path.stem
    if tiling.sheets > 1:
        count = words["poster-sheets"]
        numbers = {"count": tiling.sheets, "columns": tiling.columns, "rows": tiling.rows}
        for name, number in numbers.items():
            count = count.replace(f"{{{name}}}", str(number))
        facts = f"{width:.0f} × {height:.0f} mm · {count}"
        texts = title, facts, words["poster-assembly"]
        pages.insert(0, _plan_page(page, tiling, texts, setter, crops))
    source = PageSource(path, title, file.version, folder)
    write_imposed(pages, crops, source, target, setter.fonts)
    return Print((target,), len(pages), tiling.sheets)


def _fit_scale(width: Mm, height: Mm, size: tuple[Mm, Mm] | None) -> float:
    """Return the scale that fits something into a size in the same orientation."""
    if size is None:
        return 1
    short, long = sorted(size)
    wide, high = (long, short) if width > height else (short, long)
    return min(wide / width, high / height)


def _read(path: Path, size: tuple[Mm, Mm] | None, report: Report) -> ForeignFile:
    """Return the pages of a PDF file, or a picture as a page."""
    if not is_file(path):
        return read_pdf(path)  # reports what is wrong
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEADER_BYTES)
    except OSError:
        return read_pdf(path)  # as above
    if not is_pdf(head) and (path.suffix.lower() == ".svg" or b"<svg" in head):
        return _convert_to_pdf(path, *_load_svg(path, size), report)
    if is_pdf(head) or path.suffix.lower() == ".pdf":
        return read_pdf(path)
    across, down = upright_size(path) or (PRINT_DPI, PRINT_DPI)
    width, height = (side / PRINT_DPI * MM_PER_UNIT["in"] for side in (across, down))
    scale = _fit_scale(width, height, size)
    box = Box(0, 0, width * scale, height * scale)
    return _convert_to_pdf(path, box, DrawImage(path, box, cover=True), report)


def _load_svg(path: Path, size: tuple[Mm, Mm] | None) -> tuple[Box, Op]:
    """Return the box and ops of an SVG drawing."""
    try:
        drawing = load_drawing(path, path.stat().st_mtime_ns)
        box, scale = _fit_drawing(drawing.width, drawing.height, size)
        return box, Group(drawing.visible_ops, (scale, 0, 0, scale, 0, 0))
    except DrawingError as error:
        refused = error
    if is_rasterizing():
        from deckwright.images.drawings.rasterize import drawing_size, rasterize  # rarely needed

        try:
            box, _ = _fit_drawing(*drawing_size(path), size)
            fonts = [font.path for font in default_fonts().values()]
            picture = rasterize(path, box, 1, cover=True, palette=(), fonts=fonts)
            return box, DrawImage(picture, box, cover=True)
        except DrawingError as error:
            refused = error
    raise OutputError(I006.at(refused.place, str(refused), refused.hint))


def _fit_drawing(across: float, down: float, size: tuple[Mm, Mm] | None) -> tuple[Box, float]:
    """Return the box of an SVG drawing, whose size is in pixels, and the size of a pixel in it."""
    width, height = across * _CSS_PIXEL, down * _CSS_PIXEL
    scale = _fit_scale(width, height, size)
    return Box(0, 0, width * scale, height * scale), _CSS_PIXEL * scale


def _convert_to_pdf(path: Path, box: Box, op: Op, report: Report) -> ForeignFile:
    """Return a page with an op in a box."""
    images = ImageStore(min_dpi=_MIN_DPI)
    images.prepare([op] if isinstance(op, DrawImage) else [], report)
    stop_on_errors(report)
    stream = io.BytesIO()
    info = Info(path.stem, "", "", "", resolve_date([path]))
    fonts = {font.id: font for font in default_fonts().values()}
    page = Page(box.width, box.height, ops=(op,))
    write_pdf(stream, [page], info, fonts, images, tagged=False)
    return read_pdf(path, stream.getvalue())


def _plan_page(
    page: ForeignPage,
    layout: Tiling,
    texts: tuple[str, str, str],
    setter: TextSetter,
    crops: dict[int, PageCrop],
) -> Page:
    """Return the assembly plan of the sheets, with the title, the facts and the instructions."""
    room = tile_area(layout.paper, layout.edges).expand(-4)
    title, facts, assembly = texts
    ops: list[Op] = []
    y = room.y
    narrow = min(room.width, 150)
    for strip, left in (
        (setter.set_text([TextRun(title, bold=True)], room.width, 18), 0),
        (setter.set_text(facts, room.width, 10, color=GRAY), 0),
        (setter.set_text(assembly, narrow, 10), setter.left_of(0, narrow, room.width)),
    ):
        ops.append(place_strip(strip, room.x + left, y))
        y += strip.height + 2
    y += 4
    scale = min(room.width / layout.width, (room.bottom - y) / layout.height, 1)
    x = room.x + (room.width - layout.width * scale) / 2
    picture = Box(x, y, layout.width * scale, layout.height * scale)
    face = add_crop(PageCrop(page, page.trim), crops)
    placed = PlacedFace(face, x, y, picture.width / page.trim.width)
    ops += draw_overview(layout, picture, setter)
    return Page(*layout.paper, (placed,), tuple(ops), slug=layout.slug())
