"""A game as one archive: it does not change with the folder, and can be sent to other machines."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath

from deckwright.base.files import files_below, inside
from deckwright.game.folder import GameFolder

_PARTS = ("xml", "img", "templates")
PROFILES = "icc"
"""The folder of what a run needs besides: the ICC profile of a print service."""


def packed(folder: GameFolder, more: Mapping[str, bytes]) -> bytes:
    """Return a game as a tar archive: the same files give the same bytes.

    Hidden files and what links lead to outside of the game are left out.

    Args:
        more: ICC profiles by the names of their files.

    Raises:
        OSError: if a file cannot be read.
    """
    found = {
        path.relative_to(folder.path).as_posix(): path
        for part in _PARTS
        for path in files_below(folder.path / part)
        if inside(path, folder.path) and path.is_file()
    }
    data = {
        name: path.read_bytes()
        for name, path in found.items()
        if not any(part.startswith(".") for part in PurePosixPath(name).parts)
    }
    data |= {f"{PROFILES}/{name}": profile for name, profile in more.items()}
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(data.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
    return written.getvalue()


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal digits."""
    return sha256(data).hexdigest()


def unpack(data: bytes, target: Path) -> None:
    """Write the files of an archive into a folder.

    Raises:
        ValueError: if it is none of ours.
        OSError: if a file cannot be written.
    """
    try:
        archive = tarfile.open(fileobj=io.BytesIO(data), mode="r:")  # noqa: SIM115 - closed below
    except tarfile.TarError as error:
        raise ValueError(str(error)) from None
    with archive:
        for entry in archive:
            name = PurePosixPath(entry.name)
            if not entry.isfile() or name.parts[0] not in {*_PARTS, PROFILES} or ".." in name.parts:
                raise ValueError(f"it holds `{entry.name}`")
            file = archive.extractfile(entry)
            assert file is not None
            path = target.joinpath(*name.parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.read())
