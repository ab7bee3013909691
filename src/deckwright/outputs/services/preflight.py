"""The items of an order for a print service, and the check of their faces."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from deckwright.base.colors import contrast, luminance
from deckwright.base.files import make_unique
from deckwright.base.findings import Code, Diagnostic, Location, Severity
from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import MM_PER_UNIT, POINTS_PER_MM, Mm, pluralize, to_pixels
from deckwright.faces.copies import Copy, NamedFace, PrintedSide, has_own_back, name_back
from deckwright.faces.factory import FaceFactory
from deckwright.images.store import PRINT_DPI, ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import (
    MIN_LINE_WIDTH,
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
    ink_of,
    walk,
)
from deckwright.outputs.press.flatten import FlatOp, flat_ops
from deckwright.outputs.press.inks import InkConverter
from deckwright.outputs.services.profile import CardSize, Service
from deckwright.templates.compose import format_place
from deckwright.text.fonts import Font
from deckwright.text.shaping import Metrics


class OrderItem(NamedTuple):
    """A card of an order, or one face of a card with several faces; without a back of its kind."""

    front: NamedFace
    back: NamedFace | None
    copies: int

    def sides(self) -> Iterator[NamedFace]:
        """Yield its face, and its back if it has one."""
        yield self.front
        if self.back is not None:
            yield self.back


def distinct_sides(items: Iterable[OrderItem]) -> list[NamedFace]:
    """Return the distinct sides of cards."""
    return list({id(side.face): side for item in items for side in item.sides()}.values())


def group_copies(copies: Sequence[Copy], factory: FaceFactory) -> list[OrderItem]:
    """Group copies by face and count them."""
    counts: dict[int, int] = {}
    for copy in copies:
        counts[id(copy.face)] = counts.get(id(copy.face), 0) + 1
    first = {id(copy.face): copy for copy in reversed(copies)}
    kinds = [first[key] for key in counts]
    backs: dict[int, NamedFace] = {}
    for copy in kinds:
        if copy.back is not None and id(copy.back) not in backs:
            card, faction_id, zone = copy.card, copy.faction_id, copy.zone_id
            own = card.id if has_own_back(factory, card, faction_id, [], zone) else None
            backs[id(copy.back)] = name_back(factory.game, card, faction_id, copy.back, own, zone)
    for key, name in zip(backs, _unique_names(back.name for back in backs.values()), strict=True):
        backs[key] = backs[key]._replace(name=name)
    names = _unique_names(copy.card.id for copy in kinds)
    return [
        OrderItem(
            NamedFace(name, copy.faction_id, copy.card, copy.face),
            backs.get(id(copy.back)),
            counts[id(copy.face)],
        )
        for copy, name in zip(kinds, names, strict=True)
    ]


def _unique_names(names: Iterable[str]) -> list[str]:
    """Return valid file names that are unique even on case-insensitive file systems."""
    taken = set[str]()
    stems = (
        re.sub(r"[^\w.-]", "_", name).lstrip(".")[:_MAX_STEM_LENGTH] or "card" for name in names
    )
    return [make_unique(stem, taken) for stem in stems]


_MAX_STEM_LENGTH = 60
"""The maximum length of a file name's stem; systems allow 255 bytes."""


E044 = Code("E044", Severity.WARNING, "a text too small for a print service")
E045 = Code("E045", Severity.WARNING, "a line too thin for a print service")
E046 = Code("E046", Severity.WARNING, "a light text too small for a print service")

_POINT_TOLERANCE = 0.05
"""The invisible tolerance, in points."""
_MIN_LIGHT = 0.5
"""The luminance above which letters and lines on a picture count as light on dark."""
_MIN_LIGHT_CONTRAST = 3.0
"""The contrast with something darker from which a line counts as light on dark."""
_MAX_WIDENING = 2
"""Lines that are widened to the service's least width by more than this look different."""

_MAX_BAR_SEGMENTS = 6
"""Four corners, the way back to the first, and the end."""

