"""Cards from foreign PDF files and folders of pictures: their faces, backs, sizes and bleed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from deckwright.base.files import is_file, is_folder, printable_name, stays_inside
from deckwright.base.findings import Code, Location, Report, Severity, known_hint
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.base.units import Mm, pluralize
from deckwright.game.folder import GameFolder
from deckwright.grids.csv import read_csv
from deckwright.images.store import I004, ImageStore, upright_size
from deckwright.ops.bleed import add_mirrored_bleed, add_stretched_bleed
from deckwright.ops.model import DrawImage, Face, Group, walk
from deckwright.outputs.deck_pages import SheetItem
from deckwright.paint.pdf.foreign import ForeignFile, ForeignPage, PageCrop, PageCrops, read_pdf
from deckwright.sheet.layout import SheetOptions
from deckwright.xmlio.load import X006

E062 = Code("E062", Severity.ERROR, "pages of a PDF that cannot be laid out as requested")

Mend = Literal["mirror", "stretch", "none"]
"""How to add bleed that a picture lacks."""

BackOrder = Literal["none", "alternate", "last"]
"""Where backs are: nowhere, after each face, or on the last page for all cards."""

_PAGE_TOLERANCE: Mm = 0.5
"""Sizes that differ by less are the same."""
_SIZE_STEP: Mm = 0.05
"""Page sizes are rounded to these steps, so that cards of one size share sheets."""
_MAX_PAGE_BLEED: Mm = 20
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
    mend: Mend = "mirror"


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
    file: ForeignFile, pages: Sequence[ForeignPage], back_file: ForeignFile | None, order: BackOrder
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
        return max(differences) <= _PAGE_TOLERANCE
    spare = (page.width - width, page.height - height)
    return min(spare) >= -_PAGE_TOLERANCE and max(spare) <= 2 * _MAX_PAGE_BLEED


E063 = Code("E063", Severity.ERROR, "a folder of pictures that cannot be laid out as cards")

MAX_PICTURES = 5_000
"""The maximum number of pictures in a folder."""
_MAX_COPIES = 999
_EXTENSIONS = frozenset({".png", ".jpg", ".jpeg"})
_FRONTS, _BACKS, _DOUBLE = ("fronts", "front"), ("backs", "back"), ("double_sided",)
_COLUMNS = {
    "front": ("front", "face", "file", "picture", "image"),
    "back": ("back",),
    "quantity": ("quantity", "copies", "amount", "count"),
}
"""The titles of columns in the CSV file."""
_AMOUNT = re.compile(
    r"(?P<before>[0-9]{1,3}) ?[x×][ _-]+(?P<one>.+)|(?P<two>.+?)[ _-]+[x×] ?(?P<after>[0-9]{1,3})"
)
_SIDE = re.compile(
    r"(?P<name>(?:card|.*?(?:[ _-]|(?=[\[(])))?)[\[(]?(?P<side>front|face|back)[\])]?",
    re.IGNORECASE,
)
_COMMON = frozenset({"", "card", "cards", "common", "default"})
"""What precedes `back` in the name of the common back."""


class CardPictures(NamedTuple):
    """The pictures of a card; `back` is None if there is none."""

    face: Path
    back: Path | None
    copies: int


class _ParsedName(NamedTuple):
    """The information in the name of a picture."""

    name: str
    copies: int
    side: str


def read_folder(folder: Path, back: Path | None, report: Report) -> list[CardPictures]:
    """Return the cards of a folder of pictures, with a common `back` if one is given."""
    before = len(report)
    try:
        listing = _PictureFolder(folder, back)
        tables = sorted(_files(folder, frozenset({".csv"})))
    except OSError as error:
        message = f"cannot list the folder: {error.strerror}"
        raise OutputError(X006.at(Location(Path(error.filename or folder)), message)) from error
    for path in listing.pictures:
        if not stays_inside(path, folder):
            message = "the picture is a link that leads out of the folder"
            report.append(E063.at(Location(path), message, "put a copy of it into the folder"))
    if len(listing.pictures) > MAX_PICTURES:
        message = (
            f"there are {len(listing.pictures):,} pictures, more than the {MAX_PICTURES:,} allowed"
        )
        report.append(E063.at(Location(folder), message, "lay out fewer at a time"))
    if len(report) > before:
        raise OutputError
    table = next((path for path in tables if path.name.casefold() == "cards.csv"), None)
    if table is None and len(tables) > 1:
        names = ", ".join(f"`{path.name}`" for path in tables[:3])
        message = f"several CSV files may list the numbers of copies: {names}"
        report.append(E063.at(Location(folder), message, "rename the right one to `cards.csv`"))
    table = table or next(iter(tables), None)
    if table is None:
        stems = [path.stem for path in listing.fronts]
        for path in listing.unpaired:
            hint = known_hint(path.stem, stems, at_most=0)
            hint = hint or "name it like its face, with `_back`"
            report.append(E063.at(Location(path), "the picture is a back without a face", hint))
        cards = [
            CardPictures(path, listing.back_of(path), _parse_name(path).copies)
            for path in listing.fronts
        ]
    else:
        cards = [*_read_list(table, listing, folder, report)]
    if len(report) == before and not cards:
        message = "the folder has no picture of a card, PNG or JPEG"
        hint = "put faces into it, or into a folder `fronts` in it"
        report.append(E063.at(Location(folder), message, hint))
    if len(report) > before:
        raise OutputError
    return cards


def _files(folder: Path, endings: frozenset[str]) -> Iterator[Path]:
    """Yield the visible files of a folder with the given extensions."""
    for path in folder.iterdir():
        if path.suffix.casefold() in endings and not path.name.startswith("."):
            yield path


def _natural_sort_key(path: Path) -> tuple[object, ...]:
    """Return the sort key of a name, with 10 after 9."""
    parts = re.split(r"([0-9]{1,9})", path.name.casefold())
    return (*((int(part), "") if part.isdecimal() else (-1, part) for part in parts), path.name)


def _parse_name(path: Path) -> _ParsedName:
    name, copies, side = path.stem, 1, ""
    for _ in range(2):  # both `Fox_back x3` and `Fox x3_back`
        if amount := _AMOUNT.fullmatch(name):
            name, copies = amount["one"] or amount["two"], int(amount["before"] or amount["after"])
        elif matched := _SIDE.fullmatch(name):
            name, side = matched["name"], side or matched["side"].casefold()
    return _ParsedName(name.strip(" _-").casefold(), copies, side)


class _PictureFolder:
    """The pictures of a folder.

    Attributes:
        pictures: all of them.
        fronts: those of faces.
        unpaired: those of backs without a face.
    """

    def __init__(self, folder: Path, common: Path | None) -> None:
        """List the pictures, and assign backs to faces.

        Args:
            common: the picture of the common back; None if it may be in the folder.
        """

        def of(names: Sequence[str]) -> list[Path]:
            inner = [path for path in folder.iterdir() if path.name.casefold() in names]
            return [path for each in inner if is_folder(each) for path in _files(each, _EXTENSIONS)]

        own = sorted(_files(folder, _EXTENSIONS), key=_natural_sort_key)
        self.fronts = sorted(of(_FRONTS), key=_natural_sort_key)
        apart, double = of(_BACKS), of(_DOUBLE)
        if not self.fronts:
            self.fronts = [path for path in own if _parse_name(path).side != "back"]
        backs = [*apart, *(path for path in own if _parse_name(path).side == "back"), *double]
        self.pictures = [*self.fronts, *backs]
        names = {_parse_name(path).name for path in self.fronts}
        self._backs_by_name = {
            name: path for path in backs if (name := _parse_name(path).name) in names
        }
        left = [path for path in backs if _parse_name(path).name not in names]
        usual = [path for path in left if _parse_name(path).name in _COMMON]
        apart = [path for path in left if path in apart]
        chosen = common
        if common is None and (len(usual) == 1 or (len(apart) == 1 and not usual)):
            chosen = (usual or apart)[0]
        self._common_back = chosen
        self.unpaired = [path for path in left if path != chosen and common is None]

    def back_of(self, face: Path) -> Path | None:
        """Return the picture of a face's back."""
        return self._backs_by_name.get(_parse_name(face).name, self._common_back)

    def find(self, folder: Path, name: str) -> Path | None:
        """Return the picture with a name or a path in the folder."""
        asked = (folder / name.replace("\\", "/")).as_posix().casefold()
        for path in self.pictures:
            own = path.as_posix().casefold()
            if asked in {own, own.removesuffix(path.suffix.casefold())}:
                return path
        bare = name.casefold()
        named = [
            path for path in self.pictures if bare in {path.name.casefold(), path.stem.casefold()}
        ]
        return named[0] if len(named) == 1 else None


