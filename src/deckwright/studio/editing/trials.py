"""What a draft would be in the game: what would be wrong, and its faces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypedDict

from deckwright.api import Card, Face, Game, GameError
from deckwright.base.choices import ChoiceError
from deckwright.base.findings import Diagnostic
from deckwright.faces.backs import back_of
from deckwright.game.model import Printed
from deckwright.game.values import as_written
from deckwright.studio.editing.boxes import BoxData, boxes_of
from deckwright.studio.editing.drafts import Unwritable
from deckwright.studio.editing.forms import UserData, user
from deckwright.studio.editing.marks import Places, at_fields, unwritten
from deckwright.studio.editing.spots import Spot, outlined, root_of
from deckwright.studio.editing.things import Thing, first_of, users

_MOST_SHOWN = 4
"""How many cards a preview of a rule or a name shows."""


class Trial(NamedTuple):
    """The game as it would be, None if it could not be read, and what would be wrong."""

    game: Game | None
    findings: list[dict[str, object]]
    places: Places | None = None


def tried(game: Game, spot: Spot, faults: Sequence[Unwritable] = ()) -> Trial:
    """Return a game with the file of a thing as it is written now.

    Args:
        faults: what cannot be written.
    """
    path, data = spot.file.path, spot.file.bytes()
    findings = [unwritten(fault) for fault in faults]
    known = game.faults
    try:
        outline = outlined(spot.thing, root_of(path, data), game.model)
        places: Places | None = Places(outline)
    except ChoiceError:  # it is taken out
        places = None
    except GameError as error:
        return Trial(None, [*findings, *at_fields(error.findings, (), None, game.path)])
    try:
        other = game.as_if({path: data})
    except GameError as error:
        return Trial(None, [*findings, *at_fields(error.findings, (), places, game.path)])
    found = at_fields(other.faults, known, places, game.path)
    return Trial(other, [*findings, *found], places)


class FaceData(TypedDict):
    """A face of a draft.

    Attributes:
        hash: of its picture, None if it cannot be composed.
        unprinted: the fields that it leaves out because they have no room.
    """

    card: UserData
    side: str
    part: int
    width: float
    height: float
    hash: str | None
    unprinted: list[str]


class Shown(NamedTuple):
    """What cards look like: their faces, where their pictures are on these, and the findings."""

    faces: list[FaceData]
    boxes: list[BoxData]
    findings: list[Diagnostic]


def shown(
    game: Game, cards: Sequence[Printed], style: str | None, draft: Callable[[Face], str]
) -> Shown:
    """Return what cards of a game look like in a style.

    Args:
        draft: keeps a face, and returns its hash.

    Raises:
        ChoiceError: if there is no such style.
    """
    faces: list[FaceData] = []
    boxes: list[BoxData] = []
    found: list[Diagnostic] = []
    for each in cards:
        card = game.card(each.card.id, faction=each.faction_id)
        kind = each.card.kind
        has_back = back_of(game.model, each.card, each.faction_id) is not None
        for part in range(1, each.card.parts + 1):
            for back in (False, True) if has_back else (False,):
                data: FaceData = {
                    "card": user(each),
                    "side": "back" if back else "face",
                    "part": part,
                    "width": kind.width,
                    "height": kind.height,
                    "hash": None,
                    "unprinted": [],
                }
                try:
                    face = _composed(card, style, part, back=back)
                    data["hash"] = draft(face) if face else None
                except GameError as error:
                    found += error.findings
                else:
                    if face is not None:
                        data["unprinted"] = sorted(face.unprinted)
                        found += face.findings
                        boxes += boxes_of(face, each.card, game.folder.images, data["side"], part)
                faces.append(data)
    return Shown(faces, boxes, found)


def _composed(card: Card, style: str | None, part: int, *, back: bool) -> Face | None:
    return card.back(style=style, part=part) if back else card.face(style=style, part=part)


def cards_on(game: Game, thing: Thing, named: object) -> list[Printed]:
    """Return the cards that a preview of a thing shows.

    Args:
        named: those that a request names for it: one, or a list of some.
    """
    model = game.model
    own = thing.of == "card"
    wanted = [(thing.faction, thing.id)] if own else [*_named(named)]
    printed = {(each.faction_id, each.card.id): each for each in model.printed() if each.faction_id}
    cards = [printed[key] for key in wanted if key in printed]
    if cards or own:
        return cards
    if thing.of == "rule":
        return users(model, thing.id)[:1]
    if thing.of == "faction":
        return first_of(model, thing.id)[:1]
    return [*printed.values()][:1]


def _named(said: object) -> Iterator[tuple[str, str]]:
    for each in (said if isinstance(said, list) else [said])[:_MOST_SHOWN]:
        if isinstance(each, dict):
            faction, card_id = each.get("faction"), each.get("id")
            if isinstance(faction, str) and isinstance(card_id, str):
                yield faction, card_id


def worked_out(cards: Sequence[Printed]) -> dict[str, str]:
    """Return the values of the fields of cards that are worked out."""
    return {
        field.name: as_written(field, each.card.fields.get(field.name))
        for each in cards
        for field in each.card.kind.fields
        if field.value is not None
    }


def demand_style(game: Game, style: object) -> str | None:
    """Return a style that a request names, None for the usual one.

    Raises:
        ChoiceError: if there is none of this name.
    """
    if style is None or style == "":
        return None
    if not isinstance(style, str) or style not in game.styles:
        raise ChoiceError("there is no such style")
    return style
