"""Typeset a book with platypus: dry passes settle the page numbers, the last one is recorded."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice, pairwise, product, takewhile, zip_longest
from typing import IO, Any

from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
)
from reportlab.platypus.doctemplate import LayoutError

from deckwright.base.colors import contrasting_color, darken_for_paper, mix
from deckwright.base.geometry import Box
from deckwright.base.locales import find_initial
from deckwright.base.units import POINTS_PER_MM, Mm
from deckwright.book import model
from deckwright.book.model import (
    FAINT,
    GALLERY_GAP,
    INK,
    Book,
    count_columns,
    shrink_to_least,
    shrink_to_rows,
)
from deckwright.book.text import make_text
from deckwright.ops import outlines
from deckwright.ops.model import Face, StrokePath, Tag
from deckwright.ops.readable import alt_text
from deckwright.paint.pdf.catalog import Ending, RulesPanel, Section, draw_sections
from deckwright.paint.pdf.document import Navigation, write_pdf
from deckwright.paint.pdf.metadata import Info
from deckwright.paint.pdf.parts import (
    MAX_UNDIVIDED_SHARE,
    MIN_LINES_TOGETHER,
    UNLIMITED_HEIGHT,
    BookTable,
    BoxedFlowable,
    BreakAtFoot,
    Columns,
    FacePart,
    Floating,
    GalleryRow,
    IndentedFlowable,
    Panel,
    Space,
    Stack,
    build_table,
    next_part,
    required_height,
    total_height,
)
from deckwright.paint.pdf.texts import (
    BookResources,
    BookTypesetter,
    ContentsLine,
    HeadingPart,
    TextPart,
    align_label,
)
from deckwright.sheet.pages import Page
from deckwright.text import richtext

_GAP: Mm = 2
"""The distance below a paragraph."""
_INDENT: Mm = 6
"""The indent of list items."""
_NUMBER_INDENT: Mm = 13
"""The indent of texts beside the numbers of their headings."""
_ABOVE_FIGURE: Mm = 3.6
_BESIDE_FIGURE: Mm = 3
_MIN_LEGEND: Mm = 30
"""The distance of a legend beside a figure, and its least width."""
_FOOT_TOLERANCE = 1e-3
"""How far a figure at the foot of a page is above it, in points."""
_SYMBOL_SIZE = 1.3
"""The relative size of symbols that are alone in the cell of a table."""
_COMPACT_SHARES = (0, 1 / 4, 1 / 2, 3 / 4, 1)
"""How small cards of an overview may be: 0 for usual, 1 for as small as allowed."""
_BELOW_CONTENTS: Mm = 6
_ABOVE_KEY: Mm = 3
_CONTENTS_SIZE = 1.25
"""The size of contents in an overview, as a share of that of other texts."""
_DESCRIPTION_SIZE = 1.2
"""The size of descriptions in an overview."""
_BOX_COLORS = {"example": "#6b7f4a", "note": "#b08a3c"}
"""The colors of boxes by kind; definition boxes use the book's color."""
_COLUMN_GAP: Mm = 6
"""The gap between the columns of contents and of an index."""
_SMALL = 0.92
"""The relative size of text in these columns."""
_TIGHT = 0.9
"""How much smaller text of contents may be before they get one more column."""
_CONTENTS_INDENT: Mm = 5
"""The indent of sections in contents of one column."""
_MAX_CONTENTS_COLUMNS = 3
"""The most columns of contents that would need more than a page in fewer."""
_MIN_NAME_CONTRAST = 7
"""The minimum contrast of the names of rules with paper, since they stand on a tint."""
_MIN_PANEL_CONTRAST = 7
"""The minimum contrast of the ground of contents with paper, and so with its white letters."""
_MIN_ENTRIES_PER_INITIAL = 2
"""An index with fewer entries per initial, on average, has no initials."""
_MAX_LEAD_LINES = 3
"""The most lines of a text that is kept with the list after it."""
_MIN_LINE_CONTRAST = 3
"""The minimum contrast of lines with paper: WCAG 2.2, success criterion 1.4.11."""
_HEADING_DISTANCES = ((4, 1.8), (9, 4.5), (6, 2.4), (4.5, 1.6), (3.5, 1.2))
"""The distances above and below headings in mm, by their level from 0."""


_Pictures = tuple[model.GalleryPicture, ...]


