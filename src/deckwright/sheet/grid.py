"""The geometry of a sheet: paper, slots, and the positions of backs."""

from bisect import bisect_right
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from deckwright.base.geometry import Box
from deckwright.base.units import TOLERANCE, Mm, parse_length
from deckwright.sheet.cutters import Registration
from deckwright.xmlio.binding import Choice, attr, bound
from deckwright.xmlio.shape import Value, one_of

_PER_MM = 1000
"""Packing uses whole micrometres, so that sums are exact."""
_MAX_PLACES = 60
"""With this many possible cuts, sheets are divided only once: small cards fill them anyway."""
_MAX_RINGS = 200_000
_MAX_WEIGHT = 12
"""The largest sides of the small cards used in the bound of `max_cards`."""


class GridBlock(NamedTuple):
    """A grid of cards in the same orientation.

    Attributes:
        x, y: its top left corner, relative to that of the layout.
        turned: whether its cards are rotated a quarter clockwise.
    """

    x: Mm
    y: Mm
    columns: int
    rows: int
    turned: bool = False


class _Layout(NamedTuple):
    """A layout of blocks, in micrometres; with equal cards, fewer blocks are better."""

    cards: int
    blocks: tuple[tuple[int, int, int, int, bool], ...] = ()


def pack(width: Mm, height: Mm, card_width: Mm, card_height: Mm) -> tuple[GridBlock, ...]:
    """Return the blocks of the layout with the most cards that was found.

    For a layout with gutters, add the gutter to the sides of both the cards and the sheet.
    """
    packer = _Packer(_to_micrometres(card_width), _to_micrometres(card_height))
    layout = packer.best(_to_micrometres(width), _to_micrometres(height))
    return tuple(
        GridBlock(x / _PER_MM, y / _PER_MM, columns, rows, turned)
        for x, y, columns, rows, turned in layout.blocks
    )


