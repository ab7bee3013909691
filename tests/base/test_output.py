"""The old file or the new one is there, whole, whatever happens while it is written."""

from __future__ import annotations

import errno
import os
import resource
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Run
from deckwright.base.files import NotARegularFileError, write_atomically
from support import card, line, write_game


class Unforeseen(BaseException):
    """Something that no `except Exception` catches."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "out" / "a.pdf"
    path.parent.mkdir()
    path.write_bytes(b"old")
    return path


def left(path: Path) -> dict[str, bytes]:
    """Return all files of a folder, hidden ones too."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def test_a_new_file_takes_the_place_of_the_old_one(old: Path) -> None:
    with write_atomically(old) as stream:
        stream.write(b"new")
        assert old.read_bytes() == b"old"
    assert left(old) == {"a.pdf": b"new"}


def test_folders_are_made(tmp_path: Path) -> None:
    target = tmp_path / "one" / "two" / "a.pdf"
    with write_atomically(target) as stream:
        stream.write(b"new")
    assert left(target) == {"a.pdf": b"new"}


def write_half(path: Path, error: BaseException) -> None:
    with write_atomically(path) as stream:
        stream.write(b"half")
        raise error


@pytest.mark.parametrize(
    "error",
    [
        ValueError("x"),
        KeyboardInterrupt(),
        SystemExit(3),
        OSError(errno.ENOSPC, "full"),
        Unforeseen(),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("exists", [True, False])
def test_a_run_that_fails_leaves_all_as_it_was(
    old: Path, error: BaseException, *, exists: bool
) -> None:
    if not exists:
        old.unlink()
    before = left(old)
    with pytest.raises(type(error)):
        write_half(old, error)
    assert left(old) == before


@pytest.mark.parametrize("function", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_disk_that_fails_late_leaves_all_as_it_was(
    old: Path, monkeypatch: pytest.MonkeyPatch, function: str, number: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, function, fail)
    with pytest.raises(OSError, match=os.strerror(number)), write_atomically(old) as stream:
        stream.write(b"new")
    assert left(old) == {"a.pdf": b"old"}


def test_the_data_are_on_the_disk_before_the_name_is(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    originals: dict[str, Callable[..., Any]] = {
        name: getattr(os, name) for name in ("fsync", "replace")
    }

    def watched(name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            calls.append(name)
            return originals[name](*arguments, **options)

        return call

    for name in originals:
        monkeypatch.setattr(os, name, watched(name))
    with write_atomically(old) as stream:
        stream.write(b"new")
    assert calls[:2] == ["fsync", "replace"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_the_new_file_has_the_permissions_of_the_old_one(old: Path, mode: int) -> None:
    old.chmod(mode)
    with write_atomically(old) as stream:
        stream.write(b"new")
    assert stat.S_IMODE(old.stat().st_mode) == mode


def test_a_file_that_was_not_there_has_the_usual_permissions(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        with write_atomically(tmp_path / "a.pdf") as stream:
            stream.write(b"new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a.pdf").stat().st_mode) == 0o640


def test_a_link_stays_and_the_file_that_it_leads_to_is_replaced(old: Path) -> None:
    link = old.parent / "link.pdf"
    link.symlink_to(old)
    with write_atomically(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert old.read_bytes() == b"new"


@pytest.mark.parametrize("target", ["folder", "/dev/null", "fifo"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(NotARegularFileError), write_atomically(tmp_path / target):
        raise AssertionError
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fifo", "folder"]
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game as the working folder whose deck was printed before."""
    folder = tmp_path / "game"
    write_game(folder, [card("A1", "Ant")], decks={"deck": [line("A1")]})
    (folder / "out").mkdir()
    (folder / "out" / "deck_deck.pdf").write_bytes(b"old")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("/dev/null", "E001"),
        ("/proc/nowhere/a.pdf", "E002"),
        ("/proc/a.pdf", "E002"),
        ("xml/game.xml/a.pdf", "E002"),
        ("loop.pdf", "E002"),
        ("a" * 300 + ".pdf", "E002"),
    ],
)
def test_a_target_that_cannot_be_written_is_reported(
    game: Path, run: Run, target: str, code: str
) -> None:
    (game / "loop.pdf").symlink_to("pool.pdf")
    (game / "pool.pdf").symlink_to("loop.pdf")
    result = run("deck", "deck", "--out", target)
    assert result.exit_code == 3
    assert f" error {code}: " in result.stderr
    assert left(game / "out" / "x") == {"deck_deck.pdf": b"old"}


def test_a_file_in_place_of_the_folder_out_is_reported(game: Path, run: Run) -> None:
    (game / "out" / "deck_deck.pdf").unlink()
    (game / "out").rmdir()
    (game / "out").write_text("mine", encoding="utf-8")
    result = run("deck", "deck")
    assert result.exit_code == 3
    assert " error E002: " in result.stderr
    assert (game / "out").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("command", [["schema"], ["proof"]])
def test_other_commands_report_what_they_cannot_write(
    game: Path, run: Run, command: list[str]
) -> None:
    assert game.is_dir()
    result = run(*command, "--out", "/proc/nowhere")
    assert result.exit_code == 3
    assert " error E002: " in result.stderr


def test_a_full_disk_leaves_the_old_pdf(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    result = run("deck", "deck")
    assert result.exit_code == 3
    assert "No space left on device" in result.stderr
    assert left(game / "out" / "x") == {"deck_deck.pdf": b"old"}


def start(folder: Path, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "deckwright", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_a_disk_that_is_full_in_the_middle_leaves_the_old_pdf(game: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    process = start(game, "deck", "deck", preexec_fn=limit)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 3
    assert " error E002: " in said
    assert "Traceback" not in said
    assert left(game / "out" / "x") == {"deck_deck.pdf": b"old"}


WHILE_WRITING = """
import signal, sys
from deckwright.paint.pdf.objects import PdfFile

def interrupted(file, *arguments, original=PdfFile.finish):
    original(file, *arguments)
    signal.raise_signal(signal.NUMBER)

PdfFile.finish = interrupted
from deckwright.cli import main
sys.argv = ["deckwright", "deck", "deck"]
main()
"""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_an_interrupt_while_writing_leaves_the_old_pdf(game: Path, number: str) -> None:
    command = [sys.executable, "-c", WHILE_WRITING.replace("NUMBER", number)]
    result = subprocess.run(command, cwd=game, capture_output=True, text=True, check=False)
    assert result.returncode == 130, result.stderr
    assert "Traceback" not in result.stderr
    assert "interrupted" in result.stderr
    assert left(game / "out" / "x") == {"deck_deck.pdf": b"old"}


SWALLOW = """
import signal, sys
from deckwright.paint.pdf import fonts

def swallowing(*arguments, original=fonts.FontFile):
    try:
        signal.raise_signal(signal.SIGINT)
    except:
        pass
    return original(*arguments)

fonts.FontFile = swallowing
from deckwright.cli import main
sys.argv = ["deckwright", "deck", "deck"]
main()
"""


def test_an_interrupt_that_a_library_swallows_ends_the_run_all_the_same(game: Path) -> None:
    command = [sys.executable, "-c", SWALLOW]
    result = subprocess.run(command, cwd=game, capture_output=True, text=True, check=False)
    assert result.returncode == 130, result.stderr
    assert "Traceback" not in result.stderr
    assert left(game / "out" / "x") == {"deck_deck.pdf": b"old"}
