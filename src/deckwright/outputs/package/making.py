"""Make a package for a printer: all PDFs, the job ticket in three forms, and checksums.

Everything that is wrong goes into the report; then no folder is made, and an old one stays.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pypdfium2

from deckwright.base.dates import date_of
from deckwright.base.files import files_below
from deckwright.base.findings import Report, has_errors
from deckwright.base.folders import replace_folder, staged
from deckwright.base.geometry import Box
from deckwright.base.output import unwritable
from deckwright.base.units import PAPERS, Mm
from deckwright.faces.factory import FaceFactory
from deckwright.faces.images import prepare_images
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage, Face
from deckwright.outputs.package.data import as_json
from deckwright.outputs.package.folder import sums, usable
from deckwright.outputs.package.measuring import measured
from deckwright.outputs.package.model import (
    SUMS,
    TICKET_JSON,
    TICKET_PDF,
    TICKET_XJDF,
    Packed,
    Pile,
    Ticket,
)
from deckwright.outputs.package.others import other_piles
from deckwright.outputs.package.packer import ANY_SHOP, PackageOptions, Packer
from deckwright.outputs.package.pages import ticket_pages
from deckwright.outputs.package.piles import card_piles
from deckwright.outputs.package.xjdf import as_xjdf, nmtoken
from deckwright.outputs.services.profile import Service
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.info import info_of
from deckwright.sheet.setter import Setter
from deckwright.text.fonts import load_fonts
from deckwright.text.hyphens import Hyphens

if TYPE_CHECKING:
    from deckwright.base.findings import Diagnostic


class Packaged(NamedTuple):
    """A package that was made.

    Attributes:
        ticket: what `ticket.json` says, with the same names.
        findings: the warnings.
    """

    path: Path
    ticket: Ticket
    findings: tuple[Diagnostic, ...] = ()


def make_package(
    folder: GameFolder,
    decks: Iterable[Path],
    service: Service,
    target: Path,
    options: PackageOptions,
    report: Report,
) -> Packaged | None:
    """Make a package in place of the folder `target`; None after reporting why there is none."""
    setup = load.load_setup(folder, report)
    if setup is None or not usable(target, report):
        return None
    different = tuple(dict.fromkeys(decks))
    try:
        with staged(target) as place:
            packer = Packer(folder, setup, different, service, options, place)
            ticket = _packed(packer)
            report.extend(packer.report)
            if ticket is None or has_errors(report):
                return None
            replace_folder(place, target)
    except OSError as error:
        report.append(unwritable(target, error))
        return None
    return Packaged(target, ticket)


def _packed(packer: Packer) -> Ticket | None:
    """Write all files of a package; return its ticket, None after reporting why there is none."""
    piles = [stack for deck in packer.decks for stack in card_piles(packer, deck)]
    if not has_errors(packer.report):
        piles += other_piles(packer)
    if has_errors(packer.report):
        return None
    ticket = _ticket(packer, [stack.pile for stack in piles])
    with tempfile.TemporaryDirectory(prefix="deckwright-") as folder:
        pictures = {
            stack.pile.id: stack.faces or _first_page(packer.place, stack.pile, Path(folder))
            for stack in piles
        }
        _write_pages(packer, ticket, pictures)
    place = packer.place
    (place / TICKET_JSON).write_bytes(as_json(ticket).encode())
    (place / TICKET_XJDF).write_bytes(as_xjdf(ticket))
    names = sorted(path.relative_to(place).as_posix() for path in files_below(place))
    (place / SUMS).write_bytes(sums({name: place / name for name in names}))
    return ticket


def _ticket(packer: Packer, piles: Sequence[Pile]) -> Ticket:
    """Return the ticket of piles whose files are written."""
    setup = packer.setup
    job = nmtoken("-".join(dict.fromkeys((setup.name, *(path.stem for path in packer.decks)))))
    return Ticket(
        job[:_LONGEST],
        setup.name,
        setup.language,
        date_of(packer.folder.inputs()),
        packer.service.id,
        "" if packer.service.id == ANY_SHOP else packer.service.name,
        packer.options.sets,
        packer.service.back_first,
        tuple(piles),
        tuple(_files(packer.place, piles)),
    )


def _files(place: Path, piles: Iterable[Pile]) -> Iterator[Packed]:
    """Yield the files of piles as they are in the folder `place`."""
    for name in (name for pile in piles for name in pile.files):
        data = (place / name).read_bytes()
        packed = Packed(name, len(data), hashlib.sha256(data).hexdigest())
        if name.endswith(".pdf"):
            found = measured(data)
            packed = packed._replace(pages=len(found.trims), trim=found.trim)
        yield packed


def _write_pages(packer: Packer, ticket: Ticket, pictures: Mapping[str, Sequence[Face]]) -> None:
    """Write the pages of a ticket, with the pictures of piles by their ids."""
    folder, setup, options = packer.folder, packer.setup, packer.options
    store = ImageStore()
    # What is too coarse for print was said of the cards themselves.
    if not prepare_images((face for pair in pictures.values() for face in pair), store, []):
        raise RuntimeError("images that were printed cannot be drawn any more")
    game = Game(folder.path, setup, {}, {}, {})
    factory = FaceFactory(game, folder, packer.report, options.order.style)
    words = load_fonts(setup._replace(fonts={}), folder, []).items()
    hyphens = Hyphens(setup.language, setup.hyphenation)
    bundled = {style: font for (_, style), font in words}
    setter = Setter(bundled, factory.fonts, factory.text_font, hyphens)
    pages = ticket_pages(ticket, pictures, setter, setup.words, PAPERS[options.paper])
    info = info_of(f"{setup.words['job-ticket']} – {setup.name}", setup, folder)
    with (packer.place / TICKET_PDF).open("wb") as stream:
        write_pdf(stream, pages, info, setter.fonts, store)


def _first_page(place: Path, pile: Pile, folder: Path) -> tuple[Face, ...]:
    """Return the first page of a PDF as a picture, 300 dpi where the ticket shows it.

    Args:
        folder: where the picture is kept.
    """
    picture = folder / f"{pile.id}.png"
    width, height = pile.trim
    box = Box(0, 0, width, height).grown(pile.bleed)
    with pypdfium2.PdfDocument((place / pile.files[0]).read_bytes()) as document:
        document[0].render(scale=_SHARP / max(width, height)).to_pil().save(picture)
    ops = (DrawImage(picture, box, cover=False),)
    return (Face(width, height, ops, subject=pile.title, alt=pile.title),)


_LONGEST = 100
"""How many characters a job's id has at most."""
_SHARP: Mm = 210
"""A page with one side of so many mm is drawn at 72 dpi: 45 mm of paper at more than 300."""
