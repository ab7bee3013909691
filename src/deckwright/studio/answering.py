"""What all answers have in common: JSON that was sent, and what is said of mistakes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from deckwright.api import GameError
from deckwright.base.choices import ChoiceError
from deckwright.studio.notices import notice
from deckwright.studio.saving import ConflictError
from deckwright.studio.saying import SaidError, disk_error, said

_FOR_GOOD = {
    "cache-control": "private, max-age=31536000, immutable",
    "content-security-policy": (
        "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        "frame-ancestors 'none'"
    ),
}
"""How a picture is sent: its name is a hash of what it shows, and it runs nothing."""
Handler = Callable[[Request, Exception], Awaitable[Response]]
T = TypeVar("T")
_GLANCE = 0.1
"""Every so many seconds it is looked whether somebody still waits for what takes long."""


async def sent(request: Request) -> dict[str, object]:
    """Return the JSON object that a request brings.

    Raises:
        ChoiceError: if it brings none.
    """
    try:
        said = json.loads(await request.body(), parse_constant=_refused)
        json.dumps(said, ensure_ascii=False).encode()  # halves of characters cannot be said again
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise ChoiceError("this is no JSON object")
    return said


def _refused(word: str) -> None:
    """Refuse NaN and infinities, which JSON does not have and no answer could say again."""
    raise ValueError(word)


async def while_wanted(request: Request, work: Coroutine[object, object, T]) -> T | None:
    """Return what comes of work; where it is not waited for any more it is cancelled: None.

    That is where the page has gone away, or the studio ends.

    Raises:
        Exception: what the work raises.
    """
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait((task,), timeout=_GLANCE)
            closing = request.app.state.desk.is_closing
            if not task.done() and (closing or await request.is_disconnected()):
                return None
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def nothing() -> Response:
    """Return what is said where there is nothing."""
    return JSONResponse({"message": "there is nothing here"}, 404)


def picture(content: bytes, media_type: str = "image/svg+xml") -> Response:
    """Return a picture that the page names by a hash of it."""
    return Response(content, media_type=media_type, headers=_FOR_GOOD)


async def _missing(_request: Request, _error: Exception) -> Response:
    return nothing()


async def _chosen(_request: Request, error: Exception) -> Response:
    return JSONResponse(said(error) if isinstance(error, ChoiceError) else {}, 400)


async def _broken(request: Request, error: Exception) -> Response:
    found = error.findings if isinstance(error, GameError) else ()
    folder = request.app.state.desk.folder.path
    told = [notice(each, folder)._asdict() for each in found]
    return JSONResponse({"message": str(error), "findings": told}, 422)


async def _changed(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ConflictError)
    text = None if error.now is None else error.now.decode(errors="replace")
    told = SaidError("file-changed", error.path.name, message=str(error))
    return JSONResponse({**said(told), "now": text}, 409)


async def _unwritten(request: Request, error: Exception) -> Response:
    assert isinstance(error, OSError)
    return JSONResponse(
        said(disk_error(error, request.app.state.desk.folder.path.absolute().name)), 500
    )


MISTAKES: Mapping[int | type[Exception], Handler] = {
    404: _missing,
    405: _missing,
    ChoiceError: _chosen,
    ConflictError: _changed,
    GameError: _broken,
    OSError: _unwritten,
}
"""What is answered to mistakes: 400, 409 with what the file holds `now`, 422 with `findings`."""
