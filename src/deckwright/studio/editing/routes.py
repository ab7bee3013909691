"""What is answered to those who edit."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from deckwright.api import GameError
from deckwright.base.choices import ChoiceError
from deckwright.studio.answering import nothing, picture, sent
from deckwright.studio.desk import Desk
from deckwright.studio.editing.bringing import looked_at
from deckwright.studio.editing.editor import Answer, Editor
from deckwright.studio.guard import PICTURE
from deckwright.studio.pictures import HASH


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
