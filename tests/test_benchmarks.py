"""The benchmarks measure what users wait for, or say why not."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT


def test_they_refuse_to_measure_programs_that_compile_themselves_each_time() -> None:
    result = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "run.py", "--small"],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert "PYTHONDONTWRITEBYTECODE is set" in result.stderr
    assert result.stdout == ""


def test_the_gate_measures_the_small_part() -> None:
    assert "\nmake speed\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "run.py --small" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_every_workload_is_measured_and_told_of() -> None:
    code = (
        "import programs; from pathlib import Path;"
        "print(*[n for n in programs.TITLES if programs.programs_of(n, Path('x'))])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "benchmarks",
        capture_output=True,
        text=True,
        check=True,
    )
    names = result.stdout.split()
    assert {"check", "proof", "open"} < set(names)
    told = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert [name for name in names if f"\n| `{name}` |" not in told] == []


@pytest.mark.usefixtures("shipped_checked")
def test_an_open_game_is_timed() -> None:
    script = ROOT / "benchmarks" / "open_game.py"
    result = subprocess.run(
        [sys.executable, script, "2"], capture_output=True, text=True, check=True
    )
    assert re.fullmatch(
        r"a card changes, its face anew: \d\.\d+ s, aim .*\n"
        r"a card changes, its deck's PDF anew: \d\.\d+ s, aim .*\n",
        result.stdout,
    )
