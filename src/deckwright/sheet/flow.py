"""Text on pages: flowing templates over columns, and text set in strips."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, takewhile
from typing import NamedTuple

from deckwright.base.findings import Code, Report, Severity, has_errors, known_hint
from deckwright.base.geometry import Box, scaling, translation
from deckwright.base.output import OutputError
from deckwright.base.units import MM_PER_UNIT, PAPER_SIZES, TOLERANCE, Mm, parse_length
from deckwright.ops.model import ElementError, Face, Group, Op, StrokePath, Tag, is_tagged, untag
from deckwright.ops.outlines import rectangle
from deckwright.ops.readable import extract_text
from deckwright.sheet.pages import Page
from deckwright.templates.attributes import AttributeValues, tag_of
from deckwright.templates.compose import Composer, convert_translucent
from deckwright.templates.elements import DrawingContext
from deckwright.templates.elements.text import parse_rich_text, style_of
from deckwright.templates.template import EDGES, BadValueError, Record
from deckwright.text import paragraphs, placing
from deckwright.text.bidi import language_direction
from deckwright.text.break_opportunities import Hyphenator, bind_words
from deckwright.text.fonts import Font, default_fonts
from deckwright.text.shaping import HarfBuzzMetrics
from deckwright.text.words import Piece, RichText, itemize
from deckwright.xmlio.node import Node

T009 = Code("T009", Severity.ERROR, "a flowing template that is not set up correctly")

_MIN_COLUMN: Mm = 1
_SIZE = ("width", "height")
_ATTRIBUTES = {
    "margin-x": "15",
    "margin-top": "20",
    "margin-bottom": "20",
    "columns": "1",
    "column-width": "0",
    "gap": "8",
}
_FILL = "column-fill"
_FILLS = ("auto", "balance")


class PageFrame(NamedTuple):
    """The columns of a page.

    Attributes:
        width, height: the size of the paper.
        top, bottom: the vertical extent of the columns.
        lefts: the left edges of the columns, in the order in which they are read.
        column: the width of a column.
        design_size: the size of paper that header and footer were designed for.
        balanced: whether the columns of the last page have the same height.
    """

    width: Mm
    height: Mm
    top: Mm
    bottom: Mm
    lefts: tuple[Mm, ...]
    column: Mm
    design_size: tuple[Mm, Mm]
    balanced: bool = False

    def context(self, number: int, count: int) -> dict[str, float]:
        """Return the variable `page` of templates."""
        size = {"width": self.width, "height": self.height, "column": self.column}
        return {"number": number, "count": count, **size}

    def place_edge(self, tag: str, ops: tuple[Op, ...]) -> tuple[Op, ...]:
        """Return the ops of a header or footer, placed on this paper.

        They are scaled down if the paper is narrower than the design.
        """
        width, height = self.design_size
        scale = min(1.0, self.width / width)
        x = (self.width - scale * width) / 2
        y = self.height - scale * height if tag == "footer" else 0.0
        if not ops or (scale, x, y) == (1, 0, 0):
            return ops
        return (Group(ops, scaling(scale, round(x, 4), round(y, 4))),)


def read_frame(root: Node, paper: tuple[Mm, Mm] | None) -> PageFrame:
    """Return the frame defined by the root element `pages`.

    Args:
        paper: the width and height of the paper; by default the template's own, or A4.

    Raises:
        OutputError: if the frame is not set up correctly.
    """

    def refuse(message: str, name: str | None = None, hint: str | None = None) -> OutputError:
        return OutputError(T009.at(root.source.at(name), message, hint))

    if root.tag != "pages":
        raise refuse(f"the root element is `{root.tag}`, not `pages`")
    known = (*_SIZE, *_ATTRIBUTES, _FILL)
    for name in root.attributes:
        if name not in known:
            raise refuse(f"`pages` has no attribute `{name}`", name, known_hint(name, known))
    fill = root.get(_FILL) or _FILLS[0]
    if fill not in _FILLS:
        message = f"`{_FILL}` is `auto` or `balance`, not `{fill}`"
        raise refuse(message, _FILL, known_hint(fill, _FILLS))
    try:
        mm = {n: parse_length(root.get(n) or value) for n, value in _ATTRIBUTES.items()}
        own = {n: parse_length(text) for n in _SIZE if (text := root.get(n))}
    except ValueError as error:
        raise refuse(str(error)) from error
    for name in ("column-width", "gap"):
        if mm[name] < 0:
            raise refuse(f"`{name}` is less than 0", name)
    width, height = paper or PAPER_SIZES["a4"]
    design_size = own.get("width", width), own.get("height", height)
    width, height = paper or design_size
    gap, least = mm["gap"], mm["column-width"]
    room = design_size[0] - 2 * mm["margin-x"]
    columns = _count_columns(room, least, gap) if least else max(1, int(mm["columns"]))
    column = (room - (columns - 1) * gap) / columns
    if width != design_size[0]:
        room = width - 2 * mm["margin-x"]
        column = min(column, room)
        columns = _count_columns(room, column, gap)
    top, bottom = mm["margin-top"], height - mm["margin-bottom"]
    if column < _MIN_COLUMN - TOLERANCE or bottom <= top:
        raise refuse("the margins leave no room for text")
    left = (width - columns * (column + gap) + gap) / 2
    lefts = tuple(left + number * (column + gap) for number in range(columns))
    return PageFrame(width, height, top, bottom, lefts, column, design_size, fill == "balance")


def _count_columns(room: Mm, column: Mm, gap: Mm) -> int:
    """Return the number of columns of this width that fit, at least one."""
    return max(1, int((room + gap + TOLERANCE) / (max(column, _MIN_COLUMN) + gap)))


INK, GRAY = "#1c1d20", "#666b73"
_LINE_HEIGHT = 1.3
_MAX_TEXT = 600
"""Longer texts are truncated, in characters: they would fill the page."""
_MAX_WORD = 48
"""Longer words are broken, in characters: no language has such words."""


_PICTURE_EDGE = "#9a9fa6"
"""The color of the edge of pictures."""


class Strip(NamedTuple):
    """A block as wide as its column, to be placed below others.

    Attributes:
        ops: its ops, relative to its top left corner.
        keep_with_next: whether the next strip must be on the same page, or in the same column.
        is_space: whether it is only space, which is dropped at the top of a column.
        tag: its structure tag, or that of the surrounding element.
    """

    height: Mm
    ops: tuple[Op, ...] = ()
    keep_with_next: bool = False
    is_space: bool = False
    tag: Tag | None = None


class TextRun(NamedTuple):
    """A stretch of text in one style; it begins a new word."""

    text: str
    bold: bool = False
    color: str | None = None


class TextSetter:
    """Sets texts as strips.

    Attributes:
        fonts: all fonts that its ops may use, by id.
        rtl: whether lines start at the right.
    """

    def __init__(self, fonts: Mapping[str, Font], family: str | None, hyphens: Hyphenator) -> None:
        """Set texts in the default fonts.

        Args:
            fonts: the game's fonts, by id.
            family: the game's font family for characters that the bundled ones lack.
        """
        own = "words"
        while f"{own}-regular" in fonts:
            own += "_"
        self.fonts = {f"{own}-{style}": font for (_, style), font in default_fonts().items()}
        self.fonts |= fonts
        self._own, self._family = own, family
        self._metrics = HarfBuzzMetrics(self.fonts, hyphens.language)
        self._hyphens = hyphens
        self.rtl = language_direction(hyphens.language) == "rtl"

    def left_of(self, start: Mm, width: Mm, room: Mm) -> Mm:
        """Return the left edge of what is `start` away from where the lines of a room start."""
        return room - start - width if self.rtl else start

    def set_text(
        self,
        runs: str | Sequence[TextRun],
        width: Mm,
        size_pt: float,
        *,
        color: str = INK,
        anchor: str = "start",
        role: str | None = "P",
    ) -> Strip:
        """Return a text wrapped to `width`, with a structure tag; without a role it decorates."""
        words = [
            (Piece(chunk[start : start + _MAX_WORD], bold=run.bold, color=run.color),)
            for run in ([TextRun(runs)] if isinstance(runs, str) else runs)
            for chunk in unicodedata.normalize("NFC", run.text[:_MAX_TEXT]).split()
            for start in range(0, len(chunk), _MAX_WORD)
        ]
        rich = itemize(((bind_words(words),),)) if words else ()
        rich = _replace_missing(rich, paragraphs.find_unsupported(rich))
        family, other = self._own, self._family
        lacking = paragraphs.missing_characters(rich, family, self._metrics)
        if lacking and other and not paragraphs.missing_characters(rich, other, self._metrics):
            family = other
        else:
            rich = _replace_missing(rich, lacking)
        size = size_pt * MM_PER_UNIT["pt"]
        style = paragraphs.TextStyle(family, size, color, _LINE_HEIGHT, rtl=self.rtl)
        block = paragraphs.lay_out(rich, style, self._metrics, width=width, hyphens=self._hyphens)
        ops: list[Op] = []
        leading = size * _LINE_HEIGHT
        baseline = (leading - size) / 2 + block.ascent
        for number, line in enumerate(block.lines):
            y = number * leading + baseline
            ops += placing.line_ops(line, 0, y, width, size, style, anchor)
        return Strip(len(block.lines) * leading, tuple(ops), tag=Tag(role) if role else None)


def _replace_missing(rich: RichText, lacking: Iterable[str]) -> RichText:
    """Return a text with "?" in place of missing characters."""
    table = dict.fromkeys(map(ord, lacking), "?")
    return tuple(
        tuple(
            tuple(tuple(p._replace(text=p.text.translate(table)) for p in word) for word in line)
            for line in paragraph
        )
        for paragraph in rich
    )


def place_strip(strip: Strip, x: Mm, y: Mm) -> Group:
    """Return the ops of a strip with its top left corner at x, y."""
    return Group(strip.ops, translation(round(x, 4), round(y, 4)), tag=strip.tag)


def place_picture(face: Face, x: Mm, y: Mm, scale: float, marks: Iterable[Op] = ()) -> Group:
    """Return a face, clipped to its trim box, with marks and a thin edge, at a scale at x, y."""
    trim = rectangle(0, 0, face.width, face.height)
    edge = StrokePath(trim, _PICTURE_EDGE, 0.12 / scale)
    matrix = (scale, 0.0, 0.0, scale, round(x, 4), round(y, 4))
    return Group((Group(face.ops, clip=trim), edge, *marks), matrix)


def paginate_strips(
    strips: Iterable[Strip], top: Mm, bottom: Mm, gap: Mm = 0
) -> list[list[tuple[Strip, Mm]]]:
    """Return the strips of each page with their positions; glued ones stay with the next.

    Args:
        gap: the distance between strips.
    """
    pages: list[list[tuple[Strip, Mm]]] = []
    group: list[Strip] = []
    y = bottom
    for strip in strips:
        group.append(strip)
        if strip.keep_with_next:
            continue
        if not pages or y + sum(each.height for each in group) > bottom:
            pages.append([])
            y = top
        for each in group:
            if pages[-1] or not each.is_space:
                pages[-1].append((each, y))
                y += each.height + gap
        group = []
    return pages


def stack_strips(strips: Iterable[Strip], indent: Mm = 0) -> Strip:
    """Return strips stacked into a single one."""
    ops, height = list[Op](), 0.0
    for strip in strips:
        ops.append(place_strip(strip, indent, height))
        height += strip.height
    return Strip(height, tuple(ops))


_BALANCE_TOLERANCE: Mm = 0.1

_TEXT = Tag("P")
_MANY_PAGES = 10
"""For fewer pages, compiling a template of their headers and footers does not pay."""


class FlowLayout:
    """A text laid out in columns on pages, before headers and footers are added."""

    def __init__(
        self,
        composer: Composer,
        context: Mapping[str, object],
        frame: PageFrame,
        bodies: list[list[Op]],
        end: Mm = 0,
        free: Box | None = None,
    ) -> None:
        """Store the ops of each page, and what headers and footers are composed from.

        Args:
            end: where the last page's longest column ends.
            free: the second column of the only page, beside the first, if it is empty.
        """
        self.end, self.free = end, free
        self._composer, self._context = composer, context
        self._frame, self._bodies = frame, bodies
        self._pages: dict[tuple[int, int | None], list[Page]] = {}

    def report_to(self, report: Report) -> None:
        """Report errors in headers and footers to another report from now on."""
        self._composer.report = report

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self._bodies)

    def pages(self, first: int = 1, count: int | None = None) -> list[Page]:
        """Return the pages, and report errors in headers and footers.

        Args:
            first: the number of the first page in the whole file.
            count: the number of pages in the whole file; by default only these.
        """
        if (first, count) in self._pages:
            return self._pages[first, count]
        before = len(self._composer.report)
        composer = self._composer
        if len(self) > _MANY_PAGES and (edges := composer.template.compile_edges()) is not None:
            # All lines of a long deck would be composed for each page.
            composer = composer.with_template(edges)
        pages, section = [], Tag("Sect", number=first)
        for number, body in enumerate(self._bodies, first):
            page = self._frame.context(number, count or len(self))
            records = composer.records({**self._context, "page": page})
            ops: list[Op] = []
            for tag in EDGES:
                drawn = tuple(composer.draw(r for r in records if r.part.node.tag == tag))
                edge = self._frame.place_edge(tag, drawn)
                ops += untag(edge) if number > first else edge  # a repeated header is no content
            size = self._frame.width, self._frame.height
            pages.append(Page(*size, ops=(*ops, *body), tag=section))
        if len(self._composer.report) == before:
            self._pages[first, count] = pages
        return pages


def lay_out_flow(
    composer: Composer, context: Mapping[str, object], paper: tuple[Mm, Mm] | None = None
) -> FlowLayout | None:
    """Return the layout of a flowing template, None after reporting errors.

    Args:
        paper: the width and height of the pages; by default those of the template, or A4.
    """
    report = composer.report
    before = len(report)
    try:
        frame = read_frame(composer.template.root, paper)
    except OutputError as error:
        report.extend(error.findings)
        return None
    if language_direction(composer.context.hyphens.language) == "rtl":
        frame = frame._replace(lefts=frame.lefts[::-1])
    records = composer.records({**context, "page": frame.context(1, 1)})
    body = [record for record in records if record.part.node.tag not in EDGES]
    groups: list[list[Strip]] = [[]]
    for strip in _StripMaker(composer, frame.column).make(body):
        groups[-1].append(strip)
        if not strip.keep_with_next:
            groups.append([])
    groups = [group for group in groups if group]
    spots = list(_position_strips(groups, frame.top, frame.bottom))
    bodies: list[list[Op]] = []
    end, filled = frame.top, 0
    for _, column, y, strip in _balance_columns(groups, spots, frame) if frame.balanced else spots:
        number, place = divmod(column, len(frame.lefts))
        if strip.ops:
            filled = max(filled, column + 1)
            while len(bodies) <= number:
                bodies.append([])
                end = frame.top
            bodies[number].append(place_strip(strip, frame.lefts[place], y))
        if number == len(bodies) - 1 and not strip.is_space:
            end = max(end, y + strip.height)
    if has_errors(report[before:]):
        return None
    beside = filled == 1 and len(frame.lefts) == 2
    free = (
        Box(frame.lefts[1], frame.top, frame.column, frame.bottom - frame.top) if beside else None
    )
    return FlowLayout(composer, context, frame, bodies, end, free)


def _tag_paragraphs(ops: Sequence[Op]) -> Iterator[Op]:
    """Yield the ops of a page; untagged ones with text become paragraphs."""
    if not any(map(is_tagged, ops)):
        yield from [Group((*ops,), tag=_TEXT)] if extract_text(ops) else ops
        return
    for op in ops:
        if isinstance(op, Group) and op.tag is None and is_tagged(op):
            yield op._replace(ops=tuple(_tag_paragraphs(op.ops)))
        elif is_tagged(op):
            yield op
        else:
            yield from _tag_paragraphs((op,))


class _StripMaker:
    """Makes strips from the elements of a template."""

    def __init__(self, composer: Composer, width: Mm) -> None:
        self._composer, self._width, self._numbers = composer, width, count(1)

    def make(self, records: Iterable[Record], around: Tag | None = None) -> Iterator[Strip]:
        """Yield the strips of elements within the structure element `around`."""
        composer = self._composer
        for record in records:
            part = record.part
            try:
                values = part.values(record.texts, composer.template.palette)
                tag = self._nest_tag(tag_of(values), around) if "role" in values else around
                if part.node.tag == "text":
                    own_tag = tag or self._nest_tag(_TEXT, None)
                    lines = _make_text_strips(values, composer.context, self._width)
                    yield from (line._replace(tag=own_tag) for line in lines)
                elif part.node.tag == "block":
                    strips = list(self.make(record.children, tag))
                    keep, after = values["keep"], values["space-after"]
                    missing = values["height"] - sum(strip.height for strip in strips)
                    if missing > 0:
                        strips = [each._replace(keep_with_next=True) for each in strips]
                        strips.append(Strip(missing))
                    last = len(strips) - 1
                    for number, strip in enumerate(strips):
                        kept = keep == "next" or (keep == "together" and number != last)
                        yield strip._replace(keep_with_next=strip.keep_with_next or kept)
                    if after:
                        yield Strip(after, is_space=True, keep_with_next=keep == "next")
                else:
                    ops = tuple(composer.draw([record]))
                    if around is None:
                        ops = tuple(_tag_paragraphs(ops))
                    yield Strip(0, ops, keep_with_next=True, tag=around)
            except (BadValueError, ElementError) as error:
                composer.report_failure(record, error)

    def _nest_tag(self, tag: Tag | None, around: Tag | None) -> Tag | None:
        """Return a tag nested in `around`, or `around` itself for an element without a tag."""
        if tag is None or (around is not None and around.role == "Figure"):
            return around
        return tag._replace(number=next(self._numbers), parent=around)


def _make_text_strips(
    values: AttributeValues, context: DrawingContext, width: Mm
) -> Iterator[Strip]:
    """Yield the lines of a text as strips as wide as the column."""
    rich = parse_rich_text(values, context)
    style = style_of(values, context)
    block = paragraphs.lay_out(rich, style, context.metrics, width=width, hyphens=context.hyphens)
    if block.width > width + TOLERANCE:
        message = f"a word is {block.width:.1f} mm wide, but the column {width:.1f} mm"
        hint = "shorten it, widen the columns, or reduce the font size"
        raise ElementError("overflow", message, hint)
    if values["space-before"]:
        yield Strip(values["space-before"], is_space=True, keep_with_next=True)
    height = style.size * style.line_height
    last = len(block.lines) - 1
    for number, line in enumerate(block.lines):
        baseline = (height - block.size) / 2 + block.ascent
        ops = placing.line_ops(line, 0, baseline, width, block.size, style, values["text-anchor"])
        # The first two and the last two lines stay together, to avoid orphans and widows.
        keep = values["keep"] == "next" if number == last else number in {0, last - 1}
        yield Strip(height, convert_translucent(values, ops), keep_with_next=keep)
    if values["space-after"]:
        yield Strip(values["space-after"], is_space=True, keep_with_next=values["keep"] == "next")


class _StripPosition(NamedTuple):
    """The position of a strip: its group, its column (counted over all pages), its top."""

    group: int
    column: int
    y: Mm
    strip: Strip


def _balance_columns(
    groups: list[list[Strip]], spots: list[_StripPosition], frame: PageFrame
) -> list[_StripPosition]:
    """Return the strips with the columns of the last page as short as possible."""
    if not spots:
        return spots
    count = len(frame.lefts)
    last = spots[-1].column // count * count
    first = next(spot.group for spot in spots if spot.column >= last)
    before, rest = [spot for spot in spots if spot.group < first], groups[first:]
    if last and any(spot.group == first and spot.column < last for spot in spots):
        return spots
    # Groups are not split: no column is shorter than the highest of them.
    low = frame.top + max((sum(strip.height for strip in group) for group in rest), default=0)
    high = frame.bottom
    while high - low > _BALANCE_TOLERANCE:
        middle = (low + high) / 2
        if max(spot.column for spot in _position_strips(rest, frame.top, middle)) < count:
            high = middle
        else:
            low = middle
    moved = _position_strips(rest, frame.top, high)
    return [*before, *(spot._replace(column=spot.column + last) for spot in moved)]


def _position_strips(groups: list[list[Strip]], top: Mm, bottom: Mm) -> Iterator[_StripPosition]:
    """Yield the positions of strips in columns from `top` to `bottom`, without dropped spaces."""
    column, y = -1, bottom
    for number, group in enumerate(groups):
        room = bottom - top
        needed = sum(strip.height for strip in group)
        needed -= group[-1].height if group[-1].is_space else 0
        lead = sum(strip.height for strip in takewhile(lambda strip: strip.is_space, group))
        full = y + needed > bottom + TOLERANCE
        if column < 0 or (full and (needed - lead <= room + TOLERANCE or y >= bottom)):
            column, y = column + 1, top
        for strip in group:
            if strip.is_space and y <= top:
                continue
            if y + strip.height > bottom + TOLERANCE and not strip.is_space:
                column, y = column + 1, top
            yield _StripPosition(number, column, y, strip)
            y += strip.height