class Story:
    """Builds the flowables for one pass over a book."""

    def __init__(self, book: model.Book, setter: BookTypesetter) -> None:
        """Set `book`."""
        self._book, self._setter, self._theme = book, setter, setter.theme
        self._width = setter.theme.column
        self._at_start = True
        self._parent_tag: Tag | None = None
        """The tag that encloses the current blocks; None at the top level."""
        self._level = 0
        """The level of the latest heading."""
        self._hanging = False
        """Whether the texts of this section are indented, since its heading stands beside them."""
        self._beside: model.Heading | None = None
        """The heading that stands beside the next text."""
        self._list: tuple[str, Tag] | None = None
        """The indent and tag of the open list, which the next item continues."""
        galleries = (block for block in book.blocks if isinstance(block, model.Gallery))
        pictures = [picture for gallery in galleries for picture in gallery.pictures]
        self._columns = count_columns(pictures, setter.theme)
        """The number of cards per row, the same in all galleries of the book."""
        usual = shrink_to_rows(pictures, self._columns, setter.theme)
        least = min(usual, shrink_to_least(pictures, self._columns, setter.theme))
        self._scales = [usual - share * (usual - least) for share in _COMPACT_SHARES]
        """The scales of cards: the usual one, and those that an overview may choose."""
        column = model.column_width(self._columns, setter.theme)
        scales = [(p, model.gallery_scale(p, column)) for p in pictures]
        self._cell = (
            max((picture.cell * scale for picture, scale in scales), default=column),
            max((picture.height * scale for picture, scale in scales), default=column),
        )
        """The width and height of the largest card in the largest scale."""

    def row_width(self, scale: float) -> Mm:
        """Return how wide a complete row of cards is in a scale."""
        return self._columns * (self._cell[0] * scale + GALLERY_GAP) - GALLERY_GAP

    def flowables(self) -> Iterator[Flowable]:
        """Yield the flowables of the whole book."""
        if self._book.cover is not None:
            yield Space(0)
            yield NextPageTemplate("text")
            yield PageBreak()
        waiting: list[model.Heading] = []
        lead: Sequence[Flowable] = ()
        items: list[Flowable] = []
        sections: list[Section] = []
        for block, following in zip_longest(self._book.blocks, self._book.blocks[1:]):
            if self._book.catalog and isinstance(block, model.Contents):
                lead = [*self._contents(block), Space(_BELOW_CONTENTS * POINTS_PER_MM)]
            elif self._book.catalog and isinstance(block, model.Paragraph):
                lead = [*lead, *map(self._heading, waiting)]
                lead.append(self._text(block.text, size=_DESCRIPTION_SIZE, before=1, after=4))
                waiting = []
            elif self._book.catalog and isinstance(block, model.Gallery):
                sections.append(self._catalog(block, [*lead, *map(self._heading, waiting)]))
                waiting, lead = [], ()
            elif isinstance(block, model.Heading):
                if block.new_page and waiting:
                    yield from self._section(waiting, ())
                    waiting = []
                self._hanging = self._runs_in(block, following)
                self._beside = block if self._hanging else None
                waiting += [] if self._hanging else [block]
                self._list = None
            elif self._hanging and isinstance(block, model.Paragraph | model.ListItem):
                yield from self._section(waiting, [*self._hang(block)])
                waiting = []
            elif isinstance(block, model.Paragraph) and _is_bare_table(following):
                text = self._text(block.text, after=_GAP, anchor="justify")
                self._list = None
                # The last lines are kept with the table, which nothing else names.
                text.wrap(self._theme.column * POINTS_PER_MM, UNLIMITED_HEIGHT)
                parts = text.split_lines(len(text.lines or ()) - MIN_LINES_TOGETHER)
                if parts:
                    yield from self._section(waiting, parts[:1], lead)
                    waiting, lead = [], ()
                lead = [*lead, *(parts[1:] or (text,))]
            elif short := self._lead(block, following, headed=bool(waiting) and not lead):
                lead = [*lead, short]
            elif isinstance(block, model.Paragraph) and isinstance(following, model.Gallery):
                below = self._beginning(following)
                yield from self._section(waiting, [*self._block(block)], below=below)
                waiting = []
            elif isinstance(block, model.ListItem):
                items += self._block(block)
                if not isinstance(following, model.ListItem):
                    if len(items) > 1:  # the last one is not alone on a page, nor a first rule
                        items[0].keepWithNext = block.indent == "rule"
                        items[-2].keepWithNext = True
                    yield from self._section(waiting, items, lead)
                    waiting, items, lead = [], [], ()
            else:
                yield from draw_sections(sections, self._scales, open_end=True)
                sections = []
                yield from self._section(waiting, self._body(block, following), lead)
                waiting, lead = [], ()
        yield from draw_sections(sections, self._scales)
        yield from self._section(waiting, ())
        if self._book.back is not None:
            yield NextPageTemplate("back")
            yield PageBreak()
            yield Space(0)

    def _body(self, block: model.Block, following: model.Block | None) -> list[Flowable]:
        """Return a block; a figure without a caption ends its chapter at the foot of the page."""
        body = [*self._block(block)]
        last = not following or (isinstance(following, model.Heading) and following.new_page)
        bare = isinstance(block, model.Figure) and not block.caption
        if last and bare and isinstance(body[-1], Floating):
            body[-1].stand_at_foot()
        return body

    def _runs_in(self, heading: model.Heading, following: model.Block | None) -> bool:
        """Return whether a heading stands beside the text that follows it."""
        deep = 0 < self._theme.run_in <= heading.level
        return deep and isinstance(following, model.Paragraph) and heading.face is None

    def _lead(
        self, block: model.Block, following: model.Block | None, *, headed: bool
    ) -> TextPart | None:
        """Return a text if it is so short that it is kept with what follows it."""
        kept = (model.Paragraph, model.BookTable, model.Aside) if headed else ()
        most = _MAX_LEAD_LINES if isinstance(following, model.ListItem) else 1
        if not isinstance(block, model.Paragraph):
            return None
        if not isinstance(following, (model.ListItem, *kept)):
            return None
        text = self._text(block.text, after=_GAP, anchor="justify")
        text.wrap(self._theme.column * POINTS_PER_MM, UNLIMITED_HEIGHT)
        if len(text.lines or ()) > most:
            return None
        self._list = None
        return text

    def _hang(self, block: model.Paragraph | model.ListItem) -> Iterator[Flowable]:
        """Yield an indented text, beside the number of its heading if it is the first one."""
        heading, self._beside, mark = self._beside, None, None
        if heading is not None and isinstance(block, model.Paragraph):
            mark = self._heading(heading, beside=True)
            stop = "" if heading.title[-1:] in {".", "!", "?", "…"} else "."
            title = make_text(f"{heading.title}{stop}", bold=True)
            block = block._replace(text=(*title, *make_text(" "), *block.text))
        for part in self._block(block):
            yield IndentedFlowable(mark, part, _NUMBER_INDENT)
            mark = None

    def _section(
        self,
        headings: Sequence[model.Heading],
        body: Sequence[Flowable],
        lead: Sequence[Flowable] = (),
        below: Sequence[Flowable] = (),
    ) -> Iterator[Flowable]:
        """Yield headings and their body, and keep its beginning on the page of the headings.

        So is the `lead` in between; and they never end a page without what follows `below`.
        """
        parts: list[Flowable] = []
        for heading in headings:
            if heading.new_page and not self._at_start:
                yield PageBreak()
            self._at_start = False
            parts.append(self._heading(heading))
        parts += lead
        divided = bool(body) and isinstance(
            body[0], (TextPart, IndentedFlowable, BookTable, Columns)
        )
        for part in parts:
            part.keepWithNext = bool(body) and not divided
        if parts and below:
            yield BreakAtFoot([*parts, *body, *below], self._theme)
        if parts and divided:
            yield CondPageBreak(required_height(parts, body, self._theme))
        yield from parts
        yield from body

    def _tag(self, role: str, **more: str) -> Tag:
        """Return a new tag inside the enclosing one."""
        return self._setter.tag(role, self._parent_tag, **more)

    @contextmanager
    def _within(self, tag: Tag) -> Iterator[None]:
        """Enclose the blocks of the context in `tag`."""
        around, self._parent_tag, self._list = self._parent_tag, tag, None
        yield
        self._parent_tag, self._list = around, None

    def _block(self, block: model.Block) -> Iterator[Flowable]:
        self._list = self._list if isinstance(block, model.ListItem) else None
        match block:
            case model.Heading():
                yield self._heading(block)
            case model.Paragraph():
                yield self._text(block.text, after=_GAP, anchor="justify")
            case model.ListItem():
                yield from self._item(block)
            case model.Aside():
                yield from self._box(block)
            case model.BookTable():
                yield from self._table(block)
            case model.Figure():
                yield from self._figure(block)
            case model.Gallery():
                yield from self._rows(block, self._scales[0])
            case model.Contents():
                yield from self._contents(block)
            case model.Index():
                yield Columns([*self._entries(block)], block.columns, _COLUMN_GAP)
                yield from [Ending(self._setter, block.art)] if block.art else []

    def _text(
        self,
        text: model.Text,
        *,
        size: float = 1,
        color: str = INK,
        role: str | Tag | None = "P",
        **more: Any,  # those of TextPart
    ) -> TextPart:
        """Return a text; `role` is its own role or tag, or the tag that it is the content of."""
        style = self._setter.style(self._theme.size * size, color=color)
        tag = self._tag(role) if isinstance(role, str) else role
        return TextPart(self._setter, self._setter.rich(text), style, tag=tag, **more)

    def _plain_text(self, text: model.Text) -> str:
        """Return a text without its formatting."""
        return richtext.plain_text(self._setter.rich(text))

    def _heading(
        self, heading: model.Heading, anchor: str = "start", *, beside: bool = False
    ) -> HeadingPart:
        """Return a heading; `beside` its text only its number is printed."""
        level, spacing = heading.level, self._theme.spacing
        self._level = level or self._level
        alt = f"{heading.number} {heading.title}".strip() if heading.face or beside else ""
        label = heading.number if beside else _label(heading)
        rich = self._setter.rich(make_text(label, bold=True))
        # The outline and the running title have no icons.
        title = self._plain_text(make_text(heading.title))
        rank = 3 if anchor == "middle" else level + heading.minor  # on a panel as wide as a card
        size = self._theme.headings[min(rank, len(self._theme.headings) - 1)]
        band = heading.color if level and heading.color else None
        line = heading.color or self._setter.color if level in {0, 1} and not band else None
        color = contrasting_color(band) if band else INK
        style = self._setter.style(size, color=color, family="title", leading=1.18, hyphenate=False)
        place = min(level + heading.minor, len(_HEADING_DISTANCES) - 1)
        before, after = _HEADING_DISTANCES[place]
        if beside:
            before = after = 0
            style = self._setter.style(self._theme.size, color=self._setter.color)
        part = HeadingPart(
            self._setter,
            rich,
            style,
            outline=(f"{heading.number} {title}".strip(), level) if level else None,
            rule=line and darken_for_paper(line, _MIN_LINE_CONTRAST),
            band=band,
            title=title if level == 1 or band else None,
            tag=self._tag(f"H{level or self._level + 1}", alt=alt),
            before=before * spacing,
            after=(after + (1.6 if band else 0)) * spacing,
            anchors=[heading.anchor],
            anchor=anchor,
        )
        part.face = heading.face
        return part

    def _item(self, item: model.ListItem) -> Iterator[Flowable]:
        rule = item.indent == "rule"
        indent = self._theme.rule_indent if rule else _INDENT
        numbering = _numbering(self._plain_text(item.mark))
        with self._list_item(item, numbering) as label:
            for number, block in enumerate(item.blocks):
                mark = None if number else self._text(item.mark, role=label)
                for inner in self._inner(block, after=1.6 if rule else 0.9):
                    yield IndentedFlowable(mark, inner, indent)
                    mark = None

    @contextmanager
    def _list_item(self, item: model.ListItem, numbering: str) -> Iterator[Tag]:
        """Enclose the blocks of the context in the body of an item; yield the tag of its label."""
        if self._list is None or self._list[0] != item.indent:
            self._list = item.indent, self._tag("L", numbering=numbering)
        open_list = self._list
        part = self._setter.tag("LI", open_list[1])
        label = self._setter.tag("Lbl", part)
        with self._within(self._setter.tag("LBody", part)):
            yield label
        self._list = open_list

    def _inner(self, block: model.Block, after: Mm, size: float = 1) -> Iterator[Flowable]:
        """Yield the flowables of a block nested in another one."""
        if isinstance(block, model.Paragraph):
            yield self._text(block.text, after=after, size=size)
        else:
            yield from self._block(block)

    def _box(self, box: model.Aside) -> Iterator[Flowable]:
        color = _BOX_COLORS.get(box.kind, self._setter.color)
        ground = mix(color, "#ffffff", 0.9)
        inner: list[Flowable] = []
        anchors = [box.anchor] if box.anchor else []
        self._width -= BoxedFlowable.MARGIN
        with self._within(self._tag("Div")):
            if box.title:
                title, dark = make_text(box.title, bold=True), mix(color, "#000000", 0.35)
                inner.append(self._text(title, color=dark, anchors=anchors))
            for block, following in zip_longest(box.blocks, box.blocks[1:]):
                first = not inner
                parts = list(self._inner(block, after=0))
                if parts and isinstance(following, model.BookTable):
                    parts[-1].keepWithNext = True
                if first and parts and isinstance(parts[0], TextPart):
                    parts[0].anchors = anchors
                inner += parts
        self._width += BoxedFlowable.MARGIN
        boxed: list[Flowable] = []
        for number, part in enumerate(inner, 1):
            top, bottom = 0.5 if boxed else 2.0, 2.2 if number == len(inner) else 0.5
            boxed.append(BoxedFlowable(self._setter, part, ground, color, top, bottom))
            boxed[-1].keepWithNext = part.getKeepWithNext()
            part.spaceBefore = part.spaceAfter = 0
        if boxed:
            boxed[0].spaceBefore = 1.2 * POINTS_PER_MM
            boxed[-1].spaceAfter = 3.2 * POINTS_PER_MM
        whole = (
            total_height(boxed, self._theme)
            <= self._theme.body * MAX_UNDIVIDED_SHARE * POINTS_PER_MM
        )
        for part in boxed[:-1] if whole else boxed[: bool(box.title)]:
            part.keepWithNext = True
        yield from boxed

    def _table(self, table: model.BookTable) -> Iterator[Flowable]:
        anchors, whole = {"l": "start", "c": "middle", "r": "end"}, self._tag("Table")
        cells: list[list[TextPart | None]] = []
        middle = set[int]()
        for number, texts in enumerate(table.rows):
            head, row = number < table.heads, self._setter.tag("TR", whole)
            line: list[TextPart | None] = []
            for place, (cell, align) in enumerate(zip(texts, table.columns, strict=True), 1):
                if cell is None:
                    line.append(None)
                    continue
                text = tuple(span._replace(bold=True) for span in cell) if head else cell
                across = 1 + sum(1 for _ in takewhile(lambda each: each is None, texts[place:]))
                role = self._setter.tag("TH" if head else "TD", row, across=across)
                size = 0.95
                if text and all(span.icon for span in text):
                    size, middle = _SYMBOL_SIZE, {*middle, number}
                line.append(self._text(text, anchor=anchors[align], size=size, role=role))
            cells.append(line)
        set_table = build_table(self._setter, cells, table.heads, self._width, middle,
                                table.groups)  # fmt: skip
        if table.caption:
            role = self._setter.tag("Caption", whole)
            caption = self._text(table.caption, size=0.92, before=1.5, after=1, role=role,
                                 anchors=[table.anchor] if table.anchor else [])  # fmt: skip
            caption.keepWithNext = True
            yield caption
        yield set_table

    def _figure(self, figure: model.Figure) -> Iterator[Flowable]:
        whole, alt = self._tag("Div"), self._plain_text(figure.caption)
        more: dict[str, Any] = {"tag": whole, "after": 1.5}
        *faces, last = (
            FacePart(self._setter, face, alt, before=1.5 if number else _ABOVE_FIGURE,
                     anchors=() if number else figure.anchors, **more)
            for number, face in enumerate(figure.faces)
        )  # fmt: skip
        together: list[Flowable] = [last]
        beside = figure.beside and (
            last.face.width + _BESIDE_FIGURE + _MIN_LEGEND <= self._theme.column
        )
        with self._within(whole):
            if figure.caption:
                after = 2 if figure.legend else 3.5
                anchor = "start" if beside else "middle"
                caption = self._text(figure.caption, size=0.92, anchor=anchor, after=after,
                                     role="Caption")  # fmt: skip
                together.append(caption)
            legend = [part for item in figure.legend for part in self._item(item)]
        if beside:
            together, legend = [self._set_beside(last, [*together[1:], *legend])], []
        floating = Floating([*faces, *together], self._theme)
        if legend or floating.height > self._theme.body * POINTS_PER_MM:
            yield from faces
            yield KeepTogether([*together, *legend[:1]])
            yield from legend[1:]
        else:
            yield floating

    def _set_beside(self, part: FacePart, texts: Sequence[Flowable]) -> Flowable:
        """Return a drawing with texts beside its middle."""
        indent = part.face.width + _BESIDE_FIGURE
        room = (self._width - indent) * POINTS_PER_MM
        _, high = Stack(texts).wrap(room, UNLIMITED_HEIGHT)
        space = Space(max(0, part.face.height * POINTS_PER_MM - high) / 2)
        space.spaceBefore = part.spaceBefore
        beside = Stack([space, *texts])
        beside.spaceAfter = _BESIDE_FIGURE * POINTS_PER_MM
        return IndentedFlowable(part, beside, indent)

    def _catalog(self, gallery: model.Gallery, head: Sequence[Flowable]) -> Section:
        """Return a section of an overview, below `head`."""
        setter, columns, panel = self._setter, self._columns, None
        if gallery.texts:
            stacks = partial(self._stacks, gallery.texts, gallery.color)
            panel = RulesPanel(setter, stacks, columns, gallery.color)
        if gallery.contents is not None and columns == 1:
            head = [*self._contents(gallery.contents._replace(color=None)), *head]
            gallery = gallery._replace(contents=None)

        def width(scale: float) -> float:
            return self.row_width(scale) * POINTS_PER_MM

        rows, openings = partial(self._rows, gallery), [bool(p.headings) for p in gallery.pictures]
        mixed = any(opens and not before for before, opens in pairwise(openings))
        return Section(head, rows, panel, gallery.art, setter, width, mixed=mixed)

    def _rows(self, gallery: model.Gallery, shrink: float) -> Iterator[GalleryRow]:
        columns, whole = self._columns, self._tag("Div")
        pictures, after = gallery.pictures, GALLERY_GAP - 1
        contents, lead = gallery.contents, None
        if contents is not None and contents.color is not None:
            ground = darken_for_paper(contents.color, _MIN_PANEL_CONTRAST)
            parts = [*self._contents(contents._replace(color=ground))]
            if contents.key is not None:
                parts.append(FacePart(self._setter, contents.key, "", before=_ABOVE_KEY))
            lead = Panel(self._setter, parts, ground)
        taken = range(0)
        while pictures:
            room = columns - (lead is not None) - len(taken) - (pictures[0].span - 1)
            pictures = join_parts(pictures, room)
            # A section opens at the beginning of a row.
            end = len([*takewhile(lambda each: each.headings, pictures[:room])])
            end += len([*takewhile(lambda each: not each.headings, pictures[end:room])])
            more: dict[str, Any] = {"cell": self._cell, "shrink": shrink}
            more |= {"lead": lead, "tag": whole, "taken": taken}
            more |= {} if self._book.catalog else {"before": 1, "after": after}
            yield GalleryRow(self._setter, pictures[:end], columns, **more)
            start, first = int(lead is not None), pictures[0]
            taken = range(start, start + first.span) if first.rows > 1 else range(0)
            lead, pictures = None, pictures[end:]

    def _beginning(self, gallery: model.Gallery) -> list[Flowable]:
        """Return what headings before a gallery are kept with: its first row, text, or nothing."""
        return [*islice(self._rows(gallery, self._scales[0]), 1)]

    def _stacks(self, blocks: Iterable[model.Block], color: str, size: float) -> list[Stack]:
        """Return small texts as parts of columns, each heading with the text that follows it.

        Args:
            color: that of the names of items.
        """
        color = darken_for_paper(color, _MIN_NAME_CONTRAST)
        stacks, waiting = list[Stack](), list[Flowable]()
        for block in blocks:
            if isinstance(block, model.ListItem):
                with self._list_item(block, "None") as label:
                    waiting.append(self._text(block.mark, size=size, role=label, color=color))
                    for each in block.blocks:
                        waiting += self._inner(each, after=1.6, size=size)
                stacks.append(Stack(waiting))
                waiting = []
            else:
                waiting.append(*self._block(block))
        return stacks

    def _contents(self, contents: model.Contents) -> Iterator[Flowable]:
        ink = contrasting_color(contents.color) if contents.color else INK
        heading = model.Heading(1, "", contents.title, " contents", contents.color, new_page=True,
                                face=contents.face)  # fmt: skip
        if contents.color:
            head = [self._heading(heading, "middle")]
        else:
            head = [*self._section([heading], ())]
        yield from head
        room = self._theme.body * POINTS_PER_MM - total_height(head, self._theme)
        most = max(contents.columns, _MAX_CONTENTS_COLUMNS)
        for columns, share in product(range(contents.columns, most + 1), (1, _TIGHT)):
            chapters = self._chapters(contents, ink, columns, share)
            whole = Columns([Stack(chapter) for chapter in chapters], columns, _COLUMN_GAP)
            if whole.wrap(self._theme.column * POINTS_PER_MM, UNLIMITED_HEIGHT)[1] <= room:
                break
        yield from chain(*chapters) if columns == 1 else [whole]

    def _chapters(
        self, contents: model.Contents, ink: str, columns: int, share: float
    ) -> list[list[Flowable]]:
        """Return the lines of the contents by chapter, for a number of columns.

        Args:
            share: the size of their text, as a share of the usual one.
        """
        whole = self._tag("TOC")
        entries = [entry for entry in self._book.headings if entry.level <= contents.levels]
        flat = bool(contents.color) and all(entry.level == 1 for entry in entries)
        large = contents.columns > 1 or flat
        size = share * (_CONTENTS_SIZE if large else _SMALL if columns > 1 else 1)
        chapters: list[list[Flowable]] = []
        for entry in entries:
            top = entry.level == 1
            role = self._setter.tag("Reference", self._setter.tag("TOCI", whole))
            text = self._text(make_text(_label(entry), bold=top), size=size, role=role, color=ink)
            before = 2 * size if top else 0
            line = self._line(text, [entry.anchor], dots=flat or not top, before=before)
            if top or not chapters:
                chapters.append([])
            indent = _CONTENTS_INDENT / columns * (entry.level - 1)
            chapters[-1].append(IndentedFlowable(None, line, indent))
        return chapters

    def _line(
        self, text: TextPart, anchors: Sequence[str], *, dots: bool, before: Mm = 0
    ) -> ContentsLine:
        """Return a line with links to the pages of anchors, each page once."""
        pages = {self._setter.page_of(anchor): anchor for anchor in reversed(anchors)}
        spans: list[model.Span] = []
        for page in sorted(pages):
            spans += [model.Span(", ")] if spans else []
            link = pages[page] if len(pages) > 1 else None
            spans.append(model.Span(str(page), link=link))
        rich = self._setter.rich(tuple(spans), plain_links=True)
        numbers = TextPart(self._setter, rich, text.style, anchor="end", tag=text.tag)
        target = anchors[0] if len(pages) == 1 else None
        return ContentsLine(self._setter, text, numbers, target, dots=dots, before=before)

    def _entries(self, index: model.Index) -> Iterator[Stack]:
        """Yield the entries, below their initials if those are not nearly as many as they."""
        initials = [self._initial(entry) for entry in index.entries]
        many = len(initials) > _MIN_ENTRIES_PER_INITIAL * len({*initials})
        lettered = index.lettered and many
        before = ""
        entries = self._tag("L", numbering="None")
        for entry, initial in zip(index.entries, initials, strict=True):
            together: list[Flowable] = []
            if lettered and initial != before:
                head, color = make_text(initial, bold=True), self._setter.color
                together.append(self._text(head, before=2.6, color=color))
                before = initial
                entries = self._tag("L", numbering="None")
            body = self._setter.tag("LBody", self._setter.tag("LI", entries))
            text = self._text(make_text(entry.term), size=_SMALL, role=body)
            together.append(self._line(text, entry.anchors, dots=True))
            if entry.note:
                words = make_text(entry.note)
                note = self._text(words, size=0.8, color=FAINT, after=0.6, role=body)
                together.append(IndentedFlowable(None, note, 3))
            yield Stack(together)

    def _initial(self, entry: model.IndexEntry) -> str:
        letter = find_initial(entry.term, self._setter.tools.hyphens.language)
        return letter if letter.isalpha() else "#"


