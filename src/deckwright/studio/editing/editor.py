"""Editing: forms, previews, saving, deleting, and the routes to them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from deckwright.api import Game as EditorGame
from deckwright.api import GameError
from deckwright.base.files import is_there
from deckwright.base.findings import ChoiceError
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Field, Kind
from deckwright.game.model import Game
from deckwright.studio.answers import (
    ConflictError,
    SaidError,
    Saved,
    Saving,
    nothing,
    picture,
    sent,
    state_of,
)
from deckwright.studio.answers import said as as_data
from deckwright.studio.described import notice
from deckwright.studio.editing.drafts import (
    NOTHING_BACK,
    Draft,
    Unwritable,
    draft_of,
    take_out,
    undo_from,
    undo_of,
    unwritable,
    write,
)
from deckwright.studio.editing.forms import form, table_form, uses_of
from deckwright.studio.editing.outlines import Thing, is_taken, sections, thing_of
from deckwright.studio.editing.pictures import (
    Brought,
    Thumb,
    keep,
    listed,
    looked_at,
    picture_data,
    thumb,
)
from deckwright.studio.editing.preview import (
    Trial,
    at_fields,
    cards_on,
    demand_style,
    shown,
    tried,
    unwritten,
    worked_out,
    wrong,
)
from deckwright.studio.editing.targets import (
    Spot,
    content_of,
    element_of,
    former_home_of,
    home_of,
    home_of_cards,
    proposed_id,
    root_of,
    spot_of,
)
from deckwright.studio.faces import HASH
from deckwright.studio.guard import PICTURE
from deckwright.studio.live_game import Gallery
from deckwright.studio.session import Desk

Json = dict[str, object]


def choices(game: Game, folder: GameFolder, faction_id: str) -> Json:
    """Return what fields can refer to.

    Args:
        faction_id: whose cards they are; rules are called as for its race.
    """
    faction = game.factions.get(faction_id)
    race = faction.race if faction else ""
    return {
        "rules": [
            {
                "id": rule.id,
                "label": rule.any_label(race),
                "text": rule.effect,
                "type": rule.type,
                "fits": faction is None or rule.label(race) is not None,
            }
            for rule in game.rules.values()
        ],
        "cards": [
            {"faction": card.faction_id, "id": card.id, "name": card.name}
            for card in game.cards.values()
        ],
        "pictures": [picture_data(*each) for each in listed(folder.images)],
        "symbols": [
            {"id": symbol.id, "name": symbol.name} for symbol in game.setup.symbols.values()
        ],
    }


def _all_fields(kind: Kind) -> Iterator[Field]:
    yield from kind.fields
    for spec in kind.children:
        yield from spec.fields


def editable(game: Game, folder: GameFolder, *, read_only: bool) -> Json:
    """Return what can be edited besides the cards of the wall, and where new cards can stand."""
    fields = [field for kind in game.setup.kinds.values() for field in _all_fields(kind)]
    return {
        "readOnly": read_only,
        "kinds": [{"kind": kind.tag, "name": kind.name} for kind in game.setup.card_kinds],
        "begins": {
            "rule": any(field.one.type == "rule" for field in fields),
            "faction": is_there(folder.factions_file),
        },
        "factions": [
            {
                "id": each.id,
                "name": each.name,
                "editable": not each.cards_of and not home_of_cards(each.id, folder).why,
            }
            for each in game.factions.values()
        ],
        "rules": [
            {
                "id": rule.id,
                "label": " / ".join(dict.fromkeys(rule.labels.values())),
                "text": rule.effect,
            }
            for rule in game.rules.values()
        ],
        "texts": [
            {"id": name, "title": title}
            for name, title in (sections(game) if folder.has_own_setup else ())
        ],
    }


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
    def game(self) -> EditorGame:
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
        if self._in_table(thing):
            return table_form(thing, model, self._folder)
        return self._form(spot_of(thing, model, self._folder))

    def _in_table(self, thing: Thing) -> bool:
        """Return whether a thing is a card that stands in a table."""
        if thing.of != "card" or thing.new:
            return False
        return bool(home_of(thing, self.game.model, self._folder).why)

    def _form(self, spot: Spot) -> Json:
        return form(spot, self.game.model, self._folder, read_only=self._saving.read_only)

    def preview(self, said: Mapping[str, object]) -> Json:
        """Return what a draft looks like, and what is wrong with it. Nothing is written.

        Raises:
            ChoiceError: if it is a draft of nothing that there is.
            GameError: if the file of the thing cannot be read.
        """
        thing, style = thing_of(said), demand_style(self.game, said.get("style"))
        answer: Json = {"faces": [], "pictures": [], "worked": {}, "changed": True}
        if self._in_table(thing):
            cards = cards_on(self.game, thing, None)
            look = shown(self.game, cards, style, self._gallery.draft)
            findings = at_fields(look.findings, (), None, self._folder.path)
            answer |= {"faces": look.faces, "changed": False, "current": True, "id": thing.id}
            return {**answer, "ok": not wrong(findings), "findings": findings}
        drafted = self._drafted(thing, said)
        if drafted.spot is None:
            findings = [unwritten(fault) for fault in drafted.faults]
            return {**answer, "ok": False, "findings": findings}
        spot = drafted.spot
        trial = tried(self.game, spot, drafted.faults)
        findings = trial.findings
        answer["changed"] = spot.file.bytes() != spot.before
        answer["current"] = thing.new or said.get("state") == drafted.state
        answer["id"] = spot.thing.id
        if trial.game is not None:
            cards = cards_on(trial.game, spot.thing, said.get("on"))
            look = shown(trial.game, cards, style, self._gallery.draft)
            listed = at_fields(look.findings, (), trial.places, self._folder.path)
            findings = [*findings, *(each for each in listed if each not in findings)]
            answer |= {"faces": look.faces, "pictures": look.boxes}
            answer["worked"] = worked_out(cards) if thing.of == "card" else {}
        return {**answer, "ok": not wrong(findings), "findings": findings}

    def save(self, said: Mapping[str, object]) -> Answer:
        """Write a draft to its file.

        Raises:
            ChoiceError: if it cannot be written.
            GameError: if the file of the thing cannot be read.
            OSError: if the file cannot be written.
        """
        self._saving.demand_writing()
        thing = thing_of(said)
        drafted = self._drafted(thing, said)
        if drafted.spot is None:
            return _refused([unwritten(fault) for fault in drafted.faults], anyway=False)
        spot = drafted.spot
        if not thing.new and said.get("state") != drafted.state:
            return self._changed(thing)
        trial = tried(self.game, spot, drafted.faults)
        usable = trial.game is not None and not drafted.faults
        if not usable or (wrong(trial.findings) and said.get("anyway") is not True):
            return _refused(trial.findings, anyway=usable)
        data = spot.file.bytes()
        if data != spot.before and not self._written(spot, data):
            return self._changed(thing)
        return Answer(200, {"thing": spot.thing.saved().told(), "findings": trial.findings})

    def delete(self, said: Mapping[str, object]) -> Answer:
        """Take a card, a token, a rule or a faction out of its file.

        Raises:
            ChoiceError: if it cannot be taken out.
            GameError: if its file cannot be read.
            OSError: if the file cannot be written.
        """
        self._saving.demand_writing()
        thing = thing_of(said)
        spot, trial, needed = self._without(thing)
        if said.get("state") != spot.state:
            return self._changed(thing)
        if needed is not None and said.get("anyway") is not True:
            return Answer(422, needed)
        data = spot.file.bytes()
        if trial.game is None or not self._written(spot, data):
            return self._changed(thing)
        undo = undo_of(spot.before or b"", data)
        return Answer(200, {"findings": trial.findings, "undo": undo.told()})

    def uses(self, said: Mapping[str, object]) -> Json:
        """Return who needs a thing that may be deleted, and what would be wrong without it.

        Raises:
            ChoiceError: if it cannot be taken out.
            GameError: if its file cannot be read.
        """
        _, _, needed = self._without(thing_of(said))
        return needed or {}

    def _without(self, thing: Thing) -> tuple[Spot, Trial, Json | None]:
        """Return the file of a thing without it, the game then, and what speaks against that."""
        if thing.of == "texts" or thing.new:
            raise ChoiceError("this cannot be deleted here", "delete it in an editor")
        spot = spot_of(thing, self.game.model, self._folder)
        take_out(spot.file, spot.outline.node.source.ordinal)
        trial = tried(self.game, spot)
        uses = uses_of(thing, self.game.model, self._folder)
        if not any(uses.values()) and not wrong(trial.findings):
            return spot, trial, None
        refused = _refused(trial.findings, anyway=trial.game is not None)
        return spot, trial, {**refused.said, "uses": uses}

    def restore(self, said: Mapping[str, object]) -> Answer:
        """Bring back what was taken out of its file, if that is as it was left.

        Raises:
            ChoiceError: if this brings nothing back.
            GameError: if the file could not be read with it.
            OSError: if the file cannot be written.
        """
        self._saving.demand_writing()
        thing, undo = thing_of(said), undo_from(said.get("undo"))
        path = former_home_of(thing, self.game.model, self._folder)
        now = content_of(path, self._folder)
        if now is None or state_of(now) != undo.state:
            message = f"{path.name} has changed since this was deleted, so it cannot come back"
            mistake = SaidError("edit-not-back", path.name, message=message)
            return Answer(409, {**as_data(mistake), "form": None})
        data = undo.applied(now)
        if element_of(thing, root_of(path, data), self.game.model.setup) is None:
            raise NOTHING_BACK
        self._saving.write({path: Saved(data, undo.state)})
        return Answer(200, {"thing": thing.told()})

    def bring(self, brought: Brought) -> Json:
        """Put a picture into the folder of the game.

        Raises:
            ChoiceError: if it cannot be put there.
            OSError: if it cannot be written.
        """
        kept = keep(brought, self._folder, self._saving)
        findings = [notice(each, self._folder.path)._asdict() for each in kept.findings]
        return {"name": kept.name, "findings": findings}

    def _changed(self, thing: Thing) -> Answer:
        """Return what is answered where somebody else has changed a thing, or its whole file."""
        try:
            now: Json | None = self._form(spot_of(thing, self.game.model, self._folder))
        except (ChoiceError, GameError, OSError):
            now = None
        return Answer(409, {"message": "this has changed since it was read", "form": now})

    def _drafted(self, thing: Thing, said: Mapping[str, object]) -> _Drafted:
        """Return a thing in its file with a draft of it."""
        draft = draft_of(said)
        model, folder = self.game.model, self._folder
        wanted = None
        if thing.new:
            values = dict(draft.values)
            given = " ".join((values.pop("id", None) or "").split())
            draft = draft._replace(values=values)
            wanted = given or proposed_id(thing, model, folder, _called(draft))
            fault = unwritable(wanted, "id")
            if fault is None and is_taken(model, thing, wanted):
                fault = Unwritable(f"`{wanted}` is the id of another {thing.of}", "id")
            if fault is not None:
                return _Drafted(None, "", [fault])
        spot = spot_of(thing, model, folder, wanted)
        state = spot.state
        return _Drafted(spot, state, write(draft, spot))

    def _written(self, spot: Spot, data: bytes) -> bool:
        """Write the file of a thing; return whether that was as it was read."""
        before = None if spot.before is None else state_of(spot.before)
        try:
            self._saving.write({spot.file.path: Saved(data, before)})
        except ConflictError:
            return False
        return True


class _Drafted(NamedTuple):
    """A thing with a draft of it in its file; None if there can be none.

    Attributes:
        state: that of the thing before.
    """

    spot: Spot | None
    state: str
    faults: list[Unwritable]


def _called(draft: Draft) -> str:
    """Return what a draft calls its thing, "" if it does not."""
    labels = [name for item in draft.children.get("label", ()) for name in item.values.values()]
    names = [draft.values.get("name"), draft.values.get("faction_name"), *labels]
    return next((name for name in names if name), "")


def _refused(findings: list[Json], *, anyway: bool) -> Answer:
    first = next((each["message"] for each in findings if each["severity"] == "error"), "")
    return Answer(422, {"message": first, "findings": findings, "anyway": anyway})


def routes(desk: Desk) -> list[Route]:
    """Return what is answered to those who edit the game of a desk."""
    answers = _Answers(desk)
    return [
        Route("/api/edit/list", answers.list, methods=["GET"]),
        Route("/api/edit/form", answers.form, methods=["GET"]),
        Route("/api/edit/choices", answers.choices, methods=["GET"]),
        Route("/api/edit/preview", answers.preview, methods=["POST"]),
        Route("/api/edit/save", answers.save, methods=["POST"]),
        Route("/api/edit/uses", answers.uses, methods=["GET"]),
        Route("/api/edit/delete", answers.delete, methods=["POST"]),
        Route("/api/edit/restore", answers.restore, methods=["POST"]),
        Route(PICTURE, answers.picture, methods=["POST"]),
        Route("/faces/picture/{name}", answers.thumb, methods=["GET"]),
    ]


class _Answers:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._editor = Editor(desk.gallery, desk.saving)

    async def list(self, _: Request) -> Response:
        return JSONResponse(await self._desk.ask(self._editor.editable))

    async def form(self, request: Request) -> Response:
        said = dict(request.query_params)
        return JSONResponse(await self._desk.ask(self._editor.form, said))

    async def choices(self, request: Request) -> Response:
        faction = request.query_params.get("faction", "")
        return JSONResponse(await self._desk.ask(self._editor.choices, faction))

    async def preview(self, request: Request) -> Response:
        said = await sent(request)
        return JSONResponse(await self._desk.ask(self._editor.preview, said))

    async def save(self, request: Request) -> Response:
        answer = await self._desk.ask(self._editor.save, await sent(request))
        if answer.status != 200:  # noqa: PLR2004 - OK
            return _of(answer)
        await self._desk.look()
        thing = answer.said["thing"]
        assert isinstance(thing, dict)
        form = await self._form(thing)
        return JSONResponse({**answer.said, "form": form})

    async def _form(self, thing: Mapping[str, object]) -> dict[str, object] | None:
        """Return the form of a thing that was saved; None if it is gone again already."""
        try:
            return await self._desk.ask(self._editor.form, thing)
        except (ChoiceError, GameError, OSError):
            return None

    async def uses(self, request: Request) -> Response:
        said = dict(request.query_params)
        return JSONResponse(await self._desk.ask(self._editor.uses, said))

    async def delete(self, request: Request) -> Response:
        return await self._done(self._editor.delete, request)

    async def restore(self, request: Request) -> Response:
        return await self._done(self._editor.restore, request)

    async def _done(
        self, change: Callable[[Mapping[str, object]], Answer], request: Request
    ) -> Response:
        answer = await self._desk.ask(change, await sent(request))
        if answer.status == 200:  # noqa: PLR2004 - OK
            await self._desk.look()
        return _of(answer)

    async def picture(self, request: Request) -> Response:
        self._desk.saving.demand_writing()
        brought = await asyncio.to_thread(looked_at, await sent(request))
        return JSONResponse(await self._desk.ask(self._editor.bring, brought))

    async def thumb(self, request: Request) -> Response:
        name = request.path_params["name"]
        found = await self._desk.ask(self._editor.thumb, name) if re.fullmatch(HASH, name) else None
        if found is None:
            return nothing()
        return picture(found.content, found.media_type)


def _of(answer: Answer) -> Response:
    return JSONResponse(answer.said, answer.status)
