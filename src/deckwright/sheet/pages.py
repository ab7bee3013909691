"""Pages ready to be painted: faces at their places, and ops of the page itself."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.face.ops import Face, Op
from deckwright.units import Mm


class Placed(NamedTuple):
    """A face with its top left corner at x, y."""

    face: Face
    x: Mm
    y: Mm


class Page(NamedTuple):
    """A page.

    Attributes:
        faces: the faces on it.
        ops: what is on it besides faces, in the page's coordinates.
        bookmark: the title under which a reader finds it, None for no bookmark.
    """

    width: Mm
    height: Mm
    faces: tuple[Placed, ...] = ()
    ops: tuple[Op, ...] = ()
    bookmark: str | None = None
