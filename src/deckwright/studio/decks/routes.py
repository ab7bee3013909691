"""The routes of the deck builder."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from deckwright.api import Game, GameError
from deckwright.base.findings import ChoiceError
from deckwright.decks.solver.highs import require_installed
from deckwright.game.model import Deck
from deckwright.studio.answers import (
    ConflictError,
    LocalizedError,
    deserialize_error,
    fingerprint_of,
    not_found,
    read_json,
    run_while_connected,
)
from deckwright.studio.answers import serialize_error as told
from deckwright.studio.decks.drafts import DraftData, find_card_key, read_draft, require_faction
from deckwright.studio.decks.hands import (
    compare_drafts,
    draw_hand,
    read_hand_options,
    serialize_odds,
)
from deckwright.studio.decks.repository import DeckRepository, list_decks
from deckwright.studio.decks.texts import (
    MAX_TEXT_LENGTH,
    deck_file_name,
    format_deck,
    parse_deck_text,
)
from deckwright.studio.decks.validation import ZoneOption, list_zone_options, validate_draft
from deckwright.studio.described import serialize_finding
from deckwright.studio.session import StudioSession

Json = dict[str, object]


async def ask_solver(
    folder: Path, question: str, body: Mapping[str, object], request: Request
) -> Json:
    """Ask the solver in a child process; return {} if the client disconnects.

    Raises:
        ChoiceError: if it has no answer.
    """
    reply = await run_while_connected(request, _run_solver(folder, question, body))
    if reply is None:
        return {}
    answer = reply.get("answer")
    if isinstance(answer, dict):
        return answer
    if "message" not in reply:
        raise LocalizedError("decks-solver-failed", message="the solver has failed")
    raise deserialize_error(reply)


async def _run_solver(folder: Path, question: str, body: Mapping[str, object]) -> Json:
    command = (sys.executable, "-m", "deckwright.studio.decks.solver_worker", question)
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    try:
        output, _ = await process.communicate(json.dumps(body).encode())
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
    try:
        reply = json.loads(output)
    except ValueError:
        return {}
    return reply if isinstance(reply, dict) else {}


def routes(session: StudioSession) -> list[Route]:
    """Return the routes of the deck builder."""
    answers = _DeckHandlers(session)
    session.after_reload.append(_DeckWatcher(session).check)
    return [
        Route("/api/decks", answers.listing, methods=["GET"]),
        Route("/api/decks/deck", answers.deck, methods=["GET"]),
        Route("/api/decks/judge", answers.judge, methods=["POST"]),
        Route("/api/decks/odds", answers.odds, methods=["POST"]),
        Route("/api/decks/hand", answers.hand, methods=["POST"]),
        Route("/api/decks/compare", answers.compare, methods=["POST"]),
        Route("/api/decks/read", answers.read, methods=["POST"]),
        Route("/api/decks/text", answers.text, methods=["POST"]),
        Route("/api/decks/complete", answers.complete, methods=["POST"]),
        Route("/api/decks/fits", answers.fits, methods=["POST"]),
        Route("/api/decks/why", answers.why, methods=["POST"]),
        Route("/api/decks/save", answers.save, methods=["POST"]),
        Route("/api/decks/delete", answers.delete, methods=["POST"]),
        Route("/api/decks/restore", answers.restore, methods=["POST"]),
    ]


class _DeckWatcher:
    """Sends an event when files with decks have changed."""

    def __init__(self, session: StudioSession) -> None:
        self._session = session
        self._fingerprints = self._read_fingerprints()

    def check(self) -> None:
        """Compare the files with their last fingerprints; send an event if they differ."""
        before, self._fingerprints = self._fingerprints, self._read_fingerprints()
        if before != self._fingerprints:
            self._session.streams.send({"kind": "decks"})

    def _read_fingerprints(self) -> dict[Path, str | None]:
        folder, writer = self._session.folder, self._session.writer
        return {
            path: writer.file_fingerprint(path) for path in (*folder.deck_lists(), *folder.tables())
        }


class _DeckHandlers:
    """Handles requests of the deck builder."""

    def __init__(self, session: StudioSession) -> None:
        self._session = session

    @property
    def _game(self) -> Game:
        return self._session.live_game.game

    @property
    def _repository(self) -> DeckRepository:
        return DeckRepository(self._game, self._session.writer)

    async def listing(self, _: Request) -> Response:
        read_only = self._session.writer.read_only
        call = self._session.call(list_decks, self._game, self._repository, read_only=read_only)
        return JSONResponse(await call)

    async def deck(self, request: Request) -> Response:
        deck_id = request.query_params.get("id", "")

        def open_deck() -> Json | None:
            repository = self._repository
            path = repository.deck_paths().get(deck_id)
            if path is None:
                return None
            read, folder = repository.read(path), self._game.path
            return {
                **repository.load_draft(path),
                "table": read.fingerprint is None,
                "findings": [serialize_finding(each, folder)._asdict() for each in read.findings],
            }

        data = await self._session.call(open_deck)
        return not_found() if data is None else JSONResponse(data)

    async def judge(self, request: Request) -> Response:
        body = await read_json(request)

        def judge() -> Json:
            model = self._game.model
            return validate_draft(model, read_draft(body.get("draft"), model).deck)

        return JSONResponse(await self._session.call(judge))

    async def odds(self, request: Request) -> Response:
        body = await read_json(request)
        turn = read_hand_options({"turns": body.get("turn", 0)})["turns"]

        def odds() -> Json:
            model = self._game.model
            return serialize_odds(model, read_draft(body.get("draft"), model).deck, turn)

        return JSONResponse(await self._session.call(odds))

    async def hand(self, request: Request) -> Response:
        body = await read_json(request)
        options = read_hand_options(body)

        def hand() -> Json:
            model = self._game.model
            return draw_hand(model, read_draft(body.get("draft"), model).deck, options)

        return JSONResponse(await self._session.call(hand))

    async def compare(self, request: Request) -> Response:
        sources = (await read_json(request)).get("decks")
        if not isinstance(sources, list):
            raise ChoiceError("there is no list `decks`")

        def compare() -> Json:
            return compare_drafts(self._game.model, [self._read_deck(each) for each in sources])

        return JSONResponse(await self._session.call(compare))

    def _read_deck(self, source: object) -> Deck:
        """Return a deck given by its id, or as a draft."""
        repository, reference = self._repository, source if isinstance(source, dict) else {}
        if "draft" in reference:
            return read_draft(reference["draft"], self._game.model).deck
        path = repository.deck_paths().get(str(reference.get("id")))
        if path is None:
            name = str(reference.get("id"))
            raise LocalizedError("decks-gone", name, message=f"there is no deck `{name}`")
        deck = repository.read(path).deck
        require_faction(deck.faction_id, self._game.model)
        return deck

    async def read(self, request: Request) -> Response:
        body = await read_json(request)
        text, faction = body.get("text"), body.get("faction")
        if not isinstance(text, str) or len(text) > MAX_TEXT_LENGTH:
            raise ChoiceError(f"`text` is no text of at most {MAX_TEXT_LENGTH} characters")
        known = faction if isinstance(faction, str) else None
        return JSONResponse(
            await self._session.call(lambda: parse_deck_text(self._repository, text, known))
        )

    async def text(self, request: Request) -> Response:
        body = await read_json(request)
        form = _require_text(body, "form")

        def format_text() -> Json:
            model = self._game.model
            deck = read_draft(body.get("draft"), model).deck
            return {"text": format_deck(model, deck, form), "file": deck_file_name(deck, form)}

        return JSONResponse(await self._session.call(format_text))

    async def complete(self, request: Request) -> Response:
        return JSONResponse(await self._ask_solver("complete", request, await read_json(request)))

    async def fits(self, request: Request) -> Response:
        return JSONResponse(await self._ask_solver("fits", request, await read_json(request)))

    async def why(self, request: Request) -> Response:
        body = await read_json(request)

        def list_spots() -> list[ZoneOption]:
            model = self._game.model
            key = find_card_key(body.get("card"), model)
            return list_zone_options(model, read_draft(body.get("draft"), model).deck, key)

        spots, answer = await self._session.call(list_spots), Json()
        try:
            answer = await self._ask_solver("why", request, body)
        except ChoiceError as error:  # the blocking limits are known all the same
            answer = told(error)
        known = answer.get("zones")
        legal = known if isinstance(known, dict) else {}
        zones = [{"possible": None, **spot, **legal.get(spot["zone"], {})} for spot in spots]
        return JSONResponse({**answer, "zones": zones})

    async def _ask_solver(self, question: str, request: Request, body: Json) -> Json:
        """Ask the solver, after validating the draft."""
        await self._session.call(lambda: read_draft(body.get("draft"), self._game.model))
        require_installed()
        return await ask_solver(self._session.folder.path, question, body, request)

    async def save(self, request: Request) -> Response:
        body = await read_json(request)

        def save() -> DraftData:
            return self._repository.save(read_draft(body.get("draft"), self._game.model))

        try:
            saved = await self._session.call(save)
        except ConflictError as error:
            return await self._conflict(error)
        await self._session.reload()
        return JSONResponse({"id": saved["id"], "before": saved["before"], "draft": saved})

    async def delete(self, request: Request) -> Response:
        body = await read_json(request)
        deck_id, before = _require_text(body, "id"), _require_text(body, "before")
        try:
            removed = await self._session.call(self._repository.remove, deck_id, before)
        except ConflictError as error:
            return await self._conflict(error)
        await self._session.reload()
        content = base64.b64encode(removed).decode()
        return JSONResponse({"undo": {"id": deck_id, "content": content}})

    async def restore(self, request: Request) -> Response:
        body = await read_json(request)
        deck_id, content = _require_text(body, "id"), _require_text(body, "content")
        restored = await self._session.call(self._repository.restore, deck_id, content)
        await self._session.reload()
        return JSONResponse({"id": restored["id"], "before": restored["before"]})

    async def _conflict(self, error: ConflictError) -> Response:
        """Return the response to a conflict, with the file's present content."""
        now, theirs = error.current_content, None
        if now is not None:
            try:
                theirs = await self._session.call(self._repository.load_draft, error.path)
            except GameError:
                theirs = None
        text = None if now is None else now.decode(errors="replace")
        state = None if now is None else fingerprint_of(now)
        answer = {"message": str(error), "now": text, "state": state, "theirs": theirs}
        return JSONResponse(answer, 409)


def _require_text(body: Json, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise ChoiceError(f"`{name}` is no text")
    return value
