"""Answers of all commands as JSON and CSV."""

from __future__ import annotations

import csv
import json
from operator import itemgetter
from pathlib import Path

import pytest

from conftest import ROOT, SMALL, Run

MOSAIC = ROOT / "examples" / "mosaic"
QUESTIONS = {
    "balance --best 2 --faction HK": ROOT,
    "compare ember river": SMALL,
    "generate --seed winter --count 30": MOSAIC,
    "hand river --hand 5 --seed 7 --hands 2 --draws 1 --turns 2": SMALL,
    "odds ember river --hand 5": SMALL,
    "odds river --hand 5 --draws 1 --turn 0-2": SMALL,
    "odds river --hand 5 --where level=1 --card RW1": SMALL,
    "solve RW --different 2 --explain": SMALL,
    "solve ember --complete": SMALL,
    "stats ember river": SMALL,
}


def ask(run: Run, folder: Path, question: str, form: str) -> str:
    """Return what a command prints to standard output."""
    name, *options = question.split()
    out = ("--out", str(folder / "run.jsonl")) if name == "generate" else ()
    result = run(name, *options, "--format", form, *out, "--game", str(QUESTIONS[question]))
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("question", QUESTIONS)
def test_json_and_csv_have_the_same_rows(run: Run, tmp_path: Path, question: str) -> None:
    answer = json.loads(ask(run, tmp_path, question, "json"))
    assert (answer.pop("version"), answer.pop("answer")) == (2, question.split(maxsplit=1)[0])
    rows = [
        {"table": table, **{key: as_cell(value) for key, value in row.items()}}
        for table, rows in answer.items()
        for row in rows
    ]
    assert rows
    found = [*csv.DictReader(ask(run, tmp_path, question, "csv").splitlines())]
    full = ({name: cell for name, cell in row.items() if cell} for row in rows)
    shown = ({name: cell for name, cell in row.items() if cell} for row in found)
    assert sorted(shown, key=itemgetter("table")) == sorted(full, key=itemgetter("table"))


def as_cell(value: object) -> str:
    """Return a value of JSON as it is in CSV; structures have no place there."""
    assert value is None or isinstance(value, (str, int, float))
    if value is None or isinstance(value, bool):
        return {None: "", True: "true", False: "false"}[value]
    return f"{value:.12g}" if isinstance(value, float) else str(value)
