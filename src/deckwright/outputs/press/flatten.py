"""Flatten transparency for services and standards that do not allow it.

Translucent content over a single color becomes the mixed color. Over anything else it is rasterized
together with what is below, but only in its bounding box; texts that it does not touch stay letters
on top. Spot inks are never rasterized and go on top as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from deckwright.base.colors import mix
from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import Mm
from deckwright.images.store import ImageStore, PreparedImage
from deckwright.ops import outlines
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Group,
    Op,
    Outline,
    StrokePath,
    ink_of,
    is_spot,
    map_ops,
    walk,
)
from deckwright.ops.outlines import scale_and_move
from deckwright.text.shaping import Metrics, bounding_box


class FlatOp(NamedTuple):
    """An op without its groups.

    Attributes:
        groups: the enclosing groups, outermost first, without their children.
        opacity: their combined opacity.
        box: the bounds of its visible part on the face.
    """

    op: Op
    groups: tuple[Group, ...]
    opacity: float
    box: Box

    @property
    def scale(self) -> float:
        """The enlargement from its own coordinates to the face."""
        return math.prod(group.scale for group in self.groups)

    def as_op(self) -> Op:
        """Return an op that draws this one alone and opaque, in its groups."""
        drawn = self.op
        for group in reversed(self.groups):
            drawn = group._replace(ops=(drawn,), opacity=1)
        return drawn

    def covers(self, box: Box) -> bool:
        """Return whether it certainly covers a box, with no spot ink.

        Only convex shapes and clips count. Curves are taken as straight lines, which errs on the
        side of not covered.
        """
        if self.opacity < 1 or not isinstance(self.op, FillPath):
            return False
        own = self.box.expand(_ROUNDING_TOLERANCE)
        if own.x > box.x or own.y > box.y or own.right < box.right or own.bottom < box.bottom:
            return False
        if any(map(is_spot, self.op.colors)):
            return False
        matrix, shapes = IDENTITY, list[Outline]()
        for group in self.groups:
            matrix = group.inner_matrix(matrix)
            if group.clip:
                shapes.append(outlines.transform_outline(group.clip, matrix))
        shapes.append(outlines.transform_outline(self.op.outline, matrix))
        corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
        return all(_surrounds(shape, corner) for shape in shapes for corner in corners)


def flat_ops(
    ops: Iterable[Op],
    metrics: Metrics,
    around: tuple[Group, ...] = (),
    opacity: float = 1,
    matrix: Matrix = IDENTITY,
    clip: Box | None = None,
) -> Iterator[FlatOp]:
    """Yield the ops without groups, in drawing order, from within the groups `around` them."""
    for op in ops:
        if isinstance(op, Group):
            inner = op.inner_matrix(matrix)
            bounds = outlines.bounds_of(op.clip, inner) if op.clip else clip
            if op.clip and bounds and clip:
                bounds = bounds.intersection(clip)
            has_effect = op.matrix is not None or op.clip is not None
            groups = (*around, op._replace(ops=())) if has_effect else around
            yield from flat_ops(op.ops, metrics, groups, opacity * op.opacity, inner, bounds)
            continue
        box = bounding_box(op, matrix, metrics)
        yield FlatOp(op, around, opacity, box.intersection(clip) if clip else box)


def _surrounds(outline: Outline, point: tuple[Mm, Mm]) -> bool:
    """Return whether a point is in a convex outline of one part; False for any other outline."""
    if sum(step[0] == "M" for step in outline) != 1:
        return False
    ends = [(float(step[-2]), float(step[-1])) for step in outline if len(step) > 1]
    left = right = False
    for (x0, y0), (x1, y1), (x2, y2) in zip(
        ends, ends[1:] + ends[:1], ends[2:] + ends[:2], strict=True
    ):
        bend = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
        side = (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)
        left |= bend > _ROUNDING_TOLERANCE or side > _ROUNDING_TOLERANCE
        right |= bend < -_ROUNDING_TOLERANCE or side < -_ROUNDING_TOLERANCE
    return left != right


_ROUNDING_TOLERANCE = 1e-3
"""The tolerance for rounding errors, too small to show in print."""


_PAPER_COLOR = "#ffffff"


class FlatImages(ImageStore):
    """Prepared images, plus rasterized parts of faces as files in `folder`."""

    def __init__(self, prepared: ImageStore, folder: Path) -> None:
        """Extend the images of `prepared`."""
        super().__init__()
        self._before = prepared
        self._folder = folder
        self._pictures: dict[Path, PreparedImage] = {}
        self._alpha: dict[Path, bool] = {}

    def get(self, drawing: DrawImage) -> PreparedImage:
        """Return the prepared image of a drawing."""
        return self._pictures.get(drawing.path) or self._before.get(drawing)

    def add(self, picture: Image.Image) -> Path:
        """Save a picture and return its path."""
        # The name may end up in the PDF, so it is a digest of the picture.
        shown = picture.tobytes() + f"{picture.mode}{picture.size}".encode("ascii")
        path = self._folder / f"{blake2b(shown, digest_size=16).hexdigest()}.png"
        picture.save(path, "PNG", compress_level=1)
        self._pictures[path] = PreparedImage(path, *picture.size)
        return path

    def forget(self, limit: int = 0) -> None:
        """Remove the pictures and their files if there are more than a number of them."""
        if len(self._pictures) > limit:
            for path in self._pictures:
                path.unlink(missing_ok=True)
                self._alpha.pop(path, None)
            self._pictures.clear()

    def is_transparent(self, drawing: DrawImage) -> bool:
        """Return whether an image is translucent anywhere."""
        if drawing.ink:
            return False
        path = self.get(drawing).path
        if path not in self._alpha:
            with Image.open(path) as image:
                self._alpha[path] = "A" in image.getbands() and image.getchannel(
                    "A"
                ).getextrema() != (255, 255)
        return self._alpha[path]


Draw = Callable[[Face], Image.Image]
"""Renders a face with its full bleed."""


def flatten_face(
    face: Face, metrics: Metrics, images: FlatImages, draw: Draw
) -> tuple[Face, tuple[str, ...]]:
    """Return a face without transparency that looks the same, and the texts that are pixels now."""
    if not any(
        (isinstance(op, Group) and op.opacity < 1)
        or (isinstance(op, DrawImage) and images.is_transparent(op))
        for op in walk(face.ops)
    ):
        return face, ()
    mixed: list[FlatOp] = []
    for leaf in flat_ops(face.ops, metrics):
        mixed.append(_mix_with_ground(leaf, mixed) or leaf)
    seen_through = [number for number, leaf in enumerate(mixed) if _is_translucent(leaf, images)]
    if not seen_through:
        return face._replace(ops=tuple(leaf.as_op() for leaf in mixed)), ()
    last = seen_through[-1] + 1
    above, zone, lifted = mixed[last:], list[FlatOp](), list[FlatOp]()
    # Texts that no later op touches go on top of the picture, and so do spot inks.
    for leaf in reversed(mixed[:last]):
        is_text = isinstance(leaf.op, DrawGlyphs) and not _is_translucent(leaf, images)
        is_free = is_text and not any(leaf.box.touches(other.box) for other in zone)
        (lifted if is_free or ink_of(leaf.op) else zone).append(leaf)
    zone.reverse()
    lifted.reverse()
    region = Box.around(leaf.box for leaf in zone if _is_translucent(leaf, images))
    region = region.intersection(Box(0, 0, face.width, face.height).expand(face.bleed))
    drawn = (
        Group((leaf.as_op(),), opacity=leaf.opacity) if leaf.opacity < 1 else leaf.as_op()
        for leaf in zone
    )
    picture = draw(face._replace(ops=tuple(drawn)))
    image = _crop_picture(picture, face, region, images)
    below = [leaf.as_op() for leaf in zone if not _is_translucent(leaf, images)]
    ops = (*below, image, *(leaf.as_op() for leaf in (*lifted, *above)))
    lost = (
        leaf.op.text
        for leaf in zone
        if isinstance(leaf.op, DrawGlyphs) and leaf.box.touches(image.box)
    )
    return face._replace(ops=ops), tuple(text for text in lost if text.strip())


def _is_translucent(leaf: FlatOp, images: FlatImages) -> bool:
    return leaf.opacity < 1 or (isinstance(leaf.op, DrawImage) and images.is_transparent(leaf.op))


def _mix_with_ground(leaf: FlatOp, below: Sequence[FlatOp]) -> FlatOp | None:
    """Return a translucent op over a single color as an opaque one; None for any other."""
    op = leaf.op
    color = None if isinstance(op, DrawImage) else getattr(op, "color", None)
    if leaf.opacity == 1 or not isinstance(color, str):
        return None
    ground: str | None = _PAPER_COLOR
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


def _crop_picture(picture: Image.Image, face: Face, region: Box, images: FlatImages) -> DrawImage:
    """Crop a face's picture to a region, rounded outwards to whole pixels."""
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


def outline_texts(face: Face, metrics: Metrics) -> Face:
    """Return a face with its texts as outlines."""

    def change(op: Op) -> Op | None:
        if isinstance(op, Group):
            # An alternative text would need letters of a font.
            return op._replace(alt="")
        if isinstance(op, DrawGlyphs):
            outline = metrics.outline(op)
            return (
                FillPath(scale_and_move(outline, op.x, op.y, op.size), op.color)
                if outline
                else None
            )
        return op

    return face._replace(ops=map_ops(face.ops, change))
