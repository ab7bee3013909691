"""The plates of faces in inks as pictures, drawn one ink at a time.

A plate is the face in grays: each color is how much of the ink it has, and images are that channel
of theirs. So what is seen on it is what a press would print from the file, overprint included.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from PIL import Image, ImageChops

from deckwright.images.store import ImageStore, Prepared
from deckwright.ops.model import DrawImage, Face, FillPath, Gradient, Group, Op
from deckwright.ops.spots import ink_of, spot_of
from deckwright.outputs.press.inks import FULL
from deckwright.paint.raster import Raster, draw
from deckwright.text.fonts import Font

FOUR = ("cyan", "magenta", "yellow", "black")
"""The inks of the print itself, in the order in which colors have them."""


def plates(
    faces: Iterable[Face],
    inks: Iterable[str],
    fonts: Mapping[str, Font],
    images: ImageStore,
    folder: Path,
    raster: Raster,
) -> Iterator[dict[str, Image.Image]]:
    """Yield the plates of each face by ink: 255 where the ink is full, 0 where there is none.

    Args:
        faces: in inks, as `inked` makes them.
        inks: the ids of inks beside the four that they may have.
        images: theirs, in inks.
        folder: where images are kept on the way.
    """
    names, faces = (*FOUR, *inks), list(faces)

    def drawn(ink: str) -> Iterator[Image.Image]:
        channels = _Channels(images, folder, ink)
        return draw((_plate(face, ink, channels) for face in faces), fonts, channels, raster)

    for pictures in zip(*map(drawn, names), strict=True):
        grays = (ImageChops.invert(picture.convert("L")) for picture in pictures)
        yield dict(zip(names, grays, strict=True))


def _plate(face: Face, ink: str, channels: _Channels) -> Face:
    return face._replace(ops=tuple(_on_plate(face.ops, ink, channels, over=False)))


def _on_plate(ops: Iterable[Op], ink: str, channels: _Channels, *, over: bool) -> Iterator[Op]:
    """Yield what ops leave on a plate; what is printed over others, and has nothing of it, nothing.

    Args:
        over: whether they are printed over what is below them.
    """
    for op in ops:
        if isinstance(op, Group):
            inner = _on_plate(op.ops, ink, channels, over=over or op.overprint)
            yield op._replace(ops=tuple(inner), overprint=False)
        elif isinstance(op, DrawImage):
            if not over or (op.ink and spot_of(op.ink)[0] == ink):
                yield op._replace(path=channels.add(op), ink="")
        elif isinstance(op, FillPath) and isinstance(op.color, Gradient):
            stops = tuple((at, _gray(_share(color, ink))) for at, color in op.color.stops)
            yield op._replace(color=op.color._replace(stops=stops))
        else:
            assert isinstance(op.color, str)
            share = _share(op.color, ink)
            if share or not over:
                yield op._replace(color=_gray(share))


def _share(color: str, ink: str) -> float:
    """Return how much of an ink a color has, from 0 to 1."""
    if color.startswith("@"):
        ink_id, share = spot_of(color)
        return share if ink_id == ink else 0
    return float(color.split(" ")[FOUR.index(ink)]) if ink in FOUR else 0


def _gray(share: float) -> str:
    return "#" + f"{round((1 - share) * FULL):02x}" * 3


class _Channels(ImageStore):
    """Images as one ink of theirs, files in `folder` that stand for them."""

    def __init__(self, inked: ImageStore, folder: Path, ink: str) -> None:
        """Take the images in inks."""
        super().__init__()
        self._inked = inked
        self._folder = folder
        self._ink = ink
        self._files: dict[tuple[Path, str], Path] = {}
        self._made: dict[Path, Prepared] = {}

    def add(self, drawing: DrawImage) -> Path:
        """Make the plate of an image; return its file."""
        before = self._inked.of(drawing)
        key = before.path, drawing.ink
        if key not in self._files:
            path = self._files[key] = self._plate(drawing, before)
            self._made[path] = before._replace(path=path, alpha=None)
        return self._files[key]

    def of(self, drawing: DrawImage) -> Prepared:
        """Return a plate that was made."""
        return self._made[drawing.path]

    def _plate(self, drawing: DrawImage, inked: Prepared) -> Path:
        with Image.open(inked.path) as opened:
            bands = opened.split()
        nothing = Image.new("L", bands[0].size, 0)
        if ink_of(drawing):
            channel = bands[0] if spot_of(drawing.ink)[0] == self._ink else nothing
            alpha: Image.Image | None = bands[0]
        else:
            channel = bands[FOUR.index(self._ink)] if self._ink in FOUR else nothing
            alpha = None
        if inked.alpha is not None:
            with Image.open(inked.alpha) as opened:
                alpha = opened.convert("L")
        gray = ImageChops.invert(channel)
        made = gray if alpha is None else Image.merge("RGBA", (gray, gray, gray, alpha))
        name = hashlib.blake2b(made.tobytes(), digest_size=16).hexdigest()
        target = self._folder / f"{name}-{self._ink}.png"
        made.save(target, "PNG", compress_level=1)
        return target
