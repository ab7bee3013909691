"""Make a package for a print shop: all PDFs, the job ticket in three formats, and checksums.

All findings go into the report; after an error no folder is written, and an old one stays.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pypdfium2

from deckwright.base.files import (
    files_below,
    make_unique,
    path_exists,
    replace_folder,
    stage_folder,
)
from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError, stop_on_errors, write_data, write_failure
from deckwright.base.units import PAPER_SIZES, Mm, resolve_date
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import prepare_images
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.setup import Setup
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage, Face
from deckwright.outputs.books import print_rulebook
from deckwright.outputs.markers import MarkerOptions, print_markers
from deckwright.outputs.package.pages import ticket_pages
from deckwright.outputs.package.ticket import (
    SUMS,
    TICKET_JSON,
    TICKET_PDF,
    TICKET_XJDF,
    Colors,
    PackedFile,
    Ticket,
    TicketPile,
    as_json,
    as_xjdf,
    format_sums,
    measure_pdf,
    nmtoken,
    require_replaceable,
)
from deckwright.outputs.press.icc import IccProfile
from deckwright.outputs.press.inks import FULL_INKS
from deckwright.outputs.press.plates import in_own_colors
from deckwright.outputs.printed import PressOutput
from deckwright.outputs.services.export import (
    CardsBySize,
    FilePlan,
    PressSettings,
    load_order,
    prepare_order,
)
from deckwright.outputs.services.files import split_files
from deckwright.outputs.services.preflight import OrderItem
from deckwright.outputs.services.press import OrderOptions
from deckwright.outputs.services.profile import FileKind, Service
from deckwright.outputs.tuckbox import BoxOptions, print_tuck_box
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.metadata import info_of
from deckwright.sheet.flow import TextSetter
from deckwright.text.break_opportunities import Hyphenator

ANY_SHOP = "press"
"""The id of the generic print service, for shops without a profile of their own."""


class PackageOptions(NamedTuple):
    """The options of `Game.package`; the number of `sets` is None if it is not known yet."""

    order: OrderOptions = OrderOptions()
    sets: int | None = None
    paper: str = "a4"
    boxes: bool = True
    markers: bool = True
    rulebook: bool = True


PackedPile = tuple[TicketPile, tuple[Face, ...]]
"""A pile with its files in the package, and the faces to show; none to show its PDF."""


class PackageBuilder(NamedTuple):
    """Builds a package.

    Attributes:
        decks: the distinct deck files.
        place: the folder in which it is built.
        report: the distinct findings of all decks.
        names: the names of files that are taken.
    """

    folder: GameFolder
    setup: Setup
    decks: tuple[Path, ...]
    service: Service
    options: PackageOptions
    place: Path
    report: Report
    names: set[str]

    def unique_name(self, stem: str) -> str:
        """Return a unique name for a pile."""
        return make_unique(stem, self.names)


_DIE_INKS = ("cut", "crease")
"""The inks for the lines of a die."""


def make_card_piles(packer: PackageBuilder, deck_path: Path) -> Iterator[PackedPile]:
    """Write the files of a deck's cards and yield their piles; errors are reported."""
    service, place, report = packer.service, packer.place, Report()

    def plan(cards: CardsBySize) -> FilePlan:
        pdf, piles = service.files is FileKind.PDF, {}
        for size, items in cards.items():
            apart = _group_cards(items) if pdf else {size.id: items}
            for called, of_one in apart.items():
                alone = len(apart) == len(cards) == 1
                name = packer.unique_name(deck_path.stem if alone else f"{deck_path.stem}_{called}")
                piles[place / (f"{name}.pdf" if pdf else name)] = size, of_one
        return piles

    try:
        order = load_order(packer.folder, deck_path, service, packer.options.order, report)
        job, parts = prepare_order(*order, plan, report)
    except OutputError as error:
        report.extend(error.findings)
        return
    finally:
        packer.report.extend(finding for finding in report if finding not in packer.report)
    game, inks = job.factory.game, job.factory.game.setup.inks
    for part, files, items in parts:
        for path, data in files.items():
            write_data(path, data)
        kind = items[0].front.card.kind
        kinds = ", ".join(dict.fromkeys(item.front.card.kind.name for item in items))
        factions = {item.front.group for item in items}
        faction = game.factions.get(factions.pop()) if len(factions) == 1 else None
        pile = TicketPile(
            id=part.path.stem,
            kind="cards",
            title=f"{kinds} – {faction.name}" if faction else kinds,
            deck=job.title,
            pieces=part.cards,
            designs=part.different,
            sides=1 + any(item.back is not None for item in items),
            trim=(part.size.width, part.size.height),
            files=tuple(path.relative_to(place).as_posix() for path in files),
            pages=len(split_files(items, service)[""]) if service.files is FileKind.PDF else 0,
            colors=colors_of(service, job.profile, part.inks, game.setup),
            bleed=service.bleed,
            safe=service.safe,
            stock=kind.stock or service.stock,
            radius=kind.radius or service.radius or None,
        )
        yield pile, tuple(in_own_colors(s.face, inks) for s in items[0].sides())