def join_parts(pictures: _Pictures, cells: int) -> _Pictures:
    """Return pictures; if the parts of a card would not share a row, another card precedes them."""
    anchors = [picture.anchor for picture in pictures]
    if not 0 < cells < len(anchors) or anchors[cells - 1] != anchors[cells]:
        return pictures
    start, number = anchors.index(anchors[cells]), anchors.count(anchors[cells])
    section = takewhile(lambda place: not pictures[place].headings, range(cells, len(anchors)))
    single = next((place for place in section if anchors.count(anchors[place]) == 1), None)
    if number > cells or single is None:
        return pictures
    moved = (pictures[single], *pictures[start:single])
    return join_parts((*pictures[:start], *moved, *pictures[single + 1 :]), cells)


def _numbering(mark: str) -> str:
    """Return the ListNumbering of a list from its first mark (ISO 32000-1, 14.8.5.5)."""
    text = mark.strip(" .():")
    if text.isdecimal():
        return "Decimal"
    if len(text) == 1 and text.isalpha():
        return "UpperAlpha" if text.isupper() else "LowerAlpha"
    return "None" if text[:1].isalnum() else "Disc"


def _label(heading: model.Heading) -> str:
    """Return number and title, separated by non-breaking spaces."""
    return f"{heading.number}\u00a0\u00a0{heading.title}" if heading.number else heading.title


