"""A run of sixty decks that is planned twice, to be held against itself. Nothing here is a test."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from conftest import Run
from deckwright.runs.plan import RunPlan, read_plan

DECKS = 60


def plan_twice(run: Run) -> RunPlan:
    """Plan a run of the small game in `run` and in `other`; return the first."""
    cards = [{"id": f"RW{number}", "amount": 1 + (number == 1)} for number in range(1, 6)]
    cards.append({"id": "WF1", "faction": "WF"})
    lines = [{"id": f"D-{number}", "faction": "RW", "cards": cards} for number in range(DECKS)]
    Path("run.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for name in ("run", "other"):
        assert run("run", "plan", "run.jsonl", "--out", name).exit_code == 0
    return read_plan(Path("run"))


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def content(folder: str) -> dict[str, bytes]:
    """Return what a run's folder holds."""
    found = Path(folder).rglob("*")
    return {path.name: path.read_bytes() for path in found if path.is_file()}
