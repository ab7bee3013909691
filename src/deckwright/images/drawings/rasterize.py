"""Drawings as pixels, where they have what cannot be drawn: resvg draws them, in a child process.

What they refer to must be in them: nothing is read from other files, nor from a network. Pixels are
kept in the cache for images, by what is in the drawing and how large it is.
"""

from __future__ import annotations

import atexit
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from deckwright.base.files import cache_folder, write_bytes
from deckwright.base.findings import Diagnostic, Location
from deckwright.base.geometry import Box
from deckwright.base.units import to_pixels
from deckwright.images.drawings.model import DrawingError, Palette, RefusedError, locate_error
from deckwright.images.store import PRINT_DPI
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

_rasterizing: ContextVar[bool] = ContextVar("_is_on", default=False)


@contextmanager
def rasterizing() -> Iterator[None]:
    """Within the block, drawings that cannot be drawn are turned into pixels."""
    token = _rasterizing.set(True)
    try:
        yield
    finally:
        _rasterizing.reset(token)


def is_rasterizing() -> bool:
    """Return whether drawings that cannot be drawn are turned into pixels."""
    return _rasterizing.get()


_CHILD = Path(__file__).with_name("raster_child.py")
_TIMEOUT_SECONDS = 60
"""Seconds that a drawing may take, on a busy machine."""
_MAX_PIXELS = 40_000_000
_HREF = "{http://www.w3.org/1999/xlink}href"
_INTERNAL_LINK = re.compile(r"\s*(#|data:image/(png|jpe?g|gif|webp)\b)", re.IGNORECASE)
_USE = re.compile(r"var\(\s*--[\w-]{1,100}\s*(?:,(?:[^()]|\([^()]*\)){0,200})?\)")


def rasterize(
    path: Path, box: Box, zoom: float, *, cover: bool, palette: Palette, fonts: Sequence[Path]
) -> Path:
    """Return a picture of the drawing at `path`, as many pixels as print needs.

    Args:
        path: the drawing.
        box: where it is shown.
        zoom: how many times larger than needed it is shown.
        cover: whether it covers the box.
        palette: the values of its variables.
        fonts: what its texts can be set in; the first is taken where it names others.

    Raises:
        DrawingError: if it cannot be drawn by others either, or not without other files.
    """
    if find_spec("resvg_py") is None:
        message = "`--rasterize` needs the library resvg, which is not installed"
        raise DrawingError(message, Location(path), "python -m pip install 'deckwright[rasterize]'")
    root = _root(path)
    _check_links(root)
    wide = _width(root, box, zoom, cover=cover)
    text = _substitute_variables(root, palette)
    key = blake2b(
        repr((_version(), wide, text, [str(font) for font in fonts])).encode(), digest_size=20
    ).hexdigest()
    known = _find_cached(key)
    if known is not None:
        return known
    data = _run_child(path, text, wide, fonts)
    name = f"rasterized_{key}-{_checksum(data)}.png"
    try:
        (cache_folder() / "images").mkdir(parents=True, exist_ok=True)
        return write_bytes(cache_folder() / "images" / name, data)
    except OSError:
        return write_bytes(_own_folder() / name, data)


def drawing_size(path: Path) -> tuple[float, float]:
    """Return the width and height of a drawing, in its own units, whatever it has in it.

    Raises:
        DrawingError: if it has none.
    """
    return _size(_root(path))


def _root(path: Path) -> Node:
    """Return the root element of a drawing.

    Raises:
        DrawingError: if it cannot be read.
    """
    report: list[Diagnostic] = []
    root = load_document(path, report, drawing=True)
    if root is None:
        finding = report[0]
        raise DrawingError(finding.message, finding.location or Location(path), finding.hint)
    return root


def _check_links(root: Node) -> None:
    """Refuse what a drawing would have to read from elsewhere."""
    for node in root.walk():
        href = node.get("href", node.get(_HREF))
        if href and node.tag.rpartition("}")[2] != "a" and not _INTERNAL_LINK.match(href):
            message = "the drawing links to another file, which is not read"
            error = RefusedError(message, None, "embed it in the drawing")
            raise locate_error(node, error)


def _width(root: Node, box: Box, zoom: float, *, cover: bool) -> int:
    """Return how many pixels wide a drawing must be."""
    width, height = _size(root)
    across, down = (to_pixels(side, PRINT_DPI) for side in (box.width, box.height))
    best = max if cover else min
    scale = best(across / width, down / height) * (zoom if cover else 1)
    scale = min(scale, math.sqrt(_MAX_PIXELS / (width * height)))
    # The height is rounded by others.
    return max(1, math.ceil(width * scale) + 1)


def _size(root: Node) -> tuple[float, float]:
    # Games without such drawings do without the reader of drawings.
    from deckwright.images.drawings.css import INITIAL, CssStyle  # noqa: PLC0415
    from deckwright.images.drawings.read import read_canvas  # noqa: PLC0415

    sides = {name: text for name in ("width", "height") if (text := root.get(name))}
    try:
        return read_canvas(root, CssStyle(INITIAL.inherited, sides)).size
    except RefusedError as error:
        raise locate_error(root, error) from None


def _substitute_variables(root: Node, palette: Palette) -> str:
    """Return the text of a drawing with the values of its variables."""
    text = root.source.document.text
    if "var(" not in text:
        return text
    from deckwright.images.drawings.css import substitute_variables  # noqa: PLC0415 - as in `_size`

    declared = re.findall(r"--([\w-]{1,100})\s*:([^;]*)", root.get("style") or "")
    known = {f"--{name}": value.strip() for name, value in (*declared, *palette)}

    def value(use: re.Match[str]) -> str:
        try:
            return substitute_variables(use[0], "color", known)
        except RefusedError:
            return "none"

    return _USE.sub(value, text)


def _run_child(path: Path, text: str, wide: int, fonts: Sequence[Path]) -> bytes:
    """Return the drawing as PNG, made by a child."""
    asked = {"width": wide, "fonts": [*map(str, fonts)], "family": _family(fonts)}
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-I", str(_CHILD)],
            input=json.dumps(asked).encode() + b"\n" + text.encode(),
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        message = f"the drawing takes more than {_TIMEOUT_SECONDS} seconds to draw"
        raise DrawingError(message, Location(path), "simplify it, or export it as PNG") from None
    if done.returncode or not done.stdout.startswith(b"\x89PNG"):
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[-1].partition(": ")[2] if lines else ""
        reason = reason or "it takes too much time or memory"
        message = f"the drawing cannot be turned into pixels: {reason}"
        raise DrawingError(message, Location(path), "export it as PNG")
    return done.stdout


def _family(fonts: Sequence[Path]) -> str | None:
    """Return the name of the first font, None without any."""
    if not fonts:
        return None
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - only for drawings with what we lack

    with TTFont(fonts[0], lazy=True, fontNumber=0) as font:
        name = font["name"].getBestFamilyName()
    return None if name is None else str(name)


@cache
def _version() -> str:
    from importlib.metadata import version  # noqa: PLC0415 - only for drawings with what we lack

    return version("resvg_py")


def _find_cached(key: str) -> Path | None:
    """Return the picture that was kept under a key, None if there is none, or it is damaged."""
    for path in (cache_folder() / "images").glob(f"rasterized_{key}-*.png"):
        try:
            if path.stem.rpartition("-")[2] == _checksum(path.read_bytes()):
                return path
        except OSError:
            continue
    return None


def _checksum(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


@cache
def _own_folder() -> Path:
    """A folder for this run alone, where the cache cannot be written."""
    folder = Path(tempfile.mkdtemp(prefix="deckwright-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
