"""Marker sheets: the counters of a game, ready to cut, and their other sides."""

from __future__ import annotations

from collections.abc import Sequence

from deckwright.base.findings import Report, has_errors
from deckwright.base.units import PAPERS, Mm
from deckwright.faces.factory import FaceFactory
from deckwright.faces.markers import marker_sides
from deckwright.game.counters import Marker, MarkerSheet
from deckwright.ops.model import Face
from deckwright.sheet.format import E003
from deckwright.sheet.pages import Page, Placed
from deckwright.sheet.slug import LEAST_EDGE
from deckwright.sheet.tiles import FOOT, Paper, Sheet, foot_of, tile

Sides = tuple[Marker, Face, Face | None]


def marker_pages(
    markers: Sequence[Marker], paper: Paper, factory: FaceFactory, report: Report
) -> list[Page]:
    """Return the sheets of markers; none after reporting what keeps them from being printed.

    If any marker has another side, each sheet is followed by its back, to be turned over on the
    long edge. The foot of the paper is given up if a marker needs it.
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
        pages.append(_front(sheet, seen))
        if two_sided:
            pages.append(_back(sheet))
    return pages


def _front(sheet: Sheet[Sides], seen: set[str]) -> Page:
    """Return the front of a sheet; what stands on none before gets a bookmark."""
    placements = list(sheet.placements())
    names = dict.fromkeys(p.item[0].face.name for p in placements)
    new = [name for name in names if name not in seen]
    seen.update(new)
    paper = sheet.paper
    return Page(
        paper.width,
        paper.height,
        tuple(Placed(p.item[1], p.slot.x, p.slot.y) for p in placements),
        sheet.cut_lines(),
        " · ".join(new) or None,
        slug=foot_of(paper),
    )


def _back(sheet: Sheet[Sides]) -> Page:
    """Return the back of a sheet: mirrored, as it lies when the sheet is turned over."""
    paper = sheet.paper
    faces = tuple(
        Placed(p.item[2], paper.width - p.slot.right, p.slot.y)
        for p in sheet.placements()
        if p.item[2] is not None
    )
    return Page(paper.width, paper.height, faces, slug=foot_of(paper), behind=True)


def paper_of(sheet: MarkerSheet, name: str | None, edge: Mm = 0, *, footer: bool = True) -> Paper:
    """Return the paper for markers: the one of this name, or that of `game.xml`.

    Args:
        edge: what the printer leaves white; the game may ask for more.
        footer: whether it has a ruler and a footer.
    """
    margin = max(sheet.margin, edge)
    below = FOOT + max(0, LEAST_EDGE - margin) if footer else 0
    return Paper(*PAPERS[name or sheet.paper], margin, below)