def _read_list(
    table: Path, found: _PictureFolder, folder: Path, report: Report
) -> Iterator[CardPictures]:
    """Yield the cards in a CSV file; errors are reported."""
    known = [title for titles in _COLUMNS.values() for title in titles]
    try:
        grid = read_csv(table, "cards", known)
    except OutputError as error:
        report.extend(error.findings)
        return
    rows = [row for row in grid.rows if any(cell.text.strip() for cell in row)]
    titles = [cell.text.strip().casefold() for cell in rows[0]] if rows else []
    columns = {
        column: next((titles.index(name) for name in names if name in titles), None)
        for column, names in _COLUMNS.items()
    }
    if columns["front"] is None:
        message = "the table has no column `front` for the pictures of faces"
        report.append(E063.at(Location(table), message, "begin it with a row of column titles"))
        return
    for row in rows[1:]:
        cells = {
            column: row[at] if at is not None and at < len(row) and row[at].text.strip() else None
            for column, at in columns.items()
        }
        pictures: dict[str, Path | None] = {}
        for column in ("front", "back"):
            cell = cells[column]
            pictures[column] = cell and found.find(folder, cell.text.strip())
            if cell is not None and pictures[column] is None:
                hint = known_hint(cell.text, [each.name for each in found.pictures], at_most=0)
                message = f"there is no picture `{cell.text.strip()}` in the folder"
                report.append(E063.at(cell.place, message, hint or "name a PNG or JPEG in it"))
        face, cell = pictures["front"], cells["quantity"]
        if face is None:
            continue
        text = cell.text.strip() if cell else "1"
        is_number = text.isascii() and text.isdecimal() and len(text) <= 4
        if not is_number or int(text) > _MAX_COPIES:
            assert cell is not None
            message = f"`{text}` is not a number of copies"
            report.append(E063.at(cell.place, message, f"write a number from 0 to {_MAX_COPIES}"))
        elif int(text):
            yield CardPictures(face, pictures["back"] or found.back_of(face), int(text))


