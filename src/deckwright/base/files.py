"""Read files within bounds, and write files and folders atomically."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from io import BufferedReader
from pathlib import Path
from typing import IO, NamedTuple

from deckwright.base.interrupts import defer_interrupts, raise_if_interrupted

_MAX_NAME_BYTES = 200
"""How many bytes of a file's name its temporary file takes up; systems allow 255 in all."""

STALE_SECONDS = 3600
_CHUNK_BYTES = 2**20

_confined_places: set[Path] = set()
"""Absolute paths of folders and files out of which no link leads when something is written."""

written_files: list[Path] = []
"""The files that this run has put in their places."""


class NotARegularFileError(OSError):
    """The target exists and is a folder, a device or the like."""


class FileTooLargeError(OSError):
    """The file holds more than its reader accepts."""


class OutwardLinkError(OSError):
    """A link on the way to the target leads out of the place that may be written to."""


def forbid_outward_links(place: Path) -> None:
    """From now on write to what lies in a folder only where links do not lead out of it.

    A game may be a stranger's, and any folder or file in it a link. A place that the user names is
    trusted, wherever it is; of places in one another the inmost counts.

    Args:
        place: a game's folder, or what `--out` names, be it a folder or a file.
    """
    _confined_places.add(Path(os.path.abspath(place)))  # noqa: PTH100 - takes `..` away, follows no links


def resolve_target(target: Path) -> Path:
    """Return where a file is to be written that is called `target`: its links are followed.

    Raises:
        LinkedAwayError: if they lead where nothing may be written.
        OSError: if they lead in a circle.
    """
    try:
        followed = target.resolve()
    except RuntimeError as error:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from error
    if os.path.islink(followed):  # noqa: PTH114 - never raises: what Python 3.13 and later make of a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    named = Path(os.path.abspath(target))  # noqa: PTH100 - as above
    place = next((place for place in (named, *named.parents) if place in _confined_places), None)
    if place is not None and not followed.is_relative_to(place.resolve()):
        raise OutwardLinkError(f"a link leads out of `{place.name or place}`")
    return followed


@contextmanager
def write_atomically(target: Path, *, sync: bool = True) -> Iterator[IO[bytes]]:
    """Open a new file that takes the place of `target` when the block ends well.

    The data is written to a file beside it and synced first. When the block fails or is
    interrupted, `target` is left as it was and the new file is removed.

    Args:
        sync: whether the data must be on the disk before it takes its place.

    Raises:
        NotARegularFileError: if `target` exists and is not a regular file.
        LinkedAwayError: if a link on the way to it leads out of where may be written.
        OSError: if the file cannot be written.
    """
    target = resolve_target(target)
    if target.exists() and not target.is_file():
        raise NotARegularFileError("it exists and is not a regular file")
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f"{_temporary_prefix(target)}{os.urandom(6).hex()}.tmp")
    try:
        # Nothing may come between the file and what removes it, as in `tempfile.mkstemp`.
        descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w+b") as stream:
            yield stream
            stream.flush()
            if sync:
                os.fsync(stream.fileno())
        raise_if_interrupted()
        temporary.chmod(_file_mode(target))
        written_files.append(target)
        try:
            temporary.replace(target)
        except BaseException:
            if temporary.exists():
                written_files.pop()
            raise
    except BaseException:
        with defer_interrupts(), suppress(OSError):
            temporary.unlink()
        raise


def write_bytes(path: Path, data: bytes, *, sync: bool = True) -> Path:
    """Write a file as `write_atomically` does; return its path.

    Raises:
        OSError: if it cannot be written.
    """
    with write_atomically(path, sync=sync) as stream:
        stream.write(data)
    return path


def open_file(path: Path) -> BufferedReader:
    """Open a regular file that somebody else may have written, for reading.

    A named pipe or a device in its place, which could block or go on for ever, is never read.

    Raises:
        NotARegularFileError: if there is a folder, a pipe, a device or the like.
        OSError: if it cannot be read.
    """
    # O_NONBLOCK keeps the opening of a pipe without a writer from waiting; Windows has none.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotARegularFileError(errno.EINVAL, "it is not a regular file", str(path))
    return os.fdopen(descriptor, "rb")


