"""Pages ready to be painted: faces at their places, and ops of the page itself."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.base.geometry import Box, Matrix
from deckwright.base.units import Mm
from deckwright.game.model import FaceKey
from deckwright.ops.model import Face, Op
from deckwright.ops.tags import Tag
from deckwright.sheet.cutting import Cut
from deckwright.sheet.slug import Slug


class Placed(NamedTuple):
    """A face with the top left corner of its trim box, as it lies on the page, at x, y.

    Attributes:
        scale: how much larger than it is.
        turn: by how many quarters it is turned to the right, in the same place.
        reach: how much is shown of what it draws beyond its trim box: at its left and right, and
            at its top and bottom, in its own mm. What is farther out is cut off.
        of: whose face it is, None if it is no card's.
        back: whether it is the back of that.
    """

    face: Face
    x: Mm
    y: Mm
    scale: float = 1
    turn: int = 0
    reach: tuple[Mm, Mm] = (0, 0)
    of: FaceKey | None = None
    back: bool = False

    @property
    def box(self) -> Box:
        """The trim box on the page."""
        width, height = self.face.width * self.scale, self.face.height * self.scale
        return Box(self.x, self.y, *((height, width) if self.turn % 2 else (width, height)))

    @property
    def matrix(self) -> Matrix:
        """What moves, scales and turns the face to its place."""
        box, scale = self.box, self.scale
        turned = (
            (scale, 0, 0, scale, box.x, box.y),
            (0, scale, -scale, 0, box.right, box.y),
            (-scale, 0, 0, -scale, box.right, box.bottom),
            (0, -scale, scale, 0, box.x, box.bottom),
        )
        return turned[self.turn]


class Page(NamedTuple):
    """A page.

    Attributes:
        faces: the faces on it.
        ops: what is on it besides faces, in the page's coordinates.
        bookmark: the title under which a reader finds it, None for no bookmark.
        trim: the trim box of a page that is one card.
        bleed: how far that is printed beyond.
        slug: where it may have a ruler and a footer.
        behind: whether it is the other side of the page before.
        about: what the footer names besides the title of the print, such as a deck of several.
        cut: what a machine does on it, None if people do it.
        tag: what its ops are in.
    """

    width: Mm
    height: Mm
    faces: tuple[Placed, ...] = ()
    ops: tuple[Op, ...] = ()
    bookmark: str | None = None
    trim: Box | None = None
    bleed: Mm = 0
    slug: Slug | None = None
    behind: bool = False
    about: str = ""
    cut: Cut | None = None
    tag: Tag | None = None
