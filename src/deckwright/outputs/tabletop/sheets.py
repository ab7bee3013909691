"""Decks for virtual tables: piles, sheets of pictures and the choice of their grid."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image

from deckwright.base.findings import Report
from deckwright.base.output import OutputError, stop_on_errors, write_data
from deckwright.base.units import MM_PER_UNIT, Mm
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.decks.stats import DeckStats, deck_stats
from deckwright.faces.copies import Copy, CopyKey
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import make_deck_copies, prepare_images
from deckwright.faces.watermark import make_watermark
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath
from deckwright.paint.raster import Encoding, Raster, draw

MAX_COLUMNS, MAX_ROWS = 10, 7
MAX_CARDS = MAX_COLUMNS * MAX_ROWS - 1
"""The maximum number of cards on a sheet; the last cell is the hidden card."""

MAX_SIDE = 4096
"""The maximum side of a sheet in pixels."""

_MIN_CELLS = 2
"""The minimum number of columns and rows in the program's own dialog."""

_MAX_PIXELS_PER_MM = 300 / MM_PER_UNIT["in"]
"""The maximum useful resolution of faces, in pixels per mm."""

_MIN_OWN_SHEET = 10
"""The minimum number of cards with one back for a separate sheet; fewer share a mixed one."""


class CardPile(NamedTuple):
    """A pile of cards of one size, with all copies in the order of the deck list."""

    name: str
    cards: tuple[Copy, ...]


class SheetGrid(NamedTuple):
    """The grid of a sheet; `cell` is the width and height of a cell in pixels."""

    columns: int
    rows: int
    cell: tuple[int, int]

    def draw(
        self, faces: Iterable[Face], factory: FaceFactory, last: Face | None = None
    ) -> Image.Image:
        """Draw a sheet of faces by rows, with `last` in the last cell."""
        width, height = self.cell
        cells = dict(enumerate(faces))
        if last is not None:
            cells[self.columns * self.rows - 1] = last
        raster = Raster(size=self.cell)
        drawn = draw(cells.values(), factory.fonts, factory.pictures.store, raster)
        sheet = Image.new("RGB", (self.columns * width, self.rows * height), _GROUND)
        for index, picture in zip(cells, drawn, strict=True):
            row, column = divmod(index, self.columns)
            sheet.paste(picture, (column * width, row * height))
        return sheet


class FaceSheet(NamedTuple):
    """A sheet with the pictures of distinct cards of one size.

    Attributes:
        number: its number, from 1.
        mixed: whether its cards have different backs, which then need a sheet, too.
    """

    number: int
    cards: tuple[Copy, ...]
    grid: SheetGrid
    mixed: bool


def make_piles(stats: DeckStats, factory: FaceFactory, report: Report) -> list[CardPile]:
    """Return the piles of a deck, zone by zone, followed by its tokens.

    Errors are reported. A zone with cards of several sizes is split by size. Equal backs are
    merged; cards without a back get one in the color of their faction.
    """
    game, deck, backs = factory.game, stats.deck, list[Face]()
    parts: dict[str, dict[tuple[Mm, Mm], list[Copy]]] = {}
    kinds: dict[tuple[Mm, Mm], dict[str, None]] = {}
    for copy in make_deck_copies(stats, factory, report, backs=True):
        back = copy.back
        if back is None:
            color = game.factions[copy.faction_id].color
            back = Face(*copy.size, (FillPath(outlines.rectangle(0, 0, *copy.size), color),))
        alike = (known for known in backs if known == back._replace(subject=known.subject))
        back = next(alike, back)
        if all(known is not back for known in backs):
            backs.append(back)
        kinds.setdefault(copy.size, {})[copy.card.kind.name] = None
        pile = parts.setdefault(copy.part, {}).setdefault(copy.size, [])
        pile.append(copy._replace(back=back))
    piles = []
    for part, sizes in parts.items():
        for size, copies in sizes.items():
            only = f" ({', '.join(kinds[size])})" if len(sizes) > 1 else ""
            name = deck.name if part == deck.name else f"{deck.name} – {part}"
            piles.append(CardPile(f"{name}{only}", tuple(copies)))
    return piles


