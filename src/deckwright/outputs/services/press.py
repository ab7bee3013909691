"""The order for a print service, and its faces: their size, bleed, inks and outlines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

from PIL import Image

from deckwright.base.findings import Code, Diagnostic, Grading, Location, Report, Severity
from deckwright.base.processes import track_progress
from deckwright.base.units import POINTS_PER_MM, Mm
from deckwright.checks.loading import LimitOptions
from deckwright.faces.copies import NamedFace, PrintedSide
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import prepare_images
from deckwright.game.decklist import ALL_CARDS, CardSelection
from deckwright.game.words import WatermarkText
from deckwright.images.store import I007, PRINT_DPI, ImageStore
from deckwright.ops.bleed import add_bleed, add_mirrored_bleed
from deckwright.ops.model import MIN_LINE_WIDTH, Face, Group, Op
from deckwright.ops.moving import move_ops, widen_lines
from deckwright.outputs.press.flatten import FlatImages, flatten_face, outline_texts
from deckwright.outputs.press.icc import (
    REGISTERED_CONDITIONS,
    IccProfile,
    find_profile,
    load_named_profile,
)
from deckwright.outputs.press.inks import InkConverter, check_gamut
from deckwright.outputs.press.plates import (
    InkedImages,
    convert_to_inks,
    in_own_colors,
    remove_inks,
    separate_inks,
)
from deckwright.outputs.services.preflight import (
    E031,
    E033,
    E035,
    E036,
    OrderItem,
    check_backs,
    check_count,
    check_fineness,
    check_fonts,
    check_images,
    check_inks,
    check_safe_zone,
    is_turned,
    scales_to_fit,
)
from deckwright.outputs.services.profile import CardSize, ColorMode, FileKind, Service, SpotHandling
from deckwright.paint.pdf.metadata import X4, OutputIntent
from deckwright.paint.raster import Raster, draw

E037 = Code("E037", Severity.ERROR, "colors in RGB for a print service that requires CMYK")
E039 = Code("E039", Severity.WARNING, "a text that is printed as pixels")

_TOLERABLE = {code.id for code in (E031, E033, E035, E036)}
"""Findings that `anyway` downgrades to warnings."""


class OrderOptions(NamedTuple):
    """The options of `Deck.export_service`.

    Attributes:
        fit: whether faces are scaled to the size.
        icc, rgb: the user's ICC profile, or whether to use none.
        stated: whether a PDF claims conformance to PDF/X.
        watermark: the text across all faces.
        token_size: the size of tokens, as in `Kind.resize`; None for what suits the service.
    """

    size: str | None = None
    fit: bool = False
    choice: CardSelection = ALL_CARDS
    tokens: bool = True
    icc: Path | None = None
    rgb: bool = False
    anyway: bool = False
    check: bool = False
    stated: bool = False
    style: str | None = None
    rules: LimitOptions = LimitOptions()
    watermark: WatermarkText = None
    token_size: str | None = None


class Job(NamedTuple):
    """What all parts of an order have in common; its profile is None for RGB."""

    service: Service
    options: OrderOptions
    title: str
    factory: FaceFactory
    profile: IccProfile | None = None

    @property
    def intent(self) -> OutputIntent | None:
        """The output intent of its PDFs, without spot inks; None for RGB."""
        profile, service = self.profile, self.service
        if profile is None:
            return None
        condition = profile.condition or service.condition
        return OutputIntent(
            profile.name,
            profile.data,
            service.pdfx,
            self.options.stated,
            condition=condition,
            registered=condition in REGISTERED_CONDITIONS,
        )

    def bleed_size(self, size: CardSize) -> tuple[Mm, Mm]:
        """Return the width and height of a card with its bleed."""
        bleed = self.service.bleed
        return size.width + 2 * bleed, size.height + 2 * bleed

    @property
    def spots(self) -> SpotHandling:
        """How spot inks are handed over; separations require files in inks."""
        wanted = self.service.spots
        apart = wanted is SpotHandling.SEPARATIONS and self.profile is None
        return SpotHandling.PAGES if apart else wanted

    def report_findings(self, findings: Report, report: Report) -> None:
        """Report findings, graded by the game and the options."""
        tolerated: set[str] = set()
        if self.options.anyway:
            # A file that claims PDF/X must conform to it.
            tolerated = _TOLERABLE if self.options.stated else {*_TOLERABLE, "E080"}
        findings = [
            each._replace(given_severity=Severity.WARNING) if each.code.id in tolerated else each
            for each in findings
        ]
        report += Grading(severities=self.factory.game.setup.severities).apply(findings)


class OrderPart(NamedTuple):
    """The output for the cards of one size.

    Attributes:
        cards, different: the numbers of cards and of designs.
        path: the folder or the file.
        further: the number of pictures there that do not belong to this order.
        inks: the names of the spot inks.
        masks: the paths of their masks, if they are separate.
        backs: the file of the backs, if it is separate.
    """

    size: CardSize
    cards: int
    different: int
    path: Path
    further: int = 0
    inks: tuple[str, ...] = ()
    masks: tuple[Path, ...] = ()
    backs: tuple[Path, ...] = ()


class ServiceExport(NamedTuple):
    """The result of an order; in RGB if there is no profile."""

    service: Service
    title: str
    parts: tuple[OrderPart, ...]
    profile: IccProfile | None
    findings: tuple[Diagnostic, ...] = ()


_MAX_NAMED = 3
"""The number of texts that a finding names."""


class PressPage(NamedTuple):
    """A page for the press, whose trim box is the page.

    Attributes:
        place: the location for findings.
        lint_group, drawn: as in `PrintedSide`; by default, all pages of a print are alike.
    """

    face: Face
    place: Location | None = None
    lint_group: tuple[str, bool] = ("page", False)
    drawn: Face | None = None

    @property
    def subject(self) -> str:
        """Its name in findings."""
        return self.face.subject


def choose_profile(
    service: Service, path: Path | None, report: Report, *, rgb: bool = False
) -> IccProfile | None:
    """Return the ICC profile for a service; None for RGB or after reporting errors.

    Args:
        path: the profile named by the user.
        rgb: whether the user requires RGB.
    """
    if service.color is ColorMode.RGB:
        return None
    if path is not None:
        return load_named_profile(path, report)
    if not rgb:
        return find_profile(service.icc, report)
    if service.color is ColorMode.CMYK:
        message = f"`--icc none` asks for RGB, but {service.name} requires CMYK"
        hint = "leave out `--icc`, or name the profile that the service recommends"
        report.append(E037.at(None, message, hint))
    return None


class Prepress:
    """Prepares faces for the PDF of a print service; `images` are those of the prepared faces."""

    def __init__(self, job: Job, folder: Path) -> None:
        """Create the image stores, with a folder for images in inks until the faces are painted."""
        self._job, store = job, job.factory.pictures.store
        self._flat = FlatImages(store, folder)
        self.images: FlatImages | InkedImages = self._flat
        self._inks: InkConverter | None = None
        if job.profile is not None:
            service = job.service
            small = service.black_text / POINTS_PER_MM
            self._inks = InkConverter(job.profile.data, service.max_ink, service.black, small)
            self.images = InkedImages(self._flat, folder, self._inks)

    def forget(self, limit: int) -> None:
        """Drop images if there are more than a number of them; they are made again on demand."""
        self._flat.forget(limit)
        self.images.forget(limit)

    def prepare(self, sides: Sequence[PrintedSide], report: Report) -> list[Face]:
        """Return the prepared faces of sides; colors out of gamut are reported in one finding."""
        factory, service = self._job.factory, self._job.service
        metrics, job = factory.metrics, self._job
        # Colors are reported as drawn, not as flattened.
        plain = [PressPage(suit_service(s.face, job), s.place, s.lint_group) for s in sides]
        ready: list[PressPage] = []
        for side in track_progress(plain, "preparing pages"):
            face, texts = (
                (side.face, ())
                if service.pdfx == X4
                else flatten_face(side.face, metrics, self._flat, self._draw)
            )
            if texts:
                named = ", ".join(f"`{text}`" for text in texts[:_MAX_NAMED])
                more = f" and {len(texts) - _MAX_NAMED} more" if len(texts) > _MAX_NAMED else ""
                report.append(
                    E039.at(
                        side.place,
                        f"{side.subject}: something transparent lies over {named}{more}, which "
                        f"turns letters into pixels at {PRINT_DPI} dpi",
                        "draw it before the text, or without opacity",
                    )
                )
            ready.append(side._replace(face=face))
        if self._inks is not None and job.profile is not None:
            inks, store = self._inks, factory.pictures.store
            top = {ink.id for ink in factory.game.setup.inks.values() if ink.overprints}
            report.extend(check_inks(ready, self._flat, inks))
            report.extend(check_gamut(plain, store, inks, job.profile.name, at_once=True))
            faces = [convert_to_inks(side.face, inks, metrics, top) for side in ready]
        else:
            faces = [side.face for side in ready]
        return [outline_texts(face, metrics) for face in faces] if service.outlines else faces

    def _draw(self, face: Face) -> Image.Image:
        factory = self._job.factory
        raster = Raster(PRINT_DPI, bleed=face.bleed)
        return next(draw([face], factory.fonts, factory.pictures.store, raster))


def suit_service(face: Face, job: Job) -> Face:
    """Return a face with spot inks in the form, and lines of the width, that the service takes."""
    inks = job.factory.game.setup.inks
    if job.spots is SpotHandling.SEPARATIONS:
        face = separate_inks(face, inks)
    else:
        pages = job.spots is SpotHandling.PAGES
        face = remove_inks(face) if pages else in_own_colors(face, inks)
    return widen_for(job.service, face)


def widen_for(service: Service, face: Face) -> Face:
    """Return a face without lines that are too thin for a service."""
    least = service.min_line / POINTS_PER_MM
    # Painters see to the least width of all prints.
    return widen_lines(face, least) if least > MIN_LINE_WIDTH else face


E042 = Code("E042", Severity.ERROR, "a card of a size that a print service does not make")


class Fit(Protocol):
    """Fits a face to a card size, with a bleed in mm, like `fit_face`."""

    def __call__(self, face: Face, size: CardSize, bleed: Mm, *, back: bool = False) -> Face:
        """Return the fitted face."""


_SIZE_TOLERANCE: Mm = 0.1
"""The size tolerance of cards, below the precision of cutting."""


def fit_cards(
    items: Sequence[OrderItem], job: Job, report: Report, fit: Fit | None = None
) -> dict[CardSize, list[OrderItem]]:
    """Return cards by printed size; report cards of other sizes or without a back, or too many.

    Args:
        fit: used instead of `fit_face`.
    """
    service, options = job.service, job.options
    chosen = tuple(size for size in service.sizes if options.size in {None, size.id})
    known: dict[tuple[int, bool, CardSize], Face] = {}
    wrong = set[str]()
    cards: dict[CardSize, list[OrderItem]] = {}

    def put(side: NamedFace, size: CardSize, *, back: bool) -> NamedFace:
        key = id(side.face), back, size
        if key not in known:
            known[key] = (fit or fit_face)(side.face, size, service.bleed, back=back)
        return side._replace(face=known[key], drawn=side.face)

    for item in items:
        front, back = item.front, item.back
        size = find_size(front.face, chosen)
        if size is None and options.fit:
            size = nearest_size(front.face, chosen)
        if size is None:
            kind, face = front.card.kind, front.face
            if kind.tag not in wrong:
                wrong.add(kind.tag)
                sizes = ", ".join(f"`{s.id}` ({s.width:g} × {s.height:g} mm)" for s in chosen)
                report.append(
                    E042.at(
                        kind.source.at("width"),
                        f"{face.subject} is {face.width:g} × {face.height:g} mm, but "
                        f"{service.name} makes {sizes}",
                        "order tokens of full size with `--token-size full`"
                        if kind.full
                        else "scale cards to the nearest of these with `--scale fit`, or change "
                        "the kind's size",
                    )
                )
            continue
        if back is None and service.backs:
            own = front.face.width, front.face.height
            white = _white_backs.setdefault(own, Face(*own, (), subject="a white back"))
            back = NamedFace("white", "backs", front.card, white, front.card.kind.source)
        fronts = put(front, size, back=False)
        backs = put(back, size, back=True) if back is not None else None
        cards.setdefault(size, []).append(OrderItem(fronts, backs, item.copies))
    if service.backs:
        report += check_backs(items, service)
    report += check_count(items, service)
    return cards


_white_backs: dict[tuple[float, float], Face] = {}
"""The backs of cards that have none, by size."""


def find_size(face: Face, sizes: Sequence[CardSize]) -> CardSize | None:
    """Return the card size that matches a face in either orientation, if any; its own of none."""
    if not sizes:
        own = f"{face.width:g}x{face.height:g}"
        return CardSize(own, "card", face.width, face.height)
    short, long = sorted((face.width, face.height))
    return next(
        (
            size
            for size in sizes
            if abs(short - min(size.width, size.height)) <= _SIZE_TOLERANCE
            and abs(long - max(size.width, size.height)) <= _SIZE_TOLERANCE
        ),
        None,
    )


def nearest_size(face: Face, sizes: Sequence[CardSize]) -> CardSize:
    """Return the card size that a scaled face fills best; the nearest one if tied.

    Round and hexagonal cards must be chosen explicitly.
    """

    def key(size: CardSize) -> tuple[float, float]:
        scales = scales_to_fit(face, size)
        return round(max(scales) / min(scales), 3), abs(min(scales) - 1)

    return min([size for size in sizes if not size.shape] or sizes, key=key)


def fit_face(face: Face, size: CardSize, bleed: Mm, *, back: bool = False) -> Face:
    """Return a face scaled to fit a card and centered on it, with a bleed.

    If the face's own bleed then ends near the cut or before it, or it has no background, it is
    mirrored beyond. A face in the other orientation is rotated: faces clockwise and backs
    counterclockwise, so that both tops are at the same edge of the card.
    """
    scale = min(scales_to_fit(face, size))
    if abs(scale - 1) < _SIZE_TOLERANCE / max(size.width, size.height):
        scale = 1.0
    lies = is_turned(face, size)
    across, down = (size.height, size.width) if lies else (size.width, size.height)
    x, y = (across - face.width * scale) / 2, (down - face.height * scale) / 2
    border = max(x, y)
    around = (border + bleed) / scale
    wide = add_bleed(face, around)
    if face.bleed and (wide.bleed < around or face.bleed * scale < border + bleed / 2):
        wide = add_mirrored_bleed(face, around)
    ops = tuple(move_ops(wide.ops, scale, x, y))
    if lies:
        matrix = (0, -1, 1, 0, 0, size.height) if back else (0, 1, -1, 0, size.width, 0)
        ops = (Group(ops, matrix),)
    return Face(size.width, size.height, ops, bleed, face.subject, face.alt)


def preflight_faces(
    sides: Sequence[PrintedSide], service: Service, factory: FaceFactory, shape: str = ""
) -> Iterator[Diagnostic]:
    """Yield the preflight findings of faces of one size before they are drawn.

    Spot inks count as their own colors.

    Args:
        shape: their shape, as in `CardSize`.
    """
    inks, origins = factory.game.setup.inks, cache(factory.map_origins)

    def find_origin(op: Op) -> Location | None:
        node = origins().get(id(op))
        return None if node is None else node.source.at()

    plain = [
        PressPage(
            in_own_colors(side.face, inks),
            side.place,
            side.lint_group,
            in_own_colors(side.drawn or side.face, inks),
        )
        for side in sides
    ]
    for side in plain:
        yield from check_images(side, factory.pictures.store, service)
    yield from check_safe_zone(plain, service, factory.metrics, shape)
    yield from check_fineness(plain, service, factory.metrics, find_origin)
    if service.files is FileKind.PDF and not service.outlines:
        yield from check_fonts(plain, factory.fonts)


def prepare_faces(faces: Iterable[Face], images: ImageStore, report: Report) -> bool:
    """Prepare the images of faces; return whether there are no errors.

    Coarse images are reported by the requirements of the service.
    """
    findings: Report = []
    is_ready = prepare_images(faces, images, findings)
    report.extend(finding for finding in findings if finding.code is not I007)
    return is_ready
