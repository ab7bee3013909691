"""Answers to the page: JSON, localized errors, and saving within the game folder."""

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
from deckwright.studio.described import serialize_finding

Json = dict[str, object]


class LocalizedError(ChoiceError):
    """Something was asked for that there is not, in words of the page.

    Attributes:
        word: the id of the sentence in the page's tables of words.
        given: what stands in its places.
    """

    def __init__(self, word: str, *given: str, message: str, hint: str | None = None) -> None:
        """Take the sentence, and the message in English for all others who ask."""
        super().__init__(message, hint)
        self.word, self.given = word, given


def localize_disk_error(error: OSError, folder: str) -> LocalizedError:
    """Return why a file could not be used, without the system's number and path.

    Args:
        folder: what is named where the system names no file.
    """
    name = Path(str(error.filename or folder)).name
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return LocalizedError("disk-full", name, message=f"the disk is full: `{name}` is not saved")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return LocalizedError("not-allowed", name, message=f"`{name}` may not be read or written")
    return LocalizedError("disk-failed", name, message=f"`{name}` could not be read or written")


def serialize_error(error: ChoiceError) -> Json:
    """Return a mistake as plain data: `word` and `given` where the page has words for it."""
    told: Json = {"message": error.message, "hint": error.hint}
    if isinstance(error, LocalizedError):
        told |= {"word": error.word, "given": [*error.given]}
    return told


def deserialize_error(told: Mapping[str, Any]) -> ChoiceError:
    """Return the mistake that another process has said as plain data."""
    if "word" not in told:
        return ChoiceError(told["message"], told["hint"])
    return LocalizedError(told["word"], *told["given"], message=told["message"], hint=told["hint"])


class FileWrite(NamedTuple):
    """What is to be written to a file.

    Attributes:
        before: what `state` said of the file when it was read, None if there was none.
    """

    content: bytes
    before: str | None


class ConflictError(Exception):
    """A file is not as it was read: somebody else has changed it meanwhile.

    Attributes:
        now: what it holds now, None if it is gone.
    """

    def __init__(self, path: Path, now: bytes | None) -> None:
        """Name the file and what it holds."""
        super().__init__(f"`{path.name}` has changed since it was read")
        self.path, self.now = path, now


class FolderWriter:
    """What writes to the folder of a game.

    Attributes:
        read_only: whether nothing is written at all.
    """

    def __init__(self, folder: GameFolder, *, read_only: bool = False) -> None:
        """Write to `xml` and `img` of a game, and to nothing else of it."""
        self._home, self._roots = folder.path, (folder.xml, folder.images)
        self.read_only = read_only

    def demand_writing(self) -> None:
        """Raise an error if nothing may be written.

        Raises:
            ChoiceError: if this studio only looks.
        """
        if self.read_only:
            hint = "start it without --read-only to save"
            raise LocalizedError("looks-only", message="this studio only looks", hint=hint)

    def state(self, path: Path) -> str | None:
        """Return what tells what a file holds from anything else, None if there is no file."""
        content = _read_if_exists(path)
        return None if content is None else fingerprint_of(content)

    def write(self, files: Mapping[Path, FileWrite]) -> None:
        """Write files, all or none.

        Raises:
            ChoiceError: if nothing may be written, or not there.
            ConflictError: if a file is not as it was read.
            OSError: if a file cannot be written; all are as they were.
        """
        for path, saved in files.items():
            self._demand_as_read(path, saved.before)
            remove_stale(path)
        replace_files({path: saved.content for path, saved in files.items()})

    def remove(self, path: Path, before: str) -> bytes:
        """Remove a file; return what it held.

        Raises:
            ChoiceError: if nothing may be written, or not there.
            ConflictError: if the file is not as it was read, or gone.
            OSError: if it cannot be removed.
        """
        held = self._demand_as_read(path, before)
        path.unlink()
        return held or b""

    def _demand_as_read(self, path: Path, before: str | None) -> bytes | None:
        """Return what a file holds, None if there is none; raise an error if it may not change."""
        self.demand_writing()
        self._demand_own(path)
        now = _read_if_exists(path)
        if (None if now is None else fingerprint_of(now)) != before:
            raise ConflictError(path, now)
        return now

    def _demand_own(self, path: Path) -> None:
        real, home = path.resolve(), self._home.resolve()
        own = any(real.is_relative_to(root.resolve()) for root in self._roots)
        if not own or not real.is_relative_to(home):
            raise ChoiceError(f"`{path.name}` is not in the game's folder")


def fingerprint_of(content: bytes) -> str:
    """Return what `Saving.state` says of a file that holds this."""
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
"""How a picture is sent: its name is a hash of what it shows, and it runs nothing."""
Handler = Callable[[Request, Exception], Awaitable[Response]]
T = TypeVar("T")
_DISCONNECT_POLL_SECONDS = 0.1
"""Every so many seconds it is looked whether somebody still waits for what takes long."""


async def read_json(request: Request) -> dict[str, object]:
    """Return the JSON object that a request brings.

    Raises:
        ChoiceError: if it brings none.
    """
    try:
        said = json.loads(await request.body(), parse_constant=_reject_constant)
        json.dumps(said, ensure_ascii=False).encode()  # halves of characters cannot be said again
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise ChoiceError("this is no JSON object")
    return said


def _reject_constant(word: str) -> None:
    """Refuse NaN and infinities, which JSON does not have and no answer could say again."""
    raise ValueError(word)


async def run_while_connected(request: Request, work: Coroutine[object, object, T]) -> T | None:
    """Return what comes of work; where it is not waited for any more it is cancelled: None.

    That is where the page has gone away, or the studio ends.

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
    """Return what is said where there is nothing."""
    return JSONResponse({"message": "there is nothing here"}, 404)


def image_response(content: bytes, media_type: str = "image/svg+xml") -> Response:
    """Return a picture that the page names by a hash of it."""
    return Response(content, media_type=media_type, headers=_IMMUTABLE_HEADERS)


async def _handle_not_found(_request: Request, _error: Exception) -> Response:
    return not_found()


async def _handle_choice_error(_request: Request, error: Exception) -> Response:
    return JSONResponse(serialize_error(error) if isinstance(error, ChoiceError) else {}, 400)


async def _handle_game_error(request: Request, error: Exception) -> Response:
    found = error.findings if isinstance(error, GameError) else ()
    folder = request.app.state.desk.folder.path
    told = [serialize_finding(each, folder)._asdict() for each in found]
    return JSONResponse({"message": str(error), "findings": told}, 422)


async def _handle_conflict(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ConflictError)
    text = None if error.now is None else error.now.decode(errors="replace")
    told = LocalizedError("file-changed", error.path.name, message=str(error))
    return JSONResponse({**serialize_error(told), "now": text}, 409)


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
"""What is answered to mistakes: 400, 409 with what the file holds `now`, 422 with `findings`."""
