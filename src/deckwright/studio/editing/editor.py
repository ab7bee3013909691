"""The editor: forms, previews, saving and deleting, with their routes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from starlette.responses import Response

from deckwright.api import Game as LibraryGame
from deckwright.api import GameError
from deckwright.base.files import path_exists
from deckwright.base.findings import ChoiceError
from deckwright.base.parsing import parse, parse_fields
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Field
from deckwright.game.model import Game
from deckwright.paint.svg import path_data
from deckwright.studio.answers import (
    ConflictError,
    FileWrite,
    FolderWriter,
    Json,
    LocalizedError,
    RefusedError,
    fingerprint_of,
    pick,
    serialize_error,
)
from deckwright.studio.described import serialize_finding
from deckwright.studio.drafts import EntityDraft, Undo, make_undo
from deckwright.studio.editing.cells import is_open_elsewhere
from deckwright.studio.editing.forms import build_form, find_uses
from deckwright.studio.editing.outlines import EntityRef, is_id_taken, list_sections, parse_entity
from deckwright.studio.editing.pictures import (
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
    preview_edits,
    require_style,
    serialize_unwritable,
)
from deckwright.studio.editing.targets import (
    EditTarget,
    find_cards_file,
    find_element,
    find_former_file,
    find_root,
    find_target,
    propose_id,
    read_content,
    write_targets,
)
from deckwright.studio.editing.writing import (
    UnwritableValue,
    check_rows,
    find_unwritable,
    write_draft,
)
from deckwright.studio.guard import PICTURE_PATH
from deckwright.studio.live_game import LiveGame
from deckwright.studio.routing import get, image_response, post
from deckwright.studio.session import StudioSession
from deckwright.text.shaping import icon_names, icon_outline
from deckwright.text.symbols import icon_sections


@cache
def _list_icons() -> tuple[dict[str, str], ...]:
    """Return all icons, those for games first, with the words to find them by."""
    words: dict[str, list[str]] = {}
    for section in icon_sections():
        for meaning in section.meanings:
            for name in meaning.icons:
                words.setdefault(name, []).extend((*meaning.english, *meaning.german))
    for name in icon_names():
        words.setdefault(name, [])
    return tuple({"id": name, "text": " ".join(found)} for name, found in words.items())


def draw_icon(name: str) -> bytes | None:
    """Return an icon as SVG, None if there is none of that name."""
    if name not in icon_names():
        return None
    path = path_data(icon_outline(name))
    head = 'xmlns="http://www.w3.org/2000/svg" viewBox="-0.1 -0.1 1.2 1.2"'
    return f'<svg {head}><path d="{path}" fill="#444"/></svg>'.encode()


def _all_fields(game: Game) -> Iterator[Field]:
    """Yield the fields of all kinds and of their children."""
    for kind in game.setup.kinds.values():
        yield from kind.fields
        for spec in kind.children:
            yield from spec.fields


class Editor:
    """Edits the open game."""

    def __init__(self, live_game: LiveGame, writer: FolderWriter) -> None:
        self._live_game, self._writer = live_game, writer

    @property
    def game(self) -> LibraryGame:
        """The open game."""
        return self._live_game.own

    @property
    def _folder(self) -> GameFolder:
        return self.game.folder

    @get("/api/edit/list")
    def list_entities(self) -> Json:
        """Return what can be edited besides cards, and the factions that can get new cards."""
        game, folder = self.game.model, self._folder
        editable = set[str]()
        for each in game.factions.values():
            with suppress(ChoiceError):
                find_cards_file(each.id, folder)
                editable.add(each.id)
        return {
            "readOnly": self._writer.read_only,
            "kinds": [{"kind": kind.tag, "name": kind.name} for kind in game.setup.card_kinds],
            "begins": {
                "rule": any(field.item_field.type == "rule" for field in _all_fields(game)),
                "faction": path_exists(folder.factions_file),
            },
            "factions": [
                {
                    **pick(each, "id", "name"),
                    "editable": not each.cards_of and each.id in editable,
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

    @get("/api/edit/choices")
    def choices(self, faction: str = "") -> Json:
        """Return the rules, cards, pictures and symbols that fields can refer to.

        Args:
            faction: the edited card's faction; rules are labelled for its race.
        """
        game = self.game.model
        owner = game.factions.get(faction)
        race = owner.race if owner else ""
        names_pictures = any(each.picture and each.type == "text" for each in _all_fields(game))
        return {
            "rules": [
                {
                    **pick(rule, "id", "type"),
                    "label": rule.any_label(race),
                    "text": rule.effect,
                    "fits": owner is None or rule.label(race) is not None,
                }
                for rule in game.rules.values()
            ],
            "cards": [
                {"faction": card.faction_id, **pick(card, "id", "name")}
                for card in game.cards.values()
            ],
            "pictures": [serialize_picture(*each) for each in list_pictures(self._folder.images)],
            "icons": _list_icons() if names_pictures else (),
            "symbols": [pick(symbol, "id", "name") for symbol in game.setup.symbols.values()],
        }

    @get("/faces/picture/{name}")
    def thumbnail(self, name: str) -> Response | None:
        """Return the thumbnail of the picture with a hash, None if there is none."""
        thumbnail = read_thumbnail(self._folder.images, name)
        return thumbnail and image_response(*thumbnail)

    @get("/api/edit/form")
    def form(self, body: Mapping[str, object]) -> Json:
        """Return the form of an entity."""
        return self._build_form(find_target(parse_entity(body), self.game.model, self._folder))

    def _build_form(self, target: EditTarget) -> Json:
        return build_form(target, self.game.model, self._folder, read_only=self._writer.read_only)

    @post("/api/edit/preview")
    def preview(self, body: Mapping[str, object]) -> Json:
        """Return a draft's faces and findings, without writing anything."""
        entity, style = parse_entity(body), require_style(self.game, body.get("style"))
        answer: Json = {"faces": [], "pictures": [], "worked": {}, "changed": True}
        target, fingerprint, faults = self._apply_draft(entity, body)
        if target is None:
            findings = [serialize_unwritable(error) for error in faults]
            return {**answer, "ok": False, "findings": findings}
        preview = preview_edits(self.game, [target], faults)
        findings = [*_find_locks([target], "warning"), *preview.findings]
        answer["changed"] = target.file.to_bytes() != target.original
        answer["current"] = entity.new or body.get("state") == fingerprint
        answer["id"] = target.entity.id
        if preview.game is not None:
            cards = choose_preview_cards(preview.game, target.entity, body.get("on"))
            paint = self._live_game.pictures.paint
            faces, boxes, in_faces = preview_cards(preview.game, cards, style, paint)
            composed = locate_findings(in_faces, (), preview.locators, self._folder.path)
            findings += (each for each in composed if each not in findings)
            answer |= {"faces": faces, "pictures": boxes}
            answer["worked"] = computed_values(cards) if entity.of == "card" else {}
        return {**answer, "ok": not has_error(findings), "findings": findings}

    def save(self, body: Mapping[str, object]) -> dict[str, Any]:
        """Write a draft to its file; return the saved entity and the findings.

        Raises:
            ChoiceError: if it cannot be written.
            RefusedError: if it has errors, or the entity has changed since it was read.
            GameError: if the entity's file cannot be read.
            OSError: if the file cannot be written.
        """
        self._writer.require_writable()
        entity = parse_entity(body)
        target, fingerprint, faults = self._apply_draft(entity, body)
        if target is None:
            raise reject([serialize_unwritable(error) for error in faults], anyway=False)
        if not entity.new and body.get("state") != fingerprint:
            raise self._conflict(entity)
        try:
            findings = self.write([target], faults, anyway=body.get("anyway") is True)
        except ConflictError:
            raise self._conflict(entity) from None
        return {"thing": target.entity.as_saved().serialize(), "findings": findings}

    def write(
        self, targets: Sequence[EditTarget], faults: Sequence[UnwritableValue], *, anyway: bool
    ) -> list[Json]:
        """Write edited entities to their files, all or none; return the findings.

        Args:
            faults: the values that cannot be written.
            anyway: whether to write the entities despite errors.

        Raises:
            RefusedError: if they have errors.
            ConflictError: if a file has changed since it was read.
            OSError: if a file cannot be written.
        """
        preview = preview_edits(self.game, targets, faults)
        writable = preview.game is not None and not faults
        findings = [*_find_locks(targets, "error"), *preview.findings]
        if not writable or (has_error(findings) and not anyway):
            raise reject(findings, anyway=writable)
        before = {target.file.path: target.original for target in targets}
        self._writer.write(
            {
                path: FileWrite(data, fingerprint_of(former) if former is not None else None)
                for path, data in write_targets(targets).items()
                if data != (former := before[path])
            }
        )
        return preview.findings

    @post("/api/edit/delete", writes=True)
    def delete(self, body: Mapping[str, object]) -> Json:
        """Delete a card, token, rule or faction from its file; return the findings and the undo.

        This is refused if it is needed, or has changed since it was read.
        """
        self._writer.require_writable()
        entity = parse_entity(body)
        target, preview, objections = self._try_without(entity)
        if body.get("state") != target.fingerprint:
            raise self._conflict(entity)
        if objections is not None and body.get("anyway") is not True:
            raise RefusedError(422, objections)
        data, former = target.file.to_bytes(), target.original or b""
        if preview.game is None:
            raise self._conflict(entity)
        try:
            self._writer.write({target.file.path: FileWrite(data, fingerprint_of(former))})
        except ConflictError:
            raise self._conflict(entity) from None
        return {"findings": preview.findings, "undo": make_undo(former, data)}

    @get("/api/edit/uses")
    def uses(self, body: Mapping[str, object]) -> Json:
        """Return the uses of an entity, and the errors that deleting it would cause; {} if none."""
        _, _, objections = self._try_without(parse_entity(body))
        return objections or {}

    def _try_without(self, entity: EntityRef) -> tuple[EditTarget, EditPreview, Json | None]:
        """Return an entity's file without it, the resulting game, and any objections to that."""
        if entity.of == "texts" or entity.new:
            raise ChoiceError("this cannot be deleted here", "delete it in an editor")
        target = find_target(entity, self.game.model, self._folder)
        element = target.file.elements[target.outline.node.source.ordinal]
        holder = target.file.parent_of(element)
        holder.remove(element)
        holder.close()
        preview = preview_edits(self.game, [target])
        uses = find_uses(entity, self.game.model, self._folder)
        findings = [*_find_locks([target], "error"), *preview.findings]
        if not any(uses) and not has_error(findings):
            return target, preview, None
        refused = reject(findings, anyway=preview.game is not None)
        return target, preview, {**refused.answer, "uses": uses}

    @post("/api/edit/restore", writes=True)
    def restore(self, body: Mapping[str, object]) -> Json:
        """Restore a deleted entity, unless its file has changed since."""
        self._writer.require_writable()
        entity, undo = parse_entity(body), parse("undo", Undo, body.get("undo"))
        former = find_former_file(entity, self.game.model, self._folder)
        contents = {
            path: read_content(path, self._folder)
            for path in (former, *(self._folder.tables() if entity.of == "card" else ()))
        }
        same = (path for path, now in contents.items() if now and fingerprint_of(now) == undo.state)
        path = next(same, former)
        now = contents[path]
        if now is None or fingerprint_of(now) != undo.state:
            message = f"{path.name} has changed since this was deleted, so it cannot be restored"
            conflict = LocalizedError("edit-not-back", path.name, message=message)
            raise RefusedError(409, {**serialize_error(conflict), "form": None})
        data = undo.apply(now)
        root = find_root(path, data, self.game.model, self._folder)
        if find_element(entity, root, self.game.model.setup) is None:
            raise ChoiceError("the undo does not restore this")
        self._writer.write({path: FileWrite(data, undo.state)})
        return {"thing": entity.serialize()}

    def _conflict(self, entity: EntityRef) -> RefusedError:
        """Return the refusal to change an entity if it or its file has changed, with its form."""
        try:
            now: Json | None = self._build_form(find_target(entity, self.game.model, self._folder))
        except (ChoiceError, GameError, OSError):
            now = None
        return report_conflict(form=now)

    def _apply_draft(
        self, entity: EntityRef, body: Mapping[str, object]
    ) -> tuple[EditTarget | None, str, list[UnwritableValue]]:
        """Write a draft into the text of its entity's file, without saving it.

        Returns:
            The entity, None if it cannot be written at all; its fingerprint before the edit; and
            the values that cannot be written.
        """
        draft = parse_fields(EntityDraft, {**body})
        model, folder = self.game.model, self._folder
        new_id = None
        if entity.new:
            values = dict(draft.values)
            chosen = " ".join((values.pop("id", None) or "").split())
            draft = draft._replace(values=values)
            labels = [
                name for item in draft.children.get("label", ()) for name in item.values.values()
            ]
            names = [values.get("name"), values.get("faction_name"), *labels]
            name = next((name for name in names if name), "")
            new_id = chosen or propose_id(entity, model, folder, name)
            error = find_unwritable(new_id, "id")
            if error is None and is_id_taken(model, entity, new_id):
                error = UnwritableValue(f"`{new_id}` is the id of another {entity.of}", "id")
            if error is not None:
                return None, "", [error]
        target = find_target(entity, model, folder, new_id)
        state, faults = target.fingerprint, write_draft(draft, target)
        (target,), misread = check_rows([target], model, folder)
        return (None, "", [*faults, *misread]) if misread else (target, state, faults)


