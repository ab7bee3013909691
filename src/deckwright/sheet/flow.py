"""Flow text over columns and pages.

A flowing template has the root `pages`. Its texts become strips, one per line; strips that belong
together are kept in one column where they fit into one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, takewhile
from typing import NamedTuple

from deckwright.base.units import HAIR, Mm
from deckwright.ops.failing import ElementError
from deckwright.ops.model import Group, Op, is_tagged, map_ops
from deckwright.ops.readable import readable
from deckwright.ops.tags import Tag
from deckwright.sheet.frame import Frame, frame_of
from deckwright.sheet.pages import Page
from deckwright.sheet.setter import Strip, moved
from deckwright.templates.attributes import Values
from deckwright.templates.compose import Composer
from deckwright.templates.elements import Studio
from deckwright.templates.elements.text import rich_of, style_of
from deckwright.templates.finishing import seen
from deckwright.templates.roles import tag_of
from deckwright.templates.template import BadValueError, Record
from deckwright.text import paragraphs, placing

_FINE: Mm = 0.1
"""How exactly columns are balanced."""

_TEXT = Tag("P")
_EDGES = ("header", "footer")


class Flow:
    """A text set in columns on pages of one paper, whose headers and footers are yet to come."""

    def __init__(
        self,
        composer: Composer,
        context: Mapping[str, object],
        frame: Frame,
        bodies: list[list[Op]],
    ) -> None:
        """Keep the ops of each page, and what its header and footer are composed of."""
        self._composer, self._context = composer, context
        self._frame, self._bodies = frame, bodies

    def __len__(self) -> int:
        """Return how many pages there are."""
        return len(self._bodies)

    def pages(self, first: int = 1, count: int | None = None) -> list[Page]:
        """Return the pages; what is wrong with a header or a footer is reported.

        Args:
            first: the number of the first page in the whole file.
            count: how many pages the whole file has; these alone, if not given.
        """
        pages, whole = [], Tag("Sect", number=first)
        for number, body in enumerate(self._bodies, first):
            page = self._frame.context(number, count or len(self))
            records = self._composer.records({**self._context, "page": page})
            edges = [
                self._frame.edge(name, tuple(self._composer.draw(_named(records, name))))
                for name in _EDGES
            ]
            if number > first:
                edges = [map_ops(ops, _silent) for ops in edges]
            ops = (*(op for ops in edges for op in ops), *body)
            pages.append(Page(self._frame.width, self._frame.height, ops=ops, tag=whole))
        return pages


def flow(
    composer: Composer, context: Mapping[str, object], paper: tuple[Mm, Mm] | None = None
) -> Flow | None:
    """Return the text of a flowing template, None after reporting why there is none.

    Args:
        paper: width and height of the pages; those of the template, or of A4, if not given.
    """
    report = composer.report
    before = len(report)
    frame = frame_of(composer.template.root, paper, report)
    if frame is None:
        return None
    records = composer.records({**context, "page": frame.context(1, 1)})
    body = [record for record in records if record.part.node.tag not in _EDGES]
    bodies = _filled(list(_Strips(composer, frame.column).of(body)), frame)
    return Flow(composer, context, frame, bodies) if len(report) == before else None


def _named(records: Iterable[Record], name: str) -> list[Record]:
    return [record for record in records if record.part.node.tag == name]


def _silent(op: Op) -> Op:
    """Return an op of a header that was said before."""
    return op._replace(tag=None) if isinstance(op, Group) and op.tag else op


def _voiced(ops: Sequence[Op]) -> Iterator[Op]:
    """Yield what is drawn on a page; what speaks and does not say what it is is a paragraph."""
    if not any(map(is_tagged, ops)):
        yield from [Group((*ops,), tag=_TEXT)] if readable(ops) else ops
        return
    for op in ops:
        if isinstance(op, Group) and op.tag is None and is_tagged(op):
            yield op._replace(ops=tuple(_voiced(op.ops)))
        elif is_tagged(op):
            yield op
        else:
            yield from _voiced((op,))


class _Strips:
    """Makes strips of the elements of a template."""

    def __init__(self, composer: Composer, width: Mm) -> None:
        """Make them as wide as this."""
        self._composer, self._width = composer, width
        self._numbers = count(1)

    def of(self, records: Iterable[Record], around: Tag | None = None) -> Iterator[Strip]:
        """Yield the strips of elements that are in `around`."""
        composer = self._composer
        for record in records:
            part = record.part
            try:
                values = part.values(record.texts, composer.template.palette)
                tag = self._tag(tag_of(values), around) if "role" in values else around
                if part.node.tag == "text":
                    said = tag or self._tag(_TEXT, None)
                    strips = _text_strips(values, composer.studio, self._width)
                    yield from (strip._replace(tag=said) for strip in strips)
                elif part.node.tag == "block":
                    yield from _block_strips(values, list(self.of(record.children, tag)))
                else:
                    ops = tuple(composer.draw([record]))
                    if around is None:
                        ops = tuple(_voiced(ops))
                    yield Strip(0, ops, glued=True, tag=around)
            except (BadValueError, ElementError) as error:
                composer.fail(record, error)

    def _tag(self, tag: Tag | None, around: Tag | None) -> Tag | None:
        """Return a tag as that of something within `around`; that of what has none."""
        if tag is None or (around is not None and around.role == "Figure"):
            return around
        return tag._replace(number=next(self._numbers), parent=around)


def _block_strips(values: Values, strips: list[Strip]) -> Iterator[Strip]:
    """Yield the strips of a block, kept together as it asks for."""
    keep = values["keep"]
    missing = values["height"] - sum(strip.height for strip in strips)
    if missing > 0:
        strips = [*(strip._replace(glued=True) for strip in strips), Strip(missing)]
    last = len(strips) - 1
    for number, strip in enumerate(strips):
        kept = keep != "none" and not (keep == "together" and number == last)
        yield strip._replace(glued=strip.glued or kept)
    if values["space-after"]:
        yield Strip(values["space-after"], space=True, glued=keep == "next")


def _text_strips(values: Values, studio: Studio, width: Mm) -> Iterator[Strip]:
    """Yield the lines of a text as strips as wide as the column."""
    rich = rich_of(values, studio)
    style = style_of(values)
    block = paragraphs.lay_out(rich, style, studio.metrics, width=width, hyphens=studio.hyphens)
    if block.width > width + HAIR:
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
            height, seen(values, ops), glued=glued or (number == last and values["keep"] == "next")
        )
    if values["space-after"]:
        yield Strip(values["space-after"], space=True, glued=values["keep"] == "next")


class _Spot(NamedTuple):
    """Where a strip stands: the number of its group, its column counted over all pages, its top."""

    group: int
    column: int
    y: Mm
    strip: Strip


def _filled(strips: list[Strip], frame: Frame) -> list[list[Op]]:
    """Return the ops of each page, with the strips in its columns."""
    pages: list[list[Op]] = []
    groups = list(_groups(strips))
    spots = list(_spots(groups, frame.top, frame.bottom))
    for _, column, y, strip in _balanced(groups, spots, frame) if frame.balanced else spots:
        if strip.ops:
            number, place = divmod(column, len(frame.lefts))
            while len(pages) <= number:
                pages.append([])
            pages[number].append(moved(strip, frame.lefts[place], y))
    return pages


def _balanced(groups: list[list[Strip]], spots: list[_Spot], frame: Frame) -> list[_Spot]:
    """Return the strips with the columns of the last page no longer than they must be."""
    if not spots:
        return spots
    count = len(frame.lefts)
    last = spots[-1].column // count * count
    first = next(spot.group for spot in spots if spot.column >= last)
    before, rest = [spot for spot in spots if spot.group < first], groups[first:]
    if last and any(spot.group == first and spot.column < last for spot in spots):
        return spots
    # No group is divided that was whole: no column is lower than the highest of them.
    low = frame.top + max((sum(strip.height for strip in group) for group in rest), default=0)
    high = frame.bottom
    while high - low > _FINE:
        middle = (low + high) / 2
        if max(spot.column for spot in _spots(rest, frame.top, middle)) < count:
            high = middle
        else:
            low = middle
    moved = _spots(rest, frame.top, high)
    return [*before, *(spot._replace(column=spot.column + last) for spot in moved)]


def _spots(groups: list[list[Strip]], top: Mm, bottom: Mm) -> Iterator[_Spot]:
    """Yield where strips stand in columns from `top` to `bottom`, but for those left out there."""
    column, y = -1, bottom
    for number, group in enumerate(groups):
        room = bottom - top
        needed = sum(strip.height for strip in group)
        needed -= group[-1].height if group[-1].space else 0
        lead = sum(strip.height for strip in takewhile(lambda strip: strip.space, group))
        full = y + needed > bottom + HAIR
        if column < 0 or (full and (needed - lead <= room + HAIR or y >= bottom)):
            column, y = column + 1, top
        for strip in group:
            if strip.space and y <= top:
                continue
            if y + strip.height > bottom + HAIR and not strip.space:
                column, y = column + 1, top
            yield _Spot(number, column, y, strip)
            y += strip.height


def _groups(strips: list[Strip]) -> Iterator[list[Strip]]:
    group: list[Strip] = []
    for strip in strips:
        group.append(strip)
        if not strip.glued:
            yield group
            group = []
    if group:
        yield group
