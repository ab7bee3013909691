"""Export pictures of cards for virtual tables: in grids, or one per card."""

from __future__ import annotations

import csv
import io
import math
import re
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image

from deckwright.base.findings import ChoiceError, Diagnostic, Report
from deckwright.base.output import write_data
from deckwright.base.units import MM_PER_UNIT
from deckwright.checks.loading import LimitOptions
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.ops.model import Face
from deckwright.outputs.tabletop.sheets import SheetGrid, TableOptions, encode_picture, load_piles
from deckwright.paint.raster import Encoding

Backs = Literal["sheet", "last", "one", "none"]
DEFAULT_NAME = "{deck}-{sheet}-{side}-{columns}x{rows}"
"""The default name of pictures."""
NAME_FIELDS = ("deck", "sheet", "side", "columns", "rows")
_MAX_DEFAULT_COLUMNS = 10
"""The default maximum of columns of a sheet."""
_MAX_DEFAULT_CELLS = 70
"""The default maximum of cells of a sheet, which is the limit of several programs."""


class GridOptions(NamedTuple):
    """Options for sheets of pictures.

    Attributes:
        grid: columns and rows; None for the smallest grid of up to 10 × 7 cells.
        cell: the width and height of a cell in pixels; None for the size of the card at `dpi`.
        longest: the maximum side of a picture in pixels; cells are shrunk to fit.
        backs: `sheet` for a sheet of backs per sheet, `last` for the back in the last cell, `one`
            for a picture of a single back, or `none`.
        copies: whether each copy gets a cell, instead of each card.
        name: the pattern of file names, with the fields of `NAME_FIELDS` in braces.
    """

    grid: tuple[int, int] | None = None
    cell: tuple[int, int] | None = None
    dpi: float = 150
    longest: int = 4096
    encoding: Encoding = Encoding("png")
    backs: Backs = "sheet"
    copies: bool = False
    name: str = DEFAULT_NAME
    style: str | None = None
    rules: LimitOptions = LimitOptions()


class PictureSheet(NamedTuple):
    """A written sheet, with its cards in the order of the cells, by rows."""

    number: int
    grid: SheetGrid
    cards: tuple[Copy, ...]
    fronts: Path
    backs: Path | None


class PictureSheets(NamedTuple):
    """The sheets of a deck, and the list of their cells."""

    name: str
    sheets: tuple[PictureSheet, ...]
    list_file: Path
    findings: tuple[Diagnostic, ...] = ()


def require_valid_name(name: str) -> str:
    """Return a pattern of file names if it is valid; raise a ChoiceError if it is not."""
    try:
        fields = [field for _, field, _, _ in string.Formatter().parse(name) if field is not None]
    except ValueError as error:
        raise ChoiceError(f"`{name}` is not a valid name with fields: {error}") from None
    known = ", ".join(f"{{{field}}}" for field in NAME_FIELDS)
    for field in fields:
        if field not in NAME_FIELDS:
            raise ChoiceError(f"`{{{field}}}` is not a field of names", f"use {known}")
    if not {"sheet", "side"} <= set(fields):
        raise ChoiceError(f"`{name}` gives several files the same name", "use {sheet} and {side}")
    if "/" in name or "\\" in name:
        raise ChoiceError(f"`{name}` is not a file name", "choose the folder with --out")
    return name


