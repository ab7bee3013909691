"""Cards and faces of an open game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from deckwright.api.options import GameError, require_positive_dpi
from deckwright.api.session import ComposedFace, FaceName, GameSession

if TYPE_CHECKING:
    from deckwright.base.findings import Report
    from deckwright.base.geometry import Box
    from deckwright.base.units import Mm
    from deckwright.game import model
    from deckwright.game.kinds import FieldValue
    from deckwright.ops import model as drawn
    from deckwright.ops.model import Op
    from deckwright.templates.tracing import PlacedElement


class Face:
    """One composed side of a card. A reload of the game does not change it.

    Attributes:
        name: which face it is, a `FaceName`.
        digest: a hash of its ops and of the fonts and pictures that they use, 40 hexadecimal
            digits. Two faces that print the same have the same digest.
        findings: warnings from its composition, such as a text that had to be shrunk.
    """

    def __init__(self, name: FaceName, composed: ComposedFace) -> None:
        """Use `Card.face` or `Card.back` to create faces."""
        self.name = name
        self._face, self._title, self._language, self._maker, factory, self.findings = composed
        self._factory = factory
        self.digest: str = self._maker.digests.of(self._face)
        # The pictures as they are now.
        self._images = self._maker.factory.pictures.store

    def __repr__(self) -> str:
        return f"<Face {self.name.card} {self.width:g} × {self.height:g} mm>"

    @property
    def ops(self) -> tuple[Op, ...]:
        """The drawing operations, bottom first, in mm from the top left corner."""
        return self._face.ops

    @property
    def width(self) -> Mm:
        """The width of the trim box."""
        return self._face.width

    @property
    def height(self) -> Mm:
        """The height of the trim box."""
        return self._face.height

    @property
    def unprinted(self) -> frozenset[str]:
        """The names of the fields that `first` in the template dropped for lack of space."""
        return self._face.unprinted

    def svg(self, *, bleed: Mm = 0) -> str:
        """Return the face as SVG, with letters as outlines and embedded pictures.

        Args:
            bleed: the width of the area shown around the trim box, in mm.

        Raises:
            GameError: if one of its pictures cannot be read.
        """
        from deckwright.paint.svg import SvgOptions, face_svg  # only to paint

        face = self._prepare(bleed)
        look = SvgOptions(self._title, self._language, bleed)
        return face_svg(face, self._maker.glyphs, self._images, look)

    def boxes_of(self, picture: str) -> tuple[tuple[Box, bool], ...]:
        """Return the boxes that show a picture, each with whether the picture covers it.

        Args:
            picture: its name in `img`.
        """
        from deckwright.base.geometry import split_crop  # only to crop

        return tuple(
            (each.extent, each.values["fit"] == "cover")
            for each in self.elements()
            if each.part.node.tag == "image" and each.extent is not None
            if split_crop(each.values["href"])[0] == picture
        )

    def elements(self) -> list[PlacedElement]:
        """Return the elements of its templates that drew it, each after the one around it."""
        from deckwright.templates.tracing import trace_elements  # only to edit templates

        templates, metrics = self._factory.all_templates(), self._factory.metrics
        return trace_elements(self.ops, templates, metrics)

    def png(self, *, dpi: float = 300, bleed: Mm = 0) -> bytes:
        """Return the face as a PNG file.

        Args:
            dpi: pixels per inch.
            bleed: the width of the area shown around the trim box, in mm.

        Raises:
            GameError: if one of its pictures cannot be read, or it would have too many pixels.
            ValueError: if `dpi` is not above 0.
        """
        require_positive_dpi(dpi)

        from deckwright.base.output import OutputError
        from deckwright.outputs.pictures import check_picture_size  # only to paint
        from deckwright.paint.raster import Encoding, Raster, draw

        face = self._prepare(bleed)
        raster, encoding = Raster(dpi, bleed=bleed), Encoding("png")
        try:
            check_picture_size(self.name.card, face, raster, encoding)
        except OutputError as error:
            raise GameError(error.findings) from error
        (picture,) = draw([face], self._maker.factory.fonts, self._images, raster)
        return encoding.encode(picture, dpi)

    def _prepare(self, bleed: Mm) -> drawn.Face:
        """Return the face with its bleed after preparing its pictures for painting."""
        from deckwright.faces.selection import prepare_images  # only to paint
        from deckwright.ops.bleed import add_bleed

        face = add_bleed(self._face, bleed)
        report: Report = []
        if not prepare_images([face], self._images, report):
            raise GameError(report)
        return face


class Card:
    """A card or token of an open game, as a faction prints it.

    It refers to the card by its id, so after `Game.reload` it returns the new values. A `style` is
    one of `Game.styles`, or None for the default one. A face with errors is a GameError; a style or
    part that does not exist is a ValueError.

    Attributes:
        id: its id; that of a token is its rule's, with a number: "ca001/1".
        faction: the id of the faction that prints it.
    """

    def __init__(self, game: GameSession, faction: str, card_id: str) -> None:
        """Use `Game.card` or `Game.cards` to create cards."""
        self._game = game
        self.faction = faction
        self.id = card_id

    def __repr__(self) -> str:
        return f"<Card {self.id}>"

    @property
    def name(self) -> str:
        """Its name in print.

        Raises:
            GameError: like all other properties, if the card no longer exists.
        """
        return self._card.name

    @property
    def kind(self) -> str:
        """The tag of its kind, such as "card" or "token"."""
        return self._card.kind.tag

    @property
    def is_token(self) -> bool:
        """True if only rules create it."""
        return self._card.kind.token

    @property
    def parts(self) -> int:
        """The number of faces of a copy, at least 1."""
        return self._card.parts

    @property
    def fields(self) -> Mapping[str, FieldValue]:
        """The values of its fields by name."""
        return MappingProxyType(dict(self._card.fields))

    def face(self, *, style: str | None = None, part: int = 1) -> Face:
        """Return its face.

        Args:
            part: the number of the face, from 1.
        """
        name = self._name(style, part)
        composed = self._game.face(name)
        assert composed is not None
        return Face(name, composed)

    def back(self, *, style: str | None = None, part: int = 1) -> Face | None:
        """Return its back, None if it has none.

        Args:
            part: the number of the face that it backs, from 1.
        """
        name = self._name(style, part)._replace(back=True)
        composed = self._game.face(name)
        return None if composed is None else Face(name, composed)

    def draft(self, *, style: str | None = None, part: int = 1, back: bool = False) -> Face | None:
        """Return its face or back despite errors in texts and pictures, which are framed in red.

        Its `findings` list the errors.

        Args:
            part: the number of the face, from 1.

        Returns:
            None if it cannot be drawn at all.
        """
        name = self._name(style, part)._replace(back=back)
        composed = self._game.draft(name)
        return None if composed is None else Face(name, composed)

    def _name(self, style: str | None, part: int) -> FaceName:
        if not 1 <= part <= self.parts:
            raise ValueError(f"card `{self.id}` has no part {part}, only {self.parts}")
        return FaceName(self.faction, self.id, style, part=part)

    @property
    def _card(self) -> model.Card:
        return self._game.card(self.faction, self.id)
