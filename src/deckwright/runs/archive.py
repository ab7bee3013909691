"""Archives of games, which later changes do not affect and which can be sent to other machines."""

from __future__ import annotations

import io
import os
import re
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import gettempdir, mkdtemp
from typing import IO

from deckwright.api.options import GameError
from deckwright.base.files import files_below, is_inside
from deckwright.base.findings import Location
from deckwright.base.output import E002
from deckwright.game.folder import GameFolder

_GAME_FOLDERS = ("xml", "img", "templates")
_LONG_NAME_HEADER = re.compile(rb"(?:21 hdrcharset=BINARY\n)?[0-9]+ path=([^\0]+)\n")
"""The extended header of a file whose name is long or not ASCII."""
_MAX_HEADER_BYTES, _CHUNK_BYTES = 9999, 1_000_000
"""The largest header, and the number of bytes of a file that are copied at a time."""
_MAX_FILES = 100_000
PROFILE_FOLDER = "icc"
"""The folder of an archive for the ICC profile of a print service."""


def pack_game(folder: GameFolder, profiles: Mapping[str, bytes]) -> bytes:
    """Return a game as a reproducible tar archive: the same files give the same bytes.

    Hidden files, and links that lead out of the game, are left out. ICC profiles are given by the
    names of their files.

    Raises:
        OSError: if a file cannot be read.
    """
    paths = {
        path.relative_to(folder.path).as_posix(): path
        for part in _GAME_FOLDERS
        for path in files_below(folder.path / part)
        if is_inside(path, folder.path) and path.is_file()
    }
    data = {
        name: path.read_bytes()
        for name, path in paths.items()
        if not any(part.startswith(".") for part in PurePosixPath(name).parts)
    }
    data |= {f"{PROFILE_FOLDER}/{name}": profile for name, profile in profiles.items()}
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(data.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
    return written.getvalue()


def read_entries(archive: IO[bytes]) -> Iterator[tuple[PurePosixPath, int]]:
    """Yield the files of an archive with their sizes, positioned at the start of their contents.

    Only archives as `pack_game` writes them are accepted: `tarfile` would also read sparse files of
    any size, links, and headers that exhaust the memory.

    Raises:
        ValueError: if the archive has another form.
    """
    size, position, long_name, seen = archive.seek(0, os.SEEK_END), 0, "", set[PurePosixPath]()
    while position < size:
        archive.seek(position)
        block = archive.read(tarfile.BLOCKSIZE)
        if not any(block):
            return
        try:
            entry = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise ValueError(str(error)) from None
        begin = position + tarfile.BLOCKSIZE
        if not 0 <= entry.size <= size - begin:
            raise ValueError(f"`{entry.name}` does not end")
        position = begin + -(-entry.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
        if entry.type == tarfile.XHDTYPE:
            header = _LONG_NAME_HEADER.fullmatch(archive.read(min(entry.size, _MAX_HEADER_BYTES)))
            if header is None:
                raise ValueError("it has headers of another kind")
            long_name = header[1].decode(errors="surrogateescape")
            continue
        name, long_name = long_name or entry.name, ""
        path = PurePosixPath(name)
        if entry.type != tarfile.REGTYPE or not _is_safe_name(name):
            raise ValueError(f"it holds `{name}`")
        if path in seen or len(seen) == _MAX_FILES:
            raise ValueError(f"it holds `{name}` twice, or more than {_MAX_FILES:,} files")
        seen.add(path)
        yield path, entry.size
    if not seen.isdisjoint(parent for path in seen for parent in path.parents):
        raise ValueError("it has a file in place of a folder")


def _is_safe_name(name: str) -> bool:
    """Return whether unpacking a file of this name is safe on this system."""
    parts = name.split("/")
    hidden = any(not part or part.startswith(".") for part in parts)
    elsewhere = os.name == "nt" and not {"\\", ":"}.isdisjoint(name)
    return (
        parts[0] in {*_GAME_FOLDERS, PROFILE_FOLDER}
        and "\0" not in name
        and not hidden
        and not elsewhere
    )


def unpack(archive: IO[bytes], target: Path) -> None:
    """Extract an archive; raise a ValueError if it is not of our form, or an OSError."""
    for name, size in read_entries(archive):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            for left in range(size, 0, -_CHUNK_BYTES):
                stream.write(archive.read(min(left, _CHUNK_BYTES)))


@contextmanager
def unpack_temporarily(archive: Path, workspace: Path | None = None) -> Iterator[Path]:
    """Extract a game's archive to a temporary folder that exists within the block.

    Args:
        archive: that of a run whose files are as planned.
        workspace: a folder that only this process uses, removed before and after; by default a
            new temporary one.

    Raises:
        GameError: if the files cannot be written.
    """
    folder = workspace
    try:
        try:
            if folder is None:
                folder = Path(mkdtemp(prefix="deckwright-"))
            else:
                shutil.rmtree(folder, ignore_errors=True)  # may be left from a killed process
            with archive.open("rb") as stream:
                unpack(stream, folder / "game")
        except OSError as error:
            message = f"the game of the run cannot be unpacked: {error.strerror or error}"
            hint = "make room on that disk, and make the folder writable"
            if workspace is None:
                hint += ", or set TMPDIR to another folder for temporary files"
            place = Location(folder or Path(gettempdir()))
            raise GameError([E002.at(place, message, hint)]) from None
        yield folder / "game"
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
