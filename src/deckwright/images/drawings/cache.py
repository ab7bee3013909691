"""A cache of parsed SVG drawings: their ops are kept on disk.

A drawing is parsed once for all palettes, with placeholders instead of their colors.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path

from deckwright import __version__
from deckwright.base.cache import Cache, fingerprint_code
from deckwright.base.files import read_file
from deckwright.base.processes import track_work
from deckwright.images.drawings.model import (
    PLACEHOLDER,
    Drawing,
    DrawingError,
    Palette,
    RefusedError,
    parse_opaque_color,
)
from deckwright.ops import model
from deckwright.ops.model import FillPath, StrokePath, walk
from deckwright.ops.moving import recolor
from deckwright.xmlio.load import file_limits


def placeholder_palette(palette: Palette) -> Palette:
    """Return a palette with the same names and placeholders instead of colors."""
    return tuple((name, f"{PLACEHOLDER}{name}{PLACEHOLDER}") for name, _ in palette)


def apply_palette(drawing: Drawing, palette: Palette) -> Drawing | None:
    """Return a drawing read with a placeholder palette, with the palette's colors filled in.

    None if the drawing must be read again, because a variable is not a plain color.
    """
    known: dict[str, str] = {}
    for text in set(_placeholder_colors(drawing)):
        full = text
        for name, value in palette:
            full = full.replace(f"{PLACEHOLDER}{name}{PLACEHOLDER}", value)
        try:
            resolved = parse_opaque_color(full, "")
        except RefusedError:
            resolved = None
        if resolved is None:
            return None
        known[text] = resolved
    return drawing._replace(ops=recolor(drawing.ops, known))


def _placeholder_colors(drawing: Drawing) -> Iterator[str]:
    """Yield the colors of a drawing that contain placeholders."""
    for op in walk(drawing.ops):
        if isinstance(op, FillPath | StrokePath):
            colors = op.colors if isinstance(op, FillPath) else [op.color]
            yield from (color for color in colors if PLACEHOLDER in color)


def load_drawing(path: Path, modified_ns: int, palette: Palette = ()) -> Drawing:
    """Return the drawing in the file at `path`.

    Args:
        path: the file.
        modified_ns: its modification time, so that changes are noticed.
        palette: the values of variables given from outside.

    Raises:
        DrawingError: if it cannot be read, or contains anything that cannot be drawn.
    """
    drawing = _load_cached(path, modified_ns, palette)
    if isinstance(drawing, DrawingError):
        raise DrawingError(str(drawing), drawing.place, drawing.hint)
    return drawing


def forget_drawings() -> None:
    """Drop all cached drawings; they are read again on demand."""
    _load_cached.cache_clear()
    _read.cache_clear()


@lru_cache(maxsize=1024)
def _load_cached(path: Path, modified_ns: int, palette: Palette) -> Drawing | DrawingError:
    """Return a drawing or its error; both are cached, since many cards may share it."""
    with track_work(f"the drawing `{path.name}`", path):
        if palette:
            read = _read(path, modified_ns, placeholder_palette(palette))
            drawing = apply_palette(read, palette) if isinstance(read, Drawing) else None
            if drawing is not None:
                return drawing
        return _read(path, modified_ns, palette)


@lru_cache(maxsize=512)
def _read(path: Path, _modified_ns: int, palette: Palette) -> Drawing | DrawingError:
    try:
        return _read_or_cached(path, palette)
    except DrawingError as error:
        return DrawingError(str(error), error.place, error.hint)


def _read_or_cached(path: Path, palette: Palette) -> Drawing:
    """Return a drawing from the cache on disk, or read it."""
    entries, key = Cache("drawings"), _key(path, palette)
    cached = entries.read_decoded(key, _unpickle) if key else None
    if cached is not None:
        return cached
    from deckwright.images.drawings.read import read_drawing  # noqa: PLC0415 - only what is new

    drawing = read_drawing(path, palette)
    if key and key == _key(path, palette):  # only if the file has not changed meanwhile
        entries.write(key, pickle.dumps(drawing))
    return drawing


def _unpickle(content: bytes) -> Drawing | None:
    drawing = pickle.loads(content)  # noqa: S301 - ours, and whole
    return drawing if isinstance(drawing, Drawing) else None


def _key(path: Path, palette: Palette) -> str:
    """Return the cache key of a drawing's file; "" if it cannot be read, or is too large."""
    try:
        content = read_file(path, file_limits().bytes)
    except OSError:
        return ""
    return blake2b(_code() + repr(palette).encode() + content, digest_size=20).hexdigest()


@cache
def _code() -> bytes:
    """Return a fingerprint of the code that turns drawings into ops."""
    code = fingerprint_code(Path(__file__).parent, Path(model.__file__).parent)
    return f"{__version__} {code} ".encode()
