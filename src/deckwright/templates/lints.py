"""What only the finished layout shows: texts hard to read, and texts too near the cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from deckwright.base.colors import contrast
from deckwright.base.findings import Code, Diagnostic, Location, Severity
from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import PER_UNIT, Mm
from deckwright.ops import outlines
from deckwright.ops.model import (
    DrawGlyphs,
    Face,
    Group,
    Op,
    StrokePath,
)
from deckwright.templates.compose import Subject
from deckwright.templates.grounds import Ground, color_at, ground_of
from deckwright.text.shaping import Metrics, text_box

L003 = Code("L003", Severity.WARNING, "a text with too little contrast with its background")
L004 = Code("L004", Severity.WARNING, "a text so near the edge that a cut may touch it")

MIN_CONTRAST = 4.5
"""WCAG 2.2, success criterion 1.4.3, level AA."""
MIN_CONTRAST_LARGE = 3.0
"""The same for large text: from 18 pt, or from 14 pt if bold."""


class _Text(NamedTuple):
    op: DrawGlyphs
    box: Box
    ground: str | None


Origin = Callable[[Op], Location | None]
"""Tells which element of a template has drawn an op."""


def lint_face(
    face: Face, subject: Subject, safe: Mm, metrics: Metrics, seen: set[object], origin: Origin
) -> Iterator[Diagnostic]:
    """Yield what is doubtful about a face.

    Args:
        safe: the width of the zone along the trim box that should hold no text.
        seen: what was found before, so that a fault of a template is told once, not for each card.
    """
    for text in _texts(face.ops, IDENTITY, [], metrics):
        op, box = text.op, text.box
        pair = (op.color, text.ground)
        if text.ground is not None and pair not in seen:
            seen.add(pair)
            ratio = contrast(op.color, text.ground)
            if ratio < _needed(op):
                yield L003.at(
                    subject.place,
                    f"{subject.name}: the text `{op.text}` has a contrast of {ratio:.1f} to its "
                    f"ground ({op.color} on {text.ground}), {_needed(op):g} is the minimum"
                    f"{at_place(origin(op))}",
                    "make the text darker or the background lighter, or the other way around",
                )
        room = min(box.x, box.y, face.width - box.right, face.height - box.bottom)
        line = (op.font, op.size, round(op.y, 1))
        if room < safe and line not in seen:
            seen.add(line)
            yield L004.at(
                subject.place,
                f"{subject.name}: the text `{op.text}` is {max(room, 0):.2g} mm from the edge, "
                f"within the outer {safe:g} mm that a cut may touch{at_place(origin(op))}",
                "move it inward in the template, or lower `safe` of the kind in game.xml",
            )


def at_place(place: Location | None) -> str:
    """Return where in a template something is, to end a message with."""
    return f" ({place.path.name}:{place.line})" if place else ""


def _needed(op: DrawGlyphs) -> float:
    size_pt = op.size / PER_UNIT["pt"]
    large = size_pt >= 18 or (size_pt >= 14 and "bold" in op.font)  # noqa: PLR2004 - WCAG's sizes
    return MIN_CONTRAST_LARGE if large else MIN_CONTRAST


def _texts(
    ops: Iterable[Op],
    matrix: Matrix,
    grounds: list[Ground],
    metrics: Metrics,
    clips: tuple[Ground, ...] = (),
    opacity: float = 1,
) -> Iterator[_Text]:
    """Yield all texts with their boxes on the face and the color that is under each.

    Args:
        clips: the outlines outside of which nothing is drawn.
        opacity: that of the groups around.
    """
    edges: list[StrokePath] = []
    for op in ops:
        if isinstance(op, Group):
            inner = op.within(matrix)
            clip = (*clips, Ground(op.clip, inner, None)) if op.clip else clips
            yield from _texts(op.ops, inner, grounds, metrics, clip, opacity * op.opacity)
        elif (ground := ground_of(op, matrix, clips, opacity)) is not None:
            grounds.append(ground)
        elif isinstance(op, StrokePath):
            edges.append(op)
        elif isinstance(op, DrawGlyphs):
            box = _box(op, matrix, metrics)
            edge = next((edge.color for edge in edges if _is_around(edge, op, metrics)), None)
            if edge is not None:
                yield _Text(op, box, edge)
                continue
            centre = box.x + box.width / 2, box.y + box.height / 2
            yield _Text(op, box, color_at(centre, grounds))


def _box(op: DrawGlyphs, matrix: Matrix, metrics: Metrics) -> Box:
    """Return the box around a run of text on the face, from its capitals to its baseline."""
    return text_box(op, metrics, metrics.vertical(op.font).cap_height, 0).moved(matrix)


def _is_around(edge: StrokePath, op: DrawGlyphs, metrics: Metrics) -> bool:
    """Return whether a stroke is drawn around the letters of a text, which `text` does."""
    if edge.join != 1:
        return False
    if sum(step[0] == "M" for step in edge.outline) < len(op.text.replace(" ", "")):
        return False
    box = outlines.bounds_of(edge.outline)
    width, near = metrics.shape(op.font, op.text).width * op.size, op.size * _NEAR
    return (
        abs(box.x - op.x) < near
        and box.right - op.x - width > -near
        and op.y - op.size - near < box.y < op.y < box.bottom + near
    )


_NEAR = 0.3
"""How far outlines of letters may begin and end from where their line does, in ems."""
