"""Write finished pages, such as the calibration page, as a PDF file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Report
from deckwright.base.output import OutputError, write_file
from deckwright.base.units import PAPER_SIZES, Mm, format_date, resolve_date
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import prepare_images
from deckwright.images.store import ImageStore
from deckwright.ops.bleed import square_corners
from deckwright.ops.model import Face, Op
from deckwright.paint.pdf.document import PdfWriter, PieceStore, write_pdf
from deckwright.paint.pdf.metadata import Info, info_of
from deckwright.sheet.grid import Flip
from deckwright.sheet.pages import Page, PlacedFace, draw_slug
from deckwright.text.fonts import default_fonts
from deckwright.text.shaping import HarfBuzzMetrics, Metrics


class DocumentLayout(NamedTuple):
    """Pages of an unwritten file, with the factory of their faces."""

    target: Path
    pages: tuple[Page, ...]
    factory: FaceFactory


_captured: ContextVar[list[DocumentLayout] | None] = ContextVar("_captured", default=None)


@contextmanager
def capture_layout() -> Iterator[list[DocumentLayout]]:
    """Write no pages within the context, but collect them in the yielded list."""
    documents: list[DocumentLayout] = []
    token = _captured.set(documents)
    try:
        yield documents
    finally:
        _captured.reset(token)


def is_capturing_layout() -> bool:
    """Return whether pages are collected instead of written."""
    return _captured.get() is not None


def write_pages(
    pages: Sequence[Page],
    title: str,
    footer: str,
    factory: FaceFactory,
    target: Path,
    report: Report,
    store: PieceStore | None = None,
) -> None:
    """Paint pages to the file `target`. Faces are extended to their visible bleed.

    Args:
        footer: the beginning of the footers.
        store: the painted faces of earlier prints.
    """
    images = factory.pictures.store
    faces = {id(placed.face): placed.face for page in pages for placed in page.faces}.values()
    if not prepare_images(faces, images, report):
        raise OutputError
    info = info_of(title, factory.game.setup, factory.folder)
    setup, place = factory.game.setup, (factory.metrics, factory.text_font)
    finished = [*add_footers(pages, footer, setup.words, setup.language, info.date, *place)]
    documents = _captured.get()
    if documents is not None:
        documents.append(DocumentLayout(target, tuple(extend_faces(finished)), factory))
        return

    def draw(placed: PlacedFace) -> Iterable[Op]:
        return square_corners(factory.with_ops(placed.face), *placed.reach).ops

    writer = PdfWriter(factory.fonts, images, draw=draw, store=store)
    write_file(target, lambda stream: writer.write(stream, finished, info))


def extend_faces(pages: Iterable[Page]) -> Iterator[Page]:
    """Yield pages with faces whose backgrounds cover their visible bleed."""
    extended: dict[tuple[int, tuple[Mm, Mm]], Face] = {}
    for page in pages:
        faces = []
        for placed in page.faces:
            key = id(placed.face), placed.reach
            if key not in extended:
                extended[key] = square_corners(placed.face, *placed.reach)
            faces.append(placed._replace(face=extended[key]))
        yield page._replace(faces=tuple(faces))


def add_footers(
    pages: Sequence[Page],
    footer: str,
    words: Mapping[str, str],
    language: str,
    date: datetime,
    metrics: Metrics,
    family: str,
) -> Iterator[Page]:
    """Add rulers and footers with subject, page number and date to the slugs of pages.

    Args:
        words, language: the printed words, and the language of dates.
        date: SOURCE_DATE_EPOCH, or the date of the newest input file (both in UTC), for
            reproducible output.
        family: the font family of the footers.
    """
    after = f"{format_date(date, words['date'], language)} · {words['full-size']}"
    for number, page in enumerate(pages, 1):
        if page.slug is None:
            yield page
            continue
        about = dict.fromkeys(filter(None, (footer, page.footer_note)))
        text = " · ".join([*about, f"{words['page']} {number}/{len(pages)}", after])
        ops = draw_slug(page.slug, text, family, metrics, ruler=not page.is_back)
        yield page._replace(ops=(*page.ops, *ops))


def print_calibration(paper: str, flip: Flip, language: str, target: Path) -> None:
    """Write both sides of the calibration page on a paper of `PAPER_SIZES`."""
    from deckwright.sheet.calibration import (  # only where it is needed
        load_calibration_words,
        make_calibration_pages,
    )

    fonts = {font.id: font for font in default_fonts().values()}
    pages = make_calibration_pages(
        *PAPER_SIZES[paper], flip, "text", HarfBuzzMetrics(fonts), language
    )
    title = load_calibration_words(language).title
    info = Info(title, "", "Deckwright", language, resolve_date([Path(__file__)]))
    write_file(target, lambda stream: write_pdf(stream, pages, info, fonts, ImageStore()))
