"""`image`: a picture from the game's `img` folder, PNG, JPEG or SVG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckwright.face import outlines
from deckwright.face.attributes import Values, choice, length, maybe_color, size, string
from deckwright.face.drawing import Drawing, DrawingError, load_drawing, transformed
from deckwright.face.elements import ElementError, Studio, element
from deckwright.face.ops import DrawImage, FillPath, Group, Op, StrokePath
from deckwright.files import belongs
from deckwright.geometry import Box
from deckwright.names import found

_DARK, _LIGHT = "#000000", "#ffffff"


@element(
    "image",
    href=string(),
    x=length("0"),
    y=length("0"),
    width=size(),
    height=size(),
    rx=size("0"),
    fit=choice("cover", "contain"),
    fill=maybe_color(),
    detail=maybe_color(),
    stroke=maybe_color(),
    stroke_width=size("0.3"),
)
def image(values: Values, studio: Studio) -> Iterator[Op]:
    """A picture that covers its box, or is contained in it; `rx` rounds the box's corners.

    Of SVG, paths and basic shapes in plain colors can be drawn, in groups and with transforms;
    text, gradients, clips, filters and references are refused. In such drawings, `fill` takes the
    place of black and `detail` of white, so that a drawing can have any colors, and `stroke` draws
    a line around it that sets it off from what is behind it.
    """
    path = _inside(values["href"], studio.images)
    box = Box(values["x"], values["y"], values["width"], values["height"])
    cover = values["fit"] == "cover"
    ops: tuple[Op, ...] = (DrawImage(path, box, cover),)
    if path.suffix.lower() == ".svg":
        drawing = _drawing(path, values["href"])
        tints = {_DARK: values["fill"], _LIGHT: values["detail"]}
        ops = tuple(_drawn(drawing, box, tints, cover=cover))
        if values["stroke"] is not None:
            around = (op.outline for op in ops if isinstance(op, FillPath))
            width = 2 * values["stroke-width"]
            ops = (*(StrokePath(outline, values["stroke"], width) for outline in around), *ops)
    if values["rx"] > 0 or (cover and path.suffix.lower() == ".svg"):
        clip = outlines.rectangle(box.x, box.y, box.width, box.height, values["rx"])
        yield Group(ops, clip=clip)
    else:
        yield from ops


def _inside(href: str, folder: Path) -> Path:
    path = found(folder / href)
    if not belongs(path, folder):
        message = f"the image `{href}` is not in the folder `img`"
        raise ElementError("path", message, "copy it there", "href")
    return path


def _drawing(path: Path, href: str) -> Drawing:
    try:
        return load_drawing(path, path.stat().st_mtime_ns)
    except OSError as error:
        message = f"cannot read the drawing `{href}`: {error.strerror}"
        raise ElementError("drawing", message, None, "href") from None
    except DrawingError as error:
        hint = "draw it with paths and basic shapes in plain colors, or export it as PNG"
        raise ElementError("drawing", f"the drawing `{href}`: {error}", hint, "href") from None


def _drawn(
    drawing: Drawing, box: Box, tints: dict[str, str | None], *, cover: bool
) -> Iterator[Op]:
    """Yield the ops of a drawing, scaled to its box and centred in it."""
    scales = box.width / drawing.width, box.height / drawing.height
    scale = max(scales) if cover else min(scales)
    x = box.x + (box.width - drawing.width * scale) / 2
    y = box.y + (box.height - drawing.height * scale) / 2
    for shape in drawing.shapes:
        outline = transformed(shape.outline, (scale, 0, 0, scale, x, y))
        if shape.fill is not None:
            fill = tints.get(shape.fill) or shape.fill
            yield FillPath(outline, fill, shape.even_odd)
        if shape.stroke is not None and shape.stroke_width > 0:
            stroke = tints.get(shape.stroke) or shape.stroke
            width = shape.stroke_width * scale
            yield StrokePath(outline, stroke, width, shape.cap, shape.join)
