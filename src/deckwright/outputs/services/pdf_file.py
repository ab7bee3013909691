"""The PDF of an order: a face on each page, with its bleed and its boxes, and without marks."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pypdfium2

from deckwright.base.findings import Diagnostic, Report
from deckwright.base.geometry import Box
from deckwright.base.progress import steps
from deckwright.base.units import PER_UNIT
from deckwright.faces.copies import NamedFace
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.outputs.services.edges import Edges
from deckwright.outputs.services.job import Job, Made, part_of
from deckwright.outputs.services.orders import OrderItem, distinct
from deckwright.outputs.services.press import pressed
from deckwright.outputs.services.profile import Size
from deckwright.paint.pdf.cmyk import Intent
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.info import info_of
from deckwright.sheet.pages import Page, Placed

_LOOK_DPI = 150
"""How fine pages are drawn to look at their edges."""


def make_pdf(cards: list[OrderItem], size: Size, path: Path, job: Job, findings: Report) -> Made:
    """Return the PDF of cards of one size for `path`, looked at."""
    with tempfile.TemporaryDirectory(prefix="deckwright-") as folder:
        sides = distinct(cards)
        ready = pressed(sides, job, Path(folder), findings)
        faces = {id(side.face): made for side, made in zip(sides, ready.faces, strict=True)}
        order = _order(cards, job)
        pages = [_page(faces[id(side.face)], job) for side in order]
        data = _painted(pages, ready.images, job, size)
    findings += _looked_at(data, order, job, size)
    return Made(part_of(cards, size, path), {path: data})


def _order(cards: list[OrderItem], job: Job) -> list[NamedFace]:
    """Return what is on which page: each copy's face and back, in the order of the service."""
    pages: list[NamedFace] = []
    for card in cards:
        sides = list(card.sides())
        pages += (sides[::-1] if job.service.back_first else sides) * card.copies
    return pages


def _page(face: Face, job: Job) -> Page:
    """Return a page that is a card and its bleed."""
    bleed = job.service.bleed
    return Page(
        face.width + 2 * bleed,
        face.height + 2 * bleed,
        (Placed(face, bleed, bleed, reach=(bleed, bleed)),),
        trim=Box(bleed, bleed, face.width, face.height),
        bleed=bleed,
    )


def _painted(pages: list[Page], images: ImageStore, job: Job, size: Size) -> bytes:
    """Return the PDF of pages."""
    profile = job.profile
    title = f"{job.deck.name} – {size.name} {size.width:g} × {size.height:g} mm"
    info = info_of(title, job.factory.game.setup, job.factory.folder)
    intent = None
    if profile is not None:
        stated = job.service.pdfx if job.options.stated else None
        intent = Intent(profile.name, profile.data, stated)
    stream = io.BytesIO()
    write_pdf(stream, pages, info, job.factory.fonts, images, intent)
    return stream.getvalue()


def _looked_at(data: bytes, order: list[NamedFace], job: Job, size: Size) -> Iterator[Diagnostic]:
    """Yield what is wrong with the edges of the pages of a PDF, each face looked at once."""
    edges, seen = Edges(job.service), set[int]()
    width, _ = job.outer(size)
    scale = _LOOK_DPI / (PER_UNIT["in"] / PER_UNIT["pt"])
    with pypdfium2.PdfDocument(data) as document:
        if len(document) != len(order):
            raise RuntimeError(f"the PDF has {len(document)} pages, not {len(order)}")
        for number, side in enumerate(steps(order, "looking at pages")):
            if id(side.face) not in seen:
                seen.add(id(side.face))
                edges.look(side, document[number].render(scale=scale).to_pil(), width)
    yield from edges.findings()