def _find_locks(targets: Sequence[EditTarget], severity: str) -> Iterator[Json]:
    """Yield a finding for each table that is open in another program, which may overwrite it."""
    tables = (target.file.path for target in targets if target.place is not None)
    for path in filter(is_open_elsewhere, dict.fromkeys(tables)):
        message = f"{path.name} is open in a spreadsheet program"
        hint = "close it there first: what you save in one, the other overwrites"
        error = serialize_unwritable(UnwritableValue(message, None))
        yield {**error, "severity": severity, "hint": hint}


def reject(findings: list[Json], *, anyway: bool) -> RefusedError:
    """Return the refusal of edits with errors; `anyway` if they can be saved nevertheless."""
    first = next((each["message"] for each in findings if each["severity"] == "error"), "")
    return RefusedError(422, {"message": first, "findings": findings, "anyway": anyway})


def report_conflict(**more: object) -> RefusedError:
    """Return the refusal of an edit to something that has changed since it was read."""
    return RefusedError(409, {"message": "this has changed since it was read", **more})


class EditHandlers(Editor):
    """Handles the requests of the editor: those of `Editor`, and those that need the session."""

    def __init__(self, session: StudioSession) -> None:
        super().__init__(session.live_game, session.writer)
        self._session = session

    @post("/api/edit/save")
    async def save_and_reload(self, body: Json) -> Json:
        """Save a draft; return its new form, None if it has vanished meanwhile."""
        saved = await self._session.call(self.save, body)
        await self._session.reload()
        try:
            form = await self._session.call(self.form, saved["thing"])
        except (ChoiceError, GameError, OSError):
            form = None
        return {**saved, "form": form}

    @post(PICTURE_PATH)
    async def picture(self, body: Json) -> Json:
        """Store an uploaded picture."""
        self._session.writer.require_writable()
        upload = await asyncio.to_thread(read_upload, body)
        folder, writer = self._session.folder, self._session.writer
        name, warnings = await self._session.call(store_picture, upload, folder, writer)
        findings = [serialize_finding(each, folder.path) for each in warnings]
        return {"name": name, "findings": findings}

    @get("/faces/icon/{name}")
    async def icon(self, name: str) -> Response | None:
        """Return an icon."""
        return image_response(await asyncio.to_thread(draw_icon, name))
