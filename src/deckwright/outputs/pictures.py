"""Pictures of faces for screens: files, proofs and contact sheets."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from PIL import Image

import deckwright
from deckwright.base.cache import Cache, fingerprint_code
from deckwright.base.files import make_unique, to_nfc, write_bytes
from deckwright.base.findings import Code, Diagnostic, Report, Severity, has_errors, known_hint
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError, write_data, write_failure
from deckwright.base.processes import track_progress
from deckwright.base.units import Mm, to_pixels
from deckwright.base.workers import count_cores, map_parallel
from deckwright.checks.loading import load_checked_game, load_partial_game
from deckwright.diff.manifest import Digests
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import R019, compose_faces, prepare_images
from deckwright.faces.watermark import make_watermark
from deckwright.game.folder import GameFolder
from deckwright.game.words import WatermarkText, watermark_text
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.bleed import add_bleed
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Op
from deckwright.outputs.print_cache import CachingFaceFactory, PrintCache
from deckwright.paint.raster import LIBRARY_VERSIONS, Encoding, Raster, draw
from deckwright.paint.svg import GlyphOutlines, SvgOptions, face_svg
from deckwright.text.fonts import Font, default_fonts
from deckwright.text.shaping import HarfBuzzMetrics, icon_outline

_BATCH_SIZE, _MAX_SERIAL = 16, 12
"""The number of faces per batch of a worker, and the maximum drawn without workers."""


class PictureMaker(NamedTuple):
    """Draws faces and encodes them as files."""

    fonts: Mapping[str, Font]
    images: ImageStore
    raster: Raster
    encoding: Encoding

    def files(self, faces: Sequence[Face]) -> list[bytes]:
        """Return a file for each face."""
        pictures = draw(faces, self.fonts, self.images, self.raster)
        return [
            self.encoding.encode(picture, self.raster.dpi_of(face))
            for face, picture in zip(faces, pictures, strict=True)
        ]


class PictureCache:
    """The picture files of one game's faces, cached on disk."""

    def __init__(
        self,
        factory: FaceFactory,
        images: ImageStore,
        raster: Raster,
        encoding: Encoding,
        digests: Digests | None = None,
    ) -> None:
        """Take the factory of the faces, their images, options, and the digests that are known."""
        self._factory = factory
        self._maker = PictureMaker(factory.fonts, images, raster, encoding)
        self._digests = digests or Digests(factory.fonts, images)
        self._cache = Cache("pictures")
        self._settings_key = f"{_maker_version()} {raster} {encoding}"

    def files(self, faces: Sequence[Face]) -> Iterator[bytes]:
        """Yield a file for each face, in order."""
        keys = [self.key(face) for face in faces]
        kept = [self._cache.has(key) for key in keys]
        whole = self._factory.with_ops
        new = [whole(face) for face, known in zip(faces, kept, strict=True) if not known]
        # Few are drawn without workers.
        number = _MAX_SERIAL
        if len(new) > _MAX_SERIAL:
            number = min(_BATCH_SIZE, math.ceil(len(new) / count_cores()))
        batches = [new[start : start + number] for start in range(0, len(new), number)]
        fresh = chain.from_iterable(map_parallel(self._maker.files, batches))
        for face, key, known in zip(faces, keys, kept, strict=True):
            data = self._cache.read_decoded(key, _verify_picture) if known else None
            if data is None:
                [data] = self._maker.files([whole(face)]) if known else [next(fresh)]
                self._cache.write(key, data)
            yield data

    def key(self, face: Face) -> str:
        """Return the cache key of a face's picture, equal for identical files."""
        return blake2b(
            f"{self._settings_key} {self._digests.of(face)}".encode(), digest_size=20
        ).hexdigest()


def _verify_picture(content: bytes) -> bytes:
    """Return the content of a picture file; raise an error of Pillow if it is none."""
    with Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP")) as picture:
        picture.verify()
    return content


