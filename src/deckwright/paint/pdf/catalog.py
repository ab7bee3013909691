"""The pages of an overview: the cards of a faction in rows, then all of its rules in a panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import takewhile

from reportlab.platypus import Flowable, PageBreak

from deckwright.base.colors import contrast, darken_for_paper, mix
from deckwright.base.units import POINTS_PER_MM, Mm
from deckwright.book.model import GALLERY_GAP, Gallery, Theme
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Group, Op
from deckwright.paint.pdf.parts import (
    UNLIMITED_HEIGHT,
    Columns,
    GalleryRow,
    Space,
    Stack,
    total_height,
)
from deckwright.paint.pdf.texts import BookTypesetter, TextPart

_SIZES = (1.15, 1.08, 1.0, 0.92, 0.84)
"""The sizes of texts in a panel, as shares of the usual one."""
_PAD: Mm = 4
_COLUMN_GAP: Mm = GALLERY_GAP + 2 * _PAD
_MIN_CONTRAST = 1.2
"""The minimum contrast of the ground of a panel with paper, so that it is seen."""
_MAX_SPREAD = 3 * POINTS_PER_MM
"""What the distance of two texts in a panel may gain."""
_DESCRIPTION_SIZES = (1.5, 1.25, 1.0)
"""The sizes of descriptions of factions, as shares of that of other texts."""
_MAX_ROW_SPREAD, _MAX_HEAD_SPREAD = 12 * POINTS_PER_MM, 36 * POINTS_PER_MM
"""What the distance of two rows may gain, and that of the first one from what is above it."""
_MIN_ART = 46 * POINTS_PER_MM
"""The least height for the picture at the foot of a panel, with its margins."""
_GAP = 5 * POINTS_PER_MM
"""The distance of a panel from what is above it, and of two sections on a page."""
_ROW_GAP = GALLERY_GAP * POINTS_PER_MM


class RulesPanel(Flowable):  # type: ignore[misc]
    """Small texts in columns on a tinted ground, around the cards of an incomplete row."""

    def __init__(
        self,
        setter: BookTypesetter,
        stacks: Callable[[float], Sequence[Stack]],
        columns: int,
        gallery: Gallery,
    ) -> None:
        """Set the texts of a gallery; `stacks` returns them in a size, a share of the usual one."""
        super().__init__()
        self.setter, self.number, self.gallery = setter, columns, gallery
        self.stacks = cache(stacks)
        self.width, self.pad = setter.theme.column * POINTS_PER_MM, _PAD * POINTS_PER_MM

    def fit(self, size: float, top: GalleryRow | None) -> float:
        """Set the texts in a size, around a row at the top if given; return the height needed."""
        self.top, self.beside, taken = top, 0.0, list[float]()
        if top is not None:
            _, self.beside = top.wrap(self.width, UNLIMITED_HEIGHT)
            taken = [self.beside + _GAP] * top.cells
        self.inner = Columns(self.stacks(size), self.number, _COLUMN_GAP, taken)
        _, high = self.inner.wrap(self.width - 2 * self.pad, UNLIMITED_HEIGHT)
        self.least, self.rest = high + 2 * self.pad, 0.0
        self.height = max(self.least, self.beside)
        return self.height

    def fill(self, height: float) -> None:
        """Spread the texts over more height, with the picture in what is left."""
        gaps = max(1, *(len(column) - 1 for column in self.inner.columns))
        more = min((height - self.least) / gaps, _MAX_SPREAD) * gaps
        self.inner.spread = more / gaps
        self.inner.height += more
        used = max(self.least + more, self.beside)
        high = height - used >= _MIN_ART
        self.rest = height - used if high and self.gallery.art else 0.0
        # Without a picture, much ground would be empty.
        self.height = used if high and not self.rest else height

    def divide(self, height: float) -> Iterator[RulesPanel]:
        """Yield panels for pages of a height that is too small for one."""
        rest = [Columns(self.stacks(1), self.number, _COLUMN_GAP)]
        while rest:
            parts = rest[0].split(self.width - 2 * self.pad, height - 2 * self.pad)
            first, *rest = parts or rest
            stacks: dict[float, Sequence[Stack]] = {1: first.stacks}
            gallery = self.gallery._replace(art=None) if rest else self.gallery
            panel = RulesPanel(self.setter, stacks.__getitem__, self.number, gallery)
            panel.fit(1, None)
            panel.fill(height)
            yield panel

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Use the height that was set."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the ground, the row, the texts and the picture."""
        color = darken_for_paper(self.gallery.color, 2)
        tints = (mix(color, "#ffffff", share / 50) for share in range(44, 0, -1))
        ground = next(tint for tint in tints if contrast(tint, "#ffffff") >= _MIN_CONTRAST)
        width, height = self.width / POINTS_PER_MM, self.height / POINTS_PER_MM
        high, ops = 0.0, list[Op]()
        if self.top is not None:
            high = min((self.beside + _GAP) / POINTS_PER_MM, height)
            left = self.top.cells * (width + GALLERY_GAP) / self.number
            x = 0 if self.setter.rtl else left
            ops.append(FillPath(outlines.rectangle(x, 0, width - left, high), ground))
        ops.append(FillPath(outlines.rectangle(0, high, width, height - high), ground))
        art, room = self.gallery.art, self.rest / POINTS_PER_MM
        if room and art is not None:
            scale = min(1.0, (room - 4 * _PAD) / art.height)
            x, y = (width - art.width * scale) / 2, height - (room + art.height * scale) / 2
            trim = outlines.rectangle(0, 0, art.width, art.height, 3)
            ops.append(Group(art.ops, (scale, 0.0, 0.0, scale, x, y), trim))
        self.setter.paint(self.canv, ops, 0, self.height)
        if self.top is not None:
            self.top.drawOn(self.canv, 0, self.height - self.beside)
        self.inner.drawOn(self.canv, self.pad, self.height - self.pad - self.inner.height)


