"""Make the files of an order: a PDF, or pictures with a list of amounts."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pypdfium2
from PIL import Image

from deckwright.base.findings import Diagnostic, Report
from deckwright.base.geometry import Box
from deckwright.base.processes import track_progress
from deckwright.base.units import MM_PER_UNIT, Mm, to_pixels
from deckwright.faces.copies import NamedFace, PrintedSide
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face, ink_of, map_ops
from deckwright.outputs.press.flatten import FlatImages, outline_texts
from deckwright.outputs.press.inks import FULL_INK, InkConverter
from deckwright.outputs.press.plates import black_ink, gray, make_mask, used_inks
from deckwright.outputs.services.preflight import EdgeInspector, OrderItem, distinct_sides
from deckwright.outputs.services.press import Job, OrderPart, Prepress, suit_service, widen_for
from deckwright.outputs.services.profile import (
    CardSize,
    OrderList,
    PageOrder,
    Service,
    SpotHandling,
)
from deckwright.paint.pdf.content import Spot
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.metadata import OutputIntent, info_of
from deckwright.paint.raster import Encoding, Raster, draw
from deckwright.sheet.pages import Page, PlacedFace


class OrderLine(NamedTuple):
    """A line of an order: name, relative paths of the pictures, and copies of a card."""

    name: str
    front: str
    back: str | None
    copies: int


def format_autofill(lines: Sequence[OrderLine], service: Service) -> str:
    """Return an order in the XML format of MPC Autofill.

    The XML schema is in its wiki, https://github.com/chilli-axe/mpc-autofill/wiki: slots count from
    0; each picture lists its slots; pictures are files relative to the folder of the program. Older
    versions require a `bracket`, the next price step in cards.
    """
    total = sum(line.copies for line in lines)
    bracket = next((step for step in service.steps if step >= total), total)
    fronts: dict[str, list[int]] = {}
    backs: dict[str, list[int]] = {}
    names: dict[str, str] = {}
    slot = 0
    for line in lines:
        slots = range(slot, slot + line.copies)
        slot += line.copies
        fronts.setdefault(line.front, []).extend(slots)
        names[line.front] = line.name
        if line.back is not None:
            backs.setdefault(line.back, []).extend(slots)
    root = ET.Element("order")
    details = ET.SubElement(root, "details")
    foil = "true" if service.foil else "false"
    _add_texts(details, quantity=str(total), bracket=str(bracket), stock=service.stock, foil=foil)
    _add_side(ET.SubElement(root, "fronts"), fronts, names)
    if backs:
        # The most frequent back is the default of all slots not listed.
        common = max(backs, key=lambda path: len(backs[path]))
        _add_side(ET.SubElement(root, "backs"), backs, {})
        _add_texts(root, cardback=common)
    ET.indent(root)
    text = ET.tostring(root, "unicode", short_empty_elements=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_side(side: ET.Element, slots: dict[str, list[int]], names: dict[str, str]) -> None:
    for path, numbers in slots.items():
        card, file = ET.SubElement(side, "card"), path.rpartition("/")[2]
        _add_texts(card, id=path, sourceType="Local File", slots=",".join(map(str, numbers)))
        _add_texts(card, name=file, query=names.get(path, file))


def _add_texts(element: ET.Element, **texts: str) -> None:
    for tag, text in texts.items():
        ET.SubElement(element, tag).text = text


def format_table(lines: Iterable[OrderLine]) -> str:
    """Return an order as CSV with names, files and quantities of cards."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(["name", "front", "back", "quantity"])
    for line in lines:
        writer.writerow([_escape_formula(line.name), line.front, line.back or "", line.copies])
    return stream.getvalue()


