"""Ops as JSON data, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckwright.base.geometry import Box, Crop
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    FillPath,
    Gradient,
    Group,
    Segment,
    StrokePath,
    Tag,
)

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
    """Return the ops that `encode_ops` encoded.

    Raises:
        Exception: of any type, if the data is invalid.
    """
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