@cache
def _maker_version() -> str:
    """Return the versions of the libraries and of this package's code."""
    code = fingerprint_code(Path(deckwright.__path__[0]))
    return f"{deckwright.__version__} {code} {LIBRARY_VERSIONS}"


def draw_pictures(
    chosen: FaceSelection, raster: Raster, encoding: Encoding
) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and content for each face."""
    factory, store = chosen.factory, chosen.factory.pictures.store
    pictures = PictureCache(factory, store, raster, encoding, chosen.digests)
    files = pictures.files([named.face for named in chosen.faces])
    for name, data in zip(file_names(chosen.faces), files, strict=True):
        yield f"{name}.{encoding.extension}", data


def file_names(faces: Iterable[NamedFace]) -> list[str]:
    """Return unique file names for faces, even on case-insensitive file systems.

    A face keeps its own name if it is unique; cards of different factions may share ids.
    """
    faces = list(faces)
    counts = Counter(named.name.casefold() for named in faces)
    taken = set(counts)
    return [
        named.name
        if counts[named.name.casefold()] == 1
        else make_unique(f"{named.group}_{named.name}", taken)
        for named in faces
    ]


_SHEET_COLOR = "#dedbd5"
_GAP: Mm = 4
"""The gap between the faces of a contact sheet."""


def write_with_sheets(
    files: Iterable[tuple[NamedFace, tuple[str, bytes]]], folder: Path, dpi: float
) -> list[Path]:
    """Write PNG files to `folder`, and return a contact sheet for each group of faces.

    Args:
        files: the faces, with their file names and contents.

    Raises:
        OSError: if a file cannot be written.
    """
    groups: dict[str, list[bytes]] = {}
    for named, (name, data) in files:
        write_bytes(folder / name, data)
        groups.setdefault(named.group, []).append(data)
    paths = [folder / f"contact_{group}.png" for group in groups]
    sheets = map_parallel(partial(_make_contact_sheet, dpi=dpi), list(groups.values()))
    for path, data in zip(paths, sheets, strict=True):
        write_bytes(path, data)
    return paths


def _make_contact_sheet(files: Sequence[bytes], dpi: float) -> bytes:
    """Return a contact sheet of picture files, from the cache if possible."""
    digest = blake2b(f"{_maker_version()} contact sheet {dpi}".encode(), digest_size=20)
    for data in files:
        digest.update(blake2b(data, digest_size=20).digest())
    entries, key = Cache("pictures"), digest.hexdigest()
    sheet = entries.read_decoded(key, _verify_picture)
    if sheet is None:
        pictures = [Image.open(io.BytesIO(data), formats=("PNG",)) for data in files]
        sheet = Encoding("png").encode(contact_sheet(pictures, dpi), dpi)
        entries.write(key, sheet)
    return sheet


def contact_sheet(pictures: Sequence[Image.Image], dpi: float) -> Image.Image:
    """Return all pictures on one sheet, which is about as wide as high."""
    gap = max(1, round(to_pixels(_GAP, dpi)))
    width = max(picture.width for picture in pictures)
    height = max(picture.height for picture in pictures)
    columns = min(len(pictures), math.ceil(math.sqrt(len(pictures) * height / width)))
    rows = math.ceil(len(pictures) / columns)
    size = columns * (width + gap) + gap, rows * (height + gap) + gap
    sheet = Image.new("RGB", size, _SHEET_COLOR)
    for number, picture in enumerate(pictures):
        y, x = divmod(number, columns)
        sheet.paste(picture, (gap + x * (width + gap), gap + y * (height + gap)))
    return sheet


_MAX_PIXELS = 100_000_000
"""The maximum number of pixels, each of which takes three bytes while drawing."""

E030 = Code("E030", Severity.ERROR, "a picture with too many pixels")


class Sides(Enum):
    """The sides of cards to draw."""

    FACES = "faces"
    BACKS = "backs"
    BOTH = "both"


class PictureOptions(NamedTuple):
    """Options for drawing faces.

    Attributes:
        cards: the cards, as in `compose_faces`; all if empty.
        style: the folder in `templates/` with preferred templates.
        bleed: the visible bleed around the trim box.
        watermark: the text across all faces.
        plates: whether they are for a press with spot inks such as foil.
    """

    cards: tuple[str, ...] = ()
    sides: Sides = Sides.FACES
    style: str | None = None
    bleed: Mm = 0
    watermark: WatermarkText = None
    plates: bool = False


class PictureExport(NamedTuple):
    """A number of faces drawn into a folder, and their contact sheets."""

    number: int
    folder: Path
    sheets: tuple[Path, ...] = ()
    findings: tuple[Diagnostic, ...] = ()


class FaceSelection(NamedTuple):
    """Faces to draw, with their factory and their digests."""

    faces: tuple[NamedFace, ...]
    factory: FaceFactory
    digests: Digests


def export_pictures(
    folder: GameFolder,
    options: PictureOptions,
    target: Path,
    raster: Raster,
    encoding: Encoding,
    report: Report,
) -> PictureExport:
    """Draw each face as a picture in the folder `target`."""
    raster = raster._replace(bleed=options.bleed)
    chosen = choose_faces(folder, options, report, as_pixels=True)
    for named in chosen.faces:
        check_picture_size(named.name, named.face, raster, encoding)
    return _write_all(draw_pictures(chosen, raster, encoding), target)


def export_svg(
    folder: GameFolder, options: PictureOptions, target: Path, report: Report
) -> PictureExport:
    """Draw each face as an SVG file in the folder `target`."""
    faces, factory, _ = choose_faces(folder, options, report)
    return _write_all(draw_svg(faces, factory, options.bleed), target)


def draw_svg(
    faces: Sequence[NamedFace], factory: FaceFactory, bleed: Mm = 0
) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and content of an SVG file for each face."""
    glyphs, images = GlyphOutlines(factory.fonts), factory.pictures.store
    for name, named in zip(file_names(faces), faces, strict=True):
        title = f"back of {named.card.kind.name}" if named.back else named.card.name
        look = SvgOptions(title, factory.game.setup.language, bleed)
        yield f"{name}.svg", face_svg(named.face, glyphs, images, look).encode()


