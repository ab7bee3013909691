"""`image`: a picture from the game's `img` folder, PNG, JPEG or SVG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckwright.base.crops import WHOLE, Crop, uncropped
from deckwright.base.files import belongs, is_file
from deckwright.base.findings import known_hint
from deckwright.base.geometry import Box
from deckwright.base.names import found
from deckwright.images.drawings.kept import load_drawing
from deckwright.images.drawings.model import Drawing, DrawingError
from deckwright.images.drawings.rasterizing import is_rasterizing
from deckwright.ops import outlines
from deckwright.ops.failing import ElementError
from deckwright.ops.model import DrawImage, Group, Op
from deckwright.ops.moving import edges, moved, recolored
from deckwright.templates.attributes import Values, choice, focus, length, size, string, zoom
from deckwright.templates.elements import Studio, element
from deckwright.templates.paints import maybe_color, palette

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
    focus=focus(),
    zoom=zoom(),
    overflow=choice("hidden", "visible"),
    fill=maybe_color(),
    detail=maybe_color(),
    palette=palette(),
    stroke=maybe_color(),
    stroke_width=size("0.3"),
)
def image(values: Values, studio: Studio) -> Iterator[Op]:
    """A picture that covers its box or is contained in it; `rx` rounds the box's corners.

    A picture that covers its box is cut off at two sides. `focus` is the point of it that stays in
    the middle, as far as the picture reaches: `focus="0.5 0.2"` keeps a head near the upper edge;
    and `zoom` shows it larger, `zoom="1.5"` by half. What a card says of its own picture (in
    [`image-focus` and `image-zoom`](pictures.md#crops)) comes before both.

    A drawing is an SVG file; [drawings](drawings.md) lists which ones can be drawn. `fill` replaces
    its black and `detail` its white, so it can have any colors, and `palette` gives values to its
    variables. `stroke` draws a line around it that sets it off from what is behind it. Parts
    beyond its canvas are cut off, but with `overflow="visible"`, a drawing that is contained in its
    box shows them as well. An empty `href`, as of a card without a picture, draws nothing.
    """
    if not values["href"]:
        return
    x, y = values["focus"]
    href, crop = uncropped(values["href"], Crop(x, y, values["zoom"]))
    values = {**values, "href": href}
    path = _inside(href, studio.images)
    box = Box(values["x"], values["y"], values["width"], values["height"])
    cover, drawn = values["fit"] == "cover", path.suffix.lower() == ".svg"
    ops: tuple[Op, ...] = (DrawImage(path, box, cover, crop if cover else WHOLE),)
    if drawn:
        studio.drawings.add(path)
        try:
            ops = tuple(_drawn(_drawing(path, values), box, values, crop))
        except ElementError as error:
            if error.kind != "drawing" or not is_rasterizing() or not path.is_file():
                raise
            ops = (_pixels(path, box, values, crop, studio),)
            drawn = False
    elif values["palette"] and is_file(path):  # one that is missing is R005
        message = (
            f"`{values['href']}` is not a drawing, it has no colors that `palette` can replace"
        )
        raise ElementError("palette", message, "leave out `palette`", "palette")
    if values["rx"] > 0 or (cover and drawn):
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


def _drawing(path: Path, values: Values) -> Drawing:
    href, given = values["href"], values["palette"]
    try:
        drawing = load_drawing(path, path.stat().st_mtime_ns, given)
    except OSError as error:
        message = f"cannot read the drawing `{href}`: {error.strerror}"
        raise ElementError("drawing", message, None, "href") from None
    except DrawingError as error:
        raise ElementError("drawing", str(error), error.hint, "href", error.place) from None
    for name, _ in given:
        if name not in drawing.variables:
            message = f"the drawing `{href}` has no color `{name}`"
            hint = known_hint(name, sorted(drawing.variables))
            hint = hint or f"name it in the drawing: `var(--{name}, #7a3b2e)`"
            raise ElementError("palette", message, hint, "palette")
    return drawing


def _pixels(path: Path, box: Box, values: Values, crop: Crop, studio: Studio) -> DrawImage:
    """Return the op that shows a drawing as pixels."""
    from deckwright.images.drawings.rasterized import rasterized  # noqa: PLC0415 - rarely needed

    cover = values["fit"] == "cover"
    try:
        picture = rasterized(
            path,
            box,
            crop.zoom,
            cover=cover,
            palette=values["palette"],
            fonts=studio.fonts,
        )
    except DrawingError as error:
        raise ElementError("drawing", str(error), error.hint, "href", error.place) from None
    return DrawImage(picture, box, cover, crop if cover else WHOLE)


def _drawn(drawing: Drawing, box: Box, values: Values, crop: Crop) -> Iterator[Op]:
    """Yield the ops of a drawing, scaled to its box: the part that covers it, or all."""
    cover = values["fit"] == "cover"
    if cover and box.width and box.height:
        left, top, across, _ = crop.window((drawing.width, drawing.height), box[2:])
        scale = box.width / across
        x, y = box.x - left * scale, box.y - top * scale
    else:
        scale = min(box.width / drawing.width, box.height / drawing.height)
        x = box.x + (box.width - drawing.width * scale) / 2
        y = box.y + (box.height - drawing.height * scale) / 2
    width, height = drawing.width * scale, drawing.height * scale
    given = {_DARK: values["fill"], _LIGHT: values["detail"]}
    tints = {color: tint for color, tint in given.items() if tint}
    ops = tuple(recolored(moved(drawing.ops, scale, x, y), tints))
    edge = 0.0
    if values["stroke"] is not None:
        edge = values["stroke-width"]
        ops = (*edges(ops, values["stroke"], 2 * edge), *ops)
    if drawing.overflows and not cover and values["overflow"] == "hidden":
        clip = outlines.rectangle(x - edge, y - edge, width + 2 * edge, height + 2 * edge)
        ops = (Group(ops, clip=clip),)
    yield from ops
