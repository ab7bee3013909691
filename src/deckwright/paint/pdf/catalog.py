"""The pages of an overview: the cards of a faction in rows, then all of its rules in a panel."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from reportlab.platypus import Flowable, PageBreak

from deckwright.base.colors import contrast, darken_for_paper, mix
from deckwright.base.geometry import Box
from deckwright.base.units import POINTS_PER_MM, Mm
from deckwright.book.model import GALLERY_GAP
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Op
from deckwright.ops.pictures import choose_grid, fill_place
from deckwright.ops.readable import alt_text
from deckwright.paint.pdf.parts import (
    UNLIMITED_HEIGHT,
    Columns,
    GalleryRow,
    Space,
    Stack,
    total_height,
)
from deckwright.paint.pdf.texts import BookPart, BookTypesetter

_SIZES = (1.0, 0.92, 0.84)
"""The sizes of texts in a panel, as shares of the usual one."""
_PAD: Mm = 4
_COLUMN_GAP: Mm = GALLERY_GAP + 2 * _PAD
_MIN_CONTRAST = 1.2
"""The minimum contrast of the ground of a panel with paper, so that it is seen."""
_MAX_SPREAD = 3 * POINTS_PER_MM
"""What the distance of two texts in a panel may gain."""
_MIN_PICTURE = 15 * POINTS_PER_MM
"""The least height of pictures in room that is left."""
_MIN_SEEN = 0.4
"""The least share of pictures that is seen, or there are none."""
_MAX_EMPTY = 12 * POINTS_PER_MM
"""How much of its ground a panel leaves empty below its texts."""
_CORNER: Mm = 3
"""The radius of the corners of pictures."""
_GAP = 5 * POINTS_PER_MM
"""The distance of two sections on a page."""
_ROW_GAP = GALLERY_GAP * POINTS_PER_MM
_TOLERANCE = 1e-6


class Inset(Flowable):  # type: ignore[misc]
    """A part in the middle of the page, as wide as the cards below it."""

    def __init__(self, part: Flowable, width: float) -> None:
        """Narrow a part to a width in points."""
        super().__init__()
        self.part, self.inner = part, width
        self.getSpaceBefore, self.getSpaceAfter = part.getSpaceBefore, part.getSpaceAfter

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Use the height of the part."""
        self.width, (_, self.height) = width, self.part.wrap(self.inner, height)
        return self.width, self.height

    def draw(self) -> None:
        """Draw the part."""
        self.part.drawOn(self.canv, (self.width - self.inner) / 2, 0)


class Pictures(BookPart):
    """Pictures in rows and columns that fill a place."""

    def __init__(
        self, setter: BookTypesetter, art: Sequence[Face], width: float, height: float
    ) -> None:
        """Choose from pictures, the first ones first, for a place in points."""
        super().__init__(setter)
        self.hAlign = "CENTER"
        self.width, self.height = width, height
        self.place = Box(0, 0, width / POINTS_PER_MM, height / POINTS_PER_MM)
        share, *self.grid = choose_grid(art, self.place.width, self.place.height, GALLERY_GAP)
        self.art = art[: math.prod(self.grid)] if share >= _MIN_SEEN else []

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Use the size that was set."""
        return self.width, self.height

    def ops(self) -> Sequence[Op]:
        """Return the pictures with round corners."""
        art = [] if self.setter.dry else self.art
        return fill_place(art, self.place, self.grid, GALLERY_GAP, _CORNER)


class Ending(Flowable):  # type: ignore[misc]
    """Pictures that fill the rest of a page, if it has less height than what follows needs."""

    def __init__(self, setter: BookTypesetter, art: Sequence[Face]) -> None:
        """Choose from pictures."""
        super().__init__()
        self.setter, self.art, self.needed = setter, art, math.inf

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Use all of the height, or nothing."""
        self.width = width
        self.height = height - _TOLERANCE if _MIN_PICTURE + _GAP <= height < self.needed else 0
        return self.width, self.height

    def draw(self) -> None:
        """Draw the pictures."""
        if self.height:
            pictures = Pictures(self.setter, self.art, self.width, self.height - _GAP)
            pictures.drawOn(self.canv, 0, 0)