def print_proofs(
    folder: GameFolder, options: PictureOptions, target: Path, report: Report, *, dpi: float
) -> PictureExport:
    """Draw faces as PNG files in the folder `target`, with contact sheets; none is an error."""
    faults: Report = []
    try:
        chosen = choose_faces(folder, options, report, faults, as_pixels=True)
        if not chosen.faces:
            raise OutputError
        drawn = draw_pictures(chosen, Raster(dpi), Encoding("png"))
        faces = track_progress(chosen.faces, "drawing")
        try:
            sheets = write_with_sheets(zip(faces, drawn, strict=True), target, dpi)
        except OSError as error:
            raise OutputError(write_failure(target, error)) from error
        return PictureExport(len(chosen.faces), target, tuple(sheets))
    finally:
        report.extend(faults)


def choose_faces(
    folder: GameFolder,
    options: PictureOptions,
    report: Report,
    faults: Report | None = None,
    *,
    as_pixels: bool = False,
) -> FaceSelection:
    """Return the selected faces with prepared images.

    Args:
        faults: receives the errors of cards, if they are drawn as far as possible.
        as_pixels: whether only their pictures are wanted; those of earlier runs have no ops then.
    """
    game = (
        load_checked_game(folder, report)
        if faults is None
        else load_partial_game(folder, report, faults)
    )
    if game is None:
        raise OutputError
    options = options._replace(cards=tuple(map(to_nfc, options.cards)))
    plates = options.plates
    factory = CachingFaceFactory(game, folder, report, options.style, faults, plates=plates)
    marked = watermark_text(game.setup, options.watermark) or options.bleed or plates
    if as_pixels and factory.usable and not marked:
        factory.cache = PrintCache(game, folder, factory, "/pictures")
    faces: list[NamedFace] = []
    if options.sides is not Sides.BACKS:
        faces += compose_faces(factory, report, options.cards)
    if options.sides is not Sides.FACES:
        faces += compose_faces(factory, report, options.cards, backs=True)
    if options.cards and not has_errors(report):
        every = [*game.printable_cards()]
        known = {
            word for card, *groups in every for word in ("tokens", card.id, card.name, *groups)
        }
        names = [name for card, _, rule in every if not rule for name in (card.id, card.name)]
        for word in options.cards:
            if word not in known - {""}:
                hint = known_hint(word, names)
                report.append(R019.at(None, f"there is no card `{word}`", hint))
    mark = make_watermark(factory, options.watermark, report)
    faces = [n._replace(face=mark.apply(add_bleed(n.face, options.bleed))) for n in faces]
    before = len(report)
    if not prepare_images((named.face for named in faces), factory.pictures.store, report):
        raise OutputError
    digests = Digests(factory.fonts, factory.pictures.store)
    if factory.cache is not None:
        factory.cache.load_digests(digests)
        doubtful = {found.location.path for found in report[before:] if found.location}
        factory.cache.save(digests, doubtful)
    return FaceSelection(tuple(faces), factory, digests)


