"""SVG drawings that are read only once, whatever their palettes: their ops are kept on disk."""

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
from deckwright.xmlio.load import MAX_BYTES


def placeholder_palette(palette: Palette) -> Palette:
    """Return a palette of the same names, of which no color is known yet."""
    return tuple((name, f"{PLACEHOLDER}{name}{PLACEHOLDER}") for name, _ in palette)


def apply_palette(drawing: Drawing, palette: Palette) -> Drawing | None:
    """Return a drawing in a palette, given its reading with `placeholder_palette(palette)`.

    None if that takes another reading: something is not painted at all, or not with a color.
    """
    known: dict[str, str] = {}
    for text in set(_placeholder_colors(drawing)):
        full = text
        for name, value in palette:
            full = full.replace(f"{PLACEHOLDER}{name}{PLACEHOLDER}", value)
        try:
            shown = parse_opaque_color(full, "")
        except RefusedError:
            shown = None
        if shown is None:
            return None
        known[text] = shown
    return drawing._replace(ops=recolor(drawing.ops, known))


def _placeholder_colors(drawing: Drawing) -> Iterator[str]:
    """Yield the colors of a drawing that are not known yet."""
    for op in walk(drawing.ops):
        if isinstance(op, FillPath | StrokePath):
            colors = op.colors if isinstance(op, FillPath) else [op.color]
            yield from (color for color in colors if PLACEHOLDER in color)


def load_drawing(path: Path, modified_ns: int, palette: Palette = ()) -> Drawing:
    """Return the drawing in the file at `path`.

    Args:
        path: the file.
        modified_ns: when it was last changed, so that a change is seen.
        palette: the values of its variables that are not its own.

    Raises:
        DrawingError: if it cannot be read, or has what cannot be drawn.
    """
    drawing = _load_cached(path, modified_ns, palette)
    if isinstance(drawing, DrawingError):
        raise DrawingError(str(drawing), drawing.place, drawing.hint)
    return drawing


def forget_drawings() -> None:
    """Let go of the drawings that were read; those that are shown again are read again."""
    _load_cached.cache_clear()
    _read.cache_clear()


@lru_cache(maxsize=1024)
def _load_cached(path: Path, modified_ns: int, palette: Palette) -> Drawing | DrawingError:
    """Return a drawing, or what is wrong with it: many cards may show it."""
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
    """Return a drawing as it was read from the same bytes before, or read it."""
    entries, key = Cache("drawings"), _key(path, palette)
    kept = entries.read_decoded(key, _unpickle) if key else None
    if kept is not None:
        return kept
    from deckwright.images.drawings.read import read_drawing  # noqa: PLC0415 - only what is new

    drawing = read_drawing(path, palette)
    if key and key == _key(path, palette):  # it has not changed meanwhile
        entries.write(key, pickle.dumps(drawing))
    return drawing


def _unpickle(content: bytes) -> Drawing | None:
    drawing = pickle.loads(content)  # noqa: S301 - ours, and whole
    return drawing if isinstance(drawing, Drawing) else None


def _key(path: Path, palette: Palette) -> str:
    """Return what the drawing in a file is kept under; "" if it cannot be read, or is too large."""
    try:
        content = read_file(path, MAX_BYTES)
    except OSError:
        return ""
    return blake2b(_code() + repr(palette).encode() + content, digest_size=20).hexdigest()


@cache
def _code() -> bytes:
    """Return what makes ops of drawings."""
    code = fingerprint_code(Path(__file__).parent, Path(model.__file__).parent)
    return f"{__version__} {code} ".encode()
