"""A cache of parsed SVG drawings: their ops are kept on disk.

A drawing is parsed once for all palettes, with placeholders instead of their colors.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

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
from deckwright.ops.model import FillPath, Op, StrokePath, walk
from deckwright.ops.moving import move_ops, recolor
from deckwright.xmlio.load import file_limits

_PLACEHOLDER = re.compile(f"{PLACEHOLDER}([^{PLACEHOLDER}]*){PLACEHOLDER}")


def _resolve_placeholders(texts: Iterable[str], palette: Palette) -> Mapping[str, str] | None:
    """Return colors by their texts with placeholders.

    None if the drawing must be read again, because a variable is not a plain color.
    """
    values, colors = dict(palette), dict[str, str]()
    for text in texts:
        try:
            color = parse_opaque_color(_PLACEHOLDER.sub(lambda found: values[found[1]], text), "")
        except RefusedError:
            color = None
        if color is None:
            return None
        colors[text] = color
    return colors


class PlaceableDrawing(NamedTuple):
    """A drawing whose ops are only made where it is placed.

    Attributes:
        size: its width and height, in its own units.
        overflows, variables: as those of `Drawing`.
        colors: the colors of its palette by their placeholders.
        source: its file, the time of that, and the palette that it was read with.
    """

    size: tuple[float, float]
    overflows: bool
    variables: frozenset[str]
    colors: Mapping[str, str]
    source: tuple[Path, int, Palette]

    def place(self, scale: float, x: float, y: float, tints: Mapping[str, str]) -> tuple[Op, ...]:
        """Return its ops enlarged by `scale`, then moved by `x` and `y`, with colors replaced.

        Raises:
            DrawingError: if its file has become unreadable.
        """
        colors = {text: tints.get(color, color) for text, color in self.colors.items()}
        return recolor(_move(*self.source, scale, x, y), {**tints, **colors})


def load_drawing(path: Path, modified_ns: int, palette: Palette = ()) -> Drawing:
    """Return the drawing in the file at `path`.

    Args:
        modified_ns: its modification time, so that changes are noticed.
        palette: the values of variables given from outside.

    Raises:
        DrawingError: if it cannot be read, or contains anything that cannot be drawn.
    """
    known = load_placeable(path, modified_ns, palette)
    return Drawing(*known.size, known.place(1, 0, 0, {}), known.overflows, known.variables)


def load_placeable(path: Path, modified_ns: int, palette: Palette) -> PlaceableDrawing:
    """Return a drawing to be placed; the arguments and errors are those of `load_drawing`."""
    drawing = _load_cached(path, modified_ns, palette)
    if isinstance(drawing, DrawingError):
        raise DrawingError(str(drawing), drawing.place, drawing.hint)
    return drawing


def forget_drawings() -> None:
    """Drop all cached drawings; they are read again on demand."""
    for known in (_load_cached, _read, _move):
        known.cache_clear()


@lru_cache(maxsize=1024)
def _load_cached(path: Path, modified_ns: int, palette: Palette) -> PlaceableDrawing | DrawingError:
    """Return a drawing or its error; both are cached, since many cards may share it."""
    with track_work(f"the drawing `{path.name}`", path):
        unknown = tuple((name, f"{PLACEHOLDER}{name}{PLACEHOLDER}") for name, _ in palette)
        for given in (unknown, palette) if palette else (palette,):
            read = _read(path, modified_ns, given)
            if isinstance(read, DrawingError):
                continue
            drawing, texts = read
            colors = {} if given is palette else _resolve_placeholders(texts, palette)
            if colors is not None:
                source = path, modified_ns, given
                size = drawing.width, drawing.height
                return PlaceableDrawing(size, drawing.overflows, drawing.variables, colors, source)
    assert isinstance(read, DrawingError)
    return read


@lru_cache(maxsize=64)
def _read(
    path: Path, _modified_ns: int, palette: Palette
) -> tuple[Drawing, frozenset[str]] | DrawingError:
    """Return a drawing and its colors with placeholders, or its error.

    Few are kept: a drawing is seldom placed in many ways.
    """
    entries, key = Cache("drawings"), _key(path, palette)
    drawing = entries.read_decoded(key, pickle.loads) if key else None
    if not isinstance(drawing, Drawing):
        from deckwright.images.drawings.read import read_drawing  # only what is new

        try:
            drawing = read_drawing(path, palette)
        except DrawingError as error:
            return DrawingError(str(error), error.place, error.hint)
        if key and key == _key(path, palette):  # only if the file has not changed meanwhile
            entries.write(key, pickle.dumps(drawing))
    paths = (op for op in walk(drawing.ops) if isinstance(op, FillPath | StrokePath))
    colors = (c for op in paths for c in (op.colors if isinstance(op, FillPath) else [op.color]))
    return drawing, frozenset(color for color in colors if PLACEHOLDER in color)


@lru_cache(maxsize=1024)
def _move(
    path: Path, modified_ns: int, palette: Palette, scale: float, x: float, y: float
) -> tuple[Op, ...]:
    """Return the ops of a placed drawing; all palettes share their outlines."""
    read = _read(path, modified_ns, palette)
    if isinstance(read, DrawingError):
        raise DrawingError(str(read), read.place, read.hint)
    return tuple(move_ops(read[0].ops, scale, x, y))


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
