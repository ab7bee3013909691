"""Make faces ready for a print service: size, bleed, inks, outlines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from PIL import Image

from deckwright.base.findings import Code, Diagnostic, Location, Report, Severity
from deckwright.base.processes import steps
from deckwright.base.units import Mm
from deckwright.faces.copies import NamedFace, Side
from deckwright.faces.factory import FaceFactory
from deckwright.images.store import PRINT_DPI
from deckwright.ops.bleed import with_bleed
from deckwright.ops.model import Face, Group
from deckwright.ops.moving import moved
from deckwright.outputs.press.flatten import FlatImages, Flattened, flattened, outlined
from deckwright.outputs.press.icc import Profile, find_profile, named_profile
from deckwright.outputs.press.inks import Inks, check_gamut_at_once
from deckwright.outputs.press.plates import (
    InkedImages,
    artwork,
    in_own_colors,
    inked,
    overprinting,
    separated,
)
from deckwright.outputs.services.job import Job, OrderOptions
from deckwright.outputs.services.orders import OrderItem
from deckwright.outputs.services.preflight import (
    check_fineness,
    check_fonts,
    check_images,
    check_inks,
    check_safe_zone,
)
from deckwright.outputs.services.profile import Color, Files, Service, Size, Spots
from deckwright.paint.pdf.metadata import X4
from deckwright.paint.raster import Raster, draw

E037 = Code("E037", Severity.ERROR, "colors in RGB for a print service that wants CMYK")
E039 = Code("E039", Severity.WARNING, "a text that is printed as pixels")

_SHOWN = 3
"""How many texts a finding names."""


class _Ready(NamedTuple):
    """A side on its way to the press."""

    face: Face
    subject: str
    place: Location | None
    alike: tuple[str, bool]


def choose_profile(
    service: Service, given: Path | None, report: Report, *, none: bool = False
) -> Profile | None:
    """Return the ICC profile for a service; None for RGB, or after reporting that it takes no RGB.

    Args:
        given: the user's own.
        none: whether the user wants none.
    """
    if service.color is Color.RGB:
        return None
    if given is not None:
        return named_profile(given, report)
    if not none:
        return find_profile(service.icc, report)
    if service.color is Color.CMYK:
        message = f"`--icc none` asks for RGB, {service.name} wants CMYK"
        hint = "leave out `--icc`, or name the profile that the service recommends"
        report.append(E037.at(None, message, hint))
    return None


class Prepress:
    """Makes faces ready for the press, as a service wants them in a PDF.

    Attributes:
        images: those that the faces draw.
    """

    def __init__(self, job: Job, folder: Path) -> None:
        """Begin.

        Args:
            folder: where images in inks are kept as long as the faces are painted.
        """
        self._job, store = job, job.factory.pictures.store
        self._flat = FlatImages(store, folder)
        self.images: FlatImages | InkedImages = self._flat
        self._inks: Inks | None = None
        if job.profile is not None:
            self._inks = Inks(job.profile.data, job.service.ink, job.service.black)
            self.images = InkedImages(self._flat, folder, self._inks)

    def forget(self, most: int) -> None:
        """Forget images if there are more than so many; what is needed again is made again."""
        self._flat.forget(most)
        self.images.forget(most)

    def pressed(self, sides: Sequence[Side], report: Report) -> list[Face]:
        """Return the faces of sides made ready.

        Colors that the press cannot print are reported at once.
        """
        factory, service = self._job.factory, self._job.service
        metrics, job = factory.metrics, self._job
        # Colors are told as they were drawn, not as parts of what was flattened.
        plain = [_Ready(with_spots(s.face, job), s.subject, s.place, s.alike) for s in sides]
        ready: list[_Ready] = []
        for side in steps(plain, "preparing pages"):
            made = Flattened(side.face)
            if service.pdfx != X4:
                made = flattened(made.face, metrics, self._flat, self._drawn)
            face, texts = made
            if texts:
                report.append(_pixels(side, texts))
            ready.append(side._replace(face=face))
        if self._inks is not None and job.profile is not None:
            inks, store = self._inks, factory.pictures.store
            top = {ink.id for ink in factory.game.setup.inks.values() if ink.over}
            report.extend(check_inks(ready, self._flat, inks))
            report.extend(check_gamut_at_once(plain, store, inks, job.profile.name))
            ready = [
                side._replace(
                    face=inked(side.face, inks, overprinting(side.face, inks, metrics, top))
                )
                for side in ready
            ]
        faces = [side.face for side in ready]
        return [outlined(face, metrics) for face in faces] if service.outlines else faces

    def _drawn(self, face: Face) -> Image.Image:
        factory = self._job.factory
        raster = Raster(PRINT_DPI, bleed=face.bleed)
        return next(draw([face], factory.fonts, factory.pictures.store, raster))


def with_spots(face: Face, job: Job) -> Face:
    """Return a face with the inks beside the print's own as the service takes them."""
    inks = job.factory.game.setup.inks
    if job.spots is Spots.SEPARATIONS:
        return separated(face, inks)
    return artwork(face) if job.spots is Spots.PAGES else in_own_colors(face, inks)


def _pixels(side: Side, texts: Sequence[str]) -> Diagnostic:
    named = ", ".join(f"`{text}`" for text in texts[:_SHOWN])
    more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return E039.at(
        side.place,
        f"{side.subject}: something transparent lies over {named}{more}, which turns letters into "
        f"pixels at {PRINT_DPI} dpi",
        "draw it before the text, or without opacity",
    )


E042 = Code("E042", Severity.ERROR, "a card of a size that a print service does not make")


