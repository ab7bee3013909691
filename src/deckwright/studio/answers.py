"""Answers as plain data, errors that the page can translate, and writing to the game's folder."""

from __future__ import annotations

import base64
import errno
from collections.abc import Mapping
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.api import GameError
from deckwright.base.files import remove_stale, replace_files
from deckwright.base.findings import ChoiceError
from deckwright.base.strings import Translated
from deckwright.game.folder import GameFolder
from deckwright.studio.described import hint_for_page, serialize_finding

Json = dict[str, object]
"""What becomes a JSON object."""


class LocalizedError(ChoiceError):
    """An invalid request, with a message that the page shows in its own language.

    Attributes:
        message_id: the message's key in the page's translations.
        arguments: the values of its placeholders.
    """

    def __init__(self, key: str, *arguments: str, message: str, hint: str | None = None) -> None:
        """Take the message's key and arguments, and the English message for other clients."""
        super().__init__(message, hint)
        self.message_id, self.arguments = key, arguments


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


class RefusedError(Exception):
    """The refusal of a request.

    Attributes:
        status: the HTTP status.
        answer: the response's body.
    """

    def __init__(self, status: int, answer: Mapping[str, object]) -> None:
        super().__init__(answer.get("message", ""))
        self.status, self.answer = status, {**answer}


def describe_error(error: Exception, folder: Path) -> RefusedError:
    """Return the refusal that answers an error, in whichever process it was raised.

    The status is 400 for invalid requests, 409 with the file's content as `now` for conflicts, 422
    with `findings` for errors in the game, and 500 for failed file operations.

    Args:
        folder: the game's folder.
    """
    if isinstance(error, RefusedError):
        return error
    if isinstance(error, ConflictError):
        now = error.current_content
        conflict = LocalizedError("file-changed", error.path.name, message=str(error))
        text = None if now is None else now.decode(errors="replace")
        return RefusedError(409, {**serialize_error(conflict), "now": text})
    if isinstance(error, GameError):
        findings = [serialize_finding(each, folder) for each in error.findings]
        return RefusedError(422, {"message": str(error), "findings": findings})
    if isinstance(error, OSError):
        localized = localize_disk_error(error, folder.absolute().name)
        return RefusedError(500, serialize_error(localized))
    assert isinstance(error, ChoiceError)
    return RefusedError(400, serialize_error(error))


def to_plain(value: object) -> Any:  # what JSON may be
    """Return a value as plain data: NamedTuples become objects, bytes base64, and so on."""
    if isinstance(value, dict):
        return {name: to_plain(each) for name, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        fields = zip(value._fields, value, strict=True)
        return {name.rstrip("_"): to_plain(each) for name, each in fields}
    if isinstance(value, (list, tuple)):
        return [to_plain(each) for each in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Translated):
        return str(value)
    return value.value if isinstance(value, Enum) else value


def pick(source: object, *names: str) -> Json:
    """Return some attributes of an object as plain data."""
    return {name: to_plain(getattr(source, name)) for name in names}


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
        """Raise a LocalizedError if the studio is read-only."""
        if self.read_only:
            hint = "start it without --read-only to save"
            raise LocalizedError("looks-only", message="this studio is read-only", hint=hint)

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
        real, home = path.resolve(), self._home.resolve()
        own = any(real.is_relative_to(root.resolve()) for root in self._roots)
        if not own or not real.is_relative_to(home):
            raise ChoiceError(f"`{path.name}` is not in the game's folder")
        now = _read_if_exists(path)
        if (None if now is None else fingerprint_of(now)) != before:
            raise ConflictError(path, now)
        return now


def fingerprint_of(content: bytes) -> str:
    """Return a hash of the content of a file, or of other data that is compared."""
    return blake2b(content, digest_size=16).hexdigest()


def _read_if_exists(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
