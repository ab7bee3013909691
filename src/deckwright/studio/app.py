"""The studio's web application: the page, its assets, faces, search and events."""

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
from deckwright.studio import beginning
from deckwright.studio.answers import EXCEPTION_HANDLERS, image_response, not_found, read_json
from deckwright.studio.decks import routes as decks
from deckwright.studio.described import SourceLocation, display_path
from deckwright.studio.editing import editor as editing
from deckwright.studio.faces import HASH_PATTERN
from deckwright.studio.guard import PROOF_PATH, Guard
from deckwright.studio.printing import routes as printing
from deckwright.studio.session import StudioSession, TooManyListenersError
from deckwright.xmlio.load import load_document

_PAGES = Path(__file__).parent / "pages"
_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_FIRST_STYLESHEET = "studio.css"
VIEWS = ("cards", "decks", "edit", "print")
"""The views of the page, in the order of its tabs: `NAME/NAME.js` each."""


class Asset(NamedTuple):
    """A file of the page."""

    content: bytes
    media_type: str


@cache
def load_assets() -> dict[str, Asset]:
    """Return all files of the page by their names: a request finds one here or nowhere.

    The catalogues of words are modules of JavaScript, as not all browsers import JSON.
    """
    assets = {
        path.relative_to(_PAGES).as_posix(): Asset(path.read_bytes(), _TYPES[path.suffix])
        for path in sorted(_PAGES.rglob("*"))
        if path.suffix in _TYPES
    }
    for path in _PAGES.glob("words/*.json"):
        module = Asset(b"export default " + path.read_bytes(), _TYPES[".js"])
        assets[f"words/{path.stem}.js"] = module
    return assets


@cache
def render_page() -> str:
    """Return the page. It is the same for every game: it fetches the game's data with its key."""
    names = load_assets()
    sheets = [name for name in names if name.endswith(".css") and name != _FIRST_STYLESHEET]
    views = [view for view in VIEWS if f"{view}/{view}.js" in names]
    environment = Environment(
        loader=FileSystemLoader(_PAGES), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("studio.html").render(
        views=views, sheets=[_FIRST_STYLESHEET, *sheets]
    )


def face_routes(session: StudioSession) -> list[Route]:
    """Return the routes for a single opened face."""

    async def template(request: Request) -> Response:
        query = request.query_params
        key, style = query.get("key", ""), query.get("style") or None
        place = await session.call(find_template, session.live_game.game, key, style)
        return not_found() if place is None else JSONResponse(place)

    async def bled(request: Request) -> Response:
        name = request.path_params["name"]
        if not re.fullmatch(HASH_PATTERN, name):
            return not_found()
        svg = await session.call(session.live_game.svg_with_bleed, name)
        return not_found() if svg is None else image_response(svg)

    return [
        Route("/api/cards/template", template, methods=["GET"]),
        Route("/faces/{name}/bleed.svg", bled, methods=["GET"]),
    ]


def find_template(game: Game, key: str, style: str | None) -> SourceLocation | None:
    """Return the place of the template that draws a face; None if there is no such face or file.

    Args:
        key: the face's key in the page.
        style: None for the default style.
    """
    if style is not None and style not in game.styles:
        return None
    model = game.model
    for card, owner, _ in model.printable_cards():
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
        return {"path": display_path(path, game.path), "line": line}
    return None


def create_app(session: StudioSession, port: int, token: str | None = None) -> Guard:
    """Return the application of a studio that is bound to a port.

    Args:
        token: the page's secret; a new one if None.
    """
    answers = _PageHandlers(session)
    routes = [
        Route("/", answers.page, methods=["GET"]),
        Route("/assets/{name:path}", answers.asset, methods=["GET"]),
        Route("/faces/{name}.svg", answers.face, methods=["GET"]),
        Route(PROOF_PATH, answers.proof, methods=["GET"]),
        Route("/api/game", answers.game, methods=["GET"]),
        Route("/api/wall", answers.grid, methods=["GET"]),
        Route("/api/seen", answers.seen, methods=["POST"]),
        Route("/api/search", answers.search, methods=["GET"]),
        Route("/api/events", answers.events, methods=["GET"]),
        Route("/api/unsaved", answers.unsaved, methods=["POST"]),
        *face_routes(session),
        *decks.routes(session),
        *printing.routes(session),
        *editing.routes(session),
        *beginning.routes(session),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with session.run():
            yield

    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=dict(EXCEPTION_HANDLERS))
    app.state.desk = session
    app.router.redirect_slashes = False
    answers.guard = Guard(app, port, token)
    return answers.guard


class _PageHandlers:
    """Handles the requests that the guard lets through."""

    guard: Guard

    def __init__(self, session: StudioSession) -> None:
        self._session = session
        self._assets = load_assets()

    async def page(self, _: Request) -> Response:
        return HTMLResponse(render_page())

    async def proof(self, request: Request) -> Response:
        keys = self.guard.keys
        proof = keys.prove(request.query_params.get("nonce", ""))
        if proof is None:
            raise ChoiceError("a nonce is 32 to 64 hexadecimal digits")
        return JSONResponse({"run": keys.run_id, "proof": proof})

    async def game(self, _: Request) -> Response:
        facts = await self._session.call(self._session.live_game.basics)
        return JSONResponse({**facts, "readOnly": self._session.writer.read_only})

    async def asset(self, request: Request) -> Response:
        asset_data = self._assets.get(request.path_params["name"])
        if asset_data is None:
            return not_found()
        return Response(asset_data.content, media_type=asset_data.media_type)

    async def face(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not re.fullmatch(HASH_PATTERN, name):
            return not_found()
        live_game = self._session.live_game
        svg = live_game.cached_svg(name) or await self._session.call(live_game.svg, name)
        if svg is None:
            return not_found()
        return image_response(svg)

    async def grid(self, request: Request) -> Response:
        try:
            return JSONResponse(
                await self._session.face_grid(request.query_params.get("style") or None)
            )
        except ChoiceError as error:
            return JSONResponse({"message": error.message, "hint": error.hint}, 404)

    async def seen(self, request: Request) -> Response:
        body = await read_json(request)
        style, keys = body.get("style"), body.get("keys")
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            raise ChoiceError("these are no keys of faces")
        await self._session.call(
            self._session.live_game.note_visible, str(style) if style else None, keys
        )
        return JSONResponse({"ok": True})

    async def search(self, request: Request) -> Response:
        text = request.query_params.get("q", "")
        return JSONResponse(await self._session.call(self._session.live_game.search, text))

    async def unsaved(self, request: Request) -> Response:
        body = await read_json(request)
        self._session.unsaved.note(body.get("id"), body.get("text"))
        return JSONResponse({"ok": True})

    async def events(self, _: Request) -> Response:
        try:
            lines = self._session.streams.subscribe(
                await self._session.call(self._session.live_game.empty_event)
            )
        except TooManyListenersError:
            return JSONResponse({"message": "too many pages listen; close some"}, 503)
        return StreamingResponse(lines, media_type="text/event-stream")
