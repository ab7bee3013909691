"""The attributes of template elements: their names, types and defaults."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from deckwright.base.colors import parse_css_color, split_at_commas
from deckwright.base.geometry import IDENTITY, Matrix, parse_focus, parse_zoom
from deckwright.base.units import MAX_LENGTH, Mm, parse_length
from deckwright.ops.model import Tag

AttributeValues = dict[str, Any]
"""The values of an element's attributes by name, parsed."""

Palette = Mapping[str, str]
"""The game's own tints of color names."""


class AttributeType(NamedTuple):
    """An attribute of a template element.

    Attributes:
        parse: turns its text into a value, with the game's palette; raises ValueError with a
            message for the designer.
        default: its text where it is left out; None if it must be given.
        says: what it holds, in words.
    """

    parse: Callable[[str, Palette], object]
    default: str | None
    says: str


def length(default: str | None = None) -> AttributeType:
    """A length, in mm or with a unit; may be negative."""
    says = "a length in mm, or with a unit, such as 9pt"
    return AttributeType(lambda text, _: parse_length(text), default, says)


def size(default: str | None = None, *, above_zero: bool = False) -> AttributeType:
    """A length that is not negative; with `above_zero`, one that can be seen."""
    least = f"{_MIN_SIZE:g} mm" if above_zero else "0"

    def parse(text: str, _: Palette) -> float:
        value = parse_length(text)
        if value < 0 or (above_zero and value < _MIN_SIZE):
            raise ValueError(f"`{text}` is {'too small' if value >= 0 else 'negative'}")
        return value

    return AttributeType(
        parse, default, f"a length in mm, or with a unit, such as 9pt, at least {least}"
    )


_MIN_SIZE = 0.05
"""The smallest type, in mm: a tenth of what anyone can read. Codes and steps are no smaller."""


def optional_length() -> AttributeType:
    """A length that may be left out (None)."""

    def parse(text: str, _: Palette) -> float | None:
        return float(str(size().parse(text, _))) if text else None

    return AttributeType(parse, "", size().says)


def optional_integer(least: int, most: int) -> AttributeType:
    """A whole number that may be left out (None)."""
    says = f"a whole number from {least} to {most}"

    def parse(text: str, _: Palette) -> int | None:
        text = text.strip()
        if text and not (re.fullmatch("[0-9]{1,9}", text) and least <= int(text) <= most):
            raise ValueError(f"`{text}` is not {says}")
        return int(text) if text else None

    return AttributeType(parse, "", says)


def spacing(default: str = "0", says: str | None = None) -> AttributeType:
    """A measure of type: a part of it in ems, and one in mm."""

    def parse(text: str, _: Palette) -> tuple[float, float]:
        found = re.fullmatch(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))(em|%)\s*", text)
        share = float(found[1]) / (100 if found[2] == "%" else 1) if found else 0.0
        ems, mm = (share, 0.0) if found else (0.0, parse_length(text))
        if not -_MIN_SPACING <= ems <= _MAX_SPACING:
            message = f"`{text}` is not within -{_MIN_SPACING:g}em and {_MAX_SPACING:g}em"
            raise ValueError(message)
        return ems, mm

    return AttributeType(
        parse, default, says or "a share of the type size, such as 0.05em, or a length"
    )


_MIN_SPACING, _MAX_SPACING = 0.3, 3.0


def length_or_fit() -> AttributeType:
    """A length, or `fit` (None) for as much as what is inside needs."""

    def parse(text: str, _: Palette) -> float | None:
        return None if text.strip() == "fit" else float(str(size().parse(text, _)))

    return AttributeType(parse, "fit", "`fit`, as much as what is in it needs, or a length in mm")


def padding(default: str) -> AttributeType:
    """Two lengths, above and below, and at the sides; one that is both."""

    def parse(text: str, _: Palette) -> tuple[Mm, Mm]:
        found = [float(str(size().parse(part, _))) for part in text.split()]
        if len(found) not in {1, 2}:
            raise ValueError(f"`{text}` is not one length or two")
        return found[0], found[-1]

    return AttributeType(parse, default, "a length, or two: above and below, and at the sides")


def number(default: str | None = None) -> AttributeType:
    """A number without unit."""

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
    """One of some words; the first is the default."""

    def parse(text: str, _: Palette) -> str:
        if text not in options:
            raise ValueError(f"`{text}` is not one of {', '.join(filter(None, options))}")
        return text

    named = ", ".join(f"`{option}`" for option in options if option)
    return AttributeType(parse, options[0], f"one of {named}")


def focus(default: str = "0.5 0.5") -> AttributeType:
    """A point of a picture, as shares of its width and height."""
    says = "two numbers from 0 to 1: how far across and how far down"
    return AttributeType(lambda text, _: parse_focus(text or default), default, says)


def zoom(default: str = "1") -> AttributeType:
    """How many times larger than needed a picture is."""
    return AttributeType(
        lambda text, _: parse_zoom(text or default), default, "a number from 1 to 99"
    )


