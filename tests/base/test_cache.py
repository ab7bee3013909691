"""What is kept in the user's cache, and for how long."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deckwright.base.cache import (
    BoundedCache,
    Cache,
    find_checked,
    is_intact,
    read_checked,
    write_checked,
)
from deckwright.base.files import cache_folder


def aged(name: str, key: str) -> Path:
    """Write an entry that is two months old."""
    Cache(name).write(key, b"old")
    path = cache_folder() / name / key
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 60 * 24 * 3600))
    return path


def test_a_cache_is_tidied_when_it_is_first_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deckwright.base.cache._bytes_until_prune", {})
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


def test_a_bounded_cache_drops_what_was_used_longest_ago() -> None:
    known = BoundedCache[str, str](5)
    assert known.add("a", "A", 2) == "A"
    known.add("b", "B", 2)
    assert known.get("a") == "A"
    known.add("c", "C", 2)
    assert ("b" in known, known.get("a"), known.peek("c"), len(known)) == (False, "A", "C", 2)
    known.drop(lambda key: key == "a")
    known.add("d", "D", 3)
    assert (known.peek("a"), known.peek("c"), known.peek("d")) == (None, "C", "D")


def test_a_value_may_exceed_the_weight_of_a_bounded_cache_and_be_replaced() -> None:
    known = BoundedCache[int, int](10)
    for number in range(3):
        known.add(0, number, 20)
    assert (known.get(0), len(known)) == (2, 1)
    known.add(1, 1)
    assert (known.get(0), known.get(1)) == (None, 1)


def test_a_checked_file_is_found_while_it_is_intact(tmp_path: Path) -> None:
    path = write_checked(tmp_path / "new", "stem-1", ".txt", b"text")
    assert find_checked(tmp_path / "new", "stem-1", ".txt") == path
    assert (read_checked(path), is_intact(path)) == (b"text", True)
    path.write_bytes(b"other")
    assert find_checked(tmp_path / "new", "stem-1", ".txt") is None
    assert (read_checked(path), is_intact(tmp_path / "none-1.txt")) == (None, False)


def test_a_checked_file_is_written_elsewhere_if_its_folder_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = write_checked(tmp_path / "file", "stem", ".txt", b"text")
    assert path.read_bytes() == b"text"
    assert tmp_path not in path.parents
