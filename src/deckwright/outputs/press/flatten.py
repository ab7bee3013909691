"""Faces without transparency, for services and standards that take none.

What is half transparent over one color becomes that mix of colors. What is over anything else is
drawn as pixels together with what is under it, in the box that it takes up and there alone; texts
in that box that it does not touch stay letters above it. Inks beside the print's own never become
pixels of it: they come above as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from deckwright.base.colors import mix
from deckwright.base.geometry import Box
from deckwright.images.store import ImageStore, Prepared
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, FillPath, Group, Op, StrokePath, walk
from deckwright.ops.spots import ink_of
from deckwright.outputs.press.leaves import Leaf, leaves
from deckwright.text.shaping import Metrics

_PAPER = "#ffffff"


class FlatImages(ImageStore):
    """Prepared images, and pictures of parts of faces, which are files in `folder`."""

    def __init__(self, prepared: ImageStore, folder: Path) -> None:
        """Add to the images that `prepared` holds."""
        super().__init__()
        self._before = prepared
        self._folder = folder
        self._pictures: dict[Path, Prepared] = {}
        self._alpha: dict[Path, bool] = {}

    def of(self, drawing: DrawImage) -> Prepared:
        """Return the prepared image of a drawing."""
        return self._pictures.get(drawing.path) or self._before.of(drawing)

    def add(self, picture: Image.Image) -> Path:
        """Keep a picture; return the path by which a drawing names it."""
        # The name may be in the PDF, so it says what the picture holds.
        shown = picture.tobytes() + f"{picture.mode}{picture.size}".encode("ascii")
        path = self._folder / f"{blake2b(shown, digest_size=16).hexdigest()}.png"
        picture.save(path, "PNG", compress_level=1)
        self._pictures[path] = Prepared(path, *picture.size)
        return path

    def forget(self, most: int = 0) -> None:
        """Forget the pictures, and remove their files, if they are more than so many."""
        if len(self._pictures) > most:
            for path in self._pictures:
                path.unlink(missing_ok=True)
                self._alpha.pop(path, None)
            self._pictures.clear()

    def is_transparent(self, drawing: DrawImage) -> bool:
        """Return whether something can be seen through an image."""
        if drawing.ink:
            return False
        path = self.of(drawing).path
        if path not in self._alpha:
            with Image.open(path) as image:
                self._alpha[path] = "A" in image.getbands() and image.getchannel(
                    "A"
                ).getextrema() != (255, 255)
        return self._alpha[path]


Draw = Callable[[Face], Image.Image]
"""Draws a face with all of its bleed."""


class Flattened(NamedTuple):
    """A face without transparency.

    Attributes:
        texts: those that became pixels.
    """

    face: Face
    texts: tuple[str, ...] = ()


def flattened(face: Face, metrics: Metrics, images: FlatImages, draw: Draw) -> Flattened:
    """Return a face without transparency that looks the same.

    Args:
        images: holds the images that the face draws.
    """
    if not _has_any(face, images):
        return Flattened(face)
    mixed: list[Leaf] = []
    for leaf in leaves(face.ops, metrics):
        mixed.append(_mixed(leaf, mixed) or leaf)
    seen_through = [number for number, leaf in enumerate(mixed) if _is_open(leaf, images)]
    if not seen_through:
        return Flattened(face._replace(ops=tuple(leaf.as_op() for leaf in mixed)))
    last = seen_through[-1] + 1
    zone, above = mixed[:last], mixed[last:]
    zone, lifted = _lifted(zone, images)
    region = _around(face, [leaf.box for leaf in zone if _is_open(leaf, images)])
    picture = draw(face._replace(ops=tuple(_drawn(leaf) for leaf in zone)))
    image = _part(picture, face, region, images)
    below = [leaf.as_op() for leaf in zone if not _is_open(leaf, images)]
    ops = (*below, image, *(leaf.as_op() for leaf in (*lifted, *above)))
    lost = (
        leaf.op.text
        for leaf in zone
        if isinstance(leaf.op, DrawGlyphs) and leaf.box.touches(image.box)
    )
    return Flattened(face._replace(ops=ops), tuple(text for text in lost if text.strip()))


def _has_any(face: Face, images: FlatImages) -> bool:
    """Return whether anything of a face may be seen through."""
    return any(
        (isinstance(op, Group) and op.opacity < 1)
        or (isinstance(op, DrawImage) and images.is_transparent(op))
        for op in walk(face.ops)
    )


def _is_open(leaf: Leaf, images: FlatImages) -> bool:
    """Return whether a leaf can be seen through."""
    return leaf.opacity < 1 or (isinstance(leaf.op, DrawImage) and images.is_transparent(leaf.op))


def _mixed(leaf: Leaf, below: Sequence[Leaf]) -> Leaf | None:
    """Return a half transparent leaf over one color as an opaque one; None for any other."""
    op = leaf.op
    color = None if isinstance(op, DrawImage) else getattr(op, "color", None)
    if leaf.opacity == 1 or not isinstance(color, str):
        return None
    ground: str | None = _PAPER
    for other in reversed(below):
        if not other.box.touches(leaf.box):
            continue
        ground = None
        if other.covers(leaf.box):
            assert isinstance(other.op, FillPath)
            ground = other.op.color if isinstance(other.op.color, str) else None
        break
    if ground is None:
        return None
    assert isinstance(op, FillPath | StrokePath | DrawGlyphs)
    return leaf._replace(op=op._replace(color=mix(ground, color, leaf.opacity)), opacity=1)


def _lifted(zone: Sequence[Leaf], images: FlatImages) -> tuple[list[Leaf], list[Leaf]]:
    """Return what must be drawn as pixels, and the texts that nothing after them touches."""
    kept: list[Leaf] = []
    lifted: list[Leaf] = []
    for leaf in reversed(zone):
        is_text = isinstance(leaf.op, DrawGlyphs) and not _is_open(leaf, images)
        is_free = is_text and not any(leaf.box.touches(other.box) for other in kept)
        if is_free or ink_of(leaf.op):
            lifted.append(leaf)
        else:
            kept.append(leaf)
    return kept[::-1], lifted[::-1]


def _drawn(leaf: Leaf) -> Op:
    """Return an op that draws a leaf with its opacity."""
    op = leaf.as_op()
    return Group((op,), opacity=leaf.opacity) if leaf.opacity < 1 else op


def _around(face: Face, boxes: Iterable[Box]) -> Box:
    """Return the box around boxes, as far as it is on the face and its bleed."""
    return Box.around(boxes).common(Box(0, 0, face.width, face.height).grown(face.bleed))


def _part(picture: Image.Image, face: Face, region: Box, images: FlatImages) -> DrawImage:
    """Return the part of a face's picture that shows a region, in whole pixels."""
    across = picture.width / (face.width + 2 * face.bleed)
    down = picture.height / (face.height + 2 * face.bleed)
    left = math.floor((region.x + face.bleed) * across)
    top = math.floor((region.y + face.bleed) * down)
    right = min(picture.width, max(left + 1, math.ceil((region.right + face.bleed) * across)))
    bottom = min(picture.height, max(top + 1, math.ceil((region.bottom + face.bleed) * down)))
    path = images.add(picture.crop((left, top, right, bottom)))
    box = Box(
        left / across - face.bleed,
        top / down - face.bleed,
        (right - left) / across,
        (bottom - top) / down,
    )
    return DrawImage(path, box, cover=False)
