"""The pages of an overview: the cards of a faction in rows, then all of its rules in a panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count, islice, takewhile
from typing import NamedTuple

from reportlab.platypus import Flowable, PageBreak

from deckwright.base.colors import darken_for_paper, mix
from deckwright.base.units import POINTS_PER_MM, Mm
from deckwright.book.model import GALLERY_GAP, Theme
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Group, Op
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
_USUAL = 1.0
_PAD: Mm = 4
_TINT = 0.88
"""How much paper there is in the ground of a panel."""
_MIN_CONTRAST = 1.12
"""The minimum contrast of that ground with paper, so that it is seen."""
_MAX_SPREAD: Mm = 3
"""What the distance of two texts in a panel may gain."""
_DESCRIPTION_SIZES = (1.5, 1.35, 1.2)
"""The sizes of descriptions of factions, as shares of that of other texts."""
_MAX_ROW_SPREAD, _MAX_HEAD_SPREAD = 12 * POINTS_PER_MM, 36 * POINTS_PER_MM
"""What the distance of two rows may gain, and that of the first one from what is above it."""
_MIN_ART: Mm = 46
"""The least height for the picture at the foot of a panel, with its margins."""
_ART_MARGIN: Mm = 8
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
        color: str,
        art: Face | None,
    ) -> None:
        """Set texts in columns.

        Args:
            stacks: returns the texts in a size, a share of the usual one.
            art: a picture for the foot of a high panel.
        """
        super().__init__()
        self.setter, self.number, self.art = setter, columns, art
        self.ground = darken_for_paper(mix(color, "#ffffff", _TINT), _MIN_CONTRAST)
        self._stacks, self._known = stacks, dict[float, Sequence[Stack]]()
        self.top: GalleryRow | None = None
        """The row whose free cells it fills."""

    def fit(self, size: float, top: GalleryRow | None) -> float:
        """Set the texts in a size around a row; return the height that this needs."""
        width, pad = self.setter.theme.column * POINTS_PER_MM, _PAD * POINTS_PER_MM
        if size not in self._known:
            self._known[size] = self._stacks(size)
        self.top, taken = top, []
        if top is not None:
            top.wrap(width, UNLIMITED_HEIGHT)
            taken = [top.height + _GAP] * top.cells
        gap = GALLERY_GAP + 2 * _PAD
        self.inner = Columns(self._known[size], self.number, gap, taken)
        _, high = self.inner.wrap(width - 2 * pad, UNLIMITED_HEIGHT)
        self.width, self.height = width, high + 2 * pad
        self.least = self.height
        if top is not None:
            self.height = max(self.height, top.height)
        return self.height

    def fill(self, height: float) -> None:
        """Spread the texts over more height, with the picture in what is left."""
        spare = height - self.least
        gaps = max(1, *(len(column) - 1 for column in self.inner.columns))
        self.inner.spread = min(spare / gaps, _MAX_SPREAD * POINTS_PER_MM)
        self.inner.height += self.inner.spread * gaps
        used = self.least + self.inner.spread * gaps
        if self.top is not None:
            used = max(used, self.top.height)
        self.rest = height - used
        high = self.rest >= _MIN_ART * POINTS_PER_MM
        self.shown = high and self.art is not None
        # Without a picture, much ground would be empty.
        self.height = used if high and not self.shown else height

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Use the height that was set."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the ground, the row, the texts and the picture."""
        width, height = self.width / POINTS_PER_MM, self.height / POINTS_PER_MM
        step, row, ops = self._step, self.top, list[Op]()
        high = (row.height + _GAP) / POINTS_PER_MM if row is not None else 0.0
        left = row.cells * step if row is not None else 0.0
        if height > high:
            ops.append(FillPath(outlines.rectangle(0, high, width, height - high), self.ground))
        if left:
            beside = outlines.rectangle(
                0 if self.setter.rtl else left, 0, width - left, min(high + 0.02, height)
            )
            ops.append(FillPath(beside, self.ground))
        self.setter.paint(self.canv, ops, 0, self.height)
        if row is not None:
            row.drawOn(self.canv, 0, self.height - row.height)
        pad = _PAD * POINTS_PER_MM
        self.inner.drawOn(self.canv, pad, self.height - pad - self.inner.height)
        if self.shown and self.art is not None:
            self._draw_art(self.art, width)

    @property
    def _step(self) -> Mm:
        return (self.setter.theme.column + GALLERY_GAP) / self.number

    def _draw_art(self, art: Face, width: Mm) -> None:
        room = self.rest / POINTS_PER_MM
        scale = min(1.0, (room - 2 * _ART_MARGIN) / art.height)
        x, y = (width - art.width * scale) / 2, (room - art.height * scale) / 2
        trim = outlines.rectangle(0, 0, art.width, art.height, 3)
        picture = Group(art.ops, (scale, 0.0, 0.0, scale, x, y), trim)
        self.setter.paint(self.canv, [picture], 0, self.rest)


