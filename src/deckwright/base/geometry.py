"""Plane geometry in millimetres, origin at the top left, y downwards."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from deckwright.base.units import Mm

Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f of x' = a·x + c·y + e, y' = b·x + d·y + f."""

IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)
"""The matrix that changes nothing."""


class Box(NamedTuple):
    """An upright rectangle."""

    x: Mm
    y: Mm
    width: Mm
    height: Mm

    @property
    def right(self) -> Mm:
        """The x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> Mm:
        """The y of the lower edge."""
        return self.y + self.height

    @classmethod
    def around(cls, boxes: Iterable[Box]) -> Box:
        """Return the smallest box around one or more boxes."""
        return cls.of(point for b in boxes for point in ((b.x, b.y), (b.right, b.bottom)))

    @classmethod
    def of(cls, points: Iterable[tuple[Mm, Mm]]) -> Box:
        """Return the smallest box around some points; an empty one at 0, 0 without points."""
        xs, ys = zip(*points, strict=True) if (points := list(points)) else ((0,), (0,))
        left, top = min(xs), min(ys)
        return cls(left, top, max(xs) - left, max(ys) - top)

    def expand(self, by: Mm) -> Box:
        """Return the box enlarged by `by` on each side."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def intersection(self, other: Box) -> Box:
        """Return the part shared with another box; it has no area if there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Box(x, y, max(0, right - x), max(0, bottom - y))

    def touches(self, other: Box) -> bool:
        """Return whether it shares a point with another box."""
        return (
            self.x <= other.right
            and other.x <= self.right
            and self.y <= other.bottom
            and other.y <= self.bottom
        )

    def contains(self, other: Box) -> bool:
        """Return whether no part of another box is outside of it."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def transform(self, matrix: Matrix) -> Box:
        """Return the smallest box around its corners, transformed by a matrix."""
        corners = ((x, y) for x in (self.x, self.right) for y in (self.y, self.bottom))
        return Box.of(transform_point(matrix, *corner) for corner in corners)


def translation(x: Mm, y: Mm) -> Matrix:
    """Return the matrix that moves everything right by `x` and down by `y`."""
    return 1, 0, 0, 1, x, y


def scaling(by: float, x: Mm = 0, y: Mm = 0) -> Matrix:
    """Return the matrix that enlarges everything, then moves it right by `x` and down by `y`."""
    return by, 0, 0, by, x, y


def transform_point(matrix: Matrix, x: Mm, y: Mm) -> tuple[Mm, Mm]:
    """Return a point transformed by a matrix."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def determinant(matrix: Matrix) -> float:
    """Return the factor by which a matrix scales areas; negative if it mirrors."""
    a, b, c, d, _, _ = matrix
    return a * d - b * c


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that applies `second`, then `first`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )


_SHARE = r"(?:0|1|0?\.[0-9]{1,6}|1\.0{1,6})"
FOCUS_PATTERN = rf"{_SHARE}[ \t]+{_SHARE}"
"""A focus: its position across and down, 0 to 1."""
ZOOM_PATTERN = r"[1-9][0-9]?(?:\.[0-9]{1,6})?"
"""A zoom: 1 to 99."""
_CROP_SUFFIX = re.compile(r"(.*?)#(?:focus=([\d.]+),([\d.]+))?&?(?:zoom=([\d.]+))?", re.DOTALL)


class Crop(NamedTuple):
    """The visible part of a picture.

    Attributes:
        x, y: the point of the picture that should be nearest to the middle of the box, as shares of
            its width and height.
        zoom: how much the picture is enlarged beyond filling the box, at least 1.
    """

    x: float = 0.5
    y: float = 0.5
    zoom: float = 1

    def window(
        self, picture: tuple[float, float], shape: tuple[float, float]
    ) -> tuple[float, float, float, float]:
        """Return the visible part of a picture: left, top, width and height.

        Args:
            picture: its size.
            shape: the size of the box that it covers, in any unit.
        """
        scale = min(picture[0] / shape[0], picture[1] / shape[1]) / self.zoom
        width, height = shape[0] * scale, shape[1] * scale
        left, top = self.x * picture[0] - width / 2, self.y * picture[1] - height / 2
        return (
            max(0.0, min(left, picture[0] - width)),
            max(0.0, min(top, picture[1] - height)),
            width,
            height,
        )


CENTER_CROP = Crop()
"""The crop that cuts off opposite sides evenly."""


def parse_focus(text: str) -> tuple[float, float]:
    """Return the focus that a text specifies.

    Raises:
        ValueError: if it is malformed.
    """
    if not re.fullmatch(FOCUS_PATTERN, text.strip()):
        raise ValueError(f"`{text}` is not two numbers from 0 to 1, such as `0.5 0.2`")
    across, down = map(float, text.split())
    return across, down


def parse_zoom(text: str) -> float:
    """Return the zoom that a text specifies.

    Raises:
        ValueError: if it is malformed.
    """
    if not re.fullmatch(ZOOM_PATTERN, text.strip()):
        raise ValueError(f"`{text}` is not a number from 1 to 99, such as `1.3`")
    return float(text)


def add_crop(name: str, focus: str | None, zoom: str | None) -> str:
    """Return a picture's name with its crop appended: `ogre.jpg#focus=0.5,0.2&zoom=1.3`.

    Templates pass it around like a plain name.
    """
    parameters = [f"focus={','.join(focus.split())}"] if focus else []
    parameters += [f"zoom={zoom.strip()}"] if zoom else []
    return f"{name}#{'&'.join(parameters)}" if parameters else name


def split_crop(href: str, usual: Crop = CENTER_CROP) -> tuple[str, Crop]:
    """Return a picture's name and crop; `usual` supplies what the name leaves out."""
    match = _CROP_SUFFIX.fullmatch(href)
    if match is None or not any(match.groups()[1:]):
        return href, usual
    name, x, y, zoom = match.groups()
    where = (float(x), float(y)) if x else usual[:2]
    return name, Crop(*where, float(zoom) if zoom else usual.zoom)