def _group_cards(items: Iterable[OrderItem]) -> dict[str, list[OrderItem]]:
    """Group cards by stock, corner radius and shared back; return the groups by name.

    Cards with individual backs form one pile.
    """
    piles: dict[tuple[object, ...], tuple[str, list[OrderItem]]] = {}
    for item in items:
        kind, back = item.front.card.kind, item.back
        is_shared = back is not None and back.back is not None
        which = id(back.face) if back and is_shared else back is not None
        name = back.name if back and is_shared else kind.tag
        piles.setdefault((kind.stock, kind.radius, which), (name, []))[1].append(item)
    taken = set[str]()
    return {make_unique(name, taken): pile for name, pile in piles.values()}


def colors_of(
    service: Service, profile: IccProfile | None, inks: Sequence[str], setup: Setup
) -> Colors:
    """Return the colors of files made for a service, with the names of their spot inks."""
    dies = {setup.inks[ink].name for ink in _DIE_INKS if ink in setup.inks}
    printed = tuple(ink for ink in inks if ink not in dies)
    die = tuple(ink for ink in inks if ink in dies)
    if profile is None:
        return Colors("RGB", printed, die)
    condition = profile.condition or service.condition or ""
    limit = service.max_ink if service.max_ink < FULL_INKS else None
    return Colors("CMYK", printed, die, profile.name, condition, limit, service.pdfx)


def make_other_piles(packer: PackageBuilder) -> Iterator[PackedPile]:
    """Write the files of boxes, markers and rulebook and yield their piles; errors are reported."""
    if packer.service.files is not FileKind.PDF:
        return
    options, order, words = packer.options, packer.options.order, packer.setup.words
    press = PressSettings(packer.service, order)

    def target(stem: str) -> Path:
        return packer.place / f"{packer.unique_name(stem)}.pdf"

    def measure(pile: TicketPile, path: Path, pressed: PressOutput | None) -> PackedPile:
        """Complete a pile from its written files."""
        assert pressed is not None
        pages = measure_pdf(path.read_bytes()).trims
        done = pile._replace(
            id=path.stem,
            trim=pages[0],
            files=tuple(each.name for each in (path, *pressed.masks)),
            pages=len(pages),
            colors=colors_of(pressed.service, pressed.profile, pressed.inks, packer.setup),
            bleed=pressed.service.bleed,
        )
        return done, ()

    for deck in packer.decks if options.boxes else ():
        path = target(f"{deck.stem}_box")
        boxed = print_tuck_box(
            packer.folder, deck, path, BoxOptions(style=order.style, press=press), packer.report
        )
        pile = TicketPile("", "box", words["tuck-box"], boxed.stats.deck.name, 1, 1, 1)
        yield measure(pile, path, boxed.press)
    if options.markers and packer.setup.markers:
        path = target("markers")
        how = MarkerOptions(style=order.style, press=press)
        printed = print_markers(packer.folder, path, how, packer.report)
        if printed.pages:
            number = sum(item.copies for item in printed.items), len(printed.items)
            pile = TicketPile("", "markers", words["markers"], "", *number, 1)
            yield measure(pile, path, printed.press)
    if options.rulebook and path_exists(packer.folder.rulebook_file):
        path = target("rulebook")
        printed = print_rulebook(packer.folder, path, order.style, packer.report, press)
        safe = packer.service.safe
        pile = TicketPile("", "rulebook", words["rulebook"], "", 1, 1, 2, safe=safe)
        yield measure(pile, path, printed.press)


