"""Trace the ops of a face back to the elements of templates that drew them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from deckwright.base.geometry import IDENTITY, Box, Matrix, multiply, translation
from deckwright.ops.model import Group, Op, walk
from deckwright.ops.outlines import bounds_of
from deckwright.templates.attributes import AttributeValues, Palette
from deckwright.templates.template import BadValueError, Record, Template, TemplatePart
from deckwright.text.placing import extent
from deckwright.text.shaping import Metrics


class PlacedElement(NamedTuple):
    """An element of a template as it is drawn on a face.

    Attributes:
        part: the compiled element.
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


_SQUARES = frozenset({"image", "icon", "symbol"})
"""The elements that fill a box, which is a square unless it has a height."""


class _Drawn(NamedTuple):
    """What an element has drawn for some face."""

    part: TemplatePart
    record: Record
    ops: tuple[Op, ...]
    palette: Palette


def trace_elements(
    ops: Iterable[Op], templates: Iterable[Template], metrics: Metrics
) -> list[PlacedElement]:
    """Return the elements that drew ops, each after the one around it.

    Of the tiles of a pattern, only one is traced.
    """
    ops = tuple(ops)
    present = {id(op) for op in walk(ops)}
    drawn: dict[int, list[_Drawn]] = {}
    for template in templates:
        for part in template.parts:
            cached = ((record, result.ops) for record, result in part.draw_cache.items())
            for record, own in (*cached, *part.faulty.items()):
                if own and id(own[0]) in present:
                    each = _Drawn(part, record, own, template.palette)
                    drawn.setdefault(id(own[0]), []).append(each)
    for claims in drawn.values():
        claims.sort(key=lambda each: (len(each.ops), _height(each.record)), reverse=True)
    placed: list[PlacedElement] = []
    _Tracer(drawn, metrics, placed).visit(ops, IDENTITY)
    return placed


def _height(record: Record) -> int:
    """Return how deep elements are nested in one: those around others have the same ops."""
    return 1 + max(map(_height, record.children), default=0)


class _Tracer(NamedTuple):
    """Finds elements by the identity of the first of their ops.

    Attributes:
        drawn: what elements have drawn, by the `id()` of the first op, outer ones first.
        placed: the elements found so far.
    """

    drawn: dict[int, list[_Drawn]]
    metrics: Metrics
    placed: list[PlacedElement]

    def visit(
        self,
        ops: tuple[Op, ...],
        matrix: Matrix,
        around: int | None = None,
        found: frozenset[int] = frozenset(),
    ) -> None:
        """Find the elements that have drawn ops.

        Args:
            matrix: from the coordinates of the ops to those of the face.
            found: the `id()`s of the elements already found for all of these ops.
        """
        at = 0
        while at < len(ops):
            op = ops[at]
            for each in self.drawn.get(id(op), ()):
                here = ops[at : at + len(each.ops)]
                if id(each.part) not in found and [*map(id, here)] == [*map(id, each.ops)]:
                    index = self._place(each, matrix, around)
                    if each.part.node.tag == "pattern" and isinstance(op, Group):
                        tiles = {tile.matrix: tile for tile in op.ops if isinstance(tile, Group)}
                        box = bounds_of(op.clip) if op.clip else Box(0, 0, 0, 0)
                        first = tiles.get(translation(box.x, box.y), op.ops[0])
                        self.visit((first,), matrix, index)
                    else:
                        self.visit(here, matrix, index, found | {id(each.part)})
                    at += len(here)
                    break
            else:
                if isinstance(op, Group):
                    self.visit(op.ops, op.inner_matrix(matrix), around)
                at += 1

    def _place(self, each: _Drawn, matrix: Matrix, around: int | None) -> int | None:
        """Add an element; return its index, or the one around it if its values are invalid."""
        ops, (first, *_) = each.ops, each.ops
        with suppress(BadValueError):
            values = each.part.values(each.record.texts, each.palette)
            if (own := values.get("transform")) and isinstance(first, Group):
                matrix, ops = multiply(matrix, own), first.ops
            box = None
            if each.part.node.tag in _SQUARES:  # drawings have thousands of points
                height = values.get("height") or values["width"]
                box = Box(values["x"], values["y"], values["width"], height).transform(matrix)
            elif each.part.type.wrap is None or each.part.node.tag == "box":
                box = extent((Group(ops, matrix),), self.metrics)
            self.placed.append(PlacedElement(each.part, values, matrix, ops, box, around))
            while box is not None and around is not None:
                outer = self.placed[around]
                boxes = filter(None, (outer.extent, box))
                self.placed[around] = outer._replace(extent=Box.around(boxes))
                around = outer.around
            return len(self.placed) - 1
        return around
