"""Sheet formats, and the sheet layout of a print, checked against the printer's margins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.files import BundledFiles, is_file
from deckwright.base.findings import (
    Code,
    Diagnostic,
    Location,
    Report,
    Severity,
    find_nearest,
    format_names,
    has_errors,
    known_hint,
)
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.base.units import PAPER_SIZES, TOLERANCE, Mm
from deckwright.checks.loading import LimitOptions
from deckwright.game.decklist import ALL_CARDS, CardSelection
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Kind
from deckwright.game.model import Game
from deckwright.game.read import load_valid
from deckwright.game.setup import Setup
from deckwright.game.words import WatermarkText
from deckwright.ops.model import Face
from deckwright.ops.outlines import bounds_of
from deckwright.sheet.cutters import E090, Cutter, Layer
from deckwright.sheet.grid import Flip, Margins, Marks, SheetFormat
from deckwright.sheet.pages import MIN_EDGE, cut_marks, make_slug
from deckwright.xmlio.binding import model_shape, read_model
from deckwright.xmlio.node import Source

E003 = Code("E003", Severity.ERROR, "a sheet format that does not exist or does not fit")

_BUNDLED = BundledFiles(Path(__file__).parent / "formats", "sheets")
SHEET_SHAPE = model_shape(SheetFormat, "sheet")


def list_formats(xml_folder: Path) -> list[str]:
    """Return the names of all formats: bundled ones, and the game's own in `xml/sheets`."""
    return _BUNDLED.list_names(xml_folder)


def suggest_formats(name: str, xml_folder: Path, setup: Setup | None) -> str | None:
    """Return a hint with a format of a similar name, or else those for the cards of a game."""
    known = list_formats(xml_folder)
    if setup is None or find_nearest(name, known):
        return known_hint(name, known)
    kind = setup.card_kinds[0]
    formats = {each: load_format(each, xml_folder, None, []) for each in known}
    size = kind.width, kind.height
    fit = [each for each, f in formats.items() if f and (f.slot_width, f.slot_height) == size]
    return known_hint(name, fit or known)


def load_format(
    name: str, xml_folder: Path, named_at: Source | None, report: Report
) -> SheetFormat | None:
    """Return the sheet format `name`: the game's own in `xml/sheets`, or a bundled one.

    Args:
        named_at: the element whose attribute `format` names it; None if the user named it.
    """
    path = _BUNDLED.find_file(name, xml_folder)
    folders = xml_folder / _BUNDLED.game_subfolder, _BUNDLED.folder
    if not is_file(path) or path.parent not in folders:
        message = f"there is no sheet format `{name}`"
        place = named_at.at("format") if named_at else None
        report.append(E003.at(place, message, known_hint(name, list_formats(xml_folder))))
        return None
    root = load_valid(path, SHEET_SHAPE, report)
    if root is None:
        return None
    sheet = read_model(SheetFormat, root, name=name)
    if problem := _find_problem(sheet):
        report.append(E003.at(root.source.at(), *problem))
        return None
    return sheet


def _find_problem(sheet: SheetFormat) -> tuple[str, str] | None:
    """Return the error in a format, regardless of what is printed, and a hint; None if valid."""
    if bool(sheet.page_width) != bool(sheet.page_height):
        return "only one side of the paper is given", "give both, or neither for one card per page"
    if bool(sheet.slot_width) != bool(sheet.slot_height):
        hint = "give both, or neither for the card's own size"
        return "only one side of the slots is given", hint
    if sheet.turn and (sheet.columns or sheet.rows):
        message = "a sheet with `turn` calculates its own columns and rows"
        return message, "leave out `columns` and `rows`, or `turn`"
    grid = sheet.columns and sheet.rows
    if sheet.labels and not (grid and sheet.slot_width):
        hint = "give `columns`, `rows`, `slot-width` and `slot-height`"
        return "a sheet of labels needs their number and size", hint
    if sheet.has_position and (sheet.is_folded or not (sheet.page_width and grid)):
        message = "`left` and `top` need a sheet with given paper, columns and rows"
        hint = "give `page-width`, `page-height`, `columns` and `rows`, and leave out `fold`"
        return f"{message} that is not folded", hint
    single = {sheet.columns, sheet.rows} <= ({0, 1} if not sheet.page_width else {1})
    gutter = sheet.gutter if sheet.row_gutter is None else min(sheet.gutter, sheet.row_gutter)
    if not single and gutter < 2 * sheet.bleed - TOLERANCE:
        message = f"a bleed of {sheet.bleed:g} mm overlaps in a gutter of {gutter:g} mm"
        return message, "make the gutter at least twice as wide as the bleed"
    return _find_overflow(sheet) if sheet.slot_width and sheet.page_width and grid else None