def read_file(path: Path, max_bytes: int) -> bytes:
    """Return the content of a file that `open_file` opens.

    Raises:
        NotARegularFileError: if there is a folder, a pipe, a device or the like.
        FileTooLargeError: if the file holds more than `max_bytes`.
        OSError: if it cannot be read.
    """
    data = bytearray()
    with open_file(path) as stream:
        # In pieces, since room for all that is asked for at once is taken at once.
        while len(data) <= max_bytes and (piece := stream.read(_CHUNK_BYTES)):
            data += piece
    if len(data) > max_bytes:
        message = f"it is too large: at most {max_bytes:,} bytes are allowed"
        raise FileTooLargeError(errno.EFBIG, message, str(path))
    return bytes(data)


def remove_stale(target: Path) -> None:
    """Remove temporary files of `target` that runs have left which were killed long ago."""
    import time  # noqa: PLC0415 - only to print

    with suppress(OSError):
        for path in resolve_target(target).parent.iterdir():
            ours = path.name.startswith(_temporary_prefix(target)) and path.suffix == ".tmp"
            if ours and path.stat().st_mtime < time.time() - STALE_SECONDS:
                path.unlink()


def _temporary_prefix(target: Path) -> str:
    return f".{os.fsdecode(os.fsencode(target.name)[:_MAX_NAME_BYTES])}."


@lru_cache(maxsize=4096)  # as long as links are remembered
def is_inside(path: Path, folder: Path) -> bool:
    """Return whether `path` is in `folder`, also after following links."""
    return resolve_path(path).is_relative_to(resolve_path(folder))


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and in those below it; no links to folders are followed.

    Raises:
        OSError: if a folder cannot be listed; where there is none, there are no files.
    """

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            raise error

    for parent, _, names in os.walk(folder, onerror=refuse):
        yield from (Path(parent) / name for name in names)


def list_folder(folder: Path) -> list[Path]:
    """Return what is in a folder, in order; where there is none, there is nothing in it.

    Raises:
        OSError: if it cannot be listed, or what is in it cannot be reached.
    """
    try:
        # The dot needs the right to reach what is in the folder besides that to list it.
        names = os.listdir(os.path.join(folder, "."))  # noqa: PTH118, PTH208 - a path drops it
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in sorted(names)]


def find_unreadable_folders(folder: Path) -> Iterator[OSError]:
    """Yield why folders cannot be read: this one or any below it; links are not followed."""
    try:
        with os.scandir(os.path.join(folder, ".")) as entries:  # noqa: PTH118 - as above
            inner = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        yield error
        return
    for name in inner:
        yield from find_unreadable_folders(folder / name)


def stays_inside(path: Path, folder: Path) -> bool:
    """Return whether `path` is in `folder`, and neither is a link out of the folder above that."""
    return is_inside(path, folder) and is_inside(folder, folder.parent)


def resolve_path(path: Path) -> Path:
    """Return a path in full, its links followed; links in a circle lead nowhere."""
    return _resolve_cached(path.absolute())


_NOWHERE = Path("/dev/null/nowhere")


@lru_cache(maxsize=4096)
def _resolve_cached(path: Path) -> Path:
    try:
        found = path.resolve()
        # A circle, since Python 3.13; unlike the method of a path, this never raises.
        return _NOWHERE if os.path.islink(found) else found  # noqa: PTH114
    except (OSError, RuntimeError):
        return _NOWHERE


def is_file(path: Path) -> bool:
    """Return whether `path` is a regular file; a path that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def path_exists(path: Path) -> bool:
    """Return whether there is anything at `path`, be it a link that leads nowhere."""
    return os.path.lexists(path)


def is_folder(path: Path) -> bool:
    """Return whether `path` is a folder; a path that nothing can have is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def cache_folder() -> Path:
    """Return the user's folder for what can be made again, $XDG_CACHE_HOME/deckwright or such."""
    if sys.platform == "linux":
        # As in the XDG Base Directory Specification; the library imports more than a check needs.
        given, home = os.environ.get("XDG_CACHE_HOME", ""), os.path.expanduser("~")  # noqa: PTH111
        found = f"{given if os.path.isabs(given) else f'{home}/.cache'}/deckwright"  # noqa: PTH117
    else:
        import platformdirs  # noqa: PLC0415 - not on every system

        try:
            found = platformdirs.user_cache_dir("deckwright")
        except RuntimeError:
            found = ""
    # Nobody knows where the user's home is? What cannot be written is a cache that is not kept.
    return Path(found if os.path.isabs(found) else f"{os.devnull}/deckwright")  # noqa: PTH117


