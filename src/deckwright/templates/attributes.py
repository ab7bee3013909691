"""The attributes of template elements: their names, types and defaults."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from deckwright.base.colors import parse_css_color, split_at_commas
from deckwright.base.geometry import IDENTITY, Matrix, parse_focus, parse_zoom
from deckwright.base.units import MAX_LENGTH, Mm, parse_length
from deckwright.ops.model import Tag

AttributeValues = dict[str, Any]
"""The parsed values of an element's attributes, by name."""

Palette = Mapping[str, str]
"""The game's values of color names."""


class AttributeType(NamedTuple):
    """An attribute of a template element.

    Attributes:
        parse: returns the value of a text, given the game's palette; raises ValueError with a
            message for designers.
        default: the text used if it is missing; None for a required attribute.
        description: a description of its values.
    """

    parse: Callable[[str, Palette], object]
    default: str | None
    description: str


def length(default: str | None = None) -> AttributeType:
    """Return the type of a length, in mm or with a unit; it may be negative."""
    says = "a length in mm, or with a unit, such as 9pt"
    return AttributeType(lambda text, _: parse_length(text), default, says)


def size(default: str | None = None, *, above_zero: bool = False) -> AttributeType:
    """Return the type of a length that is not negative; with `above_zero`, large enough to see."""
    least = _MIN_SIZE if above_zero else 0.0
    shown = f"{_MIN_SIZE:g} mm" if above_zero else "0"
    says = f"a length in mm, or with a unit, such as 9pt, at least {shown}"
    return AttributeType(lambda text, _: _parse_size(text, least), default, says)


PLACE: dict[str, AttributeType] = {"x": length("0"), "y": length("0")}
"""The attributes of a place."""


_MIN_SIZE = 0.05
"""The smallest visible size in mm: a tenth of readable type."""


def _parse_size(text: str, least: Mm = 0) -> Mm:
    value = parse_length(text)
    if value < least:
        raise ValueError(f"`{text}` is {'too small' if value >= 0 else 'negative'}")
    return value


AREA: dict[str, AttributeType] = {**PLACE, "width": size(), "height": size()}
"""The attributes of a box."""


def optional_length() -> AttributeType:
    """Return the type of an optional length (None if missing)."""
    says = size().description
    return AttributeType(lambda text, _: _parse_size(text) if text else None, "", says)


def optional_integer(least: int, maximum: int) -> AttributeType:
    """Return the type of an optional whole number (None if missing)."""
    says = f"a whole number from {least} to {maximum}"

    def parse(text: str, _: Palette) -> int | None:
        text = text.strip()
        if text and not (re.fullmatch("[0-9]{1,9}", text) and least <= int(text) <= maximum):
            raise ValueError(f"`{text}` is not {says}")
        return int(text) if text else None

    return AttributeType(parse, "", says)


def spacing(default: str = "0", says: str | None = None) -> AttributeType:
    """Return the type of a spacing, whose value is a pair: in ems, and in mm."""

    def parse(text: str, _: Palette) -> tuple[float, float]:
        match = re.fullmatch(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))(em|%)\s*", text)
        share = float(match[1]) / (100 if match[2] == "%" else 1) if match else 0.0
        ems, mm = (share, 0.0) if match else (0.0, parse_length(text))
        if not -_MIN_SPACING <= ems <= _MAX_SPACING:
            message = f"`{text}` is not within -{_MIN_SPACING:g}em and {_MAX_SPACING:g}em"
            raise ValueError(message)
        return ems, mm

    says = says or "a length, or a share of the font size such as 0.05em"
    return AttributeType(parse, default, says)


_MIN_SPACING, _MAX_SPACING = 0.3, 3.0


def length_or_fit() -> AttributeType:
    """Return the type of a length, or `fit` (None) for the size of the contents."""

    def parse(text: str, _: Palette) -> float | None:
        return None if text.strip() == "fit" else _parse_size(text)

    return AttributeType(parse, "fit", "`fit`, the size of the contents, or a length in mm")


def padding(default: str) -> AttributeType:
    """Return the type of a padding: vertical and horizontal lengths, or one for both."""

    def parse(text: str, _: Palette) -> tuple[Mm, Mm]:
        lengths = [_parse_size(part) for part in text.split()]
        if len(lengths) not in {1, 2}:
            raise ValueError(f"`{text}` is not one length or two")
        return lengths[0], lengths[-1]

    says = "one length for all sides, or two: top and bottom, left and right"
    return AttributeType(parse, default, says)


