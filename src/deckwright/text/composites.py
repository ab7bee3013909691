"""Glyphs of TrueType that are made of others (OpenType, `glyf`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import uharfbuzz as hb

_LONG_ARGUMENTS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x1, 0x8, 0x20, 0x40, 0x80
_HEAD = 10
"""How many bytes say how many outlines a glyph has, and how large it is."""


def has_itself(face: hb.Face, glyph: int) -> bool:
    """Return whether a glyph has itself, or one that has itself, as a part."""
    tables = _tables(face)
    known: dict[int, bool] = {}
    waiting = [(glyph, _parts(tables, glyph))]
    known[glyph] = True  # while its parts are looked at
    while waiting:
        current, parts = waiting[-1]
        part = next(parts, None)
        if part is None:
            known[current] = False
            waiting.pop()
        elif part not in known:
            known[part] = True
            waiting.append((part, _parts(tables, part)))
        elif known[part]:
            return True
    return False


@lru_cache(maxsize=64)
def _tables(face: hb.Face) -> tuple[bytes, bytes, bool]:
    """Return the glyphs of a font, where they begin, and whether that is said in four bytes."""
    head = face.reference_table("head").data
    return (
        face.reference_table("glyf").data,
        face.reference_table("loca").data,
        head[51:52] == b"\1",
    )


def _parts(tables: tuple[bytes, bytes, bool], glyph: int) -> Iterator[int]:
    """Yield the glyphs that a glyph is made of; none if it has outlines of its own."""
    glyphs, places, is_long = tables
    size = 4 if is_long else 2
    start, end = (
        int.from_bytes(places[at * size : at * size + size], "big") * (1 if is_long else 2)
        for at in (glyph, glyph + 1)
    )
    data = glyphs[start:end]
    if data[:1] < b"\x80":  # a number of outlines, which is negative for what is made of others
        return
    at, flags = _HEAD, _MORE
    while flags & _MORE and at + 4 <= len(data):
        flags = int.from_bytes(data[at : at + 2], "big")
        yield int.from_bytes(data[at + 2 : at + 4], "big")
        at += 8 if flags & _LONG_ARGUMENTS else 6
        at += 2 * bool(flags & _SCALE) + 4 * bool(flags & _TWO_SCALES) + 8 * bool(flags & _MATRIX)
