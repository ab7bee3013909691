"""Texts of books as words to lay out, and their checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from deckwright.base.colors import css_color
from deckwright.base.findings import MAX_FINDINGS, Code, Report, Severity, known_hint
from deckwright.book.model import Span, Text
from deckwright.faces.factory import FaceFactory
from deckwright.game.words import lone_braces
from deckwright.templates.compose import L002, L013, T012
from deckwright.text.fonts import CODE
from deckwright.text.paragraphs import lacking, missing_characters, unset, unset_characters
from deckwright.text.richtext import Builder, UnknownSymbolError, parts
from deckwright.text.shaping import icon_outline
from deckwright.text.symbols import SymbolArt
from deckwright.text.words import Piece, Rich
from deckwright.xmlio.node import Source

_CODE_SIZE = 0.9
"""The size of program text, as a share of the text's: its letters are wide and high."""
UNKNOWN_PAGE = "0"
"""What stands for a page number before pages are known."""


def rich_of(
    text: Iterable[Span],
    pages: Mapping[str, int],
    link_color: str | None,
    symbols: Mapping[str, SymbolArt],
    language: str,
) -> Rich:
    """Return a text as words.

    Args:
        pages: the page of each anchor, as far as it is known.
        link_color: the color of what leads somewhere else.
        symbols: the game's.
        language: the game's, for small capitals.

    Raises:
        UnknownSymbolError: if there are symbols, and the text has another name in braces.
    """
    builder = Builder(symbols=symbols, language=language)
    for span in _with_text(text):
        builder.style = Piece(
            bold=span.bold,
            italic=span.italic,
            color=link_color if span.link else span.color,
            link=span.link,
            anchors=span.anchors,
            family=CODE if span.code else None,
            scale=_CODE_SIZE if span.code else 1,
        )
        given = {"sc": span.caps, "u": span.underlined, "s": span.struck}
        codes = [code for code, on in given.items() if on]
        for code in codes:
            builder.code(code)
        if span.icon:
            builder.icon(span.icon)
        elif span.page_of:
            builder.text(str(pages.get(span.page_of, UNKNOWN_PAGE)))
        elif span.code:
            builder.verbatim(span.text)
        else:
            builder.text(span.text)
        for code in codes:
            builder.code(f"/{code}")
        if span.line_break:
            builder.code("br")
    return builder.rich()


def _with_text(text: Iterable[Span]) -> list[Span]:
    """Return spans, those without text left out; their anchors go to the next one, or the last."""
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


def icons_of(rich: Rich) -> Iterator[str]:
    """Yield the names of the icons in a text."""
    for paragraph in rich:
        for line in paragraph:
            yield from (piece.icon for word in line for piece in word if piece.icon)


def read_markup(text: str) -> Iterator[Span]:
    """Yield a text of the game's data with the markup that it has."""
    on = dict.fromkeys(("b", "i", "u", "s"), False)
    colors: list[str | None] = [None]
    for kind, said in parts(text):
        if kind == "code" and said == "p":
            yield Span(line_break=True)
        elif kind == "item":
            yield Span(f"{said}\u00a0")
        elif said.startswith("tspan ") and kind == "code":
            known = css_color(said.removeprefix("tspan fill="))
            colors.append(known[0] if known else None)
        elif kind == "code" and said == "/tspan":
            colors.pop()
        elif kind == "code":
            on[said[-1]] = not said.startswith("/")
        elif said:
            yield Span(said, bold=on["b"], italic=on["i"], underlined=on["u"], struck=on["s"],
                       color=colors[-1])  # fmt: skip


def plain(text: str, **style: bool) -> Text:
    """Return a text of one style."""
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
    """Report characters that a font lacks, and icons and symbols that do not exist.

    Args:
        source, attribute: where the text stands.
        font: the family that it is printed in.
    """
    studio = factory.studio
    try:
        rich = rich_of(text, {}, None, studio.symbols, studio.hyphens.language)
    except UnknownSymbolError as error:
        message = f"the game has no symbol `{error.name}`"
        known = known_hint(error.name, studio.symbols)
        report.append(T012.at(source.at(attribute), message, known))
        return
    place = source.at(attribute)
    prose = "".join(span.text for span in text if not span.code)
    if braces := lone_braces(prose, studio.symbols, place, "the text"):
        report.append(braces)
    metrics = studio.metrics
    if characters := unset_characters(rich):
        report.append(L013.at(place, *unset(characters)))
        return
    missing = missing_characters(rich, font, metrics)
    if missing:
        report.append(L002.at(place, *lacking(font, missing, metrics)))
    unknown = (icon for icon in icons_of(rich) if not _is_icon(icon))
    for icon in islice(unknown, MAX_FINDINGS):
        from deckwright.text.symbols import icon_hint  # noqa: PLC0415 - only if there is none

        report.append(R022.at(place, f"there is no icon `{icon}`", icon_hint(icon)))


def _is_icon(name: str) -> bool:
    try:
        icon_outline(name)
    except KeyError:
        return False
    return True