def _escape_formula(text: str) -> str:
    """Escape a text that spreadsheets would take for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


FRONTS, BACKS = "fronts", "backs"
"""The folders of pictures."""


def make_pictures(
    cards: list[OrderItem], size: CardSize, folder: Path, job: Job, findings: Report
) -> tuple[OrderPart, dict[Path, bytes]]:
    """Make the pictures of cards of one size for `folder` and their list; check their edges."""
    raster = raster_of(size, job)
    width, _ = job.bleed_size(size)
    sides = distinct_sides(cards)
    files: dict[str, bytes] = {}
    edges = EdgeInspector(job.service)
    drawn = draw(
        (suit_service(side.face, job) for side in sides),
        job.factory.fonts,
        job.factory.pictures.store,
        raster,
    )
    for side, picture in zip(track_progress(sides, "drawing cards"), drawn, strict=True):
        edges.inspect(side, picture, width)
        files[picture_path(side)] = Encoding("png").encode(picture, job.service.dpi)
    findings += edges.findings()
    files |= make_list_files(cards, job.service)
    used = used_inks(side.face for side in sides) if job.spots is not SpotHandling.NONE else []
    for ink_id in used:
        for side, picture in draw_masks(sides, ink_id, raster, job):
            name = f"{ink_id}/{picture_path(side)}"
            files[name] = Encoding("png").encode(picture, job.service.dpi)
    inks = job.factory.game.setup.inks
    there = [path for name in (FRONTS, BACKS) for path in (folder / name).glob("*.png")]
    part = OrderPart(
        size,
        sum(card.copies for card in cards),
        len(cards),
        folder,
        sum(path.relative_to(folder).as_posix() not in files for path in there),
        tuple(inks[ink_id].name for ink_id in used),
        tuple(folder / ink_id for ink_id in used),
    )
    return part, {folder / name: data for name, data in files.items()}


def raster_of(size: CardSize, job: Job) -> Raster:
    """Return the raster options for cards of a size."""
    width, height = job.bleed_size(size)
    dpi = job.service.dpi
    return Raster(
        dpi, (round(to_pixels(width, dpi)), round(to_pixels(height, dpi))), job.service.bleed
    )


def make_list_files(cards: Iterable[OrderItem], service: Service) -> dict[str, bytes]:
    """Return the list of cards in the format of a service, by file name."""
    lines = [
        OrderLine(
            card.front.card.name,
            picture_path(card.front),
            picture_path(card.back) if card.back is not None else None,
            card.copies,
        )
        for card in cards
    ]
    if service.order is OrderList.AUTOFILL:
        return {"cards.xml": format_autofill(lines, service).encode()}
    if service.order is OrderList.TABLE:
        # Spreadsheets recognize UTF-8 only by a byte order mark.
        return {"cards.csv": format_table(lines).encode("utf-8-sig")}
    return {}


def draw_masks(
    sides: Iterable[NamedFace], ink_id: str, raster: Raster, job: Job
) -> Iterator[tuple[NamedFace, Image.Image]]:
    """Yield the sides that use a spot ink, with their masks in black on white."""
    with tempfile.TemporaryDirectory(prefix="deckwright-") as folder:
        images = FlatImages(job.factory.pictures.store, Path(folder))
        faces = (widen_for(job.service, side.face) for side in sides)
        masks = [
            side._replace(face=make_mask(face, ink_id, gray, images))
            for side, face in zip(sides, faces, strict=True)
        ]
        shown = [side for side in masks if side.face.ops]
        drawn = draw((side.face for side in shown), job.factory.fonts, images, raster)
        for side, picture in zip(shown, drawn, strict=True):
            yield side, picture.convert("L")


def picture_path(side: NamedFace) -> str:
    """Return the relative path of the picture of a card's side."""
    return f"{BACKS if side.is_back else FRONTS}/{side.name}.png"


EDGE_CHECK_DPI = 150
"""The resolution at which the edges of pages are checked."""


def make_pdf(
    cards: list[OrderItem], size: CardSize, path: Path, job: Job, findings: Report
) -> tuple[OrderPart, dict[Path, bytes]]:
    """Make the PDF of cards of one size for `path`; check its edges."""
    title, files = pdf_title(job.title, size), dict[Path, bytes]()
    inks, masks, paths = dict[str, None](), list[Path](), list[Path]()
    for name, pages in split_files(cards, job.service).items():
        target = path.with_stem(f"{path.stem}_{name}") if name else path
        contents, used = make_pages([side for _, side in pages], title, target, job, findings)
        files |= contents
        inks |= dict.fromkeys(used)
        masks += tuple(contents)[1:]
        paths.append(target)
    number = sum(card.copies for card in cards)
    part = OrderPart(size, number, len(cards), path, 0, tuple(inks), tuple(masks), tuple(paths[1:]))
    return part, files


def make_pages(
    order: Sequence[PrintedSide],
    title: str,
    path: Path,
    job: Job,
    findings: Report,
    *,
    edges: bool = True,
) -> tuple[dict[Path, bytes], tuple[str, ...]]:
    """Make the PDF of pages for `path`, each a side with its bleed, and check PDF/X rules.

    Args:
        order: the pages; repeated sides are prepared once.
        edges: whether to check the edges of pages.

    Returns:
        the contents by path, the pages first and then the masks; the names of the spot inks.
    """
    with tempfile.TemporaryDirectory(prefix="deckwright-") as folder:
        sides = [*{id(side.face): side for side in order}.values()]
        prepress = Prepress(job, Path(folder))
        ready = prepress.prepare(sides, findings)
        faces = {id(side.face): face for side, face in zip(sides, ready, strict=True)}
        pages = [card_page(faces[id(side.face)], job.service.bleed) for side in order]
        used = used_inks(side.face for side in sides) if job.spots is not SpotHandling.NONE else []
        data = _paint_pdf(pages, prepress.images, job, title, used)
        files = {path: data}
        for ink_id in used if job.spots is SpotHandling.PAGES else ():
            # Masks have pages parallel to those of the cards.
            images = FlatImages(job.factory.pictures.store, Path(tempfile.mkdtemp(dir=folder)))
            masks = {id(s.face): make_black_mask(s.face, ink_id, images, job) for s in sides}
            masked = [card_page(masks[id(side.face)], job.service.bleed) for side in order]
            target = path.with_name(f"{path.stem}_{ink_id}{path.suffix}")
            files[target] = _paint_pdf(masked, images, job, title, ())
        if used and edges:
            # Only process inks have edges to check.
            bare = []
            for face in (faces[id(side.face)] for side in order):
                ops = map_ops(face.ops, lambda op: None if ink_of(op) else op)
                bare.append(card_page(face._replace(ops=ops), job.service.bleed))
            data = _paint_pdf(bare, prepress.images, job, title, ())
    if edges:
        findings += _check_edges(data, order, job)
    if job.service.pdfx and job.profile:
        from deckwright.outputs.press.pdfx import check_pdfx  # only for PDF/X

        for target, written in files.items():
            findings += check_pdfx(written, job.service.pdfx, target.name)
    return files, tuple(job.factory.game.setup.inks[ink].name for ink in used)


