"""Proofs for a press: ink maps and soft proofs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageMath

from deckwright.base.colors import rgb
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import OutputError, write_failure
from deckwright.base.processes import track_progress
from deckwright.base.units import Mm, to_pixels
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage, Face, FillPath, Gradient, Group, Op, ink_of, parse_spot
from deckwright.outputs.pictures import (
    FaceSelection,
    PictureOptions,
    choose_faces,
    file_names,
    write_with_sheets,
)
from deckwright.outputs.press.flatten import FlatImages
from deckwright.outputs.press.icc import IccProfile
from deckwright.outputs.press.inks import FULL_INK, FULL_INKS, InkConverter, check_gamut
from deckwright.outputs.press.plates import (
    InkedImages,
    convert_to_inks,
    gray,
    separate_inks,
    used_inks,
)
from deckwright.paint.raster import Encoding, Raster, draw
from deckwright.text.fonts import Font

PROCESS_INKS = ("cyan", "magenta", "yellow", "black")
"""The process inks, in the order of color channels."""


def draw_plates(
    faces: Iterable[Face],
    inks: Iterable[str],
    fonts: Mapping[str, Font],
    images: ImageStore,
    folder: Path,
    raster: Raster,
) -> Iterator[dict[str, Image.Image]]:
    """Yield the plates of each face by ink, from 0 for no ink to 255 for full ink.

    Args:
        faces: faces in inks, as `convert_to_inks` returns them.
        inks: the ids of their spot inks.
        images: their images in inks.
        folder: the folder for temporary images.
    """
    names, faces = (*PROCESS_INKS, *inks), list(faces)

    def drawn(ink: str) -> Iterator[Image.Image]:
        channels = _PlateImages(images, folder, ink)
        plates = (
            face._replace(ops=tuple(_plate_ops(face.ops, ink, channels, over=False)))
            for face in faces
        )
        return draw(plates, fonts, channels, raster)

    for pictures in zip(*map(drawn, names), strict=True):
        grays = (ImageChops.invert(picture.convert("L")) for picture in pictures)
        yield dict(zip(names, grays, strict=True))


def _plate_ops(ops: Iterable[Op], ink: str, channels: _PlateImages, *, over: bool) -> Iterator[Op]:
    """Yield ops as they appear on a plate; overprinting ops without its ink leave nothing."""
    for op in ops:
        if isinstance(op, Group):
            inner = _plate_ops(op.ops, ink, channels, over=over or op.overprint)
            yield op._replace(ops=tuple(inner), overprint=False)
        elif isinstance(op, DrawImage):
            if not over or (op.ink and parse_spot(op.ink)[0] == ink):
                yield op._replace(path=channels.save_plate(op), ink="")
        elif isinstance(op, FillPath) and isinstance(op.color, Gradient):
            stops = tuple((at, gray(_share(color, ink))) for at, color in op.color.stops)
            yield op._replace(color=op.color._replace(stops=stops))
        else:
            assert isinstance(op.color, str)
            share = _share(op.color, ink)
            if share or not over:
                yield op._replace(color=gray(share))


def _share(color: str, ink: str) -> float:
    """Return the share of an ink in a color, from 0 to 1."""
    if color.startswith("@"):
        ink_id, share = parse_spot(color)
        return share if ink_id == ink else 0
    return float(color.split(" ")[PROCESS_INKS.index(ink)]) if ink in PROCESS_INKS else 0


class _PlateImages(FlatImages):
    """The plates of images for one ink, as files in `folder`."""

    def __init__(self, inked: ImageStore, folder: Path, ink: str) -> None:
        super().__init__(inked, folder)
        self._ink = ink
        self._plates: dict[tuple[Path, str], Path] = {}

    def save_plate(self, drawing: DrawImage) -> Path:
        """Save the plate of an image; return its file."""
        inked = self.get(drawing)
        key = inked.path, drawing.ink
        if key in self._plates:
            return self._plates[key]
        with Image.open(inked.path) as opened:
            bands = opened.split()
        channel, alpha = Image.new("L", bands[0].size, 0), None
        if ink_of(drawing):
            alpha = bands[0]
            if parse_spot(drawing.ink)[0] == self._ink:
                channel = bands[0]
        elif self._ink in PROCESS_INKS:
            channel = bands[PROCESS_INKS.index(self._ink)]
        if inked.alpha is not None:
            with Image.open(inked.alpha) as opened:
                alpha = opened.convert("L")
        dark = ImageChops.invert(channel)
        plate = dark if alpha is None else Image.merge("RGBA", (dark, dark, dark, alpha))
        self._plates[key] = self.add(plate)
        return self._plates[key]


_LIGHT, _DARK, _ABOVE = (255, 255, 255), (16, 42, 84), (255, 196, 0)
"""The colors for no ink, the limit, and more; the last one stands out in grayscale, too."""
_TEXT = (32, 32, 32)
_LEVEL_STEP = 4
"""The percentage of ink per level of the map, which has 101 levels."""
_SCALE_HEIGHT: Mm = 5
"""The height of the scale below a map."""
_LIMIT_TOLERANCE = 3
"""The percentage by which rounding and smoothed edges exceed a limit that is met."""


class InkMap(NamedTuple):
    """The ink map of a face, its maximum total ink in percent, and its share above the limit."""

    picture: Image.Image
    max_ink: float
    share_above: float


def draw_ink_map(plates: Mapping[str, Image.Image], limit: int, dpi: float, font: Path) -> InkMap:
    """Draw the ink map of a face from its plates, with an ink limit in percent and its scale."""
    total = ImageMath.lambda_eval(
        lambda args: (args["a"] + args["b"] + args["c"] + args["d"]) * 100 / FULL_INK,
        **dict(zip("abcd", (plates[ink] for ink in PROCESS_INKS), strict=True)),
    )
    levels = ImageMath.lambda_eval(
        lambda args: args["convert"](args["t"] / _LEVEL_STEP, "L"), t=total
    )
    counts = levels.histogram()
    allowed = (limit + _LIMIT_TOLERANCE) // _LEVEL_STEP
    above = sum(counts[allowed + 1 :]) / max(1, sum(counts))
    levels.putpalette(_palette(allowed))
    face = levels.convert("RGB")
    most = float(total.getextrema()[1])
    return InkMap(_add_scale(face, limit, most, dpi, font), most, above)


def _palette(allowed: int) -> list[int]:
    colors: list[int] = []
    for level in range(256):
        share = min(1, level / allowed)
        mixed = (round(a + (b - a) * share) for a, b in zip(_LIGHT, _DARK, strict=True))
        colors += _ABOVE if level > allowed else mixed
    return colors


def _add_scale(
    face: Image.Image, limit: int, maximum: float, dpi: float, font: Path
) -> Image.Image:
    """Return a map with a scale from none to four full inks, and the maximum."""
    height = max(12, round(to_pixels(_SCALE_HEIGHT, dpi)))
    sheet = Image.new("RGB", (face.width, face.height + height), _LIGHT)
    sheet.paste(face, (0, 0))
    draw = ImageDraw.Draw(sheet)
    letters = ImageFont.truetype(str(font), round(height * 0.5))
    label = f"max {maximum:.0f} %"
    room = round(draw.textlength(label, letters)) + height
    left, right = height // 3, face.width - room
    top, bottom = face.height + round(height * 0.2), face.height + round(height * 0.48)
    ramp = Image.new("L", (max(1, right - left), 1))
    ramp.putdata([round(x * 400 / ramp.width / _LEVEL_STEP) for x in range(ramp.width)])
    ramp.putpalette(_palette((limit + _LIMIT_TOLERANCE) // _LEVEL_STEP))
    sheet.paste(ramp.convert("RGB").resize((ramp.width, bottom - top)), (left, top))
    draw.rectangle((left, top, left + ramp.width, bottom), outline=_TEXT)
    at = left + ramp.width * limit // 400
    small = ImageFont.truetype(str(font), round(height * 0.42))
    draw.line((at, top, at, bottom + 1), fill=_TEXT)
    draw.text((at, bottom), f"{limit} %", _TEXT, small, anchor="ma")
    draw.text((left, bottom), "0", _TEXT, small, anchor="la")
    middle = face.height + height // 2
    draw.text((face.width - height // 3, middle), label, _TEXT, letters, anchor="rm")
    return sheet


_GAP: Mm = 2
"""The gap between the two pictures of a soft proof."""
_GROUND = "#dedbd5"


class PrintCondition(NamedTuple):
    """A printing condition; limit and black are in percent, None for the black of the profile."""

    profile: IccProfile
    limit: int
    black: tuple[int, ...] | None = None


class PressProof(NamedTuple):
    """The proofs of faces.

    Attributes:
        ink_usage: the maximum ink of each face in percent, and its share above the limit, by the
            subject of the face; empty for soft proofs.
        sheets: the contact sheets.
    """

    condition: PrintCondition
    number: int
    folder: Path
    ink_usage: Mapping[str, tuple[float, float]]
    sheets: tuple[Path, ...]
    findings: tuple[Diagnostic, ...] = ()


def print_press_proofs(
    folder: GameFolder,
    options: PictureOptions,
    target: Path,
    condition: PrintCondition,
    report: Report,
    *,
    dpi: float,
    ink_maps: bool,
) -> PressProof:
    """Draw the ink map of each face, or else its soft proof; no face is an error."""
    chosen = choose_faces(folder, options._replace(plates=True), report)
    if not chosen.faces:
        raise OutputError
    usage: dict[str, tuple[float, float]] = {}
    if ink_maps:
        pictures = _draw_ink_maps(chosen, condition, dpi, usage)
    else:
        pictures = _draw_soft_proofs(chosen, condition, dpi, report)
    names, png = file_names(chosen.faces), Encoding("png")
    files = (
        (side, (f"{name}.png", png.encode(picture, dpi)))
        for side, name, picture in zip(chosen.faces, names, pictures, strict=True)
    )
    try:
        sheets = write_with_sheets(files, target, dpi)
    except OSError as error:
        raise OutputError(write_failure(target, error)) from error
    return PressProof(condition, len(chosen.faces), target, usage, tuple(sheets))


def _draw_ink_maps(
    chosen: FaceSelection,
    condition: PrintCondition,
    dpi: float,
    usage: dict[str, tuple[float, float]],
) -> Iterator[Image.Image]:
    """Yield the ink maps of faces, without the ink limit, and note their `ink_usage`."""
    factory = chosen.factory
    font = factory.fonts[f"{factory.text_font}-regular"].path
    inks = InkConverter(condition.profile.data, FULL_INKS, condition.black)
    for side, plates in draw_side_plates(chosen.faces, factory, inks, dpi):
        ink_map = draw_ink_map(plates, condition.limit, dpi, font)
        usage[side.face.subject] = ink_map.max_ink, ink_map.share_above
        yield ink_map.picture


def _draw_soft_proofs(
    chosen: FaceSelection, condition: PrintCondition, dpi: float, report: Report
) -> Iterator[Image.Image]:
    """Yield faces as on the screen and as in print, side by side; report what prints duller."""
    factory, images = chosen.factory, chosen.factory.pictures.store
    inks = InkConverter(condition.profile.data, condition.limit, condition.black)
    report.extend(check_gamut(chosen.faces, images, inks, condition.profile.name))
    screens = draw((side.face for side in chosen.faces), factory.fonts, images, Raster(dpi))
    gap = max(1, round(to_pixels(_GAP, dpi)))
    drawn = draw_side_plates(chosen.faces, factory, inks, dpi)
    for screen, (_, plates) in zip(screens, drawn, strict=True):
        printed = inks.simulate(Image.merge("CMYK", [plates[ink] for ink in PROCESS_INKS]))
        for ink_id, plate in plates.items():
            ink = factory.game.setup.inks.get(ink_id)
            if ink is not None and ink.is_visible:
                printed.paste(rgb(ink.color), (0, 0), plate)
        pair = Image.new("RGB", (screen.width + gap + printed.width, screen.height), _GROUND)
        pair.paste(screen, (0, 0))
        pair.paste(printed, (screen.width + gap, 0))
        yield pair


def draw_side_plates(
    sides: Sequence[NamedFace], factory: FaceFactory, inks: InkConverter, dpi: float
) -> Iterator[tuple[NamedFace, dict[str, Image.Image]]]:
    """Yield faces with their plates, without bleed."""
    spots = factory.game.setup.inks
    over = {ink.id for ink in spots.values() if ink.overprints}
    with tempfile.TemporaryDirectory(prefix="deckwright-") as kept:
        folder = Path(kept)
        images = InkedImages(factory.pictures.store, folder, inks)
        faces = [
            convert_to_inks(separate_inks(side.face, spots), inks, factory.metrics, over)
            for side in sides
        ]
        used = used_inks(side.face for side in sides)
        drawn = draw_plates(faces, used, factory.fonts, images, folder, Raster(dpi))
        yield from zip(track_progress(sides, "drawing plates"), drawn, strict=True)