def dashes() -> AttributeType:
    """The lengths of dashes and gaps in turn, or `none` for a whole line (empty)."""

    def parse(text: str, _: Palette) -> tuple[Mm, ...]:
        if text.strip() in {"", "none"}:
            return ()
        found = tuple(parse_length(part) for part in re.split(r"\s*,\s*|\s+", text.strip()))
        if min(found) < 0:
            raise ValueError(f"`{text}` has a negative length")
        if len(found) > _MAX_DASHES:
            raise ValueError(f"`{text}` has more than {_MAX_DASHES} lengths")
        if sum(found) < _MIN_DASH_LENGTH:
            raise ValueError(f"`{text}` is finer than {_MIN_DASH_LENGTH:g} mm")
        return found

    return AttributeType(parse, "none", "lengths of dashes and gaps, such as `2 1`, or `none`")


_MAX_DASHES = 20
_MIN_DASH_LENGTH = 0.1
"""The shortest dash with its gap, in mm: no printer shows finer ones."""


def transform() -> AttributeType:
    """What moves, turns, enlarges and skews an element, as SVG writes it; None for nothing."""

    def parse(text: str, _: Palette) -> Matrix | None:
        if not text:
            return None
        from deckwright.images.drawings.css import parse_transform  # noqa: PLC0415
        from deckwright.images.drawings.model import RefusedError  # noqa: PLC0415 - rarely needed

        try:
            matrix = parse_transform(text)
        except RefusedError:
            matrix = None
        if matrix is None or not all(abs(number) <= MAX_LENGTH for number in matrix):
            message = f"`{text}` is not a list of transforms such as `translate(5 2) rotate(45)`"
            raise ValueError(message)
        return None if matrix == IDENTITY else matrix

    says = "`translate(5 2)`, `rotate(45 10 10)`, `scale(2)`, `skewX(10)`, `matrix(…)`"
    return AttributeType(parse, "", f"any of {says}, as in SVG")


def string(default: str | None = None) -> AttributeType:
    """Any text."""
    return AttributeType(lambda text, _: text, default, "text")


def points() -> AttributeType:
    """Points of a polygon, "x,y x,y …"."""

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
    "p": "P",
    "h1": "H1",
    "h2": "H2",
    "h3": "H3",
    "h4": "H4",
    "table": "Table",
    "tr": "TR",
    "th": "TH",
    "td": "TD",
    "figure": "Figure",
}
"""The names of HTML, and the elements of PDF that they are."""


def role() -> AttributeType:
    """What it is in the structure of a page; nothing of its own if it is not given."""
    return choice("", *_ROLE_TAGS)


def tag_of(values: AttributeValues) -> Tag | None:
    """Return what an element with these values is."""
    name = values["role"]
    if not name:
        return None
    return Tag(_ROLE_TAGS[name], values.get("alt", ""))


def color(default: str | None = None) -> AttributeType:
    """A color as `#rrggbb`, or as `#rrggbbaa` if it is translucent; or `none` (None)."""

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
    """A color that may be left out (None)."""
    plain = color()
    return AttributeType(
        lambda text, palette: plain.parse(text, palette) if text else None, "", _COLOR_HELP
    )


class GradientSpec(NamedTuple):
    """A gradient as a template writes it; the shape that it fills gives it its size.

    Attributes:
        degrees: its direction as in CSS, 0 upwards, 90 to the right; None for a radial one.
        stops: the colors with their places from 0 to 1.
    """

    degrees: float | None
    stops: tuple[tuple[float, str], ...]


def paint(default: str | None = None) -> AttributeType:
    """A color, a gradient written as in CSS, or `none` (None)."""
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
        if len(parts) < 2:  # noqa: PLR2004 - a gradient runs from one color to another
            raise ValueError(f"`{text}` does not have two colors")
        return GradientSpec(degrees, tuple(_parse_stops(parts, plain, palette)))

    says = f"{_COLOR_HELP}, `linear-gradient(90deg, #fff, #000 80%)`, "
    return AttributeType(parse, default, says + "`radial-gradient(#fff, #000)`, or `none`")


def _parse_stops(
    parts: list[str], plain: AttributeType, palette: Palette
) -> Iterator[tuple[float, str]]:
    for index, part in enumerate(parts):
        found = _STOP.fullmatch(part)
        if found is None:
            raise ValueError(f"`{part}` is not a color with a place such as 80%")
        at = float(found[2]) / 100 if found[2] else index / (len(parts) - 1)
        color = str(plain.parse(found[1], palette) or "#ffffff")
        if len(color) > len("#rrggbb"):
            raise ValueError(f"`{found[1]}` is translucent, which colors of a gradient cannot be")
        yield min(at, 1.0), color


_STOP = re.compile(r"([^\s(]*(?:\([^()]*\))?)(?:\s+([0-9.]{1,8})%)?")


def palette() -> AttributeType:
    """Colors by names, `cloth: #a33; metal: none`, sorted by them."""
    plain = color()

    def parse(text: str, tints: Palette) -> tuple[tuple[str, str], ...]:
        found: dict[str, str] = {}
        for part in filter(None, map(str.strip, text.split(";"))):
            name, colon, value = (piece.strip() for piece in part.partition(":"))
            if not colon or not re.fullmatch(r"[\w-]{1,100}", name):
                message = f"`{part}` is not a name with a color, such as `cloth: #a33`"
                raise ValueError(message)
            if name in found:
                message = f"`{name}` has two colors"
                raise ValueError(message)
            found[name] = str(plain.parse(value, tints) or "none")
        return tuple(sorted(found.items()))

    return AttributeType(parse, "", "colors by name, `cloth: #a33; metal: none`")
