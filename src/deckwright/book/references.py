"""Numbers, anchors and cross-references of a rulebook, and its inline text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any

from deckwright.base.files import to_letters
from deckwright.base.findings import MAX_FINDINGS, Code, Report, Severity, cap_findings, known_hint
from deckwright.book import overview
from deckwright.book.model import IndexEntry, Span, Text
from deckwright.book.text import check_text, make_text
from deckwright.faces.factory import FaceFactory
from deckwright.game.model import Game
from deckwright.xmlio.node import Node, Source
from deckwright.xmlio.validate import R007, describe_element

_ARABIC_LEVELS = 3
"""The number of levels with arabic numerals; lower levels have roman ones."""

_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
          (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip


def _to_roman(number: int) -> str:
    """Return a positive number in roman numerals."""
    result = ""
    for value, numeral in _ROMAN:
        times, number = divmod(number, value)
        result += numeral * times
    return result


_MAX_TITLE = 300
"""Longer titles are truncated in cross references, in characters."""


class Anchors:
    """The anchors of a rulebook by id, and the numbers of its elements."""

    def __init__(self, root: Node, game: Game, report: Report) -> None:
        """Number the elements of the rulebook `root`; report duplicate ids."""
        self.by_id: dict[str, tuple[str, str]] = {}
        """The number and title of each, which cross references print."""
        self._game = game
        self._findings: Report = []
        self._section_counts: list[int] = []
        self._counts: Counter[str] = Counter()
        self._numbers: dict[int, str] = {}
        self._ids: dict[int, str] = {}
        self._in_overview: dict[int, list[str]] = {}
        self._unnamed = count(1)
        self._first_nodes: dict[str, Node] = {}
        for node in root.children:
            if node.tag == "index":
                self._add(node, "", node.attributes["title"])
            else:
                self._add_section(node, 1)
        report.extend(cap_findings(self._findings, single_file=True))

    def number(self, node: Node) -> str:
        """Return the number of an element, "" if it has none."""
        return self._numbers.get(id(node), "")

    def anchor_of(self, node: Node) -> str:
        """Return the anchor of an element: its id, or a generated one, which contains a space."""
        return self._ids[id(node)]

    def may_lack(self, name: str) -> bool:
        """Return whether an anchor may be missing because of errors in factions."""
        return bool(self._game.omissions.factions) and name.startswith(("faction-", "race-"))

    def overview_numbers(self, node: Node) -> Iterator[str]:
        """Return the numbers of the headings in an `overview`, in order."""
        return iter(self._in_overview[id(node)])

    def _next_number(self, level: int) -> str:
        """Return the number of the next section of a level, such as 1.1.1.I; chapters have 1."""
        self._section_counts = (self._section_counts + [0] * level)[:level]
        self._section_counts[-1] += 1
        return ".".join(
            str(number) if depth < _ARABIC_LEVELS else _to_roman(number)
            for depth, number in enumerate(self._section_counts)
        )

    def _add_section(self, node: Node, level: int) -> None:
        self._add(node, self._next_number(level), node.attributes["title"])
        self._add_blocks(child for child in node.children if child.tag != "section")
        for child in node.children_named("section"):
            self._add_section(child, level + 1)
        if node.tag == "overview":
            self._in_overview[id(node)] = []
            for race, factions in overview.group_by_race(self._game, self._game.factions).items():
                self._add_overview_heading(node, level + 1, overview.race_anchor(race), race)
                for faction in factions:
                    name = overview.faction_anchor(faction.id)
                    self._add_overview_heading(node, level + 2, name, faction.name)

    def _add_overview_heading(self, node: Node, level: int, name: str, title: str) -> None:
        """Number a heading of an `overview`; report an element whose id is its anchor `name`."""
        number = self._next_number(level)
        self._in_overview[id(node)].append(number)
        if name in self._first_nodes and self._needs_findings():
            message = f"the id `{name}` belongs to a faction or race in `overview`"
            place = self._first_nodes[name].source.at("id")
            self._findings.append(R007.at(place, message, "choose a different id"))
        self._first_nodes.setdefault(name, node)
        self.by_id[name] = number, title

    def _add_blocks(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node.tag in {"table", "limits", "figure"}:
                kind = "figure" if node.tag == "figure" else "table"
                number, title = "", node.get("title") or ""
                if node.get("id") or title:
                    self._counts[kind] += 1
                    number = f"{self._game.setup.words[kind]} {self._counts[kind]}"
                self._add(node, number, title)
            if node.tag == "figure":
                numbers = count(1)
                for child in node.children:
                    for callout in child.children_named("callout"):
                        title = " ".join(_inner_text(callout).split())
                        self._add(callout, to_letters(next(numbers)), title)
            elif node.tag == "definition":
                self._add(node, "", node.attributes["term"])
            elif node.tag in {"example", "note"}:
                self._add_blocks(node.children)

    def _add(self, node: Node, number: str, title: str) -> None:
        """Give an element its number and anchor; report an id that another one has."""
        self._numbers[id(node)] = number
        name = node.get("id")
        self._ids[id(node)] = name or f" {next(self._unnamed)}"
        if name is None:
            return
        if name in self._first_nodes and self._needs_findings():
            line = self._first_nodes[name].source.at().line
            message = f"{describe_element(node)} has the same id as line {line}"
            place = node.source.at("id")
            self._findings.append(R007.at(place, message, "give one of them another id"))
        self._first_nodes.setdefault(name, node)
        long = len(title) > _MAX_TITLE
        self.by_id[name] = number, f"{title[:_MAX_TITLE]}…" if long else title

    def _needs_findings(self) -> bool:
        """Return whether more findings are needed: one more than are shown."""
        return len(self._findings) <= MAX_FINDINGS


def _inner_text(node: Node) -> str:
    return node.text + "".join(_inner_text(child) + child.tail for child in node.children)


R021 = Code("R021", Severity.ERROR, "a cross reference without a target")


_SPAN_STYLES: Mapping[str, dict[str, Any]] = {
    "b": {"bold": True},
    "i": {"italic": True},
    "sc": {"caps": True},
    "code": {"code": True},
}
"""The styles of inline elements."""


class InlineReader:
    """Reads inline text as spans, and collects the terms of the index."""

    def __init__(
        self, anchors: Anchors, factory: FaceFactory, report: Report, is_full: Callable[[], bool]
    ) -> None:
        """Check texts with the fonts of a factory, until the limit on findings is reached."""
        self._anchors = anchors
        self._is_full = is_full
        self._factory = factory
        self._report = report
        self._terms: dict[str, list[str]] = {}
        self._numbers = count(1)

    def text(self, node: Node) -> Text:
        """Return the text in an element, without lists."""
        text = tuple(self._spans(node, Span()))
        self.check(text, node.source, self._factory.text_font)
        return text

    def title(self, node: Node, attribute: str) -> str:
        """Return the title in an attribute."""
        title = node.attributes[attribute]
        self.check(make_text(title), node.source, self._factory.title_font, attribute)
        return title

    def attribute(self, node: Node, name: str) -> str:
        """Return the text in an attribute, "" if it is missing."""
        text = node.get(name) or ""
        self.check(make_text(text), node.source, self._factory.text_font, name)
        return text

    def check(self, text: Text, source: Source, font: str, attribute: str | None = None) -> None:
        """Report the parts of a text that cannot be printed."""
        if not self._is_full():
            check_text(text, source, font, self._factory, self._report, attribute)

    def define_term(self, term: str, anchor: str) -> Text:
        """Return a term that is defined here, and add it to the index."""
        self._terms.setdefault(str(term), []).append(anchor)  # a translation would be its source
        return (Span(term, bold=True),)

    def entries(self) -> Iterator[IndexEntry]:
        """Yield the entries of the index."""
        return (IndexEntry(term, "", tuple(anchors)) for term, anchors in self._terms.items())

    def _spans(self, node: Node, style: Span) -> Iterator[Span]:
        if node.text:
            yield style._replace(text=node.text)
        for child in node.children:
            if child.tag in _SPAN_STYLES:
                yield from self._spans(child, style._replace(**_SPAN_STYLES[child.tag]))
            elif child.tag == "term":
                anchor = f"term {next(self._numbers)}"
                spans = list(self._spans(child, style._replace(caps=True, anchors=(anchor,))))
                printed = " ".join("".join(span.text for span in spans).split())
                if word := self.attribute(child, "of") or printed:
                    self._terms.setdefault(word, []).append(anchor)
                yield from spans or [style._replace(anchors=(anchor,))]
            elif child.tag == "br":
                yield style._replace(line_break=True)
            elif child.tag == "icon":
                yield style._replace(icon=child.attributes["name"])
            elif child.tag != "list":
                yield from self._reference(child, style)
            if child.tail:
                yield style._replace(text=child.tail)

    def _reference(self, node: Node, style: Span) -> Iterator[Span]:
        name = node.attributes["to"]
        target = self._anchors.by_id.get(name)
        if target is None:
            if not self._is_full() and not self._anchors.may_lack(name):
                message = f"nothing in the rulebook has the id `{name}`"
                hint = known_hint(name, sorted(self._anchors.by_id))
                self._report.append(R021.at(node.source.at("to"), message, hint))
            return
        style = style._replace(link=name)
        form = node.get("form") or "full"
        if form == "page":
            yield style._replace(page_of=name)
            return
        number, title = target
        parts = {"number": (number,), "title": (title,)}.get(form, target)
        yield style._replace(text=" ".join(filter(None, parts)) or title or number)