def make_black_mask(face: Face, ink_id: str, images: FlatImages, job: Job) -> Face:
    """Return the mask of a spot ink in a PDF: black where it is printed."""
    mask = make_mask(widen_for(job.service, face), ink_id, black_ink, images)
    return outline_texts(mask, job.factory.metrics) if job.service.outlines else mask


def pdf_title(title: str, size: CardSize) -> str:
    """Return the title of the PDF of cards of one size."""
    return f"{title} – {size.name} {size.width:g} × {size.height:g} mm"


FileSides = Sequence[tuple[OrderItem, NamedFace]]
"""The sides on the pages of a file, with their cards."""


def split_files(
    cards: Iterable[OrderItem], service: Service, *, alone: bool = True
) -> dict[str, FileSides]:
    """Distribute the sides of cards over files, by the suffix of the name: "" or "backs".

    Args:
        alone: whether the file contains no other cards.
    """
    # The face and back of each copy, in the order of the service.
    order = -1 if service.back_first else 1
    sides = [(card, side) for card in cards for side in [*card.sides()][::order] * card.copies]
    if service.pages not in {PageOrder.SEPARATE, PageOrder.BACK_LAST}:
        return {"": sides}
    fronts = [side for side in sides if side[1] is side[0].front]
    backs = [side for side in sides if side[1] is not side[0].front]
    same = len({id(back.face) for _, back in backs}) == 1
    if service.pages is PageOrder.BACK_LAST and same and alone:
        return {"": [*fronts, backs[0]]}
    return {"": fronts, "backs": backs}


def card_page(face: Face, bleed: Mm) -> Page:
    """Return a page with a card and its bleed."""
    return Page(
        face.width + 2 * bleed,
        face.height + 2 * bleed,
        (PlacedFace(face, bleed, bleed, reach=(bleed, bleed)),),
        trim=Box(bleed, bleed, face.width, face.height),
        bleed=bleed,
    )


def _paint_pdf(
    pages: Sequence[Page], images: ImageStore, job: Job, title: str, used: Iterable[str]
) -> bytes:
    """Return the PDF of pages, with the given spot inks."""
    info = info_of(title, job.factory.game.setup, job.factory.folder)
    stream = io.BytesIO()
    write_pdf(stream, pages, info, job.factory.fonts, images, make_intent(job, used), tagged=False)
    return stream.getvalue()


def make_intent(job: Job, used: Iterable[str]) -> OutputIntent | None:
    """Return the output intent with the given spot inks; None for RGB."""
    intent = job.intent
    if intent is None:
        return None
    inks = InkConverter(intent.icc, job.service.max_ink)
    spots = {}
    for ink_id in used:
        ink = job.factory.game.setup.inks[ink_id]
        cyan, magenta, yellow, black = inks.convert_color(ink.color).cmyk
        shares = cyan / FULL_INK, magenta / FULL_INK, yellow / FULL_INK, black / FULL_INK
        spots[ink_id] = Spot(ink.name, shares)
    return intent._replace(spots=spots)


def _check_edges(data: bytes, order: Sequence[PrintedSide], job: Job) -> Iterator[Diagnostic]:
    """Yield the findings at the edges of a PDF's pages, with each face checked once."""
    edges, seen = EdgeInspector(job.service), set[int]()
    scale = EDGE_CHECK_DPI / (MM_PER_UNIT["in"] / MM_PER_UNIT["pt"])
    with pypdfium2.PdfDocument(data) as document:
        if len(document) != len(order):
            raise RuntimeError(f"the PDF has {len(document)} pages, not {len(order)}")
        for number, side in enumerate(track_progress(order, "checking pages")):
            if id(side.face) not in seen:
                seen.add(id(side.face))
                width = side.face.width + 2 * job.service.bleed
                edges.inspect(side, document[number].render(scale=scale).to_pil(), width)
    yield from edges.findings()
