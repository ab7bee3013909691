"""Draw faces for screens: load and check the game, compose, and write a picture for each face.

Everything that is wrong goes into the report; nothing is drawn while it holds an error.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Code, Diagnostic, Report, Severity, has_errors, known_hint
from deckwright.base.names import composed
from deckwright.base.output import unwritable, write_data
from deckwright.base.progress import steps
from deckwright.base.units import Mm
from deckwright.checks.loading import load_readable, load_whole
from deckwright.faces.copies import NamedFace
from deckwright.faces.faces import R019, faces_of
from deckwright.faces.factory import FaceFactory
from deckwright.faces.images import prepare_images
from deckwright.faces.watermark import watermark
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.words import WatermarkText
from deckwright.ops.bleed import with_bleed
from deckwright.ops.model import Face
from deckwright.outputs.face_files import painted_pictures, painted_vectors
from deckwright.outputs.proof import write_proofs
from deckwright.paint.raster import Encoding, Raster

_MOST_PIXELS = 100_000_000
"""The most pixels of a picture: each takes three bytes while it is drawn."""

E030 = Code("E030", Severity.ERROR, "a picture with too many pixels")


class Sides(Enum):
    """Which sides of cards are drawn."""

    FACES = "faces"
    BACKS = "backs"
    BOTH = "both"


class PictureOptions(NamedTuple):
    """What is to be drawn.

    Attributes:
        cards: which cards, as for `faces_of`; all if empty.
        style: the folder in `templates/` whose templates come first.
        bleed: how far faces are drawn beyond their trim boxes, in mm.
        watermark: the text across all faces.
        plates: whether they are for a press, which has inks such as foil.
    """

    cards: tuple[str, ...] = ()
    sides: Sides = Sides.FACES
    style: str | None = None
    bleed: Mm = 0
    watermark: WatermarkText = None
    plates: bool = False


class Drawn(NamedTuple):
    """Faces that were drawn.

    Attributes:
        number: how many.
        folder: where their files are.
        sheets: contact sheets of them.
        findings: the warnings.
    """

    number: int
    folder: Path
    sheets: tuple[Path, ...] = ()
    findings: tuple[Diagnostic, ...] = ()


class Chosen(NamedTuple):
    """Faces to draw, with what has composed them."""

    faces: tuple[NamedFace, ...]
    factory: FaceFactory


def export_pictures(
    folder: GameFolder,
    options: PictureOptions,
    target: Path,
    raster: Raster,
    encoding: Encoding,
    report: Report,
) -> Drawn | None:
    """Draw each face as a picture in the folder `target`.

    Returns:
        what was drawn; None after reporting why nothing was, or not all.
    """
    raster = raster._replace(bleed=options.bleed)
    chosen = choose_faces(folder, options, report)
    if chosen is None or not _drawable(chosen, raster, encoding, report):
        return None

    return _write_all(painted_pictures(*chosen, raster, encoding), target, report)


def export_svg(
    folder: GameFolder, options: PictureOptions, target: Path, report: Report
) -> Drawn | None:
    """Draw each face as an SVG file in the folder `target`.

    Returns:
        what was drawn; None after reporting why nothing was, or not all.
    """
    chosen = choose_faces(folder, options, report)
    if chosen is None:
        return None

    return _write_all(painted_vectors(*chosen, options.bleed), target, report)


def print_proofs(
    folder: GameFolder, options: PictureOptions, target: Path, report: Report, *, dpi: float
) -> Drawn | None:
    """Draw faces as PNG files in the folder `target`, with contact sheets.

    Returns:
        what was drawn; None after reporting why nothing was.
    """
    faults: Report = []
    chosen = choose_faces(folder, options, report, faults)
    drawn = None
    if chosen is not None and chosen.faces:
        try:
            sheets = write_proofs(chosen.faces, target, chosen.factory, dpi)
            drawn = Drawn(len(chosen.faces), target, tuple(sheets))
        except OSError as error:
            report.append(unwritable(target, error))
    report.extend(faults)
    return drawn


def choose_faces(
    folder: GameFolder, options: PictureOptions, report: Report, faults: Report | None = None
) -> Chosen | None:
    """Return the faces that are wanted, their images prepared; None after reporting why not.

    Args:
        faults: where it is reported what is wrong with cards, if what can be drawn of them is
            wanted all the same.
    """
    game = load_whole(folder, report) if faults is None else load_readable(folder, report, faults)
    if game is None:
        return None

    options = options._replace(cards=tuple(map(composed, options.cards)))
    plates = options.plates
    factory = FaceFactory(game, folder, report, options.style, faults, plates=plates)
    faces: list[NamedFace] = []
    if options.sides is not Sides.BACKS:
        faces += faces_of(factory, report, options.cards)
    if options.sides is not Sides.FACES:
        faces += faces_of(factory, report, options.cards, backs=True)
    if not has_errors(report):
        _report_unknown(game, options.cards, report)
    mark = watermark(factory, options.watermark, report)
    faces = [n._replace(face=mark.on(with_bleed(n.face, options.bleed))) for n in faces]
    if not prepare_images((named.face for named in faces), factory.pictures.store, report):
        return None
    return Chosen(tuple(faces), factory)


def _report_unknown(game: Game, words: Collection[str], report: Report) -> None:
    """Report the words by which `faces_of` finds no card."""
    if not words:
        return

    every = [*game.printed()]
    known = {word for card, *groups in every for word in ("tokens", card.id, card.name, *groups)}
    names = [name for card, _, rule in every if not rule for name in (card.id, card.name)]
    for word in words:
        if word not in known - {""}:
            report.append(R019.at(None, f"there is no card `{word}`", known_hint(word, names)))


def _drawable(chosen: Chosen, raster: Raster, encoding: Encoding, report: Report) -> bool:
    """Return whether no picture is too large, after reporting the first that is."""
    for named in chosen.faces:
        excess = too_large(named.name, named.face, raster, encoding)
        if excess is not None:
            report.append(excess)
            return False
    return True


def too_large(name: str, face: Face, raster: Raster, encoding: Encoding) -> Diagnostic | None:
    """Return the finding that the picture of a face is too large, None if it is not."""
    longest = encoding.longest_side
    width, height = raster.pixels(face)
    if max(width, height) <= longest and width * height <= _MOST_PIXELS:
        return None
    message = (
        f"the picture `{name}` would have {width} × {height} pixels, at most "
        f"{longest} per side and {_MOST_PIXELS // 1_000_000} million in total are possible"
    )
    hint = "lower `--dpi`" if raster.size is None else "make `--size` smaller"
    return E030.at(None, message, hint)


def _write_all(files: Iterator[tuple[str, bytes]], target: Path, report: Report) -> Drawn | None:
    """Write files into a folder; return what was written, None after reporting what cannot be."""
    count = 0
    for name, data in steps(files, "drawing"):
        if not write_data(target / name, data, report):
            return None
        count += 1
    return Drawn(count, target)
