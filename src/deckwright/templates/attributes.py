"""The attributes of template elements: their names, types and defaults."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from deckwright.base.colors import css_color, top_level
from deckwright.base.geometry import IDENTITY, Matrix, read_focus, read_zoom
from deckwright.base.units import LONGEST, Mm, parse_length
from deckwright.ops.model import Tag

Values = dict[str, Any]
"""The values of an element's attributes by name, parsed."""

Palette = Mapping[str, str]
"""The game's own tints of color names."""


class Attr(NamedTuple):
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


def length(default: str | None = None) -> Attr:
    """A length, in mm or with a unit; may be negative."""
    says = "a length in mm, or with a unit, such as 9pt"
    return Attr(lambda text, _: parse_length(text), default, says)


def size(default: str | None = None, *, above_zero: bool = False) -> Attr:
    """A length that is not negative; with `above_zero`, one that can be seen."""
    least = f"{_LEAST:g} mm" if above_zero else "0"

    def parse(text: str, _: Palette) -> float:
        value = parse_length(text)
        if value < 0 or (above_zero and value < _LEAST):
            raise ValueError(f"`{text}` is {'too small' if value >= 0 else 'negative'}")
        return value

    return Attr(parse, default, f"a length in mm, or with a unit, such as 9pt, at least {least}")


_LEAST = 0.05
"""The smallest type, in mm: a tenth of what anyone can read. Codes and steps are no smaller."""


def maybe_length() -> Attr:
    """A length that may be left out (None)."""

    def parse(text: str, _: Palette) -> float | None:
        return float(str(size().parse(text, _))) if text else None

    return Attr(parse, "", size().says)


def maybe_whole(least: int, most: int) -> Attr:
    """A whole number that may be left out (None)."""
    says = f"a whole number from {least} to {most}"

    def parse(text: str, _: Palette) -> int | None:
        text = text.strip()
        if text and not (re.fullmatch("[0-9]{1,9}", text) and least <= int(text) <= most):
            raise ValueError(f"`{text}` is not {says}")
        return int(text) if text else None

    return Attr(parse, "", says)


def spacing(default: str = "0", says: str | None = None) -> Attr:
    """A measure of type: a part of it in ems, and one in mm."""

    def parse(text: str, _: Palette) -> tuple[float, float]:
        found = re.fullmatch(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))(em|%)\s*", text)
        share = float(found[1]) / (100 if found[2] == "%" else 1) if found else 0.0
        ems, mm = (share, 0.0) if found else (0.0, parse_length(text))
        if not -_CLOSEST <= ems <= _WIDEST:
            message = f"`{text}` is not within -{_CLOSEST:g}em and {_WIDEST:g}em"
            raise ValueError(message)
        return ems, mm

    return Attr(parse, default, says or "a share of the type size, such as 0.05em, or a length")


_CLOSEST, _WIDEST = 0.3, 3.0


def fitting() -> Attr:
    """A length, or `fit` (None) for as much as what is inside needs."""

    def parse(text: str, _: Palette) -> float | None:
        return None if text.strip() == "fit" else float(str(size().parse(text, _)))

    return Attr(parse, "fit", "`fit`, as much as what is in it needs, or a length in mm")


def padding(default: str) -> Attr:
    """Two lengths, above and below, and at the sides; one that is both."""

    def parse(text: str, _: Palette) -> tuple[Mm, Mm]:
        found = [float(str(size().parse(part, _))) for part in text.split()]
        if len(found) not in {1, 2}:
            raise ValueError(f"`{text}` is not one length or two")
        return found[0], found[-1]

    return Attr(parse, default, "a length, or two: above and below, and at the sides")


def number(default: str | None = None) -> Attr:
    """A number without unit."""

    def parse(text: str, _: Palette) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isfinite(value):
            return value
        raise ValueError(f"`{text}` is not a number")

    return Attr(parse, default, "a number")


def choice(*options: str) -> Attr:
    """One of some words; the first is the default."""

    def parse(text: str, _: Palette) -> str:
        if text not in options:
            raise ValueError(f"`{text}` is not one of {', '.join(filter(None, options))}")
        return text

    named = ", ".join(f"`{option}`" for option in options if option)
    return Attr(parse, options[0], f"one of {named}")


def focus(default: str = "0.5 0.5") -> Attr:
    """A point of a picture, as shares of its width and height."""
    says = "two numbers from 0 to 1: how far across and how far down"
    return Attr(lambda text, _: read_focus(text or default), default, says)


def zoom(default: str = "1") -> Attr:
    """How many times larger than needed a picture is."""
    return Attr(lambda text, _: read_zoom(text or default), default, "a number from 1 to 99")


