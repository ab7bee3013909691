"""The user's folders for the tests of one process: a warm cache, and no settings."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from deckwright.checking.sandbox import run_sandboxed
from deckwright.cli import deckwright
from deckwright.text.fonts import make_instance

KEPT_FOLDERS = ("drawings", "fonts", "images", "programs")
"""The folders of the cache with content-addressed entries."""


class CheckResult(NamedTuple):
    """The result of checking a game."""

    code: int
    stdout: str
    stderr: str


class Home:
    """Folders that are the same for every test, and are cleaned after each."""

    def __init__(self, folder: Path, shared: Path) -> None:
        """Use `folder`; data derived from games is shared with other processes in `shared`."""
        self.cache, self.config = folder / "cache", folder / "config"
        self._shared = shared
        self._known: dict[Path, CheckResult] = {}
        self._entries: dict[str, Path] = {}

    def know(self, game: Path) -> CheckResult:
        """Check a game once for all tests; fill the cache with its programs, drawings and fonts."""
        if game not in self._known:
            folder = self._shared / "-".join(game.parts[1:])
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / "lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._known[game] = _check_game(game, folder)
            for name in KEPT_FOLDERS:
                for entry in (folder / "deckwright" / name).glob("*"):
                    self._entries[f"{self.cache}/deckwright/{name}/{entry.name}"] = entry
            self.tidy()
        return self._known[game]

    def once(self, name: str, make: Callable[[Path], None]) -> Path:
        """Return a file that is made once for all processes.

        A child makes it, so that this process stays small and its other children start fast.
        """
        path = self._shared.with_name("files") / name
        path.parent.mkdir(exist_ok=True)
        with path.with_name(f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                ended = run_sandboxed(lambda _: make(path), [], None)
                assert ended is None
        return path

    def tidy(self) -> None:
        """Restore the folders to their state before a test."""
        shutil.rmtree(self.config, ignore_errors=True)
        there: set[str] = set()
        for folder in (self.cache / "deckwright").glob("*"):
            if folder.name in KEPT_FOLDERS:
                there.update(entry.path for entry in os.scandir(folder))
            else:
                shutil.rmtree(folder)
        for path in there - self._entries.keys():
            Path(path).unlink()
            make_instance.cache_clear()  # it may be a font
        for path in self._entries.keys() - there:
            Path(path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copy2(self._entries[path], path)


def _check_game(game: Path, cache: Path) -> CheckResult:
    """Check a game with a cache of its own, or return the result of another process."""
    done = cache / "done.json"
    if not done.exists():
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", str(cache))
            patch.chdir(game)
            result = CliRunner().invoke(deckwright, ["check"], catch_exceptions=False)
        checked = CheckResult(result.exit_code, result.stdout, result.stderr)
        done.write_text(json.dumps(checked), encoding="utf-8")
    return CheckResult(*json.loads(done.read_text(encoding="utf-8")))


def shared_folder(folder: Path) -> Path:
    """Return the folder that all processes of a run share, given the one of this process."""
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "games"
