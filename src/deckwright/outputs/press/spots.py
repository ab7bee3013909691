"""Inks beside those of the print itself, such as foil, white and varnish: what each prints.

An ink is always as full as what is printed with it is opaque: its own colors do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from PIL import Image, ImageChops

from deckwright.game.spot_inks import SpotInk
from deckwright.ops.model import DrawImage, Face, Group, Op, map_ops, walk
from deckwright.ops.spots import ink_of, spot, spot_of
from deckwright.outputs.press.flatten import FlatImages
from deckwright.outputs.press.inks import FULL


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
