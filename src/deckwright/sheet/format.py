"""Load sheet formats: XML files with the paper, the grid of slots and the marks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from deckwright.base.files import BundledFiles, is_file
from deckwright.base.findings import Code, Report, Severity, has_errors, known_hint
from deckwright.base.units import TOLERANCE, Mm
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Kind
from deckwright.game.model import Game
from deckwright.game.read import load_valid
from deckwright.sheet.grid import Flip, Fold, Marks, SheetFormat
from deckwright.xmlio.node import Node, Source
from deckwright.xmlio.shape import LENGTH, YES_NO, Value, element, optional

E003 = Code("E003", Severity.ERROR, "a sheet format that does not exist or does not fit")

_BUNDLED = BundledFiles(Path(__file__).parent / "formats", "sheets")
_COUNT = Value(kind="integer", minimum=1, maximum=99)
_MARKS = (
    ("crop", "short lines outside the cards"),
    ("lines", "lines along every cut"),
    ("corners", "ticks at the corners of every card"),
    ("none", "no marks"),
)
_FLIPS = (("long", "over the long edge"), ("short", "over the short edge"))
_FOLDS = (
    ("none", "not at all"),
    ("vertical", "along a vertical line, faces on the left"),
    ("horizontal", "along a horizontal line, faces above"),
)
_ORDERS = (("rows", "row by row"), ("columns", "column by column"))

SHEET_SHAPE = element(
    "sheet",
    "a sheet of paper with slots for cards in the middle",
    optional("page-width", LENGTH, "width of the paper in mm (default: the card's)"),
    optional("page-height", LENGTH, "height of the paper in mm (default: the card's)"),
    optional("columns", _COUNT, "slots side by side (default: as many as fit)"),
    optional("rows", _COUNT, "slots one above the other (default: as many as fit)"),
    optional("slot-width", LENGTH, "width of a slot in mm (default: the card's)"),
    optional("slot-height", LENGTH, "height of a slot in mm (default: the card's)"),
    optional("gutter", LENGTH, "distance between slots in mm (default: 0)"),
    optional("row-gutter", LENGTH, "distance between rows in mm (default: as `gutter`)"),
    optional("left", LENGTH, "from the paper's left edge to the first slot (default: centered)"),
    optional("top", LENGTH, "from its upper edge to the first slot (default: centered)"),
    optional("margin", LENGTH, "edge of the paper that stays empty (default: 0 mm)"),
    optional("bleed", LENGTH, "how far print goes beyond the cut (default: 0 mm)"),
    optional("marks", Value("term", terms=_MARKS), "what shows the cuts (default: `crop`)"),
    optional("mark-length", LENGTH, "length of the marks, 0 for none (default: 4 mm)"),
    optional("mark-distance", LENGTH, "distance from cards to marks (default: 1.5 mm)"),
    optional("mark-width", LENGTH, "line width of the marks (default: 0.1 mm)"),
    optional("flip", Value("term", terms=_FLIPS), "how it is turned over (default: `long`)"),
    optional(
        "labels", YES_NO, "whether slots are labels, with a card of any size that fits on each"
    ),
    optional("turn", YES_NO, "whether to turn cards where more fit then (default: `false`)"),
    optional("order", Value("term", terms=_ORDERS), "how slots are filled (default: `rows`)"),
    optional(
        "fold",
        Value("term", terms=_FOLDS),
        "how it is folded to bring backs behind faces (default: `none`)",
    ),
)


def list_formats(xml_folder: Path) -> list[str]:
    """Return the names of all formats: bundled ones, and the game's own in `xml/sheets`."""
    return _BUNDLED.names(xml_folder)


def load_format(
    name: str, xml_folder: Path, named_at: Source | None, report: Report
) -> SheetFormat | None:
    """Return the sheet format `name`: the game's own in `xml/sheets`, or a bundled one.

    Args:
        named_at: the element whose attribute `format` names it; None if the user named it.
    """
    path = _BUNDLED.file(name, xml_folder)
    if not is_file(path) or path.parent not in {xml_folder / _BUNDLED.own, _BUNDLED.folder}:
        message = f"there is no sheet format `{name}`"
        place = named_at.at("format") if named_at else None
        report.append(E003.at(place, message, known_hint(name, list_formats(xml_folder))))
        return None
    root = load_valid(path, SHEET_SHAPE, report)
    if root is None:
        return None
    sheet = _read_format(name, root)
    problem = _find_problem(sheet)
    if problem is not None:
        report.append(E003.at(root.source.at(), *problem))
        return None
    return sheet


def _find_problem(sheet: SheetFormat) -> tuple[str, str] | None:
    """Return the error in a format, regardless of what is printed, and a hint; None if valid."""
    if bool(sheet.page_width) != bool(sheet.page_height):
        return "only one side of the paper is given", "give both, or neither for one card per page"
    if bool(sheet.slot_width) != bool(sheet.slot_height):
        return (
            "only one side of the slots is given",
            "give both, or neither for the card's own size",
        )
    return _find_slots_problem(sheet)


