"""The faces of a game in one style, as they are shown: as they are, or else as they last were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deckwright.api import Card, Face, FaceName, Game, GameError
from deckwright.base.choices import ChoiceError
from deckwright.base.findings import is_error
from deckwright.faces.backs import back_of
from deckwright.game.model import CardKey
from deckwright.studio.described import Described, described
from deckwright.studio.notices import Notice, notice
from deckwright.studio.pictures import Pictures


@dataclass(slots=True)
class Shown:
    """A face on the wall.

    Attributes:
        card: what is told of its card; of one that cannot be shown any more, what was told of it.
        hash: of its picture, None if there is none.
        pending: whether it is still to be composed.
        stale: whether the picture is a former one, since the card has a mistake now.
        faults: why it cannot be shown as it is.
    """

    card: Described
    hash: str | None = None
    pending: bool = True
    stale: bool = False
    faults: tuple[Notice, ...] = ()


def key_of(name: FaceName) -> str:
    """Return what the page calls a face: "FACTION:ID:PART:SIDE"."""
    return f"{name.faction}:{name.card}:{name.part}:{'back' if name.back else 'face'}"


class Wall:
    """All faces of a game in one style, in the order of their files."""

    def __init__(self, game: Game, style: str | None, pictures: Pictures) -> None:
        """Take the game and its style, None for the usual one; no face is composed yet."""
        self._game, self._style, self._pictures = game, style, pictures
        self._cards: dict[CardKey, Card] = {}
        self.faces: dict[FaceName, Shown] = {}
        self.turn()

    def turn(self, *, whole: bool = True) -> list[str]:
        """Take the cards as the game has them now.

        Args:
            whole: whether cards that are not there any more are gone for good: else they may stand
                in what cannot be read, and are shown as they were.

        Returns:
            the keys of the faces that are gone.
        """
        self._cards = {(card.faction, card.id): card for card in self._game.cards}
        before, self.faces = self.faces, {}
        places = {name: place for place, name in enumerate(before)}
        for name, told in self._listed():
            shown = before.pop(name, None)
            if shown is None:
                shown = Shown(told)
            elif not shown.stale:
                shown.card = told
            self.faces[name] = shown
        if not whole:
            for name, shown in before.items():
                if shown.hash is not None:
                    shown.stale, shown.pending = True, False
                    self.faces[name] = shown
            self._put_back(places)
        return [key_of(name) for name in before if name not in self.faces]

    def compose(self, name: FaceName) -> bool:
        """Compose a face; return whether it looks different now."""
        shown, former = self.faces[name], self.faces[name].hash
        shown.pending = False
        card = self._cards.get((name.faction, name.card))
        if card is None:
            return False
        try:
            make = card.back if name.back else card.face
            face = make(style=name.style, part=name.part)
        except GameError as error:
            self._fail(shown, error)
            return False
        except ChoiceError:  # the style is gone
            shown.stale = shown.hash is not None
            return False
        if face is None:
            del self.faces[name]
            return former is not None
        self.show(name, face)
        return shown.hash != former

    def show(self, name: FaceName, face: Face) -> None:
        """Show a face that was composed."""
        shown = self.faces[name]
        if shown.stale:
            told = dict(self._listed([(name.faction, name.card)]))
            shown.card = told.get(name, shown.card)
        shown.hash = self._pictures.add(face)
        shown.pending = shown.stale = False
        shown.faults = ()

    def retry(self) -> list[str]:
        """Compose what could not be composed before; return the keys of what looks different."""
        failed = [name for name, each in self.faces.items() if each.stale or each.faults]
        return [key_of(name) for name in failed if self.compose(name)]

    @property
    def pending(self) -> list[FaceName]:
        """What is still to be composed."""
        return [name for name, shown in self.faces.items() if shown.pending]

    def _put_back(self, places: Mapping[FaceName, int]) -> None:
        """Put faces where they were; new ones stay behind those that they came after."""
        ranks: dict[FaceName, int] = {}
        last = -1
        for name in self.faces:
            last = ranks[name] = places.get(name, last)
        self.faces = {name: self.faces[name] for name in sorted(self.faces, key=ranks.__getitem__)}

    def _fail(self, shown: Shown, error: GameError) -> None:
        folder = self._game.path
        shown.stale = shown.hash is not None
        shown.faults = tuple(notice(each, folder) for each in error.findings if is_error(each))

    def _listed(
        self, keys: Sequence[CardKey] | None = None
    ) -> Iterator[tuple[FaceName, Described]]:
        """Yield the faces and backs of all cards, or some, with what is told of each card."""
        model, folder = self._game.model, self._game.path
        wanted: Mapping[CardKey, None] | None = None if keys is None else dict.fromkeys(keys)
        for card, owner, _ in model.printed():
            if not owner or (wanted is not None and (owner, card.id) not in wanted):
                continue
            told = described(card, owner, model, Path(folder))
            sides = (False,) if back_of(model, card, owner) is None else (False, True)
            for part in range(1, card.parts + 1):
                for back in sides:
                    yield FaceName(owner, card.id, self._style, back, part), told
