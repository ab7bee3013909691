"""The faces of a game in one style, as they are shown: as they are, or else as they last were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from deckwright.api import Card, FaceName, Game, GameError
from deckwright.base.choices import ChoiceError
from deckwright.base.findings import is_error
from deckwright.faces.backs import back_of
from deckwright.game import model
from deckwright.game.model import CardKey
from deckwright.studio.described import Described, described
from deckwright.studio.notices import Notice, notice
from deckwright.studio.pictures import Pictures


@dataclass(slots=True)
class Shown:
    """A face on the wall.

    Attributes:
        card: what is told of its card, as it was when the picture was made.
        hash: of its picture, None if there is none.
        pending: whether it was never composed.
        due: whether it is to be composed, since files have changed.
        stale: whether the picture is a former one, since the card has a mistake now.
        faults: why it cannot be shown as it is.
        unprinted: the fields that the picture leaves out because they have no room.
    """

    card: Described
    hash: str | None = None
    pending: bool = True
    due: bool = True
    stale: bool = False
    faults: tuple[Notice, ...] = ()
    unprinted: tuple[str, ...] = ()


def key_of(name: FaceName) -> str:
    """Return what the page calls a face: "FACTION:ID:PART:SIDE"."""
    return f"{name.faction}:{name.card}:{name.part}:{'back' if name.back else 'face'}"


class Wall:
    """All faces of a game in one style, in the order of their files."""

    def __init__(self, game: Game, style: str | None, pictures: Pictures) -> None:
        """Take the game and its style, None for the usual one; no face is composed yet."""
        self._game, self._style, self._pictures = game, style, pictures
        self._cards: dict[CardKey, Card] = {}
        self._read: dict[CardKey, model.Card] = {}
        self.faces: dict[FaceName, Shown] = {}
        self.turn()

    def turn(self, *, whole: bool = True) -> None:
        """Take the cards as the game has them now; all faces are to be composed again.

        Args:
            whole: whether cards that are not there any more are gone for good: else they may stand
                in what cannot be read, and are shown as they were.
        """
        self._cards = {(card.faction, card.id): card for card in self._game.cards}
        before, self.faces = self.faces, {}
        places = {name: place for place, name in enumerate(before)}
        self._read = {}
        for card, owner, _ in self._game.model.printed():
            if not owner:
                continue
            self._read[owner, card.id] = card
            for name in self._names(card, owner):
                shown = before.pop(name, None)
                if shown is None or shown.hash is None:
                    shown = Shown(self._described(name))
                shown.due = True
                self.faces[name] = shown
        if not whole:
            for name, shown in before.items():
                shown.stale, shown.pending, shown.due = shown.hash is not None, False, False
                self.faces[name] = shown
            self._put_back(places)

    def compose(self, name: FaceName) -> bool:
        """Compose a face; return whether it looks different now."""
        shown, former = self.faces[name], self.faces[name].hash
        shown.pending = shown.due = False
        card = self._cards.get((name.faction, name.card))
        if card is None:
            return False
        try:
            make = card.back if name.back else card.face
            face = make(style=name.style, part=name.part)
        except GameError as error:
            self._fail(name, error)
            return self._drafted(name, card) and shown.hash != former
        except ChoiceError:  # the style is gone
            shown.stale = shown.hash is not None
            return False
        if face is None:
            del self.faces[name]
            return former is not None
        shown.card, shown.hash = self._described(name), self._pictures.add(face)
        shown.stale, shown.faults, shown.unprinted = False, (), (*sorted(face.unprinted),)
        return shown.hash != former

    def _put_back(self, places: Mapping[FaceName, int]) -> None:
        """Put faces where they were; new ones stay behind those that they came after."""
        ranks: dict[FaceName, int] = {}
        last = -1
        for name in self.faces:
            last = ranks[name] = places.get(name, last)
        self.faces = {name: self.faces[name] for name in sorted(self.faces, key=ranks.__getitem__)}

    def _fail(self, name: FaceName, error: GameError) -> None:
        folder, shown = self._game.path, self.faces[name]
        shown.stale = shown.hash is not None
        if shown.stale:  # the card as it was, where it stands now
            shown.card = {**shown.card, "source": self._described(name)["source"]}
        shown.faults = tuple(notice(each, folder) for each in error.findings if is_error(each))

    def _drafted(self, name: FaceName, card: Card) -> bool:
        """Show a face with its faults; return whether it can be drawn so."""
        try:
            face = card.draft(style=name.style, part=name.part, back=name.back)
            picture = None if face is None else self._pictures.add(face)
        except GameError:
            return False
        if picture is None:
            return False
        shown = self.faces[name]
        shown.card, shown.hash, shown.stale = self._described(name), picture, False
        shown.unprinted = ()
        return True

    def _described(self, name: FaceName) -> Described:
        """Return what the files say of the card of a face."""
        card = self._read[name.faction, name.card]
        return described(card, name.faction, self._game.model, Path(self._game.path))

    def _names(self, card: model.Card, owner: str) -> Iterator[FaceName]:
        """Yield the faces and backs of a card."""
        sides = (False,) if back_of(self._game.model, card, owner) is None else (False, True)
        for part in range(1, card.parts + 1):
            for back in sides:
                yield FaceName(owner, card.id, self._style, back, part)
