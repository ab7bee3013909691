"""What the page asks for: forms, previews, saving and deleting. For the game's thread alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from deckwright.api import Game, GameError
from deckwright.base.choices import ChoiceError
from deckwright.game.folder import GameFolder
from deckwright.game.model import Printed
from deckwright.game.values import as_written
from deckwright.studio.editing.choices import choices, editable
from deckwright.studio.editing.drafts import Unwritable, draft_of, unwritable, write
from deckwright.studio.editing.files import Thumb, thumb
from deckwright.studio.editing.forms import form, table_form
from deckwright.studio.editing.spots import Spot, home_of, outlined, proposed_id, root_of, spot_of
from deckwright.studio.editing.things import Thing, first_of, is_taken, thing_of, users
from deckwright.studio.editing.trials import (
    Places,
    at_fields,
    demand_style,
    shown,
    unwritten,
    wrong,
)
from deckwright.studio.editing.uses import uses_of
from deckwright.studio.gallery import Gallery
from deckwright.studio.saving import ConflictError, Saved, Saving, state_of

Json = dict[str, object]
_MOST_SHOWN = 4
"""How many cards a preview of a rule or a name shows."""


class Answer(NamedTuple):
    """What is answered: a status of HTTP, and an object."""

    status: int
    said: Json


class Editor:
    """Edits the open game of a gallery."""

    def __init__(self, gallery: Gallery, saving: Saving) -> None:
        """Take the gallery whose game is edited, and what writes to its folder."""
        self._gallery, self._saving = gallery, saving

    @property
    def game(self) -> Game:
        """The open game."""
        return self._gallery.game

    @property
    def _folder(self) -> GameFolder:
        return self.game.folder

    def editable(self) -> Json:
        """Return what can be edited."""
        return editable(self.game.model, self._folder, read_only=self._saving.read_only)

    def choices(self, faction: str) -> Json:
        """Return what fields can refer to."""
        return choices(self.game.model, self._folder, faction)

    def thumb(self, sum_: str) -> Thumb | None:
        """Return a picture of a hash, None if there is none."""
        return thumb(self._folder.images, sum_)

    def form(self, said: Mapping[str, object]) -> Json:
        """Return the form of a thing.

        Raises:
            ChoiceError: if there is no such thing.
            GameError: if its file cannot be read.
        """
        thing, model = thing_of(said), self.game.model
        home = home_of(thing, model, self._folder)
        if home.why and thing.of == "card":
            return table_form(thing, home.why, model, self._folder)
        return self._form(spot_of(thing, model, self._folder))

    def _form(self, spot: Spot) -> Json:
        return form(spot, self.game.model, self._folder, read_only=self._saving.read_only)

    def preview(self, said: Mapping[str, object]) -> Json:
        """Return what a draft looks like, and what is wrong with it. Nothing is written.

        Raises:
            ChoiceError: if it is a draft of nothing that there is.
            GameError: if the file of the thing cannot be read.
        """
        thing, style = thing_of(said), demand_style(self.game, said.get("style"))
        drafted = self._drafted(thing, said)
        answer: Json = {"faces": [], "pictures": [], "worked": {}, "changed": True}
        if drafted.spot is None:
            findings = [unwritten(fault) for fault in drafted.faults]
            return {**answer, "ok": False, "findings": findings}
        spot = drafted.spot
        trial = self._tried(spot, drafted.faults)
        findings = trial.findings
        answer["changed"] = spot.file.bytes() != spot.before
        answer["current"] = thing.of == "new" or said.get("state") == drafted.state
        answer["id"] = spot.thing.id
        if trial.game is not None:
            cards = self._on(spot.thing, trial.game, said.get("on"))
            look = shown(trial.game, cards, style, self._gallery.draft)
            listed = at_fields(look.findings, (), trial.places, self._folder.path)
            findings = [*findings, *(each for each in listed if each not in findings)]
            answer |= {"faces": look.faces, "pictures": look.boxes}
            answer["worked"] = _worked(cards) if thing.of in {"card", "new"} else {}
        return {**answer, "ok": not wrong(findings), "findings": findings}

    def save(self, said: Mapping[str, object]) -> Answer:
        """Write a draft to its file.

        Raises:
            ChoiceError: if it cannot be written.
            GameError: if the file of the thing cannot be read.
            OSError: if the file cannot be written.
        """
        self._demand_writing()
        thing = thing_of(said)
        drafted = self._drafted(thing, said)
        if drafted.spot is None:
            return _refused([unwritten(fault) for fault in drafted.faults], anyway=False)
        spot = drafted.spot
        if thing.of != "new" and said.get("state") != drafted.state:
            return self._changed(thing)
        trial = self._tried(spot, drafted.faults)
        usable = trial.game is not None and not drafted.faults
        if not usable or (wrong(trial.findings) and said.get("anyway") is not True):
            return _refused(trial.findings, anyway=usable)
        data = spot.file.bytes()
        if data != spot.before and not self._written(spot, data):
            return self._changed(thing)
        saved = spot.thing._replace(of="card", kind="", like="") if thing.of == "new" else thing
        return Answer(200, {"thing": saved.told(), "findings": trial.findings})

    def delete(self, said: Mapping[str, object]) -> Answer:
        """Take a card out of its file.

        Raises:
            ChoiceError: if it cannot be taken out.
            GameError: if its file cannot be read.
            OSError: if the file cannot be written.
        """
        self._demand_writing()
        thing = thing_of(said)
        if thing.of != "card":
            raise ChoiceError("only cards can be deleted here", "delete it in an editor")
        spot = spot_of(thing, self.game.model, self._folder)
        if said.get("state") != spot.state:
            return self._changed(thing)
        element = spot.file.elements[spot.outline.node.source.ordinal]
        holder = spot.file.holder(element)
        holder.remove(element)
        holder.close()
        trial = self._tried(spot, [])
        uses = uses_of(thing, self.game.model, self._folder)
        if (uses or wrong(trial.findings)) and said.get("anyway") is not True:
            answer = _refused(trial.findings, anyway=trial.game is not None)
            return Answer(422, {**answer.said, "uses": uses})
        if trial.game is None or not self._written(spot, spot.file.bytes()):
            return self._changed(thing)
        return Answer(200, {"deleted": True, "findings": trial.findings})

    def _changed(self, thing: Thing) -> Answer:
        """Return what is answered where somebody else has changed a thing, or its whole file."""
        try:
            now: Json | None = self._form(spot_of(thing, self.game.model, self._folder))
        except (ChoiceError, GameError, OSError):
            now = None
        return Answer(409, {"message": "this has changed since it was read", "form": now})

    def _demand_writing(self) -> None:
        if self._saving.read_only:
            raise ChoiceError("this studio only looks", "start it without --read-only to save")

    def _drafted(self, thing: Thing, said: Mapping[str, object]) -> _Drafted:
        """Return a thing in its file with a draft of it."""
        draft = draft_of(said)
        model, folder = self.game.model, self._folder
        card_id = None
        if thing.of == "new":
            values = dict(draft.values)
            wanted, name = values.pop("id", None), values.get("name") or ""
            draft = draft._replace(values=values)
            card_id = " ".join((wanted or "").split()) or proposed_id(thing, model, folder, name)
            fault = unwritable(card_id, "id")
            if fault is None and is_taken(model, thing.faction, card_id):
                fault = Unwritable(f"`{card_id}` is the id of another card", "id")
            if fault is not None:
                return _Drafted(None, "", [fault])
        spot = spot_of(thing, model, folder, card_id)
        state = spot.state
        return _Drafted(spot, state, write(draft, spot))

    def _tried(self, spot: Spot, faults: list[Unwritable]) -> _Trial:
        """Return the game with the file of a thing as it is written now."""
        folder, path, data = self._folder, spot.file.path, spot.file.bytes()
        findings = [unwritten(fault) for fault in faults]
        known = self.game.faults
        try:
            outline = outlined(spot.thing, root_of(path, data), self.game.model)
            places: Places | None = Places(outline)
        except ChoiceError:  # it is taken out
            places = None
        except GameError as error:
            return _Trial(None, [*findings, *at_fields(error.findings, (), None, folder.path)])
        try:
            game = self.game.as_if({path: data})
        except GameError as error:
            return _Trial(None, [*findings, *at_fields(error.findings, (), places, folder.path)])
        found = at_fields(game.faults, known, places, folder.path)
        return _Trial(game, [*findings, *found], places)

    def _written(self, spot: Spot, data: bytes) -> bool:
        """Write the file of a thing; return whether that was as it was read."""
        before = state_of(spot.before)
        try:
            self._saving.write({spot.file.path: Saved(data, before)})
        except ConflictError:
            return False
        return True

    def _on(self, thing: Thing, game: Game, named: object) -> list[Printed]:
        """Return the cards that a preview shows."""
        model = game.model
        own = thing.of in {"card", "new"}
        wanted = [(thing.faction, thing.id)] if own else [*_named(named)]
        all_printed = {(each.faction_id, each.card.id): each for each in model.printed()}
        cards = [all_printed[key] for key in wanted if key in all_printed]
        if cards or own:
            return cards
        if thing.of == "rule":
            return users(model, thing.id)[:1]
        if thing.of == "faction":
            return first_of(model, thing.id)[:1]
        return [each for each in all_printed.values() if each.faction_id][:1]


class _Drafted(NamedTuple):
    """A thing with a draft of it in its file; None if there can be none.

    Attributes:
        state: that of the thing before.
    """

    spot: Spot | None
    state: str
    faults: list[Unwritable]


class _Trial(NamedTuple):
    """The game as it would be, None if it could not be read, and what would be wrong."""

    game: Game | None
    findings: list[Json]
    places: Places | None = None


def _named(said: object) -> Iterator[tuple[str, str]]:
    """Yield the cards that a request names: one, or a list of some."""
    for each in (said if isinstance(said, list) else [said])[:_MOST_SHOWN]:
        if isinstance(each, dict):
            faction, card_id = each.get("faction"), each.get("id")
            if isinstance(faction, str) and isinstance(card_id, str):
                yield faction, card_id


def _worked(cards: list[Printed]) -> dict[str, str]:
    """Return the values of the fields that are worked out."""
    return {
        field.name: as_written(field, each.card.fields.get(field.name))
        for each in cards
        for field in each.card.kind.fields
        if field.value is not None
    }


def _refused(findings: list[Json], *, anyway: bool) -> Answer:
    first = next((each["message"] for each in findings if each["severity"] == "error"), "")
    return Answer(422, {"message": first, "findings": findings, "anyway": anyway})
