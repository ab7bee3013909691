"""Marker sheets: the counters of a game, ready to cut, and their other sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.base.geometry import Box
from deckwright.base.units import PAPERS, Mm
from deckwright.faces.factory import FaceFactory
from deckwright.faces.markers import marker_sides
from deckwright.game.counters import Marker, MarkerSheet
from deckwright.ops.bleed import with_bleed
from deckwright.ops.model import Face, Outline
from deckwright.ops.outlines import ellipse, polygon
from deckwright.sheet.cutting import Layer, cut_of, rounded
from deckwright.sheet.format import E003
from deckwright.sheet.pages import Page, Placed
from deckwright.sheet.registration import Registration
from deckwright.sheet.slug import HEIGHT, LEAST_EDGE, beside_marks
from deckwright.sheet.tiles import FOOT, Paper, Sheet, foot_of, tile

Sides = tuple[Marker, Face, Face | None]
_ROUND = 0.08
"""The radius of the corners of square markers that a machine cuts, as a share of their width."""


class Machined(NamedTuple):
    """How a machine cuts markers: with its marks on the paper, and along which layer's lines."""

    marks: Registration
    layer: Layer = Layer.CUT


def marker_pages(
    markers: Sequence[Marker],
    paper: Paper,
    factory: FaceFactory,
    report: Report,
    machined: Machined | None = None,
) -> list[Page]:
    """Return the sheets of markers; none after reporting what keeps them from being printed.

    If any marker has another side, each sheet is followed by its back, to be turned over on the
    long edge. The foot of the paper is given up if a marker needs it.

    Args:
        machined: how a machine cuts them; None if people do, along straight lines.
    """
    if not all(paper.fits(m.size, m.height) for m in markers if m.copies):
        paper = paper._replace(foot=0)
    items = []
    for marker in markers:
        if not marker.copies:
            continue
        sides = marker_sides(marker, factory, report)
        if sides is None:
            continue
        if not paper.fits(marker.size, marker.height):
            message = (
                f"marker `{marker.id}` is {marker.size:g} × {marker.height:g} mm, larger than the "
                f"paper of {paper.width:g} × {paper.height:g} mm less its margins"
            )
            report.append(E003.at(marker.source.at("size"), message, "make it smaller"))
            continue
        items += [((marker, *sides), marker.size, marker.height)] * marker.copies
    if has_errors(report):
        return []
    sheets = tile(items, paper)
    two_sided = any(marker.other for marker in markers if marker.copies)
    pages, seen = [], set[str]()
    for sheet in sheets:
        pages.append(_front(sheet, seen, machined))
        if two_sided:
            pages.append(_back(sheet, machined))
    return pages


def _front(sheet: Sheet[Sides], seen: set[str], machined: Machined | None) -> Page:
    """Return the front of a sheet; what stands on none before gets a bookmark."""
    placements = list(sheet.placements())
    names = dict.fromkeys(p.item[0].face.name for p in placements)
    new = [name for name in names if name not in seen]
    seen.update(new)
    paper, bleed = sheet.paper, machined.marks.bleed if machined else 0
    page = Page(
        paper.width,
        paper.height,
        tuple(_placed(p.item[1], p.slot.x, p.slot.y, bleed) for p in placements),
        sheet.cut_lines() if machined is None else (),
        " · ".join(new) or None,
        slug=foot_of(paper),
    )
    if machined is None:
        return page
    printed = [p.slot.grown(bleed) for p in placements]
    marks = machined.marks.longest_for(printed)
    edges = [outline_of(p.item[0], p.slot) for p in placements]
    slug = page.slug and beside_marks(page.slug, marks)
    return page._replace(ops=marks.ops(), slug=slug, cut=cut_of(marks, {machined.layer: edges}))


def _placed(face: Face, x: Mm, y: Mm, bleed: Mm) -> Placed:
    """Return a side of a marker, printed beyond its edges as far as the bleed."""
    return Placed(with_bleed(face, bleed), x, y, reach=(bleed, bleed))


def outline_of(marker: Marker, box: Box) -> Outline:
    """Return the line along which a marker is cut out."""
    x, y, width, height = box
    if marker.shape == "circle":
        return ellipse(x + width / 2, y + height / 2, width / 2, height / 2)
    if marker.shape == "square":
        return rounded(box, width * _ROUND)
    quarter, middle = width / 4, y + height / 2
    top = [(x + quarter, y), (x + 3 * quarter, y), (box.right, middle)]
    return polygon([*top, (x + 3 * quarter, box.bottom), (x + quarter, box.bottom), (x, middle)])


def _back(sheet: Sheet[Sides], machined: Machined | None) -> Page:
    """Return the back of a sheet: mirrored, as it lies when the sheet is turned over."""
    paper, bleed = sheet.paper, machined.marks.bleed if machined else 0
    faces = tuple(
        _placed(p.item[2], paper.width - p.slot.right, p.slot.y, bleed)
        for p in sheet.placements()
        if p.item[2] is not None
    )
    return Page(paper.width, paper.height, faces, slug=foot_of(paper), behind=True)


def paper_of(
    sheet: MarkerSheet,
    name: str | None,
    edge: Mm = 0,
    *,
    footer: bool = True,
    marks: Registration | None = None,
) -> Paper:
    """Return the paper for markers: the one of this name, or that of `game.xml`.

    Args:
        edge: what the printer leaves white; the game may ask for more.
        footer: whether it has a ruler and a footer.
        marks: those of the machine that cuts it, None if people do.
    """
    margin = max(sheet.margin, edge)
    below = FOOT + max(0, LEAST_EDGE - margin) if footer else 0
    paper = Paper(*PAPERS[name or sheet.paper], margin, below)
    if marks is None:
        return paper
    area = marks.clear_box().grown(-marks.bleed)
    above = paper.height - (HEIGHT + max(margin, LEAST_EDGE) + 1 if footer else 0)
    area = area._replace(height=min(area.height, above - area.y))
    return paper._replace(gutter=marks.gutter, area=area)