def _find_overflow(sheet: SheetFormat) -> tuple[str, str] | None:
    """Return the message and hint for a grid too large for its paper; None if it fits."""
    grid, edge, half = sheet.grid_box, sheet.margin + sheet.bleed, sheet.face_area
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
        size, place = (kind.width, kind.height), kind.source.at("width")
        own = format_for(sheet, kind)
        report += check_size(own, size, f"`{kind.tag}` is", place, scale=scale)


def check_size(
    sheet: SheetFormat,
    size: tuple[Mm, Mm],
    subject: str,
    place: Location,
    *,
    scale: bool = False,
) -> Iterator[Diagnostic]:
    """Yield a finding if cards or markers of this size do not fit a sheet.

    Args:
        subject: what has the size, with its verb: "the cards are".
        scale: as for `check_fit`.
    """
    width, height = size
    if wrong := find_misfit(sheet, width, height, scale=scale):
        message = f"{subject} {width:g} × {height:g} mm, but {wrong[0]}"
        yield E003.at(place, message, wrong[1])


def format_for(sheet: SheetFormat, kind: Kind) -> SheetFormat:
    """Return the format for a kind: as many tokens of a size of their own as its paper holds."""
    if kind.full is None or sheet.labels:
        return sheet
    free = sheet._replace(slot_width=0, slot_height=0, left=None, top=None)
    if not sheet.page_width:
        return free
    return free._replace(columns=0, rows=0, margin=max(sheet.margin, MIN_EDGE))


def find_misfit(
    sheet: SheetFormat, width: Mm, height: Mm, *, scale: bool = False
) -> tuple[str, str] | None:
    """Return why cards of this size do not fit a sheet, and a hint; `scale` as for `check_fit`."""
    fitted = sheet.fit_to(width, height)
    if not fitted.capacity or _find_overflow(fitted):
        return f"the sheet `{sheet.name}` has no room for it", "choose a sheet with larger paper"
    room = (fitted.slot_width, fitted.slot_height)
    within = width <= room[0] + TOLERANCE and height <= room[1] + TOLERANCE
    if scale or (width, height) == room or (sheet.labels and within):
        return None
    are = f"of the sheet `{sheet.name}` are {sheet.slot_width:g} × {sheet.slot_height:g} mm"
    if sheet.labels:
        hint = "choose larger labels, or scale the cards to these with `--scale fit`"
        return f"the labels {are}", hint
    paper = f"{sheet.name.partition('-')[0]}-"
    fitting = _formats_by_size().get((width, height)) or ["a4", "letter"]
    fitting = [name for name in fitting if name.startswith(paper)] or fitting
    names = format_names(fitting, at_most=4)
    return f"the slots {are}", f"use {names}, or scale the cards to it with `--scale fit`"


@cache
def _formats_by_size() -> Mapping[tuple[Mm, Mm], list[str]]:
    """Return the names of the bundled formats by the size of their slots."""
    names: dict[tuple[Mm, Mm], list[str]] = {}
    for path in sorted(_BUNDLED.folder.glob("*.xml"), key=lambda path: path.stem):
        sheet = load_format(path.stem, path.parent, None, [])
        if sheet is not None and not sheet.labels:
            names.setdefault((sheet.slot_width, sheet.slot_height), []).append(path.stem)
    return names