def dashes() -> Attr:
    """The lengths of dashes and gaps in turn, or `none` for a whole line (empty)."""

    def parse(text: str, _: Palette) -> tuple[Mm, ...]:
        if text.strip() in {"", "none"}:
            return ()
        found = tuple(parse_length(part) for part in re.split(r"\s*,\s*|\s+", text.strip()))
        if min(found) < 0:
            raise ValueError(f"`{text}` has a negative length")
        if len(found) > _MOST_DASHES:
            raise ValueError(f"`{text}` has more than {_MOST_DASHES} lengths")
        if sum(found) < _FINEST:
            raise ValueError(f"`{text}` is finer than {_FINEST:g} mm")
        return found

    return Attr(parse, "none", "lengths of dashes and gaps, such as `2 1`, or `none`")


_MOST_DASHES = 20
_FINEST = 0.1
"""The shortest dash with its gap, in mm: no printer shows finer ones."""


def transform() -> Attr:
    """What moves, turns, enlarges and skews an element, as SVG writes it; None for nothing."""

    def parse(text: str, _: Palette) -> Matrix | None:
        if not text:
            return None
        from deckwright.images.drawings.css import matrix_of  # noqa: PLC0415
        from deckwright.images.drawings.model import RefusedError  # noqa: PLC0415 - rarely needed

        try:
            matrix = matrix_of(text)
        except RefusedError:
            matrix = None
        if matrix is None or not all(abs(number) <= LONGEST for number in matrix):
            message = f"`{text}` is not a list of transforms such as `translate(5 2) rotate(45)`"
            raise ValueError(message)
        return None if matrix == IDENTITY else matrix

    says = "`translate(5 2)`, `rotate(45 10 10)`, `scale(2)`, `skewX(10)`, `matrix(…)`"
    return Attr(parse, "", f"any of {says}, as in SVG")


def string(default: str | None = None) -> Attr:
    """Any text."""
    return Attr(lambda text, _: text, default, "text")


def points() -> Attr:
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

    return Attr(parse, None, "points as `x,y x,y …` in mm")


_TAGS = {
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


def role() -> Attr:
    """What it is in the structure of a page; nothing of its own if it is not given."""
    return choice("", *_TAGS)


def tag_of(values: Values) -> Tag | None:
    """Return what an element with these values is."""
    name = values["role"]
    if not name:
        return None
    return Tag(_TAGS[name], values.get("alt", ""))


def color(default: str | None = None) -> Attr:
    """A color as `#rrggbb`, or as `#rrggbbaa` if it is translucent; or `none` (None)."""

    def parse(text: str, palette: Palette) -> str | None:
        text = text.strip()
        if text == "none":
            return None
        if text in palette:
            return palette[text]
        known = css_color(text)
        if known is None:
            raise ValueError(f"`{text}` is not a color")
        seen, opacity = known
        if opacity < 1:
            return f"{seen}{round(opacity * 255):02x}" if opacity else None
        return seen

    return Attr(parse, default, f"{_COLOR}, or `none`")


_COLOR = "a color such as `#a33`, `teal`, `rgba(0, 0, 0, 0.5)`"


def maybe_color() -> Attr:
    """A color that may be left out (None)."""
    plain = color()
    return Attr(lambda text, palette: plain.parse(text, palette) if text else None, "", _COLOR)


class GradientSpec(NamedTuple):
    """A gradient as a template writes it; the shape that it fills gives it its size.

    Attributes:
        degrees: its direction as in CSS, 0 upwards, 90 to the right; None for a radial one.
        stops: the colors with their places from 0 to 1.
    """

    degrees: float | None
    stops: tuple[tuple[float, str], ...]


def paint(default: str | None = None) -> Attr:
    """A color, a gradient written as in CSS, or `none` (None)."""
    plain = color(default)

    def parse(text: str, palette: Palette) -> object:
        match = re.fullmatch(r"\s*(linear|radial)-gradient\((.*)\)\s*", text)
        if match is None:
            return plain.parse(text, palette)
        parts = [part.strip() for part in top_level(match[2])]
        degrees: float | None = None
        if match[1] == "linear":
            angle = re.fullmatch(r"([+-]?[\d.]+)deg", parts[0])
            degrees = float(angle[1]) if angle else 180.0
            parts = parts[1:] if angle else parts
        if len(parts) < 2:  # noqa: PLR2004 - a gradient runs from one color to another
            raise ValueError(f"`{text}` does not have two colors")
        return GradientSpec(degrees, tuple(_stops(parts, plain, palette)))

    says = f"{_COLOR}, `linear-gradient(90deg, #fff, #000 80%)`, "
    return Attr(parse, default, says + "`radial-gradient(#fff, #000)`, or `none`")


def _stops(parts: list[str], plain: Attr, palette: Palette) -> Iterator[tuple[float, str]]:
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


def palette() -> Attr:
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

    return Attr(parse, "", "colors by name, `cloth: #a33; metal: none`")
