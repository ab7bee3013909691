"""Cards from foreign PDF files: pair pages as faces and backs, and find their size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from deckwright.base.files import printable_name
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError
from deckwright.base.units import Mm, pluralize
from deckwright.game.folder import GameFolder
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.outputs.deck_pages import SheetItem
from deckwright.paint.pdf.foreign import ForeignFile, ForeignPage, PageCrop, PageCrops, read_pdf
from deckwright.sheet.layout import SheetOptions

E062 = Code("E062", Severity.ERROR, "pages of a PDF that cannot be laid out as requested")

BackOrder = Literal["none", "alternate", "last"]
"""Where backs are: nowhere, after each face, or on the last page for all cards."""

_SIZE_TOLERANCE: Mm = 0.5
"""Sizes that differ by less are the same."""
_SIZE_STEP: Mm = 0.05
"""Page sizes are rounded to these steps, so that cards of one size share sheets."""
_MAX_BLEED: Mm = 20
"""The maximum bleed on each side; a larger page is not that of a single card."""


class PageOptions(NamedTuple):
    """Options for the cards of a PDF file or a folder of pictures.

    Attributes:
        sheets: the sheet options; if cards are scaled to slots, pages may have any size.
        size: the width and height of the cards; None for the size of their pages.
        back: a file with one back for all cards or one for each.
        pages: the page numbers to use, in this order; all if empty.
        copies: the number of copies of each card.
        bleed: the bleed of pictures; None to infer it from their shape.
        mend: how to add missing bleed.
    """

    sheets: SheetOptions = SheetOptions()
    size: tuple[Mm, Mm] | None = None
    backs: BackOrder = "none"
    back: Path | None = None
    pages: Sequence[int] = ()
    copies: int = 1
    bleed: Mm | None = None
    mend: Literal["mirror", "stretch", "none"] = "mirror"


class PageSource(NamedTuple):
    """The source of pages, for footers and metadata.

    Attributes:
        folder: the game folder, if it is one, which provides words and sheets.
        inputs: the files whose date is printed, if it was made from others.
    """

    path: Path
    title: str
    version: str
    folder: GameFolder
    inputs: tuple[Path, ...] = ()


class ForeignCards(NamedTuple):
    """The cards of a PDF file or a folder of pictures.

    Attributes:
        drawn: the parts of pages drawn in place of faces; or the pictures on faces.
    """

    cards: tuple[SheetItem, ...]
    drawn: PageCrops | ImageStore
    source: PageSource


def read_cards(
    path: Path, options: PageOptions, folder: GameFolder, report: Report
) -> ForeignCards:
    """Return the cards of a PDF file."""
    file = read_pdf(path)
    behind = read_pdf(options.back) if options.back else None
    before = len(report)
    last = len(file.pages)
    chosen = [number for number in options.pages if 1 <= number <= last]
    for number in options.pages:
        if number not in chosen:
            message = f"there is no page {number}: the PDF has {last}"
            report.append(E062.at(Location(file.path), message, f"choose pages from 1 to {last}"))
    pages = [file.pages[number - 1] for number in chosen] if options.pages else [*file.pages]
    pairs = _pair_backs(file, pages, behind, options.backs)
    faces: dict[tuple[Path, int, bool], Face | None] = {}
    crops: dict[int, PageCrop] = {}

    def face_of(
        file: ForeignFile, page: ForeignPage, size: tuple[Mm, Mm] | None, *, is_back: bool = False
    ) -> Face | None:
        key = file.path, page.number, is_back
        if key not in faces:
            scale = options.sheets.scale
            crop = _crop(file, page, size, report, scale=scale, is_back=is_back)
            faces[key] = crop and add_crop(crop, crops)
        return faces[key]

    cards: list[SheetItem] = []
    for front, back in pairs:
        face = face_of(file, front, options.size)
        size = options.size or (face and (face.width, face.height))
        other = back and face_of(behind or file, back, size, is_back=True)
        if face is not None:
            cards += [SheetItem(face, other)] * options.copies
    if len(report) > before:
        raise OutputError
    version = max(file.version, behind.version if behind else "")
    source = PageSource(path, file.title or printable_name(path.stem), version, folder)
    return ForeignCards(tuple(cards), crops, source)


def _pair_backs(
    file: ForeignFile,
    pages: Sequence[ForeignPage],
    back_file: ForeignFile | None,
    order: BackOrder,
) -> list[tuple[ForeignPage, ForeignPage | None]]:
    """Return faces with their backs."""
    number, place = len(pages), Location(file.path)
    if back_file is not None:
        backs = back_file.pages
        if len(backs) not in {1, number}:
            message = f"there are {len(backs)} backs for {pluralize(number, 'face')}"
            hint = "give one page for all, or one for each face"
            raise OutputError(E062.at(Location(back_file.path), message, hint))
        return list(zip(pages, backs if len(backs) == number else backs * number, strict=True))
    if order == "alternate":
        if number % 2:
            message = f"alternating faces and backs need an even number of pages, not {number}"
            hint = "choose pages with `--pages`, or use `--backs last` for one back of all"
            raise OutputError(E062.at(place, message, hint))
        return list(zip(pages[::2], pages[1::2], strict=True))
    if order == "last":
        if number == 1:
            message = "a single page cannot be both a face and the back of all"
            raise OutputError(E062.at(place, message, "leave out `--backs last`"))
        return [(page, pages[-1]) for page in pages[:-1]]
    return [(page, None) for page in pages]


def _crop(
    file: ForeignFile,
    page: ForeignPage,
    size: tuple[Mm, Mm] | None,
    report: Report,
    *,
    scale: bool,
    is_back: bool,
) -> PageCrop | None:
    """Return the part of a page that is a side of a card of a size, None after reporting errors.

    A page in the other orientation is rotated: faces clockwise and backs counterclockwise, so
    that both tops are at the same edge of the card.
    """
    trim = page.trim
    if size is None:
        size = (
            round(trim.width / _SIZE_STEP) * _SIZE_STEP,
            round(trim.height / _SIZE_STEP) * _SIZE_STEP,
        )
    turn = 0
    if not _fits(page, *size) and _fits(page, *size[::-1]):
        turn = 3 if is_back else 1
    if _fits(page, *(size[::-1] if turn else size)):
        width, height = size[::-1] if turn else size
        x, y = trim.x + (trim.width - width) / 2, trim.y + (trim.height - height) / 2
        return PageCrop(page, Box(x, y, width, height), turn)
    if scale:
        return PageCrop(page, trim)
    what = "is cut to" if page.has_trim_box else "is"
    message = (
        f"page {page.number} {what} {trim.width:.4g} × {trim.height:.4g} mm, "
        f"which does not fit cards of {size[0]:g} × {size[1]:g} mm"
    )
    hint = "give its size with `--size`, or scale pages to the slots with `--scale fit`"
    if is_back:
        hint = "make backs as large as faces, or scale them to the slots with `--scale fit`"
    report.append(E062.at(Location(file.path), message, hint))
    return None


def add_crop(crop: PageCrop, crops: dict[int, PageCrop]) -> Face:
    """Return the placeholder of a part of a page, and register what is drawn in its place."""
    face = crop.face
    crops[id(face)] = crop
    return face


def _fits(page: ForeignPage, width: Mm, height: Mm) -> bool:
    """Return whether a page can be a card of the given size with bleed."""
    if page.has_trim_box:
        differences = abs(page.trim.width - width), abs(page.trim.height - height)
        return max(differences) <= _SIZE_TOLERANCE
    spare = (page.width - width, page.height - height)
    return min(spare) >= -_SIZE_TOLERANCE and max(spare) <= 2 * _MAX_BLEED
