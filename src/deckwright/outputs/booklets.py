"""Booklets and zines of the pages of a PDF file: laid out on sheets that are folded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Location, Report
from deckwright.base.geometry import Box
from deckwright.base.units import PAPERS, Mm
from deckwright.game.folder import GameFolder
from deckwright.ops import outlines
from deckwright.ops.model import Face, Op, StrokePath
from deckwright.outputs.foreign_cards import E062
from deckwright.outputs.imposed import Source, write_foreign
from deckwright.outputs.printed import Print
from deckwright.paint.pdf.foreign import ForeignPage, read_pdf
from deckwright.paint.pdf.forms import Leaf
from deckwright.sheet.booklet import ZINE_PAGES, ZINE_ROWS, folded_sheets
from deckwright.sheet.grid import Flip, SheetFormat
from deckwright.sheet.marks import cut_marks
from deckwright.sheet.pages import Page, Placed

_EDGE: Mm = 4
"""Marks keep this distance from the edges of the paper."""


class BookletOptions(NamedTuple):
    """How a booklet is made.

    Attributes:
        paper: a name of `units.PAPERS`; None for the smallest that two pages fit on side by side.
        signature: of how many sheets a part is; 0 for all in one.
        creep: by how much the pages of a sheet are nearer to the fold than those of the one around
            it, since inner sheets stand out when all are folded; about as thick as the paper is.
        flip: the edge that sheets are turned over on.
        back_cover: whether the last page is the back cover, so that blank pages come before it.
        zine: whether eight pages are a zine of one sheet, which is folded and cut.
    """

    paper: str | None = None
    signature: int = 0
    creep: Mm = 0.1
    flip: Flip = Flip.SHORT
    back_cover: bool = False
    zine: bool = False


def print_booklet(
    path: Path,
    target: Path,
    options: BookletOptions,
    report: Report,
    inputs: tuple[Path, ...] = (),
) -> Print | None:
    """Print the pages of a PDF file as a booklet to `target`; None after reporting why not.

    Args:
        inputs: the files that it was made of just before, if any.
    """
    file = read_pdf(path, report)
    if file is None:
        return None
    leaves: dict[int, Leaf] = {}
    if options.zine:
        if len(file.pages) > ZINE_PAGES:
            message = (
                f"a zine of one sheet has {ZINE_PAGES} pages, but the PDF has {len(file.pages)}"
            )
            hint = "leave out `--zine` for a booklet of several sheets"
            report.append(E062.at(Location(path), message, hint))
            return None
        pages = [_zine(file.pages, options, leaves)]
    else:
        pages = _booklet(file.pages, options, leaves)
    source = Source(path, file.title or path.stem, file.version, GameFolder(Path()), inputs)
    if not write_foreign(pages, leaves, source, target, report):
        return None
    return Print((target,), len(pages), len(pages) if options.zine else len(pages) // 2)


def _paper(pages: Sequence[ForeignPage], name: str | None) -> tuple[Mm, Mm]:
    """Return the width and height of the paper, as it lies."""
    if name is None:
        width = 2 * max(page.trim.width for page in pages)
        height = max(page.trim.height for page in pages)
        lying = sorted((size[1] * size[0], key) for key, size in PAPERS.items())
        fitting = [
            key
            for _, key in lying
            if max(PAPERS[key]) >= width - 1 and min(PAPERS[key]) >= height - 1
        ]
        name = fitting[0] if fitting else "a3"
    short, long = sorted(PAPERS[name])
    return long, short


def _booklet(
    pages: Sequence[ForeignPage], options: BookletOptions, leaves: dict[int, Leaf]
) -> list[Page]:
    """Return the sides of the sheets of a booklet, each front with its back."""
    width, height = _paper(pages, options.paper)
    largest = [max(getattr(page.trim, side) for page in pages) for side in ("width", "height")]
    scale = _scale(width / 2 / largest[0], height / largest[1])
    order: list[ForeignPage | None] = [*pages, *[None] * (-len(pages) % 4)]
    if options.back_cover:
        order.remove(pages[-1])
        order.append(pages[-1])
    made = []
    for sheet in folded_sheets(len(pages), options.signature):
        shift = sheet.depth * options.creep / scale
        for behind, numbers in enumerate((sheet.front, sheet.back)):
            placed: list[Placed] = []
            for side, number in enumerate(numbers):
                page = order[number - 1]
                if page is None:
                    continue
                box = page.trim
                area = Box(box.x + side * shift, box.y, box.width - shift, box.height)
                face = _face(Leaf(page, area), leaves)
                x = width / 2 - (0 if side else face.width * scale)
                placed.append(Placed(face, x, (height - face.height * scale) / 2, scale))
            if behind and options.flip is Flip.LONG:
                placed = [_on_its_head(one, width, height) for one in placed]
            size = largest[0] * scale, largest[1] * scale
            grid = SheetFormat("booklet", width, height, 2, 1, *size, margin=_EDGE)
            marks: tuple[Op, ...] = () if behind else cut_marks(grid)
            made.append(Page(width, height, tuple(placed), marks, behind=bool(behind)))
    return made


def _scale(*ratios: float) -> float:
    """Return by how much pages are made smaller; paper rounded to whole mm does not count."""
    scale = min(ratios)
    return 1.0 if scale > 1 - 0.005 else scale


def _face(leaf: Leaf, leaves: dict[int, Leaf]) -> Face:
    """Return a face in the place of which a leaf is drawn."""
    face = leaf.face
    leaves[id(face)] = leaf
    return face


def _on_its_head(placed: Placed, width: Mm, height: Mm) -> Placed:
    """Return a face as it lies when its page stands on its head."""
    box = placed.box
    return placed._replace(x=width - box.right, y=height - box.bottom, turn=(placed.turn + 2) % 4)


def _zine(pages: Sequence[ForeignPage], options: BookletOptions, leaves: dict[int, Leaf]) -> Page:
    """Return the one side of a zine."""
    short, long = sorted(PAPERS[options.paper or "a4"])
    cell = long / 4, short / 2
    placed = []
    for row, numbers in enumerate(ZINE_ROWS):
        for column, number in enumerate(numbers):
            if number > len(pages):
                continue
            face = _face(Leaf(pages[number - 1], pages[number - 1].trim), leaves)
            scale = min(cell[0] / face.width, cell[1] / face.height)
            x = column * cell[0] + (cell[0] - face.width * scale) / 2
            y = row * cell[1] + (cell[1] - face.height * scale) / 2
            placed.append(Placed(face, x, y, scale, turn=0 if row else 2))
    return Page(long, short, tuple(placed), tuple(_zine_marks(*cell)))


def _zine_marks(width: Mm, height: Mm) -> list[Op]:
    """Return where to cut a zine, as a line, and where to fold it, as ticks at the edges."""
    lines = [(width, height, 3 * width, height)]
    for x in (width, 2 * width, 3 * width):
        lines += [(x, _EDGE, x, _EDGE + 3), (x, 2 * height - _EDGE - 3, x, 2 * height - _EDGE)]
    lines += [
        (_EDGE, height, _EDGE + 3, height),
        (4 * width - _EDGE - 3, height, 4 * width - _EDGE, height),
    ]
    return [StrokePath(outlines.line(*line), "#000000", 0.1) for line in lines]
