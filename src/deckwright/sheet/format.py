"""Sheet formats: the paper, the grid of slots, the crop marks. They are XML files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from deckwright.diagnostics import Code, Report, Severity, known_hint
from deckwright.files import is_file
from deckwright.game.load import load_valid
from deckwright.game.setup import Kind
from deckwright.geometry import Box
from deckwright.units import Mm
from deckwright.xmlio.node import Node, Source
from deckwright.xmlio.shape import Attribute, Shape, Value

E003 = Code("E003", Severity.ERROR, "a sheet format that does not exist or does not fit")

_BUNDLED = Path(__file__).parent / "formats"
_LENGTH = Value(pattern=r"[0-9]+(?:\.[0-9]+)?", words="a length in mm, such as 65 or 63.5")
_COUNT = Value(kind="integer", minimum=1, maximum=99)

SHAPE = Shape(
    "sheet",
    (
        Attribute("page-width", _LENGTH, required=True, meaning="width of the paper in mm"),
        Attribute("page-height", _LENGTH, required=True, meaning="height of the paper in mm"),
        Attribute("columns", _COUNT, required=True, meaning="slots side by side"),
        Attribute("rows", _COUNT, required=True, meaning="slots one above the other"),
        Attribute("slot-width", _LENGTH, required=True, meaning="width of a card in mm"),
        Attribute("slot-height", _LENGTH, required=True, meaning="height of a card in mm"),
        Attribute("gutter", _LENGTH, meaning="distance between slots in mm, 0 if not given"),
        Attribute("mark-length", _LENGTH, meaning="length of the crop marks, 0 for none"),
        Attribute("mark-distance", _LENGTH, meaning="distance of the crop marks from the slots"),
        Attribute("mark-width", _LENGTH, meaning="line width of the crop marks"),
    ),
    meaning="a sheet of paper with slots for cards, in its middle",
)


class SheetFormat(NamedTuple):
    """A sheet: paper, grid and crop marks. The grid stands in the middle of the paper.

    Attributes:
        gutter: the distance between slots.
        mark_length, mark_distance, mark_width: of the crop marks.
    """

    name: str
    page_width: Mm
    page_height: Mm
    columns: int
    rows: int
    slot_width: Mm
    slot_height: Mm
    gutter: Mm = 0
    mark_length: Mm = 4
    mark_distance: Mm = 1.5
    mark_width: Mm = 0.1

    def slots(self) -> tuple[Box, ...]:
        """Return the slots, row by row from the top left."""
        grid = self.grid
        return tuple(
            Box(
                grid.x + column * (self.slot_width + self.gutter),
                grid.y + row * (self.slot_height + self.gutter),
                self.slot_width,
                self.slot_height,
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @property
    def grid(self) -> Box:
        """The box that encloses all slots."""
        width = self.columns * (self.slot_width + self.gutter) - self.gutter
        height = self.rows * (self.slot_height + self.gutter) - self.gutter
        return Box((self.page_width - width) / 2, (self.page_height - height) / 2, width, height)


def load_format(
    name: str, xml_folder: Path, named_at: Source, report: Report
) -> SheetFormat | None:
    """Return the sheet format `name`: the game's own in `xml/sheets`, or a bundled one."""
    own = xml_folder / "sheets"
    path = own / f"{name}.xml"
    if not is_file(path):
        path = _BUNDLED / f"{name}.xml"
    if not is_file(path) or path.parent not in {own, _BUNDLED}:
        names = sorted({file.stem for folder in (own, _BUNDLED) for file in folder.glob("*.xml")})
        message = f"there is no sheet format `{name}`"
        report.append(E003.at(named_at.at("format"), message, known_hint(name, names)))
        return None
    root = load_valid(path, SHAPE, report)
    if root is None:
        return None
    sheet = _read(name, root)
    if round(min(sheet.grid.x, sheet.grid.y), 6) < 0:
        message = (
            f"the grid of {sheet.grid.width:g} × {sheet.grid.height:g} mm is larger than the paper "
            f"of {sheet.page_width:g} × {sheet.page_height:g} mm"
        )
        report.append(E003.at(root.source.at(), message, "use fewer or smaller slots"))
        return None
    return sheet


def check_fit(sheet: SheetFormat, kinds: Iterable[Kind], report: Report) -> None:
    """Report kinds of cards that are not of the size of the sheet's slots."""
    for kind in kinds:
        if (kind.width, kind.height) != (sheet.slot_width, sheet.slot_height):
            report.append(
                E003.at(
                    kind.source.at("width"),
                    f"`{kind.tag}` is {kind.width:g} × {kind.height:g} mm, but the slots of the "
                    f"sheet `{sheet.name}` are {sheet.slot_width:g} × {sheet.slot_height:g} mm",
                    "name another format in `sheet`, or add one in `xml/sheets`",
                )
            )


def _read(name: str, node: Node) -> SheetFormat:
    def mm(attribute: str, default: Mm = 0) -> Mm:
        return float(node.get(attribute, str(default)) or default)

    return SheetFormat(
        name,
        mm("page-width"),
        mm("page-height"),
        int(node.attributes["columns"]),
        int(node.attributes["rows"]),
        mm("slot-width"),
        mm("slot-height"),
        mm("gutter"),
        mm("mark-length", 4),
        mm("mark-distance", 1.5),
        mm("mark-width", 0.1),
    )
