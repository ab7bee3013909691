"""The display list: drawing operations of a laid-out face, for painters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckwright.base.findings import Location
from deckwright.base.geometry import CENTER_CROP, Box, Crop, Matrix, determinant, multiply
from deckwright.base.units import POINTS_PER_MM, Mm


class Tag(NamedTuple):
    """A structure element of a document.

    Attributes:
        role: a standard structure type such as "P" or "TD" (ISO 32000-1, 14.8.4).
        alt: the alternative text; "" if the content speaks for itself.
        number: distinguishes elements: all content with an equal tag belongs to one. Content with
            the number 0 is an element by itself.
        parent: the enclosing element; None at the top.
        numbering: how a list is numbered: a value of `ListNumbering`.
        across: the number of columns that a cell extends over.
    """

    role: str
    alt: str = ""
    number: int = 0
    parent: Tag | None = None
    numbering: str = ""
    across: int = 1


Segment = tuple[str, *tuple[Mm, ...]]
"""A segment: `("M", x, y)`, `("L", x, y)`, `("C", x1, y1, x2, y2, x, y)` or `("Z",)`."""

Outline = tuple[Segment, ...]


class Gradient(NamedTuple):
    """A linear or radial gradient.

    Attributes:
        start, end: the positions of the first and the last color: on a line; or for a radial
            gradient the centre, and a point on the outer circle.
        stops: positions from 0 to 1, with their colors.
    """

    start: tuple[Mm, Mm]
    end: tuple[Mm, Mm]
    stops: tuple[tuple[float, str], ...]
    radial: bool = False


class FillPath(NamedTuple):
    """Fill an outline with a color or a gradient.

    Attributes:
        even_odd: the winding rule: even-odd, or else non-zero.
    """

    outline: Outline
    color: str | Gradient
    even_odd: bool = False

    @property
    def colors(self) -> list[str]:
        """All colors of the fill."""
        color = self.color
        return [each for _, each in color.stops] if isinstance(color, Gradient) else [color]


CAPS = ("butt", "round", "square")
JOINS = ("miter", "round", "bevel")
"""SVG's names of line caps and joins, in the order of PDF's numbers."""
MITER_LIMIT = 10
"""The miter limit of lines in templates: PDF's default, where SVG has 4."""


MIN_LINE_WIDTH: Mm = 0.25 / POINTS_PER_MM
"""The least width of a line in print, a quarter of a point: finer ones break up or vanish."""


class StrokePath(NamedTuple):
    """Stroke an outline, centred on it.

    Attributes:
        cap: the line cap, an index of `CAPS`.
        join: the line join, an index of `JOINS`.
        miter: the miter limit, in line widths.
        dashes: the lengths of dashes and gaps in turn, repeated; empty for a solid line.
        offset: where in them the line begins, at least 0.
    """

    outline: Outline
    color: str
    width: Mm
    cap: int = 0
    join: int = 0
    miter: float = MITER_LIMIT
    dashes: tuple[Mm, ...] = ()
    offset: Mm = 0

    def visible_width(self, scale: float, least: Mm = MIN_LINE_WIDTH) -> Mm:
        """Return the drawn width in its own coordinates, which are printed enlarged by `scale`.

        Args:
            least: the least width on paper.
        """
        if self.width * scale >= least or not scale:
            return self.width
        return math.ceil(1000 * least / scale) / 1000  # painters write three decimals


Glyph = tuple[int, int, int, int, str]
"""A glyph's number in its font; its advance, and its offset across and up, in thousandths of the
em; and the letters that it shows, together with the following glyphs that show none.
"""


class DrawGlyphs(NamedTuple):
    """Draw a run of text in one font.

    Attributes:
        font: the font's id.
        size: the em in mm.
        x, y: the start of the baseline.
        text: in logical order.
        kerns: for each character, what to add to its advance, in thousandths of the em; empty
            where nothing is kerned.
        glyphs: what is drawn, from left to right; empty if it is a glyph a character.
    """

    font: str
    size: Mm
    x: Mm
    y: Mm
    text: str
    kerns: tuple[int, ...]
    color: str
    glyphs: tuple[Glyph, ...] = ()


class DrawImage(NamedTuple):
    """Draw an image file.

    Attributes:
        box: the area to draw it in.
        cover: fill the box and cut off the rest; else show the whole image, centred.
        crop: the visible part of an image that covers its box.
        ink: the ink that it is printed with, as colors name one; "" for its own colors.
    """

    path: Path
    box: Box
    cover: bool
    crop: Crop = CENTER_CROP
    ink: str = ""


class Group(NamedTuple):
    """Draw ops in another coordinate system, or within a clip.

    Attributes:
        matrix: a, b, c, d, e, f of x' = a·x + c·y + e, y' = b·x + d·y + f.
        clip: the outline that clips the ops, in their own coordinates.
        opacity: 0 to 1, applied to each op; nested opacities multiply.
        overprint: whether their inks print on top of what is below, which is not knocked out.
        alt: their alternative text as a whole; "" if they speak for themselves.
        module: the width of the squares or narrowest bars of a machine-readable code, which nothing
            may cover within `clip`; 0 if it is none.
        tag: their element in a page's structure; ignored on a face.
        ink: the id of the ink that replaces their own colors, "" for none.
    """

    ops: tuple[Op, ...]
    matrix: Matrix | None = None
    clip: Outline | None = None
    opacity: float = 1
    overprint: bool = False
    alt: str = ""
    module: Mm = 0
    tag: Tag | None = None
    ink: str = ""

    def inner_matrix(self, around: Matrix) -> Matrix:
        """Return the matrix of the ops, given the matrix of the group."""
        return multiply(around, self.matrix) if self.matrix else around

    @property
    def scale(self) -> float:
        """The enlargement of the ops, averaged over all directions."""
        return math.sqrt(abs(determinant(self.matrix))) if self.matrix else 1


