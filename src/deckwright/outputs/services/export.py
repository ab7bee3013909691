"""Prepare decks, books, boxes and markers for a print service."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Location, Report
from deckwright.base.output import OutputError, stop_on_errors, write_data, write_failure
from deckwright.base.units import Mm
from deckwright.checks.loading import load_deck
from deckwright.decks.stats import deck_stats
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import make_deck_copies
from deckwright.faces.watermark import make_watermark
from deckwright.game.folder import GameFolder
from deckwright.ops import outlines
from deckwright.ops.bleed import add_mirrored_bleed
from deckwright.ops.model import Face, Group, Op, StrokePath
from deckwright.outputs.deck_pages import choose_copies
from deckwright.outputs.printed import PressOutput, Print
from deckwright.outputs.services.files import make_pages, make_pdf, make_pictures
from deckwright.outputs.services.preflight import OrderItem, distinct_sides, group_copies
from deckwright.outputs.services.press import (
    Job,
    OrderOptions,
    OrderPart,
    PressPage,
    ServiceExport,
    choose_profile,
    fit_cards,
    preflight_faces,
    prepare_faces,
)
from deckwright.outputs.services.profile import CardSize, FileKind, Service, SpotHandling
from deckwright.sheet.cutters import Cutter, Layer, Medium, Registration
from deckwright.sheet.pages import Page

CardsBySize = Mapping[CardSize, list[OrderItem]]
"""Cards by printed size."""
FilePlan = Mapping[Path, tuple[CardSize, list[OrderItem]]]
"""The target file or folder of cards of one size."""


def export_order(
    folder: GameFolder,
    deck_path: Path,
    service: Service,
    target: Path,
    options: OrderOptions,
    report: Report,
) -> ServiceExport:
    """Prepare a deck in the folder `target`."""
    order = load_order(folder, deck_path, service, options, report)
    return write_order(*order, target / f"{service.id}_{deck_path.stem}", report)


def load_order(
    folder: GameFolder, deck_path: Path, service: Service, options: OrderOptions, report: Report
) -> tuple[list[OrderItem], Job]:
    """Load the cards of a deck and its job."""
    game, deck, deck_rules = load_deck(folder, deck_path, options.rules, report)
    game = game.with_token_size(service.choose_token_size(options.token_size))
    plates = service.spots is not SpotHandling.NONE
    factory = FaceFactory(game, folder, report, options.style, plates=plates)
    stats = deck_stats(game, deck, deck_rules)
    whole = make_deck_copies(stats, factory, report, backs=service.backs)
    copies = [copy for copy in whole if options.tokens or not copy.card.kind.token]
    chosen = choose_copies(copies, options.choice, report, whole)
    mark = make_watermark(factory, options.watermark, report)
    items = group_copies(mark.apply_to_copies(chosen), factory)
    stop_on_errors(report)
    return items, Job(service, options, deck.name, factory)


def write_order(items: list[OrderItem], job: Job, stem: Path, report: Report) -> ServiceExport:
    """Prepare cards for a job and write them.

    Args:
        stem: the file without extension, or the folder; sizes are appended if there are several.
    """
    is_pdf = job.service.files is FileKind.PDF

    def plan(cards: CardsBySize) -> FilePlan:
        return {
            stem.with_name(
                f"{stem.name}{f'_{size.id}' if len(cards) > 1 else ''}{'.pdf' if is_pdf else ''}"
            ): (size, of_size)
            for size, of_size in cards.items()
        }

    job, prepared = prepare_order(items, job, plan, report)
    parts = []
    for part, files, _ in prepared:
        parts.append(part)
        for path, data in files.items() if not job.options.check else ():
            write_data(path, data)
    return ServiceExport(job.service, job.title, tuple(parts), job.profile)


def prepare_order(
    items: list[OrderItem], job: Job, plan: Callable[[CardsBySize], FilePlan], report: Report
) -> tuple[Job, list[tuple[OrderPart, dict[Path, bytes], list[OrderItem]]]]:
    """Prepare cards like `write_order`, but write nothing.

    Args:
        plan: assigns cards to files or folders.

    Returns:
        the job with its profile; the parts, with the contents of their files and their cards.
    """
    service, options, store = job.service, job.options, job.factory.pictures.store
    findings: Report = []
    cards = fit_cards(items, job, findings)
    sides = distinct_sides(card for of_size in cards.values() for card in of_size)
    if prepare_faces((side.face for side in sides), store, report):
        for size, of_size in cards.items():
            findings += preflight_faces(distinct_sides(of_size), service, job.factory, size.shape)
    if service.files is FileKind.PDF:
        profile = choose_profile(service, options.icc, findings, rgb=options.rgb)
        job = job._replace(profile=profile)
    job.report_findings(findings, report)
    stop_on_errors(report)
    make = make_pictures if service.files is FileKind.PICTURES else make_pdf
    with _report_file_findings(job, report) as findings:
        parts = [
            (*make(chosen, size, path, job, findings), chosen)
            for path, (size, chosen) in plan(cards).items()
        ]
    return job, parts


@contextmanager
def _report_file_findings(job: Job, report: Report) -> Iterator[Report]:
    """Report what is found while files are made within the block, and stop after errors."""
    findings: Report = []
    try:
        yield findings
    except OSError as error:
        # Images in inks and parts of faces are stored in temporary files.
        raise OutputError(write_failure(Path(tempfile.gettempdir()), error)) from error
    job.report_findings(findings, report)
    stop_on_errors(report)


_DIE_LINE_WIDTH: Mm = 0.25
"""The width of the lines of a die."""
_DIE_INKS = {Layer.CUT: "cut", Layer.CREASE: "crease"}


class PressSettings(NamedTuple):
    """The settings for a press; see `deckwright.api.PressPrint`."""

    service: Service
    options: OrderOptions = OrderOptions()

    @property
    def plates(self) -> bool:
        """Whether the service prints spot inks, instead of their own colors."""
        return self.service.spots is not SpotHandling.NONE


def empty_registration(width: Mm, height: Mm, edge: Mm, bleed: Mm) -> Registration:
    """Return the registration of a sheet for a die, without marks.

    Args:
        edge: the margin of the sheet without cuts.
        bleed: the bleed around each cut; cuts are at least twice as far apart.
    """
    cutter = Cutter("", "", gutter=2 * bleed, bleed=bleed, reserves_corners=False)
    return Registration(cutter, Medium("", width, height, edge, edge), 0)


def die_page(page: Page, subject: str, place: Location | None = None) -> PressPage:
    """Return a page with the lines of its die in spot inks."""
    ops: list[Op] = []
    for placed in page.faces:
        across, down = placed.reach
        face = placed.face
        shown = outlines.rectangle(-across, -down, face.width + 2 * across, face.height + 2 * down)
        ops.append(Group(face.ops, placed.matrix, shown))
    ops += page.ops
    # Perforations replace creases only on cutters.
    for layer, lines in page.cut_plan.layers if page.cut_plan is not None else ():
        if layer in _DIE_INKS and lines:
            strokes = (StrokePath(line, "#000000", _DIE_LINE_WIDTH, join=1) for line in lines)
            ops.append(Group(tuple(strokes), ink=_DIE_INKS[layer]))
    return PressPage(Face(page.width, page.height, tuple(ops), subject=subject), place)


def print_for_press(
    pages: Sequence[PressPage],
    title: str,
    factory: FaceFactory,
    press: PressSettings,
    target: Path,
    report: Report,
    *,
    die: bool = False,
) -> PressOutput:
    """Write pages as a PDF for a press to `target`.

    Args:
        die: whether a die cuts them instead of along their edges. Its lines are included even if
            the service has no spot inks.
    """
    service = press.service
    if die and service.spots is SpotHandling.NONE:
        service = service._replace(spots=SpotHandling.SEPARATIONS)
    findings: Report = []
    options = press.options
    profile = choose_profile(service, options.icc, findings, rgb=options.rgb)
    job = Job(service, options, title, factory, profile)
    if not die:
        pages = [page._replace(face=add_mirrored_bleed(page.face, service.bleed)) for page in pages]
    images = factory.pictures.store
    if prepare_faces((page.face for page in pages), images, report) and not die:
        findings += preflight_faces(pages, service, factory)
    job.report_findings(findings, report)
    stop_on_errors(report)
    with _report_file_findings(job, report) as findings:
        # Mirrored bleed always matches the page, so edges need no check.
        files, inks = make_pages(pages, title, target, job, findings, edges=False)
    for path, data in files.items():
        write_data(path, data)
    return PressOutput(service, profile, inks, tuple(files)[1:], options.stated)


def print_cards_for_press(
    copies: Sequence[Copy],
    title: str,
    factory: FaceFactory,
    press: PressSettings,
    target: Path,
    report: Report,
    *,
    fit: bool = False,
) -> Print:
    """Write cards without a deck as PDFs for a press, named after `target` and the sizes of cards.

    Args:
        fit: whether faces are scaled to the sizes of the service.
    """
    stop_on_errors(report)
    service, items = press.service, group_copies(copies, factory)
    job = Job(service, press.options._replace(fit=fit), title, factory)
    stem = target.with_name(target.name.removesuffix(".pdf"))
    output = (
        write_order(items, job, stem, report) if items else ServiceExport(service, title, (), None)
    )
    inks = dict.fromkeys(ink for part in output.parts for ink in part.inks)
    masks = tuple(mask for part in output.parts for mask in part.masks)
    return Print(
        (*(path for part in output.parts for path in (part.path, *part.backs)), *masks),
        sum(part.cards for part in output.parts) * (2 if service.backs else 1),
        press=PressOutput(service, output.profile, tuple(inks), masks, press.options.stated),
    )
