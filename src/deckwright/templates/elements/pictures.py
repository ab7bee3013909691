"""`image icon symbol code`: pictures, icons, symbols of the game, QR and bar codes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckwright.base.files import find_existing, is_file, stays_inside
from deckwright.base.findings import known_hint
from deckwright.base.geometry import CENTER_CROP, Box, Crop, split_crop
from deckwright.images.drawings import is_rasterizing
from deckwright.images.drawings.cache import load_drawing
from deckwright.images.drawings.model import Drawing, DrawingError
from deckwright.ops import outlines
from deckwright.ops.model import DrawImage, ElementError, FillPath, Group, Op, StrokePath
from deckwright.ops.moving import move_ops, recolor, stroke_edges
from deckwright.ops.outlines import rectangle, trace_cells
from deckwright.templates.attributes import (
    AttributeValues,
    choice,
    color,
    focus,
    length,
    optional_color,
    optional_integer,
    optional_length,
    palette,
    size,
    string,
    zoom,
)
from deckwright.templates.codes import CODE_KINDS, ERROR_LEVELS, MATRIX_KINDS, encode
from deckwright.templates.elements import DrawingContext, element
from deckwright.text.symbols import load_icon_outline


@element(
    "icon",
    name=string(),
    x=length("0"),
    y=length("0"),
    width=size(),
    fill=color("black"),
    stroke=color("none"),
    stroke_width=size("0.3"),
    alt=string(""),
)
def icon(values: AttributeValues, _: DrawingContext) -> Iterator[Op]:
    """An icon in a square of `width` with its top left corner at `x`, `y`.

    `stroke` sets it off from what is behind it; the line lies around the icon, not on it. `alt` is
    its text: what gets copied, found by a search, or read out by a screen reader.
    """
    unit = load_icon_outline(values["name"])
    outline = outlines.scale_and_move(unit, values["x"], values["y"], values["width"])
    ops: list[Op] = []
    if values["stroke"] is not None:
        ops.append(StrokePath(outline, values["stroke"], 2 * values["stroke-width"]))
    if values["fill"] is not None:
        ops.append(FillPath(outline, values["fill"]))
    yield from [Group(tuple(ops), alt=values["alt"])] if values["alt"] else ops


@element("symbol", name=string(), x=length("0"), y=length("0"), width=size(), fill=color("black"))
def symbol(values: AttributeValues, studio: DrawingContext) -> Iterator[Op]:
    """A symbol from `game.xml`, by its id, in a square of `width`.

    `fill` colors symbols that have no color of their own.
    """
    art = studio.symbols.get(values["name"])
    if art is None:
        message = f"the game has no symbol `{values['name']}`"
        raise ElementError("value", message, known_hint(values["name"], studio.symbols), "name")
    side = values["width"]
    height = side / max(1, art.aspect)
    x = values["x"] + (side - height * art.aspect) / 2
    y = values["y"] + (side - height) / 2
    return art.ops(x, y, height, values["fill"] or "#000000")


_BARCODE_RATIO = 0.4
"""The default height of bar codes, as a share of their width."""


@element(
    "code",
    value=string(),
    kind=choice(*CODE_KINDS),
    x=length("0"),
    y=length("0"),
    width=size(above_zero=True),
    height=optional_length(),
    level=choice("M", *(level for level in ERROR_LEVELS if level != "M")),
    version=optional_integer(1, 40),
    quiet=optional_integer(0, 20),
    fill=color("black"),
    background=color("white"),
    alt=string(""),
)
def code(values: AttributeValues, _: DrawingContext) -> Iterator[Op]:
    """A code that cameras read: a QR code (`qr`, or `micro-qr` for a few letters) or a bar code.

    It is as wide as `width`, with the quiet zone around it that its standard asks for: `quiet`
    modules, which are the squares or the narrowest bars. QR codes are square; bar codes are as high
    as `height`, by default two fifths of their width. `level` is how much of a QR code may be
    unreadable: about 7, 15, 25 or 30 percent; `version` is its size, by default the smallest that
    holds the value. `ean13`, `ean8` and `upca` are numbers whose last digit is a check, which may
    be left out; `code128` holds any ASCII text. `alt` is what is copied or read aloud, by default
    the value.

    The check warns of codes that may not be readable: of modules below 0.3 mm, too little contrast,
    or something that is drawn over them.
    """
    modules = encode(values["kind"], values["value"], values["level"], values["version"])
    around = modules.quiet if values["quiet"] is None else values["quiet"]
    x, y, width = values["x"], values["y"], values["width"]
    module = width / (len(modules.rows[0]) + 2 * around)
    if values["kind"] in MATRIX_KINDS:
        height, tall, above = width, module, around * module
    else:
        height = tall = width * _BARCODE_RATIO if values["height"] is None else values["height"]
        above = 0.0
    zone = rectangle(x, y, width, height)
    ops: list[Op] = []
    if values["background"] is not None:
        ops.append(FillPath(zone, values["background"]))
    if values["fill"] is not None:
        dark = trace_cells(modules.rows, x + around * module, y + above, module, tall)
        ops.append(FillPath(dark, values["fill"]))
    yield Group(tuple(ops), clip=zone, alt=values["alt"] or values["value"], module=module)


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
    fill=optional_color(),
    detail=optional_color(),
    palette=palette(),
    stroke=optional_color(),
    stroke_width=size("0.3"),
)
def image(values: AttributeValues, studio: DrawingContext) -> Iterator[Op]:
    """A picture that covers its box or is contained in it; `rx` rounds the box's corners.

    A picture that covers its box is cut off at two sides. `focus` is the point of it that stays in
    the middle, as far as the picture reaches: `focus="0.5 0.2"` keeps a head near the upper edge;
    and `zoom` shows it larger, `zoom="1.5"` by half. What a card says of its own picture (in
    [`image-focus` and `image-zoom`](pictures.md#crops)) comes before both.

    A drawing is an SVG file; [drawings](pictures.md#drawings) lists which ones can be drawn.
    `fill` replaces its black and `detail` its white, so it can have any colors, and `palette`
    gives values to its variables. `stroke` draws a line around it that sets it off from what is
    behind it. Parts beyond its canvas are cut off, but with `overflow="visible"`, a drawing that
    is contained in its box shows them as well. An empty `href`, as of a card without a picture,
    draws nothing.
    """
    if not values["href"]:
        return
    x, y = values["focus"]
    href, crop = split_crop(values["href"], Crop(x, y, values["zoom"]))
    values = {**values, "href": href}
    path = _resolve_image(href, studio.images)
    box = Box(values["x"], values["y"], values["width"], values["height"])
    cover, drawn = values["fit"] == "cover", path.suffix.lower() == ".svg"
    ops: tuple[Op, ...] = (DrawImage(path, box, cover, crop if cover else CENTER_CROP),)
    if drawn:
        studio.drawings.add(path)
        try:
            ops = tuple(_place_drawing(_load_drawing(path, values), box, values, crop))
        except ElementError as error:
            if error.kind != "drawing" or not is_rasterizing() or not path.is_file():
                raise
            ops = (_rasterize(path, box, values, crop, studio),)
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


def _resolve_image(href: str, folder: Path) -> Path:
    path = find_existing(folder / href)
    if not stays_inside(path, folder):
        message = f"the image `{href}` is not in the folder `img`"
        raise ElementError("path", message, "copy it there", "href")
    return path


def _load_drawing(path: Path, values: AttributeValues) -> Drawing:
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


def _rasterize(
    path: Path, box: Box, values: AttributeValues, crop: Crop, studio: DrawingContext
) -> DrawImage:
    """Return the op that shows a drawing as pixels."""
    from deckwright.images.drawings.rasterize import rasterize  # noqa: PLC0415 - rarely needed

    cover = values["fit"] == "cover"
    try:
        picture = rasterize(
            path,
            box,
            crop.zoom,
            cover=cover,
            palette=values["palette"],
            fonts=studio.fonts,
        )
    except DrawingError as error:
        raise ElementError("drawing", str(error), error.hint, "href", error.place) from None
    return DrawImage(picture, box, cover, crop if cover else CENTER_CROP)


def _place_drawing(drawing: Drawing, box: Box, values: AttributeValues, crop: Crop) -> Iterator[Op]:
    """Yield the ops of a drawing, scaled to cover its box or to fit in it."""
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
    ops = tuple(recolor(move_ops(drawing.ops, scale, x, y), tints))
    edge = 0.0
    if values["stroke"] is not None:
        edge = values["stroke-width"]
        ops = (*stroke_edges(ops, values["stroke"], 2 * edge), *ops)
    if drawing.overflows and not cover and values["overflow"] == "hidden":
        clip = outlines.rectangle(x - edge, y - edge, width + 2 * edge, height + 2 * edge)
        ops = (Group(ops, clip=clip),)
    yield from ops