E082 = Code("E082", Severity.WARNING, "pictures whose missing bleed was made from their edges")
E083 = Code("E083", Severity.WARNING, "pictures with fine details near the cut")

_SAFE_DISTANCE: Mm = 3
"""The distance of letters and frames from the cut that most print shops require."""
_MIN_BLEED, _MAX_BLEED = 0.5, 10.0
"""The plausible range of a picture's bleed in mm; less is rounding."""
_PIXELS_PER_MM = 4
"""The resolution at which the area near the cut is inspected."""
_SHARP_STEP = 48
"""The difference of neighbouring pixels at the edge of a letter or frame."""
_MAX_SHARP_SHARE = 0.02
"""The maximum share of such pixels near the cut."""
_MAX_NAMED = 3
"""The number of pictures that a finding names."""


def read_pictures(
    folder: Path, options: PageOptions, game: GameFolder, report: Report
) -> ForeignCards:
    """Return the cards of a folder of pictures, with the words of a game."""
    size = options.size
    if size is None:
        message = "the size of cards cannot be read from pictures"
        hint = "give the size with `--size`, such as `--size 63x88` or `--size poker`"
        raise OutputError(E063.at(Location(folder), message, hint))
    listed = read_folder(folder, options.back, report)
    before, store = len(report), ImageStore()
    faces: dict[tuple[Path, bool], Face | None] = {}
    cards: list[SheetItem] = []
    for card in listed:
        sides: list[Face | None] = []
        for path, is_back in ((card.face, False), (card.back, True)):
            if path is not None and (path, is_back) not in faces:
                faces[path, is_back] = _make_face(path, size, options, report, is_back=is_back)
            sides.append(faces[path, is_back] if path is not None else None)
        face, back = sides
        if face is not None:
            cards += [SheetItem(face, back)] * (card.copies * options.copies)
    valid = [face for face in faces.values() if face is not None]
    drawn = [op for face in valid for op in walk(face.ops) if isinstance(op, DrawImage)]
    store.prepare(drawn, report)
    stop_on_errors(report, before)
    near: dict[Path, None] = {}
    for face in valid:
        (drawing,) = (op for op in walk(face.ops) if isinstance(op, DrawImage))
        if drawing.path not in near and _is_fine_at_edges(drawing, face.bleed, store):
            near[drawing.path] = None
    if near:
        message = (
            f"{_count_pictures(near)} sharp edges less than {_SAFE_DISTANCE:g} mm from the cut, "
            "such as letters or frames"
        )
        hint = "check whether a slightly misaligned cut would harm them"
        report.append(E083.at(Location(folder), message, hint))
    fronts = (op for item in cards for op in walk(item.face.ops))
    inputs = sorted({op.path for op in fronts if isinstance(op, DrawImage)})
    title = printable_name(folder.resolve().name)
    source = PageSource(folder, title, "", game, tuple(inputs))
    return ForeignCards(tuple(cards), store, source)


