"""The faces of markers."""

from __future__ import annotations

from deckwright.base.findings import Report
from deckwright.faces.factory import Workshop
from deckwright.game.counters import Marker
from deckwright.ops.bleed import squared
from deckwright.ops.model import Face


def marker_sides(
    marker: Marker, workshop: Workshop, report: Report
) -> tuple[Face, Face | None] | None:
    """Return the two sides of a marker, None after reporting why it cannot be drawn."""
    front = workshop.marker_face(marker, marker.face, report)
    other = workshop.marker_face(marker, marker.other, report) if marker.other else None
    if front is None or (marker.other and other is None):
        return None
    return _squared(front, workshop), other and _squared(other, workshop)


def _squared(face: Face, workshop: Workshop) -> Face:
    """Return a side with square corners, so that straight cuts leave no white ones."""
    whole = squared(face, 0, 0)
    workshop.subjects[id(whole)] = workshop.subjects.get(id(face), "")
    return whole
