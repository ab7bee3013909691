"""Lints of finished faces: contrast, distance to the cut, legibility of codes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from deckwright.base.colors import contrast, luminance, mix
from deckwright.base.findings import Code, Diagnostic, Location, Severity, shorten
from deckwright.base.geometry import IDENTITY, Box, Matrix, determinant, transform_point
from deckwright.base.units import MM_PER_UNIT, TOLERANCE, Mm
from deckwright.game.folder import GameFolder
from deckwright.game.words import find_stray_braces, find_stray_stars
from deckwright.ops import outlines
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
    walk,
)
from deckwright.ops.outlines import bounds_of
from deckwright.templates.compose import Subject, format_place
from deckwright.templates.elements import ELEMENTS
from deckwright.text.placing import FAULT_COLOR, LABEL_FONT
from deckwright.text.shaping import Metrics, bounding_box, text_box
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

_PAPER = "#ffffff"


class Background(NamedTuple):
    """A painted area that may be behind text, in its own coordinates, mapped by a matrix.

    Attributes:
        color: None if it has no single color.
    """

    outline: Outline
    matrix: Matrix
    color: str | None
    clips: tuple[Background, ...] = ()
    opacity: float = 1


def background_of(
    op: Op, matrix: Matrix, clips: tuple[Background, ...], opacity: float
) -> Background | None:
    """Return the area that an op paints, None if it paints none."""
    if isinstance(op, FillPath):
        color = None if isinstance(op.color, Gradient) else op.color
        return Background(op.outline, matrix, color, clips, opacity)
    if isinstance(op, DrawImage):
        return Background(outlines.rectangle(*op.box), matrix, None, clips)
    return None


def color_at(point: tuple[Mm, Mm], grounds: Sequence[Background]) -> str | None:
    """Return the color of a point of the face, None if it is unknown."""
    above: list[Background] = []
    color = _PAPER
    for ground in reversed(grounds):
        if _contains(ground, point):
            if ground.color is None:
                return None
            if ground.opacity == 1:
                color = ground.color
                break
            above.append(ground)
    for ground in reversed(above):
        color = mix(color, ground.color or _PAPER, ground.opacity)
    return color


def _contains(ground: Background, point: tuple[Mm, Mm]) -> bool:
    """Return whether a point is inside an area, with curves approximated by chords."""
    x, y = point
    if ground.matrix is not IDENTITY:
        a, b, c, d, e, f = ground.matrix
        area = a * d - b * c
        if area == 0:
            return False
        x, y = (d * (x - e) - c * (y - f)) / area, (a * (y - f) - b * (x - e)) / area
    # Faces share most outlines.
    known = _geometries.get(id(ground.outline))
    if known is None:
        if len(_geometries) >= _MAX_GEOMETRIES:
            _geometries.clear()
        known = _geometries[id(ground.outline)] = _OutlineGeometry(ground.outline)
    if not (known.left <= x <= known.right and known.top <= y <= known.bottom):
        return False
    inside = False
    for (x0, y0), (x1, y1) in known.edges:
        if (y0 > y) != (y1 > y):
            inside ^= x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return inside and all(_contains(clip, point) for clip in ground.clips)


class _OutlineGeometry:
    """The bounds and edges of an outline."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        box = outlines.bounds_of(outline)
        self.left, self.top, self.right, self.bottom = box.x, box.y, box.right, box.bottom

    @cached_property
    def edges(self) -> list[tuple[tuple[Mm, Mm], tuple[Mm, Mm]]]:
        """The lines between its points, with curves approximated by chords."""
        edges = []
        start = last = (0.0, 0.0)
        for kind, *numbers in self.outline:
            end = (numbers[-2], numbers[-1]) if numbers else start
            if kind == "M":
                start = end
            else:
                edges.append((last, end))
            last = end
        return edges


_MAX_GEOMETRIES = 20_000
_geometries: dict[int, _OutlineGeometry] = {}


L003 = Code("L003", Severity.WARNING, "a text with too little contrast with its background")
L004 = Code("L004", Severity.WARNING, "a text so close to the edge that a cut may touch it")

L018 = Code("L018", Severity.ERROR, "a text outside of the card")

MIN_CONTRAST = 4.5
"""WCAG 2.2, success criterion 1.4.3, level AA."""
MIN_CONTRAST_LARGE = 3.0
"""The same for large text: from 18 pt, or from 14 pt if bold."""


