"""Files that others may have written are read with a bound, and only where they are files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deckwright.base.files import FileTooLargeError, NotARegularFileError, read_file


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"12345")
    assert read_file(file, 5) == b"12345"
    assert read_file(file, 2**60) == b"12345", "no room is taken for what is not there"
    with pytest.raises(FileTooLargeError, match="at most 4 bytes"):
        read_file(file, 4)


def test_what_is_not_a_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(NotARegularFileError):
            read_file(path, 10)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none", 10)