_Rows = Sequence[GalleryRow]
_Plan = tuple[tuple[float, float], Sequence[_Rows], GalleryRow | None, float]
"""The cost of a section, the rows of its pages, and the row and the size of its panel."""


class Section:
    """A faction in an overview: what is above its cards, rows of cards, and a panel of rules."""

    def __init__(
        self,
        head: Sequence[Flowable],
        rows: Callable[[float], Iterator[GalleryRow]],
        panel: RulesPanel | None,
        theme: Theme,
        scales: Sequence[float],
    ) -> None:
        """Lay out a section; `rows` returns its rows for a scale, the usual of which is first."""
        self._head, self._panel, self._theme = head, panel, theme
        self._rows = cache(lambda scale: [*rows(scale)])
        self._scales = scales if head or panel else scales[:1]
        self.body = theme.body * POINTS_PER_MM
        self._descriptions = [part for part in head if type(part) is TextPart]
        # They are as large as they can be without moving a row to the next page.
        self._describe(max(_DESCRIPTION_SIZES, key=lambda size: (self._describe(size), size)))

    def _describe(self, size: float) -> int:
        """Set descriptions in a size; return how many rows fit below them."""
        for part in self._descriptions:
            part.resize(self._theme.size * size)
        self._top = total_height(self._head, self._theme) if self._head else 0.0
        rows, room = self._rows(self._scales[0]), self.body - self._top
        heights = (_height(rows[:number]) for number in range(1, len(rows) + 1))
        return sum(1 for _ in takewhile(lambda height: height <= room, heights))

    def whole_height(self) -> float:
        """Return the height of all of it in usual sizes, on one page."""
        rows, row = self._divide(self._scales[0], attached=True)
        panel = self._panel.fit(1, row) + _GAP if self._panel else 0.0
        return self._top + _height(rows) + panel

    def draw(self, *, alone: bool = True) -> Iterator[Flowable]:
        """Yield its pages in the scale that needs the fewest ones, or a part of a shared page."""
        if alone:
            plans = map(self._plan, self._scales)
            _, pages, row, size = min(plans, key=lambda each: each[0])
        else:
            rows, row = self._divide(self._scales[0], attached=True)
            pages, size = [rows], 1.0
        for number, rows in enumerate(pages, 1 - len(pages)):  # the last one is 0
            first, panel = number == 1 - len(pages), None if number else self._panel
            free = self.body - _height(rows) - (self._top if first else 0)
            # The rows of the last page stay together unless they fill it.
            spread = free if alone and (number or (rows and free < rows[0].height)) else 0.0
            parts, below = [*rows], list[Flowable]()
            if panel is not None:
                gap = _GAP if rows or (first and self._head) else 0.0
                needed, spread = panel.fit(size, row), 0.0
                spare = free - gap - needed
                if spare < 0:
                    below = [p for each in panel.divide(self.body) for p in (PageBreak(), each)][1:]
                elif alone and needed == panel.beside and spare < _MIN_ART:
                    panel.fill(needed)
                    spread, parts = spare, [*rows, panel]
                else:
                    panel.fill(free - gap if alone else needed)
                    below = [Space(gap), panel] if gap else [panel]
            if not first:
                yield PageBreak()
            for part in self._descriptions[:1] if first else ():
                # A third of the room is above the descriptions.
                lift = min(spread, _MAX_HEAD_SPREAD) / 3
                part.spaceBefore += lift
                spread -= lift
            yield from self._head if first else ()
            yield from _distribute(parts, spread, below_head=first and bool(self._head))
            yield from below

    def _divide(self, scale: float, *, attached: bool) -> tuple[_Rows, GalleryRow | None]:
        """Return the rows, and an incomplete last one apart if it is attached to the panel."""
        rows = self._rows(scale)
        if self._panel is None or not rows or not attached or rows[-1].cells == rows[-1].columns:
            return rows, None
        return rows[:-1], rows[-1]

    def _plan(self, scale: float) -> _Plan:
        """Return the best pages for a scale of the cards."""
        plans: list[_Plan] = []
        for attached in (False, True):
            rows, row = self._divide(scale, attached=attached)
            pages, room, size = [list[GalleryRow]()], self.body - self._top, 1.0
            for each in rows:
                if _height([*pages[-1], each]) > room and (pages[-1] or self._head):
                    pages.append([])
                    room = self.body
                pages[-1].append(each)
            if self._panel is not None:
                room -= _height(pages[-1]) + _GAP
                found = self._size(row, room)
                if found is None:
                    pages.append([])
                    found = self._size(row, self.body)
                if found is None and attached:
                    continue
                size = found or size
            # What pages but the last leave empty, in shares of a page, and what is too small.
            empty = sum(self.body - _height(page) for page in pages[:-1]) / self.body
            lost = empty + (0 if attached else 0.15) + (1 - scale) + max(0, 1 - size)
            plans.append(((len(pages), lost), pages, row, size))
        return min(plans, key=lambda each: each[0])

    def _size(self, row: GalleryRow | None, room: float) -> float | None:
        """Return the largest size in which the panel fits."""
        assert self._panel is not None
        return next((size for size in _SIZES if self._panel.fit(size, row) <= room), None)