def number(default: str | None = None) -> AttributeType:
    """Return the type of a number without a unit."""

    def parse(text: str, _: Palette) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isfinite(value):
            return value
        raise ValueError(f"`{text}` is not a number")

    return AttributeType(parse, default, "a number")


def choice(*options: str) -> AttributeType:
    """Return the type of a choice of words; the first is the default."""

    def parse(text: str, _: Palette) -> str:
        if text not in options:
            raise ValueError(f"`{text}` is not one of {', '.join(filter(None, options))}")
        return text

    named = ", ".join(f"`{option}`" for option in options if option)
    return AttributeType(parse, options[0], f"one of {named}")


def focus(default: str = "0.5 0.5") -> AttributeType:
    """Return the type of a point in a picture, as shares of its width and height."""
    says = "two numbers from 0 to 1: how far across and how far down"
    return AttributeType(lambda text, _: parse_focus(text or default), default, says)


def zoom(default: str = "1") -> AttributeType:
    """Return the type of the magnification of a picture."""
    says = "a number from 1 to 99"
    return AttributeType(lambda text, _: parse_zoom(text or default), default, says)


def dashes() -> AttributeType:
    """Return the type of the lengths of dashes and gaps, empty for a solid line (`none`)."""

    def parse(text: str, _: Palette) -> tuple[Mm, ...]:
        if text.strip() in {"", "none"}:
            return ()
        lengths = tuple(parse_length(part) for part in re.split(r"\s*,\s*|\s+", text.strip()))
        if min(lengths) < 0:
            raise ValueError(f"`{text}` has a negative length")
        if len(lengths) > _MAX_DASHES:
            raise ValueError(f"`{text}` has more than {_MAX_DASHES} lengths")
        if sum(lengths) < _MIN_DASH_LENGTH:
            raise ValueError(f"`{text}` adds up to less than {_MIN_DASH_LENGTH:g} mm")
        return lengths

    return AttributeType(parse, "none", "lengths of dashes and gaps, such as `2 1`, or `none`")


_MAX_DASHES = 20
_MIN_DASH_LENGTH = 0.1
"""The shortest period of dashes, in mm: no printer resolves finer ones."""


def transform() -> AttributeType:
    """Return the type of an affine transform in SVG's syntax; None for the identity."""

    def parse(text: str, _: Palette) -> Matrix | None:
        if not text:
            return None
        from deckwright.images.drawings.css import parse_transform
        from deckwright.images.drawings.model import RefusedError  # rarely needed

        try:
            matrix = parse_transform(text)
        except RefusedError:
            matrix = None
        if matrix is None or not all(abs(number) <= MAX_LENGTH for number in matrix):
            message = f"`{text}` is not a list of transforms such as `translate(5 2) rotate(45)`"
            raise ValueError(message)
        return None if matrix == IDENTITY else matrix

    says = "`translate(5 2)`, `rotate(45 10 10)`, `scale(2)`, `skewX(10)`, `matrix(…)`"
    return AttributeType(parse, "", f"one or more of {says}, as in SVG")


def string(default: str | None = None) -> AttributeType:
    """Return the type of any text."""
    return AttributeType(lambda text, _: text, default, "text")


def points() -> AttributeType:
    """Return the type of the points of a polygon, "x,y x,y …"."""

    def parse(text: str, _: Palette) -> list[tuple[float, float]]:
        numbers = re.split(r"[\s,]+", text.strip())
        try:
            values = [float(item) for item in numbers]
        except ValueError:
            values = []
        if len(values) % 2 or not values or not all(map(math.isfinite, values)):
            raise ValueError(f"`{text}` is not a list of points")
        return list(zip(values[::2], values[1::2], strict=True))

    return AttributeType(parse, None, "points as `x,y x,y …` in mm")


_ROLE_TAGS = {
    tag.lower(): tag for tag in ("P", "H1", "H2", "H3", "H4", "Table", "TR", "TH", "TD", "Figure")
}
"""The roles, named like HTML elements, and their PDF structure types."""