class FilledRow(Flowable):  # type: ignore[misc]
    """An incomplete row of cards, and pictures in place of those that it lacks."""

    def __init__(self, row: GalleryRow, art: Sequence[Face], width: float) -> None:
        """Fill a row up to a width in points."""
        super().__init__()
        self.hAlign, self.row, self.width = "CENTER", row, width
        _, self.height = row.wrap(width, UNLIMITED_HEIGHT)
        room = width - row.cells * (width + _ROW_GAP) / row.columns
        self.pictures = Pictures(row.setter, art[: row.columns - row.cells], room, self.height)

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Use the size that was set."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the row and the pictures."""
        self.row.drawOn(self.canv, 0, 0)
        left = 0 if self.row.setter.rtl else self.width - self.pictures.width
        self.pictures.drawOn(self.canv, left, 0)


class RulesPanel(Flowable):  # type: ignore[misc]
    """Small texts in columns on a tinted ground, beside the cards of an incomplete row."""

    def __init__(
        self,
        setter: BookTypesetter,
        stacks: Callable[[float], Sequence[Stack]],
        columns: int,
        color: str,
    ) -> None:
        """Set texts on a tint of a color; `stacks` returns them in a share of their usual size."""
        super().__init__()
        self.hAlign = "CENTER"
        self.setter, self.number, self.color = setter, columns, color
        self.stacks = cache(stacks)
        self.pad = _PAD * POINTS_PER_MM

    def fit(self, size: float, width: float, top: GalleryRow | None) -> float:
        """Set the texts in a size, beside a row if given; return the height needed."""
        self.width, self.top, self.beside, self.left = width, top, 0.0, 0.0
        stacks, columns = self.stacks(size), self.number
        if top is not None:
            _, self.beside = top.wrap(self.width, UNLIMITED_HEIGHT)
            self.left = top.cells * (width + _ROW_GAP) / columns
            columns -= top.cells
        headed = size == _SIZES[0]  # where there is room
        self.inner = Columns(stacks, min(columns, len(stacks)), _COLUMN_GAP, by_heading=headed)
        _, high = self.inner.wrap(self.width - self.left - 2 * self.pad, UNLIMITED_HEIGHT)
        self.least = high + 2 * self.pad
        self.pictures: Pictures | None = None
        self.below: Pictures | None = None
        self.height = max(self.least, self.beside)
        return self.height

    def fill(self, height: float, art: Sequence[Face]) -> None:
        """Spread the texts over more height, with pictures in what is left."""
        gaps = max(1, *(len(column) - 1 for column in self.inner.columns))
        more = min((height - self.least) / gaps, _MAX_SPREAD) * gaps
        self.inner.stretch(more)
        self.height = max(self.least + more, self.beside)
        rest = height - self.least - more - self.pad
        self.pictures = self._draw(art, self.width - self.left - 2 * self.pad, rest)
        if self.pictures or rest < _MAX_EMPTY:
            self.height = height
        art = [*art[len(self.pictures.art) :], *art] if self.pictures else art
        self.below = self._draw(art, self.left - _ROW_GAP, self.height - self.beside - _ROW_GAP)

    def _draw(self, art: Sequence[Face], width: float, height: float) -> Pictures | None:
        """Return pictures for a place in points, None if it is too small for them."""
        if not art or min(width, height) < _MIN_PICTURE:
            return None
        pictures = Pictures(self.setter, art, width, height)
        return pictures if pictures.art else None

    def divide(self, width: float, height: float, art: Sequence[Face]) -> Iterator[RulesPanel]:
        """Yield panels for pages of a height that is too small for one."""
        rest = [Columns(self.stacks(1), self.number, _COLUMN_GAP)]
        while rest:
            parts = rest[0].split(width - 2 * self.pad, height - 2 * self.pad)
            first, *rest = parts or rest
            stacks: dict[float, Sequence[Stack]] = {1: first.stacks}
            panel = RulesPanel(self.setter, stacks.__getitem__, self.number, self.color)
            panel.fit(1, width, None)
            panel.fill(height, [] if rest else art)
            yield panel

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Use the height that was set."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the ground, the row, the texts and the pictures."""
        color = darken_for_paper(self.color, 2)
        tints = (mix(color, "#ffffff", share / 50) for share in range(44, 0, -1))
        ground = next(tint for tint in tints if contrast(tint, "#ffffff") >= _MIN_CONTRAST)
        start, end = (0.0, self.left) if self.setter.rtl else (self.left, 0.0)
        box = (start, 0.0, self.width - self.left, self.height)
        outline = outlines.rectangle(*(length / POINTS_PER_MM for length in box))
        self.setter.paint(self.canv, [FillPath(outline, ground)], 0, self.height)
        if self.top is not None:
            self.top.drawOn(self.canv, 0, self.height - self.beside)
        if self.below is not None:
            self.below.drawOn(self.canv, self.width - self.below.width if end else 0, 0)
        left = start + self.pad
        self.inner.drawOn(self.canv, left, self.height - self.pad - self.inner.height)
        if self.pictures is not None:
            self.pictures.drawOn(self.canv, left, self.pad)


