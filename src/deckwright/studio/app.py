"""The studio's web application: the page, its assets, faces, search and events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse

from deckwright.api import Game
from deckwright.base.findings import ChoiceError
from deckwright.faces.copies import back_of
from deckwright.game.card_data import SourceLocation
from deckwright.studio.answers import Json, RefusedError, serialize_error
from deckwright.studio.beginning import begin_with_table
from deckwright.studio.decks import routes as decks
from deckwright.studio.described import display_path
from deckwright.studio.editing import editor as editing
from deckwright.studio.editing import grid, templates, translations
from deckwright.studio.guard import PROOF_PATH, TABLE_PATH, Guard
from deckwright.studio.play import routes as play
from deckwright.studio.printing import routes as printing
from deckwright.studio.routing import EXCEPTION_HANDLERS, get, image_response, post, routes_of
from deckwright.studio.session import StudioSession, TooManyListenersError
from deckwright.xmlio.load import load_document

_PAGES = Path(__file__).parent / "pages"
_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
VIEWS = ("cards", "decks", "play", "edit", "print")
"""The views of the page, in the order of its tabs: `NAME/NAME.js` each."""


class Asset(NamedTuple):
    """A file of the page."""

    content: bytes
    media_type: str


@cache
def load_assets() -> dict[str, Asset]:
    """Return all files of the page by name; assets are found here or nowhere.

    The catalogs of words become JavaScript modules, as not all browsers import JSON.
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
    """Return the page, which is the same for every game: it fetches the game's data itself."""
    sheets = [name for name in load_assets() if name.endswith(".css")]
    sheets.sort(key=lambda name: name != "studio.css")  # the others build on it
    environment = Environment(
        loader=FileSystemLoader(_PAGES), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("studio.html").render(views=VIEWS, sheets=sheets)


def find_template(game: Game, key: str, style: str | None) -> SourceLocation | None:
    """Return the place of the template that draws a face, None if there is no such face or style.

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
    pages = _PageHandlers(session)
    handlers = (
        pages,
        decks.DeckHandlers(session),
        play.PlayHandlers(session),
        printing.PrintHandlers(session),
        editing.EditHandlers(session),
        grid.GridHandlers(session),
        templates.TemplateHandlers(session),
        translations.TranslationHandlers(session),
    )
    routes = [route for each in handlers for route in routes_of(each, session)]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with session.run():
            yield

    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=dict(EXCEPTION_HANDLERS))
    app.state.session = session
    app.router.redirect_slashes = False
    pages.guard = Guard(app, port, token)
    return pages.guard


class _PageHandlers:
    """Handles the requests for the page itself, its faces, search and events.

    Attributes:
        guard: the application's guard, whose keys `proof` needs.
    """

    guard: Guard

    def __init__(self, session: StudioSession) -> None:
        self._session = session

    @get("/")
    async def page(self) -> Response:
        return HTMLResponse(render_page())

    @get("/assets/{name:path}")
    async def asset(self, name: str) -> Response | None:
        asset = load_assets().get(name)
        return asset and Response(asset.content, media_type=asset.media_type)

    @get("/faces/{name}.svg")
    async def face(self, name: str) -> Response | None:
        pictures = self._session.live_game.pictures
        svg = pictures.cached_svg(name) or await self._session.call(pictures.svg, name)
        return image_response(svg)

    @get("/faces/{name}/bleed.svg")
    def face_with_bleed(self, name: str) -> Response | None:
        return image_response(self._session.live_game.pictures.svg_with_bleed(name))

    @get(PROOF_PATH)
    async def proof(self, nonce: str = "") -> dict[str, str]:
        proof = self.guard.keys.prove(nonce)
        if proof is None:
            raise ChoiceError("a nonce is 32 to 64 hexadecimal digits")
        return {"run": self.guard.keys.run_id, "proof": proof}

    @get("/api/game")
    def game(self) -> Json:
        return {**self._session.live_game.basics(), "readOnly": self._session.writer.read_only}

    @post(TABLE_PATH)
    async def begin(self, body: Json) -> Json:
        game, writer = self._session.live_game.own, self._session.writer
        answer = await self._session.call(begin_with_table, game, body, writer)
        if body.get("write") is True:
            await self._session.reload()
        return answer

    @get("/api/cards/template")
    def template(self, key: str = "", style: str = "") -> SourceLocation | None:
        return find_template(self._session.live_game.game, key, style or None)

    @get("/api/wall")
    async def grid(self, style: str = "") -> Response:
        try:
            return JSONResponse(await self._session.face_grid(style or None))
        except ChoiceError as error:
            raise RefusedError(404, serialize_error(error)) from None

    @post("/api/language")
    async def language(self, language: str) -> Json:
        await self._session.switch_language(language)
        return {}

    @post("/api/seen")
    def seen(self, keys: list[str], style: object = None) -> Json:
        self._session.live_game.note_visible(str(style) if style else None, keys)
        return {"ok": True}

    @get("/api/search")
    def search(self, q: str = "") -> Json:
        return self._session.live_game.search(q)

    @post("/api/unsaved")
    async def unsaved(self, works: Mapping[str, str | None]) -> Json:
        for name, text in works.items():
            self._session.unsaved.note(name, text)
        return {"ok": True}

    @get("/api/events")
    async def events(self) -> Response:
        first = await self._session.call(self._session.live_game.empty_event)
        try:
            lines = self._session.streams.subscribe(first)
        except TooManyListenersError:
            message = "too many pages of this studio are open; close some"
            raise RefusedError(503, {"message": message}) from None
        return StreamingResponse(lines, media_type="text/event-stream")