FindOrigin = Callable[[Op], Location | None]
"""Returns the place of the template element that drew an op, None if unknown."""


class _Fineness(NamedTuple):
    """How fine a text or a line is, in points, and the least that is required."""

    code: Code
    what: str
    size: float
    least: float

    @property
    def is_enough(self) -> bool:
        """Whether it is not finer than required."""
        return self.size >= self.least - _POINT_TOLERANCE


def check_fineness(
    sides: Iterable[PrintedSide],
    service: Service,
    metrics: Metrics,
    find_origin: FindOrigin = lambda _: None,
) -> Iterator[Diagnostic]:
    """Yield texts and lines too fine for a service, each size once per element of a template."""
    seen = set[object]()
    for side in sides:
        below, drawn = list[FlatOp](), list[Op | None]()
        for number, leaf in enumerate(flat_ops(side.face.ops, metrics)):
            fine = _measure_fineness(leaf, below, service)
            below.append(leaf)
            if fine is None or fine.is_enough:
                continue
            drawn = drawn or _align_leaves(side)
            op = drawn[number]
            if op is None:
                continue
            place = find_origin(op)
            key = side.lint_group, place, fine.code, fine.least, round(fine.size, 1)
            if key not in seen:
                seen.add(key)
                yield fine.code.at(
                    side.place,
                    f"{side.subject}: {fine.what} has {fine.size:.2g} pt, but {service.name} "
                    f"requires at least {fine.least:g} pt{format_place(place)}",
                    "make it wider" if fine.code is E045 else "make it larger",
                )


def _measure_fineness(leaf: FlatOp, below: Sequence[FlatOp], service: Service) -> _Fineness | None:
    """Return how fine a text or a line is; None for anything else."""
    op = leaf.op
    if isinstance(op, FillPath) and (isinstance(op.color, Gradient) or not _is_bar(op.outline)):
        return None
    scale = leaf.scale * POINTS_PER_MM
    if isinstance(op, DrawGlyphs) and op.text.strip():
        fine = _Fineness(E044, f"the text `{op.text}`", op.size * scale, service.min_text)
        light = _Fineness(E046, f"the light text `{op.text}`", fine.size, service.min_light_text)
    elif isinstance(op, StrokePath):
        # The export widens lines, which is only told if they look different then.
        fine = _Fineness(E045, "a line", op.width * scale, service.min_line / _MAX_WIDENING)
        if not fine.is_enough:
            return fine._replace(least=service.min_line)
        size = max(fine.size, service.min_line, MIN_LINE_WIDTH * POINTS_PER_MM)
        light = _Fineness(E045, "a light line", size, service.min_light_line)
    elif isinstance(op, FillPath):
        box = outlines.bounds_of(op.outline)
        size = min(box.width, box.height) * scale
        fine = _Fineness(E045, "a line", size, service.min_line)
        light = fine._replace(what="a light line", least=service.min_light_line)
    else:
        return None
    assert isinstance(op.color, str)
    is_light = fine.is_enough and not light.is_enough and _is_on_darker(leaf, op.color, below)
    return light if is_light else fine


def _align_leaves(side: PrintedSide) -> list[Op | None]:
    """Return the ops of a side as drawn, in the order of those of its fitted face.

    Bleed has been put below them: an extended background, or a mirrored bleed, which is None.
    """
    fitted, drawn = (
        [op for op in walk(face.ops) if not isinstance(op, Group)]
        for face in (side.face, side.drawn or side.face)
    )
    below = fitted[: len(fitted) - len(drawn)]
    return [*([None] * len(below) if side.drawn and side.drawn.bleed else below), *drawn]


def _is_bar(outline: Outline) -> bool:
    """Return whether an outline is one of straight lines with four corners."""
    if len(outline) > _MAX_BAR_SEGMENTS:
        return False
    ends = {segment[1:] for segment in outline if len(segment) > 1}
    return len(ends) == 4 and all(len(end) == 2 for end in ends)


