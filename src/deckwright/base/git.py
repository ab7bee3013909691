"""Read a game's earlier states from git: which files changed, and their old contents.

A repository comes with the game and may be a stranger's, and its settings can name programs:
filters, hooks, file watchers, fetch helpers. None of them is run. Git is only asked to resolve a
revision, list its files and print their contents; everything else happens here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import new as new_hash
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from deckwright.base.files import is_file, list_folder

FOLDERS = ("xml", "img", "templates")
"""The folders of a game that are checked out."""

_TIMEOUT_SECONDS = 600
"""The time limit of a git command."""
_FILE, _LINK = {b"100644", b"100664", b"100755"}, b"120000"
_LFS = "https://git-lfs.github.com/spec/v1"
_POINTER = re.compile(
    rb"version %b\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n" % re.escape(_LFS).encode()
)
"""The pointer that git stores in place of a Git LFS file (git-lfs/docs/spec.md)."""
_MAX_POINTER_BYTES = 1024
_SETTINGS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "safe.bareRepository=explicit")
"""Overrides for the repository's own settings: no watchers, no hooks, and no bare repositories in
disguise."""
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",  # no protocol may fetch
    "GIT_NO_LAZY_FETCH": "1",  # newer versions of git do not even try
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_HASHES = {40: "sha1", 64: "sha256"}
"""Git's hash algorithms by the length of an object's id (gitrepository-layout, `objectFormat`)."""


class GitError(Exception):
    """Git cannot provide an earlier state; the message says why."""


class Revision(NamedTuple):
    """A state of the game in a repository.

    Attributes:
        name: the name that the user gave.
        commit: the commit's hash.
        game: the game's folder in the working tree.
        prefix: that folder's path in the repository: "", or ending with a slash.
    """

    name: str
    commit: str
    game: Path
    prefix: str

    @property
    def label(self) -> str:
        """The name, with the abbreviated hash unless the name is a hash itself."""
        short = self.commit[:8]
        return self.name if self.commit.startswith(self.name) else f"{self.name} ({short})"


class _Blob(NamedTuple):
    """A file of a commit: its path below the game's folder, mode and object id."""

    path: PurePosixPath
    mode: bytes
    object_id: bytes