def make_sheets(piles: Iterable[CardPile]) -> list[FaceSheet]:
    """Return the sheets with each card of the piles once.

    Cards with the same back share sheets, so that one picture suffices for their backs; only groups
    of few cards are combined on mixed sheets.
    """
    sizes: dict[tuple[Mm, Mm], dict[int, dict[CopyKey, Copy]]] = {}
    for card in (card for pile in piles for card in pile.cards):
        backs = sizes.setdefault(card.size, {})
        backs.setdefault(id(card.back), {})[card.key] = card
    sheets: list[FaceSheet] = []
    for size, backs in sizes.items():
        groups = [list(cards.values()) for cards in backs.values()]
        few = [card for cards in groups if len(cards) < _MIN_OWN_SHEET for card in cards]
        for cards in [*(cards for cards in groups if len(cards) >= _MIN_OWN_SHEET), few]:
            # As few, equally large parts as possible, for large cells.
            number = math.ceil(len(cards) / MAX_CARDS)
            for part in range(number):
                some = cards[len(cards) * part // number : len(cards) * (part + 1) // number]
                mixed = len({id(card.back) for card in some}) > 1
                grid = grid_for(len(some), *size)
                sheets.append(FaceSheet(len(sheets) + 1, tuple(some), grid, mixed))
    return sheets


def grid_for(cards: int, width: Mm, height: Mm) -> SheetGrid:
    """Return the grid with the largest cells for a number of cards of a size and a hidden cell.

    If tied, the grid with the fewest cells wins.
    """
    choices = [
        (columns, rows)
        for columns in range(_MIN_CELLS, MAX_COLUMNS + 1)
        for rows in range(_MIN_CELLS, MAX_ROWS + 1)
        if columns * rows > cards
    ]

    def scale(choice: tuple[int, int]) -> float:
        columns, rows = choice
        most = MAX_SIDE // columns / width, MAX_SIDE // rows / height
        return min(*most, _MAX_PIXELS_PER_MM)

    columns, rows = max(choices, key=lambda choice: (scale(choice), -choice[0] * choice[1], choice))
    best = scale((columns, rows))
    # The shorter side sets the scale, which minimizes the distortion by rounding.
    short, long = sorted((width, height))
    few = max(1, int(short * best + 1e-6))
    many = max(1, round(few * long / short))
    cell = (few, many) if width <= height else (many, few)
    limits = MAX_SIDE // columns, MAX_SIDE // rows
    return SheetGrid(columns, rows, (min(cell[0], limits[0]), min(cell[1], limits[1])))


def index_cards(sheets: Sequence[FaceSheet]) -> Mapping[CopyKey, tuple[FaceSheet, int]]:
    """Return the sheet and the cell index of each card, by its key."""
    return {card.key: (sheet, index) for sheet in sheets for index, card in enumerate(sheet.cards)}


_GROUND = "#808080"
"""The color of cells without a card."""

_THUMBNAIL = 256
"""The side of a saved object's thumbnail, in pixels."""

_MAX_PNG_BYTES = 6_000_000
"""The size in bytes beyond which a sheet is sent as JPEG, since every player downloads it."""

Format = Literal["auto", "png", "jpg"]


def write_sheet(
    sheet: FaceSheet, deck: str, folder: Path, factory: FaceFactory, form: Format
) -> list[tuple[Path, bytes]]:
    """Draw and write the faces of a sheet, and its backs or the common back; return the files."""
    name, grid, files = f"{deck}_{sheet.number}", sheet.grid, []
    faces = [card.face for card in sheet.cards]
    backs = [card.back for card in sheet.cards if card.back is not None]
    # On a mixed sheet, the back of one card in the hidden cell would reveal what others are not.
    pictures = {name: grid.draw(faces, factory, None if sheet.mixed else backs[0])}
    if sheet.mixed:
        pictures[f"{name}_backs"] = grid.draw(backs, factory)
    else:
        pictures[f"{name}_back"] = SheetGrid(1, 1, grid.cell).draw([backs[0]], factory)
    for stem, picture in pictures.items():
        ending, data = encode_picture(picture, form)
        path = folder / f"{stem}.{ending}"
        write_data(path, data)
        files.append((path, data))
    return files


def draw_thumbnail(card: Copy, factory: FaceFactory) -> Image.Image:
    """Draw a card as the thumbnail of a saved object, on a transparent ground."""
    width, height = card.size
    scale = _THUMBNAIL / max(width, height)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    picture = SheetGrid(1, 1, size).draw([card.face], factory)
    ground = Image.new("RGBA", (_THUMBNAIL, _THUMBNAIL))
    ground.paste(picture, ((_THUMBNAIL - size[0]) // 2, (_THUMBNAIL - size[1]) // 2))
    return ground


_NOMINAL_DPI = 300
"""The nominal resolution in picture files that are not printed."""


def encode_picture(picture: Image.Image, form: Format) -> tuple[str, bytes]:
    """Return the extension and the content of a picture file.

    Args:
        form: "auto" for PNG, or JPEG if PNG is very large and JPEG is smaller.
    """
    if form != "auto":
        return form, Encoding(form).encode(picture, _NOMINAL_DPI)
    data = Encoding("png").encode(picture, _NOMINAL_DPI)
    if len(data) > _MAX_PNG_BYTES:
        other = Encoding("jpg").encode(picture, _NOMINAL_DPI)
        if len(other) < len(data):
            return "jpg", other
    return "png", data


class TableOptions(NamedTuple):
    """Options for exporting a deck to a virtual table.

    Attributes:
        form: the format of pictures.
        dpi: the resolution of single pictures.
        url: the address of sheets; without it, a saved object refers to local pictures, which works
            for a single player only.
    """

    form: Format = "auto"
    style: str | None = None
    rules: LimitOptions = LimitOptions()
    dpi: float = 200
    url: str | None = None


class TableDeck(NamedTuple):
    """A deck as drawable piles."""

    game: Game
    deck: Deck
    piles: tuple[CardPile, ...]
    factory: FaceFactory


def load_piles(
    folder: GameFolder, deck_path: Path, style: str | None, rules: LimitOptions, report: Report
) -> TableDeck:
    """Load a deck as drawable piles."""
    game, deck, deck_rules = load_deck(folder, deck_path, rules, report)
    factory = FaceFactory(game, folder, report, style)
    piles = make_piles(deck_stats(game, deck, deck_rules), factory, report)
    mark = make_watermark(factory, None, report)
    piles = [pile._replace(cards=tuple(mark.apply_to_copies(pile.cards))) for pile in piles]
    stop_on_errors(report)
    cards = {card.key: card for pile in piles for card in pile.cards}.values()
    faces = (face for card in cards for face in (card.face, card.back) if face is not None)
    if not prepare_images(faces, factory.pictures.store, report):
        raise OutputError
    return TableDeck(game, deck, tuple(piles), factory)
