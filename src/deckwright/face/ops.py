"""What a face consists of once it is laid out: drawing operations, for painters and tests.

All lengths are mm from the top left of the face, y downwards. Colors are `#rrggbb`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from deckwright.geometry import Box
from deckwright.units import Mm

Segment = tuple[str, *tuple[Mm, ...]]
"""A step of an outline: `("M", x, y)`, `("L", x, y)`, `("C", x1, y1, x2, y2, x, y)` or `("Z",)`."""

Outline = tuple[Segment, ...]


class FillPath(NamedTuple):
    """Fill an outline (non-zero winding)."""

    outline: Outline
    color: str


class StrokePath(NamedTuple):
    """Stroke an outline, centred on it."""

    outline: Outline
    color: str
    width: Mm


class DrawGlyphs(NamedTuple):
    """Draw a run of text in one font.

    Attributes:
        font: the font's id.
        size: the em in mm.
        x, y: the start of the baseline.
        kerns: for each character, what to add to its advance, in thousandths of the em; empty
            where nothing is kerned.
    """

    font: str
    size: Mm
    x: Mm
    y: Mm
    text: str
    kerns: tuple[int, ...]
    color: str


class DrawImage(NamedTuple):
    """Draw an image file.

    Attributes:
        box: where.
        cover: fill the box and cut off what is left over; else show all of it, centred.
    """

    path: Path
    box: Box
    cover: bool


class Group(NamedTuple):
    """Draw ops in another coordinate system, or within a clip.

    Attributes:
        matrix: a, b, c, d, e, f of x' = a·x + c·y + e, y' = b·x + d·y + f.
        clip: the outline that bounds the ops, in their own coordinates.
    """

    ops: tuple[Op, ...]
    matrix: tuple[float, float, float, float, float, float] | None = None
    clip: Outline | None = None


Op = FillPath | StrokePath | DrawGlyphs | DrawImage | Group


class Face(NamedTuple):
    """A side of a card, laid out.

    Attributes:
        width, height: the trim box.
    """

    width: Mm
    height: Mm
    ops: tuple[Op, ...]


def walk(ops: Iterable[Op]) -> Iterator[Op]:
    """Yield all ops, also those inside of groups."""
    for op in ops:
        yield op
        if isinstance(op, Group):
            yield from walk(op.ops)


def as_text(face: Face) -> str:
    """Return a face as readable text, one op a line, for tests."""
    lines = [f"face {_number(face.width)} x {_number(face.height)}"]

    def add(ops: Iterable[Op], indent: str) -> None:
        for op in ops:
            lines.append(indent + _line(op))
            if isinstance(op, Group):
                add(op.ops, indent + "  ")

    add(face.ops, "  ")
    return "\n".join(lines) + "\n"


def _line(op: Op) -> str:
    match op:
        case FillPath(outline, color):
            return f"fill {color} {_outline(outline)}"
        case StrokePath(outline, color, width):
            return f"stroke {color} {_number(width)} {_outline(outline)}"
        case DrawGlyphs(font, size, x, y, text, kerns, color):
            kerned = f" kerned {sum(kerns)}" if kerns else ""
            return (
                f"text {font} {_number(size)} {color} at {_number(x)},{_number(y)}{kerned} {text!r}"
            )
        case DrawImage(path, box, cover):
            fit = "cover" if cover else "contain"
            place = ",".join(map(_number, (box.x, box.y, box.width, box.height)))
            return f"image {path.name} {fit} {place}"
        case Group(_, matrix, clip):
            moved = f" matrix {','.join(map(_number, matrix))}" if matrix else ""
            clipped = f" clip {_outline(clip)}" if clip else ""
            return f"group{moved}{clipped}"


def _outline(outline: Outline) -> str:
    return " ".join(
        segment[0] + ",".join(_number(number) for number in segment[1:]) for segment in outline
    )


def _number(number: float) -> str:
    text = f"{number:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
