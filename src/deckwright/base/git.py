"""Ask git what a game was at some revision: which files differ, and what was in them.

A repository comes with the game and may be a stranger's, and its settings name programs: filters,
hooks, watchers of files, ways to fetch what is missing. None of them is run. Git is asked three
things only, what a revision means, which files it has and what is in them; all else happens here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import new as new_hash
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from deckwright.base.files import is_file, list_folder

FOLDERS = ("xml", "img", "templates")
"""The folders of a game that are taken out."""

_TIMEOUT_SECONDS = 600
"""How long git may take."""
_FILE, _LINK = {b"100644", b"100664", b"100755"}, b"120000"
_LFS = "https://git-lfs.github.com/spec/v1"
_POINTER = re.compile(
    rb"version %b\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n" % re.escape(_LFS).encode()
)
"""What git holds in place of a file that Git LFS keeps (git-lfs/docs/spec.md)."""
_MAX_POINTER_BYTES = 1024
_SETTINGS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "safe.bareRepository=explicit")
"""What the repository's own settings cannot change: nothing watches, nothing is hooked in, and a
folder is no repository just because it looks like the inside of one."""
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",  # nothing is fetched, by no protocol;
    "GIT_NO_LAZY_FETCH": "1",  # gits that know this do not even try
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_HASHES = {40: "sha1", 64: "sha256"}
"""How git hashes, by the length of its names (gitrepository-layout, `objectFormat`)."""


class GitError(Exception):
    """Git cannot say what was; the message says why."""


class Revision(NamedTuple):
    """A state of the game in a repository.

    Attributes:
        name: as the user calls it.
        commit: the hash of the commit.
        game: the game's folder as it is now.
        prefix: where that is in the repository, "" or ending with a slash.
    """

    name: str
    commit: str
    game: Path
    prefix: str

    @property
    def label(self) -> str:
        """What people call it: its name, and the beginning of its hash where that is another."""
        short = self.commit[:8]
        return self.name if self.commit.startswith(self.name) else f"{self.name} ({short})"


class _Blob(NamedTuple):
    """A file of a commit: its path from the game's folder, its mode, the hash of its content."""

    path: PurePosixPath
    mode: bytes
    content: bytes


