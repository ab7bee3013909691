"""OpenDocument spreadsheets are read like other workbooks, and within the same bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.output import OutputError
from deckwright.grids.reading import read_grids
from ods import CELL, NUMBER, row, write


def texts(path: Path) -> list[list[str]]:
    return [[cell.text for cell in cells] for cells in read_grids(path, None, ())[0].rows]


def test_texts_numbers_and_truths_are_read(tmp_path: Path) -> None:
    note = "<office:annotation><text:p>a note</text:p></office:annotation>"
    lines = (
        '<table:table-cell office:value-type="string">'
        f'{note}<text:p>a<text:s text:c="2"/>b</text:p><text:p>c</text:p></table:table-cell>'
    )
    truth = '<table:table-cell office:value-type="boolean" office:boolean-value="true"/>'
    path = write(tmp_path / "t.ods", row(CELL.format("name"), lines, NUMBER.format("2.50"), truth))
    assert texts(path) == [["name", "a  b\nc", "2.5", "true"]]


def test_repeated_and_merged_cells_are_in_each_row(tmp_path: Path) -> None:
    twice = CELL.replace("office:value-type", 'table:number-columns-repeated="2" office:value-type')
    gap = '<table:table-cell table:number-columns-repeated="2"/>'
    merged = CELL.replace("office:value-type", 'table:number-rows-spanned="2" office:value-type')
    path = write(
        tmp_path / "t.ods",
        row(twice.format("x"), gap, CELL.format("y"))
        + row(merged.format("m"), CELL.format("1"))
        + row("<table:covered-table-cell/>", CELL.format("2"))
        + row(CELL.format("z"), times=2)
        + row('<table:table-cell table:number-columns-repeated="16384"/>', times=1_048_000),
    )
    assert texts(path) == [["x", "x", "", "", "y"], ["m", "1"], ["m", "2"], ["z"], ["z"]]


def test_errors_and_dates_are_found_at_their_cells(tmp_path: Path) -> None:
    wrong = (
        '<table:table-cell office:value-type="string" calcext:value-type="error">'
        "<text:p>#REF!</text:p></table:table-cell>"
    )
    date = '<table:table-cell office:value-type="date" office:date-value="2024-01-02"/>'
    grids = read_grids(write(tmp_path / "t.ods", row(wrong, date)), None, ())
    first, second = grids[0].rows[0]
    assert (first.problem, first.place.spot) == ("its formula gave `#REF!`", "T1!A1")
    assert second.problem == "it holds a date or a time, 2024-01-02"


@pytest.mark.parametrize(
    ("rows", "tabs", "said"),
    [
        (row(CELL.format("x"), times=1_048_576), 1, "beyond row 20,000"),
        (row(CELL.format("x").replace("office", 'table:number-columns-repeated="999" office', 1)),
         1, "column 500"),
        (row(CELL.format("x").replace("office", 'table:number-columns-repeated="400" office', 1),
             times=2_000), 1, "more than 500,000 cells"),
        (row(CELL.format("x")).replace("office", 'table:number-rows-spanned="99999999" office', 1),
         1, "beyond row 20,000"),
        ("", 300, "more than 200 tabs"),
        ("<table:table-row/>" * 1_100_000, 1, "cells and texts"),
        (row(CELL.format("x" * 60_000_000)), 1, "bytes unpacked"),
        ("</broken>", 1, "the workbook is damaged"),
    ],
)  # fmt: skip
def test_what_holds_too_much_is_refused(tmp_path: Path, rows: str, tabs: int, said: str) -> None:
    with pytest.raises(OutputError) as error:
        read_grids(write(tmp_path / "t.ods", rows, tabs), None, ())
    assert said in error.value.findings[0].message


def test_another_file_is_no_spreadsheet(tmp_path: Path) -> None:
    (tmp_path / "t.ods").write_bytes(b"PK no")
    with pytest.raises(OutputError) as error:
        read_grids(tmp_path / "t.ods", None, ())
    assert error.value.findings[0].code.id == "E016"
