"""Markers, the counters of a game, and how they are printed."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from deckwright.base.units import Mm
from deckwright.xmlio.node import Source


class Side(NamedTuple):
    """What one side of a marker shows. `color` is `#rrggbb`; `label` and `icon` may be empty."""

    name: str
    label: str
    icon: str
    color: str


class Marker(NamedTuple):
    """A kind of counter, or one of its denominations.

    Attributes:
        id: its id; that of a denomination has its value behind it, "damage/10".
        value: of a denomination.
        copies: how many are printed.
        size: its width; that of a hexagon goes from corner to corner.
        other: its other side, None if that is blank.
    """

    id: str
    value: int | None
    copies: int
    shape: Literal["square", "circle", "hexagon"]
    size: Mm
    face: Side
    other: Side | None
    source: Source

    @property
    def height(self) -> Mm:
        """Its height. Hexagons lie on a flat side."""
        return self.size * math.sqrt(3) / 2 if self.shape == "hexagon" else self.size


class MarkerSheet(NamedTuple):
    """How markers are printed: by which template, on what paper, and what edge stays white."""

    template: str
    paper: str
    margin: Mm
    source: Source
