"""What the studio answers: the page, the wall, faces, searches and events."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from deckwright.base.choices import ChoiceError
from deckwright.studio.answering import MISTAKES, nothing, picture, sent
from deckwright.studio.assets import assets, page
from deckwright.studio.behind import face_routes
from deckwright.studio.decks import routes as decks
from deckwright.studio.desk import Desk
from deckwright.studio.editing import routes as editing
from deckwright.studio.guard import PROOF, Guard
from deckwright.studio.pictures import HASH
from deckwright.studio.printing import routes as printing
from deckwright.studio.streams import TooManyError


def guarded(desk: Desk, port: int, token: str | None = None) -> Guard:
    """Return the application of a studio that is bound to a port.

    Args:
        token: what the page must know; a new one if None.
    """
    answers = _Answers(desk)
    routes = [
        Route("/", answers.page, methods=["GET"]),
        Route("/assets/{name:path}", answers.asset, methods=["GET"]),
        Route("/faces/{name}.svg", answers.face, methods=["GET"]),
        Route(PROOF, answers.proof, methods=["GET"]),
        Route("/api/game", answers.game, methods=["GET"]),
        Route("/api/wall", answers.wall, methods=["GET"]),
        Route("/api/seen", answers.seen, methods=["POST"]),
        Route("/api/search", answers.search, methods=["GET"]),
        Route("/api/events", answers.events, methods=["GET"]),
        Route("/api/unsaved", answers.unsaved, methods=["POST"]),
        *face_routes(desk),
        *decks.routes(desk),
        *printing.routes(desk),
        *editing.routes(desk),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with desk.running():
            yield

    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=dict(MISTAKES))
    app.state.desk = desk
    app.router.redirect_slashes = False
    answers.guard = Guard(app, port, token)
    return answers.guard


class _Answers:
    """Answers requests that were let in."""

    guard: Guard

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._assets = assets()

    async def page(self, _: Request) -> Response:
        return HTMLResponse(page())

    async def proof(self, request: Request) -> Response:
        keys = self.guard.keys
        proof = keys.proof(request.query_params.get("nonce", ""))
        if proof is None:
            raise ChoiceError("a nonce is 32 to 64 hexadecimal digits")
        return JSONResponse({"run": keys.run, "proof": proof})

    async def game(self, _: Request) -> Response:
        facts = await self._desk.ask(self._desk.gallery.facts)
        return JSONResponse({**facts, "readOnly": self._desk.saving.read_only})

    async def asset(self, request: Request) -> Response:
        found = self._assets.get(request.path_params["name"])
        if found is None:
            return nothing()
        return Response(found.content, media_type=found.media_type)

    async def face(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not re.fullmatch(HASH, name):
            return nothing()
        gallery = self._desk.gallery
        svg = gallery.painted(name) or await self._desk.ask(gallery.svg, name)
        if svg is None:
            return nothing()
        return picture(svg)

    async def wall(self, request: Request) -> Response:
        try:
            return JSONResponse(await self._desk.wall(request.query_params.get("style") or None))
        except ChoiceError as error:
            return JSONResponse({"message": error.message, "hint": error.hint}, 404)

    async def seen(self, request: Request) -> Response:
        said = await sent(request)
        style, keys = said.get("style"), said.get("keys")
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            raise ChoiceError("these are no keys of faces")
        await self._desk.ask(self._desk.gallery.see, str(style) if style else None, keys)
        return JSONResponse({"ok": True})

    async def search(self, request: Request) -> Response:
        text = request.query_params.get("q", "")
        return JSONResponse(await self._desk.ask(self._desk.gallery.search, text))

    async def unsaved(self, request: Request) -> Response:
        said = await sent(request)
        self._desk.unsaved.note(said.get("id"), said.get("text"))
        return JSONResponse({"ok": True})

    async def events(self, _: Request) -> Response:
        try:
            lines = self._desk.streams.join(await self._desk.ask(self._desk.gallery.now))
        except TooManyError:
            return JSONResponse({"message": "too many pages listen; close some"}, 503)
        return StreamingResponse(lines, media_type="text/event-stream")
