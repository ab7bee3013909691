"""Pictures that are brought into a game: looked at, named, and put into `img`."""

from __future__ import annotations

import base64
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.base.files import list_folder
from deckwright.base.findings import Diagnostic, Location
from deckwright.base.names import RESERVED, composed, unused
from deckwright.game.folder import GameFolder
from deckwright.game.ids import slug
from deckwright.images.decode import FORMATS, decode, ending_of
from deckwright.images.drawings.model import DrawingError
from deckwright.images.drawings.read import read_drawing
from deckwright.studio.editing.files import MOST_PICTURES, listed
from deckwright.studio.saving import Saved, Saving
from deckwright.studio.saying import SaidError

LARGEST = 20_000_000
"""How many bytes a picture has at most; a page of A4 as PNG at 300 dpi has about as many."""
_LOOKED_AT = 1000
"""To how many pixels on a side a picture is decoded to see that it is whole."""
_LONGEST_STEM = 60
_DRAWN = re.compile(rb"\s*(?:<\?xml\b|<!--|<!DOCTYPE\b|<svg\b)")


class Brought(NamedTuple):
    """A picture that was looked at, and can be printed.

    Attributes:
        name: what it was called where it came from.
        ending: that of files of its format.
        findings: warnings, about a file of no lasting name.
    """

    name: str
    ending: str
    content: bytes
    findings: tuple[Diagnostic, ...]


def looked_at(said: Mapping[str, object]) -> Brought:
    """Return the picture that a request brings. This takes a while, and may be done in any thread.

    Args:
        said: its `name`, and its `content` in base64.

    Raises:
        ChoiceError: if it brings none that could be printed.
    """
    name, content = said.get("name"), said.get("content")
    if not isinstance(name, str) or not isinstance(content, str):
        raise ChoiceError("a picture needs a name and its content in base64")
    try:
        data = base64.b64decode(content, validate=True)
    except ValueError:
        raise ChoiceError("the picture is not in base64") from None
    if len(data) > LARGEST:
        message = f"the picture has {len(data):,} bytes, {LARGEST:,} are allowed"
        raise ChoiceError(message, "save it as JPEG, or smaller")
    findings: list[Diagnostic] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture"
        path.write_bytes(data)
        drawn = _DRAWN.match(data.removeprefix(b"\xef\xbb\xbf")) is not None
        ending = _drawn(path) if drawn else _decoded(path, findings)
    return Brought(name, ending, data, tuple(findings))


def _drawn(path: Path) -> str:
    try:
        read_drawing(path)
    except DrawingError as error:
        message = f"line {error.place.line} of the drawing: {error}"
        raise ChoiceError(message, error.hint) from None
    return "svg"


def _decoded(path: Path, findings: list[Diagnostic]) -> str:
    if decode(path, (_LOOKED_AT, _LOOKED_AT), None, findings=findings) is None:
        raise ChoiceError(findings[0].message, findings[0].hint)
    ending = ending_of(path)
    if ending is None:
        known = ", ".join(FORMATS)
        message = f"the file is not an image in one of the formats {known}"
        raise SaidError("edit-no-image", known, message=message)
    return ending


class Kept(NamedTuple):
    """A picture as it is in the game's folder now.

    Attributes:
        name: its name in `img`.
        findings: warnings about it.
    """

    name: str
    findings: tuple[Diagnostic, ...]


def keep(brought: Brought, folder: GameFolder, saving: Saving) -> Kept:
    """Put a picture into `img` under a free name; one that is there already is not put there twice.

    Raises:
        ChoiceError: if there are too many, or nothing may be written.
        OSError: if it cannot be written.
    """
    saving.demand_writing()
    known = {name: path for name, _, path in listed(folder.images)}
    size = len(brought.content)
    for name, path in known.items():
        if path.stat().st_size == size and path.read_bytes() == brought.content:
            return Kept(name, _at(brought.findings, path))
    if len(known) >= MOST_PICTURES:
        message = f"there are {len(known):,} pictures in img, which are all that fit"
        raise SaidError("edit-no-room", message=message)
    taken = {composed(path.stem).casefold() for path in list_folder(folder.images)} | RESERVED
    path = folder.images / f"{unused(_stem(brought.name), taken, '-')}.{brought.ending}"
    saving.write({path: Saved(brought.content, None)})
    return Kept(path.name, _at(brought.findings, path))


def _stem(name: str) -> str:
    """Return a name for a file, without an ending, that is good on every system."""
    last = re.split(r"[/\\]", name)[-1]
    words = slug(last.rpartition(".")[0] or last, "-")
    return words[:_LONGEST_STEM].strip("-") or "picture"


def _at(findings: tuple[Diagnostic, ...], path: Path) -> tuple[Diagnostic, ...]:
    return tuple(each._replace(location=Location(path)) for each in findings)