def _height(rows: _Rows) -> float:
    """Return the height of rows on a page."""
    heights = [row.wrap(row.setter.theme.column * POINTS_PER_MM, 0)[1] for row in rows]
    return sum(heights) + _ROW_GAP * max(0, len(rows) - 1)


def _distribute(rows: Sequence[Flowable], free: float, *, below_head: bool) -> Iterator[Flowable]:
    """Yield rows with free room around them; they stand in the middle of a page of their own."""
    above, more = min(free, _MAX_HEAD_SPREAD), 0.0
    if rows and not below_head:
        more = min(free / len(rows), _MAX_ROW_SPREAD)
        above = rows[0].above = (free - more * (len(rows) - 1)) / 2
    for row in rows:
        yield from [Space(above)] if above else []
        yield row
        above = more + _ROW_GAP


def share_pages(sections: Sequence[Section]) -> Iterator[Flowable]:
    """Yield sections on pages of their own, small ones on a page together if they are whole."""
    waiting = [*sections]
    while waiting:
        group = [waiting.pop(0)]
        room = group[0].body - group[0].whole_height()
        while waiting and (high := waiting[0].whole_height() + 2 * _GAP) <= room:
            group.append(waiting.pop(0))
            room -= high
        for section in group:
            yield from [] if section is group[0] else [Space(2 * _GAP)]
            yield from section.draw(alone=len(group) == 1)
        yield from [PageBreak()] if waiting else []