def export_sheets(
    folder: GameFolder, deck_path: Path, target: Path, options: GridOptions, report: Report
) -> PictureSheets:
    """Write a deck as sheets of pictures to the folder `target`.

    Cards of different sizes are on separate sheets, and so are cards with different backs if the
    back is a single picture or the last cell.

    Raises:
        ChoiceError: if the grid has no room for a card.
    """
    ready = load_piles(folder, deck_path, options.style, options.rules, report)
    amounts = Counter(card.key for pile in ready.piles for card in pile.cards)
    cells = options.grid[0] * options.grid[1] if options.grid else _MAX_DEFAULT_CELLS
    room = cells - (options.backs == "last")
    if room < 1:
        raise ChoiceError("a grid of one cell has no room for a card beside the back")
    # Cards in one group may share sheets.
    groups: dict[tuple[object, ...], list[Copy]] = {}
    seen: set[object] = set()
    for card in (card for pile in ready.piles for card in pile.cards):
        if options.copies or card.key not in seen:
            seen.add(card.key)
            back = id(card.back) if options.backs in {"last", "one"} else 0
            groups.setdefault((card.size, back), []).append(card)
    sheets: list[PictureSheet] = []
    for group in groups.values():
        for start in range(0, len(group), room):
            cards = group[start : start + room]
            sheet = _lay_out_sheet(len(sheets) + 1, cards, deck_path.stem, target, options)
            for picture, path in _draw_sheet(sheet, options, ready.factory):
                write_data(path, options.encoding.encode(picture, options.dpi))
            sheets.append(sheet)
    path = target / f"{deck_path.stem}.csv"
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ["faction", "id", "name", "copies", "front", "back", "column", "row", "columns", "rows"]
    )
    for sheet in sheets:
        columns, rows, _ = sheet.grid
        for index, card in enumerate(sheet.cards):
            number = 1 if options.copies else amounts[card.key]
            writer.writerow(
                [card.faction_id, card.card.id, card.name, number,
                 sheet.fronts.name, sheet.backs.name if sheet.backs else "",
                 index % columns + 1, index // columns + 1, columns, rows]
            )  # fmt: skip
    write_data(path, stream.getvalue().encode())
    return PictureSheets(ready.deck.name, tuple(sheets), path)


def _lay_out_sheet(
    number: int, cards: Sequence[Copy], deck: str, target: Path, options: GridOptions
) -> PictureSheet:
    """Lay out a sheet in a given grid, or in the smallest one, nearly square up to 10 columns."""
    if options.grid:
        columns, rows = options.grid
    else:
        cells = len(cards) + (options.backs == "last")
        columns = min(_MAX_DEFAULT_COLUMNS, math.ceil(math.sqrt(cells)))
        rows = math.ceil(cells / columns)
    width, height = options.cell or tuple(
        max(1, round(side / MM_PER_UNIT["in"] * options.dpi)) for side in cards[0].size
    )
    scale = min(options.longest / (columns * width), options.longest / (rows * height), 1)
    cell = max(1, int(width * scale)), max(1, int(height * scale))

    def path(side: str) -> Path:
        fields = {"deck": deck, "sheet": number, "columns": columns, "rows": rows, "side": side}
        return target / f"{options.name.format(**fields)}.{options.encoding.extension}"

    backs = path("back") if options.backs in {"sheet", "one"} else None
    return PictureSheet(number, SheetGrid(columns, rows, cell), tuple(cards), path("front"), backs)


def _draw_sheet(
    sheet: PictureSheet, options: GridOptions, factory: FaceFactory
) -> Iterator[tuple[Image.Image, Path]]:
    """Yield the pictures of a sheet with their files."""
    faces = [card.face for card in sheet.cards]
    backs = [card.back for card in sheet.cards if card.back is not None]
    last = backs[0] if options.backs == "last" else None
    yield sheet.grid.draw(faces, factory, last), sheet.fronts
    if sheet.backs is not None and options.backs == "sheet":
        yield sheet.grid.draw(backs, factory), sheet.backs
    elif sheet.backs is not None:
        yield SheetGrid(1, 1, sheet.grid.cell).draw([backs[0]], factory), sheet.backs


LIST_FILE = "cards.csv"
"""The file with the numbers of copies."""


class SinglePile(NamedTuple):
    """The pictures of a pile: its folder, and the numbers of distinct cards and backs."""

    name: str
    folder: Path
    cards: int
    backs: int


class SingleCards(NamedTuple):
    """A deck as single pictures."""

    name: str
    path: Path
    piles: tuple[SinglePile, ...]
    findings: tuple[Diagnostic, ...] = ()


def export_single_cards(
    folder: GameFolder, deck_path: Path, target: Path, options: TableOptions, report: Report
) -> SingleCards:
    """Write a deck as single pictures to the folder `target`, with a folder for each pile."""
    ready = load_piles(folder, deck_path, options.style, options.rules, report)
    scale = options.dpi / MM_PER_UNIT["in"]

    def write(face: Face, folder: str, name: str) -> str:
        """Write a picture of a face; return its file name."""
        size = max(1, round(face.width * scale)), max(1, round(face.height * scale))
        picture = SheetGrid(1, 1, size).draw([face], ready.factory)
        ending, data = encode_picture(picture, options.form)
        write_data(target / folder / f"{name}.{ending}", data)
        return f"{name}.{ending}"

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["pile", "front", "back", "copies", "name", "faction", "id"])
    piles = []
    for number, pile in enumerate(ready.piles, 1):
        named = f"{number:02}_{_file_name(pile.name)}"
        amounts = Counter(card.key for card in pile.cards)
        first = {card.key: card for card in reversed(pile.cards)}
        backs: dict[int, str] = {}
        for index, card in enumerate(map(first.__getitem__, amounts), 1):
            front = write(card.face, named, f"{index:03}_{_file_name(card.name)}")
            if id(card.back) not in backs:
                assert card.back is not None
                backs[id(card.back)] = write(card.back, named, f"back_{len(backs) + 1:02}")
            writer.writerow(
                [named, front, backs[id(card.back)], amounts[card.key],
                 card.name, card.faction_id, card.card.id]
            )  # fmt: skip
        piles.append(SinglePile(pile.name, target / named, len(amounts), len(backs)))
    write_data(target / LIST_FILE, stream.getvalue().encode())
    return SingleCards(ready.deck.name, target, tuple(piles))


def _file_name(name: str) -> str:
    """Return a name as a file name that is valid everywhere."""
    return re.sub(r"[^\w-]+", "_", name).strip("_")[:40] or "card"