class _Plan(NamedTuple):
    """The rows of each page of a section; the panel follows on the last one, in a size."""

    pages: list[list[GalleryRow]]
    panel_top: GalleryRow | None
    size: float
    cost: tuple[float, ...]


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
        self.head, self.rows, self.panel, self.theme = (
            head,
            cache(lambda scale: [*rows(scale)]),
            panel,
            theme,
        )
        self.scales = scales if head or panel else scales[:1]
        self.body, self.width = theme.body * POINTS_PER_MM, theme.column * POINTS_PER_MM
        # Descriptions are as large as they can be without moving a row to the next page.
        self._set_descriptions(
            max(_DESCRIPTION_SIZES, key=lambda size: (self._rows_below(size), size))
        )

    def _descriptions(self) -> Iterator[TextPart]:
        return (part for part in self.head if type(part) is TextPart)

    def _set_descriptions(self, size: float) -> None:
        for part in self._descriptions():
            part.resize(self.theme.size * size)
        self.top = total_height(self.head, self.theme) if self.head else 0.0

    def _rows_below(self, size: float) -> int:
        """Return how many rows fit below descriptions in a size."""
        self._set_descriptions(size)
        rows, room = self.rows(self.scales[0]), self.body - self.top
        lengths = range(1, len(rows) + 1)
        return sum(1 for _ in takewhile(lambda n: self._height(rows[:n]) <= room, lengths))

    def whole_height(self) -> float:
        """Return the height of all of it in usual sizes, on one page."""
        rows, top = self._divide(self.scales[0], attached=True)
        high = self.top + self._height(rows)
        if self.panel is not None:
            high += (_GAP if high else 0) + self.panel.fit(_USUAL, top)
        return high

    def draw_whole(self) -> Iterator[Flowable]:
        """Yield all of it for one page that it shares."""
        rows, top = self._divide(self.scales[0], attached=True)
        yield from self.head
        yield from self._space(rows, 0)
        if self.panel is not None:
            self.panel.fill(self.panel.fit(_USUAL, top))
            yield from ([Space(_GAP)] if rows or self.head else [])
            yield self.panel

    def draw(self) -> Iterator[Flowable]:
        """Yield its pages in the scale that needs the fewest ones."""
        plan = min((self._plan(scale) for scale in self.scales), key=lambda each: each.cost)
        for number, rows in enumerate(plan.pages):
            used = 0.0 if number else self.top
            free = self.body - used - self._height(rows)
            spread, parts, below = 0.0, list[Flowable](rows), list[Flowable]()
            if number < len(plan.pages) - 1 or self.panel is None:
                # The rows of the last page stay together unless they fill it.
                full = number < len(plan.pages) - 1 or (rows and free < rows[0].height)
                spread = free if full else 0.0
            else:
                gap, top = _GAP if rows or used else 0.0, plan.panel_top
                spare = free - gap - self.panel.fit(plan.size, top)
                beside = top is not None and self.panel.height == top.height
                if beside and spare < _MIN_ART * POINTS_PER_MM:
                    self.panel.fill(self.panel.height)
                    spread, parts = spare, [*rows, self.panel]
                else:
                    self.panel.fill(free - gap)
                    below = [*([Space(gap)] if gap else []), self.panel]
            if number:
                yield PageBreak()
            elif self.head:
                # A third of the room is above the descriptions.
                lift = min(spread, _MAX_HEAD_SPREAD) / 3
                for part in islice(self._descriptions(), 1):
                    part.spaceBefore += lift
                    spread -= lift
                yield from self.head
            yield from self._space(parts, spread, below_head=used > 0)
            yield from below

    def _divide(
        self, scale: float, *, attached: bool
    ) -> tuple[list[GalleryRow], GalleryRow | None]:
        """Return the rows, and an incomplete last one apart if it is attached to the panel."""
        rows = [*self.rows(scale)]
        if self.panel is None or not rows or not attached or rows[-1].cells == rows[-1].columns:
            return rows, None
        return rows[:-1], rows[-1]

    def _plan(self, scale: float) -> _Plan:
        """Return the pages for a scale of the cards."""
        plans = []
        for attached in (True, False):
            rows, top = self._divide(scale, attached=attached)
            pages: list[list[GalleryRow]] = [[]]
            room = self.body - self.top
            for row in rows:
                if self._height([*pages[-1], row]) > room and (pages[-1] or self.top):
                    pages.append([])
                    room = self.body
                pages[-1].append(row)
            size = _USUAL
            if self.panel is not None:
                left = room - self._height(pages[-1]) - _GAP
                fitting = (each for each in _SIZES if self.panel.fit(each, top) <= left)
                found = next(fitting, None)
                if found is None:
                    pages.append([])
                    fitting = (e for e in _SIZES if self.panel.fit(e, top) <= self.body)
                    found = next(fitting, _SIZES[-1])
                size = found
            # What pages but the last leave empty, in shares of a page, and what is too small.
            empty = sum(self.body - self._height(page) for page in pages[1:-1]) / self.body
            lost = empty + (0 if attached else 0.15) + (1 - scale) + max(0, 1 - size)
            cost = (len(pages), lost)
            plans.append(_Plan(pages, top, size, cost))
        return min(plans, key=lambda each: each.cost)

    def _height(self, rows: Sequence[GalleryRow]) -> float:
        heights = [row.wrap(self.width, UNLIMITED_HEIGHT)[1] for row in rows]
        return sum(heights) + _ROW_GAP * max(0, len(rows) - 1)

    @staticmethod
    def _space(
        rows: Sequence[Flowable], free: float, *, below_head: bool = False
    ) -> Iterator[Flowable]:
        """Yield rows, with free room spread between them."""
        above, more = min(free, _MAX_HEAD_SPREAD), 0.0
        if rows and not below_head:  # the rows stand in the middle of the page
            more = min(free / len(rows), _MAX_ROW_SPREAD)
            above = rows[0].above = (free - more * (len(rows) - 1)) / 2
        yield from [Space(above)] if above else []
        for number, row in zip(count(), rows):
            yield from [Space(more + _ROW_GAP)] if number else []
            yield row


def share_pages(sections: Sequence[Section]) -> Iterator[Flowable]:
    """Yield sections on pages of their own, small ones on a page together if they are whole."""
    waiting = [*sections]
    while waiting:
        group, room = [waiting.pop(0)], 0.0
        room = group[0].body - group[0].whole_height()
        while waiting and (high := waiting[0].whole_height() + 2 * _GAP) <= room:
            group.append(waiting.pop(0))
            room -= high
        for section in group if len(group) > 1 else ():
            yield from section.draw_whole()
            yield from [] if section is group[-1] else [Space(2 * _GAP)]
        if len(group) == 1:
            yield from group[0].draw()
        yield from [PageBreak()] if waiting else []
