"""Pages of foreign PDF files, ready to be placed: their boxes and content.

Page boxes are those of ISO 32000-2, 14.11.2: the crop box is visible, the trim box is the final
size and the bleed box is printed beyond it. Annotations and form fields are not part of the page
content and are dropped.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from deckwright.base.files import read_file
from deckwright.base.findings import Code, Location, Severity
from deckwright.base.geometry import Box, Matrix, multiply, translation
from deckwright.base.output import OutputError
from deckwright.base.processes import track_progress
from deckwright.base.units import POINTS_PER_MM, Mm, format_decimal
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.paint.pdf.document import visible_box, write_pdf
from deckwright.paint.pdf.metadata import Info
from deckwright.sheet.pages import Page, PlacedFace
from deckwright.text.fonts import Font

if TYPE_CHECKING:
    from pypdf import PageObject, PdfWriter
    from pypdf.generic import IndirectObject, RectangleObject

E061 = Code("E061", Severity.ERROR, "a PDF that cannot be read")

_HEADER_BYTES = 1024
"""The header of a PDF lies within this many bytes (ISO 32000-1, annex H.3.4.1)."""
_MAX_BYTES = 2_000_000_000
"""The size limit of a PDF, which is read into memory."""
_PICTURE_SIGNATURES = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"II*\0": "a TIFF picture",
    b"MM\0*": "a TIFF picture",
}
_OTHER_SIGNATURES = {b"PK\3\4": "a ZIP archive or an office document", b"%!PS": "PostScript"}

_MIN_SIDE: Mm = 1


class ForeignPage(NamedTuple):
    """A page of a PDF file as viewers show it: upright, with its top left corner at 0, 0.

    Attributes:
        number: its page number in the file, from 1.
        trim: its trim box; the whole page if the file has none.
        bleed_box: its bleed box; the whole page if the file has none.
        has_trim_box: whether the file gives one.
        matrix: maps its own coordinates, in points, to upright mm.
        content: its content stream.
    """

    number: int
    width: Mm
    height: Mm
    trim: Box
    bleed_box: Box
    has_trim_box: bool
    matrix: Matrix
    content: bytes
    source: PageObject


class ForeignFile(NamedTuple):
    """A PDF file.

    Attributes:
        version: the version of the format, such as "1.7".
        title: the title in its metadata, "" if there is none.
        rtl: whether it is bound at the right.
    """

    path: Path
    pages: tuple[ForeignPage, ...]
    version: str
    title: str
    rtl: bool = False


def read_pdf(path: Path, converted: bytes | None = None) -> ForeignFile:
    """Return the pages of a PDF file.

    Args:
        converted: the PDF that a file of another format was converted to.

    Raises:
        OutputError: if they cannot be used.
    """
    from pypdf import PdfReader  # it takes long to import
    from pypdf.errors import DependencyError

    # Users need not know what pypdf repairs while it reads.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    place = Location(path)
    try:
        data = read_file(path, _MAX_BYTES) if converted is None else converted
        reader = PdfReader(io.BytesIO(data))
        locked = reader.is_encrypted and not reader.decrypt("")
        if not locked:
            pages = tuple(_read(page, number) for number, page in enumerate(reader.pages, 1))
            title = str((reader.metadata and reader.metadata.title) or "")
            version = reader.pdf_header.removeprefix("%PDF-")
            preferences = reader.viewer_preferences
            rtl = preferences is not None and preferences.get("/Direction") == "/R2L"
    except OSError as error:
        reason = error.strerror or str(error)
        finding = E061.at(place, f"cannot read the PDF: {reason}", "choose another file")
        raise OutputError(finding) from error
    except DependencyError:  # what would decrypt it is not installed
        locked = True
    except Exception as error:
        other = None if converted is not None else _describe_other_format(path)
        reason = str(error).split("\n", maxsplit=1)[0][:80]
        message = f"the PDF is damaged{': ' if reason else ''}{reason}"
        damage = message, "save it again with the program that made it"
        raise OutputError(E061.at(place, *(other or damage))) from error
    if locked:
        hint = "save it without a password, such as with `qpdf --decrypt`"
        raise OutputError(E061.at(place, "the PDF is encrypted", hint))
    tiny = [page.number for page in pages if min(page.trim[2:]) < _MIN_SIDE]
    if not pages or tiny:
        message = f"page {tiny[0]} of the PDF has no size" if tiny else "the PDF has no pages"
        raise OutputError(E061.at(place, message, "save it again with the program that made it"))
    return ForeignFile(path, pages, version, title, rtl)


def is_pdf(head: bytes) -> bool:
    """Return whether the beginning of a file has a PDF header."""
    return b"%PDF-" in head[:_HEADER_BYTES]


def _describe_other_format(path: Path) -> tuple[str, str] | None:
    """Return the format of a file that is not a PDF, and a hint; None if it may be a broken PDF."""
    with path.open("rb") as stream:
        head = stream.read(_HEADER_BYTES)
    if is_pdf(head):
        return None
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    hint = "choose a PDF, or save it as one with the program that made it"
    what = next((what for sign, what in _OTHER_SIGNATURES.items() if text.startswith(sign)), "")
    picture = next(
        (what for sign, what in _PICTURE_SIGNATURES.items() if text.startswith(sign)), ""
    )
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        picture = "a WebP picture"
    if b"<svg" in text:
        picture = "an SVG drawing"
    if not text:
        what = "an empty file"
    elif picture:
        what = picture
        hint = "save it as a PDF first; `deckwright poster` takes pictures and drawings as they are"
    elif text.startswith(b"<"):
        what = "HTML" if b"<html" in text.lower() else "XML"
        if b"<data" in text:
            hint = "print the cards of a game with `deckwright deck`"
    return f"this is not a PDF{f' but {what}' if what else ''}", hint


def _read(page: PageObject, number: int) -> ForeignPage:
    """Return a page; broken ones can raise any exception."""
    unit = float(page.user_unit) / POINTS_PER_MM

    def clip(box: RectangleObject) -> tuple[float, float, float, float]:
        """Return a box clipped to the media box: left, bottom, right and top, in points."""
        both = (box, page.mediabox)
        edges = [sorted((float(b[i]), float(b[i + 2]))) for b in both for i in (0, 1)]
        (left, right), (bottom, top), (west, east), (south, north) = edges
        return max(left, west), max(bottom, south), min(right, east), min(top, north)

    shown = left, bottom, right, top = clip(page.cropbox)
    upright: Matrix = (unit, 0, 0, -unit, -left * unit, top * unit)
    face = Face((right - left) * unit, (top - bottom) * unit, ())
    turned = PlacedFace(face, 0, 0, turn=int(page.rotation) // 90 % 4)  # clockwise
    matrix = multiply(turned.matrix, upright)
    _, _, width, height = turned.box
    contents = page.get_contents()
    trimmed = "/TrimBox" in page

    def box(name: str, rectangle: RectangleObject) -> Box:
        left, bottom, right, top = clip(rectangle) if name in page else shown
        return Box(left, bottom, right - left, top - bottom).transform(matrix)

    trim, drawn = box("/TrimBox", page.trimbox), box("/BleedBox", page.bleedbox)
    content = contents.get_data() if contents is not None else b""
    return ForeignPage(number, width, height, trim, drawn, trimmed, matrix, content, page)


class PageCrop(NamedTuple):
    """A part of a foreign page that is placed like a face.

    Attributes:
        area: the part, measured from the top left corner of the page.
        turn: the number of clockwise quarter turns.
    """

    page: ForeignPage
    area: Box
    turn: int = 0

    @property
    def face(self) -> Face:
        """An empty face of its size; the form is drawn in its place."""
        area, drawn = self.area, self.page.bleed_box
        right, bottom = drawn.right - area.right, drawn.bottom - area.bottom
        beyond = min(area.x - drawn.x, area.y - drawn.y, right, bottom)
        sides = area.width, area.height
        width, height = sides[::-1] if self.turn % 2 else sides
        return Face(width, height, (), max(0, beyond), f"page {self.page.number}")

    @property
    def matrix(self) -> Matrix:
        """The matrix from the page's own coordinates to those of the face."""
        x, y, width, height = self.area
        whole = PlacedFace(Face(width, height, ()), 0, 0, turn=self.turn)
        return multiply(whole.matrix, multiply(translation(-x, -y), self.page.matrix))


