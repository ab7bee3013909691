"""Running text of a rulebook: styles, icons, terms, cross references."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

from deckwright.base.findings import Code, Report, Severity, known_hint
from deckwright.book.anchors import Anchors
from deckwright.book.check import check_text
from deckwright.book.model import Entry, Span, Text
from deckwright.book.text import plain
from deckwright.faces.factory import FaceFactory
from deckwright.xmlio.node import Node, Source

R021 = Code("R021", Severity.ERROR, "a cross reference to nothing")


_STYLES: Mapping[str, dict[str, Any]] = {
    "b": {"bold": True},
    "i": {"italic": True},
    "sc": {"caps": True},
    "code": {"code": True},
}
"""What elements make of the text in them."""


class InlineReader:
    """Turns running text into spans, and gathers the terms of the index."""

    def __init__(
        self, anchors: Anchors, factory: FaceFactory, report: Report, full: Callable[[], bool]
    ) -> None:
        """Refer to `anchors`, and print with the fonts of `factory`.

        Args:
            full: whether no more findings are wanted.
        """
        self._anchors = anchors
        self._full = full
        self._factory = factory
        self._report = report
        self._terms: dict[str, list[str]] = {}
        self._numbers = count(1)

    def text(self, node: Node) -> Text:
        """Return the text in an element; lists in it are left out."""
        text = tuple(self._spans(node, Span()))
        self.check(text, node.source, self._factory.text_font)
        return text

    def title(self, node: Node, attribute: str) -> str:
        """Return the title that an attribute gives."""
        title = node.attributes[attribute]
        self.check(plain(title), node.source, self._factory.title_font, attribute)
        return title

    def attribute(self, node: Node, name: str) -> str:
        """Return the text that an attribute gives, "" if it is not given."""
        text = node.get(name) or ""
        self.check(plain(text), node.source, self._factory.text_font, name)
        return text

    def check(self, text: Text, source: Source, font: str, attribute: str | None = None) -> None:
        """Report what cannot be printed of a text."""
        if not self._full():
            check_text(text, source, font, self._factory, self._report, attribute)

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
        if node.tag in _STYLES:
            yield from self._spans(node, style._replace(**_STYLES[node.tag]))
        elif node.tag == "term":
            yield from self._term(node, style)
        elif node.tag == "br":
            yield style._replace(line_break=True)
        elif node.tag == "icon":
            yield style._replace(icon=node.attributes["name"])
        else:
            yield from self._reference(node, style)

    def _term(self, node: Node, style: Span) -> Iterator[Span]:
        anchor = f"term {next(self._numbers)}"
        spans = list(self._spans(node, style._replace(caps=True, anchors=(anchor,))))
        word = self.attribute(node, "of") or " ".join("".join(s.text for s in spans).split())
        if word:
            self._terms.setdefault(word, []).append(anchor)
        yield from spans or [style._replace(anchors=(anchor,))]

    def _reference(self, node: Node, style: Span) -> Iterator[Span]:
        name = node.attributes["to"]
        anchor = self._anchors.known.get(name)
        if anchor is None:
            if not self._full() and not self._anchors.may_be_left_out(name):
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
