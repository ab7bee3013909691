"""Painted content: operators, with the glyphs and objects that they name.

A piece of content does not depend on the file that it ends in: fonts are named by their ids, glyphs
by theirs, and all other objects by what they contain.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from deckwright.images.store import PreparedImage
from deckwright.paint.pdf.pictures import EncodedPicture, encode_picture


class Picture(NamedTuple):
    """An image as an object.

    Attributes:
        space: the color space if the channels are inks; empty for the image's own colors.
        ink: the separation that is its color space, if it is the plate of an ink.
        encoded: the image as it is written, None while only its file is known.
    """

    image: PreparedImage
    space: bytes = b""
    ink: Resource | None = None
    encoded: EncodedPicture | None = None

    def load(self) -> Picture:
        """Return it with the image as it is written."""
        if self.encoded is not None:
            return self
        is_plate = self.ink is not None
        return self._replace(encoded=encode_picture(self.image, is_plate=is_plate))


class Resource(NamedTuple):
    """An object that operators name.

    Attributes:
        kind: the key of the resource dictionary, such as "Shading".
        name: equal for equal objects of a file alone.
    """

    kind: str
    name: str
    body: bytes | Picture | Piece


class Piece(NamedTuple):
    """Content that is complete.

    Attributes:
        operators: not compressed; empty if `stream` is not.
        glyphs: the ids of the used glyphs, by the id of the font.
        resources: all but fonts.
        box: the corners of its visible part, if it is a form.
        stream: the compressed operators.
    """

    operators: bytes
    glyphs: Mapping[str, frozenset[int]]
    resources: tuple[Resource, ...]
    box: bytes = b""
    stream: bytes = b""

    def compress(self) -> Piece:
        """Return it with compressed operators alone."""
        return self._replace(operators=b"", stream=self.stream or zlib.compress(self.operators))

    def load_pictures(self) -> Piece:
        """Return it with its images, which no longer need their files."""
        resources = tuple(
            each._replace(body=each.body.load()) if isinstance(each.body, Picture) else each
            for each in self.resources
        )
        return self._replace(resources=resources)

    @property
    def size(self) -> int:
        """The number of bytes that it takes."""
        pictures = (each.body for each in self.resources if isinstance(each.body, Picture))
        images = sum(picture.encoded.size for picture in pictures if picture.encoded)
        return len(self.operators) + len(self.stream) + images


class Content:
    """Content that is being painted."""

    def __init__(self) -> None:
        """Start empty."""
        self.operators: list[str] = []
        self._glyphs: dict[str, set[int]] = {}
        self._resources: dict[str, Resource] = {}

    def add(self, operators: str) -> None:
        """Append operators."""
        self.operators.append(operators)

    def use_glyphs(self, font_id: str, glyphs: Iterable[int]) -> None:
        """Note that operators show glyphs."""
        self._glyphs.setdefault(font_id, set()).update(glyphs)

    def use(self, kind: str, name: str, body: bytes | Picture | Piece) -> None:
        """Note that operators name an object."""
        if name not in self._resources:
            self._resources[name] = Resource(kind, name, body)

    def place(self, piece: Piece) -> None:
        """Append a piece."""
        self.operators.append(piece.operators.decode("latin-1"))
        for font_id, glyphs in piece.glyphs.items():
            self.use_glyphs(font_id, glyphs)
        for resource in piece.resources:
            self._resources.setdefault(resource.name, resource)

    def finish(self, box: bytes = b"") -> Piece:
        """Return the complete content.

        Args:
            box: the corners of a form's visible part.
        """
        glyphs = {font_id: frozenset(used) for font_id, used in sorted(self._glyphs.items())}
        resources = tuple(resource for _, resource in sorted(self._resources.items()))
        return Piece("\n".join(self.operators).encode("latin-1"), glyphs, resources, box)
