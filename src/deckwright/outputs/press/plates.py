"""Faces in inks: their colors, gradients and images in CMYK.

Colors of ops become strings of four shares, `0 0 0 1` for black, which the painter writes as they
are.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Container, Iterable, Iterator
from itertools import groupby
from pathlib import Path

from PIL import Image

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
)
from deckwright.ops.spots import ink_of
from deckwright.outputs.press.inks import FULL, Cmyk, Inks
from deckwright.outputs.press.overprint import line_inks, with_steps
from deckwright.outputs.press.spots import plate_of

_QUALITY = 92
_HEADROOM = (0, 4, 8, 14)
"""Percents of ink by which a photo stays below the limit, so that JPEG does not exceed it."""


def inked(face: Face, inks: Inks, over: Container[int]) -> Face:
    """Return a face whose colors are inks; its images are those of `InkedImages`.

    Args:
        over: the ids of the ops that are printed over what is below them, without a gap: so no
            white shows beside them where the inks are a hair off their places.
    """
    return face._replace(ops=tuple(_inked(face.ops, inks, over)))


def _inked(ops: Iterable[Op], inks: Inks, over: Container[int]) -> Iterator[Op]:
    """Yield ops in inks; of those that are printed over others, neighbours share a group."""
    for is_over, some in groupby(ops, lambda op: id(op) in over):
        made = (_inked_op(op, inks, over) for op in some)
        yield from [Group(tuple(made), overprint=True)] if is_over else made


def _inked_op(op: Op, inks: Inks, over: Container[int]) -> Op:
    if isinstance(op, Group):
        return op._replace(ops=tuple(_inked(op.ops, inks, over)))
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
