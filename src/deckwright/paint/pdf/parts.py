"""Parts of flowing documents besides texts: faces, galleries, lists, boxes.

Platypus works in points with the y axis upwards; the inside of every part is in mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.platypus import CondPageBreak, Flowable

from deckwright.base.geometry import Box
from deckwright.base.units import POINTS, Mm
from deckwright.book import legible
from deckwright.book.model import Picture
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Group, Op
from deckwright.ops.readable import said_by
from deckwright.ops.tags import Tag
from deckwright.paint.pdf.press import Press
from deckwright.paint.pdf.texts import Part, TextPart, label_ops


class FacePart(Part):
    """A face, made smaller where it is wider or higher than the column."""

    def __init__(
        self,
        press: Press,
        face: Face,
        said: str,
        **more: Any,  # noqa: ANN401 - those of Part
    ) -> None:
        """Show `face` in the middle of the column; `said` is what it shows if it says nothing."""
        super().__init__(press, **more)
        self.face = face
        self.said = said

    def wrap(self, width: float, _: float) -> tuple[float, float]:
        """Take the whole width, and the height that the face needs."""
        self.scale = legible.figure_scale(self.face, width / POINTS, self.press.theme)
        self.width, self.height = width, self.face.height * self.scale * POINTS
        return self.width, self.height

    def ops(self) -> Sequence[Op]:
        """Return the face in the middle."""
        x = (self.width / POINTS - self.face.width * self.scale) / 2
        said = said_by(self.face) or self.said
        tag = Tag("Figure", said) if said else None
        return [Group(self.face.ops, (self.scale, 0.0, 0.0, self.scale, x, 0.0), tag=tag)]


class GalleryRow(Part):
    """Faces side by side, with captions below if any has one: a row of a gallery."""

    CAPTION: Mm = 5.2

    def __init__(
        self,
        press: Press,
        pictures: Sequence[Picture],
        columns: int,
        **more: Any,  # noqa: ANN401 - those of Part
    ) -> None:
        """Show faces as if there were `columns` of them."""
        super().__init__(press, anchors=[picture.anchor for picture in pictures], **more)
        self.pictures = pictures
        self.columns = columns

    def wrap(self, width: float, _: float) -> tuple[float, float]:
        """Share the width among the columns."""
        self.column = legible.column_width(self.columns, self.press.theme)
        self.scales = [legible.gallery_scale(picture, self.column) for picture in self.pictures]
        pictures = zip(self.pictures, self.scales, strict=True)
        self.face_height = max(picture.face.height * scale for picture, scale in pictures)
        below = self.CAPTION if any(picture.caption for picture in self.pictures) else 0
        self.width, self.height = width, (self.face_height + below) * POINTS
        return self.width, self.height

    def ops(self) -> Sequence[Op]:
        """Return the faces and their captions."""
        ops: list[Op] = []
        style = self.press.style(self.press.theme.size * 0.9, leading=1.2)
        for number, (picture, scale) in enumerate(zip(self.pictures, self.scales, strict=True)):
            face, left = picture.face, number * (self.column + legible.GAP)
            x = left + (self.column - face.width * scale) / 2
            trim = outlines.rectangle(0, 0, face.width, face.height)
            figure = Tag("Figure", said_by(face) or picture.caption or picture.anchor)
            ops.append(Group(face.ops, (scale, 0.0, 0.0, scale, x, 0.0), trim, tag=figure))
            if picture.caption:
                below = Box(left, self.face_height + 0.6, self.column, 4)
                caption = label_ops(self.press, picture.caption, style, below, "middle")
                ops.append(Group(tuple(caption), tag=Tag("Caption")))
        return ops


class Marked(Flowable):  # type: ignore[misc]
    """A flowable with a mark at its left, as items of lists and rules with their names have."""

    def __init__(self, mark: TextPart | None, inner: Flowable, indent: Mm) -> None:
        """Set `inner` in by `indent`; the mark stands in that space, beside its first line."""
        super().__init__()
        self.mark = mark
        self.inner = inner
        self.indent = indent * POINTS

    def getSpaceBefore(self) -> float:  # noqa: N802 - platypus' name
        """Return the inner part's distance."""
        return float(self.inner.getSpaceBefore())

    def getSpaceAfter(self) -> float:  # noqa: N802 - platypus' name
        """Return the inner part's distance."""
        return float(self.inner.getSpaceAfter())

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the inner part to what the mark leaves."""
        self.width = width
        _, inner = self.inner.wrap(width - self.indent, height)
        mark = 0.0
        if self.mark is not None:
            _, mark = self.mark.wrap(self.indent - 1.5 * POINTS, height)
        self.height = max(inner, mark)
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the inner part; the mark stays with its beginning."""
        self.wrap(width, height)
        parts = self.inner.split(width - self.indent, height)
        fits = self.mark is None or self.mark.height <= height
        if len(parts) < 2 or not fits:  # noqa: PLR2004 - before and behind the break
            return []
        mm = self.indent / POINTS
        rest = [
            part if isinstance(part, CondPageBreak) else Marked(None, part, mm)
            for part in parts[1:]
        ]
        return [Marked(self.mark, parts[0], mm), *rest]

    def draw(self) -> None:
        """Draw mark and inner part, both from the top."""
        for part, x in ((self.mark, 0.0), (self.inner, self.indent)):
            if part is not None:
                part.drawOn(self.canv, x, self.height - part.height)


class Boxed(Flowable):  # type: ignore[misc]
    """A flowable on a ground, with a bar at its left. Boxes that touch are one to the eye."""

    PAD: Mm = 3.2
    BAR: Mm = 1.1
    MARGIN: Mm = 2 * PAD + BAR

    def __init__(
        self, press: Press, inner: Flowable, ground: str, bar: str, top: Mm, bottom: Mm
    ) -> None:
        """Leave `top` and `bottom` of ground above and below."""
        super().__init__()
        self.press = press
        self.inner = inner
        self.colors = ground, bar
        self.top = top
        self.bottom = bottom
        self.left = (self.PAD + self.BAR) * POINTS

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Wrap the inner part to what padding leaves."""
        self.width = width
        room = width - self.left - self.PAD * POINTS
        _, inner = self.inner.wrap(room, height)
        self.height = inner + (self.top + self.bottom) * POINTS
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the inner part; both parts keep the ground."""
        room = width - self.left - self.PAD * POINTS
        parts = self.inner.split(room, height - (self.top + 1) * POINTS)
        if len(parts) < 2:  # noqa: PLR2004 - before and behind the break
            return []
        first = Boxed(self.press, parts[0], *self.colors, self.top, 1)
        rest = [
            part
            if isinstance(part, CondPageBreak)
            else Boxed(self.press, part, *self.colors, 1, self.bottom)
            for part in parts[1:]
        ]
        return [first, *rest]

    def draw(self) -> None:
        """Draw the ground, the bar and the inner part."""
        ground, bar = self.colors
        height, width = self.height / POINTS, self.width / POINTS
        ops = [
            FillPath(outlines.rectangle(0, -0.02, width, height + 0.04), ground),
            FillPath(outlines.rectangle(0, -0.02, self.BAR, height + 0.04), bar),
        ]
        self.press.paint(self.canv, ops, 0, self.height)
        self.inner.drawOn(self.canv, self.left, self.bottom * POINTS)


class Nothing(Flowable):  # type: ignore[misc]
    """Nothing, so that a page counts as begun."""

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Take no room."""
        return 0, 0

    def draw(self) -> None:
        """Draw nothing."""
