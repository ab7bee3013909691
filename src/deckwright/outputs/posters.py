"""Print a page of a PDF file, or a picture, over several sheets: a board or a mat."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_file
from deckwright.base.findings import Location, Report, has_errors
from deckwright.base.geometry import Box
from deckwright.base.units import PAPERS, PER_UNIT, Mm, date_of
from deckwright.game.folder import GameFolder
from deckwright.images.drawings.cache import load_drawing
from deckwright.images.drawings.model import DrawingError
from deckwright.images.drawings.rasterize import is_rasterizing
from deckwright.images.store import PRINT_DPI, ImageStore, upright_size
from deckwright.ops.model import DrawImage, Group, Op
from deckwright.outputs.foreign_cards import E062
from deckwright.outputs.imposed import Source, spoken, write_foreign
from deckwright.outputs.printed import Print
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.foreign import ForeignFile, ForeignPage, Leaf, is_pdf, read_pdf
from deckwright.paint.pdf.info import Info
from deckwright.sheet.flow import GRAY, Run, Setter, moved
from deckwright.sheet.grid import Margins
from deckwright.sheet.pages import Page, Placed
from deckwright.sheet.poster import REACH, Tiling, area, plan, sheet_marks, tiling
from deckwright.templates.compose import I006
from deckwright.text.break_opportunities import Hyphens
from deckwright.text.fonts import usual_fonts

_MOST_SHEETS = 200
"""More is a wrong unit."""
_HEAD = 1024
"""So many bytes tell what a file is."""
_LEAST_DPI = 100
"""How fine a picture must be. Full sight tells lines apart that are a minute of arc from each
other: on a board that is seen from a meter away, 87 of them to the inch."""
_PIXEL = PER_UNIT["in"] / 96
"""The unit of SVG drawings (CSS Values and Units 3, section 6.2)."""


class PosterOptions(NamedTuple):
    """How a poster is made.

    Attributes:
        size: the width and height that it fits in, upright or lying as it is; None for its own.
        page: the number of the page that it is.
        paper: a name of `units.PAPERS`.
        overlap: how far a sheet goes on where the next one is glued onto it.
        margins: what the printer leaves white of upright paper.
    """

    size: tuple[Mm, Mm] | None = None
    page: int = 1
    paper: str = "a4"
    overlap: Mm = 10
    margins: Margins = Margins()


def print_poster(
    path: Path, target: Path, options: PosterOptions, folder: GameFolder, report: Report
) -> Print | None:
    """Print a page or a picture over several sheets to `target`; None after reporting why not.

    Args:
        folder: the game whose words are printed, if it is one.
    """
    file = _read(path, options.size, report)
    if file is None:
        return None
    if options.page > len(file.pages):
        message = f"there is no page {options.page}: the file has {len(file.pages)}"
        report.append(E062.at(Location(path), message, "name another one with `--page`"))
        return None
    page = file.pages[options.page - 1]
    scale = _scale(page.trim.width, page.trim.height, options.size)
    width, height = page.trim.width * scale, page.trim.height * scale
    laid = tiling(width, height, PAPERS[options.paper], options.margins, options.overlap)
    if laid is None or laid.sheets > _MOST_SHEETS:
        takes = "cannot be laid over" if laid is None else f"takes {laid.sheets} sheets of"
        message = f"a poster of {width:.0f} × {height:.0f} mm {takes} paper `{options.paper}`"
        hint = f"choose a smaller `--size` or larger `--paper`: {_MOST_SHEETS} sheets are the most"
        if laid is None:
            hint = "choose a smaller `--overlap` or larger `--paper`"
        report.append(E062.at(Location(path), message, hint))
        return None
    words, language = spoken(folder)
    setter = Setter(
        {style: font for (_, style), font in usual_fonts().items()}, {}, None, Hyphens(language)
    )
    leaves: dict[int, Leaf] = {}
    pages = _sheets(page, scale, laid, setter, leaves)
    title = file.title or path.stem
    if laid.sheets > 1:
        count = words["poster-sheets"]
        numbers = {"count": laid.sheets, "columns": laid.columns, "rows": laid.rows}
        for name, number in numbers.items():
            count = count.replace(f"{{{name}}}", str(number))
        facts = f"{width:.0f} × {height:.0f} mm · {count}"
        texts = title, facts, words["poster-assembly"]
        pages.insert(0, _plan(page, laid, texts, setter, leaves))
    source = Source(path, title, file.version, folder)
    if not write_foreign(pages, leaves, source, target, report, setter.fonts):
        return None
    return Print((target,), len(pages), laid.sheets)


def _scale(width: Mm, height: Mm, size: tuple[Mm, Mm] | None) -> float:
    """Return by how much something is enlarged to fit in a size, which is turned as it lies."""
    if size is None:
        return 1
    short, long = sorted(size)
    wide, high = (long, short) if width > height else (short, long)
    return min(wide / width, high / height)


def _read(path: Path, size: tuple[Mm, Mm] | None, report: Report) -> ForeignFile | None:
    """Return the pages of a PDF file, or a picture as one; None after reporting why not."""
    if not is_file(path):
        return read_pdf(path, report)  # which says what is wrong
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return read_pdf(path, report)  # as above
    if not is_pdf(head) and (path.suffix.lower() == ".svg" or b"<svg" in head):
        return _made_of(path, *_drawing(path, size, report), report)
    if is_pdf(head) or path.suffix.lower() == ".pdf":
        return read_pdf(path, report)
    across, down = upright_size(path) or (PRINT_DPI, PRINT_DPI)
    width, height = (side / PRINT_DPI * PER_UNIT["in"] for side in (across, down))
    scale = _scale(width, height, size)
    box = Box(0, 0, width * scale, height * scale)
    return _made_of(path, box, DrawImage(path, box, cover=True), report)


def _drawing(path: Path, size: tuple[Mm, Mm] | None, report: Report) -> tuple[Box, Op]:
    """Return the box of an SVG drawing, and what it shows in it; what it cannot is reported."""
    try:
        drawing = load_drawing(path, path.stat().st_mtime_ns)
        scale = _PIXEL * _scale(drawing.width * _PIXEL, drawing.height * _PIXEL, size)
        box = Box(0, 0, drawing.width * scale, drawing.height * scale)
        return box, Group(drawing.shown, (scale, 0, 0, scale, 0, 0))
    except DrawingError as error:
        refused = error
    if is_rasterizing():
        try:
            return _pixels(path, size)
        except DrawingError as error:
            refused = error
    report.append(I006.at(refused.place, str(refused), refused.hint))
    return Box(0, 0, 1, 1), Group(())


def _pixels(path: Path, size: tuple[Mm, Mm] | None) -> tuple[Box, Op]:
    """Return the box of an SVG drawing, and what it shows in it as pixels.

    Raises:
        DrawingError: if it cannot be drawn so either.
    """
    from deckwright.images.drawings.rasterize import rasterized, size_of  # noqa: PLC0415 - rarely needed

    width, height = (side * _PIXEL for side in size_of(path))
    scale = _scale(width, height, size)
    box = Box(0, 0, width * scale, height * scale)
    fonts = [font.path for font in usual_fonts().values()]
    picture = rasterized(path, box, 1, cover=True, palette=(), fonts=fonts)
    return box, DrawImage(picture, box, cover=True)


def _made_of(path: Path, box: Box, shown: Op, report: Report) -> ForeignFile | None:
    """Return a page with something in a box, None after reporting why there is none."""
    images = ImageStore(least_dpi=_LEAST_DPI)
    images.prepare([shown] if isinstance(shown, DrawImage) else [], report)
    if has_errors(report):
        return None
    made = io.BytesIO()
    info = Info(path.stem, "", "", "", date_of([path]))
    fonts = {font.id: font for font in usual_fonts().values()}
    page = Page(box.width, box.height, ops=(shown,))
    write_pdf(made, [page], info, fonts, images, tagged=False)
    return read_pdf(path, report, made.getvalue())


def _sheets(
    page: ForeignPage, scale: float, laid: Tiling, setter: Setter, leaves: dict[int, Leaf]
) -> list[Page]:
    """Return the sheets of a poster."""
    pages = []
    reach = REACH / scale
    for tile in laid.tiles():
        part = tile.part
        placed = _placed(
            Leaf(
                page,
                Box(
                    *(page.trim.x + part.x / scale, page.trim.y + part.y / scale),
                    *(part.width / scale, part.height / scale),
                ),
            ),
            *(tile.box.x, tile.box.y, scale, leaves),
        )
        pages.append(
            Page(
                *laid.paper,
                (placed._replace(reach=(reach, reach)),),
                tuple(sheet_marks(laid, tile, setter)),
                bookmark=tile.label,
                slug=laid.slug(),
                about=tile.label,
            )
        )
    return pages


def _plan(
    page: ForeignPage,
    laid: Tiling,
    texts: tuple[str, str, str],
    setter: Setter,
    leaves: dict[int, Leaf],
) -> Page:
    """Return the page that shows which sheet is where.

    Args:
        texts: the title, what the poster takes, and how it is put together.
    """
    room = area(laid.paper, laid.edges).grown(-4)
    title, facts, assembly = texts
    ops: list[Op] = []
    y = room.y
    for strip in (
        setter.text([Run(title, bold=True)], room.width, 18),
        setter.text(facts, room.width, 10, color=GRAY),
        setter.text(assembly, min(room.width, 150), 10),
    ):
        ops.append(moved(strip, room.x, y))
        y += strip.height + 2
    y += 4
    scale = min(room.width / laid.width, (room.bottom - y) / laid.height, 1)
    x = room.x + (room.width - laid.width * scale) / 2
    picture = Box(x, y, laid.width * scale, laid.height * scale)
    leaf = Leaf(page, page.trim)
    placed = _placed(leaf, x, y, picture.width / page.trim.width, leaves)
    ops += plan(laid, picture, setter)
    return Page(*laid.paper, (placed,), tuple(ops), slug=laid.slug())


def _placed(leaf: Leaf, x: Mm, y: Mm, scale: float, leaves: dict[int, Leaf]) -> Placed:
    """Return a place for a leaf, which is drawn there."""
    face = leaf.face
    leaves[id(face)] = leaf
    return Placed(face, x, y, scale)
