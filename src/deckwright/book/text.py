"""Convert the texts of books to rich text, and check them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from deckwright.base.colors import parse_css_color
from deckwright.base.findings import MAX_FINDINGS, Code, Report, Severity, known_hint
from deckwright.book.model import Span, Text
from deckwright.faces.factory import FaceFactory
from deckwright.game.words import find_stray_braces, find_stray_stars
from deckwright.templates.compose import L002, L013, T012
from deckwright.text.fonts import CODE_FAMILY
from deckwright.text.paragraphs import (
    describe_missing,
    describe_unsupported,
    find_unsupported,
    missing_characters,
)
from deckwright.text.richtext import RichTextBuilder, UnknownSymbolError, split_markup
from deckwright.text.shaping import icon_outline
from deckwright.text.symbols import SymbolArt, icon_hint
from deckwright.text.words import Piece, RichText
from deckwright.xmlio.node import Source

_CODE_SIZE = 0.9
"""The relative size of program text, whose letters are wide and high."""
PAGE_PLACEHOLDER = "0"
"""The placeholder for a page number before pages are known."""


def make_rich_text(
    text: Iterable[Span],
    pages: Mapping[str, int],
    link_color: str | None,
    symbols: Mapping[str, SymbolArt],
    language: str,
) -> RichText:
    """Return spans as rich text.

    Args:
        pages: the pages of known anchors.
        language: the game's language, for small capitals.

    Raises:
        UnknownSymbolError: if the game has symbols, and the text has an unknown one.
    """
    builder = RichTextBuilder(symbols=symbols, language=language)
    for span in _drop_empty(text):
        builder.style = Piece(
            bold=span.bold,
            italic=span.italic,
            color=link_color if span.link else span.color,
            link=span.link,
            anchors=span.anchors,
            family=CODE_FAMILY if span.code else None,
            scale=_CODE_SIZE if span.code else 1,
        )
        given = {"sc": span.caps, "u": span.underlined, "s": span.struck}
        codes = [code for code, on in given.items() if on]
        for code in codes:
            builder.code(code)
        if span.icon:
            builder.icon(span.icon)
        elif span.page_of:
            builder.text(str(pages.get(span.page_of, PAGE_PLACEHOLDER)))
        elif span.code:
            builder.verbatim(span.text)
        else:
            builder.text(span.text)
        for code in codes:
            builder.code(f"/{code}")
        if span.line_break:
            builder.code("br")
    return builder.build()


def _drop_empty(text: Iterable[Span]) -> list[Span]:
    """Return spans without empty ones; their anchors move to the next span, or the last."""
    spans: list[Span] = []
    waiting: tuple[str, ...] = ()
    for span in text:
        shows = span.text.strip() or span.icon or span.page_of
        if span.anchors and not shows:
            waiting += span.anchors
        elif waiting and shows:
            spans.append(span._replace(anchors=waiting + span.anchors))
            waiting = ()
        else:
            spans.append(span)
    if waiting:
        last = spans.pop() if spans else Span("\u00a0")
        spans.append(last._replace(anchors=last.anchors + waiting))
    return spans


def parse_markup(text: str) -> Iterator[Span]:
    """Yield the spans of a text with markup from the game's data."""
    on = dict.fromkeys(("b", "i", "u", "s"), False)
    colors: list[str | None] = [None]
    for kind, content in split_markup(text):
        if kind == "code" and content == "p":
            yield Span(line_break=True)
        elif kind == "item":
            yield Span(f"{content}\u00a0")
        elif content.startswith("tspan ") and kind == "code":
            known = parse_css_color(content.removeprefix("tspan fill="))
            colors.append(known[0] if known else None)
        elif kind == "code" and content == "/tspan":
            colors.pop()
        elif kind == "code":
            on[content[-1]] = not content.startswith("/")
        elif content:
            yield Span(content, bold=on["b"], italic=on["i"], underlined=on["u"], struck=on["s"],
                       color=colors[-1])  # fmt: skip


def make_text(text: str, **style: bool) -> Text:
    """Return a text in one style, such as `bold=True`."""
    return (Span(text, **style),)  # type: ignore[arg-type]


R022 = Code("R022", Severity.ERROR, "an icon that does not exist in the text of a book")


def check_text(
    text: Text,
    source: Source,
    font: str,
    factory: FaceFactory,
    report: Report,
    attribute: str | None = None,
) -> None:
    """Report characters that a font family lacks, and icons and symbols that do not exist."""
    drawing, place = factory.drawing_context, source.at(attribute)
    try:
        rich = make_rich_text(text, {}, None, drawing.symbols, drawing.hyphens.language)
    except UnknownSymbolError as error:
        message = f"the game has no symbol `{error.name}`"
        report.append(T012.at(place, message, known_hint(error.name, drawing.symbols)))
        return
    prose = "".join(span.text for span in text if not span.code)
    if braces := find_stray_braces(prose, drawing.symbols, place, "the text"):
        report.append(braces)
    report.extend(find_stray_stars(prose, place, "the text"))
    if characters := find_unsupported(rich):
        report.append(L013.at(place, *describe_unsupported(characters)))
        return
    if missing := missing_characters(rich, font, drawing.metrics):
        report.append(L002.at(place, *describe_missing(font, missing, drawing.metrics)))
    words = (word for paragraph in rich for line in paragraph for word in line)
    icons = (piece.icon for word in words for piece in word if piece.icon)
    unknown = (icon for icon in icons if not _is_icon(icon))
    for icon in islice(unknown, MAX_FINDINGS):
        report.append(R022.at(place, f"there is no icon `{icon}`", icon_hint(icon)))


def _is_icon(name: str) -> bool:
    try:
        icon_outline(name)
    except KeyError:
        return False
    return True