class Fit(Protocol):
    """Puts a face onto a card of a size, with a bleed in mm: as `fitted` does."""

    def __call__(self, face: Face, size: Size, bleed: Mm, *, back: bool = False) -> Face:
        """Return the face on the card."""


_SAME: Mm = 0.1
"""Cards that differ by less are of one size: that is less than any cut is exact."""


def fitted_cards(
    items: Sequence[OrderItem],
    service: Service,
    options: OrderOptions,
    report: Report,
    fit: Fit | None = None,
) -> dict[Size, list[OrderItem]]:
    """Return cards by the size that they are printed in; those of no such size are reported.

    Args:
        fit: puts faces onto cards instead of `fitted`.
    """
    chosen = tuple(size for size in service.sizes if options.size in {None, size.id})
    narrowed = service._replace(sizes=chosen)
    known: dict[tuple[int, bool, Size], Face] = {}
    wrong = set[str]()
    cards: dict[Size, list[OrderItem]] = {}

    def put(side: NamedFace, size: Size, *, back: bool) -> NamedFace:
        key = id(side.face), back, size
        if key not in known:
            known[key] = (fit or fitted)(side.face, size, service.bleed, back=back)
        return side._replace(face=known[key])

    for item in items:
        front, back = item.front, item.back
        size = size_of(front.face, narrowed)
        if size is None and options.fit:
            size = nearest_size(front.face, chosen)
        if size is None:
            if front.card.kind.tag not in wrong:
                wrong.add(front.card.kind.tag)
                report.append(_no_size(front, narrowed))
            continue
        if back is None and service.backs:
            back = _white(front)
        fronts = put(front, size, back=False)
        backs = put(back, size, back=True) if back is not None else None
        cards.setdefault(size, []).append(OrderItem(fronts, backs, item.copies))
    return cards


_whites: dict[tuple[float, float], Face] = {}


def _white(front: NamedFace) -> NamedFace:
    """Return the back of a card that has none."""
    size = front.face.width, front.face.height
    face = _whites.setdefault(size, Face(*size, (), subject="a white back"))
    return NamedFace("white", "backs", front.card, face, front.card.kind.source)


def _no_size(side: NamedFace, service: Service) -> Diagnostic:
    """Return that a service makes no cards of the size of a face."""
    made = ", ".join(f"`{size.id}` ({size.width:g} × {size.height:g} mm)" for size in service.sizes)
    kind, face = side.card.kind, side.face
    return E042.at(
        kind.source.at("width"),
        f"{face.subject} is {face.width:g} × {face.height:g} mm, {service.name} makes {made}",
        "scale cards to the nearest of these with `--scale fit`, or change the kind's size",
    )


def size_of(face: Face, service: Service) -> Size | None:
    """Return the card of a service that has the size of a face, upright or lying; None if none."""
    if not service.sizes:
        own = f"{face.width:g}x{face.height:g}"
        return Size(own, "card", face.width, face.height)
    return next((size for size in service.sizes if _is(face, size)), None)


def _is(face: Face, size: Size) -> bool:
    sides, wanted = sorted((face.width, face.height)), sorted((size.width, size.height))
    return all(abs(a - b) <= _SAME for a, b in zip(sides, wanted, strict=True))


def nearest_size(face: Face, sizes: Sequence[Size]) -> Size:
    """Return the card that a face fills best when it is scaled to it; of several, the nearest.

    Round cards and hexagons are only for those who choose them.
    """

    def key(size: Size) -> tuple[float, float]:
        scales = _scales(face, size)
        return round(max(scales) / min(scales), 3), abs(min(scales) - 1)

    return min([size for size in sizes if not size.shape] or sizes, key=key)


def _scales(face: Face, size: Size) -> tuple[float, float]:
    """Return by how much a face could be larger: from side to side, and from top to bottom."""
    width, height = face.width, face.height
    if _lies(face, size):
        width, height = height, width
    return size.width / width, size.height / height


def _lies(face: Face, size: Size) -> bool:
    """Return whether a face must be turned a quarter to fit a card."""
    return (face.width > face.height) != (size.width > size.height) and (
        face.width != face.height and size.width != size.height
    )


def fitted(face: Face, size: Size, bleed: Mm, *, back: bool = False) -> Face:
    """Return a face as large as a card allows, in its middle, with `bleed` mm around it.

    A lying face is turned upright: to the right, and a back to the left, so that the tops of both
    are at the same edge of the card.
    """
    scale = min(_scales(face, size))
    if abs(scale - 1) < _SAME / max(size.width, size.height):
        scale = 1.0
    lies = _lies(face, size)
    across, down = (size.height, size.width) if lies else (size.width, size.height)
    x, y = (across - face.width * scale) / 2, (down - face.height * scale) / 2
    around = max(x, y) + bleed
    wide = with_bleed(face, around / scale)
    ops = tuple(moved(wide.ops, scale, x, y))
    if lies:
        matrix = (0, -1, 1, 0, 0, size.height) if back else (0, 1, -1, 0, size.width, 0)
        ops = (Group(ops, matrix),)
    return Face(size.width, size.height, ops, bleed, face.subject, face.alt)


def looked_over(
    sides: Sequence[Side], service: Service, factory: FaceFactory, shape: str = ""
) -> Iterator[Diagnostic]:
    """Yield what is wrong with faces of one size before they are drawn.

    Args:
        shape: how they are cut, as `Size` has it.
    """
    for side in sides:
        yield from check_images(side, factory.pictures.store, service)
    yield from check_safe_zone(sides, service, factory.metrics, shape)
    yield from check_fineness(sides, service, factory.metrics)
    if service.files is Files.PDF and not service.outlines:
        yield from check_fonts(sides, factory.fonts)
