"""Values of options that are read from text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import click

from deckwright.base.units import CARDS, Mm, parse_length

T = TypeVar("T")


class Parsed(click.ParamType[T], Generic[T]):
    """A value as a function reads it; the function's ValueErrors are mistakes in usage."""

    name = "value"

    def __init__(self, parse: Callable[[str], T]) -> None:
        """Take the function that reads the value."""
        self._parse = parse

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """Return what the function returns."""
        try:
            return self._parse(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def length_within(least: Mm, most: Mm) -> Parsed[Mm]:
    """Return a type of lengths in mm, or with a unit, that are neither shorter nor longer."""

    def parse(text: str) -> Mm:
        length = parse_length(text)
        if not least <= length <= most:
            raise ValueError(f"`{text}` is not within {least:g} to {most:g} mm")
        return length

    return Parsed(parse)


_LARGEST: Mm = 2000
"""Nothing that is printed is wider or higher."""
_DIGITS = 6
"""Numbers of pages are shorter."""


def parse_size(text: str, known: Mapping[str, tuple[Mm, Mm]] = CARDS) -> tuple[Mm, Mm]:
    """Return a width and a height: "63x88", "2.5x3.5in", or a name.

    Args:
        known: sizes by name; those of cards by default.

    Raises:
        ValueError: if it is none.
    """
    if text.lower() in known:
        return known[text.lower()]
    sides = text.lower().replace("×", "x").split("x")
    if len(sides) != 2:  # noqa: PLR2004 - width and height
        raise ValueError(f"`{text}` is not a size such as 63x88 or 2.5x3.5in")
    unit = sides[1].strip().lstrip("0123456789. ")
    width, height = (parse_length(s if s.strip()[-1:].isalpha() else s + unit) for s in sides)
    for side in (width, height):
        if not 1 <= side <= _LARGEST:
            raise ValueError(f"a side of `{text}` is not within 1 to {_LARGEST:g} mm")
    return width, height


def parse_pages(text: str) -> tuple[int, ...]:
    """Return the numbers of pages such as "1-54,60", in their order.

    Raises:
        ValueError: if they are none.
    """
    numbers: list[int] = []
    for part in filter(None, text.replace(" ", "").split(",")):
        first, dash, last = part.partition("-")
        if not (first.isascii() and first.isdecimal() and len(first) < _DIGITS):
            raise ValueError(f"`{part}` is no page or range of pages, such as 3 or 1-54")
        if dash and not (last.isascii() and last.isdecimal() and len(last) < _DIGITS):
            raise ValueError(f"`{part}` is no range of pages, such as 1-54")
        numbers += range(int(first), int(last or first) + 1)
    if text.strip() and not numbers:
        raise ValueError(f"`{text}` names no pages, such as 1-54,60")
    return tuple(numbers)
