"""`image icon symbol code`: pictures, icons, symbols of the game, QR and bar codes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckwright.base.files import is_file, path_exists, stays_inside
from deckwright.base.findings import find_nearest, known_hint
from deckwright.base.geometry import CENTER_CROP, Box, Crop, split_crop
from deckwright.checks.references import list_pictures, picture_hint
from deckwright.game.language import find_picture
from deckwright.images.drawings import is_rasterizing
from deckwright.images.drawings.cache import load_placeable
from deckwright.images.drawings.model import DrawingError
from deckwright.images.store import find_ground
from deckwright.ops import outlines
from deckwright.ops.model import DrawImage, ElementError, FillPath, Group, Op, StrokePath
from deckwright.ops.moving import stroke_edges
from deckwright.ops.outlines import rectangle, trace_cells
from deckwright.templates.attributes import (
    AREA,
    PLACE,
    AttributeValues,
    choice,
    color,
    focus,
    optional_color,
    optional_integer,
    optional_length,
    padding,
    palette,
    size,
    string,
    zoom,
)
from deckwright.templates.barcodes import CODE_KINDS, ERROR_LEVELS, MATRIX_KINDS, encode
from deckwright.templates.elements import DrawingContext, element
from deckwright.text.shaping import icon_names
from deckwright.text.symbols import load_icon_outline


@element(
    "icon",
    name=string(),
    **PLACE,
    width=size(),
    fill=color("black"),
    stroke=color("none"),
    stroke_width=size("0.3"),
    alt=string(""),
)
def icon(values: AttributeValues, context: DrawingContext) -> Iterator[Op]:
    """An icon in a square of `width` with its top left corner at `x`, `y`.

    `stroke` sets it off from its background with a line around it, not over it. `alt` is its text
    for copying, searching and screen readers.
    """
    name, folder = values["name"], context.images
    if Path(name).suffix.lower() in _PICTURE_SUFFIXES:
        if stays_inside(folder / name, folder) and is_file(folder / name):
            hint = f'show it with `<image href="{name}" …/>`'
            raise ElementError("value", f"`{name}` is a picture, not an icon", hint, "name")
        message = f"there is neither a picture `{folder.name}/{name}` nor an icon of that name"
        raise ElementError("picture", message, picture_hint(name, folder), "name")
    try:
        unit = load_icon_outline(name)
    except ElementError as error:
        pictures = {Path(file).stem: file for file in list_pictures(folder)}
        icons = icon_names()
        near = find_nearest(name, [*icons, *pictures])
        if near and near[0] not in icons:
            error.hint = f"did you mean the picture `{pictures[near[0]]}`?"
        raise
    outline = outlines.scale_and_move(unit, values["x"], values["y"], values["width"])
    ops: list[Op] = []
    if values["stroke"] is not None:
        ops.append(StrokePath(outline, values["stroke"], 2 * values["stroke-width"]))
    if values["fill"] is not None:
        ops.append(FillPath(outline, values["fill"]))
    yield from [Group(tuple(ops), alt=values["alt"])] if values["alt"] else ops


_PICTURE_SUFFIXES = {".svg", ".png", ".jpg", ".jpeg"}


@element("symbol", name=string(), **PLACE, width=size(), fill=color("black"))
def symbol(values: AttributeValues, context: DrawingContext) -> Iterator[Op]:
    """A symbol from `game.xml`, by its id, in a square of `width`.

    `fill` colors symbols without a color of their own.
    """
    art = context.symbols.get(values["name"])
    if art is None:
        message = f"the game has no symbol `{values['name']}`"
        raise ElementError("value", message, known_hint(values["name"], context.symbols), "name")
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
    **PLACE,
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
    """A QR code (`qr`, or `micro-qr` for a few characters) or a bar code.

    `width` includes the quiet zone, which is `quiet` modules wide, by default as wide as the
    standard requires. Modules are the squares of a QR code and the narrowest bars of a bar code. QR
    codes are square; bar codes are `height` high, by default two fifths of their width. `level` is
    the share of a QR code that may be unreadable: about 7 (`L`), 15 (`M`), 25 (`Q`) or 30 percent
    (`H`). `version` is its size, by default the smallest that holds the value. `ean13`, `ean8` and
    `upca` hold a number whose last digit, the check digit, may be left out; `code128` holds any
    ASCII text. `alt` is the text that is copied or read aloud, by default the value.

    `check` warns of codes that may not scan, because modules are smaller than 0.3 mm, the contrast
    is too low, or something covers them.
    """
    modules = encode(values["kind"], values["value"], values["level"], values["version"])
    around = modules.quiet_zone if values["quiet"] is None else values["quiet"]
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
    **AREA,
    rx=size("0"),
    fit=choice("cover", "contain", "auto"),
    padding=padding("0"),
    focus=focus(),
    zoom=zoom(),
    overflow=choice("hidden", "visible"),
    fill=optional_color(),
    detail=optional_color(),
    palette=palette(),
    stroke=optional_color(),
    stroke_width=size("0.3"),
)
def image(values: AttributeValues, context: DrawingContext) -> Iterator[Op]:
    """A picture that covers its box (`cover`) or fits in it (`contain`).

    `fit="auto"` covers the box, unless the edges of the picture have one color or none, as those of
    a figure on white and of most drawings: it is then shown whole, and the color fills the box.
    `padding` is kept free around a picture that is shown whole.

    `rx` rounds the corners of the box. A picture that covers its box is cropped on two sides:
    `focus` is the point of the picture that stays in the middle, as far as the picture reaches
    (`focus="0.5 0.2"` keeps a head near the upper edge), and `zoom` enlarges it (`zoom="1.5"` by
    half). A card's own [`image-focus` and `image-zoom`](pictures.md#crops) take precedence.

    A drawing is an SVG file; [drawings](pictures.md#drawings) lists what it may contain. `fill`
    replaces its black and `detail` its white, and `palette` sets its variables, so it can have any
    colors. `stroke` sets it off from its background with a line around it. Parts beyond its canvas
    are cut off unless it fits in its box (`contain`) and has `overflow="visible"`. An empty `href`,
    as for a card without a picture, draws nothing.
    """
    if not values["href"]:
        return
    x, y = values["focus"]
    href, crop = split_crop(values["href"], Crop(x, y, values["zoom"]))
    values = {**values, "href": href}
    folder = context.images
    path = find_picture(folder, href)
    if not stays_inside(path, folder):
        message = f"the image `{href}` is not in the folder `img`"
        raise ElementError("path", message, "copy it there", "href")
    if not path_exists(path):
        message = f"there is no picture `{folder.name}/{href}`"
        raise ElementError("picture", message, picture_hint(href, folder), "href")
    box = Box(values["x"], values["y"], values["width"], values["height"])
    cover, drawn = values["fit"] == "cover", path.suffix.lower() == ".svg"
    whole, ground = outlines.rectangle(*box, values["rx"]), None
    if values["fit"] == "auto" and not drawn:
        context.drawings.add(path)  # the ops depend on what it shows
        ground = find_ground(path, path.stat().st_mtime_ns)
        cover = ground is None or crop != Crop(x, y, values["zoom"])
    if not cover:
        down, across = values["padding"]
        down, across = min(down, box.height / 2), min(across, box.width / 2)
        box = Box(box.x + across, box.y + down, box.width - 2 * across, box.height - 2 * down)
        if ground not in {None, "none"}:
            yield FillPath(whole, ground)
    ops: tuple[Op, ...] = (DrawImage(path, box, cover, crop if cover else CENTER_CROP),)
    if drawn:
        context.drawings.add(path)
        try:
            ops = _place_drawing(path, box, values, crop)
        except ElementError as error:
            if error.kind != "drawing" or not is_rasterizing():
                raise
            from deckwright.images.drawings.rasterize import rasterize  # rarely needed

            colors, fonts = values["palette"], context.fonts
            try:
                path = rasterize(path, box, crop.zoom, cover=cover, palette=colors, fonts=fonts)
            except DrawingError as problem:
                raise _explain_drawing(problem) from None
            ops = (DrawImage(path, box, cover, crop if cover else CENTER_CROP),)
            drawn = False
    elif values["palette"]:
        message = f"`{href}` is not an SVG drawing, so `palette` has no colors to replace"
        raise ElementError("palette", message, "leave out `palette`", "palette")
    if values["rx"] > 0 or (cover and drawn):
        yield Group(ops, clip=whole)
    else:
        yield from ops


def _explain_drawing(error: DrawingError) -> ElementError:
    return ElementError("drawing", str(error), error.hint, "href", error.place)


def _place_drawing(path: Path, box: Box, values: AttributeValues, crop: Crop) -> tuple[Op, ...]:
    """Return the ops of a drawing, scaled to cover its box or to fit in it.

    Raises:
        ElementError: if it cannot be read or drawn, or lacks a color of the palette.
    """
    href, given = values["href"], values["palette"]
    try:
        drawing = load_placeable(path, path.stat().st_mtime_ns, given)
    except OSError as error:
        message = f"cannot read the drawing `{href}`: {error.strerror}"
        raise ElementError("drawing", message, None, "href") from None
    except DrawingError as error:
        raise _explain_drawing(error) from None
    for name, _ in given:
        if name not in drawing.variables:
            message = f"the drawing `{href}` has no color `{name}`"
            hint = known_hint(name, sorted(drawing.variables))
            hint = hint or f"name it in the drawing: `var(--{name}, #7a3b2e)`"
            raise ElementError("palette", message, hint, "palette")
    cover = values["fit"] == "cover"
    width, height = drawing.size
    if cover and box.width and box.height:
        left, top, across, _ = crop.window(drawing.size, box[2:])
        scale = box.width / across
        x, y = box.x - left * scale, box.y - top * scale
    else:
        scale = min(box.width / width, box.height / height)
        x = box.x + (box.width - width * scale) / 2
        y = box.y + (box.height - height * scale) / 2
    width, height = width * scale, height * scale
    recolored = {_DARK: values["fill"], _LIGHT: values["detail"]}
    tints = {color: tint for color, tint in recolored.items() if tint}
    try:
        ops = drawing.place(scale, x, y, tints)
    except DrawingError as error:
        raise _explain_drawing(error) from None
    edge = 0.0
    if values["stroke"] is not None:
        edge = values["stroke-width"]
        ops = (*stroke_edges(ops, values["stroke"], 2 * edge), *ops)
    if drawing.overflows and not cover and values["overflow"] == "hidden":
        clip = outlines.rectangle(x - edge, y - edge, width + 2 * edge, height + 2 * edge)
        ops = (Group(ops, clip=clip),)
    return ops