Origin = Callable[[Op], Location | None]
"""Returns the place of the template element that has drawn an op."""


def lint_face(
    face: Face, subject: Subject, safe: Mm, metrics: Metrics, reported: set[object], origin: Origin
) -> Iterator[Diagnostic]:
    """Yield lints of a face.

    Args:
        safe: the width of the zone along the trim box that should hold no text.
        reported: earlier findings, so that a fault of a template is reported once.
    """
    for op, box, background in _iter_texts(face.ops, IDENTITY, [], metrics):
        pair = (op.color, background)
        if background is not None and pair not in reported:
            reported.add(pair)
            ratio, size_pt = contrast(op.color, background), op.size / MM_PER_UNIT["pt"]
            large = size_pt >= 18 or (size_pt >= 14 and "bold" in op.font)  # WCAG's sizes
            least = MIN_CONTRAST_LARGE if large else MIN_CONTRAST
            if ratio < least:
                yield L003.at(
                    subject.place,
                    f"{subject.name}: the text `{op.text}` has a contrast of {ratio:.1f} with its "
                    f"background ({op.color} on {background}); the minimum is "
                    f"{least:g}{format_place(origin(op))}",
                    "make one of the two darker or lighter",
                )
        room = min(box.x, box.y, face.width - box.right, face.height - box.bottom)
        line = (op.font, op.size, round(op.y, 1))
        if room < safe and line not in reported:
            reported.add(line)
            printed = box.intersection(Box(0, 0, face.width, face.height))
            hint = "move it inward in the template"
            if not (printed.width and printed.height):
                place = origin(op)
                if (L018, place) not in reported:
                    reported.add((L018, place))
                    sides = {
                        f"it ends {-box.right:.0f} mm to the left of it": -box.right,
                        f"it ends {-box.bottom:.0f} mm above it": -box.bottom,
                        f"it begins at {box.x:.0f} mm from the left, the card ends at "
                        f"{face.width:g} mm": box.x - face.width,
                        f"it ends at {box.bottom:.0f} mm from the top, the card at "
                        f"{face.height:g} mm": box.y - face.height,
                    }
                    farthest = max(sides, key=lambda words: sides[words])
                    message = f"{subject.name}: the text `{op.text}` lies outside the card: "
                    message += f"{farthest}{format_place(place)}"
                    yield L018.at(subject.place, message, hint)
                continue
            if room < 0:
                fault = f"is cut off: it reaches {-room:.2g} mm beyond the edge"
            else:
                fault = f"is {room:.2g} mm from the edge, but a cut may touch the outer {safe:g} mm"
                hint += ", or lower `safe` of the kind in game.xml"
            yield L004.at(
                subject.place,
                f"{subject.name}: the text `{op.text}` {fault}{format_place(origin(op))}",
                hint,
            )


def _iter_texts(
    ops: Iterable[Op],
    matrix: Matrix,
    grounds: list[Background],
    metrics: Metrics,
    clips: tuple[Background, ...] = (),
    opacity: float = 1,
) -> Iterator[tuple[DrawGlyphs, Box, str | None]]:
    """Yield all texts with their boxes on the face and the color behind them.

    The boxes reach from the capitals to the baseline; unknown colors are None.
    """
    edges: list[StrokePath] = []
    for op in ops:
        if isinstance(op, Group):
            inner = op.inner_matrix(matrix)
            clip = (*clips, Background(op.clip, inner, None)) if op.clip else clips
            yield from _iter_texts(op.ops, inner, grounds, metrics, clip, opacity * op.opacity)
        elif (ground := background_of(op, matrix, clips, opacity)) is not None:
            grounds.append(ground)
        elif isinstance(op, StrokePath):
            edges.append(op)
        elif isinstance(op, DrawGlyphs) and (op.font, op.color) != (LABEL_FONT, FAULT_COLOR):
            capitals = text_box(op, metrics, metrics.vertical(op.font).cap_height, 0)
            box = capitals.transform(matrix)
            color = next((edge.color for edge in edges if _is_around(edge, op, metrics)), None)
            if color is None:
                color = color_at((box.x + box.width / 2, box.y + box.height / 2), grounds)
            yield op, box, color


