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
    Outline,
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
        if _is_outline(value):
            kinds = "".join([segment[0] for segment in value])
            return [_OUTLINE, kinds, *[number for segment in value for number in segment[1:]]]
        return [_NUMBERS.get(type(value), _TUPLE), *map(encode_ops, value)]
    return [_PATH, str(value)] if isinstance(value, Path) else value


def _is_outline(value: tuple[Any, ...]) -> bool:
    """Return whether a tuple is an outline, most of what ops consist of."""
    first = value[0] if value and type(value) is tuple else None
    return type(first) is tuple and bool(first) and first[0] in _COUNTS


def decode_ops(data: Any) -> Any:  # as JSON has it
    """Return the ops that `encode_ops` encoded.

    Raises:
        Exception: of any type, if the data is invalid.
    """
    if not isinstance(data, list):
        return data
    kind, *values = data
    if kind == _OUTLINE:
        return _decode_outline(*values)
    if kind == _PATH:
        return Path(values[0])
    decoded = map(decode_ops, values)
    return tuple(decoded) if kind == _TUPLE else _TYPES[kind](*decoded)


def _decode_outline(kinds: str, *numbers: float) -> Outline:
    segments: list[Segment] = []
    at = 0
    for kind in kinds:
        end = at + _COUNTS[kind]
        segments.append((kind, *numbers[at:end]))
        at = end
    return tuple(segments)