def _is_bare_table(block: model.Block | None) -> bool:
    """Return whether a block is a table without a caption."""
    return isinstance(block, model.BookTable) and not block.caption


_MAX_PASSES = 5
"""Page numbers usually settle in two passes; more are needed if their width moves a line."""


class TooLargeError(Exception):
    """Raised if an element of a book does not fit on a page; `page` is the last page before it."""

    def __init__(self, page: int) -> None:
        """Remember the page."""
        super().__init__(page)
        self.page = page


def write_book(stream: IO[bytes] | None, book: Book, info: Info, resources: BookResources) -> int:
    """Write a book to `stream`; without a stream, only check that it can be laid out.

    Returns:
        the number of pages.

    Raises:
        TooLargeError: if something in it does not fit on a page.
    """
    if stream is None:
        return _build(book, _dry(book, resources))
    faces, navigation = _typeset(book, resources)
    pages = [Page(face.width, face.height, ops=face.ops) for face in faces]
    write_pdf(stream, pages, info, resources.fonts, resources.images, navigation=navigation)
    return len(pages)


def render_pages(book: Book, resources: BookResources) -> list[Face]:
    """Return the pages of a book as faces, or raise a TooLargeError as `write_book` does."""
    return _typeset(book, resources)[0]


def _typeset(book: Book, resources: BookResources) -> tuple[list[Face], Navigation]:
    """Return the pages of a book as faces, and what leads to places on them."""
    theme = book.theme
    known: dict[str, int] | None = None
    for _ in range(_MAX_PASSES):
        setter = _dry(book, resources, known)
        _build(book, setter)
        if known is None and book.catalog:
            book = _fit_margins(book, setter)
        if setter.pages == known:
            break
        known = setter.pages
    setter = BookTypesetter(book.theme, book.color, resources, known or {}, dry=False)
    faces = [
        Face(theme.width, theme.height, tuple(setter.drawn.get(page, ())), subject=f"page {page}")
        for page in range(1, _build(book, setter) + 1)
    ]
    return faces, setter.navigation