def _is_around(edge: StrokePath, op: DrawGlyphs, metrics: Metrics) -> bool:
    """Return whether a stroke outlines the letters of a text, as the element `text` draws it."""
    if edge.join != 1:
        return False
    if sum(step[0] == "M" for step in edge.outline) < len(op.text.replace(" ", "")):
        return False
    box = outlines.bounds_of(edge.outline)
    width, tolerance = metrics.shape(op.font, op.text).width * op.size, op.size * _OUTLINE_TOLERANCE
    return (
        abs(box.x - op.x) < tolerance
        and box.right - op.x - width > -tolerance
        and op.y - op.size - tolerance < box.y < op.y < box.bottom + tolerance
    )


_OUTLINE_TOLERANCE = 0.3
"""The tolerance between the outlines of letters and their line, in ems."""


L011 = Code("L011", Severity.WARNING, "a code that a camera may not be able to read")

MIN_MODULE: Mm = 0.3
"""The smallest module that office printers print and phones read reliably."""
MIN_DIFFERENCE = 0.55
"""The smallest difference in reflectance: grade B of ISO/IEC 15415."""


class _PlacedOp(NamedTuple):
    """An op, never a group, with its context on the face, and the number of its code if any."""

    op: Op
    matrix: Matrix
    clips: tuple[Background, ...]
    opacity: float
    code: int | None


class _PlacedCode(NamedTuple):
    """A code on a face, with the box of its quiet zone."""

    group: Group
    matrix: Matrix
    zone: Box


def lint_codes(
    face: Face, subject: Subject, metrics: Metrics, reported: set[object], origin: Origin
) -> Iterator[Diagnostic]:
    """Yield lints of the codes on a face; a fault of a template is `reported` once."""
    if not any(isinstance(op, Group) and op.module for op in walk(face.ops)):
        return
    codes: list[_PlacedCode] = []
    drawn = list(_flatten_ops(face.ops, IDENTITY, (), 1, codes, None))
    for number, code in enumerate(codes):
        place, zone = origin(code.group), code.zone
        small = beyond = None
        module = code.group.module * abs(determinant(code.matrix)) ** 0.5
        if module <= MIN_MODULE - TOLERANCE:
            problem = f"has modules of {module:.2f} mm, which need {MIN_MODULE:g} mm to print and "
            hint = "make it wider, shorten its value, or lower its `level`"
            small = f"{problem}scan reliably", hint
        room = min(zone.x, zone.y, face.width - zone.right, face.height - zone.bottom)
        if room <= -TOLERANCE:
            beyond = "reaches beyond the edge of the card", "move it inward"
        contrast_fault = _check_code_contrast(code, number, drawn)
        covered = _check_covered(code, number, drawn, metrics)
        faults: tuple[Fault, ...] = (small, contrast_fault, covered, beyond)
        for kind, fault in enumerate(faults):
            if fault is not None and (L011, kind, place) not in reported:
                reported.add((L011, kind, place))
                problem, hint = fault
                message = f"{subject.name}: the code `{shorten(code.group.alt)}` {problem}"
                yield L011.at(subject.place, message + format_place(place), hint)


def _flatten_ops(
    ops: Iterable[Op],
    matrix: Matrix,
    clips: tuple[Background, ...],
    opacity: float,
    codes: list[_PlacedCode],
    code: int | None,
) -> Iterator[_PlacedOp]:
    """Yield the ops of a face in drawing order, and collect its codes."""
    for op in ops:
        if not isinstance(op, Group):
            yield _PlacedOp(op, matrix, clips, opacity, code)
            continue
        inner, own = op.inner_matrix(matrix), code
        if op.module and op.clip:
            own = len(codes)
            codes.append(_PlacedCode(op, inner, bounds_of(op.clip, inner)))
        inner_clips = (*clips, Background(op.clip, inner, None)) if op.clip else clips
        yield from _flatten_ops(op.ops, inner, inner_clips, opacity * op.opacity, codes, own)


Fault = tuple[str, str] | None
"""The message and hint about a code, None for no fault."""


def _check_code_contrast(code: _PlacedCode, number: int, ops: list[_PlacedOp]) -> Fault:
    first = next((at for at, one in enumerate(ops) if one.code == number), None)
    if first is None:
        return "draws nothing: it has no `fill`", "give it a dark `fill`"
    parts = [one.op for one in ops if one.code == number]
    dark = parts[-1]
    below = [background_of(*one[:4]) for one in ops[: first + len(parts) - 1]]
    grounds = [ground for ground in below if ground is not None]
    zone = code.zone.expand(-TOLERANCE)
    corners = [(x, y) for x in (zone.x, zone.right) for y in (zone.y, zone.bottom)]
    points = [*corners, (zone.x + zone.width / 2, zone.y + zone.height / 2)]
    colors = {color_at(point, grounds) for point in points}
    light = colors.pop()
    hint = "give it a light `background` and a dark `fill`"
    if colors or light is None:
        return "has a background of several colors", hint
    assert isinstance(dark, FillPath)
    color = dark.colors[0]
    difference = luminance(light) - luminance(color)
    if difference <= -MIN_DIFFERENCE:
        return f"is light on dark ({color} on {light}), which many cameras cannot read", hint
    if difference < MIN_DIFFERENCE:
        return f"has too little contrast with its background ({color} on {light})", hint
    return None


