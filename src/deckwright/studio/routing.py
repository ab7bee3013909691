"""Routes: a handler declares its method, path and parameters; errors become answers in one place.

The parameters of a handler come from the request's path, its query or its JSON body, and are
parsed as annotated; `request` and `body` are the whole request and all of these. Handlers that
are not coroutines run in the game's thread.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from deckwright.api import GameError
from deckwright.base.findings import ChoiceError
from deckwright.base.parsing import parse
from deckwright.studio.answers import ConflictError, Json, RefusedError, describe_error, to_plain

if TYPE_CHECKING:
    from deckwright.studio.session import StudioSession

T = TypeVar("T")
Handler = TypeVar("Handler", bound=Callable[..., Any])


def get(path: str) -> Callable[[Handler], Handler]:
    """Declare that a method of a class answers GET requests to a path."""
    return partial(_declare, ("GET", path, False))


def post(path: str, *, writes: bool = False) -> Callable[[Handler], Handler]:
    """Declare that a method of a class answers POST requests to a path.

    Args:
        writes: whether it changes the game's files, so that the game is read again after it.
    """
    return partial(_declare, ("POST", path, writes))


def _declare(declaration: tuple[str, str, bool], handler: Handler) -> Handler:
    vars(handler)["declaration"] = declaration
    return handler


def routes_of(handlers: object, session: StudioSession) -> list[Route]:
    """Return the routes that the methods of an object declare."""
    declared = inspect.getmembers(type(handlers), lambda each: hasattr(each, "declaration"))
    return [_route(getattr(handlers, name), session) for name, _ in declared]


def _route(handler: Callable[..., Any], session: StudioSession) -> Route:
    method, path, writes = handler.declaration  # type: ignore[attr-defined]
    hints = get_type_hints(handler, include_extras=True)
    parameters = {
        name: (hints[name], each.default)
        for name, each in inspect.signature(handler).parameters.items()
    }
    has_body = method == "POST" and not set(parameters) <= {*re.findall(r"\{(\w+)", path)}

    async def respond(request: Request) -> Response:
        given = await read_json(request) if has_body else {**request.query_params}
        given |= request.path_params
        special = {"request": request, "body": given}
        arguments = {
            name: special[name] if name in special else parse(name, hint, given.get(name))
            for name, (hint, default) in parameters.items()
            if given.get(name) is not None or default is inspect.Parameter.empty
        }
        if writes:
            session.writer.require_writable()
        if inspect.iscoroutinefunction(handler):
            answer = await handler(**arguments)
        else:
            answer = await session.call(handler, **arguments)
        if writes:
            await session.reload()
        if isinstance(answer, Response):
            return answer
        return not_found() if answer is None else JSONResponse(to_plain(answer))

    return Route(path, respond, methods=[method])


async def read_json(request: Request) -> Json:
    """Return the JSON object in a request's body.

    Raises:
        ChoiceError: if there is none.
    """
    try:
        body = json.loads(await request.body(), parse_constant=_reject_constant)
        json.dumps(body, ensure_ascii=False).encode()  # refuses lone surrogates
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise ChoiceError("the request is not a JSON object")
    return body


def _reject_constant(word: str) -> None:
    """Refuse NaN and infinities, which are not JSON and could not be sent back."""
    raise ValueError(word)


_DISCONNECT_POLL_SECONDS = 0.1
"""The interval, in seconds, at which a long request checks that its client is still there."""


async def run_while_connected(request: Request, work: Coroutine[object, object, T]) -> T | None:
    """Await work and return its result; cancel it and return None if the client disconnects.

    It is also cancelled when the studio shuts down.

    Raises:
        Exception: what the work raises.
    """
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait((task,), timeout=_DISCONNECT_POLL_SECONDS)
            closing = request.app.state.session.is_closing
            if not task.done() and (closing or await request.is_disconnected()):
                return None
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


_IMMUTABLE_HEADERS = {
    "cache-control": "private, max-age=31536000, immutable",
    "content-security-policy": (
        "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        "frame-ancestors 'none'"
    ),
}
"""The headers of a picture: its name is a hash of its content, and its scripts are disabled."""


def image_response(
    content: bytes | str | None, media_type: str = "image/svg+xml"
) -> Response | None:
    """Return a picture that is addressed by a hash of its content; None if there is none."""
    if content is None:
        return None
    return Response(content, media_type=media_type, headers=_IMMUTABLE_HEADERS)


def not_found() -> Response:
    """Return the response for an unknown address."""
    return JSONResponse({"message": "there is nothing here"}, 404)


async def _handle_not_found(_request: Request, _error: Exception) -> Response:
    return not_found()


async def _handle_error(request: Request, error: Exception) -> Response:
    refused = describe_error(error, request.app.state.session.folder.path)
    return JSONResponse(to_plain(refused.answer), refused.status)


EXCEPTION_HANDLERS: Mapping[
    int | type[Exception], Callable[[Request, Exception], Awaitable[Response]]
] = {
    **dict.fromkeys((404, 405), _handle_not_found),
    **dict.fromkeys((ChoiceError, ConflictError, GameError, OSError, RefusedError), _handle_error),
}
"""The handlers of errors, by status or class."""
