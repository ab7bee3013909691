"""The canvas of a drawing: how large it is, and how the view box lies on it.

After SVG 2, "Coordinate Systems" (https://www.w3.org/TR/SVG2/coords.html).
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from deckwright.base.geometry import Box, Matrix, shifted, times
from deckwright.images.drawings.model import RefusedError
from deckwright.images.drawings.shapes import measure
from deckwright.images.drawings.style import Style
from deckwright.images.drawings.transforms import Size
from deckwright.images.drawings.values import FARTHEST, numbers, refusal
from deckwright.xmlio.node import Node

_ALIGN = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}


class Canvas(NamedTuple):
    """The canvas.

    Attributes:
        size: its width and height in px.
        view: the width and height of the view box, which percentages are of.
        matrix: from the view box's coordinates to those of the canvas.
    """

    size: Size
    view: Size
    matrix: Matrix


def canvas(root: Node, style: Style) -> Canvas:
    """Return the canvas of the root element.

    Raises:
        RefusedError: if it has no size, or what says so cannot be read.
    """
    box = _view_box(root)
    width, height = (_side(name, style) for name in ("width", "height"))
    if box is None:
        if width is None or height is None:
            hint = "give it `viewBox`, for example `0 0 100 100`"
            raise RefusedError("the `svg` has no viewBox, and no width and height", None, hint)
        box = (0.0, 0.0, width, height)
    if width is None and height is None:
        width, height = box[2], box[3]
    elif width is None or height is None:
        if (root.get("preserveAspectRatio") or "").split()[:1] == ["none"]:
            message = "`preserveAspectRatio` is `none`, which needs both width and height"
            raise RefusedError(message, "preserveAspectRatio")
        ratio = box[2] / box[3]
        width, height = width or (height or 0) * ratio, height or (width or 0) / ratio
    for what, sides in {"canvas": (width, height), "view box": box[2:]}.items():
        if not all(1 / FARTHEST <= side <= FARTHEST for side in sides):
            message = f"the {what} is {sides[0]:g} × {sides[1]:g}"
            raise RefusedError(message, None, "make its sides 1 to 1000 long")
    return Canvas((width, height), (box[2], box[3]), _fitted(root, box, (width, height)))


class Inner(NamedTuple):
    """The canvas of an `svg` in another one.

    Attributes:
        box: where it is, in the coordinates of the one around.
        view, matrix: as those of `Canvas`, to the same coordinates.
        overflows: whether it shows what is beyond it.
    """

    box: Box
    view: Size
    matrix: Matrix
    overflows: bool


def inner_canvas(node: Node, style: Style, around: Size) -> Inner | None:
    """Return the canvas of an `svg` in another one, None if nothing of it is seen.

    Args:
        around: the width and height of the view box around, which percentages are of.

    Raises:
        RefusedError: if what says where it is cannot be read.
    """
    x, y, width, height = (measure(name, style, around) for name in ("x", "y", "width", "height"))
    across = around[0] if width is None else width
    down = around[1] if height is None else height
    if not across or not down:
        return None
    place = Box(x or 0, y or 0, across, down)
    box = _view_box(node) or (0.0, 0.0, across, down)
    matrix = times(shifted(place.x, place.y), _fitted(node, box, (across, down)))
    says = f"overflow:{node.get('overflow') or ''};{node.get('style') or ''}"
    visible = re.search(r"(?:^|;)\s*overflow\s*:\s*(?:visible|auto)\b", says)
    return Inner(place, (box[2], box[3]), matrix, visible is not None)


def _view_box(root: Node) -> tuple[float, float, float, float] | None:
    text = root.get("viewBox")
    if text is None:
        return None
    found, right = numbers(text)
    if not right or len(found) != 4 or not (found[2] > 0 and found[3] > 0):  # noqa: PLR2004 - x, y, w, h
        raise refusal("viewBox", text, "not x, y, width and height")
    if not all(map(math.isfinite, found)):
        raise refusal("viewBox", text, "which is too large")
    return found[0], found[1], found[2], found[3]


def _side(name: str, style: Style) -> float | None:
    """Return a side of the canvas, None where it is up to the view box: missing or in percent."""
    if name in style.css:
        message = f"`{name}` in the style of the `svg` cannot be drawn"
        raise RefusedError(message, "style", f"give the `svg` an attribute `{name}`")
    return None if style.get(name).endswith("%") else measure(name, style, (0, 0))


def _fitted(root: Node, box: tuple[float, float, float, float], size: Size) -> Matrix:
    """Return the matrix that fits a view box into the canvas, as `preserveAspectRatio` says."""
    text = root.get("preserveAspectRatio") or ""
    words = text.split() or ["xMidYMid"]
    x, y, width, height = box
    across, down = size[0] / width, size[1] / height
    if words[0] == "none":
        align = (0.0, 0.0)
    else:
        align = _alignment(words[0], text)
        slice_it = words[-1] == "slice"
        across = down = max(across, down) if slice_it else min(across, down)
    if words[1:] not in ([], ["meet"], ["slice"]):
        raise refusal("preserveAspectRatio", text, "which cannot be read")
    left = (size[0] - width * across) * align[0]
    top = (size[1] - height * down) * align[1]
    return across, 0, 0, down, left - x * across, top - y * down


def _alignment(word: str, text: str) -> tuple[float, float]:
    """Return where on the canvas the view box lies, across and down, 0 to 1."""
    if len(word) == 8 and word[0] == "x" and word[4] == "Y":  # noqa: PLR2004 - as xMidYMid
        across, down = _ALIGN.get(word[1:4]), _ALIGN.get(word[5:])
        if across is not None and down is not None:
            return across, down
    raise refusal("preserveAspectRatio", text, "which cannot be read")
