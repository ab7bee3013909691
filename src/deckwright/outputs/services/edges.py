"""Look at pictures of cards: is what reaches the cut printed to the end of the bleed?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from PIL import Image

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import Mm
from deckwright.faces.copies import Side
from deckwright.ops import outlines
from deckwright.ops.model import Face, Group, Op
from deckwright.outputs.services.profile import Service

E033 = Code("E033", Severity.ERROR, "a card with white bleed beside its printed edge")
E041 = Code("E041", Severity.WARNING, "a card with something that ends exactly at the cut")

_PAPER, _INKED = 250, 240
"""The darkest channel of what is as good as paper, and the lightest of what is seen on it."""
_OFF: Mm = 0.3
"""How far from the cut is looked at, on both sides of it."""
_DIFFERENT = 48
"""By how much a channel must differ to be another color."""
_WHITE_LENGTH: Mm = 1.0
_END_LENGTH: Mm = 3.0
"""How much of an edge must be amiss; the end of a line is less."""

_BEYOND: Mm = 1.0
"""How far beyond the cut a clip must reach, so that what it cuts out runs into the bleed."""

_EDGES = (
    ("left", Image.Transpose.ROTATE_270),
    ("upper", None),
    ("right", Image.Transpose.ROTATE_90),
    ("lower", Image.Transpose.ROTATE_180),
)
"""The edges, and how a picture is turned so that they are at its top."""

_Stretch = tuple[Mm, Mm]
"""A part of an edge, from where to where, as the edge lies when it is at the top."""


class _Edge(NamedTuple):
    """How much of an edge is white in the bleed beside ink, or changes at the cut."""

    name: str
    white: Mm
    ends: Mm


class Edges:
    """Looks at the edges of the cards of a service, and remembers what it has seen."""

    def __init__(self, service: Service) -> None:
        """Look at cards for this service."""
        self._service = service
        self._white: list[tuple[Side, list[_Edge]]] = []
        self._ends: dict[tuple[str, bool], list[tuple[Side, list[_Edge]]]] = {}

    def look(self, side: Side, picture: Image.Image, width: Mm) -> None:
        """Look at a card.

        What a clip cuts out, such as a scene, counts as a whole: if it runs into the bleed, it does
        not matter what in it ends at the cut.

        Args:
            picture: its face with the bleed of the service.
            width: of that in mm.
        """
        per_mm = picture.width / width
        bleed = self._service.bleed
        if round(bleed * per_mm) < 2:  # noqa: PLR2004 - a row at its end and one before that
            return
        whole = _runs_out(side.face)
        edges = [
            _edge(
                name,
                picture if turn is None else picture.transpose(turn),
                bleed,
                per_mm,
                whole[name],
            )
            for name, turn in _EDGES
        ]
        if white := [edge for edge in edges if edge.white > _WHITE_LENGTH]:
            self._white.append((side, white))
        elif ends := [edge for edge in edges if edge.ends > _END_LENGTH]:
            self._ends.setdefault(side.alike, []).append((side, ends))

    def findings(self) -> Iterator[Diagnostic]:
        """Yield what is amiss: white edges of each card, and others once for a kind of card."""
        for side, edges in self._white:
            where = ", ".join(f"{edge.white:.0f} mm of the {edge.name} edge" for edge in edges)
            yield E033.at(
                side.place,
                f"{side.subject}: the bleed of {self._service.bleed:g} mm is white along {where}, "
                "where the card is printed up to the cut",
                "let a background cover the card, or draw beyond the card as far as its kind's "
                "`bleed`",
            )
        for seen in self._ends.values():
            side, edges = seen[0]
            where = ", ".join(f"{edge.ends:.0f} mm of the {edge.name} edge" for edge in edges)
            others = f" (and on {len(seen) - 1} more of its kind)" if len(seen) > 1 else ""
            yield E041.at(
                side.place,
                f"{side.subject}: along {where} something ends exactly at the cut, so a cut even "
                f"slightly off will show{others}",
                "draw it beyond the card, as far as its kind's `bleed`",
            )


def _runs_out(face: Face) -> dict[str, list[_Stretch]]:
    """Return for each edge where something that a clip cuts out runs into the bleed."""
    found: dict[str, list[_Stretch]] = {name: [] for name, _ in _EDGES}
    for box in _clips(face.ops, IDENTITY):
        if box.x <= -_BEYOND:
            found["left"].append((face.height - box.bottom, face.height - box.y))
        if box.y <= -_BEYOND:
            found["upper"].append((box.x, box.right))
        if box.right >= face.width + _BEYOND:
            found["right"].append((box.y, box.bottom))
        if box.bottom >= face.height + _BEYOND:
            found["lower"].append((face.width - box.right, face.width - box.x))
    return found


def _clips(ops: Iterable[Op], matrix: Matrix) -> Iterator[Box]:
    """Yield the bounds of the outermost clips."""
    for op in ops:
        if isinstance(op, Group):
            inner = op.within(matrix)
            if op.clip:
                yield outlines.bounds_of(op.clip, inner)
            else:
                yield from _clips(op.ops, inner)


def _edge(
    name: str, picture: Image.Image, bleed: Mm, per_mm: float, whole: list[_Stretch]
) -> _Edge:
    """Return what is seen along the upper edge of a picture, and ends outside of `whole`.

    The corners do not count: what is there belongs to two edges.
    """

    def row(y: Mm) -> bytes:
        left, top = round(bleed * per_mm), int(y * per_mm)
        return picture.crop((left, top, picture.width - left, top + 1)).convert("RGB").tobytes()

    # The outermost pixels may be part of the card only in part.
    end, before, behind = row(1.01 / per_mm), row(bleed - _OFF), row(bleed + _OFF)
    white = sum(
        outer >= _PAPER and inner < _INKED
        for outer, inner in zip(_least(end), _least(behind), strict=True)
    )
    steps = [abs(one - other) > _DIFFERENT for one, other in zip(before, behind, strict=True)]
    ends = sum(
        any(step) and not any(start <= x / per_mm <= end for start, end in whole)
        for x, step in enumerate(zip(steps[0::3], steps[1::3], steps[2::3], strict=True))
    )
    return _Edge(name, white / per_mm, ends / per_mm)


def _least(row: bytes) -> bytes:
    """Return the smallest channel of each pixel."""
    return bytes(map(min, row[0::3], row[1::3], row[2::3]))
