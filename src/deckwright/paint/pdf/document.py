"""Write pages as a reproducible PDF file with embedded fonts, bookmarks and metadata."""

from __future__ import annotations

import os
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import IO

from reportlab import Version, rl_config
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFName, PDFResourceDictionary, PDFStream
from reportlab.pdfgen.canvas import Canvas

from deckwright.base.geometry import Box
from deckwright.base.processes import track_progress
from deckwright.base.units import POINTS_PER_MM, Mm, format_decimal
from deckwright.images.store import ImageStore
from deckwright.paint.pdf.colors import set_srgb
from deckwright.paint.pdf.fonts import PdfFonts, first_font, locate_font_errors
from deckwright.paint.pdf.metadata import (
    Info,
    OutputIntent,
    set_intent,
    set_metadata,
    set_page_group,
)
from deckwright.paint.pdf.objects import stream_to
from deckwright.paint.pdf.painter import Painter
from deckwright.paint.pdf.structure import Structure
from deckwright.sheet.pages import Page, PlacedFace
from deckwright.text.fonts import Font

LIBRARY = f"ReportLab {Version}"

FormKey = tuple[int, tuple[Mm, Mm], float]
"""The key of a form: the id of its face, how far it reaches beyond the trim box, and its scale."""


def write_pdf(
    stream: IO[bytes],
    pages: Sequence[Page],
    info: Info,
    fonts: Mapping[str, Font],
    images: ImageStore,
    intent: OutputIntent | None = None,
    *,
    tagged: bool = True,
) -> None:
    """Write `pages` to `stream`, as PDF/A-2a and PDF/UA-1 unless they are for a press.

    A face that occurs more than once is painted once, as a form, and placed for each copy.

    Args:
        fonts: all fonts by id; the first one is embedded even if it is not used.
        intent: the printing condition, for pages in inks.
        tagged: whether to write a structure tree for assistive technology.
    """
    prepare_reportlab()
    first = first_font(fonts)
    canvas = Canvas(
        stream,
        pageCompression=1,
        invariant=1,
        initialFontName=first.fontName,
        lang=info.language,
        pdfVersion=intent.version if intent else None,
    )
    spots = intent.spots if intent else {}
    painter = Painter(canvas, PdfFonts(fonts, canvas._doc), images, spots)  # noqa: SLF001 - no other way
    structure = Structure(canvas, painter) if tagged and intent is None else None
    set_metadata(canvas, info, tagged=structure is not None)
    if intent is not None:
        set_intent(canvas, intent, info)
    elif structure is not None:
        set_srgb(canvas)
    counts = Counter(form_key(placed) for page in pages for placed in page.faces)
    forms: dict[FormKey, str] = {}
    for number, page in enumerate(track_progress(pages, "painting pages")):
        for placed in page.faces:
            key = form_key(placed)
            if counts[key] > 1 and key not in forms:
                forms[key] = _paint_form(canvas, painter, placed, f"face{len(forms)}")
        if page.bookmark is not None:
            canvas.bookmarkPage(f"page{number}")
            canvas.addOutlineEntry(page.bookmark, f"page{number}")
        canvas.setPageSize((page.width * POINTS_PER_MM, page.height * POINTS_PER_MM))
        _set_boxes(canvas, page)
        paint_page(canvas, painter, page, forms, structure)
        canvas.showPage()
        _compress(canvas)
        if intent is not None:
            set_page_group(canvas, intent)
    canvas.addPageLabel(0, style="ARABIC", start=1)
    if structure is not None:
        structure.finish()
    with locate_font_errors(), stream_to(stream):
        canvas.save()


def prepare_reportlab() -> None:
    """Configure ReportLab: binary streams, and no SOURCE_DATE_EPOCH that it cannot parse."""
    rl_config.useA85 = 0
    if not re.fullmatch(r"[0-9]{1,11}", os.environ.get("SOURCE_DATE_EPOCH", "0").strip()):
        # An invalid date counts as no date.
        del os.environ["SOURCE_DATE_EPOCH"]


