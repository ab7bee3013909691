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

from deckwright.base.files import files_below, path_exists, replace_folder, stage_folder
from deckwright.base.findings import Report, has_errors
from deckwright.base.geometry import Box
from deckwright.base.names import make_unique
from deckwright.base.output import write_data, write_failure
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
    check_target,
    format_sums,
    measure_pdf,
    nmtoken,
)
from deckwright.outputs.press.icc import IccProfile
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
from deckwright.outputs.services.job import Job, OrderFiles, OrderOptions
from deckwright.outputs.services.orders import OrderItem
from deckwright.outputs.services.profile import FileKind, Service
from deckwright.outputs.tuckbox import BoxOptions, print_tuck_box
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.info import info_of
from deckwright.sheet.flow import TextSetter
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.fonts import load_fonts

if TYPE_CHECKING:
    from deckwright.game.setup import Setup


ANY_SHOP = "press"
"""The id of the print service that stands for all shops that have no profile of their own."""


class PackageOptions(NamedTuple):
    """What a user asks for, as `Game.package` says.

    Attributes:
        order: how cards are made ready.
        sets: how many of all are ordered, None if that is not known yet.
        paper: that of the ticket.
    """

    order: OrderOptions = OrderOptions()
    sets: int | None = None
    paper: str = "a4"
    boxes: bool = True
    markers: bool = True
    rulebook: bool = True


class PackedPile(NamedTuple):
    """A pile whose files are in the package, and the faces that show it; none for its PDF's."""

    pile: TicketPile
    faces: tuple[Face, ...] = ()


class PackageBuilder:
    """A package that is being made.

    Attributes:
        decks: their files, each once.
        place: the folder that it is made in.
        report: gets each finding once, though several decks have it.
    """

    def __init__(
        self,
        folder: GameFolder,
        setup: Setup,
        decks: tuple[Path, ...],
        service: Service,
        options: PackageOptions,
        place: Path,
    ) -> None:
        """Begin with an empty folder."""
        self.folder, self.setup, self.decks = folder, setup, decks
        self.service, self.options, self.place = service, options, place
        self.report: Report = []
        self._taken = {name.partition(".")[0].casefold() for name in (SUMS, TICKET_PDF)}

    def named(self, stem: str) -> str:
        """Return a name for a pile that no other has."""
        return make_unique(stem, self._taken)

    def report_new(self, found: Report) -> None:
        """Report what was found and is not reported yet."""
        self.report.extend(finding for finding in found if finding not in self.report)


_FULL_INK = 400
"""Four inks in full, in percent: no limit."""
_DIE_INKS = ("cut", "crease")
"""The inks that are lines of a die."""


def make_card_piles(packer: PackageBuilder, deck_path: Path) -> Iterator[PackedPile]:
    """Yield the piles of a deck, and write their files; what is wrong is reported."""
    service, place, report = packer.service, packer.place, Report()

    def plan(cards: CardsBySize) -> FilePlan:
        pdf, piles = service.files is FileKind.PDF, {}
        for size, items in cards.items():
            apart = _group_cards(items) if pdf else {size.id: items}
            for called, of_one in apart.items():
                alone = len(apart) == len(cards) == 1
                name = packer.named(deck_path.stem if alone else f"{deck_path.stem}_{called}")
                piles[place / (f"{name}.pdf" if pdf else name)] = size, of_one
        return piles

    order = load_order(packer.folder, deck_path, service, packer.options.order, report)
    prepared = order and prepare_order(*order, plan, report)
    packer.report_new(report)
    if prepared is None:
        return
    for made, items in prepared.parts:
        for path, data in made.files.items():
            write_data(path, data, packer.report)
        yield _make_card_pile(made, items, prepared.job, place)


def _group_cards(items: Iterable[OrderItem]) -> dict[str, list[OrderItem]]:
    """Return cards apart by stock, corners and the backs that they share, called by these.

    Cards that each have a back of their own are one pile: they lie on one another all the same.
    """
    piles: dict[tuple[object, ...], list[OrderItem]] = {}
    for item in items:
        kind, back = item.front.card.kind, item.back
        shared = back is not None and back.back is not None
        which = id(back.face) if back and shared else back is not None
        piles.setdefault((kind.stock, kind.radius, which), []).append(item)
    taken = set[str]()
    return {make_unique(_pile_name(pile[0]), taken): pile for pile in piles.values()}


def _pile_name(item: OrderItem) -> str:
    """Return what the pile of a card is called: as its back, if others have that too."""
    back = item.back
    return back.name if back and back.back else item.front.card.kind.tag