def role() -> AttributeType:
    """Return the type of a role in the structure of a page; optional."""
    return choice("", *_ROLE_TAGS)


def tag_of(values: AttributeValues) -> Tag | None:
    """Return the structure tag of an element with these values, None if it has no role."""
    name = values["role"]
    if not name:
        return None
    return Tag(_ROLE_TAGS[name], values.get("alt", ""))


def color(default: str | None = None) -> AttributeType:
    """Return the type of a color: `#rrggbb`, `#rrggbbaa` if translucent, None for `none`."""

    def parse(text: str, palette: Palette) -> str | None:
        text = text.strip()
        if text == "none":
            return None
        if text in palette:
            return palette[text]
        known = parse_css_color(text)
        if known is None:
            raise ValueError(f"`{text}` is not a color")
        seen, opacity = known
        if opacity < 1:
            return f"{seen}{round(opacity * 255):02x}" if opacity else None
        return seen

    return AttributeType(parse, default, f"{_COLOR_HELP}, or `none`")


_COLOR_HELP = "a color such as `#a33`, `teal`, `rgba(0, 0, 0, 0.5)`"


def optional_color() -> AttributeType:
    """Return the type of an optional color (None if missing)."""
    plain = color()
    return AttributeType(
        lambda text, palette: plain.parse(text, palette) if text else None, "", _COLOR_HELP
    )


class GradientSpec(NamedTuple):
    """A gradient as written in a template, scaled later to the shape that it fills.

    Attributes:
        degrees: its direction as in CSS (0 up, 90 right); None for a radial one.
        stops: the colors with their positions from 0 to 1.
    """

    degrees: float | None
    stops: tuple[tuple[float, str], ...]


def paint(default: str | None = None) -> AttributeType:
    """Return the type of a paint: a color, a gradient in CSS syntax, or `none` (None)."""
    plain = color(default)

    def parse(text: str, palette: Palette) -> object:
        match = re.fullmatch(r"\s*(linear|radial)-gradient\((.*)\)\s*", text)
        if match is None:
            return plain.parse(text, palette)
        parts = [part.strip() for part in split_at_commas(match[2])]
        degrees: float | None = None
        if match[1] == "linear":
            angle = re.fullmatch(r"([+-]?[\d.]+)deg", parts[0])
            degrees = float(angle[1]) if angle else 180.0
            parts = parts[1:] if angle else parts
        if len(parts) < 2:  # a gradient runs from one color to another
            raise ValueError(f"`{text}` does not have two colors")
        stops = []
        for index, part in enumerate(parts):
            stop = _STOP.fullmatch(part)
            if stop is None:
                message = f"`{part}` is not a color, or a color and its position, such as"
                raise ValueError(f"{message} `#fff 80%`")
            at = float(stop[2]) / 100 if stop[2] else index / (len(parts) - 1)
            color = str(plain.parse(stop[1], palette) or "#ffffff")
            if len(color) > len("#rrggbb"):
                raise ValueError(f"`{stop[1]}` is translucent, but gradients need opaque colors")
            stops.append((min(at, 1.0), color))
        return GradientSpec(degrees, tuple(stops))

    says = f"{_COLOR_HELP}, `linear-gradient(90deg, #fff, #000 80%)`, "
    return AttributeType(parse, default, says + "`radial-gradient(#fff, #000)`, or `none`")


_STOP = re.compile(r"([^\s(]*(?:\([^()]*\))?)(?:\s+([0-9.]{1,8})%)?")


def palette() -> AttributeType:
    """Return the type of colors by name, `cloth: #a33; metal: none`, sorted by name."""
    plain = color()

    def parse(text: str, tints: Palette) -> tuple[tuple[str, str], ...]:
        colors: dict[str, str] = {}
        for part in filter(None, map(str.strip, text.split(";"))):
            name, colon, value = (piece.strip() for piece in part.partition(":"))
            if not colon or not re.fullmatch(r"[\w-]{1,100}", name):
                raise ValueError(f"`{part}` is not a name and a color, such as `cloth: #a33`")
            if name in colors:
                raise ValueError(f"`{name}` has two colors")
            colors[name] = str(plain.parse(value, tints) or "none")
        return tuple(sorted(colors.items()))

    return AttributeType(parse, "", "colors by name, `cloth: #a33; metal: none`")