def _find_slots_problem(sheet: SheetFormat) -> tuple[str, str] | None:
    """Return the error in the slots of a format, and a hint; None if valid."""
    if sheet.turn and (sheet.columns or sheet.rows):
        message = "a sheet that turns cards for more of them has its own columns and rows"
        return message, "leave out `columns` and `rows`, or `turn`"
    single = {sheet.columns, sheet.rows} <= ({0, 1} if not sheet.page_width else {1})
    if sheet.labels and not (sheet.columns and sheet.rows and sheet.slot_width):
        message = "a sheet of labels does not say how many there are, and how large"
        return message, "give `columns`, `rows`, `slot-width` and `slot-height`"
    if sheet.has_position and (
        sheet.folded or not (sheet.page_width and sheet.columns and sheet.rows)
    ):
        message = "only a sheet whose paper, columns and rows are given says where slots begin"
        return message, "give `page-width`, `page-height`, `columns` and `rows`, and no `fold`"
    gutter = sheet.gutter if sheet.row_gutter is None else min(sheet.gutter, sheet.row_gutter)
    if not single and gutter < 2 * sheet.bleed - TOLERANCE:
        message = f"a bleed of {sheet.bleed:g} mm overlaps in a gutter of {gutter:g} mm"
        return message, "make the gutter at least twice as wide as the bleed"
    if not (sheet.slot_width and sheet.page_width and sheet.columns and sheet.rows):
        return None
    return _find_overflow(sheet)


def _find_overflow(sheet: SheetFormat) -> tuple[str, str] | None:
    """Return the message and hint for a grid too large for its paper; None if it fits."""
    grid, edge = sheet.grid, sheet.margin + sheet.bleed
    half = sheet.half
    if round(min(*grid[:2], half.width - grid.right, half.height - grid.bottom) - edge, 6) < 0:
        from_ = f", from {grid.x:g}, {grid.y:g}," if sheet.has_position else ""
        margin = f" less its margin of {edge:g} mm" if edge else ""
        message = (
            f"the grid of {grid.width:g} × {grid.height:g} mm{from_} is larger than the paper "
            f"of {sheet.page_width:g} × {sheet.page_height:g} mm{margin}"
        )
        return message, "use fewer or smaller slots"
    return None


def check_fit(
    sheet: SheetFormat, kinds: Iterable[Kind], report: Report, *, scale: bool = False
) -> None:
    """Report kinds of cards that do not have the size of the sheet's slots.

    Args:
        scale: whether faces are scaled to the slots; then only the paper can be too small.
    """
    for kind in kinds:
        wrong = find_misfit(sheet, kind.width, kind.height, scale=scale)
        if wrong is not None:
            size = f"`{kind.tag}` is {kind.width:g} × {kind.height:g} mm, but"
            report.append(E003.at(kind.source.at("width"), f"{size} {wrong[0]}", wrong[1]))


def find_misfit(
    sheet: SheetFormat, width: Mm, height: Mm, *, scale: bool = False
) -> tuple[str, str] | None:
    """Return why cards of this size do not fit a sheet, and a hint; None if they do.

    Args:
        scale: as for `check_fit`.
    """
    fitted = sheet.fit_to(width, height)
    if not fitted.capacity or _find_overflow(fitted):
        message = f"the sheet `{sheet.name}` has no room for it"
        return message, "name a sheet with larger paper"
    if sheet.labels and not scale:
        room = (fitted.slot_width + TOLERANCE, fitted.slot_height + TOLERANCE)
        if width <= room[0] and height <= room[1]:
            return None
        message = (
            f"the labels of the sheet `{sheet.name}` are "
            f"{sheet.slot_width:g} × {sheet.slot_height:g} mm"
        )
        return message, "name larger labels, or scale the cards to these with `--scale fit`"
    if not scale and (width, height) != (fitted.slot_width, fitted.slot_height):
        message = (
            f"the slots of the sheet `{sheet.name}` are "
            f"{sheet.slot_width:g} × {sheet.slot_height:g} mm"
        )
        return message, "name another format, or scale the cards to it with `--scale fit`"
    return None


def _read_format(name: str, node: Node) -> SheetFormat:
    def mm(attribute: str, default: Mm = 0) -> Mm:
        return float(node.get(attribute, str(default)) or default)

    return SheetFormat(
        name,
        mm("page-width"),
        mm("page-height"),
        int(node.get("columns", "0") or 0),
        int(node.get("rows", "0") or 0),
        mm("slot-width"),
        mm("slot-height"),
        mm("gutter"),
        mm("mark-length", 4),
        mm("mark-distance", 1.5),
        mm("mark-width", 0.1),
        mm("margin"),
        mm("bleed"),
        Marks(node.get("marks", "crop")),
        Flip(node.get("flip", "long")),
        node.get("order") == "columns",
        Fold(node.get("fold", "none")),
        turn=node.get("turn") == "true",
        row_gutter=mm("row-gutter") if node.get("row-gutter") else None,
        left=mm("left") if node.get("left") else None,
        top=mm("top") if node.get("top") else None,
        labels=node.get("labels") == "true",
    )


def load_game_sheet(game: Game, folder: GameFolder, report: Report) -> SheetFormat | None:
    """Return the sheet format of the game, None after reporting errors or kinds that do not fit."""
    sheet = load_format(game.setup.sheet, folder.xml, game.setup.sheet_source, report)
    if sheet is not None:
        check_fit(sheet, game.setup.kinds.values(), report)
    return None if has_errors(report) else sheet