def _make_card_pile(made: OrderFiles, items: list[OrderItem], job: Job, place: Path) -> PackedPile:
    """Return what was made of cards as a pile."""
    part, service, game = made.part, job.service, job.factory.game
    names = tuple(path.relative_to(place).as_posix() for path in made.files)
    pieces = sum(item.copies for item in items)
    sides = 1 + any(item.back is not None for item in items)
    kind = items[0].front.card.kind
    pile = TicketPile(
        id=part.path.stem,
        kind="cards",
        title=_title(items, game),
        deck=job.title,
        pieces=pieces,
        designs=len(items),
        sides=sides,
        trim=(part.size.width, part.size.height),
        files=names,
        pages=len(split_files(items, service)[""]) if service.files is FileKind.PDF else 0,
        colors=colors_of(service, job.profile, part.inks, game.setup),
        bleed=service.bleed,
        safe=service.safe,
        stock=kind.stock or service.stock,
        radius=kind.radius or service.radius or None,
    )
    inks = game.setup.inks
    shown = tuple(in_own_colors(side.face, inks) for side in items[0].sides())
    return PackedPile(pile, shown)


def colors_of(
    service: Service, profile: IccProfile | None, inks: Sequence[str], setup: Setup
) -> Colors:
    """Return what something is printed with that was made ready for a service.

    Args:
        inks: the names of those beside the print's own.
    """
    dies = {setup.inks[ink].name for ink in _DIE_INKS if ink in setup.inks}
    printed = tuple(ink for ink in inks if ink not in dies)
    die = tuple(ink for ink in inks if ink in dies)
    if profile is None:
        return Colors("RGB", printed, die)
    condition = profile.condition or service.condition or ""
    limit = service.ink if service.ink < _FULL_INK else None
    return Colors("CMYK", printed, die, profile.name, condition, limit, service.pdfx)


def _title(items: Sequence[OrderItem], game: Game) -> str:
    """Return what cards are called together: their kinds, and their faction if they have one."""
    kinds = ", ".join(dict.fromkeys(item.front.card.kind.name for item in items))
    factions = {item.front.group for item in items}
    faction = game.factions.get(factions.pop()) if len(factions) == 1 else None
    return f"{kinds} – {faction.name}" if faction else kinds


def make_other_piles(packer: PackageBuilder) -> Iterator[PackedPile]:
    """Yield piles that are not cards, and write their files; what is wrong is reported.

    A service that takes pictures takes nothing but cards.
    """
    if packer.service.files is not FileKind.PDF:
        return
    order, words = packer.options.order, packer.setup.words
    press = PressSettings(packer.service, order.icc, order.rgb, order.anyway, order.stated)
    if packer.options.boxes:
        for deck in packer.decks:
            path = _path(packer, f"{deck.stem}_box")
            boxed = print_tuck_box(
                packer.folder, deck, path, BoxOptions(style=order.style, press=press), packer.report
            )
            if boxed is not None and boxed.pressed is not None:
                pile = TicketPile("", "box", words["tuck-box"], boxed.stats.deck.name, 1, 1, 1)
                yield _make_other_pile(packer, pile, path, boxed.pressed)
    if packer.options.markers and packer.setup.markers:
        path = _path(packer, "markers")
        options = MarkerOptions(style=order.style, press=press)
        printed = print_markers(packer.folder, path, options, packer.report)
        if printed is not None and printed.pressed is not None and printed.pages:
            number = sum(item.copies for item in printed.items), len(printed.items)
            pile = TicketPile("", "markers", words["markers"], "", *number, 1)
            yield _make_other_pile(packer, pile, path, printed.pressed)
    if packer.options.rulebook and path_exists(packer.folder.rulebook_file):
        path = _path(packer, "rulebook")
        printed = print_rulebook(packer.folder, path, order.style, packer.report, press)
        if printed is not None and printed.pressed is not None:
            pile = TicketPile(
                "", "rulebook", words["rulebook"], "", 1, 1, 2, safe=packer.service.safe
            )
            yield _make_other_pile(packer, pile, path, printed.pressed)


def _path(packer: PackageBuilder, stem: str) -> Path:
    return packer.place / f"{packer.named(stem)}.pdf"


def _make_other_pile(
    packer: PackageBuilder, pile: TicketPile, path: Path, pressed: PressOutput
) -> PackedPile:
    """Return a pile with what is known of its files once they are written."""
    pages = measure_pdf(path.read_bytes()).trims
    return PackedPile(
        pile._replace(
            id=path.stem,
            trim=pages[0],
            files=tuple(each.name for each in (path, *pressed.masks)),
            pages=len(pages),
            colors=colors_of(pressed.service, pressed.profile, pressed.inks, packer.setup),
            bleed=pressed.service.bleed,
        )
    )