def find_revision(game: Path, name: str) -> Revision:
    """Return the revision that `name` means in the repository of a game.

    Raises:
        GitError: if there is none, or the game is in no repository.
    """
    if not name or name.startswith("-") or not name.isprintable():
        raise GitError(f"`{name}` is not a revision")
    prefix = _git(game, "rev-parse", "--show-prefix").decode("utf-8", "surrogateescape")
    try:
        commit = _git(game, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except GitError:
        raise GitError(f"git knows no revision `{name}`") from None
    return Revision(name, commit.decode("ascii").strip(), game, prefix.rstrip("\n"))


@contextmanager
def temporary_checkout(revision: Revision) -> Iterator[Path]:
    """Take the game's folders at a revision out into a temporary folder.

    Raises:
        GitError: if that cannot be done, or there was no game.
    """
    with tempfile.TemporaryDirectory(prefix="deckwright-") as temporary:
        folder = Path(temporary)
        check_out(revision, folder)
        if not (folder / "xml").is_dir():
            raise GitError(f"there was no game in this folder at `{revision.name}`")
        yield folder


def check_out(
    revision: Revision, folder: Path, wanted: Callable[[PurePosixPath], bool] = lambda _: True
) -> None:
    """Write the game's files at a revision into a folder.

    Args:
        wanted: which of them, by their paths from the game's folder.

    Raises:
        GitError: if that cannot be done.
    """
    try:
        _check_out_blobs(revision, folder, [blob for blob in _blobs(revision) if wanted(blob.path)])
    except OSError as error:
        raise GitError(f"the game at `{revision.name}` cannot be taken out: {error}") from error


def changed_files(revision: Revision) -> set[PurePosixPath]:
    """Return which files of the game are new, changed or gone since a revision.

    They are compared as git stores them: with LF for CRLF, and for those that Git LFS keeps by
    their pointers. What other filters alter counts as changed. Hidden files count for nothing.

    Raises:
        GitError: if git cannot say what there was.
    """
    was = {blob.path: blob for blob in _blobs(revision)}
    now = {
        PurePosixPath(path.relative_to(revision.game))
        for name in FOLDERS
        for path in _files_in(revision.game / name)
    }
    return {
        path
        for path in was.keys() | now
        if not any(part.startswith(".") for part in path.parts)
        and not (path in was and path in now and _is_unchanged(revision.game / path, was[path]))
    }


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the files and links in a folder; links are not followed."""
    if folder.is_symlink():
        yield folder
        return
    for path in list_folder(folder):
        if path.is_dir():
            yield from _files_in(path)
        else:
            yield path


def _is_unchanged(path: Path, blob: _Blob) -> bool:
    """Return whether a file holds what it held."""
    if path.is_symlink():
        return blob.mode == _LINK and _has_hash(os.fsencode(path.readlink()), blob.content)
    if blob.mode not in _FILE or not is_file(path):
        return False
    try:
        data = path.read_bytes()
    except OSError:
        return False  # the check will say so
    if _has_hash(data, blob.content):
        return True
    if b"\0" not in data and _has_hash(data.replace(b"\r\n", b"\n"), blob.content):
        return True
    pointer = f"version {_LFS}\noid sha256:{sha256(data).hexdigest()}\nsize {len(data)}\n"
    return _has_hash(pointer.encode(), blob.content)


def _has_hash(data: bytes, name: bytes) -> bool:
    """Return whether git calls a file with these contents so."""
    digest = new_hash(_HASHES[len(name)], b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest().encode() == name


def _check_out_blobs(revision: Revision, folder: Path, blobs: list[_Blob]) -> None:
    files = [blob for blob in blobs if blob.mode in _FILE]
    _write(revision, files, folder)
    # Links come last, so that no file can be written through one of them.
    for blob in blobs:
        if blob.mode == _LINK:
            to = os.fsdecode(_git(revision.game, "cat-file", "blob", blob.content.decode("ascii")))
            path = folder / blob.path
            path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):  # where links cannot be made, there is no such file
                path.symlink_to(to)


def _blobs(revision: Revision) -> Iterator[_Blob]:
    """Yield the files of the game's folders; what has a name that leads elsewhere is left out."""
    paths = [f"{revision.prefix}{name}" for name in FOLDERS]
    listed = _git(
        revision.game, "ls-tree", "-r", "-z", "--full-tree", revision.commit, "--", *paths
    )
    for line in filter(None, listed.split(b"\0")):
        head, _, name = line.partition(b"\t")
        mode, _, content = head.split(b" ")
        path = PurePosixPath(os.fsdecode(name).removeprefix(revision.prefix))
        if all(part != ".." and Path(part).name == part for part in path.parts):
            yield _Blob(path, mode, content)


def _write(revision: Revision, blobs: Iterable[_Blob], folder: Path) -> None:
    """Write the files of a revision into a folder."""
    blobs = list(blobs)
    with tempfile.TemporaryFile() as wanted, tempfile.TemporaryFile() as contents:
        wanted.writelines(blob.content + b"\n" for blob in blobs)
        wanted.seek(0)
        _git(revision.game, "cat-file", "--batch", given=wanted, out=contents)
        contents.seek(0)
        for blob in blobs:
            head = contents.readline().split()
            if len(head) != 3:  # noqa: PLR2004 - hash, type and size; or that it is missing
                raise GitError(f"the repository lacks `{blob.path}` at `{revision.name}`")
            path = folder / blob.path
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as stream:
                _copy(contents, stream, int(head[2]))
            contents.read(1)
            if int(head[2]) <= _MAX_POINTER_BYTES:
                _resolve_pointer(path, revision)


def _copy(source: IO[bytes], target: IO[bytes], size: int) -> None:
    """Copy so many bytes."""
    while size and (chunk := source.read(min(size, 1 << 20))):
        target.write(chunk)
        size -= len(chunk)


def _resolve_pointer(path: Path, revision: Revision) -> None:
    """Put the content of a file that Git LFS keeps in its place, if it is on this machine."""
    pointer = _POINTER.match(path.read_bytes())
    if pointer is None:
        return
    common = os.fsdecode(_git(revision.game, "rev-parse", "--git-common-dir")).rstrip("\n")
    name = pointer[1].decode("ascii")
    kept = revision.game / common / "lfs" / "objects" / name[:2] / name[2:4] / name
    if kept.is_file():
        shutil.copyfile(kept, path)


def _git(
    folder: Path,
    *arguments: str,
    given: IO[bytes] | None = None,
    out: IO[bytes] | None = None,
) -> bytes:
    """Return what a git command says.

    Args:
        given: what it reads.
        out: where it writes, instead.

    Raises:
        GitError: if there is no git, or it fails.
    """
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        done = subprocess.run(  # noqa: S603 - the arguments are ours, and hashes from git
            ["git", *settings, "-C", str(folder), *arguments],  # noqa: S607 - found as the user's shell does
            stdin=given or subprocess.DEVNULL,
            stdout=out or subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **_ENVIRONMENT},
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitError(f"git cannot be run: {error}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(said[0] if said else f"git {arguments[0]} failed")
    return done.stdout or b""
