"""What the studio answers: the page, the wall, faces, searches and events."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from deckwright.api import Game
from deckwright.base.findings import ChoiceError
from deckwright.faces.copies import back_of
from deckwright.studio.answers import MISTAKES, nothing, picture, sent
from deckwright.studio.decks import routes as decks
from deckwright.studio.described import Place, near
from deckwright.studio.editing import editor as editing
from deckwright.studio.faces import HASH
from deckwright.studio.guard import PROOF, Guard
from deckwright.studio.printing import routes as printing
from deckwright.studio.session import Desk, TooManyError
from deckwright.xmlio.load import load_document

_PAGES = Path(__file__).parent / "pages"
_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_FIRST = "studio.css"
VIEWS = ("cards", "decks", "edit", "print")
"""What the page can show, in the order of its bar: `NAME/NAME.js` each."""


class Asset(NamedTuple):
    """A file of the page."""

    content: bytes
    media_type: str


@cache
def assets() -> dict[str, Asset]:
    """Return all files of the page by their names: a request finds one here or nowhere."""
    return {
        path.relative_to(_PAGES).as_posix(): Asset(path.read_bytes(), _TYPES[path.suffix])
        for path in sorted(_PAGES.rglob("*"))
        if path.suffix in _TYPES
    }


@cache
def page() -> str:
    """Return the page. It is the same for every game: what is shown, it asks for with its key."""
    names = assets()
    sheets = [name for name in names if name.endswith(".css") and name != _FIRST]
    views = [view for view in VIEWS if f"{view}/{view}.js" in names]
    environment = Environment(
        loader=FileSystemLoader(_PAGES), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("studio.html").render(views=views, sheets=[_FIRST, *sheets])


def face_routes(desk: Desk) -> list[Route]:
    """Return what the page asks for about one face that is opened."""

    async def template(request: Request) -> Response:
        asked = request.query_params
        key, style = asked.get("key", ""), asked.get("style") or None
        place = await desk.ask(template_of, desk.gallery.game, key, style)
        return nothing() if place is None else JSONResponse(place)

    async def bled(request: Request) -> Response:
        name = request.path_params["name"]
        if not re.fullmatch(HASH, name):
            return nothing()
        svg = await desk.ask(desk.gallery.bled, name)
        return nothing() if svg is None else picture(svg)

    return [
        Route("/api/cards/template", template, methods=["GET"]),
        Route("/faces/{name}/bleed.svg", bled, methods=["GET"]),
    ]


def template_of(game: Game, key: str, style: str | None) -> Place | None:
    """Return where the template begins that draws a face; None if there is no such face or file.

    Args:
        key: what the page calls the face.
        style: None for the usual one.
    """
    if style is not None and style not in game.styles:
        return None
    model = game.model
    for card, owner, _ in model.printed():
        if not owner or not key.startswith(f"{owner}:{card.id}:"):
            continue
        side = key.removeprefix(f"{owner}:{card.id}:").partition(":")[2]
        if side == "back":
            back = back_of(model, card, owner)
            name = None if back is None else back.template
        else:
            name = card.kind.face if side == "face" else None
        if name is None:
            return None
        path = game.folder.template(name, style)
        root = load_document(path, []) if path.is_file() else None
        line = 1 if root is None else root.source.at().line
        return {"path": near(path, game.path), "line": line}
    return None


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
