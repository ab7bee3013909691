"""Read `rulebook.xml` into a book: figures, tables, cross-references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from typing import Literal, NamedTuple, cast

from deckwright.base.files import to_letters
from deckwright.base.findings import (
    MAX_FINDINGS,
    Code,
    Diagnostic,
    Location,
    Report,
    Severity,
    known_hint,
    truncation_notice,
)
from deckwright.base.units import MM_PER_UNIT, Mm, pluralize
from deckwright.book import model, overview
from deckwright.book.limits import make_limit_rows
from deckwright.book.model import (
    INK,
    Aside,
    Block,
    BookTable,
    Figure,
    Heading,
    Index,
    ListItem,
    Paragraph,
    Text,
    Theme,
)
from deckwright.book.references import Anchors, InlineReader
from deckwright.book.text import make_text
from deckwright.faces.factory import FaceFactory
from deckwright.game.model import Card, PrintableCard, suggest_card
from deckwright.ops import outlines
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group, Op, StrokePath
from deckwright.ops.readable import alt_text
from deckwright.text.bidi import language_direction
from deckwright.text.richtext import item_marks
from deckwright.text.shaping import Metrics
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import S005, describe_element

_PART_GAP: Mm = 5
"""The gap between the parts of a figure."""
_LETTER_MARGIN: Mm = 15
_NARROW_LETTER_MARGIN: Mm = 9
"""The room beside a card for letters, and that of a card that has their texts beside it."""
_RADIUS: Mm = 2.5
_MIN_LETTER_DISTANCE: Mm = 6.4
"""The smallest distance of letters."""
_LETTER: Mm = 9 * MM_PER_UNIT["pt"]
_PAPER = "#ffffff"
_MAX_MINOR_INDEX = 30
"""The most entries of an index that shares the page of the last chapter."""


class Callout(NamedTuple):
    """A letter that points at a place on a card."""

    letter: str
    x: Mm
    y: Mm


class FigurePart(NamedTuple):
    """A part of a figure: a face at a scale, with callouts.

    Attributes:
        corner: the radius of the corners of its trim box, which clips it; None if nothing does.
        margin: the room on each side for the letters of callouts.
    """

    face: Face
    scale: float = 1
    callouts: Sequence[Callout] = ()
    corner: Mm | None = None
    margin: Mm = _LETTER_MARGIN

    @property
    def width(self) -> Mm:
        """Its width, including the room for letters."""
        return self.face.width * self.scale + (2 * self.margin if self.callouts else 0)

    @property
    def height(self) -> Mm:
        """Its height."""
        letters = _RADIUS * 2 + _MIN_LETTER_DISTANCE * (len(self.callouts) - 1)
        return max(self.face.height * self.scale, letters)


def compose_figure(
    parts: Iterable[FigurePart], metrics: Metrics, font: str, width: Mm, *, rtl: bool = False
) -> tuple[Face, ...]:
    """Return the parts of a figure in rows, each of which is a face; they stand on one line.

    Args:
        width: the width of rows; only a single part may be wider.
        rtl: whether the first part of a row is at its right.
    """
    rows: list[list[FigurePart]] = []
    room: Mm = 0
    for part in parts:
        if not rows or room < _PART_GAP + part.width:
            rows.append([])
            room = width + _PART_GAP
        rows[-1].append(part)
        room -= _PART_GAP + part.width
    return tuple(_compose_row(row, metrics, font, rtl=rtl) for row in rows)


def _compose_row(parts: Sequence[FigurePart], metrics: Metrics, font: str, *, rtl: bool) -> Face:
    height = max(part.height for part in parts)
    width = sum(part.width for part in parts) + _PART_GAP * (len(parts) - 1)
    ops: list[Op] = []
    x: Mm = 0
    for part in parts:
        face, scale = part.face, part.scale
        left = width - x - part.width if rtl else x
        left += part.margin if part.callouts else 0
        top = height - face.height * scale
        trim = None
        if part.corner is not None:
            trim = outlines.rectangle(0, 0, face.width, face.height, part.corner)
        ops.append(Group(face.ops, (scale, 0.0, 0.0, scale, left, top), trim))
        # Letters are beside the card, each on the side that is nearer to its target.
        right, middle, beside = left + face.width * scale, face.width / 2, _RADIUS + 1
        for at, side in (
            (left - part.margin + beside, [c for c in part.callouts if c.x <= middle]),
            (right + part.margin - beside, [c for c in part.callouts if c.x > middle]),
        ):
            chosen = sorted(side, key=lambda callout: (callout.y, callout.x))
            targets = [(left + c.x * scale, top + c.y * scale) for c in chosen]
            places = _spread_out([y for _, y in targets], height)
            for callout, target, y in zip(chosen, targets, places, strict=True):
                ops += _draw_callout(callout.letter, at, y, target, metrics, font)
        x += part.width + _PART_GAP
    texts = (alt_text(part.face) for part in parts)
    return Face(width, height, tuple(ops), alt="\n".join(filter(None, texts)))


def _spread_out(positions: Iterable[Mm], height: Mm) -> list[Mm]:
    """Return places for letters: near the wanted positions from the top, without overlaps."""
    places: list[Mm] = []
    for y in positions:
        least = places[-1] + _MIN_LETTER_DISTANCE if places else _RADIUS
        places.append(max(y, least))
    limit = height - _RADIUS
    for number in reversed(range(len(places))):
        places[number] = min(places[number], limit)
        limit = places[number] - _MIN_LETTER_DISTANCE
    return places


def _draw_callout(
    letter: str, x: Mm, y: Mm, target: tuple[Mm, Mm], metrics: Metrics, font: str
) -> Iterator[Op]:
    """Yield a letter, and a line to its target with a light halo, visible on any background."""
    line = outlines.line(x, y, *target)
    yield StrokePath(line, _PAPER, 0.9)
    yield FillPath(outlines.ellipse(*target, 0.65, 0.65), _PAPER)
    yield StrokePath(line, INK, 0.3)
    yield FillPath(outlines.ellipse(*target, 0.4, 0.4), INK)
    left = round(x - metrics.shape(font, letter).width * _LETTER / 2, 4)
    base = round(y + metrics.vertical(font).cap_height * _LETTER / 2, 4)
    yield FillPath(outlines.ellipse(x, y, _RADIUS, _RADIUS), INK)
    yield DrawGlyphs(font, round(_LETTER, 4), left, base, letter, (), _PAPER)


R023 = Code("R023", Severity.ERROR, "a card or marker in a rulebook that does not exist")
S010 = Code("S010", Severity.ERROR, "a table with rows of different lengths")

_TERM_SEPARATOR = "\u00a0– "
"""The separator between a term and its definition."""


class BookReader:
    """Reads the elements of a rulebook as blocks."""

    def __init__(self, root: Node, factory: FaceFactory, theme: Theme, report: Report) -> None:
        self._root = root
        self._theme = theme
        self._game = game = factory.game
        self._factory = factory
        self._report = report
        self._max_findings = len(report) + MAX_FINDINGS
        self._anchors = Anchors(root, game, report)
        self._inline = InlineReader(self._anchors, factory, report, self._is_full)
        self._markers = {marker.id: marker for marker in game.setup.markers}
        self._new_page = root.get("chapters") != "continuous"
        self._readers: dict[str, Callable[[Node], Iterator[Block]]] = {
            "p": self._read_paragraph,
            "list": self._read_list,
            "definition": self._read_definition,
            "example": self._read_aside,
            "note": self._read_aside,
            "table": self._read_table,
            "limits": self._read_limits,
            "figure": self._read_figure,
        }

    def titles(self) -> tuple[str, str]:
        """Return the book's title and subtitle."""
        inline, root = self._inline, self._root
        return inline.title(root, "title"), inline.attribute(root, "subtitle")

    def blocks(self) -> Iterator[Block]:
        """Yield the book's blocks in order, without the table of contents.

        They end early after too many findings.
        """
        for node in self._root.children:
            for block in self._read_section(node, 1):
                yield block
                if self._is_full():
                    self._report.append(truncation_notice("the book has", self._root.source.at()))
                    return

    def _is_full(self) -> bool:
        """Return whether the limit on findings is reached."""
        return len(self._report) > self._max_findings

    def _read_section(self, node: Node, level: int) -> Iterator[Block]:
        number, title = self._anchors.number(node), self._inline.title(node, "title")
        is_index, language = node.tag == "index", self._game.setup.language
        entries = overview.sort_entries(self._inline.entries(), language) if is_index else ()
        minor = is_index and len(entries) <= _MAX_MINOR_INDEX
        new_page = not minor and (is_index or (level == 1 and self._new_page))
        anchor = self._anchors.anchor_of(node)
        yield Heading(level, number, title, anchor, new_page=new_page, minor=minor)
        for child in node.children:
            if child.tag == "section":
                yield from self._read_section(child, level + 1)
            else:
                yield from self._readers[child.tag](child)
        if is_index:
            yield Index(entries, 3 if minor else 2, lettered=not minor)
        if node.tag == "overview":
            yield from overview.make_race_blocks(
                self._game.factions,
                self._factory,
                self._report,
                level=level + 1,
                numbers=self._anchors.overview_numbers(node),
            )

    def _read_paragraph(self, node: Node) -> Iterator[Block]:
        yield Paragraph(self._inline.text(node), node.source)

    def _read_list(self, node: Node) -> Iterator[Block]:
        style = node.get("style") or "bullet"
        for item, mark in zip(node.children_named("item"), item_marks(style), strict=False):
            blocks: list[Block] = [Paragraph(self._inline.text(item), item.source)]
            for inner in item.children_named("list"):
                blocks += self._read_list(inner)
            yield ListItem(make_text(mark), tuple(blocks))

    def _read_definition(self, node: Node) -> Iterator[Block]:
        term, anchor = self._inline.title(node, "term"), self._anchors.anchor_of(node)
        head = self._inline.define_term(term, anchor)
        text = (*head, *make_text(_TERM_SEPARATOR), *self._inline.text(node))
        yield Aside("definition", "", (Paragraph(text, node.source),), anchor)

    def _read_aside(self, node: Node) -> Iterator[Block]:
        kind = cast('Literal["example", "note"]', node.tag)
        title = self._inline.attribute(node, "title")
        word = self._game.setup.words[kind]
        blocks = [block for child in node.children for block in self._readers[child.tag](child)]
        yield Aside(kind, f"{word}: {title}" if title else word, tuple(blocks))

    def _read_table(self, node: Node) -> Iterator[Block]:
        rows = list(node.children_named("row"))
        cells = [
            tuple(self._inline.text(cell) for cell in row.children_named("cell")) for row in rows
        ]
        columns = (node.get("columns") or "").split() or ["l"] * len(cells[0])
        for row, texts in zip(rows, cells, strict=True):
            if len(texts) != len(columns) and not self._is_full():
                has, wanted = pluralize(len(texts), "cell"), pluralize(len(columns), "column")
                message = f"the row has {has}, but the table has {wanted}"
                hint = "give each row the same number of cells; `<cell/>` is an empty one"
                self._report.append(S010.at(row.source.at(), message, hint))
        if all(len(texts) == len(columns) for texts in cells):
            heads = next((n for n, row in enumerate(rows) if row.get("head") != "true"), len(rows))
            yield self._make_table(node, cells, heads, columns)

    def _make_table(
        self,
        node: Node,
        cells: Sequence[tuple[Text | None, ...]],
        heads: int,
        columns: Sequence[str],
    ) -> BookTable:
        caption, anchor = self._caption(node), self._anchors.anchor_of(node)
        return BookTable(tuple(cells), heads, tuple(columns), caption, anchor)

    def _caption(self, node: Node) -> Text:
        """Return the caption of a table or figure: number and title, empty if it has neither."""
        number = self._anchors.number(node)
        if not number:
            return ()
        title = self._inline.attribute(node, "title")
        after = make_text(f"\u00a0\u00a0{title}") if title else ()
        return (*make_text(number, bold=True), *after)

    def _read_limits(self, node: Node) -> Iterator[Block]:
        rows = make_limit_rows(self._game.setup, self._game.factions)
        table = self._make_table(node, rows.cells, rows.heads, rows.columns)
        yield table._replace(groups=rows.groups)

    def _read_figure(self, node: Node) -> Iterator[Block]:
        parts: list[FigurePart] = []
        legend: list[ListItem] = []
        anchors = [self._anchors.anchor_of(node)]
        numbers, beside = count(1), node.get("legend") == "beside"
        margin = _NARROW_LETTER_MARGIN if beside else _LETTER_MARGIN
        for child in node.children:
            if self._is_full():
                break
            face = self._compose_part(child)
            callouts = []
            for callout in child.children_named("callout"):
                mark = to_letters(next(numbers))
                x, y = float(callout.attributes["x"]), float(callout.attributes["y"])
                if face is not None and self._is_mirrored(child):
                    x = face.width - x
                callouts.append(Callout(mark, x, y))
                anchors.append(self._anchors.anchor_of(callout))
                text = Paragraph(self._inline.text(callout), callout.source)
                legend.append(ListItem(make_text(mark, bold=True), (text,)))
            if face is not None:
                scale = float(child.get("scale") or 1)
                corner = None
                if child.tag != "drawing":
                    scale = max(scale, model.min_legible_scale(face))
                    found = self._find_card(child.attributes["id"], child.get("faction"))
                    corner = found[0].kind.radius if found and child.tag == "card" else 0.0
                parts.append(FigurePart(face, scale, callouts, corner, margin))
        if not node.children:
            message = f"{describe_element(node)} shows nothing"
            hint = "add a `card`, a `marker` or a `drawing`"
            self._report.append(S005.at(node.source.at(), message, hint))
        if not parts:
            return
        font = f"{self._factory.text_font}-bold"
        metrics, width = self._factory.metrics, self._theme.column
        rtl = language_direction(self._game.setup.language) == "rtl"
        faces = compose_figure(parts, metrics, font, width, rtl=rtl)
        self._report += model.check_figure(faces, node.source, self._theme)
        yield Figure(faces, self._caption(node), tuple(legend), tuple(anchors), beside)

    def _compose_part(self, node: Node) -> Face | None:
        """Return the face of a part of a figure, None after reporting why there is none."""
        factory, attributes = self._factory, node.attributes
        if node.tag == "drawing":
            size = (float(attributes["width"]), float(attributes["height"]))
            context = {"cards": factory.contexts.card_contexts}
            return factory.compose_drawing(
                attributes["template"], node.source, context, size, self._report
            )
        named = attributes["id"]
        if node.tag == "marker":
            if named in self._markers:
                marker = self._markers[named]
                return factory.compose_marker(marker, marker.face, self._report)
            if not self._game.setup.may_lack("marker", named):
                message = f"there is no marker `{named}` in game.xml"
                hint = known_hint(named, self._markers)
                self._report.append(R023.at(node.source.at("id"), message, hint))
            return None
        found = self._find_card(named, node.get("faction"))
        if found is None:
            self._report_unknown(node)
            return None
        part, parts = int(node.get("part") or 1), found[0].parts
        if part > parts:
            message = f"card `{named}` has no part {part}, only {pluralize(parts, 'part')}"
            self._report.append(R023.at(node.source.at("part"), message))
            return None
        compose = factory.card_back if node.get("side") == "back" else factory.card_face
        return compose(*found, self._report, part)

    def _find_card(self, card_id: str, faction_id: str | None) -> tuple[Card, str] | None:
        """Return a card, or the token of a rule, with the faction that shows it.

        A token is shown by the first faction with a card that has the rule.
        """
        for card, printer, rule_id in self._cards_by_id.get(card_id, ()):
            faction = faction_id or printer
            is_shown = faction in self._game.factions if rule_id else faction == printer
            if is_shown:
                return card, faction
        return None

    def _is_mirrored(self, node: Node) -> bool:
        """Return whether a template mirrors a card for a language written from right to left."""
        found = self._find_card(node.attributes["id"], node.get("faction"))
        if found is None or language_direction(self._game.setup.language) != "rtl":
            return False
        named = self._factory.template_of(*found, back=False)
        template = self._factory.template(*named, [])
        return template is not None and template.is_mirrored

    def _report_unknown(self, node: Node) -> None:
        """Report an unknown card, unless it may have been omitted because of errors."""
        game, named, faction_id = self._game, node.attributes["id"], node.get("faction")
        factions = [faction_id] if faction_id else [*game.omissions.cards]
        if game.omissions.rules.may_contain(named.partition("/")[0]) or any(
            game.may_have(faction, named) for faction in factions
        ):
            return
        if faction_id and faction_id not in game.factions:
            message = f"there is no faction `{faction_id}`"
            hint = known_hint(faction_id, game.factions)
            self._report.append(R023.at(node.source.at("faction"), message, hint))
            return
        message = f"there is no card `{named}`"
        if faction_id:
            message = f"faction `{faction_id}` has no card `{named}`"
        cards = [each.card for each in game.printable_cards()]
        hint = suggest_card(named, cards, game.rules)
        self._report.append(R023.at(node.source.at("id"), message, hint))

    @cached_property
    def _cards_by_id(self) -> dict[str, list[PrintableCard]]:
        """Cards and tokens by id; tokens also by the id of their rule."""
        by_id: dict[str, list[PrintableCard]] = {}
        for each in self._game.printable_cards():
            for name in {each.card.id, each.rule_id or each.card.id}:
                by_id.setdefault(name, []).append(each)
        return by_id


R030 = Code("R030", Severity.ERROR, "a style that does not exist")


def check_style(name: str, known: Sequence[str], place: Location) -> Diagnostic | None:
    """Return the finding about an unknown style, None if it exists."""
    if name in known:
        return None
    return R030.at(place, f"there is no style `{name}`", known_hint(name, known))


def select_style(root: Node, style: str | None, known: Sequence[str], report: Report) -> Node:
    """Return an element without the parts excluded from a style, None for the default.

    Unknown styles are reported.
    """
    children = []
    for child in root.children:
        only, excluded = child.get("only"), child.get("except")
        for attribute, name in (("only", only), ("except", excluded)):
            if name is not None:
                place = child.source.at(attribute)
                report += filter(None, [check_style(name, known, place)])
        if only in {None, style} and (style is None or excluded != style):
            children.append(select_style(child, style, known, report))
    return replace(root, children=children)