def max_cards(width: Mm, height: Mm, card_width: Mm, card_height: Mm) -> int:
    """Return an upper bound on the number of cards of any layout, rotated or not.

    A row across the sheet has a number of upright and a number of rotated cards. The sheet and the
    cards can be replaced by smaller ones on which all these rows, and so all layouts, fit as well
    (K. A. Dowsland, 1984). For those, the bound is the area, less what rods as long as a card's
    side must leave empty (F. W. Barnes, 1979).
    """
    sides = _to_micrometres(card_width), _to_micrometres(card_height)
    across = _full_rows(_to_micrometres(width), *sides)
    down = _full_rows(_to_micrometres(height), *sides)
    bounds = []
    for side, other in product(range(1, _MAX_WEIGHT), repeat=2):
        width, height = (
            max((n * side + m * other for n, m in rows), default=0) for rows in (across, down)
        )
        empty = 0
        for rod in (side, other):
            x, y = width % rod, height % rod
            empty = max(empty, min(x * y, (rod - x) * (rod - y)))
        bounds.append((width * height - empty) // (side * other))
    return min(bounds)


def _to_micrometres(length: Mm) -> int:
    return round(length * _PER_MM)


def _full_rows(length: int, side: int, other: int) -> list[tuple[int, int]]:
    """Return the maximal rows of a length, as numbers of upright and rotated cards."""
    return [(n, (length - n * side) // other) for n in range(length // side + 1)]


class _Packer:
    """Searches layouts of cards of one size."""

    def __init__(self, width: int, height: int) -> None:  # in micrometres
        self._sides = width, height
        self._layouts: dict[tuple[int, int], _Layout] = {}
        self._places: list[int] = []

    def best(self, width: int, height: int) -> _Layout:
        """Return the best layout that was found for a sheet."""
        # All sums of sides up to the length: the possible positions of lossless cuts.
        side, other = self._sides
        rows = _full_rows(max(width, height), side, other)
        sums = {n * side + m * other for n, most in rows for m in range(most + 1)}
        self._places = sorted(sums)
        divides = len(self._places) < _MAX_PLACES
        layout = self._divide(width, height, again=divides)
        room = max_cards(*(side / _PER_MM for side in (width, height, *self._sides)))
        if layout.cards < room and divides:
            layout = self._arrange_in_ring(width, height, layout, room)
        return layout

    def _places_within(self, length: int) -> list[int]:
        """Return the possible cuts within a length."""
        return self._places[1 : bisect_right(self._places, length - 1)]

    def _best_grid(self, width: int, height: int) -> _Layout:
        """Return the better of the two simple grids."""
        best = _Layout(0)
        for turned, (side, other) in enumerate((self._sides, self._sides[::-1])):
            columns, rows = width // side, height // other
            if columns * rows > best.cards:
                best = _Layout(columns * rows, ((0, 0, columns, rows, bool(turned)),))
        return best

    def _divide(self, width: int, height: int, *, again: bool = True) -> _Layout:
        """Return the best layout with guillotine cuts, from edge to edge, perhaps divided again."""
        width, height = (
            self._places[bisect_right(self._places, side) - 1] for side in (width, height)
        )
        if (width, height) in self._layouts:
            return self._layouts[width, height]
        part = self._divide if again else self._best_grid
        best = self._best_grid(width, height)
        full = width * height // (self._sides[0] * self._sides[1])
        if best.cards < full:
            for x in self._places_within(width):
                left, right = part(x, height), part(width - x, height)
                best = self._join(best, (left, 0, 0), (right, x, 0))
            for y in self._places_within(height):
                above, below = part(width, y), part(width, height - y)
                best = self._join(best, (above, 0, 0), (below, 0, y))
        self._layouts[width, height] = best
        return best

    @staticmethod
    def _join(best: _Layout, *parts: tuple[_Layout, int, int]) -> _Layout:
        """Return the combination of several layouts, or `best` if that is better."""
        count = sum(layout.cards for layout, _, _ in parts)
        if count < best.cards:
            return best
        blocks = tuple(
            (x + left, y + top, columns, rows, turned)
            for layout, left, top in parts
            for x, y, columns, rows, turned in layout.blocks
        )
        better = (count, -len(blocks)) > (best.cards, -len(best.blocks))
        return _Layout(count, blocks) if better else best

    def _arrange_in_ring(self, width: int, height: int, best: _Layout, room: int) -> _Layout:
        """Return the best layout of four parts around a fifth, or `best` if that is better."""
        xs, ys = self._places_within(width), self._places_within(height)
        if (len(xs) * len(ys)) ** 2 // 4 > _MAX_RINGS:
            return best
        upright = list(combinations_with_replacement(xs, 2))
        for (x1, x2), (y1, y2) in product(upright, combinations_with_replacement(ys, 2)):
            best = self._join(
                best,
                (self._divide(x2, y1), 0, 0),
                (self._divide(width - x2, y2), x2, 0),
                (self._divide(x1, height - y1), 0, y1),
                (self._divide(x2 - x1, y2 - y1), x1, y1),
                (self._divide(width - x1, height - y2), x1, y2),
            )
            if best.cards >= room:
                break
        return best


MAX_MARGIN: Mm = 60
"""The largest margin of a printer; more means a wrong unit."""


class Margins(NamedTuple):
    """The white margins of a sheet of paper."""

    top: Mm = 0
    right: Mm = 0
    bottom: Mm = 0
    left: Mm = 0

    def landscape(self) -> "Margins":
        """Return the margins of the paper in landscape, whichever way it was rotated."""
        level, upright = max(self.top, self.bottom), max(self.left, self.right)
        return Margins(upright, level, upright, level)

    def at_least(self, least: Mm) -> "Margins":
        """Return the margins, each at least as wide as `least`."""
        return Margins(*(max(least, side) for side in self))

    def __str__(self) -> str:
        """Return the text that `parse_margins` reads: "4.2mm", or all four separated by commas."""
        sides = self[:1] if len(set(self)) == 1 else self
        return ",".join(f"{side:g}mm" for side in sides)


def parse_margins(text: str) -> Margins:
    """Return margins such as "4.2mm", or "3mm,3mm,12.7mm,3mm": top, right, bottom, left.

    Raises:
        ValueError: if the text is invalid.
    """
    sides = [parse_length(part) for part in text.split(",")]
    if len(sides) not in {1, 4}:
        raise ValueError(f"`{text}` is neither one margin nor four, such as 3mm,3mm,12.7mm,3mm")
    for side in sides:
        if not 0 <= side <= MAX_MARGIN:
            raise ValueError(f"`{text}` is not between 0 and {MAX_MARGIN:g} mm")
    return Margins(*(sides * 4 if len(sides) == 1 else sides))


class Marks(Choice):
    """The kinds of cut marks."""

    CROP = "crop", "short lines outside the cards"
    LINES = "lines", "lines along every cut"
    CORNERS = "corners", "ticks at the corners of every card"
    NONE = "none", "no marks"


class Flip(Choice):
    """The edge of the paper on which a sheet is flipped to print its backs."""

    LONG = "long", "over the long edge"
    SHORT = "short", "over the short edge"


class Fold(Choice):
    """How a sheet is folded to bring its backs behind its faces."""

    NONE = "none", "not at all"
    VERTICAL = "vertical", "along a vertical line, faces on the left"
    HORIZONTAL = "horizontal", "along a horizontal line, faces above"


_SLOTS = Value(kind="integer", minimum=1, maximum=99)
_ORDERS = one_of(("rows", "row by row"), ("columns", "column by column"))


@bound
class SheetFormat(NamedTuple):
    """A sheet of paper with slots for cards in the middle.

    Attributes:
        page_width, page_height: 0 for the size of a card with its bleed.
        columns, rows: 0 for as many as fit.
        slot_width, slot_height: 0 for the size of the card.
        margin: the margin of the paper that must stay empty, as most printers need it.
        left, top: the position of the grid on the paper; None to center it.
        fold: the grid is then that of the faces, on one half of the paper.
        unprintable: the margins that the printer leaves white, of the paper in portrait.
        blocks: the blocks of a layout with rotated cards; empty for a single grid.
        scaled: whether cards are scaled to the slots.
        registration: the marks of the cutting machine, which also limit the number of slots.
    """

    name: str
    page_width: Mm = attr("width of the paper in mm (default: the card's)", default=0)
    page_height: Mm = attr("height of the paper in mm (default: the card's)", default=0)
    columns: int = attr("slots side by side (default: as many as fit)", _SLOTS, default=0)
    rows: int = attr("slots one above the other (default: as many as fit)", _SLOTS, default=0)
    slot_width: Mm = attr("width of a slot in mm (default: the card's)", default=0)
    slot_height: Mm = attr("height of a slot in mm (default: the card's)", default=0)
    gutter: Mm = attr("distance between slots in mm (default: 0)", default=0)
    row_gutter: Mm | None = attr("distance between rows in mm (default: as `gutter`)")
    left: Mm | None = attr("from the paper's left edge to the first slot (default: centered)")
    top: Mm | None = attr("from the paper's upper edge to the first slot (default: centered)")
    margin: Mm = attr("width of the empty edge of the paper (default: 0 mm)", default=0)
    bleed: Mm = attr("how far the print extends beyond the cut (default: 0 mm)", default=0)
    marks: Marks = attr("marks that show where to cut (default: `crop`)", default=Marks.CROP)
    mark_length: Mm = attr("length of the marks, 0 for none (default: 4 mm)", default=4)
    mark_distance: Mm = attr("distance from cards to marks (default: 1.5 mm)", default=1.5)
    mark_width: Mm = attr("line width of the marks (default: 0.1 mm)", default=0.1)
    flip: Flip = attr("how it is turned over for the backs (default: `long`)", default=Flip.LONG)
    labels: bool = attr(
        "whether slots are labels, each with one card of any size that fits", default=False
    )
    turn: bool = attr(
        "whether to turn cards if more fit that way (default: `false`)", default=False
    )
    by_columns: bool = attr(
        "order in which slots are filled (default: `rows`)",
        _ORDERS,
        "order",
        convert="columns".__eq__,
        default=False,
    )
    fold: Fold = attr(
        "how it is folded so that backs lie behind faces (default: `none`)", default=Fold.NONE
    )
    unprintable: Margins = Margins()
    blocks: tuple[GridBlock, ...] = ()
    scaled: bool = False
    registration: Registration | None = None

    def fit_to(self, width: Mm, height: Mm) -> "SheetFormat":
        """Return the format with all open values filled in for cards of this size.

        The paper is oriented to fit the most cards, in its given orientation if both are equal.
        """
        slot = self._replace(
            slot_width=self.slot_width or width, slot_height=self.slot_height or height
        )
        step = self.gutter
        if (marks := slot.registration) is not None:
            ways = (_fit_between_marks(slot, each) for each in (marks, marks.rotate()))
            return max(ways, key=lambda sheet: sheet.capacity)
        if not slot.page_width:
            edge = 2 * (self.bleed + self.margin)
            columns, rows = slot.columns or 1, slot.rows or 1
            across = columns * (slot.slot_width + step) - step + edge
            down = rows * (slot.slot_height + step) - step + edge
            return slot._replace(columns=columns, rows=rows, page_width=across, page_height=down)
        if slot.columns and slot.rows:
            if not slot.labels:
                return slot
            # Cards lie on labels in the orientation that gives them more room.
            standing = min(slot.slot_width / width, slot.slot_height / height)
            lying = min(slot.slot_height / width, slot.slot_width / height)
            if lying <= standing or (standing >= 1 and not slot.scaled):
                return slot
            blocks = (GridBlock(0, 0, slot.columns, slot.rows, turned=True),)
            across, down = slot.slot_height, slot.slot_width
            return slot._replace(slot_width=across, slot_height=down, blocks=blocks)
        folds = (Fold.VERTICAL, Fold.HORIZONTAL) if slot.is_folded else (Fold.NONE,)
        rotated = slot._replace(page_width=slot.page_height, page_height=slot.page_width)
        grids, packed = list[SheetFormat](), list[SheetFormat]()
        for sheet, fold in product((slot, rotated), folds):
            grid = sheet._replace(fold=fold)
            # The grid is centered, so opposite margins are as wide as the wider one. The room
            # includes a gutter after the last slots.
            half, edges, more = grid.face_area, grid.clear_edges, step + TOLERANCE
            across = half.width - 2 * (max(edges.left, edges.right) + grid.bleed) + more
            down = half.height - 2 * (max(edges.top, edges.bottom) + grid.bleed) + more
            wide, high = grid.slot_width + step, grid.slot_height + step
            columns = grid.columns or max(0, int(across / wide))
            rows = grid.rows or max(0, int(down / high))
            grids.append(grid._replace(columns=columns, rows=rows))
            if self.turn:
                packed.append(grids[-1]._replace(blocks=pack(across, down, wide, high)))
        return max(*grids, *packed, key=lambda sheet: sheet.capacity)

    @property
    def _gutters(self) -> tuple[Mm, Mm]:
        return self.gutter, self.gutter if self.row_gutter is None else self.row_gutter

    @property
    def capacity(self) -> int:
        """The number of cards on a sheet."""
        return sum(block.columns * block.rows for block in self._blocks)

    @property
    def _blocks(self) -> tuple[GridBlock, ...]:
        return self.blocks or (GridBlock(0, 0, self.columns, self.rows),)

    @property
    def is_folded(self) -> bool:
        """True if backs are on the same page as their faces, to be folded."""
        return self.fold is not Fold.NONE

    @property
    def has_position(self) -> bool:
        """True if the format gives the position of its grid."""
        return self.left is not None or self.top is not None

    @property
    def unprintable_edges(self) -> Margins:
        """The margins that the printer leaves white, in the orientation of the paper."""
        is_landscape = self.page_width > self.page_height
        return self.unprintable.landscape() if is_landscape else self.unprintable

    @property
    def clear_edges(self) -> Margins:
        """The margins of the paper on which nothing but cards is printed."""
        return self.unprintable_edges.at_least(self.margin)

    @property
    def face_area(self) -> Box:
        """The part of the paper with the faces."""
        width = self.page_width / (2 if self.fold is Fold.VERTICAL else 1)
        height = self.page_height / (2 if self.fold is Fold.HORIZONTAL else 1)
        return Box(0, 0, width, height)

    @property
    def grid_box(self) -> Box:
        """The box that encloses the slots of all faces."""
        boxes = [self._block_box(block) for block in self._blocks]
        width, height = max(box.right for box in boxes), max(box.bottom for box in boxes)
        half = self.face_area
        x = (half.width - width) / 2 if self.left is None else self.left
        y = (half.height - height) / 2 if self.top is None else self.top
        return Box(x, y, width, height)

    @property
    def printed_boxes(self) -> list[Box]:
        """The boxes around the blocks of the layout on the paper, including bleed."""
        grid = self.grid_box
        boxes = map(self._block_box, self._blocks)
        return [b._replace(x=grid.x + b.x, y=grid.y + b.y).expand(self.bleed) for b in boxes]

    def _block_box(self, block: GridBlock) -> Box:
        width, height = self._slot_size(block)
        across, down = self._gutters
        width = block.columns * (width + across) - across
        return Box(block.x, block.y, width, block.rows * (height + down) - down)

    def _slot_size(self, block: GridBlock) -> tuple[Mm, Mm]:
        size = self.slot_width, self.slot_height
        return size[::-1] if block.turned else size

    def slots(self) -> tuple[Box, ...]:
        """Return the slots of the faces in filling order."""
        grid, slots = self.grid_box, list[Box]()
        across, down = self._gutters
        for block in self._blocks:
            width, height = self._slot_size(block)
            left, top = grid.x + block.x, grid.y + block.y
            for row, column in product(range(block.rows), range(block.columns)):
                x, y = left + column * (width + across), top + row * (height + down)
                slots.append(Box(x, y, width, height))
        order = (0, 1) if self.by_columns else (1, 0)
        slots.sort(key=lambda slot: [round(slot[side], 4) for side in order])
        return tuple(slots)

    def is_rotated(self, slot: Box) -> bool:
        """Return whether the card in a slot is rotated a quarter clockwise."""
        return slot.width != self.slot_width

    @property
    def has_vertical_axis(self) -> bool:
        """True if the sheet is flipped or folded about a vertical axis."""
        if self.is_folded:
            return self.fold is Fold.VERTICAL
        return (self.flip is Flip.LONG) == (self.page_height >= self.page_width)

    def mirrored(self, box: Box) -> Box:
        """Return the box that lies behind `box` when the sheet is flipped or folded.

        It is in the coordinates of the printed page: for a flipped sheet, the page of the backs.
        """
        if self.has_vertical_axis:
            return box._replace(x=self.page_width - box.right)
        return box._replace(y=self.page_height - box.bottom)


def _fit_between_marks(sheet: SheetFormat, marks: Registration) -> SheetFormat:
    """Return a format with as many columns and rows as a machine can cut, which may be none.

    Its paper is that of the marks, whose arms are as long as the cards allow.
    """
    medium, step = marks.medium, sheet.gutter
    sheet = sheet._replace(page_width=medium.width, page_height=medium.height, registration=marks)
    sheet = sheet._replace(columns=0, rows=0)
    wide, high = sheet.slot_width + step, sheet.slot_height + step
    columns = int((medium.area.width + step + TOLERANCE) / wide)
    rows = int((medium.area.height + step + TOLERANCE) / high)
    counts = product(range(1, columns + 1), range(1, rows + 1))
    grids = (
        sheet._replace(columns=across, rows=down)
        for across, down in sorted(counts, key=lambda count: -count[0] * count[1])
    )
    best = next((full for full in grids if marks.is_free(full.printed_boxes)), sheet)
    if sheet.turn:
        room = marks.clear_box().expand(step / 2 - sheet.bleed)
        turned = sheet._replace(blocks=pack(room.width, room.height, wide, high))
        best = max(best, turned, key=lambda each: each.capacity)
    if not best.capacity:
        return best
    return best._replace(registration=marks.extend_arms(best.printed_boxes))
