"""Mistakes that the page has words for, so that it says them in its own language."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deckwright.base.choices import ChoiceError

Json = dict[str, object]


class SaidError(ChoiceError):
    """Something was asked for that there is not, in words of the page.

    Attributes:
        word: the id of the sentence in the page's tables of words.
        given: what stands in its places.
    """

    def __init__(self, word: str, *given: str, message: str, hint: str | None = None) -> None:
        """Take the sentence, and the message in English for all others who ask."""
        super().__init__(message, hint)
        self.word, self.given = word, given


def disk_error(error: OSError, folder: str) -> SaidError:
    """Return why a file could not be used, without the system's number and path.

    Args:
        folder: what is named where the system names no file.
    """
    name = Path(str(error.filename or folder)).name
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return SaidError("disk-full", name, message=f"the disk is full: `{name}` is not saved")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return SaidError("not-allowed", name, message=f"`{name}` may not be read or written")
    return SaidError("disk-failed", name, message=f"`{name}` could not be read or written")


def said(error: ChoiceError) -> Json:
    """Return a mistake as plain data: `word` and `given` where the page has words for it."""
    told: Json = {"message": error.message, "hint": error.hint}
    if isinstance(error, SaidError):
        told |= {"word": error.word, "given": [*error.given]}
    return told


def mistake(told: Mapping[str, Any]) -> ChoiceError:
    """Return the mistake that another process has said as plain data."""
    if "word" not in told:
        return ChoiceError(told["message"], told["hint"])
    return SaidError(told["word"], *told["given"], message=told["message"], hint=told["hint"])