def find_revision(game: Path, name: str) -> Revision:
    """Return the revision that `name` stands for in a game's repository.

    Raises:
        GitError: if there is none, or the game is not in a repository.
    """
    if not name or name.startswith("-") or not name.isprintable():
        raise GitError(f"`{name}` is not a revision")
    prefix = _git(game, "rev-parse", "--show-prefix").decode("utf-8", "surrogateescape")
    try:
        commit = _git(game, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except GitError:
        raise GitError(f"git does not know the revision `{name}`") from None
    return Revision(name, commit.decode("ascii").strip(), game, prefix.rstrip("\n"))


@contextmanager
def temporary_checkout(revision: Revision) -> Iterator[Path]:
    """Check out the game's folders at a revision into a temporary folder.

    Raises:
        GitError: if that fails, or the revision has no game.
    """
    with tempfile.TemporaryDirectory(prefix="deckwright-") as temporary:
        folder = Path(temporary)
        check_out(revision, folder)
        if not (folder / "xml").is_dir():
            raise GitError(f"there was no game in this folder at `{revision.name}`")
        yield folder


def check_out(
    revision: Revision, folder: Path, is_wanted: Callable[[PurePosixPath], bool] = lambda _: True
) -> None:
    """Write the game's files at a revision into a folder.

    Args:
        is_wanted: decides by a file's path below the game's folder whether to write it.

    Raises:
        GitError: if that fails.
    """
    game, blobs = revision.game, [blob for blob in _blobs(revision) if is_wanted(blob.path)]
    files = [blob for blob in blobs if blob.mode in _FILE]
    try:
        with tempfile.TemporaryFile() as wanted, tempfile.TemporaryFile() as contents:
            wanted.writelines(blob.object_id + b"\n" for blob in files)
            wanted.seek(0)
            _git(game, "cat-file", "--batch", stdin=wanted, stdout=contents)
            contents.seek(0)
            for blob in files:
                head = contents.readline().split()
                if len(head) != 3:  # hash, type and size; or that it is missing
                    raise GitError(f"the repository lacks `{blob.path}` at `{revision.name}`")
                path, size = folder / blob.path, int(head[2])
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as stream:
                    left = size
                    while left and (chunk := contents.read(min(left, 1 << 20))):
                        left -= stream.write(chunk)
                contents.read(1)
                if size <= _MAX_POINTER_BYTES and (pointer := _POINTER.match(path.read_bytes())):
                    # The content of a Git LFS file may be on this machine.
                    common = os.fsdecode(_git(game, "rev-parse", "--git-common-dir")).rstrip("\n")
                    name = pointer[1].decode("ascii")
                    stored = game / common / "lfs" / "objects" / name[:2] / name[2:4] / name
                    if stored.is_file():
                        shutil.copyfile(stored, path)
        # Links come last, so that no file is written through one.
        for blob in blobs:
            if blob.mode == _LINK:
                name = blob.object_id.decode("ascii")
                path = folder / blob.path
                path.parent.mkdir(parents=True, exist_ok=True)
                with suppress(OSError):  # where links cannot be made, there is no such file
                    path.symlink_to(os.fsdecode(_git(game, "cat-file", "blob", name)))
    except OSError as error:
        raise GitError(f"cannot check out the game at `{revision.name}`: {error}") from error


def changed_files(revision: Revision) -> set[PurePosixPath]:
    """Return the game's files that were added, changed or removed since a revision.

    Files are compared as git stores them: CRLF as LF, Git LFS files by their pointers. Effects of
    other filters count as changes. Hidden files are ignored.

    Raises:
        GitError: if git cannot list the old files.
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
    """Yield the files and links in a folder, without following links."""
    if folder.is_symlink():
        yield folder
        return
    for path in list_folder(folder):
        if path.is_dir():
            yield from _files_in(path)
        else:
            yield path


def _is_unchanged(path: Path, blob: _Blob) -> bool:
    """Return whether a file still has the content of a blob."""
    if path.is_symlink():
        return blob.mode == _LINK and _has_id(os.fsencode(path.readlink()), blob.object_id)
    if blob.mode not in _FILE or not is_file(path):
        return False
    try:
        data = path.read_bytes()
    except OSError:
        return False  # the check reports it
    if _has_id(data, blob.object_id):
        return True
    if b"\0" not in data and _has_id(data.replace(b"\r\n", b"\n"), blob.object_id):
        return True
    pointer = f"version {_LFS}\noid sha256:{sha256(data).hexdigest()}\nsize {len(data)}\n"
    return _has_id(pointer.encode(), blob.object_id)


def _has_id(data: bytes, object_id: bytes) -> bool:
    """Return whether git gives a file with this content this object id."""
    digest = new_hash(_HASHES[len(object_id)], b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest().encode() == object_id


def _blobs(revision: Revision) -> Iterator[_Blob]:
    """Yield the files of the game's folders; names that lead elsewhere are skipped."""
    paths = [f"{revision.prefix}{name}" for name in FOLDERS]
    listed = _git(
        revision.game, "ls-tree", "-r", "-z", "--full-tree", revision.commit, "--", *paths
    )
    for line in filter(None, listed.split(b"\0")):
        head, _, name = line.partition(b"\t")
        mode, _, object_id = head.split(b" ")
        path = PurePosixPath(os.fsdecode(name).removeprefix(revision.prefix))
        if all(part != ".." and Path(part).name == part for part in path.parts):
            yield _Blob(path, mode, object_id)


def _git(
    folder: Path, *arguments: str, stdin: IO[bytes] | None = None, stdout: IO[bytes] | None = None
) -> bytes:
    """Return the output of a git command.

    Args:
        stdin: its input.
        stdout: receives the output instead.

    Raises:
        GitError: if git is missing or fails.
    """
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        result = subprocess.run(  # noqa: S603 - the arguments are ours, and hashes from git
            ["git", *settings, "-C", str(folder), *arguments],  # noqa: S607 - found as the user's shell does
            stdin=stdin or subprocess.DEVNULL,
            stdout=stdout or subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **_ENVIRONMENT},
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitError(f"cannot run git: {error}") from error
    if result.returncode:
        errors = result.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(errors[0] if errors else f"git {arguments[0]} failed")
    return result.stdout or b""
