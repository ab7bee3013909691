"""The cards of a game as tables, as `deckwright export xlsx` and `csv` write them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from deckwright.base.findings import Location, Report, has_errors
from deckwright.base.output import write_data
from deckwright.game.columns import titles_of
from deckwright.game.folder import GameFolder
from deckwright.grids.csv import write_csv
from deckwright.grids.table import too_long
from deckwright.tables.export import tables_of
from deckwright.tables.records import load_records

_SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t"}


def write_tables(
    folder: GameFolder,
    target: Path,
    report: Report,
    *,
    form: Literal["xlsx", "csv"] = "xlsx",
    delimiter: Literal["comma", "semicolon", "tab"] = "comma",
    bom: bool = False,
) -> bool:
    """Write all cards and deck lists of a game; return whether that went well.

    Args:
        target: the folder to write to.
        form: a workbook, or a CSV file for each kind of card.
        delimiter: what separates the columns of CSV files.
        bom: whether CSV files begin with a byte order mark, which Excel needs.
    """
    from deckwright.grids.xlsx import write_xlsx  # noqa: PLC0415 - openpyxl takes 0.2 s

    loaded = load_records(folder, report)
    if loaded is None:
        return False
    tables, setup = tables_of(loaded), loaded.game.setup
    if form == "csv":
        sign = _SIGNS[delimiter]
        files = {f"csv/{table.title}.csv": write_csv(table, sign, bom=bom) for table in tables}
        return all(write_data(target / name, data, report) for name, data in files.items())
    workbook = target / "cards.xlsx"
    report.extend(too_long(tables, Location(workbook)))
    if has_errors(report):
        return False
    data = write_xlsx(tables, titles_of(setup).lists, setup.name, setup.author)
    return write_data(workbook, data, report)
