"""A run of sixty decks, twice, to be held against itself. Nothing here is a test."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from conftest import SMALL
from deckwright.runs.plan import RunPlan, read_plan
from deckwright.runs.run import plan_run

DECKS = 60


def plan_once(folder: Path) -> Path:
    """Plan a run of the small game for `plan_twice`; return its folder."""
    cards = [{"id": f"RW{number}", "amount": 1 + (number == 1)} for number in range(1, 6)]
    cards.append({"id": "WF1", "faction": "WF"})
    lines = [{"id": f"D-{number}", "faction": "RW", "cards": cards} for number in range(DECKS)]
    (folder / "run.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return plan_run(SMALL, folder / "run.jsonl", folder / "run").folder


def plan_twice(planned: Path) -> RunPlan:
    """Copy a planned run to `run` and to `other`; return the first."""
    for name in ("run", "other"):
        shutil.copytree(planned, name)
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
