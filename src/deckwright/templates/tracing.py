"""Trace the ops of a face back to the elements of templates that drew them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from deckwright.base.geometry import IDENTITY, Box, Matrix, multiply, translation
from deckwright.ops.model import Group, Op, walk
from deckwright.ops.outlines import bounds_of
from deckwright.templates.attributes import AttributeValues, Palette
from deckwright.templates.elements import mirror_values
from deckwright.templates.template import BadValueError, Record, Template, TemplatePart
from deckwright.text.placing import extent
from deckwright.text.shaping import Metrics


class PlacedElement(NamedTuple):
    """An element of a template as it is drawn on a face.

    Attributes:
        values: the values of its attributes for this face.
        matrix: from the coordinates of its attributes to those of the face.
        ops: what it draws, in its own coordinates.
        extent: the box around what it draws, on the face; for a container, around its elements.
        around: the index of the element around it, None at the top.
    """

    part: TemplatePart
    values: AttributeValues
    matrix: Matrix
    ops: tuple[Op, ...]
    extent: Box | None
    around: int | None


class _Drawn(NamedTuple):
    """What an element has drawn for some face."""

    part: TemplatePart
    record: Record
    ops: tuple[Op, ...]
    palette: Palette


def trace_elements(
    face: tuple[Op, ...], templates: Iterable[Template], metrics: Metrics
) -> list[PlacedElement]:
    """Return the elements that drew the ops of a face, each after the one around it.

    They are found by the identity of the first of their ops. Of the tiles of a pattern, only one
    is traced.
    """
    present = {id(op) for op in walk(face)}
    drawn: dict[int, list[_Drawn]] = {}
    for template in templates:
        for part in template.parts:
            cached = ((record, result.ops) for record, result in part.draw_cache.items())
            for record, own in (*cached, *part.faulty.items()):
                if own and id(own[0]) in present:
                    one = _Drawn(part, record, own, template.palette)
                    drawn.setdefault(id(own[0]), []).append(one)
    for all_ in drawn.values():  # those around others first
        all_.sort(key=lambda one: (len(one.ops), _height(one.record)), reverse=True)
    placed: list[PlacedElement] = []

    def visit(
        ops: tuple[Op, ...], matrix: Matrix, around: int | None, found: frozenset[int] = frozenset()
    ) -> None:
        at = 0
        while at < len(ops):
            op, size = ops[at], 1
            for one in drawn.get(id(op), ()):
                here = ops[at : at + len(one.ops)]
                if id(one.part) in found or [*map(id, here)] != [*map(id, one.ops)]:
                    continue
                size, index = len(here), _place(one, matrix, around, placed, metrics)
                if one.part.node.tag == "pattern" and isinstance(op, Group) and op.clip:
                    box = bounds_of(op.clip)
                    tiles = {tile.matrix: tile for tile in op.ops if isinstance(tile, Group)}
                    visit((tiles.get(translation(box.x, box.y), op.ops[0]),), matrix, index)
                else:
                    visit(here, matrix, index, found | {id(one.part)})
                break
            else:
                if isinstance(op, Group):
                    visit(op.ops, op.inner_matrix(matrix), around)
            at += size

    visit(face, IDENTITY, None)
    return placed


def _height(record: Record) -> int:
    """Return how deep elements are nested in one."""
    return 1 + max(map(_height, record.children), default=0)


def _place(
    one: _Drawn, matrix: Matrix, around: int | None, placed: list[PlacedElement], metrics: Metrics
) -> int | None:
    """Add an element; return its index, or the one around it if its values are invalid."""
    ops, (first, *_) = one.ops, one.ops
    with suppress(BadValueError):
        values, tag = one.part.values(one.record.texts, one.palette), one.part.node.tag
        if (turn := values.get("transform")) and isinstance(first, Group):
            matrix, ops = multiply(matrix, turn), first.ops
        box = None
        if tag in {"image", "icon", "symbol"}:  # drawings have thousands of points
            own = mirror_values(values) if one.record.mirrored else values
            sides = {"height": own["width"], **own}
            box = Box(*(sides[name] for name in Box._fields)).transform(matrix)
        elif one.part.type.wrap is None or tag == "box":
            box = extent((Group(ops, matrix),), metrics)
        placed.append(PlacedElement(one.part, values, matrix, ops, box, around))
        outer = around
        while box is not None and outer is not None:
            before = placed[outer]
            boxes = filter(None, (before.extent, box))
            placed[outer] = before._replace(extent=Box.around(boxes))
            outer = before.around
        return len(placed) - 1
    return around