def paint_page(
    canvas: Canvas,
    painter: Painter,
    page: Page,
    forms: Mapping[FormKey, str],
    structure: Structure | None,
) -> None:
    """Paint a page, in mm from its top left corner; faces with forms are placed as forms."""
    canvas.saveState()
    canvas.addLiteral(
        f"{POINTS_PER_MM:.6f} 0 0 {-POINTS_PER_MM:.6f} 0 {page.height * POINTS_PER_MM:.4f} cm"
    )
    on_page = (POINTS_PER_MM, 0, 0, -POINTS_PER_MM, 0, page.height * POINTS_PER_MM)
    for placed in page.faces:
        with structure.figure(placed, on_page) if structure else nullcontext():
            canvas.addLiteral(f"q {_matrix(placed)} cm")
            form = forms.get(form_key(placed))
            if form is not None:
                canvas.doForm(form)
            else:
                canvas.addLiteral(_clip_operators(placed))
                with painter.at_scale(placed.scale):
                    painter.paint(placed.face.ops)
            canvas.addLiteral("Q")
    if structure is not None:
        structure.paint(page.ops, on_page, structure.element(page.tag) if page.tag else None)
    else:
        painter.paint(page.ops)
    canvas.restoreState()


def _matrix(placed: PlacedFace) -> str:
    """Return the operands of the matrix that places a face on the page."""
    *turned, x, y = placed.matrix
    return f"{' '.join(f'{n:.8g}' for n in turned)} {format_decimal(x)} {format_decimal(y)}"


def form_key(placed: PlacedFace) -> FormKey:
    """Return the key of the form of a placed face."""
    return id(placed.face), placed.reach, placed.scale


def visible_box(placed: PlacedFace) -> Box:
    """Return the visible part of a placed face, in its own coordinates."""
    (across, down), face = placed.reach, placed.face
    return Box(-across, -down, face.width + 2 * across, face.height + 2 * down)


def _clip_operators(placed: PlacedFace) -> str:
    """Return the operators that clip a face to its visible part."""
    box = visible_box(placed)
    return f"{' '.join(map(format_decimal, (box.x, box.y, box.width, box.height)))} re W n"


def _set_boxes(canvas: Canvas, page: Page) -> None:
    """Set the trim box and the bleed box of a page."""
    # ReportLab keeps them for the pages that follow.
    trim, bleed = page_boxes(page) or (None, None)
    canvas.setTrimBox(trim)
    canvas.setBleedBox(bleed)


_Corners = tuple[float, float, float, float]


def page_boxes(page: Page) -> tuple[_Corners, _Corners] | None:
    """Return the trim box and the bleed box of a page, in points from the bottom left."""
    if page.trim is None:
        return None
    (left, top, width, height), bleed = page.trim, page.bleed
    right, bottom = left + width, top + height

    def points(beyond: Mm) -> _Corners:
        edges = (
            left - beyond,
            page.height - (bottom + beyond),
            right + beyond,
            page.height - (top - beyond),
        )
        return tuple(round(edge * POINTS_PER_MM, 4) for edge in edges)  # type: ignore[return-value]

    return points(0), points(bleed)


def _compress(canvas: Canvas) -> None:
    """Compress the latest page, since ReportLab keeps all pages as text until the end."""
    page = canvas._doc.Pages.pages[-1]  # noqa: SLF001 - no other way
    flate = PDFDictionary({"Filter": PDFName("FlateDecode")})
    page.Contents = PDFStream(flate, zlib.compress(page.stream.encode()))
    page.stream = None


def _paint_form(canvas: Canvas, painter: Painter, placed: PlacedFace, name: str) -> str:
    """Paint a face as a form whose box clips it to its visible part."""
    box = visible_box(placed)
    canvas.beginForm(name, box.x, box.y, box.right, box.bottom)
    with painter.at_scale(placed.scale):
        painter.paint(placed.face.ops)
    canvas.endForm(Resources=_resources(canvas))
    return name


def _resources(canvas: Canvas) -> PDFResourceDictionary:
    """Return the resources of the current form; those of ReportLab are incomplete."""
    resources = PDFResourceDictionary()
    resources.basicFonts()
    resources.allProcs()
    states = canvas._extgstate.getState()  # noqa: SLF001 - no other way
    if states is not None:
        resources.ExtGState = states
    resources.setShading(canvas._shadingUsed)  # noqa: SLF001
    resources.setColorSpace(canvas._colorsUsed)  # noqa: SLF001
    if canvas._formsinuse:  # noqa: SLF001 - images count as forms
        resources.XObject = canvas._doc.xobjDict(canvas._formsinuse)  # noqa: SLF001
    return resources
