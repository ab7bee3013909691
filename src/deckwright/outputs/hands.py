"""Draw hands as a picture: faces in fans or in rows, on a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from deckwright.base.colors import darken, lighten, mix
from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.base.geometry import Box, Matrix, multiply, translation
from deckwright.base.output import OutputError, write_data
from deckwright.base.units import Mm
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import prepare_images
from deckwright.faces.watermark import make_watermark
from deckwright.game.model import Card
from deckwright.ops.model import Face, FillPath, Gradient, Group, Op, StrokePath
from deckwright.ops.outlines import cast_shadow, rectangle
from deckwright.outputs.pictures import PictureCache, check_picture_size
from deckwright.paint.raster import Encoding, Raster

_FELT = "#2b2a2c"
"""The base color of the table, before the faction's color is mixed in."""
_TINT, _LIGHT, _DARK = 0.6, 0.12, 0.35
_CORNER: Mm = 3
_EDGE, _PALE, _LINE, _RIM = "#1a1a1a", "#f6f1e6", 0.12, 0.9
"""The line around a card, and its pale rim, so that dark cards are seen on a dark table."""
_MARGIN = 0.1
"""The margin around the cards, as a share of a card's height."""
_CARDS_GAP, _HANDS_GAP = 0.07, 0.16
"""The gaps between cards in rows and between hands, as shares of a card's height."""
_RADIUS = 2.2
"""The minimum radius of a fan, in card heights."""
_MAX_FAN_ANGLE = math.radians(60)
"""The maximum angle of a fan; fans of many cards are flatter."""
_MAX_IN_FAN = 6
"""The most cards of a fan, so that they are legible in a chat; larger hands have more in each."""
_FAN_STEP, _FANS_STEP = 0.87, 1.2
"""The distances between the middles of neighbors and between fans, in card widths and heights."""
_ROWS_ASPECT = 2.0
"""The approximate aspect ratio of cards in rows."""


class Layout(Enum):
    """The arrangement of the cards of a hand."""

    FAN = "fan"
    ROWS = "rows"


class HandsOptions(NamedTuple):
    """Options for drawing hands."""

    layout: Layout = Layout.FAN
    style: str | None = None
    dpi: float = 200


class HandsPicture(NamedTuple):
    """A picture of hands, and its width and height in pixels."""

    path: Path
    size: tuple[int, int]
    findings: tuple[Diagnostic, ...] = ()


def draw_hands(
    hands: Sequence[tuple[Sequence[Card], Sequence[Card]]],
    factory: FaceFactory,
    color: str,
    options: HandsOptions,
    target: Path,
    report: Report,
) -> HandsPicture:
    """Draw hands one below the other as a PNG file.

    Args:
        hands: the cards of each hand, and those drawn in later turns.
        color: tints the table.
    """
    cards = {id(card): card for hand in hands for part in hand for card in part}
    factory.prefetch([(card, card.faction_id) for card in cards.values()], report)
    faces = {key: factory.card_face(card, card.faction_id, report) for key, card in cards.items()}
    mark = make_watermark(factory, None, report)
    shown = {key: mark.apply(face) for key, face in faces.items() if face is not None}
    if has_errors(report) or not prepare_images(shown.values(), factory.pictures.store, report):
        raise OutputError
    groups = [
        (layout, [shown[id(card)] for card in part])
        for hand in hands
        for layout, part in zip((options.layout, Layout.ROWS), hand, strict=True)
        if part
    ]
    picture = compose_table(groups, color)
    raster, encoding = Raster(options.dpi), Encoding("png")
    check_picture_size(target.name, picture, raster, encoding)
    pictures = PictureCache(factory, factory.pictures.store, raster, encoding)
    (data,) = pictures.files([picture])
    write_data(target, data)
    return HandsPicture(target, raster.pixels(picture))


def compose_table(groups: Sequence[tuple[Layout, Sequence[Face]]], color: str) -> Face:
    """Return groups of faces on a table, from the top."""
    high = max(face.height for _, faces in groups for face in faces)
    ops: list[Op] = []
    around: list[Box] = []
    y: Mm = 0
    for layout, faces in groups:
        places = [*(_fan(faces) if layout is Layout.FAN else _rows(faces))]
        box = Box.around(
            Box(0, 0, face.width, face.height).transform(matrix) for face, matrix in places
        )
        move = translation(-box.x - box.width / 2, y - box.y)
        for face, place in places:
            # A card with round corners and a shadow.
            matrix = multiply(move, place)
            radius = min(_CORNER, min(face.width, face.height) / 8)
            outline = rectangle(0, 0, face.width, face.height, radius)
            paper = FillPath(outline, "#ffffff")
            rim = StrokePath(outline, _PALE, 2 * _RIM)
            border = StrokePath(outline, _EDGE, _LINE)
            ops += cast_shadow((Group((paper,), matrix),), 3.2, "#000000", 0.42, (0.3, 1.4))
            ops.append(Group((rim, paper, Group(face.ops, clip=outline), border), matrix))
        around.append(box.transform(move))
        y += box.height + high * _HANDS_GAP
    box = Box.around(around).expand(high * _MARGIN)
    # The table is lit in the middle.
    felt = mix(_FELT, color, _TINT)
    middle = box.width / 2, box.height * 0.45
    edge = box.width * 1.12, box.height * 0.45
    stops = ((0.0, lighten(felt, _LIGHT)), (0.55, felt), (1.0, darken(felt, _DARK)))
    table = rectangle(0, 0, box.width, box.height)
    ground = FillPath(table, Gradient(middle, edge, stops, radial=True))
    return Face(box.width, box.height, (ground, Group(tuple(ops), translation(-box.x, -box.y))))


def _fan(faces: Sequence[Face]) -> Iterator[tuple[Face, Matrix]]:
    """Yield faces in fans, one below the other.

    A card covers a third of its left neighbor's foot, but not its upper corners, where signs are.
    """
    width, height = _largest_size(faces)
    fans = math.ceil(len(faces) / max(_MAX_IN_FAN, round(2 * math.sqrt(len(faces)))))
    most = math.ceil(len(faces) / fans)
    radius = max(height * _RADIUS, width * _FAN_STEP * (most - 1) / _MAX_FAN_ANGLE)
    step = width * _FAN_STEP / radius
    left = iter(faces)
    for fan in range(fans):
        size = len(faces) // fans + (fan < len(faces) % fans)
        down = fan * height * _FANS_STEP
        for number, face in enumerate(islice(left, size)):
            angle = step * (number - (size - 1) / 2)
            cos, sin = math.cos(angle), math.sin(angle)
            turned = (cos, sin, -sin, cos, radius * sin, down - radius * cos)
            yield face, multiply(turned, translation(-face.width / 2, height / 2 - face.height))


def _rows(faces: Sequence[Face]) -> Iterator[tuple[Face, Matrix]]:
    """Yield faces in rows, about twice as wide as high in total."""
    width, height = _largest_size(faces)
    gap = height * _CARDS_GAP
    across, down = width + gap, height + gap
    rows = max(1, round(math.sqrt(len(faces) * across / down / _ROWS_ASPECT)))
    columns = math.ceil(len(faces) / rows)
    for number, face in enumerate(faces):
        row, column = divmod(number, columns)
        in_row = min(columns, len(faces) - row * columns)
        x = (column - in_row / 2) * across + (across - face.width) / 2
        yield face, translation(x, row * down + height - face.height)


def _largest_size(faces: Iterable[Face]) -> tuple[Mm, Mm]:
    sizes = [(face.width, face.height) for face in faces]
    return max(width for width, _ in sizes), max(height for _, height in sizes)