def _check_covered(code: _PlacedCode, number: int, ops: list[_PlacedOp], metrics: Metrics) -> Fault:
    last = max((at for at, one in enumerate(ops) if one.code == number), default=0)
    zone = code.zone.expand(-0.05)
    for one in ops[last + 1 :]:
        box = bounding_box(one.op, one.matrix, metrics, capitals=True)
        for clip in one.clips:
            box = box.intersection(bounds_of(clip.outline, clip.matrix))
        common = box.intersection(zone)
        if common.width > 0 and common.height > 0:
            hint = "move one of the two, or put the code after it in the template"
            return "has something drawn over it or its quiet zone", hint
    return None


def find_ops_at(
    face: Face, point: tuple[Mm, Mm], reach: Mm, metrics: Metrics
) -> Iterator[tuple[Op, Matrix]]:
    """Yield the ops drawn at a point of a face with their matrices, in drawing order.

    A line may be at a distance of `reach`.
    """
    for op, matrix, clips, *_ in _flatten_ops(face.ops, IDENTITY, (), 1, [], None):
        if isinstance(op, FillPath):
            is_met = _contains(Background(op.outline, matrix, None), point)
        elif isinstance(op, StrokePath):
            is_met = _is_near(op, matrix, point, reach)
        else:
            box = bounding_box(op, matrix, metrics, capitals=True)
            is_met = box.x <= point[0] <= box.right and box.y <= point[1] <= box.bottom
        if is_met and all(_contains(clip, point) for clip in clips):
            yield op, matrix


def _is_near(op: StrokePath, matrix: Matrix, point: tuple[Mm, Mm], reach: Mm) -> bool:
    """Return whether a line passes within `reach` of a point."""
    reach += op.width / 2 * abs(determinant(matrix)) ** 0.5
    start = 0j
    for x, y, is_start in outlines.flatten(op.outline, _CURVE_PARTS):
        end = complex(*transform_point(matrix, x, y)) - complex(*point)
        if not is_start:
            way = end - start
            share = -(start * way.conjugate()).real / abs(way) ** 2 if way else 0
            if abs(start + way * min(1, max(0, share))) <= reach:
                return True
        start = end
    return False


_CURVE_PARTS = 8
"""The number of lines in place of a curve."""


T022 = Code("T022", Severity.WARNING, "a shape that prints nothing")

_SHAPES = frozenset(
    tag for tag, element in ELEMENTS.items() if element.draw and "fill-rule" in element.attributes
)
_PAINTS = ("fill", "stroke")


def lint_templates(folder: GameFolder, symbols: Collection[str]) -> Iterator[Diagnostic]:
    """Yield findings about the game's own templates, given the ids of its symbols."""
    within = folder.path / "templates"
    files = (load_document(path, []) for path in folder.own_files() if path.is_relative_to(within))
    roots = [root for root in files if root]
    painting = {
        node.get("name")
        for root in roots
        for node in root.children_named("style")
        if root.tag == "styles" and _paints(node)
    }
    for root in roots:
        for node in root.walk():
            text = node.text + "".join(child.tail for child in node.children)
            place, called = node.source.at(), f"the text of `{node.tag}`"
            yield from find_stray_stars(text, place, called)
            if "{" in text:
                finding = find_stray_braces(text, symbols, place, called, template=True)
                yield from [finding] if finding else []
            if node.tag in _SHAPES and not _paints(node) and node.get("class") not in painting:
                message = f"`{node.tag}` has neither `fill` nor `stroke`, so it prints nothing"
                hint = 'add `fill="black"`, which is the default in SVG, or remove it'
                yield T022.at(node.source.at(), message, hint)


def _paints(node: Node) -> bool:
    """Return whether an element or style has a fill or a stroke."""
    return any(node.get(name, "none") != "none" for name in _PAINTS)
