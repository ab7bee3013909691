"""Values of options that are read from text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import click

from deckwright.base.units import Mm, parse_length

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
