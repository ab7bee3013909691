"""The benchmarks measure what users wait for, or say why not."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, SMALL


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
    assert "\nmake speed" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
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


def test_a_worker_of_a_run_tells_what_it_costs(tmp_path: Path) -> None:
    script = ROOT / "benchmarks" / "run_worker.py"
    result = subprocess.run(
        [sys.executable, script, SMALL, SMALL / "xml" / "Decks", tmp_path, "personal"],
        capture_output=True,
        text=True,
        check=True,
    )
    first, last = map(json.loads, result.stdout.splitlines())
    assert (first["decks"], last["decks"]) == (0, 2)
    assert last["pages"] >= 2
    assert len(last["costs"]) == 2
    assert last["resident"] > 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.pdf", "2.pdf"]


def test_what_feeds_many_workers_holds_them_up_in_the_simulation() -> None:
    code = (
        "import runs; from pathlib import Path; runs.MANY, runs.SHARD, runs.WORKERS = 1000, 1, 100;"
        "worked = runs.Worked(0, [1] * 4, 1, 1, 1, []);"
        "runs._handing = lambda _: {};"
        "print(*(round(part, 3) for part in runs.simulated(worked, Path('.'))))"
    )

    def simulated(handing: float) -> list[float]:
        result = subprocess.run(
            [sys.executable, "-c", code.format(handing)],
            cwd=ROOT / "benchmarks",
            capture_output=True,
            text=True,
            check=True,
        )
        return [*map(float, result.stdout.split())]

    assert simulated(0) == [1, 0]
    linear, busy = simulated(0.02)  # twice as long as a deck takes all workers together
    assert linear == pytest.approx(0.5, abs=0.05)
    assert busy == pytest.approx(1, abs=0.06)
