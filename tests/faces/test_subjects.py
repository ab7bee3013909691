"""A face says itself what it is a side of, whatever becomes of it on its way to paper."""

from __future__ import annotations

from conftest import ROOT
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.faces.faulty import add_mark
from deckwright.game.folder import GameFolder
from deckwright.ops.bleed import add_bleed, square_corners
from deckwright.ops.model import Face, FillPath
from deckwright.ops.outlines import rectangle
from deckwright.outputs.services.press import fit_face
from deckwright.outputs.services.profile import CardSize
from support import load_all

POKER = CardSize("poker", "poker card", 63.5, 88.9)


def test_faces_of_cards_backs_and_tokens_say_what_they_are_sides_of() -> None:
    game = load_all(ROOT)
    factory = FaceFactory(game, GameFolder(ROOT), [])
    card, token = next(iter(game.cards.values())), next(iter(game.tokens()))
    sides = [
        *factory.card_faces(card, card.faction_id, []),
        factory.card_back(card, card.faction_id, []),
        *factory.card_faces(token, card.faction_id, []),
    ]
    back = f"the back of `{card.faction_id}`"
    assert [side and side.subject for side in sides] == [
        f"card `{card.id}`", back, f"token `{token.name}`",
    ]  # fmt: skip


def test_a_face_that_is_made_larger_marked_or_fitted_keeps_its_subject() -> None:
    game = load_all(ROOT)
    factory = FaceFactory(game, GameFolder(ROOT), [])
    card = next(iter(game.cards.values()))
    (face,) = factory.card_faces(card, card.faction_id, [])
    ground = FillPath(rectangle(0, 0, face.width, face.height, 3), "#123456")
    face = face._replace(bleed=0, ops=(ground,))
    for made in (
        add_bleed(face, 3),
        square_corners(face, 2, 1),
        add_mark(face),
        fit_face(face, POKER, 3),
    ):
        assert made is not face
        assert made.subject == face.subject == f"card `{card.id}`"
        assert NamedFace("x", "S", card, made).subject == made.subject


def test_a_stand_in_says_what_it_stands_for() -> None:
    game = load_all(ROOT)
    factory = FaceFactory(game, GameFolder(ROOT), [], faults=[])
    card = next(iter(game.cards.values()))
    broken = card._replace(kind=card.kind._replace(face="nothing.xml"))
    face = factory.card_face(broken, card.faction_id, [])
    assert isinstance(face, Face)
    assert face.subject == f"{card.name} ({card.id})"