PageCrops = Mapping[int, PageCrop]
"""The parts of pages drawn in place of faces, by the ids of the faces."""


def write_foreign_pages(
    stream: IO[bytes],
    pages: Sequence[Page],
    crops: PageCrops,
    info: Info,
    fonts: Mapping[str, Font],
    version: str,
) -> None:
    """Write `pages` to `stream`, with foreign pages in place of their faces.

    Marks and other ops of a page are drawn on top. The file does not claim PDF/A or PDF/UA, since
    the foreign pages may not conform.

    Args:
        fonts: all fonts by id, as for `write_pdf`.
        version: of the PDF format that the foreign pages need, such as "1.7".
    """
    from pypdf import PdfReader, PdfWriter  # it takes long to import
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, StreamObject

    base = io.BytesIO()
    bare = [page._replace(faces=()) for page in pages]
    write_pdf(base, bare, info, fonts, ImageStore(), tagged=False)
    reader = PdfReader(base)
    writer = PdfWriter(clone_from=reader)
    header = reader.pdf_header.removeprefix("%PDF-")
    writer.pdf_header = f"%PDF-{max(header, version)}"
    forms: dict[int, tuple[str, IndirectObject]] = {}
    for page, target in zip(track_progress(pages, "placing pages"), writer.pages, strict=True):
        drawn, used = [], dict[str, "IndirectObject"]()
        points: Matrix = (POINTS_PER_MM, 0, 0, -POINTS_PER_MM, 0, page.height * POINTS_PER_MM)
        for placed in page.faces:
            crop = crops[id(placed.face)]
            key = id(crop.page.source)
            if key not in forms:
                forms[key] = f"Leaf{len(forms)}", _add_form(writer, crop.page)
            name, form = forms[key]
            used[name] = form
            drawn.append(
                f"q {_format_matrix(multiply(points, placed.matrix))} cm "
                f"{' '.join(map(format_decimal, visible_box(placed)))} re W n "
                f"{_format_matrix(crop.matrix)} cm /{name} Do Q\n"
            )
        if not drawn:
            continue
        # The foreign pages lie below the page's own content.
        below = StreamObject()
        below.set_data("".join(drawn).encode())
        added = writer._add_object(below.flate_encode())  # noqa: SLF001 - no other way
        contents = target.get("/Contents")
        above = [contents.indirect_reference] if contents is not None else []
        target[NameObject("/Contents")] = ArrayObject([added, *above])
        resources = target.get("/Resources", DictionaryObject()).get_object()
        objects = resources.setdefault(NameObject("/XObject"), DictionaryObject()).get_object()
        for name, form in used.items():
            objects[NameObject(f"/{name}")] = form
        target[NameObject("/Resources")] = resources
    writer.write(stream)


def _add_form(writer: PdfWriter, page: ForeignPage) -> IndirectObject:
    """Add a foreign page as a form."""
    from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, StreamObject

    form = StreamObject()
    form.set_data(page.content)
    form = form.flate_encode()
    form[NameObject("/Type")] = NameObject("/XObject")
    form[NameObject("/Subtype")] = NameObject("/Form")
    # The whole page; each placement is clipped on its own.
    box = [FloatObject(round(float(n), 4)) for n in page.source.mediabox]
    form[NameObject("/BBox")] = ArrayObject(box)
    resources = page.source.get("/Resources", DictionaryObject())
    form[NameObject("/Resources")] = resources.get_object().clone(writer)
    group = page.source.get("/Group")
    if group is not None:
        form[NameObject("/Group")] = group.get_object().clone(writer)
    return writer._add_object(form)  # noqa: SLF001 - no other way


def _format_matrix(matrix: Matrix) -> str:
    """Return a matrix as PDF operands."""
    return " ".join(format_decimal(number, 6) for number in matrix)
