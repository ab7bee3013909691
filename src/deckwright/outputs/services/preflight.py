"""What is checked before cards go to a print service: sizes, images, texts, fonts and inks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.base.geometry import Box
from deckwright.base.numbers import counted
from deckwright.base.units import PER_UNIT, Mm, pixels
from deckwright.faces.copies import Side
from deckwright.images.store import PRINT_DPI, ImageStore
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Group,
    Op,
    StrokePath,
    walk,
)
from deckwright.ops.spots import ink_of
from deckwright.outputs.press.inks import Inks
from deckwright.outputs.press.leaves import leaves
from deckwright.outputs.services.orders import OrderItem
from deckwright.outputs.services.profile import Service
from deckwright.text.fonts import Font
from deckwright.text.shaping import Metrics

E031 = Code("E031", Severity.ERROR, "a card without a back, in an order with backs")
E032 = Code("E032", Severity.WARNING, "an image too coarse for a print service")
E034 = Code("E034", Severity.WARNING, "something too close to the cut for a print service")
E035 = Code("E035", Severity.ERROR, "more cards than an order may have")
E036 = Code("E036", Severity.ERROR, "a font that may not be embedded")
E038 = Code("E038", Severity.WARNING, "a color that needs more ink than a print service allows")

_REACH: Mm = 0.3
"""What ends this near to the cut is meant to reach it; whether it does is looked at in pixels."""
_LEEWAY: Mm = 0.25
"""By how much shapes and images may miss the safe zone: nobody will see that in print."""
_CLIPPED = ""
"""The color of what stands for all that a clip cuts out: none, so that it is no other ground."""
_VISIBLE = 3.0
"""A color shift that is seen, in ΔE*ab."""
_PART = 0.05
"""The share of an image's pixels whose shift is worth a word."""
_RESTRICTED, _NO_SUBSET, _BITMAPS = 0x0002, 0x0100, 0x0200
"""Bits of `fsType` in a font's table OS/2, as OpenType has them."""


def check_backs(items: Iterable[OrderItem], service: Service) -> Iterator[Diagnostic]:
    """Yield the cards without a back, where pages and files are fronts and backs by turns."""
    seen = set[str]()
    for front, back, _ in items:
        kind = front.card.kind
        if back is None and kind.tag not in seen:
            seen.add(kind.tag)
            order = "back and face" if service.back_first else "face and back"
            yield E031.at(
                kind.source.at(),
                f"{front.subject} has no back, {service.name} wants {order} of each card",
                f"give `{kind.tag}` an attribute `back` in game.xml, or print blank backs with "
                "`--anyway`",
            )


def check_count(items: Iterable[OrderItem], service: Service) -> Iterator[Diagnostic]:
    """Yield that an order has too many cards."""
    total = 0
    for item in items:
        total += item.copies
        if service.most is not None and total > service.most:
            yield E035.at(
                item.front.place,
                f"with {item.front.subject}, the order has {counted(total, 'card')}, "
                f"{service.name} takes "
                f"{service.most}",
                "order fewer, with `--only`, `--copies` or `--no-tokens`",
            )
            return


def check_images(side: Side, images: ImageStore, service: Service) -> Iterator[Diagnostic]:
    """Yield the images of a face that have too few pixels for their size."""
    wanted = min(service.dpi, PRINT_DPI)
    for op in walk(side.face.ops):
        if not isinstance(op, DrawImage):
            continue
        image, box, zoom = images.of(op), op.box, op.crop.zoom
        shares = image.width_px / box.width, image.height_px / box.height
        dpi = round((min(shares) if op.cover else max(shares)) * PER_UNIT["in"])
        if dpi < wanted - 2:
            yield E032.at(
                side.place,
                f"{side.subject}: the image `{op.path.name}` is printed at {dpi} dpi, "
                f"{service.name} wants {wanted}",
                f"use one of at least {zoom * pixels(box.width, wanted):.0f} × "
                f"{zoom * pixels(box.height, wanted):.0f} pixels",
            )


class _Near(NamedTuple):
    """What ends nearest to the cut on the cards of a kind that it does not reach."""

    room: Mm
    what: str
    side: Side
    faces: frozenset[int]


