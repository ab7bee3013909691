"""The benchmarks measure what users wait for, or say why not."""

from __future__ import annotations

import os
import subprocess
import sys

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
