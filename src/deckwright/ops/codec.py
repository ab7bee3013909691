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
    StrokePath,
    Tag,
)

_TYPES = (FillPath, StrokePath, DrawGlyphs, DrawImage, Group, Gradient, Tag, Box, Crop)
_NUMBERS: dict[type[object], int] = {kind: number for number, kind in enumerate(_TYPES)}
_TUPLE, _PATH = -1, -2
"""What a list begins with that is a plain tuple, or the path of a file."""


def encode_ops(value: object) -> object:
    """Return ops, or a value of theirs, as JSON data."""
    if isinstance(value, tuple):
        return [_NUMBERS.get(type(value), _TUPLE), *map(encode_ops, value)]
    return [_PATH, str(value)] if isinstance(value, Path) else value


def decode_ops(data: Any) -> Any:  # noqa: ANN401 - as JSON has it
    """Return the ops that `encode_ops` encoded.

    Raises:
        Exception: of any type, if the data is invalid.
    """
    if not isinstance(data, list):
        return data
    kind, *values = data
    if kind == _PATH:
        return Path(values[0])
    decoded = map(decode_ops, values)
    return tuple(decoded) if kind == _TUPLE else _TYPES[kind](*decoded)
