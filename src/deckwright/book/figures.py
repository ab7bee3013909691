"""Figures: cards, markers and drawings side by side, with letters that point at places of cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from deckwright.base.units import PER_UNIT, Mm
from deckwright.book.theme import INK
from deckwright.ops import outlines
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group, Op, StrokePath
from deckwright.ops.readable import said_by
from deckwright.text.shaping import Metrics

_GAP: Mm = 5
"""Between the parts of a figure."""
_ROOM: Mm = 15
"""Beside a card, for its letters."""
_RADIUS: Mm = 2.5
_APART: Mm = 6.4
"""The least distance of letters."""
_LETTER: Mm = 9 * PER_UNIT["pt"]
_PAPER = "#ffffff"


class Callout(NamedTuple):
    """A letter, and the place of a card that it points at."""

    letter: str
    x: Mm
    y: Mm


class Part(NamedTuple):
    """A part of a figure: a face at a scale, with callouts; `cut` if it ends at its trim box."""

    face: Face
    scale: float = 1
    callouts: Sequence[Callout] = ()
    cut: bool = False

    @property
    def width(self) -> Mm:
        """Its width, with room for letters."""
        return self.face.width * self.scale + (2 * _ROOM if self.callouts else 0)

    @property
    def height(self) -> Mm:
        """Its height."""
        letters = _RADIUS * 2 + _APART * (len(self.callouts) - 1)
        return max(self.face.height * self.scale, letters)


def compose_figure(
    parts: Iterable[Part], metrics: Metrics, font: str, width: Mm
) -> tuple[Face, ...]:
    """Return the parts side by side, in as many rows as they need; each row is a face.

    Args:
        font: of the letters.
        width: of rows; only a part that is alone may be wider.
    """
    rows: list[list[Part]] = []
    room: Mm = 0
    for part in parts:
        if not rows or room < _GAP + part.width:
            rows.append([])
            room = width + _GAP
        rows[-1].append(part)
        room -= _GAP + part.width
    return tuple(_row(row, metrics, font) for row in rows)


def _row(parts: Sequence[Part], metrics: Metrics, font: str) -> Face:
    height = max(part.height for part in parts)
    width = sum(part.width for part in parts) + _GAP * (len(parts) - 1)
    ops: list[Op] = []
    x: Mm = 0
    for part in parts:
        left = x + (_ROOM if part.callouts else 0)
        top = (height - part.face.height * part.scale) / 2
        trim = outlines.rectangle(0, 0, part.face.width, part.face.height) if part.cut else None
        ops.append(Group(part.face.ops, (part.scale, 0.0, 0.0, part.scale, left, top), trim))
        ops += _callouts(part, left, top, height, metrics, font)
        x += part.width + _GAP
    said = (said_by(part.face) for part in parts)
    return Face(width, height, tuple(ops), alt="\n".join(filter(None, said)))


def _callouts(
    part: Part, left: Mm, top: Mm, height: Mm, metrics: Metrics, font: str
) -> Iterator[Op]:
    """Yield the letters beside a card, each on the side that it points at, and their lines."""
    middle = part.face.width / 2
    right = left + part.face.width * part.scale
    for x, side in (
        (left - _ROOM + _RADIUS + 1, [c for c in part.callouts if c.x <= middle]),
        (right + _ROOM - _RADIUS - 1, [c for c in part.callouts if c.x > middle]),
    ):
        chosen = sorted(side, key=lambda callout: (callout.y, callout.x))
        targets = [(left + c.x * part.scale, top + c.y * part.scale) for c in chosen]
        places = _spread([y for _, y in targets], height)
        for callout, target, y in zip(chosen, targets, places, strict=True):
            yield from _pointer(x, y, target)
            yield from _letter(callout.letter, x, y, metrics, font)


def _spread(wanted: Iterable[Mm], height: Mm) -> list[Mm]:
    """Return places from the top, as near to the wanted ones as their distance allows."""
    places: list[Mm] = []
    for y in wanted:
        least = places[-1] + _APART if places else _RADIUS
        places.append(max(y, least))
    limit = height - _RADIUS
    for number in range(len(places) - 1, -1, -1):
        places[number] = min(places[number], limit)
        limit = places[number] - _APART
    return places


def _pointer(x: Mm, y: Mm, target: tuple[Mm, Mm]) -> Iterator[Op]:
    """Yield a line to a place, light around so that it is seen on any ground, and a dot there."""
    line = outlines.line(x, y, *target)
    yield StrokePath(line, _PAPER, 0.9)
    yield FillPath(outlines.ellipse(*target, 0.85, 0.85), _PAPER)
    yield StrokePath(line, INK, 0.3)
    yield FillPath(outlines.ellipse(*target, 0.55, 0.55), INK)


def _letter(letter: str, x: Mm, y: Mm, metrics: Metrics, font: str) -> Iterator[Op]:
    width = metrics.shape(font, letter).width * _LETTER
    base = y + metrics.vertical(font).cap_height * _LETTER / 2
    yield FillPath(outlines.ellipse(x, y, _RADIUS, _RADIUS), INK)
    yield DrawGlyphs(
        font, round(_LETTER, 4), round(x - width / 2, 4), round(base, 4), letter, (), _PAPER
    )
