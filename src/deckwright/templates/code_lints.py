"""What makes codes hard to read for a camera: too small, too pale, covered or cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckwright.base.colors import luminance
from deckwright.base.findings import Code, Diagnostic, Severity, shortened
from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import HAIR, Mm
from deckwright.ops.model import Face, FillPath, Group, Op, walk
from deckwright.ops.outlines import bounds_of
from deckwright.templates.compose import Subject
from deckwright.templates.grounds import Ground, color_at, ground_of
from deckwright.templates.lints import Origin, at_place
from deckwright.text.shaping import Metrics, box_of

L011 = Code("L011", Severity.WARNING, "a code that a camera may not be able to read")

MIN_MODULE: Mm = 0.3
"""How wide modules are at least: what office printers print and telephones see reliably."""
MIN_DIFFERENCE = 0.55
"""By how much the ground is lighter than the modules, of all light: grade B of ISO/IEC 15415."""


class _Drawn(NamedTuple):
    """An op that is no group, in its place among all others.

    Attributes:
        code: the number of the code that it is a part of, None if of none.
    """

    op: Op
    matrix: Matrix
    clips: tuple[Ground, ...]
    opacity: float
    code: int | None


class _Symbol(NamedTuple):
    """A code on a face, with the box of its quiet zone."""

    group: Group
    matrix: Matrix
    zone: Box


def lint_codes(
    face: Face, subject: Subject, metrics: Metrics, seen: set[object], origin: Origin
) -> Iterator[Diagnostic]:
    """Yield what makes the codes of a face hard to read.

    Args:
        seen: what was found before, so that a fault of a template is told once, not for each card.
    """
    if not any(isinstance(op, Group) and op.module for op in walk(face.ops)):
        return
    codes: list[_Symbol] = []
    drawn = list(_drawn(face.ops, IDENTITY, (), 1, codes, None))
    for number, code in enumerate(codes):
        place = origin(code.group)
        faults = (
            _small(code),
            _pale(code, number, drawn),
            _covered(code, number, drawn, metrics),
            _cut(code, face),
        )
        for kind, fault in enumerate(faults):
            if fault is not None and (L011, kind, place) not in seen:
                seen.add((L011, kind, place))
                said, hint = fault
                message = f"{subject.name}: the code `{shortened(code.group.alt)}` {said}"
                yield L011.at(subject.place, message + at_place(place), hint)


def _drawn(
    ops: Iterable[Op],
    matrix: Matrix,
    clips: tuple[Ground, ...],
    opacity: float,
    codes: list[_Symbol],
    code: int | None,
) -> Iterator[_Drawn]:
    """Yield what a face consists of in its order, and enter its codes."""
    for op in ops:
        if not isinstance(op, Group):
            yield _Drawn(op, matrix, clips, opacity, code)
            continue
        inner, own = op.within(matrix), code
        if op.module and op.clip:
            own = len(codes)
            codes.append(_Symbol(op, inner, bounds_of(op.clip, inner)))
        held = (*clips, Ground(op.clip, inner, None)) if op.clip else clips
        yield from _drawn(op.ops, inner, held, opacity * op.opacity, codes, own)


Fault = tuple[str, str] | None
"""What is wrong with a code, and what to do."""


def _small(code: _Symbol) -> Fault:
    a, b, c, d, *_ = code.matrix
    module = code.group.module * abs(a * d - b * c) ** 0.5
    if module > MIN_MODULE - HAIR:
        return None
    return (
        f"has modules of {module:.2f} mm, {MIN_MODULE:g} mm is what prints and scans reliably",
        "make it wider, or its value shorter, or its `level` lower",
    )


def _pale(code: _Symbol, number: int, drawn: list[_Drawn]) -> Fault:
    first = next((at for at, one in enumerate(drawn) if one.code == number), None)
    if first is None:
        return "draws nothing: it has no `fill`", "give it one"
    parts = [one.op for one in drawn if one.code == number]
    dark = parts[-1]
    below = [ground_of(*one[:4]) for one in drawn[: first + len(parts) - 1]]
    grounds = [ground for ground in below if ground is not None]
    zone = code.zone.grown(-HAIR)
    corners = [(x, y) for x in (zone.x, zone.right) for y in (zone.y, zone.bottom)]
    points = [*corners, (zone.x + zone.width / 2, zone.y + zone.height / 2)]
    colors = {color_at(point, grounds) for point in points}
    light = colors.pop()
    hint = "let it have a light `background` and a dark `fill`"
    if colors or light is None:
        return "stands on a ground of several colors", hint
    assert isinstance(dark, FillPath)
    color = dark.colors[0]
    difference = luminance(light) - luminance(color)
    if difference <= -MIN_DIFFERENCE:
        return f"is light on dark ({color} on {light}), which many cameras do not read", hint
    if difference < MIN_DIFFERENCE:
        return f"has too little contrast with its ground ({color} on {light})", hint
    return None


def _covered(code: _Symbol, number: int, drawn: list[_Drawn], metrics: Metrics) -> Fault:
    last = max((at for at, one in enumerate(drawn) if one.code == number), default=0)
    zone = code.zone.grown(-0.05)
    for one in drawn[last + 1 :]:
        box = box_of(one.op, one.matrix, metrics, capitals=True)
        for clip in one.clips:
            box = box.common(bounds_of(clip.outline, clip.matrix))
        common = box.common(zone)
        if common.width > 0 and common.height > 0:
            return (
                "has something drawn over it or its quiet zone",
                "move one of the two, or draw the code behind it in the template",
            )
    return None


def _cut(code: _Symbol, face: Face) -> Fault:
    zone = code.zone
    if min(zone.x, zone.y, face.width - zone.right, face.height - zone.bottom) > -HAIR:
        return None
    return "reaches beyond the edge of the card", "move it inward"
