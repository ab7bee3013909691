"""Write finished pages as a PDF file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from deckwright.base.findings import Report
from deckwright.base.output import write_file
from deckwright.faces.images import prepare_images

if TYPE_CHECKING:
    from deckwright.faces.factory import FaceFactory
    from deckwright.sheet.pages import Page


def write_pages(
    pages: Sequence[Page], title: str, factory: FaceFactory, target: Path, report: Report
) -> bool:
    """Paint pages to the file `target`; return whether that went well."""
    from deckwright.paint.pdf.document import write_pdf  # noqa: PLC0415
    from deckwright.paint.pdf.info import info_of  # noqa: PLC0415

    images = factory.pictures.store
    faces = {id(placed.face): placed.face for page in pages for placed in page.faces}.values()
    if not prepare_images(faces, images, report):
        return False
    info = info_of(title, factory.game.setup, factory.folder)

    def paint(stream: IO[bytes]) -> None:
        write_pdf(stream, pages, info, factory.fonts, images)

    return write_file(target, paint, report)
