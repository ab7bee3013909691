"""States of a game that are compared: revisions, folders, and what hostile ones try."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import SMALL, Run, edit
from examples_of_codes import EXAMPLES, lay_over
from repositories import (
    CARDS,
    RULES,
    commit,
    diff_lines,
    git,
    track,
)


@pytest.fixture
def tracked(small: Path) -> Path:
    """The small game in a repository."""
    return track(small)


def test_two_folders_are_compared_without_git(small: Path, run: Run, tmp_path: Path) -> None:
    shutil.copytree(small, tmp_path / "other")
    edit(tmp_path / "other" / CARDS, 'costs="8"', 'costs="7"')
    assert diff_lines(run, "../other", ".") == ["RW5 Mother Flood: costs 7 → 8"]
    assert diff_lines(run, str(tmp_path / "other")) == ["RW5 Mother Flood: costs 7 → 8"]
    os.chdir(tmp_path)
    assert diff_lines(run, "small", "other") == ["RW5 Mother Flood: costs 8 → 7"]
    run("diff", "small", "other")
    assert (tmp_path / "other" / "out" / "diff.pdf").is_file()


def test_two_revisions_are_compared_whatever_the_folder_holds(tracked: Path, run: Run) -> None:
    edit(tracked / CARDS, 'costs="8"', 'costs="7"')
    commit(tracked, "v2")
    edit(tracked / CARDS, 'costs="7"', 'costs="6"')
    assert diff_lines(run, "v1", "v2") == ["RW5 Mother Flood: costs 8 → 7"]
    assert diff_lines(run, "HEAD~1", "v1") == []
    assert diff_lines(run, git(tracked, "rev-parse", "v2")[:9], "v1") == [
        "RW5 Mother Flood: costs 7 → 8"
    ]
    assert git(tracked, "status", "--short") == f"M {CARDS.as_posix()}"
    run("diff", "v1", "v2")
    assert (tracked / "out" / "diff.pdf").is_file()


@pytest.mark.usefixtures("tracked")
def test_a_game_that_git_sees_unchanged_is_not_read(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("deckwright.diff.comparing.load_state")
    assert run("diff", "v1").stdout == "nothing has changed\n"


def test_a_game_in_a_folder_of_a_repository(tmp_path: Path, run: Run) -> None:
    shutil.copytree(SMALL, tmp_path / "games [1]" / "small")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    edit(tmp_path / "games [1]" / "small" / CARDS, 'costs="8"', 'costs="7"')
    game = str(tmp_path / "games [1]" / "small")
    assert diff_lines(run, "v1", "--game", game) == ["RW5 Mother Flood: costs 8 → 7"]


@pytest.mark.parametrize("name", ["nope", "--output=x", "-x", "", "v1 \n", "v1..v1", ":xml"])
def test_what_is_neither_a_folder_nor_a_revision(tracked: Path, run: Run, name: str) -> None:
    result = run("diff", "--", name)
    assert result.exit_code == 2
    assert "is neither a folder nor a revision" in result.stderr
    assert not (tracked / "x").exists()


def test_without_a_repository_or_a_game_there_are_no_revisions(
    tmp_path: Path, tracked: Path, run: Run
) -> None:
    shutil.copytree(SMALL, tmp_path / "bare")
    result = run("diff", "v1", "--game", str(tmp_path / "bare"))
    assert result.exit_code == 2
    assert "not a git repository" in result.stderr
    git(tracked, "rm", "-q", "-r", "xml")
    commit(tracked, "empty")
    git(tracked, "checkout", "-q", "v1")
    result = run("diff", "empty")
    assert result.exit_code == 2
    assert "there was no game in this folder at `empty`" in result.stderr
    assert "has no folder `xml`" in run("diff", "v1", "templates").stderr


def test_a_name_that_means_two_things_is_asked_about(tracked: Path, run: Run) -> None:
    shutil.copytree(SMALL, tracked / "v1")
    result = run("diff", "v1")
    assert result.exit_code == 2
    assert "write `./v1` for the folder" in result.stderr
    assert diff_lines(run, "./v1") == []


def test_nothing_is_left_of_what_was_taken_out(
    tracked: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    edit(tracked / CARDS, 'costs="8"', 'costs="7"')
    assert run("diff", "v1").exit_code == 0
    assert list((tmp_path / "temporary").iterdir()) == []


def test_no_program_of_a_repository_is_run(tracked: Path, run: Run) -> None:
    (tracked / ".gitattributes").write_text("*.xml filter=bad\nxml export-ignore\n", "utf-8")
    commit(tracked, "v2")
    git(tracked, "config", "filter.bad.smudge", "touch ran; cat")
    git(tracked, "config", "filter.bad.required", "true")
    hook = tracked / ".git" / "hooks" / "post-checkout"
    hook.write_text("#!/bin/sh\ntouch ran\n", encoding="utf-8")
    hook.chmod(0o755)
    edit(tracked / CARDS, 'costs="8"', 'costs="7"')
    assert diff_lines(run, "v2") == ["RW5 Mother Flood: costs 8 → 7"]
    assert not list(tracked.rglob("ran"))


def test_links_of_an_old_state_lead_nowhere_else(tracked: Path, run: Run, tmp_path: Path) -> None:
    shutil.move(tracked / RULES, tmp_path / "rules.xml")
    (tracked / RULES).symlink_to(tmp_path / "rules.xml")
    commit(tracked, "v2")
    result = run("diff", "v2", "v1", "--no-pdf")
    assert result.exit_code == 1
    assert "error X007: the file is a link to a place outside" in result.stderr
    (tracked / RULES).unlink()
    shutil.move(tmp_path / "rules.xml", tracked / "xml" / "other.xml")
    (tracked / RULES).symlink_to("other.xml")
    commit(tracked, "v3")
    assert diff_lines(run, "v3", "v1") == []


def made_tree(folder: Path, *rows: tuple[str, str, str]) -> str:
    """Return a tree of modes, hashes and names, which git would not make so."""
    raw = b"".join(
        f"{mode.lstrip('0')} {name}\0".encode() + bytes.fromhex(content)
        for mode, content, name in rows
    )
    command = ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    made = subprocess.run(command, cwd=folder, input=raw, capture_output=True, check=True)
    return made.stdout.decode().strip()


def test_names_that_lead_elsewhere_are_left_out(
    tracked: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blob = git(tracked, "hash-object", "-w", "--stdin", given="bad")
    above = made_tree(tracked, ("100644", blob, "escaped.xml"))
    above = made_tree(tracked, ("40000", above, ".."))
    old = git(tracked, "rev-parse", "HEAD:xml")
    listed = [line.split() for line in git(tracked, "ls-tree", old).splitlines()]
    rows = [(mode, content, name) for mode, _, content, name in listed]
    xml = made_tree(tracked, ("40000", above, ".."), *rows)
    tree = git(tracked, "mktree", given=git(tracked, "ls-tree", "HEAD").replace(old, xml) + "\n")
    git(tracked, "tag", "bad", git(tracked, "commit-tree", tree, "-m", "bad"))
    assert "xml/../../escaped.xml" in git(tracked, "ls-tree", "-r", "--name-only", "bad")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    assert diff_lines(run, "bad") == []
    assert not list(tmp_path.rglob("escaped.xml"))


def test_pictures_that_git_lfs_keeps_are_found(tracked: Path, run: Run) -> None:
    picture = tracked / "img" / "lantern.png"
    data = picture.read_bytes()
    name = "a" * 64
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{name}\nsize {len(data)}\n"
    picture.write_text(pointer, encoding="utf-8")
    commit(tracked, "v2")
    picture.write_bytes(data)
    result = run("diff", "v2")
    assert "the image `lantern.png`" in result.stderr
    kept = tracked / ".git" / "lfs" / "objects" / "aa" / "aa" / name
    kept.parent.mkdir(parents=True)
    kept.write_bytes(data)
    assert diff_lines(run, "v2") == []


@pytest.mark.corpus(8)
@pytest.mark.parametrize(
    "code",
    sorted(
        path.name
        for path in EXAMPLES.iterdir()
        if path.name != "L007"  # it takes as long as it may
    ),
)
def test_an_old_state_may_have_any_error(code: str, small: Path, run: Run, tmp_path: Path) -> None:
    """What is wrong with it is told, or does not concern the comparison; nothing breaks."""
    shutil.copytree(small, tmp_path / "old")
    lay_over(tmp_path / "old", EXAMPLES / code / "bad")
    result = run("diff", str(tmp_path / "old"), "--no-pdf")
    assert result.exit_code in {0, 1, 3}
    assert (result.exit_code > 0) == (": error " in result.stderr)
    assert result.stdout