def load_game_sheet(game: Game, folder: GameFolder, report: Report) -> SheetFormat | None:
    """Return the sheet format of the game, None after reporting errors or kinds that do not fit."""
    sheet = load_format(game.setup.sheet, folder.xml, game.setup.sheet_source, report)
    if sheet is not None:
        check_fit(sheet, game.setup.kinds.values(), report)
    return None if has_errors(report) else sheet


def sheet_margins(sheet: SheetFormat, *, footer: bool = True) -> Margins:
    """Return the white margins of a full sheet, for a format fitted to its cards.

    Args:
        footer: whether it has a ruler and a footer, if there is room.
    """
    boxes = _card_boxes(sheet)
    boxes += (bounds_of(mark.outline) for mark in cut_marks(sheet))
    if footer and (slug := make_slug(sheet)):
        boxes.append(slug.on_paper)
    return _margins_around(boxes, sheet)


def _card_boxes(sheet: SheetFormat) -> list[Box]:
    """Return the boxes around all cards of a sheet, including bleed."""
    box = sheet.grid_box.expand(sheet.bleed)
    return [box, sheet.mirrored(box)] if sheet.is_folded else [box]


def _margins_around(boxes: Iterable[Box], sheet: SheetFormat) -> Margins:
    """Return the margins around boxes on a sheet, rounded to micrometres."""
    box = Box.around(boxes)
    sides = (box.y, sheet.page_width - box.right, sheet.page_height - box.bottom, box.x)
    return Margins(*(round(side, 3) for side in sides))


def describe_margin(setup: Setup, folder: GameFolder) -> str | None:
    """Return a sentence about the smallest margin of the game's sheet.

    None if it cannot be read, or has no paper size of its own, as with one card per page.
    """
    sheet = load_format(setup.sheet, folder.xml, setup.sheet_source, [])
    if sheet is None or not sheet.page_width:
        return None
    fitted = (format_for(sheet, k).fit_to(k.width, k.height) for k in setup.kinds.values())
    margins = filter(None, (min(sheet_margins(each)) for each in fitted if each.capacity))
    margin = min(margins, default=None)
    prints = f"the sheet `{sheet.name}` prints up to"
    return None if margin is None else f"{prints} {margin:g} mm from the edges of the paper"


E060 = Code("E060", Severity.ERROR, "a sheet with cards where the printer cannot print")
L008 = Code("L008", Severity.WARNING, "a sheet with bleed where the printer cannot print")

_SIDES = ("upper", "right", "lower", "left")


def check_printable_area(
    sheet: SheetFormat,
    sizes: Iterable[tuple[Mm, Mm]],
    offset: tuple[Mm, Mm],
    xml_folder: Path,
    report: Report,
) -> None:
    """Report cards and bleed in the margins that the printer leaves white.

    Args:
        sizes: the widths and heights of the cards.
        offset: that of backs, right and down.
        xml_folder: the folder that may have sheet formats of the game.
    """
    if not any(sheet.unprintable):
        return
    sizes = list(sizes)
    fitted = [sheet.fit_to(*size) for size in sizes]
    if trimmed := _find_overreach((each._replace(bleed=0) for each in fitted), offset):
        side, distance, margin = trimmed
        message = (
            f"cards on the sheet `{sheet.name}` start {distance:g} mm from the {side} edge of the "
            f"paper, where the printer leaves {margin:g} mm white"
        )
        report.append(E060.at(None, message, _suggest_sheet(sheet, sizes, offset, xml_folder)))
    elif bled := _find_overreach(fitted, offset):
        side, distance, margin = bled
        message = (
            f"the bleed of cards on the sheet `{sheet.name}` ends {distance:g} mm from the {side} "
            f"edge of the paper, where the printer leaves {margin:g} mm white"
        )
        hint = "cut these edges with care, or choose a sheet with wider margins"
        report.append(L008.at(None, message, hint))


