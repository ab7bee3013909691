"""What a face consists of once it is laid out: drawing operations, for painters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from deckwright.base.findings import Location
from deckwright.base.geometry import CENTER_CROP, Box, Crop, Matrix, determinant, multiply
from deckwright.base.units import POINTS_PER_MM, Mm


class Tag(NamedTuple):
    """An element of the structure of a document.

    Attributes:
        role: its type, such as "P" or "TD": one of the standard ones of ISO 32000-1, 14.8.4.
        alt: what is said in its place; "" if its content speaks for itself.
        number: what tells it from others; all content with the same tag is in one element. What has
            the number 0 is an element by itself.
        parent: what it is in; None for what is around it.
        numbering: of a list, how its marks count: a value of `ListNumbering`.
    """

    role: str
    alt: str = ""
    number: int = 0
    parent: Tag | None = None
    numbering: str = ""


Segment = tuple[str, *tuple[Mm, ...]]
"""A step of an outline: `("M", x, y)`, `("L", x, y)`, `("C", x1, y1, x2, y2, x, y)` or `("Z",)`."""

Outline = tuple[Segment, ...]


class Gradient(NamedTuple):
    """Colors that run into each other.

    Attributes:
        start, end: where the first and the last color are: on a line; or for a radial gradient
            the centre, and a point on the outer circle.
        stops: the colors with their places, 0 at the start to 1 at the end.
    """

    start: tuple[Mm, Mm]
    end: tuple[Mm, Mm]
    stops: tuple[tuple[float, str], ...]
    radial: bool = False


class FillPath(NamedTuple):
    """Fill an outline, with a color or a gradient.

    Attributes:
        even_odd: what is inside: by even-odd, or by non-zero winding.
    """

    outline: Outline
    color: str | Gradient
    even_odd: bool = False

    @property
    def colors(self) -> list[str]:
        """All colors that it is filled with."""
        return (
            [c for _, c in self.color.stops] if isinstance(self.color, Gradient) else [self.color]
        )


CAPS = ("butt", "round", "square")
JOINS = ("miter", "round", "bevel")
"""What SVG calls the ends and corners of lines, by the numbers that PDF has for them."""
MITER_LIMIT = 10
"""The limit of pointed corners of lines that templates draw: that of PDF, where SVG has 4."""


MIN_LINE_WIDTH: Mm = 0.25 / POINTS_PER_MM
"""No line is thinner in print, a quarter of a point: a finer one breaks up, or is lost."""


class StrokePath(NamedTuple):
    """Stroke an outline, centred on it.

    Attributes:
        cap: how lines end, a place in `CAPS`.
        join: what corners look like, a place in `JOINS`.
        miter: how many widths long a pointed corner may be before it is cut off.
        dashes: the lengths of dashes and gaps in turn, over and over; empty for a whole line.
        offset: how far into them the line begins, at least 0.
    """

    outline: Outline
    color: str
    width: Mm
    cap: int = 0
    join: int = 0
    miter: float = MITER_LIMIT
    dashes: tuple[Mm, ...] = ()
    offset: Mm = 0

    def visible_width(self, scale: float) -> Mm:
        """Return how wide it is drawn in its own coordinates: on paper, `MIN_LINE_WIDTH` at least.

        Args:
            scale: how much larger than there it is on paper.
        """
        if self.width * scale >= MIN_LINE_WIDTH or not scale:
            return self.width
        return math.ceil(1000 * MIN_LINE_WIDTH / scale) / 1000  # painters write three decimals


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
        crop: what is left over, of an image that covers its box.
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
        clip: the outline that bounds the ops, in their own coordinates.
        opacity: 0 to 1, of each op by itself; that of groups in groups is multiplied.
        overprint: whether their inks are printed on top of what is below, which is not left out.
        alt: what they say together, for those who do not see them; "" if they speak for themselves.
        module: how wide the squares or the narrowest bars are of what a camera reads, and which
            nothing may cover within `clip`; 0 if it is none.
        tag: what they are in the structure of a page; on a face it means nothing.
        ink: the id of the ink that they are printed with instead of their own colors, "" for none.
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

    def within(self, around: Matrix) -> Matrix:
        """Return the matrix of the ops, where `around` is that of the group."""
        return multiply(around, self.matrix) if self.matrix else around

    @property
    def scale(self) -> float:
        """How much larger the ops are than in their own coordinates, on average of directions."""
        return math.sqrt(abs(determinant(self.matrix))) if self.matrix else 1


Op = FillPath | StrokePath | DrawGlyphs | DrawImage | Group


class Face(NamedTuple):
    """A side of a card, laid out.

    Attributes:
        width, height: the trim box.
        bleed: how far it is drawn beyond that.
        subject: what findings call what it is a side of, such as "card `HK3`"; "" if nothing.
        alt: what it says, for those who do not see it; "" if that is what can be read on it.
        drawings: the files of the drawings whose outlines are among its ops.
        unprinted: the fields of its card that were left out because they had no room.
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
    """Return whether an op says what it is, or what is in it does."""
    if not isinstance(op, Group):
        return False
    return op.tag is not None or (not op.alt and any(map(is_tagged, op.ops)))


def walk(ops: Iterable[Op]) -> Iterator[Op]:
    """Yield all ops, also those inside of groups."""
    for op in ops:
        yield op
        if isinstance(op, Group):
            yield from walk(op.ops)


def map_ops(ops: Iterable[Op], change: Callable[[Op], Op | None]) -> tuple[Op, ...]:
    """Return ops as `change` makes each, also those inside of groups; without those it drops.

    A group is changed after what is in it.
    """
    inner = (
        op._replace(ops=map_ops(op.ops, change)) if isinstance(op, Group) else op for op in ops
    )
    return tuple(made for op in inner if (made := change(op)) is not None)


_SPOT_PREFIX = "@"


def is_spot(color: object) -> bool:
    """Return whether the color of an op names such an ink."""
    return isinstance(color, str) and color.startswith(_SPOT_PREFIX)


def spot_color(ink_id: str, share: float) -> str:
    """Return the color that is an ink, from 0 (none of it) to 1 (full)."""
    return f"{_SPOT_PREFIX}{ink_id} {share:.3f}"


def parse_spot(color: str) -> tuple[str, float]:
    """Return the id of the ink that a color names, and how full it is, from 0 to 1."""
    ink_id, share = color.removeprefix(_SPOT_PREFIX).split(" ")
    return ink_id, float(share)


def ink_of(op: Op) -> str:
    """Return the color of an op that names an ink; "" if it names none."""
    color = op.ink if isinstance(op, DrawImage) else getattr(op, "color", "")
    return color if isinstance(color, str) and is_spot(color) else ""


ErrorKind = Literal["value", "overflow", "glyph", "script", "symbol", "path", "drawing", "palette"]

TEXT_KINDS: frozenset[ErrorKind] = frozenset({"overflow", "glyph", "script", "symbol"})
"""What is wrong with a text itself: it can be drawn all the same, so that the fault is seen."""


class ElementError(Exception):
    """An element cannot be drawn with these values.

    Attributes:
        attribute: the attribute at fault, None for the element as a whole.
        place: where the fault is if it is not in the template.
        kind: what is wrong; decides the diagnostic's code.
        said: the part of a text that is at fault, as the game's data have it; "" for all of it.
        message, hint: what to tell the designer.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        hint: str | None = None,
        attribute: str | None = None,
        place: Location | None = None,
        said: str = "",
    ) -> None:
        """Keep what to report."""
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint
        self.attribute = attribute
        self.place = place
        self.said = said
