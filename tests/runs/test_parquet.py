"""Runs as Parquet: what data frames and databases write are the decks that JSON would say."""

from __future__ import annotations

import json
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from pyarrow import parquet
from test_run_lines import decks

from conftest import Run
from deckwright.base.extras import install_command
from deckwright.base.findings import Report
from deckwright.runs import lines
from deckwright.runs.lines import DeckLine, read_lines

CARDS = pa.list_(pa.struct([("id", pa.string()), ("amount", pa.int16())]))


def written(path: Path, columns: dict[str, Any], *, rows: int = 1) -> Path:
    """Write a table of these columns; what is not said of a deck is good."""
    good = {
        "id": [f"A-{n}" for n in range(rows)],
        "faction": ["RW"] * rows,
        "cards": ["RW1"] * rows,
    }
    table = {name: column for name, column in {**good, **columns}.items() if column is not None}
    parquet.write_table(pa.table(table), path)
    return path


def read(path: Path) -> tuple[list[DeckLine], list[str]]:
    report: Report = []
    found = list(read_lines(path, report))
    return found, [f"{one.location.spot if one.location else ''} {one.message}" for one in report]


@given(decks)
@settings(max_examples=25)
def test_a_table_of_what_json_says_says_the_same(tmp_path_factory: Any, deck: DeckLine) -> None:
    said = json.loads(deck.to_json())
    if any(len({type(v) for v in each.get("values", {}).values()}) > 1 for each in said["cards"]):
        return  # a column has one type
    for each in (said, *said["cards"]):
        if not each.get("values", True):
            del each["values"]
    path = tmp_path_factory.mktemp("table") / "run.parquet"
    parquet.write_table(pa.Table.from_pylist([said]), path)
    (found,), wrong = read(path)
    assert wrong == []
    assert found._replace(values={}, cards=()) == deck._replace(values={}, cards=())
    pairs: Any = zip((found, *found.cards), (deck, *deck.cards), strict=True)
    assert all(dict(one.values) == dict(other.values) for one, other in pairs)
    assert [card._replace(values={}) for card in found.cards] == [
        card._replace(values={}) for card in deck.cards
    ]


def test_columns_of_every_kind_are_what_people_mean(tmp_path: Path) -> None:
    columns: dict[str, Any] = {
        "id": pa.array([7, 8], pa.int64()),
        "name": pa.array(["Tide", None]),
        "format": pa.array(["", "casual"]),
        "cards": pa.array(["2 RW1; WF:WF1", "RW2"]).dictionary_encode(),
        "serial": pa.array([3.0, None]),  # whole numbers, as data frames have them
        "share": pa.array([0.5, float("nan")]),
        "price": pa.array([Decimal("2.50"), None]),
        "day": pa.array([date(2026, 3, 1), None]),
        "values": pa.array([{"owner": "Ada"}, None]),
    }
    (first, second), wrong = read(written(tmp_path / "run.pq", columns, rows=2))
    assert wrong == []
    assert (first.id, first.name, first.format) == ("7", "Tide", None)
    assert [(card.faction, card.id, card.amount) for card in first.cards] == [
        ("", "RW1", 2),
        ("WF", "WF1", 1),
    ]
    assert first.values == {
        "owner": "Ada", "serial": 3, "share": 0.5, "price": "2.50", "day": "2026-03-01",
    }  # fmt: skip
    assert (second.id, second.name, second.format, second.values) == ("8", "8", "casual", {})


def test_cards_are_a_list_and_values_a_map_too(tmp_path: Path) -> None:
    cards = pa.array([[{"id": "RW1", "amount": 2}, {"id": "RW2", "amount": None}]], CARDS)
    kind = pa.map_(pa.string(), pa.string())
    values = pa.array([[("owner", "Ada"), ("note", None)]], kind)
    (line,), wrong = read(written(tmp_path / "run.parquet", {"cards": cards, "values": values}))
    assert wrong == []
    assert [(card.id, card.amount) for card in line.cards] == [("RW1", 2), ("RW2", 1)]
    assert line.values == {"owner": "Ada"}


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"cards": None}, "1:1 the heading row lacks `cards`"),
        ({"id": None, "faction": None}, "1:1 the heading row lacks `id`, `faction`"),
        ({"faction": pa.array([None], pa.string())}, "1:1 `faction` is missing"),
        ({"cards": ["two of them"]}, "1:1 `two of them` is not a card"),
        ({"cards": [[]]}, "1:1 `cards` is not a list of 1"),
        ({"cards": [7]}, "1:1 `cards` is not a list of 1"),
        ({"cards": [["RW1"]]}, "1:1 a card is not an object"),
        ({"picture": [b"\x89PNG"]}, "1:1 the value `picture` is neither a text nor a number"),
        ({"signed": [True]}, "1:1 the value `signed` is neither"),
        ({"values": ["Ada"]}, "1:1 `values` is not an object"),
    ],
)
def test_what_is_no_deck_is_told(tmp_path: Path, columns: dict[str, Any], said: str) -> None:
    found, wrong = read(written(tmp_path / "run.parquet", columns))
    assert found == []
    assert wrong[0].startswith(said)


def test_every_row_is_looked_at_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_BATCH_ROWS", 3)
    factions = ["RW"] * 10
    factions[4] = factions[8] = ""
    found, wrong = read(written(tmp_path / "run.parquet", {"faction": factions}, rows=10))
    assert [line.id for line in found] == [f"A-{n}" for n in range(10) if n not in {4, 8}]
    assert wrong == ["5:1 `faction` is missing", "9:1 `faction` is missing"]


@pytest.mark.parametrize("cut", [0, 4, 200])
def test_a_damaged_file_is_told(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path / "run.parquet", {})
    path.write_bytes(path.read_bytes()[:cut])
    found, wrong = read(path)
    assert found == []
    assert wrong[0].startswith("1:1 the file is damaged or not Parquet: ")
    assert "\n" not in wrong[0]


@pytest.mark.usefixtures("small")
def test_runs_of_one_list_are_one_run_whatever_it_is_written_as(run: Run) -> None:
    said = [
        {"id": f"A-{n}", "name": f"No. {n}", "faction": "RW",
         "cards": [{"id": f"RW{card}", "amount": 1 + (card == 1)} for card in range(1, 6)],
         "values": {"owner": "Ada"}}
        for n in range(3)
    ]  # fmt: skip
    Path("run.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in said))
    rows = [f"{s['id']},{s['name']},RW,2 RW1; RW2; RW3; RW4; RW5,Ada" for s in said]
    Path("run.csv").write_text("\n".join(["id,name,faction,cards,owner", *rows]))
    parquet.write_table(pa.Table.from_pylist(said), "run.parquet")
    kept = set()
    for ending in ("jsonl", "csv", "parquet"):
        result = run("run", "plan", f"run.{ending}", "--out", f"out/{ending}")
        assert (result.exit_code, result.stderr) == (0, "")
        facts = Path("out", ending, "run.json").read_bytes()
        kept.add((facts, Path("out", ending, "lines.jsonl").read_bytes()))
    assert len(kept) == 1


@pytest.mark.usefixtures("small")
def test_without_the_library_it_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    written(Path("run.parquet"), {})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run("run", "plan", "run.parquet")
    assert result.exit_code == 2
    assert install_command("parquet") in result.stderr