if TYPE_CHECKING:
    from deckwright.base.findings import Diagnostic


class Package(NamedTuple):
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
) -> Package | None:
    """Make a package in place of the folder `target`; None after reporting why there is none."""
    setup = load.load_setup(folder, report)
    if setup is None or not check_target(target, report):
        return None
    different = tuple(dict.fromkeys(decks))
    try:
        with stage_folder(target) as place:
            packer = PackageBuilder(folder, setup, different, service, options, place)
            ticket = _write_package(packer)
            report.extend(packer.report)
            if ticket is None or has_errors(report):
                return None
            replace_folder(place, target)
    except OSError as error:
        report.append(write_failure(target, error))
        return None
    return Package(target, ticket)


def _write_package(packer: PackageBuilder) -> Ticket | None:
    """Write all files of a package; return its ticket, None after reporting why there is none."""
    piles = [stack for deck in packer.decks for stack in make_card_piles(packer, deck)]
    if not has_errors(packer.report):
        piles += make_other_piles(packer)
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
    (place / SUMS).write_bytes(format_sums({name: place / name for name in names}))
    return ticket


def _ticket(packer: PackageBuilder, piles: Sequence[TicketPile]) -> Ticket:
    """Return the ticket of piles whose files are written."""
    setup = packer.setup
    job = nmtoken("-".join(dict.fromkeys((setup.name, *(path.stem for path in packer.decks)))))
    return Ticket(
        job[:_MAX_JOB_ID],
        setup.name,
        setup.language,
        resolve_date(packer.folder.inputs()),
        packer.service.id,
        "" if packer.service.id == ANY_SHOP else packer.service.name,
        packer.options.sets,
        packer.service.back_first,
        tuple(piles),
        tuple(_list_files(packer.place, piles)),
    )


def _list_files(place: Path, piles: Iterable[TicketPile]) -> Iterator[PackedFile]:
    """Yield the files of piles as they are in the folder `place`."""
    for name in (name for pile in piles for name in pile.files):
        data = (place / name).read_bytes()
        packed = PackedFile(name, len(data), hashlib.sha256(data).hexdigest())
        if name.endswith(".pdf"):
            found = measure_pdf(data)
            packed = packed._replace(pages=len(found.trims), trim=found.trim)
        yield packed


def _write_pages(
    packer: PackageBuilder, ticket: Ticket, pictures: Mapping[str, Sequence[Face]]
) -> None:
    """Write the pages of a ticket, with the pictures of piles by their ids."""
    folder, setup, options = packer.folder, packer.setup, packer.options
    store = ImageStore()
    # What is too coarse for print was said of the cards themselves.
    if not prepare_images((face for pair in pictures.values() for face in pair), store, []):
        raise RuntimeError("images that were printed cannot be drawn any more")
    game = Game(folder.path, setup, {}, {}, {})
    factory = FaceFactory(game, folder, packer.report, options.order.style)
    words = load_fonts(setup._replace(fonts={}), folder, []).items()
    hyphens = Hyphenator(setup.language, setup.hyphenation)
    bundled = {style: font for (_, style), font in words}
    setter = TextSetter(bundled, factory.fonts, factory.text_font, hyphens)
    pages = ticket_pages(ticket, pictures, setter, setup.words, PAPER_SIZES[options.paper])
    info = info_of(f"{setup.words['job-ticket']} – {setup.name}", setup, folder)
    with (packer.place / TICKET_PDF).open("wb") as stream:
        write_pdf(stream, pages, info, setter.fonts, store)


def _first_page(place: Path, pile: TicketPile, folder: Path) -> tuple[Face, ...]:
    """Return the first page of a PDF as a picture, 300 dpi where the ticket shows it.

    Args:
        folder: where the picture is kept.
    """
    picture = folder / f"{pile.id}.png"
    width, height = pile.trim
    box = Box(0, 0, width, height).grown(pile.bleed)
    with pypdfium2.PdfDocument((place / pile.files[0]).read_bytes()) as document:
        document[0].render(scale=_SHARP_SIDE / max(width, height)).to_pil().save(picture)
    ops = (DrawImage(picture, box, cover=False),)
    return (Face(width, height, ops, subject=pile.title, alt=pile.title),)


_MAX_JOB_ID = 100
"""How many characters a job's id has at most."""
_SHARP_SIDE: Mm = 210
"""A page with one side of so many mm is drawn at 72 dpi: 45 mm of paper at more than 300."""
