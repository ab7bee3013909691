"""The pictures of a deck for a virtual table: sheets of faces, backs, and a thumbnail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from PIL import Image

from deckwright.faces.copies import Copy
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.outputs.tabletop.piles import Sheet
from deckwright.paint.raster import Encoding, Raster, draw
from deckwright.text.fonts import Font

_GROUND = "#808080"
"""The color of cells without a card."""

_THUMBNAIL = 256
"""The sides of the picture of a saved object, in pixels."""

_LARGEST_PNG = 6_000_000
"""The bytes beyond which a sheet is sent as JPEG: every player downloads it."""

Format = Literal["auto", "png", "jpg"]


class Picture(NamedTuple):
    """A picture of a deck, made only when it is drawn.

    Attributes:
        name: its file's name without the ending.
        cells: faces with the top left corners of their places.
        cell, size: width and height of each, and of the whole, in pixels.
    """

    name: str
    cells: tuple[tuple[Face, tuple[int, int]], ...]
    cell: tuple[int, int]
    size: tuple[int, int]

    def draw(self, fonts: Mapping[str, Font], images: ImageStore) -> Image.Image:
        """Return it drawn."""
        picture = Image.new("RGB", self.size, _GROUND)
        faces = (face for face, _ in self.cells)
        drawn = draw(faces, fonts, images, Raster(size=self.cell))
        for face, (_, place) in zip(drawn, self.cells, strict=True):
            picture.paste(face, place)
        return picture


class SheetPictures(NamedTuple):
    """The pictures of a sheet: its faces, and its backs or the one that all cards have."""

    faces: Picture
    backs: Picture


def pictures_of(sheet: Sheet, deck: str) -> SheetPictures:
    """Return the pictures of a sheet.

    Args:
        deck: what the names of its files begin with.
    """
    name = f"{deck}_{sheet.number}"
    grid = sheet.grid
    size = grid.columns * grid.cell[0], grid.rows * grid.cell[1]

    def whole(name: str, faces: list[Face], hidden: Face | None) -> Picture:
        cells = [(face, grid.place(index)) for index, face in enumerate(faces)]
        if hidden is not None:
            cells.append((hidden, grid.place(grid.last)))
        return Picture(name, tuple(cells), grid.cell, size)

    faces = [card.face for card in sheet.cards]
    backs = [card.back for card in sheet.cards if card.back is not None]
    if sheet.mixed:
        # A hidden card that had the back of one would tell what the others are not.
        return SheetPictures(whole(name, faces, None), whole(f"{name}_backs", backs, None))
    back = Picture(f"{name}_back", ((backs[0], (0, 0)),), grid.cell, grid.cell)
    return SheetPictures(whole(name, faces, backs[0]), back)


def thumbnail(card: Copy, fonts: Mapping[str, Font], images: ImageStore) -> Image.Image:
    """Return a card as the picture of a saved object, on nothing."""
    width, height = card.size
    scale = _THUMBNAIL / max(width, height)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    picture = next(draw([card.face], fonts, images, Raster(size=size)))
    ground = Image.new("RGBA", (_THUMBNAIL, _THUMBNAIL))
    ground.paste(picture, ((_THUMBNAIL - size[0]) // 2, (_THUMBNAIL - size[1]) // 2))
    return ground


_DPI = 300
"""What files of pictures say of their size, which nobody prints."""


def encoded(picture: Image.Image, form: Format) -> tuple[str, bytes]:
    """Return the ending and the content of a picture's file.

    Args:
        form: "auto" for PNG, but JPEG where PNG is very large and JPEG is smaller.
    """
    if form != "auto":
        return form, Encoding(form).file(picture, _DPI)
    data = Encoding("png").file(picture, _DPI)
    if len(data) > _LARGEST_PNG:
        other = Encoding("jpg").file(picture, _DPI)
        if len(other) < len(data):
            return "jpg", other
    return "png", data


def all_faces(cards: Iterable[Copy]) -> Iterator[Face]:
    """Yield the faces and backs of cards."""
    for card in cards:
        yield from filter(None, (card.face, card.back))
