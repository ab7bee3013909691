"""The PDF of an order: a face on each page, with its bleed and its boxes, and without marks."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pypdfium2

from deckwright.base.findings import Diagnostic, Report
from deckwright.base.geometry import Box
from deckwright.base.progress import steps
from deckwright.base.units import PER_UNIT, Mm
from deckwright.faces.copies import NamedFace, Side
from deckwright.game.spot_inks import SpotInk
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face, Op, map_ops
from deckwright.ops.spots import ink_of
from deckwright.outputs.press.flatten import FlatImages
from deckwright.outputs.press.inks import FULL, Inks
from deckwright.outputs.press.lettering import outlined
from deckwright.outputs.press.spots import black_ink, mask, used_inks
from deckwright.outputs.services.edges import Edges
from deckwright.outputs.services.job import Job, Made, part_of
from deckwright.outputs.services.orders import OrderItem
from deckwright.outputs.services.press import Prepress
from deckwright.outputs.services.profile import Pages, Service, Size, Spots
from deckwright.paint.pdf.cmyk import Intent
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.info import info_of
from deckwright.paint.pdf.spots import Spot
from deckwright.sheet.pages import Page, Placed

LOOK_DPI = 150
"""How fine pages are drawn to look at their edges."""


class PdfFiles(NamedTuple):
    """The PDF of an order, and those of the masks of its inks.

    Attributes:
        files: what is in each, that of the pages first.
        inks: the names of the inks beside the print's own.
    """

    files: dict[Path, bytes]
    inks: tuple[str, ...]

    @property
    def masks(self) -> tuple[Path, ...]:
        """The files of the masks."""
        return tuple(self.files)[1:]


def make_pdf(cards: list[OrderItem], size: Size, path: Path, job: Job, findings: Report) -> Made:
    """Return the PDF of cards of one size for `path`, looked at."""
    title, files = title_of(job.title, size), dict[Path, bytes]()
    inks, masks, paths = dict[str, None](), list[Path](), list[Path]()
    for name, pages in files_of(cards, job.service).items():
        target = path.with_stem(f"{path.stem}_{name}") if name else path
        made = make_pages([side for _, side in pages], title, target, job, findings)
        files |= made.files
        inks |= dict.fromkeys(made.inks)
        masks += made.masks
        paths.append(target)
    part = part_of(cards, size, path)
    backs = tuple(paths[1:])
    return Made(part._replace(inks=(*inks,), masks=(*masks,), backs=backs), files)


def make_pages(
    order: Sequence[Side],
    title: str,
    path: Path,
    job: Job,
    findings: Report,
    *,
    edges: bool = True,
) -> PdfFiles:
    """Return the PDF of pages for `path`, each a side with its bleed; checked as PDF/X.

    Args:
        order: the pages; what is on several of them is prepared once.
        edges: whether it is looked at what is printed along the edges of sides.
    """
    with tempfile.TemporaryDirectory(prefix="deckwright-") as folder:
        sides = [*{id(side.face): side for side in order}.values()]
        prepress = Prepress(job, Path(folder))
        ready = prepress.pressed(sides, findings)
        faces = {id(side.face): made for side, made in zip(sides, ready, strict=True)}
        pages = [page_of(faces[id(side.face)], job.service.bleed) for side in order]
        used = used_inks(side.face for side in sides) if job.spots is not Spots.NONE else []
        data = _painted(pages, prepress.images, job, title, used)
        files = {path: data}
        if job.spots is Spots.PAGES:
            files |= _masks(order, used, path, job, title, Path(folder))
        if used and edges:
            data = _seen(pages, prepress.images, job, title)
    if edges:
        findings += _looked_at(data, order, job)
    if job.service.pdfx and job.profile:
        from deckwright.outputs.press.pdfx import check_pdfx  # noqa: PLC0415 - only for PDF/X

        for target, written in files.items():
            findings += check_pdfx(written, job.service.pdfx, target.name)
    return PdfFiles(files, tuple(job.factory.game.setup.inks[ink].name for ink in used))


def _masks(
    order: Sequence[Side], used: Sequence[str], path: Path, job: Job, title: str, folder: Path
) -> dict[Path, bytes]:
    """Return a PDF for each ink whose pages lie over those of the cards, black where it is."""
    files: dict[Path, bytes] = {}
    images = FlatImages(job.factory.pictures.store, Path(tempfile.mkdtemp(dir=folder)))
    for ink_id in used:
        faces = {
            id(side.face): mask(side.face, ink_id, black_ink, images)
            for side in {id(side.face): side for side in order}.values()
        }
        if job.service.outlines:
            metrics = job.factory.metrics
            faces = {key: outlined(face, metrics) for key, face in faces.items()}
        pages = [page_of(faces[id(side.face)], job.service.bleed) for side in order]
        target = path.with_name(f"{path.stem}_{ink_id}{path.suffix}")
        files[target] = _painted(pages, images, job, title, ())
    return files


def _seen(pages: Sequence[Page], images: ImageStore, job: Job, title: str) -> bytes:
    """Return the PDF of what is printed of pages with the four inks alone."""

    def process(op: Op) -> Op | None:
        return None if ink_of(op) else op

    def without(placed: Placed) -> Placed:
        return placed._replace(face=placed.face._replace(ops=map_ops(placed.face.ops, process)))

    bare = [page._replace(faces=tuple(map(without, page.faces))) for page in pages]
    return _painted(bare, images, job, title, ())


def title_of(title: str, size: Size) -> str:
    """Return what the PDF of cards of one size is called."""
    return f"{title} – {size.name} {size.width:g} × {size.height:g} mm"


Sides = Sequence[tuple[OrderItem, NamedFace]]
"""What is on the pages of a file, and which card that is a side of."""


def files_of(
    cards: Iterable[OrderItem], service: Service, *, alone: bool = True
) -> dict[str, Sides]:
    """Return what is on the pages of each file, by what follows its name: "" or "backs".

    Args:
        alone: whether no other cards follow in the same file.
    """
    sides = [*_sides_of(cards, service)]
    if service.pages not in {Pages.SEPARATE, Pages.BACK_LAST}:
        return {"": sides}
    fronts = [side for side in sides if side[1] is side[0].front]
    backs = [side for side in sides if side[1] is not side[0].front]
    same = len({id(back.face) for _, back in backs}) == 1
    if service.pages is Pages.BACK_LAST and same and alone:
        return {"": [*fronts, backs[0]]}
    return {"": fronts, "backs": backs}


def _sides_of(
    cards: Iterable[OrderItem], service: Service
) -> Iterator[tuple[OrderItem, NamedFace]]:
    """Yield each copy's face and back, by turns as the service has them."""
    for card in cards:
        sides = list(card.sides())
        for side in (sides[::-1] if service.back_first else sides) * card.copies:
            yield card, side


