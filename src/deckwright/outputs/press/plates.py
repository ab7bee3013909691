"""Convert faces to inks: colors, gradients and images in CMYK.

Colors of ops become strings of four shares, such as `0 0 0 1` for black, which the painter writes
unchanged.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops

from deckwright.base.colors import contrast, mix
from deckwright.base.units import Mm
from deckwright.game.setup import SpotInk
from deckwright.images.store import ImageStore, PreparedImage
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    StrokePath,
    ink_of,
    map_ops,
    parse_spot,
    spot_color,
    walk,
)
from deckwright.outputs.press.flatten import FlatImages, FlatOp, flat_ops
from deckwright.outputs.press.inks import FULL_INK, Cmyk, InkConverter
from deckwright.text.shaping import Metrics


def used_inks(faces: Iterable[Face]) -> list[str]:
    """Return the ids of the spot inks of faces."""
    ink_ids = {
        op.ink: None for f in faces for op in walk(f.ops) if isinstance(op, Group) and op.ink
    }
    return sorted(ink_ids)


def in_own_colors(face: Face, inks: Mapping[str, SpotInk]) -> Face:
    """Return a face as printed without spot inks: visible ones in their own colors."""

    def change(op: Op) -> Op | None:
        if isinstance(op, Group) and op.ink:
            return op._replace(ink="") if inks[op.ink].is_visible else None
        return op

    return face._replace(ops=map_ops(face.ops, change)) if used_inks([face]) else face


def separate_inks(face: Face, inks: Mapping[str, SpotInk]) -> Face:
    """Return a face whose spot ink ops have the ink as their color, those on top of all last."""
    if not used_inks([face]):
        return face
    below, above = list[Op](), list[Op]()
    for op, ink_id in _split_by_ink(face.ops, "", 1):
        (above if ink_id and inks[ink_id].overprints else below).append(op)
    return face._replace(ops=(*below, *above))


def remove_inks(face: Face) -> Face:
    """Return a face without its spot ink ops."""

    def change(op: Op) -> Op | None:
        return None if isinstance(op, Group) and op.ink else op

    return face._replace(ops=map_ops(face.ops, change))


def make_mask(face: Face, ink_id: str, black: Callable[[float], str], images: FlatImages) -> Face:
    """Return the mask of a spot ink: black where it is printed.

    Args:
        black: returns the color for a share of ink.
        images: the images of the face, which receive their masks.
    """

    def change(op: Op) -> Op:
        color = ink_of(op)
        if not color or isinstance(op, Group):
            return op
        if isinstance(op, DrawImage):
            plate = make_plate(images.get(op).path, color)
            return op._replace(path=images.add(ImageChops.invert(plate)), ink="")
        return op._replace(color=black(parse_spot(color)[1]))

    parts = (op for op, own in _split_by_ink(face.ops, "", 1) if own == ink_id)
    return face._replace(ops=map_ops(parts, change), subject=f"{face.subject}, `{ink_id}`")


def gray(share: float) -> str:
    """Return the gray in RGB for a share of ink."""
    return "#" + f"{round((1 - share) * FULL_INK):02x}" * 3


def black_ink(share: float) -> str:
    """Return the black in CMYK for a share of ink."""
    return f"0 0 0 {share:g}"


def make_plate(path: Path, color: str) -> Image.Image:
    """Return an image as the plate of one ink, with 255 for full ink.

    The plate is the alpha channel, or the darkness of a fully opaque image.
    """
    _, share = parse_spot(color)
    with Image.open(path) as opened:
        whole = opened.convert("RGBA")
    inked = whole.getchannel("A")
    if inked.getextrema() == (FULL_INK, FULL_INK):
        inked = ImageChops.invert(whole.convert("L"))
    return inked.point(lambda value: value * share)


def _split_by_ink(ops: Iterable[Op], ink_id: str, opacity: float) -> Iterator[tuple[Op, str]]:
    """Split ops by ink; yield them with the id of their ink, or "".

    Ink and opacity are inherited from the enclosing groups.
    """
    for op in ops:
        if not isinstance(op, Group):
            if not ink_id:
                yield op, ""
            elif isinstance(op, DrawImage):
                yield op._replace(ink=spot_color(ink_id, opacity)), ink_id
            else:
                yield op._replace(color=spot_color(ink_id, opacity)), ink_id
            continue
        inner = ink_id or op.ink
        if not inner and not any(isinstance(o, Group) and o.ink for o in walk(op.ops)):
            yield op, ""
            continue
        # Opacity becomes the share of spot inks, and stays in the groups of all else.
        shell = op._replace(ink="", alt="")
        for part, own in _split_by_ink(op.ops, inner, opacity * op.opacity):
            yield shell._replace(ops=(part,), opacity=1 if own else op.opacity), own


MAX_THIN_LINE: Mm = 0.5
"""Lines thinner than this are printed like texts, in pure black if they are dark."""
_MIN_SHAPE_CONTRAST = 4.5
"""The contrast with all below it from which a small dark shape is as sharp as a letter."""
_BLACK: Cmyk = (0, 0, 0, FULL_INK)
_GRADIENT_STEPS = 8
"""The number of steps of a gradient, which is interpolated in RGB rather than in inks."""


class BlackOps(NamedTuple):
    """The ids of ops in black ink.

    Attributes:
        over: those that overprint what is below them.
        shapes: shapes printed like texts, such as symbols and the modules of codes.
    """

    over: frozenset[int]
    shapes: frozenset[int]


def find_black(
    face: Face, inks: InkConverter, metrics: Metrics, top: Collection[str] = ()
) -> BlackOps:
    """Return the ops that overprint, and the shapes that are printed like texts.

    Texts and lines in pure black overprint if the ground leaves room for their ink within the
    limit. Otherwise, and over images, they knock out.

    Args:
        top: the ids of spot inks that always overprint.
    """
    over, gap, shapes, areas = set[int](), set[int](), set[int](), set[int]()
    below: list[FlatOp] = []
    for leaf in flat_ops(face.ops, metrics):
        op = leaf.op
        if named := ink_of(op):
            if parse_spot(named)[0] in top:
                over.add(id(op))
            continue
        own = None
        if isinstance(op, DrawGlyphs | StrokePath):
            own = line_inks(op, inks, leaf.scale)
        elif isinstance(op, FillPath) and isinstance(op.color, str):
            is_text = _is_like_text(leaf, op.color, below, inks)
            (shapes if is_text else areas).add(id(op))
            own = inks.convert_text(op.color, small=True) if is_text else None
        if own == _BLACK:
            # Pure black leaves room for more black, so it does not count as ground.
            (over if _has_room(leaf, below, inks) else gap).add(id(op))
        else:
            below.append(leaf)
    # The same op may be drawn at several places.
    return BlackOps(frozenset(over - gap), frozenset(shapes - areas))


def _is_like_text(leaf: FlatOp, color: str, below: Sequence[FlatOp], inks: InkConverter) -> bool:
    """Return whether a shape is dark, and part of a code or as small and plain as a letter."""
    is_code = any(group.module for group in leaf.groups)
    is_small = max(leaf.box.width, leaf.box.height) < inks.small_text and leaf.opacity == 1
    if not (is_code or is_small) or not inks.is_black(color):
        return False
    return is_code or all(
        isinstance(ground.op, FillPath)
        and all(contrast(color, one) >= _MIN_SHAPE_CONTRAST for one in ground.op.colors)
        for ground in _grounds(leaf, below)
    )


def add_stops(gradient: Gradient) -> Gradient:
    """Return an RGB gradient with additional stops for conversion to inks."""
    stops: list[tuple[float, str]] = []
    for (start, first), (end, second) in zip(gradient.stops, gradient.stops[1:], strict=False):
        parts = [step / _GRADIENT_STEPS for step in range(_GRADIENT_STEPS)] if end > start else [0]
        stops += ((start + (end - start) * part, mix(first, second, part)) for part in parts)
    return gradient._replace(stops=(*stops, gradient.stops[-1]))


def line_inks(op: DrawGlyphs | StrokePath, inks: InkConverter, scale: float) -> Cmyk:
    """Return the inks of a text or a line, whose coordinates are enlarged by `scale` on paper."""
    if isinstance(op, DrawGlyphs):
        return inks.convert_text(op.color, small=op.size * scale < inks.small_text)
    if op.width * scale >= MAX_THIN_LINE:
        return inks.convert_color(op.color).cmyk
    return inks.convert_text(op.color, small=True)


def _grounds(leaf: FlatOp, below: Sequence[FlatOp]) -> Iterator[FlatOp]:
    """Yield the ops that are visible below another one, the nearest first."""
    for other in reversed(below):
        if other.box.touches(leaf.box):
            yield other
            if other.covers(leaf.box):
                return


def _has_room(leaf: FlatOp, below: Sequence[FlatOp], inks: InkConverter) -> bool:
    """Return whether full black fits within the limit on everything visible below an op."""
    for other in _grounds(leaf, below):
        match other.op:
            case DrawGlyphs() | StrokePath() as line:
                on = [line_inks(line, inks, other.scale)]
            case FillPath(color=Gradient() as gradient):
                on = [inks.convert_color(color).cmyk for _, color in add_stops(gradient).stops]
            case FillPath(color=str() as color):
                on = [inks.convert_color(color).cmyk]
            case _:
                return False
        colored = max(sum(cmyk[:3]) for cmyk in on)
        if (colored + FULL_INK) * 100 > inks.limit * FULL_INK:
            return False
    return True


_QUALITY = 92
_HEADROOM = (0, 4, 8, 14)
"""Safety margins below the limit in percent, so that JPEG artifacts do not exceed it."""


def convert_to_inks(
    face: Face, inks: InkConverter, metrics: Metrics, top: Collection[str] = ()
) -> Face:
    """Convert the colors of a face to inks; its images are those of `InkedImages`.

    Some ops overprint, so that no white shows when the inks are slightly out of register.

    Args:
        top: the ids of spot inks that always overprint.
    """
    black = find_black(face, inks, metrics, top)
    return face._replace(ops=tuple(_convert_ops(face.ops, inks, black, 1)))


def _convert_ops(
    ops: Iterable[Op], inks: InkConverter, black: BlackOps, scale: float
) -> Iterator[Op]:
    """Yield ops in inks; adjacent overprinting ops share a group."""
    for is_over, some in groupby(ops, lambda op: id(op) in black.over):
        converted = (_convert_op(op, inks, black, scale) for op in some)
        yield from [Group(tuple(converted), overprint=True)] if is_over else converted


def _convert_op(op: Op, inks: InkConverter, black: BlackOps, scale: float) -> Op:
    if isinstance(op, Group):
        return op._replace(ops=tuple(_convert_ops(op.ops, inks, black, scale * op.scale)))
    if ink_of(op):
        return op
    if isinstance(op, FillPath):
        color = op.color
        if not isinstance(color, Gradient):
            is_text = id(op) in black.shapes
            own = inks.convert_text(color, small=True) if is_text else None
            return op._replace(color=format_shares(own or inks.convert_color(color).cmyk))
        stops = tuple(
            (place, format_shares(inks.convert_color(own).cmyk))
            for place, own in add_stops(color).stops
        )
        return op._replace(color=color._replace(stops=stops))
    if isinstance(op, StrokePath | DrawGlyphs):
        return op._replace(color=format_shares(line_inks(op, inks, scale)))
    return op


def format_shares(cmyk: Cmyk) -> str:
    """Return inks as shares from 0 to 1, rounded down so that no limit is exceeded."""
    return " ".join(f"{ink * 1000 // FULL_INK / 1000:g}" for ink in cmyk)


class InkedImages(ImageStore):
    """Images of another store converted to inks, as files in `folder`.

    They are in CMYK with separate alpha, or in a spot ink.
    """

    def __init__(self, prepared: ImageStore, folder: Path, inks: InkConverter) -> None:
        """Convert images on demand."""
        super().__init__()
        self._before = prepared
        self._folder = folder
        self._inks = inks
        self._images: dict[tuple[Path, str], PreparedImage] = {}

    def get(self, drawing: DrawImage) -> PreparedImage:
        """Return the image of a drawing in inks."""
        before, share = self._before.get(drawing), drawing.ink
        key = before.path, share
        if key not in self._images:
            self._images[key] = (
                self._save_channel(make_plate(before.path, share))
                if share
                else self._convert(before.path)
            )
        return self._images[key]

    def forget(self, limit: int = 0) -> None:
        """Remove the images and their files if there are more than a number of them."""
        if len(self._images) > limit:
            for image in self._images.values():
                image.path.unlink(missing_ok=True)
                if image.alpha is not None:
                    image.alpha.unlink(missing_ok=True)
            self._images.clear()

    def _save_channel(self, image: Image.Image) -> PreparedImage:
        name = hashlib.blake2b(image.tobytes() + bytes(str(image.size), "ascii"), digest_size=16)
        target = self._folder / f"{name.hexdigest()}.tif"
        image.save(target, "TIFF", compression="raw")
        return PreparedImage(target, *image.size)

    def _convert(self, path: Path) -> PreparedImage:
        """Convert an image to CMYK: photos as JPEG, anything else losslessly."""
        with Image.open(path) as opened:
            image = opened.convert("RGB")
            alpha = opened.getchannel("A") if "A" in opened.getbands() else None
            if alpha is not None and alpha.getextrema() == (FULL_INK, FULL_INK):
                alpha = None
        for headroom in _HEADROOM if path.suffix == ".jpg" else ():
            buffer, ending = io.BytesIO(), "jpg"
            self._inks.convert_image(image, headroom).save(buffer, "JPEG", quality=_QUALITY)
            with Image.open(buffer) as decoded:
                if self._inks.keeps_limit(decoded):
                    break
        else:
            buffer, ending = io.BytesIO(), "tif"
            self._inks.convert_image(image).save(buffer, "TIFF", compression="raw")
        data = buffer.getvalue()
        # The name ends up in the PDF, so it is a digest of the image, for reproducible output.
        name = hashlib.blake2b(data, digest_size=16).hexdigest()
        target = self._folder / f"{name}.{ending}"
        target.write_bytes(data)
        through = None if alpha is None else self._save_channel(alpha).path
        return PreparedImage(target, *image.size, through)
