"""Running text of a rulebook: styles, icons, terms, cross references."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from deckwright.book.anchors import Anchors
from deckwright.book.model import Entry, Span, Text
from deckwright.book.text import icons_of, plain, rich_of
from deckwright.diagnostics import Code, Report, Severity, known_hint
from deckwright.exporters.workshop import Workshop
from deckwright.face.compose import L002, T012
from deckwright.face.paragraphs import missing_characters
from deckwright.face.richtext import UnknownSymbolError
from deckwright.face.shaping import icon_names, icon_outline
from deckwright.xmlio.node import Node, Source

R021 = Code("R021", Severity.ERROR, "a cross reference to nothing")
R022 = Code("R022", Severity.ERROR, "an icon that does not exist in a rulebook")


class InlineReader:
    """Turns running text into spans, and gathers the terms of the index."""

    def __init__(self, anchors: Anchors, workshop: Workshop, report: Report) -> None:
        """Refer to `anchors`, and print with the fonts of `workshop`."""
        self._anchors = anchors
        self._workshop = workshop
        self._report = report
        self._terms: dict[str, list[str]] = {}
        self._numbers = count(1)

    def text(self, node: Node) -> Text:
        """Return the text in an element; lists in it are left out."""
        text = tuple(self._spans(node, Span()))
        self.check(text, node.source, self._workshop.text_font)
        return text

    def title(self, node: Node, attribute: str) -> str:
        """Return the title that an attribute gives."""
        title = node.attributes[attribute]
        self.check(plain(title), node.source, self._workshop.title_font, attribute)
        return title

    def check(self, text: Text, source: Source, font: str, attribute: str | None = None) -> None:
        """Report characters that a font lacks, and icons and symbols that do not exist."""
        studio = self._workshop.studio
        try:
            rich = rich_of(text, {}, None, studio.symbols)
        except UnknownSymbolError as error:
            message = f"the game has no symbol `{error.name}`"
            known = known_hint(error.name, studio.symbols)
            self._report.append(T012.at(source.at(attribute), message, known))
            return
        metrics = studio.metrics
        missing = missing_characters(rich, font, metrics)
        if missing:
            shown = ", ".join(f"`{character}` (U+{ord(character):04X})" for character in missing)
            message = f"the font `{font}` has no {shown}"
            hint = "write it otherwise, or give the game a font that has it"
            self._report.append(L002.at(source.at(attribute), message, hint))
        for icon in icons_of(rich):
            if not _is_icon(icon):
                near = known_hint(icon, icon_names())
                place = source.at(attribute)
                self._report.append(R022.at(place, f"there is no icon `{icon}`", near))

    def defined(self, term: str, anchor: str) -> Text:
        """Return a term that is defined here; it goes into the index."""
        self._terms.setdefault(term, []).append(anchor)
        return (Span(term, bold=True),)

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of the index."""
        return (Entry(term, "", tuple(anchors)) for term, anchors in self._terms.items())

    def _spans(self, node: Node, style: Span) -> Iterator[Span]:
        if node.text:
            yield style._replace(text=node.text)
        for child in node.children:
            if child.tag != "list":
                yield from self._child(child, style)
            if child.tail:
                yield style._replace(text=child.tail)

    def _child(self, node: Node, style: Span) -> Iterator[Span]:
        if node.tag == "b":
            yield from self._spans(node, style._replace(bold=True))
        elif node.tag == "i":
            yield from self._spans(node, style._replace(italic=True))
        elif node.tag == "sc":
            yield from self._spans(node, style._replace(caps=True))
        elif node.tag == "term":
            yield from self._term(node, style)
        elif node.tag == "br":
            yield style._replace(line_break=True)
        elif node.tag == "icon":
            yield style._replace(icon=node.attributes["name"])
        else:
            yield from self._reference(node, style)

    def _term(self, node: Node, style: Span) -> Iterator[Span]:
        anchor = f"term-{next(self._numbers)}"
        spans = list(self._spans(node, style._replace(caps=True, anchors=(anchor,))))
        word = node.get("of") or " ".join("".join(span.text for span in spans).split())
        if word:
            self._terms.setdefault(word, []).append(anchor)
        yield from spans

    def _reference(self, node: Node, style: Span) -> Iterator[Span]:
        name = node.attributes["to"]
        anchor = self._anchors.known.get(name)
        if anchor is None:
            message = f"nothing in the rulebook has the id `{name}`"
            hint = known_hint(name, sorted(self._anchors.known))
            self._report.append(R021.at(node.source.at("to"), message, hint))
            return
        style = style._replace(link=name)
        form = node.get("form") or "full"
        if form == "page":
            yield style._replace(page_of=name)
            return
        parts = {"number": (anchor.number,), "title": (anchor.title,)}.get(form, anchor)
        text = " ".join(filter(None, parts)) or anchor.title or anchor.number
        yield style._replace(text=text)


def _is_icon(name: str) -> bool:
    try:
        icon_outline(name)
    except KeyError:
        return False
    return True