def page_of(face: Face, bleed: Mm) -> Page:
    """Return a page that is a card and its bleed."""
    return Page(
        face.width + 2 * bleed,
        face.height + 2 * bleed,
        (Placed(face, bleed, bleed, reach=(bleed, bleed)),),
        trim=Box(bleed, bleed, face.width, face.height),
        bleed=bleed,
    )


def _painted(
    pages: Sequence[Page], images: ImageStore, job: Job, title: str, used: Iterable[str]
) -> bytes:
    """Return the PDF of pages, with these inks beside the four."""
    info = info_of(title, job.factory.game.setup, job.factory.folder)
    stream = io.BytesIO()
    write_pdf(stream, pages, info, job.factory.fonts, images, intent_of(job, used), tagged=False)
    return stream.getvalue()


def intent_of(job: Job, used: Iterable[str]) -> Intent | None:
    """Return what PDFs are printed for, with these inks beside the four; None for RGB."""
    intent = job.intent
    if intent is None:
        return None
    inks = Inks(intent.icc, job.service.ink)
    spots = {ink_id: spot_of(job.factory.game.setup.inks[ink_id], inks) for ink_id in used}
    return intent._replace(spots=spots)


def spot_of(ink: SpotInk, inks: Inks) -> Spot:
    """Return an ink as a separation."""
    cyan, magenta, yellow, black = (share / FULL for share in inks.color(ink.color).cmyk)
    return Spot(ink.name, (cyan, magenta, yellow, black))


def _looked_at(data: bytes, order: Sequence[Side], job: Job) -> Iterator[Diagnostic]:
    """Yield what is wrong with the edges of the pages of a PDF, each face looked at once."""
    edges, seen = Edges(job.service), set[int]()
    scale = LOOK_DPI / (PER_UNIT["in"] / PER_UNIT["pt"])
    with pypdfium2.PdfDocument(data) as document:
        if len(document) != len(order):
            raise RuntimeError(f"the PDF has {len(document)} pages, not {len(order)}")
        for number, side in enumerate(steps(order, "looking at pages")):
            if id(side.face) not in seen:
                seen.add(id(side.face))
                width = side.face.width + 2 * job.service.bleed
                edges.look(side, document[number].render(scale=scale).to_pil(), width)
    yield from edges.findings()