def _make_face(
    path: Path, size: tuple[Mm, Mm], options: PageOptions, report: Report, *, is_back: bool
) -> Face | None:
    """Return the face of a picture, turned so that tops match; None after reporting errors."""
    if not is_file(path):
        message = "cannot read the image: it is not a regular file"
        report.append(I004.at(Location(path), message))
        return None
    width, height = size
    # Unreadable pictures are reported when they are prepared.
    columns, rows = upright_size(path) or (round(width), round(height))
    lies = (columns > rows) != (width > height) and width != height
    wide, high = (height, width) if lies else (width, height)
    bleed = options.bleed
    if bleed is None:
        bleed = _infer_bleed(columns / rows, wide, high)
    if bleed is None and not options.sheets.scale:
        message = (
            f"the picture has {columns} × {rows} pixels, not the shape of cards of "
            f"{width:g} × {height:g} mm"
        )
        hint = "give the right `--size`, or crop it to that shape with `--scale fit`"
        report.append(E063.at(Location(path), message, hint))
        return None
    bleed = bleed or 0
    box = Box(-bleed, -bleed, wide + 2 * bleed, high + 2 * bleed)
    drawing: DrawImage | Group = DrawImage(path, box, cover=True)
    if lies:
        turned = (0, -1, 1, 0, 0, height) if is_back else (0, 1, -1, 0, width, 0)
        drawing = Group((drawing,), turned)
    about = f"the picture `{path.name}`", printable_name(path.stem)
    return Face(width, height, (drawing,), bleed, *about)


def _infer_bleed(shape: float, width: Mm, height: Mm) -> Mm | None:
    """Return the bleed of a picture from its aspect ratio `shape`.

    0 if it has the shape of the card, None if no bleed explains it. The bleed of a square cannot be
    inferred.
    """
    if abs(shape - width / height) * height <= _MIN_BLEED:
        return 0
    if shape == 1 or width == height:
        return None
    bleed = (shape * height - width) / (2 * (1 - shape))
    return bleed if _MIN_BLEED <= bleed <= _MAX_BLEED else None


