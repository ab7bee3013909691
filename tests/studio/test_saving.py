"""What the studio writes, and what it refuses to write."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deckwright.base.findings import ChoiceError
from deckwright.game.folder import GameFolder
from deckwright.studio.answers import ConflictError, FileWrite, FolderWriter
from support import card, write_game


@pytest.fixture
def folder(tmp_path: Path) -> GameFolder:
    return GameFolder(write_game(tmp_path / "game", [card("A1", "Ant", level=1, costs=3)]))


def test_all_files_are_written_or_none(folder: GameFolder) -> None:
    saving = FolderWriter(folder)
    old, new = folder.xml / "game.xml", folder.xml / "decks" / "new.xml"
    before = old.read_bytes()
    both = {new: FileWrite(b"<deck/>", None), old: FileWrite(b"<game/>", "another hash")}
    with pytest.raises(ConflictError) as caught:
        saving.write(both)
    assert caught.value.current_content == before
    assert not new.exists()
    new.parent.mkdir(exist_ok=True)
    saving.write(both | {old: FileWrite(b"<game/>", saving.file_fingerprint(old))})
    assert (new.read_bytes(), old.read_bytes()) == (b"<deck/>", b"<game/>")


def test_a_file_that_came_or_went_meanwhile_is_a_conflict(folder: GameFolder) -> None:
    saving, path = FolderWriter(folder), folder.xml / "game.xml"
    with pytest.raises(ConflictError):
        saving.write({path: FileWrite(b"new", None)})
    known = saving.file_fingerprint(path)
    path.unlink()
    with pytest.raises(ConflictError) as caught:
        saving.write({path: FileWrite(b"new", known)})
    assert caught.value.current_content is None
    assert not path.exists()


def test_nothing_is_written_outside_or_when_only_looking(folder: GameFolder) -> None:
    outside = folder.path.parent / "else.xml"
    (folder.xml / "away").symlink_to(folder.path.parent)
    for path in (outside, folder.xml / ".." / "else.xml", folder.xml / "away" / "else.xml"):
        with pytest.raises(ChoiceError, match="not in the game's folder"):
            FolderWriter(folder).write({path: FileWrite(b"x", None)})
    with pytest.raises(ChoiceError, match="is read-only"):
        FolderWriter(folder, read_only=True).write({folder.xml / "new.xml": FileWrite(b"x", None)})
    assert not outside.exists()
    assert not (folder.xml / "new.xml").exists()


def test_what_a_save_has_left_that_was_killed_is_removed(folder: GameFolder) -> None:
    saving, path = FolderWriter(folder), folder.xml / "game.xml"
    left, young = (path.with_name(f".game.xml.{name}.tmp") for name in ("0a1b", "2c3d"))
    for each in (left, young):
        each.write_bytes(b"<ga")
    os.utime(left, (0, 0))
    saving.write({path: FileWrite(b"<game/>", saving.file_fingerprint(path))})
    assert (left.exists(), young.exists()) == (False, True)