def _find_overreach(
    sheets: Iterable[SheetFormat], offset: tuple[Mm, Mm]
) -> tuple[str, Mm, Mm] | None:
    """Return where cards and their bleed exceed the printable area of fitted formats most.

    That is the side, the distance from the edge of the paper, and the margin that the printer
    leaves white there.
    """
    x, y = offset
    moves = min(0, y), -max(0, x), -max(0, y), min(0, x)
    sides: list[tuple[str, Mm, Mm]] = []
    for sheet in sheets:
        margins = _margins_around(_card_boxes(sheet), sheet)
        for each in zip(_SIDES, margins, moves, sheet.unprintable_edges, strict=True):
            side, margin, move, white = each
            if margin + move < white - TOLERANCE:
                sides.append((side, round(margin + move, 3), white))
    return max(sides, key=lambda side: side[2] - side[1], default=None)


def _suggest_sheet(
    sheet: SheetFormat, sizes: list[tuple[Mm, Mm]], offset: tuple[Mm, Mm], xml_folder: Path
) -> str:
    """Return the hint: the format on this paper with the most cards in the printable area."""
    fitting: list[tuple[int, str]] = []
    paper = {sheet.page_width, sheet.page_height}
    for name in list_formats(xml_folder):
        other = load_format(name, xml_folder, None, [])
        if other is None or other.labels != sheet.labels:
            continue
        if {other.page_width, other.page_height} != paper:
            continue
        other = other._replace(unprintable=sheet.unprintable)
        fitted = [other.fit_to(*size)._replace(bleed=0) for size in sizes]
        suits = not any(find_misfit(other, *size) for size in sizes)
        if suits and _find_overreach(fitted, offset) is None:
            fitting.append((-min(each.capacity for each in fitted), name))
    if not fitting:
        return "choose a sheet of larger paper with `--sheet`"
    return f"print on `--sheet {min(fitting)[1]}`"


class SheetOptions(NamedTuple):
    """The user's options for a print; None means the default of the game or format.

    Attributes:
        sheet: the name of the sheet format.
        scale: whether to scale faces to the slots.
        turn: whether to rotate cards if more fit then.
        backs: whether to print backs.
        separate_backs: whether to print backs to a separate file.
        offset: the correction of backs for the printer, right and down.
        unprintable: the margins that the printer leaves white.
        footer: whether to print a ruler and a footer.
        cutter: the cutting machine; None for cutting by hand.
        kiss_cut: whether the machine cuts only the stickers, not their backing paper.
        reference: whether to print decks with their rule references.
        odds: whether to print decks with the odds of their opening hands.
        fill: whether to fill empty slots with spare tokens.
        choice: the cards to print.
        draft: whether to print despite errors, with a mark across each faulty face.
        watermark: the text across all faces.
        style: the folder in `templates/` whose templates take precedence.
        rules: the limits to check decks against.
        slips: to print play-test slips for sleeves in place of cards, the amount by which they are
            narrower and lower than cards; None to print cards.
        token_size: the size of tokens, as in `Kind.resize`; None for the game's.
    """

    sheet: str | None = None
    scale: bool = False
    turn: bool | None = None
    backs: bool | None = None
    separate_backs: bool = False
    flip: Flip | None = None
    marks: Marks | None = None
    offset: tuple[Mm, Mm] = (0, 0)
    unprintable: Margins = Margins()
    footer: bool = True
    cutter: Cutter | None = None
    kiss_cut: bool = False
    reference: bool | None = None
    odds: bool = False
    fill: bool = False
    choice: CardSelection = ALL_CARDS
    draft: bool = False
    watermark: WatermarkText = None
    style: str | None = None
    rules: LimitOptions = LimitOptions()
    slips: Mm | None = None
    token_size: str | None = None


DEFAULT_SHEET_OPTIONS = SheetOptions()


