"""Cells of CSV files know where they stand."""

from __future__ import annotations

from pathlib import Path

from deckwright.grids.csv import read_csv


def test_a_cell_has_the_line_and_column_that_it_begins_at(tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text('id,text,name\nA1,"Two\nlines",Anna\nA2,,Ben\n', encoding="utf-8")
    grid = read_csv(path, "cards", ("id", "name"))
    ben = grid.rows[2][2]
    assert (ben.text, ben.place.line, ben.place.column, ben.name) == ("Ben", 4, 5, "cards!C3")
