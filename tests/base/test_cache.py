"""What is kept in the user's cache, and for how long."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deckwright.base.cache import Cache
from deckwright.base.files import cache_folder


def aged(name: str, key: str) -> Path:
    """Write an entry that is two months old."""
    Cache(name).write(key, b"old")
    path = cache_folder() / name / key
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 60 * 24 * 3600))
    return path


def test_a_cache_is_tidied_when_it_is_first_written_to() -> None:
    folder = cache_folder() / "things"
    folder.mkdir(mode=0o700, parents=True)
    (folder / "old").write_bytes(b"old")
    os.utime(folder / "old", (0, 0))
    Cache("things").write("new", b"new")
    assert [path.name for path in folder.iterdir()] == ["new"]


def test_a_cache_is_not_tidied_at_each_write(monkeypatch: pytest.MonkeyPatch) -> None:
    old = aged("things", "old")
    looked: list[Path] = []
    monkeypatch.setattr(Path, "iterdir", looked.append)
    for number in range(9):
        Cache("things").write(str(number), b"new")
    assert looked == []
    assert old.exists()


def test_a_cache_is_tidied_again_before_it_holds_too_much() -> None:
    for number in range(40):
        Cache("things", max_bytes=80).write(str(number), b"x" * 10)
    held = sum(path.stat().st_size for path in (cache_folder() / "things").iterdir())
    assert held <= 80 + 80 // 8 + 26
