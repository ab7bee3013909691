"""Read files within bounds, write files and folders atomically, and compare their names."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, lru_cache
from io import BufferedReader
from pathlib import Path
from typing import IO, NamedTuple

from deckwright.base.interrupts import defer_interrupts, raise_if_interrupted

_MAX_PREFIX_BYTES = 200
"""The part of a file's name that its temporary file repeats, in bytes; systems allow 255."""

_STALE_SECONDS = 3600
_CHUNK_BYTES = 2**20

_confined_places: set[Path] = set()
"""Absolute paths of files and folders from which links must not lead away."""

written_files: list[Path] = []
"""The files that this run has written."""


class NotARegularFileError(OSError):
    """The target exists and is a folder, a device or the like."""


class FileTooLargeError(OSError):
    """The file is larger than its reader accepts."""


class OutwardLinkError(OSError):
    """A link in the target's path leads out of the folder that may be written to."""


def forbid_outward_links(place: Path) -> None:
    """Refuse from now on to follow links out of `place` when writing below it.

    A game may be a stranger's, and any file or folder in it a link. A place that the user names is
    trusted wherever it is; of nested places the innermost counts.

    Args:
        place: a game's folder, or the file or folder that `--out` names.
    """
    _confined_places.add(Path(os.path.abspath(place)))  # noqa: PTH100 - removes `..`, follows no links


def resolve_target(target: Path) -> Path:
    """Return the path to write to for `target`, with links followed.

    Raises:
        OutwardLinkError: if a link leads out of a confined place.
        OSError: if links form a circle.
    """
    try:
        real = target.resolve()
    except RuntimeError as error:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from error
    if os.path.islink(real):  # noqa: PTH114 - never raises: what Python 3.13 and later make of a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    named = Path(os.path.abspath(target))  # noqa: PTH100 - as above
    place = next((place for place in (named, *named.parents) if place in _confined_places), None)
    if place is not None and not real.is_relative_to(place.resolve()):
        raise OutwardLinkError(f"a link leads out of `{place.name or place}`")
    return real


@contextmanager
def write_atomically(target: Path, *, sync: bool = True) -> Iterator[IO[bytes]]:
    """Open a new file that replaces `target` when the block succeeds.

    The data goes to a temporary file beside it and is synced first. If the block fails or is
    interrupted, the temporary file is removed and `target` stays as it was.

    Args:
        sync: whether the data must be on the disk before the file is replaced.

    Raises:
        NotARegularFileError: if `target` exists and is not a regular file.
        OutwardLinkError: if a link leads out of the folder that may be written to.
        OSError: if the file cannot be written.
    """
    target = resolve_target(target)
    if target.exists() and not target.is_file():
        raise NotARegularFileError("it exists and is not a regular file")
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f"{_temporary_prefix(target)}{os.urandom(6).hex()}.tmp")
    try:
        # Not `tempfile.mkstemp`: an interrupt within it would leave the file behind.
        descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w+b") as stream:
            yield stream
            stream.flush()
            if sync:
                os.fsync(stream.fileno())
        raise_if_interrupted()
        if target.exists():
            mode = target.stat().st_mode
        else:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        temporary.chmod(mode & 0o777)
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
    """Open a regular file for reading, although a stranger may have put it there.

    A named pipe or a device, which could block or never end, is refused.

    Raises:
        NotARegularFileError: if it is a folder, a pipe, a device or the like.
        OSError: if it cannot be read.
    """
    # Without O_NONBLOCK, opening a pipe waits for its writer; Windows has no such flag.
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
    with open_file(path) as stream:
        data = read_up_to(stream, max_bytes + 1)
    if len(data) > max_bytes:
        message = f"it is too large: at most {max_bytes:,} bytes are allowed"
        raise FileTooLargeError(errno.EFBIG, message, str(path))
    return data


def read_up_to(stream: IO[bytes], number: int) -> bytes:
    """Return the next bytes of a stream, at most `number`."""
    data = bytearray()
    # Read in chunks, since `read(n)` allocates n bytes at once.
    while piece := stream.read(min(number - len(data), _CHUNK_BYTES)):
        data += piece
    return bytes(data)


def remove_stale(target: Path) -> None:
    """Remove temporary files of `target` that killed runs have left behind."""
    with suppress(OSError):
        for path in resolve_target(target).parent.iterdir():
            ours = path.name.startswith(_temporary_prefix(target)) and path.suffix == ".tmp"
            if ours and _is_stale(path):
                path.unlink()


def _temporary_prefix(target: Path) -> str:
    return f".{os.fsdecode(os.fsencode(target.name)[:_MAX_PREFIX_BYTES])}."


