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
from deckwright.base.files import path_exists
from deckwright.base.findings import ChoiceError
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Field, Kind
from deckwright.game.model import Game
from deckwright.studio.answers import (
    ConflictError,
    FileWrite,
    FolderWriter,
    LocalizedError,
    fingerprint_of,
    image_response,
    not_found,
    read_json,
)
from deckwright.studio.answers import serialize_error as as_data
from deckwright.studio.described import serialize_finding
from deckwright.studio.editing.drafts import (
    NOTHING_TO_RESTORE,
    EntityDraft,
    UnwritableValue,
    find_unwritable,
    make_undo,
    parse_draft,
    parse_undo,
    remove_element,
    write_draft,
)
from deckwright.studio.editing.forms import build_form, build_table_form, find_uses
from deckwright.studio.editing.outlines import EntityRef, is_id_taken, list_sections, parse_entity
from deckwright.studio.editing.pictures import (
    Thumbnail,
    UploadedImage,
    list_pictures,
    read_thumbnail,
    read_upload,
    serialize_picture,
    store_picture,
)
from deckwright.studio.editing.preview import (
    EditPreview,
    choose_preview_cards,
    computed_values,
    has_error,
    locate_findings,
    preview_cards,
    preview_edit,
    require_style,
    serialize_unwritable,
)
from deckwright.studio.editing.targets import (
    EditTarget,
    find_cards_file,
    find_element,
    find_former_file,
    find_source_file,
    find_target,
    parse_root,
    propose_id,
    read_content,
)
from deckwright.studio.faces import HASH_PATTERN
from deckwright.studio.guard import PICTURE_PATH
from deckwright.studio.live_game import LiveGame
from deckwright.studio.session import StudioSession

Json = dict[str, object]


def list_choices(game: Game, folder: GameFolder, faction_id: str) -> Json:
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
        "pictures": [serialize_picture(*each) for each in list_pictures(folder.images)],
        "symbols": [
            {"id": symbol.id, "name": symbol.name} for symbol in game.setup.symbols.values()
        ],
    }


def _all_fields(kind: Kind) -> Iterator[Field]:
    yield from kind.fields
    for spec in kind.children:
        yield from spec.fields


