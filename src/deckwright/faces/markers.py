"""The faces of markers."""

from __future__ import annotations

from deckwright.base.findings import Report
from deckwright.faces.factory import FaceFactory
from deckwright.game.counters import Marker
from deckwright.ops.bleed import squared
from deckwright.ops.model import Face


def marker_sides(
    marker: Marker, factory: FaceFactory, report: Report
) -> tuple[Face, Face | None] | None:
    """Return the two sides of a marker, None after reporting why it cannot be drawn."""
    front = factory.marker_face(marker, marker.face, report)
    other = factory.marker_face(marker, marker.other, report) if marker.other else None
    if front is None or (marker.other and other is None):
        return None
    # Straight cuts leave no white corners where these are square.
    return squared(front, 0, 0), other and squared(other, 0, 0)