@lru_cache(maxsize=4096)  # as long-lived as `_resolve_cached`
def is_inside(path: Path, folder: Path) -> bool:
    """Return whether `path` is in `folder`, links followed."""
    return resolve_path(path).is_relative_to(resolve_path(folder))


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders, without following links to folders.

    Raises:
        OSError: if a folder cannot be listed; where there is none, there are no files.
    """

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            raise error

    for parent, _, names in os.walk(folder, onerror=refuse):
        within = Path(parent)
        yield from (within / name for name in names)


def list_folder(folder: Path) -> list[Path]:
    """Return the sorted entries of a folder; none if the folder does not exist.

    Raises:
        OSError: if it cannot be listed, or what is in it cannot be reached.
    """
    try:
        # `folder/.` needs search permission (x) besides read permission.
        names = os.listdir(os.path.join(folder, "."))  # noqa: PTH118, PTH208 - a path drops it
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in sorted(names)]


def find_unreadable_folders(folder: Path) -> Iterator[OSError]:
    """Yield an error for each unreadable folder among this one and its subfolders."""
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
    """Return whether `path` is in `folder`, and `folder` itself is no link elsewhere."""
    return is_inside(path, folder) and is_inside(folder, folder.parent)


def resolve_path(path: Path) -> Path:
    """Return an absolute path with links followed; circular links lead to a missing file."""
    return _resolve_cached(path.absolute())


_NOWHERE = Path("/dev/null/nowhere")


@lru_cache(maxsize=4096)
def _resolve_cached(path: Path) -> Path:
    try:
        resolved = path.resolve()
        # Python 3.13 resolves a circle to a link; unlike `Path.is_symlink`, this never raises.
        return _NOWHERE if os.path.islink(resolved) else resolved  # noqa: PTH114
    except (OSError, RuntimeError):
        return _NOWHERE


def is_file(path: Path) -> bool:
    """Return whether `path` is a regular file; False for an invalid path."""
    return os.path.isfile(path)  # noqa: PTH113 - never raises


def path_exists(path: Path) -> bool:
    """Return whether `path` exists, even as a broken link."""
    return os.path.lexists(path)


def is_folder(path: Path) -> bool:
    """Return whether `path` is a folder; False for an invalid path."""
    return os.path.isdir(path)  # noqa: PTH112 - never raises


NO_CACHE = "DECKWRIGHT_NO_CACHE"
"""The environment variable that turns off the user's cache."""


def cache_folder() -> Path:
    """Return the user's cache folder, such as `$XDG_CACHE_HOME/deckwright`.

    With `$DECKWRIGHT_NO_CACHE`, it is one that cannot be written.
    """
    if os.environ.get(NO_CACHE):
        folder = ""
    elif sys.platform == "linux":
        # After the XDG Base Directory Specification; importing platformdirs is slower.
        configured, home = os.environ.get("XDG_CACHE_HOME", ""), os.path.expanduser("~")  # noqa: PTH111
        folder = f"{configured if os.path.isabs(configured) else f'{home}/.cache'}/deckwright"  # noqa: PTH117
    else:
        import platformdirs  # not on every system

        try:
            folder = platformdirs.user_cache_dir("deckwright")
        except RuntimeError:
            folder = ""
    # Without a home, point at a folder that cannot be written: nothing is cached then.
    return Path(folder if os.path.isabs(folder) else f"{os.devnull}/deckwright")  # noqa: PTH117


_NEW_SUFFIX, _OLD_SUFFIX = ".tmp", ".old"


