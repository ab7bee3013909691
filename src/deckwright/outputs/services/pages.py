"""Pages that are no cards, made ready for a press: books, the nets of boxes, sheets of markers.

What is drawn on them is what is printed at home, but in the inks of a print service, with its bleed
and within its limits. Where a machine cuts or folds, a die does: its lines are separations.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Location, Report, has_errors
from deckwright.base.output import unwritable, write_data
from deckwright.base.units import Mm
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.faces.images import prepare_images
from deckwright.images.store import I007
from deckwright.ops import outlines
from deckwright.ops.mirrored import with_mirrored_bleed
from deckwright.ops.model import Face, Group, Op, StrokePath
from deckwright.outputs.press.spots import in_own_colors
from deckwright.outputs.printed import Pressed, Print
from deckwright.outputs.services.cards import looked_over
from deckwright.outputs.services.export import ordered
from deckwright.outputs.services.job import Job, Ordered, OrderOptions
from deckwright.outputs.services.orders import items_of
from deckwright.outputs.services.pdf_file import make_pages
from deckwright.outputs.services.press import choose_profile
from deckwright.outputs.services.profile import Service, Spots
from deckwright.sheet.cutting import Cut, Layer
from deckwright.sheet.pages import Page
from deckwright.sheet.registration import Medium, Registration

_LINE: Mm = 0.25
"""How wide the lines of a die are."""
_INKS = {Layer.CUT: "cut", Layer.CREASE: "crease"}


class ForPress(NamedTuple):
    """How pages are made ready, as `asked.ForPress` says.

    Attributes:
        icc, rgb, anyway, stated: as in `OrderOptions`.
    """

    service: Service
    icc: Path | None = None
    rgb: bool = False
    anyway: bool = False
    stated: bool = False

    @property
    def plates(self) -> bool:
        """Whether inks such as foil are handed over, and not printed in their own colors."""
        return self.service.spots is not Spots.NONE

    @property
    def options(self) -> OrderOptions:
        """The same as options of an order."""
        return OrderOptions(icc=self.icc, rgb=self.rgb, anyway=self.anyway, stated=self.stated)


class PressPage(NamedTuple):
    """A page for the press.

    Attributes:
        face: all that is on it; the trim box is the page.
        place: where findings about it point.
    """

    face: Face
    place: Location | None = None

    @property
    def subject(self) -> str:
        """What findings call it."""
        return self.face.subject

    @property
    def alike(self) -> tuple[str, bool]:
        """All pages of a print are alike."""
        return "page", False


def no_marks(width: Mm, height: Mm, edge: Mm, bleed: Mm) -> Registration:
    """Return the marks of a sheet for a die, which are none.

    Args:
        edge: how far from the edges of the sheet nothing is cut.
        bleed: how far is printed beyond each cut; two cuts are twice as far apart.
    """
    paper, none = Medium(width, height, edge, edge), (0, 0, 0, 0)
    return Registration((), paper, *none, boxed=False, gutter=2 * bleed, bleed=bleed)


def die_page(page: Page, subject: str, place: Location | None = None) -> PressPage:
    """Return a page with the lines of its die as inks of their own."""
    ops: list[Op] = []
    for placed in page.faces:
        across, down = placed.reach
        face = placed.face
        shown = outlines.rectangle(-across, -down, face.width + 2 * across, face.height + 2 * down)
        ops.append(Group(face.ops, placed.matrix, shown))
    ops += page.ops
    if page.cut is not None:
        ops += _die(page.cut)
    return PressPage(Face(page.width, page.height, tuple(ops), subject=subject), place)


def _die(cut: Cut) -> Iterator[Op]:
    """Yield what a die does as inks; perforations are for those who cannot crease."""
    for layer, lines in cut.layers:
        if layer in _INKS and lines:
            strokes = (StrokePath(line, "#000000", _LINE, join=1) for line in lines)
            yield Group(tuple(strokes), ink=_INKS[layer])


def print_for_press(
    pages: Sequence[PressPage],
    title: str,
    factory: FaceFactory,
    wanted: ForPress,
    target: Path,
    report: Report,
    *,
    die: bool = False,
) -> Pressed | None:
    """Write pages as a PDF for a press to `target`; None after reporting why it was not.

    Args:
        die: whether a die cuts them, not along their edges. Its lines are handed over even if the
            service has no inks beside the four.
    """
    service = wanted.service
    if die and service.spots is Spots.NONE:
        service = service._replace(spots=Spots.SEPARATIONS)
    job = Job(service, wanted.options, title, factory)
    findings: Report = []
    profile = choose_profile(service, wanted.icc, findings, none=wanted.rgb)
    job = job._replace(profile=profile)
    if not die:
        pages = [
            page._replace(face=with_mirrored_bleed(page.face, service.bleed)) for page in pages
        ]
    noted: Report = []
    if prepare_images((page.face for page in pages), factory.pictures.store, noted) and not die:
        findings += looked_over([*_seen(pages, job)], service, factory)
    # What is too coarse is told by what the service wants.
    report.extend(finding for finding in noted if finding.code is not I007)
    job.keep(findings, report)
    if has_errors(report):
        return None
    findings = []
    try:
        # The bleed of pages is all that reaches their edges, so nothing can be amiss there.
        made = make_pages(pages, title, target, job, findings, edges=False)
    except OSError as error:
        # Images in inks and parts of faces are kept in files on the way.
        report.append(unwritable(Path(tempfile.gettempdir()), error))
        return None
    job.keep(findings, report)
    if has_errors(report):
        return None
    if not all(write_data(path, data, report) for path, data in made.files.items()):
        return None
    return Pressed(service, profile, made.inks, made.masks, wanted.stated)


def press_cards(
    copies: Sequence[Copy],
    title: str,
    factory: FaceFactory,
    wanted: ForPress,
    target: Path,
    report: Report,
    *,
    fit: bool = False,
) -> Print | None:
    """Write cards that are in no deck as a PDF for a press to `target`, as orders of decks are.

    Cards of several sizes are several files, named after these.

    Args:
        fit: whether faces are scaled to the sizes that the service makes.

    Returns:
        what was printed, no file if there are no cards; None after reporting why it was not.
    """
    if has_errors(report):
        return None
    service, items = wanted.service, items_of(copies, factory)
    job = Job(service, wanted.options._replace(fit=fit), title, factory)
    stem = target.with_name(target.name.removesuffix(".pdf"))
    made = ordered(items, job, stem, report) if items else Ordered(service, title, (), None)
    if made is None:
        return None
    inks = dict.fromkeys(ink for part in made.parts for ink in part.inks)
    masks = tuple(mask for part in made.parts for mask in part.masks)
    return Print(
        (*(path for part in made.parts for path in (part.path, *part.backs)), *masks),
        sum(part.cards for part in made.parts) * (2 if service.backs else 1),
        pressed=Pressed(service, made.profile, tuple(inks), masks, wanted.stated),
    )


def _seen(pages: Iterable[PressPage], job: Job) -> Iterator[PressPage]:
    """Yield pages as they are seen without foil and the like."""
    inks = job.factory.game.setup.inks
    for page in pages:
        yield page._replace(face=in_own_colors(page.face, inks))
