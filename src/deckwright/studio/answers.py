"""Responses to the page: JSON, localized errors, and writing within the game folder."""

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from deckwright.api import GameError
from deckwright.base.files import remove_stale, replace_files
from deckwright.base.findings import ChoiceError
from deckwright.game.folder import GameFolder
from deckwright.studio.described import hint_for_page, serialize_finding

Json = dict[str, object]


class LocalizedError(ChoiceError):
    """An invalid request, with a message that the page shows in its own language.

    Attributes:
        message_id: the message's key in the page's translations.
        arguments: the values of its placeholders.
    """

    def __init__(self, message_id: str, *value: str, message: str, hint: str | None = None) -> None:
        """Take the message's key and arguments, and the English message for other clients."""
        super().__init__(message, hint)
        self.message_id, self.arguments = message_id, value


def localize_disk_error(error: OSError, folder: str) -> LocalizedError:
    """Return a localized error for a failed file operation, without errno or full path.

    Args:
        folder: the name to show if the system names no file.
    """
    name = Path(str(error.filename or folder)).name
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return LocalizedError("disk-full", name, message=f"the disk is full: `{name}` is not saved")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return LocalizedError("not-allowed", name, message=f"`{name}` may not be read or written")
    return LocalizedError("disk-failed", name, message=f"`{name}` could not be read or written")


def serialize_error(error: ChoiceError) -> Json:
    """Return an error as plain data, with `word` and `given` if the page can translate it."""
    data: Json = {"message": error.message, "hint": hint_for_page(error.hint)}
    if isinstance(error, LocalizedError):
        data |= {"word": error.message_id, "given": [*error.arguments]}
    return data


def deserialize_error(data: Mapping[str, Any]) -> ChoiceError:
    """Return the error that another process sent as plain data."""
    if "word" not in data:
        return ChoiceError(data["message"], data["hint"])
    return LocalizedError(data["word"], *data["given"], message=data["message"], hint=data["hint"])


class FileWrite(NamedTuple):
    """The new content of a file.

    Attributes:
        base_fingerprint: the file's fingerprint when it was read, None if it did not exist.
    """

    content: bytes
    base_fingerprint: str | None


class ConflictError(Exception):
    """A file has changed since it was read.

    Attributes:
        current_content: its present content, None if it is gone.
    """

    def __init__(self, path: Path, now: bytes | None) -> None:
        """Name the file and its present content."""
        super().__init__(f"`{path.name}` has changed since it was read")
        self.path, self.current_content = path, now


class FolderWriter:
    """Writes files in a game's folder, unless they have changed since they were read.

    Attributes:
        read_only: whether all writing is refused.
    """

    def __init__(self, folder: GameFolder, *, read_only: bool = False) -> None:
        """Allow writing to a game's `xml`, `img` and `templates` folders only."""
        self._home = folder.path
        self._roots = (folder.xml, folder.images, folder.path / "templates")
        self.read_only = read_only

    def require_writable(self) -> None:
        """Raise an error if the studio is read-only.

        Raises:
            ChoiceError: if it is.
        """
        if self.read_only:
            hint = "start it without --read-only to save"
            raise LocalizedError("looks-only", message="this studio only looks", hint=hint)

    def file_fingerprint(self, path: Path) -> str | None:
        """Return a hash of a file's content, None if there is no file."""
        content = _read_if_exists(path)
        return None if content is None else fingerprint_of(content)

    def write(self, files: Mapping[Path, FileWrite]) -> None:
        """Write files, all or none.

        Raises:
            ChoiceError: if the studio is read-only, or a path is outside the allowed folders.
            ConflictError: if a file has changed since it was read.
            OSError: if a file cannot be written; all files are left unchanged.
        """
        for path, saved in files.items():
            self._require_unchanged(path, saved.base_fingerprint)
            remove_stale(path)
        replace_files({path: saved.content for path, saved in files.items()})

    def remove(self, path: Path, before: str) -> bytes:
        """Remove a file; return its content.

        Raises:
            ChoiceError: if the studio is read-only, or the path is outside the allowed folders.
            ConflictError: if the file has changed since it was read, or is gone.
            OSError: if it cannot be removed.
        """
        content = self._require_unchanged(path, before)
        path.unlink()
        return content or b""

    def _require_unchanged(self, path: Path, before: str | None) -> bytes | None:
        """Return a file's content, None if there is none; raise an error if it may not change."""
        self.require_writable()
        self._require_own_folder(path)
        now = _read_if_exists(path)
        if (None if now is None else fingerprint_of(now)) != before:
            raise ConflictError(path, now)
        return now

    def _require_own_folder(self, path: Path) -> None:
        real, home = path.resolve(), self._home.resolve()
        own = any(real.is_relative_to(root.resolve()) for root in self._roots)
        if not own or not real.is_relative_to(home):
            raise ChoiceError(f"`{path.name}` is not in the game's folder")