@contextmanager
def stage_folder(target: Path) -> Iterator[Path]:
    """Give an empty folder beside `target`, for `replace_folder` to put in its place.

    The folder is removed when the block ends, as are the leftovers of killed runs. If a run was
    killed while it replaced a folder, the old folder is restored first.

    Raises:
        OutwardLinkError: if a link leads out of the folder that may be written to.
        OSError: if the folder cannot be made.
    """
    target = resolve_target(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        for path in sorted(target.parent.iterdir()):
            if not path.name.startswith(f".{target.name}."):
                continue
            if path.suffix == _OLD_SUFFIX and not target.exists():
                path.rename(target)
            elif path.suffix in {_NEW_SUFFIX, _OLD_SUFFIX} and _is_stale(path):
                shutil.rmtree(path, ignore_errors=True)
    folder = target.with_name(f".{target.name}.{os.urandom(6).hex()}{_NEW_SUFFIX}")
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def replace_folder(folder: Path, target: Path, kept: Iterable[Path] = ()) -> None:
    """Put a folder from `stage_folder` in its place, and delete the old one.

    Args:
        kept: folders in the old one that stay.

    Raises:
        OSError: if it cannot be put there; the old folder is then kept.
    """
    target = resolve_target(target)
    for inner in kept:
        shutil.copytree(inner, folder / inner.name)
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


def _is_stale(path: Path) -> bool:
    return path.stat().st_mtime < time.time() - _STALE_SECONDS


def _sync(path: Path) -> None:
    """Flush a file or a folder to the disk, where the system supports it."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def replace_files(files: Mapping[Path, bytes]) -> None:
    """Write several files so that either all of them change or none.

    First everything is written and synced beside its target, so that a full disk or a missing
    permission shows before anything has changed; then each file replaces its target. If that fails,
    the files already replaced are restored.

    Raises:
        OSError: if a file cannot be written; its `filename` names the file.
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
            with suppress(OSError):
                if path.read_bytes() != files[path]:
                    continue
                if before is None:
                    path.unlink()
                else:
                    # `write_atomically` would refuse to write after an interrupt.
                    temporary = path.with_name(f".{path.name}.old.tmp")
                    temporary.write_bytes(before)
                    temporary.chmod(path.stat().st_mode & 0o777)
                    temporary.replace(path)
                if path.resolve() in written_files:
                    written_files.remove(path.resolve())
        if isinstance(error, OSError):
            # The error may name the temporary file.
            error.filename = error.filename2 or str(at)
        raise


class BundledFiles(NamedTuple):
    """XML files of one kind, bundled with Deckwright or a game's own.

    Attributes:
        folder: the folder of the bundled files.
        game_subfolder: the folder of a game's own files, below `xml`.
    """

    folder: Path
    game_subfolder: str

    def list_names(self, xml_folder: Path) -> list[str]:
        """Return the names of all files, without extension."""
        folders = (xml_folder / self.game_subfolder, self.folder)
        files = (path for folder in folders for path in list_folder(folder))
        return sorted({path.stem for path in files if path.suffix == ".xml"})

    def find_file(self, name: str, xml_folder: Path) -> Path:
        """Return the path for a name: the game's own file if it exists, else the bundled one."""
        own = xml_folder / self.game_subfolder / f"{name}.xml"
        return own if is_file(own) else self.folder / own.name


UNSAFE_NAME = re.compile(r'^\.|[/\\:*?"<>|\x00-\x1f]')
"""Parts of file names that some systems do not allow."""
RESERVED_NAMES = {"con", "prn", "aux", "nul"}.union(
    f"{name}{number}" for name in ("com", "lpt") for number in range(1, 10)
)
"""Names that Windows reserves for devices, whatever the extension."""
_MAX_NAME_BYTES = 255
"""The longest file name on common file systems."""
_LONG = 1000
_PARTS = re.compile(r"\S{1,1000}|\s+")


def to_nfc(text: str) -> str:
    """Return a text in composed form, in which texts are compared."""
    if text.isascii():
        return text
    if len(text) <= _LONG:
        return unicodedata.normalize("NFC", text)
    # Normalizing a run of marks takes quadratic time, so overlong words are cut into pieces.
    return "".join(unicodedata.normalize("NFC", part) for part in _PARTS.findall(text))


def make_unique(name: str, used: set[str], separator: str = "_", max_length: int = 1000) -> str:
    """Return a name that is not taken, with a number appended if needed, and mark it as taken.

    Names that differ only in case count as the same.

    Args:
        separator: stands before the number.
        max_length: the maximum length in characters.
    """
    free, number = name[:max_length], 1
    while free.casefold() in used:
        number += 1
        end = f"{separator}{number}"
        free = name[: max_length - len(end)] + end
    used.add(free.casefold())
    return free


def is_file_name(name: str) -> bool:
    """Return whether every system allows this file name."""
    short = len(name.encode(errors="replace")) <= _MAX_NAME_BYTES
    stem = name.partition(".")[0].casefold()
    return bool(name) and short and not UNSAFE_NAME.search(name) and stem not in RESERVED_NAMES


@cache
def to_letters(number: int) -> str:
    """Return the letters of a number from 1 on: A to Z, then AA, AB and so on."""
    result = ""
    while number:
        number, rest = divmod(number - 1, 26)
        result = chr(ord("A") + rest) + result
    return result


def find_existing(path: Path) -> Path:
    """Return the path of an existing file, whatever Unicode form its name has on disk.

    A path that does not exist is returned unchanged.
    """
    if str(path).isascii() or path_exists(path):
        return path
    folder = find_existing(path.parent)
    try:
        return next(
            (other for other in folder.iterdir() if to_nfc(other.name) == to_nfc(path.name)), path
        )
    except OSError:
        return path


def printable_name(name: str) -> str:
    """Return a file's name with `?` for characters that cannot be printed."""
    return "".join(char if char.isprintable() else "?" for char in name)
