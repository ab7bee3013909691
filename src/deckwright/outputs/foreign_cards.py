"""Cards from foreign PDF files: pair pages as faces and backs, and find their size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError
from deckwright.base.units import Mm, pluralize
from deckwright.ops.model import Face
from deckwright.paint.pdf.foreign import ForeignFile, ForeignPage, PageCrop, read_pdf
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


class ForeignCard(NamedTuple):
    """A card from a foreign file, which can be imposed like a copy of a deck.

    Attributes:
        part, deck, face_key, radius: attributes of copies that foreign cards lack.
    """

    face: Face
    back: Face | None = None
    part: str = ""
    deck: str = ""
    face_key: None = None
    radius: Mm = 0

    @property
    def size(self) -> tuple[Mm, Mm]:
        """Width and height of its trim box."""
        return self.face.width, self.face.height


class ForeignCards(NamedTuple):
    """The cards of a PDF file.

    Attributes:
        crops: the parts of pages drawn in place of faces, by the ids of the faces.
        version: the PDF version that their pages need.
    """

    file: ForeignFile
    cards: tuple[ForeignCard, ...]
    crops: dict[int, PageCrop]
    version: str


def read_cards(path: Path, options: PageOptions, report: Report) -> ForeignCards:
    """Return the cards of a PDF file.

    Raises:
        OutputError: after reporting errors.
    """
    file = read_pdf(path)
    behind = read_pdf(options.back) if options.back else None
    before = len(report)
    pages = _choose_pages(file, options.pages, report)
    pairs = _pair_backs(file, pages, behind, options.backs, report)
    leaves = _CropCache(options, report)
    cards: list[ForeignCard] = []
    for front, back in pairs:
        face = leaves.face(file, front, options.size)
        size = options.size or (face and (face.width, face.height))
        other = back and leaves.face(behind or file, back, size, is_back=True)
        if face is not None:
            cards += [ForeignCard(face, other)] * options.copies
    if len(report) > before:
        raise OutputError
    version = max(file.version, behind.version if behind else "")
    return ForeignCards(file, tuple(cards), leaves.crops, version)


def _choose_pages(file: ForeignFile, numbers: Sequence[int], report: Report) -> list[ForeignPage]:
    """Return the pages with the given numbers; all if there are none."""
    last = len(file.pages)
    wrong = [number for number in numbers if not 1 <= number <= last]
    for number in wrong:
        message = f"there is no page {number}: the PDF has {last}"
        report.append(E062.at(Location(file.path), message, f"choose pages from 1 to {last}"))
    if not numbers:
        return [*file.pages]
    return [file.pages[number - 1] for number in numbers if number not in wrong]


def _pair_backs(
    file: ForeignFile,
    pages: Sequence[ForeignPage],
    back_file: ForeignFile | None,
    order: BackOrder,
    report: Report,
) -> list[tuple[ForeignPage, ForeignPage | None]]:
    """Return faces with their backs."""
    number, place = len(pages), file.path
    wrong = None
    if back_file is not None and len(back_file.pages) not in {1, number}:
        place = back_file.path
        message = f"there are {len(back_file.pages)} backs for {pluralize(number, 'face')}"
        wrong = message, "give one page for all, or one for each face"
    elif order == "alternate" and number % 2:
        message = f"alternating faces and backs need an even number of pages, not {number}"
        wrong = message, "choose pages with `--pages`, or use `--backs last` for one back of all"
    elif order == "last" and number == 1:
        wrong = (
            "a single page cannot be both a face and the back of all",
            "leave out `--backs last`",
        )
    if wrong is not None:
        report.append(E062.at(Location(place), *wrong))
        return []
    faces = pages
    backs: Sequence[ForeignPage | None] = [None] * number
    if back_file is not None:
        backs = back_file.pages if len(back_file.pages) == number else [back_file.pages[0]] * number
    elif order == "alternate":
        faces, backs = pages[::2], pages[1::2]
    elif order == "last":
        faces, backs = pages[:-1], [pages[-1]] * (number - 1)
    return list(zip(faces, backs, strict=True))


class _CropCache:
    """The parts of pages drawn in place of faces, each created once.

    Attributes:
        crops: by the ids of the faces.
    """

    def __init__(self, options: PageOptions, report: Report) -> None:
        """Take the options; pages that make no card are reported."""
        self._scale, self._report = options.sheets.scale, report
        self._faces: dict[tuple[Path, int, bool], Face] = {}
        self._failed = set[tuple[Path, int, bool]]()
        self.crops: dict[int, PageCrop] = {}

    def face(
        self,
        file: ForeignFile,
        page: ForeignPage,
        size: tuple[Mm, Mm] | None,
        *,
        is_back: bool = False,
    ) -> Face | None:
        """Return the face of a page, None after reporting that it makes no card."""
        key = file.path, page.number, is_back
        if key not in self._faces and key not in self._failed:
            leaf = self._crop(file, page, size, is_back=is_back)
            if leaf is None:
                self._failed.add(key)
            else:
                face = self._faces[key] = leaf.face
                self.crops[id(face)] = leaf
        return self._faces.get(key)

    def _crop(
        self, file: ForeignFile, page: ForeignPage, size: tuple[Mm, Mm] | None, *, is_back: bool
    ) -> PageCrop | None:
        """Return the part of a page that is a side of a card of the given size.

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
        if self._scale:
            return PageCrop(page, trim)
        what = "is cut to" if page.has_trim_box else "is"
        message = (
            f"page {page.number} {what} {trim.width:.4g} × {trim.height:.4g} mm, "
            f"which does not fit cards of {size[0]:g} × {size[1]:g} mm"
        )
        hint = "give its size with `--size`, or scale pages to the slots with `--scale fit`"
        if is_back:
            hint = "make backs as large as faces, or scale them to the slots with `--scale fit`"
        self._report.append(E062.at(Location(file.path), message, hint))
        return None


def _has_size(trim: Box, width: Mm, height: Mm) -> bool:
    return (
        abs(trim.width - width) <= _SIZE_TOLERANCE and abs(trim.height - height) <= _SIZE_TOLERANCE
    )


def _fits(page: ForeignPage, width: Mm, height: Mm) -> bool:
    """Return whether a page can be a card of the given size with bleed."""
    if page.has_trim_box:
        return _has_size(page.trim, width, height)
    spare = (page.width - width, page.height - height)
    return min(spare) >= -_SIZE_TOLERANCE and max(spare) <= 2 * _MAX_BLEED
