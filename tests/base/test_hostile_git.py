"""Settings of a stranger's repository name programs; no command of ours has git run one of them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from conftest import SMALL, Run, edit
from repositories import CARDS, commit, git, track

MARK = "ran"
FETCHES = {
    "ext": {"url": "ext::{program}"},
    "ssh": {"url": "ssh://nowhere/x", "core.sshCommand": "{program}"},
    "uploadpack": {"url": "{folder}", "uploadpack": "{program}"},
    "git": {"url": "git://nowhere/x", "core.gitProxy": "{program}"},
    "helper": {"url": "x", "vcs": "stranger"},
    "credentials": {"url": "http://127.0.0.1:9/x", "credential.helper": "!{program}"},
    "alternates": {"url": "{folder}", "core.alternateRefsCommand": "{program}"},
    "file": {"url": "file://{folder}", "uploadpack": "{program}"},
}
"""Ways to name a program for fetching what is missing; names without a dot are a remote's."""
SETTINGS = {
    "fsmonitor": {"core.fsmonitor": "{program}"},
    "clean": {"filter.x.clean": "{program}; cat"},
    "required clean": {"filter.x.clean": "{program}; cat", "filter.x.required": "true"},
    "smudge": {"filter.x.smudge": "{program}; cat"},
    "process": {"filter.x.process": "{program}"},
    "external diff": {"diff.external": "{program}"},
    "a driver's diff": {"diff.x.command": "{program}"},
    "textconv": {"diff.x.textconv": "{program}"},
    "pager": {"core.pager": "{program}", "pager.diff": "true", "pager.rev-parse": "true"},
    "alias": {"alias.rev-parse": "!{program}", "alias.cat-file": "!{program}"},
    "hooks": {"core.hooksPath": "{folder}/hooks"},
    "editor": {"core.editor": "{program}", "sequence.editor": "{program}"},
}
COMMANDS = (
    ("check", "--changed-since", "HEAD"),
    ("check", "--changed-since", "v1"),
    ("diff", "v1", "--no-pdf"),
    ("diff", "v1", "HEAD", "--no-pdf"),
)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that leaves a mark; it stands in PATH, too, as a helper for remotes."""
    path = tmp_path / "bin" / "git-remote-stranger"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\ntouch '{tmp_path / MARK}'\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")
    return path


@pytest.fixture
def tracked(small: Path) -> Path:
    """The small game in a repository with two commits, and changes since."""
    (small / ".gitattributes").write_text("*.xml filter=x diff=x\n", encoding="utf-8")
    track(small)
    edit(small / CARDS, 'costs="8"', 'costs="7"')
    commit(small, "v2")
    edit(small / CARDS, 'costs="7"', 'costs="6"')
    return small


def configure(folder: Path, settings: dict[str, str], program: Path) -> None:
    for name, value in settings.items():
        key = name if "." in name else f"remote.origin.{name}"
        git(folder, "config", key, value.format(program=program, folder=folder))


@pytest.mark.corpus(3)
@pytest.mark.parametrize("way", SETTINGS)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_setting_of_a_repository_runs_a_program(
    tracked: Path, run: Run, program: Path, way: str, command: tuple[str, ...]
) -> None:
    (tracked / "hooks").mkdir()
    for hook in (
        "post-index-change",
        "reference-transaction",
        "post-checkout",
        "fsmonitor-watchman",
    ):
        shutil.copy(program, tracked / "hooks" / hook)
    # Git compares what has another time than it remembers.
    for path in tracked.glob("xml/**/*.xml"):
        path.touch()
    configure(tracked, SETTINGS[way], program)
    result = run(*command)
    assert not (program.parent.parent / MARK).exists()
    assert result.exit_code == 0, result.output
    if command[0] == "diff":
        assert "RW5 Mother Flood: costs 8 → " in result.stdout


def lacking(folder: Path) -> None:
    """Take what RW_cards.xml held in `v1` and `v2` out of a repository that says it can be had."""
    for revision in ("v1", "v2"):
        name = git(folder, "rev-parse", f"{revision}:{CARDS.as_posix()}")
        (folder / ".git" / "objects" / name[:2] / name[2:]).unlink()
    git(folder, "config", "core.repositoryFormatVersion", "1")
    git(folder, "config", "extensions.partialClone", "origin")
    git(folder, "config", "remote.origin.promisor", "true")
    git(folder, "config", "protocol.allow", "always")


@pytest.mark.parametrize("way", FETCHES)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_a_repository_lacks_is_not_fetched(
    tracked: Path, run: Run, program: Path, way: str, command: tuple[str, ...]
) -> None:
    lacking(tracked)
    configure(tracked, FETCHES[way], program)
    result = run(*command)
    assert not (program.parent.parent / MARK).exists()
    assert result.exit_code == 2
    assert "the repository lacks `xml/Factions/RW_cards.xml` at `" in result.stderr


@pytest.mark.parametrize("way", FETCHES)
def test_gits_that_cannot_be_told_not_to_fetch_may_use_no_protocol(
    tracked: Path, run: Run, program: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    from deckwright.base import git as revisions

    monkeypatch.delitem(revisions._ENVIRONMENT, "GIT_NO_LAZY_FETCH")  # noqa: SLF001
    lacking(tracked)
    configure(tracked, FETCHES[way], program)
    assert run("diff", "v1", "--no-pdf").exit_code == 2
    assert not (program.parent.parent / MARK).exists()


def test_a_folder_that_looks_like_the_inside_of_a_repository_is_none(
    tracked: Path, run: Run, program: Path
) -> None:
    shutil.copytree(SMALL, tracked / "inner")
    for part in ("HEAD", "config", "objects", "refs"):
        (shutil.copytree if part in {"objects", "refs"} else shutil.copy)(
            tracked / ".git" / part, tracked / "inner" / part
        )
    git(tracked, "config", "-f", "inner/config", "core.fsmonitor", str(program))
    result = run("diff", "v1", "--game", "inner", "--no-pdf")
    assert result.exit_code == 2
    assert not (program.parent.parent / MARK).exists()


def test_a_work_tree_beside_its_repository_is_compared(
    tracked: Path, run: Run, tmp_path: Path
) -> None:
    git(tracked, "worktree", "add", "-q", str(tmp_path / "beside"), "v1")
    assert (tmp_path / "beside" / ".git").is_file()
    game = ("--game", str(tmp_path / "beside"))
    assert run("diff", "v1", "--no-pdf", *game).stdout == "nothing has changed\n"
    assert "costs 7 → 8" in run("diff", "v2", "--no-pdf", *game).stdout
    assert run("check", "--changed-since", "v1", *game).stdout.startswith("0 files checked")
    assert "RW_cards.xml" in run("check", "--changed-since", "v2", *game, "--format=json").stdout


@pytest.mark.parametrize(
    ("stored", "there", "changed"),
    [
        (b"<data>\n</data>\n", b"<data>\r\n</data>\r\n", False),
        (b"<data>\n</data>\n", b"<data>\n\n</data>\n", True),
        (b"a\n\0", b"a\r\n\0", True),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:%b\nsize 3\n"
         % b"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", b"abc", False),
    ],
    ids=["line ends", "other", "no text", "Git LFS"],
)  # fmt: skip
def test_files_are_compared_as_git_keeps_them(
    small: Path, stored: bytes, there: bytes, *, changed: bool
) -> None:
    from deckwright.base.git import changed_files, find_revision

    (small / "img" / "x").write_bytes(stored)
    (small / "img" / ".hidden").write_bytes(b"")
    (small / "img" / "link").symlink_to("x")
    track(small)
    (small / "img" / "x").write_bytes(there)
    (small / "img" / ".hidden").unlink()
    found = changed_files(find_revision(small, "v1"))
    assert [path.as_posix() for path in found] == ["img/x"] * changed
    (small / "img" / "link").unlink()
    (small / "img" / "link").symlink_to(".")
    assert "img/link" in {path.as_posix() for path in changed_files(find_revision(small, "v1"))}
