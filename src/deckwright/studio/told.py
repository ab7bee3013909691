"""What the page has been told, and events that bring it up to date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypedDict

Json = dict[str, object]
"""What becomes a JSON object."""


class State(TypedDict):
    """How the game is: whether all is shown as the files want it, and what was found."""

    ok: bool
    findings: list[Json]


class Event(TypedDict):
    """What the page is told when something has changed.

    Attributes:
        version: of the walls.
        after: the version that the event brings up to this one; whoever knows an earlier one asks
            for the wall again.
        whole: whether more has changed than the event tells: then everybody does.
        state: None if it is as before.
        faces: by style ("" for the usual one) the faces that have changed: their keys, and what
            differs of what the wall tells of them.
        lost: by style the keys of the faces that are gone.
    """

    version: int
    after: int
    whole: bool
    state: State | None
    faces: dict[str, list[Json]]
    lost: dict[str, list[str]]


class Told:
    """What has been told of the walls, by their styles.

    Attributes:
        version: goes up with each event.
        state: what was told of the state last.
    """

    def __init__(self) -> None:
        """Nothing has been told."""
        self.version = 1
        self._faces: dict[str | None, dict[str, Json]] = {}
        self.state: State | None = None
        self._game: Json | None = None

    def wall(self, style: str | None, faces: Iterable[Json]) -> None:
        """Take that a whole wall is told."""
        self._faces[style] = {str(face["key"]): face for face in faces}

    def begin(self, game: Json, state: State) -> None:
        """Take what is told with the first wall."""
        if self._game is None:
            self._game, self.state = game, state

    def empty(self) -> Event:
        """Return an event without news."""
        now = self.version
        return {
            "version": now,
            "after": now,
            "whole": False,
            "state": None,
            "faces": {},
            "lost": {},
        }

    def event(
        self,
        game: Json,
        state: State,
        walls: Mapping[str | None, tuple[list[str], Iterable[Json]]],
    ) -> Event | None:
        """Return what is not told yet, None if there is nothing; from now on it is told.

        Args:
            walls: by style the keys of all faces, in order, and the faces that may have changed.
        """
        event = self.empty()
        if state != self.state:
            self.state = event["state"] = state
        if game != self._game:
            self._game, event["whole"] = game, True
        for style, (keys, faces) in walls.items():
            self._patch(style, keys, faces, event)
        if not (event["state"] or event["whole"] or event["faces"] or event["lost"]):
            return None
        self.version += 1
        event["version"] = self.version
        return event

    def _patch(
        self, style: str | None, keys: list[str], faces: Iterable[Json], event: Event
    ) -> None:
        told = self._faces.setdefault(style, {})
        if [*told] != keys:
            wanted = set(keys)
            lost = [key for key in told if key not in wanted]
            for key in lost:
                del told[key]
            if lost:
                event["lost"][style or ""] = lost
            if [*told] != keys:  # new faces, or in another order
                event["whole"] = True
                self._faces[style] = told = {key: told.get(key, {}) for key in keys}
        patches = []
        for face in faces:
            key = str(face["key"])
            before = told[key]
            patch = {name: value for name, value in face.items() if before.get(name) != value}
            if patch:
                patches.append({"key": key, **patch})
                told[key] = face
        if patches:
            event["faces"][style or ""] = patches
