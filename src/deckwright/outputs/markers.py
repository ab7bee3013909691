"""Print markers: load, check, compose, impose and paint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.colors import lighten
from deckwright.base.findings import Report, has_errors
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.base.units import PAPER_SIZES, Mm
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_marker_sides
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.setup import Marker, MarkerSheet, apply_counts
from deckwright.ops.bleed import add_bleed
from deckwright.ops.model import Face, Outline, StrokePath
from deckwright.ops.outlines import ellipse, polygon
from deckwright.outputs.cutters.files import write_cuts
from deckwright.outputs.deck_pages import SheetItem, impose_cards, interleave_backs
from deckwright.outputs.pages import write_pages
from deckwright.outputs.printed import Item, Print
from deckwright.sheet.cutters import Cutter, Layer, Registration, card_outline, make_cut_plan
from deckwright.sheet.grid import Margins
from deckwright.sheet.impose import FOOT_HEIGHT, Paper, foot_slug, tile
from deckwright.sheet.layout import (
    E003,
    SheetLayout,
    SheetOptions,
    apply_options,
    check_printable_area,
    check_size,
    load_format,
)
from deckwright.sheet.pages import MIN_EDGE, SLUG_HEIGHT, Page, PlacedFace, shorten_slug

if TYPE_CHECKING:
    from deckwright.outputs.services.export import PressSettings


def lay_out_in_slots(
    markers: Sequence[Marker],
    options: SheetOptions,
    xml_folder: Path,
    factory: FaceFactory,
    report: Report,
) -> list[Page]:
    """Lay out markers in the slots of a sheet format.

    If any marker has two sides, each sheet is followed by its back, flipped as the format requires.
    """
    wanted = [marker for marker in markers if marker.copies]
    sheet = load_format(options.sheet or "", xml_folder, None, report)
    if sheet is None:
        raise OutputError
    sheet = apply_options(sheet, options, report)
    for marker in wanted:
        size, place = (marker.size, marker.height), marker.source.at("size")
        report += check_size(sheet, size, f"marker `{marker.id}` is", place, scale=options.scale)
    sizes = [(marker.size, marker.height) for marker in wanted]
    if not has_errors(report):
        check_printable_area(sheet, sizes, (0, 0), xml_folder, report)
    copies: list[SheetItem] = []
    for marker in wanted:
        sides = compose_marker_sides(marker, factory, report)
        if sides is not None:
            copies += [SheetItem(*sides, marker.face.name)] * marker.copies
    stop_on_errors(report)
    backs = any(marker.other for marker in wanted)
    return interleave_backs(
        impose_cards(
            copies, SheetLayout(sheet, backs, offset=options.offset, footer=options.footer)
        )
    )


_CORNER_SHARE = 0.08
"""The corner radius of machine-cut square markers, as a share of their width."""
_SHAPE_LINE: Mm = 0.12


class MachineCut(NamedTuple):
    """How a machine cuts markers: its marks on the paper and the layer of its lines."""

    marks: Registration
    layer: Layer = Layer.CUT


def lay_out_markers(
    markers: Sequence[Marker],
    paper: Paper,
    factory: FaceFactory,
    report: Report,
    machine: MachineCut | None = None,
) -> list[Page]:
    """Lay out markers on as few sheets as possible; return no pages after reporting errors.

    If any marker has two sides, each sheet is followed by its back, flipped on the long edge. The
    footer is dropped if a marker needs its space.

    Args:
        machine: how a machine cuts them; None for cutting by hand along straight lines.
    """
    markers = [marker for marker in markers if marker.copies]
    if not all(paper.fits(marker.size, marker.height) for marker in markers):
        paper = paper._replace(foot=0)
    kinds = []
    for marker in markers:
        sides = compose_marker_sides(marker, factory, report)
        if sides is None:
            continue
        if not paper.fits(marker.size, marker.height):
            message = (
                f"marker `{marker.id}` is {marker.size:g} × {marker.height:g} mm, larger than the "
                f"paper of {paper.width:g} × {paper.height:g} mm without its margins"
            )
            report.append(E003.at(marker.source.at("size"), message, "make it smaller"))
            continue
        kinds.append(((marker, *sides), marker.size, marker.height, marker.copies))
    if has_errors(report):
        return []
    sheets = tile(kinds, paper)
    two_sided = any(marker.other for marker in markers)
    bleed = machine.marks.cutter.bleed if machine else 0

    def place(face: Face, x: Mm, y: Mm) -> PlacedFace:
        return PlacedFace(add_bleed(face, bleed), x, y, reach=(bleed, bleed))

    pages, seen = list[Page](), set[str]()
    for sheet in sheets:
        # The front has a bookmark for markers new on it.
        placements = list(sheet.placements())
        names = dict.fromkeys(p.item[0].face.name for p in placements)
        new = [name for name in names if name not in seen]
        seen.update(new)
        size, slug = (paper.width, paper.height), foot_slug(paper)
        faces = tuple(place(p.item[1], p.slot.x, p.slot.y) for p in placements)
        page = Page(*size, faces, bookmark=" · ".join(new) or None, slug=slug)
        if machine is None:
            shapes = (_shape_line(p.item[0], p.slot) for p in placements)
            ops = (*sheet.cut_ticks(), *filter(None, shapes))
            page = page._replace(ops=ops, lines_below=sheet.cut_lines())
        else:
            marks = machine.marks.extend_arms([p.slot.expand(bleed) for p in placements])
            edges = [cut_outline(p.item[0], p.slot) for p in placements]
            page = page._replace(
                ops=marks.ops(),
                slug=slug and shorten_slug(slug, marks),
                cut_plan=make_cut_plan(marks, {machine.layer: edges}),
            )
        pages.append(page)
        if two_sided:
            faces = tuple(
                place(p.item[2], paper.width - p.slot.right, p.slot.y)
                for p in placements
                if p.item[2] is not None
            )
            pages.append(Page(*size, faces, slug=slug, is_back=True))
    return pages


def _shape_line(marker: Marker, box: Box) -> StrokePath | None:
    """Return a fine line around a marker whose shape straight cuts do not give it, else None."""
    if marker.shape == "square":
        return None
    return StrokePath(cut_outline(marker, box), lighten(marker.face.color, 0.7), _SHAPE_LINE)


def cut_outline(marker: Marker, box: Box) -> Outline:
    """Return the cut outline of a marker."""
    x, y, width, height = box
    if marker.shape == "circle":
        return ellipse(x + width / 2, y + height / 2, width / 2, height / 2)
    if marker.shape == "square":
        return card_outline(box, width * _CORNER_SHARE)
    quarter, middle = width / 4, y + height / 2
    top = [(x + quarter, y), (x + 3 * quarter, y), (box.right, middle)]
    return polygon([*top, (x + 3 * quarter, box.bottom), (x + quarter, box.bottom), (x, middle)])


def marker_paper(
    sheet: MarkerSheet,
    name: str | None,
    edge: Mm = 0,
    *,
    footer: bool = True,
    marks: Registration | None = None,
) -> Paper:
    """Return the paper for markers: the named one, or that of `game.xml`.

    Args:
        edge: the unprintable margin; the game may require a larger one.
        footer: whether to leave space for a ruler and a footer.
        marks: the marks of a cutting machine; None for cutting by hand.
    """
    margin = max(sheet.margin, edge)
    below = FOOT_HEIGHT + max(0, MIN_EDGE - margin) if footer else 0
    paper = Paper(*PAPER_SIZES[name or sheet.paper], margin, below)
    if marks is None:
        return paper
    area = marks.clear_box().expand(-marks.cutter.bleed)
    above = paper.height - (SLUG_HEIGHT + max(margin, MIN_EDGE) + 1 if footer else 0)
    area = area._replace(height=min(area.height, above - area.y))
    return paper._replace(gutter=marks.cutter.gutter, area=area)


class MarkerOptions(NamedTuple):
    """The options of `Game.print_markers`.

    Attributes:
        counts: counts that replace those of `game.xml`, by id or by id and value, such as
            "damage/10".
        margins: the unprintable margins.
        cutter: the cutting machine; None for cutting by hand.
        press: the settings for a press with a die; None for home printing.
        slots: the sheet with slots, such as labels; None for as few sheets as possible.
    """

    counts: Mapping[str, int] = MappingProxyType({})
    paper: str | None = None
    margins: Margins = Margins()
    footer: bool = True
    style: str | None = None
    cutter: Cutter | None = None
    kiss_cut: bool = False
    press: PressSettings | None = None
    slots: SheetOptions | None = None


def print_markers(
    folder: GameFolder, target: Path, options: MarkerOptions, report: Report
) -> Print:
    """Print a game's markers as a PDF to `target`."""
    setup = load.load_setup(folder, report)
    if setup is None or setup.marker_sheet is None or has_errors(report):
        raise OutputError
    # Markers show nothing of cards, so cards are not even read.
    game = Game(folder.path, setup, {}, {}, {})
    chosen = apply_counts(setup.markers, options.counts)

    press, slots = options.press, options.slots
    factory = FaceFactory(
        game, folder, report, options.style, plates=press is not None and press.plates
    )
    title = f"{setup.words['markers']} – {setup.name}"
    sheet, cutter, machined = setup.marker_sheet, options.cutter, None
    name, footer = options.paper or sheet.paper, options.footer
    if press is not None:
        from deckwright.outputs.services.export import empty_registration  # only for a press

        bleed, footer = press.service.bleed, False
        machined = MachineCut(empty_registration(*PAPER_SIZES[name], sheet.margin + bleed, bleed))
    if cutter is not None:
        marks = cutter.marks_on(*PAPER_SIZES[name], f"the paper `{name}`", report)
        if marks is None:
            raise OutputError
        machined = MachineCut(marks, Layer.KISS_CUT if options.kiss_cut else Layer.CUT)
    if slots is not None:
        pages = lay_out_in_slots(chosen, slots, folder.xml, factory, report)
    else:
        edge, marks = max(options.margins), machined.marks if machined else None
        on = marker_paper(sheet, name, edge, footer=footer, marks=marks)
        pages = lay_out_markers(chosen, on, factory, report, machined)
    stop_on_errors(report)
    items = tuple(
        Item(m.id, f"{m.face.name} {m.value or ''}".strip(), m.copies) for m in chosen if m.copies
    )
    if press is not None:
        from deckwright.outputs.services.export import die_page, print_for_press

        dies = [die_page(page, f"sheet {number}") for number, page in enumerate(pages, 1)]
        output = print_for_press(dies, title, factory, press, target, report, die=True)
        return Print((target, *output.masks), len(pages), items=items, press=output)
    about = f"{setup.name} · {setup.words['markers']}"
    write_pages(pages, title, about, factory, target, report)
    cuts = write_cuts(pages, options.cutter, target)
    return Print((target,), len(pages), items=items, cuts=cuts)
