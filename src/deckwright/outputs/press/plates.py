"""Faces in inks: their colors, gradients and images in CMYK.

Colors of ops become strings of four shares, `0 0 0 1` for black, which the painter writes as they
are.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from PIL import Image, ImageChops

from deckwright.base.colors import mix
from deckwright.base.units import Mm
from deckwright.game.setup import SpotInk
from deckwright.images.store import ImageStore, Prepared
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
    spot,
    spot_of,
    walk,
)
from deckwright.outputs.press.flatten import FlatImages, Leaf, leaves
from deckwright.outputs.press.inks import FULL, Cmyk, Inks
from deckwright.text.shaping import Metrics


def used_inks(faces: Iterable[Face]) -> list[str]:
    """Return the ids of the inks that faces are printed with, as their elements say."""
    found = {op.ink: None for f in faces for op in walk(f.ops) if isinstance(op, Group) and op.ink}
    return sorted(found)


def in_own_colors(face: Face, inks: Mapping[str, SpotInk]) -> Face:
    """Return a face as it is printed without these inks, as `finishing` has it."""

    def change(op: Op) -> Op | None:
        if isinstance(op, Group) and op.ink:
            return op._replace(ink="") if inks[op.ink].seen else None
        return op

    return face._replace(ops=map_ops(face.ops, change)) if used_inks([face]) else face


def separated(face: Face, inks: Mapping[str, SpotInk]) -> Face:
    """Return a face whose ops that are printed with an ink name it as their color.

    Those that go on top of everything come last.
    """
    if not used_inks([face]):
        return face
    below, above = list[Op](), list[Op]()
    for op, ink_id in _parts(face.ops, "", 1):
        (above if ink_id and inks[ink_id].over else below).append(op)
    return face._replace(ops=(*below, *above))


def artwork(face: Face) -> Face:
    """Return a face without all that is printed with such inks."""

    def change(op: Op) -> Op | None:
        return None if isinstance(op, Group) and op.ink else op

    return face._replace(ops=map_ops(face.ops, change))


def mask(face: Face, ink_id: str, black: Callable[[float], str], images: FlatImages) -> Face:
    """Return a face that has black where an ink is printed; paper elsewhere.

    Args:
        black: gives the color for how full the ink is.
        images: holds the images that the face draws, and is given their masks.
    """

    def change(op: Op) -> Op:
        color = ink_of(op)
        if not color or isinstance(op, Group):
            return op
        if isinstance(op, DrawImage):
            plate = plate_of(images.of(op).path, color)
            return op._replace(path=images.add(ImageChops.invert(plate)), ink="")
        return op._replace(color=black(spot_of(color)[1]))

    parts = (op for op, own in _parts(face.ops, "", 1) if own == ink_id)
    return face._replace(ops=map_ops(parts, change), subject=f"{face.subject}, `{ink_id}`")


def gray(share: float) -> str:
    """Return the gray of pixels that stands for how full an ink is."""
    return "#" + f"{round((1 - share) * FULL):02x}" * 3


def black_ink(share: float) -> str:
    """Return the black of a plate that stands for how full an ink is."""
    return f"0 0 0 {share:g}"


def plate_of(path: Path, color: str) -> Image.Image:
    """Return an image as one ink, 255 where that is full.

    It is where the image is opaque; or, if it is opaque everywhere, where it is dark.
    """
    _, share = spot_of(color)
    with Image.open(path) as opened:
        whole = opened.convert("RGBA")
    inked = whole.getchannel("A")
    if inked.getextrema() == (FULL, FULL):
        inked = ImageChops.invert(whole.convert("L"))
    return inked.point(lambda value: value * share)


def _parts(ops: Iterable[Op], ink_id: str, opacity: float) -> Iterator[tuple[Op, str]]:
    """Yield ops, those with an ink apart from the others, each with the ink's id or "".

    Args:
        ink_id, opacity: of the groups around that say something of these.
    """
    for op in ops:
        if not isinstance(op, Group):
            yield (_inked(op, ink_id, opacity) if ink_id else op), ink_id
            continue
        inner = ink_id or op.ink
        if not inner and not any(isinstance(o, Group) and o.ink for o in walk(op.ops)):
            yield op, ""
            continue
        # How far it covers things is in the colors of what is inked, and in the groups of all else.
        shell = op._replace(ink="", alt="")
        for part, own in _parts(op.ops, inner, opacity * op.opacity):
            yield shell._replace(ops=(part,), opacity=1 if own else op.opacity), own


def _inked(op: Op, ink_id: str, share: float) -> Op:
    color = spot(ink_id, share)
    if isinstance(op, DrawImage):
        return op._replace(ink=color)
    assert not isinstance(op, Group)
    return op._replace(color=color)


THIN: Mm = 0.5
"""Lines thinner than this are printed as texts are, with black alone where they are dark."""
_BLACK: Cmyk = (0, 0, 0, FULL)
_STEPS = 8
"""Into how many parts a gradient is cut: its colors run as they do in RGB, inks would differ."""


def overprinting(
    face: Face, inks: Inks, metrics: Metrics, top: Collection[str] = ()
) -> frozenset[int]:
    """Return the ids of the ops that are printed over what is below them.

    These are texts and lines of full black alone, as far as the ground leaves room for their ink
    within the limit. Where it does not, or is an image, they get a gap.

    Args:
        top: the ids of the inks beside the four of which all is printed so.
    """
    over, gap = set[int](), set[int]()
    below: list[Leaf] = []
    for leaf in leaves(face.ops, metrics):
        op = leaf.op
        if named := ink_of(op):
            if spot_of(named)[0] in top:
                over.add(id(op))
        elif isinstance(op, DrawGlyphs | StrokePath) and line_inks(op, inks) == _BLACK:
            # Black alone leaves room for more black, so these are not looked at again.
            (over if _has_room(leaf, below, inks) else gap).add(id(op))
        else:
            below.append(leaf)
    # The same op may be drawn at several places.
    return frozenset(over - gap)


def with_steps(gradient: Gradient) -> Gradient:
    """Return a gradient in RGB with the stops that it has in inks."""
    stops: list[tuple[float, str]] = []
    for (start, first), (end, second) in zip(gradient.stops, gradient.stops[1:], strict=False):
        parts = [step / _STEPS for step in range(_STEPS)] if end > start else [0]
        stops += ((start + (end - start) * part, mix(first, second, part)) for part in parts)
    return gradient._replace(stops=(*stops, gradient.stops[-1]))


def line_inks(op: DrawGlyphs | StrokePath, inks: Inks) -> Cmyk:
    """Return the inks of a text or a line."""
    if isinstance(op, StrokePath) and op.width >= THIN:
        return inks.color(op.color).cmyk
    return inks.text(op.color)


def _has_room(leaf: Leaf, below: Sequence[Leaf], inks: Inks) -> bool:
    """Return whether black in full may come on top of all that is seen below a leaf."""
    for other in reversed(below):
        if not other.box.touches(leaf.box):
            continue
        if isinstance(other.op, DrawImage):
            return False
        colored = max(sum(cmyk[:3]) for cmyk in _inks_of(other.op, inks))
        if (colored + FULL) * 100 > inks.limit * FULL:
            return False
        if other.covers(leaf.box):
            return True
    return True


def _inks_of(op: Op, inks: Inks) -> list[Cmyk]:
    """Return the inks of all colors of an op."""
    if isinstance(op, DrawGlyphs | StrokePath):
        return [line_inks(op, inks)]
    assert isinstance(op, FillPath)
    if isinstance(op.color, Gradient):
        return [inks.color(color).cmyk for _, color in with_steps(op.color).stops]
    return [inks.color(op.color).cmyk]


_QUALITY = 92
_HEADROOM = (0, 4, 8, 14)
"""Percents of ink by which a photo stays below the limit, so that JPEG does not exceed it."""


def inked(face: Face, inks: Inks, over: Container[int]) -> Face:
    """Return a face whose colors are inks; its images are those of `InkedImages`.

    Args:
        over: the ids of the ops that are printed over what is below them, without a gap: so no
            white shows beside them where the inks are a hair off their places.
    """
    return face._replace(ops=tuple(_inked_plates(face.ops, inks, over)))


def _inked_plates(ops: Iterable[Op], inks: Inks, over: Container[int]) -> Iterator[Op]:
    """Yield ops in inks; of those that are printed over others, neighbours share a group."""
    for is_over, some in groupby(ops, lambda op: id(op) in over):
        made = (_inked_op(op, inks, over) for op in some)
        yield from [Group(tuple(made), overprint=True)] if is_over else made


def _inked_op(op: Op, inks: Inks, over: Container[int]) -> Op:
    if isinstance(op, Group):
        return op._replace(ops=tuple(_inked_plates(op.ops, inks, over)))
    if ink_of(op):
        return op
    if isinstance(op, FillPath):
        color = op.color
        if isinstance(color, Gradient):
            return op._replace(color=_gradient(color, inks))
        return op._replace(color=shares(inks.color(color).cmyk))
    if isinstance(op, StrokePath | DrawGlyphs):
        return op._replace(color=shares(line_inks(op, inks)))
    return op


def shares(cmyk: Cmyk) -> str:
    """Return inks as numbers from 0 to 1. They are cut off, so that no limit is exceeded."""
    return " ".join(f"{ink * 1000 // FULL / 1000:g}" for ink in cmyk)


def _gradient(gradient: Gradient, inks: Inks) -> Gradient:
    """Return a gradient in inks, with more stops."""
    stops = with_steps(gradient).stops
    return gradient._replace(
        stops=tuple((place, shares(inks.color(color).cmyk)) for place, color in stops)
    )


class InkedImages(ImageStore):
    """Images in inks, files in `folder`, made of those that another store has prepared.

    They are in CMYK, with what can be seen through them apart, or in an ink of their own.
    """

    def __init__(self, prepared: ImageStore, folder: Path, inks: Inks) -> None:
        """Make images as they are asked for."""
        super().__init__()
        self._before = prepared
        self._folder = folder
        self._inks = inks
        self._made: dict[tuple[Path, str], Prepared] = {}

    def of(self, drawing: DrawImage) -> Prepared:
        """Return the image of a drawing in inks."""
        before, share = self._before.of(drawing), drawing.ink
        made = self._made.get((before.path, share))
        if made is None:
            made = (
                self._kept(plate_of(before.path, share)) if share else self._converted(before.path)
            )
            self._made[before.path, share] = made
        return made

    def forget(self, most: int = 0) -> None:
        """Forget the images, and remove their files, if they are more than so many."""
        if len(self._made) > most:
            for made in self._made.values():
                made.path.unlink(missing_ok=True)
                if made.alpha is not None:
                    made.alpha.unlink(missing_ok=True)
            self._made.clear()

    def _kept(self, image: Image.Image) -> Prepared:
        """Return an image of one channel as a file."""
        name = hashlib.blake2b(image.tobytes() + bytes(str(image.size), "ascii"), digest_size=16)
        target = self._folder / f"{name.hexdigest()}.tif"
        image.save(target, "TIFF", compression="raw")
        return Prepared(target, *image.size)

    def _converted(self, path: Path) -> Prepared:
        """Return an image in CMYK: a photo as JPEG, anything else without loss."""
        with Image.open(path) as opened:
            image = opened.convert("RGB")
            alpha = opened.getchannel("A") if "A" in opened.getbands() else None
            if alpha is not None and alpha.getextrema() == (FULL, FULL):
                alpha = None
        data = self._photo(image) if path.suffix == ".jpg" else None
        ending = "jpg"
        if data is None:
            ending, buffer = "tif", io.BytesIO()
            self._inks.image(image).save(buffer, "TIFF", compression="raw")
            data = buffer.getvalue()
        # The name is in the PDF, so it says what the image holds, and is the same every time.
        name = hashlib.blake2b(data, digest_size=16).hexdigest()
        target = self._folder / f"{name}.{ending}"
        target.write_bytes(data)
        through = None if alpha is None else self._kept(alpha).path
        return Prepared(target, *image.size, through)

    def _photo(self, image: Image.Image) -> bytes | None:
        """Return an image as JPEG in CMYK; None if JPEG cannot keep it within the limit."""
        for headroom in _HEADROOM:
            buffer = io.BytesIO()
            self._inks.image(image, headroom).save(buffer, "JPEG", quality=_QUALITY)
            with Image.open(buffer) as decoded:
                if self._inks.keeps_limit(decoded):
                    return buffer.getvalue()
        return None