class Package(NamedTuple):
    """A finished package.

    Attributes:
        ticket: the content of `ticket.json`, with the same names.
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
) -> Package:
    """Make a package that replaces the folder `target`."""
    setup = load.load_setup(folder, report)
    if setup is None:
        raise OutputError
    inner = require_replaceable(target, TICKET_JSON, "package")
    different = tuple(dict.fromkeys(decks))
    try:
        with stage_folder(target) as place:
            names = {name.partition(".")[0].casefold() for name in (SUMS, TICKET_PDF)}
            packer = PackageBuilder(folder, setup, different, service, options, place, [], names)
            try:
                ticket = _write_package(packer)
            finally:
                report.extend(packer.report)
            stop_on_errors(report)
            replace_folder(place, target, inner)
    except OSError as error:
        raise OutputError(write_failure(target, error)) from error
    return Package(target, ticket)


def _write_package(packer: PackageBuilder) -> Ticket:
    """Write all files of a package; return its ticket."""
    piles = [pile for deck in packer.decks for pile in make_card_piles(packer, deck)]
    if not has_errors(packer.report):
        piles += make_other_piles(packer)
    stop_on_errors(packer.report)
    place, setup, service = packer.place, packer.setup, packer.service
    packed = []
    for name in (name for pile, _ in piles for name in pile.files):
        data = (place / name).read_bytes()
        sizes = measure_pdf(data) if name.endswith(".pdf") else None
        pages, trim = (None, None) if sizes is None else (len(sizes.trims), sizes.trim)
        packed.append(PackedFile(name, len(data), hashlib.sha256(data).hexdigest(), pages, trim))
    job = nmtoken("-".join(dict.fromkeys((setup.name, *(path.stem for path in packer.decks)))))
    ticket = Ticket(
        job[:_MAX_JOB_ID],
        setup.name,
        setup.language,
        resolve_date(packer.folder.inputs()),
        service.id,
        "" if service.id == ANY_SHOP else service.name,
        packer.options.sets,
        service.back_first,
        tuple(pile for pile, _ in piles),
        tuple(packed),
    )
    with tempfile.TemporaryDirectory(prefix="deckwright-") as folder:
        pictures = {
            pile.id: faces or _first_page(place, pile, Path(folder)) for pile, faces in piles
        }
        _write_pages(packer, ticket, pictures)
    (place / TICKET_JSON).write_bytes(as_json(ticket).encode())
    (place / TICKET_XJDF).write_bytes(as_xjdf(ticket))
    names = sorted(path.relative_to(place).as_posix() for path in files_below(place))
    (place / SUMS).write_bytes(format_sums({name: place / name for name in names}))
    return ticket


def _write_pages(
    packer: PackageBuilder, ticket: Ticket, pictures: Mapping[str, Sequence[Face]]
) -> None:
    """Write the pages of a ticket, with the pictures of piles by id."""
    folder, setup, options = packer.folder, packer.setup, packer.options
    store = ImageStore()
    # Coarse images are reported for the cards themselves.
    if not prepare_images((face for pair in pictures.values() for face in pair), store, []):
        raise RuntimeError("images that were printed cannot be drawn any more")
    game = Game(folder.path, setup, {}, {}, {})
    factory = FaceFactory(game, folder, packer.report, options.order.style)
    hyphens = Hyphenator(setup.language, setup.hyphenation)
    setter = TextSetter(factory.fonts, factory.text_font, hyphens)
    pages = ticket_pages(ticket, pictures, setter, setup.words, PAPER_SIZES[options.paper])
    info = info_of(f"{setup.words['job-ticket']} – {setup.name}", setup, folder)
    with (packer.place / TICKET_PDF).open("wb") as stream:
        write_pdf(stream, pages, info, setter.fonts, store)


def _first_page(place: Path, pile: TicketPile, folder: Path) -> tuple[Face, ...]:
    """Return a face with the first page of a pile's PDF, at 300 dpi in the ticket."""
    picture = folder / f"{pile.id}.png"
    width, height = pile.trim
    box = Box(0, 0, width, height).expand(pile.bleed)
    with pypdfium2.PdfDocument((place / pile.files[0]).read_bytes()) as document:
        document[0].render(scale=_SHARP_SIDE / max(width, height)).to_pil().save(picture)
    ops = (DrawImage(picture, box, cover=False),)
    return (Face(width, height, ops, subject=pile.title, alt=pile.title),)


_MAX_JOB_ID = 100
"""The maximum length of a job id."""
_SHARP_SIDE: Mm = 210
"""The longer side of a page rendered at 72 dpi; on 45 mm of paper that exceeds 300 dpi."""