def mend_bleed(
    cards: Iterable[SheetItem], bleed: Mm, method: Mend, folder: Path, report: Report
) -> tuple[SheetItem, ...]:
    """Extend the bleed of cards to that of the sheet, in mm of the cards, from picture edges."""
    mended: dict[int, Face] = {}
    short: dict[Path, Mm] = {}

    def mend(face: Face) -> Face:
        if face.bleed >= bleed - BLEED_TOLERANCE:
            return face
        if id(face) not in mended:
            short[next(op.path for op in walk(face.ops) if isinstance(op, DrawImage))] = face.bleed
            if method == "none":  # white; otherwise the sheet would enlarge and crop the picture
                mended[id(face)] = face._replace(bleed=bleed)
            else:
                make = add_mirrored_bleed if method == "mirror" else add_stretched_bleed
                mended[id(face)] = make(face, bleed)
        return mended[id(face)]

    larger = tuple(
        card._replace(face=mend(card.face), back=card.back and mend(card.back)) for card in cards
    )
    if short and method != "none":
        done = "mirrored" if method == "mirror" else "stretched"
        least = min(short.values())
        own = f"{least:.2g} mm of bleed" if least else "no bleed"
        message = (
            f"{_count_pictures(short)} {own}, but the sheet needs {bleed:.2g} mm: "
            f"the edges fill the gap, {done}"
        )
        hint = "check the edges in print, or choose another way with `--mend-bleed`"
        report.append(E082.at(Location(folder), message, hint))
    return larger


BLEED_TOLERANCE: Mm = 0.05
"""Missing bleed up to this length is invisible."""


def _is_fine_at_edges(drawing: DrawImage, bleed: Mm, store: ImageStore) -> bool:
    """Return whether a picture has many sharp edges between the cut and the safe zone."""
    from PIL import Image, ImageChops  # only for pictures

    with Image.open(store.get(drawing).path) as opened:
        size = (
            round(drawing.box.width * _PIXELS_PER_MM),
            round(drawing.box.height * _PIXELS_PER_MM),
        )
        small = opened.convert("RGB").resize(size, Image.Resampling.BOX)
    edge = round(bleed * _PIXELS_PER_MM)
    card = small.crop((edge, edge, small.width - edge, small.height - edge))

    def differing(right: int, down: int) -> Image.Image:
        moved = ImageChops.difference(card, ImageChops.offset(card, -right, -down))
        red, green, blue = moved.split()
        return ImageChops.lighter(ImageChops.lighter(red, green), blue)

    sharp = ImageChops.lighter(differing(1, 0), differing(0, 1))
    sharp = sharp.point(lambda value: value > _SHARP_STEP and 255)
    # `offset` wraps around: the last column and row compare opposite edges.
    sharp = sharp.crop((0, 0, card.width - 1, card.height - 1))
    within = int(_SAFE_DISTANCE * _PIXELS_PER_MM)
    inner = (within, within, sharp.width - within, sharp.height - within)
    if inner[0] >= inner[2] or inner[1] >= inner[3]:
        return False
    sharp.paste(0, inner)
    ring = sharp.width * sharp.height - (inner[2] - inner[0]) * (inner[3] - inner[1])
    return sharp.histogram()[255] > _MAX_SHARP_SHARE * ring


def _count_pictures(pictures: Iterable[Path]) -> str:
    """Return pictures as the beginning of a sentence, with "has" or "have"."""
    names = [path.name for path in pictures]
    shown = ", ".join(f"`{name}`" for name in names[:_MAX_NAMED])
    if len(names) == 1:
        return f"{shown} has"
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return f"{len(names)} pictures ({shown}{more}) have"