class SheetLayout(NamedTuple):
    """The resolved sheet layout of a print.

    Attributes:
        format: the sheet format; its open values are filled in for each size of cards.
        backs: whether backs are printed.
        reference: whether decks are printed with their rule references; None for only those with
            cards that have no room for the texts of their rules.
        odds: whether decks are printed with the odds of their opening hands.
        cuts: the layer for the edges of cards.
        token_formats: the formats of tokens of a size of their own, by that size.
    """

    format: SheetFormat
    backs: bool = False
    separate_backs: bool = False
    offset: tuple[Mm, Mm] = (0, 0)
    footer: bool = True
    reference: bool | None = True
    odds: bool = False
    cuts: Layer = Layer.CUT
    token_formats: Mapping[tuple[Mm, Mm], SheetFormat] = MappingProxyType({})

    def fit_to(self, size: tuple[Mm, Mm]) -> SheetFormat:
        """Return the format with all open values filled in for cards of a size."""
        return self.token_formats.get(size, self.format).fit_to(*size)

    def paper(self, faces: Sequence[Face]) -> tuple[Mm, Mm] | None:
        """Return the size of the sheets, oriented for the first face.

        None if the format has no paper size of its own, as with one card per page.
        """
        sheet = self.format
        if not sheet.page_width:
            return None
        if faces:
            sheet = sheet.fit_to(faces[0].width, faces[0].height)
        return sheet.page_width, sheet.page_height


def load_layout(
    setup: Setup, xml_folder: Path, options: SheetOptions, report: Report
) -> SheetLayout:
    """Return the sheet layout of a print.

    Raises:
        OutputError: after reporting errors.
    """
    named_at = setup.sheet_source if options.sheet is None else None
    sheet = load_format(options.sheet or setup.sheet, xml_folder, named_at, report)
    if sheet is None:
        raise OutputError
    if options.slips is not None:
        # Without gutters, neighbors share cuts.
        paper = (sheet.page_width, sheet.page_height) if sheet.page_width else PAPER_SIZES["a4"]
        margin = max(sheet.margin, MIN_EDGE)
        sheet = SheetFormat(sheet.name, *paper, margin=margin, marks=Marks.LINES, flip=sheet.flip)
    sheet = apply_options(sheet, options, report)
    kinds = setup.kinds.values()
    check_fit(sheet, kinds, report, scale=options.scale)
    stop_on_errors(report)
    backs = setup.backs or sheet.is_folded if options.backs is None else options.backs
    backs = backs and options.slips is None
    offset = options.offset if backs and not sheet.is_folded else (0, 0)
    formats = {(kind.width, kind.height): format_for(sheet, kind) for kind in kinds}
    own = {size: each for size, each in formats.items() if each is not sheet}
    if sizes := [size for size in formats if size not in own]:
        check_printable_area(sheet, sizes, offset, xml_folder, report)
    for size, each in own.items():
        check_printable_area(each, [size], offset, xml_folder, report)
    stop_on_errors(report)
    apart = backs and options.separate_backs and not sheet.is_folded
    reference, styles = options.reference, setup.reference_styles
    if reference is None and (styles is None or options.style in styles):
        reference = True
    cuts = Layer.KISS_CUT if options.kiss_cut else Layer.CUT
    return SheetLayout(
        sheet, backs, apart, options.offset, options.footer, reference, options.odds, cuts, own
    )


def apply_options(sheet: SheetFormat, options: SheetOptions, report: Report) -> SheetFormat:
    """Return a format with the user's options applied.

    For a machine, only its paper, the size of its slots and its flip edge are kept.

    Raises:
        OutputError: after reporting errors.
    """
    if options.turn and not sheet.labels:
        sheet = sheet._replace(columns=0, rows=0, left=None, top=None)
    sheet = sheet._replace(
        flip=options.flip or sheet.flip,
        marks=options.marks or sheet.marks,
        unprintable=options.unprintable,
        turn=sheet.turn if options.turn is None else options.turn,
        scaled=options.scale,
    )
    cutter, owner = options.cutter, f"the sheet `{sheet.name}`"
    if cutter is None:
        return sheet
    if sheet.is_folded:
        message = f"{owner} is folded, but a machine cuts only one layer"
        hint = "choose a sheet that is not folded with `--sheet`"
        raise OutputError(E090.at(None, message, hint))
    marks = cutter.marks_on(sheet.page_width, sheet.page_height, owner, report)
    if marks is None:
        raise OutputError
    sheet = sheet._replace(columns=0, rows=0, left=None, top=None, registration=marks)
    sheet = sheet._replace(margin=0, marks=Marks.NONE, mark_length=0)
    return sheet._replace(gutter=cutter.gutter, bleed=cutter.bleed)