def check_picture_size(name: str, face: Face, raster: Raster, encoding: Encoding) -> None:
    """Raise an OutputError if the picture of a face would be too large."""
    longest = encoding.longest_side
    width, height = raster.pixels(face)
    if max(width, height) <= longest and width * height <= _MAX_PIXELS:
        return
    message = (
        f"the picture `{name}` would have {width} × {height} pixels, but at most "
        f"{longest} per side and {_MAX_PIXELS // 1_000_000} million in total are possible"
    )
    hint = "lower `--dpi`" if raster.size is None else "make `--size` smaller"
    raise OutputError(E030.at(None, message, hint))


def _write_all(files: Iterator[tuple[str, bytes]], target: Path) -> PictureExport:
    count = 0
    for name, data in track_progress(files, "drawing"):
        write_data(target / name, data)
        count += 1
    return PictureExport(count, target)


_COLUMNS = 8
_CELL: tuple[Mm, Mm] = 25, 21
_ICON: Mm = 12
_LABEL_SIZE: Mm = 2.4
_MARGIN: Mm = 2
_FONT = "text-regular"
_PAPER, _INK, _GRAY = "#ffffff", "#1d1d1b", "#55534f"


def icon_sheet(names: Sequence[str], dpi: float = 150) -> bytes:
    """Return a PNG file of icons and their names, in rows."""
    fonts: dict[str, Font] = {font.id: font for font in default_fonts().values()}
    metrics = HarfBuzzMetrics(fonts)
    columns = max(1, min(len(names), _COLUMNS))
    width, height = _CELL
    rows = math.ceil(len(names) / columns)
    size = columns * width + 2 * _MARGIN, rows * height + 2 * _MARGIN
    ops: list[Op] = [FillPath(outlines.rectangle(0, 0, *size), _PAPER)]
    for index, name in enumerate(names):
        row, column = divmod(index, columns)
        cell = Box(_MARGIN + column * width, _MARGIN + row * height, width, height)
        left, top = cell.x + (width - _ICON) / 2, cell.y + _MARGIN
        ops.append(FillPath(outlines.scale_and_move(icon_outline(name), left, top, _ICON), _INK))
        # The name is at the bottom, shrunk to fit.
        shaped = metrics.shape(_FONT, name)
        type_size = min(_LABEL_SIZE, (width - 1) / shaped.width)
        x, y = cell.x + (width - shaped.width * type_size) / 2, cell.bottom - _MARGIN
        ops.append(DrawGlyphs(_FONT, type_size, x, y, shaped.text, shaped.kerns, _GRAY))
    face = Face(*size, tuple(ops), subject="the icons")
    (picture,) = draw([face], fonts, ImageStore(), Raster(dpi))
    return Encoding("png").encode(picture, dpi)