Op = FillPath | StrokePath | DrawGlyphs | DrawImage | Group


class Face(NamedTuple):
    """A laid-out side of a card.

    Attributes:
        width, height: the trim box.
        bleed: how far it is drawn beyond the trim box.
        subject: whose side it is, for findings: "card `HK3`"; "" if unknown.
        alt: its alternative text; "" if its readable text serves.
        drawings: the files of the drawings whose outlines are among its ops.
        unprinted: the fields of its card that were left out for lack of space.
    """

    width: Mm
    height: Mm
    ops: tuple[Op, ...]
    bleed: Mm = 0
    subject: str = ""
    alt: str = ""
    drawings: frozenset[Path] = frozenset()
    unprinted: frozenset[str] = frozenset()


def is_tagged(op: Op) -> bool:
    """Return whether an op or anything in it has a structure tag."""
    if not isinstance(op, Group):
        return False
    return op.tag is not None or (not op.alt and any(map(is_tagged, op.ops)))


def untag(ops: Iterable[Op]) -> tuple[Op, ...]:
    """Return ops without structure tags."""
    return map_ops(ops, lambda op: op._replace(tag=None) if isinstance(op, Group) else op)


def walk(ops: Iterable[Op]) -> Iterator[Op]:
    """Yield all ops, including those in groups."""
    for op in ops:
        yield op
        if isinstance(op, Group):
            yield from walk(op.ops)


def map_ops(ops: Iterable[Op], change: Callable[[Op], Op | None]) -> tuple[Op, ...]:
    """Return ops with each replaced by `change`, including those in groups; None drops an op.

    A group is changed after its content.
    """
    inner = (
        op._replace(ops=map_ops(op.ops, change)) if isinstance(op, Group) else op for op in ops
    )
    return tuple(changed for op in inner if (changed := change(op)) is not None)


_TYPES = (FillPath, StrokePath, DrawGlyphs, DrawImage, Group, Gradient, Tag, Box, Crop)
_NUMBERS: dict[type[object], int] = {kind: number for number, kind in enumerate(_TYPES)}
_TUPLE, _PATH, _OUTLINE = -1, -2, -3
"""What a list begins with that is a plain tuple, the path of a file, or an outline."""
_COUNTS = {"M": 2, "L": 2, "C": 6, "Z": 0}
"""The number of numbers in each kind of segment."""


def encode_ops(value: object) -> object:
    """Return ops, or a value of theirs, as JSON data."""
    if isinstance(value, tuple):
        first = value[0] if value and type(value) is tuple else None
        if type(first) is tuple and first and first[0] in _COUNTS:  # an outline, as most are
            kinds = "".join([segment[0] for segment in value])
            return [_OUTLINE, kinds, *[number for segment in value for number in segment[1:]]]
        return [_NUMBERS.get(type(value), _TUPLE), *map(encode_ops, value)]
    return [_PATH, str(value)] if isinstance(value, Path) else value


def decode_ops(data: Any) -> Any:  # as JSON has it
    """Return the ops that `encode_ops` encoded; invalid data raises any exception."""
    if not isinstance(data, list):
        return data
    kind, *values = data
    if kind == _OUTLINE:
        segments, at = list[Segment](), 1
        for letter in values[0]:
            end = at + _COUNTS[letter]
            segments.append((letter, *values[at:end]))
            at = end
        return tuple(segments)
    if kind == _PATH:
        return Path(values[0])
    decoded = map(decode_ops, values)
    return tuple(decoded) if kind == _TUPLE else _TYPES[kind](*decoded)


_SPOT_PREFIX = "@"


def is_spot(color: object) -> bool:
    """Return whether an op's color names a spot ink."""
    return isinstance(color, str) and color.startswith(_SPOT_PREFIX)


def spot_color(ink_id: str, share: float) -> str:
    """Return the color of a spot ink at a tint from 0 (none) to 1 (full)."""
    return f"{_SPOT_PREFIX}{ink_id} {share:.3f}"


def parse_spot(color: str) -> tuple[str, float]:
    """Return the id of the spot ink that a color names, and its tint from 0 to 1."""
    ink_id, share = color.removeprefix(_SPOT_PREFIX).split(" ")
    return ink_id, float(share)


def ink_of(op: Op) -> str:
    """Return an op's color if it names a spot ink, else ""."""
    color = op.ink if isinstance(op, DrawImage) else getattr(op, "color", "")
    return color if isinstance(color, str) and is_spot(color) else ""


ErrorKind = Literal[
    "value", "overflow", "glyph", "script", "symbol", "path", "picture", "drawing", "palette"
]

TEXT_KINDS: frozenset[ErrorKind] = frozenset({"overflow", "glyph", "script", "symbol"})
"""Kinds of faults in texts: these are drawn all the same, so that the fault is visible."""


class ElementError(Exception):
    """An element cannot be drawn with these values.

    Attributes:
        attribute: the attribute at fault, None for the element as a whole.
        place: the location of the fault if it is not in the template.
        kind: the kind of fault; decides the diagnostic's code.
        quoted: the part of a text at fault, as in the game's data; "" for all of it.
        message, hint: for the designer.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        hint: str | None = None,
        attribute: str | None = None,
        place: Location | None = None,
        quoted: str = "",
    ) -> None:
        """Keep what to report."""
        super().__init__(message)
        self.kind, self.message, self.hint = kind, message, hint
        self.attribute, self.place, self.quoted = attribute, place, quoted