def check_safe_zone(
    sides: Iterable[Side], service: Service, metrics: Metrics, shape: str = ""
) -> Iterator[Diagnostic]:
    """Yield what a cut may touch: each text of a template once, and the worst of all else.

    Texts must stay inside of the safe zone. Anything else may reach the cut, or end in the safe
    zone, but not between. What a clip cuts out, such as a pattern or a picture, counts as a whole,
    wherever its shapes end.

    Args:
        shape: how the cards are cut, as `Size` has it.
    """
    texts = set[object]()
    nearest: dict[tuple[str, bool], _Near] = {}
    for side in sides:
        face = side.face
        (tag, _), ground = side.alike, None
        for leaf in leaves(_whole(face.ops), metrics):
            op, rooms = leaf.op, _rooms(leaf.box, face, shape)
            if ground is None:
                ground = op
            if isinstance(op, DrawGlyphs):
                line = (tag, op.font, round(op.size, 1), round(leaf.box.y, 1))
                room = min(*rooms, _room_in_corners(leaf.box, face, service.radius))
                if room < service.safe - _HAIR and op.text.strip() and line not in texts:
                    texts.add(line)
                    text = f"the text `{op.text}` is"
                    yield _near(side, text, room, service, hint="move it inward")
                continue
            if _alike(op, ground):
                continue
            room = min((one for one in rooms if one > _REACH), default=service.safe)
            if room < service.safe - _LEEWAY and min(leaf.box.width, leaf.box.height) > 0:
                key = side.alike
                known = nearest.get(key) or _Near(room, _word(op), side, frozenset())
                if room < known.room:
                    known = _Near(room, _word(op), side, known.faces)
                nearest[key] = known._replace(faces=known.faces | {id(face)})
    for room, what, side, faces in nearest.values():
        more = len(faces) - 1
        others = f" (and something on {more} more of its kind)" if more else ""
        yield _near(side, f"{what} ends", room, service, others)


def _whole(ops: Iterable[Op]) -> Iterator[Op]:
    """Yield ops with one shape, and the texts, in the place of all that a clip cuts out."""
    for op in ops:
        if not isinstance(op, Group):
            yield op
        elif op.clip:
            yield op._replace(ops=(FillPath(op.clip, _CLIPPED), *_texts(op.ops)))
        else:
            yield op._replace(ops=tuple(_whole(op.ops)))


def _texts(ops: Iterable[Op]) -> Iterator[Op]:
    for op in ops:
        if isinstance(op, Group):
            yield op._replace(ops=tuple(_texts(op.ops)))
        elif isinstance(op, DrawGlyphs):
            yield op


def _near(
    side: Side,
    what: str,
    room: Mm,
    service: Service,
    others: str = "",
    hint: str = "move it inward, or let it run into the bleed if it is a background",
) -> Diagnostic:
    return E034.at(
        side.place,
        f"{side.subject}: {what} {max(room, 0):.2g} mm from the cut, {service.name} wants "
        f"{service.safe:g} mm{others}",
        hint,
    )


def _alike(op: Op, ground: Op) -> bool:
    """Return whether an op draws what the ground below it draws: a card that was scaled has two."""
    if isinstance(op, DrawImage):
        return isinstance(ground, DrawImage) and op.path == ground.path
    return isinstance(op, FillPath) and isinstance(ground, FillPath) and op.color == ground.color


def _rooms(box: Box, face: Face, shape: str) -> tuple[Mm, ...]:
    """Return how far from the cut a box ends: left, above, right and below.

    Of other shapes it is how far its nearest corner is, below zero beyond the cut.
    """
    if not shape:
        return box.x, box.y, face.width - box.right, face.height - box.bottom
    room = _within_ellipse if shape == "round" else _within_hexagon
    corners = ((x, y) for x in (box.x, box.right) for y in (box.y, box.bottom))
    half = face.width / 2, face.height / 2
    return (min(room(abs(x - half[0]), abs(y - half[1]), *half) for x, y in corners),)