def _is_on_darker(leaf: FlatOp, color: str, below: Sequence[FlatOp]) -> bool:
    """Return whether letters or a line are lighter than the ground below their middle."""
    box, light = leaf.box, luminance(color)
    middle = Box(box.x + box.width / 4, box.y + box.height / 4, box.width / 2, box.height / 2)
    for other in reversed(below):
        if isinstance(other.op, DrawImage):
            if other.box.intersection(middle) == middle:
                return light > _MIN_LIGHT
        elif isinstance(other.op, FillPath) and other.covers(middle):
            darkest = min(other.op.colors, key=luminance)
            is_line = not isinstance(leaf.op, DrawGlyphs)
            least = _MIN_LIGHT_CONTRAST if is_line else 1
            return luminance(darkest) < light and contrast(color, darkest) >= least
    return False


E031 = Code("E031", Severity.ERROR, "a card without a back, in an order with backs")
E032 = Code("E032", Severity.WARNING, "an image too coarse for a print service")
E034 = Code("E034", Severity.WARNING, "something too close to the cut for a print service")
E035 = Code("E035", Severity.ERROR, "more cards than an order may have")
E036 = Code("E036", Severity.ERROR, "a font that may not be embedded")
E038 = Code("E038", Severity.WARNING, "a color that needs more ink than a print service allows")

_CUT_TOLERANCE: Mm = 0.3
"""Content that ends this close to the cut is meant to reach it, which is checked in pixels."""
_SAFE_ZONE_TOLERANCE: Mm = 0.25
"""The invisible tolerance for shapes and images at the safe zone."""
_CLIP_COLOR = ""
"""The placeholder color of clipped content, equal to no real color."""
_MIN_VISIBLE_SHIFT = 3.0
"""The minimum visible color shift, in ΔE*ab."""
_MIN_SHIFTED_SHARE = 0.05
"""The minimum share of visibly shifted pixels that is reported."""
_RESTRICTED, _NO_SUBSET, _BITMAPS = 0x0002, 0x0100, 0x0200
"""Bits of `fsType` in the OpenType table OS/2."""