_Rows = Sequence[GalleryRow]


class _Plan(NamedTuple):
    """The cost of a section, the rows of its pages, and the row and the size of its panel."""

    cost: tuple[int, float]
    pages: Sequence[_Rows]
    row: GalleryRow | None
    size: float


class Section:
    """A faction in an overview: what is above its cards, rows of cards, and a panel of rules."""

    def __init__(
        self,
        head: Sequence[Flowable],
        rows: Callable[[float], Iterator[GalleryRow]],
        panel: RulesPanel | None,
        art: Sequence[Face],
        setter: BookTypesetter,
        width: Callable[[float], float],
        *,
        mixed: bool,
    ) -> None:
        """Lay out a section.

        Args:
            rows, width: return its rows of cards for a scale, and how wide they are.
            art: pictures for empty room.
            mixed: whether it has several factions: a page shows no pictures of others then.
        """
        self._head, self._panel, self._art, self._width = head, panel, [*art], width
        self._mixed = mixed
        self._rows = cache(lambda scale: [*rows(scale)])
        self.plan = cache(self._plan)
        self.setter, self.body = setter, setter.theme.body * POINTS_PER_MM

    def whole_height(self, scale: float) -> float:
        """Return the height of all of it on one page."""
        rows, row = self._divide(scale, attached=True)
        panel = self._panel.fit(1, self._width(scale), row) + _ROW_GAP if self._panel else 0.0
        return self._height(self._inset(scale)) + self._height(_separate(rows)) + panel

    def draw(self, scale: float, *, alone: bool, open_end: bool) -> Iterator[Flowable]:
        """Yield its pages, or its part of a shared page.

        Args:
            open_end: whether something else may follow on its last page.
        """
        _, pages, row, size = self.plan(scale)
        if not alone:
            rows, row = self._divide(scale, attached=True)
            pages, size = [rows], 1.0
        for number, rows in enumerate(pages, 1 - len(pages)):  # the last one is 0
            first, width = number == 1 - len(pages), self._width(scale)
            head = [*self._inset(scale)] if first else []
            shown = {alt_text(each.face) for line in rows for each in line.pictures}
            # Pictures of other cards come first.
            self._art.sort(key=lambda face: (face.alt in shown) != self._mixed)
            art = [face for face in self._art if face.alt in shown or not self._mixed]
            filled: list[Flowable] = [*rows]
            if art and rows and rows[-1].cells < rows[-1].columns:
                filled[-1] = FilledRow(rows[-1], art, width)
                art = self._keep_for_later(filled[-1].pictures)
            parts = [*([] if first else [PageBreak()]), *head, *_separate(filled)]
            room = self.body - self._height(_separate(rows)) - self._height(head)
            room -= _ROW_GAP if rows or head else 0
            if self._panel is not None and not number:
                if (needed := self._panel.fit(size, width, row)) <= room:
                    self._panel.fill(room if alone else needed, self._art)
                    parts += [*([Space(_ROW_GAP)] if room < self.body else []), self._panel]
                    room -= self._panel.height + _ROW_GAP
                else:
                    room = 0
                    for panel in self._panel.divide(width, self.body, self._art):
                        parts += [PageBreak(), panel] if parts else [panel]
            yield from parts
            ends = not open_end or number
            if alone and ends and art and room >= _MIN_PICTURE:
                pictures = Pictures(self.setter, art, width, room)
                self._keep_for_later(pictures)
                yield from [Space(_ROW_GAP), pictures] if pictures.art else []

    def _keep_for_later(self, pictures: Pictures) -> list[Face]:
        """Return all pictures, those that were just shown last."""
        self._art.sort(key=lambda face: any(face is each for each in pictures.art))
        return self._art

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
            pages, size = [list[GalleryRow]()], 1.0
            room = self.body - self._height(self._inset(scale))
            for each in rows:
                if self._height(_separate([*pages[-1], each])) > room + _TOLERANCE and (
                    pages[-1] or self._head
                ):
                    pages.append([])
                    room = self.body
                pages[-1].append(each)
            if self._panel is not None:
                room -= self._height(_separate(pages[-1])) + _ROW_GAP
                found = self._size(scale, row, room)
                if found is None:
                    pages.append([])
                    found = self._size(scale, row, self.body)
                if found is None and attached:
                    continue
                size = found or size
            # What pages but the last leave empty, in shares of a page, and what is too small.
            empty = (
                sum(self.body - self._height(_separate(page)) for page in pages[:-1]) / self.body
            )
            lost = empty + (0 if attached else 0.15) + (1 - scale) + max(0, 1 - size)
            plans.append(_Plan((len(pages), lost), pages, row, size))
        return min(plans, key=lambda each: each.cost)

    def _size(self, scale: float, row: GalleryRow | None, room: float) -> float | None:
        """Return the largest size in which the panel fits."""
        assert self._panel is not None
        width = self._width(scale)
        return next((size for size in _SIZES if self._panel.fit(size, width, row) <= room), None)

    def _inset(self, scale: float) -> Iterator[Flowable]:
        return (Inset(part, self._width(scale)) for part in self._head)

    def _height(self, parts: Iterable[Flowable]) -> float:
        return total_height([*parts], self.setter.theme)


