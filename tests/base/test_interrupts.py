"""Interrupts while the program starts: one line and 130, whatever a library makes of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "from deckwright.__main__ import main; main()"
DURING_IMPORT = """
import builtins, signal, sys
from importlib.machinery import PathFinder

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            try:
                signal.raise_signal(signal.{signal})
            except KeyboardInterrupt:
                {becomes}
        return None

sys.meta_path.insert(0, Interrupting())
sys.argv = ["deckwright", "deck", "river"]
from deckwright.__main__ import main
main()
"""


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.corpus(3)
@pytest.mark.parametrize(
    "module", ["click", "lxml.etree", "uharfbuzz", "deckwright.paint.pdf.document"]
)
@pytest.mark.parametrize("becomes", ["raise ImportError", "pass"])
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_an_interrupt_during_an_import_is_no_fault(
    small: Path, module: str, becomes: str, number: str
) -> None:
    ended = run(DURING_IMPORT.format(module=module, becomes=becomes, signal=number), small)
    assert (ended.returncode, ended.stdout) == (130, ""), ended.stderr
    assert ended.stderr.strip() == "interrupted, nothing was changed"
    assert not (small / "out" / "deck_river.pdf").exists()


FAILING = """
import signal, sys
from deckwright.cli import common

def open_game(*arguments):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise SystemError("initialization failed") from None

common.open_game = open_game
sys.argv = ["deckwright", "deck", "river"]
from deckwright.__main__ import main
main()
"""


def test_what_fails_after_an_interrupt_is_the_interrupt(small: Path) -> None:
    ended = run(FAILING, small)
    assert (ended.returncode, ended.stderr.strip()) == (130, "interrupted, nothing was changed")


def test_an_interrupt_while_processes_start_does_not_hang(small: Path) -> None:
    code = f"""
import os, signal
from concurrent.futures.process import ProcessPoolExecutor as Pool

def spawn(self, original=Pool._spawn_process):
    original(self)
    os.kill(os.getpid(), signal.SIGTERM)

Pool._spawn_process = spawn
import sys
sys.argv = ["deckwright", "proof"]
{PROGRAM}
"""
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=small, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 128 + signal.SIGINT, ended.stderr
    assert ended.stderr.strip() == "interrupted, nothing was changed"