def _fit_margins(book: Book, setter: BookTypesetter) -> Book:
    """Return an overview whose texts are as wide as its rows of cards in the chosen scale."""
    scales = setter.tools.scales
    if not scales:
        return book
    width = Story(book, setter).row_width(scales[0])
    scales[:] = [1]
    return book._replace(theme=book.theme._replace(margin_x=(book.theme.width - width) / 2))


def _dry(
    book: Book, resources: BookResources, known: dict[str, int] | None = None
) -> BookTypesetter:
    return BookTypesetter(book.theme, book.color, resources, known, dry=True)


def _build(book: Book, setter: BookTypesetter) -> int:
    """Lay out the pages of a book; return their number."""
    if not re.fullmatch(r"[0-9]{1,11}", os.environ.get("SOURCE_DATE_EPOCH", "0").strip()):
        del os.environ["SOURCE_DATE_EPOCH"]  # ReportLab cannot parse it: it counts as no date
    document = _BookTemplate(book, setter)
    try:
        document.build(list(Story(book, setter).flowables()))
    except LayoutError as error:
        raise TooLargeError(int(document.page)) from error
    return int(document.page)


class _BookTemplate(BaseDocTemplate):  # type: ignore[misc]
    """A document with covers and pages of text."""

    def __init__(self, book: Book, setter: BookTypesetter) -> None:
        theme = setter.theme
        size = (theme.width * POINTS_PER_MM, theme.height * POINTS_PER_MM)
        super().__init__(io.BytesIO(), pagesize=size, invariant=1)
        self.book, self.setter = book, setter
        body = _frame(theme.margin_x, theme.margin_bottom, theme.column, theme.body)
        whole = _frame(0, 0, theme.width, theme.height)
        front, back = (
            [PageTemplate(name, [whole], self._draw_whole_page(face))] if face else []
            for name, face in {"cover": book.cover, "back": book.back}.items()
        )
        end = self._draw_header_and_footer
        text = PageTemplate("text", [body], self._draw_background, onPageEnd=end)
        self.addPageTemplates([*front, text, *back])

    def _draw_whole_page(self, face: Face) -> Callable[[Any, Any], None]:
        """Return a callback that draws a face over the whole page."""
        tag = self.setter.tag("Figure", alt=alt_text(face) or self.book.title)
        return lambda canvas, _: self._paint(canvas, face, tag)

    def _draw_background(self, canvas: Any, _: Any) -> None:  # ReportLab's
        """Draw the background of a page of text."""
        sides = self.book.pages
        if sides is not None:
            self._paint(canvas, sides[(canvas.getPageNumber() + self.setter.rtl) % 2])

    def _paint(self, canvas: Any, face: Face, tag: Tag | None = None) -> None:
        top = self.setter.theme.height * POINTS_PER_MM
        self.setter.paint(canvas, face.ops, 0, top, tag)

    def _draw_header_and_footer(self, canvas: Any, _: Any) -> None:  # ReportLab's
        """Draw the footer, and the running title unless its chapter starts on this page."""
        theme, setter = self.setter.theme, self.setter
        number = canvas.getPageNumber()
        inner, outer = ("start", "end") if number % 2 else ("end", "start")
        style = setter.style(theme.size * 0.86, color=FAINT)
        foot = Box(theme.margin_x, theme.height - theme.margin_bottom + 6, theme.column, 5)
        ops = align_label(setter, str(number), style, foot, outer)
        ops += align_label(setter, self.book.title, style, foot, inner)
        title = getattr(canvas, "page_title", "")
        if title and getattr(canvas, "opened", 0) != number:
            head = Box(theme.margin_x, theme.margin_top - 9, theme.column, 5)
            ops += align_label(setter, title, style, head, outer)
            line = outlines.line(head.x, theme.margin_top - 4, head.right, theme.margin_top - 4)
            ops.append(StrokePath(line, setter.color, 0.3))
        setter.paint(canvas, ops, 0, theme.height * POINTS_PER_MM)

    def filterFlowables(self, flowables: list[Flowable]) -> None:  # noqa: N802 - platypus' name
        """Move the next part before a figure that no longer fits; one may be at the foot.

        What follows an ending keeps its room, and headings are not left alone before a figure.
        """
        figure, *others = flowables
        if isinstance(figure, HeadingPart) and self._strands(flowables):
            flowables.insert(0, PageBreak())
            return
        if isinstance(figure, Ending) and others and isinstance(others[0], CondPageBreak):
            figure.needed = others[0].height
        if isinstance(figure, Floating):
            room = self.frame._y - self.frame._y1p  # noqa: SLF001 - no other way
            if figure.at_foot:
                rest = room - figure.height
                figure.at_foot = rest < -_FOOT_TOLERANCE
                space = Space(max(rest - _FOOT_TOLERANCE, 0))
                flowables.insert(0, PageBreak() if figure.at_foot else space)
                return
            part = next_part(others, room, self.setter.theme) if figure.height > room else ()
            flowables[: len(part) + 1] = [*part, figure]

    def _strands(self, flowables: Sequence[Flowable]) -> bool:
        """Return whether headings would end the page, since the figure after them has no room."""
        heads = [*takewhile(lambda each: isinstance(each, HeadingPart), flowables)]
        figure, *others = flowables[len(heads) :] or [None]
        if not isinstance(figure, Floating):
            return False
        theme = self.setter.theme
        above = total_height(heads, theme)
        room = self.frame._y - self.frame._y1p - above  # noqa: SLF001 - no other way
        if not room < figure.height <= theme.body * POINTS_PER_MM - above:
            return False
        return not next_part(others, room, theme)

    def beforePage(self) -> None:  # noqa: N802 - platypus' name
        """Remember the running title at the start of the page, and tell parts the direction."""
        self.canv.rtl = self.setter.rtl
        self.canv.page_title = getattr(self.canv, "running_title", "")

    def _endBuild(self) -> None:  # noqa: N802 - platypus' name
        """End the last page; ReportLab's own file is empty."""
        self._doSave = 0
        super()._endBuild()


def _frame(x: float, y: float, width: float, height: float) -> Frame:
    """Return a frame from lengths in mm, measured from the lower left corner of the page."""
    box = (length * POINTS_PER_MM for length in (x, y, width, height))
    return Frame(*box, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)