def _separate(rows: Sequence[Flowable]) -> Iterator[Flowable]:
    """Yield rows with the gap between each two of them."""
    for number, row in enumerate(rows):
        yield from [Space(_ROW_GAP), row] if number else [row]


def _share_pages(sections: Sequence[Section], scale: float) -> Iterator[Sequence[Section]]:
    """Yield the sections that begin on a page: one, or small ones that fit on it as a whole."""
    waiting = [*sections]
    while waiting:
        group = [waiting.pop(0)]
        room = group[0].body - group[0].whole_height(scale)
        while waiting and (high := waiting[0].whole_height(scale) + 2 * _GAP) <= room:
            group.append(waiting.pop(0))
            room -= high
        yield group


def draw_sections(
    sections: Sequence[Section], scales: Sequence[float], *, open_end: bool = False
) -> Iterator[Flowable]:
    """Yield sections on their pages, in the largest scale that needs the fewest of them.

    Args:
        open_end: whether something follows them.
    """

    @cache
    def count(scale: float) -> int:
        groups = [*_share_pages(sections, scale)]
        return sum(len(group[0].plan(scale).pages) for group in groups)

    known = sections[0].setter.tools.scales if sections else [1.0]
    if not known:
        fewest = count(min(scales))  # smaller cards never need more pages
        known.append(next(scale for scale in scales if count(scale) <= fewest))
    (scale,) = known
    for number, group in enumerate(_share_pages(sections, scale)):
        yield from [PageBreak()] if number else []
        for section in group:
            yield from [] if section is group[0] else [Space(2 * _GAP)]
            last = open_end and section is sections[-1]
            yield from section.draw(scale, alone=len(group) == 1, open_end=last)
