"""`text`: a box of text that wraps, aligns and shrinks, with bold, italic and icons in the line."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.extras import install_command
from deckwright.base.findings import known_hint, shorten
from deckwright.base.geometry import Box
from deckwright.base.units import MM_PER_UNIT, TOLERANCE
from deckwright.ops.model import DrawGlyphs, ElementError, Group, Op, Outline
from deckwright.ops.moving import stroke_edges
from deckwright.ops.outlines import bounds_of, parse_svg_path, scale_and_move
from deckwright.templates.attributes import (
    PLACE,
    AttributeValues,
    choice,
    color,
    number,
    optional_color,
    optional_length,
    role,
    size,
    spacing,
    string,
    tag_of,
)
from deckwright.templates.elements import DrawingContext, element, is_rtl
from deckwright.text import paragraphs, placing, richtext
from deckwright.text.break_opportunities import lacks_words
from deckwright.text.placing import (
    FAULT_COLOR,
    LabeledSymbols,
    MeasuredPath,
    show_code_points,
    text_on_path,
)
from deckwright.text.words import Piece, RichText

_MAX_CHARACTERS = 20_000
"""The longest text of a box, in characters: about ten pages."""
_MAX_LINES = 200
"""The largest number of lines laid out to report the size of a text that does not fit."""


@element(
    "text",
    text=string(),
    **PLACE,
    width=optional_length(),
    height=optional_length(),
    font_family=string("text"),
    font_size=size("9pt", above_zero=True),
    min_font_size=optional_length(),
    font_weight=choice("normal", "bold"),
    font_style=choice("normal", "italic"),
    fill=color("black"),
    text_anchor=choice("start", "middle", "end", "justify"),
    direction=choice("auto", "ltr", "rtl"),
    valign=choice("top", "middle", "bottom"),
    line_height=number("1.2"),
    paragraph_gap=size("0"),
    letter_spacing=spacing(),
    stroke=optional_color(),
    stroke_width=size("0.3"),
    path=string(""),
    hyphens=choice("manual", "auto"),
    text_wrap=choice("wrap", "balance", "pretty"),
    overflow_wrap=choice("normal", "anywhere"),
    role=role(),
    # The following are for text that flows over pages, and mean nothing in a face.
    space_before=size("0"),
    space_after=size("0"),
    keep=choice("none", "next"),
)
def text(values: AttributeValues, context: DrawingContext) -> Iterator[Op]:
    """Text in a box. Without `width` it does not wrap; without `height` it can have any height.

    It shrinks from `font-size` to `min-font-size` until it fits; if it never does, that is an
    error. With `hyphens="auto"`, words are hyphenated to fill lines; otherwise, only words wider
    than the box are. With `overflow-wrap="anywhere"`, a word that fits in no other way is broken
    between any two letters, without a hyphen. With `text-wrap="balance"`, the lines of a paragraph
    are about equally long; with `pretty`, they are full, but the last one is never a single short
    word. A number and its noun, such as "+1 Morale" or "Strength 2", stay on one line. With
    `text-anchor="justify"`, all lines of a paragraph except the last are as wide as the box, unless
    that would leave large gaps.

    The text can contain `<b>`, `<i>`, `<u>` (underlined), `<s>` (struck through), `<sc>` (small
    capitals), `<br/>`, `<p>` and `<icon name="…"/>`. `<tspan>` gives a part of it its own `fill`,
    `font-size` (which does not change the line spacing) and `letter-spacing`. `<list>` contains
    `<item>`s, indented behind their marks; its `style` is `bullet`, `number` or `letter`. In any
    text, `{icon:name}` is an icon, and the id of a symbol from `game.xml` in braces, such as
    `{coin}`, is that symbol. The values of `{{ … }}` can use the
    [markup of texts in data](own-game.md#bold-italic-and-paragraphs), such as `*bold*`.

    Letters run in the direction of their script. `direction` is that of the paragraphs: by default
    that of the game's language, or where letters of the other direction come first, theirs; the
    start of a line is at the right if it or the language is `rtl`.

    On faces, `letter-spacing` spaces letters out, and `stroke` sets them off from their background
    with a line around them. `path`, in SVG's path language and in mm from `x` and `y`, bends a line
    of text, which `text-anchor` aligns with the start, the middle or the end of the path.

    On pages of flowing text, `role` describes the text, [as for blocks](#block).
    """
    ops, tag = _set_text(values, context), tag_of(values)
    return iter((Group((*ops,), tag=tag),)) if tag else ops


def _set_text(values: AttributeValues, context: DrawingContext) -> Iterator[Op]:
    """Return the ops of a text."""
    length = len(values["text"])
    if length > _MAX_CHARACTERS and not context.lenient:
        message = f"the text has {length:,} characters, more than {_MAX_CHARACTERS:,}"
        raise ElementError("overflow", message, "shorten it")
    rich = parse_rich_text(values, context)
    if not rich or values["fill"] is None:
        return iter(())
    style = style_of(values, context)
    set_rich_text = _set_along_path if values["path"] else _set_in_box
    ops = set_rich_text(rich, style, values, context)
    if values["stroke"] is None or not values["stroke-width"]:
        return ops
    drawn = tuple(ops)

    def letters(op: DrawGlyphs) -> Outline:
        outline = context.metrics.outline(op)
        return scale_and_move(outline, op.x, op.y, op.size)

    edges = stroke_edges(drawn, values["stroke"], 2 * values["stroke-width"], letters)
    return iter((*edges, *drawn))


def _letter_spacing(values: AttributeValues) -> float:
    """Return the letter spacing in ems."""
    ems, mm = values["letter-spacing"]
    return float(ems + mm / values["font-size"])


def _set_along_path(
    rich: RichText, style: paragraphs.TextStyle, values: AttributeValues, context: DrawingContext
) -> Iterator[Op]:
    """Yield the ops of a text along a path."""
    try:
        outline = parse_svg_path(values["path"])
    except ValueError as error:
        raise ElementError("value", str(error), attribute="path") from error
    if sum(segment[0] == "M" for segment in outline) != 1 or len(outline) == 1:
        message = "the path of a text must be a single line"
        raise ElementError("value", message, "use `M` only once, at its start", "path")
    bounds, x = bounds_of(outline), values["x"]
    x -= bounds.x + bounds.right if "mirrored" in values else 0
    track = MeasuredPath(scale_and_move(outline, x, values["y"], 1))
    metrics, spacing = context.metrics, _letter_spacing(values)
    if len(rich) > 1 or len(rich[0]) > 1:
        message = "a text on a path must be a single line"
        raise ElementError("value", message, "leave out `<p>` and `<br/>`")
    block = paragraphs.lay_out(rich, style, metrics, width=None)
    width = block.lines[0].width - spacing
    smallest = min(values["min-font-size"] or style.size, style.size)
    size = min(style.size, track.length / width if width > 0 else style.size)
    if size < smallest and context.lenient:
        size, style = smallest, style._replace(color=FAULT_COLOR)
    elif size < smallest:
        excerpt = shorten(richtext.plain_text(rich))
        raise ElementError(
            "overflow",
            f"the text `{excerpt}` is {width * smallest:.1f} mm long at its smallest size, "
            f"{smallest / MM_PER_UNIT['pt']:.1f} pt, and its path {track.length:.1f} mm",
            "shorten the text, or make the path longer or its `min-font-size` smaller",
        )
    return text_on_path(block.lines[0], track, size, style, metrics, values["text-anchor"], spacing)


_FILLED = 0.85
"""How much of the lines of a paragraph is filled, as words are not divided."""


def _set_in_box(
    rich: RichText, style: paragraphs.TextStyle, values: AttributeValues, context: DrawingContext
) -> Iterator[Op]:
    """Yield the ops of a text in its box."""
    box = Box(values["x"], values["y"], values["width"] or 0, values["height"] or 0)
    metrics, spacing = context.metrics, _letter_spacing(values)
    smallest = min(values["min-font-size"] or style.size, style.size)
    width, height = values["width"], values["height"]
    if context.rooms is not None and width and height:
        plain = richtext.plain_text(rich)
        line = paragraphs.lay_out(rich, style.with_size(smallest), metrics, width=None)
        more = (height - line.height) / (smallest * style.line_height)
        lines = len(line.lines) + max(0, int(more))
        share = _FILLED if lines > 1 else 1
        room = int(share * lines * width / max(line.width, TOLERANCE) * len(plain))
        context.rooms[plain] = min(context.rooms.get(plain, room), room)
    hyphens, valign = context.hyphens, values["valign"]
    block = paragraphs.fit_text(
        rich, style, metrics, width=width, height=height, min_size=smallest, hyphens=hyphens
    )
    if block is None and context.trying:
        raise ElementError("overflow", "the text does not fit its box")
    if block is None:
        tiny = style.with_size(smallest)
        least = paragraphs.lay_out(
            rich, tiny, metrics, width=width, hyphens=hyphens, max_lines=_MAX_LINES
        )
        if context.lenient:
            block, style, valign = least, style._replace(color=FAULT_COLOR), "top"
    if block is None:
        excerpt = shorten(richtext.plain_text(rich))
        more = "more than " if len(least.lines) == _MAX_LINES else ""
        needed = f"{more}{least.width:.1f} × {least.height:.1f} mm"
        allowed = " × ".join(f"{side:.1f}" if side else "any" for side in (width, height))
        hint = "shorten the text, or enlarge the box or lower its `min-font-size` in the template"
        if lacks_words(values["text"]):
            hint = f"Thai breaks between words with `{install_command('phrases')}`; or {hint}"
        raise ElementError(
            "overflow",
            f"the text `{excerpt}` needs {needed} at its smallest size, "
            f"{smallest / MM_PER_UNIT['pt']:.1f} pt, and the box allows {allowed} mm",
            hint,
        )
    if spacing:  # the last letter of a line has it as well, outside of what is aligned
        beyond = spacing * block.size
        if values["text-anchor"] == "justify":
            box = box._replace(width=box.width + beyond)
        else:
            share = placing.ANCHORS[values["text-anchor"]]
            box = box._replace(x=box.x + (1 - share if style.rtl else share) * beyond)
    return placing.place_text(block, box, style, anchor=values["text-anchor"], valign=valign)


def parse_rich_text(values: AttributeValues, context: DrawingContext) -> RichText:
    """Return the text of a `text` element, parsed; check its font and its characters.

    In lenient mode, characters that cannot be set are shown in boxes.

    Raises:
        ElementError: if the font or a symbol is unknown, or a character is missing in the font or
            in an unsupported script.
    """
    family = values["font-family"]
    if family not in context.families:
        known = ", ".join(f"`{name}`" for name in sorted(context.families))
        message = f"the game has no font `{family}`"
        raise ElementError("value", message, f"use one of {known}", "font-family")
    source, symbols = values["text"], context.symbols
    if context.lenient:
        source = source[:_MAX_CHARACTERS]
        symbols = LabeledSymbols(symbols, context.metrics) if symbols else symbols
    try:
        rich = richtext.parse_rich_text(
            source,
            Piece(
                bold=values["font-weight"] == "bold",
                italic=values["font-style"] == "italic",
                spacing=_letter_spacing(values),
            ),
            size=values["font-size"],
            symbols=symbols,
            language=context.hyphens.language,
            direction=None if values["direction"] == "auto" else values["direction"],
        )
    except richtext.UnknownSymbolError as error:
        message = f"the game has no symbol `{error.name}`"
        hint = known_hint(error.name, context.symbols)
        raise ElementError("symbol", message, hint, quoted=f"{{{error.name}}}") from None
    if context.lenient:
        return show_code_points(rich, family, context.metrics)
    unset = paragraphs.find_unsupported(rich)
    if unset:
        raise ElementError("script", *paragraphs.describe_unsupported(unset), quoted=unset[0])
    missing = paragraphs.missing_characters(rich, family, context.metrics)
    if missing:
        problem = paragraphs.describe_missing(family, missing, context.metrics)
        raise ElementError("glyph", *problem, quoted=missing[0])
    return rich


def style_of(values: AttributeValues, context: DrawingContext) -> paragraphs.TextStyle:
    """Return the style of a `text` element."""
    return paragraphs.TextStyle(
        family=values["font-family"],
        size=values["font-size"],
        color=values["fill"] or "#000000",
        line_height=values["line-height"],
        paragraph_gap=values["paragraph-gap"],
        hyphenate=values["hyphens"] == "auto",
        rtl=is_rtl(values, context),
        wrap=values["text-wrap"],
        anywhere=values["overflow-wrap"] == "anywhere",
    )
