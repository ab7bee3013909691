"""Proofs of what a press will do: how much ink is where, and what becomes of colors."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from PIL import Image

from deckwright.base.colors import rgb
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import unwritable
from deckwright.base.progress import steps
from deckwright.base.units import pixels
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.outputs.face_files import file_names
from deckwright.outputs.pictures import PictureOptions, choose_faces
from deckwright.outputs.press.gamut import check_gamut
from deckwright.outputs.press.heat import heat_of
from deckwright.outputs.press.icc import Profile
from deckwright.outputs.press.inks import Inks
from deckwright.outputs.press.overprint import overprinting
from deckwright.outputs.press.plates import InkedImages, inked
from deckwright.outputs.press.separations import FOUR, plates
from deckwright.outputs.press.spots import separated, used_inks
from deckwright.outputs.proof import write_with_sheets
from deckwright.paint.raster import Encoding, Raster, draw

_UNLIMITED = 400
"""Four inks in full."""
_GAP = 2
"""How far the two pictures of a soft proof are apart, in mm."""
_GROUND = "#dedbd5"

Plates = Mapping[str, Image.Image]


class Condition(NamedTuple):
    """What is printed with.

    Attributes:
        limit: the most ink in one place, in percent.
        black: the inks of black areas in percent, None for what the profile gives.
    """

    profile: Profile
    limit: int
    black: tuple[int, ...] | None = None


class PressProof(NamedTuple):
    """What a press will do to faces.

    Attributes:
        inked: the most ink on each face in percent, and the share of it above the limit, by what
            findings call it; empty if nobody has asked for it.
        sheets: the contact sheets.
        findings: the warnings.
    """

    condition: Condition
    number: int
    folder: Path
    inked: Mapping[str, tuple[float, float]]
    sheets: tuple[Path, ...]
    findings: tuple[Diagnostic, ...] = ()


class PressProofs(Protocol):
    """Draws what a press will do to faces: `print_ink_maps` or `print_soft_proofs`."""

    def __call__(
        self,
        folder: GameFolder,
        options: PictureOptions,
        target: Path,
        condition: Condition,
        report: Report,
        *,
        dpi: float,
    ) -> PressProof | None:
        """Return what was drawn; None after reporting why nothing was."""


def print_ink_maps(
    folder: GameFolder,
    options: PictureOptions,
    target: Path,
    condition: Condition,
    report: Report,
    *,
    dpi: float,
) -> PressProof | None:
    """Draw a map for each face of how much ink the profile alone wants where.

    Returns:
        what was drawn; None after reporting why nothing was.
    """
    chosen = choose_faces(folder, options._replace(plates=True), report)
    if chosen is None or not chosen.faces:
        return None
    factory = chosen.factory
    font = factory.fonts[f"{factory.text_font}-regular"].path
    wanted = Inks(condition.profile.data, _UNLIMITED, condition.black)
    used: dict[str, tuple[float, float]] = {}

    def maps() -> Iterator[Image.Image]:
        for side, found in drawn_plates(chosen.faces, factory, wanted, dpi):
            heat = heat_of(found, condition.limit, dpi, font)
            used[side.face.subject] = heat.most, heat.above
            yield heat.picture

    sheets = _written(chosen.faces, maps(), target, dpi, report)
    number = len(chosen.faces)
    return None if sheets is None else PressProof(condition, number, target, used, sheets)


def print_soft_proofs(
    folder: GameFolder,
    options: PictureOptions,
    target: Path,
    condition: Condition,
    report: Report,
    *,
    dpi: float,
) -> PressProof | None:
    """Draw each face twice, as it is on the screen and as it will be printed.

    Colors that the press cannot print are reported.

    Returns:
        what was drawn; None after reporting why nothing was.
    """
    chosen = choose_faces(folder, options._replace(plates=True), report)
    if chosen is None or not chosen.faces:
        return None
    factory, images = chosen.factory, chosen.factory.pictures.store
    inks = Inks(condition.profile.data, condition.limit, condition.black)
    screens = draw((side.face for side in chosen.faces), factory.fonts, images, Raster(dpi))
    gap = max(1, round(pixels(_GAP, dpi)))
    drawn = drawn_plates(chosen.faces, factory, inks, dpi)
    pairs = (
        _pair(screen, _print(found, inks, factory), gap)
        for screen, (_, found) in zip(screens, drawn, strict=True)
    )
    report.extend(check_gamut(chosen.faces, images, inks, condition.profile.name))
    sheets = _written(chosen.faces, pairs, target, dpi, report)
    number = len(chosen.faces)
    return None if sheets is None else PressProof(condition, number, target, {}, sheets)


def drawn_plates(
    sides: Sequence[NamedFace], factory: FaceFactory, inks: Inks, dpi: float
) -> Iterator[tuple[NamedFace, Plates]]:
    """Yield faces with their plates, as `separations.plates` has them: each without its bleed."""
    spots = factory.game.setup.inks
    over = {ink.id for ink in spots.values() if ink.over}
    with tempfile.TemporaryDirectory(prefix="deckwright-") as kept:
        folder = Path(kept)
        images = InkedImages(factory.pictures.store, folder, inks)
        faces = []
        for side in sides:
            face = separated(side.face, spots)
            faces.append(inked(face, inks, overprinting(face, inks, factory.metrics, over)))
        used = used_inks(side.face for side in sides)
        made = plates(faces, used, factory.fonts, images, folder, Raster(dpi))
        yield from zip(steps(sides, "drawing plates"), made, strict=True)


def _print(found: Plates, inks: Inks, factory: FaceFactory) -> Image.Image:
    """Return a face as it will look in print; inks that can be seen in their own colors."""
    printed = inks.on_screen(Image.merge("CMYK", [found[ink] for ink in FOUR]))
    for ink_id, plate in found.items():
        ink = factory.game.setup.inks.get(ink_id)
        if ink is not None and ink.seen:
            printed.paste(rgb(ink.color), (0, 0), plate)
    return printed


def _pair(screen: Image.Image, printed: Image.Image, gap: int) -> Image.Image:
    """Return two pictures side by side."""
    pair = Image.new("RGB", (screen.width + gap + printed.width, screen.height), _GROUND)
    pair.paste(screen, (0, 0))
    pair.paste(printed, (screen.width + gap, 0))
    return pair


def _written(
    sides: Sequence[NamedFace],
    pictures: Iterable[Image.Image],
    folder: Path,
    dpi: float,
    report: Report,
) -> tuple[Path, ...] | None:
    """Write pictures of sides; return contact sheets, None after reporting what cannot be."""
    png = Encoding("png")
    files = (
        (side, (f"{name}.png", png.file(picture, dpi)))
        for side, name, picture in zip(sides, file_names(sides), pictures, strict=True)
    )
    try:
        return tuple(write_with_sheets(files, folder, dpi))
    except OSError as error:
        report.append(unwritable(folder, error))
        return None