def list_editable(game: Game, folder: GameFolder, *, read_only: bool) -> Json:
    """Return what can be edited besides the cards of the wall, and where new cards can stand."""
    fields = [field for kind in game.setup.kinds.values() for field in _all_fields(kind)]
    return {
        "readOnly": read_only,
        "kinds": [{"kind": kind.tag, "name": kind.name} for kind in game.setup.card_kinds],
        "begins": {
            "rule": any(field.one.type == "rule" for field in fields),
            "faction": path_exists(folder.factions_file),
        },
        "factions": [
            {
                "id": each.id,
                "name": each.name,
                "editable": not each.cards_of and not find_cards_file(each.id, folder).why,
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
            for name, title in (list_sections(game) if folder.has_own_setup else ())
        ],
    }


class EditResponse(NamedTuple):
    """What is answered: a status of HTTP, and an object."""

    status: int
    said: Json


class Editor:
    """Edits the open game of a gallery."""

    def __init__(self, gallery: LiveGame, saving: FolderWriter) -> None:
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
        return list_editable(self.game.model, self._folder, read_only=self._saving.read_only)

    def choices(self, faction: str) -> Json:
        """Return what fields can refer to."""
        return list_choices(self.game.model, self._folder, faction)

    def thumb(self, sum_: str) -> Thumbnail | None:
        """Return a picture of a hash, None if there is none."""
        return read_thumbnail(self._folder.images, sum_)

    def form(self, said: Mapping[str, object]) -> Json:
        """Return the form of a thing.

        Raises:
            ChoiceError: if there is no such thing.
            GameError: if its file cannot be read.
        """
        thing, model = parse_entity(said), self.game.model
        if self._in_table(thing):
            return build_table_form(thing, model, self._folder)
        return self._form(find_target(thing, model, self._folder))

    def _in_table(self, thing: EntityRef) -> bool:
        """Return whether a thing is a card that stands in a table."""
        if thing.of != "card" or thing.new:
            return False
        return bool(find_source_file(thing, self.game.model, self._folder).why)

    def _form(self, spot: EditTarget) -> Json:
        return build_form(spot, self.game.model, self._folder, read_only=self._saving.read_only)

    def preview(self, said: Mapping[str, object]) -> Json:
        """Return what a draft looks like, and what is wrong with it. Nothing is written.

        Raises:
            ChoiceError: if it is a draft of nothing that there is.
            GameError: if the file of the thing cannot be read.
        """
        thing, style = parse_entity(said), require_style(self.game, said.get("style"))
        answer: Json = {"faces": [], "pictures": [], "worked": {}, "changed": True}
        if self._in_table(thing):
            cards = choose_preview_cards(self.game, thing, None)
            look = preview_cards(self.game, cards, style, self._gallery.draft)
            findings = locate_findings(look.findings, (), None, self._folder.path)
            answer |= {"faces": look.faces, "changed": False, "current": True, "id": thing.id}
            return {**answer, "ok": not has_error(findings), "findings": findings}
        drafted = self._drafted(thing, said)
        if drafted.spot is None:
            findings = [serialize_unwritable(fault) for fault in drafted.faults]
            return {**answer, "ok": False, "findings": findings}
        spot = drafted.spot
        trial = preview_edit(self.game, spot, drafted.faults)
        findings = trial.findings
        answer["changed"] = spot.file.bytes() != spot.before
        answer["current"] = thing.new or said.get("state") == drafted.state
        answer["id"] = spot.thing.id
        if trial.game is not None:
            cards = choose_preview_cards(trial.game, spot.thing, said.get("on"))
            look = preview_cards(trial.game, cards, style, self._gallery.draft)
            listed = locate_findings(look.findings, (), trial.places, self._folder.path)
            findings = [*findings, *(each for each in listed if each not in findings)]
            answer |= {"faces": look.faces, "pictures": look.boxes}
            answer["worked"] = computed_values(cards) if thing.of == "card" else {}
        return {**answer, "ok": not has_error(findings), "findings": findings}

    def save(self, said: Mapping[str, object]) -> EditResponse:
        """Write a draft to its file.

        Raises:
            ChoiceError: if it cannot be written.
            GameError: if the file of the thing cannot be read.
            OSError: if the file cannot be written.
        """
        self._saving.demand_writing()
        thing = parse_entity(said)
        drafted = self._drafted(thing, said)
        if drafted.spot is None:
            return _rejection(
                [serialize_unwritable(fault) for fault in drafted.faults], anyway=False
            )
        spot = drafted.spot
        if not thing.new and said.get("state") != drafted.state:
            return self._changed(thing)
        trial = preview_edit(self.game, spot, drafted.faults)
        usable = trial.game is not None and not drafted.faults
        if not usable or (has_error(trial.findings) and said.get("anyway") is not True):
            return _rejection(trial.findings, anyway=usable)
        data = spot.file.bytes()
        if data != spot.before and not self._written(spot, data):
            return self._changed(thing)
        return EditResponse(200, {"thing": spot.thing.saved().told(), "findings": trial.findings})

    def delete(self, said: Mapping[str, object]) -> EditResponse:
        """Take a card, a token, a rule or a faction out of its file.

        Raises:
            ChoiceError: if it cannot be taken out.
            GameError: if its file cannot be read.
            OSError: if the file cannot be written.
        """
        self._saving.demand_writing()
        thing = parse_entity(said)
        spot, trial, needed = self._without(thing)
        if said.get("state") != spot.state:
            return self._changed(thing)
        if needed is not None and said.get("anyway") is not True:
            return EditResponse(422, needed)
        data = spot.file.bytes()
        if trial.game is None or not self._written(spot, data):
            return self._changed(thing)
        undo = make_undo(spot.before or b"", data)
        return EditResponse(200, {"findings": trial.findings, "undo": undo.told()})

    def uses(self, said: Mapping[str, object]) -> Json:
        """Return who needs a thing that may be deleted, and what would be wrong without it.

        Raises:
            ChoiceError: if it cannot be taken out.
            GameError: if its file cannot be read.
        """
        _, _, needed = self._without(parse_entity(said))
        return needed or {}

    def _without(self, thing: EntityRef) -> tuple[EditTarget, EditPreview, Json | None]:
        """Return the file of a thing without it, the game then, and what speaks against that."""
        if thing.of == "texts" or thing.new:
            raise ChoiceError("this cannot be deleted here", "delete it in an editor")
        spot = find_target(thing, self.game.model, self._folder)
        remove_element(spot.file, spot.outline.node.source.ordinal)
        trial = preview_edit(self.game, spot)
        uses = find_uses(thing, self.game.model, self._folder)
        if not any(uses.values()) and not has_error(trial.findings):
            return spot, trial, None
        refused = _rejection(trial.findings, anyway=trial.game is not None)
        return spot, trial, {**refused.said, "uses": uses}

    def restore(self, said: Mapping[str, object]) -> EditResponse:
        """Bring back what was taken out of its file, if that is as it was left.

        Raises:
            ChoiceError: if this brings nothing back.
            GameError: if the file could not be read with it.
            OSError: if the file cannot be written.
        """
        self._saving.demand_writing()
        thing, undo = parse_entity(said), parse_undo(said.get("undo"))
        path = find_former_file(thing, self.game.model, self._folder)
        now = read_content(path, self._folder)
        if now is None or fingerprint_of(now) != undo.state:
            message = f"{path.name} has changed since this was deleted, so it cannot come back"
            mistake = LocalizedError("edit-not-back", path.name, message=message)
            return EditResponse(409, {**as_data(mistake), "form": None})
        data = undo.applied(now)
        if find_element(thing, parse_root(path, data), self.game.model.setup) is None:
            raise NOTHING_TO_RESTORE
        self._saving.write({path: FileWrite(data, undo.state)})
        return EditResponse(200, {"thing": thing.told()})

    def bring(self, brought: UploadedImage) -> Json:
        """Put a picture into the folder of the game.

        Raises:
            ChoiceError: if it cannot be put there.
            OSError: if it cannot be written.
        """
        kept = store_picture(brought, self._folder, self._saving)
        findings = [serialize_finding(each, self._folder.path)._asdict() for each in kept.findings]
        return {"name": kept.name, "findings": findings}

    def _changed(self, thing: EntityRef) -> EditResponse:
        """Return what is answered where somebody else has changed a thing, or its whole file."""
        try:
            now: Json | None = self._form(find_target(thing, self.game.model, self._folder))
        except (ChoiceError, GameError, OSError):
            now = None
        return EditResponse(409, {"message": "this has changed since it was read", "form": now})

    def _drafted(self, thing: EntityRef, said: Mapping[str, object]) -> _AppliedDraft:
        """Return a thing in its file with a draft of it."""
        draft = parse_draft(said)
        model, folder = self.game.model, self._folder
        wanted = None
        if thing.new:
            values = dict(draft.values)
            given = " ".join((values.pop("id", None) or "").split())
            draft = draft._replace(values=values)
            wanted = given or propose_id(thing, model, folder, _draft_name(draft))
            fault = find_unwritable(wanted, "id")
            if fault is None and is_id_taken(model, thing, wanted):
                fault = UnwritableValue(f"`{wanted}` is the id of another {thing.of}", "id")
            if fault is not None:
                return _AppliedDraft(None, "", [fault])
        spot = find_target(thing, model, folder, wanted)
        state = spot.state
        return _AppliedDraft(spot, state, write_draft(draft, spot))

    def _written(self, spot: EditTarget, data: bytes) -> bool:
        """Write the file of a thing; return whether that was as it was read."""
        before = None if spot.before is None else fingerprint_of(spot.before)
        try:
            self._saving.write({spot.file.path: FileWrite(data, before)})
        except ConflictError:
            return False
        return True


class _AppliedDraft(NamedTuple):
    """A thing with a draft of it in its file; None if there can be none.

    Attributes:
        state: that of the thing before.
    """

    spot: EditTarget | None
    state: str
    faults: list[UnwritableValue]


def _draft_name(draft: EntityDraft) -> str:
    """Return what a draft calls its thing, "" if it does not."""
    labels = [name for item in draft.children.get("label", ()) for name in item.values.values()]
    names = [draft.values.get("name"), draft.values.get("faction_name"), *labels]
    return next((name for name in names if name), "")


def _rejection(findings: list[Json], *, anyway: bool) -> EditResponse:
    first = next((each["message"] for each in findings if each["severity"] == "error"), "")
    return EditResponse(422, {"message": first, "findings": findings, "anyway": anyway})


def routes(desk: StudioSession) -> list[Route]:
    """Return what is answered to those who edit the game of a desk."""
    answers = _EditHandlers(desk)
    return [
        Route("/api/edit/list", answers.list, methods=["GET"]),
        Route("/api/edit/form", answers.form, methods=["GET"]),
        Route("/api/edit/choices", answers.choices, methods=["GET"]),
        Route("/api/edit/preview", answers.preview, methods=["POST"]),
        Route("/api/edit/save", answers.save, methods=["POST"]),
        Route("/api/edit/uses", answers.uses, methods=["GET"]),
        Route("/api/edit/delete", answers.delete, methods=["POST"]),
        Route("/api/edit/restore", answers.restore, methods=["POST"]),
        Route(PICTURE_PATH, answers.picture, methods=["POST"]),
        Route("/faces/picture/{name}", answers.thumb, methods=["GET"]),
    ]


class _EditHandlers:
    def __init__(self, desk: StudioSession) -> None:
        self._desk = desk
        self._editor = Editor(desk.gallery, desk.writer)

    async def list(self, _: Request) -> Response:
        return JSONResponse(await self._desk.ask(self._editor.editable))

    async def form(self, request: Request) -> Response:
        said = dict(request.query_params)
        return JSONResponse(await self._desk.ask(self._editor.form, said))

    async def choices(self, request: Request) -> Response:
        faction = request.query_params.get("faction", "")
        return JSONResponse(await self._desk.ask(self._editor.choices, faction))

    async def preview(self, request: Request) -> Response:
        said = await read_json(request)
        return JSONResponse(await self._desk.ask(self._editor.preview, said))

    async def save(self, request: Request) -> Response:
        answer = await self._desk.ask(self._editor.save, await read_json(request))
        if answer.status != 200:  # noqa: PLR2004 - OK
            return _to_response(answer)
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
        self, change: Callable[[Mapping[str, object]], EditResponse], request: Request
    ) -> Response:
        answer = await self._desk.ask(change, await read_json(request))
        if answer.status == 200:  # noqa: PLR2004 - OK
            await self._desk.look()
        return _to_response(answer)

    async def picture(self, request: Request) -> Response:
        self._desk.writer.demand_writing()
        brought = await asyncio.to_thread(read_upload, await read_json(request))
        return JSONResponse(await self._desk.ask(self._editor.bring, brought))

    async def thumb(self, request: Request) -> Response:
        name = request.path_params["name"]
        found = (
            await self._desk.ask(self._editor.thumb, name)
            if re.fullmatch(HASH_PATTERN, name)
            else None
        )
        if found is None:
            return not_found()
        return image_response(found.content, found.media_type)


def _to_response(answer: EditResponse) -> Response:
    return JSONResponse(answer.said, answer.status)
