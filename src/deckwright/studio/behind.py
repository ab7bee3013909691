"""What stands behind a face: the template that draws it, and what lies beyond its trim box."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from deckwright.api import Game
from deckwright.faces.backs import back_of
from deckwright.studio.answering import nothing, picture
from deckwright.studio.described import Place
from deckwright.studio.desk import Desk
from deckwright.studio.notices import near
from deckwright.studio.pictures import HASH
from deckwright.xmlio.load import load_document


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
