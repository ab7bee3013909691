"""The boxes that faces show pictures in, as their templates say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckwright.base.crops import uncropped
from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.ops.model import Group, Op
from deckwright.templates.template import Template

_IMAGE = "image"


class Framed(NamedTuple):
    """A box with a picture, and whether the picture covers it and so can be cropped."""

    box: Box
    cover: bool


def boxes_of(name: str, ops: Iterable[Op], templates: Iterable[Template]) -> Iterator[Framed]:
    """Yield the boxes of a picture on the face that consists of `ops`, moved as they are there.

    Args:
        name: the picture's, in `img`.
    """
    drawn = {id(first): framed for each in templates for first, framed in _drawn(name, each)}
    yield from _found(ops, drawn, IDENTITY) if drawn else ()


def _drawn(name: str, template: Template) -> Iterator[tuple[Op, Framed]]:
    """Yield the boxes that elements have drawn a picture in, with the first op of each."""
    for each in (template, *template.included.values()):
        for part in (part for part in each.parts if part.node.tag == _IMAGE):
            for record, (ops, *_) in part.drawn.items():
                values = part.values(record.texts, each.palette)
                if ops and uncropped(values["href"])[0] == name:
                    box = Box(values["x"], values["y"], values["width"], values["height"])
                    yield ops[0], Framed(box, values["fit"] == "cover")


def _found(ops: Iterable[Op], drawn: dict[int, Framed], matrix: Matrix) -> Iterator[Framed]:
    for op in ops:
        if framed := drawn.get(id(op)):
            yield framed._replace(box=framed.box.moved(matrix))
        elif isinstance(op, Group):
            yield from _found(op.ops, drawn, op.within(matrix))