def _room_in_corners(box: Box, face: Face, radius: Mm) -> Mm:
    """Return how far from rounded corners of the cut a box ends; infinity where it is in none."""
    across = min(box.x, face.width - box.right)
    down = min(box.y, face.height - box.bottom)
    if max(across, down) >= radius:
        return math.inf
    return radius - math.hypot(radius - across, radius - down)


def _within_ellipse(x: Mm, y: Mm, width: Mm, height: Mm) -> Mm:
    """Return about how far inside of an ellipse a point is; exactly, of a circle.

    Args:
        x, y: the point, from the middle.
        width, height: half of those of the ellipse.
    """
    return (1 - math.hypot(x / width, y / height)) * min(width, height)


def _within_hexagon(x: Mm, y: Mm, width: Mm, height: Mm) -> Mm:
    """Return how far inside of a hexagon a point is, as `_within_ellipse`.

    Its points are where it is longer; its slanted sides go from there to the middle of the halves.
    """
    if height > width:
        x, y, width, height = y, x, height, width
    slanted = (height * (width - x) - width / 2 * y) / math.hypot(height, width / 2)
    return min(height - y, slanted)


def _word(op: object) -> str:
    if isinstance(op, DrawImage):
        return f"the image `{op.path.name}`"
    return "a line" if isinstance(op, StrokePath) else "a shape"


def check_fonts(sides: Sequence[Side], fonts: Mapping[str, Font]) -> Iterator[Diagnostic]:
    """Yield the fonts of faces whose makers do not allow that they are put into files."""
    seen = set[Path]()
    for side in sides:
        for op in walk(side.face.ops):
            if not isinstance(op, DrawGlyphs) or fonts[op.font].path in seen:
                continue
            path = fonts[op.font].path
            seen.add(path)
            reason = _reason(path)
            if reason is not None:
                yield E036.at(
                    side.place,
                    f"{side.subject}: the font `{path.name}` {reason}",
                    "use another font",
                )


def _reason(path: Path) -> str | None:
    """Return what the maker of a font does not allow, None if it may be embedded."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - heavy

    with TTFont(path, lazy=True) as font:
        rights = int(font["OS/2"].fsType)
    if rights & 0xF == _RESTRICTED:
        return "may not be embedded, according to its maker"
    if rights & _NO_SUBSET:
        return "may only be embedded whole, according to its maker, but only part of it would be"
    if rights & _BITMAPS:
        return "may only be embedded as pixels, according to its maker"
    return None


def check_inks(sides: Sequence[Side], images: ImageStore, inks: Inks) -> Iterator[Diagnostic]:
    """Yield the colors and images that the ink limit changes visibly, each with its first card."""
    from PIL import Image  # noqa: PLC0415 - only for prints in CMYK

    seen = set[object]()
    for side in sides:
        for op in walk(side.face.ops):
            if ink_of(op):
                continue
            if isinstance(op, DrawImage):
                path = images.of(op).path
                if path in seen:
                    continue
                seen.add(path)
                with Image.open(path) as image:
                    share = inks.moved_share(image, _VISIBLE)
                if share > _PART:
                    yield _too_much(
                        side,
                        f"the image `{op.path.name}` needs more than {inks.limit} % of ink, "
                        f"which changes {share:.0%} of its pixels visibly",
                        "use an image with lighter shadows",
                    )
            for color in _colors(op):
                ink = inks.color(color)
                if color not in seen and ink.shift > _VISIBLE:
                    yield _too_much(
                        side,
                        f"the color {color} needs {ink.wanted:.0f} % of ink, {inks.limit} % is "
                        f"allowed, which changes it by {ink.shift:.0f} ΔE*ab",
                        "use a lighter or purer color",
                    )
                seen.add(color)


def _too_much(side: Side, what: str, hint: str) -> Diagnostic:
    return E038.at(side.place, f"{side.subject}: {what}", hint)


def _colors(op: object) -> list[str]:
    """Return the colors of what is not a text; those are printed with black alone if dark."""
    if isinstance(op, StrokePath):
        return [op.color]
    return op.colors if isinstance(op, FillPath) else []


_HAIR: Mm = 0.01
