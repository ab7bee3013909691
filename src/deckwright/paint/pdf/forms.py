"""Write pages on which pages of other PDF files stand, each of these once, as a form."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, NamedTuple

from deckwright.base.geometry import Box, Matrix, shifted, times
from deckwright.base.progress import steps
from deckwright.base.units import POINTS, decimal
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.foreign import ForeignPage
from deckwright.paint.pdf.info import Info
from deckwright.sheet.pages import Page, Placed
from deckwright.text.fonts import Font

if TYPE_CHECKING:
    from pypdf import PdfWriter
    from pypdf.generic import IndirectObject


class Leaf(NamedTuple):
    """A part of a foreign page that is placed like a face.

    Attributes:
        area: the part, where the page has its top left corner at 0, 0.
        turn: by how many quarters it is turned to the right.
    """

    page: ForeignPage
    area: Box
    turn: int = 0

    @property
    def face(self) -> Face:
        """A face of its size that draws nothing: forms are drawn in its place."""
        area, drawn = self.area, self.page.drawn
        beyond = min(
            *(area.x - drawn.x, area.y - drawn.y),
            *(drawn.right - area.right, drawn.bottom - area.bottom),
        )
        size = area.width, area.height
        width, height = size[::-1] if self.turn % 2 else size
        return Face(width, height, (), max(0, beyond), f"page {self.page.number}")

    @property
    def matrix(self) -> Matrix:
        """What moves the page's own coordinates to those of the face."""
        area = self.area
        whole = Placed(Face(area.width, area.height, ()), 0, 0, turn=self.turn)
        return times(whole.matrix, times(shifted(-area.x, -area.y), self.page.matrix))


Leaves = Mapping[int, Leaf]
"""What is drawn in the place of faces, by their ids."""


def write_forms(
    stream: IO[bytes],
    pages: Sequence[Page],
    leaves: Leaves,
    info: Info,
    fonts: Mapping[str, Font],
    version: str,
) -> None:
    """Write `pages` to `stream`, with foreign pages in the place of their faces.

    What is on a page besides them, such as marks, lies above. The file does not say that it is for
    archives or screen readers, since nobody knows that of the foreign pages.

    Args:
        fonts: all fonts by id, as for `write_pdf`.
        version: of the PDF format that the foreign pages need, such as "1.7".
    """
    from pypdf import PdfReader, PdfWriter  # noqa: PLC0415 - it takes long to import

    base = io.BytesIO()
    bare = [page._replace(faces=()) for page in pages]
    write_pdf(base, bare, info, fonts, ImageStore(), tagged=False)
    reader = PdfReader(base)
    writer = PdfWriter(clone_from=reader)
    header = reader.pdf_header.removeprefix("%PDF-")
    writer.pdf_header = f"%PDF-{max(header, version)}"
    forms = _Forms(writer)
    for number, page in enumerate(steps(pages, "placing pages")):
        if page.faces:
            forms.place(number, page, leaves)
    writer.write(stream)


class _Forms:
    """The foreign pages in a PDF that is being written."""

    def __init__(self, writer: PdfWriter) -> None:
        self._writer = writer
        self._made: dict[int, tuple[str, IndirectObject]] = {}

    def place(self, number: int, page: Page, leaves: Leaves) -> None:
        """Draw foreign pages on a page, below what is there."""
        from pypdf.generic import (  # noqa: PLC0415
            ArrayObject,
            DictionaryObject,
            NameObject,
            StreamObject,
        )

        drawn, used = [], dict[str, "IndirectObject"]()
        points: Matrix = (POINTS, 0, 0, -POINTS, 0, page.height * POINTS)
        for placed in page.faces:
            leaf = leaves[id(placed.face)]
            name, form = self._form(leaf.page)
            used[name] = form
            (across, down), face = placed.reach, placed.face
            box = (-across, -down, face.width + 2 * across, face.height + 2 * down)
            drawn.append(
                f"q {_numbers(times(points, placed.matrix))} cm "
                f"{' '.join(map(decimal, box))} re W n "
                f"{_numbers(leaf.matrix)} cm /{name} Do Q\n"
            )
        target = self._writer.pages[number]
        below = StreamObject()
        below.set_data("".join(drawn).encode())
        added = self._writer._add_object(below.flate_encode())  # noqa: SLF001 - no other way
        contents = target.get("/Contents")
        target[NameObject("/Contents")] = ArrayObject(
            [added, *([contents.indirect_reference] if contents is not None else [])]
        )
        resources = target.get("/Resources", DictionaryObject()).get_object()
        objects = resources.setdefault(NameObject("/XObject"), DictionaryObject()).get_object()
        for name, form in used.items():
            objects[NameObject(f"/{name}")] = form
        target[NameObject("/Resources")] = resources

    def _form(self, page: ForeignPage) -> tuple[str, IndirectObject]:
        """Return the name and the form of a foreign page."""
        from pypdf.generic import (  # noqa: PLC0415
            ArrayObject,
            DictionaryObject,
            FloatObject,
            NameObject,
            StreamObject,
        )

        key = id(page.source)
        if key in self._made:
            return self._made[key]
        form = StreamObject()
        form.set_data(page.content)
        form = form.flate_encode()
        form[NameObject("/Type")] = NameObject("/XObject")
        form[NameObject("/Subtype")] = NameObject("/Form")
        # All that the page draws on its paper; the clip at each place says what is seen.
        box = [FloatObject(round(float(n), 4)) for n in page.source.mediabox]
        form[NameObject("/BBox")] = ArrayObject(box)
        resources = page.source.get("/Resources", DictionaryObject())
        form[NameObject("/Resources")] = resources.get_object().clone(self._writer)
        group = page.source.get("/Group")
        if group is not None:
            form[NameObject("/Group")] = group.get_object().clone(self._writer)
        added = self._writer._add_object(form)  # noqa: SLF001 - no other way
        self._made[key] = f"Leaf{len(self._made)}", added
        return self._made[key]


def _numbers(matrix: Matrix) -> str:
    """Return a matrix as a PDF has it."""
    return " ".join(decimal(number, 6) for number in matrix)
