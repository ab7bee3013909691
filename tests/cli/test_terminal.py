"""What a person sees at a terminal, and a program does not: colors, and how far work has come."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import edit
from deckwright.base.processes import set_listener, track_progress
from deckwright.cli.terminal import ProgressBar, format_progress

pty = pytest.importorskip("pty", reason="this system has no terminals of its own")

CHECK = "from deckwright.cli import main; main()"
EAGER = (
    "from deckwright.cli import terminal; terminal.BAR_DELAY = terminal.BAR_INTERVAL = 0; " + CHECK
)
SHORT = "import time; time.monotonic = lambda: 0.0; " + CHECK
"""While it works, no time goes by."""


def at_terminal(code: str, *arguments: str, cwd: Path, **environment: str) -> str:
    """Return what a program shows whose standard error is a terminal."""
    inner, outer = pty.openpty()
    usual = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd, env={**usual, **environment}, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=outer,
    ):  # fmt: skip
        os.close(outer)
        parts = []
        try:
            while part := os.read(inner, 1 << 16):
                parts.append(part)
        except OSError:  # what is left of a terminal whose other end is closed
            pass
        finally:
            os.close(inner)
    return b"".join(parts).decode()


def test_findings_are_in_color_at_a_terminal(small: Path) -> None:
    edit(small / "xml" / "rules.xml", "<data>", "<data>\n<rul/>")
    shown = at_terminal(CHECK, "check", cwd=small)
    assert "\x1b[" in shown
    assert "S001" in shown
    plain = at_terminal(CHECK, "check", cwd=small, NO_COLOR="1")
    assert "\x1b" not in plain
    assert "S001" in plain


def test_findings_are_plain_elsewhere(small: Path) -> None:
    edit(small / "xml" / "rules.xml", "<data>", "<data>\n<rul/>")
    done = subprocess.run(
        [sys.executable, "-c", CHECK, "check"], cwd=small, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"\x1b" not in done.stderr + done.stdout


def test_long_work_shows_how_far_it_is_and_takes_that_away(small: Path) -> None:
    shown = at_terminal(EAGER, "deck", "river", cwd=small)
    assert "painting pages ██" in shown
    assert "1/" in shown
    assert shown.endswith("\r\x1b[K")


def test_short_work_shows_nothing(small: Path) -> None:
    assert at_terminal(SHORT, "deck", "river", cwd=small) == ""


def test_nothing_is_shown_where_nobody_looks(small: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EAGER, "deck", "river"], cwd=small, capture_output=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == b""


def test_steps_are_told_to_whoever_listens() -> None:
    told: list[tuple[str, int, int]] = []
    set_listener(lambda *step: told.append(step))
    try:
        assert list(track_progress("ab", "x")) == ["a", "b"]
        assert list(track_progress(iter("ab"), "y")) == ["a", "b"]
    finally:
        set_listener(None)
    assert told == [("x", 1, 2), ("x", 2, 2), ("y", 1, 0), ("y", 2, 0), ("y", 2, 2)]
    assert list(track_progress("ab", "x")) == ["a", "b"]
    assert len(told) == 5


def test_the_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("deckwright.cli.terminal.time.monotonic", lambda: now[0])
    bar = ProgressBar()
    bar("working", 1, 4)
    assert capsys.readouterr().err == ""
    now[0] += 1.5
    bar("working", 2, 4)
    bar("working", 3, 4)  # too soon
    assert capsys.readouterr().err == f"\r{format_progress('working', 2, 4)}"
    bar("working", 4, 4)
    bar.clear()
    assert capsys.readouterr().err == "\r"
    assert format_progress("working", 2, 4) == "working " + "█" * 12 + "░" * 12 + " 2/4"
    assert format_progress("working", 1234, 0) == "working 1,234"
    told = {9: "", 24: ", 20 s left", 34: ", 1 min left", 7400: ", 2 h 3 min left"}
    for left, end in told.items():
        assert format_progress("working", 2, 4, left).endswith(f" 2/4{end}")


def test_the_bar_tells_how_long_the_rest_takes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    bar = ProgressBar()
    for now, done in ((0.0, 10), (5.0, 10), (10.0, 20), (20.0, 30)):  # noqa: B007
        bar("printing", done, 100)
    shown = capsys.readouterr().err.split("\r")[1:]
    assert [text.partition("/100")[2] for text in shown] == ["", ", 1 min left", ", 1 min left"]
    bar("drawing", 50, 100)
    bar.clear()