def fingerprint_of(content: bytes) -> str:
    """Return the fingerprint of a file with this content."""
    return blake2b(content, digest_size=16).hexdigest()


def _read_if_exists(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


_IMMUTABLE_HEADERS = {
    "cache-control": "private, max-age=31536000, immutable",
    "content-security-policy": (
        "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        "frame-ancestors 'none'"
    ),
}
"""The headers of a picture: its name is a hash of its content, and its scripts are disabled."""
Handler = Callable[[Request, Exception], Awaitable[Response]]
T = TypeVar("T")
_DISCONNECT_POLL_SECONDS = 0.1
"""The interval, in seconds, at which a long request checks that its client is still there."""


async def read_json(request: Request) -> dict[str, object]:
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
        raise ChoiceError("this is no JSON object")
    return body


def _reject_constant(word: str) -> None:
    """Refuse NaN and infinities, which are not JSON and could not be sent back."""
    raise ValueError(word)


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
            closing = request.app.state.desk.is_closing
            if not task.done() and (closing or await request.is_disconnected()):
                return None
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def not_found() -> Response:
    """Return the response for an unknown address."""
    return JSONResponse({"message": "there is nothing here"}, 404)


def image_response(content: bytes, media_type: str = "image/svg+xml") -> Response:
    """Return a picture that is addressed by a hash of its content."""
    return Response(content, media_type=media_type, headers=_IMMUTABLE_HEADERS)


async def _handle_not_found(_request: Request, _error: Exception) -> Response:
    return not_found()


async def _handle_choice_error(_request: Request, error: Exception) -> Response:
    return JSONResponse(serialize_error(error) if isinstance(error, ChoiceError) else {}, 400)


async def _handle_game_error(request: Request, error: Exception) -> Response:
    findings = error.findings if isinstance(error, GameError) else ()
    folder = request.app.state.desk.folder.path
    data = [serialize_finding(each, folder)._asdict() for each in findings]
    return JSONResponse({"message": str(error), "findings": data}, 422)


async def _handle_conflict(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ConflictError)
    text = None if error.current_content is None else error.current_content.decode(errors="replace")
    conflict = LocalizedError("file-changed", error.path.name, message=str(error))
    return JSONResponse({**serialize_error(conflict), "now": text}, 409)


async def _handle_os_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, OSError)
    return JSONResponse(
        serialize_error(
            localize_disk_error(error, request.app.state.desk.folder.path.absolute().name)
        ),
        500,
    )


EXCEPTION_HANDLERS: Mapping[int | type[Exception], Handler] = {
    404: _handle_not_found,
    405: _handle_not_found,
    ChoiceError: _handle_choice_error,
    ConflictError: _handle_conflict,
    GameError: _handle_game_error,
    OSError: _handle_os_error,
}
"""Responses to errors: 400, 409 with the file's content as `now`, 422 with `findings`."""
