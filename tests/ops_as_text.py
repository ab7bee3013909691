"""Faces as readable text, for comparison with golden files."""

from __future__ import annotations

from collections.abc import Iterable

from deckwright.base.units import format_decimal
from deckwright.ops.model import (
    MITER_LIMIT,
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
)


def format_face(face: Face) -> str:
    """Return a face as readable text, one op a line."""
    lines = [f"face {format_decimal(face.width)} x {format_decimal(face.height)}"]

    def add(ops: Iterable[Op], indent: str) -> None:
        for op in ops:
            lines.append(indent + _line(op))
            if isinstance(op, Group):
                add(op.ops, indent + "  ")

    add(face.ops, "  ")
    return "\n".join(lines) + "\n"


def _line(op: Op) -> str:
    match op:
        case FillPath(outline, color, even_odd):
            rule = " even-odd" if even_odd else ""
            return f"fill {_paint(color)}{rule} {_outline(outline)}"
        case StrokePath(outline, color, width, cap, join, miter, dashes, offset):
            ends = f" cap {cap} join {join}" if cap or join else ""
            ends += f" miter {format_decimal(miter)}" if miter != MITER_LIMIT else ""
            if dashes:
                ends += (
                    f" dashes {','.join(map(format_decimal, dashes))} from {format_decimal(offset)}"
                )
            return f"stroke {color} {format_decimal(width)}{ends} {_outline(outline)}"
        case DrawGlyphs(font, size, x, y, text, kerns, color):
            kerned = f" kerned {sum(kerns)}" if kerns else ""
            return (
                f"text {font} {format_decimal(size)} {color} at "
                f"{format_decimal(x)},{format_decimal(y)}{kerned} {text!r}"
            )
        case DrawImage(path, box, cover, ink=ink):
            fit = "cover" if cover else "contain"
            place = ",".join(map(format_decimal, (box.x, box.y, box.width, box.height)))
            inked = f" ink {ink}" if ink else ""
            return f"image {path.name} {fit} {place}{inked}"
        case Group(_, matrix, clip, opacity, overprint, alt, ink=ink):
            moved = f" matrix {','.join(map(format_decimal, matrix))}" if matrix else ""
            clipped = f" clip {_outline(clip)}" if clip else ""
            seen = f" opacity {format_decimal(opacity)}" if opacity < 1 else ""
            suffix = f" alt {alt!r}" if alt else ""
            suffix += f" ink {ink}" if ink else ""
            over = " overprint" if overprint else ""
            return f"group{moved}{clipped}{seen}{over}{suffix}"


def _paint(color: str | Gradient) -> str:
    if isinstance(color, str):
        return color
    kind = "radial" if color.radial else "linear"
    ends = (
        f"{','.join(map(format_decimal, color.start))}-{','.join(map(format_decimal, color.end))}"
    )
    return f"{kind} {ends} " + " ".join(f"{format_decimal(at)}:{stop}" for at, stop in color.stops)


def _outline(outline: Outline) -> str:
    return " ".join(
        segment[0] + ",".join(format_decimal(number) for number in segment[1:])
        for segment in outline
    )
