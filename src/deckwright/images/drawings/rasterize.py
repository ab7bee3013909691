"""Rasterize drawings with unsupported features by resvg, in a child process.

Drawings must be self-contained: nothing is read from other files or from the network. The results
are kept in the image cache, by content and size.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Sequence
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from deckwright.base.cache import find_checked, write_checked
from deckwright.base.extras import install_command
from deckwright.base.files import cache_folder
from deckwright.base.findings import Location
from deckwright.base.geometry import Box
from deckwright.base.units import to_pixels
from deckwright.images.drawings.model import (
    DrawingError,
    Palette,
    RefusedError,
    link_of,
    load_root,
    locate_error,
    locating,
    split_tag,
)
from deckwright.images.store import PRINT_DPI
from deckwright.xmlio.node import Node

_CHILD = Path(__file__).with_name("raster_child.py")
_TIMEOUT_SECONDS = 60
"""The time limit of a drawing, generous for busy machines."""
_MAX_PIXELS = 40_000_000
_INTERNAL_LINK = re.compile(r"\s*(#|data:image/(png|jpe?g|gif|webp)\b)", re.IGNORECASE)
_USE = re.compile(r"var\(\s*--[\w-]{1,100}\s*(?:,(?:[^()]|\([^()]*\)){0,200})?\)")


def rasterize(
    path: Path, box: Box, zoom: float, *, cover: bool, palette: Palette, fonts: Sequence[Path]
) -> Path:
    """Return a picture of the drawing at `path` at print resolution.

    Args:
        box: the box in which it is shown.
        zoom: how much it is enlarged beyond filling the box.
        cover: whether it covers the box.
        palette: the values of its variables.
        fonts: fonts for its texts; the first one replaces unknown ones.

    Raises:
        DrawingError: if resvg cannot draw it, or it needs other files.
    """
    from importlib.metadata import version  # only for drawings with what we lack

    if find_spec("resvg_py") is None:
        message = "`--rasterize` needs the library resvg, which is not installed"
        raise DrawingError(message, Location(path), install_command("rasterize"))
    root = load_root(path)
    for node in root.walk():
        href = link_of(node)
        if href and split_tag(node.tag)[1] != "a" and not _INTERNAL_LINK.match(href):
            message = "the drawing links to another file, which is not read"
            raise locate_error(node, RefusedError(message, None, "embed it in the drawing"))
    width, height = _size(root)
    across, down = (to_pixels(side, PRINT_DPI) for side in (box.width, box.height))
    best = max if cover else min
    scale = best(across / width, down / height) * (zoom if cover else 1)
    scale = min(scale, math.sqrt(_MAX_PIXELS / (width * height)))
    # resvg rounds the height.
    wide = max(1, math.ceil(width * scale) + 1)
    text = _substitute_variables(root, palette)
    known_by = version("resvg_py"), wide, text, [str(font) for font in fonts]
    key = blake2b(repr(known_by).encode(), digest_size=20).hexdigest()
    folder, stem = cache_folder() / "images", f"rasterized_{key}"
    known = find_checked(folder, stem, ".png")
    return known or write_checked(folder, stem, ".png", _run_child(path, text, wide, fonts))


def drawing_size(path: Path) -> tuple[float, float]:
    """Return the width and height of a drawing in its own units, whatever its content.

    Raises:
        DrawingError: if it has none.
    """
    return _size(load_root(path))


def _size(root: Node) -> tuple[float, float]:
    # Games without such drawings do without the reader of drawings.
    from deckwright.images.drawings.css import INITIAL, CssStyle
    from deckwright.images.drawings.read import read_canvas

    sides = {name: text for name in ("width", "height") if (text := root.get(name))}
    with locating(root):
        return read_canvas(root, CssStyle(INITIAL.inherited, sides))[0]


def _substitute_variables(root: Node, palette: Palette) -> str:
    """Return a drawing's text with its variables substituted."""
    text = root.source.document.text
    if "var(" not in text:
        return text
    from deckwright.images.drawings.css import substitute_variables  # as in `_size`

    declared = re.findall(r"--([\w-]{1,100})\s*:([^;]*)", root.get("style") or "")
    known = {f"--{name}": value.strip() for name, value in (*declared, *palette)}

    def value(use: re.Match[str]) -> str:
        try:
            return substitute_variables(use[0], "color", known)
        except RefusedError:
            return "none"

    return _USE.sub(value, text)


def _run_child(path: Path, text: str, wide: int, fonts: Sequence[Path]) -> bytes:
    """Return the drawing as PNG, made by a child process."""
    family = None
    if fonts:
        from fontTools.ttLib import TTFont  # only for drawings with what we lack

        with TTFont(fonts[0], lazy=True, fontNumber=0) as font:
            family = font["name"].getBestFamilyName()
    request = {"width": wide, "fonts": [*map(str, fonts)], "family": family and str(family)}
    try:
        result = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-I", str(_CHILD)],
            input=json.dumps(request).encode() + b"\n" + text.encode(),
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        message = f"the drawing takes more than {_TIMEOUT_SECONDS} seconds to draw"
        raise DrawingError(message, Location(path), "simplify it, or export it as PNG") from None
    if result.returncode or not result.stdout.startswith(b"\x89PNG"):
        lines = result.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[-1].partition(": ")[2] if lines else ""
        reason = reason or "it takes too much time or memory"
        message = f"the drawing cannot be turned into pixels: {reason}"
        raise DrawingError(message, Location(path), "export it as PNG")
    return result.stdout
