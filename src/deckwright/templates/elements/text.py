"""`text`: a box of text that wraps, aligns and shrinks, with bold, italic and icons in the line."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import known_hint, shortened
from deckwright.base.geometry import Box
from deckwright.base.units import PER_UNIT
from deckwright.ops.model import DrawGlyphs, ElementError, Group, Op, Outline
from deckwright.ops.moving import edges
from deckwright.ops.outlines import placed, svg_path
from deckwright.templates.attributes import (
    Values,
    choice,
    color,
    length,
    maybe_color,
    maybe_length,
    number,
    role,
    size,
    spacing,
    string,
    tag_of,
)
from deckwright.templates.elements import Studio, element
from deckwright.text import paragraphs, placing, richtext
from deckwright.text.faults import FAULT, LabeledSymbols, with_numbers
from deckwright.text.words import Rich

_MOST_CHARACTERS = 20_000
"""The longest text of a box; it would fill ten pages."""
_MOST_LINES = 200
"""How many lines of a text that is too long are laid out to say how long it is."""


@element(
    "text",
    text=string(),
    x=length("0"),
    y=length("0"),
    width=maybe_length(),
    height=maybe_length(),
    font_family=string("text"),
    font_size=size("9pt", above_zero=True),
    min_font_size=maybe_length(),
    font_weight=choice("normal", "bold"),
    font_style=choice("normal", "italic"),
    fill=color("black"),
    text_anchor=choice("start", "middle", "end", "justify"),
    valign=choice("top", "middle", "bottom"),
    line_height=number("1.2"),
    paragraph_gap=size("0"),
    letter_spacing=spacing(),
    stroke=maybe_color(),
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
def text(values: Values, studio: Studio) -> Iterator[Op]:
    """Text in a box. Without `width` it does not wrap; without `height` it can have any height.

    It shrinks from `font-size` to `min-font-size` until it fits; if it never does, that is an
    error. With `hyphens="auto"`, words are hyphenated to fill lines; otherwise, only words wider
    than the box are. With `overflow-wrap="anywhere"`, a word that fits in no other way is broken
    between any letters, without a hyphen. With `text-wrap="balance"`, the lines of a paragraph are
    about equally long;
    with `pretty`, they are full, but the last one has more than a short word. A number and its
    noun, such as "+1 Morale" or "Strength 2", stay on one line. With `text-anchor="justify"`, all
    lines but the last of a paragraph are as wide as the box, unless that would tear them apart.

    The text can contain `<b>`, `<i>`, `<u>` (underlined), `<s>` (struck through), `<sc>` (small
    capitals), `<br/>`, `<p>` and `<icon name="…"/>`. `<tspan>` gives a run its own `fill`,
    `font-size` (the distance of lines stays that of the text) and `letter-spacing`. `<list>` holds
    `<item>`s, which hang beside their marks; its `style` is `bullet`, `number` or `letter`. In any
    text, `{icon:name}` is an
    icon, and the id of a symbol from `game.xml` in braces, such as `{coin}`, is that symbol. What
    `{{ … }}` prints may have the
    [markup of texts in data](own-game.md#bold-italic-and-paragraphs), such as `*bold*`.

    On faces, `letter-spacing` sets letters apart, `stroke` draws a line around letters that sets
    them off from what is behind them, and a `path` in SVG's path language, in mm from `x` and `y`,
    bends a line of text, which begins, is centered or ends on it as `text-anchor` says.

    On pages whose text flows, `role` is what the text is, [as for blocks](#block).
    """
    tag = tag_of(values)
    if tag is not None:
        return iter((Group((*_set(values, studio),), tag=tag),))
    return _set(values, studio)


def _set(values: Values, studio: Studio) -> Iterator[Op]:
    """Return the ops of a text."""
    length = len(values["text"])
    if length > _MOST_CHARACTERS and not studio.lenient:
        message = f"the text has {length:,} characters, at most {_MOST_CHARACTERS:,} may be set"
        raise ElementError("overflow", message, "shorten it")
    rich = rich_of(values, studio)
    if not rich or values["fill"] is None:
        return iter(())
    style = style_of(values)
    ops = (
        _along(rich, style, values, studio)
        if values["path"]
        else _boxed(rich, style, values, studio)
    )
    if values["stroke"] is None or not values["stroke-width"]:
        return ops
    drawn = tuple(ops)

    def letters(op: DrawGlyphs) -> Outline:
        outline = studio.metrics.outline(op.font, op.text, op.kerns)
        return placed(outline, op.x, op.y, op.size)

    return iter((*edges(drawn, values["stroke"], 2 * values["stroke-width"], letters), *drawn))


def _spacing(values: Values) -> float:
    """Return how far letters are set apart, in ems."""
    ems, mm = values["letter-spacing"]
    return float(ems + mm / values["font-size"])


def _along(rich: Rich, style: paragraphs.Style, values: Values, studio: Studio) -> Iterator[Op]:
    """Yield the ops of a text along a path."""
    from deckwright.text import placing as placing_module  # noqa: PLC0415 - rarely needed

    try:
        outline = svg_path(values["path"])
    except ValueError as error:
        raise ElementError("value", str(error), attribute="path") from error
    if sum(segment[0] == "M" for segment in outline) != 1 or len(outline) == 1:
        message = "a text needs a path of one line"
        raise ElementError("value", message, "begin it with `M`, and nowhere else", "path")
    track = placing_module.Track(placed(outline, values["x"], values["y"], 1))
    metrics, spacing = studio.metrics, _spacing(values)
    if len(rich) > 1 or len(rich[0]) > 1:
        message = "a text on a path has more than one line"
        raise ElementError("value", message, "leave out `<p>` and `<br/>`")
    block = paragraphs.lay_out(rich, style, metrics, width=None)
    width = block.lines[0].width - spacing
    smallest = min(values["min-font-size"] or style.size, style.size)
    size = min(style.size, track.length / width if width > 0 else style.size)
    if size < smallest and studio.lenient:
        size, style = smallest, style._replace(color=FAULT)
    elif size < smallest:
        said = shortened(richtext.plain(rich))
        raise ElementError(
            "overflow",
            f"the text `{said}` is {width * smallest:.1f} mm long at its smallest size, "
            f"{smallest / PER_UNIT['pt']:.1f} pt, and its path {track.length:.1f} mm",
            "shorten the text, or make the path longer or its `min-font-size` smaller",
        )
    return placing_module.along(
        block.lines[0], track, size, style, metrics, values["text-anchor"], spacing
    )


def _boxed(rich: Rich, style: paragraphs.Style, values: Values, studio: Studio) -> Iterator[Op]:
    """Yield the ops of a text in its box."""
    box = Box(values["x"], values["y"], values["width"] or 0, values["height"] or 0)
    metrics, spacing = studio.metrics, _spacing(values)
    smallest = min(values["min-font-size"] or style.size, style.size)
    width, height = values["width"], values["height"]
    block = paragraphs.fit(
        rich,
        style,
        metrics,
        width=width,
        height=height,
        smallest=smallest,
        hyphens=studio.hyphens,
    )
    valign = values["valign"]
    if block is None and studio.trying:
        raise ElementError("overflow", "the text does not fit its box")
    if block is None:
        least = paragraphs.lay_out(rich, style.sized(smallest), metrics, width=width,
                                   hyphens=studio.hyphens, most=_MOST_LINES)  # fmt: skip
        if studio.lenient:
            block, style, valign = least, style._replace(color=FAULT), "top"
    if block is None:
        said = shortened(richtext.plain(rich))
        more = "more than " if len(least.lines) == _MOST_LINES else ""
        needed = f"{more}{least.width:.1f} × {least.height:.1f} mm"
        allowed = " × ".join(f"{side:.1f}" if side else "any" for side in (width, height))
        raise ElementError(
            "overflow",
            f"the text `{said}` needs {needed} at its smallest size, "
            f"{smallest / PER_UNIT['pt']:.1f} pt, and the box allows {allowed} mm",
            "shorten the text, or enlarge the box or lower its `min-font-size` in the template",
        )
    if spacing:  # the last letter of a line has it as well, outside of what is aligned
        beyond = spacing * block.size
        if values["text-anchor"] == "justify":
            box = box._replace(width=box.width + beyond)
        else:
            box = box._replace(x=box.x + placing.ANCHORS[values["text-anchor"]] * beyond)
    return placing.place(block, box, style, anchor=values["text-anchor"], valign=valign)


def rich_of(values: Values, studio: Studio) -> Rich:
    """Return the text of a `text` element, parsed; check its font and its characters.

    If the studio is lenient, what the text cannot have is in boxes.

    Raises:
        ElementError: if the game has no such font or symbol, the font lacks a character, or
            it is in a script that print cannot set.
    """
    family = values["font-family"]
    if family not in studio.families:
        known = ", ".join(f"`{name}`" for name in sorted(studio.families))
        message = f"the game has no font `{family}`"
        raise ElementError("value", message, f"use one of {known}", "font-family")
    try:
        rich = richtext.parse(
            values["text"][:_MOST_CHARACTERS] if studio.lenient else values["text"],
            bold=values["font-weight"] == "bold",
            italic=values["font-style"] == "italic",
            spacing=_spacing(values),
            size=values["font-size"],
            symbols=LabeledSymbols(studio.symbols, studio.metrics)
            if studio.lenient and studio.symbols
            else studio.symbols,
            language=studio.hyphens.language,
        )
    except richtext.UnknownSymbolError as error:
        message = f"the game has no symbol `{error.name}`"
        hint = known_hint(error.name, studio.symbols)
        raise ElementError("symbol", message, hint, said=f"{{{error.name}}}") from None
    if studio.lenient:
        return with_numbers(rich, family, studio.metrics)
    unset = paragraphs.unset_characters(rich)
    if unset:
        raise ElementError("script", *paragraphs.unset(unset), said=unset[0])
    missing = paragraphs.missing_characters(rich, family, studio.metrics)
    if missing:
        said = paragraphs.lacking(family, missing, studio.metrics)
        raise ElementError("glyph", *said, said=missing[0])
    return rich


def style_of(values: Values) -> paragraphs.Style:
    """Return the style of a `text` element."""
    return paragraphs.Style(
        family=values["font-family"],
        size=values["font-size"],
        color=values["fill"] or "#000000",
        line_height=values["line-height"],
        paragraph_gap=values["paragraph-gap"],
        hyphenate=values["hyphens"] == "auto",
        wrap=values["text-wrap"],
        anywhere=values["overflow-wrap"] == "anywhere",
    )
