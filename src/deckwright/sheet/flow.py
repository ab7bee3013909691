"""Flow text over columns and pages.

A flowing template has the root `pages`. Its texts become strips, one a line; strips that belong
together are kept in one column where they fit into one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from deckwright.diagnostics import Code, Report, Severity, known_hint
from deckwright.face import paragraphs, placing
from deckwright.face.attributes import Values
from deckwright.face.compose import Composer
from deckwright.face.elements import ElementError, Studio
from deckwright.face.elements.text import rich_of, style_of
from deckwright.face.ops import Group, Op
from deckwright.face.template import BadValueError, Record, Template
from deckwright.sheet.pages import Page
from deckwright.units import Mm, parse_length

T009 = Code(
    "T009",
    Severity.ERROR,
    "a flowing template that is not set up right",
    "Rule references and deck lists flow over columns and pages, which the root element `pages` "
    "of their template sets up. Its margins, columns and gap must leave room for text, and its "
    "attributes must be known ones.",
)

_HAIR: Mm = 1e-6
"""What reckoning may be off by."""

_EDGES = {"header", "footer"}
_ATTRIBUTES = {
    "width": "210",
    "height": "297",
    "margin-x": "15",
    "margin-top": "20",
    "margin-bottom": "20",
    "columns": "1",
    "gap": "8",
}


@dataclass(slots=True)
class Strip:
    """A line of flowing text, or an empty distance.

    Attributes:
        ops: drawn with the strip's top left corner as origin.
        glued: whether the next strip must stay in the same column.
        space: whether it is a distance, which vanishes at the top of a column.
    """

    height: Mm
    ops: tuple[Op, ...] = ()
    glued: bool = False
    space: bool = False


@dataclass(slots=True)
class _Frame:
    """The columns of a page."""

    width: Mm
    height: Mm
    top: Mm
    bottom: Mm
    lefts: list[Mm]
    column: Mm
    pages: list[list[Op]] = field(default_factory=list)


def flow_pages(composer: Composer, context: Mapping[str, object]) -> list[Page]:
    """Return the pages of a flowing template; nothing if anything fails."""
    report = composer.report
    before = len(report)
    frame = _frame(composer.template, report)
    if frame is None:
        return []
    records = composer.records({**context, "page": {"number": 1, "count": 1}})
    body = [record for record in records if record.part.node.tag not in _EDGES]
    _fill(list(_strips(body, composer, frame.column)), frame)
    pages = []
    for number, ops in enumerate(frame.pages, 1):
        page = {"number": number, "count": len(frame.pages)}
        edge = [
            record
            for record in composer.records({**context, "page": page})
            if record.part.node.tag in _EDGES
        ]
        pages.append(Page(frame.width, frame.height, ops=(*composer.draw(edge), *ops)))
    return pages if len(report) == before else []


def _frame(template: Template, report: Report) -> _Frame | None:
    root = template.root
    if root.tag != "pages":
        report.append(T009.at(root.source.at(), f"the root element is `{root.tag}`, not `pages`"))
        return None
    for name in root.attributes:
        if name not in _ATTRIBUTES:
            hint = known_hint(name, _ATTRIBUTES)
            report.append(T009.at(root.source.at(name), f"`pages` has no attribute `{name}`", hint))
            return None
    try:
        mm = {n: parse_length(root.get(n) or value) for n, value in _ATTRIBUTES.items()}
    except ValueError as error:
        report.append(T009.at(root.source.at(), str(error)))
        return None
    columns = max(1, int(mm["columns"]))
    column = (mm["width"] - 2 * mm["margin-x"] - (columns - 1) * mm["gap"]) / columns
    lefts = [mm["margin-x"] + number * (column + mm["gap"]) for number in range(columns)]
    bottom = mm["height"] - mm["margin-bottom"]
    if column <= 0 or bottom <= mm["margin-top"]:
        report.append(T009.at(root.source.at(), "the margins leave no room for text"))
        return None
    return _Frame(mm["width"], mm["height"], mm["margin-top"], bottom, lefts, column)


def _strips(records: Iterable[Record], composer: Composer, width: Mm) -> Iterator[Strip]:
    for record in records:
        part = record.part
        try:
            values = part.values(record.texts, composer.template.palette)
            if part.node.tag == "text":
                yield from _text_strips(values, composer.studio, width)
            elif part.node.tag == "block":
                yield from _block_strips(values, list(_strips(record.children, composer, width)))
            else:
                yield Strip(0, tuple(composer.draw([record])), glued=True)
        except (BadValueError, ElementError) as error:
            composer.fail(part, error)


def _block_strips(values: Values, strips: list[Strip]) -> Iterator[Strip]:
    """Yield the strips of a block, kept together as it asks for."""
    keep = values["keep"]
    missing = values["height"] - sum(strip.height for strip in strips)
    if missing > 0:
        for strip in strips:
            strip.glued = True
        strips.append(Strip(missing))
    for strip in strips[:-1] if keep == "together" else strips:
        strip.glued = strip.glued or keep != "none"
    yield from strips
    if values["space-after"]:
        yield Strip(values["space-after"], space=True, glued=keep == "next")


def _text_strips(values: Values, studio: Studio, width: Mm) -> Iterator[Strip]:
    """Yield the lines of a text as strips as wide as the column."""
    rich = rich_of(values, studio)
    style = style_of(values)
    block = paragraphs.lay_out(rich, style, studio.metrics, width=width, hyphens=studio.hyphens)
    if block.width > width + _HAIR:
        message = f"a word needs {block.width:.1f} mm, and the column has {width:.1f} mm"
        hint = "shorten it, or make the columns wider or the type smaller"
        raise ElementError("overflow", message, hint)
    if values["space-before"]:
        yield Strip(values["space-before"], space=True, glued=True)
    height = style.size * style.line_height
    last = len(block.lines) - 1
    for number, line in enumerate(block.lines):
        baseline = (height - block.size) / 2 + block.ascent
        ops = placing.line_ops(line, 0, baseline, width, block.size, style, values["text-anchor"])
        # The first two lines and the last two stay together, against orphans and widows.
        glued = number in {0, last - 1} and number != last
        yield Strip(
            height, tuple(ops), glued=glued or (number == last and values["keep"] == "next")
        )
    if values["space-after"]:
        yield Strip(values["space-after"], space=True, glued=values["keep"] == "next")


def _fill(strips: list[Strip], frame: _Frame) -> None:
    """Put the strips into columns, page by page."""
    column, y = -1, frame.bottom
    for group in _groups(strips):
        room = frame.bottom - frame.top
        needed = sum(strip.height for strip in group)
        needed -= group[-1].height if group[-1].space else 0
        lead = sum(strip.height for strip in takewhile(_is_space, group))
        full = y + needed > frame.bottom + _HAIR
        if column < 0 or (full and (needed - lead <= room + _HAIR or y >= frame.bottom)):
            column, y = column + 1, frame.top
        for strip in group:
            if strip.space and y <= frame.top:
                continue
            if y + strip.height > frame.bottom + _HAIR and not strip.space:
                column, y = column + 1, frame.top
            if strip.ops:
                number, place = divmod(column, len(frame.lefts))
                while len(frame.pages) <= number:
                    frame.pages.append([])
                matrix = (1.0, 0.0, 0.0, 1.0, round(frame.lefts[place], 4), round(y, 4))
                frame.pages[number].append(Group(strip.ops, matrix))
            y += strip.height


def _is_space(strip: Strip) -> bool:
    return strip.space


def _groups(strips: list[Strip]) -> Iterator[list[Strip]]:
    group: list[Strip] = []
    for strip in strips:
        group.append(strip)
        if not strip.glued:
            yield group
            group = []
    if group:
        yield group