def check_backs(items: Iterable[OrderItem], service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for each kind of card without a back."""
    seen = set[str]()
    for front, back, _ in items:
        kind = front.card.kind
        if back is None and kind.tag not in seen:
            seen.add(kind.tag)
            order = "back and face" if service.back_first else "face and back"
            yield E031.at(
                kind.source.at(),
                f"{front.subject} has no back, but {service.name} requires {order} of each card",
                f"give `{kind.tag}` an attribute `back` in game.xml, or print blank backs with "
                "`--anyway`",
            )


def check_count(items: Iterable[OrderItem], service: Service) -> Iterator[Diagnostic]:
    """Yield a finding if an order has too many cards."""
    total = 0
    for item in items:
        total += item.copies
        if service.max_cards is not None and total > service.max_cards:
            yield E035.at(
                item.front.place,
                f"with {item.front.subject}, the order has {pluralize(total, 'card')}, "
                f"but {service.name} takes at most {service.max_cards}",
                "order fewer, with `--only`, `--copies` or `--no-tokens`",
            )
            return


def check_images(side: PrintedSide, images: ImageStore, service: Service) -> Iterator[Diagnostic]:
    """Yield the images of a face whose resolution is too low."""
    wanted = min(service.dpi, PRINT_DPI)
    for op in walk(side.face.ops):
        if not isinstance(op, DrawImage):
            continue
        image, box, zoom = images.get(op), op.box, op.crop.zoom
        shares = image.width_px / box.width, image.height_px / box.height
        dpi = round((min(shares) if op.cover else max(shares)) * MM_PER_UNIT["in"])
        if dpi < wanted - 2:
            yield E032.at(
                side.place,
                f"{side.subject}: the image `{op.path.name}` is printed at {dpi} dpi, "
                f"but {service.name} requires {wanted}",
                f"use one of at least {zoom * to_pixels(box.width, wanted):.0f} × "
                f"{zoom * to_pixels(box.height, wanted):.0f} pixels",
            )


class _NearestItem(NamedTuple):
    """The content nearest to the cut, without reaching it, on cards of a kind."""

    room: Mm
    what: str
    side: PrintedSide
    faces: set[int]


def check_safe_zone(
    sides: Iterable[PrintedSide], service: Service, metrics: Metrics, shape: str = ""
) -> Iterator[Diagnostic]:
    """Yield content outside of the safe zone: each text of a template once, else the worst case.

    Texts must stay inside of the safe zone. Anything else may reach the cut or end in the safe
    zone, but not in between. Clipped content, such as a pattern or picture, counts as one shape.
    What is drawn up to the edge of a card that was scaled reaches the cut by its mirrored bleed.

    Args:
        shape: the shape of the cards, as in `Size`.
    """
    texts = set[object]()
    nearest: dict[tuple[str, bool], _NearestItem] = {}
    for side in sides:
        face, borders = side.face, _mirrored_borders(side)
        (tag, _), ground = side.lint_group, None
        for leaf in flat_ops(_merge_clips(face.ops), metrics):
            op, rooms = leaf.op, _distances_to_cut(leaf.box, face, shape)
            if ground is None:
                ground = op
            if isinstance(op, DrawGlyphs):
                line = (tag, op.font, round(op.size, 1), round(leaf.box.y, 1))
                room = min(*rooms, _distance_to_corner(leaf.box, face, service.radius))
                if (
                    room < service.safe - _LENGTH_TOLERANCE
                    and op.text.strip()
                    and line not in texts
                ):
                    texts.add(line)
                    text = f"the text `{op.text}` is"
                    yield _report_near(side, text, room, service, hint="move it inward")
                continue
            if _has_same_paint(op, ground):
                continue
            inner = (
                room
                for room, border in zip(rooms, borders, strict=False)
                if room > border + _CUT_TOLERANCE
            )
            room = min(inner, default=service.safe)
            if (
                room < service.safe - _SAFE_ZONE_TOLERANCE
                and min(leaf.box.width, leaf.box.height) > 0
            ):
                known = nearest.get(side.lint_group)
                faces = (known.faces if known is not None else set()) | {id(face)}
                if known is None or room < known.room:
                    what = "a line" if isinstance(op, StrokePath) else "a shape"
                    if isinstance(op, DrawImage):
                        what = f"the image `{op.path.name}`"
                    known = _NearestItem(room, what, side, faces)
                nearest[side.lint_group] = known._replace(faces=faces)
    for room, what, side, faces in nearest.values():
        more = len(faces) - 1
        others = f" (and on {more} more of its kind)" if more else ""
        yield _report_near(side, f"{what} ends", room, service, others)


def _mirrored_borders(side: PrintedSide) -> tuple[Mm, Mm, Mm, Mm]:
    """Return how much of a face within the cut is mirrored: left, top, right and bottom."""
    face, drawn = side.face, side.drawn
    if drawn is None or not drawn.bleed:
        return 0, 0, 0, 0
    across, down = scales_to_fit(drawn, face)
    scale = min(across, down)
    x, y = face.width * (1 - scale / across) / 2, face.height * (1 - scale / down) / 2
    return x, y, x, y


def scales_to_fit(face: Face, size: CardSize | Face) -> tuple[float, float]:
    """Return the scales at which a face fills the width and the height of a card."""
    width, height = face.width, face.height
    if is_turned(face, size):
        width, height = height, width
    return size.width / width, size.height / height


def is_turned(face: Face, size: CardSize | Face) -> bool:
    """Return whether a face must be rotated by 90 degrees to fit a card."""
    return (face.width > face.height) != (size.width > size.height) and (
        face.width != face.height and size.width != size.height
    )


def _merge_clips(ops: Iterable[Op], *, is_clipped: bool = False) -> Iterator[Op]:
    """Replace clipped content by one shape and its texts."""
    for op in ops:
        if isinstance(op, Group):
            inner = tuple(_merge_clips(op.ops, is_clipped=is_clipped or bool(op.clip)))
            shape = (FillPath(op.clip, _CLIP_COLOR),) if op.clip and not is_clipped else ()
            yield op._replace(ops=(*shape, *inner))
        elif not is_clipped or isinstance(op, DrawGlyphs):
            yield op


def _report_near(
    side: PrintedSide,
    what: str,
    room: Mm,
    service: Service,
    further: str = "",
    hint: str = "move it inward, or extend it into the bleed if it is a background",
) -> Diagnostic:
    return E034.at(
        side.place,
        f"{side.subject}: {what} {max(room, 0):.2g} mm from the cut, but {service.name} requires "
        f"{service.safe:g} mm{further}",
        hint,
    )


def _has_same_paint(op: Op, ground: Op) -> bool:
    """Return whether an op repeats the ground, as on cards whose background was extended."""
    if isinstance(op, DrawImage):
        return isinstance(ground, DrawImage) and op.path == ground.path
    return isinstance(op, FillPath) and isinstance(ground, FillPath) and op.color == ground.color


def _distances_to_cut(box: Box, face: Face, shape: str) -> tuple[Mm, ...]:
    """Return the distances of a box from the cut: left, top, right and bottom.

    For round and hexagonal cards, return that of the nearest corner; negative outside.
    """
    if not shape:
        return box.x, box.y, face.width - box.right, face.height - box.bottom
    room = _within_ellipse if shape == "round" else _within_hexagon
    corners = ((x, y) for x in (box.x, box.right) for y in (box.y, box.bottom))
    half = face.width / 2, face.height / 2
    return (min(room(abs(x - half[0]), abs(y - half[1]), *half) for x, y in corners),)


def _distance_to_corner(box: Box, face: Face, radius: Mm) -> Mm:
    """Return the distance of a box from the rounded corners; infinity outside of corners."""
    across = min(box.x, face.width - box.right)
    down = min(box.y, face.height - box.bottom)
    if max(across, down) >= radius:
        return math.inf
    return radius - math.hypot(radius - across, radius - down)


def _within_ellipse(x: Mm, y: Mm, width: Mm, height: Mm) -> Mm:
    """Return the approximate depth of a point in an ellipse of semi-axes; exact for circles."""
    return (1 - math.hypot(x / width, y / height)) * min(width, height)


def _within_hexagon(x: Mm, y: Mm, width: Mm, height: Mm) -> Mm:
    """Return the depth of a point in a hexagon, with corners at the ends of its longer axis."""
    if height > width:
        x, y, width, height = y, x, height, width
    slanted = (height * (width - x) - width / 2 * y) / math.hypot(height, width / 2)
    return min(height - y, slanted)


def check_fonts(sides: Sequence[PrintedSide], fonts: Mapping[str, Font]) -> Iterator[Diagnostic]:
    """Yield the fonts of faces that must not be embedded according to their makers."""
    seen = set[Path]()
    for side in sides:
        for op in walk(side.face.ops):
            if not isinstance(op, DrawGlyphs) or fonts[op.font].path in seen:
                continue
            path = fonts[op.font].path
            seen.add(path)
            reason = _embedding_restriction(path)
            if reason is not None:
                yield E036.at(
                    side.place,
                    f"{side.subject}: the font `{path.name}` {reason}",
                    "use another font",
                )


def _embedding_restriction(path: Path) -> str | None:
    """Return why a font must not be embedded, None if it may be."""
    from fontTools.ttLib import TTFont  # heavy

    with TTFont(path, lazy=True) as font:
        rights = int(font["OS/2"].fsType)
    if rights & 0xF == _RESTRICTED:
        return "may not be embedded, according to its maker"
    if rights & _NO_SUBSET:
        return "may only be embedded whole, according to its maker, but only part of it would be"
    if rights & _BITMAPS:
        return "may only be embedded as pixels, according to its maker"
    return None


def check_inks(
    sides: Sequence[PrintedSide], images: ImageStore, inks: InkConverter
) -> Iterator[Diagnostic]:
    """Yield the colors and images that the ink limit changes visibly, each once."""
    seen = set[object]()
    for side in sides:
        for op in walk(side.face.ops):
            if ink_of(op):
                continue
            if isinstance(op, DrawImage):
                path = images.get(op).path
                if path in seen:
                    continue
                seen.add(path)
                with Image.open(path) as image:
                    share = inks.shifted_share(image, _MIN_VISIBLE_SHIFT)
                if share > _MIN_SHIFTED_SHARE:
                    yield E038.at(
                        side.place,
                        f"{side.subject}: the image `{op.path.name}` needs more than {inks.limit} "
                        f"% of ink, which changes {share:.0%} of its pixels visibly",
                        "use an image with lighter shadows",
                    )
            # Dark texts are printed in pure black.
            colors = [op.color] if isinstance(op, StrokePath) else []
            for color in op.colors if isinstance(op, FillPath) else colors:
                ink = inks.convert_color(color)
                if color not in seen and ink.shift > _MIN_VISIBLE_SHIFT:
                    yield E038.at(
                        side.place,
                        f"{side.subject}: the color {color} needs {ink.unlimited:.0f} % of ink, "
                        f"but only {inks.limit} % is allowed, which changes it by "
                        f"{ink.shift:.0f} ΔE*ab",
                        "use a lighter or purer color",
                    )
                seen.add(color)


_LENGTH_TOLERANCE: Mm = 0.01


E033 = Code("E033", Severity.ERROR, "a card with white bleed beside its printed edge")
E041 = Code("E041", Severity.WARNING, "a card with something that ends exactly at the cut")

_MIN_PAPER, _MAX_INKED = 250, 240
"""The smallest channel from which a pixel counts as paper, and below which it is visible."""
_EDGE_DISTANCE: Mm = 0.3
"""The distance from the cut at which pixels are compared, on both sides."""
_MIN_COLOR_STEP = 48
"""The minimum difference of a channel between different colors."""
_MIN_WHITE_LENGTH: Mm = 1.0
_MIN_END_LENGTH: Mm = 3.0
"""The minimum faulty length of an edge; the end of a line is shorter."""

_MIN_OVERHANG: Mm = 1.0
"""The minimum distance by which clipped content must exceed the cut to run into the bleed."""

_EDGES = (
    ("left", Image.Transpose.ROTATE_270),
    ("upper", None),
    ("right", Image.Transpose.ROTATE_90),
    ("lower", Image.Transpose.ROTATE_180),
)
"""The edges, with the transposition that moves each to the top."""

_Stretch = tuple[Mm, Mm]
"""The start and end of a part of an edge, with the edge at the top."""


class _Edge(NamedTuple):
    """The length of an edge with white bleed beside ink, and with a change at the cut."""

    name: str
    white: Mm
    ends: Mm


class EdgeInspector:
    """Inspects the edges of cards for a service, and collects findings."""

    def __init__(self, service: Service) -> None:
        """Inspect cards for the given service."""
        self._service = service
        self._white: list[tuple[PrintedSide, list[_Edge]]] = []
        self._ends: dict[tuple[str, bool], list[tuple[PrintedSide, list[_Edge]]]] = {}

    def inspect(self, side: PrintedSide, picture: Image.Image, width: Mm) -> None:
        """Inspect a card.

        Clipped content, such as a scene, counts as a whole: if it runs into the bleed, its parts
        may end at the cut.

        Args:
            picture: its face with the bleed of the service.
            width: the width of the picture in mm.
        """
        per_mm = picture.width / width
        bleed = self._service.bleed
        if round(bleed * per_mm) < 2:  # a row at its end and one before that
            return
        whole = _find_bleeding_clips(side.face)
        edges = [
            _inspect_edge(
                name,
                picture if turn is None else picture.transpose(turn),
                bleed,
                per_mm,
                whole[name],
            )
            for name, turn in _EDGES
        ]
        if white := [edge for edge in edges if edge.white > _MIN_WHITE_LENGTH]:
            self._white.append((side, white))
        elif ends := [edge for edge in edges if edge.ends > _MIN_END_LENGTH]:
            self._ends.setdefault(side.lint_group, []).append((side, ends))

    def findings(self) -> Iterator[Diagnostic]:
        """Yield the findings: white edges of each card, and others once per kind of card."""
        for side, edges in self._white:
            where = ", ".join(f"{edge.white:.0f} mm of the {edge.name} edge" for edge in edges)
            yield E033.at(
                side.place,
                f"{side.subject}: the bleed of {self._service.bleed:g} mm is white along {where}, "
                "where the card is printed up to the cut",
                "cover the card with a background, or draw beyond its edges by its kind's `bleed`",
            )
        for seen in self._ends.values():
            side, edges = seen[0]
            where = ", ".join(f"{edge.ends:.0f} mm of the {edge.name} edge" for edge in edges)
            others = f" (and on {len(seen) - 1} more of its kind)" if len(seen) > 1 else ""
            yield E041.at(
                side.place,
                f"{side.subject}: along {where} something ends exactly at the cut, so a cut even "
                f"slightly off will show{others}",
                "extend it beyond the card by its kind's `bleed`",
            )


def _find_bleeding_clips(face: Face) -> dict[str, list[_Stretch]]:
    """Return the parts of each edge where clipped content runs into the bleed."""
    stretches: dict[str, list[_Stretch]] = {name: [] for name, _ in _EDGES}
    for box in _clips(face.ops, IDENTITY):
        if box.x <= -_MIN_OVERHANG:
            stretches["left"].append((face.height - box.bottom, face.height - box.y))
        if box.y <= -_MIN_OVERHANG:
            stretches["upper"].append((box.x, box.right))
        if box.right >= face.width + _MIN_OVERHANG:
            stretches["right"].append((box.y, box.bottom))
        if box.bottom >= face.height + _MIN_OVERHANG:
            stretches["lower"].append((face.width - box.right, face.width - box.x))
    return stretches


def _clips(ops: Iterable[Op], matrix: Matrix) -> Iterator[Box]:
    """Yield the bounds of the outermost clips."""
    for op in ops:
        if isinstance(op, Group):
            inner = op.inner_matrix(matrix)
            if op.clip:
                yield outlines.bounds_of(op.clip, inner)
            else:
                yield from _clips(op.ops, inner)


def _inspect_edge(
    name: str, picture: Image.Image, bleed: Mm, per_mm: float, stretches: list[_Stretch]
) -> _Edge:
    """Inspect the upper edge of a picture without its corners, and changes outside `stretches`."""

    def row(y: Mm) -> bytes:
        left, top = round(bleed * per_mm), int(y * per_mm)
        return picture.crop((left, top, picture.width - left, top + 1)).convert("RGB").tobytes()

    # The outermost pixels may be only partly covered.
    end, before, behind = (
        row(1.01 / per_mm),
        row(bleed - _EDGE_DISTANCE),
        row(bleed + _EDGE_DISTANCE),
    )
    white = sum(
        outer >= _MIN_PAPER and inner < _MAX_INKED
        for outer, inner in zip(_darkest_channels(end), _darkest_channels(behind), strict=True)
    )
    steps = [abs(one - other) > _MIN_COLOR_STEP for one, other in zip(before, behind, strict=True)]
    ends = sum(
        any(step) and not any(start <= x / per_mm <= end for start, end in stretches)
        for x, step in enumerate(zip(steps[0::3], steps[1::3], steps[2::3], strict=True))
    )
    return _Edge(name, white / per_mm, ends / per_mm)


def _darkest_channels(row: bytes) -> bytes:
    """Return the smallest channel of each pixel."""
    return bytes(map(min, row[0::3], row[1::3], row[2::3]))
