"""Write finished pages as a PDF file, with footers that say what a loose sheet belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from deckwright.base.dates import date_of, written
from deckwright.base.findings import Report
from deckwright.base.output import write_file
from deckwright.faces.factory import FaceFactory
from deckwright.faces.images import prepare_images
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.info import info_of
from deckwright.sheet.pages import Page
from deckwright.sheet.slug import slug_ops

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics


class Document(NamedTuple):
    """Pages as they would be written to a file, and what has composed their faces."""

    target: Path
    pages: tuple[Page, ...]
    factory: FaceFactory


_laid_out: ContextVar[list[Document] | None] = ContextVar("_laid_out", default=None)


@contextmanager
def only_laid_out() -> Iterator[list[Document]]:
    """Within the block write no pages; give those that would be written."""
    documents: list[Document] = []
    token = _laid_out.set(documents)
    try:
        yield documents
    finally:
        _laid_out.reset(token)


def lays_out_only() -> bool:
    """Return whether nothing is written now."""
    return _laid_out.get() is not None


def write_pages(
    pages: Sequence[Page],
    title: str,
    footer: str,
    factory: FaceFactory,
    target: Path,
    report: Report,
) -> bool:
    """Paint pages to the file `target`; return whether that went well.

    Args:
        title: that of the file.
        footer: what their footers begin with.
    """
    images = factory.pictures.store
    faces = {id(placed.face): placed.face for page in pages for placed in page.faces}.values()
    if not prepare_images(faces, images, report):
        return False
    info = info_of(title, factory.game.setup, factory.folder)
    words, date = factory.game.setup.words, date_of(factory.folder.inputs())
    finished = list(footed(pages, footer, words, date, factory.metrics, factory.text_font))
    documents = _laid_out.get()
    if documents is not None:
        documents.append(Document(target, tuple(finished), factory))
        return True

    def paint(stream: IO[bytes]) -> None:
        write_pdf(stream, finished, info, factory.fonts, images)

    return write_file(target, paint, report)


def footed(
    pages: Sequence[Page],
    footer: str,
    words: Mapping[str, str],
    date: datetime,
    metrics: Metrics,
    family: str,
) -> Iterator[Page]:
    """Yield pages with rulers and footers in their slugs: what they belong to, number and date.

    Args:
        date: SOURCE_DATE_EPOCH, or that of the newest file of what is printed (both in UTC), so
            that the same input gives the same bytes.
        family: the font that footers are set in.
    """
    after = f"{written(date, words['date'])} · {words['full-size']}"
    for number, page in enumerate(pages, 1):
        if page.slug is None:
            yield page
            continue
        about = dict.fromkeys(filter(None, (footer, page.about)))
        text = " · ".join([*about, f"{words['page']} {number}/{len(pages)}", after])
        ops = slug_ops(page.slug, text, family, metrics, ruler=not page.behind)
        yield page._replace(ops=(*page.ops, *ops))
