"""The routes of the deck builder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

from starlette.requests import Request

from deckwright.api import Game, GameError
from deckwright.base.findings import ChoiceError
from deckwright.base.parsing import Bounds, Text, parse_fields
from deckwright.decks.solver.highs import require_installed
from deckwright.studio.answers import (
    ConflictError,
    Json,
    LocalizedError,
    RefusedError,
    describe_error,
    fingerprint_of,
    to_plain,
)
from deckwright.studio.decks.hands import (
    HandOptions,
    Turns,
    compare_drafts,
    draw_hand,
    serialize_odds,
)
from deckwright.studio.decks.repository import DeckRepository, list_decks
from deckwright.studio.decks.texts import (
    MAX_TEXT_LENGTH,
    ParsedDeck,
    deck_file_name,
    format_deck,
    parse_deck_text,
)
from deckwright.studio.decks.validation import ZoneOption, list_zone_options, validate_draft
from deckwright.studio.described import serialize_finding
from deckwright.studio.drafts import Draft, find_card_key, read_draft
from deckwright.studio.processes import run_process
from deckwright.studio.routing import get, post, run_while_connected
from deckwright.studio.session import StudioSession


class DeckHandlers:
    """Handles the requests of the deck builder."""

    def __init__(self, session: StudioSession) -> None:
        self._session = session
        self._fingerprints = self._read_fingerprints()
        session.after_reload.append(self._watch_files)

    def _watch_files(self) -> None:
        """Send an event if files with decks have changed."""
        before, self._fingerprints = self._fingerprints, self._read_fingerprints()
        if before != self._fingerprints:
            self._session.streams.send({"kind": "decks"})

    def _read_fingerprints(self) -> dict[Path, str | None]:
        folder, writer = self._session.folder, self._session.writer
        return {
            path: writer.file_fingerprint(path) for path in (*folder.deck_lists(), *folder.tables())
        }

    @property
    def _game(self) -> Game:
        return self._session.live_game.own

    @property
    def _repository(self) -> DeckRepository:
        return DeckRepository(self._game, self._session.writer)

    def _draft(self, draft: object) -> Draft:
        return read_draft(draft, self._game.model)

    @get("/api/decks")
    def listing(self) -> Json:
        """Return all decks, and what is needed to build new ones."""
        read_only = self._session.writer.read_only
        return list_decks(self._game, self._repository, read_only=read_only)

    @get("/api/decks/deck")
    def deck(self, id: str = "") -> Json | None:  # noqa: A002 - as the page sends it
        """Return a deck as a draft; None if there is none."""
        repository = self._repository
        path = repository.deck_paths().get(id)
        if path is None:
            return None
        read, folder = repository.read(path), self._game.path
        findings = [serialize_finding(each, folder) for each in read.findings]
        return {
            **to_plain(repository.load_draft(path)),
            "table": read.fingerprint is None,
            "findings": findings,
        }

    @post("/api/decks/judge")
    def validate(self, draft: object) -> Json:
        """Return what the page shows of a draft while it is built."""
        return validate_draft(self._game.model, self._draft(draft).deck)

    @post("/api/decks/odds")
    def odds(self, draft: object, turn: Turns = 0) -> Json:
        """Return the odds of having cards in hand."""
        return serialize_odds(self._game.model, self._draft(draft).deck, turn)

    @post("/api/decks/hand")
    def hand(self, draft: object, body: Json) -> Json:
        """Draw a sample hand."""
        options = parse_fields(HandOptions, body)
        return draw_hand(self._game.model, self._draft(draft).deck, options)

    @post("/api/decks/compare")
    def compare(self, decks: list[object]) -> Json:
        """Compare decks, each given by its id or as a draft."""
        resolved = [*map(self._repository.resolve, decks)]
        return compare_drafts(self._game.model, resolved)

    @post("/api/decks/read")
    def read(
        self, text: Annotated[str, Bounds(0, MAX_TEXT_LENGTH)], faction: object = None
    ) -> ParsedDeck:
        """Read a deck from a text."""
        known = faction if isinstance(faction, str) else None
        return parse_deck_text(self._repository, text, known)

    @post("/api/decks/text")
    def text(self, draft: object, form: Text) -> Json:
        """Return a draft as text."""
        model, deck = self._game.model, self._draft(draft).deck
        return {"text": format_deck(model, deck, form), "file": deck_file_name(deck, form)}

    @post("/api/decks/complete")
    async def complete(self, request: Request, body: Json) -> Json:
        """Find the smallest change that makes a draft legal."""
        return await self._ask_solver("complete", request, body)

    @post("/api/decks/fits")
    async def fits(self, request: Request, body: Json) -> Json:
        """Find the cards that can still be added to a draft."""
        return await self._ask_solver("fits", request, body)

    @post("/api/decks/why")
    async def why(self, request: Request, body: Json) -> Json:
        """Explain for each zone whether a card can be added to a draft."""

        def list_options() -> list[ZoneOption]:
            key = find_card_key(body.get("card"), self._game.model)
            return list_zone_options(self._game.model, self._draft(body.get("draft")).deck, key)

        options = await self._session.call(list_options)
        try:
            answer = await self._ask_solver("why", request, body)
        except (ChoiceError, RefusedError) as error:  # the blocking limits are known nevertheless
            answer = describe_error(error, self._session.folder.path).answer
        known = answer.get("zones")
        legal = known if isinstance(known, dict) else {}
        zones = [{"possible": None, **to_plain(o), **legal.get(o.zone, {})} for o in options]
        return {**answer, "zones": zones}

    async def _ask_solver(self, question: str, request: Request, body: Json) -> Json:
        """Ask the solver in a child process; return {} if the client disconnects.

        Raises:
            ChoiceError: if the draft is malformed, or the solver is not installed or has failed.
            RefusedError: if the solver refuses the question.
        """
        await self._session.call(self._draft, body.get("draft"))
        require_installed()
        data, folder = json.dumps(body).encode(), self._session.folder.path
        solver = "deckwright.studio.decks.solver_worker"
        work = run_process(solver, question, folder=folder, data=data)
        output = await run_while_connected(request, work)
        if output is None:
            return {}
        try:
            reply: dict[str, Json] = json.loads(output)
        except ValueError:
            raise LocalizedError("decks-solver-failed", message="the solver has failed") from None
        if "refused" in reply:
            raise RefusedError(400, reply["refused"])
        return reply["answer"]

    @post("/api/decks/save", writes=True)
    def save(self, draft: object) -> Json:
        """Save a draft."""
        repository = self._repository
        with self._describe_conflicts(repository):
            saved = repository.save(self._draft(draft))
        return {"id": saved.id, "before": saved.before, "draft": saved}

    @post("/api/decks/delete", writes=True)
    def delete(self, id: Text, before: Text) -> Json:  # noqa: A002 - as the page sends it
        """Remove a deck; return what restores it."""
        repository = self._repository
        with self._describe_conflicts(repository):
            removed = repository.remove(id, before)
        return {"undo": {"id": id, "content": removed}}

    @post("/api/decks/restore", writes=True)
    def restore(self, id: Text, content: bytes) -> Json:  # noqa: A002 - as the page sends it
        """Restore a removed deck."""
        restored = self._repository.restore(id, content)
        return {"id": restored.id, "before": restored.before}

    @contextmanager
    def _describe_conflicts(self, repository: DeckRepository) -> Iterator[None]:
        """Answer conflicts within the block with the file's present content, as text and draft."""
        try:
            yield
        except ConflictError as error:
            answer: Json = {"message": str(error), "now": None, "state": None, "theirs": None}
            now = error.current_content
            if now is not None:
                answer |= {"now": now.decode(errors="replace"), "state": fingerprint_of(now)}
                with suppress(GameError):
                    answer["theirs"] = repository.load_draft(error.path)
            raise RefusedError(409, answer) from None