def _file_mode(target: Path) -> int:
    """Return the permissions for `target`: those that it has, or those of a usual new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


_NEW_SUFFIX, _OLD_SUFFIX = ".tmp", ".old"


@contextmanager
def stage_folder(target: Path) -> Iterator[Path]:
    """Give an empty folder beside `target`, which `replace_folder` may put in its place.

    What is left of it when the block ends is removed, and so is what runs have left that were
    killed long ago. If one was killed just while it put a folder in its place, the old folder is
    put back first.

    Raises:
        LinkedAwayError: if a link on the way to it leads out of where may be written.
        OSError: if the folder cannot be made.
    """
    target = resolve_target(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    _recover_folders(target)
    folder = target.with_name(f".{target.name}.{os.urandom(6).hex()}{_NEW_SUFFIX}")
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def replace_folder(folder: Path, target: Path) -> None:
    """Put a folder that `stage_folder` gave in its place; what was there before is gone then.

    Raises:
        OSError: if it cannot be put there; then the old one is there.
    """
    target = resolve_target(target)
    for path in folder.rglob("*"):
        _sync(path)
    _sync(folder)
    old = folder.with_suffix(_OLD_SUFFIX)
    try:
        if target.exists():
            target.rename(old)
        folder.rename(target)
    except BaseException:
        if old.exists() and not target.exists():
            old.rename(target)
        raise
    _sync(target.parent)
    shutil.rmtree(old, ignore_errors=True)


def _recover_folders(target: Path) -> None:
    """Put back what was moved out of the way, and remove what nobody works on any more."""
    with suppress(OSError):
        for path in sorted(target.parent.glob(f".{_escape_glob(target.name)}.*")):
            if path.suffix == _OLD_SUFFIX and not target.exists():
                path.rename(target)
            elif path.suffix in {_NEW_SUFFIX, _OLD_SUFFIX} and _is_stale(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_stale(path: Path) -> bool:
    return path.stat().st_mtime < time.time() - STALE_SECONDS


def _escape_glob(name: str) -> str:
    """Return a name as a pattern that matches it alone."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _sync(path: Path) -> None:
    """Have a file or a folder on the disk, where the system can say so."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def replace_files(files: Mapping[Path, bytes]) -> None:
    """Write files so that all of them hold the new data, or all the old.

    First everything is written and synced beside its target, so that a full disk or a missing
    right shows before anything has changed; then each file takes the place of its target. Should
    that fail, those that have done so are put back.

    Raises:
        OSError: if a file cannot be written. `filename` says which.
    """
    old = {path: path.read_bytes() if path.exists() else None for path in files}
    at = None
    try:
        with ExitStack() as stack:
            for at, data in files.items():
                stream = stack.enter_context(write_atomically(at))
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
    except BaseException as error:
        for path, before in old.items():
            _restore(path, before, files[path])
        if isinstance(error, OSError):
            # What it names may be a temporary file.
            error.filename = error.filename2 or str(at)
        raise


def _restore(path: Path, data: bytes | None, new: bytes) -> None:
    """Give a file its old data again, if it has the new."""
    with suppress(OSError):
        if path.read_bytes() != new:
            return
        if data is None:
            path.unlink()
        else:
            # Not `write_atomically`, which writes nothing any more after an interrupt.
            temporary = path.with_name(f".{path.name}.old.tmp")
            temporary.write_bytes(data)
            temporary.chmod(path.stat().st_mode & 0o777)
            temporary.replace(path)
        if path.resolve() in written_files:
            written_files.remove(path.resolve())


class BundledFiles(NamedTuple):
    """XML files of one kind.

    Attributes:
        folder: that of the bundled ones.
        own: the folder below `xml` that a game has for its own.
    """

    folder: Path
    own: str

    def names(self, xml_folder: Path) -> list[str]:
        """Return the names of all files, without their endings."""
        folders = (xml_folder / self.own, self.folder)
        files = (path for folder in folders for path in list_folder(folder))
        return sorted({path.stem for path in files if path.suffix == ".xml"})

    def file(self, name: str, xml_folder: Path) -> Path:
        """Return the file of a name, there or not: the game's own, or the bundled one."""
        own = xml_folder / self.own / f"{name}.xml"
        return own if is_file(own) else self.folder / own.name
