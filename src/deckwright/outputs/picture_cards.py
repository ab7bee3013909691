"""Pictures that others made as the faces of cards: their bleed, and what is near to the cut."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from deckwright.base.files import is_file
from deckwright.base.findings import Code, Location, Report, Severity, has_errors
from deckwright.base.geometry import Box, shifted
from deckwright.base.names import as_text
from deckwright.base.units import Mm
from deckwright.images.decode import upright_size
from deckwright.images.store import I004, ImageStore
from deckwright.ops.mirrored import with_mirrored_bleed
from deckwright.ops.model import DrawImage, Face, Group, walk
from deckwright.ops.stretched import with_stretched_bleed
from deckwright.outputs.foreign_cards import ForeignCard, PageOptions
from deckwright.outputs.picture_folder import E063, read_folder

E082 = Code("E082", Severity.WARNING, "pictures whose missing bleed was made of their edges")
E083 = Code("E083", Severity.WARNING, "pictures with something fine near to the cut")

Mend = Literal["mirror", "stretch", "none"]
"""What is done where a picture has less bleed than its sheet shows."""

_SAFE: Mm = 3
"""How far from the cut letters and frames should be: what most printers ask for."""
_LEAST_BLEED, _MOST_BLEED = 0.5, 10.0
"""What a picture can have of bleed, in mm; less is a matter of rounding."""
_PER_MM = 4
"""How many pixels to the mm are looked at near the cut."""
_SHARP = 48
"""By how much neighbouring pixels differ at the edge of a letter or a frame."""
_PART = 0.02
"""The share of the pixels near the cut that may."""
_NAMED = 3
"""How many pictures a finding names."""


class PictureCards(NamedTuple):
    """The cards of a folder of pictures.

    Attributes:
        store: holds the pictures.
    """

    path: Path
    cards: tuple[ForeignCard, ...]
    store: ImageStore


def read_pictures(folder: Path, options: PageOptions, report: Report) -> PictureCards | None:
    """Return the cards of a folder of pictures, None after reporting why there are none."""
    if options.size is None:
        message = "pictures do not say how large their cards are"
        hint = "name the size with `--size`, such as `--size 63x88` or `--size poker`"
        report.append(E063.at(Location(folder), message, hint))
        return None
    listed = read_folder(folder, options.back, report)
    if listed is None:
        return None
    before, store = len(report), ImageStore()
    faces = _Faces(options.size, report, scale=options.sheets.scale, bleed=options.bleed)
    cards: list[ForeignCard] = []
    for card in listed:
        face = faces.of(card.face)
        back = faces.of(card.back, behind=True) if card.back else None
        if face is not None:
            cards += [ForeignCard(face, back)] * (card.copies * options.copies)
    drawn = [op for face in faces.all for op in walk(face.ops) if isinstance(op, DrawImage)]
    store.prepare(drawn, report)
    if has_errors(report[before:]):
        return None
    _check_safe_zone(faces.all, folder, store, report)
    return PictureCards(folder, tuple(cards), store)


class _Faces:
    """The faces of pictures, each made once.

    Attributes:
        all: those that could be composed.
    """

    def __init__(
        self, size: tuple[Mm, Mm], report: Report, *, scale: bool, bleed: Mm | None
    ) -> None:
        """Take the size of cards.

        Args:
            scale: whether pictures of another shape are cut to that of the cards.
            bleed: how much of it pictures have; None if their shape tells.
        """
        self._size, self._report, self._scale, self._bleed = size, report, scale, bleed
        self._known: dict[tuple[Path, bool], Face | None] = {}

    @property
    def all(self) -> list[Face]:
        return [face for face in self._known.values() if face is not None]

    def of(self, path: Path, *, behind: bool = False) -> Face | None:
        """Return the face of a picture, None after reporting why there is none."""
        if (path, behind) not in self._known:
            self._known[path, behind] = self._face(path, behind=behind)
        return self._known[path, behind]

    def _face(self, path: Path, *, behind: bool) -> Face | None:
        """Return a face; a picture that lies is turned upright, so that tops are at one edge."""
        if not is_file(path):
            message = "cannot read the image: it is not a regular file"
            self._report.append(I004.at(Location(path), message))
            return None
        # What cannot be opened gets its finding when it is prepared.
        columns, rows = upright_size(path) or (round(self._size[0]), round(self._size[1]))
        width, height = self._size
        lies = (columns > rows) != (width > height) and width != height
        wide, high = (height, width) if lies else (width, height)
        bleed = self._bleed if self._bleed is not None else _bleed_of(columns / rows, wide, high)
        if bleed is None and not self._scale:
            message = (
                f"the picture has {columns} × {rows} pixels, which makes no card of "
                f"{width:g} × {height:g} mm"
            )
            hint = "name the right `--size`, or cut it to that shape with `--scale fit`"
            self._report.append(E063.at(Location(path), message, hint))
            return None
        bleed = bleed or 0
        box = Box(-bleed, -bleed, wide + 2 * bleed, high + 2 * bleed)
        drawing: DrawImage | Group = DrawImage(path, box, cover=True)
        if lies:
            turned = (0, -1, 1, 0, 0, height) if behind else (0, 1, -1, 0, width, 0)
            drawing = Group((drawing,), turned)
        return Face(
            width, height, (drawing,), bleed, f"the picture `{path.name}`", as_text(path.stem)
        )


def _bleed_of(shape: float, width: Mm, height: Mm) -> Mm | None:
    """Return how much bleed a picture has whose width is `shape` times its height.

    0 if it is shaped as its card, None if it is no picture of it. That of a square is not to be
    told, so it has none.
    """
    if abs(shape - width / height) * height <= _LEAST_BLEED:
        return 0
    if shape == 1 or width == height:
        return None
    bleed = (shape * height - width) / (2 * (1 - shape))
    return bleed if _LEAST_BLEED <= bleed <= _MOST_BLEED else None


def mend_bleed(found: PictureCards, wanted: Mm, how: Mend, report: Report) -> PictureCards:
    """Return cards that have at least so much bleed, made of the edges of their pictures.

    Args:
        wanted: how much the sheet shows, in mm of the cards.
    """
    made: dict[int, Face] = {}
    short: dict[Path, Mm] = {}

    def mend(face: Face) -> Face:
        if face.bleed >= wanted - _SLACK:
            return face
        if id(face) not in made:
            short[next(op.path for op in walk(face.ops) if isinstance(op, DrawImage))] = face.bleed
            made[id(face)] = _mend_face(face, wanted, how)
        return made[id(face)]

    cards = tuple(
        card._replace(face=mend(card.face), back=card.back and mend(card.back))
        for card in found.cards
    )
    if short and how != "none":
        done = "mirrored" if how == "mirror" else "drawn longer"
        message = (
            f"{_count_pictures(short)} {_bleed(min(short.values()))}, the sheet shows "
            f"{wanted:.2g} mm: the rest is their edges, {done}"
        )
        hint = "look at the edges in print, or choose with `--mend-bleed`"
        report.append(E082.at(Location(found.path), message, hint))
    return found._replace(cards=cards)


_SLACK: Mm = 0.05
"""Nobody sees that so much bleed is missing."""


def _mend_face(face: Face, wanted: Mm, how: Mend) -> Face:
    """Return a face with more bleed, made of the edges of its picture and not of the card's.

    Where nothing is made, it is white: sheets would make the picture larger, and so cut it.
    """
    if how == "none":
        return face._replace(bleed=wanted)
    own = face.bleed
    width, height = face.width + 2 * own, face.height + 2 * own
    whole = Face(width, height, (Group(face.ops, shifted(own, own)),))
    make = with_mirrored_bleed if how == "mirror" else with_stretched_bleed
    larger = make(whole, wanted - own)
    return face._replace(ops=(Group(larger.ops, shifted(-own, -own)),), bleed=wanted)


def _check_safe_zone(
    faces: Iterable[Face], folder: Path, store: ImageStore, report: Report
) -> None:
    """Report pictures with sharp edges near the cut, as those of letters and frames are."""
    near: dict[Path, None] = {}
    for face in faces:
        (drawing,) = (op for op in walk(face.ops) if isinstance(op, DrawImage))
        if drawing.path not in near and _is_fine_at_edges(drawing, face.bleed, store):
            near[drawing.path] = None
    if near:
        message = (
            f"{_count_pictures(near)} sharp edges less than {_SAFE:g} mm from the cut, as letters "
            "and frames have"
        )
        hint = "look whether a cut that is a little off would harm them"
        report.append(E083.at(Location(folder), message, hint))


def _is_fine_at_edges(drawing: DrawImage, bleed: Mm, store: ImageStore) -> bool:
    """Return whether a picture has much that is sharp between its cut and the safe zone."""
    from PIL import Image, ImageChops  # noqa: PLC0415 - only for pictures

    with Image.open(store.of(drawing).path) as opened:
        size = (round(drawing.box.width * _PER_MM), round(drawing.box.height * _PER_MM))
        small = opened.convert("RGB").resize(size, Image.Resampling.BOX)
    edge = round(bleed * _PER_MM)
    card = small.crop((edge, edge, small.width - edge, small.height - edge))

    def differing(right: int, down: int) -> Image.Image:
        moved = ImageChops.difference(card, ImageChops.offset(card, -right, -down))
        red, green, blue = moved.split()
        return ImageChops.lighter(ImageChops.lighter(red, green), blue)

    sharp = ImageChops.lighter(differing(1, 0), differing(0, 1))
    sharp = sharp.point(lambda value: value > _SHARP and 255)
    # `offset` wraps around: the last column and row compare opposite edges.
    sharp = sharp.crop((0, 0, card.width - 1, card.height - 1))
    within = int(_SAFE * _PER_MM)
    inner = (within, within, sharp.width - within, sharp.height - within)
    if inner[0] >= inner[2] or inner[1] >= inner[3]:
        return False
    sharp.paste(0, inner)
    ring = sharp.width * sharp.height - (inner[2] - inner[0]) * (inner[3] - inner[1])
    return sharp.histogram()[255] > _PART * ring


def _count_pictures(pictures: Iterable[Path]) -> str:
    """Return pictures as the subject of a sentence, and that they have something."""
    names = [path.name for path in pictures]
    shown = ", ".join(f"`{name}`" for name in names[:_NAMED])
    if len(names) == 1:
        return f"{shown} has"
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{len(names)} pictures ({shown}{more}) have"


def _bleed(least: Mm) -> str:
    return f"{least:.2g} mm of bleed" if least else "no bleed"
