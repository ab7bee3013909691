"""The open game as the studio shows it: its walls, its findings, and what has changed.

A gallery is for one thread. What it gives away is plain data.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TypedDict

from deckwright.api import FaceName, Game, GameError
from deckwright.base.choices import ChoiceError, demand
from deckwright.base.findings import Location, has_errors
from deckwright.checks.matching import matcher
from deckwright.game.folder import is_game
from deckwright.studio.described import filters, labels
from deckwright.studio.notices import Notice, by_card, notice
from deckwright.studio.pictures import Pictures
from deckwright.studio.searching import sought
from deckwright.studio.wall import Shown, Wall, key_of
from deckwright.xmlio.load import X006

Json = dict[str, object]
"""What becomes a JSON object."""


class Event(TypedDict):
    """What the page is told when something has changed.

    Attributes:
        version: of the walls; whoever knows an earlier one asks for the wall again.
        changed: the keys of the faces that look different, in any style.
        lost: the keys of those that are gone.
        ok: whether all is shown as the files want it.
        style, composed: hashes by the keys of the faces of a style that were composed for the first
            time, which changes no version.
    """

    version: int
    changed: list[str]
    lost: list[str]
    ok: bool
    style: str | None
    composed: dict[str, str]


class Gallery:
    """An open game, and its faces as they are shown."""

    def __init__(self, game: Game) -> None:
        """Take a game that keeps what it reads."""
        self._game = game
        self._own_setup = game.folder.has_own_setup
        self._pictures = Pictures()
        self._walls: dict[str | None, Wall] = {}
        self._trouble: tuple[Notice, ...] = ()
        self._checked: tuple[Notice, ...] = ()
        self._version = 1

    def facts(self) -> Json:
        """Return what is told of the game on every page."""
        setup = self._game.model.setup
        styles = [*self._game.styles]
        return {"name": setup.name, "language": setup.language, "styles": styles}

    def wall(self, style: str | None) -> Json:
        """Return the faces of a style, and all about them.

        Raises:
            ChoiceError: if there is no such style.
        """
        wall = self._wall(style)
        model, folder = self._game.model, self._game.path
        found = self._found()
        sources = {(owner, card.id): card.source for card, owner, _ in model.printed() if owner}
        at_cards = by_card(found, sources, folder)
        kinds = {kind.tag: kind.name for kind in model.setup.kinds.values()}
        return {
            "game": {
                **self.facts(),
                "style": style,
                "folder": str(folder.absolute()),
                "filters": filters(model),
                "kinds": kinds,
                "labels": labels(model),
            },
            "state": {"ok": self.ok, "findings": [each._asdict() for each in found]},
            "factions": [
                {"id": each.id, "name": each.name, "color": each.color}
                for each in model.factions.values()
            ],
            "faces": [
                _face(name, shown, at_cards.get((name.faction, name.card), ()))
                for name, shown in wall.faces.items()
            ],
            "version": self._version,
        }

    @property
    def ok(self) -> bool:
        """Whether all is shown as the files want it."""
        return not any(each.is_error for each in self._present())

    def now(self) -> Event:
        """Return how things are, for those who have just come."""
        return self._event()

    def reload(self) -> Event | None:
        """Read the files that have changed; return what is different, None if nothing is."""
        before = self._present()
        try:
            self._demand_game()
            files, faces, lost = self._game.reload()
        except GameError as error:
            trouble = tuple(notice(each, self._game.path) for each in error.findings)
            return self._troubled(trouble)
        except ChoiceError as error:
            return self._troubled((Notice("", "error", error.message, error.hint, None),))
        if not files and not self._trouble:
            return None
        self._trouble = ()
        whole = not has_errors(self._game.faults)
        changed: dict[str, None] = {}
        gone: dict[str, None] = {}
        for style, wall in [*self._walls.items()]:
            gone |= dict.fromkeys(wall.turn(whole=whole))
            for face in faces:
                name = face.name
                if name.style == style and name in wall.faces and wall.compose(name):
                    changed[key_of(name)] = None
            for name in lost:
                if name.style == style and name in wall.faces:
                    wall.compose(name)
            changed |= dict.fromkeys(wall.retry())
        self._pictures.keep(s.hash for wall in self._walls.values() for s in wall.faces.values())
        # What was known from reading is known anew; of the rest the next check tells.
        self._checked = tuple(each for each in self._checked if each not in before)
        self._version += 1
        return self._event(changed, gone)

    def compose(self, seconds: float) -> Event | None:
        """Compose faces that are pending for about so long; None if there are none."""
        until = time.monotonic() + seconds
        for style, wall in self._walls.items():
            pending = wall.pending
            if not pending:
                continue
            event = self._event()
            event["style"] = style
            failed = False
            for name in pending:
                wall.compose(name)
                shown = wall.faces.get(name)
                if shown is not None and shown.hash is not None:
                    event["composed"][key_of(name)] = shown.hash
                else:
                    failed = True
                if time.monotonic() > until:
                    break
            if failed:  # the page does not wait for these any longer
                self._version += 1
            event["version"], event["ok"] = self._version, self.ok
            return event
        return None

    def svg(self, name: str) -> bytes | None:
        """Return the face of a hash as SVG, None if there is none or it cannot be painted."""
        try:
            return self._pictures.svg(name)
        except GameError:
            return None

    def search(self, text: str) -> Json:
        """Return the cards that a condition holds for, or what is wrong with it."""
        try:
            where = sought(text, self._game.model.setup)
        except ChoiceError as error:
            return {"message": error.message, "hint": error.hint}
        holds = matcher(where)
        printed = self._game.model.printed()
        return {
            "cards": [f"{owner}:{card.id}" for card, owner, _ in printed if owner and holds(card)]
        }

    def note(self, checked: Iterable[Notice]) -> Event | None:
        """Take what the check of the whole game has found; return what is different."""
        found = tuple(checked)
        if found == self._checked:
            return None
        self._checked = found
        self._version += 1
        return self._event()

    def _wall(self, style: str | None) -> Wall:
        if style is not None:
            demand(style, self._game.styles, "style")
        if style not in self._walls:
            self._walls[style] = Wall(self._game, style, self._pictures)
        return self._walls[style]

    def _event(self, changed: Iterable[str] = (), lost: Iterable[str] = ()) -> Event:
        return {
            "version": self._version,
            "changed": [*changed],
            "lost": [*lost],
            "ok": self.ok,
            "style": None,
            "composed": {},
        }

    def _demand_game(self) -> None:
        """Raise a GameError if the files that make the folder a game are gone, as between saves."""
        folder = self._game.folder
        message = ""
        if not is_game(folder.path):
            message = "the folder `xml` is not there any more"
        elif self._own_setup and not folder.has_own_setup:
            message = "`game.xml` is not there any more"
        if message:
            place = Location(folder.xml / "game.xml")
            raise GameError([X006.at(place, message, "bring it back; the cards are as they were")])

    def _troubled(self, trouble: tuple[Notice, ...]) -> Event | None:
        if trouble == self._trouble:
            return None
        self._trouble = trouble
        self._version += 1
        return self._event()

    def _present(self) -> list[Notice]:
        """Return what is known to be wrong without a check of the whole game."""
        folder = self._game.path
        found = [*self._trouble, *(notice(each, folder) for each in self._game.faults)]
        for wall in self._walls.values():
            for shown in wall.faces.values():
                found += shown.faults
        return [*dict.fromkeys(found)]

    def _found(self) -> list[Notice]:
        """Return all findings that are known, errors first."""
        found = dict.fromkeys([*self._present(), *self._checked])
        return sorted(found, key=lambda each: not each.is_error)


def _face(name: FaceName, shown: Shown, found: Iterable[Notice]) -> Json:
    listed = dict.fromkeys([*shown.faults, *found])
    return {
        "key": key_of(name),
        **shown.card,
        "part": name.part,
        "side": "back" if name.back else "face",
        "hash": shown.hash,
        "pending": shown.pending,
        "stale": shown.stale,
        "findings": [each._asdict() for each in listed],
    }
