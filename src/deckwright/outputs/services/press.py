"""Make faces ready for the press: no transparency, letters as outlines, inks, as a service asks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from deckwright.base.findings import Code, Diagnostic, Location, Report, Severity
from deckwright.base.progress import steps
from deckwright.faces.copies import Side
from deckwright.images.store import PRINT_DPI
from deckwright.ops.model import Face
from deckwright.outputs.press.flatten import FlatImages, Flattened, flattened
from deckwright.outputs.press.gamut import check_gamut_at_once
from deckwright.outputs.press.icc import Profile, find_profile, named_profile
from deckwright.outputs.press.inks import Inks
from deckwright.outputs.press.lettering import outlined
from deckwright.outputs.press.overprint import overprinting
from deckwright.outputs.press.plates import InkedImages, inked
from deckwright.outputs.press.spots import artwork, in_own_colors, separated
from deckwright.outputs.services.job import Job
from deckwright.outputs.services.preflight import check_inks
from deckwright.outputs.services.profile import Color, Service, Spots
from deckwright.paint.pdf.cmyk import X4
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
